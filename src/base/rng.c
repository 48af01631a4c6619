#include "base/rng.h"

#include <assert.h>
#include <float.h>

static uint64_t rotate_left(uint64_t x, unsigned n)
{
    return (x << n) | (x >> (64 - n));
}

void rng_seed(struct rng *r, uint64_t seed)
{
    for (size_t i = 0; i < 4; i++) { /* splitmix64: never four zeros */
        uint64_t z = seed += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        r->s[i] = z ^ (z >> 31);
    }
}

uint64_t rng_next(struct rng *r)
{
    uint64_t *s = r->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    assert(n > 0);
    /* Redraw the lowest 2^64 mod n numbers: the count of the others is a multiple of n. */
    uint64_t low = (0 - n) % n, x;
    do
        x = rng_next(r);
    while (x < low);
    return x % n;
}

double rng_unit(struct rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Return a weight relative to the largest, so that no sum overflows. */
static double scale_weight(double weight, double largest)
{
    if (!(weight > 0))
        return 0;
    return (weight < DBL_MAX ? weight : DBL_MAX) / largest;
}

size_t rng_weighted(struct rng *r, const double *weights, size_t n)
{
    double largest = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        if (weights[i] > largest)
            largest = weights[i] < DBL_MAX ? weights[i] : DBL_MAX;
    if (!(largest > 0))
        return n;
    for (size_t i = 0; i < n; i++)
        sum += scale_weight(weights[i], largest);

    double at = rng_unit(r) * sum;
    size_t last = n;
    for (size_t i = 0; i < n; i++) {
        double s = scale_weight(weights[i], largest);
        if (!(s > 0))
            continue;
        if (at < s)
            return i;
        at -= s;
        last = i; /* rounding may leave a remainder: it belongs to the last one */
    }
    return last;
}
