/* An open WebSocket connection, of a server or of a client: messages, pings, the close handshake.
 *
 *     static const struct ws_events events = {on_message, on_close, NULL};
 *     struct ws_conn *c = ws_accept(...);       // ws_server.h, or ws_connect(...) of ws_client.h
 *     ws_send(c, STR("hello"));
 *     ws_close(c, WS_CLOSE_NORMAL, STR("done"));
 *
 *     connecting (a client only) -- it cannot be made, or is dropped: 1006 --> on_close
 *       |
 *       v
 *     open ---- ws_close ---> closing ---- the peer's close ----+
 *       |                        |                              |
 *       |                        +-- nothing for close_ms: 1006 |
 *       +-- the peer's close, answered with the same code ------+--> on_close
 *       +-- the peer breaks the protocol: 1002, 1007, 1009 -----+
 *       +-- the connection ends, no sign of life, ws_drop: 1006 +
 *
 * Life: on_message any number of times, on_close exactly once, as the last one; the connection is
 * freed after it. No callback comes from inside a function of this header. ws_close() starts the
 * close handshake and may be called anywhere, also inside callbacks and any number of times;
 * messages that arrive after it are not delivered. If the peer does not answer it in close_ms the
 * connection is dropped. A peer that sends nothing at all for ping_ms is pinged; nothing for
 * ping_ms + pong_ms and it is dropped, too.
 *
 * on_close gets the code and reason of the peer's close frame (1005: it had none), or why it went
 * otherwise: the code of the rule that was broken, or 1006, with one sentence.
 *
 * Sending is bounded: a message with which more than max_queued bytes would wait is not sent, and
 * ws_send answers false, as it does when the connection is not open any more. on_drain says that
 * the queue has become short again (STREAM_LOW_WATER). Pings are answered in the same bounds.
 */
#pragma once

#include "base/loop.h"
#include "net/stream.h"
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

    /* The first event of a connection, and how a client learns that it has one. May be NULL. */
    void (*on_open)(struct ws_conn *c, void *ctx);
};

void ws_set_ctx(struct ws_conn *c, void *ctx);
bool ws_send(struct ws_conn *c, struct str text); /* UTF-8 */
bool ws_send_binary(struct ws_conn *c, struct str bytes);
size_t ws_queued(const struct ws_conn *c);

/* code: one that may be sent (ws_close_code_is_valid), or WS_CLOSE_NONE. */
void ws_close(struct ws_conn *c, int code, struct str reason);
void ws_drop(struct ws_conn *c); /* without a handshake; on_close with 1006 follows */

/* For tests of the other side: bytes as they are, between two frames or instead of one; and a drop
 * with a reset of the connection (RST), which throws away what is still on its way. */
bool ws_send_raw(struct ws_conn *c, struct str bytes);
void ws_reset(struct ws_conn *c);

/* ---- for ws_server and ws_client, which make connections */

enum ws_role {
    WS_ROLE_SERVER,
    WS_ROLE_CLIENT
};

/* A connection without a stream. Either ws_conn_attach() or ws_conn_fail() follows, from the loop;
 * until then ws_drop(), ws_reset() and ws_close() call on_drop's function, perhaps several times:
 * it sees to it that ws_conn_fail() comes. options may be NULL and are copied, events must outlive
 * the connection. */
struct ws_conn *ws_conn_new(struct loop *loop, const struct ws_options *options,
                            const struct ws_events *events, void *ctx);
void ws_conn_on_drop(struct ws_conn *c, void (*fn)(void *ctx), void *ctx);

/* The upgrade is done. Takes the stream, and *rest: bytes that were read behind the upgrade. */
void ws_conn_attach(struct ws_conn *c, enum ws_role role, struct stream *s, struct buf *rest);
void ws_conn_fail(struct ws_conn *c, struct str reason); /* on_close with 1006; c is gone */
