/* Fixture of the tests of the scheduler: a loop with a virtual clock, a store in a file, an
 * executor whose attempts end when the test ends them, and a text of all events.
 *
 *     add("a", NULL);
 *     begin(&(struct scheduler_options){.workers = 2});
 *     finish("a", 0);
 *     pass(1000);
 *     CHECK_SEEN("started; claimed a#1; ended a#1 succeed; idle");
 *
 * The store and the leases also use the time of the loop. The functions wrapped in meson.build are
 * replaced for the scheduler only; the test itself uses the real store.
 */
#pragma once

#include <stdlib.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/mem.h"
#include "loop_virtual.h"
#include "orchestrator/scheduler.h"
#include "process/supervisor.h"
#include "store/store_internal.h"
#include "store_url.h"
#include "test.h"

#define LEASE  60000u
#define MOMENT 5u /* ms; enough for everything that needs no time, and for notifications */

enum fault {
    FINE,
    GONE,
    ANSWER_LOST, /* the next commit succeeds but its answer is lost; then GONE until FINE */
    REFUSES
};

struct fake {
    struct list link;
    int64_t task;
    uint32_t number;
    char name[64];
    struct executor_options o;
    int64_t deadline;
    unsigned holds, stops;
    enum attempt_end_kind why; /* of the first stop */
};

static struct {
    struct loop *loop;
    struct scheduler *s;
    struct store *store; /* the test's own */
    char url[4096];
    struct buf seen;
    struct list fakes;
    struct rng rng;
    enum fault fault;
    uint64_t slow; /* ms to the store and back, of the next transaction */
    uint64_t ahead;
    unsigned runs; /* of the scheduler's transactions */
    enum scheduler_end how;
    bool is_over, logs;
    uint32_t most_at_once;
} test;

/* ---- the clocks, and the store that fails */

int64_t __wrap_rfc3339_now(void);
int64_t __wrap_supervisor_clock(void);
bool __wrap_store_run(struct store *s, enum store_mode mode, store_fn *work, void *ctx,
                      struct error *err);
bool __real_store_run(struct store *s, enum store_mode mode, store_fn *work, void *ctx,
                      struct error *err);

int64_t __wrap_rfc3339_now(void)
{
    return 1800000000000 + (int64_t)(test.ahead + loop_now(test.loop));
}

int64_t __wrap_supervisor_clock(void)
{
    return (int64_t)(test.ahead + loop_now(test.loop));
}

bool __wrap_store_run(struct store *s, enum store_mode mode, store_fn *work, void *ctx,
                      struct error *err)
{
    if (s == test.store)
        return __real_store_run(s, mode, work, ctx, err);
    test.runs++;
    test.ahead += test.slow;
    bool ok = (test.fault == FINE || test.fault == ANSWER_LOST) &&
              __real_store_run(s, mode, work, ctx, err);
    test.ahead += test.slow;
    test.slow = 0;
    if (test.fault == FINE)
        return ok;
    if (test.fault == ANSWER_LOST) {
        assert_true(ok);
        test.fault = GONE;
    }
    s->failure = test.fault == REFUSES ? STORE_REFUSED : STORE_UNAVAILABLE;
    return error_set(err, ERR_IO, test.fault == REFUSES ? "no such thing" : "the server is gone");
}

/* ---- attempts */

static inline void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline void say(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (test.seen.n)
        buf_add(&test.seen, STR("; "));
    buf_vprintf(&test.seen, fmt, args);
    va_end(args);
}

#define CHECK_SEEN(want)                                                                           \
    do {                                                                                           \
        CHECK_STR(buf_str(&test.seen), STR(want));                                                 \
        buf_clear(&test.seen);                                                                     \
    } while (0)

static inline void *fake_start(struct loop *loop, const struct executor_options *options)
{
    assert_ptr_equal(loop, test.loop);
    struct fake *f = mem_zalloc(sizeof *f);
    *f = (struct fake){.task = options->claim->task,
                       .number = options->claim->number,
                       .o = *options,
                       .deadline = options->deadline};
    snprintf(f->name, sizeof f->name, "%.*s", STR_ARG(options->claim->name));
    list_add(&test.fakes, &f->link);
    uint32_t n = (uint32_t)list_count(&test.fakes);
    test.most_at_once = n > test.most_at_once ? n : test.most_at_once;
    LIST_EACH (&test.fakes, struct fake, link, other)
        assert_true(other == f || other->task != f->task); /* never two attempts at one task */
    return f;
}

static inline void fake_hold(void *attempt, int64_t deadline)
{
    struct fake *f = attempt;
    f->holds++;
    f->deadline = deadline;
}

static inline void fake_stop(void *attempt, enum attempt_end_kind why)
{
    struct fake *f = attempt;
    if (f->stops++ == 0)
        f->why = why;
}

static inline struct fake *find(const char *name)
{
    LIST_EACH (&test.fakes, struct fake, link, f)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

static inline struct fake *need(const char *name)
{
    struct fake *f = find(name);
    if (!f)
        fail_msg("%s does not run", name);
    return f;
}

static inline void print(const char *name, struct str text)
{
    struct fake *f = need(name);
    f->o.on_log((struct executor *)(void *)f, text, f->o.ctx);
}

static inline void end_with(const char *name, struct executor_end end)
{
    struct fake *f = need(name);
    list_remove(&f->link);
    f->o.on_end((struct executor *)(void *)f, &end, f->o.ctx);
    free(f);
}

static inline void finish(const char *name, int64_t code)
{
    end_with(name, (struct executor_end){.end = {.kind = ATTEMPT_EXITED, .code = code}});
}

/* End the attempt at once, as requested. */
static inline void obey(const char *name)
{
    struct fake *f = need(name);
    assert_true(f->stops > 0);
    end_with(name, (struct executor_end){.end = {.kind = f->why, .code = 130}});
}

/* ---- what happens, in words */

static inline void on_event(const struct scheduler_event *e, void *ctx)
{
    assert_ptr_equal(ctx, &test);
    assert_true(e->running <= e->workers);
    switch (e->kind) {
    case SCHEDULER_STARTED:
        say("started");
        break;
    case SCHEDULER_CLAIMED:
        say("claimed %.*s#%u", STR_ARG(e->name), e->number);
        break;
    case SCHEDULER_LOG:
        if (test.logs)
            say("log %.*s", STR_ARG(e->text));
        break;
    case SCHEDULER_ENDED:
        say("ended %.*s#%u %s", STR_ARG(e->name), e->number, task_state_event_name(e->event));
        break;
    case SCHEDULER_LOST:
        say("lost %.*s#%u", STR_ARG(e->name), e->number);
        break;
    case SCHEDULER_STORE_FAILURE:
        say("trouble: %.*s", STR_ARG(e->text));
        break;
    case SCHEDULER_BACK:
        say("back");
        break;
    case SCHEDULER_PAUSED:
        say("paused");
        break;
    case SCHEDULER_RESUMED:
        say("resumed");
        break;
    case SCHEDULER_DRAINING:
        say("draining");
        break;
    case SCHEDULER_IDLE:
        say("idle%s", e->failed ? " failed" : "");
        break;
    case SCHEDULER_WARN:
        say("warn: %.*s", STR_ARG(e->text));
        break;
    }
}

static inline void on_over(struct scheduler *s, enum scheduler_end how, void *ctx)
{
    static const char *const names[] = {"drained", "halted", "was idle", "was idle failed",
                                        "cannot"};
    assert_ptr_equal(ctx, &test);
    assert_ptr_equal(s, test.s);
    assert_false(test.is_over);
    test.is_over = true;
    test.how = how;
    say("%s", names[how]);
}

static inline void pass(uint64_t ms)
{
    loop_pass(test.loop, ms);
}

static inline void begin(const struct scheduler_options *options)
{
    static const struct scheduler_executor executor = {fake_start, fake_hold, fake_stop};
    struct scheduler_options o = *options;
    o.url = test.url;
    o.lease_ms = o.lease_ms ? o.lease_ms : LEASE;
    o.executor = &executor;
    o.rng = &test.rng;
    o.on_event = on_event;
    o.on_end = on_over;
    o.ctx = &test;
    test.s = scheduler_start(test.loop, &o);
    pass(MOMENT);
}

/* ---- the store, as another process sees it */

static inline void in_store(enum store_mode mode, store_fn *work, void *ctx)
{
    struct error err = {0};
    if (!store_run(test.store, mode, work, ctx, &err))
        fail_msg("%s", err.text);
}

struct adding {
    struct task_new task;
    struct str needs[8];
};

static inline bool add_work(struct store *s, void *ctx, struct error *err)
{
    struct adding *a = ctx;
    a->task.needs = a->needs;
    return tasks_add(s, &a->task, 1, err);
}

static inline void add_to(const char *name, const char *pool, const char *needs)
{
    struct adding a = {.task = {.name = str_from(name), .spec = STR("version: 1\n")}};
    a.task.pool = str_from(pool);
    for (struct str rest = str_from(needs), head; rest.n;) {
        str_cut(&rest, ' ', &head);
        a.needs[a.task.need_count++] = head;
    }
    in_store(STORE_ROWS, add_work, &a);
}

static inline void add(const char *name, const char *needs)
{
    add_to(name, NULL, needs);
}

struct looking {
    const char *name;
    struct buf out;
};

static inline void look_row(const struct task_row *t, void *ctx)
{
    buf_printf(ctx, "%s", task_state_name(t->state));
}

static inline bool look_work(struct store *s, void *ctx, struct error *err)
{
    struct looking *l = ctx;
    int64_t id;
    buf_clear(&l->out);
    return tasks_find(s, str_from(l->name), &id, err) && tasks_get(s, id, look_row, &l->out, err);
}

#define CHECK_STATE(name, want) check_state(name, want, __FILE__, __LINE__)
static inline void check_state(const char *name, const char *want, const char *file, int line)
{
    struct looking l = {.name = name};
    in_store(STORE_READ, look_work, &l);
    check_str_at(buf_str(&l.out), str_from(want), file, line);
    buf_done(&l.out);
}

static inline void attempt_row(const struct attempt_row *a, void *ctx)
{
    struct buf *out = ctx;
    buf_printf(out, "%s%u %.*s %.*s %.*s", out->n ? "; " : "", a->number, STR_ARG(a->end),
               STR_ARG(a->outcome), STR_ARG(a->why));
}

static inline bool attempts_work(struct store *s, void *ctx, struct error *err)
{
    struct looking *l = ctx;
    int64_t id;
    buf_clear(&l->out);
    return tasks_find(s, str_from(l->name), &id, err) &&
           tasks_attempts(s, id, attempt_row, &l->out, err);
}

#define CHECK_ATTEMPTS(name, want) check_attempts(name, want, __FILE__, __LINE__)
static inline void check_attempts(const char *name, const char *want, const char *file, int line)
{
    struct looking l = {.name = name};
    in_store(STORE_READ, attempts_work, &l);
    check_str_at(buf_str(&l.out), str_from(want), file, line);
    buf_done(&l.out);
}

static inline bool pause_work(struct store *s, void *ctx, struct error *err)
{
    (void)ctx;
    return tasks_pause(s, err);
}

static inline bool resume_work(struct store *s, void *ctx, struct error *err)
{
    (void)ctx;
    return tasks_resume(s, err);
}

static inline bool stop_work(struct store *s, void *ctx, struct error *err)
{
    (void)ctx;
    return tasks_stop(s, err);
}

/* ---- each test has its own */

static inline int setup(void **state)
{
    memset(&test, 0, sizeof test);
    test.loop = loop_new();
    rng_seed(&test.rng, 1);
    list_init(&test.fakes);
    test_store_begin(test.url, "tasks.db");
    struct error err = {0};
    test.store = tasks_open(test.url, false, NULL, &err);
    if (!test.store)
        fail_msg("%s", err.text);
    return 0;
}

/* Return everything that the test has left. */
static inline int teardown(void **state)
{
    test.fault = FINE;
    test.slow = 0;
    if (test.s && !test.is_over) {
        scheduler_halt(test.s);
        LIST_EACH_SAFE (&test.fakes, struct fake, link, f)
            obey(f->name);
        pass(60000);
        assert_true(test.is_over);
    }
    assert_true(list_is_empty(&test.fakes));
    loop_free(test.loop);
    store_close(test.store);
    test_store_end();
    buf_done(&test.seen);
    return 0;
}
