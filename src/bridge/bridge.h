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
 * Every call ends exactly once. Nothing is sent to the editor twice. Calls go out in the order of
 * their arrival, one at a time. Every error states what is known about the work.
 *
 *   request_state, job_state, server_state   the state machines, pure
 *   request, job                             calls and long operations, and who waits for them
 *   queue                                    order, the slot of the editor
 *   control                                  tools that the server answers itself
 *   editor_session, link                     the editor: hello, capability, status, replacement
 *   editor_replies                           what the editor sends about running work; resume
 *   dedupe                                   client_request_id of tools that change something
 *   activity                                 requests and jobs for observers
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

void bridge_start(struct bridge *b); /* wait for the editor */

/* Refuse new calls, end waiting calls with ERR_EDITOR_NOT_READY and running calls and jobs with
 * ERR_RECONNECT_TIMEOUT, and close the link to the editor. */
void bridge_stop(struct bridge *b);
bool bridge_is_quiet(const struct bridge *b); /* no link is open */
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

/* Append the answer of get_editor_state, a JSON object. */
void bridge_put_state(const struct bridge *b, struct buf *out);

/* Append the identity of this server, for a second process that finds the port in use:
 * {"name","version","pid","project_path",...}. */
void bridge_put_identity(const struct bridge *b, struct buf *out);

/* A counter of the editor. */
struct bridge_count {
    bool is_known;
    uint64_t n;
};

struct bridge_news {
    uint64_t state; /* grows when what bridge_put_state() shows has changed, except times */
    struct bridge_count scene, console; /* a new value: the scene or console has changed */
};
struct bridge_news bridge_news(const struct bridge *b);

/* fn(ctx) is called at most once per iteration of the loop, after the state of the editor, a
 * request or a job has changed. One function per bridge; NULL: nobody is notified. */
void bridge_on_change(struct bridge *b, loop_fn *fn, void *ctx);
