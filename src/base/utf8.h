/* UTF-8: input is checked where it enters the program.
 *
 * Valid means RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

/* Return the bytes of the longest valid beginning of s; s.n if all of it is valid. */
size_t utf8_valid_prefix(struct str s);

static inline bool utf8_is_valid(struct str s)
{
    return utf8_valid_prefix(s) == s.n;
}

/* Return the bytes (1..4) of the first character of s; 0 if it is not valid. */
size_t utf8_char_bytes(struct str s);

/* Return the bytes of the maximal invalid part at the start of s, if utf8_char_bytes() is 0. */
size_t utf8_bad_bytes(struct str s);

/* Return the first character of s, which is valid and not empty; *len is its bytes (1..4). */
uint32_t utf8_decode(struct str s, size_t *len);

/* Write c (a valid scalar value) to to[0..3]; return its bytes. */
size_t utf8_encode(uint32_t c, char to[4]);

/* Append s to b with each maximal invalid part replaced by U+FFFD. */
void utf8_add_lossy(struct buf *b, struct str s);

/* Return the longest beginning of s with at most n bytes that does not split a character. */
struct str utf8_head(struct str s, size_t n);

/* Return the position of a byte for messages: both from 1; columns are characters. */
void utf8_locate(struct str text, size_t offset, size_t *line, size_t *column);

/* A check of text that arrives in parts.
 *
 *     struct utf8_check c = {0};
 *     bool ok = utf8_check_feed(&c, part);      // false: invalid from here on
 *     bool whole = utf8_check_end(&c);          // false: ends inside a character */
struct utf8_check {
    /* private */
    uint8_t missing;   /* continuation bytes still to come */
    uint8_t low, high; /* allowed range of the next one */
    bool bad;
};

bool utf8_check_feed(struct utf8_check *c, struct str part);
bool utf8_check_end(const struct utf8_check *c);
