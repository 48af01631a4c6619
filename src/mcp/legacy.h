/* The legacy era, 2025-03-26 to 2025-11-25: initialize, sessions, and what only it has.
 *
 *     call->sink = sink;                        // of a request
 *     mcp_legacy_receive(call, session);          // the call is not ours any more
 *
 * Before initialize only ping is answered. A session has at most MCP_MAX_IN_FLIGHT open requests,
 * each with an id of its own.
 */
#pragma once

#include "mcp/mcp_internal.h"

/* A message of a client with a session (initialize: a fresh one); ends or runs the call. The
 * transport has set the sink of a request. A notification or response is done when this returns. */
void mcp_legacy_receive(struct mcp_call *call, struct mcp_session *session);

/* The methods. */
void mcp_legacy_initialize(struct mcp_call *call);
void mcp_legacy_ping(struct mcp_call *call);
void mcp_legacy_set_level(struct mcp_call *call);
void mcp_legacy_subscribe(struct mcp_call *call);
void mcp_legacy_unsubscribe(struct mcp_call *call);

/* notifications/cancelled {requestId}: unknown and malformed ones are ignored. */
void mcp_legacy_cancelled(struct mcp_session *session, const struct json *params);
