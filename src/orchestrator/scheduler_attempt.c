#include "orchestrator/scheduler_internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rfc3339.h"
#include "orchestrator/tasks_internal.h"

#define BACKOFF_FIRST_MS 1000u
#define BACKOFF_MOST_MS  60000u

bool scheduler_attempt_uses_worker(const struct scheduler_attempt *h)
{
    return h->state == HELD_CLAIMED || h->state == HELD_RUNNING;
}

static struct str copy_clean(struct arena *a, struct str text)
{
    return arena_str(a, tasks_clean_text(a, text));
}

static size_t find_pool(const struct scheduler *s, struct str name)
{
    for (size_t i = 0; i < s->pool_count; i++)
        if (!s->pools[i].name || str_eq(str_from(s->pools[i].name), name))
            return i;
    return 0; /* the store returns only tasks of our pools */
}

struct scheduler_attempt *scheduler_attempt_new(struct scheduler *s,
                                                const struct transaction_claim *claim)
{
    struct scheduler_attempt *h = mem_zalloc(sizeof *h);
    h->s = s;
    h->claim = *claim;
    h->claim.name = arena_str(&h->arena, claim->name);
    h->claim.pool = arena_str(&h->arena, claim->pool);
    h->claim.repo = arena_str(&h->arena, claim->repo);
    h->claim.spec = arena_str(&h->arena, claim->spec);
    h->claim.run = arena_str(&h->arena, claim->run);
    h->pool = find_pool(s, claim->pool);
    h->since = s->transactions;
    h->end = (struct transaction_end){.task = claim->task, .number = claim->number};
    list_init(&h->pieces);
    list_add(&s->held, &h->link);
    s->pools[h->pool].taken++;
    s->running++;
    return h;
}

static void drop_piece(struct scheduler_attempt *h, struct scheduler_piece *p)
{
    list_remove(&p->link);
    h->piece_bytes -= p->text.n;
    buf_done(&p->text);
    free(p);
}

void scheduler_attempt_free(struct scheduler_attempt *h)
{
    assert(!scheduler_attempt_uses_worker(h));
    LIST_EACH_SAFE (&h->pieces, struct scheduler_piece, link, p)
        drop_piece(h, p);
    list_remove(&h->link);
    arena_done(&h->arena);
    free(h);
}

struct scheduler_attempt *scheduler_attempt_find(const struct scheduler *s, int64_t task,
                                                 uint32_t number)
{
    LIST_EACH (&s->held, struct scheduler_attempt, link, h)
        if (h->claim.task == task && h->claim.number == number)
            return h;
    return NULL;
}

static void release_worker(struct scheduler_attempt *h)
{
    assert(scheduler_attempt_uses_worker(h) && h->s->running > 0);
    h->s->pools[h->pool].taken--;
    h->s->running--;
    h->state = HELD_ENDED;
}

/* ---- the log */

static void add_piece(struct scheduler_attempt *h, struct str text)
{
    struct scheduler_piece *p = mem_zalloc(sizeof *p);
    p->seq = ++h->seq;
    p->at = rfc3339_now();
    p->text = buf_make((size_t)4 * EXECUTOR_MAX_LOG);
    buf_add(&p->text, text);
    h->piece_bytes += p->text.n;
    list_add(&h->pieces, &p->link);
}

/* Text that arrives while a transaction is in flight is appended to the last waiting piece. */
static void add_text(struct scheduler_attempt *h, struct str text)
{
    struct scheduler_piece *last =
        list_is_empty(&h->pieces) ? NULL : LIST_ITEM(h->pieces.prev, struct scheduler_piece, link);
    if (!last || last->is_sent || last->text.n + text.n > EXECUTOR_PIECE) {
        add_piece(h, text);
        return;
    }
    buf_add(&last->text, text);
    h->piece_bytes += text.n;
}

static void note_left_out(struct scheduler_attempt *h)
{
    if (!h->left_out)
        return;
    char note[128];
    (void)snprintf(note, sizeof note,
                   "[%llu bytes were left out: the store did not accept them in time]\n",
                   (unsigned long long)h->left_out);
    h->left_out = 0;
    add_piece(h, str_from(note));
}

static void on_log(struct executor *e, struct str text, void *ctx)
{
    (void)e;
    struct scheduler_attempt *h = ctx;
    if (!text.n)
        return;
    scheduler_emit(h->s, (struct scheduler_event){.kind = SCHEDULER_LOG,
                                                  .task = h->claim.task,
                                                  .number = h->claim.number,
                                                  .name = h->claim.name,
                                                  .text = text});
    if (h->piece_bytes + text.n > EXECUTOR_MAX_LOG) {
        h->left_out += text.n;
        return;
    }
    note_left_out(h);
    struct arena scratch = {0};
    add_text(h, copy_clean(&scratch, text));
    arena_done(&scratch);
    if (h->s->times[AT_LOG] == SCHEDULER_NEVER)
        scheduler_set_time(h->s, AT_LOG, loop_now(h->s->loop) + SCHEDULER_LOG_MS);
}

/* ---- the end */

static void set_follow_up(struct scheduler_attempt *h, const struct executor_end *end)
{
    struct scheduler *s = h->s;
    struct attempt_policy policy = s->o.policy;
    if (h->claim.max_attempts)
        policy.max_attempts = h->claim.max_attempts;
    struct attempt_follow_up v =
        attempt_policy_follow_up(&end->end, &policy, &h->claim.tries, rfc3339_now(), s->o.rng);
    const struct run_result *r = &end->result;
    struct str outcome = end->end.outcome.n ? end->end.outcome : r->outcome;
    h->end = (struct transaction_end){
        .task = h->claim.task,
        .number = h->claim.number,
        .follow_up = v,
        .outcome = copy_clean(&h->arena, outcome),
        .tool = copy_clean(&h->arena, r->tool),
        .model = copy_clean(&h->arena, r->model),
        .run = copy_clean(&h->arena, r->run),
        .files = copy_clean(&h->arena, r->files),
        .exit_code = end->end.code,
        .input_tokens = r->input_tokens,
        .output_tokens = r->output_tokens,
        .cost_usd = r->cost_usd,
    };
}

/* A machine that cannot start anything (its disk is full) must not claim one task after the other.
 * */
static void back_off_if_needed(struct scheduler *s, bool no_start, struct str why)
{
    if (!no_start) {
        s->no_starts = 0;
        return;
    }
    uint64_t ms = s->no_starts < 6 ? (uint64_t)BACKOFF_FIRST_MS << s->no_starts : BACKOFF_MOST_MS;
    if (s->no_starts++ == 0)
        scheduler_emit(s, (struct scheduler_event){.kind = SCHEDULER_WARN, .text = why});
    s->is_backing_off = true;
    scheduler_set_time(s, AT_BACKOFF, loop_now(s->loop) + ms);
}

static void end_attempt(struct scheduler_attempt *h, const struct executor_end *how)
{
    struct scheduler *s = h->s;
    bool was_running = h->state == HELD_RUNNING;
    release_worker(h);
    h->process = NULL;
    note_left_out(h);
    set_follow_up(h, how);
    if (h->is_lost) {
        if (list_is_empty(&h->pieces))
            scheduler_attempt_free(h);
    } else if (was_running) { /* the others were never reported as claimed */
        scheduler_emit(s, (struct scheduler_event){.kind = SCHEDULER_ENDED,
                                                   .task = h->claim.task,
                                                   .number = h->claim.number,
                                                   .name = h->claim.name,
                                                   .event = h->end.follow_up.event,
                                                   .outcome = h->end.outcome,
                                                   .tool = h->end.tool,
                                                   .model = h->end.model,
                                                   .wait_ms = h->end.follow_up.wait_ms,
                                                   .text = str_from(h->end.follow_up.why)});
        back_off_if_needed(s, how->end.kind == ATTEMPT_NO_START, how->end.why);
    }
    scheduler_request_transaction(s, false);
    scheduler_settle(s);
}

static void on_end(struct executor *e, const struct executor_end *how, void *ctx)
{
    (void)e;
    struct scheduler_attempt *h = ctx;
    assert(h->state == HELD_RUNNING);
    end_attempt(h, how);
}

/* ---- its life */

void scheduler_attempt_start(struct scheduler_attempt *h, int64_t deadline)
{
    struct scheduler *s = h->s;
    assert(h->state == HELD_CLAIMED);
    h->state = HELD_RUNNING;
    scheduler_emit(s, (struct scheduler_event){.kind = SCHEDULER_CLAIMED,
                                               .task = h->claim.task,
                                               .number = h->claim.number,
                                               .name = h->claim.name});
    struct executor_options o = {
        .claim = &h->claim,
        .tooling = s->o.tooling ? s->o.tooling(s->o.ctx) : NULL,
        .home = s->o.home,
        .self = s->o.self,
        .store = s->o.url,
        .deadline = deadline,
        .on_log = on_log,
        .on_end = on_end,
        .ctx = h,
    };
    h->process = s->executor.start(s->loop, &o);
}

void scheduler_attempt_extend(struct scheduler_attempt *h, int64_t deadline)
{
    assert(h->state == HELD_RUNNING);
    if (!h->is_lost)
        h->s->executor.hold(h->process, deadline);
}

void scheduler_attempt_stop(struct scheduler_attempt *h, enum attempt_end_kind why)
{
    if (h->state == HELD_CLAIMED) {
        struct executor_end how = {.end = {.kind = why}};
        h->is_stopped = true;
        end_attempt(h, &how);
    } else if (h->state == HELD_RUNNING) {
        h->is_stopped = true;
        h->s->executor.stop(h->process, why);
    }
}

void scheduler_attempt_confirm(struct scheduler_attempt *h, bool ok)
{
    LIST_EACH_SAFE (&h->pieces, struct scheduler_piece, link, p) {
        if (!p->is_sent)
            break;
        p->is_sent = false;
        if (ok)
            drop_piece(h, p);
    }
    if (h->state == HELD_SENT && !ok)
        h->state = HELD_ENDED;
    else if (h->state == HELD_SENT ||
             (h->state == HELD_ENDED && h->is_lost && list_is_empty(&h->pieces)))
        scheduler_attempt_free(h);
}
