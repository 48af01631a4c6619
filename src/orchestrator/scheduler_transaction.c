#include "orchestrator/scheduler_internal.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "process/supervisor.h"

#define AGAIN_FIRST_MS 1000u
#define AGAIN_MOST_MS  30000u

/* ---- sending */

/* Add the log pieces and the end of one attempt; false: they did not all fit. */
static bool pack_held(struct scheduler *s, struct scheduler_attempt *h, size_t *bytes)
{
    struct scheduler_flight *f = &s->flight;
    LIST_EACH (&h->pieces, struct scheduler_piece, link, p) {
        if (*bytes > 0 && *bytes + p->text.n > SCHEDULER_TRANSACTION_BYTES)
            return false;
        *bytes += p->text.n;
        p->is_sent = true;
        mem_grow((void **)&f->logs, &f->log_cap, f->transaction.log_count + 1, sizeof *f->logs);
        f->logs[f->transaction.log_count++] = (struct transaction_log){
            .task = h->claim.task,
            .number = h->claim.number,
            .seq = p->seq,
            .at = p->at,
            .text = buf_str(&p->text),
        };
    }
    if (h->state != HELD_ENDED || h->is_lost)
        return true;
    mem_grow((void **)&f->ends, &f->end_cap, f->transaction.end_count + 1, sizeof *f->ends);
    f->ends[f->transaction.end_count++] = h->end;
    h->state = HELD_SENT;
    return true;
}

/* An end is sent with the last piece of its log, never before it. */
static void pack_transaction(struct scheduler *s)
{
    size_t bytes = 0;
    struct scheduler_flight *f = &s->flight;
    f->has_more = false;
    LIST_EACH (&s->held, struct scheduler_attempt, link, h)
        if (!pack_held(s, h, &bytes)) {
            f->has_more = true;
            break;
        }
    if (f->has_more) { /* rotate, so that the first attempt does not starve the others */
        struct list *first = s->held.next;
        list_remove(first);
        list_add(&s->held, first);
    }
    f->transaction.logs = f->logs;
    f->transaction.ends = f->ends;
}

static void offer_slots(struct scheduler *s)
{
    struct scheduler_flight *f = &s->flight;
    if (!scheduler_free_workers(s))
        return;
    for (size_t i = 0; i < s->pool_count; i++) {
        uint32_t taken = s->pools[i].taken + (uint32_t)s->asked_count;
        if (taken < s->pools[i].workers)
            f->slots[f->transaction.slot_count++] = (struct transaction_slot){
                .pool = str_from(s->pools[i].name),
                .free = s->pools[i].workers - taken,
            };
    }
    f->transaction.slots = f->slots;
}

/* Runs on the thread of the store. */
static bool run_transaction(struct store *store, void *ctx, struct error *err)
{
    struct scheduler_flight *f = ctx;
    if (!transaction_work(store, &f->transaction, err))
        return false;
    for (size_t i = 0; i < f->asked_count; i++)
        if (!transaction_claim_of(store, &f->transaction, &f->asked[i], &f->found[i], err))
            return false;
    (void)snprintf(f->name, sizeof f->name, "%s", store_name(store));
    return true;
}

/* Renew along with other work, so that few transactions only renew. A claim uses the lease of its
 * orchestrator, which has expired if the orchestrator was idle. */
static bool needs_renewal(const struct scheduler *s)
{
    return s->wants_renewal || !s->is_started ||
           loop_now(s->loop) - s->renewed >= s->o.lease_ms / 12;
}

static void on_transaction(bool ok, const struct error *err, void *ctx);

void scheduler_transaction_send(struct scheduler *s)
{
    struct scheduler_flight *f = &s->flight;
    if (f->is_out || s->phase == PHASE_CLOSE || s->times[AT_AGAIN] != SCHEDULER_NEVER)
        return;
    f->is_out = true;
    f->number = ++s->transactions;
    f->transaction = (struct transaction){
        .owner = str_from(s->owner),
        .host = str_from(s->host),
        .pid = getpid(),
        .workers = s->workers,
        .lease_ms = s->o.lease_ms,
        .max_lost = s->o.policy.max_lost,
        .renews = needs_renewal(s),
    };
    pack_transaction(s);
    offer_slots(s);
    f->transaction.leaves = s->phase == PHASE_LEAVE && !f->has_more;
    f->asked_count = s->asked_count;
    memcpy(f->asked, s->asked, s->asked_count * sizeof *s->asked);
    s->asked_count = 0;
    s->wants_transaction = s->wants_renewal = false;
    scheduler_set_time(s, AT_LOG, SCHEDULER_NEVER);
    f->sent = loop_now(s->loop);
    f->clock = supervisor_clock();
    store_thread_run(s->thread, STORE_ROWS, run_transaction, on_transaction, f);
}

/* ---- the answer */

static void take_control(struct scheduler *s)
{
    const struct tasks_control *c = &s->flight.transaction.control;
    bool is_paused = c->mode == TASKS_PAUSED;
    if (is_paused != s->is_paused)
        scheduler_emit(
            s, (struct scheduler_event){.kind = is_paused ? SCHEDULER_PAUSED : SCHEDULER_RESUMED});
    s->is_paused = is_paused;
    bool has_grown = c->stops > s->stops;
    s->stops = c->stops;
    if (has_grown)
        LIST_EACH_SAFE (&s->held, struct scheduler_attempt, link, h)
            if (h->since < s->flight.number && !h->is_stopped)
                scheduler_attempt_stop(h, ATTEMPT_STOPPED);
}

/* Return a claim at once if it must not or cannot be started here. */
static void accept_claim(struct scheduler *s, const struct transaction_claim *claim)
{
    struct scheduler_attempt *h = scheduler_attempt_new(s, claim);
    h->since = s->flight.number;
    const struct scheduler_own_pool *pool = &s->pools[h->pool];
    if (s->phase != PHASE_WORK || pool->taken > pool->workers)
        scheduler_attempt_stop(h, ATTEMPT_STOPPED);
}

static void look_up_later(struct scheduler *s, const struct transaction_hold *hold)
{
    if (s->asked_count < SCHEDULER_MAX_WORKERS)
        s->asked[s->asked_count++] = *hold;
    scheduler_request_transaction(s, true);
}

static const struct transaction_hold *find_hold(const struct transaction *t,
                                                const struct scheduler_attempt *h)
{
    for (size_t i = 0; i < t->hold_count; i++)
        if (t->holds[i].task == h->claim.task && t->holds[i].number == h->claim.number)
            return &t->holds[i];
    return NULL;
}

static void drop_lost(struct scheduler_attempt *h)
{
    if (h->is_lost)
        return;
    h->is_lost = true;
    scheduler_emit(h->s, (struct scheduler_event){.kind = SCHEDULER_LOST,
                                                  .task = h->claim.task,
                                                  .number = h->claim.number,
                                                  .name = h->claim.name});
    scheduler_attempt_stop(h, ATTEMPT_LOST);
}

static void take_holds(struct scheduler *s)
{
    struct transaction *t = &s->flight.transaction;
    LIST_EACH_SAFE (&s->held, struct scheduler_attempt, link, h) {
        if (!scheduler_attempt_uses_worker(h))
            continue;
        const struct transaction_hold *hold = find_hold(t, h);
        if (!hold && h->since < s->flight.number)
            drop_lost(h);
        else if (hold && hold->cancel && !h->is_stopped)
            scheduler_attempt_stop(h, ATTEMPT_CANCELLED);
    }
    for (size_t i = 0; i < t->hold_count; i++)
        if (!scheduler_attempt_find(s, t->holds[i].task, t->holds[i].number))
            look_up_later(s, &t->holds[i]);
}

/* Whether a lost attempt at the same task is still being killed here. */
static bool has_attempt_here(const struct scheduler_attempt *h)
{
    LIST_EACH (&h->s->held, struct scheduler_attempt, link, other)
        if (other->state == HELD_RUNNING && other->claim.task == h->claim.task)
            return true;
    return false;
}

/* The lease begins before the transaction that renewed it was sent. Claimed attempts wait for the
 * next transaction if too little of it is left. */
static void extend_leases(struct scheduler *s)
{
    const struct scheduler_flight *f = &s->flight;
    int64_t lease = (int64_t)s->o.lease_ms;
    if (f->transaction.renews)
        s->lease_clock = f->clock;
    int64_t deadline = s->lease_clock + lease - lease / 6;
    bool is_fresh = supervisor_clock() - s->lease_clock < lease / 2;
    LIST_EACH_SAFE (&s->held, struct scheduler_attempt, link, h) {
        if (h->state == HELD_RUNNING && f->transaction.renews)
            scheduler_attempt_extend(h, deadline);
        else if (h->state == HELD_CLAIMED && !is_fresh)
            scheduler_request_transaction(s, true);
        else if (h->state == HELD_CLAIMED && !has_attempt_here(h))
            scheduler_attempt_start(h, deadline);
    }
}

static void set_times(struct scheduler *s)
{
    const struct scheduler_flight *f = &s->flight;
    uint64_t now = loop_now(s->loop);
    if (f->transaction.renews)
        s->renewed = f->sent;
    scheduler_set_time(s, AT_RENEW, s->running ? s->renewed + s->o.lease_ms / 6 : SCHEDULER_NEVER);
    bool waits = f->transaction.next_ms && scheduler_free_workers(s);
    /* A moment later, so that it is also due by the clock of the store. */
    uint64_t left = SCHEDULER_NEVER - now - 2;
    uint64_t ms = f->transaction.next_ms < left ? f->transaction.next_ms + 1 : left;
    scheduler_set_time(s, AT_DUE, waits ? now + ms : SCHEDULER_NEVER);
}

static void check_idle(struct scheduler *s)
{
    const struct transaction *t = &s->flight.transaction;
    if (!t->slot_count || !t->is_idle || t->claim_count || !list_is_empty(&s->held)) {
        s->is_idle = s->is_idle && !t->claim_count;
        return;
    }
    if (!s->is_idle)
        scheduler_emit(s,
                       (struct scheduler_event){.kind = SCHEDULER_IDLE, .failed = t->has_failed});
    s->is_idle = true;
    if (s->o.until_idle && s->phase == PHASE_WORK)
        scheduler_leave(s, t->has_failed ? SCHEDULER_WAS_IDLE_FAILED : SCHEDULER_WAS_IDLE);
}

static void take_result(struct scheduler *s)
{
    struct scheduler_flight *f = &s->flight;
    s->failed = 0;
    if (!s->is_started) {
        s->is_started = true;
        s->stops = f->transaction.control.stops;
        scheduler_emit(
            s, (struct scheduler_event){.kind = SCHEDULER_STARTED, .text = str_from(f->name)});
    }
    take_control(s);
    for (size_t i = 0; i < f->transaction.claim_count; i++)
        accept_claim(s, &f->transaction.claims[i]);
    for (size_t i = 0; i < f->asked_count; i++)
        if (f->found[i].task)
            accept_claim(s, &f->found[i]);
    if (f->transaction.renews)
        take_holds(s);
    extend_leases(s);
    set_times(s);
    check_idle(s);
    if (f->transaction.leaves && list_is_empty(&s->held) && !s->asked_count)
        scheduler_close(s);
}

static void handle_failure(struct scheduler *s, const struct error *err)
{
    enum store_failure failure = store_thread_last_failure(s->thread);
    if (!s->is_started || failure == STORE_DAMAGED || failure == STORE_NEWER ||
        ++s->failed >= SCHEDULER_MAX_FAILED) {
        scheduler_fail(s, str_from(err->text));
        return;
    }
    if (s->failed == 1)
        scheduler_emit(
            s, (struct scheduler_event){.kind = SCHEDULER_WARN, .text = str_from(err->text)});
    uint64_t ms = (uint64_t)AGAIN_FIRST_MS << s->failed;
    scheduler_set_time(s, AT_AGAIN, loop_now(s->loop) + (ms < AGAIN_MOST_MS ? ms : AGAIN_MOST_MS));
    scheduler_request_transaction(s, true); /* its claims may have been committed */
}

static void on_transaction(bool ok, const struct error *err, void *ctx)
{
    struct scheduler_flight *f = ctx;
    struct scheduler *s = LIST_ITEM(f, struct scheduler, flight);
    f->is_out = false;
    LIST_EACH_SAFE (&s->held, struct scheduler_attempt, link, h)
        scheduler_attempt_confirm(h, ok);
    if (s->phase != PHASE_CLOSE) {
        if (ok)
            take_result(s);
        else
            handle_failure(s, err);
    }
    transaction_done(&f->transaction);
    if (s->phase == PHASE_CLOSE)
        return;
    if (f->has_more || s->wants_transaction)
        scheduler_request_transaction(s, false);
    scheduler_count(s);
    scheduler_settle(s);
}
