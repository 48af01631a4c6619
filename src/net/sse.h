/* Server-sent events on an exchange: text/event-stream, one event per message.
 *
 *     sse_begin(x);
 *     sse_send(x, &(struct sse_event){.id = STR("1-1"), .data = json});
 *     sse_comment(x);                           // ": keep-alive", so that nobody gives up
 *     http_exchange_end(x);
 *
 * Back-pressure: see http_exchange_queued() and on_drain in http_server.h; sse_is_slow() is the mark
 * above which what can be left out (progress) is left out.
 */
#pragma once

#include "net/http_server.h"

#define SSE_HIGH_WATER (256u << 10)
#define SSE_MAX_PARTS  3u

struct sse_event {
    struct str id;    /* p NULL: no id line. Without CR, LF, NUL */
    struct str event; /* empty: no event line */
    int retry_ms;     /* 0: no retry line */
    struct str data;  /* may hold newlines; p NULL: no data line; "" is a data line without text */
    const struct str *parts; /* the data in parts instead, without CR and LF: sent as they are */
    size_t part_count;       /* at most SSE_MAX_PARTS */
};

void sse_format(struct buf *out, const struct sse_event *e); /* pure */

void sse_begin(struct http_exchange *x); /* 200 with the headers of an event stream */
bool sse_send(struct http_exchange *x, const struct sse_event *e); /* as http_exchange_write */
bool sse_comment(struct http_exchange *x);
bool sse_is_slow(const struct http_exchange *x);
