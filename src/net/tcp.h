/* Connections on loopback, never elsewhere: 127.0.0.1, and ::1 where the machine has it.
 *
 *     static void on_connection(struct stream *s, void *ctx) { stream_set_events(s, ...); }
 *     struct tcp_listener *l = tcp_listen(loop, 48091, on_connection, me, &err);
 *
 * Port 0 takes a free one. A port in use is ERR_IN_USE with the port in its text.
 * A new connection has TCP_NODELAY set, reading stopped, and must get its events in on_connection.
 *
 *     static void on_connected(struct stream *s, const char *why, void *ctx)
 *     {
 *         if (s) stream_set_events(s, ...);     // else why says what is wrong: one clause
 *     }
 *     struct tcp_attempt *a = tcp_connect(loop, 48091, on_connected, me);
 *
 * tcp_connect() tries 127.0.0.1, then ::1. on_connected comes exactly once, never from inside
 * tcp_connect(), unless the attempt is cancelled before; the attempt is gone when it is called. It
 * has no deadline of its own: who has one cancels. A port where nobody listens is known at once.
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

/* s NULL: why, valid in the callback only. */
typedef void tcp_connected_fn(struct stream *s, const char *why, void *ctx);

struct tcp_attempt *tcp_connect(struct loop *loop, uint16_t port, tcp_connected_fn *on_connected,
                                void *ctx);
void tcp_attempt_cancel(struct tcp_attempt *a); /* NULL is fine */
