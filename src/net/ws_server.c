#include "net/ws_server.h"

#include <assert.h>
#include <stdlib.h>

#include "base/base64.h"
#include "base/mem.h"

#define KEY_LEN   16u  /* bytes of a decoded Sec-WebSocket-Key */
#define TEXT_MAX  125u /* of a reason, ours or the peer's */
#define LAST_LOOK 1u   /* ms; long enough for the loop to read what is there */

enum state {
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
    enum state state;
    enum watch watch;
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

static void send_close(struct ws_conn *c, int code, struct str reason)
{
    struct buf frame = {0};
    ws_encode_close(&frame, code, reason);
    stream_write(c->stream, buf_str(&frame));
    buf_done(&frame);
}

static void drop(struct ws_conn *c, const char *why)
{
    if (c->state != ENDING)
        set_ending(c, WS_CLOSE_ABNORMAL, str_from(why));
    stream_close(c->stream);
}

/* Both sides have said goodbye, and by RFC 6455 7.1.1 the server is first to hang up. */
static void on_peer_close(struct ws_conn *c)
{
    if (c->state == OPEN)
        send_close(c, c->decoder.close_code, (struct str){0});
    set_ending(c, c->decoder.close_code, c->decoder.control);
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
    uint8_t head[10];
    size_t head_n = ws_encode_head(head, op, true, payload.n);
    if (c->state != OPEN || !fits(c, head_n + payload.n))
        return false;
    const struct str parts[] = {str_make((const char *)head, head_n), payload};
    stream_write_parts(c->stream, parts, 2);
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

/* ---- the upgrade */

static bool is_key(struct str key)
{
    struct buf bytes = buf_make(64);
    bool ok = base64_decode(&bytes, key) && !bytes.overflow && bytes.n == KEY_LEN;
    buf_done(&bytes);
    return ok;
}

/* What is wrong with the request, one sentence; NULL: nothing but perhaps the version. */
static const char *upgrade_fault(const struct http_request *r)
{
    const struct str upgrade = STR("Upgrade"), key = STR("Sec-WebSocket-Key");
    if (!str_eq(r->method, STR("GET")) || r->http10)
        return "A WebSocket is opened with GET and HTTP/1.1.";
    if (!http_has_token(http_field_value(r, upgrade), STR("websocket")))
        return "This is a WebSocket: the header Upgrade must be websocket.";
    if (!r->upgrade)
        return "This is a WebSocket: the header Connection must have Upgrade in it.";
    if (r->has_body)
        return "The request that opens a WebSocket has no body.";
    if (http_field_times(r, key) != 1 || !is_key(http_field_value(r, key)))
        return "The header Sec-WebSocket-Key must be 16 bytes in base64, once.";
    return NULL;
}

static bool check_upgrade(struct http_exchange *x)
{
    const struct http_request *r = http_request(x);
    const struct str version = STR("Sec-WebSocket-Version");
    const char *fault = upgrade_fault(r);
    if (fault) {
        http_refuse(x, 400, "%s", fault);
        return false;
    }
    if (http_field_times(r, version) != 1 || !str_eq(http_field_value(r, version), STR("13"))) {
        http_set_header(x, "Upgrade", STR("websocket"));
        http_set_header(x, "Sec-WebSocket-Version", STR("13"));
        http_refuse(x, 426, "The header Sec-WebSocket-Version must be 13.");
        return false;
    }
    return true;
}

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

/* A turn of the loop after ws_accept, so that its caller has the connection before any event. */
static void on_start(void *ctx)
{
    struct ws_conn *c = ctx;
    feed(c, buf_str(&c->rest));
    buf_done(&c->rest);
    stream_read_start(c->stream);
}

struct ws_conn *ws_accept(struct http_exchange *x, const struct ws_options *options,
                          const struct ws_events *events, void *ctx)
{
    char accept[WS_ACCEPT_LEN + 1];
    if (!check_upgrade(x))
        return NULL;
    ws_accept_key(http_header(x, STR("Sec-WebSocket-Key")), accept);
    http_set_header(x, "Upgrade", STR("websocket"));
    http_set_header(x, "Sec-WebSocket-Accept", str_make(accept, WS_ACCEPT_LEN));

    struct ws_conn *c = mem_zalloc(sizeof *c);
    c->loop = http_loop(x);
    c->events = events;
    c->ctx = ctx;
    c->seen = loop_now(c->loop);
    set_options(&c->options, options);
    ws_decoder_init(&c->decoder, c->options.max_message);
    c->stream = http_upgrade(x, &c->rest);
    stream_read_stop(c->stream);
    stream_set_events(c->stream, &stream_events, c);
    timer_start(&c->start, c->loop, 0, on_start, c);
    timer_start(&c->timer, c->loop, c->options.ping_ms, on_watch, c);
    return c;
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

size_t ws_queued(const struct ws_conn *c)
{
    return stream_queued(c->stream);
}

static void on_no_answer(void *ctx)
{
    drop(ctx, "the peer did not answer the close");
}

void ws_close(struct ws_conn *c, int code, struct str reason)
{
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
