/* The index of a project's assets: GUID <-> path, from the .meta files.
 *
 *     size_t count;
 *     struct guid guid;
 *     struct assets *assets = assets_open(&project, &sink);     // from the cache if it is fresh
 *     assets_guid(assets, STR("Assets/Materials/Alert.mat"), &guid);
 *     struct str path = assets_path(assets, guid);              // "Assets/Materials/Alert.mat"
 *     const uint32_t *found = assets_named(assets, STR("Hero"), STR(".cs"), &count);
 *     if (count > 0)
 *         path = assets_at(assets, found[0]).path;
 *     assets_refresh(assets, STR("Assets/Scripts"));            // after a change in there
 *     assets_close(assets);
 *
 * The roots are Assets, then the packages of the project: embedded, local, cached. Paths in
 * packages have Unity's form Packages/<name>/..., wherever the package is on disk. As in Unity,
 * names that start with "." or end with "~", "cvs" and *.tmp are ignored. Links to folders are
 * followed, but not in circles.
 *
 * A duplicate GUID belongs to the asset whose file exists, then to the first root, then to the
 * first path, and is reported. A file without a .meta, or with one that has no GUID, is listed with
 * a zero GUID; a .meta without its file is listed as missing. Both are reported, at most 100 of a
 * kind and then their number. A refresh reports only new problems.
 *
 * The index is cached in Library/Multiverse/assets.index in the project; errors while writing it
 * are ignored. Opening it again compares the times of the folders and reads only those that
 * changed. A .meta that was rewritten in place does not change its folder, so assets_path() and
 * assets_guid() check the time of that one file once per refresh, and read it if it is not older
 * than the index.
 *
 * Returned paths are valid until assets_refresh() returns true, or until assets_close(). The
 * project and the context of the sink must outlive the index. Opening blocks: the first time, a
 * large project takes about a second.
 */
#pragma once

#include "base/buf.h"
#include "unity/diagnostic.h"
#include "unity/guid.h"
#include "unity/project.h"

struct assets;

struct asset {
    struct guid guid; /* zero: none, so nothing can refer to it */
    struct str path;  /* in Unity's form, with '/' */
    bool is_folder;
    bool is_missing; /* a .meta without its file; still found by name */
};

struct assets_stats {
    size_t assets, folders, metas_read, folders_read; /* the latter two: since the last refresh */
    bool from_cache;
};

struct assets *assets_open(const struct project *project, const struct diagnostic_sink *sink);
void assets_close(struct assets *a); /* accepts NULL; writes the cache if it changed */

/* Check a file, or everything below a folder, for changes. path is in Unity's form; empty:
 * everything; it need not exist. Return whether the index changed; then assets_generation() changes
 * too, as it does when another .meta is noticed. A file that was only saved is no change. */
bool assets_refresh(struct assets *a, struct str path);
/* Refresh everything with the current packages of the project. Call this after the project was
 * reloaded, before any other function. */
bool assets_reload_packages(struct assets *a);
uint64_t assets_generation(const struct assets *a);

struct str assets_path(struct assets *a, struct guid guid); /* empty: unknown */
bool assets_guid(struct assets *a, struct str path, struct guid *out);
/* Set *out to the absolute path of a file, which need not exist. Return false if the path is not
 * below a root, or contains "..", "." or "//". Does not check links: see project_contains(). */
bool assets_file(struct assets *a, struct str path, struct buf *out);

size_t assets_count(const struct assets *a);
struct asset assets_at(const struct assets *a, size_t i); /* sorted by path */
/* Return the indexes of assets with the name stem + extension (".cs") in any folder, sorted by
 * path. With an empty stem, return all with that extension, in any case. The array is valid until
 * the next call or refresh. */
const uint32_t *assets_named(struct assets *a, struct str stem, struct str extension,
                             size_t *count);
struct assets_stats assets_stats(const struct assets *a);
