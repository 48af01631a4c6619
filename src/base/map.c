#include "base/map.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

#define FIRST_SLOTS 16u /* always a power of two, at least twice the entries */

struct map_entry {
    char *key; /* NULL: a hole */
    size_t key_n;
    uint64_t hash;
    void *value;
};

static struct str entry_key(const struct map_entry *e)
{
    return str_make(e->key, e->key_n);
}

/* Return the slot of the key, or the free slot where it belongs. */
static size_t find_slot(const struct map *m, struct str key, uint64_t hash)
{
    size_t mask = m->slot_count - 1, slot = hash & mask;
    for (; m->slots[slot]; slot = (slot + 1) & mask) {
        const struct map_entry *e = &m->entries[m->slots[slot] - 1];
        if (e->hash == hash && str_eq(entry_key(e), key))
            break;
    }
    return slot;
}

static void close_holes(struct map *m)
{
    size_t to = 0;
    for (size_t i = m->first; i < m->used; i++)
        if (m->entries[i].key)
            m->entries[to++] = m->entries[i];
    m->used = to;
    m->first = 0;
}

static void fill_slots(struct map *m, size_t slot_count)
{
    if (slot_count != m->slot_count) {
        free(m->slots);
        m->slots = mem_alloc(slot_count * sizeof *m->slots);
        m->slot_count = slot_count;
    }
    memset(m->slots, 0, slot_count * sizeof *m->slots);
    for (size_t i = 0; i < m->used; i++) {
        size_t slot = m->entries[i].hash & (slot_count - 1);
        while (m->slots[slot])
            slot = (slot + 1) & (slot_count - 1);
        m->slots[slot] = (uint32_t)(i + 1);
    }
}

/* Make room for one more entry. Close holes only when there is no room, and only if they are a
 * quarter of all entries, so that the removals before pay for it. */
static void make_room(struct map *m)
{
    if (m->used < m->cap && m->slot_count)
        return;
    if (m->used - m->count > m->used / 4) {
        close_holes(m);
        fill_slots(m, m->slot_count);
        return;
    }
    if (m->used >= UINT32_MAX / 4)
        mem_die("too many keys in a map");
    mem_grow((void **)&m->entries, &m->cap, m->used + 1, sizeof *m->entries);
    size_t slot_count = m->slot_count ? m->slot_count : FIRST_SLOTS;
    while (slot_count < m->cap * 2)
        slot_count *= 2;
    close_holes(m);
    fill_slots(m, slot_count);
}

void *map_get(const struct map *m, struct str key)
{
    if (!m->count)
        return NULL;
    size_t slot = find_slot(m, key, str_hash(key));
    return m->slots[slot] ? m->entries[m->slots[slot] - 1].value : NULL;
}

void *map_set(struct map *m, struct str key, void *value)
{
    assert(value);
    uint64_t hash = str_hash(key);
    if (m->count) {
        size_t slot = find_slot(m, key, hash);
        if (m->slots[slot]) {
            struct map_entry *e = &m->entries[m->slots[slot] - 1];
            void *old = e->value;
            e->value = value;
            return old;
        }
    }
    make_room(m);
    m->entries[m->used] = (struct map_entry){
        .key = mem_dup(key.p, key.n),
        .key_n = key.n,
        .hash = hash,
        .value = value,
    };
    m->slots[find_slot(m, key, hash)] = (uint32_t)++m->used;
    m->count++;
    return NULL;
}

/* Free a slot and move up later ones of its run that may, so that no search ends too early. */
static void free_slot(struct map *m, size_t slot)
{
    size_t mask = m->slot_count - 1;
    for (size_t i = (slot + 1) & mask; m->slots[i]; i = (i + 1) & mask) {
        size_t home = m->entries[m->slots[i] - 1].hash & mask;
        if (((i - home) & mask) >= ((i - slot) & mask)) {
            m->slots[slot] = m->slots[i];
            slot = i;
        }
    }
    m->slots[slot] = 0;
}

void *map_remove(struct map *m, struct str key)
{
    if (!m->count)
        return NULL;
    size_t slot = find_slot(m, key, str_hash(key));
    if (!m->slots[slot])
        return NULL;
    size_t at = m->slots[slot] - 1;
    struct map_entry *e = &m->entries[at];
    void *value = e->value;
    free_slot(m, slot);
    free(e->key);
    *e = (struct map_entry){0};
    m->count--;

    /* Drop holes at both ends at once; keep those in between for MAP_EACH. */
    while (m->used > m->first && !m->entries[m->used - 1].key)
        m->used--;
    while (m->first < m->used && !m->entries[m->first].key)
        m->first++;
    if (!m->count)
        m->first = m->used = 0;
    return value;
}

void map_clear(struct map *m)
{
    for (size_t i = m->first; i < m->used; i++)
        free(m->entries[i].key);
    if (m->slots)
        memset(m->slots, 0, m->slot_count * sizeof *m->slots);
    m->count = m->used = m->first = 0;
}

void map_done(struct map *m)
{
    map_clear(m);
    free(m->entries);
    free(m->slots);
    *m = (struct map){0};
}

size_t map_next(const struct map *m, size_t i)
{
    if (i < m->first)
        i = m->first;
    while (i < m->used && !m->entries[i].key)
        i++;
    return i;
}

struct str map_key(const struct map *m, size_t i)
{
    assert(i < m->used && m->entries[i].key);
    return entry_key(&m->entries[i]);
}

void *map_value(const struct map *m, size_t i)
{
    assert(i < m->used && m->entries[i].key);
    return m->entries[i].value;
}
