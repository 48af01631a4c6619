/* One HTTP/1.1 request to a server of this machine, over a connection of its own.
 *
 *     static const struct http_client_events events = {on_head, on_body, on_end, NULL};
 *     struct http_client_request r = {.port = 48091, .method = "POST", .path = "/mcp",
 *                                     .fields = fields, .field_count = 2, .body = json};
 *     struct http_client *c = http_client_start(loop, &r, &events, me);
 *
 *     connecting --> sent --> on_head --> on_body, any number of times --> on_end(NULL)
 *          |           |         |           |
 *          |           |         +-- 101 and .upgrade: on_upgrade ------> on_end(NULL)
 *          +-----------+---------+-----------+-- any failure, cancel ---> on_end(why)
 *
 * on_end comes exactly once, always, as the last one, and never from inside a function of this
 * header; the request is freed after it. http_client_cancel() may be called anywhere, any number of
 * times: nothing but on_end follows it. To the server, a client that hangs up has cancelled.
 *
 * Only 127.0.0.1 and ::1 are connected to. Everything given is copied. Host, Content-Length,
 * Connection, Upgrade and Authorization are made here, the other headers are the caller's; control
 * characters in their values become blanks, and those in the path are escaped.
 *
 * Bounds: the head of the answer (HTTP_MAX_HEAD), its body (max_body), the time to connect, and the
 * time without any byte from the server (idle_ms), from the connection on.
 */
#pragma once

#include "base/loop.h"
#include "net/http_response.h"
#include "net/stream.h"

#define HTTP_CLIENT_CONNECT_MS 5000u
#define HTTP_CLIENT_IDLE_MS    120000u
#define HTTP_CLIENT_FOREVER    UINT64_MAX /* for either: no limit */

struct http_client;

struct http_client_request {
    uint16_t port;
    const char *method;              /* NULL: GET */
    const char *path;                /* with its query; NULL: "/" */
    const struct http_field *fields; /* further headers */
    size_t field_count;
    struct str token;    /* bearer token; empty: none */
    struct str body;     /* p NULL: none */
    const char *upgrade; /* the protocol to change to; NULL: none */
    size_t max_body;     /* of the answer; 0: no limit */
    uint64_t connect_ms; /* 0: the defaults above */
    uint64_t idle_ms;
};

struct http_client_events {
    /* All may be NULL but on_end. response is valid until on_end returns. */
    void (*on_head)(struct http_client *c, const struct http_response *response, void *ctx);
    void (*on_body)(struct http_client *c, struct str bytes, void *ctx);
    void (*on_end)(struct http_client *c, const char *why, void *ctx); /* NULL: all of it came */

    /* The connection is the callee's now, reading stopped, and must get its events at once; *rest
     * is what was read behind the head, the callee's too. Needed with .upgrade. */
    void (*on_upgrade)(struct http_client *c, struct stream *s, struct buf *rest, void *ctx);
};

/* events must outlive the request. */
struct http_client *http_client_start(struct loop *loop, const struct http_client_request *request,
                                      const struct http_client_events *events, void *ctx);
void http_client_cancel(struct http_client *c);

/* Could the server not be reached at all? For on_end: the sentence may be another one then. */
bool http_client_is_unreachable(const struct http_client *c);
