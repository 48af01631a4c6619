/* The MCP server in front of a bridge: each tools/call becomes a caller of the bridge.
 *
 *     struct bridge *b = bridge_new(loop, &options);
 *     struct bridge_mcp *m = bridge_mcp_new(loop, b);
 *     mcp_http_start(bridge_mcp_server(m), http, "/mcp");
 *     bridge_start(b);
 *     loop_run(loop);
 *     bridge_stop(b);                           // every call gets its answer
 *     bridge_mcp_stop(m);                       // sessions end; let the answers go out
 *     ...                                       // free the transports
 *     bridge_mcp_free(m);
 *     bridge_free(b);
 *
 * The list of tools follows what the connected editor has.
 */
#pragma once

#include "base/loop.h"

struct bridge;
struct bridge_mcp;
struct mcp;

struct bridge_mcp *bridge_mcp_new(struct loop *loop, struct bridge *bridge);
struct mcp *bridge_mcp_server(struct bridge_mcp *m); /* for the transports */
void bridge_mcp_stop(struct bridge_mcp *m);
/* After the transports and before the bridge, which must be stopped. NULL is fine. */
void bridge_mcp_free(struct bridge_mcp *m);
