#include <assert.h>

#include "base/number.h"
#include "base/utf8.h"
#include "unity/yaml.h"
#include "unity/yaml_line.h"

/* A scalar while it is decoded: bytes are added at `to`. Two escapes make more of themselves: \L
 * and \P, two bytes, are characters of three. */
struct decoder {
    const char *at, *end;
    char *to;
};

static struct str between(const char *from, const char *to)
{
    return str_make(from, (size_t)(to - from));
}

/* One or more line ends, and the blanks around them: one is a space, each further one is itself. */
static void fold(struct decoder *d, char *floor)
{
    size_t breaks = 0;
    while (d->to > floor && (d->to[-1] == ' ' || d->to[-1] == '\t'))
        d->to--;
    for (; d->at < d->end && yaml_line_is_blank(*d->at); d->at++)
        breaks += *d->at == '\n';
    if (breaks == 1)
        *d->to++ = ' ';
    for (; breaks > 1; breaks--)
        *d->to++ = '\n';
}

static bool is_break(const struct decoder *d)
{
    return *d->at == '\n' || (*d->at == '\r' && d->at + 1 < d->end && d->at[1] == '\n');
}

static void decode_plain(struct decoder *d)
{
    char *floor = d->to;
    while (d->at < d->end) {
        if (is_break(d))
            fold(d, floor);
        else
            *d->to++ = *d->at++;
    }
}

static void decode_single(struct decoder *d)
{
    char *floor = d->to;
    while (d->at < d->end) {
        if (is_break(d)) {
            fold(d, floor);
            continue;
        }
        if (*d->at == '\'' && d->at + 1 < d->end && d->at[1] == '\'')
            d->at++;
        *d->to++ = *d->at++;
    }
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The n hexadecimal digits at d->at; false, and nothing taken, if they are not there. */
static bool take_hex(struct decoder *d, int n, uint32_t *out)
{
    uint32_t value = 0;
    if (d->end - d->at < n)
        return false;
    for (int i = 0; i < n; i++) {
        int digit = hex_digit(d->at[i]);
        if (digit < 0)
            return false;
        value = value << 4 | (uint32_t)digit;
    }
    d->at += n;
    *out = value;
    return true;
}

/* A half of a surrogate pair, as JSON has it, takes the other half along. */
static uint32_t join_surrogates(struct decoder *d, uint32_t c)
{
    uint32_t low;
    const char *before = d->at;
    if (c < 0xd800 || c > 0xdbff || d->end - d->at < 6 || d->at[0] != '\\' || d->at[1] != 'u')
        return c;
    d->at += 2;
    if (take_hex(d, 4, &low) && low >= 0xdc00 && low <= 0xdfff)
        return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    d->at = before;
    return c;
}

/* What stands behind a backslash for one character; 0 for no such escape. */
static uint32_t simple_escape(char c)
{
    static const struct {
        char name;
        uint16_t value;
    } escapes[] = {
        {'a', 7},     {'b', 8},    {'t', '\t'}, {'\t', '\t'},  {'n', '\n'},   {'v', 11},
        {'f', 12},    {'r', '\r'}, {'e', 27},   {' ', ' '},    {'"', '"'},    {'/', '/'},
        {'\\', '\\'}, {'N', 0x85}, {'_', 0xa0}, {'L', 0x2028}, {'P', 0x2029},
    };
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (escapes[i].name == c)
            return escapes[i].value;
    return 0;
}

static void put_char(struct decoder *d, uint32_t c)
{
    if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        c = 0xfffd;
    d->to += utf8_encode(c, d->to);
}

/* The escape at d->at, a backslash. One that is not known stands for itself. */
static void decode_escape(struct decoder *d)
{
    uint32_t c;
    d->at++;
    if (d->at == d->end) {
        *d->to++ = '\\';
        return;
    }
    if (is_break(d)) { /* joins two lines without a blank */
        d->at += *d->at == '\r' ? 2 : 1;
        for (; d->at < d->end && yaml_line_is_blank(*d->at); d->at++)
            if (*d->at == '\n')
                *d->to++ = '\n';
        return;
    }
    char name = *d->at++;
    int digits = name == 'x' ? 2 : name == 'u' ? 4 : name == 'U' ? 8 : 0;
    if (digits > 0 && take_hex(d, digits, &c)) {
        put_char(d, join_surrogates(d, c));
    } else if (name == '0') {
        *d->to++ = 0;
    } else if (digits == 0 && (c = simple_escape(name)) != 0) {
        put_char(d, c);
    } else {
        *d->to++ = '\\';
        *d->to++ = name;
    }
}

static void decode_double(struct decoder *d)
{
    char *floor = d->to;
    while (d->at < d->end) {
        if (is_break(d)) {
            fold(d, floor);
        } else if (*d->at == '\\') {
            decode_escape(d);
            floor = d->to; /* an escaped blank before a line end stays */
        } else {
            *d->to++ = *d->at++;
        }
    }
}

/* Whether the span is what the text says: no line end, nothing doubled or escaped. */
static bool is_literal(struct str inner, char quote)
{
    if (inner.n == 0)
        return true;
    return !memchr(inner.p, '\n', inner.n) && (quote != '\'' || !memchr(inner.p, '\'', inner.n)) &&
           (quote != '"' || !memchr(inner.p, '\\', inner.n));
}

/* Without its quotes; *quote is 0 for a plain one. What follows the closing quote is no part. */
static struct str inside(struct str text, char *quote)
{
    *quote = 0;
    if (text.n == 0 || (*text.p != '\'' && *text.p != '"'))
        return text;
    *quote = *text.p;
    const char *end = text.p + text.n, *behind = yaml_line_quoted(text.p, end);
    return between(text.p + 1, behind ? behind - 1 : end);
}

struct str yaml_text(struct arena *a, struct yaml_value v)
{
    char quote;
    if (v.kind != YAML_SCALAR)
        return (struct str){0};
    struct str inner = inside(v.text, &quote);
    if (is_literal(inner, quote))
        return inner;
    char *copy = arena_alloc(a, inner.n + inner.n / 2 + 4);
    struct decoder d = {inner.p, inner.p + inner.n, copy};
    if (quote == 0)
        decode_plain(&d);
    else if (quote == '\'')
        decode_single(&d);
    else
        decode_double(&d);
    return between(copy, d.to);
}

/* A scalar that can be a number: on one line, perhaps in quotes. */
static struct str token(struct yaml_value v)
{
    char quote;
    if (v.kind != YAML_SCALAR)
        return (struct str){0};
    struct str inner = inside(v.text, &quote);
    return is_literal(inner, quote) ? inner : (struct str){0};
}

bool yaml_i64(struct yaml_value v, int64_t *out)
{
    return str_to_i64(token(v), out);
}

bool yaml_u64(struct yaml_value v, uint64_t *out)
{
    return str_to_u64(token(v), out);
}

static size_t count_digits(struct str s)
{
    size_t n = 0;
    while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
        n++;
    return n;
}

/* digits, point, digits, exponent: some digit on one side of the point, at least. */
static bool is_decimal(struct str s)
{
    size_t whole = count_digits(s), part = 0;
    s = str_skip(s, whole);
    if (s.n > 0 && *s.p == '.') {
        s = str_skip(s, 1);
        part = count_digits(s);
        s = str_skip(s, part);
    }
    if (whole + part == 0)
        return false;
    if (s.n == 0)
        return true;
    if (*s.p != 'e' && *s.p != 'E')
        return false;
    s = str_skip(s, s.n > 1 && (s.p[1] == '+' || s.p[1] == '-') ? 2 : 1);
    return s.n > 0 && count_digits(s) == s.n;
}

bool yaml_double(struct yaml_value v, double *out)
{
    struct str text = token(v);
    bool minus = text.n > 0 && *text.p == '-';
    struct str rest = str_skip(text, minus ? 1 : 0);
    double value;
    if (str_eq(rest, STR("Infinity")))
        value = __builtin_inf();
    else if (str_eq(rest, STR("NaN")))
        value = __builtin_nan("");
    else if (!is_decimal(rest) || !number_double(rest, &value))
        return false;
    *out = minus ? -value : value;
    return true;
}

bool yaml_hex(struct buf *out, struct yaml_value v)
{
    struct str text = token(v);
    if (v.kind == YAML_EMPTY)
        return true;
    if (text.n == 0 || text.n % 2 != 0)
        return false;
    for (size_t i = 0; i < text.n; i++)
        if (hex_digit(text.p[i]) < 0)
            return false;
    char *to = buf_room(out, text.n / 2);
    if (!to)
        return false;
    for (size_t i = 0; i < text.n; i += 2)
        *to++ = (char)(hex_digit(text.p[i]) << 4 | hex_digit(text.p[i + 1]));
    out->n += text.n / 2;
    out->p[out->n] = 0;
    return true;
}

bool yaml_reference(struct yaml_value v, struct reference *out)
{
    struct reference r = {0};
    struct yaml_item item;
    int64_t type = 0;
    bool has_id = false, is_one = true;
    if (v.kind != YAML_FLOW_MAP)
        return false;
    for (struct yaml_walk w = yaml_walk(v); is_one && yaml_next(&w, &item);) {
        if (str_eq(item.key, STR("fileID")))
            is_one = has_id = yaml_i64(item.value, &r.file_id);
        else if (str_eq(item.key, STR("guid")))
            is_one = item.value.kind == YAML_SCALAR && guid_parse(item.value.text, &r.guid);
        else
            is_one = str_eq(item.key, STR("type")) && yaml_i64(item.value, &type) &&
                     type >= INT32_MIN && type <= INT32_MAX;
    }
    if (!is_one || !has_id)
        return false;
    r.type = (int32_t)type;
    *out = r;
    return true;
}
