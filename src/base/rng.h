/* Reproducible random numbers: the same seed gives the same numbers, so that weighted choices can
 * be tested. Not for secrets (see id.h).      xoshiro256**, seeded through splitmix64. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* 0..n-1, no bias; n > 0 */
double rng_unit(struct rng *r);                /* 0 <= x < 1 */

/* Return an index chosen by weight (negative counts as 0), or n if all weights are 0. */
size_t rng_weighted(struct rng *r, const double *weights, size_t n);
