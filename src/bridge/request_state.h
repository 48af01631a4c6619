/* The life of one tool call, from arrival to its single answer.
 *
 *   received ---------------> queued -----> running -----> succeeded | failed | timeout | cancelled
 *      |  \                  /  ^  \           ^ |
 *      |   +---> waiting ---+   |   |          +-+ link lost, cancel
 *      |            ^  |        |   |
 *      |            +--|--------+   +--> cancelled | failed
 *      +--> failed     +--> cancelled | failed            (left of running: never sent)
 *
 * request_state_step() is the whole machine and is pure. request_apply() stores the next state and
 * carries out the effect. A pair without a row is a late event and moves nothing. Terminal states
 * have no rows, which is why a call is answered exactly once.   Spec: docs/spec/10-bridge.md, 4.
 */
#pragma once

#include <stdbool.h>

enum request_state {
    REQUEST_NONE, /* "no such move"; never stored */
    REQUEST_RECEIVED,
    REQUEST_WAITING, /* for the editor to connect, compile or reload */
    REQUEST_QUEUED,
    REQUEST_RUNNING, /* sent: from here on a failure may have had an effect */
    REQUEST_SUCCEEDED,
    REQUEST_FAILED,
    REQUEST_TIMEOUT,
    REQUEST_CANCELLED,
    REQUEST_STATE_COUNT
};

enum request_event {
    REQUEST_ON_REFUSED,     /* invalid, queue full, or not to be sent after all */
    REQUEST_ON_ADMITTED,    /* valid, and the editor is ready */
    REQUEST_ON_EDITOR_BUSY, /* valid, but the editor is not ready, or has just left */
    REQUEST_ON_EDITOR_READY,
    REQUEST_ON_WAIT_OVER,
    REQUEST_ON_SLOT_FREE,
    REQUEST_ON_RESULT,       /* also: the job was accepted */
    REQUEST_ON_ERROR,        /* from the editor; also: the job was rejected */
    REQUEST_ON_BAD_RESPONSE, /* the result cannot be read */
    REQUEST_ON_UNKNOWN,      /* after a reconnect the editor does not know it */
    REQUEST_ON_CANCELLED,    /* the editor reports that it stopped */
    REQUEST_ON_DEADLINE,     /* timeout_ms is over */
    REQUEST_ON_LINK_LOST,
    REQUEST_ON_GONE, /* and the editor did not reconnect in time */
    REQUEST_ON_CANCEL,
    REQUEST_ON_SHUTDOWN,
    REQUEST_EVENT_COUNT
};

enum request_effect {
    REQUEST_DO_NOTHING,
    REQUEST_DO_WAIT, /* store the reason, start the timer */
    REQUEST_DO_SEND,
    REQUEST_DO_ANSWER,
    REQUEST_DO_FORWARD_CANCEL /* to the editor, if the tool supports it */
};

struct request_move {
    enum request_state next; /* REQUEST_NONE: no move */
    enum request_effect effect;
};

struct request_move request_state_step(enum request_state state, enum request_event event);
bool request_state_is_terminal(enum request_state state);
const char *request_state_name(enum request_state state);       /* as on the wire */
const char *request_state_event_name(enum request_event event); /* for the log */
