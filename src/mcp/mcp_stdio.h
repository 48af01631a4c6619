/* The stdio transport: one client, one JSON message per line, both eras in one process.
 *
 *     struct mcp_stdio *t = mcp_stdio_start(mcp, on_end, ctx);
 *     ...
 *     mcp_stop(mcp); mcp_stdio_free(t);
 *
 * Nothing but messages goes to standard output. A line that is no message is answered with an error
 * and the next one works, also behind one that is too long (MCP_MAX_MESSAGE). At the end of
 * standard input open requests get MCP_STDIO_GRACE_MS to finish; then, or when the client stops
 * reading, on_end is called once.
 *
 * The same over any other stream, with a client of its own each: mcp_stdio_serve().
 */
#pragma once

#include "base/loop.h"
#include "mcp/mcp.h"

#define MCP_STDIO_GRACE_MS   1000u
#define MCP_STDIO_MAX_QUEUED (8u << 20)   /* so much unread output, and no more input is taken */
#define MCP_STDIO_MAX_UNREAD (128u << 20) /* so much, and only answers are still added to it */

struct mcp_stdio;
struct stream;

/* on_end NULL: the loop is stopped instead. */
struct mcp_stdio *mcp_stdio_start(struct mcp *mcp, loop_fn *on_end, void *ctx);

/* Over a stream that goes both ways, which it takes over; rest: bytes that were read before. */
struct mcp_stdio *mcp_stdio_serve(struct mcp *mcp, struct stream *both, struct str rest,
                                  loop_fn *on_end, void *ctx);
bool mcp_stdio_is_flushed(const struct mcp_stdio *t); /* nothing waits to be written; NULL: yes */
/* fn(ctx) is called each time it has become flushed. It must not use the transport. */
void mcp_stdio_on_flushed(struct mcp_stdio *t, loop_fn *fn, void *ctx);
void mcp_stdio_free(struct mcp_stdio *t);             /* flushes what is written; NULL is fine */
