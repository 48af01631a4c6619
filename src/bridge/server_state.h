/* What the server as a whole is doing, and what the editor said of itself.
 *
 *     booting ---> waiting_editor <---> ready ---> stopping ---> stopped
 *        |               |                            ^
 *        +---------------+----------------------------+
 *
 * server_state_step() is pure; SERVER_NONE is no move.             Spec: docs/spec/10-bridge.md, 2.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

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
    SERVER_ON_EDITOR, /* has said hello */
    SERVER_ON_EDITOR_LOST,
    SERVER_ON_STOP,
    SERVER_ON_END,
    SERVER_EVENT_COUNT
};

enum server_state server_state_step(enum server_state state, enum server_event event);
const char *server_state_name(enum server_state state);
const char *server_state_event_name(enum server_event event); /* for the log */

enum editor_state {
    EDITOR_UNKNOWN, /* none has connected yet */
    EDITOR_READY,
    EDITOR_COMPILING,
    EDITOR_RELOADING,
    EDITOR_STATE_COUNT
};

const char *editor_state_name(enum editor_state state);
bool editor_state_find(struct str name, enum editor_state *state); /* not "unknown" */
