/* The choice of a candidate. Pure: the caller passes the clock, the random numbers and the facts.
 *
 *     struct select_fact facts[3] = {...};      // available? in cooldown? last used?
 *     struct select_choice c = select_choose(settings, facts, &(struct select_context){...});
 *     if (c.index == SELECT_NOBODY) ...         // facts[i].out has the reason of each
 *
 * First, a candidate is out if it is disabled (weight 0), was tried in this call, is unavailable,
 * is in cooldown, or is being probed. Second, a candidate whose cooldown has just ended is chosen,
 * once (the probe); but only if another may take over when it fails (fallback), else it takes part
 * like the others. Third, candidates near a limit are out if others are left. Then the strategy
 * decides:
 *
 *   weighted      at random, in proportion to the weights
 *   round_robin   the next one after the last chosen, in file order; those that are out are skipped
 *                 and lose only their turn, and the shares of the others stay equal
 *   priority      the first one
 *   least_recent  the one with the oldest use; those never used come first; then file order
 */
#pragma once

#include "base/rng.h"
#include "tooling/cooldown.h"
#include "tooling/tooling.h"

#define SELECT_NOBODY SIZE_MAX

enum select_out {
    SELECT_IN,
    SELECT_DISABLED,
    SELECT_TRIED,
    SELECT_UNAVAILABLE,
    SELECT_COOLDOWN,
    SELECT_PROBING,
    SELECT_NEAR, /* out because others are left; chosen if it is the only one left */
    SELECT_OUT_COUNT
};

struct select_fact {
    /* in */
    bool tried, unavailable;
    enum cooldown_state cooldown; /* the worst state of its keys */
    bool near;                    /* a limit is near */
    int64_t last_used;            /* unix ms; 0: never */
    /* out */
    enum select_out out;
};

struct select_context {
    struct rng *rng; /* weighted: each choice draws one number */
    size_t last;     /* round_robin: index of the last choice; SELECT_NOBODY: none yet */
};

struct select_choice {
    size_t index;
    bool is_probe;
    bool in_turn; /* round_robin: it is the new `last`; a probe does not change `last` */
    double draw;  /* weighted: the random number, 0..1; else -1 */
    double share; /* chance of the chosen one among those left; 1 without a choice; 0: nobody */
};

struct select_choice select_choose(const struct tooling_category *settings,
                                   struct select_fact *facts, const struct select_context *context);

/* Compute the chance of each candidate to be chosen next, after select_choose() has set
 * facts[i].out. A due probe is not counted: it happens once, and the shares hold after it. */
void select_shares(const struct tooling_category *settings, const struct select_fact *facts,
                   const struct select_context *context, double *shares);
const char *select_out_name(enum select_out out); /* "disabled", "resting", ... */
