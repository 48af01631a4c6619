#include <stdlib.h>

#include "unity/types_core.h"

struct listing {
    struct types *t;
    struct type_entry *entries;
    size_t count, cap;
    struct map seen; /* full names */
};

static void add(struct listing *l, const struct type_entry *e)
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

/* ---- scripts */

static struct str stem_of(struct str path)
{
    size_t from = path.n;
    while (from > 0 && path.p[from - 1] != '/')
        from--;
    return str_make(path.p + from, path.n - from - STR(".cs").n);
}

/* Of a package in the cache whose scripts the tables have nothing is read: there may be thousands
 * of files, and most of them are no components. */
static bool is_in_tables(const struct map *known, struct str path)
{
    struct str rest = str_skip(path, STR("Packages/").n), name;
    return str_starts(path, STR("Packages/")) && str_cut(&rest, '/', &name) &&
           map_get(known, name) != NULL;
}

static struct type_entry entry_of(const struct made *m)
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
    bool is_component; /* that can be added */
};

/* Of a class with several parts only all of them tell. */
static void read_whole(struct types *t, struct str path, struct script_entry *e)
{
    const struct source *s = types_source(t, path);
    const struct made *m = s != NULL ? types_class_of_file(t, s) : NULL;
    if (m == NULL)
        return;
    e->entry = entry_of(m);
    e->is_there = true;
    e->is_component = m->class.is_component && !m->class.is_abstract && !m->class.is_editor_only;
}

static void read_heads(struct types *t, const struct source *s, const struct csharp_type *type,
                       struct script_entry *e)
{
    struct decl *d = arena_zalloc(&t->arena, sizeof *d);
    *d = (struct decl){.type = type, .source = s, .full = types_full_name(t, type)};
    const struct made *base = types_base(t, d, true);
    e->entry = (struct type_entry){.name = d->full,
                                   .simple = types_simple(d->full),
                                   .path = s->path,
                                   .class_id = base != NULL && base->class.is_object ? 114 : 0,
                                   .class = base != NULL ? &base->class : NULL,
                                   .decl = d};
    e->is_there = true;
    e->is_component = base != NULL && (base->is_behaviour || base->class.is_component) &&
                      !(type->modifiers & (CSHARP_ABSTRACT | CSHARP_STATIC)) && !s->is_editor;
}

static const struct script_entry *script_entry(struct types *t, struct str path)
{
    struct script_entry *e = map_get(&t->entries, path);
    if (e != NULL)
        return e;
    e = arena_zalloc(&t->arena, sizeof *e);
    struct str kept = arena_str(&t->arena, path);
    const struct source *s = types_outline(t, kept);
    const struct csharp_type *type = s != NULL ? types_main(s) : NULL;
    if (type != NULL && type->modifiers & CSHARP_PARTIAL)
        read_whole(t, kept, e);
    else if (type != NULL)
        read_heads(t, s, type, e);
    map_set(&t->entries, kept, e);
    return e;
}

static void add_script(struct listing *l, struct str path)
{
    const struct script_entry *e = script_entry(l->t, path);
    if (e->is_component)
        add(l, &e->entry);
}

static void add_scripts(struct listing *l, const struct map *known)
{
    struct types *t = l->t;
    size_t count = 0, kept = 0;
    const uint32_t *files = assets_named(t->assets, (struct str){0}, STR(".cs"), &count);
    struct str *paths = arena_alloc(&t->arena, (count + 1) * sizeof *paths);
    for (size_t i = 0; i < count; i++) { /* reading may refresh the assets' list */
        struct asset a = assets_at(t->assets, files[i]);
        if (!a.is_missing && !a.is_folder && !guid_is_zero(a.guid))
            paths[kept++] = arena_str(&t->arena, a.path);
    }
    for (size_t i = 0; i < kept; i++) {
        bool is_cached = types_is_cached(t, paths[i]);
        if (is_cached ? is_in_tables(known, paths[i])
                      : !types_may_declare(t, paths[i], stem_of(paths[i])))
            continue;
        if (!types_is_editor_file(t, paths[i]))
            add_script(l, paths[i]);
    }
}

/* ---- Unity's own */

static void add_engine(struct listing *l)
{
    const struct builtin_class *b;
    struct version v = l->t->project->version;
    for (size_t i = 0; (b = builtin_class_at(i)) != NULL; i++) {
        struct str name = str_from(builtin_type(b, v));
        if (!b->is_component || b->is_abstract || b->is_editor_only || name.n == 0 ||
            !builtin_class_is_in(b, v))
            continue;
        const struct made *m = types_class_builtin(l->t, b);
        add(l, &(struct type_entry){.name = name,
                                    .simple = types_simple(name),
                                    .class_id = b->class_id,
                                    .class = &m->class});
    }
}

/* Where the source is there it says what its class is called in this version of the package. Else
 * the class is known by its name alone: one that is made of the tables would hide a source that
 * comes later. */
static void add_packages(struct listing *l, struct map *known)
{
    const struct builtin_script *s;
    struct types *t = l->t;
    for (size_t i = 0; (s = builtin_script_at(i)) != NULL; i++) {
        struct str name = str_from(s->type), package = str_from(s->package);
        struct str path = assets_path(t->assets, s->guid);
        map_set(known, package, l);
        if (!s->is_component || (path.n == 0 && !types_has_package(t, package)))
            continue;
        if (str_ends(path, STR(".cs")) && !types_is_editor_file(t, path))
            add_script(l, path);
        else
            add(l,
                &(struct type_entry){.name = name, .simple = types_simple(name), .class_id = 114});
    }
}

/* ---- all */

static int by_name(const void *a, const void *b)
{
    const struct type_entry *x = a, *y = b;
    int order = str_cmp(x->simple, y->simple);
    return order != 0 ? order : str_cmp(x->name, y->name);
}

bool types_script_entry(struct types *t, struct reference script, struct str identifier,
                        struct type_entry *out)
{
    struct str path = assets_path(t->assets, script.guid);
    const struct script_entry *e = str_ends(path, STR(".cs")) ? script_entry(t, path) : NULL;
    if (e != NULL && e->is_there) {
        *out = e->entry;
        return true;
    }
    const struct type_class *c = types_component(t, 114, script, identifier);
    if (c != NULL)
        *out = entry_of((const struct made *)c);
    return c != NULL;
}

size_t types_components(struct types *t, const struct type_entry **out)
{
    if (t->components == NULL) {
        struct listing l = {.t = t};
        struct map known = {0};
        add_engine(&l);
        add_packages(&l, &known);
        add_scripts(&l, &known);
        qsort(l.entries, l.count, sizeof *l.entries, by_name);
        t->components = l.entries;
        t->component_count = l.count;
        map_done(&l.seen);
        map_done(&known);
    }
    *out = t->components;
    return t->component_count;
}

/* ---- what is what */

const struct type_class *types_named(struct types *t, struct str full)
{
    struct meaning m;
    struct made *made = types_meaning(t, full, false, &m) ? types_class_meant(t, &m) : NULL;
    return made != NULL ? &made->class : NULL;
}

/* Files may say anything: interfaces that name each other are looked at so often and no more. */
#define IMPLEMENTS_MAX 1000u

struct asking {
    struct types *t;
    struct str full; /* of the interface */
    unsigned left;
};

static bool implements(struct asking *a, const struct decl *d, unsigned depth);

static bool names(struct asking *a, const struct decl *d, struct str written, unsigned depth)
{
    struct str arguments;
    size_t arity;
    struct meaning m;
    struct scope s = {.decl = d};
    struct str name = types_arguments(written, &arguments, &arity);
    if (depth == 0 || a->left == 0 || !types_resolve(a->t, &s, name, arity, &m) || m.decl == NULL)
        return false;
    a->left--;
    return str_eq(m.decl->full, a->full) || implements(a, m.decl, depth - 1);
}

/* Interfaces, those that they have themselves, and those of base classes. */
static bool implements(struct asking *a, const struct decl *d, unsigned depth)
{
    for (; d != NULL; d = d->next)
        for (size_t i = 0; i < d->type->base_count; i++)
            if (names(a, d, d->type->bases[i], depth))
                return true;
    return false;
}

static bool is_interface(const struct type_class *c)
{
    const struct decl *d = ((const struct made *)c)->decl;
    return d != NULL && d->type->kind == CSHARP_INTERFACE;
}

/* Of a package's class, by the tables: as far as a class of the engine, which has its own. */
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

bool type_class_derives(const struct type_class *c, struct str full)
{
    if (c->is_object && str_eq(full, STR("UnityEngine.Object")))
        return true;
    for (; c != NULL; c = c->base)
        if (str_eq(c->name, full))
            return true;
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
    struct asking a = {t, of->name, IMPLEMENTS_MAX};
    return e->decl != NULL && implements(&a, e->decl, TYPES_MAX_BASES);
}
