/* Many processes with stores of their own claim and end tasks of a random graph, and are killed at
 * random. Shared memory records what really happens: which process works on a task, and whether its
 * dependencies are done. The lease of a killed process is made to expire at once. MANY_SEED,
 * MANY_TASKS and MANY_KILLS choose other sizes. */
#include "orchestrator/transaction.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "base/rng.h"
#include "tasks_kit.h"

#define WORKERS    6u
#define MOST_TASKS 2000u
#define MOST_NEEDS 4u
#define SLOTS      4u

struct record {
    _Atomic(pid_t) holder; /* the process that works on it; 0: none */
    atomic_uint done;      /* its work is done, and will be reported to the store */
    uint32_t needs[MOST_NEEDS], need_count;
};

struct shared {
    atomic_uint overlaps, too_early, failures, starts;
    uint32_t count;
    char why[512];
    struct record tasks[MOST_TASKS];
};

struct many {
    struct kit k;
    struct shared *shared;
    struct rng rng;
    unsigned generation;
    char (*dead)[32]; /* names */
    size_t dead_count, dead_cap;
};

static unsigned setting(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

/* ---- a worker: a process of its own */

struct worker {
    struct shared *shared;
    struct store *store;
    struct rng rng;
    char name[32];
    struct transaction_hold held[SLOTS];
    size_t held_count;
    struct transaction_end ends[SLOTS];
    size_t end_count;
};

static void begin(struct worker *w, const struct transaction_claim *c)
{
    struct record *r = &w->shared->tasks[c->task - 1];
    pid_t nobody = 0;
    if (!atomic_compare_exchange_strong(&r->holder, &nobody, getpid()))
        atomic_fetch_add(&w->shared->overlaps, 1);
    for (uint32_t i = 0; i < r->need_count; i++)
        if (!atomic_load(&w->shared->tasks[r->needs[i]].done))
            atomic_fetch_add(&w->shared->too_early, 1);
    atomic_fetch_add(&w->shared->starts, 1);
    w->held[w->held_count++] = (struct transaction_hold){c->task, c->number, false};
}

static void finish(struct worker *w, size_t i)
{
    struct transaction_hold h = w->held[i];
    struct record *r = &w->shared->tasks[h.task - 1];
    unsigned luck = (unsigned)rng_below(&w->rng, 10);
    struct transaction_end e = {.task = h.task, .number = h.number};
    e.follow_up.event = luck < 7 ? TASK_SUCCEED : luck < 9 ? TASK_RETRY : TASK_BACK;
    e.follow_up.counts = luck < 9;
    if (e.follow_up.event == TASK_SUCCEED)
        atomic_store(&r->done, 1);
    atomic_store(&r->holder, 0);
    w->ends[w->end_count++] = e;
    w->held[i] = w->held[--w->held_count];
}

static bool run_turn(struct worker *w, struct transaction *t)
{
    struct error err = {0};
    while (!store_run(w->store, STORE_ROWS, transaction_work, t, &err))
        if (store_last_failure(w->store) != STORE_UNAVAILABLE) {
            memcpy(w->shared->why, err.text, sizeof w->shared->why);
            atomic_fetch_add(&w->shared->failures, 1);
            return false;
        }
    return true;
}

/* One transaction, and some work. False: there is nothing left to do. */
static bool work(struct worker *w)
{
    const struct transaction_slot slot = {.free = SLOTS - (uint32_t)w->held_count};
    struct transaction t = {
        .owner = str_from(w->name),
        .host = STR("here"),
        .workers = SLOTS,
        .lease_ms = 600000,
        .renews = rng_below(&w->rng, 8) == 0,
        .ends = w->ends,
        .end_count = w->end_count,
        .slots = &slot,
        .slot_count = 1,
        .max_lost = 1000,
    };
    if (!run_turn(w, &t))
        return false;
    w->end_count = 0;
    for (size_t i = 0; i < t.claim_count; i++)
        begin(w, &t.claims[i]);
    bool is_idle = t.is_idle, has_claims = t.claim_count > 0;
    transaction_done(&t);
    for (size_t i = w->held_count; i-- > 0;)
        if (rng_below(&w->rng, 2))
            finish(w, i);
    if (!has_claims && !w->held_count && !w->end_count) /* other workers have all tasks */
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return !is_idle;
}

static _Noreturn void be_worker(const struct many *m, const char *name, uint64_t seed)
{
    struct worker w = {.shared = m->shared};
    alarm((unsigned)(test_left_ms() / 1000 + 1));
    rng_seed(&w.rng, seed);
    snprintf(w.name, sizeof w.name, "%s", name);
    struct error err = {0};
    enum store_failure failure;
    do
        w.store = tasks_open(m->k.url, false, &failure, &err);
    while (!w.store && failure == STORE_UNAVAILABLE);
    if (!w.store) {
        memcpy(m->shared->why, err.text, sizeof m->shared->why);
        atomic_fetch_add(&m->shared->failures, 1);
        _exit(1);
    }
    while (work(&w))
        continue;
    _exit(0); /* without closing what the parent has open */
}

/* ---- the parent */

struct child {
    pid_t pid;
    char name[32];
};

static void start(struct many *m, struct child *c)
{
    snprintf(c->name, sizeof c->name, "w%u", m->generation++);
    uint64_t seed = rng_next(&m->rng);
    fflush(NULL);
    c->pid = fork();
    assert_true(c->pid >= 0);
    if (c->pid == 0)
        be_worker(m, c->name, seed);
}

/* Expire the leases of all dead processes. Repeat it, because a server may execute a statement
 * after the process that sent it was killed. */
static void end_leases(struct many *m)
{
    struct store_statement st = {
        .sql = "UPDATE orchestrator SET lease_until = 1, grace = 0 WHERE id = ?1"};
    struct error err = {0};
    for (size_t i = 0; i < m->dead_count; i++) {
        st.values[0] = STORE_TEXT(str_from(m->dead[i]));
        if (!store_run(m->k.store, STORE_ROWS, kit_sql_work, &st, &err))
            fail_msg("%s", err.text);
    }
}

/* A dead process holds nothing. */
static void bury(struct many *m, struct child *c)
{
    for (uint32_t i = 0; i < m->shared->count; i++) {
        pid_t pid = c->pid;
        atomic_compare_exchange_strong(&m->shared->tasks[i].holder, &pid, 0);
    }
    mem_grow((void **)&m->dead, &m->dead_cap, m->dead_count + 1, sizeof *m->dead);
    memcpy(m->dead[m->dead_count++], c->name, sizeof c->name);
    c->pid = 0;
}

static void make_tasks(struct many *m, uint32_t count)
{
    struct task_new *news = mem_zalloc(count * sizeof *news);
    m->shared->count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct record *r = &m->shared->tasks[i];
        struct buf needs = {0};
        char name[16];
        uint32_t wanted = i ? (uint32_t)rng_below(&m->rng, MOST_NEEDS + 1) : 0;
        for (uint32_t k = 0; k < wanted; k++) {
            uint32_t need = (uint32_t)rng_below(&m->rng, i);
            bool is_there = false;
            for (uint32_t n = 0; n < r->need_count; n++)
                is_there = is_there || r->needs[n] == need;
            if (is_there)
                continue;
            r->needs[r->need_count++] = need;
            buf_printf(&needs, "%st%u", needs.n ? " " : "", need);
        }
        snprintf(name, sizeof name, "t%u", i);
        news[i] = kit_new(&m->k, name, needs.n ? needs.p : "");
        buf_done(&needs);
    }
    struct error err = {0};
    if (!kit_try_add(&m->k, news, count, &err))
        fail_msg("%s", err.text);
    free(news);
}

static void kill_some(struct many *m, struct child *children, unsigned kills)
{
    for (unsigned i = 0; i < kills; i++) {
        struct child *c = &children[rng_below(&m->rng, WORKERS)];
        nanosleep(&(struct timespec){.tv_nsec = (long)rng_below(&m->rng, 30000000)}, NULL);
        kill(c->pid, SIGKILL);
        assert_int_equal(waitpid(c->pid, NULL, 0), c->pid);
        bury(m, c);
        end_leases(m);
        start(m, c);
    }
}

static void wait_for_all(struct many *m, struct child *children)
{
    for (unsigned left = WORKERS; left;) {
        for (unsigned i = 0; i < WORKERS; i++)
            if (children[i].pid && waitpid(children[i].pid, NULL, WNOHANG) > 0) {
                bury(m, &children[i]);
                left--;
            }
        end_leases(m);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}

/* ---- what the store says afterwards */

struct story {
    const struct shared *shared;
    enum task_state states[MOST_TASKS];
    uint32_t claims[MOST_TASKS], ends[MOST_TASKS];
    uint32_t attempts[MOST_TASKS], successes[MOST_TASKS];
};

static enum task_event event_of(struct str kind, enum task_state state)
{
    static const struct {
        const char *kind;
        enum task_event event;
    } kinds[] = {{"claimed", TASK_CLAIM},
                 {"succeeded", TASK_SUCCEED},
                 {"retry", TASK_RETRY},
                 {"back", TASK_BACK},
                 {"lost", TASK_BACK}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_eq(kind, str_from(kinds[i].kind)))
            return kinds[i].event;
    assert_true(str_eq(kind, STR("ready")));
    return state == TASK_PENDING ? TASK_FREE : TASK_DUE;
}

/* The events of each task in the feed must be a path through the table of states. */
static void on_event(const struct task_event_row *e, void *ctx)
{
    struct story *s = ctx;
    assert_in_range(e->task, 1, s->shared->count);
    size_t i = (size_t)e->task - 1;
    if (str_eq(e->kind, STR("added"))) {
        s->states[i] = s->shared->tasks[i].need_count ? TASK_PENDING : TASK_READY;
        return;
    }
    enum task_state next = task_state_next(s->states[i], event_of(e->kind, s->states[i]));
    if (next == TASK_STATE_COUNT)
        fail_msg("task %zu: %.*s while %s", i, STR_ARG(e->kind), task_state_name(s->states[i]));
    s->claims[i] += next == TASK_RUNNING;
    s->ends[i] += s->states[i] == TASK_RUNNING;
    s->states[i] = next;
    if (next == TASK_RUNNING) /* all its dependencies have succeeded */
        for (uint32_t k = 0; k < s->shared->tasks[i].need_count; k++)
            assert_int_equal(s->states[s->shared->tasks[i].needs[k]], TASK_SUCCEEDED);
}

static void on_attempt(const struct attempt_row *a, void *ctx)
{
    struct story *s = ctx;
    size_t i = (size_t)a->task - 1;
    assert_int_equal(a->number, ++s->attempts[i]);
    assert_true(a->ended >= a->started && a->started > 0);
    assert_int_equal(s->successes[i], 0); /* nothing follows a success */
    s->successes[i] += str_eq(a->end, STR("succeeded"));
}

static bool read_story(struct store *store, void *ctx, struct error *err)
{
    struct story *s = ctx;
    bool ok = tasks_events(store, &(struct tasks_event_filter){0}, on_event, s, err);
    for (uint32_t i = 0; ok && i < s->shared->count; i++)
        ok = tasks_attempts(store, i + 1, on_attempt, s, err);
    return ok;
}

static void on_final(const struct task_row *t, void *ctx)
{
    const struct story *s = ctx;
    size_t i = (size_t)t->id - 1;
    assert_int_equal(t->state, TASK_SUCCEEDED);
    assert_int_equal(s->states[i], TASK_SUCCEEDED);
    assert_int_equal(s->successes[i], 1);
    assert_int_equal(s->attempts[i], t->attempts);
    assert_int_equal(s->claims[i], t->attempts);
    assert_int_equal(s->ends[i], t->attempts);
    assert_int_equal(t->open_needs, 0);
    assert_int_equal(t->owner.n, 0);
}

static bool check_final(struct store *store, void *ctx, struct error *err)
{
    return tasks_each(store, NULL, on_final, ctx, err);
}

TEST(no_attempt_overlaps_and_every_task_ends_once)
{
    struct many *m = mem_zalloc(sizeof *m);
    struct story *story = mem_zalloc(sizeof *story);
    struct child children[WORKERS];
    struct error err = {0};
    kit_begin(&m->k);
    m->shared =
        mmap(NULL, sizeof *m->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(m->shared != MAP_FAILED);
    rng_seed(&m->rng, setting("MANY_SEED", 1));
    make_tasks(m, setting("MANY_TASKS", 300));
    for (unsigned i = 0; i < WORKERS; i++)
        start(m, &children[i]);
    kill_some(m, children, setting("MANY_KILLS", 25));
    wait_for_all(m, children);
    if (m->shared->failures)
        fail_msg("%s", m->shared->why);
    print_message("%u tasks, %u starts, %u workers\n", m->shared->count, m->shared->starts,
                  m->generation);
    assert_int_equal(m->shared->overlaps, 0);
    assert_int_equal(m->shared->too_early, 0);
    story->shared = m->shared;
    if (!store_run(m->k.store, STORE_READ, read_story, story, &err) ||
        !store_run(m->k.store, STORE_READ, check_final, story, &err))
        fail_msg("%s", err.text);
    munmap(m->shared, sizeof *m->shared);
    kit_done(&m->k);
    free(story);
    free(m->dead);
    free(m);
}
