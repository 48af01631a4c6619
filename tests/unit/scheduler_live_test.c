/* Schedulers on the real loop and both kinds of store: three in one process, like three machines,
 * with an executor whose attempts take some milliseconds. */
#include <stdlib.h>

#include "base/mem.h"
#include "orchestrator/scheduler.h"
#include "store_url.h"
#include "test.h"

#define CREWS   3u
#define TASKS   150u
#define WORKERS 4u
#define LINES   3u

struct crew {
    struct scheduler *s;
    struct rng rng;
    uint32_t running, most, ended;
    bool is_over;
    enum scheduler_end how;
};

struct job {
    struct executor_options o;
    size_t task; /* from 0 */
    unsigned line;
    struct timer timer;
    enum attempt_end_kind stop;
};

static struct {
    struct loop *loop;
    struct store *store;
    char url[4096];
    struct rng rng;
    struct crew crews[CREWS];
    struct timer limit;
    struct job *jobs[TASKS]; /* the one that runs */
    unsigned started[TASKS], done[TASKS], lines[TASKS];
    unsigned needs[TASKS][3], need_count[TASKS];
    bool fails[TASKS]; /* its first attempt */
    bool waits;        /* attempts last until they are stopped */
    unsigned overs;
} live;

/* ---- the executor */

static void go_on(void *ctx);

static void *start(struct loop *loop, const struct executor_options *options)
{
    struct job *j = mem_zalloc(sizeof *j);
    j->o = *options;
    j->task = (size_t)options->claim->task - 1;
    assert_true(j->task < TASKS);
    assert_null(live.jobs[j->task]); /* no attempt overlaps another of its task */
    assert_int_equal(live.done[j->task], 0);
    for (unsigned i = 0; i < live.need_count[j->task]; i++)
        assert_int_equal(live.done[live.needs[j->task][i]], 1);
    live.jobs[j->task] = j;
    live.started[j->task]++;
    if (!live.waits)
        timer_start(&j->timer, loop, 1 + rng_below(&live.rng, 5), go_on, j);
    return j;
}

static void end(struct job *j, struct attempt_end how)
{
    struct executor_end told = {.end = how};
    live.jobs[j->task] = NULL;
    live.done[j->task] += how.kind == ATTEMPT_EXITED && how.code == 0;
    timer_stop(&j->timer);
    j->o.on_end(NULL, &told, j->o.ctx);
    free(j);
}

static void go_on(void *ctx)
{
    struct job *j = ctx;
    char text[64];
    if (j->line < LINES) {
        int n = snprintf(text, sizeof text, "%zu: line %u\n", j->task, ++j->line);
        j->o.on_log(NULL, str_make(text, (size_t)n), j->o.ctx);
        timer_start(&j->timer, live.loop, rng_below(&live.rng, 4), go_on, j);
        return;
    }
    bool fails = live.fails[j->task] && live.started[j->task] == 1;
    end(j, (struct attempt_end){.kind = ATTEMPT_EXITED, .code = fails ? 1 : 0});
}

static void end_stopped(void *ctx)
{
    struct job *j = ctx;
    end(j, (struct attempt_end){.kind = j->stop, .code = 130});
}

static void hold(void *attempt, int64_t deadline)
{
    struct job *j = attempt;
    assert_true(deadline > j->o.deadline - 1);
    j->o.deadline = deadline;
}

static void stop(void *attempt, enum attempt_end_kind why)
{
    struct job *j = attempt;
    j->stop = why;
    timer_start(&j->timer, live.loop, 1, end_stopped, j);
}

/* ---- schedulers */

static void on_event(const struct scheduler_event *e, void *ctx)
{
    struct crew *c = ctx;
    c->running = e->running;
    c->most = e->running > c->most ? e->running : c->most;
    c->ended += e->kind == SCHEDULER_ENDED;
    if (e->kind == SCHEDULER_STORE_FAILURE || e->kind == SCHEDULER_WARN ||
        e->kind == SCHEDULER_LOST)
        fail_msg("%.*s", STR_ARG(e->text));
}

static void on_end(struct scheduler *s, enum scheduler_end how, void *ctx)
{
    struct crew *c = ctx;
    assert_ptr_equal(s, c->s);
    c->is_over = true;
    c->how = how;
    if (++live.overs == CREWS)
        loop_stop(live.loop);
}

static void begin(struct crew *c, bool until_idle)
{
    static const struct scheduler_executor executor = {start, hold, stop};
    rng_seed(&c->rng, (uint64_t)(c - live.crews) + 1);
    c->s = scheduler_start(live.loop, &(struct scheduler_options){
                                          .url = live.url,
                                          .workers = WORKERS,
                                          .lease_ms = SCHEDULER_LEASE_MS,
                                          .policy = {.base_ms = 20},
                                          .executor = &executor,
                                          .until_idle = until_idle,
                                          .rng = &c->rng,
                                          .on_event = on_event,
                                          .on_end = on_end,
                                          .ctx = c,
                                      });
}

static void on_limit(void *ctx)
{
    (void)ctx;
    fail_msg("nothing happens any more");
}

static void run_loop(void)
{
    timer_start(&live.limit, live.loop, test_left_ms(), on_limit, NULL);
    loop_run(live.loop);
    timer_stop(&live.limit);
}

/* ---- the store, as another process sees it */

static void in_store(enum store_mode mode, store_fn *work, void *ctx)
{
    struct error err = {0};
    if (!store_run(live.store, mode, work, ctx, &err))
        fail_msg("%s", err.text);
}

static bool add_work(struct store *s, void *ctx, struct error *err)
{
    size_t count = *(size_t *)ctx;
    static char names[TASKS][16];
    static struct str needs[TASKS][3];
    static struct task_new news[TASKS];
    memset(news, 0, sizeof news);
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "t%zu", i);
        news[i].name = str_from(names[i]);
        news[i].spec = STR("version: 1\n");
        news[i].needs = needs[i];
        news[i].need_count = live.need_count[i];
        for (size_t k = 0; k < live.need_count[i]; k++)
            needs[i][k] = str_from(names[live.needs[i][k]]);
    }
    return tasks_add(s, news, count, err);
}

static void on_piece(const struct log_piece *p, void *ctx)
{
    uint64_t *last = ctx;
    assert_int_equal(p->seq, ++*last);
    for (size_t i = 0; i < p->text.n; i++)
        live.lines[p->task - 1] += p->text.p[i] == '\n';
}

static void on_attempt(const struct attempt_row *a, void *ctx)
{
    (void)ctx;
    live.started[a->task - 1]--;
}

static bool read_work(struct store *s, void *ctx, struct error *err)
{
    int64_t id = *(int64_t *)ctx;
    if (!tasks_attempts(s, id, on_attempt, NULL, err))
        return false;
    for (uint32_t number = 1; number <= 2; number++) {
        uint64_t last = 0;
        struct tasks_log_filter want = {.task = id, .number = number};
        if (!tasks_log(s, &want, on_piece, &last, err))
            return false;
    }
    return true;
}

static bool count_work(struct store *s, void *ctx, struct error *err)
{
    return tasks_count(s, ctx, err);
}

static bool resume_work(struct store *s, void *ctx, struct error *err)
{
    (void)ctx;
    return tasks_resume(s, err);
}

static bool stop_work(struct store *s, void *ctx, struct error *err)
{
    (void)ctx;
    return tasks_stop(s, err);
}

static int setup(void **state)
{
    memset(&live, 0, sizeof live);
    live.loop = loop_new();
    rng_seed(&live.rng, 42);
    test_store_begin(live.url, "tasks.db");
    struct error err = {0};
    live.store = tasks_open(live.url, false, NULL, &err);
    if (!live.store)
        fail_msg("%s", err.text);
    return 0;
}

static int teardown(void **state)
{
    loop_free(live.loop);
    store_close(live.store);
    test_store_end();
    return 0;
}

/* ---- tests */

TEST_FIXTURE(setup, teardown);

TEST(three_schedulers_share_the_work_and_nothing_runs_twice)
{
    size_t count = TASKS;
    for (unsigned i = 1; i < TASKS; i++) {
        live.fails[i] = rng_below(&live.rng, 10) == 0;
        unsigned most = (unsigned)rng_below(&live.rng, 4);
        for (unsigned k = 0; k < most && live.need_count[i] < 3; k++) {
            unsigned of = (unsigned)rng_below(&live.rng, i);
            bool has = false;
            for (unsigned m = 0; m < live.need_count[i]; m++)
                has = has || live.needs[i][m] == of;
            if (!has)
                live.needs[i][live.need_count[i]++] = of;
        }
    }
    in_store(STORE_ROWS, add_work, &count);
    for (size_t i = 0; i < CREWS; i++)
        begin(&live.crews[i], true);
    run_loop();
    for (size_t i = 0; i < CREWS; i++) {
        assert_int_equal(live.crews[i].how, SCHEDULER_WAS_IDLE);
        assert_in_range(live.crews[i].most, 1, WORKERS);
        assert_int_equal(live.crews[i].running, 0);
    }
    for (int64_t id = 1; id <= (int64_t)TASKS; id++) {
        unsigned attempts = live.fails[id - 1] ? 2 : 1;
        assert_int_equal(live.done[id - 1], 1);
        assert_int_equal(live.started[id - 1], attempts);
        in_store(STORE_READ, read_work, &id);
        assert_int_equal(live.started[id - 1], 0); /* each attempt has a row */
        assert_int_equal(live.lines[id - 1], attempts * LINES);
    }
}

static unsigned running(void)
{
    unsigned n = 0;
    for (size_t i = 0; i < TASKS; i++)
        n += live.jobs[i] != NULL;
    return n;
}

static struct timer look;
static unsigned phase;

/* Everything follows notifications; the schedulers have no due timers. */
static void on_look(void *ctx)
{
    (void)ctx;
    struct tasks_counts counts;
    size_t count = CREWS * WORKERS;
    bool is_full = running() == CREWS * WORKERS;
    if (phase == 0) { /* idle: add work */
        in_store(STORE_ROWS, add_work, &count);
        phase++;
    } else if (phase == 1 && is_full) {
        in_store(STORE_ROWS, stop_work, NULL);
        phase++;
    } else if (phase == 2 && running() == 0) {
        in_store(STORE_READ, count_work, &counts);
        if (counts.by_state[TASK_READY] == count) {
            in_store(STORE_ROWS, resume_work, NULL);
            phase++;
        }
    } else if (phase == 3 && is_full) {
        for (size_t i = 0; i < CREWS; i++)
            scheduler_halt(live.crews[i].s);
        return;
    }
    timer_start(&look, live.loop, 20, on_look, NULL);
}

TEST(notifications_are_enough_without_polling)
{
    live.waits = true;
    phase = 0;
    for (size_t i = 0; i < CREWS; i++)
        begin(&live.crews[i], false);
    timer_start(&look, live.loop, 300, on_look, NULL);
    run_loop();
    struct tasks_counts counts;
    in_store(STORE_READ, count_work, &counts);
    assert_int_equal(counts.by_state[TASK_READY], CREWS * WORKERS);
    for (size_t i = 0; i < CREWS; i++)
        assert_int_equal(live.crews[i].how, SCHEDULER_HALTED);
}

/* The scheduler becomes idle at some time and stays so; the limit is for one that does not. */
static void on_quiet(void *ctx)
{
    static uint64_t before;
    struct crew *c = ctx;
    uint64_t now = scheduler_transactions(c->s);
    if (now && now == before)
        scheduler_drain(c->s);
    else
        timer_start(&look, live.loop, 1500, on_quiet, c);
    before = now;
}

TEST(an_idle_scheduler_does_nothing)
{
    live.overs = CREWS - 1;
    begin(&live.crews[0], false);
    timer_start(&look, live.loop, 100, on_quiet, &live.crews[0]);
    run_loop();
    assert_int_equal(live.crews[0].how, SCHEDULER_DRAINED);
}
