#include "store/store_thread.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/id.h"
#include "base/mem.h"
#include "base/rng.h"
#include "store/store_internal.h"

struct store_thread_job {
    struct store_thread_job *next;
    enum store_mode mode;
    store_fn *work;
    store_thread_done_fn *done;
    void *ctx;
};

struct store_thread {
    struct loop *loop;
    struct store_thread_options options;
    char *url;
    struct store *store; /* NULL: not opened yet. Belongs to the thread while is_busy */
    struct store_thread_job *first, **last;

    /* What the thread does, and its result. */
    bool is_busy;
    struct store_thread_job *job; /* NULL: it only checks that the store is available */
    bool ok;
    enum store_failure failure;
    struct error reason;

    bool wants_check;      /* open the store, or listen again */
    uint64_t available_at; /* when it was last available, by the loop's clock */
    bool is_unavailable;
    bool is_failed_for_good; /* it could not be opened and will not be retried */
    struct error final_error;
    struct timer pause; /* before the next attempt */
    unsigned pause_ms;
    struct rng rng;

    struct loop_reader *reader;
    struct timer check_timer; /* no descriptor wakes us: check from time to time */
    unsigned pending;         /* pending notifications: a bit for each channel */

    bool is_closing, is_shut;
    bool is_deferred;
    loop_fn *closed;
    void *closed_ctx;
};

static void continue_work(struct store_thread *l);

static unsigned all_channels(const struct store_thread *l)
{
    unsigned bits = 0;
    for (size_t i = 0; i < STORE_THREAD_MAX_CHANNELS && l->options.channels[i]; i++)
        bits |= 1u << i;
    return bits;
}

/* ---- on the thread */

static bool check_store(struct store *s, void *ctx, struct error *err)
{
    (void)s;
    (void)ctx;
    (void)err;
    return true;
}

static bool open_store(struct store_thread *l)
{
    if (l->store)
        return true;
    l->store = store_open(&l->options.store, &l->failure, &l->reason);
    if (l->store && l->options.channels[0])
        l->store->kind->listen(l->store, l->options.channels);
    return l->store;
}

static void run_attempt(void *ctx)
{
    struct store_thread *l = ctx;
    l->reason = (struct error){0};
    l->ok = open_store(l);
    if (!l->ok)
        return;
    l->ok = l->job ? store_run(l->store, l->job->mode, l->job->work, l->job->ctx, &l->reason)
                   : store_run(l->store, STORE_READ, check_store, NULL, &l->reason);
    if (!l->ok)
        l->failure = store_last_failure(l->store);
}

static void close_on_thread(void *ctx)
{
    struct store_thread *l = ctx;
    store_close(l->store);
}

/* ---- in the loop */

static void end_job(struct store_thread *l, bool ok, const struct error *err)
{
    struct store_thread_job *job = l->first;
    l->first = job->next;
    if (!l->first)
        l->last = &l->first;
    store_thread_done_fn *done = job->done;
    void *ctx = job->ctx;
    free(job);
    done(ok, ok ? NULL : err, ctx);
}

/* Also those that a done() adds meanwhile. */
static void fail_all(struct store_thread *l, const struct error *err)
{
    struct error reason = *err;
    while (l->first)
        end_job(l, false, &reason);
}

static void send_notifications(struct store_thread *l)
{
    for (size_t i = 0; i < STORE_THREAD_MAX_CHANNELS; i++) {
        if (!(l->pending & 1u << i) || l->is_closing)
            continue;
        l->pending &= ~(1u << i);
        if (l->options.on_notify)
            l->options.on_notify(l->options.channels[i], l->options.ctx);
    }
}

static void report_failure(struct store_thread *l, const struct error *err,
                           enum store_failure failure)
{
    if (l->options.on_failure && !l->is_closing)
        l->options.on_failure(err, failure, l->options.ctx);
}

static void on_deferred(void *ctx)
{
    struct store_thread *l = ctx;
    l->is_deferred = false;
    continue_work(l);
}

/* Call continue_work() later: the caller may be a callback of this object. */
static void continue_later(struct store_thread *l)
{
    if (!l->is_deferred)
        loop_defer(l->loop, on_deferred, l);
    l->is_deferred = true;
}

static void on_pause_over(void *ctx)
{
    continue_work(ctx);
}

/* Jitter between half of the pause and all of it: clients that lost the same server do not return
 * at once. */
static void pause_before_next(struct store_thread *l)
{
    unsigned ms = l->pause_ms / 2 + (unsigned)rng_below(&l->rng, l->pause_ms / 2 + 1);
    timer_start(&l->pause, l->loop, ms, on_pause_over, l);
    l->pause_ms = l->pause_ms * 2 < STORE_THREAD_MOST_MS ? l->pause_ms * 2 : STORE_THREAD_MOST_MS;
}

static void stop_listening(struct store_thread *l)
{
    loop_reader_stop(l->reader);
    l->reader = NULL;
    timer_stop(&l->check_timer);
}

/* A descriptor that is lost as soon as it is made must not be replaced without a pause. */
static void take_notifications(struct store_thread *l)
{
    bool lost = false;
    unsigned pending =
        l->options.channels[0] ? l->store->kind->take_notifications(l->store, &lost) : 0;
    if (!lost) { /* else all become pending with the next one */
        l->pending |= pending & all_channels(l);
        return;
    }
    stop_listening(l);
    l->wants_check = true;
    if (loop_now(l->loop) - l->available_at < STORE_THREAD_MOST_MS)
        pause_before_next(l);
}

static void on_readable(void *ctx)
{
    struct store_thread *l = ctx;
    take_notifications(l);
    continue_work(l);
}

static void on_check_due(void *ctx)
{
    struct store_thread *l = ctx;
    l->pending |= all_channels(l);
    l->wants_check = true;
    continue_work(l);
}

/* Only between jobs: during a job the store belongs to the thread. */
static void start_listening(struct store_thread *l)
{
    if (!l->options.channels[0])
        return;
    int fd = l->store->kind->descriptor(l->store);
    if (fd >= 0 && !l->reader)
        l->reader = loop_reader_start(l->loop, fd, on_readable, l);
    else if (fd < 0)
        timer_start(&l->check_timer, l->loop, STORE_THREAD_DEAF_MS, on_check_due, l);
}

/* The store answered, perhaps with an error. */
static void note_available(struct store_thread *l)
{
    if (l->is_unavailable) {
        l->pending |= all_channels(l);
        l->is_unavailable = false;
        report_failure(l, NULL, STORE_OK);
    }
    l->pause_ms = STORE_THREAD_FIRST_MS;
    take_notifications(l);
    l->available_at = loop_now(l->loop);
}

static void note_unavailable(struct store_thread *l)
{
    l->wants_check = true; /* also if there is no job */
    if (!l->is_unavailable) {
        l->is_unavailable = true;
        report_failure(l, &l->reason, STORE_UNAVAILABLE);
    }
    if (l->is_closing)
        fail_all(l, &l->reason);
    else
        pause_before_next(l);
}

static void on_attempt(void *ctx)
{
    struct store_thread *l = ctx;
    l->is_busy = false;
    if (!l->ok && l->failure == STORE_UNAVAILABLE) {
        note_unavailable(l);
    } else if (!l->ok && !l->store) {
        l->is_failed_for_good = true;
        l->final_error = l->reason;
        report_failure(l, &l->reason, l->failure);
    } else if (!l->ok && !l->job && !l->first) {
        note_unavailable(l); /* it came back unusable, perhaps not for long */
    } else {
        struct error reason = l->reason;
        l->wants_check = false;
        note_available(l);
        if (l->job)
            end_job(l, l->ok, &reason);
    }
    if (!l->is_unavailable)
        send_notifications(l);
    continue_work(l);
}

static void on_store_closed(void *ctx)
{
    struct store_thread *l = ctx;
    loop_fn *closed = l->closed;
    void *closed_ctx = l->closed_ctx;
    free(l->url);
    free(l);
    if (closed)
        closed(closed_ctx);
}

static void start_attempt(struct store_thread *l)
{
    stop_listening(l);
    l->is_busy = true;
    l->job = l->first;
    loop_work(l->loop, run_attempt, on_attempt, l);
}

/* The only place that decides what to do next. */
static void continue_work(struct store_thread *l)
{
    if (l->is_busy || l->is_shut || l->is_deferred || timer_is_running(&l->pause))
        return;
    if (l->is_failed_for_good)
        fail_all(l, &l->final_error);
    if (!l->is_failed_for_good && (l->first || (l->wants_check && !l->is_closing))) {
        start_attempt(l);
    } else if (l->is_closing) {
        stop_listening(l);
        l->is_shut = true;
        loop_work(l->loop, close_on_thread, on_store_closed, l);
    } else if (!l->is_failed_for_good) {
        start_listening(l);
        if (l->pending) {
            send_notifications(l);
            continue_later(l);
        }
    }
}

/* ---- life */

struct store_thread *store_thread_open(struct loop *loop,
                                       const struct store_thread_options *options)
{
    struct store_thread *l = mem_zalloc(sizeof *l);
    l->loop = loop;
    l->options = *options;
    l->url = str_dup(str_from(options->store.url));
    l->options.store.url = l->url;
    l->last = &l->first;
    l->pause_ms = STORE_THREAD_FIRST_MS;
    l->wants_check = true;
    uint64_t seed;
    id_bytes(&seed, sizeof seed);
    rng_seed(&l->rng, seed);
    continue_later(l);
    return l;
}

void store_thread_run(struct store_thread *l, enum store_mode mode, store_fn *work,
                      store_thread_done_fn *done, void *ctx)
{
    assert(!l->is_closing && work && done);
    struct store_thread_job *job = mem_zalloc(sizeof *job);
    *job = (struct store_thread_job){.mode = mode, .work = work, .done = done, .ctx = ctx};
    *l->last = job;
    l->last = &job->next;
    continue_later(l);
}

bool store_thread_is_unavailable(const struct store_thread *l)
{
    return l->is_unavailable;
}

enum store_failure store_thread_last_failure(const struct store_thread *l)
{
    return l->failure;
}

void store_thread_close(struct store_thread *l, loop_fn *closed, void *ctx)
{
    assert(!l->is_closing);
    l->is_closing = true;
    l->closed = closed;
    l->closed_ctx = ctx;
    if (timer_is_running(&l->pause)) {
        timer_stop(&l->pause);
        l->is_failed_for_good = true;
        l->final_error = l->reason;
    }
    continue_later(l);
}
