#include "mcp/modern.h"

#include "base/utf8.h"
#include "mcp/header.h"
#include "mcp/method.h"
#include "mcp/session.h"
#include "net/http.h"

bool mcp_modern_is_claimed(const struct rpc_message *m)
{
    return json_get(json_get(m->params, STR("_meta")), STR(MCP_KEY_VERSION)) != NULL;
}

static bool refuse_meta(struct mcp_call *call, int code, const char *fmt, const char *what,
                        const struct json *got) __attribute__((format(printf, 3, 0)));

static bool refuse_meta(struct mcp_call *call, int code, const char *fmt, const char *what,
                        const struct json *got)
{
    struct str text = arena_printf(&call->arena, fmt, what, json_type_name(got));
    mcp_reply_error(call, code, "%.*s", STR_ARG(text));
    return false;
}

/* Read the client, its revision and its capabilities. */
static bool read_envelope(struct mcp_call *call)
{
    const struct json *version = json_get(call->meta, STR(MCP_KEY_VERSION));
    const struct json *capabilities = json_get(call->meta, STR(MCP_KEY_CAPABILITIES));
    const struct json *info = json_get(call->meta, STR(MCP_KEY_CLIENT_INFO));
    const struct json *level = json_get(call->meta, STR(MCP_KEY_LOG_LEVEL));
    enum mcp_log_level wanted;

    if (!json_is(version, JSON_STRING))
        return refuse_meta(call, RPC_INVALID_PARAMS, "_meta[\"%s\"] must be a string, not %s",
                           MCP_KEY_VERSION, version);
    if (!json_is(capabilities, JSON_OBJECT))
        return refuse_meta(call, RPC_INVALID_PARAMS, "_meta[\"%s\"] must be an object, not %s",
                           MCP_KEY_CAPABILITIES, capabilities);
    if (info && !json_is(info, JSON_OBJECT))
        return refuse_meta(call, RPC_INVALID_PARAMS, "_meta[\"%s\"] must be an object, not %s",
                           MCP_KEY_CLIENT_INFO, info);
    if (level && !mcp_log_level_from_name(json_str(level), &wanted))
        return refuse_meta(call, RPC_INVALID_PARAMS,
                           "_meta[\"%s\"] must be a logging level such as \"info\"%.0s",
                           MCP_KEY_LOG_LEVEL, level);
    if (level)
        call->log_level = (int)wanted;
    call->capabilities = mcp_read_capabilities(capabilities, MCP_MODERN);
    return true;
}

static bool check_version(struct mcp_call *call)
{
    struct str version = json_str(json_get(call->meta, STR(MCP_KEY_VERSION)));
    enum mcp_revision r;
    if (mcp_revision_from_name(version, &r) && r > MCP_LAST_LEGACY) {
        call->revision = r;
        return true;
    }
    struct buf data = {0};
    struct jsonw w = jsonw_make(&data);
    jsonw_object(&w);
    jsonw_key(&w, "supported");
    jsonw_array(&w);
    for (enum mcp_revision i = MCP_LAST_LEGACY + 1; i < MCP_REVISION_COUNT; i++)
        jsonw_cstr(&w, mcp_revision_name(i));
    jsonw_end(&w);
    jsonw_kstr(&w, "requested", version);
    jsonw_end(&w);
    mcp_reply_error_data(call, RPC_UNSUPPORTED_VERSION, buf_str(&data),
                         "This server does not support revision %.*s: use one in `supported`",
                         STR_ARG(utf8_head(version, 64)));
    buf_done(&data);
    return false;
}

static bool refuse_header(struct mcp_call *call, const char *header, struct str want)
{
    mcp_reply_error(
        call, RPC_HEADER_MISMATCH,
        "The header %s is missing, duplicate or different from the body, which has: %.*s", header,
        STR_ARG(utf8_head(want, 200)));
    return false;
}

/* Check that a header is there once and equals the body. */
static bool check_one_header(struct mcp_call *call, const struct http_request *http,
                             const char *name, struct str want)
{
    if (http_field_times(http, str_from(name)) == 1 &&
        mcp_header_equal(http_field_value(http, str_from(name)), want))
        return true;
    return refuse_header(call, name, want);
}

static bool check_param_headers(struct mcp_call *call, const struct http_request *http)
{
    struct str name = json_str(json_get(call->message.params, STR("name")));
    const struct json *arguments = json_get(call->message.params, STR("arguments"));
    const struct mcp_tool_entry *tool = map_get(&call->mcp->tool_names, name);
    for (size_t i = 0; tool && i < tool->header_count; i++) {
        const struct mcp_param_header *h = &tool->headers[i];
        if (!mcp_header_agrees(h, arguments, http))
            return refuse_header(call, h->header, STR("the argument with this x-mcp-header"));
    }
    return true;
}

static bool check_headers(struct mcp_call *call, const struct http_request *http)
{
    struct str version = json_str(json_get(call->meta, STR(MCP_KEY_VERSION)));
    return check_one_header(call, http, "MCP-Protocol-Version", version) &&
           check_one_header(call, http, "Mcp-Method", call->message.method);
}

static bool check_name_headers(struct mcp_call *call, const struct http_request *http)
{
    const char *param = call->method->name_param;
    const struct json *name = param ? json_get(call->message.params, str_from(param)) : NULL;
    /* Missing in both body and header: the method reports the missing parameter. */
    bool absent = !json_is(name, JSON_STRING) && !http_field_times(http, STR("Mcp-Name"));
    if (param && !absent && !check_one_header(call, http, "Mcp-Name", json_str(name)))
        return false;
    return !str_eq(call->message.method, STR("tools/call")) || check_param_headers(call, http);
}

void mcp_modern_refuse_unclaimed(struct mcp_call *call)
{
    call->era = MCP_MODERN;
    call->envelope = true;
    mcp_reply_error(
        call, RPC_INVALID_PARAMS,
        "params._meta must have \"%s\" and \"%s\": the MCP-Protocol-Version header names a "
        "revision that requires them in every request",
        MCP_KEY_VERSION, MCP_KEY_CAPABILITIES);
}

void mcp_modern_receive(struct mcp_call *call, struct mcp_session *session,
                        const struct http_request *http)
{
    call->era = MCP_MODERN;
    call->revision = MCP_2026_07_28;
    call->envelope = true;
    if (!read_envelope(call) || (http && !check_headers(call, http)) || !check_version(call))
        return;
    call->method = mcp_method_find(call->mcp, call->message.method, MCP_MODERN);
    if (call->method && http && !check_name_headers(call, http))
        return;
    call->envelope = false;
    if (!session || mcp_session_admit(session, call))
        mcp_method_run(call);
}

void mcp_modern_discover(struct mcp_call *call)
{
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_key(w, "supportedVersions");
    jsonw_array(w);
    for (enum mcp_revision r = MCP_LAST_LEGACY + 1; r < MCP_REVISION_COUNT; r++)
        jsonw_cstr(w, mcp_revision_name(r));
    jsonw_end(w);
    jsonw_key(w, "capabilities");
    mcp_put_capabilities(w, call->mcp, MCP_MODERN, call->revision);
    if (call->mcp->impl->instructions)
        jsonw_kcstr(w, "instructions", call->mcp->impl->instructions);
    mcp_reply(call);
}
