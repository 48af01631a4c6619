#include "bridge/editor_state.h"

#include <assert.h>

static const char *const editor_names[EDITOR_STATE_COUNT] = {
    [EDITOR_UNKNOWN] = "unknown",
    [EDITOR_READY] = "ready",
    [EDITOR_COMPILING] = "compiling",
    [EDITOR_RELOADING] = "reloading",
};

const char *editor_state_name(enum editor_state state)
{
    assert(state < EDITOR_STATE_COUNT);
    return editor_names[state];
}

bool editor_state_find(struct str name, enum editor_state *state)
{
    for (enum editor_state s = EDITOR_READY; s < EDITOR_STATE_COUNT; s++)
        if (str_eq(name, str_from(editor_names[s]))) {
            *state = s;
            return true;
        }
    return false;
}
