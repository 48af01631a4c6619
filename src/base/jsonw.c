#include "base/jsonw.h"

#include <assert.h>
#include <math.h>

#include "base/base64.h"
#include "base/json_scan.h"
#include "base/number.h"
#include "base/utf8.h"

static bool in_object(const struct jsonw *w)
{
    return w->depth && (w->object[(w->depth - 1) / 64] >> (w->depth - 1) % 64 & 1);
}

/* What stands before a value: nothing behind a key, else a comma if one is due. */
static void begin_value(struct jsonw *w)
{
    assert(w->has_key == in_object(w) && "a value in an object needs a key");
    assert((w->depth || !w->comma) && "one value is the whole text");
    if (w->comma && !w->has_key)
        buf_add_char(w->out, ',');
    w->has_key = false;
    w->comma = true;
}

static void push(struct jsonw *w, bool object)
{
    assert(w->depth < JSONW_MAX_DEPTH);
    begin_value(w);
    uint64_t bit = 1ull << w->depth % 64, *word = &w->object[w->depth / 64];
    *word = object ? *word | bit : *word & ~bit;
    w->depth++;
    w->comma = false;
    buf_add_char(w->out, object ? '{' : '[');
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
    assert(w->depth && !w->has_key);
    buf_add_char(w->out, in_object(w) ? '}' : ']');
    w->depth--;
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

static void add_string(struct buf *b, struct str s)
{
    buf_add_char(b, '"');
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

void jsonw_key_str(struct jsonw *w, struct str key)
{
    assert(in_object(w) && !w->has_key);
    if (w->comma)
        buf_add_char(w->out, ',');
    add_string(w->out, key);
    buf_add_char(w->out, ':');
    w->has_key = true;
}

void jsonw_key(struct jsonw *w, const char *key)
{
    jsonw_key_str(w, str_from(key));
}

void jsonw_str(struct jsonw *w, struct str s)
{
    begin_value(w);
    add_string(w->out, s);
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
    jsonw_raw(w, str_make(text, number_print_i64(n, text)));
}

void jsonw_uint(struct jsonw *w, uint64_t n)
{
    char text[NUMBER_MAX];
    jsonw_raw(w, str_make(text, number_print_u64(n, text)));
}

void jsonw_double(struct jsonw *w, double d)
{
    char text[NUMBER_MAX];
    if (isfinite(d))
        jsonw_raw(w, str_make(text, number_print_double(d, text)));
    else
        jsonw_null(w);
}

void jsonw_bool(struct jsonw *w, bool b)
{
    jsonw_raw(w, b ? STR("true") : STR("false"));
}

void jsonw_null(struct jsonw *w)
{
    jsonw_raw(w, STR("null"));
}

void jsonw_raw(struct jsonw *w, struct str json)
{
    assert(json.n);
    begin_value(w);
    buf_add(w->out, json);
}

/* Values lie in document order: one pass over them, and `ends` says where containers are over. */
void jsonw_value(struct jsonw *w, const struct json *v)
{
    const struct json *ends[JSONW_MAX_DEPTH + 1], *end = json_next(v);
    size_t depth = 0;
    if (!v)
        jsonw_null(w);
    for (const struct json *at = v; at != end; at++) {
        bool container = at->type == JSON_ARRAY || at->type == JSON_OBJECT;
        if (depth && at->type == JSON_STRING && in_object(w) && !w->has_key) {
            jsonw_key_str(w, json_str(at));
            continue;
        }
        if (at->type == JSON_STRING)
            jsonw_str(w, json_str(at));
        else if (at->type == JSON_NUMBER)
            jsonw_raw(w, json_number_text(at));
        else if (!container)
            jsonw_raw(w, at->type == JSON_NULL ? STR("null")
                         : json_bool(at)       ? STR("true")
                                               : STR("false"));
        else
            push(w, at->type == JSON_OBJECT);
        if (container)
            ends[depth++] = json_next(at);
        while (depth && ends[depth - 1] == at + 1) {
            jsonw_end(w);
            depth--;
        }
    }
}

void jsonw_base64(struct jsonw *w, struct str bytes)
{
    begin_value(w);
    buf_add_char(w->out, '"');
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
