#include "unity/types_core.h"

/* ---- attributes */

static bool attribute_is(const struct csharp_attribute *a, const char *name)
{
    struct str simple = types_simple(a->name), wanted = str_from(name);
    return str_eq(simple, wanted) ||
           (simple.n == wanted.n + STR("Attribute").n && str_starts(simple, wanted) &&
            str_ends(simple, STR("Attribute")));
}

const struct csharp_attribute *types_attribute(const struct decl *d, const char *name)
{
    for (; d != NULL; d = d->next)
        for (size_t i = 0; i < d->type->attribute_count; i++)
            if (attribute_is(&d->type->attributes[i], name))
                return &d->type->attributes[i];
    return NULL;
}

const struct csharp_attribute *types_field_attribute(const struct csharp_field *f, const char *name)
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
    return types_field_attribute(f, name) != NULL;
}

/* [FormerlySerializedAs("a"), FormerlySerializedAs("b")], as plain literals. */
static void add_former(struct types *t, struct type_field *made, const struct csharp_field *f)
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

static bool has_modifier(const struct decl *d, unsigned which)
{
    for (; d != NULL; d = d->next)
        if (d->type->modifiers & which)
            return true;
    return false;
}

/* ---- the class itself */

static struct str stem_of(struct str path)
{
    size_t from = path.n;
    while (from > 0 && path.p[from - 1] != '/')
        from--;
    struct str file = str_skip(path, from);
    return str_ends(file, STR(".cs")) ? str_head(file, file.n - 3) : file;
}

/* A class can be a component only from a file of its own name. */
static void find_file(struct types *t, struct made *m)
{
    m->class.path = m->decl->source->path;
    for (const struct decl *d = m->decl; d != NULL; d = d->next) {
        struct guid guid;
        if (d->type->outer != NULL || d->type->parameter_count > 0 ||
            !str_eq(stem_of(d->source->path), d->type->name))
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

/* A base that is nowhere to be found belongs to a package or library that is not there, and in a
 * file of its own name that is as good as always a MonoBehaviour. */
struct made *types_base(struct types *t, const struct decl *d, bool is_script)
{
    struct str arguments;
    struct meaning meaning;
    struct str written = types_resolve_base(t, d, &arguments, &meaning);
    if (written.n == 0 || t->depth > TYPES_MAX_BASES)
        return NULL;
    struct made *base = types_class_meant(t, &meaning);
    bool is_nothing = meaning.decl == NULL && meaning.fixed == NULL && meaning.value == NULL;
    if (base == NULL && is_nothing && is_script && !looks_like_interface(types_simple(written)) &&
        types_attribute(d, "Serializable") == NULL)
        return types_class(t, STR("UnityEngine.MonoBehaviour"));
    return base;
}

struct made *types_class_script(struct types *t, const struct decl *d)
{
    struct made *m = map_get(&t->classes, d->full);
    if (m != NULL)
        return m;
    m = types_new_class(t, d->full);
    m->decl = d;
    m->class.is_known = true;
    find_file(t, m);
    t->depth++;
    struct made *base = types_base(t, d, m->class.script.file_id != 0);
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
    m->class.is_single = types_attribute(d, "DisallowMultipleComponent") != NULL;
    return m;
}

bool types_is_object(struct types *t, const struct decl *d)
{
    bool is_class = d->type->kind == CSHARP_CLASS || d->type->kind == CSHARP_RECORD;
    return is_class && types_class_script(t, d)->class.is_object;
}

/* ---- fields */

struct making {
    struct types *t;
    struct made *made;
    bool is_value; /* a [Serializable] class: what its base has counts only if that is one, too */
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

static void add_field(struct making *k, const struct scope *s, const struct csharp_field *f)
{
    struct types *t = k->t;
    struct type_class *c = &k->made->class;
    struct type_field made = {.key = f->name, .name = f->name};
    bool managed = false;
    if (!is_serialized(f, &managed) || k->made->leaves >= TYPES_MAX_LEAVES)
        return;
    made.type = managed ? types_managed(t, s, f->type) : types_kind(t, s, f->type);
    if (made.type == NULL)
        return;
    if (f->is_property)
        made.key = arena_printf(&t->arena, "<%.*s>k__BackingField", STR_ARG(f->name));
    size_t leaves = 1;
    if (made.type->kind == TYPE_STRUCT && made.type->of != NULL)
        leaves += ((const struct made *)made.type->of)->leaves;
    if (k->made->leaves + leaves > TYPES_MAX_LEAVES || has_key(c, made.key))
        return;
    k->made->leaves += leaves;
    made.initial = types_initial(t, made.type, f->initializer);
    made.is_left_out = made.type->kind == TYPE_UNKNOWN ||
                       (made.initial.n == 0 && !types_initial_is_zero(made.type, f->initializer));
    add_former(t, &made, f);
    made.hints = types_hints(t, f);
    *types_add_field(t, c) = made;
}

static void add_own(struct making *k, const struct scope *s, const struct decl *d)
{
    for (const struct decl *part = d; part != NULL; part = part->next) {
        struct scope in = *s;
        in.decl = part;
        for (size_t i = 0; i < part->type->field_count; i++)
            add_field(k, &in, &part->type->fields[i]);
    }
}

static void add_fixed(struct making *k, const struct builtin_struct *fixed)
{
    const struct type_class *c = types_class_struct(k->t, fixed);
    for (size_t i = 0; i < c->field_count; i++)
        *types_add_field(k->t, &k->made->class) = c->fields[i];
    k->made->leaves += c->field_count;
}

static void add_all(struct making *k, const struct scope *s, const struct decl *d, unsigned depth);

/* Base classes first. */
static void add_base(struct making *k, const struct scope *s, const struct decl *d, unsigned depth)
{
    struct str arguments;
    struct meaning m;
    struct scope here = *s;
    here.decl = d;
    if (types_resolve_base(k->t, d, &arguments, &m).n == 0)
        return;
    if (m.fixed != NULL)
        add_fixed(k, m.fixed);
    if (m.package.n > 0) {
        struct made *base = types_class_package(k->t, m.package, NULL);
        if (base->script != NULL)
            types_package_fields(k->t, &k->made->class, base->script);
    }
    if (m.decl == NULL || m.decl == d || m.decl->type->kind == CSHARP_INTERFACE || depth == 0 ||
        (k->is_value && types_attribute(m.decl, "Serializable") == NULL))
        return;
    struct binding bindings[TYPES_MAX_ARGUMENTS];
    struct scope inner = *s;
    inner.bindings = bindings;
    inner.binding_count = types_bind(k->t, &here, m.decl, arguments, bindings);
    add_all(k, &inner, m.decl, depth - 1);
}

static void add_all(struct making *k, const struct scope *s, const struct decl *d, unsigned depth)
{
    add_base(k, s, d, depth);
    add_own(k, s, d);
}

/* ---- [RequireComponent] */

static void require(struct types *t, struct type_class *c, struct str name)
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
static void require_all(struct types *t, struct type_class *c, const struct decl *d,
                        struct str arguments)
{
    struct scope s = {.decl = d};
    for (;;) {
        size_t at = str_find(arguments, STR("typeof"));
        if (at >= arguments.n || c->require_count >= TYPES_MAX_ARGUMENTS)
            return;
        arguments = str_skip(arguments, at);
        size_t open = str_find(arguments, STR("(")), close = str_find(arguments, STR(")"));
        if (open >= close || close >= arguments.n)
            return;
        struct str written = str_trim(str_make(arguments.p + open + 1, close - open - 1));
        struct meaning m;
        struct made *needed =
            types_resolve(t, &s, written, 0, &m) ? types_class_meant(t, &m) : NULL;
        struct str name = needed != NULL ? needed->class.name : arena_str(&t->arena, written);
        if (!str_eq(name, STR("UnityEngine.Transform")) && !str_eq(name, c->name))
            require(t, c, name);
        arguments = str_skip(arguments, close);
    }
}

static void add_required(struct types *t, struct made *m)
{
    for (const struct decl *d = m->decl; d != NULL; d = d->next)
        for (size_t i = 0; i < d->type->attribute_count; i++)
            if (attribute_is(&d->type->attributes[i], "RequireComponent"))
                require_all(t, &m->class, d, d->type->attributes[i].arguments);
    const struct type_class *base = types_complete(t, (struct made *)m->class.base);
    for (size_t i = 0; base != NULL && i < base->require_count; i++)
        require(t, &m->class, base->requires_[i]);
}

void types_complete_script(struct types *t, struct made *m)
{
    struct making k = {.t = t, .made = m, .is_value = !m->class.is_object};
    struct scope s = {.decl = m->decl};
    if (m->class.is_object) {
        struct type_field *head;
        size_t count = types_script_head(t, &head);
        for (size_t i = 0; i < count; i++)
            *types_add_field(t, &m->class) = head[i];
    }
    if (m->decl->type->kind != CSHARP_ENUM && m->decl->type->kind != CSHARP_INTERFACE)
        add_all(&k, &s, m->decl, TYPES_MAX_BASES);
    add_required(t, m);
}

/* ---- [Serializable] types of fields */

static struct str value_key(struct types *t, const struct decl *d, const struct scope *s)
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

static struct str value_name(struct types *t, const struct decl *d, struct str key)
{
    size_t colon = str_find(key, STR(":")), tick = str_find(key, STR("`"));
    size_t open = str_find(key, STR("<"));
    if (tick >= key.n || open >= key.n || tick > open)
        return d->full;
    return arena_printf(&t->arena, "%.*s%.*s",
                        STR_ARG(str_make(key.p + colon + 1, tick - colon - 1)),
                        STR_ARG(str_skip(key, open)));
}

const struct type_class *types_class_value(struct types *t, const struct decl *d,
                                           const struct scope *s)
{
    struct scope inner = *s;
    inner.level++;
    inner.decl = d;
    if (inner.level > TYPES_MAX_LEVELS || types_attribute(d, "Serializable") == NULL ||
        has_modifier(d, CSHARP_ABSTRACT | CSHARP_STATIC))
        return NULL;
    struct str key = value_key(t, d, &inner);
    struct made *m = map_get(&t->classes, key);
    if (m != NULL)
        return &m->class;
    if (t->value_fields++ >= TYPES_MAX_VALUES)
        return NULL;
    m = types_new_class(t, key);
    m->decl = d;
    m->is_complete = true;
    m->class.name = value_name(t, d, key);
    m->class.simple = types_simple(d->full);
    m->class.path = d->source->path;
    m->class.is_known = true;
    struct making k = {.t = t, .made = m, .is_value = true};
    add_all(&k, &inner, d, TYPES_MAX_BASES);
    t->value_fields += m->class.field_count;
    return &m->class;
}
