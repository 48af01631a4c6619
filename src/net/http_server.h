/* The HTTP server: routes, limits, time-outs, keep-alive, and answers now, later or in pieces.
 *
 *     static void on_request(struct http_exchange *x, void *ctx)
 *     {
 *         http_reply(x, 200, "text/plain", STR("hello\n"));
 *     }
 *     struct http_server *s = http_server_new(loop, &(struct http_server_options){0});
 *     http_server_route(s, &(struct http_route){"/", "GET", on_request, me});
 *     http_server_listen(s, 48091, &err);
 *
 * One exchange is one request and its answer. It lives from on_request until it is answered
 * (http_reply, http_refuse, http_upgrade, or http_begin ... http_end) or the client is gone
 * (on_gone): after either, the pointer is dead. An answer may come at any later time; until then
 * the connection is watched, so a client that leaves is noticed at once, unless it has sent more
 * than 64 KiB of further requests. Requests of one connection are answered strictly in order: the
 * next one is not looked at before, and never from inside the call that answers.
 *
 * The end of the client's side is its leaving: TCP cannot tell a client that only ends its own side
 * from one that is gone, and MCP takes the latter for a cancel. Answers made before it are sent.
 *
 * Refused before any route sees it: what the decoder refuses (http.h); a Host that is not
 * 127.0.0.1, localhost or [::1] with our port, or an Origin that is neither absent nor one of these
 * (403; http_guard.h); a missing or wrong bearer token, if one is set (401; but public files need
 * none); no such route (404);
 * another method (405, Allow); Expect other than 100-continue (417); too slow a head or body (408).
 * A connection over max_connections hears 503. Bodies over the limit are refused by Content-Length,
 * before they are read. Refusals before the body is complete close the connection, gently: the
 * answer is flushed, input is drained for a moment, so that the client reads the answer and not a
 * reset.
 */
#pragma once

#include "base/error.h"
#include "base/loop.h"
#include "net/http.h"
#include "net/stream.h"

#define HTTP_MAX_CONNECTIONS 256u
#define HTTP_MAX_INCOMING    (64u << 20) /* of all bodies that are arriving: more is 503 */
#define HTTP_HEAD_MS         10000u  /* from the first byte of a request to the end of its head */
#define HTTP_BODY_MS         30000u  /* from there to the end of its body */
#define HTTP_IDLE_MS         120000u /* between two requests */
#define HTTP_STALL_MS        60000u  /* a client that takes nothing of an answer */
#define HTTP_MAX_QUEUED      (32u << 20) /* of an answer in pieces: more, and it is cut off */
#define HTTP_MAX_PARTS       5u

struct http_server;
struct http_exchange;

typedef void http_request_fn(struct http_exchange *x, void *ctx);

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
    struct str token; /* bearer token; empty: none asked for. Copied */

    /* Body of a refusal made by the server itself; NULL: plain text. Fills out, gives its type. */
    const char *(*error_body)(struct buf *out, int status, const char *message);
};

struct http_server *http_server_new(struct loop *loop, const struct http_server_options *options);
void http_server_route(struct http_server *s, const struct http_route *route); /* copied */

/* Fixed bytes (not copied) at a path: GET and HEAD, ETag, 304. cache NULL: "no-cache". */
void http_server_static(struct http_server *s, const char *path, const char *type, struct str bytes,
                        const char *cache);

/* The same with more to say. With gzip it is sent to those that take it (Accept-Encoding), with a
 * tag of its own and Vary. Tags are made when they are first asked for, from the bytes alone: those
 * of the same file are the same after a restart. */
struct http_file {
    const char *path, *type;    /* copied */
    struct str bytes;           /* not copied, as gzip and the headers */
    struct str gzip;            /* the bytes compressed; p NULL: only as they are */
    const char *cache;          /* copied; NULL: "no-cache" */
    const char *const *headers; /* name, value, name, value, ..., NULL; NULL: none */
    bool is_public;             /* no token is asked for: there is nothing secret in it */
};
void http_server_file(struct http_server *s, const struct http_file *file);
bool http_server_listen(struct http_server *s, uint16_t port, struct error *err);
uint16_t http_server_port(const struct http_server *s);
size_t http_server_connections(const struct http_server *s);

/* fn(ctx) is called each time the last connection has gone. NULL: nobody is notified. */
void http_server_on_quiet(struct http_server *s, loop_fn *fn, void *ctx);

/* Takes no more connections or requests and closes idle ones; what is being answered may end. The
 * loop runs on until http_server_connections() is 0 or patience ends; then http_server_free. */
void http_server_stop(struct http_server *s);

/* Closes all that is open; on_gone is called. May be called anywhere; the memory goes with the turn
 * of the loop. Streams that were handed over by http_upgrade stay. */
void http_server_free(struct http_server *s);

/* ---- one exchange */

const struct http_request *http_request(const struct http_exchange *x);
struct str http_header(const struct http_exchange *x, struct str name); /* of the request */
struct buf http_take_body(struct http_exchange *x); /* the caller's from now on */
struct loop *http_loop(const struct http_exchange *x);

/* on_gone: the client left before the answer was complete; the exchange is dead after it. on_drain:
 * the queue of an answer in pieces has become short again. Either may be NULL. */
void http_watch(struct http_exchange *x, http_request_fn *on_gone, http_request_fn *on_drain,
                void *ctx);

/* A header for the answer, before http_reply, http_begin or http_upgrade. The name is the program's
 * own. The value may come from outside: each control character in it (CR, LF, NUL, ...) becomes a
 * blank; a header that would make all of them longer than 64 KiB is left out. Date, Content-Type,
 * Content-Length and Transfer-Encoding are the server's; of Connection only "close" counts. */
void http_set_header(struct http_exchange *x, const char *name, struct str value);

/* The whole answer. type may be NULL when the body is empty. HEAD, 204 and 304 get no body. */
void http_reply(struct http_exchange *x, int status, const char *type, struct str body);

/* The same with a body in up to HTTP_MAX_PARTS parts, which are not copied together: one system
 * call takes them from where they are, and only what the kernel leaves is copied. */
void http_reply_parts(struct http_exchange *x, int status, const char *type,
                      const struct str *parts, size_t count);

/* A refusal in the form of the server's error_body. */
void http_refuse(struct http_exchange *x, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The answer in pieces: chunked in HTTP/1.1, ended by the connection in 1.0. http_write is false
 * when more than HTTP_MAX_QUEUED bytes wait: the connection is then being closed and on_gone
 * follows, unless http_end is called first. */
void http_begin(struct http_exchange *x, int status, const char *type);
bool http_write(struct http_exchange *x, struct str bytes);
bool http_write_parts(struct http_exchange *x, const struct str *parts, size_t count);
size_t http_queued(const struct http_exchange *x);
void http_end(struct http_exchange *x);

/* Leaves HTTP: sends status 101 with "Connection: Upgrade" and the headers set before (Upgrade is
 * one of them) and hands over the stream, reading stopped, as a tcp listener would: the caller sets
 * its events at once. *rest gets the bytes that were read behind the request (the caller's). The
 * exchange is dead after it, and the stream counts no longer among the connections. */
struct stream *http_upgrade(struct http_exchange *x, struct buf *rest);
