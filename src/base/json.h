/* JSON reader: text in, immutable values in an arena out.
 *
 *     struct arena a = {0};
 *     struct json_error err;
 *     const struct json *doc = json_parse(&a, text, NULL, &err);
 *     if (!doc)
 *         printf("at byte %zu: %s\n", err.offset, err.reason);
 *     struct str name = json_str(json_get(doc, STR("name")));
 *
 * Strict RFC 8259 in UTF-8: no comments, no trailing commas, no lone surrogates, no duplicate keys
 * (\u0061 is the key a). U+0000 is a character. The time is linear in the text for every input.
 * Strings without escapes and all numbers are views into the text, which must live as long as the
 * values. A number keeps its text; the functions below convert it exactly.
 *
 * Every function accepts NULL and values of another type and returns "nothing" for them (NULL,
 * empty, 0, false), so that chains of json_get() need no checks in between.
 *
 * In memory: one array of 16-byte values in document order; the members of a container follow it.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum json_type {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY, /* from here on: containers */
    JSON_OBJECT,
    JSON_TYPE_COUNT
};

struct json {
    /* private */
    uint8_t type;
    uint8_t flag; /* JSON_BOOL: the value; JSON_NUMBER: 1 if it has a fraction or exponent */
    uint16_t spare;
    uint32_t n; /* strings and numbers: bytes; containers: members */
    union {
        const char *text;
        uint64_t skip; /* containers: number of values up to the next sibling, with itself */
    } as;
};

struct json_limits {
    size_t max_bytes; /* of the text; 0: JSON_MAX_BYTES */
    size_t max_depth; /* of nested containers; 0: JSON_MAX_DEPTH */
};

#define JSON_MAX_BYTES     (1u << 30)
#define JSON_MAX_DEPTH     128u
#define JSON_DEPTH_CEILING 1024u /* the highest max_depth */

struct json_error {
    size_t offset;      /* the byte where the text is wrong */
    const char *reason; /* static text: "unexpected character", "duplicate key", ... */
    bool limit;         /* too large or too deep, not malformed */
};

/* Parse the whole text as one value. On failure return NULL and fill *err, if given. */
const struct json *json_parse(struct arena *a, struct str text, const struct json_limits *limits,
                              struct json_error *err);

enum json_type json_type(const struct json *v); /* of NULL: JSON_NULL */

/* Return a name for messages such as "must be a string, not ...": "an object"; NULL: "missing". */
const char *json_type_name(const struct json *v);

static inline bool json_is(const struct json *v, enum json_type type)
{
    return v && v->type == type;
}

/* Objects and arrays. */
size_t json_count(const struct json *v); /* members or items */
const struct json *json_get(const struct json *object, struct str key);
const struct json *json_at(const struct json *array, size_t i); /* in loops use JSON_ITEMS */

static inline const struct json *json_next(const struct json *v) /* after v and its members */
{
    return v ? v + (v->type >= JSON_ARRAY ? v->as.skip : 1) : NULL;
}

/* for (each item) / for (each member: k is the key, a string; k + 1 the value) */
#define JSON_ITEMS(array, item)                                                                    \
    for (const struct json *item = json_is((array), JSON_ARRAY) ? (array) + 1 : NULL,              \
                           *item##_end = item ? json_next(array) : NULL;                           \
         item != item##_end; item = json_next(item))
#define JSON_EACH(object, k)                                                                       \
    for (const struct json *k = json_is((object), JSON_OBJECT) ? (object) + 1 : NULL,              \
                           *k##_end = k ? json_next(object) : NULL;                                \
         k != k##_end; k = json_next(k + 1))

/* Values. */
struct str json_str(const struct json *v); /* of a string; else empty with p NULL */
bool json_bool(const struct json *v);      /* true only for true */

/* Convert exactly. Return false and leave *out untouched if v is not a number or does not fit. 1.0
 * and 1e2 are integers, too. A double is the nearest one; overflow is false. */
bool json_i64(const struct json *v, int64_t *out);
bool json_u64(const struct json *v, uint64_t *out);
bool json_double(const struct json *v, double *out);
struct str json_number_text(const struct json *v);

/* Compare deeply: numbers by value if both are exact, else as doubles; members in any order. */
bool json_equal(const struct json *a, const struct json *b);
