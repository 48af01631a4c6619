/* Private to the HTTP server: one connection, which is also its exchange, one after the other.
 *
 *   idle -> head -> body -> pending -> (pieces ->) idle        keep-alive
 *     \      \       \         \          \
 *      +------+-------+---------+----------+--> linger -> closed
 *
 *   idle     nothing of the next request has come
 *   head     part of a head has come                 408 after head_ms
 *   body     the head was let in                     408 after body_ms
 *   pending  on_request was called, no answer yet    the client leaves: on_gone
 *   pieces   http_begin was called, no http_end yet  the same
 *   linger   the last answer is flushed, our side shut; input is drained so that the client
 *            reads the answer and not a reset
 *   closed   only on_closed of the stream is to come; or the stream was handed over
 *
 * Bytes behind the request under way wait in `behind`. Requests are taken from it in a loop, never
 * by recursion, and only while the client takes our answers.
 */
#pragma once

#include "base/list.h"
#include "net/http_guard.h"
#include "net/http_server.h"

enum conn_phase {
    CONN_IDLE,
    CONN_HEAD,
    CONN_BODY,
    CONN_PENDING,
    CONN_PIECES,
    CONN_LINGER,
    CONN_CLOSED
};

struct http_exchange {
    struct list link;           /* in server->conns, until closed */
    struct http_server *server; /* NULL: closed */
    struct loop *loop;
    struct stream *stream; /* NULL: handed over */
    struct http_decoder *decoder;
    const struct http_entry *entry; /* its route */
    enum conn_phase phase;
    bool keep_alive;
    bool head_only; /* HEAD: an answer without its body */
    bool chunked;   /* the pieces are */
    bool held;      /* their head waits for the first of them, or the end of the turn */
    bool too_slow;  /* over HTTP_MAX_QUEUED: about to be closed */
    bool surplus;   /* over max_connections: only there to hear so */
    bool stopped;   /* reading is: too much waits behind */

    bool running;   /* requests are being taken */
    bool scheduled; /* a deferred call is due */

    struct str input;  /* what is being taken */
    struct buf behind; /* what waits */
    struct buf head;   /* of the answer; kept for the next one */
    struct buf extra;  /* headers set for the answer */
    size_t drained;
    size_t incoming; /* bytes of a body that is arriving */

    uint64_t since;    /* start of the phase */
    uint64_t moved_at; /* when the client last took something */
    uint64_t taken;    /* what it had taken then */

    http_request_fn *on_gone, *on_drain;
    void *ctx;
};

struct http_static {
    struct http_file file;        /* type and cache are copies */
    char etag[40], gzip_etag[40]; /* "": not asked for yet */
    struct http_static *next;
};

struct http_entry {
    struct http_route route; /* its texts are copies */
    struct str path;         /* without the '*' */
    bool has_rest;           /* there was one */
    bool is_public;          /* needs no token */
};

struct http_server {
    struct loop *loop;
    struct tcp_listener *listener;
    struct http_server_options options; /* without zeroes */
    struct http_guard guard;
    struct http_entry **routes; /* each of its own: connections point to theirs */
    size_t route_count, route_cap;
    struct http_static *statics;
    struct list conns;
    size_t conn_count, surplus_count;
    size_t incoming;    /* of all connections */
    struct timer sweep; /* runs while a connection is timed */
    uint64_t sweep_ms;
    loop_fn *on_quiet; /* may be NULL */
    void *quiet_ctx;
    bool stopping;
    uint64_t date_at; /* second of the loop's clock the date is from */
    char date[HTTP_DATE_LEN + 1];
};

/* ---- http_conn.c, for http_server.c */

void http_conn_open(struct http_server *s, struct stream *stream);
void http_conn_check(struct http_exchange *c, uint64_t now); /* the time-outs */
bool http_conn_is_timed(const struct http_exchange *c);      /* one of them may come */
void http_conn_stop(struct http_exchange *c);                /* no further request */
void http_conn_close(struct http_exchange *c);               /* now; on_gone if an answer is due */

/* ---- http_server.c, for http_conn.c */

/* The route for a request, or NULL: 404, or 405 with the methods of the path in *allow. */
const struct http_entry *http_server_match(const struct http_server *s,
                                           const struct http_request *r, struct buf *allow);
void http_server_look(struct http_server *s); /* a connection is timed: look at it */
const char *http_server_date(struct http_server *s);
void http_server_gone(struct http_exchange *c); /* out of the list */
