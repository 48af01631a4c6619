/* HTTP/1.1 answers as bytes: a resumable decoder on llhttp, for clients. Pure: no socket.
 *
 *     struct http_response_decoder *d = http_response_new(HTTP_MAX_HEAD, is_head);
 *     do {
 *         size_t used;
 *         event = http_response_feed(d, bytes, &used);
 *         bytes = str_skip(bytes, used);
 *     } while (bytes.n || event == HTTP_RESPONSE_HEAD || event == HTTP_RESPONSE_DATA);
 *     http_response_free(d);
 *
 *     feed -> HTTP_RESPONSE_MORE      all bytes used, nothing to tell
 *             HTTP_RESPONSE_HEAD      status and headers are complete: look at http_response_get();
 *                                     feed again, if need be nothing: no body is complete at once
 *                                     After status 101 the rest is another protocol: no more feeds
 *             HTTP_RESPONSE_DATA      http_response_data() is a part of the body; feed again, too
 *             HTTP_RESPONSE_COMPLETE  the body is complete; what follows is not looked at
 *             HTTP_RESPONSE_BAD       http_response_reason() says why; the decoder is spent
 *
 * Informational answers (100, 103) are passed over. A body ends by its Content-Length, its last
 * chunk, or with the connection (http_response_end); HEAD, 204 and 304 have none. Nothing of a body
 * is kept. All heads together are bounded by max_head bytes, and by HTTP_MAX_HEADERS headers each.
 * The events are the same however the bytes are cut, but for the parts into which a body falls.
 */
#pragma once

#include "net/http.h"

enum http_response_event {
    HTTP_RESPONSE_MORE,
    HTTP_RESPONSE_HEAD,
    HTTP_RESPONSE_DATA,
    HTTP_RESPONSE_COMPLETE,
    HTTP_RESPONSE_BAD
};

struct http_response {
    int status;                      /* 101, 200 ... */
    const struct http_field *fields; /* as long as the decoder */
    size_t field_count;
};

struct http_response_decoder;

/* is_head: the request was a HEAD, whose answer has no body whatever its headers say. */
struct http_response_decoder *http_response_new(size_t max_head, bool is_head);
void http_response_free(struct http_response_decoder *d);
enum http_response_event http_response_feed(struct http_response_decoder *d, struct str bytes,
                                            size_t *used);

/* The connection has ended: HTTP_RESPONSE_COMPLETE if that is how the body ends, else _BAD. */
enum http_response_event http_response_end(struct http_response_decoder *d);

const struct http_response *http_response_get(const struct http_response_decoder *d);
struct str http_response_data(const struct http_response_decoder *d);    /* until the next feed */
const char *http_response_reason(const struct http_response_decoder *d); /* one sentence */

/* The value of a header, names in any case; p is NULL if it is not there. */
struct str http_response_field(const struct http_response *r, struct str name);
