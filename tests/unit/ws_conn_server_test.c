/* Both sides in one loop: the server under test, and a client that is a plain stream. */
#include "net/ws_conn.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/http_server.h"
#include "test.h"
#include "ws_frames.h"

#define PATIENCE_MS TEST_LIMIT_MS
#define KEY         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define UPGRADE     "Upgrade: websocket\r\nConnection: Upgrade\r\n"
#define VERSION     "Sec-WebSocket-Version: 13\r\n"

struct world {
    struct loop *loop;
    struct http_server *server;
    struct ws_options options;
    struct ws_conn *conn;  /* NULL: not yet or no longer */
    struct buf server_log; /* calls of the server's callbacks */
    struct stream *client;
    struct buf head;       /* the answer to the upgrade */
    struct buf in;         /* bytes of frames that are not complete */
    struct buf client_log; /* the frames the client got, and the end */
    bool answers;          /* the client answers pings and closes */
    bool stays;            /* the client goes on when the server has ended its side */
    const struct buf *log; /* the text to wait for, and its place */
    const char *line;
    struct timer patience;
};

static void check_done(struct world *w)
{
    if (w->line && w->log->p && strstr(w->log->p, w->line))
        loop_stop(w->loop);
}

static void on_patience(void *ctx)
{
    struct world *w = ctx;
    print_error("no \"%s\"\nserver:\n%s\nclient:\n%s\n", w->line, w->server_log.p, w->client_log.p);
    abort();
}

static void wait_for(struct world *w, const struct buf *log, const char *line)
{
    w->log = log;
    w->line = line;
    timer_start(&w->patience, w->loop, test_left_ms(), on_patience, w);
    while (!log->p || !strstr(log->p, line))
        loop_run(w->loop);
    timer_stop(&w->patience);
    w->line = NULL;
}

/* ---- the server */

/* Execute messages that are commands; echo all others. */
static void on_message(struct ws_conn *c, struct str message, bool is_text, void *ctx)
{
    struct world *w = ctx;
    assert_ptr_equal(c, w->conn);
    ws_log_event(&w->server_log, is_text ? "text" : "binary", message);
    if (str_eq(message, STR("close"))) {
        ws_conn_close(c, 4000, STR("as you wish"));
        ws_conn_close(c, 4001, STR("too late"));
        assert_false(ws_conn_send(c, STR("too late")));
    } else if (str_eq(message, STR("drop"))) {
        ws_conn_drop(c);
        ws_conn_drop(c);
        ws_conn_close(c, 1000, STR("too late"));
        assert_false(ws_conn_send(c, STR("too late")));
    } else {
        assert_true(is_text ? ws_conn_send(c, message) : ws_conn_send_binary(c, message));
    }
    check_done(w);
}

static void on_close(struct ws_conn *c, int code, struct str reason, void *ctx)
{
    struct world *w = ctx;
    assert_ptr_equal(c, w->conn);
    ws_log_close(&w->server_log, code, reason);
    assert_false(ws_conn_send(c, STR("too late")));
    ws_conn_close(c, 1000, STR("too late"));
    ws_conn_drop(c);
    w->conn = NULL;
    check_done(w);
}

static void on_drain(struct ws_conn *c, void *ctx)
{
    struct world *w = ctx;
    assert_ptr_equal(c, w->conn);
    buf_add(&w->server_log, STR("drain\n"));
    check_done(w);
}

static const struct ws_events events = {on_message, on_close, on_drain};

static void on_request(struct http_exchange *x, void *ctx)
{
    struct world *w = ctx;
    w->conn = ws_conn_accept(x, &w->options, &events, NULL);
    if (w->conn)
        ws_conn_set_ctx(w->conn, w);
    buf_add(&w->server_log, w->conn ? STR("open\n") : STR("refused\n"));
    check_done(w);
}

/* ---- the client */

static void client_frame(struct world *w, unsigned first, struct str payload)
{
    struct buf frame = {0};
    ws_frame_add(&frame, (uint8_t)first, payload, 0x5a3c9617);
    stream_write(w->client, buf_str(&frame));
    buf_done(&frame);
}

static void client_got(struct world *w, unsigned first, struct str payload)
{
    static const char *const names[16] = {
        [1] = "text", [2] = "binary", [9] = "ping", [10] = "pong"};
    const uint8_t *p = (const uint8_t *)payload.p;
    if (first == 0x88) {
        ws_log_close(&w->client_log, payload.n ? p[0] << 8 | p[1] : 1005, str_skip(payload, 2));
    } else {
        assert_true((first & 0xf0) == 0x80 && names[first & 15]);
        ws_log_event(&w->client_log, names[first & 15], payload);
    }
    if (w->answers && first == 0x88)
        client_frame(w, 0x88, str_head(payload, 2));
    if (w->answers && first == 0x89)
        client_frame(w, 0x8a, payload);
}

static void client_take_frames(struct world *w)
{
    size_t at = 0;
    while (w->in.n - at >= 2) {
        const uint8_t *p = (const uint8_t *)w->in.p + at;
        size_t n = p[1], head = n < 126 ? 2 : n == 126 ? 4 : 10;
        assert_true(n < 128); /* a server does not mask */
        if (w->in.n - at < head)
            break;
        for (size_t i = 2, long_n = 0; i < head; i++)
            n = long_n = long_n << 8 | p[i];
        if (w->in.n - at - head < n)
            break;
        client_got(w, p[0], str_make((const char *)p + head, n));
        at += head + n;
    }
    buf_drop(&w->in, at);
}

static void on_client_read(struct stream *s, struct str bytes, void *ctx)
{
    struct world *w = ctx;
    (void)s;
    while (bytes.n && !(w->head.n > 4 && str_ends(buf_str(&w->head), STR("\r\n\r\n")))) {
        buf_add_char(&w->head, bytes.p[0]);
        bytes = str_skip(bytes, 1);
    }
    buf_add(&w->in, bytes);
    if (str_starts(buf_str(&w->head), STR("HTTP/1.1 101 ")))
        client_take_frames(w);
    check_done(w);
}

static void on_client_end(struct stream *s, const char *why, void *ctx)
{
    struct world *w = ctx;
    buf_printf(&w->client_log, "end %s\n", why ? why : "of file");
    if (!w->stays)
        stream_close(s);
    check_done(w);
}

static void on_client_drain(struct stream *s, void *ctx)
{
    struct world *w = ctx;
    (void)s;
    buf_add(&w->client_log, STR("sent\n"));
    check_done(w);
}

static void on_client_closed(struct stream *s, void *ctx)
{
    struct world *w = ctx;
    (void)s;
    w->client = NULL;
    buf_add(&w->client_log, STR("gone\n"));
    check_done(w);
}

static const struct stream_events client_events = {on_client_read, on_client_end, on_client_drain,
                                                   on_client_closed};

static void client_connect(struct world *w)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(http_server_port(w->server))};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    w->client = stream_open_fd(w->loop, fd, &client_events, w, NULL);
    assert_non_null(w->client);
    stream_read_start(w->client);
}

static void client_request(struct world *w, const char *first, const char *headers)
{
    struct buf b = {0};
    buf_printf(&b, "%s\r\nHost: 127.0.0.1:%u\r\n%s\r\n", first, http_server_port(w->server),
               headers);
    stream_write(w->client, buf_str(&b));
    buf_done(&b);
}

/* ---- set up and tear down */

static int start(void **state)
{
    struct world *w = mem_zalloc(sizeof *w);
    struct error err = {0};
    w->loop = loop_new();
    w->answers = true;
    w->server = http_server_new(w->loop, &(struct http_server_options){0});
    http_server_route(
        w->server, &(struct http_route){
                       .path = "/ws", .methods = "GET, POST", .on_request = on_request, .ctx = w});
    if (!http_server_listen(w->server, 0, &err))
        fail_msg("%s", err.text);
    client_connect(w);
    *state = w;
    return 0;
}

static int stop(void **state)
{
    struct world *w = *state;
    if (w->conn) {
        ws_conn_drop(w->conn);
        wait_for(w, &w->server_log, "close 1006");
    }
    if (w->client) {
        stream_close(w->client);
        wait_for(w, &w->client_log, "gone\n");
    }
    http_server_free(w->server);
    loop_free(w->loop);
    buf_done(&w->server_log);
    buf_done(&w->client_log);
    buf_done(&w->head);
    buf_done(&w->in);
    free(w);
    return 0;
}

static void open_ws(struct world *w)
{
    client_request(w, "GET /ws HTTP/1.1", UPGRADE KEY VERSION);
    wait_for(w, &w->head, "\r\n\r\n");
    assert_non_null(w->conn);
}

/* ---- the upgrade */

TEST_FIXTURE(start, stop);

TEST(the_answer_to_an_upgrade_matches_the_rfc)
{
    struct world *w = *state;
    open_ws(w);
    struct str head = buf_str(&w->head);
    assert_true(str_starts(head, STR("HTTP/1.1 101 Switching Protocols\r\n")));
    assert_non_null(strstr(w->head.p, "\r\nUpgrade: websocket\r\n"));
    assert_non_null(strstr(w->head.p, "\r\nConnection: Upgrade\r\n"));
    assert_non_null(
        strstr(w->head.p, "\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
    assert_null(strstr(w->head.p, "Sec-WebSocket-Extensions"));
}

TEST(an_upgrade_may_be_written_in_other_ways)
{
    struct world *w = *state;
    client_request(w, "GET /ws?x=1 HTTP/1.1",
                   "connection: keep-alive, UPGRADE\r\nupgrade: WebSocket\r\n" KEY
                   "sec-websocket-version: 13\r\nSec-WebSocket-Extensions: permessage-deflate\r\n"
                   "Sec-WebSocket-Protocol: chat\r\n");
    wait_for(w, &w->head, "\r\n\r\n");
    assert_true(str_starts(buf_str(&w->head), STR("HTTP/1.1 101 ")));
    assert_null(strstr(w->head.p, "Sec-WebSocket-Protocol"));
}

TEST(invalid_upgrades_are_refused)
{
    struct world *w = *state;
    static const struct {
        const char *first, *headers, *status;
    } rows[] = {
        {"GET /ws HTTP/1.1", "", "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", KEY VERSION, "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", "Upgrade: websocket\r\n" KEY VERSION, "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", "Connection: Upgrade\r\n" KEY VERSION, "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", "Upgrade: h2c\r\nConnection: Upgrade\r\n" KEY VERSION,
         "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", "Upgrade: websocket\r\nConnection: close\r\n" KEY VERSION,
         "HTTP/1.1 400 "},
        {"POST /ws HTTP/1.1", UPGRADE KEY VERSION, "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.0", UPGRADE KEY VERSION, "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", UPGRADE VERSION, "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", UPGRADE KEY KEY VERSION, "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", UPGRADE VERSION "Sec-WebSocket-Key: \r\n", "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", UPGRADE VERSION "Sec-WebSocket-Key: not base64!\r\n", "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", UPGRADE VERSION "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAA\r\n",
         "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", UPGRADE VERSION "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAAA=\r\n",
         "HTTP/1.1 400 "},
        {"GET /ws HTTP/1.1", UPGRADE KEY, "HTTP/1.1 426 "},
        {"GET /ws HTTP/1.1", UPGRADE KEY "Sec-WebSocket-Version: 8\r\n", "HTTP/1.1 426 "},
        {"GET /ws HTTP/1.1", UPGRADE KEY "Sec-WebSocket-Version: 13, 8\r\n", "HTTP/1.1 426 "},
        {"GET /ws HTTP/1.1", UPGRADE KEY VERSION VERSION, "HTTP/1.1 426 "},
        {"GET /ws HTTP/1.1", UPGRADE KEY VERSION "Origin: http://example.com\r\n", "HTTP/1.1 403 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        buf_clear(&w->head);
        buf_clear(&w->client_log);
        if (!w->client)
            client_connect(w);
        client_request(w, rows[i].first, rows[i].headers);
        wait_for(w, &w->head, "\r\n\r\n");
        if (!str_starts(buf_str(&w->head), str_from(rows[i].status)))
            print_error("row %zu\n", i);
        CHECK_CSTR(str_head(buf_str(&w->head), 13), rows[i].status);
        if (strstr(rows[i].status, "426"))
            assert_non_null(strstr(w->head.p, "\r\nSec-WebSocket-Version: 13\r\n"));
        assert_null(w->conn);
        stream_close(w->client);
        wait_for(w, &w->client_log, "gone\n");
    }
}

TEST(frames_sent_with_the_request_are_not_lost)
{
    struct world *w = *state;
    struct buf b = {0};
    buf_printf(&b, "GET /ws HTTP/1.1\r\nHost: localhost:%u\r\n" UPGRADE KEY VERSION "\r\n",
               http_server_port(w->server));
    ws_frame_add(&b, 0x81, STR("early"), 7);
    ws_frame_add(&b, 0x88, STR("\x03\xe8"), 8);
    stream_write(w->client, buf_str(&b));
    buf_done(&b);
    wait_for(w, &w->client_log, "gone\n");
    wait_for(w, &w->server_log, "close ");
    CHECK_CSTR(buf_str(&w->server_log), "open\ntext 5 early\nclose 1000 0\n");
    CHECK_CSTR(buf_str(&w->client_log), "text 5 early\nclose 1000 0\nend of file\ngone\n");
}

/* ---- messages */

TEST(messages_and_pings_are_echoed)
{
    struct world *w = *state;
    open_ws(w);
    client_frame(w, 0x81, STR("hello"));
    client_frame(w, 0x01, STR("\xe4\xb8"));
    client_frame(w, 0x89, STR("are you there"));
    client_frame(w, 0x80, STR("\xad"));
    client_frame(w, 0x8a, STR("unasked"));
    client_frame(w, 0x82, STR("\0\xff"));
    client_frame(w, 0x81, STR(""));
    wait_for(w, &w->client_log, "text 0\n");
    CHECK_CSTR(buf_str(&w->client_log), "text 5 hello\npong 13 are you there\n"
                                        "text 3 \xe4\xb8\xad\nbinary 2 \\x00\xff\ntext 0\n");
}

TEST(a_message_may_have_exactly_the_limit)
{
    struct world *w = *state;
    struct buf text = {0}, want = {0};
    open_ws(w);
    memset(buf_room(&text, WS_MAX_MESSAGE), 'x', WS_MAX_MESSAGE);
    text.n = WS_MAX_MESSAGE;
    client_frame(w, 0x81, buf_str(&text));
    ws_log_event(&want, "text", buf_str(&text));
    wait_for(w, &w->client_log, want.p);
    client_frame(w, 0x01, buf_str(&text));
    client_frame(w, 0x80, STR("y"));
    wait_for(w, &w->client_log, "\nclose 1009 ");
    wait_for(w, &w->server_log, "\nclose 1009 ");
    buf_done(&text);
    buf_done(&want);
}

/* ---- the end */

TEST(a_close_of_the_peer_is_answered_with_its_code)
{
    struct world *w = *state;
    open_ws(w);
    w->answers = false;
    client_frame(w, 0x88,
                 STR("\x0f\xa1"
                     "bye"));
    wait_for(w, &w->client_log, "gone\n");
    wait_for(w, &w->server_log, "close ");
    CHECK_CSTR(buf_str(&w->client_log), "close 4001 0\nend of file\ngone\n");
    CHECK_CSTR(buf_str(&w->server_log), "open\nclose 4001 3 bye\n");
}

TEST(a_close_without_a_code_is_answered_without_one)
{
    struct world *w = *state;
    open_ws(w);
    w->answers = false;
    client_frame(w, 0x88, STR(""));
    wait_for(w, &w->client_log, "gone\n");
    wait_for(w, &w->server_log, "close ");
    CHECK_CSTR(buf_str(&w->client_log), "close 1005 0\nend of file\ngone\n");
    CHECK_CSTR(buf_str(&w->server_log), "open\nclose 1005 0\n");
}

TEST(ws_close_waits_for_the_answer_and_delivers_nothing_more)
{
    struct world *w = *state;
    open_ws(w);
    client_frame(w, 0x81, STR("close"));
    client_frame(w, 0x81, STR("after it"));
    client_frame(w, 0x89, STR("after it"));
    wait_for(w, &w->client_log, "gone\n");
    wait_for(w, &w->server_log, "close 4");
    CHECK_CSTR(buf_str(&w->client_log), "close 4000 11 as you wish\nend of file\ngone\n");
    CHECK_CSTR(buf_str(&w->server_log), "open\ntext 5 close\nclose 4000 0\n");
}

TEST(ws_close_right_after_ws_accept_works)
{
    struct world *w = *state;
    client_request(w, "GET /ws HTTP/1.1", UPGRADE KEY VERSION);
    wait_for(w, &w->server_log, "open\n");
    ws_conn_close(w->conn, WS_CLOSE_NONE, (struct str){0});
    wait_for(w, &w->client_log, "gone\n");
    wait_for(w, &w->server_log, "close ");
    CHECK_CSTR(buf_str(&w->client_log), "close 1005 0\nend of file\ngone\n");
    CHECK_CSTR(buf_str(&w->server_log), "open\nclose 1005 0\n");
}

TEST(an_unanswered_close_ends_after_a_timeout)
{
    struct world *w = *state;
    w->options.close_ms = 30;
    open_ws(w);
    w->answers = false;
    ws_conn_close(w->conn, 1001, STR("going"));
    wait_for(w, &w->server_log, "close ");
    wait_for(w, &w->client_log, "gone\n");
    CHECK_CSTR(buf_str(&w->server_log), "open\nclose 1006 33 the peer did not answer the close\n");
    CHECK_CSTR(buf_str(&w->client_log), "close 1001 5 going\nend of file\ngone\n");
}

TEST(ws_drop_ends_without_a_handshake)
{
    struct world *w = *state;
    open_ws(w);
    client_frame(w, 0x81, STR("drop"));
    client_frame(w, 0x81, STR("after it"));
    wait_for(w, &w->server_log, "close ");
    wait_for(w, &w->client_log, "gone\n");
    CHECK_CSTR(buf_str(&w->server_log),
               "open\ntext 4 drop\nclose 1006 26 the connection was dropped\n");
    assert_null(strstr(w->client_log.p, "close"));
}

/* More bytes are on their way than the sockets hold when the error is found. The server reads all
 * of them before it closes: a reset could destroy the close frame before the client reads it. */
TEST(a_peer_that_breaks_the_protocol_gets_a_close_frame_and_no_reset)
{
    struct world *w = *state;
    struct buf rest = {0};
    w->options.close_ms = PATIENCE_MS;
    w->answers = false;
    w->stays = true;
    open_ws(w);
    memset(buf_room(&rest, 9u << 20), 0xff, 9u << 20);
    rest.n = 9u << 20;
    stream_write(w->client, STR("\xf1\x80"));
    stream_write(w->client, buf_str(&rest));
    wait_for(w, &w->client_log, "close 1002 21 a reserved bit is set\n");
    wait_for(w, &w->client_log, "end of file\n");
    wait_for(w, &w->client_log, "sent\n");
    stream_close(w->client);
    wait_for(w, &w->server_log, "close ");
    CHECK_CSTR(buf_str(&w->server_log), "open\nclose 1002 21 a reserved bit is set\n");
    buf_done(&rest);
}

TEST(a_peer_that_broke_the_protocol_and_stays_is_dropped)
{
    struct world *w = *state;
    w->options.close_ms = 30;
    w->stays = true;
    open_ws(w);
    stream_write(w->client, STR("\xf1\x80"));
    wait_for(w, &w->server_log, "close ");
    CHECK_CSTR(buf_str(&w->server_log), "open\nclose 1002 21 a reserved bit is set\n");
}

TEST(text_that_is_not_utf8_is_refused)
{
    struct world *w = *state;
    open_ws(w);
    client_frame(w, 0x81, STR("a\xff"));
    wait_for(w, &w->server_log, "close ");
    CHECK_CSTR(buf_str(&w->server_log), "open\nclose 1007 27 a text message is not UTF-8\n");
}

TEST(a_disconnect_without_a_close_frame_is_1006)
{
    struct world *w = *state;
    open_ws(w);
    stream_close(w->client);
    wait_for(w, &w->server_log, "close 1006 ");
}

TEST(a_half_close_is_1006)
{
    struct world *w = *state;
    open_ws(w);
    stream_shutdown(w->client);
    wait_for(w, &w->server_log, "close ");
    CHECK_CSTR(buf_str(&w->server_log),
               "open\nclose 1006 42 the connection ended without a close frame\n");
}

TEST(connections_outlive_the_http_server)
{
    struct world *w = *state;
    open_ws(w);
    http_server_free(w->server);
    w->server = http_server_new(w->loop, &(struct http_server_options){0});
    client_frame(w, 0x81, STR("still here"));
    wait_for(w, &w->client_log, "text 10 still here\n");
}

/* ---- signs of life */

static size_t times(const struct buf *log, const char *line)
{
    size_t n = 0;
    for (const char *p = log->p; p && (p = strstr(p, line)); p++)
        n++;
    return n;
}

TEST(a_quiet_peer_that_answers_pings_is_kept)
{
    struct world *w = *state;
    w->options.ping_ms = 5;
    w->options.pong_ms = PATIENCE_MS; /* so one ping does not trigger the next one */
    open_ws(w);
    wait_for(w, &w->client_log, "ping 0\nping 0\nping 0\nping 0\n");
    assert_non_null(w->conn);
    CHECK_CSTR(buf_str(&w->server_log), "open\n");
}

TEST(a_peer_without_a_sign_of_life_is_dropped)
{
    struct world *w = *state;
    w->options.ping_ms = 20;
    w->options.pong_ms = 20;
    open_ws(w);
    w->answers = false;
    wait_for(w, &w->server_log, "close ");
    CHECK_CSTR(buf_str(&w->server_log), "open\nclose 1006 30 the peer gives no sign of life\n");
    wait_for(w, &w->client_log, "gone\n");
    CHECK_CSTR(buf_str(&w->client_log), "ping 0\nend of file\ngone\n");
}

/* ---- back-pressure */

TEST(sending_is_bounded_and_continues_when_the_peer_reads)
{
    struct world *w = *state;
    static char text[50000];
    size_t sent = 0;
    w->options.max_queued = 200000;
    open_ws(w);
    memset(text, 'y', sizeof text);
    stream_read_stop(w->client);
    while (ws_conn_send(w->conn, str_make(text, sizeof text))) {
        sent++;
        assert_true(ws_conn_queued(w->conn) <= 200000);
    }
    assert_true(sent > 3);
    assert_true(ws_conn_queued(w->conn) > 200000 - sizeof text - 10);
    assert_true(ws_conn_send(w->conn, STR("last")));

    stream_read_start(w->client);
    wait_for(w, &w->client_log, "text 4 last\n");
    wait_for(w, &w->server_log, "drain\n");
    assert_int_equal(times(&w->client_log, "text 50000 "), sent);
    assert_int_equal(times(&w->server_log, "drain"), 1);
    assert_true(ws_conn_send(w->conn, str_make(text, sizeof text)));
    assert_non_null(w->conn);
}

TEST(pings_of_a_peer_that_does_not_read_do_not_pile_up)
{
    struct world *w = *state;
    struct buf pings = {0};
    char payload[125] = {0};
    w->options.max_queued = 50000;
    open_ws(w);
    stream_read_stop(w->client);
    while (pings.n < 30u << 20)
        ws_frame_add(&pings, 0x89, str_make(payload, sizeof payload), 3);
    stream_write(w->client, buf_str(&pings));
    buf_done(&pings);
    client_frame(w, 0x81, STR("close"));
    wait_for(w, &w->server_log, "text 5 close\n");
    assert_true(ws_conn_queued(w->conn) <= 50000 + 130);
    assert_true(ws_conn_queued(w->conn) > 10000); /* so it was about the bound */
}
