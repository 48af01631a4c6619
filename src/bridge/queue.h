/* The order of requests: one queue, one slot for the request that runs in the editor.
 *
 * Requests wait in order of arrival. The first one that may go takes the slot when the editor is
 * ready; a job waits for the job that runs and lets calls pass.
 * Spec: docs/spec/10-bridge.md, 5.
 */
#pragma once

#include <stddef.h>

#include "bridge/request.h"

/* Take a call that needs the editor, from here to its end. */
void queue_call(struct bridge *b, struct caller *caller, const struct tool *tool,
                const struct tool_args *args);
/* The same for a call that is wrong: it fails at once. */
void queue_refuse(struct bridge *b, struct caller *caller, const struct tool *tool,
                  const struct failure *f);

size_t queue_place(const struct request *r); /* 1: the next one */
void queue_take_slot(struct request *r);     /* from the queue to the slot */
void queue_remove(struct request *r);        /* from the queue or the slot */

void queue_editor_changed(struct bridge *b); /* it became ready or busy, came or left */
void queue_pump(struct bridge *b);           /* send what can go out */
void queue_fail_waiting(struct bridge *b, const struct failure *f);
void queue_stop(struct bridge *b);
