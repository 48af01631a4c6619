/* The console page and its data: `/` is the page, `/api` its data, one stream of events.
 *
 *     struct console *c = console_start(&(struct console_options){
 *         .loop = loop, .http = http, .bridge = bridge, .self = "/usr/bin/multiverse"});
 *     ...
 *     console_stop(c);                          // ends streams and children; then wait for quiet
 *     http_server_free(http);
 *     console_free(c);
 *
 * The page calls tools through /mcp like any other client. This folder serves the rest: the feed,
 * the activity of all clients, the tooling, the tasks. docs/console.md lists the routes.
 *
 *   page.c        the files of the page, which are built into the program
 *   api.[ch]      shared by all routes: bodies, answers, errors, permission to change something
 *   feed.c        one stream of events for each open page
 *   activity.c    requests and jobs
 *   tooling*.c    tooling.json, cooldowns, agents, decisions
 *   tasks*.c      tasks, logs, the graph, goals
 *
 * Nothing here blocks the loop: files and the ledger are used on the loop's pool, tasks through a
 * thread, agents through children. Stores are opened when a page first asks for their data, so a
 * server without an open page costs nothing more.
 *
 * Safety: the listener checks Host, Origin and token (http_guard.h); the files of the page need no
 * token, because they contain no data. A change is a POST of application/json with an Origin, which
 * only a page of this server has. Every answer has a strict Content-Security-Policy, nosniff,
 * no-store and no referrer.
 */
#pragma once

#include "base/loop.h"

struct bridge;
struct http_server;
struct console;

#define CONSOLE_GOAL_SILENCE_S 120u

struct console_options { /* texts are copied */
    struct loop *loop;
    struct http_server *http;
    struct bridge *bridge;
    const char *project;     /* folder of the project */
    const char *store;       /* of tasks and ledger: a URL or a path; NULL: the user's own */
    const char *tooling;     /* path of tooling.json; NULL: the user's own */
    const char *self;        /* path of this program, for children */
    unsigned goal_silence_s; /* ends a planner that reports nothing for longer; 0: the default */
};

struct console *console_start(const struct console_options *options); /* adds its routes */
void console_stop(struct console *c);
bool console_is_quiet(const struct console *c); /* no child, no job, no open thread is left */
/* After console_stop(), fn(ctx) is called each time the console may have become quiet. */
void console_on_quiet(struct console *c, loop_fn *fn, void *ctx);
void console_free(struct console *c); /* NULL is allowed */
