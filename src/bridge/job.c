/* Jobs: the store, those who wait for news, get_job_status and cancel_job. */
#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "bridge/bridge_internal.h"
#include "bridge/message.h"

#define NEWS_MS     1000u       /* progress ends a long poll, but no sooner than this */
#define CURRENT_MAX 512u        /* bytes of what a job says it is at */
#define MAX_ENDED   16384u      /* jobs that are kept, whatever the limits say, */
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

static struct str put_status(const struct job *j, struct buf *out)
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

void jobs_put_current(const struct bridge *b, struct jsonw *w)
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

/* ---- those who wait */

static struct str outcome_name(enum request_state state, const struct failure *o)
{
    return state == REQUEST_CANCELLED ? STR("cancelled")
           : o                        ? str_from(error_name(o->code))
                                      : STR("ok");
}

void control_end(struct bridge *b, struct control *c, enum request_state state,
                 const struct failure *o)
{
    const struct json *arguments = c->caller->arguments;
    struct str own = json_str(json_get(arguments, STR("client_request_id")));
    struct str job_id = json_str(json_get(arguments, STR("job_id")));
    struct log_field fields[8] = {
        LOG_STR("request_id", str_from(c->id)),
        LOG_STR("tool", str_from(c->tool->name)),
        LOG_STR("state", str_from(request_state_name(state))),
        LOG_STR("outcome", outcome_name(state, o)),
        LOG_INT("ms", loop_now(b->loop) - c->since),
    };
    struct log_field *more = fields + 5;
    if (job_id.p)
        *more++ = LOG_STR("job_id", job_id);
    if (own.n)
        *more++ = LOG_STR("client_request_id", own);
    log_event(LOG_INFO, "request", fields);
    if (!c->seen)
        c->seen = activity_begin(b, c->caller, c->tool, c->id);
    activity_end_request(b, &c->seen, state, o);
}

static void end_poll(struct waiter *w, enum request_state state)
{
    struct control c = {w->caller, w->tool, w->id, w->received_at, w->seen};
    control_end(w->job->b, &c, state, NULL);
}

static void waiter_free(struct waiter *w)
{
    timer_stop(&w->timer);
    timer_stop(&w->news);
    list_remove(&w->in);
    free(w);
}

static void waiter_answer(struct waiter *w)
{
    struct job *j = w->job;
    struct buf *out = &j->b->answer;
    bool ended = job_state_is_terminal(j->state);
    struct str text = w->kind == WAITER_RUN && !ended ? job_put_id(j, out) : put_status(j, out);
    if (w->kind == WAITER_STATUS)
        end_poll(w, REQUEST_SUCCEEDED);
    else
        j->told = true;
    caller_reply(w->caller, text, w->kind == WAITER_TASK && j->state != JOB_SUCCEEDED);
    waiter_free(w);
}

static void on_wait_over(void *ctx)
{
    waiter_answer(ctx);
}

/* Does somebody wait for its end who submitted it? */
static bool is_wanted(const struct job *j)
{
    LIST_EACH (&j->waiters, struct waiter, in, w)
        if (w->kind != WAITER_STATUS)
            return true;
    return false;
}

/* Whoever submitted a job and leaves before its id was told leaves it to nobody: it is cancelled.
 * So is the job of a task that is cancelled. But not if the same job was asked for twice. */
static void on_waiter_gone(void *ctx)
{
    struct waiter *w = ctx;
    struct job *j = w->job;
    struct caller *caller = w->caller;
    enum waiter_kind kind = w->kind;
    if (kind == WAITER_STATUS)
        end_poll(w, REQUEST_CANCELLED);
    waiter_free(w);
    caller_reply(caller, job_put_id(j, &j->b->answer), true);
    if (kind == WAITER_TASK && !is_wanted(j))
        job_apply(j, JOB_ON_CANCEL, NULL);
    else if (kind == WAITER_RUN)
        job_leave_unheard(j);
}

static struct waiter *wait_for(struct job *j, struct caller *caller, enum waiter_kind kind,
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
        timer_start(&w->timer, j->b->loop, ms, on_wait_over, w);
    return w;
}

static uint64_t wait_ms_of(const struct caller *caller)
{
    uint64_t ms = 0;
    json_u64(json_get(caller->arguments, STR("wait_ms")), &ms);
    return ms;
}

void job_answer_asker(struct job *j, struct asker *a)
{
    struct caller *caller = a->caller;
    uint64_t ms = wait_ms_of(caller);
    double notices = a->request->notices;
    bool gone = a->gone;
    activity_set_job(a->seen, j);
    activity_end_request(j->b, &a->seen, REQUEST_SUCCEEDED, NULL);
    request_end_asker(a);
    caller_on_cancel(caller, NULL, NULL);
    if (caller_become_task(caller, j->id)) {
        struct waiter *w = wait_for(j, caller, WAITER_TASK, 0);
        w->notices = notices;
        j->told = true;
        if (job_state_is_terminal(j->state))
            waiter_answer(w);
    } else if (ms && !gone && !job_state_is_terminal(j->state)) {
        wait_for(j, caller, WAITER_RUN, ms)->notices = notices;
    } else {
        j->told = j->told || !gone;
        caller_reply(caller,
                     job_state_is_terminal(j->state) ? put_status(j, &j->b->answer)
                                                     : job_put_id(j, &j->b->answer),
                     false);
    }
}

static void tell_progress(const struct job *j, const struct waiter *w)
{
    if (j->has_progress && caller_wants_progress(w->caller))
        caller_progress(w->caller, w->notices + (double)j->done,
                        j->total ? w->notices + (double)j->total : 0,
                        j->current.n ? j->current.p : NULL);
}

/* News of a job: its end answers everybody, a new state or progress whoever wants to hear that. */
static void tell(struct job *j, bool state_changed)
{
    bool ended = job_state_is_terminal(j->state);
    LIST_EACH_SAFE (&j->waiters, struct waiter, in, w) {
        uint64_t waited = loop_now(j->b->loop) - w->received_at;
        tell_progress(j, w);
        if (ended || (w->kind == WAITER_STATUS && (state_changed || waited >= NEWS_MS)))
            waiter_answer(w);
        else if (w->kind == WAITER_STATUS && !timer_is_running(&w->news))
            timer_start(&w->news, j->b->loop, NEWS_MS - waited, on_wait_over, w);
    }
}

/* ---- the machine */

static void job_free(struct job *j)
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

static size_t bytes_of(const struct job *j)
{
    return j->result.cap + j->error.cap + j->current.cap;
}

/* The last ones stay, and all of the last hour, unless they are too many or too large to keep; in
 * any case what ended just now, for whoever is still about to tell it. Ended jobs are looked at in
 * order of issue, which is nearly that of their ends. */
static void forget_old(struct bridge *b)
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
        b->ended_bytes -= bytes_of(j);
        job_free(j);
    }
}

static void log_job(const struct job *j, const struct failure *o)
{
    enum log_level level = o && error_guarantee(o->code) == GUARANTEE_UNKNOWN ? LOG_WARN : LOG_INFO;
    const struct log_field fields[] = {
        LOG_STR("job_id", str_from(j->id)),
        LOG_STR("tool", str_from(j->tool->name)),
        LOG_STR("state", str_from(job_state_name(j->state))),
        LOG_STR("outcome", o ? str_from(error_name(o->code)) : STR("ok")),
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
    struct failure o = failure_make(
        ERR_REQUEST_TIMEOUT,
        "The job did not end in %llu ms: the editor may still be at work. Give it more "
        "time with timeout_ms (at most %llu)",
        (unsigned long long)j->timeout_ms, (unsigned long long)j->tool->max_timeout_ms);
    send_cancel(j);
    if (j->request)
        request_apply(j->request, REQUEST_ON_DEADLINE, (struct str){0}, &o);
    else
        job_apply(j, JOB_ON_DEADLINE, &o);
}

static void start(struct job *j)
{
    struct bridge *b = j->b;
    assert(!b->running_job);
    b->running_job = j;
    j->started_at = rfc3339_now();
    timer_start(&j->timer, b->loop, j->timeout_ms, on_deadline, j);
}

/* Its submission may still be without an answer: with the job it is over, too. */
static void end_request(struct job *j, const struct failure *o)
{
    struct request *r = j->request;
    if (!r)
        return;
    if (r->state == REQUEST_RUNNING) {
        request_apply(r, REQUEST_ON_RESULT, (struct str){0}, NULL);
    } else { /* it was never sent */
        j->request = NULL;
        r->job = NULL;
        request_apply(r, j->state == JOB_CANCELLED ? REQUEST_ON_CANCEL : REQUEST_ON_REFUSED,
                      (struct str){0}, o);
    }
}

static void end(struct job *j, const struct failure *o)
{
    struct bridge *b = j->b;
    timer_stop(&j->timer);
    j->finished_at = rfc3339_now();
    j->ended = loop_now(b->loop);
    b->ended_jobs++;
    if (o)
        failure_put_json(&j->error, j->tool, o, NULL, j->id);
    b->ended_bytes += bytes_of(j);
    log_job(j, o);
    activity_end_job(j, o);
    bool ran = b->running_job == j;
    if (ran)
        b->running_job = NULL;
    tell(j, true);
    end_request(j, o);
    forget_old(b);
    if (ran && b->state != SERVER_STOPPING)
        queue_pump(b);
}

bool job_apply(struct job *j, enum job_event event, const struct failure *o)
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
        start(j);
    if (move.effect != JOB_DO_END)
        activity_job(j);
    switch (move.effect) {
    case JOB_DO_NOTHING:
        break;
    case JOB_DO_TELL:
        tell(j, old != move.next);
        break;
    case JOB_DO_FORWARD_CANCEL:
        if (!j->cancel_wanted) /* else the editor knows it, or will hear it when it is back */
            send_cancel(j);
        j->cancel_wanted = true;
        break;
    case JOB_DO_END:
        end(j, o);
        break;
    }
    return true;
}

void job_leave_unheard(struct job *j)
{
    if (j->told || is_wanted(j))
        return;
    j->cancel_wanted = false; /* the editor may have heard it before it had the job */
    job_apply(j, JOB_ON_CANCEL, NULL);
}

/* A count of tests or the like: whole, and not below 0. */
static int64_t count_of(const struct json *v)
{
    int64_t n = 0;
    return json_i64(v, &n) && n > 0 ? n : 0;
}

void job_take_progress(struct job *j, const struct json *progress)
{
    if (!json_is(progress, JSON_OBJECT))
        return;
    j->has_progress = true;
    j->done = count_of(json_get(progress, STR("done")));
    j->total = count_of(json_get(progress, STR("total")));
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
    forget_old(b);
    return j;
}

struct job *job_find(const struct bridge *b, struct str id)
{
    return map_get(&b->job_ids, id);
}

/* ---- get_job_status, cancel_job */

static struct failure not_found(const struct bridge *b, struct str id, bool cancels)
{
    char ours[BRIDGE_ID_MAX];
    bridge_new_id(b, "req", 0, ours);
    struct str prefix = str_head(str_from(ours), strlen(ours) - 1);
    if (cancels && str_starts(id, prefix))
        return failure_make(ERR_CANCEL_NOT_SUPPORTED,
                            "%.*s is a call, not a job: only its own client can cancel it, with "
                            "notifications/cancelled",
                            STR_ARG(utf8_head(id, 64)));
    return failure_make(ERR_JOB_NOT_FOUND,
                        "There is no job \"%.*s\": take the job_id that run_tests answered. Jobs "
                        "do not outlive the server, and ended ones are kept for an hour",
                        STR_ARG(utf8_head(id, 64)));
}

enum job_cancel job_cancel(struct job *j)
{
    enum job_cancel said = job_state_cancel(j->state);
    j->cancel_wanted = false; /* said once more, it is sent once more */
    log_info("job cancel", LOG_STR("job_id", str_from(j->id)),
             LOG_STR("answer", str_from(job_state_cancel_name(said))));
    job_apply(j, JOB_ON_CANCEL, NULL);
    return said;
}

static struct str put_cancel(struct job *j, struct buf *out)
{
    enum job_cancel said = job_cancel(j);
    buf_clear(out);
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "job_id", j->id);
    jsonw_kcstr(&w, "status", job_state_cancel_name(said));
    jsonw_kcstr(&w, "state", job_state_name(j->state));
    jsonw_end(&w);
    return buf_str(out);
}

static void refuse(struct bridge *b, struct caller *caller, struct control *c,
                   const struct failure *o)
{
    control_end(b, c, REQUEST_FAILED, o);
    buf_clear(&b->answer);
    failure_put_json(&b->answer, c->tool, o, c->id, NULL);
    caller_reply(caller, buf_str(&b->answer), true);
}

void jobs_call(struct bridge *b, struct caller *caller, const struct tool *tool,
               const struct tool_args *args)
{
    struct str job_id = json_str(json_get(caller->arguments, STR("job_id")));
    struct job *j = job_find(b, job_id);
    bool cancels = str_eq(str_from(tool->name), STR("cancel_job"));
    uint64_t wait_ms = wait_ms_of(caller);
    char id[BRIDGE_ID_MAX];
    struct control c = {caller, tool, id, loop_now(b->loop), NULL};
    bridge_new_id(b, "req", ++b->next_request, id);
    if (args->has_timeout && args->timeout_ms < wait_ms)
        wait_ms = args->timeout_ms;
    if (j && !cancels && wait_ms && !job_state_is_terminal(j->state)) {
        struct waiter *w = wait_for(j, caller, WAITER_STATUS, wait_ms);
        w->tool = tool;
        memcpy(w->id, id, sizeof id);
        w->seen = activity_begin(b, caller, tool, id);
        return;
    }
    if (j) {
        control_end(b, &c, REQUEST_SUCCEEDED, NULL);
        caller_reply(caller, cancels ? put_cancel(j, &b->answer) : put_status(j, &b->answer),
                     false);
        return;
    }
    struct failure o = not_found(b, job_id, cancels);
    refuse(b, caller, &c, &o);
}

/* ---- the end */

void jobs_stop(struct bridge *b)
{
    struct failure o = failure_make(ERR_RECONNECT_TIMEOUT,
                                    "The server is stopping while the job runs: jobs do not "
                                    "outlive it. Look at the project's state");
    if (b->running_job)
        job_apply(b->running_job, JOB_ON_SHUTDOWN, &o);
}

void jobs_done(struct bridge *b)
{
    LIST_EACH_SAFE (&b->jobs, struct job, in, j)
        job_free(j);
    map_done(&b->job_ids);
}
