/* What the failure of a run means for another run of the task: is a candidate left that could do
 * it, and when is the next one available? Pure.
 *
 *     struct run_outcome o = run_outcome_of_dispatch(end, cooldown_until, rfc3339_now());
 *
 * The members are those of run_result.h.
 */
#pragma once

#include "agent/dispatch.h"

struct run_outcome {
    const char *name; /* an outcome's name, RUN_RESULT_STORE or RUN_RESULT_UNMET */
    bool nobody;      /* no candidate is left, and a run now would find none */
    int64_t until;    /* unix ms: when the first is available again; 0: not known */
};

/* For a run that ends because this dispatch ended. cooldown_until: of the candidate of the last
 * attempt; 0: it has no cooldown. */
struct run_outcome run_outcome_of_dispatch(const struct dispatch_end *end, int64_t cooldown_until,
                                           int64_t now);
