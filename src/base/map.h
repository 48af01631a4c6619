/* Text to pointer, in the order of insertion.
 *
 *     struct map m = {0};
 *     map_set(&m, STR("a"), x);                 // copies the key; returns the value it replaced
 *     struct thing *t = map_get(&m, STR("a"));  // NULL: absent
 *     MAP_EACH (&m, i)
 *         handle_entry(map_key(&m, i), map_value(&m, i));
 *     map_remove(&m, STR("a"));                 // returns the value; the others keep their order
 *     map_done(&m);                             // does not free the values
 *
 * Values are not NULL. Inside MAP_EACH only the current entry may be removed, and none added. The
 * bytes of a key do not move until its entry is removed. Every operation takes constant time for
 * all keys; so does map_next(m, 0), so that a map can be used as a queue.
 */
#pragma once

#include "base/str.h"

struct map_entry;

struct map {
    size_t count; /* entries, readable by all */
    /* private */
    struct map_entry *entries; /* in order of insertion; a removed one leaves a hole */
    size_t used, cap;
    size_t first;    /* index of the first entry */
    uint32_t *slots; /* open addressing: index into entries, plus 1 */
    size_t slot_count;
};

void *map_get(const struct map *m, struct str key);
void *map_set(struct map *m, struct str key, void *value);
void *map_remove(struct map *m, struct str key);
void map_clear(struct map *m);
void map_done(struct map *m);

size_t map_next(const struct map *m, size_t i); /* first entry at or after i */
struct str map_key(const struct map *m, size_t i);
void *map_value(const struct map *m, size_t i);

#define MAP_EACH(m, i) for (size_t i = map_next((m), 0); i < (m)->used; i = map_next((m), i + 1))
