#include "mcp/call.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/mcp_internal.h"
#include "mcp/mcp_task.h"
#include "mcp/method.h"

#define MAX_ERROR_TEXT (16u << 10) /* what is longer was sent to us, and is cut */
#define LARGE_OBJECT   (16u << 10) /* below it one copy costs less than parts */
#define MAX_SPARE      (16u << 10) /* of memory that waits for the next answer */
#define TOO_LARGE      "The answer is larger than 64 MiB: ask for less"

_Static_assert(MCP_MAX_ANSWER == 64u << 20, "TOO_LARGE says how much it is");

/* ---- life */

struct mcp_call *mcp_call_new(struct mcp *mcp, struct buf *text, size_t max_bytes, struct buf *out)
{
    struct mcp_call *call = mem_zalloc(sizeof *call);
    call->mcp = mcp;
    call->text = *text;
    *text = (struct buf){.max = text->max};
    call->out = mcp->spare;
    call->out.max = MCP_MAX_ANSWER;
    mcp->spare = (struct buf){0};
    call->log_level = -1;
    struct str trimmed = str_trim(buf_str(&call->text));
    if (!rpc_parse(&call->message, &call->arena, trimmed, max_bytes)) {
        rpc_error(out, call->message.id, call->message.error_code, str_from(call->message.error),
                  (struct str){0});
        mcp_call_free(call);
        return NULL;
    }
    call->meta = json_get(call->message.params, STR("_meta"));
    call->bytes = call->text.cap + arena_size(&call->arena);
    mcp->open_bytes += call->bytes;
    mcp_call_join(call, NULL);
    return call;
}

static void leave(struct mcp_call *call)
{
    if (!list_is_linked(&call->link))
        return;
    list_remove(&call->link);
    call->mcp->call_count--;
    if (call->in_flight)
        call->session->call_count--;
    call->in_flight = false;
}

void mcp_call_join(struct mcp_call *call, struct mcp_session *session)
{
    leave(call);
    call->session = session;
    list_add(session ? &session->calls : &call->mcp->calls, &call->link);
    call->mcp->call_count++;
    if (session) {
        session->call_count++;
        call->in_flight = true;
    }
}

static void keep_spare(struct mcp *mcp, struct buf *out)
{
    if (mcp->spare.p || out->cap > MAX_SPARE) {
        buf_done(out);
        return;
    }
    buf_clear(out);
    mcp->spare = *out;
}

void mcp_call_free(struct mcp_call *call)
{
    timer_stop(&call->progress_timer);
    mcp_ask_unsend(call);
    list_remove(&call->wait);
    leave(call);
    call->mcp->open_bytes -= call->bytes;
    buf_done(&call->text);
    keep_spare(call->mcp, &call->out);
    buf_done(&call->progress_message);
    arena_done(&call->arena);
    free(call);
}

static void tell_program(struct mcp_call *call)
{
    loop_fn *fn = call->on_cancel;
    call->on_cancel = NULL;
    if (fn)
        fn(call->cancel_ctx); /* may end and free the call */
}

void mcp_call_cancel(struct mcp_call *call, bool finish)
{
    struct mcp_sink *sink = call->sink;
    if (call->cancelled)
        return;
    call->cancelled = true;
    call->sink = NULL;
    timer_stop(&call->progress_timer);
    if (sink && finish)
        sink->impl->finish(sink, 202, NULL, 0);
    if (call->waiting)
        mcp_call_free(call);
    else
        tell_program(call);
}

void mcp_call_drop(struct mcp_call *call, int status, const char *why)
{
    struct mcp_sink *sink = call->sink;
    if (sink) {
        struct buf out = {0};
        call->sink = NULL;
        rpc_error(&out, call->message.id, RPC_INTERNAL_ERROR, str_from(why), (struct str){0});
        sink->impl->finish(sink, status, &(struct str){out.p, out.n}, 1);
        buf_done(&out);
    }
    mcp_call_cancel(call, false);
}

void mcp_call_lost(struct mcp_call *call)
{
    if (call->era == MCP_MODERN)
        mcp_call_cancel(call, false);
    else
        call->sink = NULL;
}

void mcp_on_cancel(struct mcp_call *call, loop_fn *fn, void *ctx)
{
    call->on_cancel = fn;
    call->cancel_ctx = ctx;
}

bool mcp_is_cancelled(const struct mcp_call *call)
{
    return call->cancelled;
}

/* ---- reading */

struct arena *mcp_arena(struct mcp_call *call)
{
    return &call->arena;
}

const struct json *mcp_params(const struct mcp_call *call)
{
    return call->message.params;
}

const struct json *mcp_arguments(const struct mcp_call *call)
{
    return call->arguments;
}

struct loop *mcp_call_loop(const struct mcp_call *call)
{
    return call->mcp->loop;
}

bool mcp_is_modern(const struct mcp_call *call)
{
    return call->era == MCP_MODERN;
}

const char *mcp_client(struct mcp_call *call)
{
    const struct json *info =
        call->era == MCP_MODERN ? json_get(call->meta, STR(MCP_KEY_CLIENT_INFO)) : NULL;
    if (!info)
        return call->session ? call->session->client : "";
    char *text = arena_alloc(&call->arena, MCP_CLIENT_MAX + 1);
    mcp_read_client(info, text);
    return text;
}

const char *mcp_version(const struct mcp_call *call)
{
    return mcp_revision_name(call->revision);
}

bool mcp_client_can(const struct mcp_call *call, enum mcp_capability capability)
{
    return (call->capabilities & capability) != 0;
}

bool mcp_require(struct mcp_call *call, enum mcp_capability capability)
{
    if (mcp_client_can(call, capability))
        return true;
    mcp_fail_missing(call, capability);
    return false;
}

/* ---- progress */

/* Towards whoever can still be reached for this call. */
static void send(struct mcp_call *call, struct str message, bool may_drop)
{
    if (call->sink)
        call->sink->impl->send(call->sink, message, may_drop);
    else if (call->task && call->session && call->session->notify && call->era == MCP_LEGACY)
        call->session->notify(call->session, message);
}

static void send_progress(struct mcp_call *call)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    rpc_notification(&w, "notifications/progress");
    jsonw_key(&w, "progressToken");
    jsonw_value(&w, call->progress_token);
    jsonw_key(&w, "progress");
    jsonw_double(&w, call->progress_due);
    if (call->progress_total > 0) {
        jsonw_key(&w, "total");
        jsonw_double(&w, call->progress_total);
    }
    if (call->progress_message.n)
        jsonw_kstr(&w, "message", buf_str(&call->progress_message));
    jsonw_end(&w);
    jsonw_end(&w);
    call->progress_any = true;
    call->progress_at = loop_now(call->mcp->loop);
    send(call, buf_str(&out), true);
    buf_done(&out);
}

static void on_progress_due(void *ctx)
{
    send_progress(ctx);
}

/* The last one always reaches the client, and does so before the answer. */
static void flush_progress(struct mcp_call *call)
{
    if (!timer_is_running(&call->progress_timer))
        return;
    timer_stop(&call->progress_timer);
    send_progress(call);
}

/* ---- answering */

static void finish(const struct mcp_call *call, struct mcp_sink *sink, int status)
{
    struct str out = buf_str(&call->out);
    struct str parts[MCP_MAX_PARTS] = {out};
    if (call->object.n) {
        parts[0] = str_head(out, call->object_at);
        parts[1] = call->object;
        parts[2] = str_skip(out, call->object_at);
    }
    sink->impl->finish(sink, status, parts, call->object.n ? 3 : 1);
}

void mcp_call_finish(struct mcp_call *call, int status)
{
    flush_progress(call);
    struct mcp_sink *sink = call->sink;
    if (call->out.overflow || call->object.n > MCP_MAX_ANSWER - call->out.n) {
        buf_clear(&call->out);
        call->object = (struct str){0};
        rpc_error(&call->out, call->message.id, RPC_INTERNAL_ERROR, STR(TOO_LARGE),
                  (struct str){0});
    }
    call->sink = NULL;
    if (sink)
        finish(call, sink, status);
    mcp_call_free(call);
}

struct jsonw *mcp_result(struct mcp_call *call)
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
        mcp_fail(call, RPC_INTERNAL_ERROR, TOO_LARGE);
        return;
    }
    flush_progress(call);
    if (call->task)
        mcp_task_complete(call->task,
                          str_make(call->out.p + call->result_at, result_end - call->result_at));
    mcp_call_finish(call, 200);
}

void mcp_reply_text(struct mcp_call *call, struct str text)
{
    struct jsonw *w = mcp_result(call);
    mcp_content_begin(w);
    mcp_content_text(w, text);
    mcp_content_end(w);
    mcp_reply(call);
}

void mcp_reply_json(struct mcp_call *call, struct str object, bool is_error)
{
    struct jsonw *w = mcp_result(call);
    mcp_content_begin(w);
    jsonw_object(w);
    jsonw_kcstr(w, "type", "text");
    jsonw_key(w, "text");
    jsonw_utf8(w, object);
    jsonw_end(w);
    mcp_content_end(w);
    jsonw_key(w, "structuredContent");
    if (object.n < LARGE_OBJECT || call->task) { /* what a task keeps is one text */
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
    struct jsonw *w = mcp_result(call);
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
    struct jsonw *w = mcp_result(call);
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

/* HTTP status of an error: most are answers like any other. */
static int status_of(const struct mcp_call *call, int code)
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

static void fail(struct mcp_call *call, int code, struct str data, struct str message)
{
    flush_progress(call);
    buf_clear(&call->out);
    if (call->task) {
        struct jsonw w = jsonw_make(&call->out);
        rpc_error_object(&w, code, message, data);
        mcp_task_fail(call->task, buf_str(&call->out));
    } else {
        rpc_error(&call->out, call->message.id, code, message, data);
    }
    mcp_call_finish(call, status_of(call, code));
}

static void vfail(struct mcp_call *call, int code, struct str data, const char *fmt, va_list args)
{
    struct buf text = {0};
    buf_vprintf(&text, fmt, args);
    fail(call, code, data, utf8_head(buf_str(&text), MAX_ERROR_TEXT));
    buf_done(&text);
}

void mcp_fail(struct mcp_call *call, int code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vfail(call, code, (struct str){0}, fmt, args);
    va_end(args);
}

void mcp_fail_data(struct mcp_call *call, int code, struct str data, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vfail(call, code, data, fmt, args);
    va_end(args);
}

void mcp_fail_not_found(struct mcp_call *call, struct str uri)
{
    struct buf data = {0};
    struct jsonw w = jsonw_make(&data);
    jsonw_object(&w);
    jsonw_kstr(&w, "uri", uri);
    jsonw_end(&w);
    mcp_fail_data(call, call->era == MCP_MODERN ? RPC_INVALID_PARAMS : RPC_RESOURCE_NOT_FOUND,
                  buf_str(&data), "There is no resource %.*s: see resources/list",
                  STR_ARG(utf8_head(uri, 200)));
    buf_done(&data);
}

/* The client capabilities as the object a client would declare them with. */
static void put_required(struct jsonw *w, unsigned capabilities)
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

void mcp_fail_missing(struct mcp_call *call, unsigned capabilities)
{
    static const char text[] = "This needs a client capability that was not declared";
    struct buf required = {0}, data = {0};
    struct jsonw w = jsonw_make(&required);
    put_required(&w, capabilities);
    buf_printf(&data, "{\"requiredCapabilities\":%s}", required.p);
    if (call->era == MCP_MODERN)
        mcp_fail_data(call, RPC_MISSING_CAPABILITY, buf_str(&data), "%s: see requiredCapabilities",
                      text);
    else if (call->tool) /* something the model can be told */
        mcp_reply_tool_error(call, "%s: %s", text, required.p);
    else
        mcp_fail_data(call, RPC_INVALID_REQUEST, buf_str(&data), "%s", text);
    buf_done(&required);
    buf_done(&data);
}

/* ---- while it runs */

void mcp_progress(struct mcp_call *call, double done, double total, const char *message)
{
    if (call->cancelled)
        return;
    if (call->task && message)
        mcp_task_set_message(call->task, str_from(message));
    if (!call->progress_token || !isfinite(done) ||
        (call->progress_any && done <= call->progress_due))
        return;
    call->progress_due = done;
    call->progress_total = isfinite(total) ? total : 0;
    buf_clear(&call->progress_message);
    buf_add(&call->progress_message, utf8_head(str_from(message), MCP_MAX_STATUS));
    uint64_t now = loop_now(call->mcp->loop);
    if (!call->progress_any || now - call->progress_at >= MCP_PROGRESS_MS) {
        timer_stop(&call->progress_timer);
        send_progress(call);
    } else if (!timer_is_running(&call->progress_timer)) {
        timer_start(&call->progress_timer, call->mcp->loop,
                    call->progress_at + MCP_PROGRESS_MS - now, on_progress_due, call);
    }
}

bool mcp_wants_progress(const struct mcp_call *call)
{
    return !call->cancelled && (call->progress_token || call->task);
}

static const char *const level_names[MCP_LOG_LEVEL_COUNT] = {
    [MCP_LOG_DEBUG] = "debug",   [MCP_LOG_INFO] = "info",
    [MCP_LOG_NOTICE] = "notice", [MCP_LOG_WARNING] = "warning",
    [MCP_LOG_ERROR] = "error",   [MCP_LOG_CRITICAL] = "critical",
    [MCP_LOG_ALERT] = "alert",   [MCP_LOG_EMERGENCY] = "emergency",
};

bool mcp_log_level_from(struct str name, enum mcp_log_level *level)
{
    for (int i = 0; i < MCP_LOG_LEVEL_COUNT; i++)
        if (str_eq(name, str_from(level_names[i]))) {
            *level = (enum mcp_log_level)i;
            return true;
        }
    return false;
}

void mcp_log(struct mcp_call *call, enum mcp_log_level level, const char *logger, struct str text)
{
    int least = call->era == MCP_MODERN ? call->log_level
                : call->session         ? (int)call->session->log_level
                                        : -1;
    if (call->cancelled || least < 0 || (int)level < least)
        return;
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    rpc_notification(&w, "notifications/message");
    jsonw_kcstr(&w, "level", level_names[level]);
    if (logger)
        jsonw_kcstr(&w, "logger", logger);
    jsonw_kstr(&w, "data", text);
    jsonw_end(&w);
    jsonw_end(&w);
    send(call, buf_str(&out), true);
    buf_done(&out);
}

void mcp_close_stream(struct mcp_call *call, int retry_ms)
{
    if (call->sink && call->sink->impl->close_stream)
        call->sink->impl->close_stream(call->sink, retry_ms);
}
