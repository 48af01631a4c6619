/* Are the keys of an object all different? For the JSON reader.
 *
 * While it reads, the reader keeps a small filter for each open object. Only if a key finds both of
 * its bits taken are the keys compared, when the object is complete: few of them with one another,
 * many through a hash set. Its hash is keyed with fresh random bits, so that nobody can choose keys
 * that fall on one place: the time is linear in the text, whatever the text.
 */
#pragma once

#include "base/json.h"

struct json_keys_filter {
    uint64_t a, b;
};

/* Adds the key; true if it may be there already. Looks at the length and three letters: cheap, and
 * keys of one object rarely agree in all of them. */
static inline bool json_keys_add(struct json_keys_filter *f, const struct json *key)
{
    uint64_t n = key->n, mix = 0;
    if (n) {
        const unsigned char *p = (const unsigned char *)key->as.text;
        mix = n << 24 | (uint64_t)p[n - 1] << 16 | (uint64_t)p[n / 2] << 8 | p[0];
    }
    mix *= 0x9e3779b97f4a7c15u;
    uint64_t a = 1ull << (mix >> 58), b = 1ull << (mix >> 52 & 63);
    bool maybe = (f->a & a) && (f->b & b);
    f->a |= a;
    f->b |= b;
    return maybe;
}

/* The first key of the complete object that an earlier one equals; NULL if there is none. */
const struct json *json_keys_repeated(const struct json *object);
