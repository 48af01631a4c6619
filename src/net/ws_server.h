/* A WebSocket connection of the server: upgrade, messages, ping timer, close handshake.
 *
 *     static void on_request(struct http_exchange *x, void *ctx)      // a GET route
 *     {
 *         struct ws_conn *c = ws_accept(x, &options, &events, ctx);   // NULL: refused and answered
 *         ...
 *     }
 *
 * Life: on_message any number of times, on_close exactly once, as the last one; the connection is freed
 * after it. ws_close() starts the close handshake and may be called anywhere; if the peer does not
 * answer it in WS_CLOSE_MS the connection is dropped. A peer that sends nothing at all for ping_ms is
 * pinged; nothing for ping_ms + pong_ms and it is closed with 1006.
 * Sending is bounded: over max_queued bytes waiting, ws_send answers false and the message is not sent.
 */
#pragma once

#include "net/http_server.h"
#include "net/ws.h"

#define WS_CLOSE_MS 2000u

struct ws_conn;

struct ws_events {
    void (*on_message)(struct ws_conn *c, struct str message, bool is_text, void *ctx);
    void (*on_close)(struct ws_conn *c, int code, struct str reason, void *ctx);
    void (*on_drain)(struct ws_conn *c, void *ctx); /* may be NULL */
};

struct ws_options {
    size_t max_message;        /* 0: 1 MiB */
    size_t max_queued;         /* 0: 8 MiB */
    uint64_t ping_ms, pong_ms; /* 0: 20 s and 20 s */
};

/* Checks the upgrade by RFC 6455 4.2 (else 400, or 426 with Sec-WebSocket-Version: 13) and takes over. */
struct ws_conn *ws_accept(struct http_exchange *x, const struct ws_options *options,
                          const struct ws_events *events, void *ctx);
void ws_set_ctx(struct ws_conn *c, void *ctx);
bool ws_send(struct ws_conn *c, struct str text);
bool ws_send_binary(struct ws_conn *c, struct str bytes);
size_t ws_queued(const struct ws_conn *c);
void ws_close(struct ws_conn *c, int code, struct str reason);
