#include "unity/csharp_scan.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "unity/csharp_directive.h"
#include "unity/csharp_string.h"

#define WORD_MAX   1024 /* bytes; C# has 511 characters */
#define LETTER_MAX 16   /* bytes; '\U0001F600' has 12 */

_Static_assert(CSHARP_MAX_BYTES < 1u << 28, "offsets fit into a token");

struct scanner {
    struct csharp_scan *s;
    struct str text;
    size_t at;
    bool at_line_start; /* nothing but blanks stood before on this line */
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

/* Bytes of the blank of Unicode at the start of s; 0: there is none. */
static size_t wide_blank(struct str s)
{
    static const char *const blanks[] = {"\u00a0", "\u1680", "\u2028", "\u2029",  "\u202f",
                                         "\u205f", "\u3000", "\ufeff", "\xc2\x85"};
    if (s.n == 0 || (unsigned char)s.p[0] < 0x80)
        return 0;
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        if (str_starts(s, str_from(blanks[i])))
            return strlen(blanks[i]);
    /* U+2000 to U+200B: the widths of a typesetter */
    return str_starts(s, STR("\xe2\x80")) && s.n > 2 && (unsigned char)s.p[2] <= 0x8b ? 3 : 0;
}

static char peek(const struct scanner *r, size_t ahead)
{
    return r->at + ahead < r->text.n ? r->text.p[r->at + ahead] : 0;
}

static void fault(struct scanner *r, size_t at)
{
    if (r->s->fault == CSHARP_SCAN_OK)
        r->s->fault = at;
}

static void add(struct scanner *r, size_t from, enum csharp_token_kind kind)
{
    struct csharp_scan *s = r->s;
    if (s->count == s->cap)
        mem_grow((void **)&s->tokens, &s->cap, s->count + 1, sizeof *s->tokens);
    s->tokens[s->count++] = (struct csharp_token){
        .at = from & 0xfffffff, .n = (r->at - from) & 0xfffffff, .kind = (uint8_t)kind};
}

static size_t line_end(struct str text, size_t at)
{
    while (at < text.n && !is_newline(text.p[at]))
        at++;
    return at;
}

/* At a '#' that begins a line; goes behind the line. */
static void read_directive(struct scanner *r)
{
    size_t end = line_end(r->text, r->at);
    struct str line = str_make(r->text.p + r->at + 1, end - r->at - 1);
    if (!csharp_directive_line(&r->directive, line, r->s->count == 0))
        fault(r, r->at);
    r->at = end;
}

/* Lines of a branch that does not count are no C#: only their directives are looked at. */
static void skip_inactive(struct scanner *r)
{
    while (r->at < r->text.n && !r->directive.active) {
        while (r->at < r->text.n && (is_blank(peek(r, 0)) || is_newline(peek(r, 0))))
            r->at++;
        if (peek(r, 0) == '#')
            read_directive(r);
        else
            r->at = line_end(r->text, r->at);
    }
}

static void skip_comment(struct scanner *r)
{
    size_t from = r->at;
    if (peek(r, 1) == '/') {
        r->at = line_end(r->text, r->at);
        return;
    }
    r->at += 2;
    size_t found = str_find(str_skip(r->text, r->at), STR("*/"));
    if (r->at + found >= r->text.n) {
        fault(r, from);
        r->at = r->text.n;
        return;
    }
    r->at += found + 2;
}

static void read_string(struct scanner *r)
{
    size_t from = r->at;
    bool closed;
    r->at = csharp_string_end(r->text, from, &closed, NULL);
    if (!closed)
        fault(r, from);
    add(r, from, CSHARP_TOKEN_STRING);
}

static void read_char(struct scanner *r)
{
    size_t from = r->at++;
    while (r->at < r->text.n && peek(r, 0) != '\'' && !is_newline(peek(r, 0)))
        r->at += peek(r, 0) == '\\' && r->at + 1 < r->text.n && !is_newline(peek(r, 1)) ? 2 : 1;
    bool closed = peek(r, 0) == '\'';
    r->at += closed;
    closed &= r->at - from <= LETTER_MAX;
    if (!closed)
        fault(r, from);
    add(r, from, closed ? CSHARP_TOKEN_CHAR : CSHARP_TOKEN_BROKEN_CHAR);
}

static void read_number(struct scanner *r)
{
    size_t from = r->at;
    bool is_hex = peek(r, 0) == '0' && (peek(r, 1) == 'x' || peek(r, 1) == 'X');
    for (;; r->at++) {
        char c = peek(r, 0);
        bool is_exponent = !is_hex && (c == 'e' || c == 'E');
        if (is_exponent && (peek(r, 1) == '+' || peek(r, 1) == '-'))
            r->at++;
        else if (!is_word(c) && !(c == '.' && is_digit(peek(r, 1))))
            break;
    }
    add(r, from, CSHARP_TOKEN_NUMBER);
}

static bool begins_word(struct str s)
{
    if (s.n > 0 && s.p[0] == '@')
        s = str_skip(s, 1);
    return s.n > 0 &&
           (is_word(s.p[0]) || ((unsigned char)s.p[0] >= 0x80 && utf8_char_bytes(s) > 0));
}

static void read_word(struct scanner *r)
{
    size_t from = r->at;
    r->at += peek(r, 0) == '@';
    while (r->at < r->text.n) {
        size_t n = is_word(peek(r, 0)) ? 1 : 0;
        if ((unsigned char)peek(r, 0) >= 0x80)
            n = utf8_char_bytes(str_skip(r->text, r->at));
        if (n == 0 || wide_blank(str_skip(r->text, r->at)))
            break;
        r->at += n;
    }
    if (r->at - from <= WORD_MAX)
        add(r, from, CSHARP_TOKEN_WORD);
    else
        fault(r, from);
}

static void read_sign(struct scanner *r)
{
    size_t from = r->at++;
    char c = r->text.p[from], next = peek(r, 0);
    bool two = (c == '=' && next == '>') || (c == ':' && next == ':') ||
               (next == '=' && strchr("=!<>+-*/%&|^", c));
    r->at += two;
    add(r, from, CSHARP_TOKEN_SIGN);
}

/* What begins no token: one byte, or one character, is left out. */
static void skip_stray(struct scanner *r)
{
    fault(r, r->at);
    r->at++;
}

static void read_token(struct scanner *r)
{
    char c = peek(r, 0);
    unsigned char byte = (unsigned char)c;
    if (csharp_string_starts(r->text, r->at))
        read_string(r);
    else if (c == '\'')
        read_char(r);
    else if (is_digit(c) || (c == '.' && is_digit(peek(r, 1))))
        read_number(r);
    else if (begins_word(str_skip(r->text, r->at)))
        read_word(r);
    else if (byte > ' ' && byte < 0x7f && !strchr("#$@\\`", c))
        read_sign(r);
    else
        skip_stray(r);
}

static void step(struct scanner *r)
{
    char c = peek(r, 0);
    size_t wide = wide_blank(str_skip(r->text, r->at));
    if (is_newline(c)) {
        r->at_line_start = true;
        r->at++;
    } else if (is_blank(c) || wide > 0) {
        r->at += wide > 0 ? wide : 1;
    } else if (c == '#' && r->at_line_start) {
        read_directive(r);
        skip_inactive(r);
    } else if (c == '/' && (peek(r, 1) == '/' || peek(r, 1) == '*')) {
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
    *s = (struct csharp_scan){.text = text, .fault = CSHARP_SCAN_OK};
    struct scanner r = {.s = s, .text = text, .at_line_start = true};
    csharp_directive_init(&r.directive, options);
    while (r.at < text.n)
        step(&r);
    if (csharp_directive_is_open(&r.directive))
        fault(&r, text.n);
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
