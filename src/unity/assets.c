#include "unity/assets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "unity/assets_cache.h"
#include "unity/assets_scan.h"
#include "unity/assets_table.h"
#include "unity/meta.h"

#define MAX_REPORTS  100u /* of a kind */
#define MANY_FOLDERS 8u   /* use threads from this number on */

struct assets {
    const struct project *project;
    struct diagnostic_sink sink;
    struct arena arena; /* for the roots */
    struct scan_root *roots;
    size_t root_count;
    struct assets_table table;
    unsigned char *checked; /* per asset: its .meta was checked since the last refresh */
    uint32_t *picked;       /* the last result of assets_named() that is no run of the table */
    size_t picked_cap;
    struct buf disk;
    uint64_t generation;
    size_t metas_read, folders_read;
    bool from_cache, is_dirty; /* dirty: the cache on disk is outdated */
    bool is_open;              /* the initial problems were reported */
};

/* ---- roots */

static void add_roots(struct assets *a, const struct project *p)
{
    a->roots = arena_alloc(&a->arena, (p->package_count + 1) * sizeof *a->roots);
    a->roots[a->root_count++] =
        (struct scan_root){STR("Assets"), arena_printf(&a->arena, "%s/Assets", p->root)};
    for (size_t i = 0; i < p->package_count; i++) {
        const struct project_package *package = &p->packages[i];
        a->roots[a->root_count++] = (struct scan_root){
            arena_printf(&a->arena, "Packages/%.*s", STR_ARG(package->name)), package->folder};
    }
}

static bool has_roots_of(const struct assets *a, const struct assets_table *t)
{
    bool same = t->head->root_count == a->root_count;
    for (uint32_t i = 0; same && i < a->root_count; i++)
        same = str_eq(assets_table_text(t, t->roots[i].shown), a->roots[i].shown) &&
               str_eq(assets_table_text(t, t->roots[i].disk), a->roots[i].disk);
    return same;
}

/* Whether path is the folder or below it. */
static bool is_in(struct str path, struct str folder)
{
    return str_starts(path, folder) &&
           (path.n == folder.n || folder.n == 0 || path.p[folder.n] == '/');
}

/* hint: the probable index, as there may be many roots. */
static const struct scan_root *find_root(const struct assets *a, struct str path, size_t hint)
{
    if (hint < a->root_count && is_in(path, a->roots[hint].shown))
        return &a->roots[hint];
    for (size_t i = 0; i < a->root_count; i++)
        if (is_in(path, a->roots[i].shown))
            return &a->roots[i];
    return NULL;
}

/* ---- diagnostics */

struct asset_problem {
    uint16_t flag;
    enum diagnostic_level level;
    enum diagnostic_kind kind;
    const char *one;  /* about one file */
    const char *more; /* after the number of those that are not reported one by one */
};

static const struct asset_problem problems[] = {
    {ASSETS_SHADOWED, DIAGNOSTIC_WARNING, DIAGNOSTIC_DUPLICATE_GUID, NULL,
     "more assets have a duplicate GUID"},
    {ASSETS_BAD_META, DIAGNOSTIC_WARNING, DIAGNOSTIC_UNREADABLE, "this file has no GUID",
     "more .meta files have no GUID"},
    {ASSETS_NO_META, DIAGNOSTIC_WARNING, DIAGNOSTIC_MISSING_META,
     "this asset has no .meta file, so nothing can refer to it", "more assets have no .meta file"},
    {ASSETS_MISSING, DIAGNOSTIC_INFO, DIAGNOSTIC_OTHER, "this .meta file has no asset",
     "more .meta files have no asset"},
};

static void report_problem(const struct assets *a, const struct asset_problem *p, uint32_t asset)
{
    const struct assets_table *t = &a->table;
    struct str path = assets_table_path(t, asset);
    bool is_meta = p->flag == ASSETS_BAD_META || p->flag == ASSETS_SHADOWED;
    struct buf file = {0};
    buf_printf(&file, "%.*s%s", STR_ARG(path), is_meta ? META_SUFFIX : "");
    struct diagnostic about = {.level = p->level, .kind = p->kind, .file = buf_str(&file)};
    if (p->flag == ASSETS_SHADOWED) {
        char guid[GUID_LEN + 1];
        struct str other = {0};
        uint32_t first = assets_table_find_guid(t, t->assets[asset].guid);
        if (first != ASSETS_TABLE_NONE)
            other = assets_table_path(t, first);
        guid_print(t->assets[asset].guid, guid);
        diagnostic_report(&a->sink, &about,
                          "duplicate GUID %s: %.*s has it, too, and takes precedence", guid,
                          STR_ARG(other));
    } else {
        diagnostic_report(&a->sink, &about, "%s", p->one);
    }
    buf_done(&file);
}

static bool was_known(const struct assets_table *old, struct str path, uint16_t flag)
{
    if (assets_table_is_empty(old))
        return false;
    uint32_t at = assets_table_find(old, path);
    return at != ASSETS_TABLE_NONE && old->assets[at].flags & flag;
}

/* Report problems that were not in the old table. */
static void report_problems(const struct assets *a, const struct assets_table *old)
{
    const struct assets_table *t = &a->table;
    size_t kinds = sizeof problems / sizeof *problems, counts[sizeof problems / sizeof *problems];
    memset(counts, 0, sizeof counts);
    if (!a->sink.fn)
        return;
    for (uint32_t i = 0; i < t->head->asset_count; i++)
        for (size_t k = 0; k < kinds; k++)
            if (t->assets[i].flags & problems[k].flag &&
                !was_known(old, assets_table_path(t, i), problems[k].flag) &&
                counts[k]++ < MAX_REPORTS)
                report_problem(a, &problems[k], i);
    for (size_t k = 0; k < kinds; k++)
        if (counts[k] > MAX_REPORTS)
            diagnostic_report(
                &a->sink,
                &(struct diagnostic){.level = problems[k].level, .kind = problems[k].kind},
                "%zu %s", counts[k] - MAX_REPORTS, problems[k].more);
}

static void report_folders(const struct assets *a, const struct assets_scan *s)
{
    size_t count = 0;
    for (const struct scan_folder *f = s->read; f && a->sink.fn; f = f->next) {
        if ((!f->failed && !f->was_cut) || count++ >= MAX_REPORTS)
            continue;
        struct diagnostic about = {
            .level = DIAGNOSTIC_WARNING, .kind = DIAGNOSTIC_UNREADABLE, .file = f->path};
        char reason[128];
        if (f->failed)
            diagnostic_report(&a->sink, &about, "cannot read this folder: %s",
                              strerror_r(f->failed, reason, sizeof reason));
        else
            diagnostic_report(&a->sink, &about,
                              "this folder is too large: the rest of it is ignored");
    }
}

/* ---- folders */

static bool is_fresh(struct assets *a, const struct assets_table *t, uint32_t folder)
{
    const struct assets_folder *f = &t->folders[folder];
    struct str path = assets_table_text(t, f->path);
    const struct scan_root *root = find_root(a, path, f->root);
    if (f->stamp.mtime_ns == 0 || !root)
        return false;
    assets_scan_disk_path(root, path, &a->disk);
    struct assets_stamp now = assets_scan_stamp(a->disk.p);
    return assets_scan_is_same(&now, &f->stamp);
}

/* Check which folders in scope (and which that contain it) can be copied. */
static unsigned char *find_fresh(struct assets *a, struct str scope, size_t *stale)
{
    const struct assets_table *t = &a->table;
    unsigned char *fresh = mem_alloc((size_t)t->head->folder_count + 1);
    *stale = 0;
    for (uint32_t i = 0; i < t->head->folder_count; i++) {
        struct str path = assets_table_text(t, t->folders[i].path);
        fresh[i] = (!is_in(path, scope) && !is_in(scope, path)) || is_fresh(a, t, i);
        *stale += !fresh[i];
    }
    return fresh;
}

static void copy_stamps(struct assets *a, const struct assets_scan *s)
{
    for (const struct scan_folder *f = s->read; f; f = f->next) {
        struct assets_stamp *stamp = &a->table.folders[f->old].stamp;
        a->is_dirty |= !assets_scan_is_same(stamp, &f->stamp);
        *stamp = f->stamp;
    }
}

/* Read folders that are not fresh. Return whether the table was replaced. */
static bool run_scan(struct assets *a, const unsigned char *fresh, bool in_parallel)
{
    bool had_table = !assets_table_is_empty(&a->table);
    struct assets_scan s = {
        .roots = a->roots,
        .root_count = a->root_count,
        .old = had_table ? &a->table : NULL,
        .fresh = fresh,
        .in_parallel = in_parallel,
    };
    assets_scan_run(&s);
    a->metas_read += s.metas_read;
    a->folders_read += s.folders_read;
    bool changed = s.changed || !had_table || !has_roots_of(a, &a->table);
    report_folders(a, &s);
    if (changed) {
        struct assets_table old = a->table;
        a->table = assets_scan_make_table(&s);
        free(a->checked);
        a->checked = mem_zalloc((size_t)a->table.head->asset_count + 1);
        a->is_dirty = true;
        a->generation++;
        report_problems(a, a->is_open ? &old : &(struct assets_table){0});
        assets_scan_done(&s); /* it points into the old table */
        assets_table_done(&old);
    } else {
        copy_stamps(a, &s);
        assets_scan_done(&s);
    }
    return changed;
}

/* ---- one .meta file */

/* Rewriting a .meta in place does not change its folder. */
static bool check_meta(struct assets *a, uint32_t asset)
{
    struct assets_row *row = &a->table.assets[asset];
    struct str path = assets_table_path(&a->table, asset);
    const struct scan_root *root = find_root(a, path, a->table.folders[row->folder].root);
    if (a->checked[asset] || !root)
        return false;
    a->checked[asset] = 1;
    assets_scan_disk_path(root, path, &a->disk);
    buf_add(&a->disk, STR(META_SUFFIX));
    if (assets_scan_is_known(&a->table.folders[row->folder].stamp, a->disk.p))
        return false;
    struct guid now = {0};
    enum meta_result result = meta_read(AT_FDCWD, a->disk.p, &now);
    a->metas_read++;
    unsigned flags = row->flags & ~(unsigned)(ASSETS_BAD_META | ASSETS_NO_META);
    flags |= result == META_BAD ? ASSETS_BAD_META : result == META_NONE ? ASSETS_NO_META : 0u;
    if (guid_eq(now, row->guid) && flags == row->flags)
        return false;
    row->guid = now;
    row->flags = (uint16_t)flags;
    assets_table_index_guids(&a->table);
    a->generation++;
    a->is_dirty = true;
    return true;
}

/* ---- open and close */

struct assets *assets_open(const struct project *project, const struct diagnostic_sink *sink)
{
    struct assets *a = mem_zalloc(sizeof *a);
    a->project = project;
    if (sink)
        a->sink = *sink;
    add_roots(a, project);
    a->from_cache = assets_cache_load(project, &a->table);
    unsigned char *fresh = NULL;
    size_t stale = 0;
    bool changed = false;
    if (a->from_cache) {
        a->checked = mem_zalloc((size_t)a->table.head->asset_count + 1);
        fresh = find_fresh(a, (struct str){0}, &stale);
    }
    if (!a->from_cache || stale || !has_roots_of(a, &a->table))
        changed = run_scan(a, fresh, !a->from_cache || stale > MANY_FOLDERS);
    if (!changed) { /* else run_scan() reported */
        report_problems(a, &(struct assets_table){0});
        a->generation = 1;
    }
    free(fresh);
    a->is_open = true;
    return a;
}

void assets_close(struct assets *a)
{
    if (!a)
        return;
    if (a->is_dirty)
        assets_cache_store(a->project, &a->table);
    assets_table_done(&a->table);
    free(a->checked);
    free(a->picked);
    buf_done(&a->disk);
    arena_done(&a->arena);
    free(a);
}

/* Read the folders in scope that are not fresh. */
static bool refresh_folders(struct assets *a, struct str scope)
{
    memset(a->checked, 0, a->table.head->asset_count);
    a->metas_read = a->folders_read = 0;
    size_t stale;
    unsigned char *fresh = find_fresh(a, scope, &stale);
    bool changed =
        (stale || !has_roots_of(a, &a->table)) && run_scan(a, fresh, stale > MANY_FOLDERS);
    free(fresh);
    return changed;
}

bool assets_reload_packages(struct assets *a)
{
    arena_reset(&a->arena);
    a->root_count = 0;
    add_roots(a, a->project);
    return refresh_folders(a, (struct str){0});
}

/* Replacing a known file with a new version touches its folder, but changes nothing in the
 * index. */
static bool is_only_saved(struct assets *a, uint32_t asset)
{
    struct stat st;
    return asset != ASSETS_TABLE_NONE &&
           !(a->table.assets[asset].flags & (ASSETS_FOLDER | ASSETS_MISSING | ASSETS_NO_META)) &&
           assets_file(a, assets_table_path(&a->table, asset), &a->disk) &&
           stat(a->disk.p, &st) == 0 && S_ISREG(st.st_mode);
}

bool assets_refresh(struct assets *a, struct str path)
{
    struct str suffix = STR(META_SUFFIX);
    while (path.n && path.p[path.n - 1] == '/')
        path.n--;
    bool is_meta = str_ends(path, suffix), changed = false;
    if (is_meta)
        path.n -= suffix.n;
    char *kept = str_dup(path); /* path may point into the table */
    path.p = kept;
    uint32_t asset = assets_table_find(&a->table, path);
    if (!is_meta && is_only_saved(a, asset)) {
        a->checked[asset] = 0;
        a->metas_read = a->folders_read = 0;
    } else {
        changed = refresh_folders(a, path);
        asset = assets_table_find(&a->table, path);
    }
    if (asset != ASSETS_TABLE_NONE)
        changed |= check_meta(a, asset);
    free(kept);
    return changed;
}

uint64_t assets_generation(const struct assets *a)
{
    return a->generation;
}

/* ---- queries */

struct str assets_path(struct assets *a, struct guid guid)
{
    for (;;) { /* terminates: each .meta is checked once */
        uint32_t asset = assets_table_find_guid(&a->table, guid);
        if (asset == ASSETS_TABLE_NONE)
            return (struct str){0};
        if (!check_meta(a, asset))
            return assets_table_path(&a->table, asset);
    }
}

bool assets_guid(struct assets *a, struct str path, struct guid *out)
{
    uint32_t asset = assets_table_find(&a->table, path);
    if (asset == ASSETS_TABLE_NONE)
        return false;
    check_meta(a, asset);
    if (guid_is_zero(a->table.assets[asset].guid))
        return false;
    *out = a->table.assets[asset].guid;
    return true;
}

bool assets_file(struct assets *a, struct str path, struct buf *out)
{
    const struct scan_root *root = find_root(a, path, 0);
    struct str rest = path, part;
    if (!root || (path.n && memchr(path.p, 0, path.n)))
        return false;
    do {
        bool more = str_cut(&rest, '/', &part);
        if (part.n == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")) ||
            (more && rest.n == 0))
            return false;
    } while (rest.n);
    buf_clear(out);
    buf_add(out, root->disk);
    return buf_add(out, str_skip(path, root->shown.n));
}

size_t assets_count(const struct assets *a)
{
    return a->table.head->asset_count;
}

struct asset assets_at(const struct assets *a, size_t i)
{
    const struct assets_row *row = &a->table.assets[i];
    return (struct asset){
        .guid = row->guid,
        .path = assets_table_path(&a->table, (uint32_t)i),
        .is_folder = row->flags & ASSETS_FOLDER,
        .is_missing = row->flags & ASSETS_MISSING,
    };
}

static bool is_named(const struct assets *a, uint32_t asset, struct str stem, struct str extension)
{
    struct str name = assets_table_name(&a->table, asset);
    if (stem.n == 0)
        return str_eq_nocase(assets_table_extension(name), extension);
    return name.n == stem.n + extension.n && str_starts(name, stem) && str_ends(name, extension);
}

const uint32_t *assets_named(struct assets *a, struct str stem, struct str extension, size_t *count)
{
    const struct assets_table *t = &a->table;
    uint32_t assets = t->head->asset_count, length, at;
    const uint32_t *run;
    if (stem.n == 0) {
        at = assets_table_run(t->extension_hash, assets, assets_table_hash_extension(t, extension),
                              &length);
        run = t->by_extension + at;
    } else {
        struct buf name = {0};
        buf_add(&name, stem);
        buf_add(&name, extension);
        at = assets_table_run(t->name_hash, assets, assets_table_hash(t, buf_str(&name)), &length);
        run = t->by_name + at;
        buf_done(&name);
    }
    size_t good = 0;
    while (good < length && is_named(a, run[good], stem, extension))
        good++;
    *count = good;
    if (good == length)
        return run;
    /* A hash collision: select by name. */
    mem_grow((void **)&a->picked, &a->picked_cap, length, sizeof *a->picked);
    *count = 0;
    for (uint32_t i = 0; i < length; i++)
        if (is_named(a, run[i], stem, extension))
            a->picked[(*count)++] = run[i];
    return a->picked;
}

struct assets_stats assets_stats(const struct assets *a)
{
    return (struct assets_stats){
        .assets = a->table.head->asset_count,
        .folders = a->table.head->folder_count,
        .metas_read = a->metas_read,
        .folders_read = a->folders_read,
        .from_cache = a->from_cache,
    };
}
