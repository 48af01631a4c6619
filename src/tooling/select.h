/* The choice of a candidate: pure; clock, chance and what is known of each come from outside.
 *
 *     struct select_fact facts[n] = {...};      // available? resting? last used?
 *     struct select_choice c = select_choose(settings, facts, &(struct select_context){...});
 *     if (c.index == SELECT_NOBODY) ...         // facts[i].out says why, for each
 *
 * Order of things: a candidate is out if it is disabled (weight 0), was tried already in this call,
 * is unavailable, rests, or is being probed. Of those left, one whose rest just ended is taken
 * first, once (the probe): only where another may take over if it fails (fallback), else it takes
 * part as any other. Then candidates whose limit is near stand back if others are left. Then the
 * strategy:
 *
 *   weighted      by chance, in proportion to the weights
 *   round_robin   the next one after the last chosen in the order of the file; those that are out
 *                 are passed over and lose nothing but their turn, the others' shares stay equal
 *   priority      the first
 *   least_recent  the one whose last use is longest ago; never used before all; then file order
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
    SELECT_NEAR, /* stood back for others; taken if it is the only one left */
    SELECT_OUT_COUNT
};

struct select_fact {
    /* in */
    bool tried, unavailable;
    enum cooldown_state cooldown; /* the worst of its keys */
    bool near;                    /* a limit is near */
    int64_t last_used;            /* unix ms; 0: never */
    /* out */
    enum select_out out;
};

struct select_context {
    struct rng *rng; /* weighted: one number is drawn for each choice */
    size_t last;     /* round_robin: index of the last one in turn; SELECT_NOBODY: none yet */
};

struct select_choice {
    size_t index;
    bool is_probe;
    bool in_turn; /* round_robin: it is the new `last`; a probe is out of turn and takes nobody's */
    double draw;  /* weighted: the number that was drawn, 0..1; else -1 */
    double share; /* of the chosen one: by weight or turn among those left; 1 where there was no
                     other way; 0: nobody */
};

struct select_choice select_choose(const struct tooling_category *settings,
                                   struct select_fact *facts, const struct select_context *context);

/* The chance of each to be taken next, once select_choose() has said who is out: shares[i] of
 * settings->count. A probe that is due does not count: it is taken once, the shares hold after it.
 */
void select_shares(const struct tooling_category *settings, const struct select_fact *facts,
                   const struct select_context *context, double *shares);
const char *select_out_name(enum select_out out); /* "disabled", "resting", ... */
