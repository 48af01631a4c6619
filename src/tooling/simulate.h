/* Many choices at once: how often each candidate of a category is chosen, and how often it should
 * be.
 *
 *     struct simulate s = {.settings = c, .draws = 10000};
 *     simulate_run(&s, &rng);
 *     use(s.counts[0], s.shares[0]);            // actual and expected
 *
 * Nothing is recorded. Turns begin at the first candidate, and no candidate was used before.
 */
#pragma once

#include "tooling/select.h"

#define SIMULATE_FIRST 32u

struct simulate {
    const struct tooling_category *settings;
    uint64_t draws;
    const enum select_out *outs; /* which are out, as a decision says; NULL: the disabled ones */
    /* results */
    uint64_t counts[TOOLING_MAX_CANDIDATES];
    double shares[TOOLING_MAX_CANDIDATES]; /* expected of many draws */
    uint64_t nobody;                       /* draws with all candidates out */
    uint8_t first[SIMULATE_FIRST];         /* indices of the first draws */
    double chi;                            /* chi-squared of counts against shares */
    size_t freedom;                        /* its degrees of freedom */
};

void simulate_run(struct simulate *s, struct rng *rng);
