/* A client of the tests: a raw TCP connection in the same loop as the server.
 *
 *     struct wire w;
 *     wire_open(&w, loop, port);
 *     wire_send(&w, STR("GET / HTTP/1.1\r\nHost: ...\r\n\r\n"));
 *     wire_answer(&w, &text);                   // one whole answer, without its Date
 *     wire_close(&w);
 *
 * Waiting runs the loop until what is waited for is there; a test that waits for what never comes
 * fails when the time of the whole program is over (test.h), and shows what came last.
 */
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/loop.h"
#include "net/stream.h"
#include "test.h"

struct wire {
    struct loop *loop;
    struct stream *s;
    struct buf in;
    bool ended, closed;
};

static const struct wire *wire_last; /* the newest that is open */

static inline void wire_stop(void *loop)
{
    loop_stop(loop);
}

static inline void wire_on_read(struct stream *s, struct str bytes, void *ctx)
{
    struct wire *w = ctx;
    (void)s;
    buf_add(&w->in, bytes);
    loop_stop(w->loop);
}

static inline void wire_on_end(struct stream *s, const char *why, void *ctx)
{
    struct wire *w = ctx;
    (void)s;
    (void)why;
    w->ended = true;
    loop_stop(w->loop);
}

static inline void wire_on_closed(struct stream *s, void *ctx)
{
    struct wire *w = ctx;
    (void)s;
    w->closed = true;
    loop_stop(w->loop);
}

/* Lets the loop run for a moment: until something happens to a client, or 1 ms. */
static inline void wire_turn(struct loop *loop)
{
    struct timer t = {0};
    timer_start(&t, loop, 1, wire_stop, loop);
    loop_run(loop);
    timer_stop(&t);
}

static inline void wire_fail(const char *condition)
{
    if (wire_last)
        print_error("not taken yet: %.*s%s\n", STR_ARG(buf_str(&wire_last->in)),
                    wire_last->ended ? " (it has ended)" : "");
    fail_msg("waited in vain for: %s", condition);
}

/* Runs the loop until the condition, an expression, is true. */
#define WIRE_UNTIL(loop, condition)                                                                \
    do {                                                                                           \
        while (!(condition)) {                                                                     \
            wire_turn(loop);                                                                       \
            if (test_is_over())                                                                    \
                wire_fail(#condition);                                                             \
        }                                                                                          \
    } while (0)

static const struct stream_events wire_events = {wire_on_read, wire_on_end, NULL, wire_on_closed};

static inline int wire_connect(uint16_t port)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&in, sizeof in), 0);
    return fd;
}

static inline void wire_open(struct wire *w, struct loop *loop, uint16_t port)
{
    *w = (struct wire){.loop = loop};
    wire_last = w;
    w->s = stream_open_fd(loop, wire_connect(port), &wire_events, w, NULL);
    assert_non_null(w->s);
    stream_read_start(w->s);
}

static inline void wire_send(struct wire *w, struct str bytes)
{
    stream_write(w->s, bytes);
}

static inline bool wire_has(const struct wire *w, const char *text)
{
    return str_find(buf_str(&w->in), str_from(text)) < w->in.n;
}

static inline void wire_close(struct wire *w)
{
    stream_close(w->s);
    WIRE_UNTIL(w->loop, w->closed);
    if (wire_last == w)
        wire_last = NULL;
    buf_done(&w->in);
}

/* Length of the whole answer at the start of the input; 0: not there yet. */
static inline size_t wire_answer_size(const struct wire *w, bool has_body)
{
    struct str in = buf_str(&w->in), length = STR("\r\nContent-Length: "), head, number;
    size_t end = str_find(in, STR("\r\n\r\n"));
    if (end == in.n)
        return 0;
    head = str_head(in, end += 4);
    if (!has_body)
        return end;
    if (str_find(head, STR("\r\nTransfer-Encoding: chunked\r\n")) < head.n) {
        size_t last = str_find(in, STR("\r\n0\r\n\r\n"));
        return last < in.n ? last + 7 : 0;
    }
    size_t at = str_find(head, length);
    if (at == head.n)
        return str_starts(head, STR("HTTP/1.1 304")) || str_starts(head, STR("HTTP/1.1 204")) ||
                       str_starts(head, STR("HTTP/1.1 1"))
                   ? end
                   : (w->ended ? in.n : 0);
    uint64_t n = 0;
    number = str_skip(head, at + length.n);
    str_cut(&number, '\r', &head);
    assert_true(str_to_u64(head, &n));
    return in.n >= end + n ? end + n : 0;
}

/* The next answer, without the Date line; text is cleared first. */
static inline void wire_take(struct wire *w, bool has_body, struct buf *text)
{
    size_t n;
    WIRE_UNTIL(w->loop, (n = wire_answer_size(w, has_body)) > 0);
    struct str all = str_head(buf_str(&w->in), n);
    size_t from = str_find(all, STR("\r\nDate: ")), to = from;
    if (from < all.n)
        to = from + 2 + str_find(str_skip(all, from + 2), STR("\r\n"));
    buf_clear(text);
    buf_add(text, str_head(all, from));
    buf_add(text, str_skip(all, to));
    buf_drop(&w->in, n);
}

static inline void wire_answer(struct wire *w, struct buf *text)
{
    wire_take(w, true, text);
}
