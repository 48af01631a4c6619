/* The shared memory of all processes of a user: cooldowns, turns, last uses, warnings, decisions.
 *
 *     struct ledger *l = ledger_open(NULL, &err);            // ~/.multiverse/state.db
 *     struct ledger_ask ask = {.tooling = t, .category = STR("worker"), .now = now, .rng = &rng};
 *     struct decision *d = ledger_choose(l, &ask, &err);     // one transaction
 *     if (d && d->index != SELECT_NOBODY) {
 *         use(d->chosen);
 *         ledger_report(l, d, &(struct ledger_result){&outcome, &warning, now}, &until, &err);
 *     }
 *     decision_free(d);
 *     ledger_close(l);
 *
 * It is a file, or a server for several machines (store.h). Every change is one transaction without
 * other writers, so no process overwrites what another one has just decided. Wait LEDGER_BUSY_MS
 * for a busy store, and LEDGER_GONE_MS for one that becomes unavailable after it was opened. A
 * damaged file is moved aside (state.db.damaged-TIME) and replaced by a new one: only cooldowns are
 * lost, which limits cause again. It contains no secrets: accounts are names.
 *
 * A candidate is in cooldown as long as one of its three keys is (cooldown.h); other candidates may
 * share a key. When a cooldown is due, the decision that chooses the candidate holds the probe
 * alone, until it reports or COOLDOWN_PROBE_MS are over. Success removes the cooldowns of all three
 * keys; an outcome without a cooldown only gives the probe back. A run that was chosen before a
 * cooldown began knows nothing of it: its success does not remove the cooldown, its failure does
 * not count again.
 *
 * Force mode: the forced candidate without checks, cooldowns and fallback; it is recorded all the
 * same.
 */
#pragma once

#include "tooling/decision.h"

#define LEDGER_BUSY_MS       10000
#define LEDGER_GONE_MS       45000
#define LEDGER_BRIEF_MS      1000
#define LEDGER_MAX_DECISIONS 5000 /* older ones are deleted */

struct ledger;

/* url: see store_place(); NULL: ~/.multiverse/state.db. On a server all machines share it. */
struct ledger *ledger_open(const char *url, struct error *err);
/* For callers that cannot wait: wait LEDGER_BRIEF_MS for a busy store, and not at all for an
 * unavailable one. */
struct ledger *ledger_open_brief(const char *url, struct error *err);
void ledger_close(struct ledger *l); /* l may be NULL */

/* Can the candidate run here (program found, key set)? If not, `why` gets one phrase. */
typedef bool ledger_available_fn(const struct candidate *c, char why[128], void *ctx);
/* The candidate as it will be called: its model and env give the keys of its cooldowns. The result
 * must live until ledger_choose() returns. */
typedef const struct candidate *ledger_as_called_fn(const struct candidate *c, void *ctx);

struct ledger_ask {
    struct tooling *tooling;
    struct str category; /* unknown: meta's settings */
    /* A profile of the tooling, which overrides force mode; NULL: the active one, with force
     * mode. */
    const struct tooling_profile *profile;
    int64_t now; /* unix ms */
    struct rng *rng;
    ledger_available_fn *available; /* NULL: all are available */
    ledger_as_called_fn *as_called; /* NULL: as in the tooling */
    void *ctx;
    const bool *tried; /* by index; NULL: none */
    bool dry;          /* choose, but record nothing (tooling select) */
    bool leaves_probe; /* no report will follow: claim no probe */
    struct str run;    /* id of the run; may be empty */
};

/* Return NULL and set *err if the store cannot be used. That all candidates are out is no failure:
 * see index. */
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

/* The outcome of the attempt that a decision started. */
struct ledger_result {
    const struct outcome *outcome;
    const struct outcome_warning *warning; /* NULL: none */
    int64_t now;                           /* unix ms */
};

/* Report the outcome, once for each decision that is not dry: start the cooldown, end the probe,
 * complete the decision. *until (may be NULL): when the candidate is back; 0: no cooldown. */
bool ledger_report(struct ledger *l, struct decision *d, const struct ledger_result *result,
                   int64_t *until, struct error *err);

/* Give back the probes of a dead run, so that others may try before COOLDOWN_PROBE_MS are over;
 * *count: their number. Waits at most LEDGER_BRIEF_MS for the store. url as for ledger_open(). */
bool ledger_give_back(const char *url, struct str run, size_t *count, struct error *err);

typedef void ledger_cooldown_fn(const struct cooldown *c, void *ctx);
bool ledger_cooldowns(struct ledger *l, ledger_cooldown_fn *each, void *ctx, struct error *err);
/* End the cooldowns whose key starts with prefix ("": all); *cleared: their number. Warnings of
 * near limits are deleted, too. */
bool ledger_clear(struct ledger *l, struct str prefix, size_t *cleared, struct error *err);
/* End the cooldown with this key, and delete the near limits if it is the key of an account. */
bool ledger_clear_one(struct ledger *l, struct str key, size_t *cleared, struct error *err);

/* The place of the store, for a store_thread.h on ledger_schema that listens to LEDGER_CHANNEL. It
 * is notified when a cooldown, a probe or a limit changed, and when a decision was added or
 * completed. */
#define LEDGER_CHANNEL "rests"
bool ledger_place(const char *url, struct buf *out, struct error *err);

struct ledger_want {
    const struct str *runs; /* ids: only decisions for these runs */
    size_t run_count;       /* 0: all */
    size_t most;
};

/* List decisions, the newest first, or get the one with this id if it still exists: as JSON text,
 * one object each (decision_write). */
typedef void ledger_decision_fn(struct str json, void *ctx);
bool ledger_decisions(struct ledger *l, const struct ledger_want *want, ledger_decision_fn *each,
                      void *ctx, struct error *err);
bool ledger_decision(struct ledger *l, int64_t id, ledger_decision_fn *each, void *ctx,
                     struct error *err);
/* The same with a brief ledger that is opened for it. */
bool ledger_decisions_for(const char *url, const struct ledger_want *want, ledger_decision_fn *each,
                          void *ctx, struct error *err);
