#include "unity/types_internal.h"

#include <string.h>

#include "base/number.h"
#include "unity/yaml_write.h"

struct types_class *types_class_new(struct types *t, struct str key)
{
    struct types_class *m = arena_zalloc(&t->arena, sizeof *m);
    m->class.name = arena_str(&t->arena, key);
    m->class.simple = type_simple_name(m->class.name);
    map_set(&t->classes, m->class.name, m);
    return m;
}

struct type_field *types_class_add_field(struct types *t, struct type_class *c)
{
    size_t n = c->field_count;
    if ((n & (n - 1)) == 0) { /* a power of two: full */
        size_t cap = n > 0 ? 2 * n : 1;
        c->fields = arena_grow(&t->arena, (void *)c->fields, n * sizeof *c->fields,
                               cap * sizeof *c->fields);
    }
    struct type_field *f = (struct type_field *)&c->fields[c->field_count++];
    *f = (struct type_field){.type = types_kind_unknown()};
    return f;
}

static bool is_one_of_keys(struct str key, const char *const *keys)
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
    return is_one_of_keys(key, keys);
}

static bool is_read_only(struct str key)
{
    static const char *const keys[] = {"m_GameObject", "m_Father",    "m_Children",
                                       "m_RootOrder",  "m_Component", NULL};
    return is_one_of_keys(key, keys);
}

/* Two fields with the same shown name both keep their keys. */
static void restore_clashing_names(struct type_class *c)
{
    struct type_field *fields = (struct type_field *)c->fields;
    for (size_t i = 0; i < c->field_count; i++)
        for (size_t k = i + 1; k < c->field_count; k++)
            if (str_eq(fields[i].name, fields[k].name) && !str_eq(fields[i].key, fields[k].key)) {
                fields[i].name = fields[i].key;
                fields[k].name = fields[k].key;
            }
}

/* Blocks in the tables are indented by four columns, with dashes by two; remove that. */
static struct str remove_indent(struct types *t, struct str initial)
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

static void set_property(struct types *t, struct type_field *f, const struct builtin_property *p)
{
    f->key = str_from(p->key);
    f->name = type_shown_name(&t->arena, f->key);
    f->type = types_kind_of_property(t, p);
    f->initial = remove_indent(t, str_from(p->initial));
    f->is_internal = is_internal(f->key);
    f->is_read_only = is_read_only(f->key);
}

static struct type_field *find_field(struct type_class *c, struct str key)
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

/* Add the properties of the project's version and of older ones, which files keep until Unity saves
 * them. */
static void add_properties(struct types *t, struct type_class *c, const struct builtin_class *b)
{
    struct version v = t->project->version;
    bool knows_initial = builtin_knows_initial(b, v);
    for (size_t i = 0; i < b->property_count; i++) {
        const struct builtin_property *p = builtin_property(b, i);
        if (version_is_known(v) && version_cmp(p->first, v) > 0)
            continue;
        bool is_current = builtin_property_is_in(p, v);
        struct type_field *f = find_field(c, str_from(p->key));
        if (f != NULL && !is_current)
            continue;
        if (f != NULL) /* the newest row decides the order */
            remove_field(c, f);
        f = types_class_add_field(t, c);
        set_property(t, f, p);
        f->is_filled_in = is_current && knows_initial;
        if (f->is_filled_in)
            f->initial = remove_indent(t, str_from(builtin_initial(p)));
    }
    restore_clashing_names(c);
}

size_t types_class_script_head(struct types *t, struct type_field **out)
{
    struct type_class c = {0};
    add_properties(t, &c, builtin_class(114));
    *out = (struct type_field *)c.fields;
    for (size_t i = 0; i < c.field_count; i++)
        (*out)[i].is_internal |= str_eq((*out)[i].key, STR("m_Name"));
    return c.field_count;
}

struct types_class *types_class_builtin(struct types *t, const struct builtin_class *b)
{
    const char *type = builtin_type(b, t->project->version);
    struct str name = str_from(type[0] != '\0' ? type : b->name);
    struct types_class *m = map_get(&t->classes, name);
    if (m != NULL)
        return m;
    m = types_class_new(t, name);
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
    struct types_class *m = map_get(&t->classes, str_from(s->name));
    if (m != NULL)
        return &m->class;
    m = types_class_new(t, str_from(s->name));
    m->class.native = str_from(s->name);
    m->class.is_known = m->is_complete = true;
    for (size_t i = 0; i < s->property_count; i++) {
        struct type_field made = {0};
        set_property(t, &made, &s->properties[i]);
        if (str_starts(m->class.name, STR("UnityEngine.")))
            made.name = made.key; /* a C# class: fields keep their names */
        *types_class_add_field(t, &m->class) = made;
    }
    restore_clashing_names(&m->class);
    return &m->class;
}

/* Choose among the rows of a class (older and newer forms of a package): the one whose file exists;
 * else one of a package that the project has, with the form (.cs or .dll) of its version. */
static const struct builtin_script *choose_row(struct types *t, struct str full)
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
        if (!types_source_has_package(t, str_from(rows[i]->package)))
            continue;
        if (best == NULL || (is_source == is_new && (best->file_id == 11500000) != is_new))
            best = rows[i];
    }
    /* The manifest may not name the package, but newer editors have no such .dll. */
    bool is_gone = is_new && best != NULL && str_ends(str_from(best->package), STR(".dll"));
    for (size_t i = 0; is_gone && i < count; i++)
        if (rows[i]->file_id == 11500000)
            return rows[i];
    return best;
}

struct types_class *types_class_package(struct types *t, struct str full,
                                        const struct builtin_script *script)
{
    struct types_class *m = map_get(&t->classes, full);
    if (m != NULL)
        return m;
    m = types_class_new(t, full);
    m->script = script != NULL ? script : choose_row(t, full);
    m->class.class_id = 114;
    m->class.is_object = true;
    if (m->script != NULL)
        m->class.script =
            (struct reference){.file_id = m->script->file_id, .guid = m->script->guid, .type = 3};
    m->class.is_abstract = m->script == NULL;
    m->class.is_single = builtin_disallows_multiple(full);
    const char *base = builtin_base(full);
    struct types_class *b = base[0] != '\0' ? types_class(t, str_from(base)) : NULL;
    m->class.base = b != NULL ? &b->class : NULL;
    m->class.is_component = b != NULL && b->class.is_component;
    return m;
}

struct types_class *types_class_unknown(struct types *t, struct str name, struct str path,
                                        struct reference script)
{
    struct types_class *m = map_get(&t->classes, name);
    if (m != NULL)
        return m;
    struct types_class *base = types_class(t, STR("UnityEngine.MonoBehaviour"));
    m = types_class_new(t, name);
    m->class.class_id = 114;
    m->class.script = script;
    m->class.path = arena_str(&t->arena, path);
    m->class.is_object = m->class.is_component = true;
    m->class.base = &base->class;
    return m;
}

/* The keys that all components and scripts start with; never shown. */
static const struct type_class *get_common_head(struct types *t)
{
    struct types_class *m = map_get(&t->classes, STR("!u!"));
    if (m == NULL) {
        struct type_field *head;
        size_t count = types_class_script_head(t, &head);
        m = types_class_new(t, STR("!u!"));
        m->class.fields = head;
        m->class.field_count = count;
    }
    return &m->class;
}

/* A file may combine any name with any number, so the key has both and no search by name finds
 * it. */
const struct type_class *types_class_newer(struct types *t, int32_t class_id, struct str native)
{
    struct buf key = {0};
    buf_printf(&key, "!u!%d %.*s", (int)class_id, STR_ARG(native));
    struct types_class *m = map_get(&t->classes, buf_str(&key));
    bool is_there = m != NULL;
    if (!is_there)
        m = types_class_new(t, buf_str(&key));
    buf_done(&key);
    if (is_there)
        return &m->class;
    struct types_class *base = types_class(t, STR("UnityEngine.Component"));
    const struct type_class *head = get_common_head(t);
    m->class.name = arena_printf(&t->arena, "UnityEngine.%.*s", STR_ARG(native));
    m->class.simple = type_simple_name(m->class.name);
    m->class.class_id = class_id;
    m->class.is_object = m->class.is_component = m->is_complete = true;
    m->class.base = base ? &base->class : NULL;
    m->class.fields = head->fields;
    m->class.field_count = head->field_count;
    return &m->class;
}

struct types_class *types_class_meant(struct types *t, const struct types_meaning *m)
{
    if (m->decl != NULL)
        return m->decl->type->kind == CSHARP_CLASS || m->decl->type->kind == CSHARP_RECORD
                   ? types_class_script(t, m->decl)
                   : NULL;
    if (m->engine != NULL)
        return types_class_builtin(t, m->engine);
    return m->package.n > 0 ? types_class_package(t, m->package, NULL) : NULL;
}

struct types_class *types_class(struct types *t, struct str full)
{
    struct types_meaning m;
    return types_name_meaning(t, full, false, &m) || types_name_meaning(t, full, true, &m)
               ? types_class_meant(t, &m)
               : NULL;
}

/* ---- fields */

/* Return the initial value in a version. NULL: unknown, or the version does not write the key. */
static const char *find_initial(const struct builtin_field *f, struct version v)
{
    for (size_t i = f->initial_count; i-- > 0;)
        if (!version_is_known(v) || version_cmp(f->initials[i].first, v) <= 0)
            return f->initials[i].value;
    return NULL;
}

static void add_package_fields(struct types *t, struct type_class *c,
                               const struct builtin_script *s)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct builtin_field *f = builtin_field(s, i);
        struct type_field made = {.key = str_from(f->key)};
        struct str end = STR(">k__BackingField");
        made.name = made.key;
        if (str_starts(made.key, STR("<")) && str_ends(made.key, end))
            made.name = str_make(made.key.p + 1, made.key.n - 1 - end.n);
        made.type = types_kind_of_field(t, f);
        made.initial = remove_indent(t, str_from(find_initial(f, t->project->version)));
        made.is_internal = is_internal(made.key);
        made.is_left_out = find_initial(f, t->project->version) == NULL;
        *types_class_add_field(t, c) = made;
    }
}

static void complete_package(struct types *t, struct types_class *m)
{
    struct type_field *head;
    size_t count = types_class_script_head(t, &head);
    for (size_t i = 0; i < count; i++)
        *types_class_add_field(t, &m->class) = head[i];
    if (m->script != NULL) {
        add_package_fields(t, &m->class, m->script);
        m->class.is_known = m->script->field_count > 0;
    }
}

/* A class with a script has its inherited requirements in its own row; for an abstract class,
 * search its bases. */
static void add_builtin_requirements(struct types *t, struct type_class *c)
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

/* ---- attributes */

static bool attribute_is(const struct csharp_attribute *a, const char *name)
{
    struct str simple = type_simple_name(a->name), wanted = str_from(name);
    return str_eq(simple, wanted) ||
           (simple.n == wanted.n + STR("Attribute").n && str_starts(simple, wanted) &&
            str_ends(simple, STR("Attribute")));
}

const struct csharp_attribute *types_class_attribute(const struct types_decl *d, const char *name)
{
    for (; d != NULL; d = d->next)
        for (size_t i = 0; i < d->type->attribute_count; i++)
            if (attribute_is(&d->type->attributes[i], name))
                return &d->type->attributes[i];
    return NULL;
}

static const struct csharp_attribute *find_field_attribute(const struct csharp_field *f,
                                                           const char *name)
{
    for (size_t i = 0; i < f->attribute_count; i++) {
        const struct csharp_attribute *a = &f->attributes[i];
        bool is_for_field = f->is_property ? str_eq(a->target, STR("field")) : true;
        if (is_for_field && attribute_is(a, name))
            return a;
    }
    return NULL;
}

static bool field_has(const struct csharp_field *f, const char *name)
{
    return find_field_attribute(f, name) != NULL;
}

/* The parameters are floats: show 0.1f as 0.1. */
static bool take_float(struct str text, double *out)
{
    double d;
    if (!types_initial_number(text, &d) || d - d != 0)
        return false;
    struct buf shortest = {0};
    yaml_write_float(&shortest, (float)d);
    bool ok = number_double(buf_str(&shortest), out) && *out - *out == 0;
    buf_done(&shortest);
    return ok;
}

/* Read the name of an argument ("max: 5"), which overrides its position. */
static struct str take_argument_name(struct str *part)
{
    size_t colon = str_find(*part, STR(":"));
    struct str name = {0};
    if (colon < part->n) {
        name = str_trim(str_head(*part, colon));
        *part = str_trim(str_skip(*part, colon + 1));
    }
    return name;
}

static void read_range(struct type_hints *h, struct str arguments)
{
    bool more = true;
    for (unsigned i = 0; more && i < 2; i++) {
        struct str part;
        more = str_cut(&arguments, ',', &part);
        part = str_trim(part);
        struct str name = take_argument_name(&part);
        bool is_max = name.n ? str_eq(name, STR("max")) : i == 1;
        if (is_max)
            h->has_max = take_float(part, &h->max);
        else
            h->has_min = take_float(part, &h->min);
    }
}

static void read_tooltip(struct types *t, struct type_hints *h, struct str arguments)
{
    struct buf text = {0};
    struct str literal = str_trim(arguments);
    if (str_starts(literal, STR("tooltip:")))
        literal = str_trim(str_skip(literal, STR("tooltip:").n));
    if (types_initial_text(literal, &text))
        h->tooltip = arena_str(&t->arena, buf_str(&text));
    buf_done(&text);
}

static const struct type_hints *read_hints(struct types *t, const struct csharp_field *f)
{
    const struct csharp_attribute *range = find_field_attribute(f, "Range"),
                                  *min = find_field_attribute(f, "Min"),
                                  *tooltip = find_field_attribute(f, "Tooltip");
    struct type_hints h = {
        .is_multiline = find_field_attribute(f, "TextArea") != NULL ||
                        find_field_attribute(f, "Multiline") != NULL,
        .is_hidden = find_field_attribute(f, "HideInInspector") != NULL,
    };
    if (range != NULL) {
        read_range(&h, range->arguments);
    } else if (min != NULL) {
        struct str text = str_trim(min->arguments);
        take_argument_name(&text);
        h.has_min = take_float(text, &h.min);
    }
    if (tooltip != NULL)
        read_tooltip(t, &h, tooltip->arguments);
    if (!h.has_min && !h.has_max && !h.is_multiline && !h.is_hidden && h.tooltip.n == 0)
        return NULL;
    struct type_hints *kept = arena_alloc(&t->arena, sizeof *kept);
    *kept = h;
    return kept;
}

/* Only literals are read: [FormerlySerializedAs("a"), FormerlySerializedAs("b")]. */
static void add_former_keys(struct types *t, struct type_field *made, const struct csharp_field *f)
{
    struct str *names = arena_alloc(&t->arena, (f->attribute_count + 1) * sizeof *names);
    for (size_t i = 0; i < f->attribute_count; i++) {
        struct str text = str_trim(f->attributes[i].arguments);
        if (attribute_is(&f->attributes[i], "FormerlySerializedAs") && text.n > 2 &&
            text.p[0] == '"' && text.p[text.n - 1] == '"')
            names[made->former_count++] = str_make(text.p + 1, text.n - 2);
    }
    made->former = names;
}

static bool has_modifier(const struct types_decl *d, unsigned which)
{
    for (; d != NULL; d = d->next)
        if (d->type->modifiers & which)
            return true;
    return false;
}

/* ---- classes of scripts */

/* Only a class with the name of its file can be a component. */
static void find_script_file(struct types *t, struct types_class *m)
{
    m->class.path = m->decl->source->path;
    for (const struct types_decl *d = m->decl; d != NULL; d = d->next) {
        struct guid guid;
        if (d->type->outer != NULL || d->type->parameter_count > 0 ||
            !str_eq(types_source_stem(d->source->path), d->type->name))
            continue;
        m->class.path = d->source->path;
        m->class.is_editor_only = d->source->is_editor;
        if (assets_guid(t->assets, d->source->path, &guid))
            m->class.script = (struct reference){.file_id = 11500000, .guid = guid, .type = 3};
        return;
    }
    m->class.is_editor_only = m->decl->source->is_editor;
}

static bool looks_like_interface(struct str name)
{
    return name.n > 1 && name.p[0] == 'I' && name.p[1] >= 'A' && name.p[1] <= 'Z';
}

static bool leads_to(const struct type_class *from, const struct type_class *to)
{
    unsigned steps = 0;
    for (; from != NULL && steps <= TYPES_MAX_BASES; from = from->base, steps++)
        if (from == to)
            return true;
    return steps > TYPES_MAX_BASES;
}

/* An unknown base belongs to a missing package or library. For a class with the name of its file,
 * assume MonoBehaviour. */
struct types_class *types_class_base(struct types *t, const struct types_decl *d, bool is_script)
{
    struct str arguments;
    struct types_meaning meaning;
    struct str written = types_name_resolve_base(t, d, &arguments, &meaning);
    if (written.n == 0 || t->depth > TYPES_MAX_BASES)
        return NULL;
    struct types_class *base = types_class_meant(t, &meaning);
    bool is_nothing = meaning.decl == NULL && meaning.fixed == NULL && meaning.value == NULL;
    if (base == NULL && is_nothing && is_script &&
        !looks_like_interface(type_simple_name(written)) &&
        types_class_attribute(d, "Serializable") == NULL)
        return types_class(t, STR("UnityEngine.MonoBehaviour"));
    return base;
}

struct types_class *types_class_script(struct types *t, const struct types_decl *d)
{
    struct types_class *m = map_get(&t->classes, d->full);
    if (m != NULL)
        return m;
    m = types_class_new(t, d->full);
    m->decl = d;
    m->class.is_known = true;
    find_script_file(t, m);
    t->depth++;
    struct types_class *base = types_class_base(t, d, m->class.script.file_id != 0);
    t->depth--;
    if (base != NULL && !leads_to(&base->class, &m->class)) {
        bool is_engine_object = base->engine != NULL && base->engine->class_id == 0;
        m->class.base = is_engine_object ? NULL : &base->class;
        m->class.is_object = base->class.is_object;
        m->is_behaviour = base->is_behaviour || base->class.is_component;
        m->class.is_component = m->is_behaviour && m->class.script.file_id != 0;
    }
    m->class.class_id = m->class.is_object ? 114 : 0;
    m->class.is_abstract = has_modifier(d, CSHARP_ABSTRACT | CSHARP_STATIC);
    for (const struct csharp_type *around = d->type; around != NULL; around = around->outer)
        m->class.is_abstract |= around->parameter_count > 0;
    m->class.is_single = types_class_attribute(d, "DisallowMultipleComponent") != NULL;
    return m;
}

bool types_class_is_object(struct types *t, const struct types_decl *d)
{
    bool is_class = d->type->kind == CSHARP_CLASS || d->type->kind == CSHARP_RECORD;
    return is_class && types_class_script(t, d)->class.is_object;
}

/* ---- fields of scripts */

struct class_build {
    struct types *t;
    struct types_class *made;
    bool is_value; /* a [Serializable] class: fields of a base count only if the base is
                      [Serializable] too */
};

static bool is_serialized(const struct csharp_field *f, bool *managed)
{
    *managed = field_has(f, "SerializeReference");
    if (f->modifiers & (CSHARP_STATIC | CSHARP_CONST | CSHARP_READONLY) ||
        field_has(f, "NonSerialized"))
        return false;
    if (*managed || field_has(f, "SerializeField"))
        return true;
    return !f->is_property && f->modifiers & CSHARP_PUBLIC;
}

static bool has_key(const struct type_class *c, struct str key)
{
    for (size_t i = 0; i < c->field_count; i++)
        if (str_eq(c->fields[i].key, key))
            return true;
    return false;
}

static void add_field(struct class_build *k, const struct types_scope *s,
                      const struct csharp_field *f)
{
    struct types *t = k->t;
    struct type_class *c = &k->made->class;
    struct type_field made = {.key = f->name, .name = f->name};
    bool managed = false;
    if (!is_serialized(f, &managed) || k->made->leaves >= TYPES_MAX_LEAVES)
        return;
    made.type = managed ? types_kind_managed(t, s, f->type) : types_kind(t, s, f->type);
    if (made.type == NULL)
        return;
    if (f->is_property)
        made.key = arena_printf(&t->arena, "<%.*s>k__BackingField", STR_ARG(f->name));
    size_t leaves = 1;
    if (made.type->kind == TYPE_STRUCT && made.type->of != NULL)
        leaves += ((const struct types_class *)made.type->of)->leaves;
    if (k->made->leaves + leaves > TYPES_MAX_LEAVES || has_key(c, made.key))
        return;
    k->made->leaves += leaves;
    made.initial = types_initial(t, made.type, f->initializer);
    made.is_left_out = made.type->kind == TYPE_UNKNOWN ||
                       (made.initial.n == 0 && !types_initial_is_zero(made.type, f->initializer));
    add_former_keys(t, &made, f);
    made.hints = read_hints(t, f);
    *types_class_add_field(t, c) = made;
}

static void add_own_fields(struct class_build *k, const struct types_scope *s,
                           const struct types_decl *d)
{
    for (const struct types_decl *part = d; part != NULL; part = part->next) {
        struct types_scope in = *s;
        in.decl = part;
        for (size_t i = 0; i < part->type->field_count; i++)
            add_field(k, &in, &part->type->fields[i]);
    }
}

static void add_struct_fields(struct class_build *k, const struct builtin_struct *fixed)
{
    const struct type_class *c = types_class_struct(k->t, fixed);
    for (size_t i = 0; i < c->field_count; i++)
        *types_class_add_field(k->t, &k->made->class) = c->fields[i];
    k->made->leaves += c->field_count;
}

static void add_all_fields(struct class_build *k, const struct types_scope *s,
                           const struct types_decl *d, unsigned depth);

/* Add the fields of base classes, which come first. */
static void add_base_fields(struct class_build *k, const struct types_scope *s,
                            const struct types_decl *d, unsigned depth)
{
    struct str arguments;
    struct types_meaning m;
    struct types_scope here = *s;
    here.decl = d;
    if (types_name_resolve_base(k->t, d, &arguments, &m).n == 0)
        return;
    if (m.fixed != NULL)
        add_struct_fields(k, m.fixed);
    if (m.package.n > 0) {
        struct types_class *base = types_class_package(k->t, m.package, NULL);
        if (base->script != NULL)
            add_package_fields(k->t, &k->made->class, base->script);
    }
    if (m.decl == NULL || m.decl == d || m.decl->type->kind == CSHARP_INTERFACE || depth == 0 ||
        (k->is_value && types_class_attribute(m.decl, "Serializable") == NULL))
        return;
    struct types_binding bindings[TYPES_MAX_ARGUMENTS];
    struct types_scope inner = *s;
    inner.bindings = bindings;
    inner.binding_count = types_kind_bind(k->t, &here, m.decl, arguments, bindings);
    add_all_fields(k, &inner, m.decl, depth - 1);
}

static void add_all_fields(struct class_build *k, const struct types_scope *s,
                           const struct types_decl *d, unsigned depth)
{
    add_base_fields(k, s, d, depth);
    add_own_fields(k, s, d);
}

/* ---- [RequireComponent] */

static void add_requirement(struct types *t, struct type_class *c, struct str name)
{
    for (size_t i = 0; i < c->require_count; i++)
        if (str_eq(c->requires_[i], name))
            return;
    size_t size = c->require_count * sizeof *c->requires_;
    struct str *more = arena_alloc(&t->arena, size + sizeof *more);
    if (size > 0)
        memcpy(more, c->requires_, size);
    more[c->require_count++] = name;
    c->requires_ = more;
}

/* "typeof(A), typeof(B)" */
static void add_requirements(struct types *t, struct type_class *c, const struct types_decl *d,
                             struct str arguments)
{
    struct types_scope s = {.decl = d};
    for (;;) {
        size_t at = str_find(arguments, STR("typeof"));
        if (at >= arguments.n || c->require_count >= TYPES_MAX_ARGUMENTS)
            return;
        arguments = str_skip(arguments, at);
        size_t open = str_find(arguments, STR("(")), close = str_find(arguments, STR(")"));
        if (open >= close || close >= arguments.n)
            return;
        struct str written = str_trim(str_make(arguments.p + open + 1, close - open - 1));
        struct types_meaning m;
        struct types_class *needed =
            types_name_resolve(t, &s, written, 0, &m) ? types_class_meant(t, &m) : NULL;
        struct str name = needed != NULL ? needed->class.name : arena_str(&t->arena, written);
        if (!str_eq(name, STR("UnityEngine.Transform")) && !str_eq(name, c->name))
            add_requirement(t, c, name);
        arguments = str_skip(arguments, close);
    }
}

static void add_script_requirements(struct types *t, struct types_class *m)
{
    for (const struct types_decl *d = m->decl; d != NULL; d = d->next)
        for (size_t i = 0; i < d->type->attribute_count; i++)
            if (attribute_is(&d->type->attributes[i], "RequireComponent"))
                add_requirements(t, &m->class, d, d->type->attributes[i].arguments);
    const struct type_class *base = types_class_complete(t, (struct types_class *)m->class.base);
    for (size_t i = 0; base != NULL && i < base->require_count; i++)
        add_requirement(t, &m->class, base->requires_[i]);
}

static void complete_script(struct types *t, struct types_class *m)
{
    struct class_build k = {.t = t, .made = m, .is_value = !m->class.is_object};
    struct types_scope s = {.decl = m->decl};
    if (m->class.is_object) {
        struct type_field *head;
        size_t count = types_class_script_head(t, &head);
        for (size_t i = 0; i < count; i++)
            *types_class_add_field(t, &m->class) = head[i];
    }
    if (m->decl->type->kind != CSHARP_ENUM && m->decl->type->kind != CSHARP_INTERFACE)
        add_all_fields(&k, &s, m->decl, TYPES_MAX_BASES);
    add_script_requirements(t, m);
}

const struct type_class *types_class_complete(struct types *t, struct types_class *m)
{
    if (m == NULL)
        return NULL;
    if (m->is_complete)
        return &m->class;
    m->is_complete = true;
    if (m->decl != NULL) {
        complete_script(t, m);
    } else {
        if (m->engine != NULL)
            add_properties(t, &m->class, m->engine);
        else
            complete_package(t, m);
        add_builtin_requirements(t, &m->class);
    }
    return &m->class;
}

/* ---- [Serializable] types of fields */

static struct str make_value_key(struct types *t, const struct types_decl *d,
                                 const struct types_scope *s)
{
    struct buf key = {0};
    buf_printf(&key, "%u:%.*s", s->level, STR_ARG(d->full));
    for (size_t i = 0; i < s->binding_count; i++)
        buf_printf(&key, "%c%.*s", i == 0 ? '<' : ',',
                   STR_ARG(s->bindings[i].type != NULL ? s->bindings[i].type->name : STR("?")));
    if (s->binding_count > 0)
        buf_add_char(&key, '>');
    struct str kept = arena_str(&t->arena, buf_str(&key));
    buf_done(&key);
    return kept;
}

static struct str make_value_name(struct types *t, const struct types_decl *d, struct str key)
{
    size_t colon = str_find(key, STR(":")), tick = str_find(key, STR("`"));
    size_t open = str_find(key, STR("<"));
    if (tick >= key.n || open >= key.n || tick > open)
        return d->full;
    return arena_printf(&t->arena, "%.*s%.*s",
                        STR_ARG(str_make(key.p + colon + 1, tick - colon - 1)),
                        STR_ARG(str_skip(key, open)));
}

const struct type_class *types_class_value(struct types *t, const struct types_decl *d,
                                           const struct types_scope *s)
{
    struct types_scope inner = *s;
    inner.level++;
    inner.decl = d;
    if (inner.level > TYPES_MAX_LEVELS || types_class_attribute(d, "Serializable") == NULL ||
        has_modifier(d, CSHARP_ABSTRACT | CSHARP_STATIC))
        return NULL;
    struct str key = make_value_key(t, d, &inner);
    struct types_class *m = map_get(&t->classes, key);
    if (m != NULL)
        return &m->class;
    if (t->value_fields++ >= TYPES_MAX_VALUES)
        return NULL;
    m = types_class_new(t, key);
    m->decl = d;
    m->is_complete = true;
    m->class.name = make_value_name(t, d, key);
    m->class.simple = type_simple_name(d->full);
    m->class.path = d->source->path;
    m->class.is_known = true;
    struct class_build k = {.t = t, .made = m, .is_value = true};
    add_all_fields(&k, &inner, d, TYPES_MAX_BASES);
    t->value_fields += m->class.field_count;
    return &m->class;
}

/* ---- the main class of a file */

/* In any namespace; not generic. */
const struct csharp_type *types_class_main_type(const struct types_source *s)
{
    struct str stem = types_source_stem(s->path);
    for (size_t i = 0; i < s->file->type_count; i++) {
        const struct csharp_type *type = &s->file->types[i];
        bool is_class = type->kind == CSHARP_CLASS || type->kind == CSHARP_RECORD;
        if (is_class && type->outer == NULL && type->parameter_count == 0 &&
            str_eq(type->name, stem))
            return type;
    }
    return NULL;
}

struct types_class *types_class_of_file(struct types *t, const struct types_source *s)
{
    const struct csharp_type *type = types_class_main_type(s);
    const struct types_decl *d =
        type != NULL ? types_source_decl(t, types_source_full_name(t, type), false) : NULL;
    return d != NULL ? types_class_script(t, d) : NULL;
}
