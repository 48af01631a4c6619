#include "base/sha256.h"

#define BLOCK 64u

/* Several texts can be hashed as one: HMAC needs its key before the text. */
struct sha256_state {
    uint32_t h[8];
    uint8_t part[BLOCK];
    size_t part_n;
    uint64_t total;
};

static uint32_t rotate_right(uint32_t x, unsigned n)
{
    return (x >> n) | (x << (32 - n));
}

/* FIPS 180-4, 6.2.2. */
static void add_block(uint32_t h[8], const uint8_t *p)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2,
    };
    uint32_t w[64];
    for (size_t t = 0; t < 16; t++, p += 4)
        w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (size_t t = 16; t < 64; t++) {
        uint32_t s0 = rotate_right(w[t - 15], 7) ^ rotate_right(w[t - 15], 18) ^ (w[t - 15] >> 3);
        uint32_t s1 = rotate_right(w[t - 2], 17) ^ rotate_right(w[t - 2], 19) ^ (w[t - 2] >> 10);
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }

    uint32_t v[8];
    memcpy(v, h, sizeof v);
    for (size_t t = 0; t < 64; t++) {
        uint32_t s1 = rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1 = v[7] + s1 + choice + k[t] + w[t];
        uint32_t s0 = rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + s0 + majority;
    }
    for (size_t i = 0; i < 8; i++)
        h[i] += v[i];
}

static void begin_hash(struct sha256_state *s)
{
    *s = (struct sha256_state){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                     0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static void add_text(struct sha256_state *s, struct str text)
{
    s->total += text.n;
    if (s->part_n) {
        struct str head = str_head(text, BLOCK - s->part_n);
        if (head.n)
            memcpy(s->part + s->part_n, head.p, head.n);
        s->part_n += head.n;
        text = str_skip(text, head.n);
        if (s->part_n < BLOCK)
            return;
        add_block(s->h, s->part);
        s->part_n = 0;
    }
    for (; text.n >= BLOCK; text = str_skip(text, BLOCK))
        add_block(s->h, (const uint8_t *)text.p);
    if (text.n)
        memcpy(s->part, text.p, text.n);
    s->part_n = text.n;
}

static void finish_hash(struct sha256_state *s, uint8_t digest[SHA256_LEN])
{
    /* A one bit, zeros, and the length in bits, up to a full block. */
    uint8_t tail[BLOCK + 8] = {0x80};
    size_t zeros = (s->part_n < 56 ? 56 : BLOCK + 56) - s->part_n;
    uint64_t bits = s->total * 8;
    for (size_t i = 0; i < 8; i++)
        tail[zeros + i] = (uint8_t)(bits >> (56 - 8 * i));
    add_text(s, str_make((const char *)tail, zeros + 8));

    for (size_t i = 0; i < SHA256_LEN; i++)
        digest[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256(struct str text, uint8_t digest[SHA256_LEN])
{
    struct sha256_state s;
    begin_hash(&s);
    add_text(&s, text);
    finish_hash(&s, digest);
}

/* H((key ^ outer) + H((key ^ inner) + text)), RFC 2104. */
void sha256_hmac(struct str key, struct str text, uint8_t mac[SHA256_LEN])
{
    uint8_t pad[BLOCK] = {0}, inner[SHA256_LEN];
    if (key.n > BLOCK)
        sha256(key, pad);
    else if (key.n)
        memcpy(pad, key.p, key.n);

    struct sha256_state s;
    begin_hash(&s);
    for (size_t i = 0; i < BLOCK; i++)
        pad[i] ^= 0x36;
    add_text(&s, str_make((const char *)pad, BLOCK));
    add_text(&s, text);
    finish_hash(&s, inner);

    begin_hash(&s);
    for (size_t i = 0; i < BLOCK; i++)
        pad[i] ^= 0x36 ^ 0x5c;
    add_text(&s, str_make((const char *)pad, BLOCK));
    add_text(&s, str_make((const char *)inner, sizeof inner));
    finish_hash(&s, mac);
}

bool sha256_same(const uint8_t a[SHA256_LEN], const uint8_t b[SHA256_LEN])
{
    unsigned difference = 0;
    for (size_t i = 0; i < SHA256_LEN; i++)
        difference |= (unsigned)(a[i] ^ b[i]);
    return difference == 0;
}
