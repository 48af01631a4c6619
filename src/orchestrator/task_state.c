#include "orchestrator/task_state.h"

#include <assert.h>

/* All transitions; 0: the event is not possible in the state. */
static const unsigned char moves[TASK_STATE_COUNT][TASK_EVENT_COUNT] = {
#define ROW(from, event, next) [TASK_##from][TASK_##event] = TASK_##next + 1
    ROW(PENDING, FREE, READY),        ROW(PENDING, UPSTREAM, BLOCKED),
    ROW(PENDING, CANCEL, CANCELLED),

    ROW(READY, CLAIM, RUNNING),       ROW(READY, CANCEL, CANCELLED),

    ROW(RUNNING, SUCCEED, SUCCEEDED), ROW(RUNNING, RETRY, RETRY_WAIT),
    ROW(RUNNING, FAIL, FAILED),       ROW(RUNNING, GIVE_UP, BLOCKED),
    ROW(RUNNING, BACK, READY),        ROW(RUNNING, CANCEL, CANCELLED),

    ROW(RETRY_WAIT, DUE, READY),      ROW(RETRY_WAIT, CANCEL, CANCELLED),

    ROW(BLOCKED, RELEASE, PENDING),   ROW(BLOCKED, CANCEL, CANCELLED),
    ROW(BLOCKED, REVIVE, READY),      ROW(BLOCKED, REOPEN, PENDING),

    ROW(FAILED, REVIVE, READY),       ROW(FAILED, REOPEN, PENDING),
    ROW(CANCELLED, REVIVE, READY),    ROW(CANCELLED, REOPEN, PENDING),
#undef ROW
};

enum task_state task_state_next(enum task_state state, enum task_event event)
{
    assert(state < TASK_STATE_COUNT && event < TASK_EVENT_COUNT);
    unsigned char next = moves[state][event];
    return next ? (enum task_state)(next - 1) : TASK_STATE_COUNT;
}

const char *task_state_name(enum task_state state)
{
    static const char *const names[TASK_STATE_COUNT] = {
        [TASK_PENDING] = "PENDING", [TASK_READY] = "READY",
        [TASK_RUNNING] = "RUNNING", [TASK_RETRY_WAIT] = "RETRY_WAIT",
        [TASK_BLOCKED] = "BLOCKED", [TASK_SUCCEEDED] = "SUCCEEDED",
        [TASK_FAILED] = "FAILED",   [TASK_CANCELLED] = "CANCELLED",
    };
    assert(state < TASK_STATE_COUNT);
    return names[state];
}

const char *task_state_event_name(enum task_event event)
{
    static const char *const names[TASK_EVENT_COUNT] = {
        [TASK_FREE] = "free",         [TASK_CLAIM] = "claim",     [TASK_SUCCEED] = "succeed",
        [TASK_RETRY] = "retry",       [TASK_FAIL] = "fail",       [TASK_GIVE_UP] = "give_up",
        [TASK_BACK] = "back",         [TASK_DUE] = "due",         [TASK_CANCEL] = "cancel",
        [TASK_UPSTREAM] = "upstream", [TASK_RELEASE] = "release", [TASK_REVIVE] = "revive",
        [TASK_REOPEN] = "reopen",
    };
    assert(event < TASK_EVENT_COUNT);
    return names[event];
}

bool task_state_find(struct str name, enum task_state *out)
{
    for (enum task_state s = 0; s < TASK_STATE_COUNT; s++)
        if (str_eq(name, str_from(task_state_name(s)))) {
            *out = s;
            return true;
        }
    return false;
}
