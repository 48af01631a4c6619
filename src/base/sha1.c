#include "base/sha1.h"

#define BLOCK 64u

static uint32_t rotate_left(uint32_t x, unsigned n)
{
    return (x << n) | (x >> (32 - n));
}

/* FIPS 180-4, 6.1.2. */
static void add_block(uint32_t h[5], const uint8_t *p)
{
    uint32_t w[80];
    for (size_t t = 0; t < 16; t++, p += 4)
        w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (size_t t = 16; t < 80; t++)
        w[t] = rotate_left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);

    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (size_t t = 0; t < 80; t++) {
        uint32_t f, k;
        if (t < 20) {
            f = (b & c) | (~b & d);
            k = 0x5a827999;
        } else if (t < 40) {
            f = b ^ c ^ d;
            k = 0x6ed9eba1;
        } else if (t < 60) {
            f = (b & c) | (b & d) | (c & d);
            k = 0x8f1bbcdc;
        } else {
            f = b ^ c ^ d;
            k = 0xca62c1d6;
        }
        uint32_t next = rotate_left(a, 5) + f + e + k + w[t];
        e = d;
        d = c;
        c = rotate_left(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

void sha1(struct str text, uint8_t digest[SHA1_LEN])
{
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    struct str rest = text;
    for (; rest.n >= BLOCK; rest = str_skip(rest, BLOCK))
        add_block(h, (const uint8_t *)rest.p);

    /* The rest, a one bit, zeros, and the length in bits: one block or two. */
    uint8_t tail[2 * BLOCK] = {0};
    if (rest.n)
        memcpy(tail, rest.p, rest.n);
    tail[rest.n] = 0x80;
    size_t size = rest.n + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    uint64_t bits = (uint64_t)text.n * 8;
    for (size_t i = 0; i < 8; i++)
        tail[size - 1 - i] = (uint8_t)(bits >> (8 * i));
    for (size_t at = 0; at < size; at += BLOCK)
        add_block(h, tail + at);

    for (size_t i = 0; i < SHA1_LEN; i++)
        digest[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}
