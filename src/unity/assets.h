/* Which assets a project has: GUID <-> path, out of the .meta files.
 *
 *     struct assets *a = assets_open(&project, &sink);     // from the cache where it is fresh
 *     struct str path = assets_path(a, guid);              // "Assets/Materials/Alert.mat"
 *     struct guid g;
 *     assets_guid(a, STR("Assets/Materials/Alert.mat"), &g);
 *     assets_named(a, STR("EnemyChaser"), STR(".cs"), &n)  // indexes for assets_at()
 *     assets_refresh(a, STR("Assets/Scripts"));            // after a change there
 *     assets_close(a);
 *
 * Roots, in this order: Assets, then the packages of the project, embedded, local, cached. Paths
 * in a package are shown as Unity shows them, Packages/<name>/..., wherever it is on disk. Names
 * that Unity ignores are ignored: those that start with "." or end with "~", "cvs", *.tmp. Links
 * to folders are followed, but not in circles.
 *
 * A GUID that is there twice belongs to the asset whose file is there, then to that of the first
 * root, then to the first path; a note says so. A file without a .meta (or with one that has no
 * GUID) is listed with a zero GUID, a .meta without its file as missing: a note each, at most 100
 * of a kind, then their number. A refresh says only what is new.
 *
 * The index is kept in Library/Multiverse/assets.index inside the project (nothing is said if it
 * cannot be written). Opening it again looks at the folders alone: a folder whose times are the
 * same is taken over, and one that changed is read alone. A .meta that was rewritten in place in
 * an unchanged folder is noticed when it is asked for: assets_path() and assets_guid() look at the
 * time of that one file once per refresh, and read it if it is not older than what is known of it.
 *
 * Paths that were given out stay valid until assets_refresh() answers true, or assets_close(). The
 * project has to outlive the index, and so does what the sink points to. Opening blocks: a large
 * project that was never opened takes a second or so.
 */
#pragma once

#include "base/buf.h"
#include "unity/diagnostic.h"
#include "unity/guid.h"
#include "unity/project.h"

struct assets;

struct asset {
    struct guid guid; /* zero: none, nothing can refer to it */
    struct str path;  /* as Unity shows it, with '/' */
    bool is_folder;
    bool is_missing; /* there is a .meta and no file: still resolvable by name */
};

struct assets_stats {
    size_t assets, folders, metas_read, folders_read; /* the latter two: since the last refresh */
    bool from_cache;
};

struct assets *assets_open(const struct project *project, const struct diagnostic_sink *sink);
void assets_close(struct assets *a); /* NULL is fine; writes the cache if it changed */

/* What is below this folder or is this file (path as shown; empty: all) is looked at again; a path
 * that is not known, or gone, is fine. True: something changed. assets_generation() changes with
 * it, and when a .meta is noticed to be another. A file that was only saved is no change. */
bool assets_refresh(struct assets *a, struct str path);
/* The same for all, with the packages that the project has now: to be called once it was read
 * again, before anything else. */
bool assets_take_packages(struct assets *a);
uint64_t assets_generation(const struct assets *a);

struct str assets_path(struct assets *a, struct guid guid); /* empty: not known */
bool assets_guid(struct assets *a, struct str path, struct guid *out);
/* Where the file is, or would be, on disk: absolute. False: not a path below a root, or one with
 * "..", "." or "//" in it. Where links lead is for project_contains(). */
bool assets_file(struct assets *a, struct str path, struct buf *out);

size_t assets_count(const struct assets *a);
struct asset assets_at(const struct assets *a, size_t i); /* sorted by path */
/* Indexes of the assets called stem + extension (".cs"), whatever their folder; sorted by path. An
 * empty stem: all with that extension, in capitals or not. The array is the index's own, until the
 * next call or refresh. */
const uint32_t *assets_named(struct assets *a, struct str stem, struct str extension,
                             size_t *count);
struct assets_stats assets_stats(const struct assets *a);
