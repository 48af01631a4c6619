#include "unity/types_core.h"

#include <string.h>

struct made *types_new_class(struct types *t, struct str key)
{
    struct made *m = arena_zalloc(&t->arena, sizeof *m);
    m->class.name = arena_str(&t->arena, key);
    m->class.simple = types_simple(m->class.name);
    map_set(&t->classes, m->class.name, m);
    return m;
}

struct type_field *types_add_field(struct types *t, struct type_class *c)
{
    size_t n = c->field_count;
    if ((n & (n - 1)) == 0) { /* a power of two: it is full */
        size_t cap = n > 0 ? 2 * n : 1;
        c->fields = arena_grow(&t->arena, (void *)c->fields, n * sizeof *c->fields,
                               cap * sizeof *c->fields);
    }
    struct type_field *f = (struct type_field *)&c->fields[c->field_count++];
    *f = (struct type_field){.type = types_unknown()};
    return f;
}

static bool is_one_of(struct str key, const char *const *keys)
{
    for (; *keys != NULL; keys++)
        if (str_eq(key, str_from(*keys)))
            return true;
    return false;
}

static bool is_internal(struct str key)
{
    static const char *const keys[] = {"m_ObjectHideFlags",
                                       "m_CorrespondingSourceObject",
                                       "m_PrefabInstance",
                                       "m_PrefabAsset",
                                       "m_PrefabParentObject",
                                       "m_PrefabInternal",
                                       "m_EditorHideFlags",
                                       "m_Script",
                                       "m_EditorClassIdentifier",
                                       "m_GeneratorAsset",
                                       NULL};
    return is_one_of(key, keys);
}

static bool is_read_only(struct str key)
{
    static const char *const keys[] = {"m_GameObject", "m_Father",    "m_Children",
                                       "m_RootOrder",  "m_Component", NULL};
    return is_one_of(key, keys);
}

/* "m_Mass": mass; "MaxDistance": maxDistance; what has blanks or is m_Enabled stays. */
struct str types_shown_name(struct arena *a, struct str key)
{
    struct str rest = str_starts(key, STR("m_")) ? str_skip(key, 2) : key;
    if (rest.n == 0 || str_eq(key, STR("m_Enabled")) || str_find(key, STR(" ")) < key.n)
        return key;
    char *name = arena_cstr(a, rest);
    if (name[0] >= 'A' && name[0] <= 'Z')
        name[0] = (char)(name[0] - 'A' + 'a');
    return str_make(name, rest.n);
}

/* Where two names would be one both keep the key. */
static void part_names(struct type_class *c)
{
    struct type_field *fields = (struct type_field *)c->fields;
    for (size_t i = 0; i < c->field_count; i++)
        for (size_t k = i + 1; k < c->field_count; k++)
            if (str_eq(fields[i].name, fields[k].name) && !str_eq(fields[i].key, fields[k].key)) {
                fields[i].name = fields[i].key;
                fields[k].name = fields[k].key;
            }
}

/* A block of a document starts at four columns, or with dashes at two; here it starts at none. */
static struct str unindented(struct types *t, struct str initial)
{
    if (initial.n < 2 || initial.p[0] != '\n')
        return initial;
    size_t indent = initial.p[3] == '-' ? 2 : 4;
    struct buf out = {0};
    for (struct str rest = str_skip(initial, 1), line; rest.n > 0;) {
        str_cut(&rest, '\n', &line);
        buf_add_char(&out, '\n');
        buf_add(&out, str_skip(line, indent));
    }
    struct str kept = arena_str(&t->arena, buf_str(&out));
    buf_done(&out);
    return kept;
}

static void put_property(struct types *t, struct type_field *f, const struct builtin_property *p)
{
    f->key = str_from(p->key);
    f->name = types_shown_name(&t->arena, f->key);
    f->type = types_of_property(t, p);
    f->initial = unindented(t, str_from(p->initial));
    f->is_internal = is_internal(f->key);
    f->is_read_only = is_read_only(f->key);
}

static struct type_field *field_with(struct type_class *c, struct str key)
{
    for (size_t i = 0; i < c->field_count; i++)
        if (str_eq(c->fields[i].key, key))
            return (struct type_field *)&c->fields[i];
    return NULL;
}

static void remove_field(struct type_class *c, struct type_field *f)
{
    const struct type_field *end = c->fields + c->field_count--;
    memmove(f, f + 1, (size_t)(end - f - 1) * sizeof *f);
}

/* Those of the project's version, and older ones: files keep them until Unity saves them again. */
static void add_properties(struct types *t, struct type_class *c, const struct builtin_class *b)
{
    struct version v = t->project->version;
    bool knows_initial = builtin_knows_initial(b, v);
    for (size_t i = 0; i < b->property_count; i++) {
        const struct builtin_property *p = builtin_property(b, i);
        if (version_is_known(v) && version_cmp(p->first, v) > 0)
            continue;
        bool is_current = builtin_has(p, v);
        struct type_field *f = field_with(c, str_from(p->key));
        if (f != NULL && !is_current)
            continue;
        if (f != NULL) /* it stands where this version has it */
            remove_field(c, f);
        f = types_add_field(t, c);
        put_property(t, f, p);
        f->is_filled_in = is_current && knows_initial;
        if (f->is_filled_in)
            f->initial = unindented(t, str_from(builtin_initial(p)));
    }
    part_names(c);
}

size_t types_script_head(struct types *t, struct type_field **out)
{
    struct type_class c = {0};
    add_properties(t, &c, builtin_class(114));
    *out = (struct type_field *)c.fields;
    for (size_t i = 0; i < c.field_count; i++)
        (*out)[i].is_internal |= str_eq((*out)[i].key, STR("m_Name"));
    return c.field_count;
}

struct made *types_class_builtin(struct types *t, const struct builtin_class *b)
{
    const char *type = builtin_type(b, t->project->version);
    struct str name = str_from(type[0] != '\0' ? type : b->name);
    struct made *m = map_get(&t->classes, name);
    if (m != NULL)
        return m;
    m = types_new_class(t, name);
    m->engine = b;
    m->class.class_id = b->class_id;
    m->class.is_object = true;
    m->class.is_component = b->is_component;
    m->class.is_abstract = b->is_abstract;
    m->class.is_editor_only = b->is_editor_only;
    m->class.is_single = b->is_component && !b->allows_many;
    m->class.is_known = b->property_count > 0;
    const struct builtin_class *base = builtin_class_of(str_from(b->base));
    if (base != NULL && base->class_id != 0)
        m->class.base = &types_class_builtin(t, base)->class;
    return m;
}

const struct type_class *types_class_struct(struct types *t, const struct builtin_struct *s)
{
    struct made *m = map_get(&t->classes, str_from(s->name));
    if (m != NULL)
        return &m->class;
    m = types_new_class(t, str_from(s->name));
    m->class.native = str_from(s->name);
    m->class.is_known = m->is_complete = true;
    for (size_t i = 0; i < s->property_count; i++) {
        struct type_field made = {0};
        put_property(t, &made, &s->properties[i]);
        if (str_starts(m->class.name, STR("UnityEngine.")))
            made.name = made.key; /* a class of C#: its fields keep their names */
        *types_add_field(t, &m->class) = made;
    }
    part_names(&m->class);
    return &m->class;
}

/* Of several rows (older and newer forms of a package) the one whose file is there, else that of a
 * package the project has, and of those in a .cs before those in a .dll where both may be. */
static const struct builtin_script *best_row(struct types *t, struct str full)
{
    size_t count = 0;
    const struct builtin_script *const *rows = builtin_scripts_of(full, &count);
    const struct builtin_script *best = NULL;
    struct version split = {.major = 2019, .minor = 2};
    bool is_new =
        !version_is_known(t->project->version) || version_cmp(t->project->version, split) >= 0;
    for (size_t i = 0; i < count; i++) {
        bool is_source = rows[i]->file_id == 11500000;
        if (assets_path(t->assets, rows[i]->guid).n > 0)
            return rows[i];
        if (!types_has_package(t, str_from(rows[i]->package)))
            continue;
        if (best == NULL || (is_source == is_new && (best->file_id == 11500000) != is_new))
            best = rows[i];
    }
    /* A manifest that does not name the package: newer editors have no such .dll in any case. */
    bool is_gone = is_new && best != NULL && str_ends(str_from(best->package), STR(".dll"));
    for (size_t i = 0; is_gone && i < count; i++)
        if (rows[i]->file_id == 11500000)
            return rows[i];
    return best;
}

struct made *types_class_package(struct types *t, struct str full,
                                 const struct builtin_script *script)
{
    struct made *m = map_get(&t->classes, full);
    if (m != NULL)
        return m;
    m = types_new_class(t, full);
    m->script = script != NULL ? script : best_row(t, full);
    m->class.class_id = 114;
    m->class.is_object = true;
    if (m->script != NULL)
        m->class.script =
            (struct reference){.file_id = m->script->file_id, .guid = m->script->guid, .type = 3};
    m->class.is_abstract = m->script == NULL;
    m->class.is_single = builtin_disallows_multiple(full);
    const char *base = builtin_base(full);
    struct made *b = base[0] != '\0' ? types_class(t, str_from(base)) : NULL;
    m->class.base = b != NULL ? &b->class : NULL;
    m->class.is_component = b != NULL && b->class.is_component;
    return m;
}

struct made *types_class_unknown(struct types *t, struct str name, struct str path,
                                 struct reference script)
{
    struct made *m = map_get(&t->classes, name);
    if (m != NULL)
        return m;
    struct made *base = types_class(t, STR("UnityEngine.MonoBehaviour"));
    m = types_new_class(t, name);
    m->class.class_id = 114;
    m->class.script = script;
    m->class.path = arena_str(&t->arena, path);
    m->class.is_object = m->class.is_component = true;
    m->class.base = &base->class;
    return m;
}

/* The keys that scripts begin with: those of all components, and those that are never shown. */
static const struct type_class *common_head(struct types *t)
{
    struct made *m = map_get(&t->classes, STR("!u!"));
    if (m == NULL) {
        struct type_field *head;
        size_t count = types_script_head(t, &head);
        m = types_new_class(t, STR("!u!"));
        m->class.fields = head;
        m->class.field_count = count;
    }
    return &m->class;
}

/* A file may say any name for any number: the class is known by both, and never found by name. */
const struct type_class *types_newer(struct types *t, int32_t class_id, struct str native)
{
    struct buf key = {0};
    buf_printf(&key, "!u!%d %.*s", (int)class_id, STR_ARG(native));
    struct made *m = map_get(&t->classes, buf_str(&key));
    bool is_there = m != NULL;
    if (!is_there)
        m = types_new_class(t, buf_str(&key));
    buf_done(&key);
    if (is_there)
        return &m->class;
    struct made *base = types_class(t, STR("UnityEngine.Component"));
    const struct type_class *head = common_head(t);
    m->class.name = arena_printf(&t->arena, "UnityEngine.%.*s", STR_ARG(native));
    m->class.simple = types_simple(m->class.name);
    m->class.class_id = class_id;
    m->class.is_object = m->class.is_component = m->is_complete = true;
    m->class.base = base ? &base->class : NULL;
    m->class.fields = head->fields;
    m->class.field_count = head->field_count;
    return &m->class;
}

struct made *types_class_meant(struct types *t, const struct meaning *m)
{
    if (m->decl != NULL)
        return m->decl->type->kind == CSHARP_CLASS || m->decl->type->kind == CSHARP_RECORD
                   ? types_class_script(t, m->decl)
                   : NULL;
    if (m->engine != NULL)
        return types_class_builtin(t, m->engine);
    return m->package.n > 0 ? types_class_package(t, m->package, NULL) : NULL;
}

struct made *types_class(struct types *t, struct str full)
{
    struct meaning m;
    return types_meaning(t, full, false, &m) || types_meaning(t, full, true, &m)
               ? types_class_meant(t, &m)
               : NULL;
}

/* ---- fields, when they are asked for */

/* NULL: not known, or a version that does not write the key. */
static const char *initial_of(const struct builtin_field *f, struct version v)
{
    for (size_t i = f->initial_count; i-- > 0;)
        if (!version_is_known(v) || version_cmp(f->initials[i].first, v) <= 0)
            return f->initials[i].value;
    return NULL;
}

void types_package_fields(struct types *t, struct type_class *c, const struct builtin_script *s)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct builtin_field *f = builtin_field(s, i);
        struct type_field made = {.key = str_from(f->key)};
        struct str end = STR(">k__BackingField");
        made.name = made.key;
        if (str_starts(made.key, STR("<")) && str_ends(made.key, end))
            made.name = str_make(made.key.p + 1, made.key.n - 1 - end.n);
        made.type = types_of_field(t, f);
        made.initial = unindented(t, str_from(initial_of(f, t->project->version)));
        made.is_internal = is_internal(made.key);
        made.is_left_out = initial_of(f, t->project->version) == NULL;
        *types_add_field(t, c) = made;
    }
}

static void complete_package(struct types *t, struct made *m)
{
    struct type_field *head;
    size_t count = types_script_head(t, &head);
    for (size_t i = 0; i < count; i++)
        *types_add_field(t, &m->class) = head[i];
    if (m->script != NULL) {
        types_package_fields(t, &m->class, m->script);
        m->class.is_known = m->script->field_count > 0;
    }
}

/* The tables have what is inherited with each class that has a script; abstract ones between may
 * not be in them. */
static void add_required(struct types *t, struct type_class *c)
{
    const char *const *names = builtin_requires(c->name);
    size_t count = 0;
    for (const struct type_class *b = c->base; names == NULL && b != NULL; b = b->base)
        names = builtin_requires(b->name);
    while (names != NULL && names[count] != NULL)
        count++;
    struct str *kept = arena_alloc(&t->arena, (count + 1) * sizeof *kept);
    for (size_t i = 0; i < count; i++)
        kept[i] = str_from(names[i]);
    c->requires_ = kept;
    c->require_count = count;
}

const struct type_class *types_complete(struct types *t, struct made *m)
{
    if (m == NULL)
        return NULL;
    if (m->is_complete)
        return &m->class;
    m->is_complete = true;
    if (m->decl != NULL) {
        types_complete_script(t, m);
    } else {
        if (m->engine != NULL)
            add_properties(t, &m->class, m->engine);
        else
            complete_package(t, m);
        add_required(t, &m->class);
    }
    return &m->class;
}
