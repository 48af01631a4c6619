/* Reads the folders of a project into a tree, on a few threads: what is known and fresh is taken
 * over from an older table, the rest is listed, and its .meta files are opened.
 *
 *     struct assets_scan s = {.roots = roots, .root_count = n, .old = &table, .fresh = fresh};
 *     assets_scan_run(&s);
 *     if (s.changed) table = assets_scan_make_table(&s);          // else only s.read's stamps are news
 *     assets_scan_done(&s);
 *
 * What is taken over points into the old table, which has to outlive the scan. Links to folders are
 * followed, as Unity does, but never into a folder that the link is in, and no more than
 * ASSETS_MAX_LINKED folders are reached that way.
 */
#pragma once

#include <stdatomic.h>

#include "base/arena.h"
#include "base/buf.h"
#include "unity/assets_table.h"

#define ASSETS_MAX_LINKED  10000u
#define ASSETS_MAX_ENTRIES 8000000u   /* of all folders together; what is above is left out */
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
    struct scan_folder *folder; /* of a folder that is looked into */
};

struct scan_folder {
    struct str path; /* as shown */
    uint32_t root;
    uint32_t old; /* its row in the old table, or ASSETS_TABLE_NONE */
    bool is_linked;
    struct scan_folder *parent;
    struct assets_stamp stamp;
    struct scan_entry *entries; /* by name */
    size_t count;
    int failed;               /* errno: it could not be read */
    bool was_cut;             /* one of the limits: not all of it is here */
    struct scan_folder *next; /* in the queue, then among those that were read */
};

struct scan_worker;

struct assets_scan {
    const struct scan_root *roots; /* in the order in which they count */
    size_t root_count;
    const struct assets_table *old; /* NULL: none */
    const unsigned char *fresh;     /* for each folder of old: 1 takes it over */
    bool in_parallel;
    /* the result */
    struct scan_folder **tops; /* one for each root */
    struct scan_folder *read;  /* all that were listed, in no order */
    bool changed;              /* something differs from old */
    size_t folders, entries, text_bytes, metas_read, folders_read;
    /* private */
    struct scan_worker *workers;
    struct arena arena;
    atomic_size_t linked, all_entries, all_text;
};

void assets_scan_run(struct assets_scan *s);
void assets_scan_done(struct assets_scan *s);

/* The table of the tree that was read: sorted, with all its indexes. */
struct assets_table assets_scan_make_table(const struct assets_scan *s);

/* Names that Unity does not look at: ".x", "x~", "cvs", "x.tmp". */
bool assets_scan_ignores(struct str name);

/* Where a shown path of that root is on disk. */
void assets_scan_disk_path(const struct scan_root *root, struct str path, struct buf *out);

/* The times of a folder as they are now, or all zero if it is not there; and whether they are those
 * of a stamp. */
struct assets_stamp assets_scan_stamp(const char *disk_path);
bool assets_scan_is_same(const struct assets_stamp *a, const struct assets_stamp *b);

/* Whether a file is as it was when its folder was read. */
bool assets_scan_is_known(const struct assets_stamp *folder, const char *disk_path);
