/* The modern era, revision 2026-07-28: every request stands alone and says in _meta who asks.
 *
 *     if (mcp_modern_is_claimed(&call->message))
 *         mcp_modern_receive(call, session, http_exchange_request(x));   // checks in the order of the spec:
 *
 *   -32602  the envelope: protocolVersion, clientCapabilities, clientInfo, logLevel
 *   -32020  HTTP headers: MCP-Protocol-Version, Mcp-Method, once each and as the body says
 *   -32022  the revision is not ours
 *   -32020  Mcp-Name and Mcp-Param-... (header.h)
 *   -32601  there is no such method
 */
#pragma once

#include "mcp/mcp_internal.h"

/* Does the body belong to the modern era? It claims so by a protocolVersion in params._meta. */
bool mcp_modern_is_claimed(const struct rpc_message *m);

/* A request: checks the envelope and, over HTTP, that the headers say the same as the body; ends or
 * runs the call. http is NULL on stdio, session NULL over HTTP. */
void mcp_modern_receive(struct mcp_call *call, struct mcp_session *session,
                        const struct http_request *http);

/* A request whose headers claim the modern era while its body does not: refused, with the keys it
 * lacks. */
void mcp_modern_refuse_unclaimed(struct mcp_call *call);

void mcp_modern_discover(struct mcp_call *call); /* the method */
