#include "orchestrator/scheduler_internal.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/id.h"
#include "base/mem.h"
#include "process/orphans.h"

/* ---- events, and requests for a transaction */

void scheduler_emit(struct scheduler *s, struct scheduler_event e)
{
    e.running = s->running;
    e.workers = s->workers;
    if (s->o.on_event)
        s->o.on_event(&e, s->o.ctx);
}

static void on_deferred(void *ctx)
{
    struct scheduler *s = ctx;
    s->is_deferred = false;
    if (s->wants_transaction)
        scheduler_transaction_send(s);
}

void scheduler_request_transaction(struct scheduler *s, bool renewal)
{
    s->wants_transaction = true;
    s->wants_renewal = s->wants_renewal || renewal;
    if (s->flight.is_out || s->is_deferred)
        return; /* it joins the next one */
    s->is_deferred = true;
    loop_defer(s->loop, on_deferred, s);
}

uint32_t scheduler_free_workers(const struct scheduler *s)
{
    if (s->phase != PHASE_WORK || s->is_backing_off)
        return 0;
    size_t taken = s->running + s->asked_count;
    return taken < s->workers ? s->workers - (uint32_t)taken : 0;
}

/* ---- one timer, for the earliest of all times */

static void on_timer(void *ctx);

static void set_timer(struct scheduler *s)
{
    uint64_t first = SCHEDULER_NEVER, now = loop_now(s->loop);
    for (size_t i = 0; i < AT_TIME_COUNT; i++)
        if (s->times[i] < first)
            first = s->times[i];
    if (first == SCHEDULER_NEVER || s->phase == PHASE_CLOSE)
        timer_stop(&s->timer);
    else
        timer_start(&s->timer, s->loop, first > now ? first - now : 0, on_timer, s);
}

void scheduler_set_time(struct scheduler *s, enum scheduler_time what, uint64_t when)
{
    if (s->times[what] == when)
        return;
    s->times[what] = when;
    set_timer(s);
}

static void stop_attempts(struct scheduler *s)
{
    LIST_EACH_SAFE (&s->held, struct scheduler_attempt, link, h)
        scheduler_attempt_stop(h, ATTEMPT_STOPPED);
}

static void halt_scheduler(struct scheduler *s, enum scheduler_end how)
{
    s->phase = PHASE_HALT;
    s->how = how;
    s->times[AT_DRAIN] = SCHEDULER_NEVER;
    stop_attempts(s);
    scheduler_settle(s);
}

static void on_leave_timeout(struct scheduler *s)
{
    size_t n = list_count(&s->held);
    char text[160];
    (void)snprintf(text, sizeof text,
                   "the store does not answer: the end of %zu attempt%s could not be reported; "
                   "retried when the lease expires",
                   n, n == 1 ? "" : "s");
    if (n)
        scheduler_emit(s, (struct scheduler_event){.kind = SCHEDULER_WARN, .text = str_from(text)});
    scheduler_close(s);
}

static void handle_time(struct scheduler *s, enum scheduler_time what)
{
    switch (what) {
    case AT_RENEW:
        scheduler_request_transaction(s, true);
        break;
    case AT_BACKOFF:
        s->is_backing_off = false;
        scheduler_request_transaction(s, false);
        break;
    case AT_DUE:
    case AT_LOG:
    case AT_AGAIN:
        scheduler_request_transaction(s, false);
        break;
    case AT_COUNT:
        scheduler_count(s);
        break;
    case AT_DRAIN:
        if (s->phase == PHASE_DRAIN)
            halt_scheduler(s, SCHEDULER_HALTED);
        break;
    case AT_LEAVE:
        on_leave_timeout(s);
        break;
    case AT_TIME_COUNT:
        break;
    }
}

static void on_timer(void *ctx)
{
    struct scheduler *s = ctx;
    uint64_t now = loop_now(s->loop);
    for (size_t i = 0; i < AT_TIME_COUNT && s->phase != PHASE_CLOSE; i++)
        if (s->times[i] <= now) {
            s->times[i] = SCHEDULER_NEVER;
            handle_time(s, (enum scheduler_time)i);
        }
    set_timer(s);
}

/* ---- the counts */

static bool count_work(struct store *store, void *ctx, struct error *err)
{
    struct scheduler *s = ctx;
    return tasks_count(store, &s->counts, err);
}

static void on_count(bool ok, const struct error *err, void *ctx)
{
    (void)err;
    struct scheduler *s = ctx;
    s->is_counting = false;
    if (ok && s->on_counts)
        s->on_counts(&s->counts, s->o.ctx);
}

void scheduler_count(struct scheduler *s)
{
    uint64_t now = loop_now(s->loop);
    if (!s->on_counts || s->is_counting || !s->is_started || s->phase == PHASE_CLOSE)
        return;
    if (s->counted && now - s->counted < SCHEDULER_COUNT_MS) {
        scheduler_set_time(s, AT_COUNT, s->counted + SCHEDULER_COUNT_MS);
        return;
    }
    s->counted = now;
    s->is_counting = true;
    store_thread_run(s->thread, STORE_READ, count_work, on_count, s);
}

void scheduler_watch_counts(struct scheduler *s,
                            void (*on_counts)(const struct tasks_counts *c, void *ctx))
{
    s->on_counts = on_counts;
    scheduler_count(s);
}

/* ---- the end */

static void free_scheduler(void *ctx)
{
    struct scheduler *s = ctx;
    for (size_t i = 0; i < s->pool_count; i++)
        free(s->pools[i].name);
    free(s->flight.logs);
    free(s->flight.ends);
    free((char *)s->o.url);
    free((char *)s->o.home);
    free((char *)s->o.self);
    free(s);
}

static void on_closed(void *ctx)
{
    struct scheduler *s = ctx;
    assert(s->running == 0);
    LIST_EACH_SAFE (&s->held, struct scheduler_attempt, link, h)
        scheduler_attempt_free(h);
    if (s->o.on_end)
        s->o.on_end(s, s->how, s->o.ctx);
    loop_defer(s->loop, free_scheduler, s); /* after everything that is already deferred */
}

void scheduler_close(struct scheduler *s)
{
    if (s->phase == PHASE_CLOSE)
        return;
    assert(s->running == 0);
    s->phase = PHASE_CLOSE;
    timer_stop(&s->timer);
    if (s->thread)
        store_thread_close(s->thread, on_closed, s);
    else
        loop_defer(s->loop, on_closed, s);
}

/* Return attempts that are ours by the store but were never started here. */
static void return_unknown(struct scheduler *s)
{
    for (size_t i = 0; i < s->asked_count; i++) {
        struct transaction_claim claim = {.task = s->asked[i].task, .number = s->asked[i].number};
        scheduler_attempt_stop(scheduler_attempt_new(s, &claim), ATTEMPT_STOPPED);
    }
    s->asked_count = 0;
}

void scheduler_leave(struct scheduler *s, enum scheduler_end how)
{
    uint64_t now = loop_now(s->loop), until = now + SCHEDULER_LEAVE_MS;
    uint64_t drain = s->times[AT_DRAIN];
    s->phase = PHASE_LEAVE;
    s->how = how;
    return_unknown(s);
    if (list_is_empty(&s->held) &&
        store_thread_is_unavailable(s->thread)) /* there is nothing to report */
        until = now + SCHEDULER_HURRY_MS;
    else if (!list_is_empty(&s->held) && drain != SCHEDULER_NEVER && drain > until)
        until = drain;
    scheduler_set_time(s, AT_DRAIN, SCHEDULER_NEVER);
    scheduler_set_time(s, AT_LEAVE, until);
    scheduler_request_transaction(s, false);
}

void scheduler_settle(struct scheduler *s)
{
    if ((s->phase != PHASE_DRAIN && s->phase != PHASE_HALT) || s->running)
        return;
    if (s->how == SCHEDULER_STORE_UNUSABLE || !s->thread)
        scheduler_close(s);
    else
        scheduler_leave(s, s->how);
}

void scheduler_fail(struct scheduler *s, struct str why)
{
    if (s->phase == PHASE_CLOSE || s->how == SCHEDULER_STORE_UNUSABLE)
        return;
    scheduler_emit(s, (struct scheduler_event){.kind = SCHEDULER_STORE_FAILURE, .text = why});
    halt_scheduler(s, SCHEDULER_STORE_UNUSABLE);
}

void scheduler_drain(struct scheduler *s)
{
    if (s->phase != PHASE_WORK)
        return;
    s->phase = PHASE_DRAIN;
    s->how = SCHEDULER_DRAINED;
    scheduler_emit(s, (struct scheduler_event){.kind = SCHEDULER_DRAINING});
    scheduler_set_time(s, AT_DUE, SCHEDULER_NEVER);
    scheduler_set_time(s, AT_DRAIN, loop_now(s->loop) + s->o.drain_ms);
    LIST_EACH_SAFE (&s->held, struct scheduler_attempt, link, h)
        if (h->state == HELD_CLAIMED)
            scheduler_attempt_stop(h, ATTEMPT_STOPPED);
    scheduler_settle(s);
}

void scheduler_halt(struct scheduler *s)
{
    if (s->phase == PHASE_LEAVE) /* nothing runs: it only waits for the store */
        scheduler_set_time(s, AT_LEAVE, loop_now(s->loop) + SCHEDULER_HURRY_MS);
    else if (s->phase != PHASE_CLOSE)
        halt_scheduler(s, s->how == SCHEDULER_STORE_UNUSABLE ? SCHEDULER_STORE_UNUSABLE
                                                             : SCHEDULER_HALTED);
}

/* ---- the start */

static void on_notify(const char *channel, void *ctx)
{
    struct scheduler *s = ctx;
    if (s->phase == PHASE_CLOSE)
        return;
    if (strcmp(channel, TASKS_CONTROL) == 0)
        scheduler_request_transaction(s, true); /* a renewal also reads cancel requests */
    else if (scheduler_free_workers(s))
        scheduler_request_transaction(s, false);
}

static void on_failure(const struct error *err, enum store_failure failure, void *ctx)
{
    struct scheduler *s = ctx;
    if (s->phase == PHASE_CLOSE)
        return;
    if (err && failure != STORE_UNAVAILABLE) {
        scheduler_fail(s, str_from(err->text));
        return;
    }
    bool was = s->has_store_failure;
    s->has_store_failure = err != NULL;
    if (err && !was)
        scheduler_emit(s, (struct scheduler_event){.kind = SCHEDULER_STORE_FAILURE,
                                                   .text = str_from(err->text)});
    if (!err && was)
        scheduler_emit(s, (struct scheduler_event){.kind = SCHEDULER_BACK});
    if (!err)
        scheduler_request_transaction(s, true); /* claims whose answer was lost are ours */
}

static char *dup_text(const char *text)
{
    return text ? str_dup(str_from(text)) : NULL;
}

static void take_pools(struct scheduler *s, const struct scheduler_options *o)
{
    assert(o->pool_count <= SCHEDULER_MAX_POOLS);
    for (size_t i = 0; i < o->pool_count; i++) {
        s->pools[i].name = dup_text(o->pools[i].name);
        s->pools[i].workers = o->pools[i].workers;
        s->workers += o->pools[i].workers;
    }
    s->pool_count = o->pool_count;
    if (!s->pool_count) {
        s->workers = o->workers ? o->workers : SCHEDULER_WORKERS;
        s->pools[s->pool_count++].workers = s->workers;
    }
    assert(s->workers > 0 && s->workers <= SCHEDULER_MAX_WORKERS);
    s->o.pools = NULL;
}

/* The host and a random id: "build-3-9f86d081884c". */
static void name_owner(struct scheduler *s)
{
    char id[ID_LEN + 1];
    id_new(id);
    if (gethostname(s->host, sizeof s->host) != 0)
        s->host[0] = 0;
    s->host[sizeof s->host - 1] = 0;
    for (char *p = s->host; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr(".-_", *p))
            *p = '_';
    (void)snprintf(s->owner, sizeof s->owner, "%s-%.12s", s->host[0] ? s->host : "host", id);
}

static void *start_executor(struct loop *loop, const struct executor_options *options)
{
    return executor_start(loop, options);
}

static void hold_executor(void *attempt, int64_t deadline)
{
    executor_hold(attempt, deadline);
}

static void stop_executor(void *attempt, enum attempt_end_kind why)
{
    executor_stop(attempt, why);
}

static void on_cannot_begin(void *ctx)
{
    struct scheduler *s = ctx;
    scheduler_fail(s, str_from(s->begin.text));
}

static void open_thread(struct scheduler *s)
{
    struct buf place = {0};
    if (!tasks_place(s->o.url, &place, &s->begin)) {
        loop_defer(s->loop, on_cannot_begin, s);
        return;
    }
    s->thread = store_thread_open(
        s->loop, &(struct store_thread_options){
                     .store = {.url = place.p, .schema = &tasks_schema, .is_durable = true},
                     .channels = {TASKS_WORK, TASKS_CONTROL},
                     .on_notify = on_notify,
                     .on_failure = on_failure,
                     .ctx = s,
                 });
    buf_done(&place);
    scheduler_request_transaction(s, true);
}

static void kill_orphans(void *ctx)
{
    (void)ctx;
    orphans_kill_once();
}

static void on_orphans_killed(void *ctx)
{
    (void)ctx;
}

struct scheduler *scheduler_start(struct loop *loop, const struct scheduler_options *options)
{
    static const struct scheduler_executor executors = {start_executor, hold_executor,
                                                        stop_executor};
    assert(options->rng);
    struct scheduler *s = mem_zalloc(sizeof *s);
    s->loop = loop;
    s->o = *options;
    s->o.url = dup_text(options->url);
    s->o.home = dup_text(options->home);
    s->o.self = dup_text(options->self);
    s->executor = options->executor ? *options->executor : executors;
    if (!s->o.lease_ms)
        s->o.lease_ms = SCHEDULER_LEASE_MS;
    if (s->o.lease_ms < SCHEDULER_MIN_LEASE)
        s->o.lease_ms = SCHEDULER_MIN_LEASE;
    if (!s->o.drain_ms)
        s->o.drain_ms = SCHEDULER_DRAIN_MS;
    for (size_t i = 0; i < AT_TIME_COUNT; i++)
        s->times[i] = SCHEDULER_NEVER;
    list_init(&s->held);
    take_pools(s, options);
    name_owner(s);
    open_thread(s);
    if (!options->executor) /* orphans may cost money */
        loop_work(loop, kill_orphans, on_orphans_killed, NULL);
    return s;
}

uint64_t scheduler_transactions(const struct scheduler *s)
{
    return s->transactions;
}
