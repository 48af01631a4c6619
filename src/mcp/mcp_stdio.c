#include "mcp/mcp_stdio.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "mcp/legacy.h"
#include "mcp/mcp_internal.h"
#include "mcp/modern.h"
#include "mcp/session.h"
#include "net/stream.h"

struct mcp_stdio {
    struct mcp_sink sink; /* shared by all calls: there is one client */
    struct mcp *mcp;
    struct mcp_session *session;
    struct stream *in, *out;
    struct buf line; /* the received part of a line */
    bool skipping;   /* inside a line that is too long */
    bool ended, freed;
    struct timer grace;
    loop_fn *on_end;
    void *ctx;
    loop_fn *on_flushed; /* may be NULL */
    void *flushed_ctx;
};

/* ---- out */

static void write_parts(struct mcp_stdio *t, const struct str *parts, size_t count)
{
    struct str line[MCP_MAX_PARTS + 1];
    assert(count <= MCP_MAX_PARTS);
    if (!t->out)
        return;
    for (size_t i = 0; i < count; i++)
        line[i] = parts[i];
    line[count] = STR("\n");
    stream_write_parts(t->out, line, count + 1);
    if (t->in && stream_queued(t->out) > MCP_STDIO_MAX_QUEUED)
        stream_read_stop(t->in);
}

static void write_line(struct mcp_stdio *t, struct str message)
{
    write_parts(t, &message, 1);
}

static void on_send(struct mcp_sink *sink, struct str message, bool may_drop)
{
    struct mcp_stdio *t = (struct mcp_stdio *)(void *)sink;
    size_t limit = may_drop ? MCP_STDIO_MAX_QUEUED : MCP_STDIO_MAX_UNREAD;
    if (t->out && stream_queued(t->out) < limit)
        write_line(t, message);
}

static void on_grace_over(void *ctx)
{
    struct mcp_stdio *t = ctx;
    loop_fn *fn = t->on_end;
    timer_stop(&t->grace);
    t->on_end = NULL;
    if (fn)
        fn(t->ctx);
}

/* After on_end was called or cleared, dropped calls must not start the timer again. */
static void start_grace(struct mcp_stdio *t, uint64_t ms)
{
    if (t->on_end)
        timer_start(&t->grace, t->mcp->loop, ms, on_grace_over, t);
}

static void on_finish(struct mcp_sink *sink, int status, const struct str *parts, size_t count)
{
    struct mcp_stdio *t = (struct mcp_stdio *)(void *)sink;
    (void)status;
    if (count)
        write_parts(t, parts, count);
    /* This was the last open request: its call is freed after this function. */
    if (t->ended && t->session && t->session->call_count <= 1)
        start_grace(t, 0);
}

static const struct mcp_sink_impl sink_impl = {on_send, on_finish, NULL};

static void send_notification(struct mcp_session *s, struct str message)
{
    struct mcp_stdio *t = s->transport;
    on_send(&t->sink, message, false);
}

/* ---- the end */

static void stop_loop(void *ctx)
{
    loop_stop(ctx);
}

static void on_session_end(struct mcp_session *s)
{
    struct mcp_stdio *t = s->transport;
    t->session = NULL;
}

/* ---- in */

static void receive_line(struct mcp_stdio *t, struct str line)
{
    struct buf text = buf_make(MCP_MAX_MESSAGE), out = {0};
    line = str_trim(line);
    if (!line.n || !t->session)
        return;
    buf_add(&text, line);
    struct mcp_call *call = mcp_call_new(t->mcp, &text, MCP_MAX_MESSAGE, &out);
    if (!call) {
        write_line(t, buf_str(&out));
    } else if (call->message.kind == RPC_REQUEST) {
        call->sink = &t->sink;
        if (mcp_modern_is_claimed(&call->message))
            mcp_modern_receive(call, t->session, NULL);
        else
            mcp_legacy_receive(call, t->session);
    } else {
        mcp_legacy_receive(call, t->session);
    }
    buf_done(&out);
}

static void refuse_long(struct mcp_stdio *t)
{
    struct buf out = {0};
    rpc_error(&out, NULL, RPC_INVALID_REQUEST,
              STR("The message is larger than 16 MiB: send a smaller one"), (struct str){0});
    write_line(t, buf_str(&out));
    buf_done(&out);
}

/* Add a piece of a line. */
static void add_piece(struct mcp_stdio *t, struct str piece)
{
    if (t->skipping)
        return;
    if (!buf_add(&t->line, piece)) {
        refuse_long(t);
        t->skipping = true;
        buf_done(&t->line);
    }
}

static void on_read(struct stream *s, struct str bytes, void *ctx)
{
    struct mcp_stdio *t = ctx;
    (void)s;
    while (bytes.n) {
        struct str piece;
        bool whole = str_cut(&bytes, '\n', &piece);
        if (whole && !t->skipping && !t->line.n) {
            receive_line(t, piece);
            continue;
        }
        add_piece(t, piece);
        if (!whole)
            return;
        if (!t->skipping)
            receive_line(t, buf_str(&t->line));
        t->skipping = false;
        if (t->line.cap > 1u << 20)
            buf_done(&t->line); /* a large message was the exception */
        buf_clear(&t->line);
    }
}

static void on_in_end(struct stream *s, const char *why, void *ctx)
{
    struct mcp_stdio *t = ctx;
    (void)s, (void)why;
    if (!t->skipping && t->line.n) { /* a last line without its newline */
        receive_line(t, buf_str(&t->line));
        buf_clear(&t->line);
    }
    t->ended = true;
    bool waits = t->session && t->session->call_count;
    start_grace(t, waits ? MCP_STDIO_GRACE_MS : 0);
}

static void on_out_end(struct stream *s, const char *why, void *ctx)
{
    struct mcp_stdio *t = ctx;
    (void)s, (void)why;
    start_grace(t, 0);
}

static void on_drain(struct stream *s, void *ctx)
{
    struct mcp_stdio *t = ctx;
    (void)s;
    if (t->in && !t->ended)
        stream_read_start(t->in);
}

static void free_if_closed(struct mcp_stdio *t)
{
    if (!t->freed || t->in || t->out)
        return;
    buf_done(&t->line);
    free(t);
}

static void on_in_closed(struct stream *s, void *ctx)
{
    struct mcp_stdio *t = ctx;
    (void)s;
    t->in = NULL;
    free_if_closed(t);
}

static void on_out_closed(struct stream *s, void *ctx)
{
    struct mcp_stdio *t = ctx;
    (void)s;
    t->out = NULL;
    if (t->on_flushed)
        t->on_flushed(t->flushed_ctx);
    free_if_closed(t);
}

static void on_both_closed(struct stream *s, void *ctx)
{
    struct mcp_stdio *t = ctx;
    t->in = NULL;
    on_out_closed(s, ctx);
}

static const struct stream_events in_events = {on_read, on_in_end, NULL, on_in_closed};
static const struct stream_events out_events = {NULL, on_out_end, on_drain, on_out_closed};

static const struct stream_events both_events = {on_read, on_in_end, on_drain, on_both_closed};

static struct mcp_stdio *make_stdio(struct mcp *mcp, loop_fn *on_end, void *ctx)
{
    struct mcp_stdio *t = mem_zalloc(sizeof *t);
    t->sink.impl = &sink_impl;
    t->mcp = mcp;
    t->line.max = MCP_MAX_MESSAGE;
    t->on_end = on_end ? on_end : stop_loop;
    t->ctx = on_end ? ctx : mcp->loop;
    t->session = mcp_session_new(mcp, false);
    t->session->transport = t;
    t->session->notify = send_notification;
    t->session->on_end = on_session_end;
    return t;
}

struct mcp_stdio *mcp_stdio_start(struct mcp *mcp, loop_fn *on_end, void *ctx)
{
    struct mcp_stdio *t = make_stdio(mcp, on_end, ctx);
    t->in = stream_open_fd(mcp->loop, STDIN_FILENO, &in_events, t, NULL);
    t->out = stream_open_fd(mcp->loop, STDOUT_FILENO, &out_events, t, NULL);
    if (t->in)
        stream_read_start(t->in);
    if (!t->in || !t->out)
        start_grace(t, 0);
    return t;
}

struct mcp_stdio *mcp_stdio_serve(struct mcp *mcp, struct stream *both, struct str rest,
                                  loop_fn *on_end, void *ctx)
{
    struct mcp_stdio *t = make_stdio(mcp, on_end, ctx);
    t->in = t->out = both;
    stream_set_events(both, &both_events, t);
    stream_read_start(both);
    on_read(both, rest, t);
    return t;
}

bool mcp_stdio_is_flushed(const struct mcp_stdio *t)
{
    return !t || !t->out || !stream_queued(t->out);
}

void mcp_stdio_on_flushed(struct mcp_stdio *t, loop_fn *fn, void *ctx)
{
    t->on_flushed = fn;
    t->flushed_ctx = ctx;
    if (t->out)
        stream_on_flushed(t->out, fn, ctx);
}

void mcp_stdio_free(struct mcp_stdio *t)
{
    if (!t)
        return;
    mcp_stdio_on_flushed(t, NULL, NULL);
    t->on_end = NULL;
    mcp_session_end(t->session); /* may end calls, and so start the grace timer */
    timer_stop(&t->grace);
    t->freed = true;
    if (t->in && t->in != t->out)
        stream_close(t->in);
    if (t->out)
        stream_finish(t->out);
    free_if_closed(t);
}
