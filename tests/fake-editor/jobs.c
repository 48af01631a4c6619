/* Jobs: accepted, then executed step by step, one at a time, with or without a connection. */
#include "fake.h"

#include <stdlib.h>

#include "base/mem.h"

#define STEPS   3u
#define STEP_MS 10u

static bool is_over(const struct fake_job *j)
{
    return strcmp(j->state, "queued") != 0 && strcmp(j->state, "running") != 0;
}

static void job_free(struct fake_job *j)
{
    timer_stop(&j->timer);
    list_remove(&j->in);
    free(j->id);
    free(j->request_id);
    free(j->tool);
    free(j);
}

struct fake_job *jobs_find(struct wire_editor *f, struct str id)
{
    LIST_EACH (&f->jobs, struct fake_job, in, j)
        if (str_eq(id, str_from(j->id)))
            return j;
    return NULL;
}

static void put_failure(struct jsonw *w, const struct fake_job *j)
{
    jsonw_key(w, "error");
    jsonw_object(w);
    jsonw_kcstr(w, "code", j->how.notests ? "ERR_NO_TESTS" : "ERR_FAKE_JOB_FAILED");
    jsonw_kcstr(w, "message",
                j->how.notests ? "No test was found." : "The fake editor was asked to fail.");
    jsonw_end(w);
}

void jobs_send_status(struct fake_job *j)
{
    struct buf out;
    char current[64];
    struct jsonw w = wire_message(&out, "job_status");
    jsonw_kcstr(&w, "job_id", j->id);
    jsonw_kcstr(&w, "state", j->state);
    snprintf(current, sizeof current, "Fake.Tests.Test_%llu", (unsigned long long)j->done);
    jsonw_key(&w, "progress");
    jsonw_object(&w);
    jsonw_kint(&w, "done", (int64_t)j->done);
    jsonw_kint(&w, "total", (int64_t)j->total);
    jsonw_kcstr(&w, "current", j->done < j->total ? current : NULL);
    jsonw_end(&w);
    if (strcmp(j->state, "succeeded") == 0) {
        jsonw_key(&w, "result");
        results_put_tests(&w, j);
    }
    if (strcmp(j->state, "failed") == 0)
        put_failure(&w, j);
    jsonw_end(&w);
    wire_send(j->f, buf_str(&out));
    buf_done(&out);
}

static void start_next(struct wire_editor *f);

static void end_job(struct fake_job *j, const char *state)
{
    struct wire_editor *f = j->f;
    timer_stop(&j->timer);
    j->state = state;
    start_next(f);
}

/* The work of a job is done with its last step. */
static void finish_job(struct fake_job *j)
{
    j->f->executed++;
    trace_request(j->f, "executed", j->request_id, j->id);
    end_job(j, j->how.fail || j->how.notests ? "failed" : "succeeded");
    jobs_send_status(j);
}

static void on_step(void *ctx)
{
    struct fake_job *j = ctx;
    if (j->how.notests || ++j->done >= j->total) {
        finish_job(j);
        return;
    }
    jobs_send_status(j);
    timer_start(&j->timer, j->f->loop, j->how.step_ms, on_step, j);
}

static void on_begin(void *ctx)
{
    struct fake_job *j = ctx;
    j->state = "running";
    jobs_send_status(j);
    timer_start(&j->timer, j->f->loop, j->how.step_ms, on_step, j);
}

static void start_next(struct wire_editor *f)
{
    LIST_EACH (&f->jobs, struct fake_job, in, j) {
        if (is_over(j))
            continue;
        /* By a timer, so that the acceptance is sent before the first status. */
        if (strcmp(j->state, "queued") == 0 && !timer_is_running(&j->timer))
            timer_start(&j->timer, f->loop, 0, on_begin, j);
        return;
    }
}

void jobs_start(struct wire_editor *f, const struct fake_call *c)
{
    struct fake_job *j = mem_zalloc(sizeof *j);
    j->f = f;
    j->id = fake_dup(str_from(c->job_id));
    j->request_id = fake_dup(str_from(c->request_id));
    j->tool = fake_dup(str_from(c->tool));
    j->state = "queued";
    j->how = c->how;
    j->how.step_ms = j->how.step_ms ? j->how.step_ms : STEP_MS;
    j->total = j->how.steps ? j->how.steps : STEPS;
    list_add(&f->jobs, &j->in);
    struct fake_job *oldest = LIST_FIRST(&f->jobs, struct fake_job, in);
    if (list_count(&f->jobs) > FAKE_JOBS && is_over(oldest))
        job_free(oldest);
    start_next(f);
}

const char *jobs_cancel(struct fake_job *j)
{
    if (is_over(j) || j->how.nocancel)
        return "rejected";
    trace_request(j->f, "cancelled", j->request_id, j->id);
    end_job(j, "cancelled");
    return "cancelled";
}

void jobs_forget(struct wire_editor *f, bool all)
{
    LIST_EACH_SAFE (&f->jobs, struct fake_job, in, j)
        if (all || j->how.forget) {
            trace_request(f, "forgotten", j->request_id, j->id);
            job_free(j);
        }
    start_next(f);
}

void jobs_done(struct wire_editor *f)
{
    LIST_EACH_SAFE (&f->jobs, struct fake_job, in, j)
        job_free(j);
}
