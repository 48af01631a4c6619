/* One piece of work for a category of agents: choose a candidate, try it, and if it is limited, try
 * the next one.
 *
 *     struct dispatch_options o = {.ledger = l, .tooling = t, .category = STR("worker"),
 *                                  .rng = &rng, .call = call, .name = "01-worker",
 *                                  .on_end = on_end, .ctx = me};
 *     struct dispatch *d = dispatch_start(loop, &o);  // on_end follows, once
 *     dispatch_stop(d);                               // Ctrl-C
 *
 *   choose (ledger) -> DISPATCH_TRY -> the attempt: DISPATCH_STEP ... -> report (ledger)
 *      ^                                                                     |
 *      +------------ limited, and another one may be tried <-- DISPATCH_OUTCOME --> on_end
 *
 * Each candidate is tried at most once. An outcome that must not fall back (request, budget,
 * killed) ends it, and so does any failure in force mode or if the category's fallback is off. If
 * no candidate is left, or none was available at the start, the end is DISPATCH_NOBODY with a
 * sentence that lists each candidate, its reason, and when the first one is available again.
 *
 * The ledger is used on a thread of the loop's pool, so that a busy or unreachable store holds up
 * neither signals nor the output of children. Every chosen candidate is reported to it exactly
 * once, also after dispatch_stop(), so that a probe is released; but then it waits for the store
 * only for LEDGER_BRIEF_MS.
 */
#pragma once

#include "agent/attempt.h"
#include "agent/worker_merge.h"
#include "tooling/ledger.h"

enum dispatch_event_kind {
    DISPATCH_TRY,     /* a candidate was chosen; text: overrides that were left out, or "" */
    DISPATCH_STEP,    /* the agent did something: report, step */
    DISPATCH_OUTCOME, /* the attempt ended: report, until */
    DISPATCH_WARNING  /* text: the ledger could not store an outcome */
};

struct dispatch_event {
    enum dispatch_event_kind kind;
    unsigned number; /* of the try, from 1 */
    const struct decision *decision;
    const struct candidate *candidate; /* as it is called: overrides are merged */
    const struct output *output;
    const struct output_step *step;
    int64_t until; /* end of the candidate's cooldown in unix ms; 0: none */
    struct str text;
};

enum dispatch_end_kind {
    DISPATCH_DONE,   /* the last attempt was ok */
    DISPATCH_FAILED, /* an outcome that does not fall back, or the ledger could not be read */
    DISPATCH_NOBODY, /* no candidate is left */
    DISPATCH_STOPPED /* dispatch_stop() */
};

struct dispatch_end {
    enum dispatch_end_kind kind;
    const struct output *output;     /* of the last attempt that ended; NULL: none ran */
    const struct decision *decision; /* the last one */
    unsigned tries;
    struct str why; /* one sentence, unless it is done */
};

struct dispatch;

typedef void dispatch_event_fn(const struct dispatch_event *e, void *ctx);
/* Return the prompt for try `number`; it lives until the attempt has ended. `last` is the report of
 * the try before, or NULL. */
typedef struct str dispatch_prompt_fn(unsigned number, const struct output *last, void *ctx);
typedef void dispatch_end_fn(struct dispatch *d, const struct dispatch_end *end, void *ctx);

struct dispatch_options {
    struct ledger *ledger; /* must not be used by another until on_end */
    struct tooling *tooling;
    struct str category;
    struct rng *rng;
    struct provider_call call;                /* the candidate is filled in */
    const struct worker_overrides *overrides; /* NULL: none */
    struct str run;                           /* id of the run, for the decisions */
    const char *name; /* of transcripts: "03-worker"; "-claude-code" is added, then "-2" ... */
    uint64_t limit_ms;
    struct sandbox sandbox;
    struct secrets *secrets;
    dispatch_prompt_fn *prompt;  /* NULL: call.prompt */
    dispatch_event_fn *on_event; /* NULL: no events */
    dispatch_end_fn *on_end;     /* the dispatch is freed when it returns */
    void *ctx;
};

/* Nothing calls back inside it. */
struct dispatch *dispatch_start(struct loop *loop, const struct dispatch_options *options);
void dispatch_stop(struct dispatch *d); /* a second call kills at once */
