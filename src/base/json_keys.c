#include "base/json_keys.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

#define FEW 16u

struct hash_key {
    uint64_t a, b;
};

static inline uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
}

/* SipHash-1-3, as far as hash tables need it: words are read in the byte order of the machine. */
static uint64_t keyed_hash(struct hash_key key, struct str s)
{
    uint64_t v[4] = {key.a ^ 0x736f6d6570736575u, key.b ^ 0x646f72616e646f6du,
                     key.a ^ 0x6c7967656e657261u, key.b ^ 0x7465646279746573u};
    uint64_t word;
    size_t at = 0;
    for (; s.n - at >= sizeof word; at += sizeof word) {
        memcpy(&word, s.p + at, sizeof word);
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    word = 0;
    if (s.n > at)
        memcpy(&word, s.p + at, s.n - at);
    word ^= (uint64_t)s.n << 56;
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Without a source of random bits, the place of the stack and the time are better than nothing. */
static struct hash_key make_key(void)
{
    struct hash_key key;
    if (getentropy(&key, sizeof key) != 0)
        key = (struct hash_key){(uint64_t)(uintptr_t)&key, (uint64_t)time(NULL)};
    return key;
}

/* Open addressing, never more than half full. */
struct json_keys {
    struct hash_key key;
    size_t mask;
    const struct json *slots[]; /* keys of the object, or NULL */
};

static struct json_keys *make_table(const struct json *object)
{
    size_t size = FEW * 2;
    while (size < (size_t)object->n * 2)
        size *= 2;
    struct json_keys *t = mem_zalloc(sizeof *t + size * sizeof t->slots[0]);
    t->key = make_key();
    t->mask = size - 1;
    return t;
}

/* The slot that holds this key, or the empty one that is its place. */
static size_t find_slot(const struct json_keys *t, struct str key)
{
    size_t at = keyed_hash(t->key, key) & t->mask;
    while (t->slots[at] && !str_eq(json_str(t->slots[at]), key))
        at = (at + 1) & t->mask;
    return at;
}

static const struct json *repeated_among_few(const struct json *object)
{
    const struct json *keys[FEW];
    size_t n = 0;
    JSON_EACH (object, k) {
        for (size_t i = 0; i < n; i++)
            if (keys[i]->n == k->n && memcmp(keys[i]->as.text, k->as.text, k->n) == 0)
                return k;
        keys[n++] = k;
    }
    return NULL;
}

const struct json *json_keys_repeated(const struct json *object)
{
    if (object->n <= FEW)
        return repeated_among_few(object);
    struct json_keys *t = make_table(object);
    const struct json *found = NULL;
    JSON_EACH (object, k) {
        size_t at = find_slot(t, json_str(k));
        if (t->slots[at]) {
            found = k;
            break;
        }
        t->slots[at] = k;
    }
    free(t);
    return found;
}

struct json_keys *json_keys_new(const struct json *object)
{
    struct json_keys *t = make_table(object);
    JSON_EACH (object, k)
        t->slots[find_slot(t, json_str(k))] = k;
    return t;
}

const struct json *json_keys_get(const struct json_keys *t, struct str key)
{
    const struct json *k = t->slots[find_slot(t, key)];
    return k ? k + 1 : NULL;
}

void json_keys_free(struct json_keys *t)
{
    free(t);
}
