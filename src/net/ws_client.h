/* The client's side of a WebSocket: connects, upgrades, and is a connection of ws_conn.h from then.
 *
 *     struct ws_target t = {.port = 48091, .path = "/unity", .options.on_open = on_open};
 *     struct ws_conn *c = ws_connect(loop, &t, &events, me);
 *
 * The connection exists at once: ws_send() answers false until on_open was called. If there is no
 * WebSocket to be had (nobody listens, the server refuses, its Sec-WebSocket-Accept is wrong, it
 * takes too long) on_close comes with 1006 and one clause that says why, without an on_open. That
 * is also how ws_close() and ws_drop() end a connection that is not open yet.
 */
#pragma once

#include "net/ws_conn.h"

struct ws_target {
    uint16_t port;
    const char *path;          /* NULL: "/" */
    struct str token;          /* bearer token; empty: none */
    uint64_t connect_ms;       /* for connection and upgrade together; 0: 5 s */
    struct ws_options options; /* on_open is one of them */
};

/* Everything is copied but events, which must outlive the connection. */
struct ws_conn *ws_connect(struct loop *loop, const struct ws_target *target,
                           const struct ws_events *events, void *ctx);
