#include "base/loop.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <uv.h>

#include "base/mem.h"

struct deferred {
    loop_fn *fn;
    void *ctx;
};

struct signal_watch {
    uv_signal_t uv; /* first: the handle is the watch */
    struct signal_watch *next;
    loop_fn *fn;
    void *ctx;
};

struct pool_work {
    uv_work_t uv; /* first: the request is the work */
    loop_fn *work, *done;
    void *ctx;
};

struct loop_reader {
    uv_poll_t uv; /* first: the handle is the reader */
    loop_fn *fn;
    void *ctx;
};

struct loop {
    uv_loop_t uv;
    uv_prepare_t before_wait;
    uv_check_t after_wait;
    uv_timer_t alarm; /* for the timer at the top of the heap */
    uint64_t alarm_due;
    bool alarm_on, in_alarm;
    bool in_run, stop;

    struct timer **heap; /* smallest (due, order) first */
    size_t heap_n, heap_cap;
    uint64_t order; /* timers due at the same time fire in the order they were started */

    struct deferred *deferred;
    size_t deferred_n, deferred_cap;

    struct signal_watch *signals;
};

/* ---- timers: a binary heap whose items know their slot */

static bool is_earlier(const struct timer *a, const struct timer *b)
{
    return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void put_timer(struct loop *loop, size_t slot, struct timer *t)
{
    loop->heap[slot] = t;
    t->slot = slot;
}

static void sift_up(struct loop *loop, size_t slot, struct timer *t)
{
    while (slot > 0 && is_earlier(t, loop->heap[(slot - 1) / 2])) {
        put_timer(loop, slot, loop->heap[(slot - 1) / 2]);
        slot = (slot - 1) / 2;
    }
    put_timer(loop, slot, t);
}

static void sift_down(struct loop *loop, size_t slot, struct timer *t)
{
    for (size_t child; (child = slot * 2 + 1) < loop->heap_n; slot = child) {
        if (child + 1 < loop->heap_n && is_earlier(loop->heap[child + 1], loop->heap[child]))
            child++;
        if (!is_earlier(loop->heap[child], t))
            break;
        put_timer(loop, slot, loop->heap[child]);
    }
    put_timer(loop, slot, t);
}

static void on_alarm(uv_timer_t *uv);

/* The alarm is set lazily to the first timer, right before the loop waits. */
static void set_alarm(struct loop *loop, uint64_t least_ms)
{
    if (!loop->heap_n) {
        if (loop->alarm_on)
            uv_timer_stop(&loop->alarm);
        loop->alarm_on = false;
        return;
    }
    uint64_t due = loop->heap[0]->due, now = uv_now(&loop->uv);
    if (due < now + least_ms)
        due = now + least_ms;
    if (loop->alarm_on && loop->alarm_due == due)
        return;
    loop->alarm_on = true;
    loop->alarm_due = due;
    uv_timer_start(&loop->alarm, on_alarm, due - now, 0);
}

static void on_alarm(uv_timer_t *uv)
{
    struct loop *loop = uv->data;
    uint64_t now = uv_now(&loop->uv);
    uint64_t last = loop->order; /* timers started from here on wait for the next alarm */

    loop->alarm_on = false;
    loop->in_alarm = true;
    while (loop->heap_n && loop->heap[0]->due <= now && loop->heap[0]->order <= last) {
        struct timer *t = loop->heap[0];
        timer_stop(t);
        t->fn(t->ctx);
    }
    loop->in_alarm = false;
    /* Not 0 ms: libuv would call again at once, and timers that restart themselves would block
     * everything else. The alarm is set to the right time before the wait. */
    set_alarm(loop, 1);
}

void timer_start(struct timer *t, struct loop *loop, uint64_t ms, loop_fn *fn, void *ctx)
{
    timer_stop(t);
    mem_grow((void **)&loop->heap, &loop->heap_cap, loop->heap_n + 1, sizeof *loop->heap);
    uint64_t now = uv_now(&loop->uv);
    *t = (struct timer){
        .loop = loop,
        .due = ms > UINT64_MAX - now ? UINT64_MAX : now + ms,
        .order = ++loop->order,
        .fn = fn,
        .ctx = ctx,
    };
    sift_up(loop, loop->heap_n++, t);
    if (t->slot == 0 && !loop->in_alarm)
        set_alarm(loop, 0);
}

void timer_stop(struct timer *t)
{
    struct loop *loop = t->loop;
    if (!loop)
        return;
    t->loop = NULL;
    struct timer *last = loop->heap[--loop->heap_n];
    if (last != t) {
        if (t->slot > 0 && is_earlier(last, loop->heap[(t->slot - 1) / 2]))
            sift_up(loop, t->slot, last);
        else
            sift_down(loop, t->slot, last);
    }
    if (!loop->heap_n)
        set_alarm(loop, 0);
}

bool timer_is_running(const struct timer *t)
{
    return t->loop != NULL;
}

/* ---- deferred functions */

static void run_deferred(struct loop *loop)
{
    for (size_t i = 0; i < loop->deferred_n; i++) { /* may grow while it runs */
        struct deferred d = loop->deferred[i];
        d.fn(d.ctx);
    }
    loop->deferred_n = 0;
}

static void on_before_wait(uv_prepare_t *uv)
{
    run_deferred(uv->data);
    set_alarm(uv->data, 0);
}

static void on_after_wait(uv_check_t *uv)
{
    run_deferred(uv->data);
}

void loop_defer(struct loop *loop, loop_fn *fn, void *ctx)
{
    mem_grow((void **)&loop->deferred, &loop->deferred_cap, loop->deferred_n + 1,
             sizeof *loop->deferred);
    loop->deferred[loop->deferred_n++] = (struct deferred){fn, ctx};
}

/* ---- signals and the pool */

static void on_signal(uv_signal_t *uv, int signum)
{
    (void)signum;
    struct signal_watch *w = (struct signal_watch *)(void *)uv;
    w->fn(w->ctx);
}

void loop_on_signal(struct loop *loop, int signum, loop_fn *fn, void *ctx)
{
    struct signal_watch *w = mem_zalloc(sizeof *w);
    w->fn = fn;
    w->ctx = ctx;
    w->next = loop->signals;
    loop->signals = w;
    if (uv_signal_init(&loop->uv, &w->uv) || uv_signal_start(&w->uv, on_signal, signum))
        mem_die("cannot watch a signal");
    uv_unref((uv_handle_t *)&w->uv);
}

static void on_work(uv_work_t *uv)
{
    struct pool_work *w = (struct pool_work *)(void *)uv;
    w->work(w->ctx);
}

static void on_work_done(uv_work_t *uv, int status)
{
    (void)status; /* never cancelled */
    struct pool_work *w = (struct pool_work *)(void *)uv;
    loop_fn *done = w->done;
    void *ctx = w->ctx;
    free(w);
    done(ctx);
}

void loop_work(struct loop *loop, loop_fn *work, loop_fn *done, void *ctx)
{
    struct pool_work *w = mem_zalloc(sizeof *w);
    w->work = work;
    w->done = done;
    w->ctx = ctx;
    if (uv_queue_work(&loop->uv, &w->uv, on_work, on_work_done))
        mem_die("cannot use the worker pool");
}

/* ---- descriptors */

/* Errors (status) are found when the descriptor is read. */
static void on_readable(uv_poll_t *uv, int status, int events)
{
    (void)status;
    (void)events;
    struct loop_reader *r = (struct loop_reader *)(void *)uv;
    r->fn(r->ctx);
}

struct loop_reader *loop_reader_start(struct loop *loop, int fd, loop_fn *fn, void *ctx)
{
    struct loop_reader *r = mem_zalloc(sizeof *r);
    r->fn = fn;
    r->ctx = ctx;
    if (uv_poll_init(&loop->uv, &r->uv, fd) || uv_poll_start(&r->uv, UV_READABLE, on_readable))
        mem_die("cannot watch a descriptor");
    return r;
}

static void on_reader_closed(uv_handle_t *handle)
{
    free(handle); /* the reader */
}

void loop_reader_stop(struct loop_reader *r)
{
    if (!r)
        return;
    uv_poll_stop(&r->uv);
    uv_close((uv_handle_t *)&r->uv, on_reader_closed);
}

/* ---- life */

struct loop *loop_new(void)
{
    struct loop *loop = mem_zalloc(sizeof *loop);
    signal(SIGPIPE, SIG_IGN); /* writing to a closed peer must only fail */
    if (uv_loop_init(&loop->uv))
        mem_die("cannot make an event loop");
    uv_prepare_init(&loop->uv, &loop->before_wait);
    uv_check_init(&loop->uv, &loop->after_wait);
    uv_timer_init(&loop->uv, &loop->alarm);
    loop->before_wait.data = loop->after_wait.data = loop->alarm.data = loop;
    uv_prepare_start(&loop->before_wait, on_before_wait);
    uv_check_start(&loop->after_wait, on_after_wait);
    uv_unref((uv_handle_t *)&loop->before_wait);
    uv_unref((uv_handle_t *)&loop->after_wait);
    return loop;
}

void loop_run(struct loop *loop)
{
    /* Functions deferred by the last callbacks may start new work to wait for. */
    run_deferred(loop);
    while (!loop->stop && uv_loop_alive(&loop->uv)) {
        loop->in_run = true;
        uv_run(&loop->uv, UV_RUN_DEFAULT);
        loop->in_run = false;
        run_deferred(loop);
    }
    loop->stop = false;
}

void loop_stop(struct loop *loop)
{
    loop->stop = true;
    uv_stop(&loop->uv);
}

uint64_t loop_now(const struct loop *loop)
{
    return uv_now(&loop->uv);
}

struct uv_loop_s *loop_uv(struct loop *loop)
{
    return &loop->uv;
}

static void close_handle(uv_handle_t *handle, void *ctx)
{
    (void)ctx;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

void loop_free(struct loop *loop)
{
    if (!loop)
        return;
    assert(!loop->in_run);
    /* Owners have closed their handles; only the loop's own are left. Wait for running work: its
     * done() may defer again. */
    do {
        run_deferred(loop);
        uv_walk(&loop->uv, close_handle, NULL);
        while (uv_run(&loop->uv, UV_RUN_DEFAULT)) {
        }
    } while (loop->deferred_n);
    while (loop->heap_n) /* their owners may stop them later */
        loop->heap[--loop->heap_n]->loop = NULL;
    if (uv_loop_close(&loop->uv))
        mem_die("an event loop was freed while in use");
    while (loop->signals) {
        struct signal_watch *next = loop->signals->next;
        free(loop->signals);
        loop->signals = next;
    }
    free(loop->heap);
    free(loop->deferred);
    free(loop);
}
