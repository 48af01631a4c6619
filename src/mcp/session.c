#include "mcp/session.h"

#include <stdlib.h>

#include "base/mem.h"
#include "mcp/mcp_task.h"

/* Has the session no connected client? Its calls may continue for one that reconnects. */
static bool has_no_client(const struct mcp_session *s)
{
    return s->id[0] && !s->open_streams;
}

/* End the least recently used session without a client, preferably one without open calls. */
static bool make_session_room(struct mcp *mcp)
{
    struct mcp_session *victim = NULL;
    if (mcp->session_ids.count < MCP_MAX_SESSIONS)
        return true;
    LIST_EACH (&mcp->sessions, struct mcp_session, link, s) {
        if (!has_no_client(s) || (victim && !list_is_empty(&s->calls)))
            continue;
        victim = s;
        if (list_is_empty(&s->calls))
            break;
    }
    mcp_session_end(victim);
    return victim != NULL;
}

struct mcp_session *mcp_session_new(struct mcp *mcp, bool with_id)
{
    if (with_id && !make_session_room(mcp))
        return NULL;
    struct mcp_session *s = mem_zalloc(sizeof *s);
    s->mcp = mcp;
    s->revision = MCP_LAST_LEGACY;
    s->log_level = MCP_LOG_INFO;
    s->last_used = loop_now(mcp->loop);
    list_init(&s->calls);
    list_init(&s->asked);
    list_init(&s->streams);
    list_add(&mcp->sessions, &s->link);
    if (with_id) {
        id_new(s->id);
        map_set(&mcp->session_ids, str_from(s->id), s);
    }
    return s;
}

void mcp_session_end(struct mcp_session *s)
{
    if (!s)
        return;
    if (s->id[0])
        map_remove(&s->mcp->session_ids, str_from(s->id));
    list_remove(&s->link);
    s->notify = NULL;
    mcp_task_end_session(s);
    while (!list_is_empty(&s->calls)) {
        struct mcp_call *call = LIST_FIRST(&s->calls, struct mcp_call, link);
        mcp_ask_withdraw(call);
        mcp_call_join(call, NULL);
        if (s->mcp->stopping)
            mcp_call_drop(call, 503, "The server is stopping");
        else
            mcp_call_drop(call, 404, "The session has ended: send initialize again");
    }
    if (s->on_end)
        s->on_end(s);
    map_done(&s->subscriptions);
    free(s);
}

struct mcp_session *mcp_session_find(struct mcp *mcp, struct str id)
{
    return map_get(&mcp->session_ids, id);
}

void mcp_session_touch(struct mcp_session *s)
{
    s->last_used = loop_now(s->mcp->loop);
    list_remove(&s->link);
    list_add(&s->mcp->sessions, &s->link);
}

uint64_t mcp_session_expire(struct mcp *mcp)
{
    uint64_t now = loop_now(mcp->loop);
    for (;;) {
        struct mcp_session *s = LIST_FIRST(&mcp->sessions, struct mcp_session, link);
        if (!s)
            return 0;
        if (now - s->last_used < MCP_SESSION_IDLE_MS) /* the list is sorted by last use */
            return s->last_used + MCP_SESSION_IDLE_MS - now;
        if (has_no_client(s))
            mcp_session_end(s);
        else
            mcp_session_touch(s);
    }
}

struct mcp_call *mcp_session_find_call(struct mcp_session *s, const struct json *id)
{
    LIST_EACH (&s->calls, struct mcp_call, link, call)
        if (rpc_same_id(call->message.id, id))
            return call;
    return NULL;
}

bool mcp_session_admit(struct mcp_session *s, struct mcp_call *call)
{
    if (mcp_session_find_call(s, call->message.id)) {
        mcp_reply_error(call, RPC_INVALID_REQUEST,
                        "A request with this id is still open: use another id");
        return false;
    }
    if (s->call_count >= MCP_MAX_IN_FLIGHT) {
        mcp_reply_error(call, RPC_INTERNAL_ERROR,
                        "%d requests are open already: wait for an answer before sending more",
                        MCP_MAX_IN_FLIGHT);
        return false;
    }
    mcp_call_join(call, s);
    return true;
}
