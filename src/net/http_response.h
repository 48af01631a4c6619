/* HTTP/1.1 answers as bytes: a resumable decoder on llhttp, for clients. Pure: no socket.
 *
 *     struct http_response_decoder *d = http_response_new(HTTP_MAX_HEAD, is_head);
 *     enum http_response_event event;
 *     do {
 *         size_t used;
 *         event = http_response_feed(d, bytes, &used);
 *         bytes = str_skip(bytes, used);
 *     } while (bytes.n || event == HTTP_RESPONSE_HEAD || event == HTTP_RESPONSE_DATA);
 *     http_response_free(d);
 *
 *     feed -> HTTP_RESPONSE_MORE      all bytes used, no event
 *             HTTP_RESPONSE_HEAD      status and headers are complete (http_response_get()); feed
 *                                     again, even without bytes: an empty body is complete at once.
 *                                     After status 101 do not feed again: the rest is another
 *                                     protocol
 *             HTTP_RESPONSE_DATA      http_response_data() is a part of the body; feed again, too
 *             HTTP_RESPONSE_COMPLETE  the body is complete; bytes after it are ignored
 *             HTTP_RESPONSE_BAD       see http_response_reason(); the decoder is unusable
 *
 * Informational answers (100, 103) are skipped. A body ends by its Content-Length, its last chunk,
 * or with the connection (http_response_end); HEAD, 204 and 304 have none. The decoder keeps no
 * byte of a body. All heads together are limited to max_head bytes, each to HTTP_MAX_HEADERS
 * headers. The events do not depend on how the bytes were split, except for the parts of a body.
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
    const struct http_field *fields; /* valid as long as the decoder */
    size_t field_count;
};

struct http_response_decoder;

/* is_head: the request was a HEAD; its answer has no body, even if the headers describe one. */
struct http_response_decoder *http_response_new(size_t max_head, bool is_head);
void http_response_free(struct http_response_decoder *d);
enum http_response_event http_response_feed(struct http_response_decoder *d, struct str bytes,
                                            size_t *used);

/* Report the end of the connection. Return HTTP_RESPONSE_COMPLETE if it ends the body, else
 * _BAD. */
enum http_response_event http_response_end(struct http_response_decoder *d);

const struct http_response *http_response_get(const struct http_response_decoder *d);
struct str http_response_data(
    const struct http_response_decoder *d); /* valid until the next feed */
const char *http_response_reason(const struct http_response_decoder *d); /* one sentence */

/* Return the value of a header (case is ignored), with p NULL if it is absent. */
struct str http_response_field(const struct http_response *r, struct str name);
