/* The states of one job, from its id to its end, and what a cancel is answered.
 *
 *     queued ----> running ----> succeeded | failed | timeout | cancelled
 *        |          ^   |
 *        |          +---+ progress, link lost, cancel
 *        +--> cancelled | failed                          (never sent)
 *
 * A job is queued until its submission is sent, and running from then on, because what was sent may
 * have had an effect. job_state_step() is pure; a pair without a row is a late event and moves
 * nothing.
 * Spec: docs/spec/10-bridge.md, 6 and 7.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "bridge/request_state.h"

enum job_state {
    JOB_NONE, /* "no such move"; never stored */
    JOB_QUEUED,
    JOB_RUNNING,
    JOB_SUCCEEDED,
    JOB_FAILED,
    JOB_TIMEOUT,
    JOB_CANCELLED,
    JOB_STATE_COUNT
};

enum job_event {
    JOB_ON_REFUSED, /* its submission was not, or could not be, sent */
    JOB_ON_SENT,
    JOB_ON_REJECTED,  /* by the editor */
    JOB_ON_PROGRESS,  /* the editor reports progress */
    JOB_ON_SUCCEEDED, /* the editor reports the end */
    JOB_ON_FAILED,
    JOB_ON_TIMEOUT,
    JOB_ON_CANCELLED,
    JOB_ON_DEADLINE,  /* timeout_ms is over */
    JOB_ON_NOT_FOUND, /* after a reconnect the editor does not know it */
    JOB_ON_LINK_LOST,
    JOB_ON_GONE, /* and the editor did not reconnect in time */
    JOB_ON_CANCEL,
    JOB_ON_SHUTDOWN,
    JOB_EVENT_COUNT
};

enum job_effect {
    JOB_DO_NOTHING,
    JOB_DO_NOTIFY, /* the waiters */
    JOB_DO_END,    /* the same, and the job has its final state */
    JOB_DO_FORWARD_CANCEL
};

struct job_move {
    enum job_state next; /* JOB_NONE: no move */
    enum job_effect effect;
};

enum job_cancel { /* what cancel_job answers */
    JOB_CANCEL_DONE,
    JOB_CANCEL_REQUESTED,
    JOB_CANCEL_REJECTED,
    JOB_CANCEL_COUNT
};

struct job_move job_state_step(enum job_state state, enum job_event event);
enum job_cancel job_state_cancel(enum job_state state);
bool job_state_is_terminal(enum job_state state);
const char *job_state_name(enum job_state state);       /* as on the wire */
const char *job_state_event_name(enum job_event event); /* for the log */
const char *job_state_cancel_name(enum job_cancel answer);

/* The event that a state reported by the editor means; JOB_EVENT_COUNT for an unknown state. */
enum job_event job_state_event(struct str state);
/* The event for the job when its submission ends; JOB_EVENT_COUNT: none. */
enum job_event job_state_event_of_request(enum request_event event);
