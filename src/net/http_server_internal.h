/* Shared by http_server.c and http_exchange.c: a connection, which is also its current exchange.
 *
 *   idle -> head -> body -> pending -> (pieces ->) idle        keep-alive
 *     \      \       \         \          \
 *      +------+-------+---------+----------+--> linger -> closed
 *
 *   idle     no byte of the next request has arrived
 *   head     part of a head has arrived                          408 after head_ms
 *   body     the head was accepted                               408 after body_ms
 *   pending  on_request was called, there is no answer yet       on a disconnect: on_gone
 *   pieces   after http_exchange_begin, before ..._end           on a disconnect: on_gone
 *   linger   the last answer is being flushed and our side is shut down; input is drained so that
 *            the client reads the answer and not a reset
 *   closed   only on_closed of the stream follows, or the stream was handed over
 *
 * Bytes after the current request wait in `behind`. Requests are taken from it in a loop, never by
 * recursion, and only while the client reads our answers.
 */
#pragma once

#include "base/list.h"
#include "net/http_guard.h"
#include "net/http_server.h"

enum conn_phase { /* in the order of the picture */
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
    bool chunked;   /* the pieces are sent as chunks */
    bool held;      /* the head waits for the first piece or the end of the loop's turn */
    bool too_slow;  /* more than HTTP_MAX_QUEUED is unsent: about to be closed */
    bool surplus;   /* beyond max_connections: gets 503 and is closed */
    bool stopped;   /* reading is stopped: too much waits in `behind` */

    bool running;   /* inside run_requests() */
    bool scheduled; /* on_later() is due */

    struct str input;  /* the bytes run_requests() works on */
    struct buf behind; /* bytes that wait for the current answer */
    struct buf head;   /* of the answer; kept for the next one */
    struct buf extra;  /* headers set for the answer */
    size_t drained;    /* bytes thrown away while lingering */
    size_t incoming;   /* bytes of the body being received */

    uint64_t since;    /* start of the phase */
    uint64_t moved_at; /* when the client last read something */
    uint64_t taken;    /* stream_taken() at that time */

    http_request_fn *on_gone, *on_drain;
    void *ctx;
};

struct http_static {
    struct http_file file;        /* type and cache are copies */
    char etag[40], gzip_etag[40]; /* "": not computed yet */
    struct http_static *next;
};

struct http_entry {
    struct http_route route; /* its texts are copies */
    struct str path;         /* without the '*' */
    bool has_rest;           /* the path ended with '*' */
    bool is_public;          /* needs no token */
};

struct http_server {
    struct loop *loop;
    struct tcp_listener *listener;
    struct http_server_options options; /* with the defaults filled in */
    struct http_guard guard;
    struct http_entry **routes; /* allocated one by one: connections point to them */
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
    uint64_t date_at; /* the second of the loop's clock when `date` was made */
    char date[HTTP_DATE_LEN + 1];
};

/* ---- http_exchange.c, for http_server.c */

void http_exchange_open(struct http_server *s, struct stream *stream);
void http_exchange_check_time(struct http_exchange *c, uint64_t now); /* apply the time-outs */
bool http_exchange_is_timed(const struct http_exchange *c);           /* a time-out may occur */
void http_exchange_stop(struct http_exchange *c);                     /* take no further request */
void http_exchange_close(struct http_exchange *c); /* at once; on_gone if an answer is due */

/* ---- http_server.c, for http_exchange.c */

/* Return the route of a request, or NULL: 404, or 405 with the methods of the path in *allow. */
const struct http_entry *http_server_match_route(const struct http_server *s,
                                                 const struct http_request *r, struct buf *allow);
void http_server_start_sweep(struct http_server *s); /* call when a connection becomes timed */
const char *http_server_date(struct http_server *s);
void http_server_forget(struct http_exchange *c); /* remove a closed connection */
