/* The client with our own server, and with a listener that sends any bytes a test needs. */
#include "net/http_client.h"

#include "http_fixture.h"
#include "net/tcp.h"
#include "test.h"

struct answer {
    struct buf body, why;
    int status;
    char type[64];
    size_t heads, ends, upgrades;
    bool cancel_in_head, cancel_in_body, unreachable;
    struct stream *stream;
    struct buf rest;
};

static void on_head(struct http_client *c, const struct http_response *r, void *ctx)
{
    struct answer *a = ctx;
    struct str type = http_response_field(r, STR("content-type"));
    a->heads++;
    a->status = r->status;
    snprintf(a->type, sizeof a->type, "%.*s", STR_ARG(type));
    if (a->cancel_in_head)
        http_client_cancel(c);
}

static void on_body(struct http_client *c, struct str bytes, void *ctx)
{
    struct answer *a = ctx;
    assert_int_equal(a->heads, 1);
    assert_int_equal(a->ends, 0);
    buf_add(&a->body, bytes);
    if (a->cancel_in_body) {
        http_client_cancel(c);
        http_client_cancel(c);
    }
}

static void on_end(struct http_client *c, const char *why, void *ctx)
{
    struct answer *a = ctx;
    a->ends++;
    a->unreachable = http_client_is_unreachable(c);
    buf_add(&a->why, str_from(why ? why : "fine"));
    http_client_cancel(c); /* too late and harmless */
}

static void on_upgrade(struct http_client *c, struct stream *s, struct buf *rest, void *ctx)
{
    struct answer *a = ctx;
    (void)c;
    a->upgrades++;
    a->stream = s;
    a->rest = *rest;
    *rest = (struct buf){0};
}

static const struct http_client_events events = {on_head, on_body, on_end, on_upgrade};

static void answer_done(struct answer *a)
{
    buf_done(&a->body);
    buf_done(&a->why);
    buf_done(&a->rest);
    *a = (struct answer){0};
}

/* ---- with our server */

static struct http_client *ask(struct fixture *f, struct answer *a, struct http_client_request r)
{
    r.port = http_server_port(f->s);
    return http_client_start(f->loop, &r, &events, a);
}

TEST(a_post_is_answered)
{
    struct fixture f;
    struct answer a = {0};
    set_up(&f, &(struct http_server_options){0});
    ask(&f, &a, (struct http_client_request){.method = "POST", .path = "/echo", .body = STR("hi")});
    assert_int_equal(a.heads + a.ends, 0); /* nothing is called inside it */
    WIRE_UNTIL(f.loop, a.ends);
    CHECK_CSTR(buf_str(&a.why), "fine");
    CHECK_CSTR(buf_str(&a.body), "hi");
    assert_int_equal(a.status, 200);
    assert_string_equal(a.type, "text/plain");
    answer_done(&a);

    ask(&f, &a, (struct http_client_request){.path = "/page"}); /* a GET */
    WIRE_UNTIL(f.loop, a.ends);
    CHECK_CSTR(buf_str(&a.body), "<p>page");
    answer_done(&a);

    ask(&f, &a, (struct http_client_request){.method = "HEAD", .path = "/page"});
    WIRE_UNTIL(f.loop, a.ends);
    CHECK_CSTR(buf_str(&a.why), "fine");
    assert_int_equal(a.status, 200);
    assert_int_equal(a.body.n, 0);
    answer_done(&a);

    ask(&f, &a, (struct http_client_request){.path = "/nowhere"});
    WIRE_UNTIL(f.loop, a.ends);
    assert_int_equal(a.status, 404);
    CHECK_CSTR(buf_str(&a.why), "fine");
    answer_done(&a);
    tear_down(&f);
}

TEST(a_large_body_is_sent_and_received)
{
    struct fixture f;
    struct answer a = {0};
    struct buf big = {0};
    set_up(&f, &(struct http_server_options){0});
    memset(buf_room(&big, 4u << 20), 'x', 4u << 20);
    big.n = 4u << 20;
    ask(&f, &a,
        (struct http_client_request){.method = "POST", .path = "/echo", .body = buf_str(&big)});
    WIRE_UNTIL(f.loop, a.ends);
    CHECK_CSTR(buf_str(&a.why), "fine");
    assert_true(str_eq(buf_str(&a.body), buf_str(&big)));
    buf_done(&big);
    answer_done(&a);
    tear_down(&f);
}

TEST(headers_and_token_reach_the_server)
{
    struct fixture f;
    struct answer a = {0};
    const struct http_field fields[] = {{STR_INIT("X-One"), STR_INIT("1\r\nX-Two: 2")}};
    set_up(&f, &(struct http_server_options){.token = STR("secret secret")});
    ask(&f, &a, (struct http_client_request){.path = "/later"});
    WIRE_UNTIL(f.loop, a.ends);
    assert_int_equal(a.status, 401);
    answer_done(&a);

    ask(&f, &a,
        (struct http_client_request){
            .path = "/later", .fields = fields, .field_count = 1, .token = STR("secret secret")});
    WIRE_UNTIL(f.loop, f.open);
    CHECK_CSTR(http_exchange_header(f.open, STR("x-one")), "1  X-Two: 2");
    assert_null(http_exchange_header(f.open, STR("x-two")).p);
    assert_false(http_exchange_request(f.open)->keep_alive);
    http_exchange_reply(f.open, 204, NULL, (struct str){0});
    WIRE_UNTIL(f.loop, a.ends);
    CHECK_CSTR(buf_str(&a.why), "fine");
    assert_int_equal(a.status, 204);
    answer_done(&a);
    tear_down(&f);
}

TEST(a_path_cannot_end_its_line)
{
    struct fixture f;
    struct answer a = {0};
    set_up(&f, &(struct http_server_options){0});
    ask(&f, &a, (struct http_client_request){.path = "tree/a b\r\n\xc3\xa9#x?q=1"});
    WIRE_UNTIL(f.loop, a.ends);
    CHECK_CSTR(buf_str(&a.body), "/tree/a%20b%0D%0A%C3%A9%23x");
    answer_done(&a);
    tear_down(&f);
}

TEST(pieces_are_received_when_they_are_sent)
{
    struct fixture f;
    struct answer a = {0};
    set_up(&f, &(struct http_server_options){0});
    ask(&f, &a, (struct http_client_request){.path = "/pieces"});
    WIRE_UNTIL(f.loop, f.open);
    WIRE_UNTIL(f.loop, a.heads);
    http_exchange_write(f.open, STR("one"));
    WIRE_UNTIL(f.loop, a.body.n == 3);
    http_exchange_write(f.open, STR("two"));
    WIRE_UNTIL(f.loop, a.body.n == 6);
    assert_int_equal(a.ends, 0);
    http_exchange_end(f.open);
    WIRE_UNTIL(f.loop, a.ends);
    CHECK_CSTR(buf_str(&a.body), "onetwo");
    CHECK_CSTR(buf_str(&a.why), "fine");
    answer_done(&a);
    tear_down(&f);
}

/* ---- cancel */

TEST(the_server_notices_a_cancel)
{
    struct fixture f;
    struct answer a = {0};
    set_up(&f, &(struct http_server_options){0});
    struct http_client *c = ask(&f, &a, (struct http_client_request){.path = "/later"});
    WIRE_UNTIL(f.loop, f.open);
    http_client_cancel(c);
    assert_int_equal(a.ends, 0);
    WIRE_UNTIL(f.loop, a.ends && f.gone);
    CHECK_CSTR(buf_str(&a.why), "the request was cancelled");
    assert_int_equal(a.heads, 0);
    answer_done(&a);
    tear_down(&f);
}

TEST(a_cancel_is_possible_at_any_time)
{
    struct fixture f;
    struct answer a = {0};
    set_up(&f, &(struct http_server_options){0});
    http_client_cancel(ask(&f, &a, (struct http_client_request){.path = "/page"})); /* at once */
    WIRE_UNTIL(f.loop, a.ends);
    CHECK_CSTR(buf_str(&a.why), "the request was cancelled");
    assert_int_equal(a.heads, 0);
    answer_done(&a);

    a.cancel_in_head = true;
    ask(&f, &a, (struct http_client_request){.path = "/page"});
    WIRE_UNTIL(f.loop, a.ends);
    CHECK_CSTR(buf_str(&a.why), "the request was cancelled");
    assert_int_equal(a.body.n, 0);
    answer_done(&a);

    a.cancel_in_body = true;
    ask(&f, &a, (struct http_client_request){.path = "/page"});
    WIRE_UNTIL(f.loop, a.ends);
    CHECK_CSTR(buf_str(&a.why), "the request was cancelled");
    CHECK_CSTR(buf_str(&a.body), "<p>page");
    assert_int_equal(a.ends, 1);
    answer_done(&a);
    tear_down(&f);
}

/* ---- upgrade */

static void on_stream_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct answer *)ctx)->stream = NULL;
}

static void on_stream_end(struct stream *s, const char *why, void *ctx)
{
    (void)why;
    (void)ctx;
    stream_close(s);
}

static const struct stream_events stream_events = {.on_end = on_stream_end,
                                                   .on_closed = on_stream_closed};

TEST(an_upgrade_hands_over_the_stream)
{
    struct fixture f;
    struct answer a = {0};
    set_up(&f, &(struct http_server_options){0});
    ask(&f, &a, (struct http_client_request){.path = "/up", .upgrade = "test"});
    WIRE_UNTIL(f.loop, a.ends);
    assert_int_equal(a.upgrades, 1);
    assert_int_equal(a.status, 101);
    CHECK_CSTR(buf_str(&a.why), "fine");
    stream_set_events(a.stream, &stream_events, &a);
    stream_write(a.stream, STR("bytes of another protocol"));
    WIRE_UNTIL(f.loop, f.rest.n == 25);
    stream_close(a.stream);
    WIRE_UNTIL(f.loop, !a.stream && f.upgraded_closed);
    answer_done(&a);
    tear_down(&f);
}

TEST(a_refused_upgrade_is_an_answer)
{
    struct fixture f;
    struct answer a = {0};
    set_up(&f, &(struct http_server_options){0});
    ask(&f, &a, (struct http_client_request){.path = "/page", .upgrade = "test"});
    WIRE_UNTIL(f.loop, a.ends);
    assert_int_equal(a.upgrades, 0);
    assert_int_equal(a.status, 200);
    CHECK_CSTR(buf_str(&a.body), "<p>page");
    answer_done(&a);
    tear_down(&f);
}

/* ---- with a server that breaks the protocol */

struct liar {
    struct loop *loop;
    struct tcp_listener *l;
    struct str says; /* to whatever comes; then it hangs up, if it */
    bool hangs_up;
    size_t open;
};

static void liar_read(struct stream *s, struct str bytes, void *ctx)
{
    struct liar *l = ctx;
    (void)bytes;
    stream_write(s, l->says);
    if (l->hangs_up)
        stream_finish(s);
}

static void liar_end(struct stream *s, const char *why, void *ctx)
{
    (void)why;
    (void)ctx;
    stream_close(s);
}

static void liar_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct liar *)ctx)->open--;
}

static const struct stream_events liar_events = {liar_read, liar_end, NULL, liar_closed};

static void liar_connection(struct stream *s, void *ctx)
{
    ((struct liar *)ctx)->open++;
    stream_set_events(s, &liar_events, ctx);
    stream_read_start(s);
}

static void check_lie(struct str says, bool hangs_up, struct http_client_request r,
                      const char *want)
{
    struct liar l = {.loop = loop_new(), .says = says, .hangs_up = hangs_up};
    struct answer a = {0};
    l.l = tcp_listen(l.loop, 0, liar_connection, &l, NULL);
    assert_non_null(l.l);
    r.port = tcp_listener_port(l.l);
    http_client_start(l.loop, &r, &events, &a);
    WIRE_UNTIL(l.loop, a.ends);
    CHECK_CSTR(buf_str(&a.why), want);
    assert_int_equal(a.upgrades, 0);
    assert_false(a.unreachable);
    WIRE_UNTIL(l.loop, !l.open);
    answer_done(&a);
    tcp_listener_close(l.l);
    loop_free(l.loop);
}

TEST(invalid_answers_are_reported)
{
    const struct http_client_request plain = {.path = "/"};
    check_lie(STR("220 ftp\r\n"), false, plain, "The answer is not HTTP/1.1: Expected HTTP/.");
    check_lie(STR(""), true, plain, "The connection ended without an answer.");
    check_lie(STR("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi"), true, plain,
              "The connection ended before the answer was complete.");
    check_lie(STR("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"), false, plain,
              "the server changed to another protocol unasked");
    check_lie(STR("HTTP/1.1 200 OK\r\n\r\nuntil the end"), true, plain, "fine");
}

TEST(the_size_of_an_answer_is_limited)
{
    check_lie(STR("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), false,
              (struct http_client_request){.max_body = 5}, "fine");
    check_lie(STR("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), false,
              (struct http_client_request){.max_body = 4}, "the answer is longer than 4 bytes");
    struct buf head = {0};
    buf_add(&head, STR("HTTP/1.1 200 OK\r\nX: "));
    while (head.n <= HTTP_MAX_HEAD)
        buf_add(&head, STR("0123456789abcdef"));
    check_lie(buf_str(&head), false, (struct http_client_request){0},
              "The head of the answer is too long.");
    buf_done(&head);
}

TEST(a_silent_server_times_out)
{
    check_lie(STR(""), false, (struct http_client_request){.idle_ms = 20},
              "the server sent nothing for too long");
    check_lie(STR("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"), false,
              (struct http_client_request){.idle_ms = 20}, "the server sent nothing for too long");
}

TEST(a_refused_connection_is_reported)
{
    struct loop *loop = loop_new();
    struct answer a = {0};
    char want[96];
    struct tcp_listener *l = tcp_listen(loop, 0, liar_connection, NULL, NULL);
    struct http_client_request r = {.port = tcp_listener_port(l)};
    tcp_listener_close(l);
    http_client_start(loop, &r, &events, &a);
    WIRE_UNTIL(loop, a.ends);
    snprintf(want, sizeof want, "cannot connect to 127.0.0.1:%u: connection refused", r.port);
    CHECK_CSTR(buf_str(&a.why), want);
    assert_true(a.unreachable);
    answer_done(&a);
    loop_free(loop);
}

/* A listener whose queue is full: the kernel answers no further connection. */
TEST(a_connection_attempt_times_out)
{
    struct loop *loop = loop_new();
    struct answer a = {0};
    struct sockaddr_in in = {.sin_family = AF_INET};
    socklen_t size = sizeof in;
    int fds[16], n = 0, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&in, size), 0);
    assert_int_equal(listen(fd, 0), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &size), 0);
    while (n < 16) {
        fds[n] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        connect(fds[n++], (struct sockaddr *)&in, sizeof in);
    }
    http_client_start(loop,
                      &(struct http_client_request){.port = ntohs(in.sin_port), .connect_ms = 50},
                      &events, &a);
    WIRE_UNTIL(loop, a.ends);
    assert_non_null(strstr(a.why.p, "in time"));
    assert_true(a.unreachable);
    while (n)
        close(fds[--n]);
    close(fd);
    answer_done(&a);
    loop_free(loop);
}
