#include "bridge/job_state.h"

#include <assert.h>

/* clang-format off */
static const struct job_move moves[JOB_STATE_COUNT][JOB_EVENT_COUNT] = {
#define ROW(from, event, next, effect) \
    [JOB_##from][JOB_ON_##event] = {JOB_##next, JOB_DO_##effect}
    ROW(QUEUED,  SENT,      RUNNING,   NOTIFY),
    ROW(QUEUED,  REFUSED,   FAILED,    END),
    ROW(QUEUED,  CANCEL,    CANCELLED, END),
    ROW(QUEUED,  SHUTDOWN,  FAILED,    END),
    ROW(RUNNING, REJECTED,  FAILED,    END),
    ROW(RUNNING, PROGRESS,  RUNNING,   NOTIFY),
    ROW(RUNNING, SUCCEEDED, SUCCEEDED, END),
    ROW(RUNNING, FAILED,    FAILED,    END),
    ROW(RUNNING, TIMEOUT,   TIMEOUT,   END),
    ROW(RUNNING, CANCELLED, CANCELLED, END),
    ROW(RUNNING, DEADLINE,  TIMEOUT,   END),
    ROW(RUNNING, NOT_FOUND, FAILED,    END),
    ROW(RUNNING, LINK_LOST, RUNNING,   NOTHING),
    ROW(RUNNING, GONE,      FAILED,    END),
    /* The job runs on until the editor reports how it ended. */
    ROW(RUNNING, CANCEL,    RUNNING,   FORWARD_CANCEL),
    ROW(RUNNING, SHUTDOWN,  FAILED,    END),
#undef ROW
};
/* clang-format on */

struct job_move job_state_step(enum job_state state, enum job_event event)
{
    assert(state > JOB_NONE && state < JOB_STATE_COUNT && event < JOB_EVENT_COUNT);
    return moves[state][event];
}

enum job_event job_state_event_of_request(enum request_event event)
{
    /* Only events that end a request, or end the wait for its answer, concern its job. */
    static const enum job_event events[REQUEST_EVENT_COUNT] = {
        [REQUEST_ON_REFUSED] = JOB_ON_REFUSED,       [REQUEST_ON_ADMITTED] = JOB_EVENT_COUNT,
        [REQUEST_ON_EDITOR_BUSY] = JOB_EVENT_COUNT,  [REQUEST_ON_EDITOR_READY] = JOB_EVENT_COUNT,
        [REQUEST_ON_WAIT_OVER] = JOB_ON_REFUSED,     [REQUEST_ON_SLOT_FREE] = JOB_EVENT_COUNT,
        [REQUEST_ON_RESULT] = JOB_EVENT_COUNT,       [REQUEST_ON_ERROR] = JOB_ON_REJECTED,
        [REQUEST_ON_BAD_RESPONSE] = JOB_ON_REJECTED, [REQUEST_ON_UNKNOWN] = JOB_ON_NOT_FOUND,
        [REQUEST_ON_CANCELLED] = JOB_ON_CANCELLED,   [REQUEST_ON_DEADLINE] = JOB_ON_DEADLINE,
        [REQUEST_ON_LINK_LOST] = JOB_EVENT_COUNT,    [REQUEST_ON_GONE] = JOB_ON_GONE,
        [REQUEST_ON_CANCEL] = JOB_ON_CANCEL,         [REQUEST_ON_SHUTDOWN] = JOB_ON_SHUTDOWN,
    };
    assert(event < REQUEST_EVENT_COUNT);
    return events[event];
}

enum job_cancel job_state_cancel(enum job_state state)
{
    static const enum job_cancel answers[JOB_STATE_COUNT] = {
        [JOB_NONE] = JOB_CANCEL_REJECTED,      [JOB_QUEUED] = JOB_CANCEL_DONE,
        [JOB_RUNNING] = JOB_CANCEL_REQUESTED,  [JOB_SUCCEEDED] = JOB_CANCEL_REJECTED,
        [JOB_FAILED] = JOB_CANCEL_REJECTED,    [JOB_TIMEOUT] = JOB_CANCEL_REJECTED,
        [JOB_CANCELLED] = JOB_CANCEL_REJECTED,
    };
    assert(state < JOB_STATE_COUNT);
    return answers[state];
}

bool job_state_is_terminal(enum job_state state)
{
    return state >= JOB_SUCCEEDED;
}

static const char *const state_names[JOB_STATE_COUNT] = {
    [JOB_NONE] = "none",           [JOB_QUEUED] = "queued", [JOB_RUNNING] = "running",
    [JOB_SUCCEEDED] = "succeeded", [JOB_FAILED] = "failed", [JOB_TIMEOUT] = "timeout",
    [JOB_CANCELLED] = "cancelled",
};

const char *job_state_name(enum job_state state)
{
    assert(state < JOB_STATE_COUNT);
    return state_names[state];
}

const char *job_state_event_name(enum job_event event)
{
    static const char *const names[JOB_EVENT_COUNT] = {
        [JOB_ON_REFUSED] = "refused",     [JOB_ON_SENT] = "sent",
        [JOB_ON_REJECTED] = "rejected",   [JOB_ON_PROGRESS] = "progress",
        [JOB_ON_SUCCEEDED] = "succeeded", [JOB_ON_FAILED] = "failed",
        [JOB_ON_TIMEOUT] = "timeout",     [JOB_ON_CANCELLED] = "cancelled",
        [JOB_ON_DEADLINE] = "deadline",   [JOB_ON_NOT_FOUND] = "not_found",
        [JOB_ON_LINK_LOST] = "link_lost", [JOB_ON_GONE] = "gone",
        [JOB_ON_CANCEL] = "cancel",       [JOB_ON_SHUTDOWN] = "shutdown",
    };
    assert(event < JOB_EVENT_COUNT);
    return names[event];
}

const char *job_state_cancel_name(enum job_cancel answer)
{
    static const char *const names[JOB_CANCEL_COUNT] = {
        [JOB_CANCEL_DONE] = "cancelled",
        [JOB_CANCEL_REQUESTED] = "cancel_requested",
        [JOB_CANCEL_REJECTED] = "rejected",
    };
    assert(answer < JOB_CANCEL_COUNT);
    return names[answer];
}

enum job_event job_state_event(struct str state)
{
    static const enum job_event events[JOB_STATE_COUNT] = {
        [JOB_NONE] = JOB_EVENT_COUNT,       [JOB_QUEUED] = JOB_ON_PROGRESS,
        [JOB_RUNNING] = JOB_ON_PROGRESS,    [JOB_SUCCEEDED] = JOB_ON_SUCCEEDED,
        [JOB_FAILED] = JOB_ON_FAILED,       [JOB_TIMEOUT] = JOB_ON_TIMEOUT,
        [JOB_CANCELLED] = JOB_ON_CANCELLED,
    };
    for (enum job_state s = JOB_QUEUED; s < JOB_STATE_COUNT; s++)
        if (str_eq(state, str_from(state_names[s])))
            return events[s];
    return JOB_EVENT_COUNT;
}
