/* One HTTP/1.1 request to a server of this machine, over its own connection.
 *
 *     static const struct http_client_events events = {on_head, on_body, on_end, NULL};
 *     struct http_client_request r = {.port = 48091, .method = "POST", .path = "/mcp",
 *                                     .fields = fields, .field_count = 2, .body = json};
 *     struct http_client *c = http_client_start(loop, &r, &events, ctx);
 *
 *     connecting --> sent --> on_head --> on_body, any number of times --> on_end(NULL)
 *          |           |         |           |
 *          |           |         +-- 101 and .upgrade: on_upgrade ------> on_end(NULL)
 *          +-----------+---------+-----------+-- any failure, cancel ---> on_end(why)
 *
 * on_end is always called exactly once, as the last callback, and never from inside a function of
 * this header; the request is freed after it. http_client_cancel() may be called anywhere and more
 * than once: only on_end follows it. For the server, a client that disconnects has cancelled.
 *
 * The client connects only to 127.0.0.1 and ::1. All arguments are copied. It writes Host,
 * Content-Length, Connection, Upgrade and Authorization itself; the caller provides other headers.
 * Control characters in their values become blanks, and those in the path are escaped.
 *
 * Limits: the head of the answer (HTTP_MAX_HEAD), its body (max_body), the time to connect, and the
 * time without any byte from the server (idle_ms), counted from the connection on.
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
    const struct http_field *fields; /* additional headers */
    size_t field_count;
    struct str token;    /* bearer token; empty: none */
    struct str body;     /* p NULL: none */
    const char *upgrade; /* the protocol to switch to; NULL: none */
    size_t max_body;     /* of the answer; 0: no limit */
    uint64_t connect_ms; /* 0: the defaults above */
    uint64_t idle_ms;
};

struct http_client_events {
    /* All except on_end may be NULL. response is valid until on_end returns. */
    void (*on_head)(struct http_client *c, const struct http_response *response, void *ctx);
    void (*on_body)(struct http_client *c, struct str bytes, void *ctx);
    void (*on_end)(struct http_client *c, const char *why, void *ctx); /* NULL: complete */

    /* Required with .upgrade. The callee owns the connection, whose reading is stopped, and must
     * set its events at once. *rest has the bytes read after the head; the callee may take them. */
    void (*on_upgrade)(struct http_client *c, struct stream *s, struct buf *rest, void *ctx);
};

/* events must outlive the request. */
struct http_client *http_client_start(struct loop *loop, const struct http_client_request *request,
                                      const struct http_client_events *events, void *ctx);
void http_client_cancel(struct http_client *c);

/* For on_end: was there no connection at all? */
bool http_client_is_unreachable(const struct http_client *c);
