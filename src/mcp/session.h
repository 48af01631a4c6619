/* Sessions of the legacy era: opened by initialize, ended by DELETE, by time, or to make room for a
 * newer one. On stdio there is exactly one, made before initialize, that also counts and cancels
 * modern requests.
 *
 *     struct mcp_session *s = mcp_session_new(mcp, true);     // its id goes to the client
 *     s->notify = notify;                                     // to reach it outside of any call
 *     ...
 *     s = mcp_session_find(mcp, id);                          // NULL: 404
 *     mcp_session_touch(s);                                   // it is in use
 *     mcp_session_end(s);
 */
#pragma once

#include "mcp/mcp_internal.h"

/* with_id: an unguessable one, for HTTP. NULL: there are too many, each with a client attached.
 * Else the longest unused one without a client makes room; those that do nothing go first. */
struct mcp_session *mcp_session_new(struct mcp *mcp, bool with_id);
void mcp_session_end(struct mcp_session *s); /* cancels its calls, drops its tasks, frees it */

struct mcp_session *mcp_session_find(struct mcp *mcp, struct str id); /* NULL: none, or ended */
void mcp_session_touch(struct mcp_session *s);

/* Ends those nobody used for MCP_SESSION_IDLE_MS. Answers in how many ms to look again, or 0. */
uint64_t mcp_session_expire(struct mcp *mcp);

/* Takes a request in, or refuses (ends) it: its id is in use, or too many are open. */
bool mcp_session_admit(struct mcp_session *s, struct mcp_call *call);

/* The open request with that id. */
struct mcp_call *mcp_session_find_call(struct mcp_session *s, const struct json *id);
