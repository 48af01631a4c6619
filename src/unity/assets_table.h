/* The index of a project's assets in one block of memory, which is also its form on disk.
 *
 *     head | roots | folders | assets | children | by_name | by_extension | guid slots | text
 *
 * Each section is an array; references are indexes and offsets into the text. A block from a file
 * is used as it is, after assets_table_check() validated every reference. Assets are sorted by the
 * bytes of their path; folders by their path with a '/' at the end, so a folder precedes its
 * contents. assets_scan.c builds a table, assets_cache.c stores it, assets.c queries it.
 *
 * The assets of a folder are children[first_child .. +child_count], sorted by name.
 */
#pragma once

#include "unity/guid.h"

#define ASSETS_TABLE_NONE    UINT32_MAX
#define ASSETS_TABLE_VERSION 1u /* of the format; other versions are not loaded */

enum assets_flag {
    ASSETS_FOLDER = 1u << 0,
    ASSETS_MISSING = 1u << 1,  /* a .meta without its file */
    ASSETS_NO_META = 1u << 2,  /* a file without its .meta: no GUID */
    ASSETS_BAD_META = 1u << 3, /* a .meta without a GUID */
    ASSETS_SHADOWED = 1u << 4, /* another asset has this GUID and has priority */
    ASSETS_LINK = 1u << 5      /* a folder reached through a symbolic link */
};

struct assets_stamp {
    int64_t mtime_ns; /* 0: unknown, or too recent to be reliable */
    int64_t ctime_ns;
    uint64_t inode;
    int64_t read_ns; /* time when its .meta files were read; older changes are known */
};

struct assets_text {
    uint32_t at, n;
};

struct assets_row {
    struct guid guid;
    uint32_t path_at;
    uint16_t path_n, flags;
    uint32_t folder; /* the folder that contains it */
    uint32_t sub;    /* of a folder: its row in folders, or ASSETS_TABLE_NONE */
};

struct assets_folder {
    struct assets_text path;
    uint32_t root, first_child, child_count, spare;
    struct assets_stamp stamp;
};

struct assets_root {
    struct assets_text shown, disk;
};

struct assets_head {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t size, checksum; /* of the block; of everything after this field */
    uint64_t seed;           /* of the hashes: prevents prepared collisions */
    uint32_t root_count, folder_count, asset_count, slot_count;
    uint64_t text_bytes;
};

struct assets_table {
    struct assets_head *head; /* the block, from one malloc */
    struct assets_root *roots;
    struct assets_folder *folders;
    struct assets_row *assets;
    uint32_t *children;
    uint32_t *name_hash, *by_name; /* parallel arrays, sorted by hash, then index */
    uint32_t *extension_hash, *by_extension;
    uint32_t *slots; /* open addressing by GUID: index + 1 */
    char *text;
};

/* Make a zeroed table with room for the given counts. */
struct assets_table assets_table_new(const struct assets_head *counts);
/* Take over a block from outside. Return false if it is not a valid table; then the caller keeps
 * it. */
bool assets_table_check(struct assets_table *t, void *piece, size_t size);
uint64_t assets_table_checksum(const struct assets_table *t);
void assets_table_done(struct assets_table *t);

static inline bool assets_table_is_empty(const struct assets_table *t)
{
    return t->head == NULL;
}
static inline struct str assets_table_path(const struct assets_table *t, uint32_t asset)
{
    return str_make(t->text + t->assets[asset].path_at, t->assets[asset].path_n);
}
static inline struct str assets_table_text(const struct assets_table *t, struct assets_text at)
{
    return str_make(t->text + at.at, at.n);
}
struct str assets_table_name(const struct assets_table *t, uint32_t asset); /* after the last
                                                                               slash */

/* Return ASSETS_TABLE_NONE if not found. */
uint32_t assets_table_find(const struct assets_table *t, struct str path);
uint32_t assets_table_find_folder(const struct assets_table *t, struct str path);
uint32_t assets_table_find_guid(const struct assets_table *t, struct guid guid);

/* Compare paths as if both ended with '/': the order of folders. */
int assets_table_cmp_folders(struct str a, struct str b);

uint32_t assets_table_hash(const struct assets_table *t, struct str s); /* seeded by the table */
struct str assets_table_extension(struct str name); /* ".cs"; empty: none, or a hidden name */
/* The same hash for ".FBX" and ".fbx". */
uint32_t assets_table_hash_extension(const struct assets_table *t, struct str extension);
/* Return the first index with this hash in a sorted array, and their number. */
uint32_t assets_table_run(const uint32_t *hashes, uint32_t count, uint32_t hash, uint32_t *length);

/* Rebuild the slots and mark assets whose GUID belongs to another one: an asset with a file has
 * priority, then the first root, then the first path. */
void assets_table_index_guids(struct assets_table *t);
