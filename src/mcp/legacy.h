/* The legacy era, 2025-03-26 to 2025-11-25: initialize, sessions and its own methods.
 *
 *     call->sink = sink;                        // of a request
 *     mcp_legacy_receive(call, session);        // `call` is invalid from here on
 *
 * Before initialize, a client gets an answer only to ping. A session has at most MCP_MAX_IN_FLIGHT
 * open requests, with different ids.
 */
#pragma once

#include "mcp/mcp_internal.h"

/* Handle a message of a client with a session (of initialize: a new one): run the call or end it.
 * The transport has set the sink of a request. Notifications and responses are freed at once. */
void mcp_legacy_receive(struct mcp_call *call, struct mcp_session *session);

/* The methods. */
void mcp_legacy_initialize(struct mcp_call *call);
void mcp_legacy_ping(struct mcp_call *call);
void mcp_legacy_set_level(struct mcp_call *call);
void mcp_legacy_subscribe(struct mcp_call *call);
void mcp_legacy_unsubscribe(struct mcp_call *call);

/* Handle notifications/cancelled {requestId}; ignore unknown and malformed ids. */
void mcp_legacy_cancelled(struct mcp_session *session, const struct json *params);
