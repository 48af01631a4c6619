#include "unity/types.h"

#include <stdlib.h>

#include "base/mem.h"
#include "unity/types_internal.h"

struct types *types_new(const struct project *project, struct assets *assets,
                        const struct diagnostic_sink *sink)
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

/* ---- class of a document */

/* Newer editors write "Assembly::Namespace.Class", older ones "Assembly:Namespace:Class"; a nested
 * class is Outer/Inner. */
static struct str read_identifier(struct types *t, struct str identifier)
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

static struct types_class *class_of_script(struct types *t, struct reference script,
                                           struct str identifier)
{
    struct str path = arena_str(&t->arena, assets_path(t->assets, script.guid));
    struct str name = read_identifier(t, identifier);
    if (str_ends(path, STR(".cs"))) {
        const struct types_source *s = types_source(t, path);
        if (s != NULL)
            return types_class_of_file(t, s);
        struct str stem = types_source_stem(path);
        return types_class_unknown(t, str_eq(type_simple_name(name), stem) ? name : stem, path,
                                   script);
    }
    const struct builtin_script *known = builtin_script(script.guid, script.file_id);
    if (known != NULL)
        return types_class_package(t, str_from(known->type), known);
    struct types_class *found = name.n > 0 ? types_class(t, name) : NULL;
    if (found != NULL || path.n == 0)
        return found;
    return types_class_unknown(t, name.n > 0 ? name : types_source_stem(path), path, script);
}

const struct type_class *types_component(struct types *t, int32_t class_id, struct reference script,
                                         struct str identifier)
{
    if (class_id == 114)
        return types_class_complete(t, class_of_script(t, script, identifier));
    const struct builtin_class *b = builtin_class(class_id);
    return b != NULL ? types_class_complete(t, types_class_builtin(t, b)) : NULL;
}

/* ---- search by name */

struct class_search {
    struct types *t;
    const struct type_class **found;
    size_t count, cap;
};

static void add_class(struct class_search *f, struct types_class *m)
{
    const struct type_class *c = types_class_complete(f->t, m);
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

static bool is_class_declaration(const struct types_decl *d)
{
    return d->type->kind == CSHARP_CLASS || d->type->kind == CSHARP_RECORD;
}

/* Find structs, enums and interfaces. They are never components, but callers explain that in their
 * error. */
static void find_others(struct class_search *f, struct str simple)
{
    const struct types_decl **decls;
    size_t count = types_source_decls(f->t, simple, false, &decls);
    for (size_t i = 0; i < count; i++)
        if (!is_class_declaration(decls[i]))
            add_class(f, types_class_script(f->t, decls[i]));
}

/* Find a type that is not a class by its full name: System.Int32, UnityEngine.Vector3. */
static struct types_class *find_plain_type(struct types *t, struct str full)
{
    if (types_kind_value(full) == NULL && builtin_enum(full) == NULL &&
        builtin_struct(full) == NULL)
        return NULL;
    struct buf key = {0};
    buf_printf(&key, "type %.*s", STR_ARG(full));
    struct types_class *m = map_get(&t->classes, buf_str(&key));
    if (m == NULL) {
        m = types_class_new(t, buf_str(&key));
        m->class.name = str_skip(m->class.name, STR("type ").n);
        m->class.simple = type_simple_name(m->class.name);
        m->is_complete = true;
    }
    buf_done(&key);
    return m;
}

/* Find "A.B.C"; a dot may also mean the + of a nested class. */
static void find_full(struct class_search *f, struct str name)
{
    struct types_scope nowhere = {0};
    struct types_meaning m;
    if (str_find(name, STR(".")) >= name.n && str_find(name, STR("+")) >= name.n) {
        const struct types_decl *d = types_source_decl(f->t, name, false);
        if (d != NULL && is_class_declaration(d) && d->type->namespace_.n == 0)
            add_class(f, types_class_script(f->t, d));
        return;
    }
    if (types_name_resolve(f->t, &nowhere, name, 0, &m)) {
        bool is_plain = m.decl != NULL && !is_class_declaration(m.decl);
        add_class(f, is_plain ? types_class_script(f->t, m.decl) : types_class_meant(f->t, &m));
    }
    if (f->count == 0)
        add_class(f, find_plain_type(f->t, name));
}

typedef struct types_class *find_fn(struct types *t, struct str full);

static void find_usual(struct class_search *f, struct str simple, find_fn *find)
{
    static const char *const spaces[] = {"UnityEngine",
                                         "UnityEngine.UI",
                                         "UnityEngine.EventSystems",
                                         "UnityEngine.Animations",
                                         "UnityEngine.Rendering",
                                         "TMPro"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        struct str full = arena_printf(&f->t->arena, "%s.%.*s", spaces[i], STR_ARG(simple));
        add_class(f, find(f->t, full));
    }
}

static void find_anywhere(struct class_search *f, struct str simple)
{
    const struct builtin_class *b;
    const struct builtin_script *s;
    const struct types_decl **decls;
    size_t count = types_source_decls(f->t, simple, false, &decls);
    for (size_t i = 0; i < count; i++)
        if (is_class_declaration(decls[i]))
            add_class(f, types_class_script(f->t, decls[i]));
    for (size_t i = 0; (b = builtin_class_at(i)) != NULL; i++)
        if (str_eq(type_simple_name(str_from(builtin_type(b, f->t->project->version))), simple))
            add_class(f, types_class_builtin(f->t, b));
    for (size_t i = 0; (s = builtin_script_at(i)) != NULL; i++)
        if (str_eq(type_simple_name(str_from(s->type)), simple) &&
            (types_source_has_package(f->t, str_from(s->package)) ||
             assets_path(f->t->assets, s->guid).n > 0))
            add_class(f, types_class(f->t, str_from(s->type)));
    if (f->count > 0)
        return;
    count = types_source_decls(f->t, simple, true, &decls);
    for (size_t i = 0; i < count; i++)
        if (is_class_declaration(decls[i]))
            add_class(f, types_class_script(f->t, decls[i]));
}

size_t types_find(struct types *t, struct str name, const struct type_class *const **out)
{
    struct class_search f = {.t = t};
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
        if (f.count == 0 && is_simple) /* last: a script may have the name of an enum of the
                                          engine */
            find_usual(&f, name, find_plain_type);
    }
    *out = f.found;
    return f.count;
}

struct component_listing {
    struct types *t;
    struct type_entry *entries;
    size_t count, cap;
    struct map seen; /* full names */
};

static void add_entry(struct component_listing *l, const struct type_entry *e)
{
    if (map_get(&l->seen, e->name) != NULL)
        return;
    map_set(&l->seen, e->name, l);
    if (l->count == l->cap) {
        size_t cap = l->cap > 0 ? 2 * l->cap : 256;
        l->entries = arena_grow(&l->t->arena, l->entries, l->cap * sizeof *l->entries,
                                cap * sizeof *l->entries);
        l->cap = cap;
    }
    l->entries[l->count++] = *e;
}

/* ---- components: scripts */

/* Whether the tables have the scripts of this cached package. If not, its files are not read: there
 * may be thousands, and most are not components. */
static bool is_in_tables(const struct map *known, struct str path)
{
    struct str rest = str_skip(path, STR("Packages/").n), name;
    return str_starts(path, STR("Packages/")) && str_cut(&rest, '/', &name) &&
           map_get(known, name) != NULL;
}

static struct type_entry entry_of(const struct types_class *m)
{
    return (struct type_entry){.name = m->class.name,
                               .simple = m->class.simple,
                               .path = m->class.path,
                               .class_id = m->class.class_id,
                               .class = &m->class,
                               .decl = m->decl};
}

struct script_entry {
    struct type_entry entry;
    bool is_there;     /* the file has a class of its name */
    bool is_component; /* it can be added */
};

/* Read a class with several parts; no single part has all the information. */
static void read_whole(struct types *t, struct str path, struct script_entry *e)
{
    const struct types_source *s = types_source(t, path);
    const struct types_class *m = s != NULL ? types_class_of_file(t, s) : NULL;
    if (m == NULL)
        return;
    e->entry = entry_of(m);
    e->is_there = true;
    e->is_component = m->class.is_component && !m->class.is_abstract && !m->class.is_editor_only;
}

static void read_heads(struct types *t, const struct types_source *s,
                       const struct csharp_type *type, struct script_entry *e)
{
    struct types_decl *d = arena_zalloc(&t->arena, sizeof *d);
    *d = (struct types_decl){.type = type, .source = s, .full = types_source_full_name(t, type)};
    const struct types_class *base = types_class_base(t, d, true);
    e->entry = (struct type_entry){.name = d->full,
                                   .simple = type_simple_name(d->full),
                                   .path = s->path,
                                   .class_id = base != NULL && base->class.is_object ? 114 : 0,
                                   .class = base != NULL ? &base->class : NULL,
                                   .decl = d};
    e->is_there = true;
    e->is_component = base != NULL && (base->is_behaviour || base->class.is_component) &&
                      !(type->modifiers & (CSHARP_ABSTRACT | CSHARP_STATIC)) && !s->is_editor;
}

static const struct script_entry *get_script_entry(struct types *t, struct str path)
{
    struct script_entry *e = map_get(&t->entries, path);
    if (e != NULL)
        return e;
    e = arena_zalloc(&t->arena, sizeof *e);
    struct str kept = arena_str(&t->arena, path);
    const struct types_source *s = types_source_outline(t, kept);
    const struct csharp_type *type = s != NULL ? types_class_main_type(s) : NULL;
    if (type != NULL && type->modifiers & CSHARP_PARTIAL)
        read_whole(t, kept, e);
    else if (type != NULL)
        read_heads(t, s, type, e);
    map_set(&t->entries, kept, e);
    return e;
}

static void add_script(struct component_listing *l, struct str path)
{
    const struct script_entry *e = get_script_entry(l->t, path);
    if (e->is_component)
        add_entry(l, &e->entry);
}

static void add_scripts(struct component_listing *l, const struct map *known)
{
    struct types *t = l->t;
    size_t count = 0, kept = 0;
    const uint32_t *files = assets_named(t->assets, (struct str){0}, STR(".cs"), &count);
    struct str *paths = arena_alloc(&t->arena, (count + 1) * sizeof *paths);
    for (size_t i = 0; i < count; i++) { /* reading may refresh the list */
        struct asset a = assets_at(t->assets, files[i]);
        if (!a.is_missing && !a.is_folder && !guid_is_zero(a.guid))
            paths[kept++] = arena_str(&t->arena, a.path);
    }
    for (size_t i = 0; i < kept; i++) {
        bool is_cached = types_source_is_cached(t, paths[i]);
        if (is_cached ? is_in_tables(known, paths[i])
                      : !types_source_may_declare(t, paths[i], types_source_stem(paths[i])))
            continue;
        if (!types_source_is_editor_only(t, paths[i]))
            add_script(l, paths[i]);
    }
}

/* ---- components: engine and packages */

static void add_engine(struct component_listing *l)
{
    const struct builtin_class *b;
    struct version v = l->t->project->version;
    for (size_t i = 0; (b = builtin_class_at(i)) != NULL; i++) {
        struct str name = str_from(builtin_type(b, v));
        if (!b->is_component || b->is_abstract || b->is_editor_only || name.n == 0 ||
            !builtin_class_is_in(b, v))
            continue;
        const struct types_class *m = types_class_builtin(l->t, b);
        add_entry(l, &(struct type_entry){.name = name,
                                          .simple = type_simple_name(name),
                                          .class_id = b->class_id,
                                          .class = &m->class});
    }
}

/* A source, if there is one, has the name of the class in this version of the package. Without it,
 * add the name only: a class made from the tables would hide a source that appears later. */
static void add_packages(struct component_listing *l, struct map *known)
{
    const struct builtin_script *s;
    struct types *t = l->t;
    for (size_t i = 0; (s = builtin_script_at(i)) != NULL; i++) {
        struct str name = str_from(s->type), package = str_from(s->package);
        struct str path = assets_path(t->assets, s->guid);
        map_set(known, package, l);
        if (!s->is_component || (path.n == 0 && !types_source_has_package(t, package)))
            continue;
        if (str_ends(path, STR(".cs")) && !types_source_is_editor_only(t, path))
            add_script(l, path);
        else
            add_entry(l, &(struct type_entry){
                             .name = name, .simple = type_simple_name(name), .class_id = 114});
    }
}

/* ---- components: the list */

static int compare_entries(const void *a, const void *b)
{
    const struct type_entry *x = a, *y = b;
    int order = str_cmp(x->simple, y->simple);
    return order != 0 ? order : str_cmp(x->name, y->name);
}

bool types_script_entry(struct types *t, struct reference script, struct str identifier,
                        struct type_entry *out)
{
    struct str path = assets_path(t->assets, script.guid);
    const struct script_entry *e = str_ends(path, STR(".cs")) ? get_script_entry(t, path) : NULL;
    if (e != NULL && e->is_there) {
        *out = e->entry;
        return true;
    }
    const struct type_class *c = types_component(t, 114, script, identifier);
    if (c != NULL)
        *out = entry_of((const struct types_class *)c);
    return c != NULL;
}

size_t types_components(struct types *t, const struct type_entry **out)
{
    if (t->components == NULL) {
        struct component_listing l = {.t = t};
        struct map known = {0};
        add_engine(&l);
        add_packages(&l, &known);
        add_scripts(&l, &known);
        qsort(l.entries, l.count, sizeof *l.entries, compare_entries);
        t->components = l.entries;
        t->component_count = l.count;
        map_done(&l.seen);
        map_done(&known);
    }
    *out = t->components;
    return t->component_count;
}

/* ---- relations */

const struct type_class *types_named(struct types *t, struct str full)
{
    struct types_meaning m;
    struct types_class *made =
        types_name_meaning(t, full, false, &m) ? types_class_meant(t, &m) : NULL;
    return made != NULL ? &made->class : NULL;
}

/* Bounds the search if interfaces in hostile files name each other. */
#define IMPLEMENTS_MAX 1000u

struct interface_search {
    struct types *t;
    struct str full; /* of the interface */
    unsigned left;
};

static bool implements_interface(struct interface_search *a, const struct types_decl *d,
                                 unsigned depth);

static bool names_interface(struct interface_search *a, const struct types_decl *d,
                            struct str written, unsigned depth)
{
    struct str arguments;
    size_t arity;
    struct types_meaning m;
    struct types_scope s = {.decl = d};
    struct str name = types_name_arguments(written, &arguments, &arity);
    if (depth == 0 || a->left == 0 || !types_name_resolve(a->t, &s, name, arity, &m) ||
        m.decl == NULL)
        return false;
    a->left--;
    return str_eq(m.decl->full, a->full) || implements_interface(a, m.decl, depth - 1);
}

/* Search interfaces, their own interfaces and those of base classes. */
static bool implements_interface(struct interface_search *a, const struct types_decl *d,
                                 unsigned depth)
{
    for (; d != NULL; d = d->next)
        for (size_t i = 0; i < d->type->base_count; i++)
            if (names_interface(a, d, d->type->bases[i], depth))
                return true;
    return false;
}

static bool is_interface(const struct type_class *c)
{
    const struct types_decl *d = ((const struct types_class *)c)->decl;
    return d != NULL && d->type->kind == CSHARP_INTERFACE;
}

/* Whether a package's class derives from a class, by the tables up to a class of the engine. */
static bool derives_by_name(struct types *t, struct str name, struct str full)
{
    for (unsigned i = 0; i < TYPES_MAX_BASES && name.n > 0; i++) {
        const struct builtin_class *b = builtin_class_of(name);
        if (str_eq(name, full))
            return true;
        if (b != NULL)
            return type_class_derives(&types_class_builtin(t, b)->class, full);
        name = str_from(builtin_base(name));
    }
    return false;
}

bool types_entry_is_a(struct types *t, const struct type_entry *e, const struct type_class *of)
{
    if (str_eq(e->name, of->name))
        return true;
    if (str_eq(of->name, STR("UnityEngine.Object")))
        return e->class_id != 0;
    if (e->class == NULL)
        return e->decl == NULL && derives_by_name(t, e->name, of->name);
    if (!is_interface(of))
        return type_class_derives(e->class, of->name);
    struct interface_search a = {t, of->name, IMPLEMENTS_MAX};
    return e->decl != NULL && implements_interface(&a, e->decl, TYPES_MAX_BASES);
}
