#include "unity/types.h"

#include <stdlib.h>

#include "base/mem.h"
#include "unity/types_core.h"

struct types *types_new(const struct project *project, struct assets *assets,
                        const struct note_sink *sink)
{
    struct types *t = mem_zalloc(sizeof *t);
    t->project = project;
    t->assets = assets;
    if (sink != NULL)
        t->sink = *sink;
    return t;
}

void types_forget(struct types *t)
{
    struct types kept = {.project = t->project, .assets = t->assets, .sink = t->sink};
    types_source_forget(t);
    map_done(&t->classes);
    map_done(&t->entries);
    map_done(&t->enums);
    arena_done(&t->arena);
    *t = kept;
}

void types_free(struct types *t)
{
    if (t == NULL)
        return;
    types_forget(t);
    free(t);
}

/* ---- the class of a document */

/* "Assembly::Namespace.Class" of newer editors, "Assembly:Namespace:Class" of older ones, with a
 * nested class as Outer/Inner. */
static struct str identified(struct types *t, struct str identifier)
{
    struct str rest = identifier, assembly, space;
    if (!str_cut(&rest, ':', &assembly) || !str_cut(&rest, ':', &space) || rest.n == 0)
        return (struct str){0};
    char *name = arena_cstr(
        &t->arena,
        space.n > 0 ? arena_printf(&t->arena, "%.*s.%.*s", STR_ARG(space), STR_ARG(rest)) : rest);
    for (char *c = name; *c != '\0'; c++)
        if (*c == '/')
            *c = '+';
    return str_from(name);
}

static struct str stem_of(struct str path)
{
    size_t from = path.n, to = path.n;
    while (from > 0 && path.p[from - 1] != '/')
        from--;
    while (to > from && path.p[to - 1] != '.')
        to--;
    return str_make(path.p + from, (to > from ? to - 1 : path.n) - from);
}

/* Whatever its namespace; generic ones do not count. */
const struct csharp_type *types_main(const struct source *s)
{
    struct str stem = stem_of(s->path);
    for (size_t i = 0; i < s->file->type_count; i++) {
        const struct csharp_type *type = &s->file->types[i];
        bool is_class = type->kind == CSHARP_CLASS || type->kind == CSHARP_RECORD;
        if (is_class && type->outer == NULL && type->parameter_count == 0 &&
            str_eq(type->name, stem))
            return type;
    }
    return NULL;
}

struct made *types_class_of_file(struct types *t, const struct source *s)
{
    const struct csharp_type *type = types_main(s);
    const struct decl *d = type != NULL ? types_decl(t, types_full_name(t, type), false) : NULL;
    return d != NULL ? types_class_script(t, d) : NULL;
}

static struct made *class_of_script(struct types *t, struct reference script, struct str identifier)
{
    struct str path = arena_str(&t->arena, assets_path(t->assets, script.guid));
    struct str name = identified(t, identifier);
    if (str_ends(path, STR(".cs"))) {
        const struct source *s = types_source(t, path);
        if (s != NULL)
            return types_class_of_file(t, s);
        struct str stem = stem_of(path);
        return types_class_unknown(t, str_eq(types_simple(name), stem) ? name : stem, path, script);
    }
    const struct builtin_script *known = builtin_script(script.guid, script.file_id);
    if (known != NULL)
        return types_class_package(t, str_from(known->type), known);
    struct made *found = name.n > 0 ? types_class(t, name) : NULL;
    if (found != NULL || path.n == 0)
        return found;
    return types_class_unknown(t, name.n > 0 ? name : stem_of(path), path, script);
}

const struct type_class *types_component(struct types *t, int32_t class_id, struct reference script,
                                         struct str identifier)
{
    if (class_id == 114)
        return types_complete(t, class_of_script(t, script, identifier));
    const struct builtin_class *b = builtin_class(class_id);
    return b != NULL ? types_complete(t, types_class_builtin(t, b)) : NULL;
}

/* ---- names that people write */

struct finding {
    struct types *t;
    const struct type_class **found;
    size_t count, cap;
};

static void add(struct finding *f, struct made *m)
{
    const struct type_class *c = types_complete(f->t, m);
    if (c == NULL)
        return;
    for (size_t i = 0; i < f->count; i++)
        if (f->found[i] == c)
            return;
    if (f->count == f->cap) {
        size_t cap = f->cap > 0 ? 2 * f->cap : 4;
        f->found = arena_grow(&f->t->arena, (void *)f->found, f->cap * sizeof *f->found,
                              cap * sizeof *f->found);
        f->cap = cap;
    }
    f->found[f->count++] = c;
}

static bool is_class(const struct decl *d)
{
    return d->type->kind == CSHARP_CLASS || d->type->kind == CSHARP_RECORD;
}

/* Structs, enums and interfaces: no component is one, but whoever asks for them gets an answer that
 * says so. */
static void find_others(struct finding *f, struct str simple)
{
    const struct decl **decls;
    size_t count = types_decls_named(f->t, simple, false, &decls);
    for (size_t i = 0; i < count; i++)
        if (!is_class(decls[i]))
            add(f, types_class_script(f->t, decls[i]));
}

/* What is no class, under its full name: System.Int32, UnityEngine.Vector3, UnityEngine.Space. */
static struct made *plain_type(struct types *t, struct str full)
{
    if (types_value(full) == NULL && builtin_enum(full) == NULL && builtin_struct(full) == NULL)
        return NULL;
    struct buf key = {0};
    buf_printf(&key, "type %.*s", STR_ARG(full));
    struct made *m = map_get(&t->classes, buf_str(&key));
    if (m == NULL) {
        m = types_new_class(t, buf_str(&key));
        m->class.name = str_skip(m->class.name, STR("type ").n);
        m->class.simple = types_simple(m->class.name);
        m->is_complete = true;
    }
    buf_done(&key);
    return m;
}

/* "A.B.C", where dots may also stand for the + of nested classes. */
static void find_full(struct finding *f, struct str name)
{
    struct scope nowhere = {0};
    struct meaning m;
    if (str_find(name, STR(".")) >= name.n && str_find(name, STR("+")) >= name.n) {
        const struct decl *d = types_decl(f->t, name, false);
        if (d != NULL && is_class(d) && d->type->namespace_.n == 0)
            add(f, types_class_script(f->t, d));
        return;
    }
    if (types_resolve(f->t, &nowhere, name, 0, &m)) {
        bool is_plain = m.decl != NULL && !is_class(m.decl);
        add(f, is_plain ? types_class_script(f->t, m.decl) : types_class_meant(f->t, &m));
    }
    if (f->count == 0)
        add(f, plain_type(f->t, name));
}

typedef struct made *find_fn(struct types *t, struct str full);

static void find_usual(struct finding *f, struct str simple, find_fn *find)
{
    static const char *const spaces[] = {"UnityEngine",
                                         "UnityEngine.UI",
                                         "UnityEngine.EventSystems",
                                         "UnityEngine.Animations",
                                         "UnityEngine.Rendering",
                                         "TMPro"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        struct str full = arena_printf(&f->t->arena, "%s.%.*s", spaces[i], STR_ARG(simple));
        add(f, find(f->t, full));
    }
}

static void find_anywhere(struct finding *f, struct str simple)
{
    const struct builtin_class *b;
    const struct builtin_script *s;
    const struct decl **decls;
    size_t count = types_decls_named(f->t, simple, false, &decls);
    for (size_t i = 0; i < count; i++)
        if (is_class(decls[i]))
            add(f, types_class_script(f->t, decls[i]));
    for (size_t i = 0; (b = builtin_class_at(i)) != NULL; i++)
        if (str_eq(types_simple(str_from(builtin_type(b, f->t->project->version))), simple))
            add(f, types_class_builtin(f->t, b));
    for (size_t i = 0; (s = builtin_script_at(i)) != NULL; i++)
        if (str_eq(types_simple(str_from(s->type)), simple) &&
            (types_has_package(f->t, str_from(s->package)) ||
             assets_path(f->t->assets, s->guid).n > 0))
            add(f, types_class(f->t, str_from(s->type)));
    if (f->count > 0)
        return;
    count = types_decls_named(f->t, simple, true, &decls);
    for (size_t i = 0; i < count; i++)
        if (is_class(decls[i]))
            add(f, types_class_script(f->t, decls[i]));
}

size_t types_find(struct types *t, struct str name, const struct type_class *const **out)
{
    struct finding f = {.t = t};
    name = str_trim(name);
    if (name.n > 0 && name.n <= TYPES_MAX_WRITTEN / 4) {
        find_full(&f, name);
        bool is_simple = str_find(name, STR(".")) >= name.n;
        if (f.count == 0 && is_simple)
            find_usual(&f, name, types_class);
        if (f.count == 0 && is_simple)
            find_anywhere(&f, name);
        if (f.count == 0 && is_simple)
            find_others(&f, name);
        if (f.count == 0 && is_simple) /* last: a script may be called as an enum of the engine */
            find_usual(&f, name, plain_type);
    }
    *out = f.found;
    return f.count;
}

/* ---- questions */

bool type_class_is_a(const struct type_class *c, struct str name)
{
    bool is_full = str_find(name, STR(".")) < name.n;
    if (c->is_object && (str_eq(name, STR("UnityEngine.Object")) || str_eq(name, STR("Object"))))
        return true;
    for (; c != NULL; c = c->base)
        if (str_eq(is_full ? c->name : c->simple, name) || str_eq(c->name, name))
            return true;
    return false;
}

bool type_field_is(const struct type_field *f, struct str key)
{
    bool is = str_eq(f->key, key);
    for (size_t i = 0; !is && i < f->former_count; i++)
        is = str_eq(f->former[i], key);
    return is;
}

struct yaml_value type_field_value(const struct type_field *f, struct yaml_value map)
{
    struct yaml_value value = yaml_get(map, f->key);
    for (size_t i = 0; value.kind == YAML_NONE && i < f->former_count; i++)
        value = yaml_get(map, f->former[i]);
    return value;
}

const struct type_field *type_field_find(const struct type_class *c, struct str name)
{
    for (size_t i = 0; i < c->field_count; i++)
        if (!c->fields[i].is_internal && str_eq(c->fields[i].key, name))
            return &c->fields[i];
    for (size_t i = 0; i < c->field_count; i++)
        if (!c->fields[i].is_internal && str_eq(c->fields[i].name, name))
            return &c->fields[i];
    return NULL;
}

const struct type_member *type_enum_by_name(const struct type_enum *e, struct str name)
{
    for (size_t i = 0; i < e->count; i++)
        if (str_eq(e->members[i].name, name))
            return &e->members[i];
    return NULL;
}

/* Of flags the members whose bits are all in what is left, large ones first, as .NET does it. */
static struct str flag_names(const struct type_enum *e, int64_t value, struct arena *a)
{
    struct str names = {0};
    uint64_t left = (uint64_t)value;
    while (left != 0) {
        const struct type_member *best = NULL;
        for (size_t i = 0; i < e->count; i++) {
            uint64_t bits = (uint64_t)e->members[i].value;
            if (bits != 0 && (bits & ~left) == 0 && (best == NULL || bits > (uint64_t)best->value))
                best = &e->members[i];
        }
        if (best == NULL)
            return (struct str){0};
        left &= ~(uint64_t)best->value;
        names = names.n == 0 ? best->name
                             : arena_printf(a, "%.*s, %.*s", STR_ARG(best->name), STR_ARG(names));
    }
    return names;
}

struct str type_enum_name(const struct type_enum *e, int64_t value, struct arena *a)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->members[i].value == value)
            return e->members[i].name;
    return e->flags ? flag_names(e, value, a) : (struct str){0};
}
