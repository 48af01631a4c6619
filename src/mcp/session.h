/* Sessions of the legacy era: opened by initialize; ended by DELETE, after a time without use, or
 * to make room for a newer one. On stdio there is exactly one, created before initialize, that also
 * counts and cancels modern requests.
 *
 *     struct mcp_session *s = mcp_session_new(mcp, true);     // send its id to the client
 *     s->notify = notify;                                     // for messages outside of any call
 *     ...
 *     s = mcp_session_find(mcp, id);                          // NULL: 404
 *     mcp_session_touch(s);                                   // mark it as used
 *     mcp_session_end(s);
 */
#pragma once

#include "mcp/mcp_internal.h"

/* with_id: with an unguessable id, for HTTP. At the limit, end the least recently used session
 * without a connected client, preferably an idle one. Return NULL if all have a client. */
struct mcp_session *mcp_session_new(struct mcp *mcp, bool with_id);
void mcp_session_end(struct mcp_session *s); /* cancel its calls, drop its tasks, free it */

struct mcp_session *mcp_session_find(struct mcp *mcp, struct str id); /* NULL: unknown or ended */
void mcp_session_touch(struct mcp_session *s);

/* End sessions unused for MCP_SESSION_IDLE_MS. Return in how many ms to check again, or 0. */
uint64_t mcp_session_expire(struct mcp *mcp);

/* Admit a request. If its id is in use or too many are open, refuse it and return false. */
bool mcp_session_admit(struct mcp_session *s, struct mcp_call *call);

/* Return the open request with that id, or NULL. */
struct mcp_call *mcp_session_find_call(struct mcp_session *s, const struct json *id);
