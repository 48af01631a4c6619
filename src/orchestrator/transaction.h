/* One transaction of an orchestrator at the store: all it has to say and to ask, in one
 * transaction.
 *
 *     struct transaction t = {.owner = me, .lease_ms = 60000, .ends = ends, .slots = slots, ...};
 *     store_thread_run(thread, STORE_ROWS, transaction_work, on_transaction, &t);
 *     use(t.claims, t.holds, t.control, t.next_ms);
 *     transaction_done(&t);
 *
 * In this order: log pieces are added, ended attempts are ended (with what that frees or blocks),
 * leases of this owner are renewed, those of others that are over are taken away, waits that are
 * over end, and for the free slots the oldest READY tasks are claimed, unless all is paused.
 *
 * A transaction may be run again although it was committed (store.h): log pieces and ends that are
 * there already change nothing, and what was claimed without anybody hearing of it shows up in
 * `holds` as an attempt that the owner does not know: it may start it.
 *
 * Guarantee: an attempt is claimed by one owner, and nobody else claims the task before the attempt
 * was ended or its lease was over by the store's clock. An end that comes too late (the lease was
 * taken away) changes nothing and is told in `holds` by the attempt not being there.
 *
 * Who finds a lease that is over does not take it away yet: it is prolonged once, by one part in
 * TRANSACTION_GRACE. An owner that is alive renews it in that time, so a clock that was set
 * forward, or a store that was gone for longer than a lease, costs nobody what runs or has just
 * ended.
 */
#pragma once

#include "orchestrator/attempt_policy.h"
#include "orchestrator/tasks.h"

#define TRANSACTION_GRACE 4u /* owners renew more often: lease_ms / 6 */

struct transaction_log {
    int64_t task;
    uint32_t number;
    uint64_t seq;
    int64_t at;
    struct str text; /* valid UTF-8 without NUL */
};

struct transaction_end {
    int64_t task;
    uint32_t number;
    struct attempt_follow_up follow_up;
    struct str outcome, tool, model, run, files;
    int64_t exit_code;
    uint64_t input_tokens, output_tokens;
    double cost_usd;
};

struct transaction_slot {
    struct str pool; /* empty: of any pool */
    uint32_t free;
};

struct transaction_claim { /* texts in the transaction's arena */
    int64_t task;
    uint32_t number; /* of the attempt */
    struct str name, pool, repo, spec;
    uint32_t max_attempts;
    struct attempt_tries tries;
    /* The id for its run (run_id.h), told with the claim so that what it does can be found while it
     * runs. Empty where it was claimed in an earlier transaction: it takes a new one. */
    struct str run;
};

struct transaction_hold { /* an attempt that this owner has, after the transaction */
    int64_t task;
    uint32_t number;
    bool cancel;
};

struct transaction {
    /* in */
    struct str owner, host;
    int64_t pid;
    uint32_t workers; /* of this orchestrator, for people */
    uint64_t lease_ms;
    bool renews; /* leases are renewed, and holds is filled */
    bool leaves; /* the last transaction: the owner's row goes */
    const struct transaction_log *logs;
    size_t log_count;
    const struct transaction_end *ends;
    size_t end_count;
    const struct transaction_slot *slots;
    size_t slot_count;
    uint32_t max_lost; /* 0: ATTEMPT_POLICY_MAX_LOST */
    /* out */
    struct arena arena;
    struct transaction_claim *claims;
    size_t claim_count;
    struct transaction_hold *holds;
    size_t hold_count;
    struct tasks_control control;
    /* Where slots stayed free: nothing is left that could run, ever, without a person; and whether
     * anything is FAILED or BLOCKED. */
    bool is_idle, has_failed;
    uint64_t next_ms; /* from now until a wait or a lease of another ends; 0: none does */
};

bool transaction_work(struct store *s, void *transaction, struct error *err); /* a store_fn */
void transaction_done(struct transaction *t);

/* The claim of an attempt that is in `holds`, behind transaction_work() in the same work: texts in
 * the transaction's arena. out->task 0: it is not this owner's running one. */
bool transaction_claim_of(struct store *s, struct transaction *t,
                          const struct transaction_hold *hold, struct transaction_claim *out,
                          struct error *err);
