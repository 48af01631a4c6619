/* Two agents, one editor: a second `serve --stdio` on a port where a server of the same project
 * runs becomes a client of that server.
 *
 *     agent 1 -- stdio -- serve (the server) -- editor
 *                           ^
 *     agent 2 -- stdio -- serve: attached, passes bytes on
 *
 * The attached process asks GET /api/server which server it is, then opens GET /api/stdio with
 * "Upgrade: mcp-stdio". From there on the connection carries the lines of standard input and
 * output, and the server treats it as one more client on stdio. If another program has the port, or
 * the server of another project, attach_run() fails.
 */
#pragma once

#include "base/error.h"
#include "base/loop.h"
#include "base/str.h"

#define ATTACH_SERVER   "/api/server"
#define ATTACH_STDIO    "/api/stdio"
#define ATTACH_PROTOCOL "mcp-stdio"
#define ATTACH_MAX      64u /* clients at once */

struct attach;
struct http_server;
struct mcp;

/* The server's side. */
struct attach *attach_serve(struct mcp *mcp, struct http_server *server);
bool attach_is_flushed(const struct attach *a);
/* fn(ctx) is called each time it may have become flushed. */
void attach_on_flushed(struct attach *a, loop_fn *fn, void *ctx);
void attach_free(struct attach *a); /* call it before http_server_free(); NULL is allowed */

/* Does the server that sent `identity` (GET ATTACH_SERVER) serve this project, by its own option or
 * by what its editor has open? */
struct json;
bool attach_is_project(const struct json *identity, struct str project);

/* The client's side. */
struct attach_target {
    uint16_t port;
    struct str token;    /* empty: none */
    const char *project; /* of this process */
};

enum attach_end {
    ATTACH_CLOSED,  /* standard input or output ended, or a signal came */
    ATTACH_REFUSED, /* nothing was attached: another program or project, a missing token */
    ATTACH_FAILED   /* the server refused the connection or ended it */
};

/* Attach standard input and output until either side closes. err is set unless it is
 * ATTACH_CLOSED. */
enum attach_end attach_run(const struct attach_target *target, struct error *err);
