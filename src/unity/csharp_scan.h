/* The tokens of a C# file, without comments, directives and inactive #if branches.
 *
 *     struct csharp_scan s;
 *     csharp_scan_init(&s, text, &options);
 *     for (size_t i = 0; i < s.count; i++)
 *         braces += csharp_scan_is(&s, i, '{');
 *     csharp_scan_done(&s);
 *
 * Tokens are spans of the text, which must outlive them. Bytes that cannot start a token are left
 * out. error_at is the first such byte, or the first string or comment without an end.
 */
#pragma once

#include "unity/csharp.h"

#define CSHARP_SCAN_OK SIZE_MAX

enum csharp_token_kind {
    CSHARP_TOKEN_WORD, /* name or keyword */
    CSHARP_TOKEN_NUMBER,
    CSHARP_TOKEN_STRING,
    CSHARP_TOKEN_CHAR,
    CSHARP_TOKEN_SIGN, /* one character, or =>, :: or an operator that ends with '=' */
    CSHARP_TOKEN_BROKEN_CHAR
};

struct csharp_token { /* small, because there may be millions */
    uint64_t at : 28, n : 28, kind : 8;
};

struct csharp_scan {
    struct str text;
    struct csharp_token *tokens;
    size_t count;
    size_t error_at; /* an offset; CSHARP_SCAN_OK: none */
    /* private */
    size_t cap;
};

/* The text has at most CSHARP_MAX_BYTES. */
void csharp_scan_init(struct csharp_scan *s, struct str text, const struct csharp_options *options);
void csharp_scan_done(struct csharp_scan *s);

static inline struct str csharp_scan_text(const struct csharp_scan *s, size_t i)
{
    return str_make(s->text.p + s->tokens[i].at, s->tokens[i].n);
}

/* Whether token i exists and is this character. */
static inline bool csharp_scan_is(const struct csharp_scan *s, size_t i, char sign)
{
    return i < s->count && s->tokens[i].kind == CSHARP_TOKEN_SIGN && s->tokens[i].n == 1 &&
           s->text.p[s->tokens[i].at] == sign;
}

/* Whether token i exists and is =>. */
bool csharp_scan_is_arrow(const struct csharp_scan *s, size_t i);

/* Write token i at its own offset in out, which is as long as the text and blank there. Strings are
 * written by csharp_string_end(). The output is valid UTF-8 for any text. */
void csharp_scan_copy(const struct csharp_scan *s, size_t i, char *out);
