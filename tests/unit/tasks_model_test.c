/* Random changes by people and transactions, compared with a small model. After each step the whole
 * store must agree with it. MODEL_SEED and MODEL_ROUNDS choose other sequences. */
#include "orchestrator/transaction.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/rng.h"
#include "tasks_kit.h"

#define MOST       40u
#define OWNERS     3u
#define STEPS      120u
#define MOST_LOST  3u
#define SOME_SEEDS 12u

/* A task of the model stores only its own changes; PENDING, READY and blocked by others follow from
 * its dependencies. */
enum own {
    OWN_GONE, /* not added, or removed */
    OWN_WAITS,
    OWN_RUNS,
    OWN_LATER, /* RETRY_WAIT */
    OWN_DONE,
    OWN_FAILED,
    OWN_GAVE_UP,
    OWN_CANCELLED
};

struct mtask {
    enum own own;
    int64_t id;
    uint32_t attempts, counted, lost;
    unsigned owner;
    bool cancel, is_due, is_other_pool;
    bool needs[MOST];
};

struct model {
    struct kit k;
    struct rng rng;
    struct mtask tasks[MOST];
    unsigned count;
    bool is_paused, is_over[OWNERS]; /* its lease */
};

static const char *const owner_names[OWNERS] = {"o0", "o1", "o2"};

static unsigned below(struct model *m, unsigned n)
{
    return (unsigned)rng_below(&m->rng, n);
}

static bool is_bad(const struct mtask *t)
{
    return t->own == OWN_FAILED || t->own == OWN_GAVE_UP || t->own == OWN_CANCELLED;
}

static bool is_blocked(const struct model *m, unsigned i)
{
    for (unsigned n = 0; n < i; n++)
        if (m->tasks[i].needs[n] && (is_bad(&m->tasks[n]) || is_blocked(m, n)))
            return true;
    return false;
}

static uint32_t open_needs(const struct model *m, unsigned i)
{
    uint32_t open = 0;
    for (unsigned n = 0; n < i; n++)
        open += m->tasks[i].needs[n] && m->tasks[n].own != OWN_DONE;
    return open;
}

static enum task_state state_of(const struct model *m, unsigned i)
{
    switch (m->tasks[i].own) {
    case OWN_WAITS:
        return !open_needs(m, i) ? TASK_READY : is_blocked(m, i) ? TASK_BLOCKED : TASK_PENDING;
    case OWN_RUNS:
        return TASK_RUNNING;
    case OWN_LATER:
        return TASK_RETRY_WAIT;
    case OWN_DONE:
        return TASK_SUCCEEDED;
    case OWN_FAILED:
        return TASK_FAILED;
    case OWN_GAVE_UP:
        return TASK_BLOCKED;
    case OWN_CANCELLED:
        return TASK_CANCELLED;
    case OWN_GONE:
        break;
    }
    return TASK_STATE_COUNT;
}

/* ---- comparing */

static unsigned by_id(const struct model *m, int64_t id)
{
    for (unsigned i = 0; i < m->count; i++)
        if (m->tasks[i].id == id)
            return i;
    return MOST;
}

struct compare {
    struct model *m;
    unsigned seen;
};

static void on_compared(const struct task_row *t, void *ctx)
{
    struct compare *c = ctx;
    unsigned i = by_id(c->m, t->id);
    assert_true(i < MOST && c->m->tasks[i].own != OWN_GONE);
    const struct mtask *want = &c->m->tasks[i];
    c->seen++;
    if (t->state != state_of(c->m, i))
        fail_msg("%.*s is %s, not %s", STR_ARG(t->name), task_state_name(t->state),
                 task_state_name(state_of(c->m, i)));
    assert_int_equal(t->open_needs, open_needs(c->m, i));
    assert_int_equal(t->attempts, want->attempts);
    assert_int_equal(t->counted, want->counted);
    assert_int_equal(t->lost, want->lost);
    assert_int_equal(t->cancel, want->own == OWN_RUNS && want->cancel);
    CHECK_CSTR(t->owner, want->own == OWN_RUNS ? owner_names[want->owner] : "");
    assert_int_equal(t->due != 0, want->own == OWN_LATER);
    assert_int_equal(t->ended != 0, is_bad(want) || want->own == OWN_DONE);
    bool is_because = t->state == TASK_BLOCKED && want->own == OWN_WAITS;
    assert_int_equal(str_starts(t->why, STR("needs ")), is_because);
    if (is_because) { /* "needs t12, which is FAILED": a failed task upstream */
        struct str rest = str_skip(t->why, 7), number;
        uint64_t by = 0;
        str_cut(&rest, ',', &number);
        assert_true(str_to_u64(number, &by) && by < i && is_bad(&c->m->tasks[by]));
    }
}

static bool compare_work(struct store *s, void *ctx, struct error *err)
{
    ((struct compare *)ctx)->seen = 0;
    return tasks_each(s, NULL, on_compared, ctx, err);
}

static void check_counts(struct model *m, const struct tasks_counts *c)
{
    uint64_t want[TASK_STATE_COUNT + 1] = {0};
    for (unsigned i = 0; i < m->count; i++)
        want[state_of(m, i)]++;
    for (enum task_state s = 0; s < TASK_STATE_COUNT; s++)
        assert_int_equal(c->by_state[s], want[s]);
    assert_int_equal(c->first_due != 0, want[TASK_RETRY_WAIT] > 0);
}

static bool count_work(struct store *s, void *ctx, struct error *err)
{
    return tasks_count(s, ctx, err);
}

static void compare(struct model *m)
{
    struct compare c = {.m = m};
    struct tasks_counts counts;
    struct error err = {0};
    if (!store_run(m->k.store, STORE_READ, compare_work, &c, &err) ||
        !store_run(m->k.store, STORE_READ, count_work, &counts, &err))
        fail_msg("%s", err.text);
    unsigned there = 0;
    for (unsigned i = 0; i < m->count; i++)
        there += m->tasks[i].own != OWN_GONE;
    assert_int_equal(c.seen, there);
    check_counts(m, &counts);
}

/* ---- persons */

static void add(struct model *m)
{
    struct task_new news[4];
    unsigned first = m->count, count = 1 + below(m, 4);
    for (unsigned n = 0; n < count && m->count < MOST; n++, m->count++) {
        struct mtask *t = &m->tasks[m->count];
        struct buf needs = {0};
        char name[16];
        *t = (struct mtask){.own = OWN_WAITS, .is_other_pool = below(m, 4) == 0};
        for (unsigned i = 0; i < m->count; i++) {
            t->needs[i] = m->tasks[i].own != OWN_GONE && below(m, m->count - i + 1) == 0;
            if (t->needs[i])
                buf_printf(&needs, "%st%u", needs.n ? " " : "", i);
        }
        snprintf(name, sizeof name, "t%u", m->count);
        news[n] = kit_new(&m->k, name, needs.n ? needs.p : "");
        news[n].pool = t->is_other_pool ? STR("other") : STR("");
        buf_done(&needs);
    }
    struct error err = {0};
    if (!kit_try_add(&m->k, news, m->count - first, &err))
        fail_msg("%s", err.text);
    for (unsigned i = first; i < m->count; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%u", i);
        m->tasks[i].id = kit_row(&m->k, name).id;
    }
}

static bool change_works(struct model *m, struct kit_change *c)
{
    struct error err = {0};
    bool ok = store_run(m->k.store, STORE_ROWS, kit_change_work, c, &err);
    assert_true(ok || err.code == ERR_TASK_STATE);
    return ok;
}

static void cancel(struct model *m, unsigned i)
{
    struct mtask *t = &m->tasks[i];
    char name[16];
    snprintf(name, sizeof name, "t%u", i);
    struct kit_change c = {.name = name, .change = tasks_cancel};
    bool is_over = t->own == OWN_DONE || t->own == OWN_FAILED || t->own == OWN_CANCELLED;
    enum task_state before = state_of(m, i);
    assert_int_equal(change_works(m, &c), !is_over);
    if (is_over)
        return;
    assert_int_equal(c.out.before, before);
    assert_int_equal(c.out.asked, t->own == OWN_RUNS);
    if (t->own == OWN_RUNS)
        t->cancel = true;
    else
        t->own = OWN_CANCELLED;
    assert_int_equal(c.out.after, state_of(m, i));
}

static void retry(struct model *m, unsigned i)
{
    struct mtask *t = &m->tasks[i];
    char name[16];
    snprintf(name, sizeof name, "t%u", i);
    struct kit_change c = {.name = name, .change = tasks_retry};
    bool makes_sense = is_bad(t) || t->own == OWN_LATER;
    enum task_state before = state_of(m, i);
    assert_int_equal(change_works(m, &c), makes_sense);
    if (!makes_sense)
        return;
    t->own = OWN_WAITS;
    t->counted = t->lost = 0;
    assert_int_equal(c.out.before, before);
    assert_int_equal(c.out.after, state_of(m, i));
}

static void drop(struct model *m, unsigned i)
{
    bool is_needed = false;
    char name[16];
    struct error err = {0};
    snprintf(name, sizeof name, "t%u", i);
    for (unsigned n = i + 1; n < m->count; n++)
        is_needed = is_needed || (m->tasks[n].own != OWN_GONE && m->tasks[n].needs[i]);
    bool ok = store_run(m->k.store, STORE_ROWS, kit_remove_work, name, &err);
    assert_int_equal(ok, !is_needed && m->tasks[i].own != OWN_RUNS);
    if (ok) {
        m->tasks[i].own = OWN_GONE;
        m->tasks[i].id = 0;
    }
}

/* ---- transactions */

/* The end of an attempt: reported by the owner, or because its lease expired. */
static void end_in_model(struct mtask *t, const struct attempt_follow_up *v)
{
    enum task_event event = t->cancel && v->event != TASK_SUCCEED ? TASK_CANCEL : v->event;
    static const enum own after[TASK_EVENT_COUNT] = {
        [TASK_SUCCEED] = OWN_DONE,    [TASK_RETRY] = OWN_LATER, [TASK_FAIL] = OWN_FAILED,
        [TASK_GIVE_UP] = OWN_GAVE_UP, [TASK_BACK] = OWN_WAITS,  [TASK_CANCEL] = OWN_CANCELLED,
    };
    t->own = after[event];
    t->counted += v->counts;
    t->lost = v->lost ? t->lost + 1 : 0;
    t->cancel = t->is_due = false;
}

static void take_away(struct model *m, unsigned by)
{
    for (unsigned i = 0; i < m->count; i++) {
        struct mtask *t = &m->tasks[i];
        if (t->own != OWN_RUNS || t->owner == by || !m->is_over[t->owner])
            continue;
        bool is_last = t->lost + 1 >= MOST_LOST;
        end_in_model(t, &(struct attempt_follow_up){.event = is_last ? TASK_GIVE_UP : TASK_BACK,
                                                    .lost = true});
    }
}

static void end_waits(struct model *m)
{
    for (unsigned i = 0; i < m->count; i++)
        if (m->tasks[i].own == OWN_LATER && m->tasks[i].is_due)
            m->tasks[i].own = OWN_WAITS;
}

/* Make the expected claims in the model, and compare. */
static void claim(struct model *m, unsigned by, const struct transaction *t)
{
    size_t claimed = 0;
    for (size_t s = 0; s < t->slot_count; s++) {
        uint32_t left = m->is_paused ? 0 : t->slots[s].free;
        bool any = !t->slots[s].pool.n, other = str_eq(t->slots[s].pool, STR("other"));
        for (unsigned i = 0; i < m->count && left; i++) {
            struct mtask *task = &m->tasks[i];
            if (state_of(m, i) != TASK_READY || (!any && other != task->is_other_pool))
                continue;
            task->own = OWN_RUNS;
            task->owner = by;
            task->attempts++;
            left--;
            claimed++;
        }
    }
    assert_int_equal(t->claim_count, claimed);
    for (size_t i = 0; i < t->claim_count; i++) {
        const struct mtask *task = &m->tasks[by_id(m, t->claims[i].task)];
        assert_true(task->own == OWN_RUNS && task->owner == by);
        assert_int_equal(task->attempts, t->claims[i].number);
        assert_int_equal(task->counted, t->claims[i].tries.counted);
        assert_int_equal(task->lost, t->claims[i].tries.lost);
        assert_true(i == 0 || t->claims[i - 1].task < t->claims[i].task);
    }
}

static void check_outputs(struct model *m, unsigned by, const struct transaction *t)
{
    bool can_run = false, has_failed = false;
    size_t held = 0;
    for (unsigned i = 0; i < m->count; i++) {
        enum task_state s = state_of(m, i);
        can_run = can_run || s == TASK_PENDING || s == TASK_READY || s == TASK_RUNNING ||
                  s == TASK_RETRY_WAIT;
        has_failed = has_failed || s == TASK_FAILED || s == TASK_BLOCKED;
        held += s == TASK_RUNNING && m->tasks[i].owner == by;
    }
    if (!t->claim_count && t->slots[0].free) {
        assert_int_equal(t->is_idle, !can_run);
        assert_int_equal(t->has_failed, has_failed);
    }
    if (t->renews)
        assert_int_equal(t->hold_count, held);
    for (size_t i = 0; i < t->hold_count; i++) {
        const struct mtask *task = &m->tasks[by_id(m, t->holds[i].task)];
        assert_true(task->own == OWN_RUNS && task->owner == by);
        assert_int_equal(task->attempts, t->holds[i].number);
        assert_int_equal(task->cancel, t->holds[i].cancel);
    }
    assert_int_equal(t->control.mode, m->is_paused ? TASKS_PAUSED : TASKS_RUNNING);
}

static struct attempt_follow_up random_verdict(struct model *m)
{
    static const enum task_event events[] = {TASK_SUCCEED, TASK_SUCCEED, TASK_SUCCEED, TASK_RETRY,
                                             TASK_FAIL,    TASK_GIVE_UP, TASK_BACK,    TASK_CANCEL};
    struct attempt_follow_up v = {.event = events[below(m, sizeof events / sizeof *events)],
                                  .wait_ms = 3600000};
    v.counts = v.event == TASK_SUCCEED || (v.event != TASK_BACK && below(m, 2));
    v.lost = v.event == TASK_RETRY && below(m, 3) == 0;
    return v;
}

/* Ends that the owner reports: of its own attempts, of other owners, of old attempts, duplicates.
 * */
static size_t choose_ends(struct model *m, unsigned by, struct transaction_end *ends)
{
    size_t count = 0;
    for (unsigned i = 0; i < m->count; i++) {
        const struct mtask *t = &m->tasks[i];
        if (!t->id || below(m, t->own == OWN_RUNS && t->owner == by ? 2 : 12))
            continue;
        ends[count++] = (struct transaction_end){
            .task = t->id, .number = t->attempts, .follow_up = random_verdict(m)};
        if (below(m, 8) == 0)
            ends[count - 1].number += below(m, 2) ? 2 : UINT32_MAX;
        else if (below(m, 8) == 0 && ++count)
            ends[count - 1] = ends[count - 2];
    }
    return count;
}

static void apply_ends(struct model *m, unsigned by, const struct transaction *t)
{
    for (size_t i = 0; i < t->end_count; i++) {
        struct mtask *task = &m->tasks[by_id(m, t->ends[i].task)];
        if (task->own == OWN_RUNS && task->owner == by && task->attempts == t->ends[i].number)
            end_in_model(task, &t->ends[i].follow_up);
    }
}

/* The answer of the commit was lost: the same transaction again changes nothing and returns the
 * same. */
static void run_again(struct model *m, unsigned by, struct transaction *t)
{
    struct transaction_hold before[2 * MOST];
    size_t count = t->claim_count;
    for (size_t i = 0; i < count; i++)
        before[i] = (struct transaction_hold){t->claims[i].task, t->claims[i].number, false};
    kit_run(&m->k, t);
    assert_int_equal(t->claim_count, count);
    for (size_t i = 0; i < count; i++)
        assert_true(t->claims[i].task == before[i].task && t->claims[i].number == before[i].number);
    check_outputs(m, by, t);
}

static void transaction(struct model *m)
{
    struct transaction_end ends[2 * MOST];
    unsigned by = below(m, OWNERS), pools = below(m, 3);
    const struct transaction_slot slots[] = {
        {.pool = pools == 1 ? STR("other") : STR(""), .free = below(m, 4)},
        {.pool = STR("default"), .free = below(m, 3)},
    };
    struct transaction t = kit_transaction(&m->k, owner_names[by], 0);
    t.slots = slots;
    t.slot_count = pools ? 2 : 1;
    t.max_lost = MOST_LOST;
    t.renews = below(m, 3) == 0;
    t.ends = ends;
    t.end_count = choose_ends(m, by, ends);
    kit_run(&m->k, &t);
    apply_ends(m, by, &t);
    take_away(m, by);
    end_waits(m);
    if (t.renews || (!m->is_paused && (slots[0].free || (pools && slots[1].free))))
        m->is_over[by] = false;
    claim(m, by, &t);
    check_outputs(m, by, &t);
    if (below(m, 3) == 0)
        run_again(m, by, &t);
    transaction_done(&t);
}

/* ---- time */

static void set(struct model *m, struct store_statement st)
{
    struct error err = {0};
    if (!store_run(m->k.store, STORE_ROWS, kit_sql_work, &st, &err))
        fail_msg("%s", err.text);
}

static void pass_time(struct model *m)
{
    unsigned i = below(m, m->count ? m->count : 1), o = below(m, OWNERS);
    if (m->count && m->tasks[i].own == OWN_LATER) {
        set(m, (struct store_statement){"UPDATE status SET due = 1 WHERE task = ?1",
                                        {STORE_INT(m->tasks[i].id)}});
        m->tasks[i].is_due = true;
    } else {
        set(m, (struct store_statement){"UPDATE orchestrator SET lease_until = 1, grace = 0"
                                        " WHERE id = ?1",
                                        {STORE_TEXT(str_from(owner_names[o]))}});
        m->is_over[o] = true;
    }
}

static void step(struct model *m)
{
    unsigned what = below(m, 20), i = below(m, m->count ? m->count : 1);
    bool is_there = m->count && m->tasks[i].own != OWN_GONE;
    if (what < 3 && m->count < MOST)
        add(m);
    else if (what == 3 && is_there)
        cancel(m, i);
    else if (what < 6 && is_there)
        retry(m, i);
    else if (what == 6 && is_there)
        drop(m, i);
    else if (what < 9)
        pass_time(m);
    else if (what == 9 && below(m, 3) == 0) {
        m->is_paused = !m->is_paused;
        kit_mode(&m->k, m->is_paused ? tasks_pause : tasks_resume);
    } else
        transaction(m);
    compare(m);
}

/* ---- the feed says where each task stands */

struct replay {
    struct model *m;
    int64_t last;
    size_t events;
};

static void on_event(const struct task_event_row *e, void *ctx)
{
    struct replay *r = ctx;
    assert_true(e->id > r->last);
    assert_true(e->kind.n && str_starts(e->told, STR("{")));
    r->last = e->id;
    r->events++;
}

static bool events_work(struct store *s, void *ctx, struct error *err)
{
    struct replay *r = ctx;
    return tasks_events(s, &(struct tasks_event_filter){.after = r->last}, on_event, r, err);
}

static void run_seed(uint64_t seed)
{
    struct model *m = mem_zalloc(sizeof *m);
    kit_begin(&m->k);
    rng_seed(&m->rng, seed);
    print_message("seed %" PRIu64 "\n", seed);
    for (unsigned i = 0; i < STEPS; i++)
        step(m);
    struct replay r = {.m = m};
    struct error err = {0};
    if (!store_run(m->k.store, STORE_READ, events_work, &r, &err))
        fail_msg("%s", err.text);
    assert_true(r.events > STEPS / 4);
    kit_done(&m->k);
    free(m);
}

TEST(random_changes_agree_with_the_model)
{
    const char *seed = getenv("MODEL_SEED"), *rounds = getenv("MODEL_ROUNDS");
    uint64_t first = seed ? strtoull(seed, NULL, 10) : 1;
    uint64_t count = rounds ? strtoull(rounds, NULL, 10) : seed ? 1 : SOME_SEEDS;
    for (uint64_t i = 0; i < count; i++)
        run_seed(first + i);
}
