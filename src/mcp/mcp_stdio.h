/* The stdio transport: one client, one JSON message per line, both eras in one process.
 *
 *     struct mcp_stdio *t = mcp_stdio_start(mcp, on_end, ctx);
 *     loop_run(loop);
 *     mcp_stop(mcp);
 *     mcp_stdio_free(t);
 *
 * Only messages are written to standard output. A line that is not a message, or is longer than
 * MCP_MAX_MESSAGE, is answered with an error; the lines after it are handled normally. At the end
 * of standard input, open requests have MCP_STDIO_GRACE_MS to finish; then, or when the client
 * stops reading, on_end is called once.
 *
 * mcp_stdio_serve() does the same over any other stream, each with its own client.
 */
#pragma once

#include "base/loop.h"
#include "mcp/mcp.h"

#define MCP_STDIO_GRACE_MS   1000u
#define MCP_STDIO_MAX_QUEUED (8u << 20)   /* unread output at which input is no longer read */
#define MCP_STDIO_MAX_UNREAD (128u << 20) /* unread output at which only answers are added */

struct mcp_stdio;
struct stream;

/* on_end NULL: stop the loop instead. */
struct mcp_stdio *mcp_stdio_start(struct mcp *mcp, loop_fn *on_end, void *ctx);

/* Serve over a two-way stream and take it over; rest: bytes that were read before. */
struct mcp_stdio *mcp_stdio_serve(struct mcp *mcp, struct stream *both, struct str rest,
                                  loop_fn *on_end, void *ctx);
bool mcp_stdio_is_flushed(const struct mcp_stdio *t); /* is all output written? true for NULL */

/* Call fn(ctx) each time all output is written. It must not use the transport. */
void mcp_stdio_on_flushed(struct mcp_stdio *t, loop_fn *fn, void *ctx);
void mcp_stdio_free(struct mcp_stdio *t); /* flush the output; NULL is fine */
