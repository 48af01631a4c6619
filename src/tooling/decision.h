/* One choice of a candidate, with its reasons: the candidates that were considered, why each was
 * out, and the outcome.
 *
 *     if (d->index == SELECT_NOBODY) {
 *         decision_say_nobody(d, now, &text);   // each candidate with its reason
 *         ...
 *     }
 *     decision_write(d, &out);                  // the whole decision as one JSON object
 *     decision_free(d);
 *
 * ledger.h creates it. It owns its texts; the chosen candidate is in the tooling, of which it holds
 * a reference.
 */
#pragma once

#include "tooling/select.h"

struct decision_candidate {
    enum agent_kind tool;
    struct str model, account;
    double weight;
    enum select_out out;
    /* "in cooldown until 2026-11-16T03:00:00.000Z: rate_limited (429)"; "" if it is in */
    struct str why;
    int64_t back_at; /* unix ms; 0: not known, or it is in */
    /* The reason of its cooldown, also of one that has just ended; OUTCOME_OK: none. */
    enum outcome_class cooldown;
    /* Only if it was not forced: */
    double share; /* its chance to be chosen next (select_shares) */
    /* its longest cooldown, also if it is out for another reason; or NULL */
    const struct cooldown *row;
    enum cooldown_state state; /* of row */
};

struct decision {
    int64_t id; /* 0: of a dry run */
    int64_t at;
    struct str category, used, profile, run; /* used: the category whose settings hold */
    enum strategy strategy;
    bool forced, is_probe;
    size_t index; /* SELECT_NOBODY: all candidates are out */
    double draw, share;
    const struct candidate *chosen; /* in the tooling; or NULL */
    bool fallback;                  /* after a failure, another candidate may be tried */
    uint64_t cooldown_ms;
    struct decision_candidate *candidates;
    size_t count;
    int64_t back_at; /* if all are out: when the first one is back; 0: not known */
    bool has_outcome;
    struct outcome outcome; /* valid with has_outcome */
    int64_t reported_at;
    int64_t until; /* end of the cooldown that followed; 0: none */
    /* private */
    struct tooling *tooling;
    struct arena arena;
};

void decision_free(struct decision *d); /* d may be NULL */

/* Add "no candidate for worker: codex-cli gpt-5.2: in cooldown until ...; claude-code ...: not
 * found in PATH; the first is back at 12:30:00Z (in 4 min)". */
void decision_say_nobody(const struct decision *d, int64_t now, struct buf *out);

/* One line:
 *     {"id":7,"time":"2026-11-16T03:00:00.000Z","run":"r1","category":"plan","used":"meta",
 *      "profile":"balanced","strategy":"weighted","forced":false,"fallback":true,
 *      "candidates":[{"tool":"codex-cli","model":"gpt-5.2","account":"login","weight":40,
 *                     "out":"resting","why":"in cooldown until ...","back_at":"..."|null}, ...],
 *      "draw":0.83|null,"share":0.5,"probe":false,
 *      "choice":{"index":1,"tool":"claude-code","model":"...","account":"..."}|null,
 *      "tool":"claude-code"|null,"model":"..."|null,
 *      "back_at":"..."|null,
 *      "outcome":{"time":"...","class":"usage_limited","evidence":"...","message":"...",
 *                 "until":"..."|null}|null} */
void decision_write(const struct decision *d, struct buf *out);

/* What decision_explain() needs to know of a candidate. */
struct decision_facts {
    enum select_out out;
    enum cooldown_state state;       /* of the cooldown */
    const struct cooldown *cooldown; /* the longest one; NULL: none */
    const char *unavailable;         /* a phrase; may be empty */
    double near_used;                /* 0..1 */
    int64_t near_until;
    const char *near_window;
};

/* Set out, why and back_at; the text is in the arena. */
void decision_explain(struct decision_candidate *c, const struct decision_facts *f,
                      struct arena *a);
