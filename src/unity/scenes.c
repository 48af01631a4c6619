#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "unity/prefab.h"
#include "unity/scene_model.h"

#define MAX_META_BYTES (64u << 20)

struct scenes {
    const struct project *project;
    struct assets *assets;
    struct diagnostic_sink sink;
    struct map sources; /* path -> scene, one reference each; sources precede their users */
    size_t nodes;       /* in all open scenes */
    size_t max_nodes;
};

/* A scene that is waiting for the sources of its instances. */
struct pending_scene {
    struct scene_build build;
    uint32_t next; /* next instance without a source */
};

struct scene_opening {
    struct scenes *all;
    struct pending_scene **stack;
    size_t depth, cap;
    struct map open; /* paths on the stack; values unused */
};

struct scenes *scenes_new(const struct project *project, struct assets *assets,
                          const struct diagnostic_sink *sink)
{
    struct scenes *all = mem_zalloc(sizeof *all);
    all->project = project;
    all->assets = assets;
    all->max_nodes = SCENES_MAX_NODES;
    if (sink)
        all->sink = *sink;
    return all;
}

static void drop_source(struct scenes *all, size_t i)
{
    struct scene *s = map_value(&all->sources, i);
    s->more->is_forgotten = true;
    map_remove(&all->sources, map_key(&all->sources, i));
    scenes_unref(s);
}

void scenes_free(struct scenes *all)
{
    if (!all)
        return;
    MAP_EACH (&all->sources, i)
        drop_source(all, i);
    map_done(&all->sources);
    free(all);
}

struct version scenes_version(const struct scenes *all)
{
    return all->project->version;
}

void scenes_report(const struct scenes *all, const struct diagnostic *about, const char *text)
{
    diagnostic_report(&all->sink, about, "%s", text);
}

/* ---- lifetime of a scene */

struct scene *scenes_make(struct scenes *all, struct str path)
{
    struct scene *s = mem_zalloc(sizeof *s);
    s->owner = all;
    s->more = mem_zalloc(sizeof *s->more);
    s->more->refs = 1;
    s->path = arena_str(&s->more->arena, path);
    s->is_prefab = str_ends(path, STR(".prefab"));
    s->first_root = SCENE_NONE;
    return s;
}

static void free_scene(struct scene *s)
{
    struct scene_more *more = s->more;
    s->owner->nodes -= more->counted;
    for (size_t i = 0; i < s->instance_count; i++)
        free(more->links[i].overrides);
    free(more->links);
    free(more->stand_ins);
    free(more->places);
    arena_done(&more->arena);
    yaml_done(&s->file);
    buf_done(&more->text);
    free(more);
    free(s->nodes);
    free(s->components);
    free(s->instances);
    free(s);
}

/* Each prefab may contain the next one twice, so a few small files could exhaust the memory
 * although each is within its own limit. */
bool scenes_have_room(const struct scenes *all, size_t nodes)
{
    return all->nodes + nodes <= all->max_nodes;
}

void scenes_limit(struct scenes *all, size_t nodes)
{
    all->max_nodes = nodes;
}

/* Nesting may be deep, so scenes to free are put in a list instead of recursion. */
static void release_scene(struct scene *s, struct scene **dead)
{
    if (!s || --s->more->refs > 0)
        return;
    s->more->next_dead = *dead;
    *dead = s;
}

void scenes_unref(struct scene *s)
{
    struct scene *dead = NULL;
    release_scene(s, &dead);
    while (dead) {
        struct scene *gone = dead;
        dead = gone->more->next_dead;
        for (size_t i = 0; i < gone->instance_count; i++) {
            release_scene(gone->more->links[i].cached, &dead);
            release_scene(gone->more->links[i].source, &dead);
        }
        free_scene(gone);
    }
}

void scenes_close(struct scene *s)
{
    scenes_unref(s);
}

/* ---- files */

static bool find_file(struct scenes *all, struct str path, struct buf *absolute, struct error *err)
{
    if (assets_file(all->assets, path, absolute))
        return true;
    buf_clear(absolute);
    if (project_contains(all->project, path, absolute))
        return true; /* it has no .meta yet */
    return error_set(err, ERR_IO, "%.*s is not a file of this project", STR_ARG(path));
}

static uint64_t make_stamp(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return 0;
    uint64_t parts[] = {(uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec,
                        (uint64_t)st.st_mtim.tv_nsec, (uint64_t)st.st_ino};
    return str_hash(str_make((const char *)parts, sizeof parts));
}

static bool read_text(struct scene *s, struct error *err)
{
    struct buf path = {0};
    bool ok = find_file(s->owner, s->path, &path, err);
    if (ok) {
        s->stamp = make_stamp(path.p);
        s->more->text = buf_make(YAML_MAX_BYTES);
        ok = file_read(path.p, YAML_MAX_BYTES, &s->more->text, err);
    }
    buf_done(&path);
    return ok;
}

static bool split_text(struct scene *s, struct error *err)
{
    struct yaml_error error;
    if (yaml_split(&s->file, buf_str(&s->more->text), &error))
        return true;
    return error_set(err, ERR_SYNTAX, "%.*s:%u:%u: %s", STR_ARG(s->path), error.line, error.column,
                     error.text);
}

/* Read the .meta of a model. Without one, only the root is known. */
static struct scene *read_model(struct scenes *all, struct str path)
{
    struct scene *s = scenes_make(all, path);
    struct buf file = {0}, meta = buf_make(MAX_META_BYTES);
    if (find_file(all, path, &file, NULL) && buf_add(&file, STR(".meta")))
        file_read(file.p, MAX_META_BYTES, &meta, NULL);
    scene_model_read(s, buf_str(&meta));
    buf_done(&file);
    buf_done(&meta);
    return s;
}

/* ---- sources */

static void keep_source(struct scenes *all, struct scene *s)
{
    struct scene *old = map_set(&all->sources, s->path, s);
    assert(!old);
    (void)old;
}

static void push_scene(struct scene_opening *o, struct scene *s)
{
    struct pending_scene *p = mem_zalloc(sizeof *p);
    p->build.scene = s;
    p->build.all = o->all;
    scene_read(&p->build);
    if (o->depth == o->cap)
        mem_grow((void **)&o->stack, &o->cap, o->depth + 1, sizeof *o->stack);
    o->stack[o->depth++] = p;
    map_set(&o->open, s->path, p);
}

static void report_source(struct scenes *all, struct str path, const struct error *err)
{
    struct diagnostic about = {
        .level = DIAGNOSTIC_ERROR, .kind = DIAGNOSTIC_UNREADABLE, .file = path};
    scenes_report(all, &about, err->text);
}

/* Start to read a source. Return true if it is ready, false if it is on the stack. */
static bool open_source(struct scene_opening *o, struct str path)
{
    struct scene *s;
    if (!str_ends(path, STR(".prefab"))) {
        keep_source(o->all, read_model(o->all, path));
        return true;
    }
    struct error err = {0};
    s = scenes_make(o->all, path);
    if (read_text(s, &err) && split_text(s, &err)) {
        s->more->is_complete = true;
        push_scene(o, s);
        return false;
    }
    report_source(o->all, path, &err);
    buf_done(&s->more->text);
    keep_source(o->all, s); /* not reloaded until it changes */
    return true;
}

/* Find the source of the next instance; false: another file must be read first. */
static bool find_source(struct scene_opening *o, struct pending_scene *p)
{
    struct scene *s = p->build.scene;
    struct scene_instance *in = &s->instances[p->next];
    struct scene_link *link = &s->more->links[p->next];
    uint32_t doc = (uint32_t)(in->doc - s->file.docs);
    struct str path = assets_path(o->all->assets, in->guid);
    if (path.n > 0) {
        if (map_get(&o->open, path)) {
            scene_build_report(&p->build, doc, "%.*s contains itself: this instance has no content",
                               STR_ARG(path));
            in->source_path = arena_str(&s->more->arena, path);
            p->next++;
            return true;
        }
        link->cached = map_get(&o->all->sources, path);
        if (!link->cached && !open_source(o, path))
            return false;
        link->cached = map_get(&o->all->sources, path);
        link->cached->more->refs++;
        in->source_path = link->cached->path;
    } else {
        char guid[GUID_LEN + 1];
        guid_print(in->guid, guid);
        scene_build_report(&p->build, doc, "missing prefab: no asset has the GUID %s", guid);
    }
    if (link->cached && link->cached->more->is_complete) {
        link->source = link->cached;
        link->source->more->refs++;
    } else {
        prefab_guess(&p->build, p->next);
    }
    p->next++;
    return true;
}

static void finish_scene(struct scene_opening *o)
{
    struct pending_scene *p = o->stack[--o->depth];
    struct scene *s = p->build.scene;
    for (uint32_t i = 0; i < s->instance_count; i++)
        prefab_clone(&p->build, i);
    scene_order(&p->build);
    scene_lay_out(&p->build);
    scene_build_done(&p->build);
    s->more->counted = s->node_count;
    o->all->nodes += s->node_count;
    map_remove(&o->open, s->path);
    if (o->depth > 0)
        keep_source(o->all, s);
    free(p);
}

static void build_scene(struct scenes *all, struct scene *s)
{
    struct scene_opening o = {.all = all};
    push_scene(&o, s);
    while (o.depth > 0) {
        struct pending_scene *p = o.stack[o.depth - 1];
        while (p->next < p->build.scene->instance_count && find_source(&o, p))
            ;
        if (p == o.stack[o.depth - 1])
            finish_scene(&o);
    }
    free(o.stack);
    map_done(&o.open);
}

/* ---- public functions */

static struct scene *open_text(struct scene *s, bool has_text, struct error *err)
{
    if (!has_text || !split_text(s, err)) {
        scenes_close(s);
        return NULL;
    }
    s->more->is_complete = true;
    build_scene(s->owner, s);
    return s;
}

struct scene *scenes_open(struct scenes *all, struct str path, struct error *err)
{
    struct scene *s = scenes_make(all, path);
    return open_text(s, read_text(s, err), err);
}

struct scene *scenes_load(struct scenes *all, struct str path, struct buf *text, struct error *err)
{
    struct scene *s = scenes_make(all, path);
    s->more->text = *text;
    *text = (struct buf){.max = text->max};
    return open_text(s, true, err);
}

/* Whether one of its sources was dropped or has appeared. */
static bool is_outdated(const struct scene *s)
{
    for (size_t i = 0; i < s->instance_count; i++) {
        const struct scene *cached = s->more->links[i].cached;
        if (cached ? cached->more->is_forgotten
                   : s->instances[i].source_path.n == 0 &&
                         assets_path(s->owner->assets, s->instances[i].guid).n > 0)
            return true;
    }
    return false;
}

void scenes_forget(struct scenes *all, struct str path)
{
    struct str file = path;
    if (str_ends(file, STR(".meta")))
        file = str_head(file, file.n - STR(".meta").n);
    MAP_EACH (&all->sources, i) { /* sources precede their users */
        const struct scene *s = map_value(&all->sources, i);
        if (path.n == 0 || str_eq(s->path, file) || is_outdated(s))
            drop_source(all, i);
    }
}

bool scenes_is_stale(const struct scene *s)
{
    return is_outdated(s);
}
