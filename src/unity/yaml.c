#include "unity/yaml.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"
#include "unity/yaml_line.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define BOM "\xef\xbb\xbf"

struct yaml_splitter {
    struct yaml_file *f;
    const char *at, *end;
    const char *error_at;
    const char *error_text;
    size_t cap;
};

static struct str span_of(const char *at, const char *end)
{
    return str_make(at, (size_t)(end - at));
}

/* Return the next "\n-" from `at` on, or end. */
static const char *find_dash(const char *at, const char *end)
{
#ifdef __SSE2__
    const __m128i newline = _mm_set1_epi8('\n'), dash = _mm_set1_epi8('-');
    for (; end - at > 32; at += 32) {
        const __m128i *p = (const __m128i *)(const void *)at;
        const __m128i *q = (const __m128i *)(const void *)(at + 1);
        __m128i low = _mm_and_si128(_mm_cmpeq_epi8(_mm_loadu_si128(p), newline),
                                    _mm_cmpeq_epi8(_mm_loadu_si128(q), dash));
        __m128i high = _mm_and_si128(_mm_cmpeq_epi8(_mm_loadu_si128(p + 1), newline),
                                     _mm_cmpeq_epi8(_mm_loadu_si128(q + 1), dash));
        uint32_t both = (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
        if (both)
            return at + __builtin_ctz(both);
    }
#endif
    const char *found = at < end ? memmem(at, (size_t)(end - at), "\n-", 2) : NULL;
    return found ? found : end;
}

/* Return the next line after `at` that starts a document, or end. */
static const char *find_next_document(const char *at, const char *end)
{
    for (;;) {
        const char *dash = find_dash(at, end);
        if (dash == end)
            return end;
        if (str_starts(span_of(dash + 1, end), STR("---")))
            return dash + 1;
        at = dash + 1;
    }
}

static bool take_prefix(struct str *s, struct str prefix)
{
    if (!str_starts(*s, prefix))
        return false;
    *s = str_make(s->p + prefix.n, s->n - prefix.n);
    return true;
}

static bool take_i64(struct str *s, int64_t *out)
{
    size_t n = s->n > 0 && *s->p == '-' ? 1 : 0;
    while (n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
        n++;
    struct str number = str_head(*s, n);
    *s = str_make(s->p + n, s->n - n);
    return str_to_i64(number, out);
}

static bool set_error(struct yaml_splitter *s, const char *at, const char *text)
{
    s->error_at = at;
    s->error_text = text;
    return false;
}

/* Read "--- !u!4 &123 stripped" and "Transform:" at s->at. */
static bool take_heads(struct yaml_splitter *s, struct yaml_doc *d)
{
    const char *stop = yaml_line_stop(s->at, s->end);
    struct str line = span_of(s->at, stop);
    int64_t class_id;
    if (!take_prefix(&line, STR("--- !u!")) || !take_i64(&line, &class_id) || class_id < 0 ||
        class_id > INT32_MAX || !take_prefix(&line, STR(" &")) || !take_i64(&line, &d->file_id))
        return set_error(s, s->at, "expected the start of a document: --- !u!<class> &<id>");
    d->class_id = (int32_t)class_id;
    d->stripped = take_prefix(&line, STR(" stripped"));
    if (!yaml_line_is_over(line.p, stop))
        return set_error(s, line.p, "unexpected text after the start of a document");
    d->at = (uint32_t)(s->at - s->f->text.p);
    s->at = yaml_line_next(stop, s->end);
    stop = yaml_line_stop(s->at, s->end);
    if (s->at == stop || *s->at == ' ' || *s->at == '-' || !yaml_line_colon(s->at, stop))
        return set_error(s, s->at, "expected the class of the document and a colon");
    s->at = yaml_line_next(stop, s->end);
    d->body = (uint32_t)(s->at - s->f->text.p);
    return true;
}

static bool split_documents(struct yaml_splitter *s)
{
    while (s->at < s->end) {
        struct yaml_doc d = {0};
        if (!take_heads(s, &d))
            return false;
        /* Start at the line end before the body: the next document may follow immediately. */
        s->at = find_next_document(s->at - 1, s->end);
        d.end = (uint32_t)(s->at - s->f->text.p);
        if (s->f->count == s->cap)
            mem_grow((void **)&s->f->docs, &s->cap, s->f->count + 1, sizeof d);
        s->f->docs[s->f->count++] = d;
    }
    return true;
}

/* Return why a text without "%YAML" is not a file of Unity's. */
static const char *explain_foreign_text(struct str text)
{
    struct str seen = str_trim(text);
    if (seen.n == 0)
        return "the file is empty";
    if (str_starts(text, STR("version https://git-lfs")))
        return "this is a Git LFS pointer, not the file itself";
    if (memchr(text.p, 0, text.n < 4096 ? text.n : 4096))
        return "this is a binary file, not text";
    if (*seen.p == '{' || *seen.p == '[')
        return "this is JSON, not YAML";
    if (str_starts(text, STR("<<<<<<<")))
        return "this is a merge conflict marker: resolve the conflict";
    return "the file does not start with %YAML";
}

static bool split_file(struct yaml_splitter *s)
{
    struct str text = s->f->text;
    if (text.n > YAML_MAX_BYTES)
        return set_error(s, text.p, "the file is too large");
    take_prefix(&text, STR(BOM));
    if (!str_starts(text, STR("%YAML")))
        return set_error(s, text.p, explain_foreign_text(text));
    s->at = text.p;
    s->end = text.p + text.n;
    const char *stop = yaml_line_stop(s->at, s->end);
    s->f->crlf = stop < s->end && *stop == '\r';
    while (s->at < s->end && *s->at == '%')
        s->at = yaml_line_next(s->at, s->end);
    s->at = yaml_line_skip_blank(s->at, s->end);
    if (s->at == s->end)
        return set_error(s, s->at, "the file ends before its first document");
    return split_documents(s);
}

bool yaml_split(struct yaml_file *f, struct str text, struct yaml_error *error)
{
    *f = (struct yaml_file){.text = text};
    struct yaml_splitter s = {.f = f};
    if (split_file(&s))
        return true;
    *error = yaml_line_error(text, s.error_at, s.error_text);
    yaml_done(f);
    return false;
}

void yaml_done(struct yaml_file *f)
{
    free(f->docs);
    free(f->by_id);
    *f = (struct yaml_file){0};
}

static size_t hash_file_id(const struct yaml_file *f, int64_t file_id)
{
    return (size_t)str_hash(str_make((const char *)&file_id, sizeof file_id)) & (f->slots - 1);
}

/* A slot is the index of a document plus one; 0 is free. */
static void index_documents(struct yaml_file *f)
{
    f->slots = 16;
    while (f->slots < f->count * 2)
        f->slots *= 2;
    f->by_id = mem_zalloc(f->slots * sizeof *f->by_id);
    for (size_t i = 0; i < f->count; i++) {
        size_t slot = hash_file_id(f, f->docs[i].file_id);
        while (f->by_id[slot] && f->docs[f->by_id[slot] - 1].file_id != f->docs[i].file_id)
            slot = (slot + 1) & (f->slots - 1);
        if (!f->by_id[slot])
            f->by_id[slot] = (uint32_t)i + 1;
    }
}

const struct yaml_doc *yaml_find(struct yaml_file *f, int64_t file_id)
{
    if (!f->by_id)
        index_documents(f);
    for (size_t slot = hash_file_id(f, file_id); f->by_id[slot]; slot = (slot + 1) & (f->slots - 1))
        if (f->docs[f->by_id[slot] - 1].file_id == file_id)
            return &f->docs[f->by_id[slot] - 1];
    return NULL;
}

struct str yaml_class_name(const struct yaml_file *f, const struct yaml_doc *d)
{
    const char *at = f->text.p + d->at, *end = f->text.p + d->body;
    at = yaml_line_next(at, end);
    const char *colon = yaml_line_colon(at, yaml_line_stop(at, end));
    return span_of(at, colon ? colon : at);
}

unsigned yaml_line(const struct yaml_file *f, const char *at)
{
    return yaml_line_error(f->text, at, NULL).line;
}

struct yaml_value yaml_body(const struct yaml_file *f, const struct yaml_doc *d)
{
    const char *end = f->text.p + d->end;
    const char *line = yaml_line_skip_blank(f->text.p + d->body, end);
    size_t indent = (size_t)(yaml_line_skip_spaces(line, end) - line);
    if (indent > YAML_LINE_MAX_INDENT)
        line = end;
    if (line == end || indent == 0)
        indent = 2; /* nothing of a document is at the margin, so the walk finds no entry */
    return (struct yaml_value){YAML_MAP, (uint32_t)indent, span_of(line, end)};
}

struct yaml_value yaml_plain(struct str text)
{
    if (text.n == 0 || text.n > YAML_MAX_BYTES)
        return (struct yaml_value){0};
    take_prefix(&text, STR(BOM));
    const char *at = text.p, *end = text.p + text.n;
    while (at < end &&
           (*at == '%' || str_starts(span_of(at, end), STR("---")) || yaml_line_is_over(at, end)))
        at = yaml_line_next(at, end);
    size_t indent = (size_t)(yaml_line_skip_spaces(at, end) - at);
    if (at == end || indent > YAML_LINE_MAX_INDENT)
        return (struct yaml_value){0};
    return (struct yaml_value){YAML_MAP, (uint32_t)indent, span_of(at, end)};
}

/* A scalar while it is decoded into `to`. Output may be longer than input: the escapes \L and \P
 * are two bytes and decode to three. */
struct scalar_decoder {
    const char *at, *end;
    char *to;
};

/* Fold line breaks and the blanks around them: the first break is a space, each further one a line
 * feed. */
static void fold_line_breaks(struct scalar_decoder *d, char *floor)
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

static bool is_line_break(const struct scalar_decoder *d)
{
    return *d->at == '\n' || (*d->at == '\r' && d->at + 1 < d->end && d->at[1] == '\n');
}

static void decode_plain(struct scalar_decoder *d)
{
    char *floor = d->to;
    while (d->at < d->end) {
        if (is_line_break(d))
            fold_line_breaks(d, floor);
        else
            *d->to++ = *d->at++;
    }
}

static void decode_single(struct scalar_decoder *d)
{
    char *floor = d->to;
    while (d->at < d->end) {
        if (is_line_break(d)) {
            fold_line_breaks(d, floor);
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

/* Read n hexadecimal digits at d->at; on failure d->at stays. */
static bool take_hex(struct scalar_decoder *d, int n, uint32_t *out)
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

/* Combine a high surrogate with a following \u escape, as in JSON. */
static uint32_t join_surrogates(struct scalar_decoder *d, uint32_t c)
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

/* Return the character of a one-letter escape, or 0. */
static uint32_t decode_simple_escape(char c)
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

static void put_char(struct scalar_decoder *d, uint32_t c)
{
    if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        c = 0xfffd;
    d->to += utf8_encode(c, d->to);
}

/* Decode the backslash escape at d->at. An unknown escape stays as it is. */
static void decode_escape(struct scalar_decoder *d)
{
    uint32_t c;
    d->at++;
    if (d->at == d->end) {
        *d->to++ = '\\';
        return;
    }
    if (is_line_break(d)) { /* joins two lines without a blank */
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
    } else if (digits == 0 && (c = decode_simple_escape(name)) != 0) {
        put_char(d, c);
    } else {
        *d->to++ = '\\';
        *d->to++ = name;
    }
}

static void decode_double(struct scalar_decoder *d)
{
    char *floor = d->to;
    while (d->at < d->end) {
        if (is_line_break(d)) {
            fold_line_breaks(d, floor);
        } else if (*d->at == '\\') {
            decode_escape(d);
            floor = d->to; /* an escaped blank before a line break stays */
        } else {
            *d->to++ = *d->at++;
        }
    }
}

/* Whether the text needs no decoding: no line break, no doubled quote, no escape. */
static bool is_literal(struct str inner, char quote)
{
    if (inner.n == 0)
        return true;
    return !memchr(inner.p, '\n', inner.n) && (quote != '\'' || !memchr(inner.p, '\'', inner.n)) &&
           (quote != '"' || !memchr(inner.p, '\\', inner.n));
}

/* Remove the quotes; *quote is 0 for a plain scalar. Bytes after the closing quote are ignored. */
static struct str strip_quotes(struct str text, char *quote)
{
    *quote = 0;
    if (text.n == 0 || (*text.p != '\'' && *text.p != '"'))
        return text;
    *quote = *text.p;
    const char *end = text.p + text.n, *after = yaml_line_quoted(text.p, end);
    return span_of(text.p + 1, after ? after - 1 : end);
}

struct str yaml_text(struct arena *a, struct yaml_value v)
{
    char quote;
    if (v.kind != YAML_SCALAR)
        return (struct str){0};
    struct str inner = strip_quotes(v.text, &quote);
    if (is_literal(inner, quote))
        return inner;
    char *copy = arena_alloc(a, inner.n + inner.n / 2 + 4);
    struct scalar_decoder d = {inner.p, inner.p + inner.n, copy};
    if (quote == 0)
        decode_plain(&d);
    else if (quote == '\'')
        decode_single(&d);
    else
        decode_double(&d);
    return span_of(copy, d.to);
}

/* A scalar that may be a number: on one line, plain or quoted. */
static struct str number_token(struct yaml_value v)
{
    char quote;
    if (v.kind != YAML_SCALAR)
        return (struct str){0};
    struct str inner = strip_quotes(v.text, &quote);
    return is_literal(inner, quote) ? inner : (struct str){0};
}

bool yaml_i64(struct yaml_value v, int64_t *out)
{
    return str_to_i64(number_token(v), out);
}

bool yaml_u64(struct yaml_value v, uint64_t *out)
{
    return str_to_u64(number_token(v), out);
}

static size_t count_digits(struct str s)
{
    size_t n = 0;
    while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
        n++;
    return n;
}

/* Digits, point, digits, exponent, with at least one digit beside the point. */
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
    struct str text = number_token(v);
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
    struct str text = number_token(v);
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

static bool is_block(enum yaml_kind kind)
{
    return kind == YAML_MAP || kind == YAML_LIST;
}

/* Return the kind of a value by its first bytes; stop is that of its first line. */
static enum yaml_kind kind_at(const char *at, const char *stop)
{
    if (yaml_line_is_dash(at, stop))
        return YAML_LIST;
    if (*at == '{')
        return YAML_FLOW_MAP;
    if (*at == '[')
        return YAML_FLOW_LIST;
    return yaml_line_colon(at, stop) ? YAML_MAP : YAML_SCALAR;
}

/* Read the value of an entry with nothing after "key:" or "-" on its line; `at` is the next line.
 * *end becomes the end of the entry. */
static struct yaml_value read_value_below(const char *at, const char **end, uint32_t indent,
                                          bool in_map)
{
    struct yaml_value v = {.indent = indent};
    const char *line = yaml_line_skip_blank(at, *end);
    const char *text = yaml_line_skip_spaces(line, *end);
    size_t column = (size_t)(text - line);
    bool dashes = in_map && column == indent && yaml_line_is_dash(text, *end);
    bool deeper = line < *end && column > indent;
    const char *limit = *end;
    *end = yaml_line_owned(at, limit, indent, dashes);
    if (!dashes && !deeper) {
        v.kind = YAML_EMPTY;
        return v;
    }
    v.kind = kind_at(text, yaml_line_stop(text, *end));
    if (!is_block(v.kind)) {
        v.text = span_of(text, yaml_line_trim(text, *end));
    } else if (column > YAML_LINE_MAX_INDENT) {
        v.kind = YAML_NONE;
    } else {
        v.indent = (uint32_t)column;
        v.text = span_of(line, *end);
    }
    return v;
}

/* Read the value at `text`, on the line of its key or dash. */
static struct yaml_value read_value_beside(const char *text, const char *end, uint32_t indent)
{
    struct yaml_value v = {.kind = YAML_SCALAR, .indent = indent};
    if (*text == '{')
        v.kind = YAML_FLOW_MAP;
    else if (*text == '[')
        v.kind = YAML_FLOW_LIST;
    v.text = span_of(text, yaml_line_trim(text, end));
    return v;
}

/* The place of an empty value: after the blank that follows the colon or dash, if there is one. */
static struct str empty_place(const char *at, const char *stop)
{
    return str_make(at < stop && *at == ' ' ? at + 1 : at, 0);
}

static bool read_next_key(struct yaml_walk *w, const char *at, struct yaml_item *item)
{
    const char *stop = yaml_line_stop(at, w->end), *colon = yaml_line_colon(at, stop);
    if (!colon)
        return false;
    const char *text = yaml_line_skip_spaces(colon + 1, stop);
    const char *below = yaml_line_next(stop, w->end), *end = w->end;
    item->key = span_of(at, colon);
    if (!yaml_line_is_over(text, stop)) {
        end = yaml_line_owned(below, end, w->indent, false);
        item->value = read_value_beside(text, end, w->indent);
    } else {
        item->value = read_value_below(below, &end, w->indent, true);
        if (item->value.kind == YAML_EMPTY)
            item->value.text = empty_place(colon + 1, stop);
    }
    w->at = end;
    return true;
}

/* Read a block that starts on the line of the dash. */
static struct yaml_value read_block_beside(const char *text, const char *end, enum yaml_kind kind,
                                           size_t column)
{
    if (column > YAML_LINE_MAX_INDENT)
        return (struct yaml_value){0};
    return (struct yaml_value){kind, (uint32_t)column, span_of(text, end)};
}

static bool read_next_dash(struct yaml_walk *w, const char *at, struct yaml_item *item)
{
    if (!yaml_line_is_dash(at, w->end))
        return false;
    const char *stop = yaml_line_stop(at, w->end), *text = yaml_line_skip_spaces(at + 1, stop);
    const char *below = yaml_line_next(stop, w->end), *end = w->end;
    item->key = (struct str){0};
    if (yaml_line_is_over(text, stop)) {
        item->value = read_value_below(below, &end, w->indent, false);
        if (item->value.kind == YAML_EMPTY)
            item->value.text = empty_place(at + 1, stop);
    } else {
        enum yaml_kind kind = kind_at(text, stop);
        end = yaml_line_owned(below, end, w->indent, false);
        item->value = is_block(kind)
                          ? read_block_beside(text, end, kind, w->indent + (size_t)(text - at))
                          : read_value_beside(text, end, w->indent);
    }
    w->at = end;
    return true;
}

static bool read_next_in_block(struct yaml_walk *w, struct yaml_item *item)
{
    const char *line = w->at, *at = w->at;
    if (!w->first) {
        line = yaml_line_skip_blank(w->at, w->end);
        at = yaml_line_skip_spaces(line, w->end);
    }
    bool fits = at < w->end && (w->first || (size_t)(at - line) == w->indent);
    w->first = false;
    if (!fits || !(w->kind == YAML_MAP ? read_next_key : read_next_dash)(w, at, item)) {
        w->at = w->end;
        return false;
    }
    item->lines = span_of(line, w->at);
    return true;
}

static bool ends_entry(const char *at, const char *end)
{
    return at == end || *at == ',' || *at == '}' || *at == ']';
}

/* Return the end of a plain text in a flow collection: a separator, or the colon of a key. */
static const char *skip_flow_plain(const char *at, const char *end)
{
    for (; at < end; at++) {
        if (ends_entry(at, end) || *at == '{' || *at == '[')
            break;
        if (*at == ':' && (ends_entry(at + 1, end) || yaml_line_is_blank(at[1])))
            break;
    }
    return at;
}

static const char *skip_flow_blank(const char *at, const char *end)
{
    while (at < end && yaml_line_is_blank(*at))
        at++;
    return at;
}

/* Return the end of the value at `at`, which is not blank, or NULL if it is broken. */
static const char *read_flow_value(const char *at, const char *end, struct yaml_value *v)
{
    const char *after;
    v->kind = YAML_SCALAR;
    if (*at == '{' || *at == '[') {
        v->kind = *at == '{' ? YAML_FLOW_MAP : YAML_FLOW_LIST;
        after = yaml_line_flow(at, end, NULL);
    } else if (*at == '\'' || *at == '"') {
        after = yaml_line_quoted(at, end);
    } else {
        after = yaml_line_trim(at, skip_flow_plain(at, end));
        if (after == at)
            v->kind = YAML_EMPTY;
    }
    if (after)
        v->text = span_of(at, after);
    return after;
}

/* Read a key of a flow map. Return the place of its value, or NULL if it is broken. */
static const char *read_flow_key(const char *at, const char *end, struct str *key)
{
    bool quoted = *at == '\'' || *at == '"';
    const char *after = quoted ? yaml_line_quoted(at, end) : skip_flow_plain(at, end);
    if (!after)
        return NULL;
    *key = span_of(at, yaml_line_trim(at, after));
    const char *colon = skip_flow_blank(after, end);
    if (colon == end || *colon != ':')
        return after;
    const char *value = skip_flow_blank(colon + 1, end);
    if (!ends_entry(value, end))
        return value;
    return colon + 1 < end && colon[1] == ' ' ? colon + 2 : colon + 1;
}

static bool read_next_in_flow(struct yaml_walk *w, struct yaml_item *item)
{
    const char *at = w->at, *end = w->end, *after;
    while (at < end && (yaml_line_is_blank(*at) || *at == ','))
        at++;
    w->at = end;
    if (at == end || *at == '}' || *at == ']')
        return false;
    *item = (struct yaml_item){.value.indent = w->indent};
    const char *value = w->kind == YAML_FLOW_MAP ? read_flow_key(at, end, &item->key) : at;
    if (!value)
        return false;
    if (ends_entry(value, end) || yaml_line_is_blank(*value)) {
        item->value.kind = YAML_EMPTY;
        item->value.text = str_make(value, 0);
        after = value;
    } else {
        after = read_flow_value(value, end, &item->value);
    }
    const char *next = after ? skip_flow_blank(after, end) : end;
    if (next == end || !ends_entry(next, end))
        return false; /* trailing text after the value */
    item->lines = span_of(at, after);
    w->at = next;
    return true;
}

struct yaml_walk yaml_walk(struct yaml_value v)
{
    struct yaml_walk w = {.indent = v.indent, .kind = v.kind};
    if (v.text.n == 0)
        return w;
    w.at = v.text.p;
    w.end = v.text.p + v.text.n;
    if (is_block(v.kind))
        w.first = v.indent > 0 && !yaml_line_is_blank(*w.at);
    else
        w.at++; /* the bracket */
    return w;
}

bool yaml_next(struct yaml_walk *w, struct yaml_item *item)
{
    if (w->at == w->end)
        return false;
    switch (w->kind) {
    case YAML_MAP:
    case YAML_LIST:
        return read_next_in_block(w, item);
    case YAML_FLOW_MAP:
    case YAML_FLOW_LIST:
        return read_next_in_flow(w, item);
    case YAML_NONE:
    case YAML_EMPTY:
    case YAML_SCALAR:
        break;
    }
    return false;
}

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

/* Compare a key, which may be quoted in the text. */
static bool key_equals(struct str key, struct str want)
{
    if (key.n == 0 || !is_quote(*key.p))
        return str_eq(key, want);
    struct arena a = {0};
    bool same = str_eq(yaml_text(&a, (struct yaml_value){.kind = YAML_SCALAR, .text = key}), want);
    arena_done(&a);
    return same;
}

/* Whether the line at `at` has this key, which needs no quotes. */
static bool line_has_key(const char *at, const char *end, struct str key)
{
    if ((size_t)(end - at) > key.n && at[key.n] == ':' && memcmp(at, key.p, key.n) == 0)
        return at + key.n + 1 == end || yaml_line_is_blank(at[key.n + 1]);
    if (at == end || !is_quote(*at))
        return false;
    const char *colon = yaml_line_colon(at, yaml_line_stop(at, end));
    return colon && key_equals(span_of(at, colon), key);
}

/* Move a walk to the entry with this key, or to its end. Faster than walking all entries, because
 * other lines are not parsed. */
static void go_to_key(struct yaml_walk *w, struct str key)
{
    const char *at = w->at;
    if (w->first && line_has_key(at, w->end, key))
        return;
    if (w->first)
        at = yaml_line_next(at, w->end);
    for (w->first = false; at < w->end; at = yaml_line_next(at, w->end)) {
        const char *p = at;
        while (p < w->end && *p == ' ' && (size_t)(p - at) < w->indent)
            p++;
        if ((size_t)(p - at) < w->indent) {
            if (!yaml_line_is_over(p, w->end) && !yaml_line_closes(at, w->end))
                break;
        } else if (line_has_key(p, w->end, key)) {
            w->at = at;
            return;
        }
    }
    w->at = w->end;
}

bool yaml_get_item(struct yaml_value map, struct str key, struct yaml_item *item)
{
    struct yaml_item found;
    if (map.kind != YAML_MAP && map.kind != YAML_FLOW_MAP)
        return false;
    struct yaml_walk w = yaml_walk(map);
    /* Such a key needs quotes: a search by lines could match something else. */
    if (map.kind == YAML_MAP && map.text.n > 0 && key.n > 0 && !memchr(" -?{[#'\"\t", *key.p, 9))
        go_to_key(&w, key);
    while (yaml_next(&w, &found))
        if (key_equals(found.key, key)) {
            *item = found;
            return true;
        }
    return false;
}

struct yaml_value yaml_get(struct yaml_value map, struct str key)
{
    struct yaml_item item = {0};
    yaml_get_item(map, key, &item);
    return item.value;
}

bool yaml_item_at(struct yaml_value list, size_t i, struct yaml_item *item)
{
    struct yaml_item found;
    for (struct yaml_walk w = yaml_walk(list); yaml_next(&w, &found);)
        if (i-- == 0) {
            *item = found;
            return true;
        }
    return false;
}

struct yaml_value yaml_at(struct yaml_value list, size_t i)
{
    struct yaml_item item = {0};
    yaml_item_at(list, i, &item);
    return item.value;
}

size_t yaml_count(struct yaml_value v)
{
    struct yaml_item item;
    size_t n = 0;
    for (struct yaml_walk w = yaml_walk(v); yaml_next(&w, &item);)
        n++;
    return n;
}

static bool is_list(struct yaml_value v)
{
    return v.kind == YAML_LIST || v.kind == YAML_FLOW_LIST;
}

/* Read "prefix12]" from the start of *path. */
static bool take_index(struct str *path, struct str prefix, int64_t *index)
{
    if (!str_starts(*path, prefix))
        return false;
    struct str rest = str_skip(*path, prefix.n), number;
    if (!str_cut(&rest, ']', &number) || !str_to_i64(number, index))
        return false;
    *path = rest;
    return true;
}

/* Return the object of a [SerializeReference] field; they are listed at the end of the document. */
static struct yaml_value find_managed(struct yaml_value body, int64_t rid)
{
    struct yaml_item item;
    struct yaml_value ids = yaml_get(yaml_get(body, STR("references")), STR("RefIds"));
    for (struct yaml_walk w = yaml_walk(ids); yaml_next(&w, &item);) {
        int64_t id;
        if (yaml_i64(yaml_get(item.value, STR("rid")), &id) && id == rid)
            return yaml_get(item.value, STR("data"));
    }
    return (struct yaml_value){0};
}

static struct yaml_value follow_path(struct yaml_value v, struct str path);

/* Continue after a found value: with the end of the path, or with ".rest". */
static struct yaml_value follow_rest(struct yaml_value v, struct str path)
{
    if (path.n == 0)
        return v;
    return path.p[0] == '.' ? follow_path(v, str_skip(path, 1)) : (struct yaml_value){0};
}

/* Try every key that is a prefix of the path, because keys may contain dots. Each value is visited
 * at most once, so the cost is that of a walk. */
static struct yaml_value follow_path(struct yaml_value v, struct str path)
{
    struct yaml_value none = {0};
    struct yaml_item item;
    int64_t index;
    if (is_list(v)) {
        if (!take_index(&path, STR("Array.data["), &index) || index < 0)
            return none;
        return follow_rest(yaml_at(v, (size_t)index), path);
    }
    for (struct yaml_walk w = yaml_walk(v); yaml_next(&w, &item);) {
        struct str key = item.key;
        if (key.n >= 2 && (*key.p == '\'' || *key.p == '"'))
            key = str_make(key.p + 1, key.n - 2);
        if (key.n == 0 || !str_starts(path, key))
            continue;
        struct yaml_value found = follow_rest(item.value, str_skip(path, key.n));
        if (found.kind != YAML_NONE)
            return found;
    }
    return none;
}

struct yaml_value yaml_path(struct yaml_value map, struct str path)
{
    int64_t rid;
    if (take_index(&path, STR("managedReferences["), &rid))
        return follow_rest(find_managed(map, rid), path);
    return follow_path(map, path);
}
