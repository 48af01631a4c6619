#include "net/sse.h"

#include <stdlib.h>

#include "test.h"

#define MAX_EVENT 64u

/* "name|id|retry|data" for each event, "bad" for an event over the limit. */
static void feed(struct buf *log, struct sse_reader *r, struct str bytes)
{
    size_t used;
    char *copy = malloc(bytes.n ? bytes.n : 1);
    if (bytes.n)
        memcpy(copy, bytes.p, bytes.n);
    struct str rest = str_make(copy, bytes.n);
    for (enum sse_reader_event e; (e = sse_reader_feed(r, rest, &used)) != SSE_READER_MORE;) {
        rest = str_skip(rest, used);
        if (e == SSE_READER_BAD)
            buf_add(log, STR("bad;"));
        else
            buf_printf(log, "%.*s|%.*s|%d|%.*s;", STR_ARG(r->event.event), STR_ARG(r->event.id),
                       r->event.retry_ms, STR_ARG(r->event.data));
    }
    free(copy);
}

static void check(struct str bytes, const char *want)
{
    for (size_t piece = 1; piece <= bytes.n + 1; piece++) {
        struct sse_reader r;
        struct buf log = {0};
        sse_reader_init(&r, MAX_EVENT);
        for (struct str rest = bytes; rest.n; rest = str_skip(rest, piece))
            feed(&log, &r, str_head(rest, piece));
        feed(&log, &r, STR(""));
        CHECK_CSTR(buf_str(&log), want);
        buf_done(&log);
        sse_reader_done(&r);
    }
}

TEST(an_event_is_its_data)
{
    check(STR("data: {\"a\":1}\n\ndata:x\n\n"), "||0|{\"a\":1};||0|x;");
    check(STR("event: message\nid: 7\nretry: 500\ndata: x\n\n"), "message|7|500|x;");
    check(STR("data:  two blanks\n\n"), "||0| two blanks;");
}

TEST(data_lines_are_joined)
{
    check(STR("data: a\ndata: b\ndata\ndata: c\n\n"), "||0|a\nb\n\nc;");
    check(STR("data\n\n"), "||0|;");
    check(STR("data\ndata\n\n"), "||0|\n;");
}

TEST(lines_end_with_cr_lf_or_crlf)
{
    check(STR("data: a\r\ndata: b\r\n\r\ndata: c\r\rdata: d\n\r\n"), "||0|a\nb;||0|c;||0|d;");
}

TEST(ids_and_retries_are_kept)
{
    check(STR("id: 1\ndata: a\n\ndata: b\n\nid: 2\nretry: 9\n\ndata: c\n\nid\ndata: d\n\n"),
          "|1|0|a;|1|0|b;|2|9|c;||9|d;");
    check(STR("id: a\0b\nretry: x1\nretry: 99999999999999999999\ndata: a\n\n"), "||0|a;");
}

TEST(other_lines_are_skipped)
{
    check(STR(": comment\n\n:\n\nother: x\ndatax: y\nevent: lost\n\ndata: a\n\n"), "||0|a;");
    check(STR("\xef\xbb\xbf"
              "data: a\n\n\xef\xbb\xbf"
              "data: b\n\n"),
          "||0|a;");
    check(STR("data: a\n\ndata: cut"), "||0|a;");
    check(STR("data: a\n\ndata: cut\n"), "||0|a;");
}

TEST(an_event_over_the_limit_is_refused)
{
#define TEN "0123456789"
    check(STR("data: " TEN TEN TEN TEN TEN "01234567\n\n"), "||0|" TEN TEN TEN TEN TEN "01234567;");
    check(STR("data: " TEN TEN TEN TEN TEN "012345678\n\ndata: a\n\n"), "bad;");
    check(STR(":" TEN TEN TEN TEN TEN TEN "0123\ndata: a\n\n"), "bad;");
    check(STR("data: " TEN TEN TEN "\ndata: " TEN TEN TEN "012\n\n"),
          "||0|" TEN TEN TEN "\n" TEN TEN TEN "012;");
    check(STR("data: " TEN TEN TEN "\ndata: " TEN TEN TEN "0123\ndata: 4\n\n"), "bad;");
}

TEST(written_events_are_read)
{
    const struct sse_event e = {
        .id = STR("1-2"), .event = STR("note"), .retry_ms = 3, .data = STR("a\n\nb")};
    struct buf text = {0};
    sse_format(&text, &e);
    check(buf_str(&text), "note|1-2|3|a\n\nb;");
    buf_done(&text);
}
