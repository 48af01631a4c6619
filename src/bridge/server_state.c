#include "bridge/server_state.h"

#include <assert.h>

/* clang-format off */
static const enum server_state moves[SERVER_STATE_COUNT][SERVER_EVENT_COUNT] = {
#define ROW(from, event, next) [SERVER_##from][SERVER_ON_##event] = SERVER_##next
    ROW(BOOTING,        STARTED,     WAITING_EDITOR),
    ROW(WAITING_EDITOR, EDITOR,      READY),
    ROW(READY,          EDITOR_LOST, WAITING_EDITOR),
    ROW(BOOTING,        STOP,        STOPPING),
    ROW(WAITING_EDITOR, STOP,        STOPPING),
    ROW(READY,          STOP,        STOPPING),
    ROW(STOPPING,       END,         STOPPED),
#undef ROW
};
/* clang-format on */

enum server_state server_state_step(enum server_state state, enum server_event event)
{
    assert(state > SERVER_NONE && state < SERVER_STATE_COUNT && event < SERVER_EVENT_COUNT);
    return moves[state][event];
}

const char *server_state_name(enum server_state state)
{
    static const char *const names[SERVER_STATE_COUNT] = {
        [SERVER_NONE] = "none",
        [SERVER_BOOTING] = "booting",
        [SERVER_WAITING_EDITOR] = "waiting_editor",
        [SERVER_READY] = "ready",
        [SERVER_STOPPING] = "stopping",
        [SERVER_STOPPED] = "stopped",
    };
    assert(state < SERVER_STATE_COUNT);
    return names[state];
}

const char *server_state_event_name(enum server_event event)
{
    static const char *const names[SERVER_EVENT_COUNT] = {
        [SERVER_ON_STARTED] = "started",
        [SERVER_ON_EDITOR] = "editor",
        [SERVER_ON_EDITOR_LOST] = "editor_lost",
        [SERVER_ON_STOP] = "stop",
        [SERVER_ON_END] = "end",
    };
    assert(event < SERVER_EVENT_COUNT);
    return names[event];
}
