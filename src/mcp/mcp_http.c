#include "mcp/mcp_http.h"

#include <stdlib.h>

#include "base/mem.h"
#include "mcp/legacy.h"
#include "mcp/mcp_internal.h"
#include "mcp/mcp_stream.h"
#include "mcp/modern.h"
#include "mcp/session.h"
#include "net/http_server.h"
#include "net/sse.h"

struct mcp_http {
    struct mcp *mcp;
    struct list open; /* struct mcp_stream with a client attached */
    struct timer sweep;
    uint64_t sweep_due;
    struct timer expiry; /* runs while there are sessions */
};

static void on_sweep(void *ctx);

/* Run the sweep in `ms` at the latest. Without open streams there is none. */
static void plan_sweep(struct mcp_http *h, uint64_t ms)
{
    uint64_t due = loop_now(h->mcp->loop) + ms;
    if (timer_is_running(&h->sweep) && h->sweep_due <= due)
        return;
    h->sweep_due = due;
    timer_start(&h->sweep, h->mcp->loop, ms, on_sweep, h);
}

/* ---- refusals */

const char *mcp_http_error_body(struct buf *out, int status, const char *message)
{
    rpc_error(out, NULL, status < 500 ? RPC_INVALID_REQUEST : RPC_INTERNAL_ERROR, str_from(message),
              (struct str){0});
    return "application/json";
}

/* A duplicate of any of these headers is ambiguous, so refuse it. */
static bool check_duplicates(struct http_exchange *x)
{
    static const char *const names[] = {"Content-Type", "Mcp-Session-Id", "Last-Event-ID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (http_field_times(http_exchange_request(x), str_from(names[i])) > 1) {
            http_exchange_refuse(x, 400, "Duplicate header: %s", names[i]);
            return false;
        }
    return true;
}

/* Does an Accept header allow the type, by its name or its kind? There may be several. */
static bool accepts_type(const struct http_exchange *x, struct str type, struct str kind)
{
    const struct http_request *r = http_exchange_request(x);
    for (size_t i = 0; i < r->field_count; i++) {
        struct str value = r->fields[i].value;
        if (str_eq_nocase(r->fields[i].name, STR("Accept")) &&
            (http_has_token(value, type) || http_has_token(value, kind) ||
             http_has_token(value, STR("*/*"))))
            return true;
    }
    return false;
}

/* The rules for the headers of a POST (docs/spec/40-mcp.md). */
static bool check_content(struct http_exchange *x)
{
    struct str type = http_exchange_header(x, STR("Content-Type")), media;
    str_cut(&type, ';', &media);
    if (!str_eq_nocase(str_trim(media), STR("application/json"))) {
        http_exchange_refuse(x, 415, "Content-Type must be application/json");
        return false;
    }
    if (!accepts_type(x, STR("application/json"), STR("application/*")) ||
        !accepts_type(x, STR("text/event-stream"), STR("text/*"))) {
        http_exchange_refuse(x, 406, "Accept must allow application/json and text/event-stream");
        return false;
    }
    return true;
}

/* ---- sessions */

static struct mcp_stream *find_notice_stream(const struct mcp_session *s)
{
    LIST_EACH (&s->streams, struct mcp_stream, link, stream)
        if (stream->is_get)
            return stream;
    return NULL;
}

static void send_notification(struct mcp_session *s, struct str message)
{
    struct mcp_stream *stream = find_notice_stream(s);
    if (stream)
        mcp_stream_send(stream, message, false);
}

static void on_session_end(struct mcp_session *s)
{
    while (!list_is_empty(&s->streams))
        mcp_stream_free(LIST_FIRST(&s->streams, struct mcp_stream, link));
}

static void on_expiry(void *ctx)
{
    struct mcp_http *h = ctx;
    uint64_t left = mcp_session_expire(h->mcp);
    if (left)
        timer_start(&h->expiry, h->mcp->loop, left, on_expiry, h);
}

static struct mcp_session *open_session(struct mcp_http *h)
{
    struct mcp_session *s = mcp_session_new(h->mcp, true);
    if (!s)
        return NULL;
    if (!timer_is_running(&h->expiry))
        timer_start(&h->expiry, h->mcp->loop, MCP_SESSION_IDLE_MS, on_expiry, h);
    s->notify = send_notification;
    s->on_end = on_session_end;
    return s;
}

/* Check the version of a legacy request; it may be absent. */
static bool check_version(struct http_exchange *x)
{
    struct str version = http_exchange_header(x, STR("MCP-Protocol-Version"));
    enum mcp_revision r;
    if (http_field_times(http_exchange_request(x), STR("MCP-Protocol-Version")) > 1) {
        http_exchange_refuse(x, 400, "Duplicate header: MCP-Protocol-Version");
        return false;
    }
    if (!version.p || (mcp_revision_from_name(version, &r) && r <= MCP_LAST_LEGACY))
        return true;
    http_exchange_refuse(
        x, 400, "MCP-Protocol-Version %.*s is not supported here: use %s, or %s without a session",
        STR_ARG(str_head(version, 64)), mcp_revision_name(MCP_LAST_LEGACY),
        mcp_revision_name(MCP_2026_07_28));
    return false;
}

/* Return the session of a legacy request, or refuse the request and return NULL. */
static struct mcp_session *find_session(struct mcp_http *h, struct http_exchange *x)
{
    struct str id = http_exchange_header(x, STR("Mcp-Session-Id"));
    if (!check_version(x))
        return NULL;
    if (!id.n) {
        http_exchange_refuse(
            x, 400,
            "Mcp-Session-Id is missing: send initialize first and use the id in its "
            "answer");
        return NULL;
    }
    struct mcp_session *s = mcp_session_find(h->mcp, id);
    if (!s) {
        http_exchange_refuse(x, 404, "Unknown or ended session: send initialize again");
        return NULL;
    }
    mcp_session_touch(s);
    return s;
}

/* ---- POST */

static struct mcp_stream *attach_call(struct mcp_http *h, struct mcp_call *call,
                                      struct mcp_session *session, struct http_exchange *x)
{
    struct mcp_stream *s = mcp_stream_new(x, session, &h->open);
    s->call = call;
    call->sink = &s->sink;
    plan_sweep(h, MCP_HTTP_PATIENCE_MS);
    return s;
}

static void post_initialize(struct mcp_http *h, struct mcp_call *call, struct http_exchange *x)
{
    if (!check_version(x)) {
        mcp_call_free(call);
        return;
    }
    struct mcp_session *s = open_session(h);
    if (!s) {
        mcp_call_free(call);
        http_exchange_refuse(x, 503, "All %d sessions are in use: end one first", MCP_MAX_SESSIONS);
        return;
    }
    attach_call(h, call, s, x);
    mcp_legacy_receive(call, s);
    if (!s->initialized)
        mcp_session_end(s);
}

static void post_legacy(struct mcp_http *h, struct mcp_call *call, struct http_exchange *x)
{
    bool request = call->message.kind == RPC_REQUEST;
    if (request && str_eq(call->message.method, STR("initialize"))) {
        post_initialize(h, call, x);
        return;
    }
    struct mcp_session *s = find_session(h, x);
    if (!s) {
        mcp_call_free(call);
        return;
    }
    if (request) {
        attach_call(h, call, s, x);
        mcp_legacy_receive(call, s);
        return;
    }
    mcp_legacy_receive(call, s);
    http_exchange_reply(x, 202, NULL, (struct str){0});
}

/* The body decides the era, the header confirms it (rules in docs/spec/40-mcp.md, 2). */
static void post_message(struct mcp_http *h, struct mcp_call *call, struct http_exchange *x)
{
    const struct rpc_message *m = &call->message;
    struct str version = http_exchange_header(x, STR("MCP-Protocol-Version"));
    enum mcp_revision r;
    bool modern_header = mcp_revision_from_name(version, &r) && r > MCP_LAST_LEGACY;

    if (m->kind == RPC_REQUEST && mcp_modern_is_claimed(m)) {
        const struct http_request *http = http_exchange_request(x);
        attach_call(h, call, NULL, x);
        mcp_modern_receive(call, NULL, http);
    } else if (m->kind == RPC_REQUEST && modern_header) {
        attach_call(h, call, NULL, x);
        if (str_eq(m->method, STR("initialize"))) {
            call->envelope = true;
            mcp_reply_error(call, RPC_HEADER_MISMATCH,
                            "initialize opens a session of an older revision, the header says %.*s",
                            STR_ARG(version));
        } else {
            mcp_modern_refuse_unclaimed(call);
        }
    } else if (modern_header || (m->kind != RPC_RESPONSE && mcp_modern_is_claimed(m))) {
        bool response = m->kind == RPC_RESPONSE;
        mcp_call_free(call);
        if (response)
            http_exchange_refuse(
                x, 400, "In this revision the server sends no requests: do not send responses");
        else
            http_exchange_reply(x, 202, NULL, (struct str){0});
    } else {
        post_legacy(h, call, x);
    }
}

static void on_post(struct mcp_http *h, struct http_exchange *x)
{
    struct buf text, out = {0};
    if (!check_content(x))
        return;
    text = http_exchange_take_body(x);
    struct mcp_call *call = mcp_call_new(h->mcp, &text, 0, &out);
    if (call)
        post_message(h, call, x);
    else
        http_exchange_reply(x, 400, "application/json", buf_str(&out));
    buf_done(&out);
}

/* ---- GET and DELETE */

static bool read_event_id(struct str id, unsigned *number, unsigned *index)
{
    struct str head;
    uint64_t a, b;
    if (!str_cut(&id, '-', &head) || !str_to_u64(head, &a) || !str_to_u64(id, &b) ||
        a > UINT32_MAX || b > UINT32_MAX)
        return false;
    *number = (unsigned)a;
    *index = (unsigned)b;
    return true;
}

static void resume_stream(struct mcp_http *h, struct mcp_session *s, struct http_exchange *x,
                          struct str id)
{
    unsigned number, index;
    if (!read_event_id(id, &number, &index)) {
        http_exchange_refuse(x, 400, "Last-Event-ID is not from this server: leave it out");
        return;
    }
    LIST_EACH (&s->streams, struct mcp_stream, link, stream) {
        if (stream->number != number || !stream->events)
            continue;
        if (stream->x)
            http_exchange_refuse(x, 409,
                                 "The stream of this event is already connected: close it first");
        else
            mcp_stream_resume(stream, x, index, &h->open);
        return;
    }
    /* Not 404, which would mean that the session has ended. */
    http_exchange_refuse(x, 410, "The events after Last-Event-ID are no longer kept: leave it out");
}

static void on_get(struct mcp_http *h, struct http_exchange *x)
{
    struct str last = http_exchange_header(x, STR("Last-Event-ID"));
    if (!accepts_type(x, STR("text/event-stream"), STR("text/*"))) {
        http_exchange_refuse(x, 406, "Accept must allow text/event-stream");
        return;
    }
    struct mcp_session *s = find_session(h, x);
    if (!s)
        return;
    plan_sweep(h, MCP_HTTP_HEARTBEAT_MS);
    if (last.n) {
        resume_stream(h, s, x, last);
        return;
    }
    struct mcp_stream *old = find_notice_stream(s);
    if (old && old->x) {
        http_exchange_refuse(x, 409,
                             "The session already has a notification stream: close it first");
        return;
    }
    if (old)
        mcp_stream_free(old); /* the client does not ask for the events it missed */
    struct mcp_stream *stream = mcp_stream_new(x, s, &h->open);
    stream->is_get = true;
    mcp_stream_begin(stream);
}

static void on_delete(struct mcp_http *h, struct http_exchange *x)
{
    struct mcp_session *s = find_session(h, x);
    if (!s)
        return;
    mcp_session_end(s);
    http_exchange_reply(x, 204, NULL, (struct str){0});
}

static void on_request(struct http_exchange *x, void *ctx)
{
    struct mcp_http *h = ctx;
    struct str method = http_exchange_request(x)->method;
    struct str version = http_exchange_header(x, STR("MCP-Protocol-Version"));
    enum mcp_revision r;
    if (h->mcp->stopping) {
        http_exchange_refuse(x, 503, "The server is stopping");
    } else if (!check_duplicates(x)) {
        return;
    } else if (str_eq(method, STR("POST"))) {
        on_post(h, x);
    } else if (mcp_revision_from_name(version, &r) && r > MCP_LAST_LEGACY) {
        http_exchange_set_header(x, "Allow", STR("POST"));
        http_exchange_refuse(x, 405, "Revision %s supports only POST", mcp_revision_name(r));
    } else if (str_eq(method, STR("GET"))) {
        on_get(h, x);
    } else if (str_eq(method, STR("DELETE"))) {
        on_delete(h, x);
    } else {
        http_exchange_set_header(x, "Allow", STR("GET, POST, DELETE"));
        http_exchange_refuse(x, 405,
                             "Use POST for messages, GET for the stream, DELETE to end a session");
    }
}

/* ---- time: one timer for all streams */

static void on_sweep(void *ctx)
{
    struct mcp_http *h = ctx;
    uint64_t now = loop_now(h->mcp->loop);
    LIST_EACH_SAFE (&h->open, struct mcp_stream, open, s) {
        if (!s->events && now - s->since >= MCP_HTTP_PATIENCE_MS)
            mcp_stream_begin(s);
        else if (s->events && now - s->since >= MCP_HTTP_HEARTBEAT_MS)
            mcp_stream_send_comment(s);
        plan_sweep(h, s->since + (s->events ? MCP_HTTP_HEARTBEAT_MS : MCP_HTTP_PATIENCE_MS) - now);
    }
}

struct mcp_http *mcp_http_start(struct mcp *mcp, struct http_server *server, const char *path)
{
    struct mcp_http *h = mem_zalloc(sizeof *h);
    h->mcp = mcp;
    list_init(&h->open);
    http_server_route(server, &(struct http_route){
                                  .path = path,
                                  .methods = "GET, POST, DELETE",
                                  .on_request = on_request,
                                  .ctx = h,
                              });
    return h;
}

void mcp_http_free(struct mcp_http *h)
{
    if (!h)
        return;
    timer_stop(&h->sweep);
    timer_stop(&h->expiry);
    free(h);
}
