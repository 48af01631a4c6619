#include "net/http_client.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "net/tcp.h"

#define REASON_MAX 200

struct http_client {
    struct loop *loop;
    const struct http_client_events *events;
    void *ctx;
    struct tcp_attempt *attempt; /* NULL: not connecting */
    struct stream *stream;       /* NULL: none yet, or given away */
    struct http_response_decoder *decoder;
    struct buf out; /* the request, until it is written */
    struct timer timer;
    uint64_t idle_ms, seen;
    size_t max_body, body_n;
    uint16_t port;
    bool wants_upgrade;
    bool ended;       /* on_end is due: no other callback is made */
    bool failed;      /* `reason` is set */
    bool unreachable; /* there was no connection */
    char reason[REASON_MAX];
};

/* ---- the end */

static void finish_request(void *ctx)
{
    struct http_client *c = ctx;
    timer_stop(&c->timer);
    c->events->on_end(c, c->failed ? c->reason : NULL, c->ctx);
    http_response_free(c->decoder);
    buf_done(&c->out);
    free(c);
}

/* on_end gets the first reason, after the connection is closed. */
static void end_request(struct http_client *c, const char *why)
{
    if (c->ended)
        return;
    c->ended = true;
    c->failed = why != NULL;
    snprintf(c->reason, sizeof c->reason, "%s", why ? why : "");
    tcp_attempt_cancel(c->attempt);
    c->attempt = NULL;
    if (c->stream)
        stream_close(c->stream); /* on_closed() calls on_end */
    else
        timer_start(&c->timer, c->loop, 0, finish_request, c);
}

void http_client_cancel(struct http_client *c)
{
    end_request(c, "the request was cancelled");
}

bool http_client_is_unreachable(const struct http_client *c)
{
    return c->unreachable;
}

static void on_late_connect(void *ctx)
{
    struct http_client *c = ctx;
    char why[REASON_MAX];
    c->unreachable = true;
    snprintf(why, sizeof why, "cannot connect to 127.0.0.1:%u in time", c->port);
    end_request(c, why);
}

/* The timer is not restarted by each read: on_idle() computes how long it was quiet. */
static void on_idle(void *ctx)
{
    struct http_client *c = ctx;
    uint64_t quiet = loop_now(c->loop) - c->seen;
    if (quiet >= c->idle_ms)
        end_request(c, "the server sent nothing for too long");
    else
        timer_start(&c->timer, c->loop, c->idle_ms - quiet, on_idle, c);
}

/* ---- the answer */

static void on_no_read(struct stream *s, struct str bytes, void *ctx)
{
    (void)s;
    (void)bytes;
    (void)ctx;
}

static void on_no_end(struct stream *s, const char *why, void *ctx)
{
    (void)why;
    (void)ctx;
    stream_close(s);
}

static void on_no_closed(struct stream *s, void *ctx)
{
    (void)s;
    (void)ctx;
}

static const struct stream_events no_events = {on_no_read, on_no_end, NULL, on_no_closed};

static void hand_over_stream(struct http_client *c, struct str rest)
{
    struct buf bytes = buf_make(rest.n);
    struct stream *s = c->stream;
    buf_add(&bytes, rest);
    c->stream = NULL;
    stream_read_stop(s);
    stream_set_events(s, &no_events, NULL);
    c->events->on_upgrade(c, s, &bytes, c->ctx);
    buf_done(&bytes);
    end_request(c, NULL);
}

static void on_head(struct http_client *c)
{
    const struct http_response *r = http_response_get(c->decoder);
    if (r->status == 101 && !c->wants_upgrade) {
        end_request(c, "the server changed to another protocol unasked");
        return;
    }
    if (c->events->on_head)
        c->events->on_head(c, r, c->ctx);
}

static void on_data(struct http_client *c, struct str bytes)
{
    if (c->max_body && bytes.n > c->max_body - c->body_n) {
        char why[REASON_MAX];
        snprintf(why, sizeof why, "the answer is longer than %zu bytes", c->max_body);
        end_request(c, why);
        return;
    }
    c->body_n += bytes.n;
    if (c->events->on_body)
        c->events->on_body(c, bytes, c->ctx);
}

static void handle_event(struct http_client *c, enum http_response_event e)
{
    switch (e) {
    case HTTP_RESPONSE_HEAD:
        on_head(c);
        break;
    case HTTP_RESPONSE_DATA:
        on_data(c, http_response_data(c->decoder));
        break;
    case HTTP_RESPONSE_COMPLETE:
        end_request(c, NULL);
        break;
    case HTTP_RESPONSE_BAD:
        end_request(c, http_response_reason(c->decoder));
        break;
    case HTTP_RESPONSE_MORE:
        break;
    }
}

static void on_read(struct stream *s, struct str bytes, void *ctx)
{
    struct http_client *c = ctx;
    enum http_response_event e;
    (void)s;
    c->seen = loop_now(c->loop);
    do {
        size_t used;
        e = http_response_feed(c->decoder, bytes, &used);
        bytes = str_skip(bytes, used);
        handle_event(c, e);
        if (e == HTTP_RESPONSE_HEAD && !c->ended && http_response_get(c->decoder)->status == 101)
            hand_over_stream(c, bytes);
    } while (!c->ended && e != HTTP_RESPONSE_MORE);
}

static void on_end(struct stream *s, const char *why, void *ctx)
{
    struct http_client *c = ctx;
    (void)s;
    if (why)
        end_request(c, why);
    else
        handle_event(c, http_response_end(c->decoder));
}

static void on_closed(struct stream *s, void *ctx)
{
    (void)s;
    finish_request(ctx);
}

static const struct stream_events stream_events = {on_read, on_end, NULL, on_closed};

/* ---- the request */

static void on_connected(struct stream *s, const char *why, void *ctx)
{
    struct http_client *c = ctx;
    c->attempt = NULL;
    if (!s) {
        char text[REASON_MAX];
        c->unreachable = true;
        snprintf(text, sizeof text, "cannot connect to 127.0.0.1:%u: %s", c->port, why);
        end_request(c, text);
        return;
    }
    c->stream = s;
    c->seen = loop_now(c->loop);
    stream_set_events(s, &stream_events, c);
    stream_read_start(s);
    stream_write(s, buf_str(&c->out));
    buf_done(&c->out);
    timer_stop(&c->timer);
    if (c->idle_ms != HTTP_CLIENT_FOREVER)
        timer_start(&c->timer, c->loop, c->idle_ms, on_idle, c);
}

static void add_path(struct buf *out, const char *path)
{
    if (*path != '/')
        buf_add_char(out, '/');
    for (const char *p = path; *p; p++) {
        uint8_t byte = (uint8_t)*p;
        if (byte <= ' ' || byte >= 0x7f || byte == '#')
            buf_printf(out, "%%%02X", byte);
        else
            buf_add_char(out, *p);
    }
}

static void add_line(struct buf *out, struct str start, struct str value)
{
    buf_add(out, start);
    for (size_t i = 0; i < value.n; i++) {
        uint8_t byte = (uint8_t)value.p[i];
        buf_add_char(out, byte < ' ' || byte == 0x7f ? ' ' : value.p[i]);
    }
    buf_add(out, STR("\r\n"));
}

static void add_request(struct buf *out, const struct http_client_request *r)
{
    buf_printf(out, "%s ", r->method ? r->method : "GET");
    add_path(out, r->path ? r->path : "/");
    buf_printf(out, " HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n", r->port);
    for (size_t i = 0; i < r->field_count; i++) {
        buf_add(out, r->fields[i].name);
        add_line(out, STR(": "), r->fields[i].value);
    }
    if (r->token.n)
        add_line(out, STR("Authorization: Bearer "), r->token);
    if (r->upgrade)
        buf_printf(out, "Upgrade: %s\r\nConnection: Upgrade\r\n", r->upgrade);
    else
        buf_add(out, STR("Connection: close\r\n"));
    if (r->body.p)
        buf_printf(out, "Content-Length: %zu\r\n", r->body.n);
    buf_add(out, STR("\r\n"));
    buf_add(out, r->body);
}

struct http_client *http_client_start(struct loop *loop, const struct http_client_request *request,
                                      const struct http_client_events *events, void *ctx)
{
    struct http_client *c = mem_zalloc(sizeof *c);
    uint64_t connect_ms = request->connect_ms ? request->connect_ms : HTTP_CLIENT_CONNECT_MS;
    bool is_head = request->method && str_eq(str_from(request->method), STR("HEAD"));
    assert(events->on_end && (!request->upgrade || events->on_upgrade));
    c->loop = loop;
    c->events = events;
    c->ctx = ctx;
    c->port = request->port;
    c->max_body = request->max_body;
    c->wants_upgrade = request->upgrade != NULL;
    c->idle_ms = request->idle_ms ? request->idle_ms : HTTP_CLIENT_IDLE_MS;
    c->out.max = SIZE_MAX / 4;
    add_request(&c->out, request);
    c->decoder = http_response_new(HTTP_MAX_HEAD, is_head);
    c->attempt = tcp_connect(loop, c->port, on_connected, c);
    if (connect_ms != HTTP_CLIENT_FOREVER)
        timer_start(&c->timer, loop, connect_ms, on_late_connect, c);
    return c;
}
