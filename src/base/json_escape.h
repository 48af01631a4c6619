/* Escapes in JSON strings: json.c decodes them, json_skim.c only checks them. */
#pragma once

#include "base/utf8.h"

struct json_fault {
    const char *at; /* where the text is wrong */
    const char *reason;
};

static inline int json_escape_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Return the value of the "\uXXXX" at `at`, before end; -1: it is not one. */
static inline int32_t json_escape_unit(const char *at, const char *end)
{
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return -1;
    int32_t value = 0;
    for (int i = 2; i < 6; i++) {
        int digit = json_escape_digit(at[i]);
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

/* Decode the "\u" escape at `at` to *to, a pair of surrogates as one character. */
static inline const char *json_escape_unicode(const char *at, const char *end, char **to,
                                              struct json_fault *fault)
{
    int32_t c = json_escape_unit(at, end);
    const char *next = at + 6;
    if (c < 0) {
        *fault = (struct json_fault){at, "invalid escape"};
        return NULL;
    }
    if (c >= 0xd800 && c <= 0xdfff) {
        int32_t low = c < 0xdc00 ? json_escape_unit(next, end) : -1;
        if (low < 0xdc00 || low > 0xdfff) {
            *fault = (struct json_fault){at, "lone surrogate"};
            return NULL;
        }
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        next += 6;
    }
    *to += utf8_encode((uint32_t)c, *to);
    return next;
}

/* Decode the escape at `at`, before end, to *to: at most four bytes, and never more than the escape
 * has. Return its end, or NULL with *fault set. */
static inline const char *json_escape(const char *at, const char *end, char **to,
                                      struct json_fault *fault)
{
    static const char meanings[256] = {
        ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
        ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
    };
    if (end - at < 2) {
        *fault = (struct json_fault){end, "unexpected end"};
        return NULL;
    }
    if (at[1] == 'u')
        return json_escape_unicode(at, end, to, fault);
    char meaning = meanings[(unsigned char)at[1]];
    if (!meaning) {
        *fault = (struct json_fault){at, "invalid escape"};
        return NULL;
    }
    *(*to)++ = meaning;
    return at + 2;
}
