#include "mcp/legacy.h"

#include "mcp/method.h"
#include "mcp/session.h"

static void put_server_info(struct jsonw *w, const struct mcp_call *call)
{
    jsonw_key(w, "serverInfo");
    jsonw_raw(w, buf_str(&call->mcp->server_info));
    if (call->mcp->impl->instructions)
        jsonw_kcstr(w, "instructions", call->mcp->impl->instructions);
}

void mcp_legacy_initialize(struct mcp_call *call)
{
    const struct json *params = call->message.params;
    const struct json *version = json_get(params, STR("protocolVersion"));
    const struct json *capabilities = json_get(params, STR("capabilities"));
    struct mcp_session *s = call->session;

    if (!json_is(version, JSON_STRING)) {
        mcp_reply_error(call, RPC_INVALID_PARAMS, "protocolVersion must be a string, not %s",
                        json_type_name(version));
        return;
    }
    if (capabilities && !json_is(capabilities, JSON_OBJECT)) {
        mcp_reply_error(call, RPC_INVALID_PARAMS, "capabilities must be an object, not %s",
                        json_type_name(capabilities));
        return;
    }
    /* An unknown version is not an error: the client decides whether it accepts ours. */
    if (!mcp_revision_from_name(json_str(version), &s->revision) || s->revision > MCP_LAST_LEGACY)
        s->revision = MCP_LAST_LEGACY;
    s->capabilities = mcp_read_capabilities(capabilities, MCP_LEGACY);
    mcp_read_client(json_get(params, STR("clientInfo")), s->client);
    s->initialized = true;
    call->revision = s->revision;

    struct jsonw *w = mcp_reply_begin(call);
    jsonw_kcstr(w, "protocolVersion", mcp_revision_name(s->revision));
    jsonw_key(w, "capabilities");
    mcp_put_capabilities(w, call->mcp, MCP_LEGACY, s->revision);
    put_server_info(w, call);
    mcp_reply(call);
}

void mcp_legacy_ping(struct mcp_call *call)
{
    mcp_reply_begin(call);
    mcp_reply(call);
}

void mcp_legacy_set_level(struct mcp_call *call)
{
    struct str name = json_str(json_get(call->message.params, STR("level")));
    if (!mcp_log_level_from_name(name, &call->session->log_level)) {
        mcp_reply_error(
            call, RPC_INVALID_PARAMS,
            "level must be one of debug, info, notice, warning, error, critical, alert, "
            "emergency");
        return;
    }
    mcp_reply_begin(call);
    mcp_reply(call);
}

static bool read_uri(struct mcp_call *call, struct str *uri)
{
    const struct json *v = json_get(call->message.params, STR("uri"));
    *uri = json_str(v);
    if (uri->n > MCP_MAX_URI) {
        mcp_reply_error(call, RPC_INVALID_PARAMS, "uri is longer than %d bytes", MCP_MAX_URI);
        return false;
    }
    if (uri->n)
        return true;
    mcp_reply_error(call, RPC_INVALID_PARAMS, "uri must be a string that names a resource, not %s",
                    uri->p ? "an empty one" : json_type_name(v));
    return false;
}

void mcp_legacy_subscribe(struct mcp_call *call)
{
    struct map *uris = &call->session->subscriptions;
    struct str uri;
    if (!read_uri(call, &uri))
        return;
    if (uris->count >= MCP_MAX_SUBSCRIPTIONS && !map_get(uris, uri)) {
        mcp_reply_error(
            call, RPC_INVALID_PARAMS,
            "A client can subscribe to at most %d resources: unsubscribe from one first",
            MCP_MAX_SUBSCRIPTIONS);
        return;
    }
    map_set(uris, uri, call->session);
    mcp_reply_begin(call);
    mcp_reply(call);
}

void mcp_legacy_unsubscribe(struct mcp_call *call)
{
    struct str uri;
    if (!read_uri(call, &uri))
        return;
    map_remove(&call->session->subscriptions, uri);
    mcp_reply_begin(call);
    mcp_reply(call);
}

void mcp_legacy_cancelled(struct mcp_session *session, const struct json *params)
{
    const struct json *id = json_get(params, STR("requestId"));
    struct mcp_call *call = id ? mcp_session_find_call(session, id) : NULL;
    if (call)
        mcp_call_cancel(call, true);
}

static void receive_request(struct mcp_call *call, struct mcp_session *s)
{
    bool is_opening = str_eq(call->message.method, STR("initialize"));
    bool is_ping = str_eq(call->message.method, STR("ping"));
    if (!mcp_session_admit(s, call))
        return;
    if (!s->initialized && !is_opening && !is_ping) {
        mcp_reply_error(call, RPC_INVALID_REQUEST,
                        "The session is not open: send initialize first");
        return;
    }
    mcp_method_run(call);
}

void mcp_legacy_receive(struct mcp_call *call, struct mcp_session *s)
{
    call->era = MCP_LEGACY;
    call->revision = s->revision;
    call->capabilities = s->capabilities;
    switch (call->message.kind) {
    case RPC_REQUEST:
        receive_request(call, s);
        return;
    case RPC_NOTIFICATION:
        if (str_eq(call->message.method, STR("notifications/cancelled")))
            mcp_legacy_cancelled(s, call->message.params);
        break;
    case RPC_RESPONSE:
        mcp_ask_on_response(s, &call->message);
        break;
    }
    mcp_call_free(call);
}
