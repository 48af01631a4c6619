/* Server-sent events as a client reads them: a resumable decoder. Pure: no socket.
 *
 *     struct sse_reader r;
 *     sse_reader_init(&r, 4u << 20);
 *     for (enum sse_reader_event e; (e = sse_reader_feed(&r, bytes, &used)) != SSE_READER_MORE;) {
 *         bytes = str_skip(bytes, used);
 *         if (e == SSE_READER_BAD) ...          // an event over the limit; the reader is spent
 *         use(r.event.data);
 *     }
 *     sse_reader_done(&r);
 *
 * As the HTML standard says (9.2.6): data lines are joined by LF, lines end with CR, LF or CR LF,
 * comments and unknown fields are passed over, a byte order mark at the start too, and an event
 * without a data line is none. What the end of the stream cuts off is no event either. The last id
 * stays for the events after it. The outcome does not depend on how the bytes were cut.
 */
#pragma once

#include "net/sse.h"

enum sse_reader_event {
    SSE_READER_MORE, /* all bytes used */
    SSE_READER_EVENT,
    SSE_READER_BAD
};

struct sse_reader {
    /* The last event: its data and name ("" is "message"), the last id so far and the last retry
     * so far (0: none). Valid until the next feed. */
    struct sse_event event;
    /* private */
    struct buf line, data, name, id;
    size_t max_event;
    int retry_ms;
    bool has_data, after_cr, begun, spent;
};

/* max_event bounds the data of an event, and each line. */
void sse_reader_init(struct sse_reader *r, size_t max_event);
void sse_reader_done(struct sse_reader *r);

/* Uses bytes up to the end of the first event; *used says how many. */
enum sse_reader_event sse_reader_feed(struct sse_reader *r, struct str bytes, size_t *used);
