/* The states of a task, as a table.
 *
 *     PENDING --free--> READY --claim--> RUNNING --succeed--> SUCCEEDED
 *        |                ^   <--back---    |  \--fail------> FAILED
 *     upstream            |                 |   \-give_up---> BLOCKED --revive--> READY
 *        v                +--due-- RETRY_WAIT <--retry
 *     BLOCKED --release--> PENDING
 *
 * and --cancel--> CANCELLED from each that is not over; a running one is told to stop and is
 * CANCELLED when its worker is gone. A person's retry revives what is BLOCKED, FAILED or CANCELLED.
 *
 * task_state_next() is pure: the state after an event, or TASK_STATE_COUNT where the event makes no
 * sense. Whoever changes a state in the store asks it first; the SQL of tasks.c names the states
 * from which it may come, and a test compares both.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

enum task_state {
    TASK_PENDING,    /* waits for its dependencies */
    TASK_READY,      /* whoever has a free worker may take it */
    TASK_RUNNING,    /* a worker has it, as long as its lease holds */
    TASK_RETRY_WAIT, /* is tried again at a given time */
    TASK_BLOCKED,    /* the backlog: a person must look at it */
    TASK_SUCCEEDED,
    TASK_FAILED, /* trying again would change nothing: its file is wrong */
    TASK_CANCELLED,
    TASK_STATE_COUNT
};

enum task_event {
    TASK_FREE,     /* its last dependency succeeded */
    TASK_CLAIM,    /* a worker took it */
    TASK_SUCCEED,  /* its run is complete */
    TASK_RETRY,    /* its run failed, or was limited: again later */
    TASK_FAIL,     /* its run failed for good */
    TASK_GIVE_UP,  /* its run failed, and it had its attempts */
    TASK_BACK,     /* handed back: the orchestrator stops, or its lease is over */
    TASK_DUE,      /* its wait is over */
    TASK_CANCEL,   /* a person; of a RUNNING one: its worker is gone */
    TASK_UPSTREAM, /* a dependency failed, was cancelled or is blocked */
    TASK_RELEASE,  /* that dependency was revived */
    TASK_REVIVE,   /* a person: again, its dependencies are met */
    TASK_REOPEN,   /* a person: again, but its dependencies are not met: PENDING */
    TASK_EVENT_COUNT
};

enum task_state task_state_next(enum task_state state, enum task_event event);
const char *task_state_name(enum task_state state); /* "RETRY_WAIT" */
const char *task_state_event_name(enum task_event event);
bool task_state_find(struct str name, enum task_state *out);
static inline bool task_is_final(enum task_state s)
{
    return s == TASK_SUCCEEDED || s == TASK_FAILED || s == TASK_CANCELLED;
}
