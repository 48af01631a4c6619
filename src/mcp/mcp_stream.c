#include "mcp/mcp_stream.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "mcp/session.h"
#include "net/sse.h"

struct kept_event {
    struct list link;
    unsigned index;
    size_t n;
    char text[];
};

/* ---- events */

static void free_oldest_event(struct mcp_stream *s)
{
    struct kept_event *e = LIST_FIRST(&s->kept, struct kept_event, link);
    assert(e && s->session); /* without a session no event is kept */
    list_remove(&e->link);
    s->session->kept_bytes -= sizeof *e + e->n;
    s->session->mcp->kept_bytes -= sizeof *e + e->n;
    free(e);
}

/* Free the oldest event of the oldest stream, and with its last event an ended stream. */
static void free_session_event(struct mcp_session *session)
{
    LIST_EACH (&session->streams, struct mcp_stream, link, s) {
        if (list_is_empty(&s->kept))
            continue;
        free_oldest_event(s);
        if (s->finished && !s->x && list_is_empty(&s->kept))
            mcp_stream_free(s);
        return;
    }
}

/* Free an event of the least recently used session. Return false if only a session that is about to
 * end has any. */
static bool free_any_event(struct mcp *mcp)
{
    LIST_EACH (&mcp->sessions, struct mcp_session, link, session)
        if (session->kept_bytes) {
            free_session_event(session);
            return true;
        }
    return false;
}

/* Keep an event for replay. Each session holds a bounded amount. */
static void keep_event(struct mcp_stream *s, unsigned index, const struct str *parts, size_t count)
{
    size_t n = str_sum(parts, count);
    struct kept_event *e = mem_alloc(sizeof *e + n);
    e->index = index;
    e->n = 0;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].n)
            memcpy(e->text + e->n, parts[i].p, parts[i].n);
        e->n += parts[i].n;
    }
    list_add(&s->kept, &e->link);
    s->session->kept_bytes += sizeof *e + n;
    s->session->mcp->kept_bytes += sizeof *e + n;
    while (s->session->kept_bytes > MCP_HTTP_REPLAY_MAX)
        free_session_event(s->session);
    while (s->session->mcp->kept_bytes > MCP_MAX_KEPT && free_any_event(s->session->mcp)) {
    }
}

static void write_event(struct mcp_stream *s, unsigned index, struct sse_event *e)
{
    char id[32];
    if (s->session)
        e->id = str_make(id, (size_t)snprintf(id, sizeof id, "%u-%u", s->number, index));
    sse_send(s->x, e);
    s->since = loop_now(http_exchange_loop(s->x));
}

static void write_text_event(struct mcp_stream *s, unsigned index, struct str data, int retry_ms)
{
    write_event(s, index,
                &(struct sse_event){.data = data.p ? data : STR(""), .retry_ms = retry_ms});
}

static void detach_exchange(struct mcp_stream *s)
{
    list_remove(&s->open);
    s->x = NULL;
    if (!s->session)
        return;
    s->session->open_streams--;
    if (list_is_linked(&s->session->link)) /* else the session is about to end */
        mcp_session_touch(s->session);     /* it was in use until now */
}

static void on_gone(struct http_exchange *x, void *ctx)
{
    struct mcp_stream *s = ctx;
    struct mcp_call *call = s->call;
    (void)x;
    detach_exchange(s);
    if (call && !s->session) {
        s->call = NULL;
        mcp_call_disconnect(call);
    }
    /* Without an event the client cannot resume; the legacy call continues without a sink. */
    if (!s->session || !s->events) {
        if (s->call)
            mcp_call_disconnect(s->call);
        mcp_stream_free(s);
    }
}

void mcp_stream_begin(struct mcp_stream *s)
{
    if (s->events || !s->x)
        return;
    s->events = true;
    sse_begin(s->x);
    s->since = loop_now(http_exchange_loop(s->x));
    /* Clients of older revisions do not expect an event without data. */
    if (s->session && s->session->revision >= MCP_2025_11_25)
        write_text_event(s, 0, (struct str){0}, 0);
    s->next_index = 1;
}

void mcp_stream_send_comment(struct mcp_stream *s)
{
    if (!s->x || !s->events)
        return;
    sse_send_comment(s->x);
    s->since = loop_now(http_exchange_loop(s->x));
}

void mcp_stream_send(struct mcp_stream *s, struct str message, bool may_drop)
{
    mcp_stream_begin(s);
    if (may_drop && s->x && sse_is_slow(s->x))
        return;
    unsigned index = s->next_index++;
    if (s->session)
        keep_event(s, index, &message, 1);
    if (s->x)
        write_text_event(s, index, message, 0);
}

/* ---- the sink */

static void sink_send(struct mcp_sink *sink, struct str message, bool may_drop)
{
    mcp_stream_send((struct mcp_stream *)(void *)sink, message, may_drop);
}

/* Keep a few ended streams in the session: their last bytes may not have reached the client. */
static void keep_ended_stream(struct mcp_stream *s)
{
    enum {
        KEPT_STREAMS = 8
    };
    struct list *streams = &s->session->streams; /* s itself may be freed */
    size_t ended = 0;
    s->finished = true;
    for (struct list *l = streams->prev; l != streams;) {
        struct mcp_stream *other = LIST_ITEM(l, struct mcp_stream, link);
        l = l->prev;
        if (!other->finished || other->x)
            continue;
        /* Without kept events, because the answer was too large, there is nothing to resume. */
        if (++ended > KEPT_STREAMS || list_is_empty(&other->kept))
            mcp_stream_free(other);
    }
}

static void end_exchange(struct mcp_stream *s)
{
    struct http_exchange *x = s->x;
    if (!x)
        return;
    detach_exchange(s);
    http_exchange_end(x);
}

/* Add the session id to the answer to initialize. */
static void add_session_header(struct mcp_stream *s)
{
    if (!s->session || !s->session->initialized || s->session->announced)
        return;
    s->session->announced = true;
    http_exchange_set_header(s->x, "Mcp-Session-Id", str_from(s->session->id));
}

/* Send the answer as the last event. */
static void send_answer(struct mcp_stream *s, const struct str *parts, size_t count)
{
    if (count == 1) {
        mcp_stream_send(s, parts[0], false);
        return;
    }
    unsigned index = s->next_index++;
    if (s->session)
        keep_event(s, index, parts, count);
    if (s->x)
        write_event(s, index, &(struct sse_event){.parts = parts, .part_count = count});
}

static void sink_finish(struct mcp_sink *sink, int status, const struct str *parts, size_t count)
{
    struct mcp_stream *s = (struct mcp_stream *)(void *)sink;
    s->call = NULL;
    if (s->events) {
        if (count)
            send_answer(s, parts, count);
        end_exchange(s);
        if (s->session && count) {
            keep_ended_stream(s);
            return;
        }
    } else if (s->x) {
        struct http_exchange *x = s->x;
        add_session_header(s);
        detach_exchange(s);
        http_exchange_reply_parts(x, status, count ? "application/json" : NULL, parts, count);
    }
    mcp_stream_free(s);
}

static void sink_close_stream(struct mcp_sink *sink, int retry_ms)
{
    struct mcp_stream *s = (struct mcp_stream *)(void *)sink;
    if (!s->session || !s->x)
        return;
    if (!s->events) {
        s->events = true;
        s->next_index = 1;
        sse_begin(s->x);
        write_text_event(s, 0, (struct str){0}, retry_ms);
    } else {
        write_text_event(s, s->next_index++, (struct str){0}, retry_ms);
    }
    end_exchange(s);
}

static const struct mcp_sink_impl sink_impl = {sink_send, sink_finish, sink_close_stream};

/* ---- life */

static void attach_exchange(struct mcp_stream *s, struct http_exchange *x, struct list *open)
{
    s->x = x;
    s->since = loop_now(http_exchange_loop(x));
    list_add(open, &s->open);
    if (s->session)
        s->session->open_streams++;
    http_exchange_watch(x, on_gone, NULL, s);
}

struct mcp_stream *mcp_stream_new(struct http_exchange *x, struct mcp_session *session,
                                  struct list *open)
{
    struct mcp_stream *s = mem_zalloc(sizeof *s);
    s->sink.impl = &sink_impl;
    s->session = session;
    list_init(&s->kept);
    if (session) {
        s->number = ++session->next_stream;
        list_add(&session->streams, &s->link);
    }
    attach_exchange(s, x, open);
    return s;
}

void mcp_stream_free(struct mcp_stream *s)
{
    struct http_exchange *x = s->x;
    if (x) {
        detach_exchange(s);
        if (s->events)
            http_exchange_end(x);
        else
            http_exchange_refuse(x, 404, "The session has ended: send initialize again");
    }
    if (s->call)
        s->call->sink = NULL;
    while (!list_is_empty(&s->kept))
        free_oldest_event(s);
    list_remove(&s->link);
    free(s);
}

void mcp_stream_resume(struct mcp_stream *s, struct http_exchange *x, unsigned index,
                       struct list *open)
{
    attach_exchange(s, x, open);
    sse_begin(x);
    LIST_EACH (&s->kept, struct kept_event, link, e)
        if (e->index > index)
            write_text_event(s, e->index, str_make(e->text, e->n), 0);
    if (s->finished)
        end_exchange(s);
}
