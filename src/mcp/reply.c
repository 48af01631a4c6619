/* The functions of call.h that end a call: results, tool errors and JSON-RPC errors. */
#include <assert.h>

#include "base/utf8.h"
#include "mcp/call.h"
#include "mcp/mcp_internal.h"
#include "mcp/mcp_task.h"
#include "mcp/method.h"

#define MAX_ERROR_TEXT (16u << 10) /* a longer text quotes the client's input, and is cut */
#define LARGE_OBJECT   (16u << 10) /* smaller objects are copied: that costs less than parts */

struct jsonw *mcp_reply_begin(struct mcp_call *call)
{
    assert(!call->has_result);
    call->has_result = true;
    call->w = jsonw_make(&call->out);
    rpc_begin(&call->w, call->message.id);
    jsonw_key(&call->w, "result");
    call->result_at = call->out.n;
    jsonw_object(&call->w);
    if (call->era == MCP_MODERN) {
        jsonw_key(&call->w, "resultType");
        jsonw_raw(&call->w, STR("\"complete\""));
        jsonw_key(&call->w, "_meta");
        jsonw_object(&call->w);
        jsonw_key(&call->w, MCP_KEY_SERVER_INFO);
        jsonw_raw(&call->w, buf_str(&call->mcp->server_info));
        jsonw_end(&call->w);
    }
    return &call->w;
}

void mcp_reply(struct mcp_call *call)
{
    assert(call->has_result);
    if (call->era == MCP_MODERN && call->method->cacheable) {
        jsonw_kint(&call->w, "ttlMs", call->mcp->impl->cache_ms);
        jsonw_kcstr(&call->w, "cacheScope", "private");
    }
    jsonw_end(&call->w);
    size_t result_end = call->out.n;
    jsonw_end(&call->w);
    if (call->task && call->out.overflow) {
        mcp_reply_error(call, RPC_INTERNAL_ERROR, MCP_TOO_LARGE);
        return;
    }
    mcp_call_flush_progress(call);
    if (call->task)
        mcp_task_complete(call->task,
                          str_make(call->out.p + call->result_at, result_end - call->result_at));
    mcp_call_finish(call, 200);
}

void mcp_reply_text(struct mcp_call *call, struct str text)
{
    struct jsonw *w = mcp_reply_begin(call);
    mcp_content_begin(w);
    mcp_content_text(w, text);
    mcp_content_end(w);
    mcp_reply(call);
}

void mcp_reply_json(struct mcp_call *call, struct str object, bool is_error)
{
    struct jsonw *w = mcp_reply_begin(call);
    mcp_content_begin(w);
    jsonw_object(w);
    jsonw_kcstr(w, "type", "text");
    jsonw_key(w, "text");
    jsonw_utf8(w, object);
    jsonw_end(w);
    mcp_content_end(w);
    jsonw_key(w, "structuredContent");
    if (object.n < LARGE_OBJECT || call->task) { /* a task stores the result as one text */
        jsonw_raw(w, object);
    } else {
        call->object = object;
        call->object_at = jsonw_gap(w);
    }
    if (is_error)
        jsonw_kbool(w, "isError", true);
    mcp_reply(call);
}

void mcp_reply_tool_error(struct mcp_call *call, const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    struct jsonw *w = mcp_reply_begin(call);
    mcp_content_begin(w);
    mcp_content_text(w, utf8_head(buf_str(&text), MAX_ERROR_TEXT));
    mcp_content_end(w);
    jsonw_kbool(w, "isError", true);
    buf_done(&text);
    mcp_reply(call);
}

void mcp_reply_completion(struct mcp_call *call, const struct str *values, size_t count)
{
    size_t shown = count < 100 ? count : 100; /* the protocol's limit */
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_key(w, "completion");
    jsonw_object(w);
    jsonw_key(w, "values");
    jsonw_array(w);
    for (size_t i = 0; i < shown; i++)
        jsonw_str(w, values[i]);
    jsonw_end(w);
    jsonw_kint(w, "total", (int64_t)count);
    jsonw_kbool(w, "hasMore", shown < count);
    jsonw_end(w);
    mcp_reply(call);
}

/* Return the HTTP status of an error: most are sent with 200. */
static int find_http_status(const struct mcp_call *call, int code)
{
    if (call->envelope)
        return 400;
    if (call->era != MCP_MODERN)
        return 200;
    switch (code) {
    case RPC_METHOD_NOT_FOUND:
        return 404;
    case RPC_HEADER_MISMATCH:
    case RPC_MISSING_CAPABILITY:
    case RPC_UNSUPPORTED_VERSION:
        return 400;
    default:
        return 200;
    }
}

static void send_error(struct mcp_call *call, int code, struct str data, struct str message)
{
    mcp_call_flush_progress(call);
    buf_clear(&call->out);
    if (call->task) {
        struct jsonw w = jsonw_make(&call->out);
        rpc_error_object(&w, code, message, data);
        mcp_task_fail(call->task, buf_str(&call->out));
    } else {
        rpc_error(&call->out, call->message.id, code, message, data);
    }
    mcp_call_finish(call, find_http_status(call, code));
}

static void send_formatted_error(struct mcp_call *call, int code, struct str data, const char *fmt,
                                 va_list args)
{
    struct buf text = {0};
    buf_vprintf(&text, fmt, args);
    send_error(call, code, data, utf8_head(buf_str(&text), MAX_ERROR_TEXT));
    buf_done(&text);
}

void mcp_reply_error(struct mcp_call *call, int code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    send_formatted_error(call, code, (struct str){0}, fmt, args);
    va_end(args);
}

void mcp_reply_error_data(struct mcp_call *call, int code, struct str data, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    send_formatted_error(call, code, data, fmt, args);
    va_end(args);
}

void mcp_reply_not_found(struct mcp_call *call, struct str uri)
{
    struct buf data = {0};
    struct jsonw w = jsonw_make(&data);
    jsonw_object(&w);
    jsonw_kstr(&w, "uri", uri);
    jsonw_end(&w);
    mcp_reply_error_data(
        call, call->era == MCP_MODERN ? RPC_INVALID_PARAMS : RPC_RESOURCE_NOT_FOUND, buf_str(&data),
        "There is no resource %.*s: see resources/list", STR_ARG(utf8_head(uri, 200)));
    buf_done(&data);
}

/* Write the capabilities as the object in which a client declares them. */
static void put_capabilities(struct jsonw *w, unsigned capabilities)
{
    jsonw_object(w);
    if (capabilities & MCP_CAN_SAMPLE)
        jsonw_key(w, "sampling"), jsonw_raw(w, STR("{}"));
    if (capabilities & (MCP_CAN_ELICIT | MCP_CAN_ELICIT_URL)) {
        jsonw_key(w, "elicitation");
        jsonw_raw(w, capabilities & MCP_CAN_ELICIT_URL ? STR("{\"url\":{}}") : STR("{}"));
    }
    if (capabilities & MCP_CAN_LIST_ROOTS)
        jsonw_key(w, "roots"), jsonw_raw(w, STR("{}"));
    if (capabilities & MCP_CAN_TASKS)
        jsonw_key(w, "extensions"), jsonw_raw(w, STR("{\"" MCP_EXT_TASKS "\":{}}"));
    jsonw_end(w);
}

void mcp_reply_missing_capability(struct mcp_call *call, unsigned capabilities)
{
    static const char text[] = "This needs a client capability that was not declared";
    struct buf required = {0}, data = {0};
    struct jsonw w = jsonw_make(&required);
    put_capabilities(&w, capabilities);
    buf_printf(&data, "{\"requiredCapabilities\":%s}", required.p);
    if (call->era == MCP_MODERN)
        mcp_reply_error_data(call, RPC_MISSING_CAPABILITY, buf_str(&data),
                             "%s: see requiredCapabilities", text);
    else if (call->tool) /* the model can read it */
        mcp_reply_tool_error(call, "%s: %s", text, required.p);
    else
        mcp_reply_error_data(call, RPC_INVALID_REQUEST, buf_str(&data), "%s", text);
    buf_done(&required);
    buf_done(&data);
}
