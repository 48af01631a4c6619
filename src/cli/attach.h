/* Two agents, one editor: a second `serve --stdio` on a port where a server of the same project
 * runs becomes a client of that server.
 *
 *     agent 1 -- stdio -- serve (the server) -- editor
 *                           ^
 *     agent 2 -- stdio -- serve: attached, passes bytes on
 *
 * The attached process asks GET /api/server who is there, then opens GET /api/stdio with "Upgrade:
 * mcp-stdio": from there on the connection carries what standard input and output would, line by
 * line, and the server treats it as one more client on stdio. Another program on the port, or the
 * server of another project, is a clear error.
 */
#pragma once

#include "base/loop.h"
#include "base/str.h"

#define ATTACH_WHO      "/api/server"
#define ATTACH_STDIO    "/api/stdio"
#define ATTACH_PROTOCOL "mcp-stdio"
#define ATTACH_MAX      64u /* at once */

struct attach;
struct http_server;
struct mcp;

/* The server's side. */
struct attach *attach_serve(struct mcp *mcp, struct http_server *server);
bool attach_is_flushed(const struct attach *a);
void attach_free(struct attach *a); /* before the HTTP server; NULL is fine */

/* Is the server that says this of itself (GET ATTACH_WHO) for that project, by what it was started
 * for or by what its editor has open? */
struct json;
bool attach_is_project(const struct json *who, struct str project);

struct attach_target {
    uint16_t port;
    struct str token;    /* empty: none */
    const char *project; /* ours */
};

/* The other side: runs the loop until either end closes; answers the exit code of the command, and
 * has said why if it is not 0. */
int attach_run(struct loop *loop, const struct attach_target *target);
