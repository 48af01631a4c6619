/* What all processes of a user remember together: rests, turns, last uses, warnings, decisions.
 *
 *     struct ledger *l = ledger_open(NULL, &err);            // ~/.multiverse/state.db
 *     struct ledger_ask ask = {.tooling = t, .category = STR("worker"), .now = now, .rng = &rng};
 *     struct decision *d = ledger_choose(l, &ask, &err);     // one transaction: look, choose, note
 *     if (d && d->index != SELECT_NOBODY) {
 *         ... run it ...
 *         ledger_report(l, d, &outcome, &warning, now, &err);
 *     }
 *     decision_free(d);
 *     ledger_close(l);
 *
 * SQLite in WAL mode. Every change is one transaction that takes the write lock at its start, so
 * that nothing is read, decided and overwritten by another in between; a busy file is waited for
 * (LEDGER_BUSY_MS). A damaged file is moved aside (state.db.damaged-TIME) and a new one begun: what
 * is lost are rests, which limits bring back. Secrets are never in it: accounts are names.
 *
 * Force mode: the forced candidate, no check, no rest, no fallback; it is recorded all the same.
 */
#pragma once

#include "tooling/select.h"

#define LEDGER_BUSY_MS       10000
#define LEDGER_MAX_DECISIONS 5000 /* older ones go */

struct ledger;

struct ledger *ledger_open(const char *path, struct error *err);
void ledger_close(struct ledger *l); /* NULL is fine */

/* Whether a candidate could run here: program found, key there. `why` one phrase if not. */
typedef bool ledger_available_fn(const struct candidate *c, char why[128], void *ctx);

struct ledger_ask {
    struct tooling *tooling;
    struct str category; /* unknown: meta's settings */
    int64_t now;         /* unix ms */
    struct rng *rng;
    ledger_available_fn *available; /* NULL: all are */
    void *ctx;
    const bool *tried; /* by index; NULL: none was */
    bool dry;          /* choose, but note nothing (tooling select) */
    struct str run;    /* id of the run it is for; may be empty */
};

struct decision_candidate {
    enum tool_kind tool;
    struct str model, account;
    double weight;
    enum select_out out;
    struct str why;  /* "resting until 2026-11-16T03:00:00.000Z: rate_limited (429)"; "" if in */
    int64_t back_at; /* unix ms; 0: not known, or in */
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
    /* private */
    struct tooling *tooling;
    struct arena arena;
};

struct decision *ledger_choose(struct ledger *l, const struct ledger_ask *ask, struct error *err);
/* The outcome of d: its rest begins, its probe ends, the decision is completed. warning may be
 * NULL. *until: when the candidate is back; 0: it does not rest. */
bool ledger_report(struct ledger *l, struct decision *d, const struct outcome *o,
                   const struct outcome_warning *warning, int64_t now, int64_t *until,
                   struct error *err);
void decision_free(struct decision *d); /* NULL is fine */

/* "no candidate for worker: codex-cli gpt-5.2: resting until ...; claude-code ...: not found in
 * PATH; the first is back at 12:30:00 (in 4 min)". */
void decision_say_nobody(const struct decision *d, int64_t now, struct buf *out);

typedef void ledger_cooldown_fn(const struct cooldown *c, void *ctx);
bool ledger_cooldowns(struct ledger *l, ledger_cooldown_fn *each, void *ctx, struct error *err);
/* Those whose key starts with prefix ("" all): how many went. */
bool ledger_clear(struct ledger *l, struct str prefix, size_t *cleared, struct error *err);

/* The newest first, at most `most`; or the one with this id. As JSON text, one object each. */
typedef void ledger_decision_fn(struct str json, void *ctx);
bool ledger_decisions(struct ledger *l, int64_t id, size_t most, ledger_decision_fn *each,
                      void *ctx, struct error *err);
