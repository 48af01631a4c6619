/* Our client with our server, in one loop, and with servers that break the protocol. */
#include "net/ws_conn.h"

#include <stdlib.h>

#include "base/mem.h"
#include "net/http_server.h"
#include "net/tcp.h"
#include "test.h"
#include "wire.h"
#include "ws_frames.h"

/* The callbacks that one side got. */
struct side {
    struct ws_conn *conn;
    struct buf log;
    bool echoes, drops_in_open;
};

struct world {
    struct loop *loop;
    struct http_server *server;
    struct ws_options server_options;
    struct side ours, theirs; /* the client, the server */
};

static void on_message(struct ws_conn *c, struct str message, bool is_text, void *ctx)
{
    struct side *s = ctx;
    ws_log_event(&s->log, is_text ? "text" : "binary", message);
    if (s->echoes)
        assert_true(is_text ? ws_conn_send(c, message) : ws_conn_send_binary(c, message));
}

static void on_close(struct ws_conn *c, int code, struct str reason, void *ctx)
{
    struct side *s = ctx;
    assert_ptr_equal(c, s->conn);
    ws_log_close(&s->log, code, reason);
    assert_false(ws_conn_send(c, STR("too late")));
    ws_conn_close(c, 1000, STR("too late"));
    ws_conn_drop(c);
    ws_conn_reset(c);
    s->conn = NULL;
}

static const struct ws_events events = {on_message, on_close, NULL};

static void on_open(struct ws_conn *c, void *ctx)
{
    struct side *s = ctx;
    assert_ptr_equal(c, s->conn);
    buf_add(&s->log, STR("open\n"));
    if (s->drops_in_open)
        ws_conn_drop(c);
}

static void on_request(struct http_exchange *x, void *ctx)
{
    struct world *w = ctx;
    w->theirs.conn = ws_conn_accept(x, &w->server_options, &events, &w->theirs);
    if (w->theirs.conn)
        ws_conn_send(w->theirs.conn, STR("welcome")); /* on the wire with the 101 */
}

static bool has(const struct side *s, const char *line)
{
    return s->log.p && strstr(s->log.p, line);
}

static void set_up_with(struct world *w, struct str token)
{
    *w = (struct world){.loop = loop_new(), .theirs.echoes = true};
    w->server = http_server_new(w->loop, &(struct http_server_options){.token = token});
    http_server_route(w->server, &(struct http_route){"/ws", "GET", on_request, w});
    assert_true(http_server_listen(w->server, 0, NULL));
}

static void set_up(struct world *w)
{
    set_up_with(w, (struct str){0});
}

static void dial_with(struct world *w, struct ws_target t)
{
    t.port = t.port ? t.port : http_server_port(w->server);
    t.path = t.path ? t.path : "/ws";
    t.options.on_open = on_open;
    w->ours.conn = ws_conn_connect(w->loop, &t, &events, &w->ours);
}

static void dial(struct world *w)
{
    dial_with(w, (struct ws_target){0});
    WIRE_UNTIL(w->loop, has(&w->ours, "text 7 welcome\n"));
}

static void tear_down(struct world *w)
{
    if (w->ours.conn)
        ws_conn_drop(w->ours.conn);
    WIRE_UNTIL(w->loop, !w->ours.conn && !w->theirs.conn);
    http_server_free(w->server);
    loop_free(w->loop);
    buf_done(&w->ours.log);
    buf_done(&w->theirs.log);
}

/* ---- life */

TEST(messages_go_both_ways)
{
    struct world w;
    set_up(&w);
    dial_with(&w, (struct ws_target){0});
    assert_false(ws_conn_send(w.ours.conn, STR("too early")));
    assert_int_equal(ws_conn_queued(w.ours.conn), 0);
    WIRE_UNTIL(w.loop, has(&w.ours, "welcome"));
    CHECK_CSTR(buf_str(&w.ours.log), "open\ntext 7 welcome\n");
    assert_true(ws_conn_send(w.ours.conn, STR("hello \xe4\xb8\xad")));
    assert_true(ws_conn_send_binary(w.ours.conn, STR("\0\xff")));
    assert_true(ws_conn_send(w.ours.conn, STR("")));
    WIRE_UNTIL(w.loop, has(&w.ours, "text 0\n"));
    CHECK_CSTR(buf_str(&w.theirs.log), "text 9 hello \xe4\xb8\xad\nbinary 2 \\x00\xff\ntext 0\n");
    CHECK_CSTR(buf_str(&w.ours.log),
               "open\ntext 7 welcome\ntext 9 hello \xe4\xb8\xad\nbinary 2 \\x00\xff\ntext 0\n");
    tear_down(&w);
}

TEST(messages_of_all_sizes_round_trip)
{
    static const size_t sizes[] = {1, 125, 126, 127, 65535, 65536, 1u << 20};
    struct world w;
    set_up(&w);
    dial(&w);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct buf text = {0}, want = {0};
        for (size_t j = 0; j < sizes[i]; j++)
            buf_add_char(&text, (char)('a' + j % 23));
        ws_log_event(&want, "text", buf_str(&text));
        assert_true(ws_conn_send(w.ours.conn, buf_str(&text)));
        WIRE_UNTIL(w.loop, has(&w.ours, want.p));
        buf_done(&text);
        buf_done(&want);
    }
    tear_down(&w);
}

TEST(a_close_of_the_client_is_answered)
{
    struct world w;
    set_up(&w);
    dial(&w);
    ws_conn_close(w.ours.conn, 4001, STR("bye"));
    ws_conn_close(w.ours.conn, 4002, STR("again"));
    WIRE_UNTIL(w.loop, !w.ours.conn && !w.theirs.conn);
    CHECK_CSTR(buf_str(&w.ours.log), "open\ntext 7 welcome\nclose 4001 0\n");
    CHECK_CSTR(buf_str(&w.theirs.log), "close 4001 3 bye\n");
    tear_down(&w);
}

TEST(a_close_of_the_server_is_answered)
{
    struct world w;
    set_up(&w);
    dial(&w);
    ws_conn_close(w.theirs.conn, WS_CLOSE_GOING_AWAY, STR("stopping"));
    WIRE_UNTIL(w.loop, !w.ours.conn && !w.theirs.conn);
    CHECK_CSTR(buf_str(&w.ours.log), "open\ntext 7 welcome\nclose 1001 8 stopping\n");
    CHECK_CSTR(buf_str(&w.theirs.log), "close 1001 0\n");
    tear_down(&w);
}

TEST(a_drop_and_a_reset_are_1006)
{
    struct world w;
    set_up(&w);
    dial(&w);
    ws_conn_drop(w.ours.conn);
    WIRE_UNTIL(w.loop, !w.ours.conn && !w.theirs.conn);
    CHECK_CSTR(buf_str(&w.theirs.log),
               "close 1006 42 the connection ended without a close frame\n");
    buf_clear(&w.ours.log);
    buf_clear(&w.theirs.log);
    dial(&w);
    ws_conn_reset(w.ours.conn);
    WIRE_UNTIL(w.loop, !w.ours.conn && !w.theirs.conn);
    CHECK_CSTR(buf_str(&w.ours.log),
               "open\ntext 7 welcome\nclose 1006 24 the connection was reset\n");
    CHECK_CSTR(buf_str(&w.theirs.log), "close 1006 24 connection reset by peer\n");
    tear_down(&w);
}

TEST(raw_bytes_break_the_protocol)
{
    struct world w;
    set_up(&w);
    dial(&w);
    assert_true(ws_conn_send_raw(w.ours.conn, STR("\x81\x02no"))); /* not masked */
    WIRE_UNTIL(w.loop, !w.ours.conn && !w.theirs.conn);
    assert_true(has(&w.ours, "close 1002 "));
    assert_true(has(&w.theirs, "close 1002 "));
    tear_down(&w);
}

TEST(pings_are_answered_and_sent)
{
    struct world w;
    set_up(&w);
    w.server_options = (struct ws_options){.ping_ms = 5, .pong_ms = TEST_LIMIT_MS};
    dial_with(&w, (struct ws_target){.options = {.ping_ms = 5, .pong_ms = TEST_LIMIT_MS}});
    WIRE_UNTIL(w.loop, has(&w.ours, "welcome"));
    uint64_t start = loop_now(w.loop);
    WIRE_UNTIL(w.loop, loop_now(w.loop) - start > 100);
    assert_non_null(w.ours.conn);
    assert_non_null(w.theirs.conn);
    tear_down(&w);
}

TEST(sending_is_bounded)
{
    struct world w;
    struct str text = STR("0123456789");
    set_up(&w);
    dial_with(&w, (struct ws_target){.options.max_queued = 16});
    WIRE_UNTIL(w.loop, has(&w.ours, "welcome"));
    assert_true(ws_conn_send(w.ours.conn, text)); /* with head and mask, exactly the bound */
    assert_false(ws_conn_send(w.ours.conn, STR("0123456789a")));
    assert_false(ws_conn_send_raw(w.ours.conn, STR("0123456789abcdefg")));
    WIRE_UNTIL(w.loop, has(&w.ours, "text 10 "));
    tear_down(&w);
}

/* ---- no connection */

TEST(a_connection_that_is_not_open_yet_can_be_ended)
{
    static void (*const ends[])(struct ws_conn *) = {ws_conn_drop, ws_conn_reset};
    struct world w;
    set_up(&w);
    for (size_t i = 0; i < 3; i++) {
        buf_clear(&w.ours.log);
        dial_with(&w, (struct ws_target){0});
        if (i < 2)
            ends[i](w.ours.conn);
        else
            ws_conn_close(w.ours.conn, 1000, STR("never mind"));
        ws_conn_drop(w.ours.conn);
        assert_non_null(w.ours.conn); /* not inside the call */
        WIRE_UNTIL(w.loop, !w.ours.conn);
        CHECK_CSTR(buf_str(&w.ours.log), "close 1006 26 the connection was dropped\n");
    }
    tear_down(&w);
}

TEST(a_connection_can_be_dropped_when_it_opens)
{
    struct world w;
    set_up(&w);
    w.ours.drops_in_open = true;
    dial_with(&w, (struct ws_target){0});
    WIRE_UNTIL(w.loop, !w.ours.conn && !w.theirs.conn);
    CHECK_CSTR(buf_str(&w.ours.log), "open\nclose 1006 26 the connection was dropped\n");
    tear_down(&w);
}

TEST(a_refusal_is_reported_with_its_status)
{
    struct world w;
    set_up_with(&w, STR("a long enough secret"));
    dial_with(&w, (struct ws_target){.token = STR("a wrong one")});
    WIRE_UNTIL(w.loop, !w.ours.conn);
    CHECK_CSTR(buf_str(&w.ours.log),
               "close 1006 46 the server refused the upgrade with status 401\n");
    buf_clear(&w.ours.log);
    dial_with(&w, (struct ws_target){.token = STR("a long enough secret")});
    WIRE_UNTIL(w.loop, has(&w.ours, "welcome"));
    tear_down(&w);
}

TEST(a_refused_connection_is_reported)
{
    struct world w;
    set_up(&w);
    uint16_t port = http_server_port(w.server);
    http_server_free(w.server);
    w.server = http_server_new(w.loop, &(struct http_server_options){0});
    dial_with(&w, (struct ws_target){.port = port});
    WIRE_UNTIL(w.loop, !w.ours.conn);
    assert_true(has(&w.ours, "close 1006 "));
    assert_true(has(&w.ours, "connection refused"));
    assert_false(has(&w.ours, "open"));
    tear_down(&w);
}

/* ---- servers that break the protocol */

struct liar {
    struct tcp_listener *l;
    const char *says; /* %s: the right Sec-WebSocket-Accept. NULL: nothing */
    struct str behind;
    size_t open;
};

static void liar_read(struct stream *s, struct str bytes, void *ctx)
{
    struct liar *l = ctx;
    const struct str field = STR("Sec-WebSocket-Key: ");
    struct buf out = {0};
    char accept[WS_ACCEPT_LEN + 1];
    size_t at = str_find(bytes, field);
    if (at == bytes.n || !l->says)
        return;
    ws_accept_key(str_head(str_skip(bytes, at + field.n), 24), accept);
    size_t cut = str_find(str_from(l->says), STR("%s"));
    buf_add(&out, str_head(str_from(l->says), cut));
    if (l->says[cut]) {
        buf_add(&out, str_from(accept));
        buf_add(&out, str_from(l->says + cut + 2));
    }
    buf_add(&out, l->behind);
    stream_write(s, buf_str(&out));
    buf_done(&out);
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

static void liar_connection(struct stream *s, void *ctx)
{
    static const struct stream_events liar_events = {liar_read, liar_end, NULL, liar_closed};
    ((struct liar *)ctx)->open++;
    stream_set_events(s, &liar_events, ctx);
    stream_read_start(s);
}

static void check_lie(const char *says, struct str behind, uint64_t connect_ms, const char *want)
{
    struct world w;
    struct liar l = {.says = says, .behind = behind};
    set_up(&w);
    l.l = tcp_listen(w.loop, 0, liar_connection, &l, NULL);
    dial_with(&w, (struct ws_target){.port = tcp_listener_port(l.l), .connect_ms = connect_ms});
    WIRE_UNTIL(w.loop, !w.ours.conn);
    CHECK_CSTR(buf_str(&w.ours.log), want);
    WIRE_UNTIL(w.loop, !l.open);
    tcp_listener_close(l.l);
    tear_down(&w);
}

#define SWITCH "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"

TEST(an_invalid_upgrade_is_no_connection)
{
    check_lie(SWITCH "Upgrade: websocket\r\nSec-WebSocket-Accept: AAAA%s\r\n\r\n", STR(""), 0,
              "close 1006 44 the server gave a wrong Sec-WebSocket-Accept\n");
    check_lie(SWITCH "Upgrade: websocket\r\n\r\n", STR(""), 0,
              "close 1006 44 the server gave a wrong Sec-WebSocket-Accept\n");
    check_lie(SWITCH "Upgrade: h2c\r\nSec-WebSocket-Accept: %s\r\n\r\n", STR(""), 0,
              "close 1006 54 the server changed to a protocol that is not websocket\n");
    check_lie(SWITCH "Upgrade: websocket\r\nSec-WebSocket-Accept: %s\r\n"
                     "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n",
              STR(""), 0, "close 1006 50 the server wants an extension that was not offered\n");
    check_lie("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", STR(""), 0,
              "close 1006 46 the server refused the upgrade with status 200\n");
    check_lie(NULL, STR(""), 20, "close 1006 45 the server did not answer the upgrade in time\n");
}

#define RIGHT SWITCH "Upgrade: websocket\r\nSec-WebSocket-Accept: %s\r\n\r\n"

TEST(frames_sent_with_the_upgrade_are_not_lost)
{
    check_lie(RIGHT,
              STR("\x81\x05"
                  "early\x88\x02\x03\xe8"),
              0, "open\ntext 5 early\nclose 1000 0\n");
}

TEST(a_masked_frame_of_a_server_is_refused)
{
    struct buf frame = {0};
    ws_frame_add(&frame, 0x81, STR("hello"), 7);
    check_lie(RIGHT, buf_str(&frame), 0, "open\nclose 1002 29 a frame of a server is masked\n");
    buf_done(&frame);
}
