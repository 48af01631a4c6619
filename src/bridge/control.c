#include "bridge/control.h"

#include "base/log.h"
#include "base/utf8.h"
#include "bridge/bridge_internal.h"
#include "bridge/job.h"

static struct str outcome_name(enum request_state state, const struct failure *f)
{
    return state == REQUEST_CANCELLED ? STR("cancelled")
           : f                        ? str_from(error_name(f->code))
                                      : STR("ok");
}

void control_end(struct bridge *b, struct control_call *c, enum request_state state,
                 const struct failure *f)
{
    const struct json *arguments = c->caller->arguments;
    struct str client_request_id = json_str(json_get(arguments, STR("client_request_id")));
    struct str job_id = json_str(json_get(arguments, STR("job_id")));
    struct log_field fields[8] = {
        LOG_STR("request_id", str_from(c->id)),
        LOG_STR("tool", str_from(c->tool->name)),
        LOG_STR("state", str_from(request_state_name(state))),
        LOG_STR("outcome", outcome_name(state, f)),
        LOG_INT("ms", loop_now(b->loop) - c->since),
    };
    struct log_field *more = fields + 5;
    if (job_id.p)
        *more++ = LOG_STR("job_id", job_id);
    if (client_request_id.n)
        *more++ = LOG_STR("client_request_id", client_request_id);
    log_event(LOG_INFO, "request", fields);
    if (!c->activity)
        c->activity = activity_begin(b, c->caller, c->tool, c->id);
    activity_end_request(b, &c->activity, state, f);
}

static struct control_call begin_call(struct bridge *b, struct caller *caller,
                                      const struct tool *tool, char id[BRIDGE_ID_MAX])
{
    bridge_new_id(b, "req", ++b->next_request, id);
    return (struct control_call){caller, tool, id, loop_now(b->loop), NULL};
}

static void succeed_call(struct bridge *b, struct control_call *c)
{
    control_end(b, c, REQUEST_SUCCEEDED, NULL);
    caller_reply(c->caller, buf_str(&b->answer), false);
}

static void fail_call(struct bridge *b, struct control_call *c, const struct failure *f)
{
    control_end(b, c, REQUEST_FAILED, f);
    buf_clear(&b->answer);
    failure_put_json(&b->answer, c->tool, f, c->id, NULL);
    caller_reply(c->caller, buf_str(&b->answer), true);
}

void control_get_editor_state(struct bridge *b, struct caller *caller, const struct tool *tool,
                              const struct tool_args *args)
{
    char id[BRIDGE_ID_MAX];
    struct control_call c = begin_call(b, caller, tool, id);
    (void)args;
    buf_clear(&b->answer);
    bridge_put_state(b, &b->answer);
    succeed_call(b, &c);
}

/* ---- jobs */

static struct failure no_such_job(struct str id)
{
    return failure_make(ERR_JOB_NOT_FOUND,
                        "There is no job \"%.*s\". Pass the job_id that run_tests returned. Jobs "
                        "end with the server, and ended ones are kept for an hour",
                        STR_ARG(utf8_head(id, 64)));
}

static bool is_request_id(const struct bridge *b, struct str id)
{
    char first[BRIDGE_ID_MAX];
    bridge_new_id(b, "req", 0, first);
    return str_starts(id, str_head(str_from(first), strlen(first) - 1));
}

void control_get_job_status(struct bridge *b, struct caller *caller, const struct tool *tool,
                            const struct tool_args *args)
{
    char id[BRIDGE_ID_MAX];
    struct control_call c = begin_call(b, caller, tool, id);
    struct str job_id = json_str(json_get(caller->arguments, STR("job_id")));
    struct job *j = job_find(b, job_id);
    uint64_t wait_ms = 0;
    json_u64(json_get(caller->arguments, STR("wait_ms")), &wait_ms);
    if (args->has_timeout && args->timeout_ms < wait_ms)
        wait_ms = args->timeout_ms;
    if (!j) {
        struct failure f = no_such_job(job_id);
        fail_call(b, &c, &f);
    } else if (wait_ms && !job_state_is_terminal(j->state)) {
        job_wait_for_change(j, caller, tool, id, wait_ms);
    } else {
        job_put_status(j, &b->answer);
        succeed_call(b, &c);
    }
}

void control_cancel_job(struct bridge *b, struct caller *caller, const struct tool *tool,
                        const struct tool_args *args)
{
    char id[BRIDGE_ID_MAX];
    struct control_call c = begin_call(b, caller, tool, id);
    struct str job_id = json_str(json_get(caller->arguments, STR("job_id")));
    struct job *j = job_find(b, job_id);
    (void)args;
    if (!j) {
        struct failure f = no_such_job(job_id);
        if (is_request_id(b, job_id))
            f = failure_make(ERR_CANCEL_NOT_SUPPORTED,
                             "%.*s is a call, not a job: only the client that made it can cancel "
                             "it, with notifications/cancelled",
                             STR_ARG(utf8_head(job_id, 64)));
        fail_call(b, &c, &f);
        return;
    }
    control_end(b, &c, REQUEST_SUCCEEDED, NULL);
    enum job_cancel answer = job_cancel(j);
    buf_clear(&b->answer);
    struct jsonw w = jsonw_make(&b->answer);
    jsonw_object(&w);
    jsonw_kcstr(&w, "job_id", j->id);
    jsonw_kcstr(&w, "status", job_state_cancel_name(answer));
    jsonw_kcstr(&w, "state", job_state_name(j->state));
    jsonw_end(&w);
    caller_reply(caller, buf_str(&b->answer), false);
}
