/* The server's side of a WebSocket upgrade; what follows is a connection of ws_conn.h.
 *
 *     static void on_request(struct http_exchange *x, void *ctx)      // a GET route
 *     {
 *         struct ws_conn *c = ws_accept(x, &options, &events, ctx);   // NULL: refused and answered
 *         ...
 *     }
 *
 * No event comes before the turn of the loop that called ws_accept() is over. How many connections
 * there are is not bounded here: who accepts them counts them.
 */
#pragma once

#include "net/http_server.h"
#include "net/ws_conn.h"

/* Checks the upgrade by RFC 6455 4.2 (else 400, or 426 with Sec-WebSocket-Version: 13) and takes
 * over. options may be NULL and are copied, events must outlive the connection. */
struct ws_conn *ws_accept(struct http_exchange *x, const struct ws_options *options,
                          const struct ws_events *events, void *ctx);
