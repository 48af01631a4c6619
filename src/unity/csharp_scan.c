#include "unity/csharp_scan.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "unity/csharp_directive.h"
#include "unity/csharp_string.h"

#define WORD_MAX   1024 /* bytes; C# allows 511 characters */
#define LETTER_MAX 16   /* bytes; '\U0001F600' has 12 */

_Static_assert(CSHARP_MAX_BYTES < 1u << 28, "offsets fit into a token");

struct csharp_scanner {
    struct csharp_scan *s;
    struct str text;
    size_t at;
    bool at_line_start; /* only blanks precede on this line */
    struct csharp_directive directive;
};

static bool is_newline(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/* Return the number of bytes of a Unicode blank at the start of s, or 0. */
static size_t match_wide_blank(struct str s)
{
    static const char *const blanks[] = {"\u00a0", "\u1680", "\u2028", "\u2029",  "\u202f",
                                         "\u205f", "\u3000", "\ufeff", "\xc2\x85"};
    if (s.n == 0 || (unsigned char)s.p[0] < 0x80)
        return 0;
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        if (str_starts(s, str_from(blanks[i])))
            return strlen(blanks[i]);
    /* U+2000 to U+200B: typographic spaces */
    return str_starts(s, STR("\xe2\x80")) && s.n > 2 && (unsigned char)s.p[2] <= 0x8b ? 3 : 0;
}

static char peek_char(const struct csharp_scanner *r, size_t ahead)
{
    return r->at + ahead < r->text.n ? r->text.p[r->at + ahead] : 0;
}

static void report_error(struct csharp_scanner *r, size_t at)
{
    if (r->s->error_at == CSHARP_SCAN_OK)
        r->s->error_at = at;
}

static void add_token(struct csharp_scanner *r, size_t from, enum csharp_token_kind kind)
{
    struct csharp_scan *s = r->s;
    if (s->count == s->cap)
        mem_grow((void **)&s->tokens, &s->cap, s->count + 1, sizeof *s->tokens);
    s->tokens[s->count++] = (struct csharp_token){
        .at = from & 0xfffffff, .n = (r->at - from) & 0xfffffff, .kind = (uint8_t)kind};
}

static size_t find_line_end(struct str text, size_t at)
{
    while (at < text.n && !is_newline(text.p[at]))
        at++;
    return at;
}

/* Read a '#' at the start of a line, up to the end of the line. */
static void read_directive(struct csharp_scanner *r)
{
    size_t end = find_line_end(r->text, r->at);
    struct str line = str_make(r->text.p + r->at + 1, end - r->at - 1);
    if (!csharp_directive_line(&r->directive, line, r->s->count == 0))
        report_error(r, r->at);
    r->at = end;
}

/* Skip inactive lines, except for directives. */
static void skip_inactive(struct csharp_scanner *r)
{
    while (r->at < r->text.n && !r->directive.active) {
        while (r->at < r->text.n && (is_blank(peek_char(r, 0)) || is_newline(peek_char(r, 0))))
            r->at++;
        if (peek_char(r, 0) == '#')
            read_directive(r);
        else
            r->at = find_line_end(r->text, r->at);
    }
}

static void skip_comment(struct csharp_scanner *r)
{
    size_t from = r->at;
    if (peek_char(r, 1) == '/') {
        r->at = find_line_end(r->text, r->at);
        return;
    }
    r->at += 2;
    size_t found = str_find(str_skip(r->text, r->at), STR("*/"));
    if (r->at + found >= r->text.n) {
        report_error(r, from);
        r->at = r->text.n;
        return;
    }
    r->at += found + 2;
}

static void read_string(struct csharp_scanner *r)
{
    size_t from = r->at;
    bool closed;
    r->at = csharp_string_end(r->text, from, &closed, NULL);
    if (!closed)
        report_error(r, from);
    add_token(r, from, CSHARP_TOKEN_STRING);
}

static void read_char(struct csharp_scanner *r)
{
    size_t from = r->at++;
    while (r->at < r->text.n && peek_char(r, 0) != '\'' && !is_newline(peek_char(r, 0)))
        r->at += peek_char(r, 0) == '\\' && r->at + 1 < r->text.n && !is_newline(peek_char(r, 1))
                     ? 2
                     : 1;
    bool closed = peek_char(r, 0) == '\'';
    r->at += closed;
    closed &= r->at - from <= LETTER_MAX;
    if (!closed)
        report_error(r, from);
    add_token(r, from, closed ? CSHARP_TOKEN_CHAR : CSHARP_TOKEN_BROKEN_CHAR);
}

static void read_number(struct csharp_scanner *r)
{
    size_t from = r->at;
    bool is_hex = peek_char(r, 0) == '0' && (peek_char(r, 1) == 'x' || peek_char(r, 1) == 'X');
    for (;; r->at++) {
        char c = peek_char(r, 0);
        bool is_exponent = !is_hex && (c == 'e' || c == 'E');
        if (is_exponent && (peek_char(r, 1) == '+' || peek_char(r, 1) == '-'))
            r->at++;
        else if (!is_word(c) && !(c == '.' && is_digit(peek_char(r, 1))))
            break;
    }
    add_token(r, from, CSHARP_TOKEN_NUMBER);
}

static bool begins_word(struct str s)
{
    if (s.n > 0 && s.p[0] == '@')
        s = str_skip(s, 1);
    return s.n > 0 &&
           (is_word(s.p[0]) || ((unsigned char)s.p[0] >= 0x80 && utf8_char_bytes(s) > 0));
}

static void read_word(struct csharp_scanner *r)
{
    size_t from = r->at;
    r->at += peek_char(r, 0) == '@';
    while (r->at < r->text.n) {
        size_t n = is_word(peek_char(r, 0)) ? 1 : 0;
        if ((unsigned char)peek_char(r, 0) >= 0x80)
            n = utf8_char_bytes(str_skip(r->text, r->at));
        if (n == 0 || match_wide_blank(str_skip(r->text, r->at)))
            break;
        r->at += n;
    }
    if (r->at - from <= WORD_MAX)
        add_token(r, from, CSHARP_TOKEN_WORD);
    else
        report_error(r, from);
}

static void read_sign(struct csharp_scanner *r)
{
    size_t from = r->at++;
    char c = r->text.p[from], next = peek_char(r, 0);
    bool two = (c == '=' && next == '>') || (c == ':' && next == ':') ||
               (next == '=' && strchr("=!<>+-*/%&|^", c));
    r->at += two;
    add_token(r, from, CSHARP_TOKEN_SIGN);
}

/* Leave out one byte that cannot start a token. */
static void skip_unknown(struct csharp_scanner *r)
{
    report_error(r, r->at);
    r->at++;
}

static void read_token(struct csharp_scanner *r)
{
    char c = peek_char(r, 0);
    unsigned char byte = (unsigned char)c;
    if (csharp_string_starts(r->text, r->at))
        read_string(r);
    else if (c == '\'')
        read_char(r);
    else if (is_digit(c) || (c == '.' && is_digit(peek_char(r, 1))))
        read_number(r);
    else if (begins_word(str_skip(r->text, r->at)))
        read_word(r);
    else if (byte > ' ' && byte < 0x7f && !strchr("#$@\\`", c))
        read_sign(r);
    else
        skip_unknown(r);
}

static void scan_step(struct csharp_scanner *r)
{
    char c = peek_char(r, 0);
    size_t wide = match_wide_blank(str_skip(r->text, r->at));
    if (is_newline(c)) {
        r->at_line_start = true;
        r->at++;
    } else if (is_blank(c) || wide > 0) {
        r->at += wide > 0 ? wide : 1;
    } else if (c == '#' && r->at_line_start) {
        read_directive(r);
        skip_inactive(r);
    } else if (c == '/' && (peek_char(r, 1) == '/' || peek_char(r, 1) == '*')) {
        r->at_line_start = false;
        skip_comment(r);
    } else {
        r->at_line_start = false;
        read_token(r);
    }
}

void csharp_scan_init(struct csharp_scan *s, struct str text, const struct csharp_options *options)
{
    assert(text.n <= CSHARP_MAX_BYTES);
    *s = (struct csharp_scan){.text = text, .error_at = CSHARP_SCAN_OK};
    struct csharp_scanner r = {.s = s, .text = text, .at_line_start = true};
    csharp_directive_init(&r.directive, options);
    while (r.at < text.n)
        scan_step(&r);
    if (csharp_directive_is_open(&r.directive))
        report_error(&r, text.n);
    csharp_directive_done(&r.directive);
}

void csharp_scan_done(struct csharp_scan *s)
{
    free(s->tokens);
    *s = (struct csharp_scan){0};
}

bool csharp_scan_is_arrow(const struct csharp_scan *s, size_t i)
{
    return i < s->count && s->tokens[i].kind == CSHARP_TOKEN_SIGN && s->tokens[i].n == 2 &&
           str_eq(csharp_scan_text(s, i), STR("=>"));
}

void csharp_scan_copy(const struct csharp_scan *s, size_t i, char *out)
{
    struct csharp_token t = s->tokens[i];
    bool closed;
    if (t.kind == CSHARP_TOKEN_STRING)
        csharp_string_end(s->text, t.at, &closed, out);
    else if (t.kind == CSHARP_TOKEN_BROKEN_CHAR)
        out[t.at] = '0';
    else
        csharp_string_copy(s->text, t.at, (size_t)t.at + t.n, out);
}
