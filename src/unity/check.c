#include "unity/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/mem.h"
#include "unity/builtin.h"
#include "unity/check_file.h"
#include "unity/scene.h"

#define MAX_THREADS        8u
#define MAX_MANIFEST_BYTES (4u << 20)

/* The extensions that Unity writes as YAML. */
static const struct str extensions[] = {
    STR_INIT(".anim"),           STR_INIT(".asset"),
    STR_INIT(".brush"),          STR_INIT(".controller"),
    STR_INIT(".cubemap"),        STR_INIT(".flare"),
    STR_INIT(".fontsettings"),   STR_INIT(".giparams"),
    STR_INIT(".guiskin"),        STR_INIT(".lighting"),
    STR_INIT(".mask"),           STR_INIT(".mat"),
    STR_INIT(".mixer"),          STR_INIT(".overrideController"),
    STR_INIT(".physicMaterial"), STR_INIT(".physicsMaterial2D"),
    STR_INIT(".playable"),       STR_INIT(".prefab"),
    STR_INIT(".preset"),         STR_INIT(".renderTexture"),
    STR_INIT(".scenetemplate"),  STR_INIT(".shadervariants"),
    STR_INIT(".signal"),         STR_INIT(".spriteatlas"),
    STR_INIT(".terrainlayer"),   STR_INIT(".unity"),
};

/* A file, and its path in the project. */
struct check_entry {
    struct str shown;
    struct check_file file;
};

struct project_check {
    const struct check_options *o;
    struct check_report *report;
    struct check_entry *entries;
    size_t count, cap;
    atomic_size_t next, done;
    struct scenes *scenes;
    bool has_all_packages;
    struct map scripts; /* guid and id as a text -> static bool */
    size_t finding_cap;
};

static const char *const kind_names[CHECK_KIND_COUNT] = {
    [CHECK_UNREADABLE] = "unreadable",         [CHECK_NOT_IDENTICAL] = "not_identical",
    [CHECK_MISSING_SCRIPT] = "missing_script", [CHECK_BROKEN_REFERENCE] = "broken_reference",
    [CHECK_DUPLICATE_GUID] = "duplicate_guid",
};

const char *check_kind_name(enum check_kind kind)
{
    return kind_names[kind];
}

static void add_finding(struct project_check *c, struct check_finding finding)
{
    struct check_report *r = c->report;
    if (r->count == c->finding_cap)
        mem_grow((void **)&r->findings, &c->finding_cap, c->finding_cap + 1, sizeof finding);
    r->findings[r->count++] = finding;
    r->counts[finding.kind]++;
}

/* ---- list of files */

static bool is_yaml(struct str path)
{
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (path.n > extensions[i].n &&
            str_eq_nocase(str_skip(path, path.n - extensions[i].n), extensions[i]))
            return true;
    return false;
}

static void list_file(struct project_check *c, struct str path, bool is_meta)
{
    struct arena *a = &c->report->arena;
    struct buf file = {0};
    if (assets_file(c->o->assets, path, &file)) {
        if (c->count == c->cap)
            mem_grow((void **)&c->entries, &c->cap, c->cap + 1, sizeof *c->entries);
        const char *end = is_meta ? ".meta" : "";
        c->entries[c->count++] = (struct check_entry){
            .shown = arena_printf(a, "%.*s%s", STR_ARG(path), end),
            .file = {.is_meta = is_meta,
                     .path = arena_printf(a, "%.*s%s", STR_ARG(buf_str(&file)), end).p}};
    }
    buf_done(&file);
}

static void list_files(struct project_check *c)
{
    if (c->o->only.n) {
        list_file(c, c->o->only, false);
        return;
    }
    for (size_t i = 0; i < assets_count(c->o->assets); i++) {
        struct asset asset = assets_at(c->o->assets, i);
        if (!asset.is_folder && !asset.is_missing && is_yaml(asset.path))
            list_file(c, asset.path, false);
        if (!guid_is_zero(asset.guid))
            list_file(c, asset.path, true);
    }
}

/* ---- reading on several threads */

static void read_next(struct project_check *c, bool reports)
{
    size_t i;
    while ((i = atomic_fetch_add(&c->next, 1)) < c->count) {
        check_file_read(&c->entries[i].file);
        size_t done = atomic_fetch_add(&c->done, 1) + 1;
        if (reports && c->o->progress)
            c->o->progress(done, c->count, c->o->ctx);
    }
}

static void *run_thread(void *ctx)
{
    read_next(ctx, false);
    return NULL;
}

static void read_files(struct project_check *c)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = c->o->threads ? c->o->threads : processors > 0 ? (size_t)processors : 1;
    pthread_t threads[MAX_THREADS];
    size_t started = 0;
    if (wanted > MAX_THREADS)
        wanted = MAX_THREADS;
    while (started + 1 < wanted && pthread_create(&threads[started], NULL, run_thread, c) == 0)
        started++;
    read_next(c, true);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (c->o->progress)
        c->o->progress(c->count, c->count, c->o->ctx);
}

/* ---- packages, assets and scripts */

/* Whether the package is on disk. Modules are part of the editor, and features are only lists of
 * packages. */
static bool has_package(const struct project *p, struct str name)
{
    if (str_starts(name, STR("com.unity.modules.")) || str_starts(name, STR("com.unity.feature.")))
        return true;
    for (size_t i = 0; i < p->package_count; i++)
        if (str_eq(p->packages[i].name, name))
            return true;
    return false;
}

static bool has_all_packages(const struct project *p)
{
    struct buf path = {0}, text = buf_make(MAX_MANIFEST_BYTES);
    struct arena a = {0};
    bool all = true;
    buf_printf(&path, "%s/Packages/manifest.json", p->root);
    if (file_read(path.p, MAX_MANIFEST_BYTES, &text, NULL)) { /* missing before 2018 */
        const struct json *manifest = json_parse(&a, buf_str(&text), NULL, NULL);
        const struct json *names = json_get(manifest, STR("dependencies"));
        all = manifest != NULL;
        JSON_EACH (names, name)

            all = all && has_package(p, json_str(name));
    }
    arena_done(&a);
    buf_done(&path);
    buf_done(&text);
    return all;
}

/* Unity's own files have GUIDs of 16 zeros, a digit and 15 zeros. */
static bool is_builtin(struct guid g)
{
    return g.hi == 0 && (g.lo & 0x0fffffffffffffffu) == 0;
}

static bool is_asset(struct project_check *c, struct reference r)
{
    return is_builtin(r.guid) || assets_path(c->o->assets, r.guid).n > 0 ||
           builtin_script(r.guid, r.file_id) != NULL;
}

static bool has_script(struct project_check *c, struct reference r, struct str identifier)
{
    if (c->o->types)
        return types_component(c->o->types, 114, r, identifier) != NULL;
    return !reference_is_null(r) && is_asset(c, r);
}

static bool is_script(struct project_check *c, const struct check_use *use)
{
    static const bool yes = true, no = false;
    char guid[GUID_LEN + 1];
    struct buf key = {0};
    guid_print(use->reference.guid, guid);
    buf_printf(&key, "%s %lld %.*s", guid, (long long)use->reference.file_id,
               STR_ARG(use->identifier));
    const bool *known = map_get(&c->scripts, buf_str(&key));
    if (!known) {
        known = has_script(c, use->reference, use->identifier) ? &yes : &no;
        map_set(&c->scripts, buf_str(&key), (void *)(uintptr_t)known);
    }
    buf_done(&key);
    return *known;
}

/* ---- findings */

static void count_file(struct project_check *c, const struct check_entry *e)
{
    struct check_report *r = c->report;
    const struct check_file *f = &e->file;
    r->files++;
    r->bytes += f->bytes;
    r->documents += f->documents;
    r->binary += f->state == CHECK_FILE_BINARY;
    if (f->state != CHECK_FILE_UNREADABLE && f->state != CHECK_FILE_NOT_IDENTICAL)
        return;
    add_finding(c, (struct check_finding){.kind = f->state == CHECK_FILE_UNREADABLE
                                                      ? CHECK_UNREADABLE
                                                      : CHECK_NOT_IDENTICAL,
                                          .file = e->shown,
                                          .line = f->line,
                                          .message = arena_str(&r->arena, f->text)});
}

static struct str format_times(struct project_check *c, size_t n)
{
    return n > 1 ? arena_printf(&c->report->arena, " (%zu times)", n) : (struct str){0};
}

static void check_script(struct project_check *c, const struct check_entry *e,
                         const struct check_use *use)
{
    char guid[GUID_LEN + 1];
    if (is_script(c, use))
        return;
    guid_print(use->reference.guid, guid);
    add_finding(
        c, (struct check_finding){.kind = CHECK_MISSING_SCRIPT,
                                  .file = e->shown,
                                  .line = use->line,
                                  .message = reference_is_null(use->reference)
                                                 ? STR("this component has no script")
                                                 : arena_printf(&c->report->arena,
                                                                "unknown script of a component: "
                                                                "GUID %s",
                                                                guid)});
}

static void check_asset(struct project_check *c, const struct check_entry *e,
                        const struct check_use *use)
{
    char guid[GUID_LEN + 1];
    if (is_asset(c, use->reference))
        return;
    if (!c->has_all_packages) {
        c->report->unresolved++;
        return;
    }
    guid_print(use->reference.guid, guid);
    struct str often = format_times(c, use->times);
    add_finding(c, (struct check_finding){.kind = CHECK_BROKEN_REFERENCE,
                                          .file = e->shown,
                                          .line = use->line,
                                          .message = arena_printf(&c->report->arena,
                                                                  "no asset has the GUID %s%.*s",
                                                                  guid, STR_ARG(often))});
}

static void check_object(struct project_check *c, const struct check_entry *e,
                         const struct check_use *use, const struct scene *scene)
{
    struct scene_place place;
    if (scene && scene_where(scene, use->reference.file_id, &place))
        return; /* in an instance */
    struct str often = format_times(c, use->times);
    add_finding(c, (struct check_finding){
                       .kind = CHECK_BROKEN_REFERENCE,
                       .file = e->shown,
                       .line = use->line,
                       .message = arena_printf(&c->report->arena, "the file has no object %lld%.*s",
                                               (long long)use->reference.file_id, STR_ARG(often))});
}

static void check_uses(struct project_check *c, const struct check_entry *e)
{
    struct scene *scene = NULL;
    bool is_scene = str_ends(e->shown, STR(".unity")) || str_ends(e->shown, STR(".prefab"));
    for (size_t i = 0; i < e->file.use_count; i++) {
        const struct check_use *use = &e->file.uses[i];
        switch (use->kind) {
        case CHECK_USE_OBJECT:
            if (!scene && is_scene)
                scene = scenes_open(c->scenes, e->shown, NULL);
            is_scene = scene != NULL;
            check_object(c, e, use, scene);
            break;
        case CHECK_USE_ASSET:
            check_asset(c, e, use);
            break;
        case CHECK_USE_SCRIPT:
            check_script(c, e, use);
            break;
        }
    }
    scenes_close(scene);
}

static int compare_assets(const void *a, const void *b)
{
    const struct asset *x = a, *y = b;
    int guids = guid_cmp(x->guid, y->guid);
    return guids ? guids : str_cmp(x->path, y->path);
}

static void find_duplicate_guids(struct project_check *c)
{
    struct arena *a = &c->report->arena;
    size_t count = assets_count(c->o->assets);
    struct asset *all = mem_alloc((count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = assets_at(c->o->assets, i);
    qsort(all, count, sizeof *all, compare_assets);
    for (size_t i = 0, first = 0; i < count; i++) {
        char guid[GUID_LEN + 1];
        if (!guid_eq(all[i].guid, all[first].guid))
            first = i;
        if (i == first || guid_is_zero(all[i].guid))
            continue;
        guid_print(all[i].guid, guid);
        add_finding(c, (struct check_finding){
                           .kind = CHECK_DUPLICATE_GUID,
                           .file = arena_printf(a, "%.*s.meta", STR_ARG(all[i].path)),
                           .line = 2,
                           .message = arena_printf(a, "duplicate GUID %s: %.*s has it, too", guid,
                                                   STR_ARG(all[first].path))});
    }
    free(all);
}

static int compare_findings(const void *a, const void *b)
{
    const struct check_finding *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    int files = str_cmp(x->file, y->file);
    if (files)
        return files;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : str_cmp(x->message, y->message);
}

void check_project(const struct check_options *o, struct check_report *out)
{
    *out = (struct check_report){0};
    struct project_check c = {
        .o = o, .report = out, .has_all_packages = has_all_packages(o->project)};
    c.scenes = scenes_new(o->project, o->assets, NULL);
    list_files(&c);
    read_files(&c);
    for (size_t i = 0; i < c.count; i++) {
        count_file(&c, &c.entries[i]);
        check_uses(&c, &c.entries[i]);
        check_file_done(&c.entries[i].file);
    }
    if (!o->only.n)
        find_duplicate_guids(&c);
    if (out->count)
        qsort(out->findings, out->count, sizeof *out->findings, compare_findings);
    scenes_free(c.scenes);
    map_done(&c.scripts);
    free(c.entries);
}

void check_report_done(struct check_report *r)
{
    free(r->findings);
    arena_done(&r->arena);
    *r = (struct check_report){0};
}
