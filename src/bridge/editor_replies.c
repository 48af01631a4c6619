#include "bridge/editor_replies.h"

#include "base/log.h"
#include "bridge/bridge_internal.h"
#include "bridge/message.h"

static struct request *find_running(const struct bridge *b, struct str id)
{
    return b->slot && id.n && str_eq(id, str_from(b->slot->id)) ? b->slot : NULL;
}

static void log_late(const struct message *m, struct str id)
{
    log_warn("late message dropped", LOG_STR("type", m->type_name), LOG_STR("id", id));
}

static void fail_unreadable(struct request *r, const char *reason)
{
    struct failure f = failure_make(ERR_INVALID_RESPONSE,
                                    "The editor's answer could not be read (%s): whether %s was "
                                    "done is not known",
                                    reason, r->tool->name);
    request_fail(r, REQUEST_ON_BAD_RESPONSE, &f);
}

static void take_result(struct bridge *b, struct message *m)
{
    struct str id = message_str(m, STR("request_id")), status = message_str(m, STR("status"));
    struct request *r = find_running(b, id);
    if (!r || r->job) {
        log_late(m, id);
        return;
    }
    struct str result = message_raw(m, STR("result"));
    if (str_eq(status, STR("ok"))) {
        if (!result.n || result.p[0] != '{')
            fail_unreadable(r, "status ok without a result object");
        else
            request_apply(r, REQUEST_ON_RESULT, message_compact(m, STR("result")), NULL);
    } else if (str_eq(status, STR("error"))) {
        struct failure f = failure_of_editor(message_json(m, STR("error")));
        request_fail(r, REQUEST_ON_ERROR, &f);
    } else {
        fail_unreadable(r, "status is neither ok nor error");
    }
}

static void take_submit_result(struct bridge *b, struct message *m)
{
    struct str id = message_str(m, STR("request_id")), status = message_str(m, STR("status"));
    struct request *r = find_running(b, id);
    if (!r || !r->job) {
        log_late(m, id);
        return;
    }
    struct str job_id = message_str(m, STR("job_id"));
    if (str_eq(status, STR("rejected"))) {
        struct failure f = failure_of_editor(message_json(m, STR("error")));
        request_fail(r, REQUEST_ON_ERROR, &f);
    } else if (!str_eq(status, STR("accepted"))) {
        fail_unreadable(r, "status is neither accepted nor rejected");
    } else if (job_id.n && !str_eq(job_id, str_from(r->job->id))) {
        fail_unreadable(r, "it names another job");
    } else {
        request_apply_event(r, REQUEST_ON_RESULT);
    }
}

static void take_job_end(struct job *j, enum job_event event, struct message *m)
{
    struct str result = message_raw(m, STR("result"));
    if (event == JOB_ON_SUCCEEDED || event == JOB_ON_FAILED) {
        buf_clear(&j->result);
        if (result.n && result.p[0] == '{')
            buf_add(&j->result, message_compact(m, STR("result")));
    }
    if (event == JOB_ON_SUCCEEDED && !j->result.n) {
        struct failure f = failure_make(ERR_INVALID_RESPONSE,
                                        "The editor reported success of the job without a result");
        job_apply(j, JOB_ON_FAILED, &f);
    } else if (event == JOB_ON_FAILED || event == JOB_ON_TIMEOUT) {
        struct failure f = failure_of_editor(message_json(m, STR("error")));
        if (event == JOB_ON_TIMEOUT && !f.plugin_code.n)
            f = failure_make(ERR_REQUEST_TIMEOUT, "The editor ended the job: it took too long");
        job_apply(j, event, &f);
    } else {
        job_apply(j, event, NULL);
    }
}

static void take_job_status(struct bridge *b, struct message *m)
{
    struct str id = message_str(m, STR("job_id")), state = message_str(m, STR("state"));
    struct job *j = job_find(b, id);
    enum job_event event = job_state_event(state);
    if (!j || j != b->running_job) {
        log_late(m, id);
    } else if (event == JOB_EVENT_COUNT) {
        editor_session_send_error(
            b->session.link, ERR_INVALID_REQUEST, (struct str){0},
            "job_status needs state: queued, running, succeeded, failed, timeout or "
            "cancelled");
    } else {
        job_take_progress(j, message_json(m, STR("progress")));
        take_job_end(j, event, m);
    }
}

static void take_cancel_result(struct bridge *b, struct message *m)
{
    struct str request_id = message_str(m, STR("target_request_id"));
    struct str job_id = message_str(m, STR("target_job_id")),
               status = message_str(m, STR("status"));
    struct job *j = job_id.n ? job_find(b, job_id) : NULL;
    struct request *r = find_running(b, request_id);
    if (r && r->job)
        j = r->job;
    log_info("cancel answered", LOG_STR("id", request_id.n ? request_id : job_id),
             LOG_STR("status", status));
    if (j && str_eq(status, STR("rejected")))
        j->cancel_requested = false; /* a later request is sent again */
    if (!str_eq(status, STR("cancelled")))
        return;
    if (j && j->request)
        request_apply_event(j->request, REQUEST_ON_CANCELLED);
    else if (j)
        job_apply(j, JOB_ON_CANCELLED, NULL);
    else if (r)
        request_apply_event(r, REQUEST_ON_CANCELLED);
    else
        log_late(m, request_id.n ? request_id : job_id);
}

/* The job an error message is about: it may say so in several places, or there is only one. */
static struct job *find_job_of_error(struct bridge *b, struct message *m, const struct json *error)
{
    struct str id = message_str(m, STR("job_id"));
    if (!id.n)
        id = json_str(json_get(json_get(error, STR("details")), STR("job_id")));
    return id.n ? job_find(b, id) : b->running_job;
}

static void take_error(struct bridge *b, struct message *m)
{
    const struct json *error = message_json(m, STR("error"));
    struct str id = message_str(m, STR("request_id")),
               code = json_str(json_get(error, STR("code")));
    struct request *r = find_running(b, id);
    struct job *j = r ? NULL : find_job_of_error(b, m, error);
    log_warn("error from the editor", LOG_STR("request_id", id), LOG_STR("code", code),
             LOG_STR("message", json_str(json_get(error, STR("message")))));
    if (r && str_eq(code, STR("ERR_UNKNOWN_REQUEST"))) {
        struct failure f = failure_make(ERR_RECONNECT_TIMEOUT,
                                        "The editor was away and does not know this call any more: "
                                        "whether %s was done is not known. Look before you call "
                                        "again",
                                        r->tool->name);
        request_fail(r, REQUEST_ON_UNKNOWN, &f);
    } else if (r) {
        struct failure f = failure_of_editor(error);
        request_fail(r, REQUEST_ON_ERROR, &f);
    } else if (j && j == b->running_job && str_eq(code, STR("ERR_JOB_NOT_FOUND"))) {
        struct failure f = failure_make(ERR_RECONNECT_TIMEOUT,
                                        "The editor was away and does not know this job any more: "
                                        "what it had done by then is not known");
        job_apply(j, JOB_ON_NOT_FOUND, &f);
    }
}

void editor_replies_receive(struct bridge *b, struct message *m)
{
    switch (m->type) {
    case MESSAGE_RESULT:
        take_result(b, m);
        break;
    case MESSAGE_SUBMIT_JOB_RESULT:
        take_submit_result(b, m);
        break;
    case MESSAGE_JOB_STATUS:
        take_job_status(b, m);
        break;
    case MESSAGE_CANCEL_RESULT:
        take_cancel_result(b, m);
        break;
    case MESSAGE_ERROR:
        take_error(b, m);
        break;
    case MESSAGE_UNKNOWN:
    case MESSAGE_HELLO:
    case MESSAGE_CAPABILITY:
    case MESSAGE_EDITOR_STATUS:
    case MESSAGE_TYPE_COUNT:
        break;
    }
}

/* The editor reports the end of a job once, so a truncated report will not come again. */
static void fail_garbled_status(struct bridge *b, struct message *m, const char *reason)
{
    struct job *j = job_find(b, message_str(m, STR("job_id")));
    enum job_event event = job_state_event(message_str(m, STR("state")));
    if (!j || j != b->running_job || event == JOB_ON_PROGRESS || event == JOB_EVENT_COUNT)
        return;
    struct failure f = failure_make(ERR_INVALID_RESPONSE,
                                    "The job has ended, but the editor's report could not be "
                                    "read (%s)",
                                    reason);
    job_apply(j, JOB_ON_FAILED, &f);
}

void editor_replies_garbled(struct bridge *b, struct message *m, const char *reason)
{
    struct request *r = find_running(b, message_str(m, STR("request_id")));
    if (r && (m->type == MESSAGE_RESULT || m->type == MESSAGE_SUBMIT_JOB_RESULT))
        fail_unreadable(r, reason);
    else if (m->type == MESSAGE_JOB_STATUS)
        fail_garbled_status(b, m, reason);
}

/* An answer that was larger than the limit ended the link: sent again it would end the next one. */
void editor_replies_too_big(struct bridge *b)
{
    struct failure f = failure_make(ERR_INVALID_RESPONSE,
                                    "The editor's answer was larger than max_message_bytes (%llu): "
                                    "whether the work was done is "
                                    "not known. Ask for less at once, or raise max_message_bytes",
                                    (unsigned long long)b->limits.max_message_bytes);
    /* Whose it was is not known: a frame is refused by its length. */
    if (b->slot)
        request_fail(b->slot, REQUEST_ON_BAD_RESPONSE, &f);
    if (b->running_job)
        job_apply(b->running_job, JOB_ON_FAILED, &f);
}

/* ---- a new connection */

static void ask_about_job(struct bridge *b, const struct job *j)
{
    struct jsonw w = message_begin(&b->out, "get_job_status");
    jsonw_kcstr(&w, "job_id", j->id);
    jsonw_end(&w);
    editor_session_send(b);
    if (!j->cancel_requested || !j->tool->supports_cancel)
        return;
    w = message_begin(&b->out, "cancel");
    jsonw_kcstr(&w, "target_job_id", j->id);
    jsonw_end(&w);
    editor_session_send(b);
}

void editor_replies_resume(struct bridge *b)
{
    if (!b->slot && !b->running_job)
        return;
    struct jsonw w = message_begin(&b->out, "resume");
    jsonw_key(&w, "request_ids");
    jsonw_array(&w);
    if (b->slot)
        jsonw_cstr(&w, b->slot->id);
    jsonw_end(&w);
    jsonw_key(&w, "job_ids");
    jsonw_array(&w);
    if (b->running_job)
        jsonw_cstr(&w, b->running_job->id);
    jsonw_end(&w);
    jsonw_end(&w);
    editor_session_send(b);
    if (b->running_job)
        ask_about_job(b, b->running_job);
}
