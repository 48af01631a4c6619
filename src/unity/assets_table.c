#include "unity/assets_table.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

static const char MAGIC[8] = {'M', 'V', 'A', 'S', 'S', 'E', 'T', 'S'};

#define BYTE_ORDER_MARK 0x01020304u

_Static_assert(sizeof(struct assets_row) == 32, "rows have no holes: they are written as they are");
_Static_assert(sizeof(struct assets_folder) == 56, "the same for folders");
_Static_assert(sizeof(struct assets_head) == 64, "and for the head");

/* ---- the block and its sections */

enum table_section {
    ROOTS,
    FOLDERS,
    ASSETS,
    CHILDREN,
    NAME_HASH,
    BY_NAME,
    EXTENSION_HASH,
    BY_EXTENSION,
    SLOTS,
    TEXT,
    SECTION_COUNT
};

/* Compute the starts of the sections from the counts, and return the size of the block. Nothing
 * overflows: counts have 32 bits and the text is limited. */
static size_t lay_out_sections(const struct assets_head *head, size_t starts[SECTION_COUNT])
{
    size_t list = head->asset_count * sizeof(uint32_t);
    const size_t sizes[SECTION_COUNT] = {
        [ROOTS] = head->root_count * sizeof(struct assets_root),
        [FOLDERS] = head->folder_count * sizeof(struct assets_folder),
        [ASSETS] = head->asset_count * sizeof(struct assets_row),
        [CHILDREN] = list,
        [NAME_HASH] = list,
        [BY_NAME] = list,
        [EXTENSION_HASH] = list,
        [BY_EXTENSION] = list,
        [SLOTS] = head->slot_count * sizeof(uint32_t),
        [TEXT] = (size_t)head->text_bytes,
    };
    size_t at = sizeof *head;
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        starts[i] = at;
        at = (at + sizes[i] + 7) & ~(size_t)7;
    }
    return at;
}

static struct assets_table bind_sections(struct assets_head *head,
                                         const size_t starts[SECTION_COUNT])
{
    char *p = (char *)head;
    return (struct assets_table){
        .head = head,
        .roots = (void *)(p + starts[ROOTS]),
        .folders = (void *)(p + starts[FOLDERS]),
        .assets = (void *)(p + starts[ASSETS]),
        .children = (void *)(p + starts[CHILDREN]),
        .name_hash = (void *)(p + starts[NAME_HASH]),
        .by_name = (void *)(p + starts[BY_NAME]),
        .extension_hash = (void *)(p + starts[EXTENSION_HASH]),
        .by_extension = (void *)(p + starts[BY_EXTENSION]),
        .slots = (void *)(p + starts[SLOTS]),
        .text = p + starts[TEXT],
    };
}

struct assets_table assets_table_new(const struct assets_head *counts)
{
    assert(counts->text_bytes <= UINT32_MAX);
    struct assets_head head = *counts;
    head.slot_count = 16;
    while (head.slot_count < head.asset_count * UINT64_C(2))
        head.slot_count *= 2;
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    head.version = ASSETS_TABLE_VERSION;
    head.byte_order = BYTE_ORDER_MARK;
    size_t starts[SECTION_COUNT];
    head.size = lay_out_sections(&head, starts);
    struct assets_head *piece = mem_zalloc((size_t)head.size);
    *piece = head;
    return bind_sections(piece, starts);
}

void assets_table_done(struct assets_table *t)
{
    free(t->head);
    *t = (struct assets_table){0};
}

/* ---- hashes */

static uint64_t mix_bits(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static uint64_t load_word(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static uint64_t add_to_sum(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

/* Against damage, not against attackers, who can write the checksum too. Four sums run in parallel
 * because each one waits for its multiplication. */
uint64_t assets_table_checksum(const struct assets_table *t)
{
    size_t from = offsetof(struct assets_head, checksum) + sizeof t->head->checksum;
    const char *p = (const char *)t->head + from, *end = (const char *)t->head + t->head->size;
    uint64_t sum[4] = {1, 2, 3, 4};
    for (; end - p >= 32; p += 32)
        for (int i = 0; i < 4; i++)
            sum[i] = add_to_sum(sum[i], load_word(p + i * 8));
    for (; p < end; p += 8) /* the block is padded to 8 bytes */
        sum[0] = add_to_sum(sum[0], load_word(p));
    uint64_t all = t->head->size;
    for (int i = 0; i < 4; i++)
        all = mix_bits(all ^ sum[i]);
    return all;
}

uint32_t assets_table_hash(const struct assets_table *t, struct str s)
{
    uint64_t h = t->head->seed ^ s.n;
    while (s.n >= 8) {
        h = mix_bits(h ^ load_word(s.p));
        s = str_skip(s, 8);
    }
    uint64_t tail = 0;
    for (size_t i = 0; i < s.n; i++)
        tail = tail << 8 | (unsigned char)s.p[i];
    return (uint32_t)mix_bits(h ^ tail);
}

uint32_t assets_table_hash_extension(const struct assets_table *t, struct str extension)
{
    char lower[32];
    if (extension.n > sizeof lower)
        return assets_table_hash(t, extension);
    for (size_t i = 0; i < extension.n; i++) {
        char c = extension.p[i];
        lower[i] = c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
    }
    return assets_table_hash(t, str_make(lower, extension.n));
}

struct str assets_table_extension(struct str name)
{
    for (size_t i = name.n; i > 1; i--)
        if (name.p[i - 1] == '.')
            return str_skip(name, i - 1);
    return (struct str){0};
}

struct str assets_table_name(const struct assets_table *t, uint32_t asset)
{
    const struct assets_row *row = &t->assets[asset];
    return str_skip(assets_table_path(t, asset), (size_t)t->folders[row->folder].path.n + 1);
}

/* ---- validation */

static bool is_in_text(const struct assets_table *t, uint64_t at, uint64_t n)
{
    return at + n <= t->head->text_bytes;
}

static bool are_below(const uint32_t *list, uint32_t count, uint32_t limit)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = list[i] > most ? list[i] : most;
    return count == 0 || most < limit;
}

static bool check_texts(const struct assets_table *t)
{
    for (uint32_t i = 0; i < t->head->root_count; i++)
        if (!is_in_text(t, t->roots[i].shown.at, t->roots[i].shown.n) ||
            !is_in_text(t, t->roots[i].disk.at, t->roots[i].disk.n))
            return false;
    for (uint32_t i = 0; i < t->head->folder_count; i++)
        if (!is_in_text(t, t->folders[i].path.at, t->folders[i].path.n) ||
            t->folders[i].path.n > UINT16_MAX || t->folders[i].root >= t->head->root_count ||
            t->folders[i].stamp.read_ns < 0)
            return false;
    for (uint32_t i = 0; i < t->head->asset_count; i++) {
        const struct assets_row *row = &t->assets[i];
        if (!is_in_text(t, row->path_at, row->path_n) || row->folder >= t->head->folder_count ||
            row->path_n < t->folders[row->folder].path.n + 2)
            return false;
        struct str name = assets_table_name(t, i);
        if (name.p[0] == '.' || memchr(name.p, '/', name.n) || memchr(name.p, 0, name.n))
            return false;
    }
    return true;
}

/* The folders form a forest: each child belongs to one folder, and each folder except for roots has
 * one parent, which precedes it. Otherwise a walk might not end. */
static bool check_tree(const struct assets_table *t)
{
    uint32_t next = 0, folders = t->head->folder_count;
    unsigned char *seen = mem_zalloc((size_t)folders + 1);
    bool ok = are_below(t->children, t->head->asset_count, t->head->asset_count);
    for (uint32_t f = 0; ok && f < folders; f++) {
        const struct assets_folder *folder = &t->folders[f];
        ok = folder->first_child == next && folder->child_count <= t->head->asset_count - next;
        next += ok ? folder->child_count : 0;
        for (uint32_t i = folder->first_child; ok && i < next; i++) {
            const struct assets_row *row = &t->assets[t->children[i]];
            ok = row->folder == f;
            if (ok && row->sub != ASSETS_TABLE_NONE) {
                ok = row->sub > f && row->sub < folders && !seen[row->sub];
                seen[ok ? row->sub : 0] = 1;
            }
        }
    }
    free(seen);
    return ok && next == t->head->asset_count;
}

bool assets_table_check(struct assets_table *t, void *piece, size_t size)
{
    struct assets_head *head = piece;
    size_t starts[SECTION_COUNT];
    if (size < sizeof *head || memcmp(head->magic, MAGIC, sizeof MAGIC) != 0 ||
        head->version != ASSETS_TABLE_VERSION || head->byte_order != BYTE_ORDER_MARK ||
        head->size != size || head->text_bytes > UINT32_MAX || head->slot_count < 16 ||
        (head->slot_count & (head->slot_count - 1)) != 0 || lay_out_sections(head, starts) != size)
        return false;
    struct assets_table found = bind_sections(head, starts);
    if (head->checksum != assets_table_checksum(&found))
        return false;
    uint32_t n = head->asset_count;
    if (!check_texts(&found) || !check_tree(&found) || !are_below(found.by_name, n, n) ||
        !are_below(found.by_extension, n, n) ||
        (n < UINT32_MAX && !are_below(found.slots, head->slot_count, n + 1)))
        return false;
    *t = found;
    return true;
}

/* ---- search */

typedef int cmp_fn(const struct assets_table *t, uint32_t at, struct str path);

static uint32_t find_row(const struct assets_table *t, uint32_t count, cmp_fn *cmp_at,
                         struct str path)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int cmp = cmp_at(t, middle, path);
        if (cmp == 0)
            return middle;
        if (cmp < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return ASSETS_TABLE_NONE;
}

static int cmp_asset(const struct assets_table *t, uint32_t at, struct str path)
{
    return str_cmp(assets_table_path(t, at), path);
}

uint32_t assets_table_find(const struct assets_table *t, struct str path)
{
    return find_row(t, t->head->asset_count, cmp_asset, path);
}

int assets_table_cmp_folders(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int cmp = n ? memcmp(a.p, b.p, n) : 0;
    if (cmp != 0 || a.n == b.n)
        return cmp;
    unsigned char next_a = a.n > n ? (unsigned char)a.p[n] : '/';
    unsigned char next_b = b.n > n ? (unsigned char)b.p[n] : '/';
    if (next_a != next_b)
        return next_a < next_b ? -1 : 1;
    return a.n < b.n ? -1 : 1; /* the shorter one ends with that slash */
}

static int cmp_folder(const struct assets_table *t, uint32_t at, struct str path)
{
    return assets_table_cmp_folders(assets_table_text(t, t->folders[at].path), path);
}

uint32_t assets_table_find_folder(const struct assets_table *t, struct str path)
{
    return find_row(t, t->head->folder_count, cmp_folder, path);
}

uint32_t assets_table_run(const uint32_t *hashes, uint32_t count, uint32_t hash, uint32_t *length)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (hashes[middle] < hash)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t end = low;
    while (end < count && hashes[end] == hash)
        end++;
    *length = end - low;
    return low;
}

/* ---- GUIDs */

/* Return the slot of a GUID, or a free slot for it. The loop is bounded because a table from a file
 * may have no free slot. */
static uint32_t *find_slot(const struct assets_table *t, struct guid guid)
{
    uint32_t mask = t->head->slot_count - 1;
    uint32_t at = (uint32_t)mix_bits(guid.hi ^ mix_bits(guid.lo ^ t->head->seed)) & mask;
    for (uint32_t i = 0; i <= mask; i++, at = (at + 1) & mask) {
        uint32_t *slot = &t->slots[at];
        if (*slot == 0 || guid_eq(t->assets[*slot - 1].guid, guid))
            return slot;
    }
    return NULL;
}

uint32_t assets_table_find_guid(const struct assets_table *t, struct guid guid)
{
    if (guid_is_zero(guid))
        return ASSETS_TABLE_NONE;
    const uint32_t *slot = find_slot(t, guid);
    return slot && *slot ? *slot - 1 : ASSETS_TABLE_NONE;
}

static bool comes_before(const struct assets_table *t, uint32_t a, uint32_t b)
{
    unsigned missing_a = t->assets[a].flags & ASSETS_MISSING;
    unsigned missing_b = t->assets[b].flags & ASSETS_MISSING;
    if (missing_a != missing_b)
        return missing_a == 0;
    uint32_t root_a = t->folders[t->assets[a].folder].root;
    uint32_t root_b = t->folders[t->assets[b].folder].root;
    return root_a != root_b ? root_a < root_b : a < b;
}

void assets_table_index_guids(struct assets_table *t)
{
    memset(t->slots, 0, t->head->slot_count * sizeof *t->slots);
    for (uint32_t i = 0; i < t->head->asset_count; i++) {
        t->assets[i].flags &= (uint16_t)~ASSETS_SHADOWED;
        if (guid_is_zero(t->assets[i].guid))
            continue;
        uint32_t *slot = find_slot(t, t->assets[i].guid);
        assert(slot);
        uint32_t loser = *slot - 1;
        if (*slot == 0 || comes_before(t, i, loser))
            *slot = i + 1;
        else
            loser = i;
        if (loser != ASSETS_TABLE_NONE)
            t->assets[loser].flags |= ASSETS_SHADOWED;
    }
}
