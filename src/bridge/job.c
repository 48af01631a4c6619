#include "bridge/job.h"

#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "bridge/bridge_internal.h"
#include "bridge/control.h"
#include "bridge/message.h"

#define NOTICE_MS   1000u       /* progress ends a long poll, but not sooner than this */
#define CURRENT_MAX 512u        /* bytes of the step that a job reports */
#define MAX_ENDED   16384u      /* ended jobs that are kept at most, */
#define MAX_BYTES   (64u << 20) /* and bytes of their results */

/* ---- what a client sees of a job */

static void put_time(struct jsonw *w, const char *key, int64_t unix_ms)
{
    char text[RFC3339_LEN + 1];
    if (!unix_ms)
        return;
    rfc3339_format(unix_ms, text);
    jsonw_kcstr(w, key, text);
}

static void put_progress(struct jsonw *w, const struct job *j)
{
    jsonw_key(w, "progress");
    if (!j->has_progress) {
        jsonw_null(w);
        return;
    }
    jsonw_object(w);
    jsonw_kint(w, "done", j->done);
    jsonw_kint(w, "total", j->total);
    jsonw_kstr(w, "current", buf_str(&j->current));
    jsonw_end(w);
}

struct str job_put_status(const struct job *j, struct buf *out)
{
    buf_clear(out);
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "job_id", j->id);
    jsonw_kcstr(&w, "tool", j->tool->name);
    jsonw_kcstr(&w, "state", job_state_name(j->state));
    put_progress(&w, j);
    put_time(&w, "submitted_at", j->submitted_at);
    put_time(&w, "started_at", j->started_at);
    put_time(&w, "finished_at", j->finished_at);
    if (j->state == JOB_QUEUED && j->request)
        jsonw_kint(&w, "queue_position", (int64_t)queue_place(j->request));
    if (j->result.n)
        jsonw_kraw(&w, "result", buf_str(&j->result));
    if (j->error.n)
        jsonw_kraw(&w, "error", buf_str(&j->error));
    jsonw_end(&w);
    return buf_str(out);
}

struct str job_put_id(const struct job *j, struct buf *out)
{
    buf_clear(out);
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "job_id", j->id);
    jsonw_kcstr(&w, "state", job_state_name(j->state));
    jsonw_end(&w);
    return buf_str(out);
}

void job_put_current(const struct bridge *b, struct jsonw *w)
{
    const struct job *j = b->running_job;
    if (!j)
        LIST_EACH (&b->queue, struct request, in, r)
            if (!j)
                j = r->job;
    if (!j) {
        jsonw_null(w);
        return;
    }
    jsonw_object(w);
    jsonw_kcstr(w, "job_id", j->id);
    jsonw_kcstr(w, "tool", j->tool->name);
    jsonw_kcstr(w, "state", job_state_name(j->state));
    jsonw_kint(w, "elapsed_ms", (int64_t)(loop_now(b->loop) - j->issued));
    jsonw_end(w);
}

/* ---- waiters */

static void end_poll(struct waiter *w, enum request_state state)
{
    struct control_call c = {w->caller, w->tool, w->id, w->received_at, w->activity};
    control_end(w->job->b, &c, state, NULL);
}

static void free_waiter(struct waiter *w)
{
    timer_stop(&w->timer);
    timer_stop(&w->notice);
    list_remove(&w->in);
    free(w);
}

static void answer_waiter(struct waiter *w)
{
    struct job *j = w->job;
    struct buf *out = &j->b->answer;
    bool ended = job_state_is_terminal(j->state);
    struct str text = w->kind == WAITER_RUN && !ended ? job_put_id(j, out) : job_put_status(j, out);
    if (w->kind == WAITER_STATUS)
        end_poll(w, REQUEST_SUCCEEDED);
    else
        j->id_is_known = true;
    caller_reply(w->caller, text, w->kind == WAITER_TASK && j->state != JOB_SUCCEEDED);
    free_waiter(w);
}

static void on_time_over(void *ctx)
{
    answer_waiter(ctx);
}

/* Whether one of the callers that submitted it waits for its end. */
static bool has_end_waiter(const struct job *j)
{
    LIST_EACH (&j->waiters, struct waiter, in, w)
        if (w->kind != WAITER_STATUS)
            return true;
    return false;
}

/* Nobody could ask for a job whose submitter leaves before it got the id, so it is cancelled. So is
 * the job of a task that is cancelled, unless the same job was submitted twice. */
static void on_waiter_gone(void *ctx)
{
    struct waiter *w = ctx;
    struct job *j = w->job;
    struct caller *caller = w->caller;
    enum waiter_kind kind = w->kind;
    if (kind == WAITER_STATUS)
        end_poll(w, REQUEST_CANCELLED);
    free_waiter(w);
    caller_reply(caller, job_put_id(j, &j->b->answer), true);
    if (kind == WAITER_TASK && !has_end_waiter(j))
        job_apply(j, JOB_ON_CANCEL, NULL);
    else if (kind == WAITER_RUN)
        job_cancel_unknown(j);
}

static struct waiter *add_waiter(struct job *j, struct caller *caller, enum waiter_kind kind,
                                 uint64_t ms)
{
    struct waiter *w = mem_zalloc(sizeof *w);
    w->job = j;
    w->caller = caller;
    w->kind = kind;
    w->received_at = loop_now(j->b->loop);
    list_add(&j->waiters, &w->in);
    caller_on_cancel(caller, on_waiter_gone, w);
    if (kind != WAITER_TASK)
        timer_start(&w->timer, j->b->loop, ms, on_time_over, w);
    return w;
}

static uint64_t find_wait_ms(const struct caller *caller)
{
    uint64_t ms = 0;
    json_u64(json_get(caller->arguments, STR("wait_ms")), &ms);
    return ms;
}

void job_answer_asker(struct job *j, struct asker *a)
{
    struct caller *caller = a->caller;
    uint64_t ms = find_wait_ms(caller);
    double notices = a->request->notices;
    bool gone = a->gone;
    activity_set_job(a->activity, j);
    activity_end_request(j->b, &a->activity, REQUEST_SUCCEEDED, NULL);
    request_end_asker(a);
    caller_on_cancel(caller, NULL, NULL);
    if (caller_become_task(caller, j->id)) {
        struct waiter *w = add_waiter(j, caller, WAITER_TASK, 0);
        w->notices = notices;
        j->id_is_known = true;
        if (job_state_is_terminal(j->state))
            answer_waiter(w);
    } else if (ms && !gone && !job_state_is_terminal(j->state)) {
        add_waiter(j, caller, WAITER_RUN, ms)->notices = notices;
    } else {
        j->id_is_known = j->id_is_known || !gone;
        caller_reply(caller,
                     job_state_is_terminal(j->state) ? job_put_status(j, &j->b->answer)
                                                     : job_put_id(j, &j->b->answer),
                     false);
    }
}

static void send_progress(const struct job *j, const struct waiter *w)
{
    if (j->has_progress && caller_wants_progress(w->caller))
        caller_progress(w->caller, w->notices + (double)j->done,
                        j->total ? w->notices + (double)j->total : 0,
                        j->current.n ? j->current.p : NULL);
}

/* The end of a job answers every waiter, a new state or progress those of get_job_status. */
static void notify_waiters(struct job *j, bool state_changed)
{
    bool ended = job_state_is_terminal(j->state);
    LIST_EACH_SAFE (&j->waiters, struct waiter, in, w) {
        uint64_t waited = loop_now(j->b->loop) - w->received_at;
        send_progress(j, w);
        if (ended || (w->kind == WAITER_STATUS && (state_changed || waited >= NOTICE_MS)))
            answer_waiter(w);
        else if (w->kind == WAITER_STATUS && !timer_is_running(&w->notice))
            timer_start(&w->notice, j->b->loop, NOTICE_MS - waited, on_time_over, w);
    }
}

void job_wait_for_change(struct job *j, struct caller *caller, const struct tool *tool,
                         const char *id, uint64_t wait_ms)
{
    struct waiter *w = add_waiter(j, caller, WAITER_STATUS, wait_ms);
    w->tool = tool;
    memcpy(w->id, id, strlen(id) + 1);
    w->activity = activity_begin(j->b, caller, tool, id);
}

/* ---- the machine */

static void free_job(struct job *j)
{
    assert(list_is_empty(&j->waiters) && !j->request);
    timer_stop(&j->timer);
    map_remove(&j->b->job_ids, str_from(j->id));
    list_remove(&j->in);
    buf_done(&j->current);
    buf_done(&j->result);
    buf_done(&j->error);
    free(j);
}

static size_t count_bytes(const struct job *j)
{
    return j->result.cap + j->error.cap + j->current.cap;
}

/* Free ended jobs beyond job_keep_count that are older than job_keep_ms, and more if they are too
 * many or too large. Never free the job that ended just now: its answer may still be on its way.
 * Jobs are visited in order of issue, which is nearly the order of their ends. */
static void free_old_jobs(struct bridge *b)
{
    uint64_t now = loop_now(b->loop);
    LIST_EACH_SAFE (&b->jobs, struct job, in, j) {
        bool full = b->ended_jobs > MAX_ENDED || b->ended_bytes > MAX_BYTES;
        if (!full && b->ended_jobs <= b->limits.job_keep_count)
            return;
        if (!job_state_is_terminal(j->state))
            continue;
        if (now == j->ended || (!full && now - j->ended <= b->limits.job_keep_ms))
            return;
        b->ended_jobs--;
        b->ended_bytes -= count_bytes(j);
        free_job(j);
    }
}

static void log_end(const struct job *j, const struct failure *f)
{
    enum log_level level = f && error_guarantee(f->code) == GUARANTEE_UNKNOWN ? LOG_WARN : LOG_INFO;
    const struct log_field fields[] = {
        LOG_STR("job_id", str_from(j->id)),
        LOG_STR("tool", str_from(j->tool->name)),
        LOG_STR("state", str_from(job_state_name(j->state))),
        LOG_STR("outcome", f ? str_from(error_name(f->code)) : STR("ok")),
        LOG_INT("ms", loop_now(j->b->loop) - j->issued),
        {0},
    };
    log_event(level, "job", fields);
}

static void send_cancel(struct job *j)
{
    struct bridge *b = j->b;
    if (!j->tool->supports_cancel || !b->session.link)
        return;
    struct jsonw w = message_begin(&b->out, "cancel");
    jsonw_kcstr(&w, "target_job_id", j->id);
    jsonw_end(&w);
    editor_session_send(b);
}

static void on_deadline(void *ctx)
{
    struct job *j = ctx;
    struct failure f = failure_make(
        ERR_REQUEST_TIMEOUT,
        "The job did not end within %llu ms and may still be running in the editor. Set a larger "
        "timeout_ms (at most %llu)",
        (unsigned long long)j->timeout_ms, (unsigned long long)j->tool->max_timeout_ms);
    send_cancel(j);
    if (j->request)
        request_fail(j->request, REQUEST_ON_DEADLINE, &f);
    else
        job_apply(j, JOB_ON_DEADLINE, &f);
}

static void start_job(struct job *j)
{
    struct bridge *b = j->b;
    assert(!b->running_job);
    b->running_job = j;
    j->started_at = rfc3339_now();
    timer_start(&j->timer, b->loop, j->timeout_ms, on_deadline, j);
}

/* A submission that is not answered yet ends with its job. */
static void end_submission(struct job *j, const struct failure *f)
{
    struct request *r = j->request;
    if (!r)
        return;
    if (r->state == REQUEST_RUNNING) {
        request_apply_event(r, REQUEST_ON_RESULT);
    } else { /* it was never sent */
        j->request = NULL;
        r->job = NULL;
        request_fail(r, j->state == JOB_CANCELLED ? REQUEST_ON_CANCEL : REQUEST_ON_REFUSED, f);
    }
}

static void end_job(struct job *j, const struct failure *f)
{
    struct bridge *b = j->b;
    timer_stop(&j->timer);
    j->finished_at = rfc3339_now();
    j->ended = loop_now(b->loop);
    b->ended_jobs++;
    if (f)
        failure_put_json(&j->error, j->tool, f, NULL, j->id);
    b->ended_bytes += count_bytes(j);
    log_end(j, f);
    activity_end_job(j, f);
    bool ran = b->running_job == j;
    if (ran)
        b->running_job = NULL;
    notify_waiters(j, true);
    end_submission(j, f);
    free_old_jobs(b);
    if (ran && b->state != SERVER_STOPPING)
        queue_pump(b);
}

bool job_apply(struct job *j, enum job_event event, const struct failure *f)
{
    enum job_state old = j->state;
    struct job_move move = job_state_step(old, event);
    if (move.next == JOB_NONE)
        return false;
    j->state = move.next;
    if (old != move.next)
        log_debug("job moved", LOG_STR("job_id", str_from(j->id)),
                  LOG_STR("from", str_from(job_state_name(old))),
                  LOG_STR("to", str_from(job_state_name(move.next))),
                  LOG_STR("on", str_from(job_state_event_name(event))));
    if (event == JOB_ON_SENT)
        start_job(j);
    if (move.effect != JOB_DO_END)
        activity_job(j);
    switch (move.effect) {
    case JOB_DO_NOTHING:
        break;
    case JOB_DO_NOTIFY:
        notify_waiters(j, old != move.next);
        break;
    case JOB_DO_FORWARD_CANCEL:
        if (!j->cancel_requested) /* else the editor was asked, or will be when it is back */
            send_cancel(j);
        j->cancel_requested = true;
        break;
    case JOB_DO_END:
        end_job(j, f);
        break;
    }
    return true;
}

void job_cancel_unknown(struct job *j)
{
    if (j->id_is_known || has_end_waiter(j))
        return;
    j->cancel_requested = false; /* the editor may have got an earlier one before it had the job */
    job_apply(j, JOB_ON_CANCEL, NULL);
}

/* A count of tests or the like: whole, and not below 0. */
static int64_t read_count(const struct json *v)
{
    int64_t n = 0;
    return json_i64(v, &n) && n > 0 ? n : 0;
}

void job_take_progress(struct job *j, const struct json *progress)
{
    if (!json_is(progress, JSON_OBJECT))
        return;
    j->has_progress = true;
    j->done = read_count(json_get(progress, STR("done")));
    j->total = read_count(json_get(progress, STR("total")));
    buf_clear(&j->current);
    buf_add(&j->current, utf8_head(json_str(json_get(progress, STR("current"))), CURRENT_MAX));
}

struct job *job_issue(struct request *r)
{
    struct bridge *b = r->b;
    struct job *j = mem_zalloc(sizeof *j);
    j->b = b;
    j->tool = r->tool;
    j->state = JOB_QUEUED;
    j->request = r;
    j->timeout_ms = r->args.timeout_ms;
    j->issued = loop_now(b->loop);
    j->submitted_at = rfc3339_now();
    list_init(&j->waiters);
    bridge_new_id(b, "job", ++b->next_job, j->id);
    list_add(&b->jobs, &j->in);
    map_set(&b->job_ids, str_from(j->id), j);
    r->job = j;
    activity_issue(j);
    free_old_jobs(b);
    return j;
}

struct job *job_find(const struct bridge *b, struct str id)
{
    return map_get(&b->job_ids, id);
}

enum job_cancel job_cancel(struct job *j)
{
    enum job_cancel answer = job_state_cancel(j->state);
    j->cancel_requested = false; /* a second request is sent again */
    log_info("job cancel", LOG_STR("job_id", str_from(j->id)),
             LOG_STR("answer", str_from(job_state_cancel_name(answer))));
    job_apply(j, JOB_ON_CANCEL, NULL);
    return answer;
}

/* ---- the end */

void job_stop_all(struct bridge *b)
{
    struct failure f = failure_make(ERR_RECONNECT_TIMEOUT,
                                    "The server is stopping while the job runs, and jobs end "
                                    "with it. Check the project's state");
    if (b->running_job)
        job_apply(b->running_job, JOB_ON_SHUTDOWN, &f);
}

void job_free_all(struct bridge *b)
{
    LIST_EACH_SAFE (&b->jobs, struct job, in, j)
        free_job(j);
    map_done(&b->job_ids);
}
