/* HTTP/1.1 as bytes: a resumable request decoder on llhttp, and small parts of a response.
 *
 * The decoder is pure: it is fed pieces of any size and says what it has found. It stops after the
 * head of each request, so that the caller can refuse before a body is read, and after the end
 * of each request, so that pipelined ones wait their turn.
 *
 *     struct http_decoder *d = http_decoder_new(&limits);
 *     do {
 *         size_t used;
 *         event = http_decoder_feed(d, input, &used);
 *         input = str_skip(input, used);
 *     } while (input.n || event == HTTP_HEAD);
 *
 *     feed -> HTTP_MORE      all bytes used, nothing complete yet
 *             HTTP_HEAD      request line and headers are complete: look at http_decoder_request(),
 *                            then feed again, if need be nothing: no body is complete at once
 *             HTTP_COMPLETE  the body is complete, too; the next feed starts the next request
 *             HTTP_BAD       refuse with .status and .reason, then close; the decoder is spent
 *
 * Refused here: bytes over a limit (431, 413, 414), both Content-Length and Transfer-Encoding,
 * doubled Content-Length or Host (equal or not), blank before a colon, CR or LF alone, folded
 * headers, an unknown version (505) or Transfer-Encoding (501; only "chunked" is known), a missing
 * Host in 1.1, a target that is neither a path nor an http URL nor "*". All else about meaning is
 * http_server's. Chunk extensions and trailers are checked, counted (max_head between two pieces of
 * data) and dropped. The outcome never depends on how the bytes were cut.
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
    bool upgrade;          /* Connection: upgrade with an Upgrade header */
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

/* The request under way; valid until the feed after HTTP_COMPLETE. Its body may be moved out. */
struct http_request *http_decoder_request(struct http_decoder *d);
bool http_decoder_is_idle(const struct http_decoder *d); /* nothing of a next request has come */
int http_decoder_status(const struct http_decoder *d);   /* after HTTP_BAD: 400, 413, 431, ... */
const char *http_decoder_reason(const struct http_decoder *d); /* one sentence */

/* The value of a header, names in any case; p is NULL if it is not there. Doubles are counted. */
struct str http_field_value(const struct http_request *r, struct str name);
size_t http_field_times(const struct http_request *r, struct str name);

struct str http_fields_get(const struct http_field *fields, size_t count, struct str name);

/* Is token among the comma-separated parts of value? (any case, parameters after ';' ignored) */
bool http_has_token(struct str value, struct str token);

const char *http_status_text(int status); /* "Not Found" */

#define HTTP_DATE_LEN 29
void http_date(int64_t unix_s, char to[HTTP_DATE_LEN + 1]); /* "Sun, 06 Nov 1994 08:49:37 GMT" */
