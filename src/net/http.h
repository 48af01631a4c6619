/* HTTP/1.1 as bytes: a resumable request decoder on llhttp, and the head of a response.
 *
 * The decoder is pure: it is fed pieces of any size and says what it has found. It stops after the
 * head of each request, so that the caller can refuse before a body is read, and after the end
 * of each request, so that pipelined ones wait their turn.
 *
 *     struct http_decoder *d = http_decoder_new(&limits);
 *     while (input.n) {
 *         size_t used;
 *         switch (http_decoder_feed(d, input, &used)) {...}
 *         input = str_skip(input, used);
 *     }
 *
 *     feed -> HTTP_MORE      all bytes used, nothing complete yet
 *             HTTP_HEAD      request line and headers are complete: look at http_decoder_request()
 *             HTTP_COMPLETE  the body is complete, too; the next feed starts the next request
 *             HTTP_BAD       refuse with .status and .reason, then close; the decoder is spent
 *
 * Refused here: bytes over a limit (431, 413, 414), both Content-Length and Transfer-Encoding, doubled
 * or unequal Content-Length, doubled Host, blank before a colon, bare LF, folded headers, an unknown
 * version (505) or Transfer-Encoding (501), a missing Host in 1.1. All else about meaning is http_server's.
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
    struct str method; /* "POST" */
    struct str path;   /* of the target, without the query; percent signs untouched */
    struct str query;  /* without the '?' */
    const struct http_field *fields;
    size_t field_count;
    bool http10;
    bool keep_alive;        /* what the client wants */
    bool upgrade;           /* Connection: upgrade with an Upgrade header */
    bool expects_continue;  /* Expect: 100-continue */
    bool has_body;
    struct buf body;        /* complete only after HTTP_COMPLETE */
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

/* The request under way; valid until the feed after HTTP_COMPLETE. Its body may be taken (moved). */
struct http_request *http_decoder_request(struct http_decoder *d);
bool http_decoder_is_idle(const struct http_decoder *d); /* between two requests */
int http_decoder_status(const struct http_decoder *d);   /* after HTTP_BAD: 400, 413, 431, ... */
const char *http_decoder_reason(const struct http_decoder *d); /* one sentence */

/* The value of a header, names in any case; p is NULL if it is not there. The count finds doubles. */
struct str http_field_value(const struct http_request *r, struct str name);
size_t http_field_times(const struct http_request *r, struct str name);

/* Is token among the comma-separated parts of value? (any case, parameters after ';' ignored) */
bool http_has_token(struct str value, struct str token);

const char *http_status_text(int status); /* "Not Found" */
