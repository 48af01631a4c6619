#include "net/sse.h"

#include "net/http_server.h"
#include "test.h"
#include "wire.h"

#define CHECK_EVENT(want, ...)                                                                     \
    do {                                                                                           \
        struct buf out = {0};                                                                      \
        sse_format(&out, &(struct sse_event){__VA_ARGS__});                                        \
        CHECK_STR(buf_str(&out), STR(want));                                                       \
        buf_done(&out);                                                                            \
    } while (0)

TEST(an_event_has_the_given_lines)
{
    CHECK_EVENT("data: {}\n\n", .data = STR("{}"));
    CHECK_EVENT("id: 1-1\nevent: message\nretry: 500\ndata: a\n\n", .id = STR("1-1"),
                .event = STR("message"), .retry_ms = 500, .data = STR("a"));
    CHECK_EVENT("id: \ndata: \n\n", .id = STR(""), .data = STR(""));
    CHECK_EVENT("retry: 1\n\n", .retry_ms = 1);
    CHECK_EVENT("id: 7\n\n", .id = STR("7"));
}

TEST(every_line_of_the_data_is_a_data_line)
{
    CHECK_EVENT("data: a\ndata: b\n\n", .data = STR("a\nb"));
    CHECK_EVENT("data: a\ndata: b\n\n", .data = STR("a\rb"));
    CHECK_EVENT("data: a\ndata: b\n\n", .data = STR("a\r\nb"));
    CHECK_EVENT("data: a\ndata: \ndata: b\n\n", .data = STR("a\n\nb"));
    CHECK_EVENT("data: \ndata: \n\n", .data = STR("\n"));
    CHECK_EVENT("data: a\ndata: \n\n", .data = STR("a\r"));
}

TEST(no_id_or_name_can_inject_a_line)
{
    CHECK_EVENT("id: ab\ndata: c\n\n", .id = STR("a\nb"), .data = STR("c"));
    CHECK_EVENT("event: ab\ndata: c\n\n", .event = STR("a\r\nb"), .data = STR("c"));
    CHECK_EVENT("id: ab\n\n", .id = STR("a\0b"));
}

TEST(data_may_come_in_parts)
{
    const struct str parts[] = {STR("{\"a\":"), STR("1"), STR("}")};
    CHECK_EVENT("data: {\"a\":1}\n\n", .parts = parts, .part_count = 3);
    CHECK_EVENT("id: 7\ndata: {\"a\":\n\n", .id = STR("7"), .parts = parts, .part_count = 1);
    CHECK_EVENT("data: \n\n", .parts = parts, .part_count = 0);
}

/* ---- on a connection */

static void on_request(struct http_exchange *x, void *ctx)
{
    (void)ctx;
    sse_begin(x);
    assert_true(sse_send(x, &(struct sse_event){.id = STR("1"), .data = STR("{\"a\":1}")}));
    const struct str parts[] = {STR("{\"b\":"), STR("2"), STR("}")};
    assert_true(sse_send(x, &(struct sse_event){.id = STR("2"), .parts = parts, .part_count = 3}));
    assert_true(sse_send_comment(x));
    assert_false(sse_is_slow(x));
    http_exchange_end(x);
}

TEST(an_event_stream_is_an_answer_in_pieces)
{
    struct loop *loop = loop_new();
    struct http_server *s = http_server_new(loop, &(struct http_server_options){0});
    struct wire w;
    struct buf text = {0}, ask = {0};
    http_server_route(s, &(struct http_route){"/", "GET", on_request, NULL});
    assert_true(http_server_listen(s, 0, NULL));
    wire_open(&w, loop, http_server_port(s));
    buf_printf(&ask, "GET / HTTP/1.1\r\nHost: localhost:%u\r\n\r\n", http_server_port(s));
    wire_send(&w, buf_str(&ask));
    wire_answer(&w, &text);
    CHECK_CSTR(buf_str(&text), "HTTP/1.1 200 OK\r\n"
                               "Content-Type: text/event-stream\r\n"
                               "Cache-Control: no-cache, no-transform\r\n"
                               "X-Accel-Buffering: no\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n"
                               "15\r\nid: 1\ndata: {\"a\":1}\n\n\r\n"
                               "15\r\nid: 2\ndata: {\"b\":2}\n\n\r\n"
                               "e\r\n: keep-alive\n\n\r\n"
                               "0\r\n\r\n");
    wire_close(&w);
    buf_done(&text);
    buf_done(&ask);
    http_server_free(s);
    loop_free(loop);
}
