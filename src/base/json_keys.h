/* The keys of one object: find duplicates for the JSON reader, and look up keys for json_equal().
 *
 * The reader has a small filter for each open object. Only if both bits of a key are already set
 * are the keys compared, when the object is complete: few keys with one another, many through a
 * hash table. str_hash() has a secret key, so that input cannot contain chosen collisions: the time
 * is linear in every text.
 */
#pragma once

#include "base/json.h"

struct json_keys;

struct json_keys_filter {
    uint64_t a, b;
};

/* Add a key. Return true if it may be a duplicate. Uses the length and three letters, which rarely
 * all agree within one object. p[0] must be readable even if n is 0. */
static inline bool json_keys_add(struct json_keys_filter *f, const char *p, size_t n)
{
    const unsigned char *byte = (const unsigned char *)p;
    uint64_t mix = (uint64_t)byte[0] | (uint64_t)byte[n / 2] << 8;
    mix |= (uint64_t)byte[n ? n - 1 : 0] << 16 | (uint64_t)n << 24;
    mix *= 0x9e3779b97f4a7c15u;
    uint64_t a = f->a >> (mix >> 58), b = f->b >> (mix >> 52 & 63);
    f->a |= 1ull << (mix >> 58);
    f->b |= 1ull << (mix >> 52 & 63);
    return a & b & 1;
}

/* Return the first key of a complete object that equals an earlier one, or NULL. */
const struct json *json_keys_repeated(const struct json *object);

/* A table of the keys of an object, which must outlive it. get returns the value, or NULL. */
struct json_keys *json_keys_new(const struct json *object);
const struct json *json_keys_get(const struct json_keys *t, struct str key);
void json_keys_free(struct json_keys *t);
