/* The life of one job, from the moment it has an id to its end; and what a wish to cancel gets.
 *
 *     queued ----> running ----> succeeded | failed | timeout | cancelled
 *        |          ^   |
 *        |          +---+ progress, link lost, a wish to cancel
 *        +--> cancelled | failed                          (never sent)
 *
 * A job is queued until its submission goes out, running from then on: what was sent may have had
 * an effect. job_state_step() is pure; a pair without a row is late or stray and moves nothing.
 * Spec: docs/spec/10-bridge.md, 6 and 7.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

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
    JOB_ON_PROGRESS,  /* the editor says: still at it */
    JOB_ON_SUCCEEDED, /* the editor says how it ended */
    JOB_ON_FAILED,
    JOB_ON_TIMEOUT,
    JOB_ON_CANCELLED,
    JOB_ON_DEADLINE,  /* timeout_ms is over */
    JOB_ON_NOT_FOUND, /* after a reconnect the editor does not know it */
    JOB_ON_LINK_LOST,
    JOB_ON_GONE, /* and the link did not come back in time */
    JOB_ON_CANCEL,
    JOB_ON_SHUTDOWN,
    JOB_EVENT_COUNT
};

enum job_effect {
    JOB_DO_NOTHING,
    JOB_DO_TELL, /* those who wait for news */
    JOB_DO_END,  /* the same, and it stays as it is */
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

/* What the editor's word for a state means as an event: JOB_EVENT_COUNT if it is none. */
enum job_event job_state_event(struct str state);
