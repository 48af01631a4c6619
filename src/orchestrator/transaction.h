/* One transaction of an orchestrator with the store: everything it has to report and to request.
 *
 *     struct transaction t = {.owner = me, .lease_ms = 60000, .ends = ends, .end_count = 1};
 *     store_thread_run(thread, STORE_ROWS, transaction_work, on_transaction, &t);
 *     use(t.claims, t.holds, t.control, t.next_ms);
 *     transaction_done(&t);
 *
 * In this order: add log pieces, end attempts (which frees or blocks dependents), renew the leases
 * of this owner, take over attempts whose lease has expired, end waits that are due, and claim the
 * oldest READY tasks for the free slots, unless everything is paused.
 *
 * A transaction may run twice although it was committed (store.h). Log pieces and ends that are
 * stored already change nothing. A claim whose answer was lost appears in `holds` as an attempt
 * that the owner does not know; the owner may start it.
 *
 * Guarantee: one owner claims an attempt, and nobody else claims the task before the attempt has
 * ended or its lease has expired by the clock of the store. An end that arrives after that changes
 * nothing; the attempt is missing in `holds`.
 *
 * An expired lease is first extended once, by lease_ms / TRANSACTION_GRACE. A live owner renews it
 * in that time. So a clock that was set forward, or a store that was down for longer than a lease,
 * takes nothing away from a live owner.
 */
#pragma once

#include "orchestrator/attempt_policy.h"
#include "orchestrator/tasks.h"

#define TRANSACTION_GRACE 4u /* owners renew every lease_ms / 6 */

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
    struct str pool; /* empty: any pool */
    uint32_t free;
};

struct transaction_claim { /* texts are in the transaction's arena */
    int64_t task;
    uint32_t number; /* of the attempt */
    struct str name, pool, repo, spec;
    uint32_t max_attempts;
    struct attempt_tries tries;
    /* The id of its run (run_id.h), published with the claim so that people can find the run while
     * it lasts. Empty if an earlier transaction claimed the task: the executor makes a new id. */
    struct str run;
};

struct transaction_hold { /* an attempt that this owner holds after the transaction */
    int64_t task;
    uint32_t number;
    bool cancel;
};

struct transaction {
    /* in */
    struct str owner, host;
    int64_t pid;
    uint32_t workers; /* shown to people */
    uint64_t lease_ms;
    bool renews; /* renew leases and fill `holds` */
    bool leaves; /* the last transaction: remove the owner's row */
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
    /* Set if slots stayed free. is_idle: nothing is left that could run without a person;
     * has_failed: a task is FAILED or BLOCKED. */
    bool is_idle, has_failed;
    uint64_t next_ms; /* until a wait or a lease of another owner ends; 0: there is none */
};

bool transaction_work(struct store *s, void *transaction, struct error *err); /* a store_fn */
void transaction_done(struct transaction *t);

/* Read the claim of an attempt in `holds`. Call it after transaction_work() in the same work; the
 * texts are in the transaction's arena. out->task is 0 if this owner does not run the attempt. */
bool transaction_claim_of(struct store *s, struct transaction *t,
                          const struct transaction_hold *hold, struct transaction_claim *out,
                          struct error *err);
