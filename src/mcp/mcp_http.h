/* Streamable HTTP: both eras on one path of an http_server.
 *
 *     struct http_server_options o = {.error_body = mcp_http_error_body};
 *     struct http_server *http = http_server_new(loop, &o);
 *     struct mcp_http *h = mcp_http_start(mcp, http, "/mcp");
 *     http_server_listen(http, 48091, &err);
 *     ...
 *     mcp_stop(mcp); http_server_stop(http); loop_run(...); mcp_http_free(h); http_server_free(http);
 *
 * POST    one message. A request is answered with JSON, or with an event stream as soon as something comes before
 *         the answer (progress, a question) or the answer takes longer than MCP_HTTP_PATIENCE_MS.
 * GET     legacy: the stream of the session's notices, or with Last-Event-ID the rest of a broken answer stream.
 * DELETE  legacy: ends the session.
 *
 * The body decides the era; headers only confirm. A closed answer stream cancels a modern request; a legacy one
 * works on and its events are kept for the client's return, within MCP_HTTP_REPLAY_MAX bytes for a session.
 */
#pragma once

#include "base/buf.h"
#include "mcp/mcp.h"

#define MCP_HTTP_PATIENCE_MS  5000u
#define MCP_HTTP_HEARTBEAT_MS 15000u /* comments on quiet streams, so that nobody takes them for dead */
#define MCP_HTTP_REPLAY_MAX   (1u << 20)

struct http_server;
struct mcp_http;

struct mcp_http *mcp_http_start(struct mcp *mcp, struct http_server *server, const char *path);
void mcp_http_free(struct mcp_http *h); /* after mcp_stop; NULL is fine */

/* For http_server_options.error_body: refusals of the server itself as JSON-RPC errors without an id. */
const char *mcp_http_error_body(struct buf *out, int status, const char *message);
