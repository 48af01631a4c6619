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

#define MAX_SPARE (16u << 10) /* memory kept for the next answer */

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

static void leave_list(struct mcp_call *call)
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
    leave_list(call);
    call->session = session;
    list_add(session ? &session->calls : &call->mcp->calls, &call->link);
    call->mcp->call_count++;
    if (session) {
        session->call_count++;
        call->in_flight = true;
    }
}

void mcp_call_run(struct mcp_call *call)
{
    const struct mcp_impl *impl = call->mcp->impl;
    if (call->tool)
        impl->call_tool(call, call->tool, call->mcp->ctx);
    else if (call->prompt)
        impl->get_prompt(call, call->prompt, call->mcp->ctx);
    else
        impl->read_resource(call, json_str(json_get(call->message.params, STR("uri"))),
                            call->mcp->ctx);
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
    mcp_ask_withdraw(call);
    list_remove(&call->wait);
    leave_list(call);
    call->mcp->open_bytes -= call->bytes;
    buf_done(&call->text);
    keep_spare(call->mcp, &call->out);
    buf_done(&call->progress_message);
    arena_done(&call->arena);
    free(call);
}

static void run_on_cancel(struct mcp_call *call)
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
        run_on_cancel(call);
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

void mcp_call_disconnect(struct mcp_call *call)
{
    if (call->era == MCP_MODERN)
        mcp_call_cancel(call, false);
    else
        call->sink = NULL;
}

void mcp_call_on_cancel(struct mcp_call *call, loop_fn *fn, void *ctx)
{
    call->on_cancel = fn;
    call->cancel_ctx = ctx;
}

bool mcp_call_is_cancelled(const struct mcp_call *call)
{
    return call->cancelled;
}

/* ---- reading */

struct arena *mcp_call_arena(struct mcp_call *call)
{
    return &call->arena;
}

const struct json *mcp_call_params(const struct mcp_call *call)
{
    return call->message.params;
}

const struct json *mcp_call_arguments(const struct mcp_call *call)
{
    return call->arguments;
}

struct loop *mcp_call_loop(const struct mcp_call *call)
{
    return call->mcp->loop;
}

bool mcp_call_is_modern(const struct mcp_call *call)
{
    return call->era == MCP_MODERN;
}

bool mcp_call_is_task(const struct mcp_call *call)
{
    return call->task != NULL;
}

const char *mcp_call_client(struct mcp_call *call)
{
    const struct json *info =
        call->era == MCP_MODERN ? json_get(call->meta, STR(MCP_KEY_CLIENT_INFO)) : NULL;
    if (!info)
        return call->session ? call->session->client : "";
    char *text = arena_alloc(&call->arena, MCP_CLIENT_MAX + 1);
    mcp_read_client(info, text);
    return text;
}

const char *mcp_call_version(const struct mcp_call *call)
{
    return mcp_revision_name(call->revision);
}

bool mcp_call_client_can(const struct mcp_call *call, enum mcp_capability capability)
{
    return (call->capabilities & capability) != 0;
}

bool mcp_call_require(struct mcp_call *call, enum mcp_capability capability)
{
    if (mcp_call_client_can(call, capability))
        return true;
    mcp_reply_missing_capability(call, capability);
    return false;
}

/* ---- progress */

/* Send to the call's sink, or for an MCP task to its session. */
static void send_message(struct mcp_call *call, struct str message, bool may_drop)
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
    send_message(call, buf_str(&out), true);
    buf_done(&out);
}

static void on_progress_due(void *ctx)
{
    send_progress(ctx);
}

void mcp_call_flush_progress(struct mcp_call *call)
{
    if (!timer_is_running(&call->progress_timer))
        return;
    timer_stop(&call->progress_timer);
    send_progress(call);
}

/* ---- answering */

static void send_answer(const struct mcp_call *call, struct mcp_sink *sink, int status)
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
    mcp_call_flush_progress(call);
    struct mcp_sink *sink = call->sink;
    if (call->out.overflow || call->object.n > MCP_MAX_ANSWER - call->out.n) {
        buf_clear(&call->out);
        call->object = (struct str){0};
        rpc_error(&call->out, call->message.id, RPC_INTERNAL_ERROR, STR(MCP_TOO_LARGE),
                  (struct str){0});
    }
    call->sink = NULL;
    if (sink)
        send_answer(call, sink, status);
    mcp_call_free(call);
}

/* ---- while it runs */

void mcp_call_progress(struct mcp_call *call, double done, double total, const char *message)
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

bool mcp_call_wants_progress(const struct mcp_call *call)
{
    return !call->cancelled && (call->progress_token || call->task);
}

void mcp_call_log(struct mcp_call *call, enum mcp_log_level level, const char *logger,
                  struct str text)
{
    int least = call->era == MCP_MODERN ? call->log_level
                : call->session         ? (int)call->session->log_level
                                        : -1;
    if (call->cancelled || least < 0 || (int)level < least)
        return;
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    rpc_notification(&w, "notifications/message");
    jsonw_kcstr(&w, "level", mcp_log_level_name(level));
    if (logger)
        jsonw_kcstr(&w, "logger", logger);
    jsonw_kstr(&w, "data", text);
    jsonw_end(&w);
    jsonw_end(&w);
    send_message(call, buf_str(&out), true);
    buf_done(&out);
}

void mcp_call_close_stream(struct mcp_call *call, int retry_ms)
{
    if (call->sink && call->sink->impl->close_stream)
        call->sink->impl->close_stream(call->sink, retry_ms);
}
