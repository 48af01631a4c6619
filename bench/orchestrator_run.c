/* The orchestrator with tasks that do nothing: the cost of everything else.
 *
 *     orchestrator_run add URL COUNT      tasks, all ready
 *     orchestrator_run run URL COUNT      with four workers, until nothing is left; prints
 *     orchestrator_run run URL COUNT      with four workers, until no task is left; prints
 *     orchestrator_run idle URL SECONDS   nothing to do; prints {"cpu_ms": ..., "switches": ...}
 *
 * From scheduler_start() to the transaction that stored the last end and found no more tasks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "base/rfc3339.h"
#include "orchestrator/scheduler.h"

#define WORKERS 4u

static struct {
    struct loop *loop;
    struct scheduler *s;
    struct rng rng;
    uint64_t count, ended, transactions;
    enum scheduler_end how;
    uint64_t seconds;
    struct timer timer;
    struct rusage before;
} bench;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "orchestrator_run: %s\n", what);
    exit(1);
}

/* ---- tasks that do nothing */

struct nothing {
    struct executor_options o;
};

static void end_attempt(void *ctx)
{
    struct nothing *n = ctx;
    struct executor_end how = {.end = {.kind = ATTEMPT_EXITED, .outcome = STR_INIT("ok")}};
    n->o.on_end(NULL, &how, n->o.ctx);
    free(n);
}

static void *start_attempt(struct loop *loop, const struct executor_options *options)
{
    struct nothing *n = mem_zalloc(sizeof *n);
    n->o = *options;
    loop_defer(loop, end_attempt, n);
    return n;
}

static void hold_attempt(void *attempt, int64_t deadline)
{
    (void)attempt;
    (void)deadline;
}

static void stop_attempt(void *attempt, enum attempt_end_kind why)
{
    (void)attempt;
    (void)why;
}

/* ---- adding */

static bool add_work(struct store *s, void *ctx, struct error *err)
{
    uint64_t count = *(uint64_t *)ctx, done = 0;
    int64_t when = rfc3339_now();
    struct arena a = {0};
    bool ok = true;
    while (ok && done < count) {
        size_t n = count - done < TASKS_MAX_BATCH ? (size_t)(count - done) : TASKS_MAX_BATCH;
        struct task_new *news = arena_zalloc(&a, n * sizeof *news);
        for (size_t i = 0; i < n; i++) {
            news[i].name = arena_printf(&a, "noop-%" PRId64 "-%" PRIu64, when, done + i);
            news[i].spec = STR("version: 1\ntask: {prd: {text: nothing}}\n");
        }
        ok = tasks_add(s, news, n, err);
        done += n;
    }
    arena_done(&a);
    return ok;
}

static void add_tasks(const char *url, uint64_t count)
{
    struct error err = {0};
    struct store *s = tasks_open(url, false, NULL, &err);
    if (!s || !store_run(s, STORE_ROWS, add_work, &count, &err))
        die(err.text);
    store_close(s);
}

/* ---- running */

static void on_event(const struct scheduler_event *e, void *ctx)
{
    (void)ctx;
    if (e->kind == SCHEDULER_ENDED)
        bench.ended++;
    else if (e->kind == SCHEDULER_STORE_FAILURE || e->kind == SCHEDULER_WARN)
        fprintf(stderr, "orchestrator_run: %.*s\n", STR_ARG(e->text));
}

static void on_end(struct scheduler *s, enum scheduler_end how, void *ctx)
{
    (void)ctx;
    bench.transactions = scheduler_transactions(s);
    bench.how = how;
    loop_stop(bench.loop);
}

static void begin_run(const char *url, bool until_idle)
{
    static const struct scheduler_executor executor = {start_attempt, hold_attempt, stop_attempt};
    bench.loop = loop_new();
    rng_seed(&bench.rng, 1);
    bench.s = scheduler_start(bench.loop, &(struct scheduler_options){
                                              .url = url,
                                              .workers = WORKERS,
                                              .executor = &executor,
                                              .until_idle = until_idle,
                                              .rng = &bench.rng,
                                              .on_event = on_event,
                                              .on_end = on_end,
                                          });
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void run_tasks(const char *url, uint64_t count)
{
    double before = now_ms();
    begin_run(url, true);
    loop_run(bench.loop);
    double ms = now_ms() - before;
    loop_free(bench.loop);
    if (bench.how != SCHEDULER_WAS_IDLE || bench.ended != count)
        die("not all were done");
    printf("{\"ms\": %.1f, \"turns\": %" PRIu64 "}\n", ms, bench.transactions);
}

/* ---- idling */

static double cpu_ms(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1e3 +
           (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e3;
}

static void on_idle_over(void *ctx)
{
    (void)ctx;
    struct rusage after;
    getrusage(RUSAGE_SELF, &after);
    printf("{\"cpu_ms\": %.3f, \"switches\": %ld}\n", cpu_ms(&after) - cpu_ms(&bench.before),
           after.ru_nvcsw - bench.before.ru_nvcsw);
    scheduler_halt(bench.s);
}

static void on_settled(void *ctx)
{
    (void)ctx;
    getrusage(RUSAGE_SELF, &bench.before);
    timer_start(&bench.timer, bench.loop, bench.seconds * 1000, on_idle_over, NULL);
}

static void measure_idle(const char *url, uint64_t seconds)
{
    bench.seconds = seconds;
    begin_run(url, false);
    timer_start(&bench.timer, bench.loop, 2000, on_settled, NULL);
    loop_run(bench.loop);
    loop_free(bench.loop);
}

int main(int argc, char **argv)
{
    uint64_t n;
    if (argc != 4 || !str_to_u64(str_from(argv[3]), &n))
        die("add|run|idle URL N");
    if (strcmp(argv[1], "add") == 0)
        add_tasks(argv[2], n);
    else if (strcmp(argv[1], "run") == 0)
        run_tasks(argv[2], n);
    else if (strcmp(argv[1], "idle") == 0)
        measure_idle(argv[2], n);
    else
        die("add|run|idle URL N");
    return 0;
}
