/* The event loop: one thread owns all state, everything else comes to it as an event.
 *
 *     struct loop *loop = loop_new();
 *     timer_start(&t, loop, 500, on_timeout, ctx);
 *     loop_run(loop);                           // until loop_stop(), or nothing is left to do
 *     loop_free(loop);
 *
 * Nothing is freed inside its own callback: an object that ends marks itself and calls
 * loop_defer(), whose function runs when the current callbacks have returned.
 *
 * Timers are embedded in their owner; stopping is immediate and takes a timer that is not running,
 * also a zeroed one, and one whose loop is gone. A stopped timer never fires. A timer is stopped
 * when its function is called: that may start it again, or free it. Times are milliseconds of a
 * monotonic clock.
 *
 * The first loop makes the process ignore SIGPIPE: a peer that went away is an error of the write.
 *
 * libuv is seen by this module, proc, watch and stream/tcp only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loop;
struct uv_loop_s;

typedef void loop_fn(void *ctx);

struct loop *loop_new(void);
/* Runs what is still deferred, waits for work on the pool (its done() is called), closes what is
 * still open. Timers do not fire any more. */
void loop_free(struct loop *loop);
void loop_run(struct loop *loop);  /* may be called again after it returned */
void loop_stop(struct loop *loop); /* loop_run() returns after this turn; before it: at once */

/* Time at the start of this turn of the loop: cheap, and the same for all callbacks of the turn. */
uint64_t loop_now(const struct loop *loop);

/* Runs fn(ctx) after the current callback, before the loop waits again; in the order of the calls.
 * What a deferred function defers runs in the same round. */
void loop_defer(struct loop *loop, loop_fn *fn, void *ctx);

/* Calls fn(ctx) in the loop whenever the process gets the signal. Keeps no loop running. */
void loop_on_signal(struct loop *loop, int signum, loop_fn *fn, void *ctx);

/* Runs work(ctx) on a thread of the pool, then done(ctx) in the loop. */
void loop_work(struct loop *loop, loop_fn *work, loop_fn *done, void *ctx);

/* fn(ctx) is called in every turn of the loop in which there is something to read from the
 * descriptor, its end included, until the reader is stopped. It keeps the loop running. From the
 * stop on, also inside fn, the descriptor is the caller's alone: to close, or for another thread.
 * One reader for a descriptor; it is made non-blocking. */
struct loop_reader;
struct loop_reader *loop_reader_start(struct loop *loop, int fd, loop_fn *fn, void *ctx);
void loop_reader_stop(struct loop_reader *r); /* no call after this; NULL is fine */

struct uv_loop_s *loop_uv(struct loop *loop); /* for the modules that talk to libuv */

struct timer {
    /* private */
    struct loop *loop; /* NULL: not running */
    size_t slot;       /* place in the loop's heap */
    uint64_t due, order;
    loop_fn *fn;
    void *ctx;
};

/* Fires once, `ms` after loop_now(); starting a running timer moves it. Timers that are due at the
 * same time fire in the order they were started; one started with 0 ms fires in the next turn. */
void timer_start(struct timer *t, struct loop *loop, uint64_t ms, loop_fn *fn, void *ctx);
void timer_stop(struct timer *t);
bool timer_is_running(const struct timer *t);
