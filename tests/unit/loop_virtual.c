#include "loop_virtual.h"

#include <poll.h>
#include <stdlib.h>

#include "base/mem.h"

struct deferred {
    loop_fn *fn;
    void *ctx;
};

struct loop_reader {
    struct loop_reader *next;
    struct loop *loop;
    int fd;
    loop_fn *fn;
    void *ctx;
};

struct loop {
    struct loop_reader *readers;
    uint64_t now, order;
    bool stop;
    struct timer **timers; /* in no order: there are few */
    size_t timer_n, timer_cap;
    struct deferred *deferred;
    size_t deferred_n, deferred_cap;
};

static void run_deferred(struct loop *loop)
{
    for (size_t i = 0; i < loop->deferred_n; i++) { /* may grow while it runs */
        struct deferred d = loop->deferred[i];
        d.fn(d.ctx);
    }
    loop->deferred_n = 0;
}

static struct loop_reader *first_ready(const struct loop *loop)
{
    for (struct loop_reader *r = loop->readers; r; r = r->next)
        if (poll(&(struct pollfd){.fd = r->fd, .events = POLLIN}, 1, 0) > 0)
            return r;
    return NULL;
}

/* Run deferred functions and read what is there until neither is left. */
static void run_ready(struct loop *loop)
{
    run_deferred(loop);
    for (struct loop_reader *r; !loop->stop && (r = first_ready(loop));) {
        r->fn(r->ctx);
        run_deferred(loop);
    }
}

/* The next one to fire of those that were started up to `last`. */
static struct timer *first(const struct loop *loop, uint64_t last)
{
    struct timer *best = NULL;
    for (size_t i = 0; i < loop->timer_n; i++) {
        struct timer *t = loop->timers[i];
        if (t->order <= last &&
            (!best || t->due < best->due || (t->due == best->due && t->order < best->order)))
            best = t;
    }
    return best;
}

/* Fire the timers that are due; timers they start wait for the next call, as in the real loop. */
static void fire(struct loop *loop)
{
    uint64_t last = loop->order;
    for (struct timer *t; (t = first(loop, last)) && t->due <= loop->now && !loop->stop;) {
        timer_stop(t);
        t->fn(t->ctx);
        run_ready(loop);
    }
}

static void run_until(struct loop *loop, uint64_t end)
{
    run_ready(loop);
    for (struct timer *t; !loop->stop && (t = first(loop, UINT64_MAX)) && t->due <= end;) {
        if (t->due > loop->now)
            loop->now = t->due;
        fire(loop);
        t = first(loop, UINT64_MAX);
        if (t && t->due <= loop->now && !loop->stop) {
            if (loop->now == end)
                break;
            loop->now++;
        }
    }
}

void loop_pass(struct loop *loop, uint64_t ms)
{
    uint64_t end = loop->now + ms;
    run_until(loop, end);
    loop->now = end;
    loop->stop = false;
}

struct loop *loop_new(void)
{
    struct loop *loop = mem_zalloc(sizeof *loop);
    loop->now = 1000; /* as if the machine had run a while */
    return loop;
}

void loop_free(struct loop *loop)
{
    if (!loop)
        return;
    run_deferred(loop);
    while (loop->timer_n) /* their owners may stop them later */
        loop->timers[--loop->timer_n]->loop = NULL;
    free(loop->timers);
    free(loop->deferred);
    free(loop);
}

void loop_run(struct loop *loop)
{
    run_until(loop, UINT64_MAX);
    loop->stop = false;
}

void loop_stop(struct loop *loop)
{
    loop->stop = true;
}

uint64_t loop_now(const struct loop *loop)
{
    return loop->now;
}

void loop_defer(struct loop *loop, loop_fn *fn, void *ctx)
{
    mem_grow((void **)&loop->deferred, &loop->deferred_cap, loop->deferred_n + 1,
             sizeof *loop->deferred);
    loop->deferred[loop->deferred_n++] = (struct deferred){fn, ctx};
}

void loop_on_signal(struct loop *loop, int signum, loop_fn *fn, void *ctx)
{
    (void)loop, (void)signum, (void)fn, (void)ctx;
    mem_die("no signals here");
}

void loop_work(struct loop *loop, loop_fn *work, loop_fn *done, void *ctx)
{
    work(ctx);
    loop_defer(loop, done, ctx);
}

struct loop_reader *loop_reader_start(struct loop *loop, int fd, loop_fn *fn, void *ctx)
{
    struct loop_reader *r = mem_zalloc(sizeof *r);
    *r = (struct loop_reader){.next = loop->readers, .loop = loop, .fd = fd, .fn = fn, .ctx = ctx};
    loop->readers = r;
    return r;
}

void loop_reader_stop(struct loop_reader *r)
{
    if (!r)
        return;
    struct loop_reader **at = &r->loop->readers;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    free(r);
}

struct uv_loop_s *loop_uv(struct loop *loop)
{
    (void)loop;
    mem_die("no sockets here");
}

void timer_start(struct timer *t, struct loop *loop, uint64_t ms, loop_fn *fn, void *ctx)
{
    timer_stop(t);
    mem_grow((void **)&loop->timers, &loop->timer_cap, loop->timer_n + 1, sizeof *loop->timers);
    *t = (struct timer){
        .loop = loop,
        .slot = loop->timer_n,
        .due = ms > UINT64_MAX - loop->now ? UINT64_MAX : loop->now + ms,
        .order = ++loop->order,
        .fn = fn,
        .ctx = ctx,
    };
    loop->timers[loop->timer_n++] = t;
}

void timer_stop(struct timer *t)
{
    struct loop *loop = t->loop;
    if (!loop)
        return;
    t->loop = NULL;
    struct timer *last = loop->timers[--loop->timer_n];
    if (last != t) {
        loop->timers[t->slot] = last;
        last->slot = t->slot;
    }
}

bool timer_is_running(const struct timer *t)
{
    return t->loop != NULL;
}
