#include "unity/builtin.h"

#include <assert.h>
#include <stdlib.h>

struct struct_version {
    const char *name;
    struct version first;
    unsigned value;
};

struct serialized { /* serializedVersion of a class from an editor version on */
    int32_t class_id;
    struct version first;
    unsigned value;
    size_t before; /* index of the next property */
};

struct script_name {
    const char *type;
    uint16_t first, count; /* in scripts_by_type */
};

struct base_class {
    const char *type, *base;
};

struct requirement {
    const char *type;
    const char *const *names;
};

struct resource {
    struct guid guid;
    int64_t file_id;
    const char *label;
};

#include "unity_tables.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int compare_name(struct str a, const char *b)
{
    size_t n = strlen(b);
    int order = memcmp(a.n > 0 ? a.p : b, b, a.n < n ? a.n : n);
    return order != 0 ? order : a.n == n ? 0 : a.n < n ? -1 : 1;
}

static int cmp_i64(int64_t a, int64_t b)
{
    return a == b ? 0 : a < b ? -1 : 1;
}

/* Tables whose rows start with a name share this comparison. */
static int cmp_name(const void *key, const void *row)
{
    return compare_name(*(const struct str *)key, *(const char *const *)row);
}

#define FIND_NAMED(table, name) bsearch(&(name), table, COUNT(table), sizeof *(table), cmp_name)

_Static_assert(offsetof(struct builtin_struct, name) == 0, "cmp_name() reads it");
_Static_assert(offsetof(struct builtin_enum, type) == 0, "cmp_name() reads it");
_Static_assert(offsetof(struct script_name, type) == 0, "cmp_name() reads it");
_Static_assert(offsetof(struct base_class, type) == 0, "cmp_name() reads it");
_Static_assert(offsetof(struct requirement, type) == 0, "cmp_name() reads it");

static int cmp_class_id(const void *key, const void *row)
{
    return cmp_i64(*(const int32_t *)key, ((const struct builtin_class *)row)->class_id);
}

static int cmp_class_type(const void *key, const void *row)
{
    return compare_name(*(const struct str *)key, classes[*(const uint16_t *)row].type);
}

static int cmp_script(const void *key, const void *row)
{
    const struct reference *r = key;
    const struct builtin_script *s = row;
    int order = guid_cmp(r->guid, s->guid);
    return order != 0 ? order : cmp_i64(r->file_id, s->file_id);
}

const struct builtin_class *builtin_class(int32_t class_id)
{
    return bsearch(&class_id, classes, COUNT(classes), sizeof *classes, cmp_class_id);
}

/* Former C# names of classes. Native names did not change. */
static const struct {
    int32_t class_id;
    struct version before;
    const char *type;
} former_types[] = {
    {134, {.major = 6000}, "UnityEngine.PhysicMaterial"},
};

const char *builtin_type(const struct builtin_class *c, struct version v)
{
    for (size_t i = 0; i < COUNT(former_types); i++)
        if (former_types[i].class_id == c->class_id && version_is_known(v) &&
            version_cmp(v, former_types[i].before) < 0)
            return former_types[i].type;
    return c->type;
}

const struct builtin_class *builtin_class_of(struct str csharp_type)
{
    for (size_t i = 0; i < COUNT(former_types); i++)
        if (str_eq(csharp_type, str_from(former_types[i].type)))
            return builtin_class(former_types[i].class_id);
    const uint16_t *i = bsearch(&csharp_type, classes_by_type, COUNT(classes_by_type),
                                sizeof *classes_by_type, cmp_class_type);
    return i != NULL ? &classes[*i] : NULL;
}

const struct builtin_class *builtin_class_at(size_t i)
{
    return i < COUNT(classes) ? &classes[i] : NULL;
}

const struct builtin_property *builtin_property(const struct builtin_class *c, size_t i)
{
    assert(i < c->property_count);
    return &properties[c->rows[i]];
}

const struct builtin_field *builtin_field(const struct builtin_script *s, size_t i)
{
    assert(i < s->field_count);
    return &fields[s->rows[i]];
}

static bool is_version_within(struct version first, struct version last, struct version v)
{
    if (!version_is_known(v))
        return !version_is_known(last);
    return version_cmp(first, v) <= 0 && (!version_is_known(last) || version_cmp(v, last) <= 0);
}

bool builtin_property_is_in(const struct builtin_property *p, struct version v)
{
    return is_version_within(p->first, p->last, v);
}

bool builtin_class_is_in(const struct builtin_class *c, struct version v)
{
    return is_version_within(c->first, c->last, v);
}

/* Return the last row that applies, or NULL. */
static const struct serialized *find_serialized(const struct builtin_class *c, struct version v)
{
    const struct serialized *found = NULL;
    for (size_t i = 0; i < COUNT(serialized); i++) {
        const struct serialized *s = &serialized[i];
        if (s->class_id == c->class_id && (!version_is_known(v) || version_cmp(s->first, v) <= 0))
            found = s;
    }
    return found;
}

unsigned builtin_serialized_version(const struct builtin_class *c, struct version v)
{
    const struct serialized *s = find_serialized(c, v);
    return s != NULL ? s->value : 0;
}

/* Return the default value of a shape. */
static const char *get_zero(const char *shape)
{
    static const struct {
        const char *shape, *value;
    } zeros[] = {
        {"array<bool>", ""},
        {"array<int", ""}, /* hex */
        {"array<", "[]"},
        {"bounds", "\n    m_Center: {x: 0, y: 0, z: 0}\n    m_Extent: {x: 0, y: 0, z: 0}"},
        {"color32", "\n    serializedVersion: 2\n    rgba: 4294967295"},
        {"color", "{r: 1, g: 1, b: 1, a: 1}"},
        {"guid", "00000000000000000000000000000000"},
        {"layer mask", "\n    serializedVersion: 2\n    m_Bits: 0"},
        {"list<", "[]"},
        {"map<", "{}"},
        {"quaternion", "{x: 0, y: 0, z: 0, w: 1}"},
        {"rect", "\n    serializedVersion: 2\n    x: 0\n    y: 0\n    width: 1\n    height: 1"},
        {"ref<", "{fileID: 0}"},
        {"string", ""},
        {"vector2", "{x: 0, y: 0}"},
        {"vector3", "{x: 0, y: 0, z: 0}"},
        {"vector4", "{x: 0, y: 0, z: 0, w: 0}"},
    };
    for (size_t i = 0; i < COUNT(zeros); i++)
        if (strncmp(shape, zeros[i].shape, strlen(zeros[i].shape)) == 0)
            return zeros[i].value;
    return "0"; /* numbers; structs have their initial value in the table */
}

const char *builtin_initial(const struct builtin_property *p)
{
    return p->initial != NULL ? p->initial : get_zero(p->shape);
}

bool builtin_knows_initial(const struct builtin_class *c, struct version v)
{
    return c->has_initial && is_version_within(c->first, c->last, v) &&
           (!version_is_known(v) || version_cmp(v, c->initial_first) >= 0);
}

bool builtin_new_body(const struct builtin_class *c, struct version v, struct buf *out)
{
    if (!builtin_knows_initial(c, v))
        return false;
    const struct serialized *s = find_serialized(c, v);
    for (size_t i = 0; i < c->property_count; i++) {
        const struct builtin_property *p = builtin_property(c, i);
        if (s != NULL && s->value > 0 && i == s->before)
            buf_printf(out, "  serializedVersion: %u\n", s->value);
        if (!builtin_property_is_in(p, v))
            continue;
        const char *value = builtin_initial(p);
        buf_printf(out, "  %s:%s%s\n", p->key, value[0] == '\n' ? "" : " ", value);
    }
    return true;
}

const struct builtin_struct *builtin_struct(struct str name)
{
    return FIND_NAMED(structs, name);
}

unsigned builtin_struct_version(struct str name, struct version v)
{
    unsigned value = 0;
    for (size_t i = 0; i < COUNT(struct_versions); i++)
        if (compare_name(name, struct_versions[i].name) == 0 &&
            (!version_is_known(v) || version_cmp(struct_versions[i].first, v) <= 0))
            value = struct_versions[i].value;
    return value;
}

const struct builtin_enum *builtin_enum(struct str csharp_type)
{
    return FIND_NAMED(enums, csharp_type);
}

const struct builtin_script *builtin_script(struct guid guid, int64_t file_id)
{
    struct reference r = {.file_id = file_id, .guid = guid};
    return bsearch(&r, scripts, COUNT(scripts), sizeof *scripts, cmp_script);
}

const struct builtin_script *const *builtin_scripts_of(struct str csharp_type, size_t *count)
{
    const struct script_name *name = FIND_NAMED(script_names, csharp_type);
    *count = name != NULL ? name->count : 0;
    return name != NULL ? &scripts_by_type[name->first] : NULL;
}

const struct builtin_script *builtin_script_at(size_t i)
{
    return i < COUNT(scripts) ? &scripts[i] : NULL;
}

const char *builtin_base(struct str csharp_type)
{
    const struct base_class *b = FIND_NAMED(base_classes, csharp_type);
    size_t count;
    if (b != NULL)
        return b->base;
    const struct builtin_script *const *s = builtin_scripts_of(csharp_type, &count);
    if (s == NULL)
        return "";
    return s[0]->is_component ? "UnityEngine.MonoBehaviour" : "UnityEngine.ScriptableObject";
}

const char *const *builtin_requires(struct str csharp_type)
{
    const struct requirement *r = FIND_NAMED(requirements, csharp_type);
    return r != NULL ? r->names : NULL;
}

bool builtin_disallows_multiple(struct str csharp_type)
{
    return FIND_NAMED(singles, csharp_type) != NULL;
}

const char *builtin_resource(struct reference r)
{
    for (size_t i = 0; i < COUNT(resources); i++)
        if (resources[i].file_id == r.file_id && guid_eq(resources[i].guid, r.guid))
            return resources[i].label;
    return NULL;
}

bool builtin_resource_by_label(struct str label, struct reference *out)
{
    for (size_t i = 0; i < COUNT(resources); i++) {
        if (!str_eq(str_from(resources[i].label), label))
            continue;
        *out = (struct reference){.file_id = resources[i].file_id, .guid = resources[i].guid};
        return true;
    }
    return false;
}
