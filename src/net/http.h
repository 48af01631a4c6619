/* HTTP/1.1 as bytes: a resumable request decoder on llhttp, and small parts of a response.
 *
 * The decoder is pure: feed it pieces of any size, and it returns events. It stops after the head
 * of each request, so that the caller can refuse it before the body is read, and after the end of
 * each request, so that pipelined requests wait.
 *
 *     struct http_decoder *d = http_decoder_new(&limits);
 *     enum http_event event;
 *     do {
 *         size_t used;
 *         event = http_decoder_feed(d, input, &used);
 *         input = str_skip(input, used);
 *     } while (input.n || event == HTTP_HEAD);
 *
 *     feed -> HTTP_MORE      all bytes used, nothing complete yet
 *             HTTP_HEAD      request line and headers are complete (http_decoder_request()); feed
 *                            again, even without bytes: an empty body is complete at once
 *             HTTP_COMPLETE  the body is complete, too; the next feed starts the next request
 *             HTTP_BAD       refuse with http_decoder_status() and _reason(), then close: the
 *                            decoder is unusable
 *
 * The decoder refuses: bytes over a limit (431, 413, 414), both Content-Length and
 * Transfer-Encoding, duplicate Content-Length or Host (equal or not), a blank before a colon, CR or
 * LF alone, folded headers, an unknown version (505) or Transfer-Encoding (501; only "chunked" is
 * supported), a missing Host in 1.1, a target that is neither a path nor an http URL nor "*".
 * http_server checks the rest. Chunk extensions and trailers are checked, counted (max_head between
 * two pieces of data) and dropped. The result never depends on how the bytes were split.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

struct http_limits {
    size_t max_head; /* request line and headers together */
    size_t max_body;
    size_t max_headers; /* how many */
};

#define HTTP_MAX_HEAD    (32u << 10)
#define HTTP_MAX_BODY    (4u << 20)
#define HTTP_MAX_HEADERS 100u

struct http_field {
    struct str name, value; /* name as sent; value without blanks around it */
};

struct http_request {
    struct str method;    /* "POST" */
    struct str path;      /* of the target, without the query; percent signs untouched */
    struct str query;     /* without the '?' */
    struct str authority; /* of "GET http://authority/path"; p NULL in all other requests */
    const struct http_field *fields;
    size_t field_count;
    bool http10;
    bool keep_alive;       /* what the client wants */
    bool upgrade;          /* it has "Connection: upgrade" and an Upgrade header */
    bool expects_continue; /* Expect: 100-continue */
    bool has_body;
    struct buf body; /* complete only after HTTP_COMPLETE */
};

enum http_event {
    HTTP_MORE,
    HTTP_HEAD,
    HTTP_COMPLETE,
    HTTP_BAD
};

struct http_decoder;

struct http_decoder *http_decoder_new(const struct http_limits *limits);
void http_decoder_free(struct http_decoder *d);
enum http_event http_decoder_feed(struct http_decoder *d, struct str bytes, size_t *used);

/* Return the current request, valid until the feed after HTTP_COMPLETE. Its body may be moved
 * out. */
struct http_request *http_decoder_request(struct http_decoder *d);
bool http_decoder_is_idle(const struct http_decoder *d); /* no byte of a next request */
int http_decoder_status(const struct http_decoder *d);   /* after HTTP_BAD: 400, 413, 431, ... */
const char *http_decoder_reason(const struct http_decoder *d); /* one sentence */

/* Return the value of a header (case is ignored), with p NULL if it is absent; and how often it is
 * there. */
struct str http_field_value(const struct http_request *r, struct str name);
size_t http_field_times(const struct http_request *r, struct str name);

struct str http_fields_get(const struct http_field *fields, size_t count, struct str name);

/* Is token one of the comma-separated parts of value? Case and parameters after ';' are ignored. */
bool http_has_token(struct str value, struct str token);

const char *http_status_text(int status); /* "Not Found" */

#define HTTP_DATE_LEN 29
void http_date(int64_t unix_s, char to[HTTP_DATE_LEN + 1]); /* "Sun, 06 Nov 1994 08:49:37 GMT" */
