/* What all processes of a user remember together: rests, turns, last uses, warnings, decisions.
 *
 *     struct ledger *l = ledger_open(NULL, &err);            // ~/.multiverse/state.db
 *     struct ledger_ask ask = {.tooling = t, .category = STR("worker"), .now = now, .rng = &rng};
 *     struct decision *d = ledger_choose(l, &ask, &err);     // one transaction: look, choose, note
 *     if (d && d->index != SELECT_NOBODY) {
 *         ... run d->chosen ...
 *         ledger_report(l, d, &(struct ledger_result){&outcome, &warning, now}, &until, &err);
 *     }
 *     decision_free(d);
 *     ledger_close(l);
 *
 * A file, or a server for several machines (store.h). Every change is one transaction in which
 * nobody else writes, so that nothing is read, decided and overwritten by another in between; a
 * busy store is waited for (LEDGER_BUSY_MS), and one that is gone after it was open, too
 * (LEDGER_GONE_MS). A damaged file is moved aside (state.db.damaged-TIME) and a new one begun: what
 * is lost are rests, which limits bring back. Secrets are never in it: accounts are names.
 *
 * A candidate rests as long as one of its three keys does (cooldown.h); others may share them. Of a
 * rest that is due, the decision that takes it holds the probe alone, until it reports or
 * COOLDOWN_PROBE_MS are over. Success ends all rests of the candidate's keys; an outcome that rests
 * nobody only gives the probe back. A run that was chosen before a rest began, and reports later,
 * tells nothing new of it: its success does not end it, its failure is not one more in a row.
 *
 * Force mode: the forced candidate, no check, no rest, no fallback; it is recorded all the same.
 */
#pragma once

#include "tooling/decision.h"

#define LEDGER_BUSY_MS       10000
#define LEDGER_GONE_MS       45000
#define LEDGER_BRIEF_MS      1000
#define LEDGER_MAX_DECISIONS 5000 /* older ones go */

struct ledger;

/* url: store.h, "places"; NULL: ~/.multiverse/state.db. On a server all machines share it. */
struct ledger *ledger_open(const char *url, struct error *err);
/* For who cannot wait: a busy store is waited for LEDGER_BRIEF_MS, one that is gone not at all. */
struct ledger *ledger_open_brief(const char *url, struct error *err);
void ledger_close(struct ledger *l); /* NULL is fine */

/* Whether a candidate could run here: program found, key there. `why` one phrase if not. */
typedef bool ledger_available_fn(const struct candidate *c, char why[128], void *ctx);
/* The candidate as it would be called: its model and its env tell who would rest. What it answers
 * lives until ledger_choose() returns. */
typedef const struct candidate *ledger_as_called_fn(const struct candidate *c, void *ctx);

struct ledger_ask {
    struct tooling *tooling;
    struct str category; /* unknown: meta's settings */
    /* One of the tooling, whatever force mode says; NULL: the active one, and force mode holds. */
    const struct tooling_profile *profile;
    int64_t now; /* unix ms */
    struct rng *rng;
    ledger_available_fn *available; /* NULL: all are */
    ledger_as_called_fn *as_called; /* NULL: as it stands in the tooling */
    void *ctx;
    const bool *tried; /* by index; NULL: none was */
    bool dry;          /* choose, but note nothing (tooling select) */
    bool leaves_probe; /* a choice that nobody will report: it claims no probe */
    struct str run;    /* id of the run it is for; may be empty */
};

/* NULL and *err if the file cannot be used. That all are out is no failure: see index. */
struct decision *ledger_choose(struct ledger *l, const struct ledger_ask *ask, struct error *err);

/* The same in three steps, for a caller that must not wait:
 *
 *     struct ledger_choice *c = ledger_choose_new(&ask);     // calls back; touches no store
 *     bool ok = ledger_choose_run(c, l, &err);               // may wait; may be on another thread
 *     struct decision *d = ledger_choose_end(c);             // NULL if it failed; frees c
 *
 * What `ask` points to must live, and be left alone, until ledger_choose_run() has returned. */
struct ledger_choice;
struct ledger_choice *ledger_choose_new(const struct ledger_ask *ask);
bool ledger_choose_run(struct ledger_choice *c, struct ledger *l, struct error *err);
struct decision *ledger_choose_end(struct ledger_choice *c);

/* From now on wait as briefly as a ledger of ledger_open_brief(), also in a call that is waiting on
 * another thread. Any thread may call it. */
void ledger_shorten_waits(struct ledger *l);

/* How the run of a decision ended. */
struct ledger_result {
    const struct outcome *outcome;
    const struct outcome_warning *warning; /* NULL: none */
    int64_t now;                           /* unix ms */
};

/* Once for each decision that is not dry: its rest begins, its probe ends, the decision is
 * completed. *until (may be NULL): when the candidate is back; 0: it does not rest. */
bool ledger_report(struct ledger *l, struct decision *d, const struct ledger_result *result,
                   int64_t *until, struct error *err);

/* A run that is dead gives back the probes that it did not come to report, so that others may try
 * before COOLDOWN_PROBE_MS are over: how many. It waits for a store that is busy or gone for
 * LEDGER_BRIEF_MS only. url as for ledger_open(). */
bool ledger_give_back(const char *url, struct str run, size_t *count, struct error *err);

typedef void ledger_cooldown_fn(const struct cooldown *c, void *ctx);
bool ledger_cooldowns(struct ledger *l, ledger_cooldown_fn *each, void *ctx, struct error *err);
/* Those whose key starts with prefix ("" all): how many went. Limits that are near are forgotten,
 * too: nobody stands back any more. */
bool ledger_clear(struct ledger *l, struct str prefix, size_t *cleared, struct error *err);
/* The one with this key, and the near limits of an account whose key it is. */
bool ledger_clear_one(struct ledger *l, struct str key, size_t *cleared, struct error *err);

/* Where it is, for a thread (store_thread.h) on ledger_schema that hears of LEDGER_CHANNEL: word is
 * sent there when a rest, a probe or a limit changed, and when a decision was noted or completed.
 * */
#define LEDGER_CHANNEL "rests"
bool ledger_place(const char *url, struct buf *out, struct error *err);

struct ledger_want {
    const struct str *runs; /* ids: those that were made for them */
    size_t run_count;       /* 0: all */
    size_t most;
};

/* The newest first; or the one with this id, if it is still there. As JSON text, one object each
 * (decision_write). */
typedef void ledger_decision_fn(struct str json, void *ctx);
bool ledger_decisions(struct ledger *l, const struct ledger_want *want, ledger_decision_fn *each,
                      void *ctx, struct error *err);
bool ledger_decision(struct ledger *l, int64_t id, ledger_decision_fn *each, void *ctx,
                     struct error *err);
/* The same of a brief one that is opened for it. */
bool ledger_decisions_for(const char *url, const struct ledger_want *want, ledger_decision_fn *each,
                          void *ctx, struct error *err);
