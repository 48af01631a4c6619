/* The HTTP server: routes, limits, time-outs and keep-alive. http_exchange.h has the functions to
 * read a request and answer it.
 *
 *     struct error err = {0};
 *     struct http_server *s = http_server_new(loop, &(struct http_server_options){0});
 *     http_server_route(s, &(struct http_route){"/", "GET", on_request, NULL});
 *     http_server_listen(s, 48091, &err);
 *     loop_run(loop);
 *     http_server_free(s);
 *
 * Requests of one connection are answered strictly in order: the server does not parse the next one
 * before the answer is given, and never starts it from inside the call that answers.
 *
 * The server refuses, before a route is called: whatever the decoder refuses (http.h); a Host other
 * than 127.0.0.1, localhost or [::1] with the server's port, or an Origin that is neither absent
 * nor one of these (403; http_guard.h); a missing or wrong bearer token, if one is set (401; public
 * files need none); an unknown path (404); a wrong method (405 with Allow); an Expect other than
 * 100-continue (417); a head or body that arrives too slowly (408). A connection beyond
 * max_connections gets 503. A body over the limit is refused by its Content-Length, before it is
 * read. A refusal before the body is complete closes the connection gently: the server flushes the
 * answer and drains input for a moment, so that the client reads the answer and not a reset.
 */
#pragma once

#include "base/error.h"
#include "base/loop.h"
#include "net/http.h"
#include "net/http_exchange.h"

#define HTTP_MAX_CONNECTIONS 256u
#define HTTP_MAX_INCOMING    (64u << 20) /* bytes of all bodies being received; above: 503 */
#define HTTP_HEAD_MS         10000u  /* from the first byte of a request to the end of its head */
#define HTTP_BODY_MS         30000u  /* from there to the end of its body */
#define HTTP_IDLE_MS         120000u /* between two requests */
#define HTTP_STALL_MS        60000u  /* without the client reading any byte of an answer */

struct http_server;

struct http_route {
    const char *path;    /* exact; a final '*' matches any rest. Exact wins, then the longest */
    const char *methods; /* "GET, POST": also the Allow header; GET serves HEAD too */
    http_request_fn *on_request;
    void *ctx;
};

struct http_server_options {
    struct http_limits limits; /* 0: the defaults of http.h */
    size_t max_connections;    /* 0: the defaults above, here and below */
    size_t max_incoming;
    uint64_t head_ms, body_ms, idle_ms, stall_ms;
    struct str token; /* bearer token; empty: none required. Copied */

    /* Write the body of a refusal to *out and return its content type. NULL: plain text. */
    const char *(*error_body)(struct buf *out, int status, const char *message);
};

struct http_server *http_server_new(struct loop *loop, const struct http_server_options *options);
void http_server_route(struct http_server *s, const struct http_route *route); /* copied */

/* Serve fixed bytes (not copied) at a path: GET and HEAD, ETag, 304. cache NULL: "no-cache". */
void http_server_static(struct http_server *s, const char *path, const char *type, struct str bytes,
                        const char *cache);

/* The same with more options. Clients that accept gzip (Accept-Encoding) get the compressed bytes,
 * with their own ETag and Vary. An ETag is computed on first use from the bytes alone, so that it
 * stays the same after a restart. */
struct http_file {
    const char *path, *type;    /* copied */
    struct str bytes;           /* not copied; nor are gzip and headers */
    struct str gzip;            /* the bytes compressed; p NULL: never sent compressed */
    const char *cache;          /* copied; NULL: "no-cache" */
    const char *const *headers; /* name, value, name, value, ..., NULL; NULL: none */
    bool is_public;             /* served without a token: it contains nothing secret */
};
void http_server_file(struct http_server *s, const struct http_file *file);
bool http_server_listen(struct http_server *s, uint16_t port, struct error *err);
uint16_t http_server_port(const struct http_server *s);
size_t http_server_connections(const struct http_server *s);

/* Call fn(ctx) each time the last connection has closed. NULL: do not notify. */
void http_server_on_quiet(struct http_server *s, loop_fn *fn, void *ctx);

/* Accept no more connections or requests and close idle connections; exchanges in progress may end.
 * Run the loop until http_server_connections() is 0 or a deadline passes, then call
 * http_server_free(). */
void http_server_stop(struct http_server *s);

/* Close every connection, calling on_gone. May be called anywhere; the memory is released at the
 * end of the loop's turn. Streams handed over by http_exchange_upgrade() stay open. */
void http_server_free(struct http_server *s);
