/* What transaction.c and transaction_end.c share: the work of one transaction while it is done.
 *
 * An ending is an attempt that ends in this transaction: one that the owner reports, or one of
 * another owner whose lease is over. Both are written by transaction_end_apply(), so a task leaves
 * RUNNING in one place only.
 */
#pragma once

#include "orchestrator/tasks_internal.h"
#include "orchestrator/transaction.h"

struct transaction_ending {
    int64_t task;
    uint32_t number;
    const struct transaction_end *told; /* NULL: its lease is over */
    struct str owner, host;             /* of the attempt */
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
    struct transaction_hold *before; /* what an earlier run of this transaction has claimed */
    size_t before_count;
    struct tasks_id_list ready; /* those that became READY in this transaction */
    struct tasks_feed feed;
    bool has_ready;    /* something that is READY could not be claimed, though a slot is free */
    bool is_last;      /* nothing is READY or waits: only what runs is left, if anything */
    int64_t now;       /* the store's */
    int64_t own_lease; /* until; 0: none */
    int64_t next_due, next_lease; /* unix ms; 0: none */
};

void transaction_end_add(struct transaction_job *j, const struct transaction_ending *e);
/* The attempts of owners whose lease is over become endings. */
bool transaction_end_collect(struct transaction_job *j);
/* Rows of attempts and tasks, and what the ends mean for others. */
bool transaction_end_apply(struct transaction_job *j);
