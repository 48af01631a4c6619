/* run_tests as a job. The bridge runs one at a time and chooses the id. */
#include <stdlib.h>

#include "base/mem.h"
#include "bridge/message.h"
#include "editor/editor_internal.h"
#include "editor/run_tests.h"

#define JOBS_KEPT 16u /* ended jobs, for later questions of the server */

struct editor_job {
    struct list in;
    struct editor *e;
    char *id;
    const char *state;    /* as on the wire */
    struct test_run *run; /* NULL: it has ended */
    bool has_progress;
    struct test_progress progress;
    struct buf current, result, error;
};

static void free_job(struct editor_job *j)
{
    list_remove(&j->in);
    buf_done(&j->current);
    buf_done(&j->result);
    buf_done(&j->error);
    free(j->id);
    free(j);
}

static struct editor_job *find_job(const struct editor *e, struct str id)
{
    LIST_EACH (&e->jobs, struct editor_job, in, j)
        if (str_eq(id, str_from(j->id)))
            return j;
    return NULL;
}

static void send_status(const struct editor_job *j)
{
    struct buf out = {0};
    struct jsonw w = message_begin(&out, "job_status");
    jsonw_kcstr(&w, "job_id", j->id);
    jsonw_kcstr(&w, "state", j->state);
    if (j->has_progress) {
        jsonw_key(&w, "progress");
        jsonw_object(&w);
        jsonw_kint(&w, "done", (int64_t)j->progress.done);
        jsonw_kint(&w, "total", (int64_t)j->progress.total);
        jsonw_kstr(&w, "current", buf_str(&j->current));
        jsonw_end(&w);
    }
    if (j->result.n)
        jsonw_kraw(&w, "result", buf_str(&j->result));
    if (j->error.n)
        jsonw_kraw(&w, "error", buf_str(&j->error));
    jsonw_end(&w);
    editor_link_send(j->e, &out);
}

static void on_progress(const struct test_progress *p, void *ctx)
{
    struct editor_job *j = ctx;
    j->has_progress = true;
    j->progress = *p;
    buf_clear(&j->current);
    buf_add(&j->current, p->current);
    send_status(j);
}

static void on_end(enum test_end how, struct str result, const struct editor_error *err, void *ctx)
{
    static const char *const states[] = {[TEST_SUCCEEDED] = "succeeded",
                                         [TEST_FAILED] = "failed",
                                         [TEST_TIMED_OUT] = "timeout",
                                         [TEST_CANCELLED] = "cancelled"};
    struct editor_job *j = ctx;
    struct editor *e = j->e;
    j->run = NULL;
    j->state = states[how];
    if (how == TEST_SUCCEEDED)
        buf_add(&j->result, result);
    if (how == TEST_FAILED || how == TEST_TIMED_OUT) {
        struct jsonw w = jsonw_make(&j->error);
        editor_error_put(&w, err);
    }
    e->job = NULL;
    send_status(j);
    if (list_count(&e->jobs) > JOBS_KEPT)
        free_job(LIST_FIRST(&e->jobs, struct editor_job, in));
    editor_notify_quiet(e);
}

static bool start_job(struct editor *e, struct message *m, struct editor_error *err)
{
    struct str tool = message_str(m, STR("tool_name"));
    uint64_t timeout_ms = 0;
    if (!str_eq(tool, STR("run_tests")))
        return editor_error_set(err, "ERR_UNKNOWN_COMMAND", "the headless editor has no job %.*s",
                                STR_ARG(tool));
    if (e->job)
        return editor_error_set(err, "ERR_BUSY",
                                "a test run is already running: wait for its end or cancel it");
    message_u64(m, STR("timeout_ms"), &timeout_ms);
    struct editor_job *j = mem_zalloc(sizeof *j);
    j->e = e;
    j->state = "running";
    j->run = run_tests_start(e, message_json(m, STR("params")),
                             &(struct run_tests_events){timeout_ms, on_progress, on_end, j}, err);
    if (!j->run) {
        free(j);
        return false;
    }
    j->id = str_dup(message_str(m, STR("job_id")));
    list_add(&e->jobs, &j->in);
    e->job = j;
    return true;
}

void editor_job_submit(struct editor *e, struct message *m)
{
    struct editor_error err = {0};
    struct buf out = {0};
    bool ok = start_job(e, m, &err);
    struct jsonw w = message_begin(&out, "submit_job_result");
    jsonw_kstr(&w, "request_id", message_str(m, STR("request_id")));
    jsonw_kcstr(&w, "status", ok ? "accepted" : "rejected");
    jsonw_kstr(&w, "job_id", message_str(m, STR("job_id")));
    if (!ok) {
        jsonw_key(&w, "error");
        editor_error_put(&w, &err);
    }
    jsonw_end(&w);
    editor_link_send(e, &out);
    editor_error_done(&err);
}

const char *editor_job_cancel(struct editor *e, struct str id)
{
    struct editor_job *j = find_job(e, id);
    if (!j || !j->run)
        return "rejected";
    test_run_cancel(j->run); /* on_end reports "cancelled" when its processes have ended */
    return "cancel_requested";
}

bool editor_job_send_status(struct editor *e, struct str id)
{
    const struct editor_job *j = find_job(e, id);
    if (j)
        send_status(j);
    return j != NULL;
}

void editor_job_stop(struct editor *e)
{
    if (e->job)
        test_run_cancel(e->job->run);
}

void editor_job_done(struct editor *e)
{
    LIST_EACH_SAFE (&e->jobs, struct editor_job, in, j)
        free_job(j);
}
