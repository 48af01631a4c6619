/* TCP connections on loopback only: 127.0.0.1, and ::1 if the machine has it.
 *
 *     static void on_connection(struct stream *s, void *ctx)
 *     {
 *         stream_set_events(s, &events, ctx);
 *         stream_read_start(s);
 *     }
 *     struct tcp_listener *l = tcp_listen(loop, 48091, on_connection, ctx, &err);
 *
 * Port 0 selects a free one. A port in use is ERR_IN_USE, with the port in the text. A new
 * connection has TCP_NODELAY set and reading stopped; on_connection must set its events.
 *
 *     static void on_connected(struct stream *s, const char *why, void *ctx)
 *     {
 *         if (!s)
 *             log_warn("cannot connect", LOG_STR("reason", str_from(why)));
 *         else
 *             stream_set_events(s, &events, ctx);
 *     }
 *     struct tcp_attempt *a = tcp_connect(loop, 48091, on_connected, ctx);
 *
 * tcp_connect() tries 127.0.0.1, then ::1. on_connected is called exactly once, never from inside
 * tcp_connect(), unless the attempt is cancelled before; the attempt is freed before the call. It
 * has no deadline: cancel it to set one. A port without a listener fails at once.
 */
#pragma once

#include "base/error.h"
#include "base/loop.h"
#include "net/stream.h"

struct tcp_listener;

typedef void tcp_connection_fn(struct stream *s, void *ctx);

struct tcp_listener *tcp_listen(struct loop *loop, uint16_t port, tcp_connection_fn *on_connection,
                                void *ctx, struct error *err);
uint16_t tcp_listener_port(const struct tcp_listener *l);
void tcp_listener_close(struct tcp_listener *l); /* NULL is fine; open connections stay */

struct tcp_attempt;

/* s NULL: the attempt failed; why is one clause, valid in the callback only. */
typedef void tcp_connected_fn(struct stream *s, const char *why, void *ctx);

struct tcp_attempt *tcp_connect(struct loop *loop, uint16_t port, tcp_connected_fn *on_connected,
                                void *ctx);
void tcp_attempt_cancel(struct tcp_attempt *a); /* NULL is fine */
