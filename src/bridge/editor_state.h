/* What an editor reports about itself. Spec: docs/spec/10-bridge.md, 2. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

enum editor_state {
    EDITOR_UNKNOWN, /* none has connected yet */
    EDITOR_READY,
    EDITOR_COMPILING,
    EDITOR_RELOADING,
    EDITOR_STATE_COUNT
};

const char *editor_state_name(enum editor_state state);
/* Return false for a text that is not the name of a state, and for "unknown". */
bool editor_state_find(struct str name, enum editor_state *state);
