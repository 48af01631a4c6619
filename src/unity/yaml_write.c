#include "unity/yaml_write.h"

#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "base/utf8.h"
#include "unity/yaml_line.h"

#define WIDTH     80u  /* lines end at a blank or a comma after this column */
#define FIRST_TEN (-9) /* exponents of numbers that are written without one: from 1e-9 */
#define END_TEN   21   /* to below 1e21 */

/* The state of the writer: the column, and the indent of further lines. */
struct yaml_pen {
    struct buf *out;
    const struct yaml_style *style;
    size_t column, indent;
};

static struct yaml_pen pen_at(struct buf *out, const struct yaml_style *s, struct yaml_place at)
{
    return (struct yaml_pen){out, s, at.column, at.indent + 2u};
}

static void put_char(struct yaml_pen *p, char c)
{
    buf_add_char(p->out, c);
    p->column++;
}

static void put_text(struct yaml_pen *p, struct str s)
{
    buf_add(p->out, s);
    p->column += s.n;
}

static void put_newline(struct yaml_pen *p)
{
    yaml_write_newline(p->out, p->style);
    p->column++;
}

static void put_indent(struct yaml_pen *p)
{
    for (size_t i = 0; i < p->indent; i++)
        put_char(p, ' ');
}

static void break_line(struct yaml_pen *p)
{
    put_newline(p);
    p->column = 0;
    put_indent(p);
}

/* Properties of a text that decide how it is written. */
struct text_traits {
    bool special;    /* contains a character that must be escaped */
    bool breaks;     /* contains a line feed */
    bool lost_space; /* has a space beside a line feed, which folding would drop */
    bool indicator;  /* would be read as structure */
};

static bool is_break(char c)
{
    return c == '\n';
}

static bool is_space_or_end(struct str s, size_t i)
{
    return i >= s.n || s.p[i] == ' ' || is_break(s.p[i]);
}

static bool starts_structure(struct str s)
{
    if (strchr(",[]{}#&*!|>'\"%@`", s.p[0]))
        return true;
    if (s.p[0] == '-' || s.p[0] == '?' || s.p[0] == ':')
        return is_space_or_end(s, 1);
    return false;
}

static struct text_traits find_traits(struct str s, bool quote_brackets)
{
    struct text_traits t = {0};
    t.indicator = starts_structure(s) || s.p[0] == ' ' || s.p[s.n - 1] == ' ';
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i], before = i > 0 ? s.p[i - 1] : 0;
        if (is_break(c)) {
            t.breaks = true;
            t.lost_space |= before == ' ';
        } else if ((unsigned char)c < ' ' || (unsigned char)c > '~') {
            t.special = true;
        } else if (c == ' ') {
            t.lost_space |= is_break(before);
        } else if (c == ':') {
            t.indicator |= is_space_or_end(s, i + 1);
        } else if (c == '[' || c == ']') {
            t.indicator |= quote_brackets;
        }
    }
    return t;
}

static void put_plain(struct yaml_pen *p, struct str s)
{
    bool spaces = false;
    for (size_t i = 0; i < s.n; i++) {
        bool space = s.p[i] == ' ';
        if (space && !spaces && p->column >= WIDTH && !is_space_or_end(s, i + 1))
            break_line(p);
        else
            put_char(p, s.p[i]);
        spaces = space;
    }
}

static void put_single(struct yaml_pen *p, struct str s)
{
    bool spaces = false, breaks = false;
    put_char(p, '\'');
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (is_break(c)) {
            /* Unity's writer does not reset the column at a line feed of the text, so it folds the
             * rest earlier than necessary. */
            if (!breaks)
                put_newline(p);
            put_newline(p);
            breaks = true;
            continue;
        }
        if (breaks)
            put_indent(p);
        breaks = false;
        bool inside = i > 0 && i + 1 < s.n && s.p[i + 1] != ' ';
        if (c == ' ' && !spaces && p->column >= WIDTH && inside) {
            break_line(p);
        } else {
            if (c == '\'')
                put_char(p, '\'');
            put_char(p, c);
        }
        spaces = c == ' ';
    }
    put_char(p, '\''); /* unindented after a line feed, as in Unity's files */
}

static void put_escape(struct yaml_pen *p, uint32_t c)
{
    static const struct {
        uint32_t value;
        char name;
    } names[] = {
        {0, '0'},     {7, 'a'},    {8, 'b'},    {'\t', 't'},   {'\n', 'n'},
        {11, 'v'},    {12, 'f'},   {'\r', 'r'}, {27, 'e'},     {'"', '"'},
        {'\\', '\\'}, {0x85, 'N'}, {0xa0, '_'}, {0x2028, 'L'}, {0x2029, 'P'},
    };
    char text[16];
    int n = 0;
    put_char(p, '\\');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].value == c) {
            put_char(p, names[i].name);
            return;
        }
    if (c <= 0xff)
        n = snprintf(text, sizeof text, "x%02" PRIX32, c);
    else if (c <= 0xffff)
        n = snprintf(text, sizeof text, "u%04" PRIX32, c);
    else
        n = snprintf(text, sizeof text, "U%08" PRIX32, c);
    put_text(p, str_make(text, (size_t)n));
}

static void put_double_quoted(struct yaml_pen *p, struct str s)
{
    bool spaces = false;
    put_char(p, '"');
    for (size_t i = 0; i < s.n;) {
        struct str rest = str_skip(s, i);
        size_t len = utf8_char_bytes(rest);
        uint32_t c = len > 0 ? utf8_decode(rest, &len) : 0xfffd;
        if (len == 0)
            len = utf8_bad_bytes(rest);
        if (c < ' ' || c > '~' || c == '"' || c == '\\') {
            put_escape(p, c);
        } else if (c == ' ' && !spaces && p->column >= WIDTH && i > 0 && i + 1 < s.n) {
            break_line(p);
            if (s.p[i + 1] == ' ')
                put_char(p, '\\'); /* or the blank would be read as indentation */
        } else {
            put_char(p, (char)c);
        }
        spaces = c == ' ';
        i += len;
    }
    put_char(p, '"');
}

void yaml_write_string(struct buf *out, const struct yaml_style *s, struct yaml_place at,
                       struct str text)
{
    struct yaml_pen p = pen_at(out, s, at);
    if (text.n == 0)
        return;
    struct text_traits t = find_traits(text, s->quote_brackets);
    if (t.special || t.lost_space)
        put_double_quoted(&p, text);
    else if (t.indicator || t.breaks)
        put_single(&p, text);
    else
        put_plain(&p, text);
}

/* Write digits * 10**exponent, without an exponent unless that is too long. */
static void put_decimal(struct buf *out, uint64_t digits, int exponent)
{
    char text[NUMBER_MAX];
    int n = (int)number_print_u64(digits, text), ten = n + exponent - 1;
    if (ten < FIRST_TEN || ten >= END_TEN) {
        buf_add_char(out, text[0]);
        if (n > 1)
            buf_add_char(out, '.');
        buf_add(out, str_make(text + 1, (size_t)n - 1));
        buf_printf(out, "e%+d", ten);
        return;
    }
    if (ten < 0) {
        buf_add(out, str_head(STR("0.00000000000000000000"), (size_t)(1 - ten)));
        buf_add(out, str_make(text, (size_t)n));
        return;
    }
    for (int i = 0; i <= ten || i < n; i++) {
        if (i == ten + 1)
            buf_add_char(out, '.');
        buf_add_char(out, i < n ? text[i] : '0');
    }
}

/* Write NaN, Infinity or 0, with the sign. Return false for other numbers; their sign is
 * written. */
static bool put_word(struct buf *out, double d)
{
    if (isnan(d)) {
        buf_add(out, STR("NaN"));
        return true;
    }
    if (signbit(d))
        buf_add_char(out, '-');
    if (isinf(d))
        buf_add(out, STR("Infinity"));
    else if (d == 0)
        buf_add_char(out, '0');
    return isinf(d) || d == 0;
}

void yaml_write_float(struct buf *out, float f)
{
    int exponent;
    if (put_word(out, (double)f))
        return;
    uint64_t digits = number_digits_float(fabsf(f), &exponent);
    put_decimal(out, digits, exponent);
}

void yaml_write_double(struct buf *out, double d)
{
    int exponent;
    if (put_word(out, d))
        return;
    uint64_t digits = number_digits_double(fabs(d), &exponent);
    put_decimal(out, digits, exponent);
}

void yaml_write_flow(struct buf *out, const struct yaml_style *s, struct yaml_place at,
                     struct str flow)
{
    struct yaml_pen p = pen_at(out, s, at);
    const char *c = flow.p, *end = flow.p + flow.n;
    bool fresh = false; /* after ",": the line may end here */
    p.indent = at.indent;
    while (c < end) {
        if (fresh && *c == ' ') {
            c++;
            if (s->one_line || p.column <= WIDTH)
                put_char(&p, ' ');
            else
                break_line(&p);
            fresh = false;
            continue;
        }
        const char *after = c + 1;
        if ((*c == '\'' || *c == '"') && (c == flow.p || c[-1] == ' ' || c[-1] == '{'))
            after = yaml_line_quoted(c, end);
        if (!after)
            after = end;
        if (*c == '{' || *c == '[')
            p.indent += 2;
        else if ((*c == '}' || *c == ']') && p.indent > at.indent)
            p.indent -= 2;
        fresh = *c == ',';
        put_text(&p, str_make(c, (size_t)(after - c)));
        c = after;
    }
}

void yaml_write_reference(struct buf *out, const struct yaml_style *s, struct yaml_place at,
                          struct reference r)
{
    char text[128], guid[GUID_LEN + 1];
    int n;
    if (guid_is_zero(r.guid)) {
        n = snprintf(text, sizeof text, "{fileID: %" PRId64 "}", r.file_id);
    } else {
        guid_print(r.guid, guid);
        n = snprintf(text, sizeof text, "{fileID: %" PRId64 ", guid: %s, type: %" PRId32 "}",
                     r.file_id, guid, r.type);
    }
    yaml_write_flow(out, s, at, str_make(text, (size_t)n));
}

void yaml_write_hex(struct buf *out, struct str bytes)
{
    static const char digits[] = "0123456789abcdef";
    char *to = bytes.n > 0 ? buf_room(out, bytes.n * 2) : NULL;
    if (!to)
        return;
    for (size_t i = 0; i < bytes.n; i++) {
        *to++ = digits[(unsigned char)bytes.p[i] >> 4];
        *to++ = digits[bytes.p[i] & 15];
    }
    out->n += bytes.n * 2;
    out->p[out->n] = 0;
}

void yaml_write_newline(struct buf *out, const struct yaml_style *s)
{
    buf_add(out, s->crlf ? STR("\r\n") : STR("\n"));
}

enum style_evidence {
    SHOWS_NOTHING,
    SHOWS_YES,
    SHOWS_NO
};

/* Whether a line shows that flow maps are not wrapped: yes if one continues past the width on one
 * line, no if one ends with a comma there. */
static enum style_evidence line_evidence(const char *at, const char *stop)
{
    const char *brace = memchr(at, '{', (size_t)(stop - at));
    if (!brace || brace - at < 2 || brace[-1] != ' ')
        return SHOWS_NOTHING;
    if (brace[-2] != ':' && brace[-2] != '-')
        return SHOWS_NOTHING;
    if (stop[-1] == ',')
        return SHOWS_NO;
    if (stop[-1] != '}')
        return SHOWS_NOTHING;
    const char *comma = memrchr(brace, ',', (size_t)(stop - brace));
    return comma && comma - at + 1 > WIDTH ? SHOWS_YES : SHOWS_NOTHING;
}

static enum style_evidence find_one_line_evidence(const struct yaml_file *f)
{
    const char *at = f->text.p, *end = at + f->text.n;
    while (at < end) {
        const char *next = yaml_line_next(at, end);
        if (next - at > WIDTH) {
            enum style_evidence shown = line_evidence(at, yaml_line_stop(at, end));
            if (shown != SHOWS_NOTHING)
                return shown;
        }
        at = next;
    }
    return SHOWS_NOTHING;
}

/* Property paths with an index show it: propertyPath: 'm_Materials.Array.data[0]'. */
static enum style_evidence find_bracket_evidence(const struct yaml_file *f)
{
    static const struct str label = STR_INIT("propertyPath: ");
    const char *at = f->text.p, *end = at + f->text.n;
    while ((at = memmem(at, (size_t)(end - at), label.p, label.n)) != NULL) {
        at += label.n;
        const char *stop = yaml_line_stop(at, end);
        if (at < stop && *at != '"' && memchr(at, '[', (size_t)(stop - at)))
            return *at == '\'' ? SHOWS_YES : SHOWS_NO;
    }
    return SHOWS_NOTHING;
}

/* Observed in projects of 2022.3.56 and of 6000.x, in no version between them. */
static bool version_quotes_brackets(struct version v)
{
    static const struct version last_2022 = {.major = 2022, .minor = 3, .patch = 56};
    return v.major >= 6000 || (v.major == 2022 && version_cmp(v, last_2022) >= 0);
}

struct yaml_style yaml_write_style(const struct yaml_file *f, struct version project,
                                   bool inline_maps)
{
    static const struct version always_one_line = {.major = 6000, .minor = 6};
    struct yaml_style s = {.crlf = f->crlf};
    enum style_evidence one_line = SHOWS_NOTHING, brackets = SHOWS_NOTHING;
    if (f->text.n > 0) {
        one_line = find_one_line_evidence(f);
        brackets = find_bracket_evidence(f);
    }
    s.one_line = one_line != SHOWS_NOTHING
                     ? one_line == SHOWS_YES
                     : inline_maps || version_cmp(project, always_one_line) >= 0;
    s.quote_brackets =
        brackets != SHOWS_NOTHING ? brackets == SHOWS_YES : version_quotes_brackets(project);
    return s;
}
