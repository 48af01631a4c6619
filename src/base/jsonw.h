/* JSON writer: writes directly into a buffer, without a tree.
 *
 *     struct jsonw w = jsonw_make(&out);
 *     jsonw_object(&w);
 *     jsonw_key(&w, "name");  jsonw_str(&w, name);
 *     jsonw_key(&w, "sizes"); jsonw_array(&w); jsonw_int(&w, 1); jsonw_int(&w, 2); jsonw_end(&w);
 *     jsonw_end(&w);                            // {"name":"...","sizes":[1,2]}
 *
 * The writer adds commas and quotes. The output is compact and valid by construction; wrong use (a
 * value without a key, an end too many) is a bug and fails an assertion. Invalid UTF-8 in text
 * becomes U+FFFD. An overflow is recorded in the buffer, see buf.h.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

#define JSONW_MAX_DEPTH 192u

struct jsonw {
    struct buf *out;
    /* private */
    uint32_t depth;
    bool comma;                            /* the next member needs a comma */
    bool has_key;                          /* a key was written, its value is due */
    bool in_object;                        /* the innermost container is one */
    uint64_t object[JSONW_MAX_DEPTH / 64]; /* the same for those around it: one bit per level */
};

static inline struct jsonw jsonw_make(struct buf *out)
{
    return (struct jsonw){.out = out};
}

void jsonw_object(struct jsonw *w);
void jsonw_array(struct jsonw *w);
void jsonw_end(struct jsonw *w); /* of the innermost object or array */
void jsonw_key_str(struct jsonw *w, struct str key);

static inline void jsonw_key(struct jsonw *w, const char *key)
{
    jsonw_key_str(w, str_from(key));
}

void jsonw_str(struct jsonw *w, struct str s);
void jsonw_utf8(struct jsonw *w, struct str s);  /* of text known to be valid UTF-8 */
void jsonw_cstr(struct jsonw *w, const char *s); /* NULL: null */
void jsonw_int(struct jsonw *w, int64_t n);
void jsonw_uint(struct jsonw *w, uint64_t n);
void jsonw_double(struct jsonw *w,
                  double d); /* the shortest text that reads back; not finite: null */
void jsonw_bool(struct jsonw *w, bool b);
void jsonw_null(struct jsonw *w);

void jsonw_raw(struct jsonw *w, struct str json); /* text that is known to be one JSON value */
size_t jsonw_gap(struct jsonw *w); /* leave a value out and return its offset, to insert it later */
void jsonw_value(struct jsonw *w, const struct json *v); /* numbers as they were read */
void jsonw_base64(struct jsonw *w, struct str bytes);    /* a string of base64 */

/* Key and value in one line. */
static inline void jsonw_kstr(struct jsonw *w, const char *key, struct str s)
{
    jsonw_key(w, key);
    jsonw_str(w, s);
}

static inline void jsonw_kcstr(struct jsonw *w, const char *key, const char *s)
{
    jsonw_key(w, key);
    jsonw_cstr(w, s);
}

static inline void jsonw_kint(struct jsonw *w, const char *key, int64_t n)
{
    jsonw_key(w, key);
    jsonw_int(w, n);
}

static inline void jsonw_kbool(struct jsonw *w, const char *key, bool b)
{
    jsonw_key(w, key);
    jsonw_bool(w, b);
}

static inline void jsonw_kraw(struct jsonw *w, const char *key, struct str json)
{
    jsonw_key(w, key);
    jsonw_raw(w, json);
}

/* Write v for people: one member per line, two blanks for each level, as JSON.stringify(v, null, 2)
 * does, but with numbers as they were read. Empty containers stay {} and []; no line end follows
 * the last line. */
void jsonw_indent(struct buf *out, const struct json *v);
