/* A server with one route of each kind, and what its handlers got; for http_server, http_exchange.
 *
 *     /echo    POST       the body comes back at once
 *     /later   GET, POST  f->open is the exchange; the test answers
 *     /pieces  GET        the same, begun with http_exchange_begin
 *     /up      GET        handed over; f->upgraded, f->rest
 *     /page    GET        fixed bytes
 *     /tree/.. GET        its path comes back
 */
#pragma once

#include "net/http_server.h"
#include "test.h"
#include "wire.h"

struct fixture {
    struct loop *loop;
    struct http_server *s;
    struct http_exchange *open;
    struct stream *upgraded;
    struct buf rest, text, ask;
    size_t requests, gone, drained;
    bool upgraded_closed;
};

static inline void on_echo(struct http_exchange *x, void *ctx)
{
    struct fixture *f = ctx;
    struct buf body = http_exchange_take_body(x);
    f->requests++;
    http_exchange_reply(x, 200, "text/plain", buf_str(&body));
    buf_done(&body);
}

static inline void on_gone(struct http_exchange *x, void *ctx)
{
    struct fixture *f = ctx;
    assert_true(http_exchange_request(x)->method.n > 0); /* it may still be looked at */
    if (f->open == x)
        f->open = NULL;
    f->gone++;
}

static inline void on_drained(struct http_exchange *x, void *ctx)
{
    (void)x;
    ((struct fixture *)ctx)->drained++;
}

static inline void on_later(struct http_exchange *x, void *ctx)
{
    struct fixture *f = ctx;
    f->requests++;
    f->open = x;
    assert_ptr_equal(http_exchange_loop(x), f->loop);
    http_exchange_watch(x, on_gone, on_drained, f);
}

static inline void on_pieces(struct http_exchange *x, void *ctx)
{
    on_later(x, ctx);
    http_exchange_begin(x, 200, "text/plain");
}

static inline void on_up_read(struct stream *s, struct str bytes, void *ctx)
{
    (void)s;
    buf_add(&((struct fixture *)ctx)->rest, bytes);
}

static inline void on_up_end(struct stream *s, const char *why, void *ctx)
{
    (void)why;
    (void)ctx;
    stream_close(s);
}

static inline void on_up_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct fixture *)ctx)->upgraded_closed = true;
}

static inline void on_up(struct http_exchange *x, void *ctx)
{
    static const struct stream_events events = {on_up_read, on_up_end, NULL, on_up_closed};
    struct fixture *f = ctx;
    http_exchange_set_header(x, "Upgrade", STR("test"));
    f->upgraded = http_exchange_upgrade(x, &f->rest);
    stream_set_events(f->upgraded, &events, f);
    stream_read_start(f->upgraded);
}

static inline void on_tree(struct http_exchange *x, void *ctx)
{
    (void)ctx;
    http_exchange_reply(x, 200, "text/plain", http_exchange_request(x)->path);
}

static inline void set_up(struct fixture *f, const struct http_server_options *options)
{
    *f = (struct fixture){.loop = loop_new()};
    f->s = http_server_new(f->loop, options);
    http_server_route(f->s, &(struct http_route){"/echo", "POST", on_echo, f});
    http_server_route(f->s, &(struct http_route){"/later", "GET, POST", on_later, f});
    http_server_route(f->s, &(struct http_route){"/pieces", "GET", on_pieces, f});
    http_server_route(f->s, &(struct http_route){"/up", "GET", on_up, f});
    http_server_route(f->s, &(struct http_route){"/tree/*", "GET", on_tree, f});
    http_server_static(f->s, "/page", "text/html", STR("<p>page"), NULL);
    http_server_static(f->s, "/kept", "text/css", STR("p {}"), "max-age=60");
    assert_true(http_server_listen(f->s, 0, NULL));
}

static inline void tear_down(struct fixture *f)
{
    http_server_free(f->s);
    loop_free(f->loop);
    buf_done(&f->rest);
    buf_done(&f->text);
    buf_done(&f->ask);
}

static inline void dial(struct fixture *f, struct wire *w)
{
    wire_open(w, f->loop, http_server_port(f->s));
}

/* "POST /echo HTTP/1.1", its Host, the further lines, an empty line, the body. */
static inline struct str request(struct fixture *f, const char *line, const char *lines,
                                 const char *body)
{
    buf_clear(&f->ask);
    buf_printf(&f->ask, "%s\r\nHost: 127.0.0.1:%u\r\n%s\r\n%s", line, http_server_port(f->s), lines,
               body);
    return buf_str(&f->ask);
}

/* Sends it on w and compares the answer. */
static inline void check_answer(struct fixture *f, struct wire *w, struct str ask, const char *want)
{
    wire_send(w, ask);
    wire_take(w, !str_starts(ask, STR("HEAD ")), &f->text);
    CHECK_CSTR(buf_str(&f->text), want);
}

/* The same on a connection of its own, whose end is checked: kept or closed. */
static inline void check_alone(struct fixture *f, struct str ask, const char *want, bool kept)
{
    struct wire w;
    dial(f, &w);
    check_answer(f, &w, ask, want);
    if (kept)
        check_answer(f, &w, request(f, "GET /tree/on HTTP/1.1", "", ""),
                     "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\n"
                     "/tree/on");
    else
        WIRE_UNTIL(f->loop, w.ended);
    assert_int_equal(w.in.n, 0);
    wire_close(&w);
}

#define PLAIN "Content-Type: text/plain; charset=utf-8\r\n"
/* Every refusal has it. */
#define SEALED                                                                                     \
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"                      \
    "X-Content-Type-Options: nosniff\r\n"
#define CLOSE "Connection: close\r\n"
