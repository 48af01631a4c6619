#include "base/json_keys.h"

#include <stdlib.h>

#include "base/mem.h"

#define FEW 16u

/* Open addressing, never more than half full. */
struct json_keys {
    size_t mask;
    const struct json *slots[]; /* keys of the object, or NULL */
};

static struct json_keys *make_table(const struct json *object)
{
    size_t size = FEW * 2;
    while (size < (size_t)object->n * 2)
        size *= 2;
    struct json_keys *t = mem_zalloc(sizeof *t + size * sizeof t->slots[0]);
    t->mask = size - 1;
    return t;
}

/* Return the slot that has this key, or the empty slot where it belongs. */
static size_t find_slot(const struct json_keys *t, struct str key)
{
    size_t at = str_hash(key) & t->mask;
    while (t->slots[at] && !str_eq(json_str(t->slots[at]), key))
        at = (at + 1) & t->mask;
    return at;
}

static const struct json *find_repeated_of_few(const struct json *object)
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
        return find_repeated_of_few(object);
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
