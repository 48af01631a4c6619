#include "net/http_server_internal.h"

#include <stdlib.h>

#include "http_fixture.h"

#define HELLO "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"

/* A connection whose request has reached its handler. */
static void ask(struct fixture *f, struct wire *w, const char *line)
{
    dial(f, w);
    wire_send(w, request(f, line, "", ""));
    WIRE_UNTIL(f->loop, f->open);
}

/* The same with a client that does not read. */
static void ask_deaf(struct fixture *f, struct wire *w, const char *line)
{
    ask(f, w, line);
    stream_read_stop(w->s);
}

/* ---- order */

TEST(a_thousand_pipelined_requests_are_answered_in_order)
{
    struct fixture f;
    struct wire w;
    struct buf all = {0};
    char want[128];
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    for (int i = 0; i < 1000; i++) {
        char line[64];
        snprintf(line, sizeof line, "GET /tree/%03d HTTP/1.1", i);
        buf_add(&all, request(&f, line, "", ""));
    }
    wire_send(&w, buf_str(&all));
    for (int i = 0; i < 1000; i++) {
        wire_answer(&w, &f.text);
        snprintf(
            want, sizeof want,
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n/tree/%03d",
            i);
        CHECK_CSTR(buf_str(&f.text), want);
    }
    buf_done(&all);
    wire_close(&w);
    tear_down(&f);
}

TEST(the_next_request_waits_for_the_answer)
{
    struct fixture f;
    struct wire w;
    struct buf two = {0};
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    buf_add(&two, request(&f, "GET /later HTTP/1.1", "", ""));
    buf_add(&two, request(&f, "GET /later HTTP/1.1", "", ""));
    buf_add(&two, request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hello"));
    wire_send(&w, buf_str(&two));
    WIRE_UNTIL(f.loop, f.requests == 1);
    for (int i = 0; i < 5; i++)
        wire_turn(f.loop);
    assert_int_equal(f.requests, 1);
    assert_int_equal(w.in.n, 0);

    http_exchange_reply(f.open, 200, "text/plain", STR("hello"));
    assert_int_equal(f.requests, 1); /* not inside the answer */
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text), HELLO);
    WIRE_UNTIL(f.loop, f.requests == 2);
    http_exchange_reply(f.open, 200, "text/plain", STR("hello"));
    for (int i = 0; i < 2; i++) {
        wire_answer(&w, &f.text);
        CHECK_CSTR(buf_str(&f.text), HELLO);
    }
    assert_int_equal(f.requests, 3);
    buf_done(&two);
    wire_close(&w);
    tear_down(&f);
}

TEST(pipelined_input_is_bounded_and_not_lost)
{
    struct fixture f;
    struct wire w;
    struct buf all = {0};
    enum {
        COUNT = 10
    };
    set_up(&f, &(struct http_server_options){0});
    char *body = malloc(1000001);
    memset(body, 'b', 1000000);
    body[1000000] = 0;
    dial(&f, &w);
    buf_add(&all, request(&f, "GET /later HTTP/1.1", "", ""));
    for (int i = 0; i < COUNT; i++)
        buf_add(&all, request(&f, "POST /echo HTTP/1.1", "Content-Length: 1000000\r\n", body));
    wire_send(&w, buf_str(&all));
    WIRE_UNTIL(f.loop, f.requests == 1);
    for (int i = 0; i < 20; i++)
        wire_turn(f.loop);
    assert_in_range(f.open->behind.n, 1, 128u << 10);
    assert_true(stream_queued(w.s) > 0); /* the client has to wait */

    http_exchange_reply(f.open, 200, "text/plain", STR("hello"));
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text), HELLO);
    for (int i = 0; i < COUNT; i++) {
        wire_answer(&w, &f.text);
        assert_true(str_ends(buf_str(&f.text), str_make(body, 1000000)));
    }
    free(body);
    buf_done(&all);
    wire_close(&w);
    tear_down(&f);
}

TEST(requests_of_a_client_that_does_not_read_wait)
{
    struct fixture f;
    struct wire w;
    struct buf all = {0};
    static char page[1u << 20];
    set_up(&f, &(struct http_server_options){0});
    http_server_static(f.s, "/big", "a/b", str_make(page, sizeof page), NULL);
    dial(&f, &w);
    stream_read_stop(w.s);
    for (int i = 0; i < 64; i++)
        buf_add(&all, request(&f, "GET /big HTTP/1.1", "", ""));
    wire_send(&w, buf_str(&all));
    for (int i = 0; i < 50; i++)
        wire_turn(f.loop);
    struct http_exchange *c = LIST_FIRST(&f.s->conns, struct http_exchange, link);
    assert_in_range(stream_queued(c->stream), 1, 2u << 20); /* not 64 MiB */
    stream_read_start(w.s);
    for (int i = 0; i < 64; i++) {
        wire_answer(&w, &f.text);
        assert_true(f.text.n > sizeof page);
    }
    buf_done(&all);
    wire_close(&w);
    tear_down(&f);
}

/* ---- clients that leave */

TEST(a_disconnect_before_the_answer_is_reported)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    static const char *const lines[] = {"GET /later HTTP/1.1", "GET /pieces HTTP/1.1"};
    for (size_t i = 0; i < 2; i++) {
        ask(&f, &w, lines[i]);
        wire_close(&w);
        WIRE_UNTIL(f.loop, f.gone == i + 1);
        assert_null(f.open);
        assert_int_equal(http_server_connections(f.s), 0);
    }
    tear_down(&f);
}

TEST(a_reset_is_a_disconnect)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){0});
    int fd = wire_connect(http_server_port(f.s));
    struct str ask = request(&f, "GET /later HTTP/1.1", "", "");
    assert_int_equal(write(fd, ask.p, ask.n), ask.n);
    WIRE_UNTIL(f.loop, f.open);
    const struct linger hard = {.l_onoff = 1};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close(fd);
    WIRE_UNTIL(f.loop, f.gone == 1);
    tear_down(&f);
}

TEST(a_half_close_is_a_disconnect_unless_everything_was_answered)
{
    struct fixture f;
    struct wire w;
    static char page[8u << 20];
    set_up(&f, &(struct http_server_options){0});
    http_server_static(f.s, "/big", "a/b", str_make(page, sizeof page), NULL);
    ask(&f, &w, "GET /later HTTP/1.1");
    stream_shutdown(w.s);
    WIRE_UNTIL(f.loop, f.gone == 1 && w.ended);
    assert_int_equal(w.in.n, 0);
    wire_close(&w);

    dial(&f, &w);
    wire_send(&w, request(&f, "GET /big HTTP/1.1", "", ""));
    stream_shutdown(w.s);
    WIRE_UNTIL(f.loop, w.ended);
    wire_answer(&w, &f.text);
    assert_true(f.text.n > sizeof page);
    wire_close(&w);
    tear_down(&f);
}

TEST(a_disconnect_after_the_answer_is_not_reported)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    ask(&f, &w, "GET /later HTTP/1.1");
    http_exchange_reply(f.open, 200, "text/plain", STR("hello"));
    wire_close(&w);
    WIRE_UNTIL(f.loop, http_server_connections(f.s) == 0);
    assert_int_equal(f.gone, 0);
    tear_down(&f);
}

/* ---- answers in pieces */

TEST(pieces_are_sent_when_they_are_written)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    wire_send(&w, request(&f, "GET /pieces HTTP/1.1", "", ""));
    WIRE_UNTIL(f.loop, f.open && wire_has(&w, "\r\n\r\n"));
    assert_true(http_exchange_write(f.open, STR("hello")));
    WIRE_UNTIL(f.loop, wire_has(&w, "\r\n\r\n5\r\nhello\r\n"));
    assert_true(http_exchange_write(f.open, STR(""))); /* which would be the end */
    assert_true(http_exchange_write(f.open, STR("0123456789abcdef")));
    http_exchange_end(f.open);
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text), "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                                 "Transfer-Encoding: chunked\r\n\r\n"
                                 "5\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n");
    check_answer(&f, &w, request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hello"),
                 HELLO);
    wire_close(&w);
    tear_down(&f);
}

TEST(an_answer_may_come_in_parts)
{
    struct fixture f;
    struct wire w;
    const struct str parts[] = {STR("he"), STR(""), STR("l"), STR("l"), STR("o")};
    set_up(&f, &(struct http_server_options){0});
    ask(&f, &w, "GET /later HTTP/1.1");
    http_exchange_reply_parts(f.open, 200, "text/plain", parts, HTTP_MAX_PARTS);
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text), HELLO);
    f.open = NULL;
    wire_send(&w, request(&f, "HEAD /later HTTP/1.1", "", ""));
    WIRE_UNTIL(f.loop, f.open);
    http_exchange_reply_parts(f.open, 200, "text/plain", parts, HTTP_MAX_PARTS);
    wire_take(&w, false, &f.text);
    CHECK_CSTR(buf_str(&f.text),
               "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n");
    f.open = NULL;
    wire_send(&w, request(&f, "GET /pieces HTTP/1.1", "", ""));
    WIRE_UNTIL(f.loop, f.open);
    assert_true(
        http_exchange_write_parts(f.open, parts, HTTP_MAX_PARTS)); /* with the head in one call */
    assert_true(http_exchange_write_parts(f.open, parts, 0));
    http_exchange_end(f.open);
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text), "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                                 "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    wire_close(&w);
    tear_down(&f);
}

TEST(pieces_of_http_1_0_end_with_the_connection)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    wire_send(&w, request(&f, "GET /pieces HTTP/1.0", "Connection: keep-alive\r\n", ""));
    WIRE_UNTIL(f.loop, f.open);
    http_exchange_write(f.open, STR("hello"));
    http_exchange_end(f.open);
    WIRE_UNTIL(f.loop, w.ended);
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text),
               "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" CLOSE "\r\nhello");
    wire_close(&w);
    tear_down(&f);
}

TEST(a_head_request_gets_no_pieces)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    ask(&f, &w, "HEAD /pieces HTTP/1.1");
    assert_true(http_exchange_write(f.open, STR("hello")));
    http_exchange_end(f.open);
    wire_take(&w, false, &f.text);
    CHECK_CSTR(buf_str(&f.text), "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                                 "Transfer-Encoding: chunked\r\n\r\n");
    check_answer(&f, &w, request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hello"),
                 HELLO);
    wire_close(&w);
    tear_down(&f);
}

TEST(a_slow_reader_fills_the_queue_and_on_drain_follows)
{
    struct fixture f;
    struct wire w;
    static char piece[100000];
    size_t sent = 0;
    set_up(&f, &(struct http_server_options){0});
    ask_deaf(&f, &w, "GET /pieces HTTP/1.1");
    memset(piece, 'p', sizeof piece);
    while (http_exchange_queued(f.open) < 1u << 20) {
        assert_true(http_exchange_write(f.open, str_make(piece, sizeof piece)));
        sent += sizeof piece;
    }
    assert_int_equal(f.drained, 0);
    stream_read_start(w.s);
    WIRE_UNTIL(f.loop, f.drained == 1);
    assert_in_range(http_exchange_queued(f.open), 0, STREAM_LOW_WATER);
    http_exchange_end(f.open);
    wire_answer(&w, &f.text);
    assert_true(f.text.n > sent);
    assert_int_equal(f.gone, 0);
    wire_close(&w);
    tear_down(&f);
}

TEST(an_endless_queue_drops_the_connection)
{
    struct fixture f;
    struct wire w;
    static char piece[1u << 20];
    set_up(&f, &(struct http_server_options){0});
    for (size_t ends = 0; ends < 2; ends++) {
        ask_deaf(&f, &w, "GET /pieces HTTP/1.1");
        size_t written = 0;
        while (http_exchange_write(f.open, str_make(piece, sizeof piece)))
            written += sizeof piece;
        assert_in_range(written, HTTP_MAX_QUEUED - sizeof piece, HTTP_MAX_QUEUED + (16u << 20));
        assert_false(http_exchange_write(f.open, STR("more")));
        assert_int_equal(f.gone, 0); /* not inside the write */
        if (ends)
            http_exchange_end(f.open); /* after the end, on_gone is not called */
        WIRE_UNTIL(f.loop, http_server_connections(f.s) == 0);
        assert_int_equal(f.gone, ends ? 0 : 1);
        f.gone = 0;
        f.open = NULL;
        wire_close(&w);
    }
    tear_down(&f);
}

/* ---- handing over */

TEST(a_stream_is_handed_over_with_the_bytes_already_read)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    wire_send(&w,
              request(&f, "GET /up HTTP/1.1", "Connection: upgrade\r\nUpgrade: test\r\n", "first"));
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text), "HTTP/1.1 101 Switching Protocols\r\nUpgrade: test\r\n"
                                 "Connection: Upgrade\r\n\r\n");
    CHECK_STR(buf_str(&f.rest), STR("first"));
    assert_int_equal(http_server_connections(f.s), 0);
    wire_send(&w, STR(" second"));
    WIRE_UNTIL(f.loop, f.rest.n == 12);
    stream_write(f.upgraded, STR("hi"));
    WIRE_UNTIL(f.loop, wire_has(&w, "hi"));

    http_server_free(f.s); /* which it outlives */
    f.s = NULL;
    stream_write(f.upgraded, STR("there"));
    WIRE_UNTIL(f.loop, wire_has(&w, "hithere"));
    wire_close(&w);
    WIRE_UNTIL(f.loop, f.upgraded_closed);
    tear_down(&f);
}

TEST(a_stream_is_handed_over_later)
{
    static const struct stream_events events = {on_up_read, on_up_end, NULL, on_up_closed};
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    wire_send(&w, request(&f, "GET /later HTTP/1.1", "", "first"));
    WIRE_UNTIL(f.loop, f.open);
    wire_send(&w, STR(" second"));
    WIRE_UNTIL(f.loop, f.open->behind.n == 12);
    f.upgraded = http_exchange_upgrade(f.open, &f.rest);
    stream_set_events(f.upgraded, &events, &f);
    CHECK_STR(buf_str(&f.rest), STR("first second"));
    WIRE_UNTIL(f.loop, wire_has(&w, "101 Switching"));
    stream_close(f.upgraded);
    WIRE_UNTIL(f.loop, f.upgraded_closed && w.ended);
    wire_close(&w);
    tear_down(&f);
}

/* ---- limits of time and number */

TEST(a_head_that_trickles_is_408)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){.head_ms = 40});
    dial(&f, &w);
    wire_send(&w, STR("G"));
    while (!w.in.n) { /* each byte is in time, the head is late */
        wire_turn(f.loop);
        wire_send(&w, STR("E"));
    }
    wire_close(&w);
    check_alone(&f, STR("GET /page HTTP/1.1\r\n"),
                "HTTP/1.1 408 Request Timeout\r\n" PLAIN SEALED CLOSE "Content-Length: 49\r\n\r\n"
                "The head of the request took too long to arrive.\n",
                false);
    tear_down(&f);
}

TEST(a_missing_body_is_408)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){.body_ms = 40});
    check_alone(&f, request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hell"),
                "HTTP/1.1 408 Request Timeout\r\n" PLAIN SEALED CLOSE "Content-Length: 49\r\n\r\n"
                "The body of the request took too long to arrive.\n",
                false);
    tear_down(&f);
}

TEST(a_silent_connection_is_closed_without_an_answer)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){.idle_ms = 300});
    dial(&f, &w);
    WIRE_UNTIL(f.loop, w.ended);
    assert_int_equal(w.in.n, 0);
    wire_close(&w);

    dial(&f, &w); /* also after an answer, and after empty lines */
    check_answer(&f, &w, request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hello"),
                 HELLO);
    wire_send(&w, STR("\r\n"));
    WIRE_UNTIL(f.loop, w.ended);
    assert_int_equal(w.in.n, 0);
    WIRE_UNTIL(f.loop, http_server_connections(f.s) == 0 || w.ended);
    wire_close(&w);
    tear_down(&f);
}

TEST(an_answer_may_take_longer_than_every_timeout)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){
                   .head_ms = 300, .body_ms = 300, .idle_ms = 300, .stall_ms = 300});
    ask(&f, &w, "GET /later HTTP/1.1");
    uint64_t start = loop_now(f.loop);
    WIRE_UNTIL(f.loop, loop_now(f.loop) - start > 700);
    assert_int_equal(f.gone, 0);
    http_exchange_reply(f.open, 200, "text/plain", STR("hello"));
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text), HELLO);
    wire_close(&w);
    tear_down(&f);
}

TEST(a_client_that_reads_nothing_is_dropped)
{
    struct fixture f;
    struct wire w;
    static char piece[16u << 20];
    set_up(&f, &(struct http_server_options){.stall_ms = 40});
    ask_deaf(&f, &w, "GET /pieces HTTP/1.1");
    assert_true(http_exchange_write(f.open, str_make(piece, sizeof piece)));
    assert_true(http_exchange_queued(f.open) > 0);
    WIRE_UNTIL(f.loop, f.gone == 1);
    wire_close(&w);
    tear_down(&f);
}

/* No timer runs while the stream has nothing to write. */
TEST(a_quiet_stream_runs_no_timer_and_does_not_time_out)
{
    struct fixture f;
    struct wire w;
    static char piece[16u << 20];
    set_up(&f, &(struct http_server_options){
                   .head_ms = 400, .body_ms = 400, .idle_ms = 400, .stall_ms = 400});
    ask(&f, &w, "GET /pieces HTTP/1.1");
    WIRE_UNTIL(f.loop, !timer_is_running(&f.s->sweep));
    assert_true(http_exchange_write(f.open, STR("hello")));
    uint64_t start = loop_now(f.loop);
    WIRE_UNTIL(f.loop, loop_now(f.loop) - start > 500);
    assert_false(timer_is_running(&f.s->sweep));

    stream_read_stop(w.s); /* from now on it reads nothing */
    start = loop_now(f.loop);
    assert_true(http_exchange_write(f.open, str_make(piece, sizeof piece)));
    assert_true(timer_is_running(&f.s->sweep));
    WIRE_UNTIL(f.loop, f.gone == 1);
    assert_true(loop_now(f.loop) - start >= 400);
    wire_close(&w);

    ask(&f, &w, "GET /pieces HTTP/1.1");
    WIRE_UNTIL(f.loop, !timer_is_running(&f.s->sweep));
    http_exchange_end(f.open); /* and then it is idle */
    f.open = NULL;
    assert_true(timer_is_running(&f.s->sweep));
    WIRE_UNTIL(f.loop, w.ended);
    wire_close(&w);
    tear_down(&f);
}

TEST(a_client_that_never_closes_is_closed)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    wire_send(&w, STR("nonsense\r\n\r\n"));
    WIRE_UNTIL(f.loop, w.ended);
    WIRE_UNTIL(f.loop, http_server_connections(f.s) == 0); /* after a second */
    wire_close(&w);
    tear_down(&f);
}

TEST(a_connection_over_the_limit_is_refused_and_the_others_stay)
{
    struct fixture f;
    struct wire w[4];
    set_up(&f, &(struct http_server_options){.max_connections = 3});
    for (int i = 0; i < 3; i++) {
        dial(&f, &w[i]);
        check_answer(&f, &w[i],
                     request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hello"), HELLO);
    }
    dial(&f, &w[3]);
    wire_answer(&w[3], &f.text);
    CHECK_CSTR(buf_str(&f.text), "HTTP/1.1 503 Service Unavailable\r\n" PLAIN SEALED CLOSE
                                 "Content-Length: 50\r\n\r\n"
                                 "This server has too many connections: close some.\n");
    WIRE_UNTIL(f.loop, w[3].ended);
    wire_close(&w[3]);
    assert_int_equal(http_server_connections(f.s), 3);
    wire_close(&w[0]);
    WIRE_UNTIL(f.loop, http_server_connections(f.s) == 2);
    dial(&f, &w[0]);
    for (int i = 0; i < 3; i++) {
        check_answer(&f, &w[i],
                     request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hello"), HELLO);
        wire_close(&w[i]);
    }
    tear_down(&f);
}

TEST(a_body_over_the_total_limit_is_refused_and_the_others_arrive)
{
    struct fixture f;
    struct wire w[3];
    struct buf half = {0}, text = {0};
    set_up(&f, &(struct http_server_options){.max_incoming = 210000});
    while (half.n < 100000)
        buf_add(&half, STR("0123456789"));
    buf_add(&text, request(&f, "POST /echo HTTP/1.1", "Content-Length: 200000\r\n", ""));
    buf_add(&text, buf_str(&half));
    for (int i = 0; i < 2; i++) {
        dial(&f, &w[i]);
        wire_send(&w[i], buf_str(&text));
        if (i) /* one byte more than there is room for */
            wire_send(&w[i], str_head(buf_str(&half), 10001));
        WIRE_UNTIL(f.loop, i ? w[i].in.n > 0 : f.s->incoming == 100000);
    }
    wire_answer(&w[1], &f.text);
    CHECK_CSTR(buf_str(&f.text), "HTTP/1.1 503 Service Unavailable\r\n" PLAIN SEALED CLOSE
                                 "Content-Length: 54\r\n\r\n"
                                 "This server is receiving too much at once: try again.\n");
    assert_int_equal(f.s->incoming, 100000); /* its room is free again */
    dial(&f, &w[2]);                         /* a small body is accepted */
    check_answer(&f, &w[2], request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hello"),
                 HELLO);
    wire_send(&w[0], buf_str(&half));
    wire_answer(&w[0], &f.text);
    assert_true(str_ends(buf_str(&f.text), buf_str(&half)));
    assert_int_equal(f.s->incoming, 0);
    for (int i = 0; i < 3; i++)
        wire_close(&w[i]);
    buf_done(&half);
    buf_done(&text);
    tear_down(&f);
}

/* ---- the end of the server */

static void on_free(struct http_exchange *x, void *ctx)
{
    struct fixture *f = ctx;
    (void)x;
    http_server_free(f->s);
    f->s = NULL;
}

TEST(a_server_may_be_freed_inside_its_own_callback)
{
    struct fixture f;
    struct wire w, other;
    set_up(&f, &(struct http_server_options){.stall_ms = 40});
    http_server_route(f.s, &(struct http_route){"/free", "GET", on_free, &f});
    dial(&f, &other);
    dial(&f, &w);
    wire_send(&w, request(&f, "GET /free HTTP/1.1", "", "GET /free"));
    WIRE_UNTIL(f.loop, w.ended && other.ended);
    wire_close(&w);
    wire_close(&other);
    assert_null(f.s);
    tear_down(&f);

    static char piece[16u << 20]; /* and inside on_gone, from the time-outs */
    set_up(&f, &(struct http_server_options){.stall_ms = 40});
    ask_deaf(&f, &w, "GET /pieces HTTP/1.1");
    http_exchange_watch(f.open, on_free, NULL, &f);
    http_exchange_write(f.open, str_make(piece, sizeof piece));
    WIRE_UNTIL(f.loop, !f.s);
    wire_close(&w);
    tear_down(&f);
}
