/* Are the keys of an object all different? For the JSON reader.
 *
 * While it reads, the reader keeps 64 bits per object: one for each fingerprint met. Only if two
 * keys have the same one are they compared, when the object is complete: few of them with one
 * another, many through a hash set. Its hash is keyed with fresh random bits, so that nobody can
 * choose keys that fall on one place: the time is linear in the text, whatever the text.
 */
#pragma once

#include "base/json.h"

/* One of 64 bits. Cheap, and rarely the same for the keys of one object: length and three letters.
 */
static inline uint64_t json_keys_bit(const struct json *key)
{
    uint64_t n = key->n, mix = 0;
    if (n) {
        const unsigned char *p = (const unsigned char *)key->as.text;
        mix = n << 24 | (uint64_t)p[n - 1] << 16 | (uint64_t)p[n / 2] << 8 | p[0];
    }
    return 1ull << (mix * 0x9e3779b97f4a7c15u >> 58);
}

/* The first key of the complete object that an earlier one equals; NULL if there is none. */
const struct json *json_keys_repeated(const struct json *object);
