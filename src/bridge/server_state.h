/* What the server as a whole is doing.
 *
 *     booting ---> waiting_editor <---> ready ---> stopping ---> stopped
 *        |               |                            ^
 *        +---------------+----------------------------+
 *
 * server_state_step() is pure; SERVER_NONE is no move.             Spec: docs/spec/10-bridge.md, 2.
 */
#pragma once

enum server_state {
    SERVER_NONE, /* "no such move"; never stored */
    SERVER_BOOTING,
    SERVER_WAITING_EDITOR,
    SERVER_READY,
    SERVER_STOPPING,
    SERVER_STOPPED,
    SERVER_STATE_COUNT
};

enum server_event {
    SERVER_ON_STARTED,
    SERVER_ON_EDITOR, /* it has sent hello */
    SERVER_ON_EDITOR_LOST,
    SERVER_ON_STOP,
    SERVER_ON_END,
    SERVER_EVENT_COUNT
};

enum server_state server_state_step(enum server_state state, enum server_event event);
const char *server_state_name(enum server_state state);
const char *server_state_event_name(enum server_event event); /* for the log */
