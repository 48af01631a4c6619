#include "net/ws_conn.h"

#include <assert.h>
#include <stdlib.h>

#include "base/id.h"
#include "base/mem.h"

#define TEXT_MAX  125u /* of a reason, ours or the peer's */
#define LAST_LOOK 1u   /* ms; long enough for the loop to read what is there */

enum state {
    CONNECTING, /* of a client: there is no stream yet */
    OPEN,
    CLOSING, /* our close frame is out, the peer's is not here */
    ENDING   /* how it ended is known; on_close is due when the stream is closed */
};

enum watch {
    QUIET, /* or not: nothing was asked of the peer */
    PINGED,
    LOOKING /* time is up, but its answer may be waiting to be read */
};

struct ws_conn {
    struct stream *stream;
    struct loop *loop;
    const struct ws_events *events;
    void *ctx;
    struct ws_options options;
    struct ws_decoder decoder;
    enum ws_role role;
    enum state state;
    enum watch watch;
    void (*on_drop)(void *ctx); /* while connecting: who can call it off */
    void *drop_ctx;
    uint64_t seen;      /* when the peer last sent anything */
    struct timer timer; /* open: the watch; else the deadline of the end */
    struct timer start; /* runs until the bytes behind the request are taken */
    struct buf rest;    /* these bytes */
    int code;           /* for on_close */
    char reason[TEXT_MAX];
    size_t reason_n;
};

/* ---- the end */

static void on_deadline(void *ctx)
{
    ws_drop(ctx);
}

/* Nothing is delivered from here on. The first reason to end is the one that is told. */
static void set_ending(struct ws_conn *c, int code, struct str reason)
{
    assert(c->state != ENDING);
    c->state = ENDING;
    c->code = code;
    reason = utf8_head(reason, TEXT_MAX);
    if (reason.n)
        memcpy(c->reason, reason.p, reason.n);
    c->reason_n = reason.n;
    timer_start(&c->timer, c->loop, c->options.close_ms, on_deadline, c);
}

static size_t frame_size(const struct ws_conn *c, size_t n)
{
    size_t head = n < 126 ? 2 : n <= UINT16_MAX ? 4 : 10;
    return head + (c->role == WS_ROLE_CLIENT ? WS_MASK_LEN : 0) + n;
}

static void write_frame(struct ws_conn *c, enum ws_opcode op, struct str payload)
{
    if (c->role == WS_ROLE_CLIENT) {
        struct buf frame = buf_make(frame_size(c, payload.n));
        uint8_t mask[WS_MASK_LEN];
        id_bytes(mask, sizeof mask);
        ws_encode_masked(&frame, op, payload, mask);
        stream_write(c->stream, buf_str(&frame));
        buf_done(&frame);
        return;
    }
    uint8_t head[10];
    size_t head_n = ws_encode_head(head, op, true, payload.n);
    const struct str parts[] = {str_make((const char *)head, head_n), payload};
    stream_write_parts(c->stream, parts, 2);
}

static void send_close(struct ws_conn *c, int code, struct str reason)
{
    char payload[WS_CONTROL_MAX];
    write_frame(c, WS_OP_CLOSE, str_make(payload, ws_close_payload(payload, code, reason)));
}

static void drop(struct ws_conn *c, const char *why)
{
    if (!c->stream) {
        if (c->state == CONNECTING)
            c->on_drop(c->drop_ctx);
        return;
    }
    if (c->state != ENDING)
        set_ending(c, WS_CLOSE_ABNORMAL, str_from(why));
    stream_close(c->stream);
}

/* Both sides have said goodbye, and by RFC 6455 7.1.1 the server is first to hang up: a client
 * waits for that, close_ms at most. */
static void on_peer_close(struct ws_conn *c)
{
    if (c->state == OPEN)
        send_close(c, c->decoder.close_code, (struct str){0});
    set_ending(c, c->decoder.close_code, c->decoder.control);
    if (c->role == WS_ROLE_SERVER)
        stream_finish(c->stream);
}

/* The peer may be in the middle of sending: hanging up now would reset the connection and it
 * would never read why. So only our side ends, and what still comes is thrown away. */
static void on_bad(struct ws_conn *c)
{
    struct str reason = str_from(c->decoder.reason);
    if (c->state == OPEN)
        send_close(c, c->decoder.close_code, reason);
    set_ending(c, c->decoder.close_code, reason);
    stream_shutdown(c->stream);
}

/* ---- sending */

static bool fits(const struct ws_conn *c, size_t n)
{
    size_t queued = stream_queued(c->stream);
    return queued <= c->options.max_queued && n <= c->options.max_queued - queued;
}

static bool send_frame(struct ws_conn *c, enum ws_opcode op, struct str payload)
{
    if (c->state != OPEN || !fits(c, frame_size(c, payload.n)))
        return false;
    write_frame(c, op, payload);
    return true;
}

/* ---- signs of life */

static void on_watch(void *ctx)
{
    struct ws_conn *c = ctx;
    uint64_t quiet = loop_now(c->loop) - c->seen, next = c->options.pong_ms;
    if (c->watch == LOOKING) {
        drop(c, "the peer gives no sign of life");
        return;
    }
    if (c->watch == PINGED) {
        c->watch = LOOKING;
        next = LAST_LOOK;
    } else if (quiet < c->options.ping_ms) {
        next = c->options.ping_ms - quiet;
    } else {
        c->watch = PINGED;
        send_frame(c, WS_OP_PING, (struct str){0});
    }
    timer_start(&c->timer, c->loop, next, on_watch, c);
}

/* The timer is not moved with each read: when it fires it finds out how quiet it was. */
static void saw_life(struct ws_conn *c)
{
    c->seen = loop_now(c->loop);
    if (c->watch == QUIET)
        return;
    c->watch = QUIET;
    if (c->state == OPEN)
        timer_start(&c->timer, c->loop, c->options.ping_ms, on_watch, c);
}

/* ---- receiving */

static void take(struct ws_conn *c, enum ws_event e)
{
    const struct ws_decoder *d = &c->decoder;
    switch (e) {
    case WS_TEXT:
    case WS_BINARY:
        if (c->state == OPEN)
            c->events->on_message(c, d->payload, e == WS_TEXT, c->ctx);
        break;
    case WS_PING:
        send_frame(c, WS_OP_PONG, d->control); /* or not: a pong too few is no fault */
        break;
    case WS_CLOSE:
        on_peer_close(c);
        break;
    case WS_BAD:
        on_bad(c);
        break;
    case WS_PONG:
    case WS_MORE:
    case WS_EVENT_COUNT:
        break;
    }
}

static void feed(struct ws_conn *c, struct str bytes)
{
    size_t used;
    enum ws_event e;
    saw_life(c);
    while (c->state != ENDING && (e = ws_decoder_feed(&c->decoder, bytes, &used)) != WS_MORE) {
        bytes = str_skip(bytes, used);
        take(c, e);
    }
}

static void on_read(struct stream *s, struct str bytes, void *ctx)
{
    (void)s;
    feed(ctx, bytes);
}

static void on_end(struct stream *s, const char *why, void *ctx)
{
    struct ws_conn *c = ctx;
    if (c->state == ENDING)
        stream_finish(s);
    else
        drop(c, why ? why : "the connection ended without a close frame");
}

static void on_drain(struct stream *s, void *ctx)
{
    struct ws_conn *c = ctx;
    (void)s;
    if (c->state == OPEN && c->events->on_drain)
        c->events->on_drain(c, c->ctx);
}

static void on_closed(struct stream *s, void *ctx)
{
    struct ws_conn *c = ctx;
    (void)s;
    assert(c->state == ENDING);
    timer_stop(&c->timer);
    timer_stop(&c->start);
    c->events->on_close(c, c->code, str_make(c->reason, c->reason_n), c->ctx);
    ws_decoder_done(&c->decoder);
    buf_done(&c->rest);
    free(c);
}

static const struct stream_events stream_events = {on_read, on_end, on_drain, on_closed};

/* ---- life */

static void set_options(struct ws_options *to, const struct ws_options *from)
{
    if (from)
        *to = *from;
    to->max_message = to->max_message ? to->max_message : WS_MAX_MESSAGE;
    to->max_queued = to->max_queued ? to->max_queued : WS_MAX_QUEUED;
    to->ping_ms = to->ping_ms ? to->ping_ms : WS_PING_MS;
    to->pong_ms = to->pong_ms ? to->pong_ms : WS_PONG_MS;
    to->close_ms = to->close_ms ? to->close_ms : WS_CLOSE_MS;
}

/* A turn of the loop after the upgrade, so that the owner has the connection before any event. */
static void on_start(void *ctx)
{
    struct ws_conn *c = ctx;
    if (c->options.on_open && c->state == OPEN)
        c->options.on_open(c, c->ctx);
    feed(c, buf_str(&c->rest));
    buf_done(&c->rest);
    stream_read_start(c->stream);
}

struct ws_conn *ws_conn_new(struct loop *loop, const struct ws_options *options,
                            const struct ws_events *events, void *ctx)
{
    struct ws_conn *c = mem_zalloc(sizeof *c);
    c->loop = loop;
    c->events = events;
    c->ctx = ctx;
    set_options(&c->options, options);
    return c;
}

void ws_conn_on_drop(struct ws_conn *c, void (*fn)(void *), void *ctx)
{
    c->on_drop = fn;
    c->drop_ctx = ctx;
}

void ws_conn_attach(struct ws_conn *c, enum ws_role role, struct stream *s, struct buf *rest)
{
    assert(c->state == CONNECTING);
    c->state = OPEN;
    c->role = role;
    c->stream = s;
    c->rest = *rest;
    *rest = (struct buf){0};
    c->seen = loop_now(c->loop);
    if (role == WS_ROLE_SERVER)
        ws_decoder_init(&c->decoder, c->options.max_message);
    else
        ws_decoder_init_client(&c->decoder, c->options.max_message);
    stream_read_stop(c->stream);
    stream_set_events(c->stream, &stream_events, c);
    timer_start(&c->start, c->loop, 0, on_start, c);
    timer_start(&c->timer, c->loop, c->options.ping_ms, on_watch, c);
}

void ws_conn_fail(struct ws_conn *c, struct str reason)
{
    assert(c->state == CONNECTING);
    c->state = ENDING;
    c->events->on_close(c, WS_CLOSE_ABNORMAL, reason, c->ctx);
    free(c);
}

void ws_set_ctx(struct ws_conn *c, void *ctx)
{
    c->ctx = ctx;
}

bool ws_send(struct ws_conn *c, struct str text)
{
    return send_frame(c, WS_OP_TEXT, text);
}

bool ws_send_binary(struct ws_conn *c, struct str bytes)
{
    return send_frame(c, WS_OP_BINARY, bytes);
}

bool ws_send_raw(struct ws_conn *c, struct str bytes)
{
    if (c->state != OPEN || !fits(c, bytes.n))
        return false;
    stream_write(c->stream, bytes);
    return true;
}

size_t ws_queued(const struct ws_conn *c)
{
    return c->stream ? stream_queued(c->stream) : 0;
}

static void on_no_answer(void *ctx)
{
    drop(ctx, "the peer did not answer the close");
}

void ws_close(struct ws_conn *c, int code, struct str reason)
{
    if (c->state == CONNECTING)
        drop(c, "");
    if (c->state != OPEN)
        return;
    send_close(c, code, reason);
    c->state = CLOSING;
    timer_start(&c->timer, c->loop, c->options.close_ms, on_no_answer, c);
}

void ws_drop(struct ws_conn *c)
{
    drop(c, "the connection was dropped");
}

void ws_reset(struct ws_conn *c)
{
    if (c->stream && c->state != ENDING)
        set_ending(c, WS_CLOSE_ABNORMAL, STR("the connection was reset"));
    if (c->stream)
        stream_reset(c->stream);
    else
        drop(c, "");
}
