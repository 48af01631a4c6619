/* The states of a task, as a table.
 *
 *     PENDING --free--> READY --claim--> RUNNING --succeed--> SUCCEEDED
 *        |                ^   <--back---    |  \--fail------> FAILED
 *     upstream            |                 |   \-give_up---> BLOCKED --revive--> READY
 *        v                +--due-- RETRY_WAIT <--retry
 *     BLOCKED --release--> PENDING
 *
 * --cancel--> CANCELLED leads from every state that is not final; a running task is first asked to
 * stop and becomes CANCELLED when its worker is gone. A person's retry revives BLOCKED, FAILED and
 * CANCELLED tasks.
 *
 * task_state_next() is pure: the state after an event, or TASK_STATE_COUNT if the event is not
 * possible in the state. Code that changes a state in the store asks it first. The SQL in tasks.c
 * names the states from which each change may start; a test compares both.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

enum task_state {
    TASK_PENDING,    /* waits for its dependencies */
    TASK_READY,      /* any orchestrator with a free worker may claim it */
    TASK_RUNNING,    /* a worker runs it while its lease holds */
    TASK_RETRY_WAIT, /* is retried at a given time */
    TASK_BLOCKED,    /* the backlog: a person must look at it */
    TASK_SUCCEEDED,
    TASK_FAILED, /* a retry would change nothing: its file is wrong */
    TASK_CANCELLED,
    TASK_STATE_COUNT
};

enum task_event {
    TASK_FREE,     /* its last dependency succeeded */
    TASK_CLAIM,    /* a worker claimed it */
    TASK_SUCCEED,  /* its run is complete */
    TASK_RETRY,    /* its run failed or was limited: retry later */
    TASK_FAIL,     /* its run cannot succeed: the file is wrong */
    TASK_GIVE_UP,  /* its run failed, and its attempts are used up */
    TASK_BACK,     /* returned: the orchestrator stops, or its lease expired */
    TASK_DUE,      /* its wait is over */
    TASK_CANCEL,   /* a person; if RUNNING: its worker is gone */
    TASK_UPSTREAM, /* a dependency failed, was cancelled or is blocked */
    TASK_RELEASE,  /* that dependency was revived */
    TASK_REVIVE,   /* a person retries it; its dependencies are met */
    TASK_REOPEN,   /* a person retries it; its dependencies are not met: PENDING */
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
