#include "unity/csharp_string.h"

#include "base/utf8.h"

#define PREFIX_MAX 16 /* characters before the first quote; longer ones than "$$$" make no sense */
#define QUOTES_MAX 64 /* quotes of a raw string; the grammar counts them in a byte */
#define NESTED_MAX 256

/* The text of a literal, or the code in a hole of one. */
struct literal_level {
    bool is_hole, is_verbatim, is_one_line, in_format;
    unsigned dollars;
    unsigned quotes;           /* of a raw literal; 0: not raw */
    unsigned braces, brackets; /* open ones in a hole */
};

struct literal_reader {
    struct str text;
    size_t at;
    struct literal_level levels[NESTED_MAX];
    size_t depth;
    size_t hole; /* start of the content of the outermost hole */
    char *out;   /* NULL: only find the end */
    bool failed;
};

static char peek_char(const struct literal_reader *r, size_t ahead)
{
    return r->at + ahead < r->text.n ? r->text.p[r->at + ahead] : 0;
}

static size_t count_run(const struct literal_reader *r, char c)
{
    size_t n = 0;
    while (r->at + n < r->text.n && r->text.p[r->at + n] == c)
        n++;
    return n;
}

/* Move on by n bytes. In the outermost literal they are text and are copied. */
static void advance_by(struct literal_reader *r, size_t n)
{
    size_t left = r->text.n - r->at;
    n = n < left ? n : left;
    if (r->out && r->depth == 1)
        csharp_string_copy(r->text, r->at, r->at + n, r->out);
    r->at += n;
}

/* Whether only blanks are left on the line. */
static bool is_end_of_line(const struct literal_reader *r)
{
    size_t i = r->at;
    while (i < r->text.n && (r->text.p[i] == ' ' || r->text.p[i] == '\t'))
        i++;
    return i == r->text.n || r->text.p[i] == '\n' || r->text.p[i] == '\r';
}

/* Read the prefix and the quotes of a literal. An empty one ends at once. */
static void open_literal(struct literal_reader *r)
{
    struct literal_level l = {0};
    size_t start = r->at;
    for (; peek_char(r, 0) == '$' || peek_char(r, 0) == '@'; r->at++) {
        if (peek_char(r, 0) == '$')
            l.dollars++;
        else
            l.is_verbatim = true;
    }
    size_t quotes = l.is_verbatim ? 1 : count_run(r, '"');
    bool is_empty = quotes == 2;
    bool is_raw = quotes > 2;
    quotes = is_raw || is_empty ? quotes : 1;
    r->at += quotes;
    l.quotes = is_raw ? (unsigned)quotes : 0;
    l.is_one_line = is_raw ? !is_end_of_line(r) : !l.is_verbatim;
    r->failed = r->depth == NESTED_MAX || l.quotes > QUOTES_MAX;
    if (r->failed)
        return;
    r->levels[r->depth++] = l;
    size_t after = r->at;
    r->at = start;
    advance_by(r, after - start);
    r->depth -= is_empty;
}

static void open_hole(struct literal_reader *r, unsigned dollars)
{
    r->failed = r->depth == NESTED_MAX;
    if (r->failed)
        return;
    if (r->depth == 1)
        r->hole = r->at;
    r->levels[r->depth++] = (struct literal_level){.is_hole = true, .dollars = dollars};
}

/* Copy a hole as one name and blanks; its braces are copied with the text. */
static void close_hole(struct literal_reader *r)
{
    size_t n = count_run(r, '}'), wanted = r->levels[r->depth - 1].dollars, i = r->hole;
    r->depth--;
    if (r->out && r->depth == 1) {
        while (i < r->at && (r->text.p[i] == '\n' || r->text.p[i] == '\r'))
            i++;
        if (i < r->at)
            r->out[i] = '_';
    }
    advance_by(r, n < wanted ? n : wanted);
}

/* Read a special character in the text of a raw literal. */
static void read_raw_text(struct literal_reader *r, struct literal_level *l, char c)
{
    size_t n = count_run(r, c);
    advance_by(r, n);
    if (c == '"' && n >= l->quotes) {
        r->depth--;
    } else if (c == '{' && l->dollars > 0 && n >= l->dollars) {
        open_hole(r, l->dollars);
    }
}

static void read_plain_text(struct literal_reader *r, struct literal_level *l, char c)
{
    bool twice = peek_char(r, 1) == c;
    if (c == '\\' && !l->is_verbatim) {
        advance_by(r, peek_char(r, 1) == '"' || peek_char(r, 1) == '\\' ? 2 : 1);
    } else if (c == '"') {
        advance_by(r, l->is_verbatim && twice ? 2 : 1);
        r->depth -= !(l->is_verbatim && twice);
    } else if (c == '{' && l->dollars > 0 && !twice) {
        advance_by(r, 1);
        open_hole(r, 1);
    } else {
        advance_by(r, c == '{' && l->dollars > 0 ? 2 : 1);
    }
}

static bool is_special(char c)
{
    return c == '"' || c == '{' || c == '\\' || c == '\n' || c == '\r';
}

static void read_text_step(struct literal_reader *r)
{
    struct literal_level *l = &r->levels[r->depth - 1];
    size_t n = 0;
    while (r->at + n < r->text.n && !is_special(r->text.p[r->at + n]))
        n++;
    advance_by(r, n);
    char c = peek_char(r, 0);
    if (r->at == r->text.n)
        return;
    if (c == '\n' || c == '\r') {
        r->failed = l->is_one_line;
        r->at += !l->is_one_line;
    } else if (l->quotes > 0) {
        read_raw_text(r, l, c);
    } else {
        read_plain_text(r, l, c);
    }
}

/* The format after the ':' of a hole is text up to the brace. */
static void read_format_step(struct literal_reader *r)
{
    char c = peek_char(r, 0);
    if (c == '}')
        close_hole(r);
    else if (c == '"' || c == '\n' || c == '\r')
        r->failed = true;
    else
        r->at += c == '\\' ? 2 : 1;
}

static void skip_to(struct literal_reader *r, struct str end)
{
    size_t found = str_find(str_skip(r->text, r->at), end);
    r->at += found + end.n;
}

static void skip_char(struct literal_reader *r)
{
    r->at++;
    while (peek_char(r, 0) != '\'' && peek_char(r, 0) != '\n' && r->at < r->text.n)
        r->at += peek_char(r, 0) == '\\' ? 2 : 1;
    r->at++;
}

static void read_hole_step(struct literal_reader *r)
{
    struct literal_level *l = &r->levels[r->depth - 1];
    char c = peek_char(r, 0);
    bool at_top = l->braces == 0 && l->brackets == 0;
    if (l->in_format)
        read_format_step(r);
    else if (csharp_string_starts(r->text, r->at))
        open_literal(r);
    else if (c == '\'')
        skip_char(r);
    else if (c == '/' && peek_char(r, 1) == '*')
        skip_to(r, STR("*/"));
    else if (c == '/' && peek_char(r, 1) == '/')
        skip_to(r, STR("\n"));
    else if (c == '}' && l->braces == 0)
        close_hole(r);
    else if (c == ';' && l->braces == 0)
        r->failed = true; /* no expression contains one: the hole has no end */
    else {
        bool is_alias = c == ':' && peek_char(r, 1) == ':';
        l->in_format = c == ':' && at_top && !is_alias;
        l->braces += c == '{';
        l->braces -= c == '}';
        l->brackets += c == '(' || c == '[';
        l->brackets -= (c == ')' || c == ']') && l->brackets > 0;
        r->at += is_alias ? 2 : 1;
    }
}

/* If a literal ends with its line, exclude a ';' before the line end, so that the parser sees the
 * end of the statement. */
static size_t exclude_semicolon(struct str text, size_t from, size_t to)
{
    size_t i = to;
    while (i > from && (text.p[i - 1] == ' ' || text.p[i - 1] == '\t'))
        i--;
    return i > from + 2 && text.p[i - 1] == ';' ? i - 1 : to;
}

bool csharp_string_starts(struct str text, size_t at)
{
    for (size_t i = at; i < text.n && i - at < PREFIX_MAX; i++) {
        if (text.p[i] == '"')
            return true;
        if (text.p[i] != '$' && text.p[i] != '@')
            return false;
    }
    return false;
}

size_t csharp_string_end(struct str text, size_t at, bool *closed, char *out)
{
    struct literal_reader r; /* not initialized: its levels are large and set when used */
    r.text = text;
    r.at = at;
    r.depth = r.hole = 0;
    r.out = out;
    open_literal(&r);
    while (!r.failed && r.depth > 0 && r.at < text.n) {
        if (r.levels[r.depth - 1].is_hole)
            read_hole_step(&r);
        else
            read_text_step(&r);
    }
    *closed = r.depth == 0 && !r.failed;
    size_t end = r.at < text.n ? r.at : text.n;
    if (*closed)
        return end;
    for (size_t i = at; out && i < end; i++)
        if (out[i] != '\n' && out[i] != '\r')
            out[i] = ' ';
    if (out && end > at + 1)
        out[at] = out[at + 1] = '"';
    return exclude_semicolon(text, at, end);
}

void csharp_string_copy(struct str text, size_t from, size_t to, char *out)
{
    for (size_t i = from; i < to;) {
        unsigned char c = (unsigned char)text.p[i];
        size_t n = c < 0x80 ? 1 : utf8_char_bytes(str_make(text.p + i, to - i));
        if (n == 0)
            out[i] = '?';
        else if (c >= ' ' && c != 0x7f)
            memcpy(out + i, text.p + i, n);
        i += n > 0 ? n : 1;
    }
}
