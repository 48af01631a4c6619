#include "unity/assets_build.h"

#include <assert.h>
#include <stdlib.h>

#include "base/id.h"
#include "base/mem.h"

struct build {
    const struct assets_scan *scan;
    struct assets_table table;
    uint32_t folders, assets, children, text; /* filled so far */
};

static uint32_t add_text(struct build *b, struct str s)
{
    uint32_t at = b->text;
    assert(s.n <= b->table.head->text_bytes - at);
    if (s.n)
        memcpy(b->table.text + at, s.p, s.n);
    b->text += (uint32_t)s.n;
    return at;
}

static int cmp_folders(const void *a, const void *b)
{
    const struct scan_entry *const *x = a, *const *y = b;
    return assets_table_cmp_folders((*x)->name, (*y)->name);
}

/* The entries of f that are looked into, in the order in which their contents come. */
static const struct scan_entry **folders_of(const struct scan_folder *f, size_t *count)
{
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++)
        n += f->entries[i].folder != NULL;
    *count = n;
    if (n == 0)
        return NULL;
    const struct scan_entry **list = mem_alloc(n * sizeof *list);
    for (size_t i = f->count; i > 0; i--)
        if (f->entries[i - 1].folder)
            list[--n] = &f->entries[i - 1];
    qsort(list, *count, sizeof *list, cmp_folders);
    return list;
}

static void add_asset(struct build *b, const struct scan_entry *e, uint32_t folder, uint32_t child)
{
    const struct assets_table *t = &b->table;
    struct str in = assets_table_text(t, t->folders[folder].path);
    t->children[t->folders[folder].first_child + child] = b->assets;
    t->assets[b->assets++] = (struct assets_row){
        .guid = e->guid,
        .path_at = add_text(b, in),
        .path_n = (uint16_t)(in.n + 1 + e->name.n),
        .flags = (uint16_t)e->flags,
        .folder = folder,
        .sub = ASSETS_TABLE_NONE,
    };
    add_text(b, STR("/"));
    add_text(b, e->name);
}

static uint32_t add_folder(struct build *b, const struct scan_folder *f, struct assets_text path)
{
    uint32_t at = b->folders++;
    b->table.folders[at] = (struct assets_folder){
        .path = path,
        .root = f->root,
        .first_child = b->children,
        .child_count = (uint32_t)f->count,
        .stamp = f->stamp,
    };
    b->children += (uint32_t)f->count;
    return at;
}

/* Whether a name sorts before all that is in a folder of the same folder: before "folder/". */
static bool comes_before(struct str name, struct str folder)
{
    size_t n = name.n < folder.n ? name.n : folder.n;
    int cmp = memcmp(name.p, folder.p, n);
    if (cmp != 0 || name.n <= folder.n)
        return cmp <= 0;
    return (unsigned char)name.p[n] < '/';
}

/* Depth first. All paths below "a/b/" stand together, and they stand behind "a/b", "a/b c" and
 * "a/b.cs": the contents of folders are merged among the names as if those ended with a slash. The
 * depth is that of a path, of which the length is limited. */
static void add_tree(struct build *b, const struct scan_folder *f, uint32_t at)
{
    size_t count, next = 0;
    const struct scan_entry **folders = folders_of(f, &count);
    const struct assets_folder *row = &b->table.folders[at];
    uint32_t *children = b->table.children + row->first_child;
    for (size_t i = 0; i <= f->count; i++) {
        const struct scan_entry *e = i < f->count ? &f->entries[i] : NULL;
        for (; next < count; next++) {
            const struct scan_entry *sub = folders[next];
            if (e && comes_before(e->name, sub->name))
                break;
            uint32_t asset = children[sub - f->entries];
            struct assets_text path = {b->table.assets[asset].path_at,
                                       b->table.assets[asset].path_n};
            uint32_t folder = add_folder(b, sub->folder, path);
            b->table.assets[asset].sub = folder;
            add_tree(b, sub->folder, folder);
        }
        if (e)
            add_asset(b, e, at, (uint32_t)i);
    }
    free(folders);
}

/* ---- the lists by hash */

static void sort_pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
    size_t starts[257] = {0};
    for (size_t i = 0; i < n; i++)
        starts[(from[i] >> shift & 255) + 1]++;
    for (size_t i = 1; i < 257; i++)
        starts[i] += starts[i - 1];
    for (size_t i = 0; i < n; i++)
        to[starts[from[i] >> shift & 255]++] = from[i];
}

/* Pairs of a hash (above) and an index (below), which is ascending: four passes over the hash. */
static void sort_pairs(uint64_t *pairs, uint64_t *spare, size_t n)
{
    for (unsigned shift = 32; shift < 64; shift += 16) {
        sort_pass(pairs, spare, n, shift);
        sort_pass(spare, pairs, n, shift + 8);
    }
}

static void split_pairs(const uint64_t *pairs, size_t n, uint32_t *hashes, uint32_t *indexes)
{
    for (size_t i = 0; i < n; i++) {
        hashes[i] = (uint32_t)(pairs[i] >> 32);
        indexes[i] = (uint32_t)pairs[i];
    }
}

static void index_names(struct assets_table *t)
{
    uint32_t n = t->head->asset_count;
    uint64_t *names = mem_alloc((n + 1) * sizeof *names);
    uint64_t *extensions = mem_alloc((n + 1) * sizeof *extensions);
    uint64_t *spare = mem_alloc((n + 1) * sizeof *spare);
    for (uint32_t i = 0; i < n; i++) {
        struct str name = assets_table_name(t, i);
        struct str extension = assets_table_extension(name);
        names[i] = (uint64_t)assets_table_hash(t, name) << 32 | i;
        extensions[i] = (uint64_t)assets_table_hash_extension(t, extension) << 32 | i;
    }
    sort_pairs(names, spare, n);
    split_pairs(names, n, t->name_hash, t->by_name);
    sort_pairs(extensions, spare, n);
    split_pairs(extensions, n, t->extension_hash, t->by_extension);
    free(names);
    free(extensions);
    free(spare);
}

/* ---- all of it */

static int cmp_tops(const void *a, const void *b)
{
    const struct scan_folder *const *x = a, *const *y = b;
    return assets_table_cmp_folders((*x)->path, (*y)->path);
}

static void add_roots(struct build *b)
{
    const struct assets_scan *s = b->scan;
    const struct scan_folder **tops = mem_dup(s->tops, s->root_count * sizeof *tops);
    for (size_t i = 0; i < s->root_count; i++) {
        struct str shown = s->roots[i].shown, disk = s->roots[i].disk;
        b->table.roots[i] = (struct assets_root){
            .shown = {add_text(b, shown), (uint32_t)shown.n},
            .disk = {add_text(b, disk), (uint32_t)disk.n},
        };
    }
    qsort(tops, s->root_count, sizeof *tops, cmp_tops);
    for (size_t i = 0; i < s->root_count; i++) {
        uint32_t at = add_folder(b, tops[i], b->table.roots[tops[i]->root].shown);
        add_tree(b, tops[i], at);
    }
    free(tops);
}

struct assets_table assets_build(const struct assets_scan *scan)
{
    struct assets_head counts = {
        .root_count = (uint32_t)scan->root_count,
        .folder_count = (uint32_t)scan->folders,
        .asset_count = (uint32_t)scan->entries,
        .text_bytes = scan->text_bytes,
    };
    id_bytes(&counts.seed, sizeof counts.seed);
    struct build b = {.scan = scan, .table = assets_table_new(&counts)};
    add_roots(&b);
    assert(b.folders == scan->folders && b.assets == scan->entries && b.text == scan->text_bytes);
    index_names(&b.table);
    assets_table_index_guids(&b.table);
    return b.table;
}
