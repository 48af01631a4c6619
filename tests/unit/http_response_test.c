#include "net/http_response.h"

#include <stdlib.h>

#include "test.h"

/* One line per event; parts of a body that follow one another are one. */
static void add_event(struct buf *log, struct http_response_decoder *d, enum http_response_event e)
{
    const struct http_response *r = http_response_get(d);
    bool in_body = log->n && log->p[log->n - 1] != '\n';
    if (e == HTTP_RESPONSE_DATA) {
        buf_add(log, in_body ? STR("") : STR("body "));
        buf_add(log, http_response_data(d));
        return;
    }
    if (in_body && e != HTTP_RESPONSE_MORE)
        buf_add_char(log, '\n');
    if (e == HTTP_RESPONSE_HEAD) {
        buf_printf(log, "%d", r->status);
        for (size_t i = 0; i < r->field_count; i++)
            buf_printf(log, " %.*s=%.*s", STR_ARG(r->fields[i].name), STR_ARG(r->fields[i].value));
        buf_add_char(log, '\n');
    }
    if (e == HTTP_RESPONSE_COMPLETE)
        buf_add(log, STR("complete\n"));
    if (e == HTTP_RESPONSE_BAD)
        buf_printf(log, "bad %s\n", http_response_reason(d));
}

static void feed(struct buf *log, struct http_response_decoder *d, struct str bytes)
{
    enum http_response_event e;
    do {
        size_t used;
        /* A copy of exact size: the sanitizer finds a read past its end. */
        char *piece = malloc(bytes.n ? bytes.n : 1);
        if (bytes.n)
            memcpy(piece, bytes.p, bytes.n);
        e = http_response_feed(d, str_make(piece, bytes.n), &used);
        assert_true(used <= bytes.n);
        add_event(log, d, e);
        free(piece);
        bytes = str_skip(bytes, used);
    } while (e != HTTP_RESPONSE_BAD && (bytes.n || e != HTTP_RESPONSE_MORE));
}

struct run {
    size_t max_head, piece; /* piece 0: all at once */
    bool is_head, ends;
};

static void run(struct buf *log, struct str bytes, const struct run *how)
{
    struct http_response_decoder *d = http_response_new(how->max_head, how->is_head);
    bool is_bad = false;
    while (bytes.n && !is_bad) {
        struct str piece = str_head(bytes, how->piece ? how->piece : bytes.n);
        feed(log, d, piece);
        bytes = str_skip(bytes, piece.n);
        is_bad = log->p && strstr(log->p, "bad ");
    }
    if (how->ends)
        add_event(log, d, http_response_end(d));
    http_response_free(d);
}

/* The result must be the same for every split. */
static void check(struct str bytes, struct run how, const char *want)
{
    struct buf log = {0};
    how.max_head = how.max_head ? how.max_head : HTTP_MAX_HEAD;
    for (how.piece = 0; how.piece < 20; how.piece++) {
        buf_clear(&log);
        run(&log, bytes, &how);
        CHECK_CSTR(buf_str(&log), want);
    }
    buf_done(&log);
}

TEST(a_body_ends_with_its_length)
{
    check(STR("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX:  a b \r\n\r\nhello"), (struct run){0},
          "200 Content-Length=5 X=a b\nbody hello\ncomplete\n");
    check(STR("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), (struct run){0},
          "404 Content-Length=0\ncomplete\n");
    check(STR("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi after it"), (struct run){0},
          "200 Content-Length=2\nbody hi\ncomplete\n");
}

TEST(a_body_ends_with_its_last_chunk)
{
    check(STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
              "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nTrailer: t\r\n\r\n"),
          (struct run){0}, "200 Transfer-Encoding=chunked\nbody hello world\ncomplete\n");
    check(STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), (struct run){0},
          "200 Transfer-Encoding=chunked\ncomplete\n");
}

TEST(a_body_without_a_length_ends_with_the_connection)
{
    check(STR("HTTP/1.1 200 OK\r\nA: b\r\n\r\nhello"), (struct run){.ends = true},
          "200 A=b\nbody hello\ncomplete\n");
    check(STR("HTTP/1.0 200 OK\r\n\r\n"), (struct run){.ends = true}, "200\ncomplete\n");
}

TEST(some_answers_have_no_body)
{
    check(STR("HTTP/1.1 204 No Content\r\nA: b\r\n\r\n"), (struct run){0}, "204 A=b\ncomplete\n");
    check(STR("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"), (struct run){0},
          "304 Content-Length=9\ncomplete\n");
    check(STR("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), (struct run){.is_head = true},
          "200 Content-Length=9\ncomplete\n");
}

TEST(informational_answers_are_skipped)
{
    check(STR("HTTP/1.1 100 Continue\r\nEarly: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
              "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
          (struct run){0}, "200 Content-Length=2\nbody ok\ncomplete\n");
    check(STR("HTTP/1.1 100 Continue\r\nContent-Length: 3\r\n\r\n"
              "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
          (struct run){0}, "200 Content-Length=2\nbody ok\ncomplete\n");
}

TEST(bytes_after_an_upgrade_are_not_used)
{
    const struct str head = STR("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                "Connection: Upgrade\r\n\r\n");
    struct http_response_decoder *d = http_response_new(HTTP_MAX_HEAD, false);
    struct buf all = {0};
    size_t used;
    buf_add(&all, head);
    buf_add(&all, STR("frames"));
    assert_int_equal(http_response_feed(d, buf_str(&all), &used), HTTP_RESPONSE_HEAD);
    assert_int_equal(used, head.n);
    assert_int_equal(http_response_get(d)->status, 101);
    CHECK_CSTR(http_response_field(http_response_get(d), STR("UPGRADE")), "websocket");
    assert_null(http_response_field(http_response_get(d), STR("Accept")).p);
    http_response_free(d);
    http_response_free(NULL);
    buf_done(&all);
}

TEST(an_early_end_is_an_error)
{
    const struct run ends = {.ends = true};
    check(STR("HTTP/1.1 200 OK\r\nA"), ends,
          "bad The connection ended in the head of the answer.\n");
    check(STR("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), ends,
          "200 Content-Length=9\nbody hello\n"
          "bad The connection ended before the answer was complete.\n");
    check(STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), ends,
          "200 Transfer-Encoding=chunked\nbody hello\n"
          "bad The connection ended before the answer was complete.\n");
    struct http_response_decoder *d = http_response_new(100, false);
    assert_int_equal(http_response_end(d), HTTP_RESPONSE_BAD);
    CHECK_CSTR(str_from(http_response_reason(d)), "The connection ended without an answer.");
    assert_int_equal(http_response_end(d), HTTP_RESPONSE_BAD);
    http_response_free(d);
}

TEST(invalid_answers_are_refused)
{
    static const struct str rows[] = {
        STR_INIT("hello"),
        STR_INIT("GET / HTTP/1.1\r\n\r\n"),
        STR_INIT("HTTP/1.1 banana\r\n\r\n"),
        STR_INIT("HTTP/1.1 200 OK\r\nbroken header\r\n\r\n"),
        STR_INIT("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"),
        STR_INIT("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        STR_INIT("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    };
    struct buf log = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t piece = 0; piece < 20; piece++) {
            buf_clear(&log);
            run(&log, rows[i], &(struct run){.max_head = 1000, .piece = piece, .ends = true});
            assert_non_null(strstr(log.p, "bad The answer is not HTTP/1.1: "));
            assert_null(strstr(log.p, "complete"));
        }
    buf_done(&log);
}

TEST(the_size_of_a_head_is_limited)
{
    const char *want = "bad The head of the answer is too long.\n";
    struct buf text = {0};
    buf_add(&text, STR("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    check(buf_str(&text), (struct run){.max_head = text.n}, "200 Content-Length=0\ncomplete\n");
    check(buf_str(&text), (struct run){.max_head = text.n - 1}, want);
    buf_clear(&text);
    for (int i = 0; i < 10; i++)
        buf_add(&text, STR("HTTP/1.1 100 Continue\r\n\r\n"));
    check(buf_str(&text), (struct run){.max_head = text.n - 30}, want);
    buf_clear(&text);
    buf_add(&text, STR("HTTP/1.1 200 OK\r\n"));
    for (unsigned i = 0; i < HTTP_MAX_HEADERS + 1; i++)
        buf_add(&text, STR("A: b\r\n"));
    check(buf_str(&text), (struct run){0}, "bad The answer has too many headers.\n");
    buf_done(&text);
}
