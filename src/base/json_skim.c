#include "base/json_skim.h"

#include <stdlib.h>

#include "base/json_escape.h"
#include "base/json_keys.h"
#include "base/json_scan.h"
#include "base/json_sprint.h"
#include "base/mem.h"
#include "base/utf8.h"

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define INLINE      __attribute__((always_inline)) static inline
#define NOINLINE    __attribute__((noinline)) static

/* Each function gets the position where its part begins and returns the one after it, or NULL after
 * fail_at(). As in json.c: errors have the same reasons at the same offsets.
 *
 * A stack of bits records which open containers are objects; the lowest bit is the innermost. */
struct skimmer {
    const char *end;
    const char *text_end; /* up to here the text is valid UTF-8 */
    const char *window;   /* 64 bytes of the text ... */
    uint64_t specials;    /* ... and which of them may end a string */
    uint64_t objects, more_objects;
    size_t depth;
    bool has_blanks;
    bool keys_may_repeat;
    const char *start;
    struct json_keys_filter keys; /* of the outermost object */
    size_t key_count;
    struct json_error err;
};

_Static_assert(JSON_MAX_DEPTH <= 128, "the stack has two words");

NOINLINE const char *fail_at(struct skimmer *s, const char *at, const char *reason)
{
    s->err = (struct json_error){.offset = (size_t)(at - s->start), .reason = reason};
    return NULL;
}

/* Fail at `at` with the reason, or with "unexpected end" if the text ends there. */
static const char *fail_unexpected(struct skimmer *s, const char *at, const char *reason)
{
    return fail_at(s, at, at == s->end ? "unexpected end" : reason);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

NOINLINE const char *skip_some_blanks(struct skimmer *s, const char *at)
{
    const char *from = at;
    while (at < s->end && is_blank(*at)) {
        at++;
        while (s->end - at >= 8 && json_scan_load_8(at) == 0x2020202020202020u)
            at += 8;
    }
    s->has_blanks |= at != from;
    return at;
}

static inline const char *skip_blanks(struct skimmer *s, const char *at)
{
    if (LIKELY(at < s->end && (unsigned char)*at > ' '))
        return at;
    return skip_some_blanks(s, at);
}

/* ---- scalars */

/* Check the rest of a string, from the first byte that is not plain text. */
NOINLINE const char *check_special_string(struct skimmer *s, const char *at)
{
    for (;; at = json_scan_text(at, s->text_end)) {
        if (at == s->text_end)
            return fail_unexpected(s, at, "invalid UTF-8");
        if (*at == '"')
            return at + 1;
        if (*at != '\\')
            return fail_at(s, at, "control character in a string");
        char scratch[4], *to = scratch;
        struct json_fault fault;
        if (!(at = json_escape(at, s->end, &to, &fault)))
            return fail_at(s, fault.at, fault.reason);
    }
}

#ifdef __SSE2__
static inline uint64_t find_specials_64(const char *at)
{
    uint64_t low = json_scan_text_16(at) | (uint64_t)json_scan_text_16(at + 16) << 16;
    uint64_t high = json_scan_text_16(at + 32) | (uint64_t)json_scan_text_16(at + 48) << 16;
    return low | high << 32;
}
#endif

/* Return the first byte at or after `at` that is not plain text, using a new window. */
NOINLINE const char *scan_window(struct skimmer *s, const char *at)
{
#ifdef __SSE2__
    for (; s->text_end - at >= 64; at += 64) {
        s->window = at;
        s->specials = find_specials_64(at);
        if (s->specials)
            return at + __builtin_ctzll(s->specials);
    }
    s->specials = 0;
#endif
    return json_scan_text(at, s->text_end);
}

/* The same. Strings are short, so a window contains the ends of several. A lookup there is faster
 * than to load and compare the bytes of each string, which has to wait for the end of the one
 * before. */
INLINE const char *find_special(struct skimmer *s, const char *at)
{
    size_t offset = (size_t)(at - s->window);
    uint64_t specials = LIKELY(offset < 64) ? s->specials >> offset : 0;
    return LIKELY(specials) ? at + __builtin_ctzll(specials) : scan_window(s, at);
}

/* `at` is after the opening quote. */
INLINE const char *skip_string(struct skimmer *s, const char *at)
{
    at = find_special(s, at);
    if (LIKELY(at < s->text_end && *at == '"'))
        return at + 1;
    return check_special_string(s, at);
}

static inline const char *skip_number(struct skimmer *s, const char *at)
{
    const char *fault, *behind = json_scan_number(at, s->end, &fault);
    return LIKELY(behind) ? behind : fail_unexpected(s, fault, "digit expected");
}

static const char *fail_literal(struct skimmer *s, const char *at, struct str word)
{
    while (at < s->end && *at == *word.p) {
        at++;
        word.p++;
    }
    return fail_unexpected(s, at, "unexpected character");
}

static inline const char *skip_literal(struct skimmer *s, const char *at, struct str word)
{
    if (LIKELY((size_t)(s->end - at) >= word.n && memcmp(at, word.p, word.n) == 0))
        return at + word.n;
    return fail_literal(s, at, word);
}

INLINE const char *skip_scalar(struct skimmer *s, const char *at)
{
    switch (*at) {
    case '"':
        return skip_string(s, at + 1);
    case 't':
        return skip_literal(s, at, STR("true"));
    case 'f':
        return skip_literal(s, at, STR("false"));
    case 'n':
        return skip_literal(s, at, STR("null"));
    default:
        if (LIKELY(*at == '-' || (*at >= '0' && *at <= '9')))
            return skip_number(s, at);
        return fail_at(s, at, "unexpected character");
    }
}

/* ---- containers */

INLINE const char *skip_key(struct skimmer *s, const char *at)
{
    at = skip_blanks(s, at);
    if (UNLIKELY(at == s->end || *at != '"'))
        return fail_unexpected(s, at, "key expected");
    at = skip_string(s, at + 1);
    if (UNLIKELY(!at))
        return NULL;
    at = skip_blanks(s, at);
    if (UNLIKELY(at == s->end || *at != ':'))
        return fail_unexpected(s, at, "colon expected");
    return at + 1;
}

static inline void push_container(struct skimmer *s, bool object)
{
    if (UNLIKELY(s->depth >= 64))
        s->more_objects = s->more_objects << 1 | s->objects >> 63;
    s->objects = s->objects << 1 | object;
    s->depth++;
}

static inline void pop_container(struct skimmer *s)
{
    s->objects >>= 1;
    s->depth--;
    if (UNLIKELY(s->depth >= 64)) {
        s->objects |= s->more_objects << 63;
        s->more_objects >>= 1;
    }
}

/* Open the container at `at`. Return where its first member begins, or where it ends if empty. */
static inline const char *open_container(struct skimmer *s, const char *at)
{
    if (UNLIKELY(s->depth == JSON_MAX_DEPTH)) {
        fail_at(s, at, "too deep");
        s->err.limit = true;
        return NULL;
    }
    push_container(s, *at == '{');
    at = skip_blanks(s, at + 1);
    if (UNLIKELY(at == s->end))
        return fail_at(s, at, "unexpected end");
    return at;
}

/* Go from the end of a value to the next one, closing all complete containers; or to the end of the
 * container that closes at depth `floor`. */
INLINE const char *go_to_next(struct skimmer *s, const char *at, size_t floor)
{
    for (; s->depth > floor; at++) {
        at = skip_blanks(s, at);
        if (UNLIKELY(at == s->end))
            return fail_at(s, at, "unexpected end");
        bool object = s->objects & 1;
        if (*at == ',')
            return object ? skip_key(s, at + 1) : at + 1;
        if (UNLIKELY(*at != (object ? '}' : ']')))
            return fail_at(s, at, "comma or closing bracket expected");
        pop_container(s);
    }
    return at;
}

/* Go from the start of a value to a later value, or to its end, as far as json_sprint() gets; *due
 * is what is expected there. */
static const char *try_sprint(struct skimmer *s, const char *at, size_t floor, enum json_due *due)
{
    struct json_sprint k = {.objects = s->objects, .depth = s->depth};
    *due = JSON_DUE_VALUE;
    if (s->has_blanks || s->end != s->text_end)
        return at;
    at = json_sprint(&k, at, s->end, floor);
    *due = k.due;
    s->objects = k.objects;
    s->depth = k.depth;
    return at;
}

/* Pass a scalar, or the start of a container and its first key; *is_open: the next value is inside
 * that container. */
INLINE const char *begin_value(struct skimmer *s, const char *at, bool *is_open)
{
    *is_open = false;
    at = skip_blanks(s, at);
    if (UNLIKELY(at == s->end))
        return fail_at(s, at, "unexpected end");
    bool object = *at == '{';
    if (!object && *at != '[')
        return skip_scalar(s, at);
    if (UNLIKELY(!(at = open_container(s, at))))
        return NULL;
    *is_open = LIKELY(*at != (object ? '}' : ']'));
    return object && *is_open ? skip_key(s, at) : at;
}

/* Go from where a value is due to where the next one is due, or to the end. */
INLINE const char *pass_value(struct skimmer *s, const char *at, size_t floor)
{
    enum json_due due = JSON_DUE_VALUE;
    bool is_open;
    if (LIKELY(at < s->end) && (*at == '{' || *at == '['))
        at = try_sprint(s, at, floor, &due);
    if (due == JSON_DUE_KEY)
        return skip_key(s, at);
    if (due == JSON_DUE_VALUE) {
        at = begin_value(s, at, &is_open);
        if (!at || is_open)
            return at;
    }
    return go_to_next(s, at, floor);
}

/* Pass a whole value and the blanks before it. */
static const char *skip_value(struct skimmer *s, const char *at)
{
    size_t floor = s->depth;
    do
        at = pass_value(s, skip_blanks(s, at), floor);
    while (at && s->depth > floor);
    return at;
}

/* ---- the outermost object */

static void store_member(struct json_skim *to, struct str member_key, const char *from,
                         const char *behind)
{
    if (to->count < to->room)
        to->members[to->count++] =
            (struct json_member){member_key, str_make(from, (size_t)(behind - from))};
}

/* Record a key, given without quotes. A key with an escape may equal any other. */
static void note_key(struct skimmer *s, struct str k)
{
    s->key_count++;
    if (json_keys_add(&s->keys, k.p, k.n) || memchr(k.p, '\\', k.n))
        s->keys_may_repeat = true;
}

/* Read a member and the blanks before it. */
static const char *read_member(struct skimmer *s, const char *at, struct json_skim *to)
{
    const char *quote = skip_blanks(s, at), *colon = skip_key(s, quote);
    if (!colon)
        return NULL;
    const char *end_quote = colon - 2; /* unless there are blanks before the colon */
    while (*end_quote != '"')
        end_quote--;
    struct str k = str_make(quote + 1, (size_t)(end_quote - quote - 1));
    note_key(s, k);
    const char *from = skip_blanks(s, colon), *behind = skip_value(s, from);
    if (behind)
        store_member(to, k, from, behind);
    return behind;
}

/* Go from after the opening brace to the closing one. */
static const char *read_members(struct skimmer *s, const char *at, struct json_skim *to)
{
    at = skip_blanks(s, at);
    if (at == s->end)
        return fail_at(s, at, "unexpected end");
    if (*at == '}')
        return at;
    for (; (at = read_member(s, at, to)); at++) {
        at = skip_blanks(s, at);
        if (at < s->end && *at == '}')
            return at;
        if (at == s->end || *at != ',')
            return fail_unexpected(s, at, "comma or closing bracket expected");
    }
    return NULL;
}

/* Return the key as a value for json_keys.h, with its escapes decoded. */
static struct json decode_key(struct arena *a, struct str raw)
{
    const char *at = raw.p, *end = raw.p + raw.n;
    char *copy = arena_alloc(a, raw.n + 1), *to = copy;
    struct json_fault fault;
    while (at < end) {
        if (*at == '\\')
            at = json_escape(at, end, &to, &fault);
        else
            *to++ = *at++;
    }
    return (struct json){.type = JSON_STRING, .n = (uint32_t)(to - copy), .as.text = copy};
}

/* Return the quote of the first key that equals an earlier one, or NULL. The text after the opening
 * brace is valid. Walk it again, because not all members may have been stored: keys that may be
 * equal are rare, and mostly are equal. */
static const char *find_repeated_key(const struct skimmer *s, const char *at)
{
    struct skimmer again = *s;
    struct arena a = {0};
    size_t n = s->key_count * 2 + 1;
    struct json *all = arena_alloc(&a, n * sizeof *all);
    const char **quotes = arena_alloc(&a, s->key_count * sizeof *quotes);
    all[0] = (struct json){.type = JSON_OBJECT, .n = (uint32_t)s->key_count, .as.skip = n};
    for (size_t i = 0; i < s->key_count; i++, at++) {
        quotes[i] = at = skip_blanks(&again, at);
        const char *behind = skip_string(&again, at + 1);
        struct str raw = str_make(at + 1, (size_t)(behind - at - 2));
        all[1 + 2 * i] = decode_key(&a, raw);
        all[2 + 2 * i] = (struct json){.type = JSON_NULL};
        at = skip_blanks(&again, skip_value(&again, skip_blanks(&again, behind) + 1));
    }
    const struct json *found = json_keys_repeated(all);
    const char *quote = found ? quotes[(found - all - 1) / 2] : NULL;
    arena_done(&a);
    return quote;
}

/* Read the object whose brace is at `at`; return its end. */
static const char *read_outermost(struct skimmer *s, const char *at, struct json_skim *to)
{
    s->depth = 1;
    const char *brace = read_members(s, at + 1, to);
    if (!brace)
        return NULL;
    const char *quote = s->keys_may_repeat ? find_repeated_key(s, at + 1) : NULL;
    return quote ? fail_at(s, quote, "duplicate key") : brace + 1;
}

static bool skim_text(struct skimmer *s, struct json_skim *to)
{
    const char *at = skip_blanks(s, s->start);
    at = at < s->end && *at == '{' ? read_outermost(s, at, to) : skip_value(s, at);
    if (!at)
        return false;
    at = skip_blanks(s, at);
    return at == s->end || fail_at(s, at, "text after the value");
}

bool json_skim(struct json_skim *to, struct str text, struct json_error *err)
{
    struct skimmer s = {.start = text.p ? text.p : ""};
    bool ok = false;
    to->count = 0;
    s.end = s.text_end = s.start + text.n;
    s.window = s.start;
    if (text.n > JSON_MAX_BYTES) {
        s.err = (struct json_error){.offset = JSON_MAX_BYTES, .reason = "too large", .limit = true};
    } else {
        if (!to->utf8_is_checked)
            s.text_end = s.start + utf8_valid_prefix(text);
        ok = skim_text(&s, to);
    }
    to->is_compact = ok && !s.has_blanks;
    if (!ok && err)
        *err = s.err;
    return ok;
}

/* ---- using the members */

struct str json_skim_get(const struct json_skim *s, struct str k)
{
    for (size_t i = 0; i < s->count; i++)
        if (str_eq(s->members[i].key, k))
            return s->members[i].value;
    return (struct str){0};
}

struct str json_skim_plain(struct str v)
{
    if (v.n < 2 || v.p[0] != '"' || memchr(v.p, '\\', v.n))
        return (struct str){0};
    return str_make(v.p + 1, v.n - 2);
}

void json_skim_compact(struct buf *out, struct str json)
{
    const char *at = json.p, *end = json.p + json.n;
    while (at < end) {
        const char *from = at;
        while (at < end && !is_blank(*at))
            at = *at == '"' ? json_scan_string(at, end) : at + 1;
        buf_add(out, str_make(from, (size_t)(at - from)));
        while (at < end && is_blank(*at))
            at++;
    }
}
