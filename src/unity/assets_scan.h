/* Read the folders of a project into a tree, on a few threads. Fresh folders are copied from an
 * older table; others are listed, and their .meta files read.
 *
 *     struct assets_scan scan = {.roots = roots, .root_count = n, .old = &table, .fresh = fresh};
 *     assets_scan_run(&scan);
 *     if (scan.changed)                               // else only the stamps of scan.read differ
 *         new_table = assets_scan_make_table(&scan);
 *     assets_scan_done(&scan);
 *
 * The tree points into the old table, which must outlive the scan. Links to folders are followed as
 * in Unity, but not into a folder that contains the link, and only to ASSETS_MAX_LINKED folders.
 */
#pragma once

#include <stdatomic.h>

#include "base/arena.h"
#include "base/buf.h"
#include "unity/assets_table.h"

#define ASSETS_MAX_LINKED  10000u
#define ASSETS_MAX_ENTRIES 8000000u   /* in total; further ones are left out */
#define ASSETS_MAX_TEXT    (2u << 30) /* bytes of all paths */
#define ASSETS_MAX_PATH    4000u
#define ASSETS_MAX_THREADS 4u

struct scan_root {
    struct str shown; /* "Assets", "Packages/com.unity.ugui" */
    struct str disk;  /* absolute */
};

struct scan_folder;

struct scan_entry {
    struct str name;
    struct guid guid;
    uint32_t flags;             /* enum assets_flag */
    struct scan_folder *folder; /* of a folder that is read */
};

struct scan_folder {
    struct str path; /* in Unity's form */
    uint32_t root;
    uint32_t old; /* its row in the old table, or ASSETS_TABLE_NONE */
    bool is_linked;
    struct scan_folder *parent;
    struct assets_stamp stamp;
    struct scan_entry *entries; /* sorted by name */
    size_t count;
    int failed;               /* errno if it could not be read */
    bool was_cut;             /* incomplete because of a limit */
    struct scan_folder *next; /* in the queue, later among the folders that were read */
};

struct scan_worker;

struct assets_scan {
    const struct scan_root *roots; /* in order of priority */
    size_t root_count;
    const struct assets_table *old; /* NULL: none */
    const unsigned char *fresh;     /* for each folder of old: 1 copies it */
    bool in_parallel;
    /* result */
    struct scan_folder **tops; /* one per root */
    struct scan_folder *read;  /* the folders that were listed, unordered */
    bool changed;              /* something differs from old */
    size_t folders, entries, text_bytes, metas_read, folders_read;
    /* private */
    struct scan_worker *workers;
    struct arena arena;
    atomic_size_t linked, all_entries, all_text;
};

void assets_scan_run(struct assets_scan *s);
void assets_scan_done(struct assets_scan *s);

/* Make a table of the tree: sorted, with all indexes. */
struct assets_table assets_scan_make_table(const struct assets_scan *s);

/* Whether Unity ignores this name: ".x", "x~", "cvs", "x.tmp". */
bool assets_scan_ignores(struct str name);

/* Set *out to the place on disk of a path below a root. */
void assets_scan_disk_path(const struct scan_root *root, struct str path, struct buf *out);

/* Return the current times of a folder (zero: it does not exist), or compare stamps. */
struct assets_stamp assets_scan_stamp(const char *disk_path);
bool assets_scan_is_same(const struct assets_stamp *a, const struct assets_stamp *b);

/* Whether a file is unchanged since its folder was read. */
bool assets_scan_is_known(const struct assets_stamp *folder, const char *disk_path);
