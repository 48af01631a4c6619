#include "base/json.h"

#include "base/json_escape.h"
#include "base/json_keys.h"
#include "base/json_scan.h"
#include "base/number.h"
#include "base/utf8.h"

#define TEXT_CHUNK  4096u /* decoded strings share pieces of the arena of this size */
#define FEW_MEMBERS 16u   /* objects with more are compared through a hash table */

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- reading */

/* The reader passes over the text once. Its values are in one array that may move while it grows,
 * so they refer to each other by distance, never by address. While a container is open, its `skip`
 * is the distance from the enclosing one, and the `flag` of an object means that two keys may be
 * equal.
 *
 * Each function gets the position where its part begins and returns the one after it, or NULL after
 * fail_at(). The text has no end mark: every step checks `end` first. */
struct json_reader {
    const char *end;
    struct json *next, *limit;     /* the free part of the array */
    struct json *top;              /* the innermost open container */
    struct json_keys_filter *keys; /* of that container, after those of the enclosing ones */
    struct json_keys_filter *first_keys, *last_keys;
    struct json *values;
    const char *start;
    struct arena *arena;
    char *text_at, *text_end; /* room for decoded strings */
    bool values_are_last;     /* in the arena */
    struct json_error err;
};

static const char *fail_at(struct json_reader *r, const char *at, const char *reason)
{
    r->err = (struct json_error){.offset = (size_t)(at - r->start), .reason = reason};
    return NULL;
}

/* Fail at `at` with the reason, or with "unexpected end" if the text ends there. */
static const char *fail_unexpected(struct json_reader *r, const char *at, const char *reason)
{
    return fail_at(r, at, at == r->end ? "unexpected end" : reason);
}

/* A text of n bytes has at most n / 2 + 1 values, because all but the first need a separator. (Text
 * with many unclosed brackets has more; then this is called again.) */
static void grow_values(struct json_reader *r, const char *at)
{
    size_t count = (size_t)(r->next - r->values), top = (size_t)(r->top - r->values);
    size_t most = count + (size_t)(r->end - at) / 2 + 1;
    size_t cap = count ? count * 2 : (size_t)(r->end - r->start) / 5 + 8;
    if (cap > most)
        cap = most;
    r->values = arena_grow(r->arena, r->values, count * sizeof *r->values, cap * sizeof *r->values);
    r->values_are_last = true;
    r->next = r->values + count;
    r->limit = r->values + cap;
    r->top = r->values + top;
}

static inline struct json *add_value(struct json_reader *r, const char *at)
{
    if (UNLIKELY(r->next == r->limit))
        grow_values(r, at);
    return r->next++;
}

static inline const char *skip_blanks(const char *at, const char *end)
{
    if (LIKELY(at < end && (unsigned char)*at > ' '))
        return at;
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

static inline struct json make_text_value(enum json_type type, const char *from, const char *to)
{
    return (struct json){.type = (uint8_t)type, .n = (uint32_t)(to - from), .as.text = from};
}

/* Decode the escape at `at` to *to. The result is never longer than the escape. */
static const char *decode_escape(struct json_reader *r, const char *at, const char *end, char **to)
{
    struct json_fault fault;
    const char *behind = json_escape(at, end, to, &fault);
    return behind ? behind : fail_at(r, fault.at, fault.reason);
}

static char *make_text_room(struct json_reader *r, size_t n)
{
    if ((size_t)(r->text_end - r->text_at) < n) {
        size_t size = n > TEXT_CHUNK ? n : TEXT_CHUNK;
        r->text_at = arena_alloc(r->arena, size);
        r->values_are_last = false;
        r->text_end = r->text_at + size;
    }
    return r->text_at;
}

/* Decode the text between `from` and its closing quote, whose escapes are valid. */
static void decode_string(struct json_reader *r, const char *from, const char *quote,
                          struct json *v)
{
    char *start = make_text_room(r, (size_t)(quote - from)), *to = start;
    while (from < quote) {
        const char *slash = memchr(from, '\\', (size_t)(quote - from));
        size_t run = (size_t)((slash ? slash : quote) - from);
        memcpy(to, from, run);
        to += run;
        from += run;
        if (slash)
            from = decode_escape(r, slash, quote, &to);
    }
    *v = make_text_value(JSON_STRING, start, to);
    r->text_at = to;
}

/* Read a string that is not plain ASCII from `at` on. */
static const char *read_special_string(struct json_reader *r, const char *from, const char *at,
                                       struct json *v)
{
    bool escaped = false;
    for (;; at = json_scan(at, r->end)) {
        if (at == r->end)
            return fail_at(r, at, "unexpected end");
        if (*at == '"')
            break;
        if (*at == '\\') {
            char scratch[4], *to = scratch;
            escaped = true;
            if (!(at = decode_escape(r, at, r->end, &to)))
                return NULL;
            continue;
        }
        if ((unsigned char)*at < 0x20)
            return fail_at(r, at, "control character in a string");
        size_t n = utf8_char_bytes(str_make(at, (size_t)(r->end - at)));
        if (n == 0)
            return fail_at(r, at, "invalid UTF-8");
        at += n;
    }
    if (escaped)
        decode_string(r, from, at, v);
    else
        *v = make_text_value(JSON_STRING, from, at);
    return at + 1;
}

/* Read a string; `from` is after the opening quote. */
static inline const char *read_string(struct json_reader *r, const char *from, struct json *v)
{
    const char *at = json_scan(from, r->end);
    if (UNLIKELY(at == r->end || *at != '"'))
        return read_special_string(r, from, at, v);
    *v = make_text_value(JSON_STRING, from, at);
    return at + 1;
}

static inline const char *skip_digits(struct json_reader *r, const char *at)
{
    const char *from = at;
    while (at < r->end && *at >= '0' && *at <= '9')
        at++;
    return LIKELY(at > from) ? at : fail_unexpected(r, at, "digit expected");
}

static const char *skip_fraction(struct json_reader *r, const char *at)
{
    if (*at == '.' && !(at = skip_digits(r, at + 1)))
        return NULL;
    if (at < r->end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < r->end && (*at == '+' || *at == '-'))
            at++;
        at = skip_digits(r, at);
    }
    return at;
}

static inline const char *read_number(struct json_reader *r, const char *from, struct json *v)
{
    const char *at = from + (*from == '-');
    bool inexact = false;
    if (at < r->end && *at == '0')
        at++;
    else if (UNLIKELY(!(at = skip_digits(r, at))))
        return NULL;
    if (at < r->end && (*at == '.' || *at == 'e' || *at == 'E')) {
        inexact = true;
        if (!(at = skip_fraction(r, at)))
            return NULL;
    }
    *v = make_text_value(JSON_NUMBER, from, at);
    v->flag = inexact;
    return at;
}

static const char *read_literal(struct json_reader *r, const char *at, struct str word)
{
    if (LIKELY((size_t)(r->end - at) >= word.n && memcmp(at, word.p, word.n) == 0))
        return at + word.n;
    for (size_t i = 0; i < word.n; i++)
        if (at + i == r->end || at[i] != word.p[i])
            return fail_unexpected(r, at + i, "unexpected character");
    return at + word.n;
}

static const char *read_scalar(struct json_reader *r, const char *at, struct json *v)
{
    switch (*at) {
    case '"':
        return read_string(r, at + 1, v);
    case 't':
        *v = (struct json){.type = JSON_BOOL, .flag = 1};
        return read_literal(r, at, STR("true"));
    case 'f':
        *v = (struct json){.type = JSON_BOOL};
        return read_literal(r, at, STR("false"));
    case 'n':
        *v = (struct json){.type = JSON_NULL};
        return read_literal(r, at, STR("null"));
    default:
        if (*at == '-' || (*at >= '0' && *at <= '9'))
            return read_number(r, at, v);
        return fail_at(r, at, "unexpected character");
    }
}

/* Read the key and the colon of the next member of the innermost object. */
__attribute__((always_inline)) static inline const char *read_key(struct json_reader *r,
                                                                  const char *at)
{
    at = skip_blanks(at, r->end);
    if (UNLIKELY(at == r->end || *at != '"'))
        return fail_unexpected(r, at, "key expected");
    struct json *k = add_value(r, at);
    const char *from = at + 1;
    at = json_scan(from, r->end);
    if (LIKELY(at < r->end && *at == '"')) {
        *k = make_text_value(JSON_STRING, from, at);
        r->top->flag |= json_keys_add(r->keys, from, (size_t)(at - from));
        at++;
    } else {
        if (UNLIKELY(!(at = read_special_string(r, from, at, k))))
            return NULL;
        r->top->flag |= json_keys_add(r->keys, k->as.text, k->n);
    }
    at = skip_blanks(at, r->end);
    if (UNLIKELY(at == r->end || *at != ':'))
        return fail_unexpected(r, at, "colon expected");
    return at + 1;
}

static bool is_separator(char c)
{
    return c == ',' || c == ':' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' ||
           c == '\t';
}

/* Return where value number `index` begins in the text read so far. Values do not store their
 * position, so count again; this is only for errors. */
static const char *find_value(const struct json_reader *r, size_t index)
{
    const char *at = r->start;
    for (;; index--) {
        while (is_separator(*at))
            at++;
        if (index == 0)
            return at;
        if (*at == '"') {
            while (*++at != '"')
                at += *at == '\\';
            at++;
        } else if (*at == '{' || *at == '[') {
            at++;
        } else {
            while (!is_separator(*at))
                at++;
        }
    }
}

/* Open the container at `at`. Return where its first value begins, or where it ends if empty. */
static inline const char *open_container(struct json_reader *r, const char *at, struct json *v)
{
    bool object = *at == '{';
    if (UNLIKELY(r->keys == r->last_keys)) {
        fail_at(r, at, "too deep");
        r->err.limit = true;
        return NULL;
    }
    *v = (struct json){.type = object ? JSON_OBJECT : JSON_ARRAY, .n = 1};
    v->as.skip = (uint64_t)(v - r->top);
    r->top = v;
    *++r->keys = (struct json_keys_filter){0};
    at = skip_blanks(at + 1, r->end);
    if (UNLIKELY(at == r->end))
        return fail_at(r, at, "unexpected end");
    if (*at == (object ? '}' : ']')) {
        v->n = 0;
        return at;
    }
    return object ? read_key(r, at) : at;
}

static inline bool close_container(struct json_reader *r)
{
    struct json *v = r->top;
    r->top -= v->as.skip;
    r->keys--;
    v->as.skip = (uint64_t)(r->next - v);
    if (LIKELY(!v->flag))
        return true;
    v->flag = 0;
    const struct json *repeated = json_keys_repeated(v);
    if (repeated)
        fail_at(r, find_value(r, (size_t)(repeated - r->values)), "duplicate key");
    return !repeated;
}

/* Go from the end of a value to the next one, closing all complete containers. If the outermost
 * value is complete, go to the end of the text. */
static inline const char *go_to_next(struct json_reader *r, const char *at)
{
    for (;; at++) {
        at = skip_blanks(at, r->end);
        if (UNLIKELY(r->keys == r->first_keys))
            return at == r->end ? at : fail_at(r, at, "text after the value");
        if (UNLIKELY(at == r->end))
            return fail_at(r, at, "unexpected end");
        bool object = r->top->type == JSON_OBJECT;
        if (*at == ',') {
            r->top->n++;
            return object ? read_key(r, at + 1) : at + 1;
        }
        if (UNLIKELY(*at != (object ? '}' : ']')))
            return fail_at(r, at, "comma or closing bracket expected");
        if (UNLIKELY(!close_container(r)))
            return NULL;
    }
}

static bool read_text(struct json_reader *r)
{
    const char *at = r->start;
    do {
        at = skip_blanks(at, r->end);
        if (UNLIKELY(at == r->end))
            return fail_at(r, at, "unexpected end");
        struct json *v = add_value(r, at);
        if (*at == '{' || *at == '[') {
            at = open_container(r, at, v);
            if (LIKELY(at && r->top->n))
                continue;
        } else {
            at = read_scalar(r, at, v);
        }
        at = LIKELY(at) ? go_to_next(r, at) : NULL;
    } while (at && r->keys != r->first_keys);
    return at != NULL;
}

const struct json *json_parse(struct arena *a, struct str text, const struct json_limits *limits,
                              struct json_error *err)
{
    size_t max_bytes = limits && limits->max_bytes ? limits->max_bytes : JSON_MAX_BYTES;
    size_t max_depth = limits && limits->max_depth ? limits->max_depth : JSON_MAX_DEPTH;
    if (max_bytes > UINT32_MAX)
        max_bytes = UINT32_MAX;
    if (max_depth > JSON_DEPTH_CEILING)
        max_depth = JSON_DEPTH_CEILING;
    struct json_keys_filter keys[JSON_DEPTH_CEILING + 1];
    struct json_reader r = {.arena = a, .start = text.p ? text.p : "", .first_keys = keys};
    r.end = r.start + text.n;
    r.keys = keys;
    r.last_keys = keys + max_depth;
    bool ok = false;
    if (text.n > max_bytes)
        r.err = (struct json_error){.offset = max_bytes, .reason = "too large", .limit = true};
    else
        ok = read_text(&r);
    if (!ok && err)
        *err = r.err;
    if (ok && r.values_are_last)
        arena_grow(a, r.values, (size_t)(r.limit - r.values) * sizeof *r.values,
                   (size_t)(r.next - r.values) * sizeof *r.values);
    return ok ? r.values : NULL;
}

/* ---- using the values */

enum json_type json_type(const struct json *v)
{
    return v ? (enum json_type)v->type : JSON_NULL;
}

const char *json_type_name(const struct json *v)
{
    static const char *const names[JSON_TYPE_COUNT] = {
        [JSON_NULL] = "null",       [JSON_BOOL] = "a boolean", [JSON_NUMBER] = "a number",
        [JSON_STRING] = "a string", [JSON_ARRAY] = "an array", [JSON_OBJECT] = "an object",
    };
    return v ? names[v->type] : "missing";
}

static bool is_container(const struct json *v)
{
    return v && (v->type == JSON_ARRAY || v->type == JSON_OBJECT);
}

size_t json_count(const struct json *v)
{
    return is_container(v) ? v->n : 0;
}

const struct json *json_get(const struct json *object, struct str key)
{
    JSON_EACH (object, k)
        if (k->n == key.n && memcmp(k->as.text, key.p ? key.p : "", key.n) == 0)
            return k + 1;
    return NULL;
}

const struct json *json_at(const struct json *array, size_t i)
{
    if (!json_is(array, JSON_ARRAY) || i >= array->n)
        return NULL;
    const struct json *item = array + 1;
    while (i--)
        item = json_next(item);
    return item;
}

struct str json_str(const struct json *v)
{
    return json_is(v, JSON_STRING) ? str_make(v->as.text, v->n) : (struct str){0};
}

bool json_bool(const struct json *v)
{
    return json_is(v, JSON_BOOL) && v->flag;
}

struct str json_number_text(const struct json *v)
{
    return json_is(v, JSON_NUMBER) ? str_make(v->as.text, v->n) : (struct str){0};
}

bool json_i64(const struct json *v, int64_t *out)
{
    return json_is(v, JSON_NUMBER) && number_i64(json_number_text(v), out);
}

bool json_u64(const struct json *v, uint64_t *out)
{
    return json_is(v, JSON_NUMBER) && number_u64(json_number_text(v), out);
}

bool json_double(const struct json *v, double *out)
{
    return json_is(v, JSON_NUMBER) && number_double(json_number_text(v), out);
}

static bool number_equal(const struct json *a, const struct json *b)
{
    int64_t ia, ib;
    uint64_t ua, ub;
    double da, db;
    if (json_i64(a, &ia) && json_i64(b, &ib))
        return ia == ib;
    if (json_u64(a, &ua) && json_u64(b, &ub))
        return ua == ub;
    bool fits = json_double(a, &da);
    if (fits != json_double(b, &db))
        return false;
    return fits ? da == db : str_eq(json_number_text(a), json_number_text(b));
}

/* Members are mostly in the same order, so try the next one first. Otherwise search, and use a
 * table if there are many: the time must not be the product of both counts. */
static bool object_equal(const struct json *a, const struct json *b)
{
    const struct json *next_b = b + 1, *end_b = json_next(b);
    struct json_keys *table = NULL;
    bool equal = true;
    JSON_EACH (a, k) {
        struct str key = json_str(k);
        const struct json *other = NULL;
        if (next_b != end_b && str_eq(json_str(next_b), key)) {
            other = next_b + 1;
        } else if (b->n <= FEW_MEMBERS) {
            other = json_get(b, key);
        } else {
            table = table ? table : json_keys_new(b);
            other = json_keys_get(table, key);
        }
        equal = other && json_equal(k + 1, other);
        if (!equal)
            break;
        next_b = json_next(other);
    }
    json_keys_free(table);
    return equal;
}

static bool array_equal(const struct json *a, const struct json *b)
{
    const struct json *other = b + 1;
    JSON_ITEMS (a, item) {
        if (!json_equal(item, other))
            return false;
        other = json_next(other);
    }
    return true;
}

/* Recursion is bounded: no value is deeper than JSON_DEPTH_CEILING. */
bool json_equal(const struct json *a, const struct json *b)
{
    if (!a || !b || a->type != b->type)
        return a == b;
    switch ((enum json_type)a->type) {
    case JSON_BOOL:
        return a->flag == b->flag;
    case JSON_NUMBER:
        return number_equal(a, b);
    case JSON_STRING:
        return str_eq(json_str(a), json_str(b));
    case JSON_ARRAY:
        return a->n == b->n && array_equal(a, b);
    case JSON_OBJECT:
        return a->n == b->n && object_equal(a, b);
    case JSON_NULL:
    case JSON_TYPE_COUNT:
        break;
    }
    return true;
}
