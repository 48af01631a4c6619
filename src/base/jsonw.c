#include "base/jsonw.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#ifdef __SSE2__
#include <tmmintrin.h>
#endif

#include "base/base64.h"
#include "base/json_scan.h"
#include "base/number.h"
#include "base/utf8.h"

#define LONG_TEXT 512u /* for longer text, do not try a copy without escapes first */

/* Return room for n bytes, or NULL. put_end() records how much of it was used. */
static inline char *put_begin(struct buf *b, size_t n)
{
    return b->cap - b->n >= n && b->p && !b->overflow ? b->p + b->n : buf_room(b, n);
}

static inline void put_end(struct buf *b, char *end)
{
    *end = 0;
    b->n = (size_t)(end - b->p);
}

/* Return room for a value of n bytes, after a comma if one is due. */
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

static inline void push_container(struct jsonw *w, bool object)
{
    assert(w->depth < JSONW_MAX_DEPTH);
    add_value(w, object ? STR("{") : STR("["));
    uint64_t bit = 1ull << w->depth % 64, *word = &w->object[w->depth / 64];
    *word = w->in_object ? *word | bit : *word & ~bit;
    w->depth++;
    w->in_object = object;
    w->comma = false;
}

static inline void pop_container(struct jsonw *w)
{
    assert(w->depth && !w->has_key);
    buf_add_char(w->out, w->in_object ? '}' : ']');
    w->depth--;
    w->in_object = w->object[w->depth / 64] >> w->depth % 64 & 1;
    w->comma = true;
}

/* The escape of a character that needs one; n is 0 for all others. All eight bytes are copied each
 * time. */
struct escape {
    char text[7];
    uint8_t n;
};

_Static_assert(sizeof(struct escape) == 8, "copied as one word");

static const struct escape escapes[256] = {
    [0x00] = {"\\u0000", 6}, [0x01] = {"\\u0001", 6}, [0x02] = {"\\u0002", 6},
    [0x03] = {"\\u0003", 6}, [0x04] = {"\\u0004", 6}, [0x05] = {"\\u0005", 6},
    [0x06] = {"\\u0006", 6}, [0x07] = {"\\u0007", 6}, [0x08] = {"\\b", 2},
    [0x09] = {"\\t", 2},     [0x0a] = {"\\n", 2},     [0x0b] = {"\\u000b", 6},
    [0x0c] = {"\\f", 2},     [0x0d] = {"\\r", 2},     [0x0e] = {"\\u000e", 6},
    [0x0f] = {"\\u000f", 6}, [0x10] = {"\\u0010", 6}, [0x11] = {"\\u0011", 6},
    [0x12] = {"\\u0012", 6}, [0x13] = {"\\u0013", 6}, [0x14] = {"\\u0014", 6},
    [0x15] = {"\\u0015", 6}, [0x16] = {"\\u0016", 6}, [0x17] = {"\\u0017", 6},
    [0x18] = {"\\u0018", 6}, [0x19] = {"\\u0019", 6}, [0x1a] = {"\\u001a", 6},
    [0x1b] = {"\\u001b", 6}, [0x1c] = {"\\u001c", 6}, [0x1d] = {"\\u001d", 6},
    [0x1e] = {"\\u001e", 6}, [0x1f] = {"\\u001f", 6}, ['"'] = {"\\\"", 2},
    ['\\'] = {"\\\\", 2},
};

#define ESCAPE_MAX 6u  /* bytes of the longest */
#define SPARE      24u /* whole blocks are stored: so many bytes after the text are overwritten */
#define CHUNK      4096u

/* Escape valid UTF-8 from `at` to `end`; `to` has room for the worst case and SPARE. */
static char *escape_words(char *to, const char *at, const char *end)
{
    while (at < end) {
        if (end - at >= 8 && !json_scan_text_8(json_scan_load_8(at))) {
            memcpy(to, at, 8);
            to += 8;
            at += 8;
            continue;
        }
        const struct escape *e = &escapes[(unsigned char)*at];
        *to = *at++;
        if (e->n)
            memcpy(to, e, sizeof *e);
        to += e->n ? e->n : 1;
    }
    return to;
}

#ifdef __SSE2__
/* Escape 16 bytes, some of which are special; 16 more must be readable after them. The positions of
 * the special bytes are known in advance, so that no step waits for the one before it. */
static inline char *escape_block(char *to, const char *at, uint32_t special)
{
    unsigned done = 0;
    memcpy(to, at, 16);
    while (special) {
        unsigned i = (unsigned)__builtin_ctz(special);
        const struct escape *e = &escapes[(unsigned char)at[i]];
        special &= special - 1;
        to += i - done;
        memcpy(to, e, sizeof *e);
        to += e->n;
        done = i + 1;
        memcpy(to, at + done, 16);
    }
    return to + 16 - done;
}

/* With SSSE3, eight bytes and their backslashes are written by one shuffle. For each set of bytes
 * that need a backslash, `from` is the source of each result byte; 8 and above is a backslash. */
static struct {
    uint8_t from[256][16];
    uint8_t n[256];
    bool usable;
} moves;
static pthread_once_t moves_once = PTHREAD_ONCE_INIT;

static void make_moves(void)
{
    for (unsigned set = 0; set < 256; set++) {
        unsigned n = 0;
        for (unsigned i = 0; i < 8; i++) {
            if (set >> i & 1)
                moves.from[set][n++] = 8;
            moves.from[set][n++] = (uint8_t)i;
        }
        moves.n[set] = (uint8_t)n;
    }
    moves.usable = __builtin_cpu_supports("ssse3") != 0;
}

/* Escape 16 bytes at a time up to the first control character; *from is where it stopped. */
__attribute__((target("ssse3"))) static char *escape_moved(char *to, const char **from,
                                                           const char *end)
{
    const __m128i slashes = _mm_set_epi64x(0x5c5c5c5c5c5c5c5c, 0);
    const char *at = *from;
    for (; end - at >= 16; at += 16) {
        uint32_t quoted = json_scan_quoted_16(at);
        if (json_scan_text_16(at) != quoted)
            break;
        const uint8_t *low = moves.from[quoted & 0xff], *high = moves.from[quoted >> 8];
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i first = _mm_or_si128(_mm_move_epi64(v), slashes);
        __m128i second = _mm_or_si128(_mm_srli_si128(v, 8), slashes);
        first = _mm_shuffle_epi8(first, _mm_loadu_si128((const __m128i *)(const void *)low));
        second = _mm_shuffle_epi8(second, _mm_loadu_si128((const __m128i *)(const void *)high));
        _mm_storeu_si128((__m128i *)(void *)to, first);
        to += moves.n[quoted & 0xff];
        _mm_storeu_si128((__m128i *)(void *)to, second);
        to += moves.n[quoted >> 8];
    }
    *from = at;
    return to;
}

static char *escape_text(char *to, const char *at, const char *end)
{
    pthread_once(&moves_once, make_moves);
    if (moves.usable)
        to = escape_moved(to, &at, end);
    for (; end - at >= 32; at += 16)
        to = escape_block(to, at, json_scan_text_16(at));
    return escape_words(to, at, end);
}
#else
static char *escape_text(char *to, const char *at, const char *end)
{
    return escape_words(to, at, end);
}
#endif

/* Add the first character of s, which is not plain, where there may be little room. Return its
 * bytes in s. */
static size_t add_special(struct buf *b, struct str s)
{
    assert(s.n);
    const struct escape *e = &escapes[(unsigned char)s.p[0]];
    size_t n = utf8_char_bytes(s);
    if (e->n)
        buf_add(b, str_make(e->text, e->n));
    else
        buf_add(b, n ? str_head(s, n) : STR("\xef\xbf\xbd"));
    return n ? n : utf8_bad_bytes(s);
}

/* Do the same as add_escaped() close to the maximum of the buffer, without any spare room. */
static void add_tight(struct buf *b, struct str s)
{
    const char *at = s.p, *end = s.p + s.n;
    while (at < end && !b->overflow) {
        const char *stop = json_scan(at, end);
        buf_add(b, str_make(at, (size_t)(stop - at)));
        at = stop;
        if (at < end)
            at += add_special(b, str_make(at, (size_t)(end - at)));
    }
}

/* Return room for n bytes, or NULL, without an overflow, if the maximum does not allow so many. */
static char *room_for(struct buf *b, size_t n)
{
    size_t max = b->max ? b->max : BUF_DEFAULT_MAX;
    return b->overflow || n > max - b->n ? NULL : put_begin(b, n);
}

/* Return how much of s is valid UTF-8. Check for ASCII first: most text is. */
static size_t valid_part(struct str s)
{
    uint64_t seen = 0;
    size_t i = 0;
    for (; s.n - i >= 32; i += 32)
        seen |= json_scan_load_8(s.p + i) | json_scan_load_8(s.p + i + 8) |
                json_scan_load_8(s.p + i + 16) | json_scan_load_8(s.p + i + 24);
    if (seen & 0x8080808080808080u)
        i = 0;
    return i + utf8_valid_prefix(str_skip(s, i));
}

/* Add text that is not all plain. JSON in a JSON string has a quote every few bytes: make room for
 * that at once, and at least for the worst case of a chunk. */
static void add_escaped(struct buf *b, struct str s, bool is_utf8)
{
    room_for(b, s.n + s.n / 4 + str_head(s, CHUNK).n * ESCAPE_MAX + SPARE);
    while (s.n) {
        struct str chunk = str_head(s, CHUNK);
        char *to = room_for(b, chunk.n * ESCAPE_MAX + SPARE);
        if (!to) {
            add_tight(b, s);
            return;
        }
        size_t n = is_utf8 ? chunk.n : valid_part(chunk);
        put_end(b, escape_text(to, s.p, s.p + n));
        s = str_skip(s, n);
        if (n < chunk.n) /* the chunk ends inside a character, or it is invalid */
            s = str_skip(s, add_special(b, s));
    }
}

/* Room for the quotes and the text that is copied without a check. */
static inline size_t first_room_of(struct str s)
{
    return s.n < LONG_TEXT ? s.n + 2 : 1;
}

/* Add the string at `to`, where there is first_room(), and one more byte for a colon. */
static inline void add_string(struct buf *b, char *to, struct str s, bool colon, bool is_utf8)
{
    *to++ = '"';
    if (s.n < LONG_TEXT && json_scan_copy(to, s.p, s.n)) {
        to += s.n;
        *to++ = '"';
        if (colon)
            *to++ = ':';
        put_end(b, to);
        return;
    }
    put_end(b, to);
    add_escaped(b, s, is_utf8);
    buf_add_char(b, '"');
    if (colon)
        buf_add_char(b, ':');
}

static inline void add_key(struct jsonw *w, struct str key)
{
    assert(w->in_object && !w->has_key);
    char *to = put_begin(w->out, first_room_of(key) + 1 + w->comma);
    if (to && w->comma)
        *to++ = ',';
    if (to)
        add_string(w->out, to, key, true, false);
    w->has_key = true;
}

static inline void add_text(struct jsonw *w, struct str s, bool is_utf8)
{
    char *to = begin_value(w, first_room_of(s));
    if (to)
        add_string(w->out, to, s, false, is_utf8);
}

void jsonw_object(struct jsonw *w)
{
    push_container(w, true);
}

void jsonw_array(struct jsonw *w)
{
    push_container(w, false);
}

void jsonw_end(struct jsonw *w)
{
    pop_container(w);
}

void jsonw_key_str(struct jsonw *w, struct str key)
{
    add_key(w, key);
}

void jsonw_str(struct jsonw *w, struct str s)
{
    add_text(w, s, false);
}

void jsonw_utf8(struct jsonw *w, struct str s)
{
    add_text(w, s, true);
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

size_t jsonw_gap(struct jsonw *w)
{
    add_value(w, STR(""));
    return w->out->n;
}

static inline void add_read(struct jsonw *w, const struct json *v)
{
    switch ((enum json_type)v->type) {
    case JSON_STRING:
        add_text(w, str_make(v->as.text, v->n), true);
        break;
    case JSON_NUMBER:
        add_value(w, str_make(v->as.text, v->n));
        break;
    case JSON_BOOL:
        add_value(w, v->flag ? STR("true") : STR("false"));
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        push_container(w, v->type == JSON_OBJECT);
        break;
    case JSON_NULL:
    case JSON_TYPE_COUNT:
        add_value(w, STR("null"));
        break;
    }
}

/* Values are in document order: pass over them once; `ends` has the ends of open containers. */
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
            pop_container(w);
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

/* ---- for people */

static void put_scalar(struct buf *out, const struct json *v)
{
    struct jsonw w = jsonw_make(out);
    jsonw_value(&w, v);
}

static void add_new_line(struct buf *out, size_t level)
{
    buf_add_char(out, '\n');
    while (level--)
        buf_add(out, STR("  "));
}

/* Recursion is bounded: no value is deeper than JSON_DEPTH_CEILING. */
static void put_indented(struct buf *out, const struct json *v, size_t level)
{
    bool object = json_is(v, JSON_OBJECT);
    bool first = true;
    if (json_count(v) == 0) {
        put_scalar(out, v);
        return;
    }
    buf_add_char(out, object ? '{' : '[');
    for (const struct json *item = v + 1, *end = json_next(v); item != end;
         item = json_next(item), first = false) {
        if (!first)
            buf_add_char(out, ',');
        add_new_line(out, level + 1);
        if (object) {
            put_scalar(out, item++);
            buf_add(out, STR(": "));
        }
        put_indented(out, item, level + 1);
    }
    add_new_line(out, level);
    buf_add_char(out, object ? '}' : ']');
}

void jsonw_indent(struct buf *out, const struct json *v)
{
    put_indented(out, v, 0);
}
