#include "base/xxh64.h"

#define P1 0x9e3779b185ebca87u
#define P2 0xc2b2ae3d27d4eb4fu
#define P3 0x165667b19e3779f9u
#define P4 0x85ebca77c2b2ae63u
#define P5 0x27d4eb2f165667c5u

static uint64_t rotate_left(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

/* Little endian on every machine. */
static uint64_t load_word(const char *p, size_t n)
{
    uint64_t x = 0;
    while (n-- > 0)
        x = x << 8 | (unsigned char)p[n];
    return x;
}

static uint64_t mix_word(uint64_t lane, uint64_t input)
{
    return rotate_left(lane + input * P2, 31) * P1;
}

static uint64_t hash_stripes(struct str *s)
{
    uint64_t lanes[4] = {P1 + P2, P2, 0, 0 - P1};
    for (; s->n >= 32; *s = str_make(s->p + 32, s->n - 32))
        for (size_t i = 0; i < 4; i++)
            lanes[i] = mix_word(lanes[i], load_word(s->p + 8 * i, 8));
    uint64_t h = rotate_left(lanes[0], 1) + rotate_left(lanes[1], 7) + rotate_left(lanes[2], 12) +
                 rotate_left(lanes[3], 18);
    for (size_t i = 0; i < 4; i++)
        h = (h ^ mix_word(0, lanes[i])) * P1 + P4;
    return h;
}

uint64_t xxh64(struct str bytes)
{
    struct str s = bytes;
    uint64_t h = s.n >= 32 ? hash_stripes(&s) : P5;
    h += bytes.n;
    for (; s.n >= 8; s = str_make(s.p + 8, s.n - 8))
        h = rotate_left(h ^ mix_word(0, load_word(s.p, 8)), 27) * P1 + P4;
    if (s.n >= 4) {
        h = rotate_left(h ^ load_word(s.p, 4) * P1, 23) * P2 + P3;
        s = str_make(s.p + 4, s.n - 4);
    }
    for (; s.n > 0; s = str_make(s.p + 1, s.n - 1))
        h = rotate_left(h ^ load_word(s.p, 1) * P5, 11) * P1;
    h = (h ^ h >> 33) * P2;
    h = (h ^ h >> 29) * P3;
    return h ^ h >> 32;
}
