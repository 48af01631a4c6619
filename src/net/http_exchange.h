/* One request of an HTTP client and its answer, given at once, later or in pieces.
 *
 *     static void on_request(struct http_exchange *x, void *ctx)      // of an http_route
 *     {
 *         (void)ctx;
 *         http_exchange_reply(x, 200, "text/plain", STR("hello\n"));
 *     }
 *
 * An exchange lives from on_request until it is answered (reply, refuse, upgrade, or begin ... end)
 * or its client disconnects (on_gone). After either, the pointer is invalid. An answer may come at
 * any later time; until then the server watches the connection and notices at once when the client
 * disconnects, unless the client has already sent more than 64 KiB of further requests.
 *
 * A client that closes only its sending side counts as disconnected: TCP cannot tell the two apart,
 * and MCP treats a closed connection as a cancellation. Answers given before that are still sent.
 */
#pragma once

#include "base/loop.h"
#include "net/http.h"
#include "net/stream.h"

#define HTTP_MAX_QUEUED (32u << 20) /* unsent bytes of an answer in pieces before it is cut off */
#define HTTP_MAX_PARTS  5u

struct http_exchange;

typedef void http_request_fn(struct http_exchange *x, void *ctx);

const struct http_request *http_exchange_request(const struct http_exchange *x);

/* Return the value of a header of the request; p is NULL if it is absent. */
struct str http_exchange_header(const struct http_exchange *x, struct str name);

/* Move the body out of the request. The caller frees it. */
struct buf http_exchange_take_body(struct http_exchange *x);
struct loop *http_exchange_loop(const struct http_exchange *x);

/* Set callbacks; either may be NULL. on_gone: the client disconnected before the answer was
 * complete; the exchange is invalid after the call. on_drain: the queue of an answer in pieces has
 * become short again. */
void http_exchange_watch(struct http_exchange *x, http_request_fn *on_gone,
                         http_request_fn *on_drain, void *ctx);

/* Add a header to the answer, before reply, begin or upgrade. The name is trusted. The value may
 * come from outside: each control character in it (CR, LF, NUL, ...) becomes a blank, and a header
 * that would take all of them over 64 KiB is left out. Date, Content-Type, Content-Length and
 * Transfer-Encoding are set by the server; of Connection only "close" has an effect. */
void http_exchange_set_header(struct http_exchange *x, const char *name, struct str value);

/* Send the whole answer. type may be NULL if the body is empty. HEAD, 204 and 304 get no body. */
void http_exchange_reply(struct http_exchange *x, int status, const char *type, struct str body);

/* The same with a body in up to HTTP_MAX_PARTS parts. They are not joined: one system call takes
 * them from where they are, and only what the kernel does not take is copied. */
void http_exchange_reply_parts(struct http_exchange *x, int status, const char *type,
                               const struct str *parts, size_t count);

/* Send an error in the format of the server's error_body. */
void http_exchange_refuse(struct http_exchange *x, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Send the answer in pieces: chunked in HTTP/1.1, ended by closing the connection in 1.0. write
 * returns false when more than HTTP_MAX_QUEUED bytes are unsent: the connection is then being
 * closed, and on_gone follows unless end is called first. */
void http_exchange_begin(struct http_exchange *x, int status, const char *type);
bool http_exchange_write(struct http_exchange *x, struct str bytes);
bool http_exchange_write_parts(struct http_exchange *x, const struct str *parts, size_t count);
size_t http_exchange_queued(const struct http_exchange *x); /* unsent bytes */
void http_exchange_end(struct http_exchange *x);

/* Leave HTTP: send status 101 with "Connection: Upgrade" and the headers set before (one of them
 * must be Upgrade), and return the stream, with reading stopped. The caller sets its events before
 * returning to the loop, and frees *rest: the bytes that were read after the request. The exchange
 * is invalid after the call, and the stream no longer counts as a connection of the server. */
struct stream *http_exchange_upgrade(struct http_exchange *x, struct buf *rest);
