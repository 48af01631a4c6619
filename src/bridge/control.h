/* Tools that the server answers itself, with or without an editor: get_editor_state,
 * get_job_status and cancel_job. A row of the catalog points at its function here.
 * Spec: docs/spec/10-bridge.md, 4 and 6.
 */
#pragma once

#include "bridge/caller.h"
#include "bridge/catalog.h"
#include "bridge/failure.h"
#include "bridge/request_state.h"

struct activity_entry;

tool_control_fn control_get_editor_state, control_get_job_status, control_cancel_job;

struct control_call {
    struct caller *caller;
    const struct tool *tool;
    const char *id;
    uint64_t since;
    struct activity_entry *activity; /* NULL: control_end() makes it */
};

/* Log the end of a control call and show it among the activities. f NULL: it succeeded. */
void control_end(struct bridge *b, struct control_call *c, enum request_state state,
                 const struct failure *f);
