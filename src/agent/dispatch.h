/* A piece of work for a category: a candidate is chosen, tried, and if it is limited, the next one.
 *
 *     struct dispatch_options o = {.ledger = l, .tooling = t, .category = STR("worker"), ...};
 *     dispatch_start(loop, &o);                 // on_end once: done, or who was tried and why not
 *
 * Each candidate is tried at most once in a call. Outcomes that must not fall back (request,
 * budget, killed) end it, so does any failure in force mode or where the category's fallback is
 * off. Nothing left, or nobody to begin with: DISPATCH_NOBODY, with the sentence that lists each
 * candidate, its reason and when the first is back; if nobody could begin, nothing ran.
 *
 * The ledger hears of each attempt exactly once, also when it was stopped: a probe is given back.
 *
 * Before a second try the owner is asked for the prompt again (`prompt`), so that a worker that had
 * changed files before it hit its limit leaves word for the next (changes.h).
 */
#pragma once

#include "agent/attempt.h"
#include "tooling/ledger.h"

enum dispatch_end_kind {
    DISPATCH_DONE,   /* the last attempt was ok */
    DISPATCH_FAILED, /* an outcome that does not fall back, or no ledger to ask */
    DISPATCH_NOBODY, /* no candidate is left */
    DISPATCH_STOPPED /* dispatch_stop() */
};

struct dispatch_try { /* what on_try is told before each attempt */
    const struct decision *decision;
    const struct candidate *candidate; /* as it is called: merged */
    unsigned number;                   /* from 1 */
};

struct dispatch_end {
    enum dispatch_end_kind kind;
    const struct report *report;     /* of the last attempt; NULL: none ran */
    const struct decision *decision; /* the last one */
    unsigned tries;
    struct str why; /* one sentence if it is not done */
};

struct dispatch;

struct dispatch_options {
    struct ledger *ledger;
    struct tooling *tooling;
    struct str category;
    struct rng *rng;
    struct provider_call call; /* the candidate is filled in */
    /* The candidate as it will be called: overrides merged into a copy in the arena (runner). NULL:
     * as it stands in the tooling. */
    const struct candidate *(*merge)(const struct candidate *chosen, struct arena *a, void *ctx);
    /* The prompt for try `number`; views live until the attempt ended. NULL: call.prompt. */
    struct str (*prompt)(unsigned number, const struct report *last, void *ctx);
    struct str run;   /* id of the run, for the decisions */
    const char *name; /* of transcripts: "03-worker"; "-claude-code" is added, then "-2" ... */
    uint64_t limit_ms;
    struct sandbox sandbox;
    struct secrets *secrets;
    void (*on_try)(const struct dispatch_try *t, void *ctx); /* this and the next: may be NULL */
    report_step_fn *on_step;
    void (*on_outcome)(const struct decision *d, const struct report *r, int64_t until, void *ctx);
    void (*on_warn)(struct str text, void *ctx); /* the ledger could not take an outcome */
    void (*on_end)(struct dispatch *d, const struct dispatch_end *end, void *ctx);
    void *ctx;
};

/* Nothing calls back inside it; freed when on_end returns. */
struct dispatch *dispatch_start(struct loop *loop, const struct dispatch_options *options);
void dispatch_stop(struct dispatch *d); /* on_end still comes, later; more than once is fine */
