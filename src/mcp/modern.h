/* The modern era, revision 2026-07-28: every request is independent and describes its client in
 * _meta.
 *
 *     if (mcp_modern_is_claimed(&call->message))
 *         mcp_modern_receive(call, session, http_exchange_request(x));
 *
 * The checks, in the order of the spec:
 *
 *   -32602  the envelope: protocolVersion, clientCapabilities, clientInfo, logLevel
 *   -32020  HTTP headers: MCP-Protocol-Version, Mcp-Method, once each and equal to the body
 *   -32022  the server does not support the revision
 *   -32020  Mcp-Name and Mcp-Param-... (header.h)
 *   -32601  the method does not exist
 */
#pragma once

#include "mcp/mcp_internal.h"

/* Does the body claim the modern era, by a protocolVersion in params._meta? */
bool mcp_modern_is_claimed(const struct rpc_message *m);

/* Handle a request: check the envelope and, over HTTP, that the headers agree with the body; then
 * run the call or end it. http is NULL on stdio, session is NULL over HTTP. */
void mcp_modern_receive(struct mcp_call *call, struct mcp_session *session,
                        const struct http_request *http);

/* Refuse a request whose headers claim the modern era while its body does not, and name the missing
 * keys. */
void mcp_modern_refuse_unclaimed(struct mcp_call *call);

void mcp_modern_discover(struct mcp_call *call); /* the method */
