/* A worker as it is called: the chosen candidate with the overrides of the task and of the model
 * that plans the work.
 *
 *     struct worker_overrides o = {.call = &next.call, .env = task->worker_env};
 *     const struct candidate *c = worker_merge(chosen, &o, &arena, &dropped);
 *
 * The candidate has precedence: its tool, model, cliPath and systemPrompt, and each member of its
 * env and toolSpecific; its flags come last. The task's env has precedence over the model's. What
 * the model asks for one agent (model, flags, toolSpecific) counts only if that agent was chosen.
 *
 * A model does not decide what a worker may do. These are left out, and named in `dropped`: flags,
 * members of toolSpecific and variables that give it more rights (sandbox, approvals, limits, other
 * servers), that redirect it, or that look like keys; variables that this process has; values
 * "env:NAME"; arguments that are no flags; and members that the agent does not know. The value of a
 * flag is joined to it by "=".
 */
#pragma once

#include "base/buf.h"
#include "tooling/tooling.h"

struct worker_overrides {
    const struct candidate *call; /* worker_call of next_action; NULL: none */
    const struct json *env;       /* of the task; NULL: none */
};

/* Return the merged candidate in the arena, or `chosen` if there is nothing to merge. Adds "flag
 * --yolo, variable PATH" to `dropped`, which may be NULL. */
const struct candidate *worker_merge(const struct candidate *chosen,
                                     const struct worker_overrides *overrides, struct arena *a,
                                     struct buf *dropped);
