/* A byte stream in the loop: a TCP connection, or a pipe, terminal or file of this process.
 *
 *     static const struct stream_events events = {on_read, on_end, on_drain, on_closed};
 *     struct error err = {0};
 *     struct stream *s = stream_open_fd(loop, 0, &events, ctx, &err);  // or from tcp.h
 *     if (!s)
 *         return;
 *     stream_write(s, STR("hello\n"));
 *     stream_finish(s);                         // write what is queued, then close
 *
 * Callbacks: on_read any number of times; on_end once if the other side ends or fails; on_closed
 * always, exactly once, as the last one: the stream is freed after it. stream_close() may be called
 * anywhere, also inside the stream's own callbacks, and more than once; only on_closed follows it.
 * No function here calls back before it returns.
 *
 * Reading: the bytes of on_read are valid in the callback only. Reading can be stopped and started;
 * while it is stopped, the end of the other side is not noticed.
 *
 * Writing: the kernel is tried at once, the rest is copied and queued. The queue has no limit here:
 * the writer checks stream_queued() and stops; on_drain reports that a longer queue has fallen to
 * STREAM_LOW_WATER. Bytes written after a failure or a shutdown are dropped. Files are read and
 * written directly, in the loop. SIGPIPE is ignored from the first stream on.
 */
#pragma once

#include "base/error.h"
#include "base/loop.h"
#include "base/str.h"

#define STREAM_LOW_WATER (64u << 10)
#define STREAM_MAX_PARTS 8u

struct stream;

struct stream_events {
    void (*on_read)(struct stream *s, struct str bytes, void *ctx);
    void (*on_end)(struct stream *s, const char *why, void *ctx); /* why NULL: no error */
    void (*on_drain)(struct stream *s, void *ctx);                /* may be NULL */
    void (*on_closed)(struct stream *s, void *ctx);
};

/* Open a stream on a descriptor and take it over. Descriptors 0, 1 and 2 stay open when the stream
 * is closed, and their blocking mode is restored. On failure the caller keeps the descriptor. */
struct stream *stream_open_fd(struct loop *loop, int fd, const struct stream_events *events,
                              void *ctx, struct error *err);

/* Give the stream to another owner, e.g. from HTTP to WebSocket. */
void stream_set_events(struct stream *s, const struct stream_events *events, void *ctx);

void stream_read_start(struct stream *s); /* streams start stopped */
void stream_read_stop(struct stream *s);

void stream_write(struct stream *s, struct str bytes);

/* Write up to STREAM_MAX_PARTS parts with one system call. */
void stream_write_parts(struct stream *s, const struct str *parts, size_t count);

size_t stream_queued(const struct stream *s);  /* bytes the kernel has not taken yet */
uint64_t stream_taken(const struct stream *s); /* bytes it has taken since the start */

/* Call fn(ctx) each time the queue becomes empty: written, or dropped after a failure. It may be
 * called from inside a write, so it must not use the stream. NULL: do not notify. */
void stream_on_flushed(struct stream *s, loop_fn *fn, void *ctx);

void stream_finish(struct stream *s);   /* flush, then close; reading stops */
void stream_shutdown(struct stream *s); /* flush, then end our side only; reading goes on */
void stream_close(struct stream *s);    /* now */
void stream_reset(struct stream *s); /* now, with a reset (RST) for the peer of a TCP connection */

struct loop *stream_loop(const struct stream *s);
