#include "base/jsonw.h"

#include <assert.h>
#include <math.h>

#include "base/base64.h"
#include "base/json_scan.h"
#include "base/number.h"
#include "base/utf8.h"

/* Room for n bytes, or NULL. Whoever fills it tells with put_end() how far. */
static inline char *put_begin(struct buf *b, size_t n)
{
    return b->cap - b->n >= n && b->p && !b->overflow ? b->p + b->n : buf_room(b, n);
}

static inline void put_end(struct buf *b, char *end)
{
    *end = 0;
    b->n = (size_t)(end - b->p);
}

/* Room for a value of n bytes, behind a comma if one is due. */
static inline char *begin_value(struct jsonw *w, size_t n)
{
    assert(w->has_key == w->in_object && "a value in an object needs a key");
    assert((w->depth || !w->comma) && "one value is the whole text");
    bool comma = w->comma && !w->has_key;
    char *to = put_begin(w->out, n + comma);
    w->has_key = false;
    w->comma = true;
    if (to && comma)
        *to++ = ',';
    return to;
}

static inline void add_value(struct jsonw *w, struct str text)
{
    char *to = begin_value(w, text.n);
    if (!to)
        return;
    memcpy(to, text.p, text.n);
    put_end(w->out, to + text.n);
}

static inline void push(struct jsonw *w, bool object)
{
    assert(w->depth < JSONW_MAX_DEPTH);
    add_value(w, object ? STR("{") : STR("["));
    uint64_t bit = 1ull << w->depth % 64, *word = &w->object[w->depth / 64];
    *word = w->in_object ? *word | bit : *word & ~bit;
    w->depth++;
    w->in_object = object;
    w->comma = false;
}

static inline void pop(struct jsonw *w)
{
    assert(w->depth && !w->has_key);
    buf_add_char(w->out, w->in_object ? '}' : ']');
    w->depth--;
    w->in_object = w->object[w->depth / 64] >> w->depth % 64 & 1;
    w->comma = true;
}

/* The character at the start of s, which is not plain; answers its bytes. */
static size_t add_special(struct buf *b, struct str s)
{
    static const char hex[] = "0123456789abcdef";
    static const char letters[] = "btnvfr"; /* from 8 on; v is none of JSON's */
    unsigned char c = (unsigned char)s.p[0];
    if (c >= 0x80) {
        size_t n = utf8_char_bytes(s);
        buf_add(b, n ? str_head(s, n) : STR("\xef\xbf\xbd"));
        return n ? n : utf8_bad_bytes(s);
    }
    if (c == '"' || c == '\\')
        buf_add(b, str_make((char[]){'\\', (char)c}, 2));
    else if (c >= '\b' && c <= '\r' && c != '\v')
        buf_add(b, str_make((char[]){'\\', letters[c - '\b']}, 2));
    else
        buf_add(b, str_make((char[]){'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]}, 6));
    return 1;
}

/* The text and its closing quote, where some of it is not plain. */
static void add_carefully(struct buf *b, struct str s)
{
    const char *at = s.p, *end = s.p + s.n;
    while (at < end) {
        const char *stop = json_scan(at, end);
        buf_add(b, str_make(at, (size_t)(stop - at)));
        at = stop;
        if (at < end)
            at += add_special(b, str_make(at, (size_t)(end - at)));
    }
    buf_add_char(b, '"');
}

/* The string at `to`, where there is room for it as long as it needs no escapes, and one byte. */
static inline void add_string(struct buf *b, char *to, struct str s, bool colon)
{
    *to++ = '"';
    if (json_scan_copy(to, s.p, s.n)) {
        to += s.n;
        *to++ = '"';
        if (colon)
            *to++ = ':';
        put_end(b, to);
        return;
    }
    put_end(b, to);
    add_carefully(b, s);
    if (colon)
        buf_add_char(b, ':');
}

static inline void add_key(struct jsonw *w, struct str key)
{
    assert(w->in_object && !w->has_key);
    char *to = put_begin(w->out, key.n + 3 + w->comma);
    if (to && w->comma)
        *to++ = ',';
    if (to)
        add_string(w->out, to, key, true);
    w->has_key = true;
}

static inline void add_text(struct jsonw *w, struct str s)
{
    char *to = begin_value(w, s.n + 2);
    if (to)
        add_string(w->out, to, s, false);
}

void jsonw_object(struct jsonw *w)
{
    push(w, true);
}

void jsonw_array(struct jsonw *w)
{
    push(w, false);
}

void jsonw_end(struct jsonw *w)
{
    pop(w);
}

void jsonw_key_str(struct jsonw *w, struct str key)
{
    add_key(w, key);
}

void jsonw_key(struct jsonw *w, const char *key)
{
    jsonw_key_str(w, str_from(key));
}

void jsonw_str(struct jsonw *w, struct str s)
{
    add_text(w, s);
}

void jsonw_cstr(struct jsonw *w, const char *s)
{
    if (s)
        jsonw_str(w, str_from(s));
    else
        jsonw_null(w);
}

void jsonw_int(struct jsonw *w, int64_t n)
{
    char text[NUMBER_MAX];
    add_value(w, str_make(text, number_print_i64(n, text)));
}

void jsonw_uint(struct jsonw *w, uint64_t n)
{
    char text[NUMBER_MAX];
    add_value(w, str_make(text, number_print_u64(n, text)));
}

void jsonw_double(struct jsonw *w, double d)
{
    char text[NUMBER_MAX];
    if (isfinite(d))
        add_value(w, str_make(text, number_print_double(d, text)));
    else
        jsonw_null(w);
}

void jsonw_bool(struct jsonw *w, bool b)
{
    add_value(w, b ? STR("true") : STR("false"));
}

void jsonw_null(struct jsonw *w)
{
    add_value(w, STR("null"));
}

void jsonw_raw(struct jsonw *w, struct str json)
{
    assert(json.n);
    add_value(w, json);
}

static inline void add_read(struct jsonw *w, const struct json *v)
{
    switch ((enum json_type)v->type) {
    case JSON_STRING:
        add_text(w, str_make(v->as.text, v->n));
        break;
    case JSON_NUMBER:
        add_value(w, str_make(v->as.text, v->n));
        break;
    case JSON_BOOL:
        add_value(w, v->flag ? STR("true") : STR("false"));
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        push(w, v->type == JSON_OBJECT);
        break;
    case JSON_NULL:
    case JSON_TYPE_COUNT:
        add_value(w, STR("null"));
        break;
    }
}

/* Values lie in document order: one pass over them, and `ends` says where containers are over. */
void jsonw_value(struct jsonw *w, const struct json *v)
{
    const struct json *ends[JSONW_MAX_DEPTH + 1];
    size_t open = 0;
    if (!v) {
        add_value(w, STR("null"));
        return;
    }
    for (const struct json *at = v, *end = json_next(v); at != end;) {
        if (open && !w->has_key && w->in_object) {
            add_key(w, str_make(at->as.text, at->n));
            at++;
        }
        add_read(w, at);
        if (at->type == JSON_ARRAY || at->type == JSON_OBJECT)
            ends[open++] = at + at->as.skip;
        at++;
        for (; open && ends[open - 1] == at; open--)
            pop(w);
    }
}

void jsonw_base64(struct jsonw *w, struct str bytes)
{
    char *to = begin_value(w, 1);
    if (!to)
        return;
    *to = '"';
    put_end(w->out, to + 1);
    base64_encode(w->out, bytes);
    buf_add_char(w->out, '"');
}

void jsonw_kstr(struct jsonw *w, const char *key, struct str s)
{
    jsonw_key(w, key);
    jsonw_str(w, s);
}

void jsonw_kcstr(struct jsonw *w, const char *key, const char *s)
{
    jsonw_key(w, key);
    jsonw_cstr(w, s);
}

void jsonw_kint(struct jsonw *w, const char *key, int64_t n)
{
    jsonw_key(w, key);
    jsonw_int(w, n);
}

void jsonw_kbool(struct jsonw *w, const char *key, bool b)
{
    jsonw_key(w, key);
    jsonw_bool(w, b);
}
