#include "net/ws_conn.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base64.h"
#include "base/id.h"
#include "base/mem.h"
#include "net/http_client.h"

#define REASON_MAX   125u  /* bytes of a reason, ours or the peer's */
#define LAST_READ_MS 1u    /* enough for the loop to read what has arrived */
#define KEY_LEN      16u   /* bytes of a decoded Sec-WebSocket-Key */
#define CONNECT_MS   5000u /* default deadline of connection and upgrade together */
#define WHY_MAX      200

enum ws_state {
    CONNECTING, /* client only: there is no stream yet */
    OPEN,
    CLOSING, /* our close frame is sent, the peer's has not arrived */
    ENDING   /* the result is known; on_close is called when the stream is closed */
};

enum ws_ping_state {
    NOT_PINGED,
    PINGED,
    LAST_READ /* time is up, but the answer may be waiting to be read */
};

enum ws_role {
    ROLE_SERVER,
    ROLE_CLIENT
};

/* The upgrade of a client. It ends with its HTTP request; the connection lives on or ends then. */
struct ws_handshake {
    struct ws_conn *conn; /* NULL: the connection has its stream */
    struct http_client *request;
    struct timer deadline;
    char accept[WS_ACCEPT_LEN + 1];
    char why[WHY_MAX]; /* the reason for giving up; empty: none */
};

struct ws_conn {
    struct stream *stream;
    struct loop *loop;
    const struct ws_events *events;
    void *ctx;
    struct ws_options options;
    struct ws_decoder decoder;
    enum ws_role role;
    enum ws_state state;
    enum ws_ping_state ping;
    struct ws_handshake *handshake; /* while connecting */
    uint64_t seen;                  /* when the peer last sent anything */
    struct timer timer;             /* open: the next ping; else the deadline of the end */
    struct timer start;             /* runs until the bytes after the upgrade are handled */
    struct buf rest;                /* these bytes */
    int code;                       /* for on_close */
    char reason[REASON_MAX];
    size_t reason_n;
};

static void give_up(struct ws_handshake *h, const char *why);

/* ---- the end */

static void on_deadline(void *ctx)
{
    ws_conn_drop(ctx);
}

/* Deliver nothing from here on. on_close gets the first reason to end. */
static void set_ending(struct ws_conn *c, int code, struct str reason)
{
    assert(c->state != ENDING);
    c->state = ENDING;
    c->code = code;
    reason = utf8_head(reason, REASON_MAX);
    if (reason.n)
        memcpy(c->reason, reason.p, reason.n);
    c->reason_n = reason.n;
    timer_start(&c->timer, c->loop, c->options.close_ms, on_deadline, c);
}

static size_t frame_size(const struct ws_conn *c, size_t n)
{
    size_t head = n < 126 ? 2 : n <= UINT16_MAX ? 4 : 10;
    return head + (c->role == ROLE_CLIENT ? WS_MASK_LEN : 0) + n;
}

static void write_frame(struct ws_conn *c, enum ws_opcode op, struct str payload)
{
    if (c->role == ROLE_CLIENT) {
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

static void drop_with_reason(struct ws_conn *c, const char *why)
{
    if (!c->stream) {
        if (c->state == CONNECTING)
            give_up(c->handshake, "the connection was dropped");
        return;
    }
    if (c->state != ENDING)
        set_ending(c, WS_CLOSE_ABNORMAL, str_from(why));
    stream_close(c->stream);
}

/* Both sides have sent a close frame. By RFC 6455 7.1.1 the server closes the connection first; a
 * client waits for that, at most close_ms. */
static void on_peer_close(struct ws_conn *c)
{
    if (c->state == OPEN)
        send_close(c, c->decoder.close_code, (struct str){0});
    set_ending(c, c->decoder.close_code, c->decoder.control);
    if (c->role == ROLE_SERVER)
        stream_finish(c->stream);
}

/* The peer may be sending: to close now would reset the connection, and the peer would never read
 * the reason. So end only our side and drop what still arrives. */
static void on_bad(struct ws_conn *c)
{
    struct str reason = str_from(c->decoder.reason);
    if (c->state == OPEN)
        send_close(c, c->decoder.close_code, reason);
    set_ending(c, c->decoder.close_code, reason);
    stream_shutdown(c->stream);
}

/* ---- sending */

static bool fits_in_queue(const struct ws_conn *c, size_t n)
{
    size_t queued = stream_queued(c->stream);
    return queued <= c->options.max_queued && n <= c->options.max_queued - queued;
}

static bool send_frame(struct ws_conn *c, enum ws_opcode op, struct str payload)
{
    if (c->state != OPEN || !fits_in_queue(c, frame_size(c, payload.n)))
        return false;
    write_frame(c, op, payload);
    return true;
}

/* ---- signs of life */

static void on_ping_time(void *ctx)
{
    struct ws_conn *c = ctx;
    uint64_t quiet = loop_now(c->loop) - c->seen, next = c->options.pong_ms;
    if (c->ping == LAST_READ) {
        drop_with_reason(c, "the peer gives no sign of life");
        return;
    }
    if (c->ping == PINGED) {
        c->ping = LAST_READ;
        next = LAST_READ_MS;
    } else if (quiet < c->options.ping_ms) {
        next = c->options.ping_ms - quiet;
    } else {
        c->ping = PINGED;
        send_frame(c, WS_OP_PING, (struct str){0});
    }
    timer_start(&c->timer, c->loop, next, on_ping_time, c);
}

/* The timer is not restarted by each read: on_ping_time() computes how long it was quiet. */
static void note_traffic(struct ws_conn *c)
{
    c->seen = loop_now(c->loop);
    if (c->ping == NOT_PINGED)
        return;
    c->ping = NOT_PINGED;
    if (c->state == OPEN)
        timer_start(&c->timer, c->loop, c->options.ping_ms, on_ping_time, c);
}

/* ---- receiving */

static void handle_event(struct ws_conn *c, enum ws_event e)
{
    const struct ws_decoder *d = &c->decoder;
    switch (e) {
    case WS_TEXT:
    case WS_BINARY:
        if (c->state == OPEN)
            c->events->on_message(c, d->payload, e == WS_TEXT, c->ctx);
        break;
    case WS_PING:
        send_frame(c, WS_OP_PONG, d->control); /* may fail: a missing pong is allowed */
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

static void feed_bytes(struct ws_conn *c, struct str bytes)
{
    size_t used;
    enum ws_event e;
    note_traffic(c);
    while (c->state != ENDING && (e = ws_decoder_feed(&c->decoder, bytes, &used)) != WS_MORE) {
        bytes = str_skip(bytes, used);
        handle_event(c, e);
    }
}

static void on_read(struct stream *s, struct str bytes, void *ctx)
{
    (void)s;
    feed_bytes(ctx, bytes);
}

static void on_end(struct stream *s, const char *why, void *ctx)
{
    struct ws_conn *c = ctx;
    if (c->state == ENDING)
        stream_finish(s);
    else
        drop_with_reason(c, why ? why : "the connection ended without a close frame");
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

static const struct stream_events conn_events = {on_read, on_end, on_drain, on_closed};

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

/* Runs one turn of the loop after the upgrade: the owner has the connection before any event. */
static void on_start(void *ctx)
{
    struct ws_conn *c = ctx;
    if (c->options.on_open && c->state == OPEN)
        c->options.on_open(c, c->ctx);
    feed_bytes(c, buf_str(&c->rest));
    buf_done(&c->rest);
    stream_read_start(c->stream);
}

static struct ws_conn *make_conn(struct loop *loop, const struct ws_options *options,
                                 const struct ws_events *events, void *ctx)
{
    struct ws_conn *c = mem_zalloc(sizeof *c);
    c->loop = loop;
    c->events = events;
    c->ctx = ctx;
    set_options(&c->options, options);
    return c;
}

static void attach_stream(struct ws_conn *c, enum ws_role role, struct stream *s, struct buf *rest)
{
    assert(c->state == CONNECTING);
    c->state = OPEN;
    c->role = role;
    c->stream = s;
    c->rest = *rest;
    *rest = (struct buf){0};
    c->seen = loop_now(c->loop);
    if (role == ROLE_SERVER)
        ws_decoder_init(&c->decoder, c->options.max_message);
    else
        ws_decoder_init_client(&c->decoder, c->options.max_message);
    stream_read_stop(c->stream);
    stream_set_events(c->stream, &conn_events, c);
    timer_start(&c->start, c->loop, 0, on_start, c);
    timer_start(&c->timer, c->loop, c->options.ping_ms, on_ping_time, c);
}

static void fail_connect(struct ws_conn *c, struct str reason)
{
    assert(c->state == CONNECTING);
    c->state = ENDING;
    c->events->on_close(c, WS_CLOSE_ABNORMAL, reason, c->ctx);
    free(c);
}

/* ---- the server accepts */

static bool is_valid_key(struct str key)
{
    struct buf bytes = buf_make(64);
    bool ok = base64_decode(&bytes, key) && !bytes.overflow && bytes.n == KEY_LEN;
    buf_done(&bytes);
    return ok;
}

/* Return what is wrong with the request as one sentence, or NULL. The version is not checked. */
static const char *find_upgrade_error(const struct http_request *r)
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
    if (http_field_times(r, key) != 1 || !is_valid_key(http_field_value(r, key)))
        return "The header Sec-WebSocket-Key must be 16 bytes in base64, once.";
    return NULL;
}

static bool check_upgrade(struct http_exchange *x)
{
    const struct http_request *r = http_exchange_request(x);
    const struct str version = STR("Sec-WebSocket-Version");
    const char *fault = find_upgrade_error(r);
    if (fault) {
        http_exchange_refuse(x, 400, "%s", fault);
        return false;
    }
    if (http_field_times(r, version) != 1 || !str_eq(http_field_value(r, version), STR("13"))) {
        http_exchange_set_header(x, "Upgrade", STR("websocket"));
        http_exchange_set_header(x, "Sec-WebSocket-Version", STR("13"));
        http_exchange_refuse(x, 426, "The header Sec-WebSocket-Version must be 13.");
        return false;
    }
    return true;
}

struct ws_conn *ws_conn_accept(struct http_exchange *x, const struct ws_options *options,
                               const struct ws_events *events, void *ctx)
{
    char accept[WS_ACCEPT_LEN + 1];
    struct buf rest = {0};
    if (!check_upgrade(x))
        return NULL;
    ws_accept_key(http_exchange_header(x, STR("Sec-WebSocket-Key")), accept);
    http_exchange_set_header(x, "Upgrade", STR("websocket"));
    http_exchange_set_header(x, "Sec-WebSocket-Accept", str_make(accept, WS_ACCEPT_LEN));

    struct ws_conn *c = make_conn(http_exchange_loop(x), options, events, ctx);
    struct stream *s = http_exchange_upgrade(x, &rest);
    attach_stream(c, ROLE_SERVER, s, &rest);
    return c;
}

/* ---- the client connects */

static void check_response(struct ws_handshake *h, const struct http_response *r)
{
    struct str accept = http_response_field(r, STR("Sec-WebSocket-Accept"));
    if (r->status != 101)
        snprintf(h->why, sizeof h->why, "the server refused the upgrade with status %d", r->status);
    else if (!http_has_token(http_response_field(r, STR("Upgrade")), STR("websocket")))
        snprintf(h->why, sizeof h->why, "the server changed to a protocol that is not websocket");
    else if (!str_eq(accept, str_from(h->accept)))
        snprintf(h->why, sizeof h->why, "the server gave a wrong Sec-WebSocket-Accept");
    else if (http_response_field(r, STR("Sec-WebSocket-Extensions")).n)
        snprintf(h->why, sizeof h->why, "the server wants an extension that was not offered");
}

static void on_client_head(struct http_client *c, const struct http_response *r, void *ctx)
{
    struct ws_handshake *h = ctx;
    check_response(h, r);
    if (h->why[0])
        http_client_cancel(c);
}

static void on_client_upgrade(struct http_client *c, struct stream *s, struct buf *rest, void *ctx)
{
    struct ws_handshake *h = ctx;
    (void)c;
    attach_stream(h->conn, ROLE_CLIENT, s, rest);
    h->conn = NULL;
}

static void on_client_end(struct http_client *c, const char *why, void *ctx)
{
    struct ws_handshake *h = ctx;
    (void)c;
    timer_stop(&h->deadline);
    if (h->conn)
        fail_connect(h->conn, str_from(h->why[0] ? h->why : why));
    free(h);
}

static const struct http_client_events request_events = {on_client_head, NULL, on_client_end,
                                                         on_client_upgrade};

/* The first reason counts. */
static void give_up(struct ws_handshake *h, const char *why)
{
    if (!h->why[0])
        snprintf(h->why, sizeof h->why, "%s", why);
    http_client_cancel(h->request);
}

static void on_connect_timeout(void *ctx)
{
    give_up(ctx, "the server did not answer the upgrade in time");
}

struct ws_conn *ws_conn_connect(struct loop *loop, const struct ws_target *target,
                                const struct ws_events *events, void *ctx)
{
    struct ws_handshake *h = mem_zalloc(sizeof *h);
    struct buf key = {0};
    char bytes[KEY_LEN];
    id_bytes(bytes, sizeof bytes);
    base64_encode(&key, str_make(bytes, sizeof bytes));
    ws_accept_key(buf_str(&key), h->accept);

    const struct http_field fields[] = {
        {STR_INIT("Sec-WebSocket-Version"), STR_INIT("13")},
        {STR_INIT("Sec-WebSocket-Key"), buf_str(&key)},
    };
    const struct http_client_request request = {
        .port = target->port,
        .path = target->path,
        .fields = fields,
        .field_count = sizeof fields / sizeof *fields,
        .token = target->token,
        .upgrade = "websocket",
        .connect_ms = HTTP_CLIENT_FOREVER, /* our own deadline covers all of it */
        .idle_ms = HTTP_CLIENT_FOREVER,
    };
    h->conn = make_conn(loop, &target->options, events, ctx);
    h->conn->handshake = h;
    h->request = http_client_start(loop, &request, &request_events, h);
    timer_start(&h->deadline, loop, target->connect_ms ? target->connect_ms : CONNECT_MS,
                on_connect_timeout, h);
    buf_done(&key);
    return h->conn;
}

/* ---- an open connection */

void ws_conn_set_ctx(struct ws_conn *c, void *ctx)
{
    c->ctx = ctx;
}

bool ws_conn_send(struct ws_conn *c, struct str text)
{
    return send_frame(c, WS_OP_TEXT, text);
}

bool ws_conn_send_binary(struct ws_conn *c, struct str bytes)
{
    return send_frame(c, WS_OP_BINARY, bytes);
}

bool ws_conn_send_raw(struct ws_conn *c, struct str bytes)
{
    if (c->state != OPEN || !fits_in_queue(c, bytes.n))
        return false;
    stream_write(c->stream, bytes);
    return true;
}

size_t ws_conn_queued(const struct ws_conn *c)
{
    return c->stream ? stream_queued(c->stream) : 0;
}

static void on_close_timeout(void *ctx)
{
    drop_with_reason(ctx, "the peer did not answer the close");
}

void ws_conn_close(struct ws_conn *c, int code, struct str reason)
{
    if (c->state == CONNECTING)
        drop_with_reason(c, "");
    if (c->state != OPEN)
        return;
    send_close(c, code, reason);
    c->state = CLOSING;
    timer_start(&c->timer, c->loop, c->options.close_ms, on_close_timeout, c);
}

void ws_conn_drop(struct ws_conn *c)
{
    drop_with_reason(c, "the connection was dropped");
}

void ws_conn_reset(struct ws_conn *c)
{
    if (c->stream && c->state != ENDING)
        set_ending(c, WS_CLOSE_ABNORMAL, STR("the connection was reset"));
    if (c->stream)
        stream_reset(c->stream);
    else
        drop_with_reason(c, "");
}
