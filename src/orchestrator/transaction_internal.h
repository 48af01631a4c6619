/* The state of one transaction while it runs, shared by transaction.c and transaction_end.c.
 *
 * An ending is an attempt that ends in this transaction: the owner reports it, or it belongs to
 * another owner whose lease has expired. transaction_end_apply() writes both, so a task leaves
 * RUNNING in one place only.
 */
#pragma once

#include "orchestrator/tasks_internal.h"
#include "orchestrator/transaction.h"

struct transaction_ending {
    int64_t task;
    uint32_t number;
    const struct transaction_end *report; /* NULL: its lease expired */
    struct str owner, host;               /* of the attempt */
    int64_t started;
    bool has_dependents;
    struct attempt_follow_up follow_up;
};

struct transaction_job {
    struct store *s;
    struct transaction *t;
    struct error *err;
    struct transaction_ending *endings; /* in the transaction's arena */
    size_t ending_count;
    uint32_t *left;                  /* of each slot; in the transaction's arena */
    struct transaction_hold *before; /* claimed by an earlier run of this transaction */
    size_t before_count;
    struct tasks_id_list ready; /* tasks that became READY in this transaction */
    struct tasks_feed feed;
    bool has_ready;               /* a READY task could not be claimed although a slot is free */
    bool is_last;                 /* nothing is READY or waits: at most running tasks are left */
    int64_t now;                  /* by the store's clock */
    int64_t own_lease;            /* until; 0: none */
    int64_t next_due, next_lease; /* unix ms; 0: none */
};

void transaction_end_add(struct transaction_job *j, const struct transaction_ending *e);
/* Make endings of the attempts of owners whose lease has expired. */
bool transaction_end_collect(struct transaction_job *j);
/* Write the rows of attempts and tasks, and free or block the dependents. */
bool transaction_end_apply(struct transaction_job *j);
