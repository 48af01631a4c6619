/* A WebSocket connection, of a server or of a client: opening, messages, pings, close handshake.
 *
 *     static const struct ws_events events = {on_message, on_close, NULL};
 *
 *     static void on_request(struct http_exchange *x, void *ctx)      // a GET route of a server
 *     {
 *         struct ws_conn *c = ws_conn_accept(x, NULL, &events, ctx);  // NULL: refused and answered
 *         if (c)
 *             ws_conn_send(c, STR("hello"));
 *     }
 *
 *     struct ws_target t = {.port = 48091, .path = "/unity", .options.on_open = on_open};
 *     struct ws_conn *client = ws_conn_connect(loop, &t, &events, NULL);
 *     ws_conn_close(client, WS_CLOSE_NORMAL, STR("done"));
 *
 *     connecting (client only) --- no connection, or dropped: 1006 ---> on_close
 *       |
 *       v
 *     open ---- ws_conn_close ---> closing ---- close frame of the peer --+
 *       |                            |                                    |
 *       |                            +-- nothing for close_ms: 1006 ------+
 *       +-- close frame of the peer, answered with the same code ---------+--> on_close
 *       +-- the peer breaks the protocol: 1002, 1007, 1009 ---------------+
 *       +-- connection lost, no sign of life, or ws_conn_drop: 1006 ------+
 *
 * on_message is called any number of times, then on_close exactly once; the connection is freed
 * after it. No callback is made from inside a function of this header. ws_conn_close() starts the
 * close handshake and may be called anywhere, also inside callbacks and more than once; messages
 * that arrive after it are not delivered. If the peer does not answer within close_ms, the
 * connection is dropped. A peer that is silent for ping_ms is pinged, and dropped after ping_ms +
 * pong_ms of silence.
 *
 * on_close gets the code and reason of the peer's close frame (1005: it had no code). In all other
 * cases it gets the code of the broken rule, or 1006, and one clause that gives the reason.
 *
 * Sending is bounded: if a message would bring the unsent bytes above max_queued, ws_conn_send()
 * sends nothing and returns false, as it does on a connection that is not open. on_drain reports
 * that the queue has become short again (STREAM_LOW_WATER). Pongs have the same bound.
 */
#pragma once

#include "base/loop.h"
#include "net/http_exchange.h"
#include "net/ws.h"

#define WS_MAX_MESSAGE (1u << 20)
#define WS_MAX_QUEUED  (8u << 20)
#define WS_PING_MS     20000u
#define WS_PONG_MS     20000u
#define WS_CLOSE_MS    2000u

struct ws_conn;

struct ws_events {
    void (*on_message)(struct ws_conn *c, struct str message, bool is_text, void *ctx);
    void (*on_close)(struct ws_conn *c, int code, struct str reason, void *ctx);
    void (*on_drain)(struct ws_conn *c, void *ctx); /* may be NULL */
};

struct ws_options { /* 0: the defaults above */
    size_t max_message;
    size_t max_queued;
    uint64_t ping_ms, pong_ms, close_ms;

    /* Called first, when the connection is open. May be NULL. */
    void (*on_open)(struct ws_conn *c, void *ctx);
};

/* Check the upgrade request by RFC 6455 4.2 and take over its connection. On a bad request, answer
 * 400, or 426 with Sec-WebSocket-Version: 13, and return NULL. options may be NULL and are copied;
 * events must outlive the connection. The caller limits the number of connections. */
struct ws_conn *ws_conn_accept(struct http_exchange *x, const struct ws_options *options,
                               const struct ws_events *events, void *ctx);

struct ws_target {
    uint16_t port;
    const char *path;          /* NULL: "/" */
    struct str token;          /* bearer token; empty: none */
    uint64_t connect_ms;       /* for connection and upgrade together; 0: 5 s */
    struct ws_options options; /* options.on_open included */
};

/* Connect to a server on this machine. The connection object exists at once, but ws_conn_send()
 * returns false until on_open. If the server cannot be reached, refuses, gives a wrong
 * Sec-WebSocket-Accept or is too slow, on_close is called with 1006 and the reason, without
 * on_open; so it is after ws_conn_close() or ws_conn_drop() before on_open. All arguments are
 * copied except events, which must outlive the connection. */
struct ws_conn *ws_conn_connect(struct loop *loop, const struct ws_target *target,
                                const struct ws_events *events, void *ctx);

void ws_conn_set_ctx(struct ws_conn *c, void *ctx);
bool ws_conn_send(struct ws_conn *c, struct str text); /* UTF-8 */
bool ws_conn_send_binary(struct ws_conn *c, struct str bytes);
size_t ws_conn_queued(const struct ws_conn *c);

/* code: one that may be sent (ws_close_code_is_valid), or WS_CLOSE_NONE. */
void ws_conn_close(struct ws_conn *c, int code, struct str reason);
void ws_conn_drop(struct ws_conn *c); /* without a handshake; on_close with 1006 follows */

/* For tests of the peer: send bytes as they are, between two frames or instead of one; and drop the
 * connection with a TCP reset, which discards what is still on its way. */
bool ws_conn_send_raw(struct ws_conn *c, struct str bytes);
void ws_conn_reset(struct ws_conn *c);
