/* The modern era, revision 2026-07-28: every request stands alone and says in _meta who asks.
 *
 *     if (mcp_2026_is_claimed(&call->message))
 *         mcp_2026_receive(call, session, http_exchange_request(x));   // checks in the order of the spec:
 *
 *   -32602  the envelope: protocolVersion, clientCapabilities, clientInfo, logLevel
 *   -32020  HTTP headers: MCP-Protocol-Version, Mcp-Method, once each and as the body says
 *   -32022  the revision is not ours
 *   -32020  Mcp-Name and Mcp-Param-... (mcp_header.h)
 *   -32601  there is no such method
 */
#pragma once

#include "mcp/mcp_core.h"

/* Does the body belong to the modern era? It claims so by a protocolVersion in params._meta. */
bool mcp_2026_is_claimed(const struct rpc_message *m);

/* A request: checks the envelope and, over HTTP, that the headers say the same as the body; ends or
 * runs the call. http is NULL on stdio, session NULL over HTTP. */
void mcp_2026_receive(struct mcp_call *call, struct mcp_session *session,
                      const struct http_request *http);

/* A request whose headers claim the modern era while its body does not: refused, with the keys it
 * lacks. */
void mcp_2026_refuse_unclaimed(struct mcp_call *call);

void mcp_2026_discover(struct mcp_call *call); /* the method */
