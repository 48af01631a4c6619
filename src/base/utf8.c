#include "base/utf8.h"

#include <assert.h>
#include <endian.h>

#define HIGH_BITS 0x8080808080808080u

/* The bytes that may follow a first byte (RFC 3629, section 4). Only the second byte has a special
 * range, which excludes overlong forms, surrogates and everything above U+10FFFF. */
struct lead {
    uint8_t more; /* continuation bytes; 0: not a first byte of a longer form */
    uint8_t low, high;
};

static struct lead find_lead(unsigned char c)
{
    if (c < 0xc2)
        return (struct lead){0, 0, 0};
    if (c < 0xe0)
        return (struct lead){1, 0x80, 0xbf};
    if (c < 0xf0)
        return (struct lead){2, c == 0xe0 ? 0xa0 : 0x80, c == 0xed ? 0x9f : 0xbf};
    if (c < 0xf5)
        return (struct lead){3, c == 0xf0 ? 0x90 : 0x80, c == 0xf4 ? 0x8f : 0xbf};
    return (struct lead){0, 0, 0};
}

/* Return the valid bytes of the first character of s; *whole: the character is complete. */
static size_t count_valid_bytes(struct str s, bool *whole)
{
    const unsigned char *p = (const unsigned char *)s.p;
    *whole = s.n > 0 && p[0] < 0x80;
    if (s.n == 0 || *whole)
        return s.n ? 1 : 0;
    struct lead lead = find_lead(p[0]);
    if (lead.more == 0)
        return 0;
    size_t i = 1;
    if (i < s.n && p[i] >= lead.low && p[i] <= lead.high)
        i++;
    while (i > 1 && i <= lead.more && i < s.n && (p[i] & 0xc0) == 0x80)
        i++;
    *whole = i == lead.more + 1u;
    return i;
}

size_t utf8_char_bytes(struct str s)
{
    bool whole;
    size_t n = count_valid_bytes(s, &whole);
    return whole ? n : 0;
}

/* Check the low bytes of w for a character of some length: first the fixed bits, then overlong
 * forms, surrogates and values above the range. */
static inline bool is_three(uint64_t w)
{
    uint64_t border = w & 0x200f; /* the low bits of the first byte, and bit 5 of the second */
    return (w & 0xc0c0f0) == 0x8080e0 && border != 0x0000 && border != 0x200d;
}

static inline bool is_two(uint64_t w)
{
    return (w & 0xc0e0) == 0x80c0 && (w & 0x1e) != 0;
}

static inline bool is_four(uint64_t w)
{
    uint64_t plane = (w & 7) << 2 | (w >> 12 & 3);
    return (w & 0xc0c0c0f8) == 0x808080f0 && plane >= 1 && plane <= 16;
}

static inline uint64_t load_word(const char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return le64toh(w);
}

/* Are there two characters of three bytes? */
static inline bool is_pair(uint64_t w)
{
    const uint64_t overlong = 1, surrogate = 1u << 27;
    uint64_t first = (w << 1 & 0x1e) | (w >> 13 & 1), second = (w >> 23 & 0x1e) | (w >> 37 & 1);
    return (w & 0xc0c0f0c0c0f0) == 0x8080e08080e0 &&
           !(((overlong | surrogate) >> first | (overlong | surrogate) >> second) & 1);
}

/* Most text is ASCII, and elsewhere characters of the same length follow each other: skip ASCII by
 * words, and two characters of three bytes in one step. Each step is a branch with a constant, so
 * that the next load does not wait for this one. Stop early: before an error, and before the last
 * bytes of s. */
static size_t skip_fast_prefix(struct str s)
{
    if (s.n < 2 * sizeof(uint64_t))
        return 0;
    const char *p = s.p, *last = s.p + s.n - 2 * sizeof(uint64_t);
    while (p <= last) {
        uint64_t w = load_word(p);
        while (is_pair(w) && p <= last) {
            p += 6;
            w = load_word(p);
        }
        if (!(w & HIGH_BITS))
            p += sizeof w;
        else if (!(w & 0x80))
            p += __builtin_ctzll(w & HIGH_BITS) / 8;
        else if (is_two(w))
            p += 2;
        else if (is_three(w))
            p += 3;
        else if (is_four(w))
            p += 4;
        else
            break;
    }
    return (size_t)(p - s.p);
}

size_t utf8_valid_prefix(struct str s)
{
    size_t n, at = skip_fast_prefix(s);
    while (at < s.n && (n = utf8_char_bytes(str_skip(s, at))) > 0)
        at += n;
    return at;
}

uint32_t utf8_decode(struct str s, size_t *len)
{
    assert(s.n > 0);
    const unsigned char *p = (const unsigned char *)s.p;
    if (p[0] < 0x80) {
        *len = 1;
        return p[0];
    }
    struct lead lead = find_lead(p[0]);
    assert(lead.more > 0 && lead.more < s.n);
    uint32_t c = p[0] & (0x3fu >> lead.more);
    for (size_t i = 1; i <= lead.more; i++)
        c = c << 6 | (p[i] & 0x3fu);
    *len = lead.more + 1u;
    return c;
}

size_t utf8_encode(uint32_t c, char to[4])
{
    assert(c <= 0x10ffff && (c < 0xd800 || c > 0xdfff));
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    for (size_t i = more; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((0xff00u >> (more + 1) & 0xff) | c);
    return more + 1;
}

void utf8_add_lossy(struct buf *b, struct str s)
{
    while (s.n) {
        size_t n = utf8_valid_prefix(s);
        buf_add(b, str_head(s, n));
        s = str_skip(s, n);
        if (s.n == 0)
            break;
        s = str_skip(s, utf8_bad_bytes(s));
        buf_add(b, STR("\xef\xbf\xbd"));
    }
}

size_t utf8_bad_bytes(struct str s)
{
    bool whole;
    size_t n = count_valid_bytes(s, &whole);
    assert(s.n > 0 && !whole);
    return n ? n : 1;
}

struct str utf8_head(struct str s, size_t n)
{
    if (n >= s.n)
        return s;
    /* A character has at most three continuation bytes. Invalid text may have more; then any cut
     * will do. */
    size_t cut = n;
    while (cut > 0 && n - cut < 3 && (s.p[cut] & 0xc0) == 0x80)
        cut--;
    return str_head(s, (s.p[cut] & 0xc0) == 0x80 ? n : cut);
}

void utf8_locate(struct str text, size_t offset, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < offset && i < text.n; i++) {
        if (text.p[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text.p[i] & 0xc0) != 0x80) {
            ++*column;
        }
    }
}

bool utf8_check_feed(struct utf8_check *c, struct str part)
{
    size_t at = 0;
    while (!c->bad && at < part.n) {
        if (c->missing) {
            unsigned char byte = (unsigned char)part.p[at++];
            c->bad = byte < c->low || byte > c->high;
            c->missing--;
            c->low = 0x80;
            c->high = 0xbf;
            continue;
        }
        at += utf8_valid_prefix(str_skip(part, at));
        if (at == part.n)
            break;
        struct lead lead = find_lead((unsigned char)part.p[at++]);
        c->bad = lead.more == 0;
        c->missing = lead.more;
        c->low = lead.low;
        c->high = lead.high;
    }
    return !c->bad;
}

bool utf8_check_end(const struct utf8_check *c)
{
    return !c->bad && c->missing == 0;
}
