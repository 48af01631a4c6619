/* Requests: admission, waiting for the editor, the one slot, time-outs, the end. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "bridge/bridge_internal.h"
#include "bridge/message.h"

/* ---- answers */

void request_end_asker(struct asker *a)
{
    list_remove(&a->in);
    free(a);
}

static void answer_all(struct request *r, struct str object, const struct failure *o)
{
    LIST_EACH_SAFE (&r->askers, struct asker, in, a) {
        activity_end_request(r->b, &a->seen, r->state, o);
        caller_reply(a->caller, object, o != NULL);
        request_end_asker(a);
    }
}

static void log_end(const struct request *r, const struct failure *o)
{
    struct str code = o ? str_from(error_name(o->code)) : STR("ok");
    enum log_level level = o && error_guarantee(o->code) == GUARANTEE_UNKNOWN ? LOG_WARN : LOG_INFO;
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

static void request_free(struct request *r)
{
    timer_stop(&r->timer);
    assert(list_is_empty(&r->askers) && !list_is_linked(&r->in) && !r->seen);
    arena_done(&r->kept);
    free(r);
}

/* ---- progress */

static void tell(struct request *r, const char *message)
{
    r->notices++;
    LIST_EACH (&r->askers, struct asker, in, a)
        caller_progress(a->caller, r->notices, 0, message);
}

static bool wants_progress(const struct request *r)
{
    LIST_EACH (&r->askers, struct asker, in, a)
        if (caller_wants_progress(a->caller))
            return true;
    return false;
}

static void tell_place(struct request *r, size_t ahead)
{
    char text[64];
    if (!wants_progress(r))
        return;
    if (r->state == REQUEST_WAITING)
        snprintf(text, sizeof text, "waiting for the editor: %s",
                 editor_session_wait_reason_name(r->reason));
    else
        snprintf(text, sizeof text, "%zu ahead in the queue", ahead);
    tell(r, text);
}

static void tell_places(struct bridge *b)
{
    size_t ahead = b->slot ? 1 : 0;
    LIST_EACH (&b->queue, struct request, in, r)
        tell_place(r, ahead++);
}

/* ---- leaving the queue and the slot */

static void leave(struct request *r)
{
    if (list_is_linked(&r->in)) {
        list_remove(&r->in);
        r->b->queue_count--;
    }
    if (r->b->slot == r)
        r->b->slot = NULL;
}

/* The job of a submission that did not come to pass, or that the editor did not take. */
static void end_job(struct request *r, enum request_event event, const struct failure *o)
{
    struct job *j = r->job;
    if (!j)
        return;
    j->request = NULL;
    switch (event) {
    case REQUEST_ON_CANCEL:
        job_apply(j, JOB_ON_CANCEL, NULL);
        break;
    case REQUEST_ON_CANCELLED:
        job_apply(j, JOB_ON_CANCELLED, NULL);
        break;
    case REQUEST_ON_ERROR:
    case REQUEST_ON_BAD_RESPONSE:
        job_apply(j, JOB_ON_REJECTED, o);
        break;
    case REQUEST_ON_UNKNOWN:
        job_apply(j, JOB_ON_NOT_FOUND, o);
        break;
    case REQUEST_ON_GONE:
        job_apply(j, JOB_ON_GONE, o);
        break;
    case REQUEST_ON_DEADLINE:
        job_apply(j, JOB_ON_DEADLINE, o);
        break;
    case REQUEST_ON_SHUTDOWN:
        job_apply(j, JOB_ON_SHUTDOWN, o);
        break;
    case REQUEST_ON_REFUSED:
    case REQUEST_ON_WAIT_OVER:
        job_apply(j, JOB_ON_REFUSED, o);
        break;
    case REQUEST_ON_RESULT:
    case REQUEST_ON_ADMITTED:
    case REQUEST_ON_EDITOR_BUSY:
    case REQUEST_ON_EDITOR_READY:
    case REQUEST_ON_SLOT_FREE:
    case REQUEST_ON_LINK_LOST:
    case REQUEST_EVENT_COUNT:
        break;
    }
}

static void answer(struct request *r, struct str result, const struct failure *o)
{
    struct bridge *b = r->b;
    if (o) {
        buf_clear(&b->answer);
        failure_put_json(&b->answer, r->tool, o, r->id, r->job ? r->job->id : NULL);
        result = buf_str(&b->answer);
    }
    if (r->dedupe)
        dedupe_end(r, result, o);
    activity_end_request(b, &r->seen, r->state, o);
    answer_all(r, result, o);
}

/* A job that was taken: its id is the answer, now or after the wait the caller asked for. */
static void answer_taken(struct request *r)
{
    r->job->request = NULL;
    activity_end_request(r->b, &r->seen, r->state, NULL);
    if (r->dedupe)
        dedupe_taken(r);
    LIST_EACH_SAFE (&r->askers, struct asker, in, a)
        job_answer_asker(r->job, a);
    job_leave_unheard(r->job);
}

/* A call that ended because it was cancelled. Usually nobody is left to hear it. */
static const struct failure stopped = {
    .code = ERR_UNITY_EXECUTION,
    .text = "The editor stopped this call because it was cancelled",
    .plugin_code = STR_INIT("ERR_CANCELLED"),
    .plugin_message = STR_INIT("cancelled"),
};
static const struct failure withdrawn = {
    .code = ERR_EDITOR_NOT_READY,
    .text = "The call was cancelled before it was sent",
};

static void finish(struct request *r, enum request_event event, struct str result,
                   const struct failure *o)
{
    struct bridge *b = r->b;
    bool held_slot = b->slot == r;
    leave(r);
    /* The line in the log can wait until the client has its answer; the call is gone then. */
    if (r->args.client_request_id.n)
        r->args.client_request_id = arena_str(&r->kept, r->args.client_request_id);
    if (r->job && event == REQUEST_ON_RESULT) {
        answer_taken(r);
    } else if (r->state == REQUEST_CANCELLED) {
        end_job(r, event, o);
        answer(r, result, held_slot ? &stopped : &withdrawn);
    } else {
        end_job(r, event, o);
        answer(r, result, o);
    }
    log_end(r, o);
    request_free(r);
    if (held_slot && b->state != SERVER_STOPPING)
        queue_pump(b);
}

/* ---- the editor's side */

bool request_keeps_argument(struct str argument)
{
    return str_eq(argument, STR("timeout_ms")) || str_eq(argument, STR("client_request_id")) ||
           str_eq(argument, STR("wait_ms"));
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

static void write_execute(struct request *r)
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

static void on_deadline(void *ctx)
{
    struct request *r = ctx;
    struct failure o = failure_make(
        ERR_REQUEST_TIMEOUT,
        "%s did not answer in %llu ms: it may still be at work. Look at the editor's state before "
        "you call it again, or give it more time with timeout_ms (at most %llu)",
        r->tool->name, (unsigned long long)r->args.timeout_ms,
        (unsigned long long)r->tool->max_timeout_ms);
    forward_cancel(r);
    request_apply(r, REQUEST_ON_DEADLINE, (struct str){0}, &o);
}

/* ---- waiting for the editor */

static void on_wait_over(void *ctx)
{
    struct request *r = ctx;
    const struct limits *l = &r->b->limits;
    struct failure o;
    if (r->reason == WAIT_RECONNECTING)
        o = failure_make(ERR_EDITOR_NOT_READY,
                         "No editor was connected for %llu ms and nothing was sent: open the "
                         "project in Unity and call again; if it is open there, Project Settings > "
                         "Multiverse says why it is not connected",
                         (unsigned long long)l->request_reconnect_wait_ms);
    else
        o = failure_make(ERR_COMPILE_TIMEOUT,
                         "The editor was %s for more than %llu ms and nothing was sent: look at "
                         "get_editor_state and call again when it is ready",
                         editor_session_wait_reason_name(r->reason),
                         (unsigned long long)l->compile_grace_timeout_ms);
    request_apply(r, REQUEST_ON_WAIT_OVER, (struct str){0}, &o);
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

/* An editor that is back needs the time of a compilation, once; one that drops its link while it
 * compiles, as for a domain reload, is still at it. */
static void change_wait(struct request *r, enum wait_reason reason)
{
    bool same = r->reason == reason;
    if (r->reason == WAIT_RECONNECTING)
        start_wait(r, reason);
    r->reason = reason;
    if (!same)
        activity_request(r);
}

/* ---- the machine */

static void send_out(struct request *r)
{
    struct bridge *b = r->b;
    list_remove(&r->in);
    b->queue_count--;
    b->slot = r;
    if (r->job)
        job_apply(r->job, JOB_ON_SENT, NULL); /* its own timer covers the submission */
    else
        timer_start(&r->timer, b->loop, r->args.timeout_ms, on_deadline, r);
    if (r->notices > 0)
        tell(r, "running in the editor");
}

bool request_apply(struct request *r, enum request_event event, struct str result,
                   const struct failure *o)
{
    enum request_state old = r->state;
    struct request_move move = request_state_step(old, event);
    if (move.next == REQUEST_NONE)
        return false;
    r->state = move.next;
    if (old != move.next)
        log_debug("request moved", LOG_STR("request_id", str_from(r->id)),
                  LOG_STR("from", str_from(request_state_name(old))),
                  LOG_STR("to", str_from(request_state_name(move.next))),
                  LOG_STR("on", str_from(request_state_event_name(event))));
    if (old != move.next && !request_state_is_terminal(move.next))
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
        send_out(r);
        break;
    case REQUEST_DO_FORWARD_CANCEL:
        forward_cancel(r);
        break;
    case REQUEST_DO_ANSWER:
        finish(r, event, result, o);
        break;
    }
    return true;
}

/* ---- sending */

/* Writes the message; false, and the request has failed, if it cannot go to this editor at all. */
static bool is_sendable(struct request *r)
{
    struct bridge *b = r->b;
    struct failure o;
    /* What an editor could not do that was here before says nothing about this one. */
    if (b->session.said_tools && !editor_session_has_tool(b, r->tool)) {
        o = failure_make(ERR_UNKNOWN_COMMAND,
                         "The editor that is connected has no tool %s: see tools/list",
                         r->tool->name);
    } else {
        write_execute(r);
        if (b->out.n <= b->session.link->max_message)
            return true;
        o = failure_make(ERR_INVALID_PARAMS,
                         "The arguments are too large for the editor's connection: %zu bytes, at "
                         "most %zu (max_message_bytes): ask for less at once",
                         b->out.n, b->session.link->max_message);
    }
    request_apply(r, REQUEST_ON_REFUSED, (struct str){0}, &o);
    return false;
}

/* The first that may go: a job waits for the one that runs and lets calls pass. */
static struct request *next_to_send(const struct bridge *b)
{
    LIST_EACH (&b->queue, struct request, in, r)
        if (r->state == REQUEST_QUEUED && !(r->job && b->running_job))
            return r;
    return NULL;
}

void queue_pump(struct bridge *b)
{
    struct request *r;
    bool sent = false;
    if (b->pumping)
        return;
    b->pumping = true;
    while (!b->slot && editor_session_is_ready(b) && (r = next_to_send(b))) {
        if (!is_sendable(r))
            continue;
        /* From the first byte on it may have an effect: running before it goes out. */
        if (!editor_session_send(b))
            break;
        request_apply(r, REQUEST_ON_SLOT_FREE, (struct str){0}, NULL);
        sent = true;
    }
    b->pumping = false;
    if (sent && b->queue_count)
        tell_places(b);
}

/* ---- the editor comes and goes */

static void on_lost_too_long(void *ctx)
{
    struct bridge *b = ctx;
    struct failure o = failure_make(
        ERR_RECONNECT_TIMEOUT,
        "The editor went away while it worked on this and was not back in %llu ms: look at the "
        "project's state before you call again",
        (unsigned long long)b->limits.request_reconnect_wait_ms);
    if (b->slot)
        request_apply(b->slot, REQUEST_ON_GONE, (struct str){0}, &o);
    if (b->running_job)
        job_apply(b->running_job, JOB_ON_GONE, &o);
}

static void watch_running(struct bridge *b)
{
    if (b->session.link) {
        timer_stop(&b->lost);
        return;
    }
    if (timer_is_running(&b->lost) || (!b->slot && !b->running_job))
        return;
    if (b->slot)
        request_apply(b->slot, REQUEST_ON_LINK_LOST, (struct str){0}, NULL);
    if (b->running_job)
        job_apply(b->running_job, JOB_ON_LINK_LOST, NULL);
    timer_start(&b->lost, b->loop, b->limits.request_reconnect_wait_ms, on_lost_too_long, b);
}

/* Jobs get their ids when the editor is ready; a caller whose job does not go out at once is told
 * its id and need not wait. */
static void issue_jobs(struct bridge *b)
{
    LIST_EACH (&b->queue, struct request, in, r)
        if (r->state == REQUEST_QUEUED && r->tool->mode == TOOL_JOB && !r->job)
            job_issue(r);
}

/* What is still to be sent must outlive the calls it came with. */
static void keep_arguments(struct request *r)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    put_params(&w, r->arguments);
    r->params = arena_str(&r->kept, buf_str(&text));
    r->args.client_request_id = arena_str(&r->kept, r->args.client_request_id);
    r->arguments = NULL;
    buf_done(&text);
}

static void answer_queued_jobs(struct bridge *b)
{
    LIST_EACH (&b->queue, struct request, in, r) {
        if (!r->job || list_is_empty(&r->askers))
            continue;
        keep_arguments(r);
        LIST_EACH_SAFE (&r->askers, struct asker, in, a)
            job_answer_asker(r->job, a);
    }
}

static void run_queue(struct bridge *b)
{
    issue_jobs(b);
    queue_pump(b);
    answer_queued_jobs(b);
}

void queue_editor_changed(struct bridge *b)
{
    bool ready = editor_session_is_ready(b);
    enum wait_reason reason = editor_session_wait_reason(b);
    watch_running(b);
    LIST_EACH_SAFE (&b->queue, struct request, in, r) {
        if (ready && r->state == REQUEST_WAITING)
            request_apply(r, REQUEST_ON_EDITOR_READY, (struct str){0}, NULL);
        else if (!ready && r->state == REQUEST_QUEUED)
            request_apply(r, REQUEST_ON_EDITOR_BUSY, (struct str){0}, NULL);
        else if (r->state == REQUEST_WAITING && reason != WAIT_RECONNECTING)
            change_wait(r, reason);
    }
    if (ready)
        run_queue(b);
    else
        tell_places(b);
}

/* ---- arrival */

static void on_asker_gone(void *ctx)
{
    struct asker *a = ctx;
    struct request *r = a->request;
    a->gone = true;
    activity_end_request(r->b, &a->seen, REQUEST_CANCELLED, NULL);
    LIST_EACH (&r->askers, struct asker, in, other)
        if (!other->gone)
            return;
    request_apply(r, REQUEST_ON_CANCEL, (struct str){0}, NULL);
}

static void admit(struct request *r)
{
    struct bridge *b = r->b;
    if (b->queue_count >= b->limits.queue_max_size) {
        struct failure o =
            failure_make(ERR_QUEUE_FULL,
                         "%zu calls wait for the editor already and nothing was sent: call again "
                         "when some of them have ended",
                         b->queue_count);
        request_apply(r, REQUEST_ON_REFUSED, (struct str){0}, &o);
        return;
    }
    bool alone = !b->slot && !b->queue_count;
    list_add(&b->queue, &r->in);
    b->queue_count++;
    if (!editor_session_is_ready(b)) {
        request_apply(r, REQUEST_ON_EDITOR_BUSY, (struct str){0}, NULL);
        tell_place(r, b->queue_count);
        return;
    }
    request_apply(r, REQUEST_ON_ADMITTED, (struct str){0}, NULL);
    if (!alone)
        tell_place(r, b->queue_count - 1 + (b->slot ? 1 : 0));
    run_queue(b);
}

static struct request *request_new(struct bridge *b, struct caller *caller, const struct tool *tool)
{
    struct request *r = mem_zalloc(sizeof *r);
    struct asker *a = mem_zalloc(sizeof *a);
    r->b = b;
    r->tool = tool;
    r->arguments = caller->arguments;
    r->state = REQUEST_RECEIVED;
    r->received_at = loop_now(b->loop);
    bridge_new_id(b, "req", ++b->next_request, r->id);
    r->seen = activity_begin(b, caller, tool, r->id);
    list_init(&r->askers);
    a->request = r;
    a->caller = caller;
    list_add(&r->askers, &a->in);
    caller_on_cancel(caller, on_asker_gone, a);
    return r;
}

void queue_refuse(struct bridge *b, struct caller *caller, const struct tool *tool,
                  const struct failure *o)
{
    struct request *r = request_new(b, caller, tool);
    r->args.client_request_id = json_str(json_get(r->arguments, STR("client_request_id")));
    request_apply(r, REQUEST_ON_REFUSED, (struct str){0}, o);
}

void queue_call(struct bridge *b, struct caller *caller, const struct tool *tool,
                const struct tool_args *args)
{
    struct request *r = request_new(b, caller, tool);
    r->args = *args;
    if (tool->traits.changes && args->client_request_id.n && dedupe_join(r)) {
        request_free(r);
        return;
    }
    admit(r);
}

/* ---- looking and stopping */

size_t queue_place(const struct request *r)
{
    size_t place = 1;
    LIST_EACH (&r->b->queue, struct request, in, other) {
        if (other == r)
            return place;
        place++;
    }
    return 0;
}

static void end_waiting(struct bridge *b, enum request_event event, const struct failure *o)
{
    for (struct request *r; (r = LIST_FIRST(&b->queue, struct request, in));)
        request_apply(r, event, (struct str){0}, o);
}

void queue_fail_waiting(struct bridge *b, const struct failure *o)
{
    end_waiting(b, REQUEST_ON_REFUSED, o);
}

void queue_stop(struct bridge *b)
{
    struct failure waiting =
        failure_make(ERR_EDITOR_NOT_READY, "The server is stopping and nothing was sent: call "
                                           "again when it is back");
    struct failure running = failure_make(ERR_RECONNECT_TIMEOUT,
                                          "The server is stopping while the editor works on this: "
                                          "look at the project's state before you call again");
    end_waiting(b, REQUEST_ON_SHUTDOWN, &waiting);
    if (b->slot)
        request_apply(b->slot, REQUEST_ON_SHUTDOWN, (struct str){0}, &running);
    timer_stop(&b->lost);
}
