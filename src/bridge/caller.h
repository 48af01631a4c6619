/* Who calls a tool of the bridge: an MCP client (app/bridge_mcp.h), a command, a test.
 *
 *     struct my_call {
 *         struct caller caller;                 // first
 *         ...
 *     };
 *     static const struct caller_impl impl = {my_reply, my_on_cancel, my_wants_progress,
 *                                             my_progress, NULL};
 *     call->caller = (struct caller){&impl, arguments, "ci-script 1.0"};
 *     bridge_call(bridge, &call->caller, tool);
 *
 * A caller belongs to the bridge from bridge_call() until reply(), which is called exactly once,
 * also after a cancel. The bridge reads arguments and client until then.
 */
#pragma once

#include "base/json.h"
#include "base/loop.h"

struct caller;

struct caller_impl {
    /* Send the answer, one JSON object, and end the call. */
    void (*reply)(struct caller *c, struct str object, bool is_error);
    /* From now on call fn(ctx), at most once, when nobody waits for the answer any more. fn NULL:
     * call nothing. */
    void (*on_cancel)(struct caller *c, loop_fn *fn, void *ctx);
    bool (*wants_progress)(const struct caller *c);
    void (*progress)(struct caller *c, double done, double total, const char *message);
    /* Go on as a task of this id, which the client gets at once. Return false if the client cannot
     * follow tasks. NULL: it never can. */
    bool (*become_task)(struct caller *c, const char *id);
};

struct caller {
    const struct caller_impl *impl;
    const struct json *arguments; /* NULL: none */
    const char *client;           /* name and version, "claude-code 2.1.325"; "": not known */
};

static inline void caller_reply(struct caller *c, struct str object, bool is_error)
{
    c->impl->on_cancel(c, NULL, NULL);
    c->impl->reply(c, object, is_error);
}

static inline void caller_on_cancel(struct caller *c, loop_fn *fn, void *ctx)
{
    c->impl->on_cancel(c, fn, ctx);
}

static inline bool caller_wants_progress(const struct caller *c)
{
    return c->impl->wants_progress(c);
}

/* total 0: not known; message may be NULL. */
static inline void caller_progress(struct caller *c, double done, double total, const char *message)
{
    c->impl->progress(c, done, total, message);
}

static inline bool caller_become_task(struct caller *c, const char *id)
{
    return c->impl->become_task && c->impl->become_task(c, id);
}
