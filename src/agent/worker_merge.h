/* A worker as it is called: the chosen candidate, what the task says, what the model wished.
 *
 *     struct worker_wish w = {.call = &next.call, .env = task->worker_env};
 *     const struct candidate *c = worker_merge(chosen, &w, &arena);
 *
 * The candidate holds over all: tool, model, cliPath, systemPrompt, and its members of env and
 * toolSpecific; its flags come last. The task's env holds over the model's. What the model wished
 * for a tool (model, flags, toolSpecific) counts only if it is the tool that was chosen.
 *
 * A model does not decide what a worker may do: flags, members of toolSpecific and variables that
 * widen it (sandbox, approvals, caps, other servers), lead it elsewhere or stand in for keys are
 * left out and named in `dropped`; so are variables that this process has, "env:NAME", arguments
 * that are no flags, and members that the tool does not take. The value of a flag is joined to it
 * by =.
 */
#pragma once

#include "base/buf.h"
#include "tooling/tooling.h"

struct worker_wish {
    const struct candidate *call; /* of worker_call; NULL: none */
    const struct json *env;       /* of the task; NULL: none */
    struct buf *dropped;          /* "flag --yolo, variable PATH" is added; NULL: not asked for */
};

/* In the arena, or `chosen` itself where there is nothing to merge. */
const struct candidate *worker_merge(const struct candidate *chosen, const struct worker_wish *wish,
                                     struct arena *a);
