#include "cli/call_local.h"

#include <signal.h>
#include <stdlib.h>

#include "base/jsonw.h"
#include "base/log.h"
#include "base/rfc3339.h"
#include "bridge/bridge.h"
#include "bridge/failure.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "editor/editor.h"
#include "editor/run_tests.h"
#include "unity/project.h"

struct local_call {
    const struct call_local *call;
    struct loop *loop;
    struct editor *editor;
    struct bridge *bridge; /* of get_editor_state */
    struct test_run *run;
    struct test_progress progress;
    struct buf current;
    int64_t started;
    bool interrupted;
    int code;
};

/* ---- answers */

static void print_answer(const struct local_call *l, struct str answer)
{
    struct arena a = {0};
    l->call->show(json_parse(&a, answer, NULL, NULL));
    arena_done(&a);
}

/* The error of the editor as a failure of the bridge; its texts are views into err. */
static struct failure failure_of(enum error_code code, const struct editor_error *err,
                                 struct arena *arena)
{
    if (code != ERR_UNITY_EXECUTION)
        return failure_make(code, "%s", err->text);
    struct failure f = failure_make(code, "%s: %s", err->code, err->text);
    f.plugin_code = str_from(err->code);
    f.plugin_message = str_from(err->text);
    if (err->details.n)
        f.plugin_details = json_parse(arena, buf_str(&err->details), NULL, NULL);
    f.not_executed = !err->was_executed;
    return f;
}

static void put_error(const struct local_call *l, struct buf *out, enum error_code code,
                      const struct editor_error *err)
{
    struct arena arena = {0};
    struct failure f = failure_of(code, err, &arena);
    failure_put_json(out, l->call->tool, &f, NULL, NULL);
    arena_done(&arena);
}

static int print_failure(const struct local_call *l, enum error_code code,
                         const struct editor_error *err)
{
    struct buf out = {0};
    put_error(l, &out, code, err);
    print_answer(l, buf_str(&out));
    terminal_print_error(
        "%s%s%s: %s (%s; next: %s)", error_name(code), code == ERR_UNITY_EXECUTION ? ": " : "",
        code == ERR_UNITY_EXECUTION ? err->code : "", err->text,
        err->was_executed ? "completed_error" : "not_executed", error_recovery(code));
    buf_done(&out);
    return COMMAND_FAILED;
}

/* ---- a call with an immediate answer */

static int run_tool(struct local_call *l, const struct json *args)
{
    struct buf out = {0};
    struct editor_error err = {0};
    int code = COMMAND_FINE;
    if (editor_run(l->editor, str_from(l->call->tool->name), args, &out, &err))
        print_answer(l, buf_str(&out));
    else
        code = print_failure(l, ERR_UNITY_EXECUTION, &err);
    buf_done(&out);
    editor_error_done(&err);
    return code;
}

/* ---- get_editor_state */

static void stop_loop(void *ctx)
{
    loop_stop(ctx);
}

/* Let the link deliver what was sent. */
static void run_one_turn(struct local_call *l)
{
    struct timer t = {0};
    timer_start(&t, l->loop, 0, stop_loop, l->loop);
    loop_run(l->loop);
    timer_stop(&t);
}

static bool is_quiet(const struct local_call *l)
{
    return bridge_is_quiet(l->bridge) && editor_is_quiet(l->editor);
}

static void on_quiet(void *ctx)
{
    struct local_call *l = ctx;
    if (is_quiet(l))
        loop_stop(l->loop);
}

static int run_state(struct local_call *l)
{
    struct buf out = {0};
    l->bridge = bridge_new(l->loop, &(struct bridge_options){.limits = &l->call->config->limits});
    bridge_start(l->bridge);
    editor_connect(l->editor, l->bridge);
    run_one_turn(l);
    bridge_put_state(l->bridge, &out);
    print_answer(l, buf_str(&out));
    editor_stop(l->editor);
    bridge_stop(l->bridge);
    bridge_on_quiet(l->bridge, on_quiet, l);
    editor_on_quiet(l->editor, on_quiet, l);
    if (!is_quiet(l))
        loop_run(l->loop);
    bridge_free(l->bridge);
    buf_done(&out);
    return COMMAND_FINE;
}

/* ---- a job */

static void on_progress(const struct test_progress *p, void *ctx)
{
    struct local_call *l = ctx;
    struct buf line = {0};
    l->progress = *p;
    buf_clear(&l->current);
    buf_add(&l->current, p->current);
    if (!l->call->progress)
        return;
    if (p->total)
        buf_printf(&line, "%llu of %llu: ", (unsigned long long)p->done,
                   (unsigned long long)p->total);
    else if (p->done)
        buf_printf(&line, "%llu: ", (unsigned long long)p->done);
    terminal_escape(&line, p->current);
    l->call->progress(buf_str(&line));
    buf_done(&line);
}

static void put_time(struct jsonw *w, const char *key, int64_t time)
{
    char text[RFC3339_LEN + 1];
    rfc3339_format(time, text);
    jsonw_kcstr(w, key, text);
}

/* The same object as get_job_status returns. */
static void print_status(struct local_call *l, const char *state, struct str result,
                         const struct editor_error *err)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "job_id", "local");
    jsonw_kcstr(&w, "tool", l->call->tool->name);
    jsonw_kcstr(&w, "state", state);
    jsonw_key(&w, "progress");
    if (l->current.n) {
        jsonw_object(&w);
        jsonw_kint(&w, "done", (int64_t)l->progress.done);
        jsonw_kint(&w, "total", (int64_t)l->progress.total);
        jsonw_kstr(&w, "current", buf_str(&l->current));
        jsonw_end(&w);
    } else {
        jsonw_null(&w);
    }
    put_time(&w, "submitted_at", l->started);
    put_time(&w, "started_at", l->started);
    put_time(&w, "finished_at", rfc3339_now());
    if (result.n) {
        jsonw_kraw(&w, "result", result);
    }
    if (err) {
        struct buf error = {0};
        put_error(l, &error, ERR_UNITY_EXECUTION, err);
        jsonw_kraw(&w, "error", buf_str(&error));
        buf_done(&error);
    }
    jsonw_end(&w);
    print_answer(l, buf_str(&out));
    buf_done(&out);
}

static void on_end(enum test_end how, struct str result, const struct editor_error *err, void *ctx)
{
    static const char *const states[] = {[TEST_SUCCEEDED] = "succeeded",
                                         [TEST_FAILED] = "failed",
                                         [TEST_TIMED_OUT] = "timeout",
                                         [TEST_CANCELLED] = "cancelled"};
    struct local_call *l = ctx;
    bool has_error = how == TEST_FAILED || how == TEST_TIMED_OUT;
    l->run = NULL;
    if (l->call->progress)
        l->call->progress((struct str){0});
    print_status(l, states[how], how == TEST_SUCCEEDED ? result : (struct str){0},
                 has_error ? err : NULL);
    if (has_error)
        terminal_print_error("%s: %s", err->code, err->text);
    l->code = how == TEST_SUCCEEDED ? COMMAND_FINE
              : l->interrupted      ? COMMAND_INTERRUPTED
                                    : COMMAND_FAILED;
    loop_stop(l->loop);
}

static void on_interrupt(void *ctx)
{
    struct local_call *l = ctx;
    l->interrupted = true;
    if (l->run)
        test_run_cancel(l->run);
}

static int run_job(struct local_call *l, const struct json *args, uint64_t timeout_ms)
{
    struct editor_error err = {0};
    l->started = rfc3339_now();
    l->run = run_tests_start(l->editor, args,
                             &(struct run_tests_events){timeout_ms, on_progress, on_end, l}, &err);
    if (!l->run) {
        l->code = print_failure(l, ERR_UNITY_EXECUTION, &err);
    } else {
        loop_on_signal(l->loop, SIGINT, on_interrupt, l);
        loop_on_signal(l->loop, SIGTERM, on_interrupt, l);
        loop_run(l->loop);
    }
    editor_error_done(&err);
    return l->code;
}

/* ---- any call */

static int run_checked(struct local_call *l, const struct json *args)
{
    const struct call_local *c = l->call;
    struct tool_args common;
    struct error err = {0};
    struct str name = str_from(c->tool->name);
    if (!catalog_check(c->tool, args, &common, &err)) {
        struct editor_error wrong = {0};
        editor_error_set(&wrong, error_name(err.code), "%s", err.text);
        return print_failure(l, err.code, &wrong);
    }
    if (str_eq(name, STR("get_editor_state")))
        return run_state(l);
    if (c->tool->mode == TOOL_JOB)
        return run_job(l, args, c->timeout_ms ? c->timeout_ms : common.timeout_ms);
    return run_tool(l, args);
}

static bool open_editor(struct local_call *l, struct error *err)
{
    const struct config *c = l->call->config;
    bool is_unity = false;
    char *root = project_find(l->call->project, &is_unity, err);
    if (root && !is_unity)
        error_set(err, ERR_INVALID_PARAMS,
                  "%s is not a Unity project: it has no folders Assets and ProjectSettings",
                  l->call->project);
    if (root && is_unity)
        l->editor = editor_new(
            l->loop,
            &(struct editor_options){.project = root,
                                     .scene = l->call->scene,
                                     .test_command = (const char *const *)c->tests_command,
                                     .unity_path = c->unity_path},
            err);
    free(root);
    return l->editor != NULL;
}

int call_local_run(const struct call_local *c)
{
    struct local_call l = {.call = c, .code = COMMAND_FAILED};
    struct arena a = {0};
    struct error err = {0};
    const struct json *args = json_parse(&a, c->arguments, NULL, NULL);
    log_setup(LOG_TEXT, LOG_WARN); /* the answer is enough for one call */
    l.loop = loop_new();
    if (c->tool->control && strcmp(c->tool->name, "get_editor_state") != 0) {
        terminal_print_error("call: %s is about jobs of a server: call it without --project",
                             c->tool->name);
        l.code = COMMAND_USAGE;
    } else if (!open_editor(&l, &err)) {
        terminal_print_failure(&err);
        l.code = COMMAND_USAGE;
    } else {
        l.code = run_checked(&l, args);
    }
    editor_free(l.editor);
    loop_free(l.loop);
    buf_done(&l.current);
    arena_done(&a);
    return l.code;
}
