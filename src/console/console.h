/* The console page and its data: `/` is the page, `/api` what it shows, one stream of events.
 *
 *     struct console *c = console_start(&(struct console_options){
 *         .loop = loop, .http = http, .bridge = bridge, .self = "/usr/bin/multiverse"});
 *     ...
 *     console_stop(c);                          // ends streams and children; console_is_quiet()
 *     http_server_free(http);
 *     console_free(c);
 *
 * The page calls tools through /mcp like any other client; here is what tools do not tell: the
 * feed, the activity of all clients, the tooling, the tasks. docs/console.md lists the routes.
 *
 *   console_page.c        the files of the page, as they were built in
 *   console_api.[ch]      what all routes share: bodies, answers, errors, who may change something
 *   console_feed.[ch]     one stream of events for each page that is open
 *   console_activity.c    requests and jobs
 *   console_tooling*.c    tooling.json, rests, agents, decisions
 *   console_tasks*.c      tasks, logs, the graph, goals
 *
 * Nothing here blocks the loop: files and the ledger are used on the loop's pool, tasks through a
 * thread, agents through children. Stores are opened when a page first asks for what is in them: a
 * server that nobody looks at costs nothing more.
 *
 * Safety: Host, Origin and token are the listener's (http_guard.h); the files of the page need no
 * token, as there is nothing in them. What changes something is a POST of application/json with an
 * Origin, which only a page of this server has. Every answer has a strict Content-Security-Policy,
 * nosniff, no-store and no referrer.
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
    const char *project;     /* the folder that is served */
    const char *store;       /* of tasks and ledger: a URL or a path; NULL: the user's own */
    const char *tooling;     /* path of tooling.json; NULL: the user's own */
    const char *self;        /* path of this program, for children */
    unsigned goal_silence_s; /* ends a planner that is silent for longer; 0: the default */
};

struct console *console_start(const struct console_options *options); /* adds its routes */
void console_stop(struct console *c);
bool console_is_quiet(const struct console *c); /* no child, no job, no open thread is left */
/* After console_stop(), fn(ctx) is called each time the console may have become quiet. */
void console_on_quiet(struct console *c, loop_fn *fn, void *ctx);
void console_free(struct console *c); /* NULL is fine */

/* Whether the page was built in. Without it `/` is a line of text that says how to get it. */
bool console_has_page(void);
