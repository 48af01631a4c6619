#include "bridge/request.h"

#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "bridge/bridge_internal.h"
#include "bridge/message.h"

/* ---- the answer */

void request_end_asker(struct asker *a)
{
    list_remove(&a->in);
    free(a);
}

static void answer_askers(struct request *r, struct str object, const struct failure *f)
{
    LIST_EACH_SAFE (&r->askers, struct asker, in, a) {
        activity_end_request(r->b, &a->activity, r->state, f);
        caller_reply(a->caller, object, f != NULL);
        request_end_asker(a);
    }
}

static void answer_request(struct request *r, struct str result, const struct failure *f)
{
    struct bridge *b = r->b;
    if (f) {
        buf_clear(&b->answer);
        failure_put_json(&b->answer, r->tool, f, r->id, r->job ? r->job->id : NULL);
        result = buf_str(&b->answer);
    }
    if (r->dedupe)
        dedupe_end(r, result, f);
    activity_end_request(b, &r->activity, r->state, f);
    answer_askers(r, result, f);
}

/* The editor accepted the job: its id is the answer, now or after the wait the caller asked for. */
static void answer_submission(struct request *r)
{
    r->job->request = NULL;
    activity_end_request(r->b, &r->activity, r->state, NULL);
    if (r->dedupe)
        dedupe_accept_job(r);
    LIST_EACH_SAFE (&r->askers, struct asker, in, a)
        job_answer_asker(r->job, a);
    job_cancel_unknown(r->job);
}

/* The job of a submission that was not sent, or that the editor did not accept. */
static void end_job(struct request *r, enum request_event event, const struct failure *f)
{
    struct job *j = r->job;
    enum job_event job_event = job_state_event_of_request(event);
    if (!j)
        return;
    j->request = NULL;
    if (job_event != JOB_EVENT_COUNT)
        job_apply(j, job_event, r->state == REQUEST_CANCELLED ? NULL : f);
}

static void log_end(const struct request *r, const struct failure *f)
{
    struct str code = f ? str_from(error_name(f->code)) : STR("ok");
    enum log_level level = f && error_guarantee(f->code) == GUARANTEE_UNKNOWN ? LOG_WARN : LOG_INFO;
    struct log_field fields[8] = {
        LOG_STR("request_id", str_from(r->id)),
        LOG_STR("tool", str_from(r->tool->name)),
        LOG_STR("state", str_from(request_state_name(r->state))),
        LOG_STR("outcome", r->state == REQUEST_CANCELLED ? STR("cancelled") : code),
        LOG_INT("ms", loop_now(r->b->loop) - r->received_at),
    };
    struct log_field *more = fields + 5;
    if (r->job)
        *more++ = LOG_STR("job_id", str_from(r->job->id));
    if (r->args.client_request_id.n)
        *more++ = LOG_STR("client_request_id", r->args.client_request_id);
    log_event(level, "request", fields);
}

void request_free(struct request *r)
{
    timer_stop(&r->timer);
    assert(list_is_empty(&r->askers) && !list_is_linked(&r->in) && !r->activity);
    arena_done(&r->kept);
    free(r);
}

/* A cancelled call still gets an answer, though usually nobody reads it. */
static const struct failure cancelled_by_editor = {
    .code = ERR_UNITY_EXECUTION,
    .text = "The editor stopped this call because it was cancelled",
    .plugin_code = STR_INIT("ERR_CANCELLED"),
    .plugin_message = STR_INIT("cancelled"),
};
static const struct failure cancelled_before_sent = {
    .code = ERR_EDITOR_NOT_READY,
    .text = "The call was cancelled before it was sent",
};

static void finish_request(struct request *r, enum request_event event, struct str result,
                           const struct failure *f)
{
    struct bridge *b = r->b;
    bool held_slot = b->slot == r;
    queue_remove(r);
    /* The call ends with its answer, and the log line is written after that. */
    if (r->args.client_request_id.n)
        r->args.client_request_id = arena_str(&r->kept, r->args.client_request_id);
    if (r->job && event == REQUEST_ON_RESULT) {
        answer_submission(r);
    } else if (r->state == REQUEST_CANCELLED) {
        end_job(r, event, f);
        answer_request(r, result, held_slot ? &cancelled_by_editor : &cancelled_before_sent);
    } else {
        end_job(r, event, f);
        answer_request(r, result, f);
    }
    log_end(r, f);
    request_free(r);
    if (held_slot && b->state != SERVER_STOPPING)
        queue_pump(b);
}

/* ---- progress */

void request_send_progress(struct request *r, const char *message)
{
    r->notices++;
    LIST_EACH (&r->askers, struct asker, in, a)
        caller_progress(a->caller, r->notices, 0, message);
}

bool request_wants_progress(const struct request *r)
{
    LIST_EACH (&r->askers, struct asker, in, a)
        if (caller_wants_progress(a->caller))
            return true;
    return false;
}

/* ---- messages to the editor */

bool request_keeps_argument(struct str name)
{
    return str_eq(name, STR("timeout_ms")) || str_eq(name, STR("client_request_id")) ||
           str_eq(name, STR("wait_ms"));
}

static void put_params(struct jsonw *w, const struct json *arguments)
{
    jsonw_object(w);
    JSON_EACH (arguments, k) {
        struct str key = json_str(k);
        if (request_keeps_argument(key))
            continue;
        jsonw_key_str(w, key);
        jsonw_value(w, k + 1);
    }
    jsonw_end(w);
}

void request_keep_arguments(struct request *r)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    put_params(&w, r->arguments);
    r->params = arena_str(&r->kept, buf_str(&text));
    r->args.client_request_id = arena_str(&r->kept, r->args.client_request_id);
    r->arguments = NULL;
    buf_done(&text);
}

void request_write_execute(struct request *r)
{
    struct jsonw w = message_begin(&r->b->out, r->job ? "submit_job" : "execute");
    jsonw_kcstr(&w, "request_id", r->id);
    if (r->args.client_request_id.n)
        jsonw_kstr(&w, "client_request_id", r->args.client_request_id);
    if (r->job)
        jsonw_kcstr(&w, "job_id", r->job->id);
    jsonw_kcstr(&w, "tool_name", r->tool->name);
    jsonw_key(&w, "params");
    if (r->params.n)
        jsonw_raw(&w, r->params);
    else
        put_params(&w, r->arguments);
    jsonw_kint(&w, "timeout_ms", (int64_t)r->args.timeout_ms);
    jsonw_end(&w);
}

static void forward_cancel(struct request *r)
{
    if (r->job)
        job_apply(r->job, JOB_ON_CANCEL, NULL);
    if (r->job || !r->tool->supports_cancel || !r->b->session.link)
        return;
    struct jsonw w = message_begin(&r->b->out, "cancel");
    jsonw_kcstr(&w, "target_request_id", r->id);
    jsonw_end(&w);
    editor_session_send(r->b);
}

/* ---- time limits */

static void on_deadline(void *ctx)
{
    struct request *r = ctx;
    struct failure f = failure_make(
        ERR_REQUEST_TIMEOUT,
        "%s did not answer within %llu ms and may still be running. Check the editor's state "
        "before you call it again, or set a larger timeout_ms (at most %llu)",
        r->tool->name, (unsigned long long)r->args.timeout_ms,
        (unsigned long long)r->tool->max_timeout_ms);
    forward_cancel(r);
    request_fail(r, REQUEST_ON_DEADLINE, &f);
}

static void on_wait_over(void *ctx)
{
    struct request *r = ctx;
    const struct limits *l = &r->b->limits;
    struct failure f;
    if (r->reason == WAIT_RECONNECTING)
        f = failure_make(ERR_EDITOR_NOT_READY,
                         "No editor connected within %llu ms; nothing was sent. Open the project "
                         "in Unity and call again. If it is open, Project Settings > Multiverse "
                         "shows why it is not connected",
                         (unsigned long long)l->request_reconnect_wait_ms);
    else
        f = failure_make(ERR_COMPILE_TIMEOUT,
                         "The editor was %s for more than %llu ms; nothing was sent. Call again "
                         "when get_editor_state reports ready",
                         editor_session_wait_reason_name(r->reason),
                         (unsigned long long)l->compile_grace_timeout_ms);
    request_fail(r, REQUEST_ON_WAIT_OVER, &f);
}

static void start_wait(struct request *r, enum wait_reason reason)
{
    const struct limits *l = &r->b->limits;
    r->reason = reason;
    timer_start(&r->timer, r->b->loop,
                reason == WAIT_RECONNECTING ? l->request_reconnect_wait_ms
                                            : l->compile_grace_timeout_ms,
                on_wait_over, r);
    activity_request(r);
}

/* An editor that reconnects gets the time of a compilation, once. One that drops its link while it
 * compiles, as for a domain reload, is still compiling. */
void request_change_wait(struct request *r, enum wait_reason reason)
{
    bool same = r->reason == reason;
    if (r->reason == WAIT_RECONNECTING)
        start_wait(r, reason);
    r->reason = reason;
    if (!same)
        activity_request(r);
}

/* ---- the machine */

static void start_running(struct request *r)
{
    queue_take_slot(r);
    if (r->job)
        job_apply(r->job, JOB_ON_SENT, NULL); /* its own timer covers the submission */
    else
        timer_start(&r->timer, r->b->loop, r->args.timeout_ms, on_deadline, r);
    if (r->notices > 0)
        request_send_progress(r, "running in the editor");
}

static void log_move(const struct request *r, enum request_state from, enum request_event event)
{
    log_debug("request moved", LOG_STR("request_id", str_from(r->id)),
              LOG_STR("from", str_from(request_state_name(from))),
              LOG_STR("to", str_from(request_state_name(r->state))),
              LOG_STR("on", str_from(request_state_event_name(event))));
}

bool request_apply(struct request *r, enum request_event event, struct str result,
                   const struct failure *f)
{
    enum request_state from = r->state;
    struct request_move move = request_state_step(from, event);
    if (move.next == REQUEST_NONE)
        return false;
    r->state = move.next;
    if (from != move.next)
        log_move(r, from, event);
    if (from != move.next && !request_state_is_terminal(move.next))
        activity_request(r);
    switch (move.effect) {
    case REQUEST_DO_NOTHING:
        if (move.next == REQUEST_QUEUED)
            timer_stop(&r->timer);
        break;
    case REQUEST_DO_WAIT:
        start_wait(r, editor_session_wait_reason(r->b));
        break;
    case REQUEST_DO_SEND:
        start_running(r);
        break;
    case REQUEST_DO_FORWARD_CANCEL:
        forward_cancel(r);
        break;
    case REQUEST_DO_ANSWER:
        finish_request(r, event, result, f);
        break;
    }
    return true;
}

bool request_apply_event(struct request *r, enum request_event event)
{
    return request_apply(r, event, (struct str){0}, NULL);
}

bool request_fail(struct request *r, enum request_event event, const struct failure *f)
{
    return request_apply(r, event, (struct str){0}, f);
}

/* ---- arrival */

static void on_asker_gone(void *ctx)
{
    struct asker *a = ctx;
    struct request *r = a->request;
    a->gone = true;
    activity_end_request(r->b, &a->activity, REQUEST_CANCELLED, NULL);
    LIST_EACH (&r->askers, struct asker, in, other)
        if (!other->gone)
            return;
    request_apply_event(r, REQUEST_ON_CANCEL);
}

struct request *request_new(struct bridge *b, struct caller *caller, const struct tool *tool)
{
    struct request *r = mem_zalloc(sizeof *r);
    struct asker *a = mem_zalloc(sizeof *a);
    r->b = b;
    r->tool = tool;
    r->arguments = caller->arguments;
    r->state = REQUEST_RECEIVED;
    r->received_at = loop_now(b->loop);
    bridge_new_id(b, "req", ++b->next_request, r->id);
    r->activity = activity_begin(b, caller, tool, r->id);
    list_init(&r->askers);
    a->request = r;
    a->caller = caller;
    list_add(&r->askers, &a->in);
    caller_on_cancel(caller, on_asker_gone, a);
    return r;
}
