#include "base/utf8.h"

#include <assert.h>

#define HIGH_BITS 0x8080808080808080u

/* What may follow a first byte (RFC 3629, section 4). Only the second byte has a range of its own:
 * it is what keeps out overlong forms, surrogates and everything above U+10FFFF. */
struct lead {
    uint8_t more; /* continuation bytes; 0: no first byte of a longer form */
    uint8_t low, high;
};

static struct lead lead_of(unsigned char c)
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

/* Bytes of the character at the start of s that are as they should be; *whole if that is all. */
static size_t good_bytes(struct str s, bool *whole)
{
    const unsigned char *p = (const unsigned char *)s.p;
    *whole = s.n > 0 && p[0] < 0x80;
    if (s.n == 0 || *whole)
        return s.n ? 1 : 0;
    struct lead lead = lead_of(p[0]);
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
    size_t n = good_bytes(s, &whole);
    return whole ? n : 0;
}

static size_t skip_ascii(struct str s, size_t at)
{
    uint64_t word;
    for (; s.n - at >= sizeof word; at += sizeof word) {
        memcpy(&word, s.p + at, sizeof word);
        if (word & HIGH_BITS)
            break;
    }
    while (at < s.n && (unsigned char)s.p[at] < 0x80)
        at++;
    return at;
}

size_t utf8_valid_prefix(struct str s)
{
    size_t at = 0;
    while ((at = skip_ascii(s, at)) < s.n) {
        size_t n;
        while (at < s.n && (unsigned char)s.p[at] >= 0x80) {
            if ((n = utf8_char_bytes(str_skip(s, at))) == 0)
                return at;
            at += n;
        }
    }
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
    struct lead lead = lead_of(p[0]);
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
    size_t n = good_bytes(s, &whole);
    assert(s.n > 0 && !whole);
    return n ? n : 1;
}

struct str utf8_head(struct str s, size_t n)
{
    if (n >= s.n)
        return s;
    /* A character has at most three bytes after its first: in text that is not valid UTF-8 there
     * may be more of them, and then the cut is as good here as anywhere. */
    size_t cut = n;
    while (cut > 0 && n - cut < 3 && (s.p[cut] & 0xc0) == 0x80)
        cut--;
    return str_head(s, (s.p[cut] & 0xc0) == 0x80 ? n : cut);
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
        struct lead lead = lead_of((unsigned char)part.p[at++]);
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
