#include "base/base64.h"

static const char standard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char for_url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

#define NO_LETTER 64u

static uint32_t load_bits(const unsigned char *p, size_t n)
{
    uint32_t bits = (uint32_t)p[0] << 16;
    if (n > 1)
        bits |= (uint32_t)p[1] << 8;
    if (n > 2)
        bits |= p[2];
    return bits;
}

static void encode_bytes(struct buf *b, struct str bytes, const char *letters, bool pad)
{
    if (bytes.n == 0)
        return;
    size_t rest = bytes.n % 3;
    size_t last = rest == 0 ? 0 : pad ? 4 : rest + 1;
    /* If the multiplication would wrap, ask for more than any buffer allows. */
    char *to = buf_room(b, bytes.n / 3 > SIZE_MAX / 8 ? SIZE_MAX / 2 : bytes.n / 3 * 4 + last);
    if (!to)
        return;
    const unsigned char *p = (const unsigned char *)bytes.p, *end = p + (bytes.n - rest);
    for (; p < end; p += 3) {
        uint32_t bits = load_bits(p, 3);
        *to++ = letters[bits >> 18];
        *to++ = letters[bits >> 12 & 63];
        *to++ = letters[bits >> 6 & 63];
        *to++ = letters[bits & 63];
    }
    if (rest) {
        uint32_t bits = load_bits(p, rest);
        *to++ = letters[bits >> 18];
        *to++ = letters[bits >> 12 & 63];
        if (rest == 2)
            *to++ = letters[bits >> 6 & 63];
        for (size_t i = rest; pad && i < 3; i++)
            *to++ = '=';
    }
    *to = 0;
    b->n = (size_t)(to - b->p);
}

void base64_encode(struct buf *b, struct str bytes)
{
    encode_bytes(b, bytes, standard, true);
}

void base64_encode_url(struct buf *b, struct str bytes)
{
    encode_bytes(b, bytes, for_url, false);
}

static uint32_t find_letter(char c, const char *letters)
{
    if (c >= 'A' && c <= 'Z')
        return (uint32_t)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (uint32_t)(c - 'a') + 26;
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0') + 52;
    return c == letters[62] ? 62 : c == letters[63] ? 63 : NO_LETTER;
}

/* Return up to four letters as 24 bits from the top, or UINT32_MAX if one is invalid. */
static uint32_t decode_group(const char *p, size_t n, const char *letters)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t v = find_letter(p[i], letters);
        if (v == NO_LETTER)
            return UINT32_MAX;
        bits |= v << (18 - 6 * i);
    }
    return bits;
}

/* Decode letters without padding; a length of 4n + 1 is invalid. Unused bits must be zero (RFC
 * 4648, 3.5), so that bytes have exactly one text. */
static bool decode_letters(struct buf *b, struct str text, const char *letters)
{
    size_t rest = text.n % 4;
    if (rest == 1)
        return false;
    if (text.n == 0)
        return !b->overflow;
    char *to = buf_room(b, text.n / 4 * 3 + (rest ? rest - 1 : 0));
    if (!to)
        return false;
    size_t at = 0;
    uint32_t bits = 0;
    for (; at + 4 <= text.n && (bits = decode_group(text.p + at, 4, letters)) != UINT32_MAX;
         at += 4) {
        *to++ = (char)(bits >> 16);
        *to++ = (char)(bits >> 8 & 0xff);
        *to++ = (char)(bits & 0xff);
    }
    bool ok = at == text.n - rest;
    if (ok && rest) {
        bits = decode_group(text.p + at, rest, letters);
        ok = bits != UINT32_MAX && (bits & (rest == 2 ? 0xffffu : 0xffu)) == 0;
        *to++ = (char)(bits >> 16 & 0xff);
        if (rest == 3)
            *to++ = (char)(bits >> 8 & 0xff);
    }
    if (ok)
        b->n = (size_t)(to - b->p);
    b->p[b->n] = 0;
    return ok;
}

bool base64_decode(struct buf *b, struct str text)
{
    if (text.n % 4 != 0)
        return false;
    size_t pad = 0;
    while (pad < 2 && pad < text.n && text.p[text.n - 1 - pad] == '=')
        pad++;
    return decode_letters(b, str_head(text, text.n - pad), standard);
}

bool base64_decode_url(struct buf *b, struct str text)
{
    return decode_letters(b, text, for_url);
}
