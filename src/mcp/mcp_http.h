/* Streamable HTTP: both eras on one path of an http_server.
 *
 *     struct http_server_options o = {.error_body = mcp_http_error_body};
 *     struct http_server *http = http_server_new(loop, &o);
 *     struct mcp_http *h = mcp_http_start(mcp, http, "/mcp");
 *     http_server_listen(http, 48091, &err);
 *     loop_run(loop);
 *     mcp_stop(mcp);                // then run the loop until the last answers are sent
 *     http_server_free(http);
 *     mcp_http_free(h);
 *     mcp_free(mcp);
 *
 * POST    one message. The answer to a request is JSON, or an event stream if a message precedes it
 *         (progress, a question) or it takes longer than MCP_HTTP_PATIENCE_MS.
 * GET     legacy: the stream of the session's notifications, or with Last-Event-ID the rest of an
 *         answer stream that broke.
 * DELETE  legacy: end the session.
 *
 * The body decides the era; the headers only confirm it. When the client closes an answer stream, a
 * modern request is cancelled; a legacy one continues, and its events are kept for the client to
 * reconnect, up to MCP_HTTP_REPLAY_MAX bytes per session and 64 times that for all.
 */
#pragma once

#include "base/buf.h"
#include "mcp/mcp.h"

#define MCP_HTTP_PATIENCE_MS  5000u
#define MCP_HTTP_HEARTBEAT_MS 15000u /* interval of comments on a quiet stream */
#define MCP_HTTP_REPLAY_MAX   (1u << 20)

struct http_server;
struct mcp_http;

struct mcp_http *mcp_http_start(struct mcp *mcp, struct http_server *server, const char *path);
void mcp_http_free(struct mcp_http *h); /* after mcp_stop; NULL is fine */

/* For http_server_options.error_body: write refusals as JSON-RPC errors without an id. */
const char *mcp_http_error_body(struct buf *out, int status, const char *message);
