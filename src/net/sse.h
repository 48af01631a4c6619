/* Server-sent events (text/event-stream): written on an HTTP exchange, or read from a stream.
 *
 *     sse_begin(x);
 *     sse_send(x, &(struct sse_event){.id = STR("1-1"), .data = json});
 *     sse_send_comment(x);                      // ": keep-alive", against time-outs
 *     http_exchange_end(x);
 *
 * Back-pressure: see http_exchange_queued() and on_drain in http_exchange.h. While sse_is_slow() is
 * true, leave out events that can be left out (progress).
 *
 *     struct sse_reader r;
 *     size_t used;
 *     sse_reader_init(&r, 4u << 20);
 *     for (enum sse_reader_event e; (e = sse_reader_feed(&r, bytes, &used)) != SSE_READER_MORE;) {
 *         bytes = str_skip(bytes, used);
 *         if (e == SSE_READER_BAD)
 *             break;                            // an event over the limit: the reader is unusable
 *         handle_event(r.event.data);
 *     }
 *     sse_reader_done(&r);
 *
 * The reader is a pure, resumable decoder that follows the HTML standard (9.2.6): data lines are
 * joined by LF; lines end with CR, LF or CR LF; comments, unknown fields and a byte order mark at
 * the start are ignored; an event without a data line, or cut off by the end of the stream, does
 * not count. The last id applies to the events after it. The result does not depend on how the
 * bytes were split.
 */
#pragma once

#include "net/http_exchange.h"

#define SSE_HIGH_WATER (256u << 10)
#define SSE_MAX_PARTS  3u

struct sse_event {
    struct str id;    /* p NULL: no id line. Without CR, LF, NUL */
    struct str event; /* empty: no event line */
    int retry_ms;     /* 0: no retry line */
    struct str data;  /* may contain newlines; p NULL: no data line; "": an empty data line */
    const struct str *parts; /* the data in parts instead, without CR and LF: sent uncopied */
    size_t part_count;       /* at most SSE_MAX_PARTS */
};

void sse_format(struct buf *out, const struct sse_event *e); /* pure */

void sse_begin(struct http_exchange *x); /* 200 with the headers of an event stream */
bool sse_send(struct http_exchange *x, const struct sse_event *e); /* see http_exchange_write */
bool sse_send_comment(struct http_exchange *x);
bool sse_is_slow(const struct http_exchange *x);

/* ---- the reader */

enum sse_reader_event {
    SSE_READER_MORE, /* all bytes used */
    SSE_READER_EVENT,
    SSE_READER_BAD
};

struct sse_reader {
    /* The last event: its data and name ("" means "message"), the last id and the last retry so far
     * (0: none). Valid until the next feed. */
    struct sse_event event;
    /* private */
    struct buf line, data, name, id;
    size_t max_event;
    int retry_ms;
    bool has_data, after_cr, begun, spent;
};

/* max_event limits the data of an event, and each line. */
void sse_reader_init(struct sse_reader *r, size_t max_event);
void sse_reader_done(struct sse_reader *r);

/* Use bytes up to the end of the first event; *used is their number. */
enum sse_reader_event sse_reader_feed(struct sse_reader *r, struct str bytes, size_t *used);
