/* The bridge: tool calls of MCP clients on one side, one editor on the other, one queue between.
 *
 *     struct bridge *b = bridge_new(loop, &(struct bridge_options){.limits = &limits});
 *     bridge_call(b, &my_call->caller, tool);   // caller.h; app/bridge_mcp.h does it for MCP
 *     link_ws_serve(b, http, "/unity");
 *     bridge_start(b);
 *     loop_run(loop);
 *     bridge_stop(b);                           // every call gets its answer; let them go out
 *     ...                                       // free the transports
 *     bridge_free(b);
 *
 * What it promises: every call ends exactly once; nothing is sent to the editor twice; calls go out
 * in the order of their arrival, one at a time; every error says what is known of the work.
 *
 *   request.h, job.h, server_state.h    the machines, pure
 *   queue.c                             admission, waiting for the editor, its slot, time-outs
 *   jobs.c                              jobs, those who wait for them, get_job_status, cancel_job
 *   peer.c                              hello, capability, heartbeat, replacement
 *   work.c                              what the editor says of what runs; resume
 *   dedupe.c                            client_request_id of tools that change something
 *   answer.c                            results and errors for clients
 *   activity.c                          what becomes of all of them, for those who look on
 *
 * Spec: docs/spec/10-bridge.md.
 */
#pragma once

#include "base/buf.h"
#include "base/loop.h"
#include "bridge/limits.h"

struct bridge;
struct caller;
struct catalog;
struct tool;

struct bridge_options {
    const struct limits *limits; /* copied */
    const char *project_path;    /* the project this server is for; NULL: the editor says */
    bool only_project;           /* editors of another project are refused */
};

struct bridge *bridge_new(struct loop *loop, const struct bridge_options *options);
const struct catalog *bridge_catalog(const struct bridge *b);
struct loop *bridge_loop(const struct bridge *b);
const struct limits *bridge_limits(const struct bridge *b);

void bridge_start(struct bridge *b); /* from here on: waiting for the editor */

/* Takes no more; waiting calls end with ERR_EDITOR_NOT_READY, running ones and jobs with
 * ERR_RECONNECT_TIMEOUT; the link to the editor is closed. */
void bridge_stop(struct bridge *b);
bool bridge_is_quiet(const struct bridge *b); /* no link is open any more */
/* fn(ctx) is called each time the last link has closed. NULL: nobody is notified. */
void bridge_on_quiet(struct bridge *b, loop_fn *fn, void *ctx);
void bridge_free(struct bridge *b); /* after the transports; NULL is fine */

/* One call of a tool of the catalog, from here to its single answer. */
void bridge_call(struct bridge *b, struct caller *caller, const struct tool *tool);

/* Whether the editor has this tool, as far as is known. */
bool bridge_has_tool(const struct bridge *b, const struct tool *tool);
/* fn(ctx) is called when other tools than before are there. NULL: nobody is notified. */
void bridge_on_tools(struct bridge *b, loop_fn *fn, void *ctx);

bool bridge_has_editor(const struct bridge *b); /* one is connected */
/* For the editor of this process, which gives way to a live one and comes back when that is gone.
 * Return how long no editor has been connected; 0: one is. */
uint64_t bridge_vacant_ms(const struct bridge *b);
/* fn(ctx) is called when the editor's link has ended and none has replaced it. NULL: nobody is
 * notified. */
void bridge_on_vacancy(struct bridge *b, loop_fn *fn, void *ctx);

/* The answer of get_editor_state, as a JSON object. */
void bridge_put_state(const struct bridge *b, struct buf *out);

/* Who serves here, for a second process that finds the port taken: {"name","version","pid",
 * "project_path",...}. */
void bridge_put_identity(const struct bridge *b, struct buf *out);

/* A number an editor counts up; not known: it does not tell. */
struct bridge_count {
    bool is_known;
    uint64_t n;
};

struct bridge_news {
    uint64_t state; /* grows when what bridge_put_state() tells has changed, but for its clocks */
    struct bridge_count scene, console; /* another number: there is something new in it */
};
struct bridge_news bridge_news(const struct bridge *b);

/* fn(ctx) is called in the loop, at most once a turn, after the state of the editor, a request or a
 * job has changed (bridge_put_state(), activity.h tell what). One for a bridge; NULL: nobody. */
void bridge_on_change(struct bridge *b, loop_fn *fn, void *ctx);
