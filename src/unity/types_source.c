#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "unity/types_internal.h"

#define ASMDEF_MAX_BYTES (4u << 20)

struct name_files { /* the files that seem to declare a name */
    const struct str **paths;
    size_t count;
    bool is_loaded;
};

struct asmdef {
    struct str folder; /* ends with a slash */
    struct str name;   /* of the assembly */
    bool is_editor;
};

enum {
    OWN,
    CACHED
};

/* ---- files */

bool types_source_is_cached(const struct types *t, struct str path)
{
    if (!str_starts(path, STR("Packages/")))
        return false;
    struct str rest = str_skip(path, STR("Packages/").n), name;
    if (!str_cut(&rest, '/', &name))
        return false;
    bool cached = false;
    for (size_t i = 0; i < t->project->package_count; i++) {
        const struct project_package *p = &t->project->packages[i];
        if (!str_eq(p->name, name))
            continue;
        if (p->kind != PROJECT_PACKAGE_CACHED)
            return false;
        cached = true;
    }
    return cached;
}

static bool read_text(struct types *t, struct str path, size_t max, struct buf *out)
{
    struct buf file = {0};
    bool ok = assets_file(t->assets, path, &file) && file_read(file.p, max, out, NULL);
    buf_done(&file);
    return ok;
}

struct str types_source_stem(struct str path)
{
    size_t from = path.n, to = path.n;
    while (from > 0 && path.p[from - 1] != '/')
        from--;
    while (to > from && path.p[to - 1] != '.')
        to--;
    return str_make(path.p + from, (to > from ? to - 1 : path.n) - from);
}

/* ---- index of declared names */

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static struct str take_word(struct str *rest)
{
    size_t from = 0;
    while (from < rest->n && !is_name_char(rest->p[from]))
        from++;
    size_t to = from;
    while (to < rest->n && is_name_char(rest->p[to]))
        to++;
    struct str word = str_make(rest->p + from, to - from);
    *rest = str_skip(*rest, to);
    return word;
}

static bool is_type_keyword(struct str word)
{
    switch (word.n) {
    case 4:
        return str_eq(word, STR("enum"));
    case 5:
        return str_eq(word, STR("class"));
    case 6:
        return str_eq(word, STR("struct")) || str_eq(word, STR("record"));
    case 9:
        return str_eq(word, STR("interface"));
    default:
        return false;
    }
}

static void add_file_of_name(struct types *t, struct map *names, struct str name,
                             const struct str *path)
{
    struct name_files *f = map_get(names, name);
    if (f == NULL) {
        f = arena_zalloc(&t->arena, sizeof *f);
        map_set(names, name, f);
    }
    if (f->count > 0 && f->paths[f->count - 1] == path)
        return;
    if ((f->count & (f->count - 1)) == 0) { /* a power of two: full */
        size_t cap = f->count > 0 ? 2 * f->count : 1;
        f->paths = arena_grow(&t->arena, (void *)f->paths, f->count * sizeof(struct str *),
                              cap * sizeof(struct str *));
    }
    f->paths[f->count++] = path;
}

/* A name in a comment or string only costs an unnecessary parse of the file. */
static void index_text(struct types *t, struct map *names, struct str text, const struct str *path)
{
    bool expects_name = false;
    for (struct str word = take_word(&text); word.n > 0; word = take_word(&text)) {
        bool keyword = is_type_keyword(word);
        if (expects_name && !keyword)
            add_file_of_name(t, names, word, path);
        expects_name = keyword;
    }
}

static void index_files(struct types *t, int which)
{
    size_t count = 0;
    const uint32_t *files = assets_named(t->assets, (struct str){0}, STR(".cs"), &count);
    uint32_t *own = arena_alloc(&t->arena, count * sizeof *own + 1);
    if (count > 0)
        memcpy(own, files, count * sizeof *own); /* reading may refresh the list */
    struct buf text = {0};
    for (size_t i = 0; i < count; i++) {
        struct asset a = assets_at(t->assets, own[i]);
        if (a.is_missing || a.is_folder || types_source_is_cached(t, a.path) != (which == CACHED))
            continue;
        struct str *path = arena_alloc(&t->arena, sizeof *path);
        *path = arena_str(&t->arena, a.path);
        buf_clear(&text);
        if (read_text(t, *path, CSHARP_MAX_BYTES, &text))
            index_text(t, &t->names[which], buf_str(&text), path);
    }
    buf_done(&text);
    t->is_indexed[which] = true;
}

/* ---- assemblies */

static bool is_for_editor_only(const struct json *root)
{
    const struct json *platforms = json_get(root, STR("includePlatforms"));
    return json_is(platforms, JSON_ARRAY) && json_count(platforms) == 1 &&
           str_eq(json_str(json_at(platforms, 0)), STR("Editor"));
}

static void read_asmdefs(struct types *t)
{
    size_t count = 0;
    const uint32_t *files = assets_named(t->assets, (struct str){0}, STR(".asmdef"), &count);
    t->asmdefs_read = true;
    t->asmdefs = arena_alloc(&t->arena, count * sizeof *t->asmdefs + 1);
    struct str *paths = arena_alloc(&t->arena, count * sizeof *paths + 1);
    for (size_t i = 0; i < count; i++)
        paths[i] = arena_str(&t->arena, assets_at(t->assets, files[i]).path);
    struct buf text = {0};
    for (size_t i = 0; i < count; i++) {
        size_t slash = paths[i].n;
        while (slash > 0 && paths[i].p[slash - 1] != '/')
            slash--;
        buf_clear(&text);
        if (!read_text(t, paths[i], ASMDEF_MAX_BYTES, &text))
            continue;
        struct str kept = arena_str(&t->arena, buf_str(&text));
        const struct json *root = json_parse(&t->arena, kept, NULL, NULL);
        t->asmdefs[t->asmdef_count++] =
            (struct asmdef){str_head(paths[i], slash), json_str(json_get(root, STR("name"))),
                            is_for_editor_only(root)};
    }
    buf_done(&text);
}

static const struct asmdef *find_asmdef(struct types *t, struct str path)
{
    const struct asmdef *nearest = NULL;
    if (!t->asmdefs_read)
        read_asmdefs(t);
    for (size_t i = 0; i < t->asmdef_count; i++) {
        const struct asmdef *a = &t->asmdefs[i];
        if (str_starts(path, a->folder) && (nearest == NULL || a->folder.n > nearest->folder.n))
            nearest = a;
    }
    return nearest;
}

/* An assembly definition decides for its folder; without one, the folders named Editor do. */
bool types_source_is_editor_only(struct types *t, struct str path)
{
    const struct asmdef *a = find_asmdef(t, path);
    return a != NULL ? a->is_editor : str_find(path, STR("/Editor/")) < path.n;
}

struct str types_source_assembly(struct types *t, struct str path)
{
    const struct asmdef *a = find_asmdef(t, path);
    bool is_first = str_starts(path, STR("Assets/Plugins/")) ||
                    str_starts(path, STR("Assets/Standard Assets/")) ||
                    str_starts(path, STR("Assets/Pro Standard Assets/"));
    if (a != NULL)
        return a->name;
    if (!str_starts(path, STR("Assets/")))
        return (struct str){0};
    return is_first ? STR("Assembly-CSharp-firstpass") : STR("Assembly-CSharp");
}

/* ---- declarations */

struct str types_source_full_name(struct types *t, const struct csharp_type *type)
{
    struct buf name = {0};
    if (type->outer != NULL) {
        buf_add(&name, types_source_full_name(t, type->outer));
        buf_add_char(&name, '+');
    } else if (type->namespace_.n > 0) {
        buf_add(&name, type->namespace_);
        buf_add_char(&name, '.');
    }
    buf_add(&name, type->name);
    if (type->parameter_count > 0)
        buf_printf(&name, "`%zu", type->parameter_count);
    struct str kept = arena_str(&t->arena, buf_str(&name));
    buf_done(&name);
    return kept;
}

static void register_type(struct types *t, const struct types_source *s,
                          const struct csharp_type *type)
{
    struct types_decl *d = arena_zalloc(&t->arena, sizeof *d);
    *d = (struct types_decl){.type = type, .source = s, .full = types_source_full_name(t, type)};
    struct types_decl *first = map_get(&t->decls, d->full);
    if (first == NULL) {
        map_set(&t->decls, d->full, d);
    } else if (type->modifiers & CSHARP_PARTIAL) {
        d->next = first->next;
        first->next = d;
    }
}

static void report_error(struct types *t, struct str path, struct csharp_error error)
{
    if (error.line == 0)
        return;
    struct diagnostic about = {.level = DIAGNOSTIC_WARNING,
                               .kind = DIAGNOSTIC_SCRIPT_SYNTAX,
                               .file = path,
                               .line = error.line,
                               .column = error.column};
    diagnostic_report(&t->sink, &about,
                      "C# syntax error: fields declared after this place may be missing");
}

static struct csharp_options make_options(const struct types *t)
{
    return (struct csharp_options){.defines = t->project->defines,
                                   .define_count = t->project->define_count};
}

const struct types_source *types_source(struct types *t, struct str path)
{
    struct types_source *s = map_get(&t->sources, path);
    if (s != NULL)
        return s->file != NULL ? s : NULL;
    s = arena_zalloc(&t->arena, sizeof *s);
    s->path = arena_str(&t->arena, path);
    map_set(&t->sources, s->path, s);
    struct buf text = {0};
    if (read_text(t, s->path, CSHARP_MAX_BYTES, &text)) {
        struct csharp_error error = {0};
        struct csharp_options options = make_options(t);
        s->file = csharp_read(buf_str(&text), &options, &error);
        s->is_editor = types_source_is_editor_only(t, s->path);
        report_error(t, s->path, error);
        for (size_t i = 0; i < s->file->type_count; i++)
            register_type(t, s, &s->file->types[i]);
    }
    buf_done(&text);
    return s->file != NULL ? s : NULL;
}

const struct types_source *types_source_outline(struct types *t, struct str path)
{
    struct types_source *s = map_get(&t->sources, path);
    if (s == NULL)
        s = map_get(&t->outlines, path);
    if (s != NULL)
        return s->file != NULL ? s : NULL;
    s = arena_zalloc(&t->arena, sizeof *s);
    s->path = arena_str(&t->arena, path);
    map_set(&t->outlines, s->path, s);
    struct buf text = {0};
    struct csharp_options options = make_options(t);
    options.heads_only = true;
    if (read_text(t, s->path, CSHARP_MAX_BYTES, &text))
        s->file = csharp_read(buf_str(&text), &options, NULL);
    s->is_editor = types_source_is_editor_only(t, s->path);
    buf_done(&text);
    return s->file != NULL ? s : NULL;
}

static void load_name(struct types *t, struct str simple, int which)
{
    if (!t->is_indexed[which])
        index_files(t, which);
    struct name_files *f = map_get(&t->names[which], simple);
    if (f == NULL || f->is_loaded)
        return;
    f->is_loaded = true;
    for (size_t i = 0; i < f->count; i++)
        types_source(t, *f->paths[i]);
}

bool types_source_may_declare(struct types *t, struct str path, struct str simple)
{
    if (!t->is_indexed[OWN])
        index_files(t, OWN);
    const struct name_files *f = map_get(&t->names[OWN], simple);
    for (size_t i = 0; f != NULL && i < f->count; i++)
        if (str_eq(*f->paths[i], path))
            return true;
    return false;
}

const struct types_decl *types_source_decl(struct types *t, struct str full, bool cached)
{
    load_name(t, type_simple_name(full), OWN);
    if (cached)
        load_name(t, type_simple_name(full), CACHED);
    return map_get(&t->decls, full);
}

size_t types_source_decls(struct types *t, struct str simple, bool cached,
                          const struct types_decl ***out)
{
    load_name(t, simple, OWN);
    if (cached)
        load_name(t, simple, CACHED);
    size_t count = 0;
    MAP_EACH (&t->decls, i)
        count += str_eq(type_simple_name(map_key(&t->decls, i)), simple);
    *out = arena_alloc(&t->arena, (count + 1) * sizeof **out);
    count = 0;
    MAP_EACH (&t->decls, k)
        if (str_eq(type_simple_name(map_key(&t->decls, k)), simple))
            (*out)[count++] = map_value(&t->decls, k);
    return count;
}

/* ---- packages */

static void list_packages(struct types *t)
{
    static char listed;
    const struct project *p = t->project;
    for (size_t i = 0; i < p->package_count; i++)
        map_set(&t->packages, p->packages[i].name, &listed);
    for (size_t i = 0; i < p->listed_count; i++)
        map_set(&t->packages, p->listed[i], &listed);
}

/* Parts of the editor (UnityEngine.UI.dll in old versions) are always there. */
bool types_source_has_package(struct types *t, struct str package)
{
    if (t->packages.count == 0)
        list_packages(t);
    return !str_starts(package, STR("com.")) || map_get(&t->packages, package) != NULL;
}

void types_source_forget(struct types *t)
{
    MAP_EACH (&t->sources, i)
        csharp_free(((struct types_source *)map_value(&t->sources, i))->file);
    MAP_EACH (&t->outlines, k)
        csharp_free(((struct types_source *)map_value(&t->outlines, k))->file);
    map_done(&t->sources);
    map_done(&t->outlines);
    map_done(&t->decls);
    map_done(&t->names[OWN]);
    map_done(&t->names[CACHED]);
    map_done(&t->packages);
}
