/* Many choices at once: what the settings of a category come to, against what they say.
 *
 *     struct simulate s = {.settings = c, .draws = 10000};
 *     simulate_run(&s, &rng);
 *     s.counts[i], s.shares[i]                  // how often it was taken, and how often it should be
 *
 * Nothing is noted anywhere. Turns begin at the first candidate, and nobody was used before.
 */
#pragma once

#include "tooling/select.h"

#define SIMULATE_FIRST 32u

struct simulate {
    const struct tooling_category *settings;
    uint64_t draws;
    const enum select_out *outs; /* who is out, as a decision told it; NULL: who is disabled */
    /* afterwards */
    uint64_t counts[TOOLING_MAX_CANDIDATES];
    double shares[TOOLING_MAX_CANDIDATES]; /* to be expected of many draws */
    uint64_t nobody;                       /* draws for which all were out */
    uint8_t first[SIMULATE_FIRST];         /* indices of the first draws */
    double chi;                            /* chi-squared of counts against shares */
    size_t freedom;                        /* its degrees of freedom */
};

void simulate_run(struct simulate *s, struct rng *rng);
