/* One choice of a candidate, and why: what was looked at, who was out, how the run ended.
 *
 *     if (d->index == SELECT_NOBODY) {
 *         decision_say_nobody(d, now, &text);   // each candidate with its reason
 *         ...
 *     }
 *     decision_write(d, &out);                  // all of it as one JSON object
 *     decision_free(d);
 *
 * Made by ledger.h. Its texts are in its own memory; the chosen candidate is in the tooling, of
 * which it holds a reference.
 */
#pragma once

#include "tooling/select.h"

struct decision_candidate {
    enum agent_kind tool;
    struct str model, account;
    double weight;
    enum select_out out;
    struct str why;  /* "resting until 2026-11-16T03:00:00.000Z: rate_limited (429)"; "" if in */
    int64_t back_at; /* unix ms; 0: not known, or in */
    /* What it rests for, or did until a moment ago; OUTCOME_OK: it has no rest. */
    enum outcome_class cooldown;
    /* Of one that was not forced: */
    double share;               /* its chance to be taken next (select_shares) */
    const struct cooldown *row; /* its rest that holds longest, be it out for that or not; NULL */
    enum cooldown_state state;  /* of row */
};

struct decision {
    int64_t id; /* 0: a dry one */
    int64_t at;
    struct str category, used, profile, run; /* used: the category whose settings hold */
    enum strategy strategy;
    bool forced, is_probe;
    size_t index; /* SELECT_NOBODY: all are out */
    double draw, share;
    const struct candidate *chosen; /* in the tooling, of which a reference is held; or NULL */
    bool fallback;                  /* may go on with another */
    uint64_t cooldown_ms;
    struct decision_candidate *candidates;
    size_t count;
    int64_t back_at; /* all are out: when the first is back; 0: not known */
    bool has_outcome;
    struct outcome outcome; /* once it was reported */
    int64_t reported_at;
    int64_t until; /* when the candidate is back after it; 0: it does not rest */
    /* private */
    struct tooling *tooling;
    struct arena arena;
};

void decision_free(struct decision *d); /* NULL is fine */

/* "no candidate for worker: codex-cli gpt-5.2: resting until ...; claude-code ...: not found in
 * PATH; the first is back at 12:30:00Z (in 4 min)". */
void decision_say_nobody(const struct decision *d, int64_t now, struct buf *out);

/* One line:
 *     {"id":7,"time":"2026-11-16T03:00:00.000Z","run":"r1","category":"plan","used":"meta",
 *      "profile":"balanced","strategy":"weighted","forced":false,"fallback":true,
 *      "candidates":[{"tool":"codex-cli","model":"gpt-5.2","account":"login","weight":40,
 *                     "out":"resting","why":"resting until ...","back_at":"..."|null}, ...],
 *      "draw":0.83|null,"share":0.5,"probe":false,
 *      "choice":{"index":1,"tool":"claude-code","model":"...","account":"..."}|null,
 *      "tool":"claude-code"|null,"model":"..."|null,
 *      "back_at":"..."|null,
 *      "outcome":{"time":"...","class":"usage_limited","evidence":"...","message":"...",
 *                 "until":"..."|null}|null} */
void decision_write(const struct decision *d, struct buf *out);

/* What is known of a candidate beside its verdict. */
struct decision_facts {
    enum select_out out;
    enum cooldown_state state;       /* of rest */
    const struct cooldown *cooldown; /* the one that holds longest; NULL: none */
    const char *unavailable;         /* a phrase; may be empty */
    double near_used;                /* 0..1 */
    int64_t near_until;
    const char *near_window;
};

/* Sets out, why and back_at; the text is in the arena. */
void decision_explain(struct decision_candidate *c, const struct decision_facts *f,
                      struct arena *a);
