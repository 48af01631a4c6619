/* The keys of one object, for the JSON reader and json_equal(): are they all different, and where
 * is one of very many?
 *
 * While it reads, the reader keeps a small filter for each open object. Only if a key finds both of
 * its bits taken are the keys compared, when the object is complete: few of them with one another,
 * many through a hash table. str_hash() has a secret key, so that nobody can choose keys that fall
 * on one place: the time is linear in the text, whatever the text.
 */
#pragma once

#include "base/json.h"

struct json_keys;

struct json_keys_filter {
    uint64_t a, b;
};

/* Adds the key; true if it may be there already. Looks at the length and three letters: cheap, and
 * keys of one object rarely agree in all of them. p[0] is readable even if n is 0. */
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

/* The first key of the complete object that an earlier one equals; NULL if there is none. */
const struct json *json_keys_repeated(const struct json *object);

/* A table of the keys of an object, to be freed; the object lives longer. The value, or NULL. */
struct json_keys *json_keys_new(const struct json *object);
const struct json *json_keys_get(const struct json_keys *t, struct str key);
void json_keys_free(struct json_keys *t);
