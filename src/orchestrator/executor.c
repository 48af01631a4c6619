#include "orchestrator/executor.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "orchestrator/executor_internal.h"
#include "process/orphans.h"
#include "process/supervisor.h"
#include "store/store.h"
#include "task/task_file.h"
#include "tooling/ledger.h"

#define TASK_NAME   "/task.yaml" /* the name in messages; all its paths are absolute */
#define LATE_MS     500          /* how late a supervisor may be after its lease */
#define SLOW_MS     5000         /* and after a stop */
#define LAST_MS     30000u       /* for killed processes to disappear */
#define NOT_STARTED 126          /* this and the next as in shells */
#define NOT_FOUND   127
#define SIGNALLED   128
#define INTERRUPTED 130

/* ---- the task */

bool executor_task_yaml(const struct transaction_claim *claim, struct tooling *tooling,
                        struct buf *out, struct error *err)
{
    struct task_file *t = task_file_read(claim->spec, TASK_NAME, err);
    if (!t)
        return false;
    struct tooling *holds = tooling ? task_file_tooling(t, tooling, err) : NULL;
    bool ok = holds || !tooling;
    if (ok && holds && !t->tooling) /* the embedded tooling replaces them */
        t->has_meta = t->has_worker = false;
    if (ok)
        task_file_write(t, holds, out);
    tooling_unref(holds);
    task_file_free(t);
    return ok;
}

/* ---- how it ended */

static bool ended_well(const struct executor *e)
{
    return e->has_started && !e->exit.signal && e->exit.code == 0;
}

static struct attempt_end describe_no_start(const struct executor *e)
{
    return (struct attempt_end){.kind = e->is_wrong ? ATTEMPT_EXITED : ATTEMPT_NO_START,
                                .code = e->is_wrong ? 2 : 0,
                                .outcome = e->is_wrong ? STR("request") : STR(""),
                                .why = str_from(e->failure.text)};
}

/* The exit code of the supervisor is that of the run, or its own. */
static void read_exit_code(const struct executor *e, struct attempt_end *end)
{
    const struct run_result *r = &e->result;
    switch (end->code) {
    case SUPERVISOR_LEASE_OVER:
    case SUPERVISOR_ORPHANED:
        end->kind = ATTEMPT_LOST;
        end->why = STR("");
        break;
    case NOT_STARTED:
    case NOT_FOUND:
        end->kind = ATTEMPT_NO_START;
        break;
    case INTERRUPTED: /* not by us: the machine or a service is stopped */
        if (r->stopped) {
            end->kind = ATTEMPT_LOST;
            end->why = STR("interrupted from outside");
        }
        break;
    default:
        if (end->code > SIGNALLED && end->code <= SIGNALLED + SIGRTMAX) {
            end->kind = ATTEMPT_SIGNALLED;
            end->signal = (int)end->code - SIGNALLED;
        } else if (str_eq(r->outcome, STR(RUN_RESULT_STORE))) {
            end->kind = ATTEMPT_NO_START;
        }
    }
}

static struct attempt_end read_end(struct executor *e)
{
    const struct run_result *r = &e->result;
    struct attempt_end end = {.kind = ATTEMPT_EXITED,
                              .code = e->exit.code,
                              .outcome = r->outcome,
                              .until = r->until,
                              .nobody = r->nobody,
                              .why = e->has_result ? r->why : buf_str(&e->last)};
    if (ended_well(e)) {
        end.why = STR("");
        end.outcome = STR("ok");
    } else if (e->stops) {
        end.kind = e->why;
    } else if (!e->has_started) {
        end = describe_no_start(e);
    } else if (e->exit.signal) {
        end.kind = ATTEMPT_LOST;
        end.code = SIGNALLED + e->exit.signal;
        end.why = STR("its supervisor was killed");
    } else {
        read_exit_code(e, &end);
    }
    return end;
}

static void finish_executor(struct executor *e)
{
    struct executor_end end = {.end = read_end(e), .result = e->result};
    timer_stop(&e->guard);
    e->o.on_end(e, &end, e->o.ctx);
    tooling_unref(e->o.tooling);
    arena_done(&e->arena);
    struct buf *const bufs[] = {&e->yaml,
                                &e->folder.path,
                                &e->folder.task,
                                &e->folder.result,
                                &e->streams[0].line,
                                &e->streams[1].line,
                                &e->piece,
                                &e->last};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_done(bufs[i]);
    free(e);
}

static void on_cleaned_up(void *ctx)
{
    finish_executor(ctx);
}

/* ---- after the supervisor */

/* A supervisor that was not killed has already killed all processes with the mark. */
static void clean_up_attempt(void *ctx)
{
    struct executor *e = ctx;
    if (e->has_started && e->exit.signal)
        mark_kill_wait(e->mark, LAST_MS);
    if (e->has_started)
        e->has_result = run_result_read(e->folder.result.p, &e->arena, &e->result, NULL);
    if (e->has_started && !e->has_result && !ended_well(e)) { /* it was killed */
        e->result.run = str_from(e->run_id);
        ledger_give_back(e->o.store, e->result.run, &(size_t){0}, NULL);
    }
    executor_folder_leave(e, e->has_started && !ended_well(e));
}

static void on_supervisor_exit(struct process *p, struct process_exit exit, void *ctx)
{
    struct executor *e = ctx;
    (void)p;
    e->proc = NULL;
    e->exit = exit;
    timer_stop(&e->guard);
    executor_log_end(e);
    loop_work(e->loop, clean_up_attempt, on_cleaned_up, e);
}

static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    (void)p;
    executor_log_add(ctx, which, bytes);
}

/* ---- while it runs */

static void set_guard(struct executor *e);

static int64_t latest_end(const struct executor *e)
{
    int64_t lease = e->o.deadline < INT64_MAX - LATE_MS ? e->o.deadline + LATE_MS : INT64_MAX;
    return e->no_longer && e->no_longer < lease ? e->no_longer : lease;
}

/* The supervisor hangs: kill it. The run dies with it; other processes are found by their mark. */
static void on_guard(void *ctx)
{
    struct executor *e = ctx;
    if (supervisor_clock() < latest_end(e))
        set_guard(e);
    else
        process_kill(e->proc, SIGKILL, 0);
}

static void set_guard(struct executor *e)
{
    int64_t left = latest_end(e) - supervisor_clock();
    timer_start(&e->guard, e->loop, left > 0 ? (uint64_t)left : 0, on_guard, e);
}

static void send_line(struct executor *e, struct str line)
{
    process_write(e->proc, line); /* if it is gone, on_exit follows */
    set_guard(e);
}

static void send_deadline(struct executor *e)
{
    char line[64];
    int n = snprintf(line, sizeof line, "until %lld\n", (long long)e->o.deadline);
    send_line(e, str_make(line, (size_t)n));
}

void executor_hold(struct executor *e, int64_t deadline)
{
    e->o.deadline = deadline > 0 ? deadline : 1;
    if (e->proc)
        send_deadline(e);
}

static void send_stop(struct executor *e)
{
    bool now = e->stops > 1 || e->why == ATTEMPT_LOST;
    int64_t by = supervisor_clock() + SLOW_MS + (now ? 0 : (int64_t)SUPERVISOR_STOP_MS);
    if (!e->no_longer || by < e->no_longer)
        e->no_longer = by;
    send_line(e, now ? STR("kill\n") : STR("stop\n"));
}

void executor_stop(struct executor *e, enum attempt_end_kind why)
{
    if (!e->stops++)
        e->why = why;
    if (e->proc)
        send_stop(e);
}

/* ---- the start */

static bool start_supervisor(struct executor *e, struct error *err)
{
    struct arena a = {0};
    const char *argv[] = {e->o.self,  SUPERVISOR_COMMAND, "--",       e->o.self,
                          "run",      e->folder.task.p,   "--result", e->folder.result.p,
                          "--run-id", e->run_id,          NULL};
    const char **env = mark_environment(&a, (const char *const *)environ, e->mark);
    if (e->o.store) {
        struct str url = arena_printf(&a, "MULTIVERSE_STORE=%s", e->o.store);
        env = mark_environment(&a, env, url.p);
    }
    struct process_options o = {
        .argv = argv, .env = env, .on_output = on_output, .on_exit = on_supervisor_exit, .ctx = e};
    e->proc = process_start(e->loop, &o, err);
    arena_done(&a);
    return e->proc != NULL;
}

/* The marks of all attempts at a task on this machine have the same subject. */
static void make_mark(struct executor *e)
{
    struct buf about = {0};
    char *path = NULL;
    if (e->o.store && store_is_server(e->o.store))
        store_show_url(e->o.store, &about);
    else
        path = realpath(e->o.store ? e->o.store : e->o.home, NULL);
    buf_add(&about, str_from(path ? path : e->o.store ? e->o.store : e->o.home));
    buf_printf(&about, " %lld", (long long)e->claim.task);
    mark_make_about(e->mark, MARK_TASK, buf_str(&about));
    buf_done(&about);
    free(path);
}

/* Kill processes that are left of an earlier attempt, in case its orchestrator, run and supervisors
 * were all killed at once. */
static void prepare_folder(void *ctx)
{
    struct executor *e = ctx;
    orphans_kill_once();
    if (e->claim.number > 1)
        mark_kill_subject(e->mark, LAST_MS);
    if (!executor_folder_make(e, &e->failure))
        assert(e->failure.code != ERR_NONE);
}

static void on_prepared(void *ctx)
{
    struct executor *e = ctx;
    bool ok = e->failure.code == ERR_NONE && !e->stops && start_supervisor(e, &e->failure);
    if (!ok) {
        loop_work(e->loop, clean_up_attempt, on_cleaned_up, e);
        return;
    }
    e->has_started = true;
    send_deadline(e);
}

static void begin_attempt(void *ctx)
{
    struct executor *e = ctx;
    if (e->stops) {
        finish_executor(e);
    } else if (!executor_task_yaml(&e->claim, e->o.tooling, &e->yaml, &e->failure)) {
        e->is_wrong = e->failure.code != ERR_IO;
        finish_executor(e);
    } else {
        loop_work(e->loop, prepare_folder, on_prepared, e);
    }
}

static void name_run(struct executor *e)
{
    struct str run = e->claim.run;
    if (run.n && run.n < sizeof e->run_id) {
        memcpy(e->run_id, run.p, run.n);
        e->run_id[run.n] = 0;
    }
    if (!run_id_is(e->run_id))
        run_id_new(e->run_id);
    e->claim.run = str_from(e->run_id);
}

struct executor *executor_start(struct loop *loop, const struct executor_options *options)
{
    assert(options->claim && options->home && options->self && options->on_end);
    struct executor *e = mem_zalloc(sizeof *e);
    e->loop = loop;
    e->o = *options;
    e->claim = *options->claim;
    e->claim.name = arena_str(&e->arena, e->claim.name);
    e->claim.pool = arena_str(&e->arena, e->claim.pool);
    e->claim.repo = arena_str(&e->arena, e->claim.repo);
    e->claim.spec = arena_str(&e->arena, e->claim.spec);
    e->o.claim = &e->claim;
    e->o.home = arena_cstr(&e->arena, str_from(options->home));
    e->o.self = arena_cstr(&e->arena, str_from(options->self));
    e->o.store = options->store ? arena_cstr(&e->arena, str_from(options->store)) : NULL;
    e->o.deadline = options->deadline > 0 ? options->deadline : 1;
    e->folder.lock = -1;
    if (e->o.tooling)
        tooling_ref(e->o.tooling);
    make_mark(e);
    name_run(e);
    loop_defer(loop, begin_attempt, e);
    return e;
}
