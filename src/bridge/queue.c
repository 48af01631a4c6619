#include "bridge/queue.h"

#include <stdio.h>

#include "base/log.h"
#include "bridge/bridge_internal.h"

/* ---- places */

static void send_place(struct request *r, size_t ahead)
{
    char text[64];
    if (!request_wants_progress(r))
        return;
    if (r->state == REQUEST_WAITING)
        snprintf(text, sizeof text, "waiting for the editor: %s",
                 editor_session_wait_reason_name(r->reason));
    else
        snprintf(text, sizeof text, "%zu ahead in the queue", ahead);
    request_send_progress(r, text);
}

static void send_places(struct bridge *b)
{
    size_t ahead = b->slot ? 1 : 0;
    LIST_EACH (&b->queue, struct request, in, r)
        send_place(r, ahead++);
}

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

void queue_remove(struct request *r)
{
    if (list_is_linked(&r->in)) {
        list_remove(&r->in);
        r->b->queue_count--;
    }
    if (r->b->slot == r)
        r->b->slot = NULL;
}

void queue_take_slot(struct request *r)
{
    queue_remove(r);
    r->b->slot = r;
}

/* ---- sending */

/* Write the message. Return false if it can never go to this editor; the request has failed. */
static bool prepare_to_send(struct request *r)
{
    struct bridge *b = r->b;
    struct failure f;
    /* What an earlier editor could not do says nothing about this one. */
    if (b->session.sent_tools && !editor_session_has_tool(b, r->tool)) {
        f = failure_make(ERR_UNKNOWN_COMMAND,
                         "The connected editor has no tool %s; tools/list has those it has",
                         r->tool->name);
    } else {
        request_write_execute(r);
        if (b->out.n <= b->session.link->max_message)
            return true;
        f = failure_make(ERR_INVALID_PARAMS,
                         "The arguments are too large for the connection to the editor: %zu "
                         "bytes, at most %zu (max_message_bytes). Split the call",
                         b->out.n, b->session.link->max_message);
    }
    request_fail(r, REQUEST_ON_REFUSED, &f);
    return false;
}

static struct request *find_next(const struct bridge *b)
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
    while (!b->slot && editor_session_is_ready(b) && (r = find_next(b))) {
        if (!prepare_to_send(r))
            continue;
        /* A link takes a message whole or not at all: one that was not taken stays queued. */
        if (!editor_session_send(b))
            break;
        request_apply_event(r, REQUEST_ON_SLOT_FREE);
        sent = true;
    }
    b->pumping = false;
    if (sent && b->queue_count)
        send_places(b);
}

/* Jobs get their ids when the editor is ready. */
static void issue_jobs(struct bridge *b)
{
    LIST_EACH (&b->queue, struct request, in, r)
        if (r->state == REQUEST_QUEUED && r->tool->mode == TOOL_JOB && !r->job)
            job_issue(r);
}

/* A caller whose job is not sent at once gets the job's id and need not wait. */
static void answer_queued_jobs(struct bridge *b)
{
    LIST_EACH (&b->queue, struct request, in, r) {
        if (!r->job || list_is_empty(&r->askers))
            continue;
        request_keep_arguments(r);
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

/* ---- the editor connects and leaves */

static void on_lost_too_long(void *ctx)
{
    struct bridge *b = ctx;
    struct failure f = failure_make(
        ERR_RECONNECT_TIMEOUT,
        "The editor disconnected while it worked on this and did not reconnect within %llu ms. "
        "Check the project's state before you call again",
        (unsigned long long)b->limits.request_reconnect_wait_ms);
    if (b->slot)
        request_fail(b->slot, REQUEST_ON_GONE, &f);
    if (b->running_job)
        job_apply(b->running_job, JOB_ON_GONE, &f);
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
        request_apply_event(b->slot, REQUEST_ON_LINK_LOST);
    if (b->running_job)
        job_apply(b->running_job, JOB_ON_LINK_LOST, NULL);
    timer_start(&b->lost, b->loop, b->limits.request_reconnect_wait_ms, on_lost_too_long, b);
}

void queue_editor_changed(struct bridge *b)
{
    bool ready = editor_session_is_ready(b);
    enum wait_reason reason = editor_session_wait_reason(b);
    watch_running(b);
    LIST_EACH_SAFE (&b->queue, struct request, in, r) {
        if (ready && r->state == REQUEST_WAITING)
            request_apply_event(r, REQUEST_ON_EDITOR_READY);
        else if (!ready && r->state == REQUEST_QUEUED)
            request_apply_event(r, REQUEST_ON_EDITOR_BUSY);
        else if (r->state == REQUEST_WAITING && reason != WAIT_RECONNECTING)
            request_change_wait(r, reason);
    }
    if (ready)
        run_queue(b);
    else
        send_places(b);
}

/* ---- arrival and the end */

static void admit_request(struct request *r)
{
    struct bridge *b = r->b;
    if (b->queue_count >= b->limits.queue_max_size) {
        struct failure f = failure_make(ERR_QUEUE_FULL,
                                        "The queue is full: %zu calls are waiting; nothing was "
                                        "sent. Call again later",
                                        b->queue_count);
        request_fail(r, REQUEST_ON_REFUSED, &f);
        return;
    }
    bool alone = !b->slot && !b->queue_count;
    list_add(&b->queue, &r->in);
    b->queue_count++;
    if (!editor_session_is_ready(b)) {
        request_apply_event(r, REQUEST_ON_EDITOR_BUSY);
        send_place(r, b->queue_count);
        return;
    }
    request_apply_event(r, REQUEST_ON_ADMITTED);
    if (!alone)
        send_place(r, b->queue_count - 1 + (b->slot ? 1 : 0));
    run_queue(b);
}

void queue_refuse(struct bridge *b, struct caller *caller, const struct tool *tool,
                  const struct failure *f)
{
    struct request *r = request_new(b, caller, tool);
    r->args.client_request_id = json_str(json_get(r->arguments, STR("client_request_id")));
    request_fail(r, REQUEST_ON_REFUSED, f);
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
    admit_request(r);
}

static void end_waiting(struct bridge *b, enum request_event event, const struct failure *f)
{
    for (struct request *r; (r = LIST_FIRST(&b->queue, struct request, in));)
        request_fail(r, event, f);
}

void queue_fail_waiting(struct bridge *b, const struct failure *f)
{
    end_waiting(b, REQUEST_ON_REFUSED, f);
}

void queue_stop(struct bridge *b)
{
    struct failure waiting =
        failure_make(ERR_EDITOR_NOT_READY,
                     "The server is stopping; nothing was sent. Call again when it has restarted");
    struct failure running = failure_make(ERR_RECONNECT_TIMEOUT,
                                          "The server is stopping while the editor works on this. "
                                          "Check the project's state before you call again");
    end_waiting(b, REQUEST_ON_SHUTDOWN, &waiting);
    if (b->slot)
        request_fail(b->slot, REQUEST_ON_SHUTDOWN, &running);
    timer_stop(&b->lost);
}
