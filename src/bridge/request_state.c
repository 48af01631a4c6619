#include "bridge/request_state.h"

#include <assert.h>

/* One row per line of the spec, in its order. A hole is {REQUEST_NONE, DO_NOTHING}: no move. */
/* clang-format off */
static const struct request_move moves[REQUEST_STATE_COUNT][REQUEST_EVENT_COUNT] = {
#define ROW(from, event, next, effect) \
    [REQUEST_##from][REQUEST_ON_##event] = {REQUEST_##next, REQUEST_DO_##effect}
    ROW(RECEIVED, REFUSED,      FAILED,    ANSWER),
    ROW(RECEIVED, ADMITTED,     QUEUED,    NOTHING),
    ROW(RECEIVED, EDITOR_BUSY,  WAITING,   WAIT),
    ROW(WAITING,  EDITOR_READY, QUEUED,    NOTHING),
    ROW(QUEUED,   EDITOR_BUSY,  WAITING,   WAIT),
    ROW(WAITING,  WAIT_OVER,    FAILED,    ANSWER),
    ROW(WAITING,  CANCEL,       CANCELLED, ANSWER),
    ROW(QUEUED,   CANCEL,       CANCELLED, ANSWER),
    ROW(WAITING,  REFUSED,      FAILED,    ANSWER),
    ROW(QUEUED,   REFUSED,      FAILED,    ANSWER),
    ROW(QUEUED,   SLOT_FREE,    RUNNING,   SEND),
    ROW(RUNNING,  RESULT,       SUCCEEDED, ANSWER),
    ROW(RUNNING,  ERROR,        FAILED,    ANSWER),
    ROW(RUNNING,  BAD_RESPONSE, FAILED,    ANSWER),
    ROW(RUNNING,  CANCELLED,    CANCELLED, ANSWER),
    ROW(RUNNING,  DEADLINE,     TIMEOUT,   ANSWER),
    ROW(RUNNING,  LINK_LOST,    RUNNING,   NOTHING),
    ROW(RUNNING,  GONE,         FAILED,    ANSWER),
    ROW(RUNNING,  UNKNOWN,      FAILED,    ANSWER),
    /* The call runs on until the editor reports how it ended. */
    ROW(RUNNING,  CANCEL,       RUNNING,   FORWARD_CANCEL),
    ROW(WAITING,  SHUTDOWN,     FAILED,    ANSWER),
    ROW(QUEUED,   SHUTDOWN,     FAILED,    ANSWER),
    ROW(RUNNING,  SHUTDOWN,     FAILED,    ANSWER),
#undef ROW
};
/* clang-format on */

struct request_move request_state_step(enum request_state state, enum request_event event)
{
    assert(state > REQUEST_NONE && state < REQUEST_STATE_COUNT && event < REQUEST_EVENT_COUNT);
    return moves[state][event];
}

bool request_state_is_terminal(enum request_state state)
{
    return state >= REQUEST_SUCCEEDED;
}

const char *request_state_name(enum request_state state)
{
    static const char *const names[REQUEST_STATE_COUNT] = {
        [REQUEST_NONE] = "none",
        [REQUEST_RECEIVED] = "received",
        [REQUEST_WAITING] = "waiting_editor_ready",
        [REQUEST_QUEUED] = "queued",
        [REQUEST_RUNNING] = "running",
        [REQUEST_SUCCEEDED] = "succeeded",
        [REQUEST_FAILED] = "failed",
        [REQUEST_TIMEOUT] = "timeout",
        [REQUEST_CANCELLED] = "cancelled",
    };
    assert(state < REQUEST_STATE_COUNT);
    return names[state];
}

const char *request_state_event_name(enum request_event event)
{
    static const char *const names[REQUEST_EVENT_COUNT] = {
        [REQUEST_ON_REFUSED] = "refused",
        [REQUEST_ON_ADMITTED] = "admitted",
        [REQUEST_ON_EDITOR_BUSY] = "editor_busy",
        [REQUEST_ON_EDITOR_READY] = "editor_ready",
        [REQUEST_ON_WAIT_OVER] = "wait_over",
        [REQUEST_ON_SLOT_FREE] = "slot_free",
        [REQUEST_ON_RESULT] = "result",
        [REQUEST_ON_ERROR] = "error",
        [REQUEST_ON_BAD_RESPONSE] = "bad_response",
        [REQUEST_ON_UNKNOWN] = "unknown",
        [REQUEST_ON_CANCELLED] = "cancelled",
        [REQUEST_ON_DEADLINE] = "deadline",
        [REQUEST_ON_LINK_LOST] = "link_lost",
        [REQUEST_ON_GONE] = "gone",
        [REQUEST_ON_CANCEL] = "cancel",
        [REQUEST_ON_SHUTDOWN] = "shutdown",
    };
    assert(event < REQUEST_EVENT_COUNT);
    return names[event];
}
