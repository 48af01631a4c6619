/* `multiverse run`: runs one Task YAML to its end. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/runner.h"
#include "app/run_folder.h"
#include "app/run_server.h"
#include "base/file.h"
#include "base/id.h"
#include "cli/command.h"
#include "cli/run_show.h"
#include "cli/store_option.h"
#include "cli/terminal.h"
#include "cli/tooling_command.h"
#include "process/mark.h"
#include "process/process.h"
#include "process/self.h"
#include "process/supervisor.h"

#define MAX_TASK (4u << 20)

struct run_command {
    const struct options *options;
    struct task_file *task;
    struct tooling_file *file;
    struct tooling *seen_tooling; /* of the file, when it was read last */
    struct tooling *tooling;
    struct ledger *ledger;
    struct secrets secrets;
    struct rng rng;
    struct loop *loop;
    struct supervisor *supervisor;
    struct run_server *server;
    struct runner *runner;
    struct run_show show;
    struct buf dir;
    char run_id[RUN_FOLDER_ID];
    char self[PATH_MAX];
    enum run_state state;
    bool interrupted, is_over, has_result; /* has_result: reported, and written if asked for */
};

/* ---- input */

static bool read_task(struct run_command *w, struct error *err)
{
    const char *path = w->options->args[0];
    struct buf text = buf_make(MAX_TASK);
    bool fine = true;
    if (strcmp(path, "-") == 0) {
        char piece[65536];
        size_t n;
        while ((n = fread(piece, 1, sizeof piece, stdin)) > 0)
            buf_add(&text, str_make(piece, n));
        if (text.overflow)
            fine = error_set(err, ERR_LIMIT, "the task on standard input is larger than %u MiB",
                             MAX_TASK >> 20);
    } else {
        fine = file_read(path, MAX_TASK, &text, err);
    }
    if (fine)
        w->task = task_file_read(buf_str(&text), path, err);
    buf_done(&text);
    return w->task != NULL;
}

/* Combine the tooling of the file, as it is now, with that of the task. */
static struct tooling *combine_tooling(struct run_command *w, struct error *err)
{
    w->seen_tooling = w->file ? tooling_file_current(w->file) : NULL;
    return options_text(w->options, "tooling") ? tooling_ref(w->seen_tooling)
                                               : task_file_tooling(w->task, w->seen_tooling, err);
}

/* --tooling has priority, then the task's own; else the user's file, changed as the task's runner
 * says. */
static bool find_tooling(struct run_command *w, struct error *err)
{
    const char *given = options_text(w->options, "tooling");
    if (given || !w->task->tooling) {
        w->file = tooling_command_open_file(given, err);
        if (!w->file)
            return false;
        if (tooling_file_error(w->file))
            terminal_print_warning("%s", tooling_file_error(w->file)->text);
    }
    w->tooling = combine_tooling(w, err);
    return w->tooling != NULL;
}

static void print_warnings(const struct run_command *w)
{
    for (size_t i = 0; i < w->task->warning_count; i++)
        terminal_print_warning("%.*s", STR_ARG(w->task->warnings[i]));
    for (size_t i = 0; i < w->tooling->warning_count; i++)
        terminal_print_warning("%.*s", STR_ARG(w->tooling->warnings[i]));
}

static bool read_run_id(struct run_command *w, struct error *err)
{
    const char *given = options_text(w->options, "run-id");
    if (!given)
        return true;
    if (!run_id_is(given))
        return error_set(err, ERR_INVALID_PARAMS,
                         "--run-id must be like 20261116T025200Z-9f86d081, not %s", given);
    memcpy(w->run_id, given, sizeof w->run_id);
    return true;
}

/* Read what the caller has given. An error in it is exit code 2. */
static bool read_all(struct run_command *w, struct error *err)
{
    if (!read_run_id(w, err) || !read_task(w, err) || !find_tooling(w, err))
        return false;
    print_warnings(w);
    return true;
}

/* Prepare what this machine must provide. */
static bool prepare_run(struct run_command *w, struct error *err)
{
    uint64_t seed;
    const char *url = store_option(w->options);
    struct str secret = secrets_in_variable(STR("MULTIVERSE_STORE"), str_from(url));
    secrets_add(&w->secrets, secret);
    w->ledger = ledger_open(url, err);
    if (secret.n) /* agents must not see it */
        unsetenv("MULTIVERSE_STORE");
    if (!w->ledger || !run_folder_make(w->run_id, &w->dir, err) || !self_path(w->self, err))
        return false;
    if (!options_number(w->options, "seed", &seed))
        id_bytes(&seed, sizeof seed);
    rng_seed(&w->rng, seed);
    return true;
}

/* ---- the result */

/* The result of an earlier run must not be mistaken for that of this one. */
static void remove_old_result(const struct run_command *w)
{
    const char *path = options_text(w->options, "result");
    struct stat st;
    if (path && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
}

static void write_result(struct run_command *w, const struct run_result *r)
{
    const char *path = options_text(w->options, "result");
    struct error err = {0};
    w->has_result = true;
    if (path && !run_result_write(path, r, &err))
        terminal_print_warning("the result of the run could not be written: %s", err.text);
}

/* Write the result of a run that never began. */
static void write_no_run(struct run_command *w, const char *outcome, const char *why)
{
    struct buf masked = {0};
    secrets_mask(&w->secrets, str_from(why), &masked);
    struct run_result r = {.run = str_from(w->run_id),
                           .task = w->task ? w->task->id : STR(""),
                           .state = str_from(run_state_name(RUN_FAILED)),
                           .outcome = str_from(outcome),
                           .why = buf_str(&masked),
                           .stopped = w->interrupted,
                           .transcripts = buf_str(&w->dir)};
    if (!w->has_result)
        write_result(w, &r);
    buf_done(&masked);
}

/* ---- the run */

static void end_run(struct run_command *w)
{
    w->is_over = true;
    if (w->server)
        run_server_stop(w->server);
    else if (w->supervisor)
        supervisor_dismiss(w->supervisor);
    else
        loop_stop(w->loop);
}

static void on_server_gone(void *ctx)
{
    struct run_command *w = ctx;
    w->server = NULL;
    end_run(w);
}

static void on_supervisor_gone(void *ctx)
{
    struct run_command *w = ctx;
    w->supervisor = NULL;
    if (w->is_over && !w->server)
        loop_stop(w->loop);
}

/* If nothing reads standard output any more, stop as after Ctrl-C: nobody would see the work that
 * is paid for. */
static void on_event(const struct runner_event *e, void *ctx)
{
    struct run_command *w = ctx;
    if (e->result) /* first, because a reader of the event may open the file */
        write_result(w, e->result);
    run_show_event(&w->show, e);
    if (!terminal_flush() && w->runner && !w->interrupted) {
        w->interrupted = true;
        runner_stop(w->runner);
    }
}

static void on_end(struct runner *r, enum run_state state, bool stopped, void *ctx)
{
    struct run_command *w = ctx;
    (void)r;
    w->runner = NULL;
    w->state = state;
    w->interrupted |= stopped;
    end_run(w);
}

static void start_runner(struct run_command *w, const struct provider_mcp *mcp)
{
    struct runner_options o = {
        .task = w->task,
        .tooling = w->tooling,
        .ledger = w->ledger,
        .rng = &w->rng,
        .self = w->self,
        .dir = w->dir.p,
        .run_id = w->run_id,
        .secrets = &w->secrets,
        .on_event = on_event,
        .on_end = on_end,
        .ctx = w,
    };
    if (mcp) {
        o.mcp = *mcp;
        if (mcp->token)
            secrets_add(&w->secrets, str_from(mcp->token));
    }
    w->runner = runner_start(w->loop, &o);
}

static void on_ready(const struct provider_mcp *mcp, const char *reason, void *ctx)
{
    struct run_command *w = ctx;
    if (reason)
        terminal_print_warning("workers get no Unity tools: %s", reason);
    start_runner(w, mcp->url ? mcp : NULL);
}

static void warn_about_tooling(struct run_command *w, const char *text, const char *more)
{
    struct buf whole = {0};
    buf_printf(&whole, "%s%s", text, more);
    if (w->runner)
        runner_warn(w->runner, buf_str(&whole));
    else
        terminal_print_warning("%s", whole.p);
    buf_done(&whole);
}

/* The file was changed. A wrong file does not replace the configuration in use. */
static void on_tooling(void *ctx)
{
    struct run_command *w = ctx;
    const struct error *fault = tooling_file_error(w->file);
    struct error err = {0};
    if (fault) {
        warn_about_tooling(w, fault->text, "; the previous one stays in use");
        return;
    }
    if (w->seen_tooling == tooling_file_current(w->file)) {
        warn_about_tooling(w, tooling_file_path(w->file), " is valid again");
        return;
    }
    struct tooling *fresh = combine_tooling(w, &err);
    if (!fresh) {
        warn_about_tooling(w, err.text, "; the previous one stays in use");
        return;
    }
    tooling_unref(w->tooling);
    w->tooling = fresh;
    if (w->runner)
        runner_set_tooling(w->runner, fresh);
    warn_about_tooling(w, tooling_file_path(w->file), " was changed: used from the next call on");
}

/* A run that has already ended is not interrupted. */
static void on_signal(void *ctx)
{
    struct run_command *w = ctx;
    if (w->runner) {
        runner_stop(w->runner);
    } else {
        w->interrupted |= !w->is_over;
        end_run(w);
    }
}

static bool wants_mcp(const struct run_command *w)
{
    const char *given = options_text(w->options, "mcp");
    return given ? strcmp(given, "auto") == 0 : w->task->mcp_auto;
}

static void run_task(struct run_command *w)
{
    struct error err = {0};
    w->loop = loop_new();
    self_on_signals(w->loop, on_signal, w);
    w->supervisor = supervisor_start(w->loop, w->self, on_supervisor_gone, w, &err);
    if (!w->supervisor)
        terminal_print_warning("agents may keep running if this program is killed: %s", err.text);
    if (getenv(MARK_TASK)) /* if it is killed, its lease may already be over: no time for grace */
        process_bind_children();
    if (w->file)
        tooling_file_watch(w->file, w->loop, on_tooling, w);
    run_show_init(&w->show, w->loop, options_has(w->options, "json"));
    if (wants_mcp(w)) {
        struct run_server_options o = {.repo = w->task->repo,
                                       .dir = w->dir.p,
                                       .self = w->self,
                                       .on_ready = on_ready,
                                       .on_gone = on_server_gone,
                                       .ctx = w};
        w->server = run_server_start(w->loop, &o);
    } else {
        start_runner(w, NULL);
    }
    loop_run(w->loop);
    run_show_done(&w->show);
    tooling_file_close(w->file);
    w->file = NULL;
    loop_free(w->loop);
}

static void free_command(struct run_command *w)
{
    secrets_done(&w->secrets);
    ledger_close(w->ledger);
    tooling_unref(w->tooling);
    tooling_file_close(w->file);
    task_file_free(w->task);
    buf_done(&w->dir);
}

int cmd_run(const struct options *o)
{
    struct run_command w = {.options = o, .state = RUN_FAILED};
    struct error err = {0};
    int code = COMMAND_USAGE;
    remove_old_result(&w);
    secrets_add_environment(&w.secrets);
    if (!read_all(&w, &err)) {
        terminal_print_failure(&err);
        write_no_run(&w, outcome_name(OUTCOME_REQUEST), err.text);
    } else if (!prepare_run(&w, &err)) {
        terminal_print_failure(&err);
        write_no_run(&w, RUN_RESULT_STORE, err.text);
        code = COMMAND_FAILED;
    } else {
        run_task(&w);
        write_no_run(&w, outcome_name(OUTCOME_KILLED), "interrupted");
        code = w.interrupted             ? COMMAND_INTERRUPTED
               : w.state == RUN_COMPLETE ? COMMAND_FINE
                                         : COMMAND_FAILED;
    }
    free_command(&w);
    return code;
}
