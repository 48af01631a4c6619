#include "net/http.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "test.h"

static const struct http_limits limits = {.max_head = 512, .max_body = 64, .max_headers = 8};

/* ---- the events of a decoder as text */

static void tell_request(struct buf *out, const struct http_request *r)
{
    buf_printf(out, "%.*s %.*s", STR_ARG(r->method), STR_ARG(r->path));
    if (r->query.n)
        buf_printf(out, " query=%.*s", STR_ARG(r->query));
    if (r->authority.p)
        buf_printf(out, " authority=%.*s", STR_ARG(r->authority));
    for (size_t i = 0; i < r->field_count; i++)
        if (!str_eq(r->fields[i].name, STR("Host")))
            buf_printf(out, " %.*s=[%.*s]", STR_ARG(r->fields[i].name),
                       STR_ARG(r->fields[i].value));
    buf_printf(out, "%s%s%s%s", r->http10 ? " 1.0" : "", r->keep_alive ? "" : " close",
               r->upgrade ? " upgrade" : "", r->expects_continue ? " continue" : "");
}

/* Feed one piece; return false after HTTP_BAD. */
static bool tell_piece(struct http_decoder *d, struct str piece, struct buf *out)
{
    enum http_event e;
    do {
        size_t used;
        e = http_decoder_feed(d, piece, &used);
        assert_true(used <= piece.n);
        piece = str_skip(piece, used);
        const struct http_request *r = http_decoder_request(d);
        if (e == HTTP_HEAD) {
            tell_request(out, r);
        } else if (e == HTTP_COMPLETE) {
            buf_printf(out, r->has_body ? " {%.*s}\n" : "\n", STR_ARG(buf_str(&r->body)));
        } else if (e == HTTP_BAD) {
            buf_printf(out, " %d %s\n", http_decoder_status(d), http_decoder_reason(d));
            return false;
        }
    } while (piece.n || e == HTTP_HEAD);
    return true;
}

/* Feed pieces of the given size, the first one of size `first`. */
static void tell(struct str input, size_t first, size_t size, struct buf *out)
{
    struct http_decoder *d = http_decoder_new(&limits);
    buf_clear(out);
    bool good = tell_piece(d, str_head(input, first), out);
    for (input = str_skip(input, first); good && input.n; input = str_skip(input, size))
        good = tell_piece(d, str_head(input, size), out);
    if (good && !http_decoder_is_idle(d))
        buf_add(out, STR(" ..."));
    http_decoder_free(d);
}

#define POST    "POST /mcp HTTP/1.1\r\nHost: a\r\n"
#define GET     "GET /a HTTP/1.1\r\nHost: a\r\n"
#define CHUNKS  POST "Transfer-Encoding: chunked\r\n\r\n"
#define TE      " Transfer-Encoding=[chunked]"
#define LINES   " 400 A line of the request ends with CR or LF alone: end it with both.\n"
#define FOLDED  " 400 A header is folded over several lines: write it on one line.\n"
#define HEADER  " 400 Malformed header: expected Name: value, ended by CR LF.\n"
#define LENGTH  " 400 Content-Length must be one decimal number.\n"
#define TWICE   " 400 Duplicate Content-Length, or one with Transfer-Encoding: send one of them.\n"
#define CODING  " 501 Unsupported Transfer-Encoding: use chunked.\n"
#define SIZE    " 400 A chunk of the body has no valid size.\n"
#define CHUNK   " 400 A chunk of the body does not end with CR LF.\n"
#define VERSION " 505 Unsupported version of HTTP: use HTTP/1.1.\n"
#define METHOD  " 400 The request does not start with a method of HTTP.\n"
#define LINE    " 400 The request line must be: method, target, HTTP/1.1.\n"
#define TARGET  " 400 The target of the request must be a path, or an http URL.\n"
#define BODY    " 413 The body is longer than 64 bytes.\n"
#define HEAD    " 431 The head of the request is longer than 512 bytes.\n"
#define X8      "xxxxxxxx"
#define X64     X8 X8 X8 X8 X8 X8 X8 X8
#define X512    X64 X64 X64 X64 X64 X64 X64 X64

struct sample {
    struct str input;
    const char *want;
};

#define SAMPLE(input, want)                                                                        \
    {                                                                                              \
        STR_INIT(input), (want)                                                                    \
    }

static const struct sample good[] = {
    SAMPLE(GET "\r\n", "GET /a\n"),
    SAMPLE("\r\n\r\n" GET "\r\n", "GET /a\n"),
    SAMPLE(GET "\r\n\r\n", "GET /a\n"),
    SAMPLE("GET /a?b=c?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a query=b=c?d\n"),
    SAMPLE("GET /%2e%00? HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%2e%00\n"),
    SAMPLE("GET http://b:1/a?c HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a query=c authority=b:1\n"),
    SAMPLE("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS *\n"),
    SAMPLE(GET "A:\r\nB: \t \r\nC:  c d \t\r\nD:e:f\r\n\r\n", "GET /a A=[] B=[] C=[c d] D=[e:f]\n"),
    SAMPLE(GET "A: \xc3\xa4\xff\r\n\r\n", "GET /a A=[\xc3\xa4\xff]\n"),
    SAMPLE("GET /a HTTP/1.0\r\n\r\n", "GET /a 1.0 close\n"),
    SAMPLE("GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
           "GET /a Connection=[Keep-Alive] 1.0\n"),
    SAMPLE(GET "Connection: x, CLOSE\r\n\r\n", "GET /a Connection=[x, CLOSE] close\n"),
    SAMPLE(GET "Connection: keep-alive\r\nConnection: close\r\n\r\n",
           "GET /a Connection=[keep-alive] Connection=[close] close\n"),
    SAMPLE(GET "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n",
           "GET /a Connection=[keep-alive, Upgrade] Upgrade=[websocket] upgrade\n"),
    SAMPLE(GET "Upgrade: websocket\r\n\r\n", "GET /a Upgrade=[websocket]\n"),
    SAMPLE(GET "Connection: upgrade\r\n\r\n", "GET /a Connection=[upgrade]\n"),
    SAMPLE(POST "Content-Length: 3\r\n\r\nabc", "POST /mcp Content-Length=[3] {abc}\n"),
    SAMPLE(POST "content-length: 0\r\n\r\n", "POST /mcp content-length=[0]\n"),
    SAMPLE(POST "Content-Length: 0003 \r\n\r\nabc", "POST /mcp Content-Length=[0003] {abc}\n"),
    SAMPLE(POST "\r\n", "POST /mcp\n"),
    SAMPLE(POST "Content-Length: 3\r\nExpect: 100-Continue\r\n\r\n",
           "POST /mcp Content-Length=[3] Expect=[100-Continue] continue ..."),
    SAMPLE(
        POST "Content-Length: 3\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\nabc" GET "\r\n",
        "POST /mcp Content-Length=[3] Connection=[upgrade] Upgrade=[h2c] upgrade {abc}\nGET /a\n"),
    SAMPLE(CHUNKS "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", "POST /mcp" TE " {abc0123456789}\n"),
    SAMPLE(CHUNKS "0\r\n\r\n", "POST /mcp" TE " {}\n"),
    SAMPLE(CHUNKS "003\r\n\r\n\n\r\n0\r\n\r\n", "POST /mcp" TE " {\r\n\n}\n"),
    SAMPLE(CHUNKS "3;a;b=\"c d\"\r\nabc\r\n0;x\r\nT: 1\r\nU: 2\r\n\r\n" GET "\r\n",
           "POST /mcp" TE " {abc}\nGET /a\n"),
    SAMPLE(CHUNKS "1\r\na\r\n0\r\nHost: b\r\nContent-Length: 5\r\nConnection: close\r\n\r\n" GET
                  "\r\n",
           "POST /mcp" TE " {a}\nGET /a\n"),
    SAMPLE(POST "Transfer-Encoding:  Chunked \r\n\r\n0\r\n\r\n",
           "POST /mcp Transfer-Encoding=[Chunked] {}\n"),
    SAMPLE(GET "\r\n" POST "Content-Length: 1\r\n\r\na" CHUNKS "1\r\nb\r\n0\r\n\r\n" GET "\r\n",
           "GET /a\nPOST /mcp Content-Length=[1] {a}\nPOST /mcp" TE " {b}\nGET /a\n"),
    SAMPLE(GET "Connection: close\r\n\r\n" GET "\r\n", "GET /a Connection=[close] close\nGET /a\n"),
    SAMPLE(POST "Content-Length: 64\r\n\r\n" X64, "POST /mcp Content-Length=[64] {" X64 "}\n"),
    SAMPLE(CHUNKS "40\r\n" X64 "\r\n0\r\n\r\n", "POST /mcp" TE " {" X64 "}\n"),
    SAMPLE(CHUNKS "20\r\n" X8 X8 X8 X8 "\r\n20\r\n" X8 X8 X8 X8 "\r\n0\r\n\r\n",
           "POST /mcp" TE " {" X64 "}\n"),
    SAMPLE(GET "1: \r\n2: \r\n3: \r\n4: \r\n5: \r\n6: \r\n7: \r\n\r\n",
           "GET /a 1=[] 2=[] 3=[] 4=[] 5=[] 6=[] 7=[]\n"),
    SAMPLE("", ""),
    SAMPLE("\r\n", ""),
    SAMPLE("G", " ..."),
    SAMPLE(POST, " ..."),
    SAMPLE(POST "Content-Length: 3\r\n\r\nab", "POST /mcp Content-Length=[3] ..."),
    SAMPLE(CHUNKS "3\r\nabc\r\n0\r\n", "POST /mcp" TE " ..."),
};

static const struct sample bad[] = {
    /* lines */
    SAMPLE("GET /a HTTP/1.1\nHost: a\r\n\r\n", LINES),
    SAMPLE("GET /a HTTP/1.1\r\nHost: a\n\r\n", HEADER),
    SAMPLE(GET "A: b\n\r\n", HEADER),
    SAMPLE(GET "A: b\nC: d\r\n\r\n", HEADER),
    SAMPLE(GET "A:\n\r\n", LINES),
    SAMPLE(GET "\n", LINES),
    SAMPLE("\n" GET "\r\n", LINES),
    SAMPLE("\r" GET "\r\n", LINES),
    SAMPLE(GET "A: b\rC: d\r\n\r\n", LINES),
    SAMPLE(GET "A: b\r\rC: d\r\n\r\n", LINES),
    SAMPLE(GET "A: b\r\n c\r\n\r\n", FOLDED),
    SAMPLE(GET "A: b\r\n\tc\r\n\r\n", FOLDED),
    SAMPLE(GET "A:\r\n b\r\n\r\n", FOLDED),
    SAMPLE("GET /a HTTP/1.1\r\n Host: a\r\n\r\n", FOLDED),
    SAMPLE(POST "Content-Length: 1\r\n 0\r\n\r\n", TWICE),
    SAMPLE(POST "Transfer-Encoding:\r\n chunked\r\n\r\n", FOLDED),
    /* headers */
    SAMPLE(GET "A : b\r\n\r\n", HEADER),
    SAMPLE(POST "Content-Length : 3\r\n\r\nabc", HEADER),
    SAMPLE(POST "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", HEADER),
    SAMPLE(GET "A\t: b\r\n\r\n", HEADER),
    SAMPLE(GET ": b\r\n\r\n", HEADER),
    SAMPLE(GET "A\r\n\r\n", HEADER),
    SAMPLE(GET "A(: b\r\n\r\n", HEADER),
    SAMPLE(GET "\xc3\xa4: b\r\n\r\n", HEADER),
    SAMPLE(GET "A: b\0c\r\n\r\n", HEADER),
    SAMPLE(GET "A: b\x01"
               "c\r\n\r\n",
           HEADER),
    SAMPLE(GET "A: b\x7f\r\n\r\n", HEADER),
    SAMPLE(GET "Host: a\r\n\r\n", " 400 Duplicate header: Host.\n"),
    SAMPLE("GET /a HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n", " 400 Duplicate header: Host.\n"),
    SAMPLE("GET /a HTTP/1.1\r\n\r\n", " 400 The Host header is missing.\n"),
    /* the length */
    SAMPLE(POST "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", TWICE),
    SAMPLE(POST "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", TWICE),
    SAMPLE(POST "Content-Length: 3, 3\r\n\r\nabc", LENGTH),
    SAMPLE(POST "Content-Length: -3\r\n\r\nabc", LENGTH),
    SAMPLE(POST "Content-Length: +3\r\n\r\nabc", LENGTH),
    SAMPLE(POST "Content-Length: 0x3\r\n\r\nabc", LENGTH),
    SAMPLE(POST "Content-Length: 3 4\r\n\r\nabc", LENGTH),
    SAMPLE(POST "Content-Length:\r\n\r\n", LENGTH),
    SAMPLE(POST "Content-Length: 18446744073709551616\r\n\r\n", LENGTH),
    SAMPLE(POST "Content-Length: 18446744073709551615\r\n\r\n", BODY),
    SAMPLE(POST "Content-Length: 65\r\n\r\n", BODY),
    SAMPLE(POST "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", TWICE),
    SAMPLE(POST "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", TWICE),
    SAMPLE(POST "Transfer-Encoding: gzip\r\n\r\n", CODING),
    SAMPLE(POST "Transfer-Encoding: identity\r\n\r\n", CODING),
    SAMPLE(POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", CODING),
    SAMPLE(POST "Transfer-Encoding: chunked, gzip\r\n\r\n", CODING),
    SAMPLE(POST "Transfer-Encoding: chunked, chunked\r\n\r\n", CODING),
    SAMPLE(POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", CODING),
    SAMPLE(POST "Transfer-Encoding: xchunked\r\n\r\n", CODING),
    SAMPLE(POST "Transfer-Encoding: chunked;q=1\r\n\r\n", CODING),
    SAMPLE(POST "Transfer-Encoding:\r\n\r\n", CODING),
    SAMPLE("POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           " 400 Transfer-Encoding is not part of HTTP/1.0.\n"),
    /* chunks */
    SAMPLE(CHUNKS "x\r\n", "POST /mcp" TE SIZE),
    SAMPLE(CHUNKS "-1\r\n", "POST /mcp" TE SIZE),
    SAMPLE(CHUNKS "\r\n", "POST /mcp" TE SIZE),
    SAMPLE(CHUNKS "0x1\r\na\r\n", "POST /mcp" TE SIZE),
    SAMPLE(CHUNKS "1 \r\na\r\n0\r\n\r\n", "POST /mcp" TE SIZE),
    SAMPLE(CHUNKS "10000000000000000\r\n", "POST /mcp" TE SIZE),
    SAMPLE(CHUNKS "ffffffffffffffff\r\n", "POST /mcp" TE BODY),
    SAMPLE(CHUNKS "41\r\n" X64, "POST /mcp" TE BODY),
    SAMPLE(CHUNKS "40\r\n" X64 "\r\n1\r\na", "POST /mcp" TE BODY),
    SAMPLE(CHUNKS "1\na\r\n0\r\n\r\n", "POST /mcp" TE SIZE),
    SAMPLE(CHUNKS "1;x\na\r\n0\r\n\r\n", "POST /mcp" TE LINES),
    SAMPLE(CHUNKS "1\r\na\n0\r\n\r\n", "POST /mcp" TE CHUNK),
    SAMPLE(CHUNKS "1\r\nab\r\n0\r\n\r\n", "POST /mcp" TE CHUNK),
    SAMPLE(CHUNKS "1\r\na\r\n0\n\r\n", "POST /mcp" TE SIZE),
    SAMPLE(CHUNKS "1\r\na\r\n0\r\n\n", "POST /mcp" TE LINES),
    SAMPLE(CHUNKS "0\r\nA: b\n\r\n", "POST /mcp" TE HEADER),
    SAMPLE(CHUNKS "0\r\nA: b\r\n c\r\n\r\n", "POST /mcp" TE FOLDED),
    SAMPLE(CHUNKS "0\r\nA : b\r\n\r\n", "POST /mcp" TE HEADER),
    /* the request line */
    SAMPLE("FOO /a HTTP/1.1\r\n", METHOD),
    SAMPLE("get /a HTTP/1.1\r\n", METHOD),
    SAMPLE("GETX /a HTTP/1.1\r\n", METHOD),
    SAMPLE(" GET /a HTTP/1.1\r\n", METHOD),
    SAMPLE("\x16\x03\x01\x02\x00\x01", METHOD),
    SAMPLE("HTTP/1.1 200 OK\r\n\r\n", METHOD),
    SAMPLE("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", VERSION),
    SAMPLE("GET /a HTTP/2.0\r\nHost: a\r\n\r\n", VERSION),
    SAMPLE("GET /a HTTP/0.9\r\nHost: a\r\n\r\n", VERSION),
    SAMPLE("GET /a HTTP/1.2\r\nHost: a\r\n\r\n", VERSION),
    SAMPLE("GET /a HTTP/1.10\r\nHost: a\r\n\r\n", VERSION),
    SAMPLE("GET /a\r\n\r\n", VERSION),
    SAMPLE("GET /a RTSP/1.0\r\nHost: a\r\n\r\n", VERSION),
    SAMPLE("GET /a http/1.1\r\nHost: a\r\n\r\n", LINE),
    SAMPLE("GET /a FTP/1.1\r\nHost: a\r\n\r\n", LINE),
    SAMPLE("GET  /a HTTP/1.1\r\nHost: a\r\n\r\n", LINE),
    SAMPLE("GET /a HTTP/1.1 \r\nHost: a\r\n\r\n", VERSION),
    SAMPLE("GET a HTTP/1.1\r\nHost: a\r\n\r\n",
           " 400 The target of the request has a character that is not allowed.\n"),
    SAMPLE("GET /a\x01 HTTP/1.1\r\nHost: a\r\n\r\n",
           " 400 The target of the request has a character that is not allowed.\n"),
    SAMPLE("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
           " 400 The target of the request must not have a fragment.\n"),
    SAMPLE("GET https://a/b HTTP/1.1\r\nHost: a\r\n\r\n", TARGET),
    SAMPLE("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n",
           " 400 The target of the request has no path.\n"),
    SAMPLE("GET http://a?b HTTP/1.1\r\nHost: a\r\n\r\n",
           " 400 The target of the request has no path.\n"),
    SAMPLE("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", TARGET),
    /* limits */
    SAMPLE("GET /" X512, " 414 The target of the request is too long.\n"),
    SAMPLE(GET "A: " X512, HEAD),
    SAMPLE(GET X512, HEAD),
    SAMPLE(GET "1: \r\n2: \r\n3: \r\n4: \r\n5: \r\n6: \r\n7: \r\n8: \r\n\r\n",
           " 431 The request has more than 8 headers: send fewer.\n"),
    SAMPLE(CHUNKS "1;" X512 "\r\na\r\n0\r\n\r\n",
           "POST /mcp" TE " 431 Chunk extensions or trailers are longer than 512 bytes.\n"),
    SAMPLE(CHUNKS "1\r\na\r\n0\r\nT: " X512 "\r\n\r\n",
           "POST /mcp" TE " 431 Chunk extensions or trailers are longer than 512 bytes.\n"),
    SAMPLE(GET "\r\nx", "GET /a\n" METHOD),
};

/* Decode each sample whole, byte by byte, and cut once at every byte; show the first difference. */
static bool is_as_told(const struct sample *s, struct buf *got)
{
    struct str want = str_from(s->want);
    for (size_t cut = 0; cut <= s->input.n; cut++) {
        tell(s->input, cut ? cut : s->input.n, cut == 1 ? 1 : s->input.n, got);
        if (str_eq(buf_str(got), want))
            continue;
        print_error("input: %.*s\ncut at %zu\ngot:  %.*s\nwant: %s\n", STR_ARG(s->input), cut,
                    STR_ARG(buf_str(got)), s->want);
        return false;
    }
    return true;
}

static void check_all(const struct sample *samples, size_t count)
{
    struct buf got = {0};
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += !is_as_told(&samples[i], &got);
    buf_done(&got);
    assert_int_equal(wrong, 0);
}

TEST(valid_requests_are_decoded_in_pieces_of_any_size)
{
    check_all(good, sizeof good / sizeof *good);
}

TEST(invalid_requests_are_refused_in_pieces_of_any_size)
{
    check_all(bad, sizeof bad / sizeof *bad);
}

/* ---- exact limits */

static void check_head_of(size_t size, const char *want)
{
    struct buf in = {0}, out = {0};
    buf_add(&in, STR(GET "A: "));
    while (in.n < size - 4)
        buf_add_char(&in, 'x');
    buf_add(&in, STR("\r\n\r\n"));
    size_t sizes[] = {in.n, 1, 7, size - 1, size};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tell(buf_str(&in), sizes[i], sizes[i], &out);
        assert_true(str_starts(buf_str(&out), str_from(want)));
    }
    buf_done(&in);
    buf_done(&out);
}

TEST(a_head_may_have_exactly_the_limit)
{
    check_head_of(511, "GET /a A=[xx");
    check_head_of(512, "GET /a A=[xx");
    check_head_of(513, HEAD);
}

TEST(empty_lines_before_a_request_are_limited_and_idle)
{
    struct http_decoder *d = http_decoder_new(&limits);
    size_t used;
    for (size_t i = 0; i < limits.max_head / 2 - 1; i++) {
        assert_int_equal(http_decoder_feed(d, STR("\r\n"), &used), HTTP_MORE);
        assert_true(http_decoder_is_idle(d));
    }
    assert_int_equal(http_decoder_feed(d, STR("\r\n"), &used), HTTP_BAD);
    assert_int_equal(http_decoder_status(d), 431);
    http_decoder_free(d);
}

/* ---- life of a decoder */

TEST(a_request_is_valid_until_the_next_feed)
{
    struct http_decoder *d = http_decoder_new(&limits);
    struct str input = STR(POST "Content-Length: 3\r\nX: y\r\n\r\nabc" GET "\r\n");
    size_t used;
    assert_true(http_decoder_is_idle(d));
    assert_int_equal(http_decoder_feed(d, input, &used), HTTP_HEAD);
    assert_false(http_decoder_is_idle(d));
    input = str_skip(input, used);
    assert_int_equal(http_decoder_feed(d, input, &used), HTTP_COMPLETE);
    assert_int_equal(used, 3);
    assert_true(http_decoder_is_idle(d));
    struct http_request *r = http_decoder_request(d);
    CHECK_STR(http_field_value(r, STR("x")), STR("y"));
    CHECK_STR(buf_str(&r->body), STR("abc"));

    struct buf taken = r->body; /* moved */
    r->body = (struct buf){0};
    input = str_skip(input, used);
    assert_int_equal(http_decoder_feed(d, input, &used), HTTP_HEAD);
    CHECK_STR(http_decoder_request(d)->method, STR("GET"));
    CHECK_STR(buf_str(&taken), STR("abc"));
    buf_done(&taken);
    http_decoder_free(d);
}

TEST(a_decoder_is_unusable_after_an_error)
{
    struct http_decoder *d = http_decoder_new(&limits);
    size_t used;
    assert_int_equal(http_decoder_feed(d, STR("nonsense"), &used), HTTP_BAD);
    assert_int_equal(http_decoder_feed(d, STR(GET "\r\n"), &used), HTTP_BAD);
    assert_int_equal(used, 0);
    assert_int_equal(http_decoder_status(d), 400);
    http_decoder_free(d);
    http_decoder_free(NULL);
}

TEST(a_long_body_is_complete_and_bounded)
{
    const struct http_limits large = {.max_head = 512, .max_body = 1u << 20, .max_headers = 8};
    struct http_decoder *d = http_decoder_new(&large);
    size_t used, n = 1u << 20;
    char *bytes = malloc(n);
    memset(bytes, 'z', n);
    assert_int_equal(http_decoder_feed(d, STR(POST "Content-Length: 1048576\r\n\r\n"), &used),
                     HTTP_HEAD);
    for (size_t at = 0; at < n; at += 4096)
        assert_int_equal(http_decoder_feed(d, str_make(bytes + at, 4096), &used),
                         at + 4096 < n ? HTTP_MORE : HTTP_COMPLETE);
    CHECK_STR(buf_str(&http_decoder_request(d)->body), str_make(bytes, n));
    free(bytes);
    http_decoder_free(d);
}

/* ---- small parts */

TEST(fields_are_found_and_counted_in_any_case)
{
    const struct http_field fields[] = {
        {STR("Accept"), STR("a")}, {STR("ACCEPT"), STR("b")}, {STR("Empty"), STR("")}};
    const struct http_request r = {.fields = fields, .field_count = 3};
    CHECK_STR(http_field_value(&r, STR("accept")), STR("a"));
    assert_int_equal(http_field_times(&r, STR("accept")), 2);
    assert_non_null(http_field_value(&r, STR("empty")).p);
    assert_null(http_field_value(&r, STR("other")).p);
    assert_int_equal(http_field_times(&r, STR("other")), 0);
}

TEST(tokens_match_whole_items_between_commas)
{
    struct str accept = STR("text/html, Application/JSON;q=0.5 ,text/event-stream");
    assert_true(http_has_token(accept, STR("application/json")));
    assert_true(http_has_token(accept, STR("text/html")));
    assert_true(http_has_token(accept, STR("text/event-stream")));
    assert_false(http_has_token(accept, STR("json")));
    assert_false(http_has_token(accept, STR("q=0.5")));
    assert_false(http_has_token(STR(""), STR("a")));
    assert_false(http_has_token((struct str){0}, STR("a")));
}

TEST(statuses_have_reason_phrases)
{
    assert_string_equal(http_status_text(200), "OK");
    assert_string_equal(http_status_text(404), "Not Found");
    assert_string_equal(http_status_text(431), "Request Header Fields Too Large");
    assert_string_equal(http_status_text(299), "Unknown");
}

TEST(dates_have_the_format_of_rfc_9110)
{
    char to[HTTP_DATE_LEN + 1];
    http_date(784111777, to);
    assert_string_equal(to, "Sun, 06 Nov 1994 08:49:37 GMT");
    http_date(0, to);
    assert_string_equal(to, "Thu, 01 Jan 1970 00:00:00 GMT");
}
