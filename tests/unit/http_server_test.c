#include "net/http_server.h"

#include <dirent.h>
#include <malloc.h>

#include "http_fixture.h"

/* ---- answers */

TEST(a_reply_is_received_and_the_connection_stays_open)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    for (int i = 0; i < 5; i++)
        check_answer(
            &f, &w, request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hello"),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
    assert_int_equal(http_server_connections(f.s), 1);
    wire_close(&w);
    WIRE_UNTIL(f.loop, http_server_connections(f.s) == 0);
    tear_down(&f);
}

TEST(every_answer_has_a_date)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    wire_send(&w, request(&f, "GET /page HTTP/1.1", "", ""));
    WIRE_UNTIL(f.loop, wire_has(&w, "page"));
    assert_true(wire_has(&w, "\r\nDate: "));
    assert_true(wire_has(&w, " GMT\r\n"));
    wire_close(&w);
    tear_down(&f);
}

TEST(close_and_http_1_0_are_respected)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){0});
    check_alone(&f, request(&f, "GET /tree/a HTTP/1.1", "Connection: close\r\n", ""),
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" CLOSE
                "Content-Length: 7\r\n\r\n/tree/a",
                false);
    check_alone(&f, request(&f, "GET /tree/a HTTP/1.0", "", ""),
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" CLOSE
                "Content-Length: 7\r\n\r\n/tree/a",
                false);
    check_alone(&f, request(&f, "GET /tree/a HTTP/1.0", "Connection: keep-alive\r\n", ""),
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: keep-alive\r\n"
                "Content-Length: 7\r\n\r\n/tree/a",
                true);
    tear_down(&f);
}

TEST(a_head_request_gets_the_head_only)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){0});
    check_alone(&f, request(&f, "HEAD /tree/abc HTTP/1.1", "", ""),
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n", true);
    check_alone(&f, request(&f, "HEAD /nowhere HTTP/1.1", "", ""),
                "HTTP/1.1 404 Not Found\r\n" PLAIN SEALED "Content-Length: 30\r\n\r\n", true);
    tear_down(&f);
}

TEST(a_chunked_body_arrives_whole)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){0});
    check_alone(&f,
                request(&f, "POST /echo HTTP/1.1", "Transfer-Encoding: chunked\r\n",
                        "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: u\r\n\r\n"),
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nabcde",
                true);
    tear_down(&f);
}

TEST(a_body_of_megabytes_round_trips)
{
    struct fixture f;
    struct wire w;
    struct buf body = {0};
    set_up(&f, &(struct http_server_options){0});
    while (body.n < 3000000)
        buf_printf(&body, "%zu,", body.n);
    dial(&f, &w);
    buf_printf(&f.ask, "POST /echo HTTP/1.1\r\nHost: localhost:%u\r\nContent-Length: %zu\r\n\r\n",
               http_server_port(f.s), body.n);
    wire_send(&w, buf_str(&f.ask));
    wire_send(&w, buf_str(&body));
    wire_answer(&w, &f.text);
    assert_true(str_ends(buf_str(&f.text), buf_str(&body)));
    buf_done(&body);
    wire_close(&w);
    tear_down(&f);
}

/* ---- routes */

TEST(an_exact_path_wins_then_the_longest_prefix)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){0});
    http_server_static(f.s, "/tree/page", "a/b", STR("exact"), NULL);
    http_server_static(f.s, "/tree/deep/*", "a/b", STR("deep"), NULL);
    struct wire w;
    dial(&f, &w);
    wire_send(&w, request(&f, "GET /tree/page?x HTTP/1.1", "", ""));
    wire_answer(&w, &f.text);
    assert_true(str_ends(buf_str(&f.text), STR("\r\n\r\nexact")));
    wire_send(&w, request(&f, "GET /tree/deep/page HTTP/1.1", "", ""));
    wire_answer(&w, &f.text);
    assert_true(str_ends(buf_str(&f.text), STR("\r\n\r\ndeep")));
    wire_send(&w, request(&f, "GET /tree/dee HTTP/1.1", "", ""));
    wire_answer(&w, &f.text);
    assert_true(str_ends(buf_str(&f.text), STR("\r\n\r\n/tree/dee")));
    wire_close(&w);
    tear_down(&f);
}

TEST(an_unknown_path_is_404_and_a_wrong_method_405)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){0});
    check_alone(&f, request(&f, "GET /nowhere?x HTTP/1.1", "", ""),
                "HTTP/1.1 404 Not Found\r\n" PLAIN SEALED
                "Content-Length: 30\r\n\r\nThere is nothing at /nowhere.\n",
                true);
    check_alone(&f, request(&f, "DELETE /later HTTP/1.1", "", ""),
                "HTTP/1.1 405 Method Not Allowed\r\n" PLAIN "Allow: GET, POST\r\n" SEALED
                "Content-Length: 54\r\n\r\n"
                "The method DELETE is not allowed here: use GET, POST.\n",
                true);
    /* With a body on its way, the next request cannot be found. */
    check_alone(&f, request(&f, "POST /nowhere HTTP/1.1", "Content-Length: 5\r\n", "hello"),
                "HTTP/1.1 404 Not Found\r\n" PLAIN SEALED CLOSE
                "Content-Length: 30\r\n\r\nThere is nothing at /nowhere.\n",
                false);
    tear_down(&f);
}

TEST(routes_of_one_path_differ_by_method)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){0});
    http_server_route(f.s, &(struct http_route){"/page", "POST", on_echo, &f});
    check_alone(&f, request(&f, "POST /page HTTP/1.1", "Content-Length: 1\r\n", "x"),
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\nx", true);
    check_alone(&f, request(&f, "PUT /page HTTP/1.1", "", ""),
                "HTTP/1.1 405 Method Not Allowed\r\n" PLAIN "Allow: GET, POST\r\n" SEALED
                "Content-Length: 51\r\n\r\nThe method PUT is not allowed here: use GET, POST.\n",
                true);
    tear_down(&f);
}

TEST(fixed_bytes_have_a_tag_and_are_304_when_unchanged)
{
    struct fixture f;
    struct buf lines = {0}, want = {0};
    set_up(&f, &(struct http_server_options){0});
    const char *tag = "\"14f7bff480f9c15ce0390d169da1a21f\""; /* SHA-256, the first half */
    buf_printf(&want,
               "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: %s\r\n"
               "X-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n"
               "Content-Length: 7\r\n\r\n<p>page",
               tag);
    check_alone(&f, request(&f, "GET /page HTTP/1.1", "", ""), want.p, true);
    check_alone(&f, request(&f, "GET /page HTTP/1.1", "If-None-Match: \"other\"\r\n", ""), want.p,
                true);
    want.n -= 7;
    want.p[want.n] = 0;
    check_alone(&f, request(&f, "HEAD /page HTTP/1.1", "", ""), want.p, true);
    buf_clear(&want);
    buf_printf(&want,
               "HTTP/1.1 304 Not Modified\r\nETag: %s\r\n"
               "X-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n\r\n",
               tag);
    static const char *const before[] = {"", "W/", "\"a\", "};
    for (size_t i = 0; i < 3; i++) {
        buf_clear(&lines);
        buf_printf(&lines, "If-None-Match: %s%s\r\n", before[i], tag);
        check_alone(&f, request(&f, "GET /page HTTP/1.1", lines.p, ""), want.p, true);
    }
    check_alone(&f, request(&f, "GET /page HTTP/1.1", "If-None-Match: *\r\n", ""), want.p, true);
    buf_done(&lines);
    buf_done(&want);
    tear_down(&f);
}

/* ---- files in two encodings */

static const char *const file_headers[] = {"X-One", "1", "X-Two", "a\nb", NULL};

static void add_file(struct fixture *f, bool is_public)
{
    http_server_file(f->s, &(struct http_file){.path = "/file",
                                               .type = "text/css",
                                               .bytes = STR("plain bytes"),
                                               .gzip = STR("zipped"),
                                               .cache = "max-age=9",
                                               .headers = file_headers,
                                               .is_public = is_public});
}

static bool is_zipped(struct fixture *f, const char *accept)
{
    struct wire w;
    struct buf lines = {0};
    buf_printf(&lines, "Accept-Encoding: %s\r\n", accept);
    dial(f, &w);
    wire_send(&w, request(f, "GET /file HTTP/1.1", accept ? lines.p : "", ""));
    wire_answer(&w, &f->text);
    struct str got = buf_str(&f->text);
    bool zipped = str_ends(got, STR("\r\n\r\nzipped"));
    assert_true(zipped || str_ends(got, STR("\r\n\r\nplain bytes")));
    assert_int_equal(str_find(got, STR("\r\nContent-Encoding: gzip\r\n")) < got.n, zipped);
    assert_true(str_find(got, STR("\r\nVary: Accept-Encoding\r\n")) < got.n);
    wire_close(&w);
    buf_done(&lines);
    return zipped;
}

TEST(a_file_is_compressed_for_clients_that_accept_it)
{
    static const char *const yes[] = {"gzip",        "GZIP",          "br, gzip;q=0.5, *;q=0",
                                      "*",           "br;q=1 , gzip", "gzip; q=0.001",
                                      "gzip;x=y;Q=1"};
    static const char *const no[] = {
        NULL, "", "br", "gzip;q=0", "*;q=0", "gzip ;q=0.000, *", "xgzip, gzipx", "identity"};
    struct fixture f;
    set_up(&f, &(struct http_server_options){0});
    add_file(&f, false);
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!is_zipped(&f, yes[i]))
            fail_msg("not zipped: %s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (is_zipped(&f, no[i]))
            fail_msg("zipped: %s", no[i]);
    tear_down(&f);
}

TEST(each_encoding_of_a_file_has_its_own_tag)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){0});
    add_file(&f, false);
#define PLAIN_TAG "\"4ce7efd629239a14f2add95bdf617675\""
#define ZIP_TAG   "\"71571b067bc261f7acc4ba54b90563d2\""
#define MORE                                                                                       \
    "X-Content-Type-Options: nosniff\r\nCache-Control: max-age=9\r\nVary: "                        \
    "Accept-Encoding\r\nX-One: 1\r\nX-Two: a b\r\n"
    check_alone(&f, request(&f, "GET /file HTTP/1.1", "", ""),
                "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nETag: " PLAIN_TAG "\r\n" MORE
                "Content-Length: 11\r\n\r\nplain bytes",
                true);
    check_alone(&f, request(&f, "GET /file HTTP/1.1", "Accept-Encoding: gzip\r\n", ""),
                "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nETag: " ZIP_TAG "\r\n" MORE
                "Content-Encoding: gzip\r\n"
                "Content-Length: 6\r\n\r\nzipped",
                true);
    check_alone(&f, request(&f, "GET /file HTTP/1.1", "If-None-Match: " PLAIN_TAG "\r\n", ""),
                "HTTP/1.1 304 Not Modified\r\nETag: " PLAIN_TAG "\r\n" MORE "\r\n", true);
    check_alone(&f,
                request(&f, "HEAD /file HTTP/1.1",
                        "Accept-Encoding: gzip\r\nIf-None-Match: " PLAIN_TAG "\r\n", ""),
                "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nETag: " ZIP_TAG "\r\n" MORE
                "Content-Encoding: gzip\r\n"
                "Content-Length: 6\r\n\r\n",
                true);
    tear_down(&f);
}

/* ---- refusals */

TEST(foreign_hosts_and_origins_are_403)
{
    struct fixture f;
    struct buf ask = {0};
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    static const char *const heads[] = {
        "Host: evil.example:%u\r\n",
        "Host: localhost:%u\r\nOrigin: http://evil.example\r\n",
        "Host: localhost:%u\r\nOrigin: null\r\n",
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char port[8], *mark;
        snprintf(port, sizeof port, "%u", http_server_port(f.s));
        buf_clear(&ask);
        buf_add(&ask, STR("GET /page HTTP/1.1\r\n"));
        mark = strstr(heads[i], "%u");
        buf_add(&ask, str_make(heads[i], (size_t)(mark - heads[i])));
        buf_add(&ask, str_from(port));
        buf_add(&ask, str_from(mark + 2));
        buf_add(&ask, STR("\r\n"));
        dial(&f, &w);
        wire_send(&w, buf_str(&ask));
        wire_answer(&w, &f.text);
        assert_true(str_starts(buf_str(&f.text), STR("HTTP/1.1 403 Forbidden\r\n")));
        wire_close(&w);
    }
    buf_done(&ask);
    tear_down(&f);
}

TEST(a_token_is_required)
{
    struct fixture f;
    struct wire w;
    char token[] = "s3cret";
    set_up(&f, &(struct http_server_options){.token = str_from(token)});
    memset(token, 0, sizeof token); /* it was copied */
    dial(&f, &w);
    check_answer(&f, &w, request(&f, "GET /page HTTP/1.1", "", ""),
                 "HTTP/1.1 401 Unauthorized\r\n" PLAIN "WWW-Authenticate: Bearer\r\n" SEALED
                 "Content-Length: 58\r\n\r\n"
                 "Missing bearer token: send Authorization: Bearer <token>.\n");
    check_answer(&f, &w, request(&f, "GET /page HTTP/1.1", "Authorization: Bearer wrong\r\n", ""),
                 "HTTP/1.1 401 Unauthorized\r\n" PLAIN "WWW-Authenticate: Bearer\r\n" SEALED
                 "Content-Length: 63\r\n\r\n"
                 "Wrong bearer token: send the one this server was started with.\n");
    wire_close(&w);
    tear_down(&f);
}

static bool starts(struct fixture *f, struct str ask, const char *want)
{
    struct wire w;
    dial(f, &w);
    wire_send(&w, ask);
    wire_answer(&w, &f->text);
    wire_close(&w);
    return str_starts(buf_str(&f->text), str_from(want));
}

TEST(a_public_file_needs_no_token_but_the_right_host_and_origin)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){.token = STR("s3cret")});
    add_file(&f, true);
    assert_true(starts(&f, request(&f, "GET /file HTTP/1.1", "", ""), "HTTP/1.1 200 "));
    assert_true(starts(&f, request(&f, "GET /file HTTP/1.1", "Authorization: Bearer no\r\n", ""),
                       "HTTP/1.1 200 "));
    assert_true(starts(&f, request(&f, "GET /file HTTP/1.1", "Origin: http://evil:1\r\n", ""),
                       "HTTP/1.1 403 "));
    assert_true(starts(&f, STR("GET /file HTTP/1.1\r\nHost: evil:1\r\n\r\n"), "HTTP/1.1 403 "));
    /* Other methods, other paths and missing files stay protected. */
    assert_true(starts(&f, request(&f, "POST /file HTTP/1.1", "", ""), "HTTP/1.1 401 "));
    assert_true(starts(&f, request(&f, "GET /page HTTP/1.1", "", ""), "HTTP/1.1 401 "));
    assert_true(starts(&f, request(&f, "GET /file/ HTTP/1.1", "", ""), "HTTP/1.1 401 "));
    assert_true(starts(&f, request(&f, "GET /nowhere HTTP/1.1", "", ""), "HTTP/1.1 401 "));
    tear_down(&f);
}

TEST(a_valid_token_is_accepted)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){.token = STR("s3cret")});
    dial(&f, &w);
    check_answer(&f, &w,
                 request(&f, "GET /tree/a HTTP/1.1", "Authorization: Bearer s3cret\r\n", ""),
                 "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\n/tree/a");
    wire_close(&w);
    tear_down(&f);
}

TEST(a_request_that_the_decoder_refuses_is_answered_and_closed)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){.limits = {.max_head = 200, .max_body = 10}});
    check_alone(&f, STR("nonsense\r\n\r\n"),
                "HTTP/1.1 400 Bad Request\r\n" PLAIN SEALED CLOSE "Content-Length: 50\r\n\r\n"
                "The request does not start with a method of HTTP.\n",
                false);
    char lines[300];
    snprintf(lines, sizeof lines, "A: %0200d\r\n", 1);
    check_alone(&f, request(&f, "GET /page HTTP/1.1", lines, ""),
                "HTTP/1.1 431 Request Header Fields Too Large\r\n" PLAIN SEALED CLOSE
                "Content-Length: 50\r\n\r\n"
                "The head of the request is longer than 200 bytes.\n",
                false);
    check_alone(&f, request(&f, "POST /echo HTTP/1.1", "Content-Length: 11\r\n", ""),
                "HTTP/1.1 413 Content Too Large\r\n" PLAIN SEALED CLOSE "Content-Length: 34\r\n\r\n"
                "The body is longer than 10 bytes.\n",
                false);
    tear_down(&f);
}

static const char *error_body(struct buf *out, int status, const char *message)
{
    buf_printf(out, "{\"error\":%d,\"text\":\"%s\"}", status, message);
    return "application/json";
}

TEST(refusals_have_the_body_of_error_body)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){.error_body = error_body});
    check_alone(&f, request(&f, "GET /x HTTP/1.1", "", ""),
                "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\n" SEALED
                "Content-Length: 46\r\n\r\n{\"error\":404,\"text\":\"There is nothing at /x.\"}",
                true);
    dial(&f, &w);
    wire_send(&w, request(&f, "GET /later HTTP/1.1", "", ""));
    WIRE_UNTIL(f.loop, f.open);
    http_exchange_refuse(f.open, 409, "Not %s.", "now");
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text),
               "HTTP/1.1 409 Conflict\r\nContent-Type: application/json\r\n" SEALED
               "Content-Length: 31\r\n\r\n{\"error\":409,\"text\":\"Not now.\"}");
    wire_close(&w);
    tear_down(&f);
}

TEST(a_client_that_sends_on_reads_why_it_was_refused)
{
    struct fixture f;
    struct wire w;
    static char megabyte[1u << 20];
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    wire_send(&w, request(&f, "POST /echo HTTP/1.1", "Content-Length: 100000000\r\n", ""));
    for (int i = 0; i < 16; i++)
        wire_send(&w, str_make(megabyte, sizeof megabyte));
    wire_answer(&w, &f.text);
    assert_true(str_starts(buf_str(&f.text), STR("HTTP/1.1 413 Content Too Large\r\n")));
    WIRE_UNTIL(f.loop, w.ended && http_server_connections(f.s) == 0);
    wire_close(&w);
    tear_down(&f);
}

/* ---- expectations */

TEST(a_100_continue_is_sent_only_if_the_body_will_be_read)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){.limits = {.max_body = 10}});
    dial(&f, &w);
    check_answer(
        &f, &w,
        request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\nExpect: 100-continue\r\n", ""),
        "HTTP/1.1 100 Continue\r\n\r\n");
    check_answer(&f, &w, STR("hello"),
                 "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
    /* The body has already arrived, so no 100 Continue is sent. */
    check_answer(&f, &w,
                 request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\nExpect: 100-continue\r\n",
                         "hello"),
                 "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
    wire_close(&w);
    check_alone(
        &f,
        request(&f, "POST /echo HTTP/1.1", "Content-Length: 11\r\nExpect: 100-continue\r\n", ""),
        "HTTP/1.1 413 Content Too Large\r\n" PLAIN SEALED CLOSE "Content-Length: 34\r\n\r\n"
        "The body is longer than 10 bytes.\n",
        false);
    check_alone(&f, request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\nExpect: x\r\n", ""),
                "HTTP/1.1 417 Expectation Failed\r\n" PLAIN SEALED CLOSE
                "Content-Length: 71\r\n\r\n"
                "The Expect header is not supported: use 100-continue, or leave it out.\n",
                false);
    tear_down(&f);
}

/* ---- headers of an answer */

TEST(no_value_can_inject_a_header)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    wire_send(&w, request(&f, "GET /later HTTP/1.1", "", ""));
    WIRE_UNTIL(f.loop, f.open);
    static char huge[70000];
    http_exchange_set_header(f.open, "X-A", STR("a\r\nSet-Cookie: b\0c\x7f\td"));
    http_exchange_set_header(f.open, "X-Huge", str_make(huge, sizeof huge));
    http_exchange_set_header(f.open, "X-B", STR("e"));
    http_exchange_reply(f.open, 204, NULL, (struct str){0});
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text), "HTTP/1.1 204 No Content\r\nX-A: a  Set-Cookie: b c \td\r\n"
                                 "X-B: e\r\n\r\n");
    /* The headers belong to one answer. */
    wire_send(&w, request(&f, "GET /later HTTP/1.1", "", ""));
    WIRE_UNTIL(f.loop, f.requests == 2);
    http_exchange_set_header(f.open, "Connection", STR("close"));
    http_exchange_reply(f.open, 204, NULL, (struct str){0});
    wire_answer(&w, &f.text);
    CHECK_CSTR(buf_str(&f.text), "HTTP/1.1 204 No Content\r\n" CLOSE "\r\n");
    WIRE_UNTIL(f.loop, w.ended);
    wire_close(&w);
    tear_down(&f);
}

/* ---- listening */

TEST(a_port_in_use_is_an_error)
{
    struct fixture f;
    struct error err = {0};
    set_up(&f, &(struct http_server_options){0});
    struct http_server *other = http_server_new(f.loop, &(struct http_server_options){0});
    assert_false(http_server_listen(other, http_server_port(f.s), &err));
    assert_int_equal(err.code, ERR_IN_USE);
    http_server_free(other);
    http_server_free(NULL);
    tear_down(&f);
}

/* ---- the end of the server */

TEST(stopping_closes_idle_connections_and_finishes_the_others)
{
    struct fixture f;
    struct wire idle, half, pending;
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &idle);
    dial(&f, &half);
    dial(&f, &pending);
    wire_send(&half, request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hel"));
    wire_send(&pending, request(&f, "GET /later HTTP/1.1", "", ""));
    WIRE_UNTIL(f.loop, f.open && http_server_connections(f.s) == 3);
    wire_turn(f.loop);
    http_server_stop(f.s);
    http_server_stop(f.s);
    WIRE_UNTIL(f.loop, idle.ended && half.ended);
    assert_int_equal(idle.in.n, 0);
    assert_true(wire_has(&half, "HTTP/1.1 503 "));
    assert_int_equal(f.gone, 0);
    http_exchange_reply(f.open, 200, "text/plain", STR("hello"));
    WIRE_UNTIL(f.loop, pending.ended);
    wire_answer(&pending, &f.text);
    CHECK_CSTR(buf_str(&f.text), "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" CLOSE
                                 "Content-Length: 5\r\n\r\nhello");
    wire_close(&idle);
    wire_close(&half);
    wire_close(&pending);
    WIRE_UNTIL(f.loop, http_server_connections(f.s) == 0);
    tear_down(&f);
}

TEST(a_stopping_server_closes_a_connection_after_its_last_piece)
{
    struct fixture f;
    struct wire w;
    set_up(&f, &(struct http_server_options){0});
    dial(&f, &w);
    wire_send(&w, request(&f, "GET /pieces HTTP/1.1", "", ""));
    WIRE_UNTIL(f.loop, f.open);
    http_server_stop(f.s);
    assert_true(http_exchange_write(f.open, STR("hello")));
    http_exchange_end(f.open);
    WIRE_UNTIL(f.loop, w.ended);
    assert_true(wire_has(&w, "5\r\nhello\r\n0\r\n\r\n"));
    wire_close(&w);
    tear_down(&f);
}

TEST(freeing_closes_all_connections_and_calls_on_gone)
{
    struct fixture f;
    struct wire w[5];
    set_up(&f, &(struct http_server_options){0});
    for (int i = 0; i < 5; i++)
        dial(&f, &w[i]);
    wire_send(&w[1], STR("GET /"));
    wire_send(&w[2], request(&f, "POST /echo HTTP/1.1", "Content-Length: 5\r\n", "hel"));
    wire_send(&w[3], request(&f, "GET /later HTTP/1.1", "", "GET"));
    wire_send(&w[4], request(&f, "GET /pieces HTTP/1.1", "", ""));
    WIRE_UNTIL(f.loop, f.requests == 2 && http_server_connections(f.s) == 5);
    http_server_free(f.s);
    f.s = NULL;
    assert_int_equal(f.gone, 2);
    for (int i = 0; i < 5; i++) {
        WIRE_UNTIL(f.loop, w[i].ended);
        wire_close(&w[i]);
    }
    tear_down(&f);
}

/* ---- nothing grows */

static size_t open_files(void)
{
    size_t n = 0;
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void send_garbage(struct fixture *f, unsigned seed)
{
    static const char *const kinds[] = {
        "\x16\x03\x01\x02",
        "GET / HTTP/9.9\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost:\r\n\r\n",
        "GET /page HTTP/1.1\r\n\r\n",
        "\r\n\r\n\r\n\r\nx",
        "GET /\n\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
    };
    struct wire w;
    dial(f, &w);
    wire_send(&w, str_from(kinds[seed % 8]));
    stream_shutdown(w.s);
    WIRE_UNTIL(f->loop, w.ended);
    assert_true(str_starts(buf_str(&w.in), STR("HTTP/1.1 4")) ||
                str_starts(buf_str(&w.in), STR("HTTP/1.1 5")));
    wire_close(&w);
}

TEST(thousands_of_bad_requests_leak_nothing)
{
    struct fixture f;
    set_up(&f, &(struct http_server_options){0});
    for (unsigned i = 0; i < 100; i++)
        send_garbage(&f, i);
    WIRE_UNTIL(f.loop, http_server_connections(f.s) == 0);
    size_t files = open_files(), memory = mallinfo2().uordblks;
    for (unsigned i = 0; i < 2000; i++)
        send_garbage(&f, i);
    WIRE_UNTIL(f.loop, http_server_connections(f.s) == 0);
    wire_turn(f.loop);
    assert_int_equal(open_files(), files);
    assert_in_range(mallinfo2().uordblks, 0, memory + 4096);
    tear_down(&f);
}
