/* The event loop: one thread owns all state; everything else reaches it as an event.
 *
 *     struct loop *loop = loop_new();
 *     timer_start(&t, loop, 500, on_timeout, ctx);
 *     loop_run(loop);                           // until loop_stop(), or nothing is left to do
 *     loop_free(loop);
 *
 * No object is freed inside its own callback: an object that ends marks itself and calls
 * loop_defer(), whose function runs when the current callbacks have returned.
 *
 * Timers are embedded in their owner. Stopping is immediate, and also valid for a timer that is not
 * running, is zeroed, or whose loop was freed. A stopped timer never fires. A timer is stopped when
 * its function is called: the function may start it again or free it. Times are milliseconds of a
 * monotonic clock.
 *
 * The first loop makes the process ignore SIGPIPE: writing to a closed peer is an error of write().
 *
 * Only the modules loop, watch, stream, tcp and those of src/process use libuv.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loop;
struct uv_loop_s;

typedef void loop_fn(void *ctx);

struct loop *loop_new(void);
/* Run deferred functions, wait for work on the pool (and call its done()), and close open handles.
 * Timers no longer fire. */
void loop_free(struct loop *loop);
void loop_run(struct loop *loop); /* may be called again after it has returned */
void loop_stop(
    struct loop *loop); /* make loop_run() return after this turn, or at once if not yet running */

/* Return the time at the start of this turn: cheap, and the same for all callbacks of a turn. */
uint64_t loop_now(const struct loop *loop);

/* Run fn(ctx) after the current callback, before the loop waits again, in the order of the calls.
 * Functions deferred by a deferred function run in the same round. */
void loop_defer(struct loop *loop, loop_fn *fn, void *ctx);

/* Call fn(ctx) in the loop on each such signal. This does not keep the loop running. */
void loop_on_signal(struct loop *loop, int signum, loop_fn *fn, void *ctx);

/* Run work(ctx) on a thread of the pool, then done(ctx) in the loop. */
void loop_work(struct loop *loop, loop_fn *work, loop_fn *done, void *ctx);

/* Call fn(ctx) in each turn of the loop in which the descriptor has something to read, or is at its
 * end, until the reader is stopped. A reader keeps the loop running. After the stop, which is also
 * valid inside fn, the caller may close the descriptor or give it to another thread. A descriptor
 * has at most one reader and becomes non-blocking. */
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

/* Call fn(ctx) once, `ms` after loop_now(). Starting a running timer restarts it. Timers due at the
 * same time fire in the order they were started; with 0 ms a timer fires in the next turn. */
void timer_start(struct timer *t, struct loop *loop, uint64_t ms, loop_fn *fn, void *ctx);
void timer_stop(struct timer *t);
bool timer_is_running(const struct timer *t);
