/* What turn.c and turn_end.c share: the work of one turn while it is done.
 *
 * An ending is an attempt that ends in this turn: one that the owner reports, or one of another
 * owner whose lease is over. Both are written by turn_end_apply(), so a task leaves RUNNING in one
 * place only.
 */
#pragma once

#include "orchestrator/tasks_core.h"
#include "orchestrator/turn.h"

struct ending {
    int64_t task;
    uint32_t number;
    const struct turn_end *told; /* NULL: its lease is over */
    struct str owner, host;      /* of the attempt */
    int64_t started;
    bool has_dependents;
    struct verdict verdict;
};

struct turn_job {
    struct store *s;
    struct turn *t;
    struct error *err;
    struct ending *endings; /* in the turn's arena */
    size_t ending_count;
    uint32_t *left;           /* of each slot; in the turn's arena */
    struct turn_hold *before; /* what an earlier run of this turn has claimed */
    size_t before_count;
    struct tasks_ids ready; /* those that became READY in this turn */
    struct tasks_feed feed;
    bool has_ready;    /* something that is READY could not be claimed, though a slot is free */
    bool is_last;      /* nothing is READY or waits: only what runs is left, if anything */
    int64_t now;       /* the store's */
    int64_t own_lease; /* until; 0: none */
    int64_t next_due, next_lease; /* unix ms; 0: none */
};

/* Text from outside as a store takes it: valid UTF-8 without NUL. */
struct str turn_clean(struct turn_job *j, struct str text);
void turn_end_add(struct turn_job *j, const struct ending *e);
/* The attempts of owners whose lease is over become endings. */
bool turn_end_take(struct turn_job *j);
/* Rows of attempts and tasks, and what the ends mean for others. */
bool turn_end_apply(struct turn_job *j);
