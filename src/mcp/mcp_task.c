#include "mcp/mcp_task.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "mcp/listen.h"
#include "mcp/mcp_list.h"

enum {
    DEFAULT_TTL_MS = 3600000,
    MAX_TTL_MS = 24 * 3600000,
    DEFAULT_POLL_MS = 1000,
};

/* ---- the state machine; an empty entry means the event does not apply */

struct task_move {
    bool exists;
    enum mcp_task_status to;
};

static const struct task_move moves[MCP_TASK_STATUS_COUNT][MCP_TASK_EVENT_COUNT] = {
#define ROW(from, event, to) [MCP_TASK_##from][MCP_TASK_ON_##event] = {true, MCP_TASK_##to}
    ROW(WORKING, ASK, INPUT_REQUIRED),      ROW(WORKING, RESULT, COMPLETED),
    ROW(WORKING, TOOL_ERROR, FAILED),       ROW(WORKING, FAILURE, FAILED),
    ROW(WORKING, CANCEL, CANCELLED),        ROW(INPUT_REQUIRED, ANSWER, WORKING),
    ROW(INPUT_REQUIRED, FAILURE, FAILED),   ROW(INPUT_REQUIRED, TOOL_ERROR, FAILED),
    ROW(INPUT_REQUIRED, CANCEL, CANCELLED),
#undef ROW
};

bool mcp_task_step(enum mcp_task_status from, enum mcp_task_event event, enum mcp_task_status *to)
{
    assert(from < MCP_TASK_STATUS_COUNT && event < MCP_TASK_EVENT_COUNT);
    if (!moves[from][event].exists)
        return false;
    *to = moves[from][event].to;
    return true;
}

const char *mcp_task_status_name(enum mcp_task_status status)
{
    static const char *const names[MCP_TASK_STATUS_COUNT] = {
        [MCP_TASK_WORKING] = "working",     [MCP_TASK_INPUT_REQUIRED] = "input_required",
        [MCP_TASK_COMPLETED] = "completed", [MCP_TASK_FAILED] = "failed",
        [MCP_TASK_CANCELLED] = "cancelled",
    };
    assert(status < MCP_TASK_STATUS_COUNT);
    return names[status];
}

static bool is_terminal(const struct mcp_task *t)
{
    return t->status >= MCP_TASK_COMPLETED;
}

/* ---- what clients see */

static void put_time(struct jsonw *w, const char *key, int64_t ms)
{
    char text[RFC3339_LEN + 1];
    rfc3339_format(ms, text);
    jsonw_kcstr(w, key, text);
}

void mcp_task_put(struct jsonw *w, const struct mcp_task *t, enum mcp_era era)
{
    bool modern = era == MCP_MODERN;
    jsonw_kcstr(w, "taskId", t->id);
    jsonw_kcstr(w, "status", mcp_task_status_name(t->status));
    if (t->message.n)
        jsonw_kstr(w, "statusMessage", buf_str(&t->message));
    put_time(w, "createdAt", t->created);
    put_time(w, "lastUpdatedAt", t->updated);
    jsonw_kint(w, modern ? "ttlMs" : "ttl", t->ttl_ms);
    jsonw_kint(w, modern ? "pollIntervalMs" : "pollInterval", t->poll_ms);
}

/* Write the modern form, with the result or the questions included. */
static void put_detailed(struct jsonw *w, const struct mcp_task *t)
{
    mcp_task_put(w, t, MCP_MODERN);
    if (t->status == MCP_TASK_COMPLETED || t->status == MCP_TASK_FAILED) {
        jsonw_key(w, t->status == MCP_TASK_COMPLETED ? "result" : "error");
        jsonw_raw(w, buf_str(&t->result));
    } else if (t->status == MCP_TASK_INPUT_REQUIRED) {
        jsonw_key(w, "inputRequests");
        mcp_ask_put_requests(w, t->call);
    }
}

static void notify_status(struct mcp_task *t)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    if (t->session && t->session->notify) {
        rpc_notification(&w, "notifications/tasks/status");
        mcp_task_put(&w, t, MCP_LEGACY);
        jsonw_end(&w);
        jsonw_end(&w);
        t->session->notify(t->session, buf_str(&out));
    } else if (!t->session) {
        jsonw_object(&w);
        put_detailed(&w, t);
        jsonw_end(&w);
        mcp_listen_notify_task(t->mcp, str_from(t->id), buf_str(&out));
    }
    buf_done(&out);
}

/* ---- moving */

static void end_waiter(struct mcp_call *waiter, const struct mcp_task *t);

static bool apply_event(struct mcp_task *t, enum mcp_task_event event)
{
    enum mcp_task_status to;
    if (!mcp_task_step(t->status, event, &to))
        return false;
    t->status = to;
    t->updated = rfc3339_now();
    notify_status(t);
    if (is_terminal(t))
        LIST_EACH_SAFE (&t->waiters, struct mcp_call, wait, waiter)
            end_waiter(waiter, t);
    return true;
}

static void detach_call(struct mcp_task *t)
{
    if (t->call) {
        t->call->task = NULL;
        t->call->session = NULL; /* the call may now outlive the session */
    }
    t->call = NULL;
}

static bool is_error_result(struct str result)
{
    struct arena a = {0};
    bool yes = json_bool(json_get(json_parse(&a, result, NULL, NULL), STR("isError")));
    arena_done(&a);
    return yes;
}

static void free_task(struct mcp_task *t);

/* Keep the result for its ttl. If all results are too large together, free the oldest tasks. */
static void store_result(struct mcp_task *t, struct str text)
{
    struct mcp *mcp = t->mcp;
    buf_add(&t->result, text);
    mcp->result_bytes += t->result.n;
    LIST_EACH_SAFE (&mcp->tasks, struct mcp_task, link, other) {
        if (mcp->result_bytes <= MCP_MAX_RESULTS)
            return;
        if (other != t && is_terminal(other))
            free_task(other);
    }
}

void mcp_task_complete(struct mcp_task *t, struct str result)
{
    store_result(t, result);
    bool failed =
        t->session && is_error_result(result); /* modern tasks are completed, with isError inside */
    bool moved = apply_event(t, failed ? MCP_TASK_ON_TOOL_ERROR : MCP_TASK_ON_RESULT);
    assert(moved); /* an ended task has no call */
    (void)moved;
    detach_call(t);
}

void mcp_task_fail(struct mcp_task *t, struct str error)
{
    store_result(t, error);
    t->is_error = true;
    bool moved = apply_event(t, MCP_TASK_ON_FAILURE);
    assert(moved);
    (void)moved;
    detach_call(t);
}

void mcp_task_set_message(struct mcp_task *t, struct str message)
{
    buf_clear(&t->message);
    buf_add(&t->message, utf8_head(message, MCP_MAX_STATUS));
    t->updated = rfc3339_now();
}

/* End the task as cancelled and return its call, if any. The caller must cancel the call as its
 * last action: that runs the program, which may even free this task or the server. */
static struct mcp_call *cancel_task(struct mcp_task *t)
{
    struct mcp_call *call = t->call;
    if (is_terminal(t))
        return NULL;
    apply_event(t, MCP_TASK_ON_CANCEL);
    mcp_ask_withdraw(call);
    detach_call(t);
    return call;
}

/* ---- life */

static void free_task(struct mcp_task *t)
{
    struct mcp_call *call = cancel_task(t);
    timer_stop(&t->expiry);
    list_remove(&t->link);
    map_remove(&t->mcp->task_ids, str_from(t->id));
    t->mcp->result_bytes -= t->result.n;
    buf_done(&t->message);
    buf_done(&t->result);
    free(t);
    if (call)
        mcp_call_cancel(call, false);
}

static void on_expiry(void *ctx)
{
    free_task(ctx);
}

/* Make room for one more task by freeing the oldest ended one. */
static bool make_task_room(struct mcp *mcp)
{
    if (mcp->task_ids.count < MCP_MAX_TASKS)
        return true;
    LIST_EACH (&mcp->tasks, struct mcp_task, link, t)
        if (is_terminal(t)) {
            free_task(t);
            return true;
        }
    return false;
}

/* Is an id of the program valid? Plain characters only, and not in use. */
static bool is_valid_task_id(const struct mcp *mcp, const char *id)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    size_t n = id ? strspn(id, letters) : 0;
    return n && !id[n] && n < MCP_TASK_ID_LEN && !map_get(&mcp->task_ids, str_make(id, n));
}

static struct mcp_task *make_task(struct mcp_call *call, const struct mcp_task_options *o)
{
    struct mcp_task *t = mem_zalloc(sizeof *t);
    t->mcp = call->mcp;
    t->session = call->era == MCP_LEGACY ? call->session : NULL;
    t->call = call;
    t->created = t->updated = rfc3339_now();
    t->ttl_ms = o && o->ttl_ms > 0 ? o->ttl_ms : DEFAULT_TTL_MS;
    if (t->ttl_ms > MAX_TTL_MS)
        t->ttl_ms = MAX_TTL_MS;
    t->poll_ms = o && o->poll_ms > 0 ? o->poll_ms : DEFAULT_POLL_MS;
    list_init(&t->waiters);
    if (o && is_valid_task_id(t->mcp, o->id))
        snprintf(t->id, sizeof t->id, "%s", o->id);
    else
        id_uuid(t->id);
    list_add(&t->mcp->tasks, &t->link);
    map_set(&t->mcp->task_ids, str_from(t->id), t);
    timer_start(&t->expiry, t->mcp->loop, (uint64_t)t->ttl_ms, on_expiry, t);
    return t;
}

/* Send the client the task instead of the answer; the call continues without a sink. */
static void start_task(struct mcp_call *call, const struct mcp_task_options *options)
{
    struct mcp_task *t = make_task(call, options);
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    struct mcp_sink *sink = call->sink;

    call->task = t;
    call->sink = NULL;
    rpc_begin(&w, call->message.id);
    jsonw_key(&w, "result");
    jsonw_object(&w);
    if (call->era == MCP_MODERN) {
        jsonw_kcstr(&w, "resultType", "task");
        mcp_task_put(&w, t, MCP_MODERN);
    } else {
        jsonw_key(&w, "task");
        jsonw_object(&w);
        mcp_task_put(&w, t, MCP_LEGACY);
        jsonw_end(&w);
    }
    jsonw_end(&w);
    jsonw_end(&w);
    if (sink)
        sink->impl->finish(sink, 200, &(struct str){out.p, out.n}, 1);
    buf_done(&out);
    /* The request is answered: it is no longer in flight and cannot be cancelled by its id. */
    mcp_call_join(call, NULL);
    call->session = t->session;
}

bool mcp_task_start(struct mcp_call *call, const struct mcp_task_options *options)
{
    if (call->task)
        return true;
    if (call->era != MCP_MODERN || call->cancelled || !call->mcp->impl->tasks ||
        !mcp_call_client_can(call, MCP_CAN_TASKS) || !call->tool ||
        call->tool->task == MCP_TASK_FORBIDDEN || !make_task_room(call->mcp))
        return false;
    start_task(call, options);
    return true;
}

bool mcp_task_admit(struct mcp_call *call)
{
    enum mcp_task_support support = call->tool->task;
    const struct json *wish = json_get(call->message.params, STR("task"));
    int64_t ttl = 0;

    if (call->era == MCP_MODERN) {
        if (support != MCP_TASK_REQUIRED || mcp_call_client_can(call, MCP_CAN_TASKS))
            return true;
        mcp_reply_missing_capability(call, MCP_CAN_TASKS);
        return false;
    }
    /* As the protocol requires, ignore `task` from revisions that do not have it. */
    if (!call->mcp->impl->tasks || call->revision < MCP_2025_11_25)
        wish = NULL;
    if (!wish && support == MCP_TASK_REQUIRED) {
        mcp_reply_error(call, RPC_METHOD_NOT_FOUND,
                        "%s runs only as a task: call it with task, in %s", call->tool->name,
                        mcp_revision_name(MCP_2025_11_25));
        return false;
    }
    if (!wish)
        return true;
    if (support == MCP_TASK_FORBIDDEN) {
        mcp_reply_error(call, RPC_METHOD_NOT_FOUND,
                        "%s does not run as a task: call it without task", call->tool->name);
        return false;
    }
    if (!json_is(wish, JSON_OBJECT) ||
        (json_get(wish, STR("ttl")) && (!json_i64(json_get(wish, STR("ttl")), &ttl) || ttl <= 0))) {
        mcp_reply_error(call, RPC_INVALID_PARAMS,
                        "task must be an object; its ttl a positive integer");
        return false;
    }
    if (!make_task_room(call->mcp)) {
        mcp_reply_error(call, RPC_INTERNAL_ERROR, "There are %d tasks already: wait for one to end",
                        MCP_MAX_TASKS);
        return false;
    }
    start_task(call, &(struct mcp_task_options){.ttl_ms = ttl});
    return true;
}

/* ---- questions inside a task */

/* Legacy: send the questions on the stream of a waiting tasks/result, as soon as there is one. Use
 * the newest: an older one may have lost its client. */
static void send_questions(struct mcp_task *t)
{
    struct mcp_sink *sink = NULL;
    LIST_EACH (&t->waiters, struct mcp_call, wait, waiter)
        sink = waiter->sink ? waiter->sink : sink;
    if (t->session && sink && t->status == MCP_TASK_INPUT_REQUIRED)
        mcp_ask_send(t->call, sink);
}

void mcp_task_ask(struct mcp_task *t)
{
    apply_event(t, MCP_TASK_ON_ASK);
    send_questions(t);
}

void mcp_task_resume(struct mcp_task *t)
{
    if (apply_event(t, MCP_TASK_ON_ANSWER))
        mcp_ask_rerun(t->call);
}

/* ---- the methods */

static struct mcp_task *find_task(struct mcp_call *call)
{
    const struct json *id = json_get(call->message.params, STR("taskId"));
    if (call->era == MCP_MODERN && !mcp_call_client_can(call, MCP_CAN_TASKS)) {
        mcp_reply_missing_capability(call, MCP_CAN_TASKS);
        return NULL;
    }
    if (!json_is(id, JSON_STRING)) {
        mcp_reply_error(call, RPC_INVALID_PARAMS, "taskId must be a string, not %s",
                        json_type_name(id));
        return NULL;
    }
    struct mcp_task *t = map_get(&call->mcp->task_ids, json_str(id));
    struct mcp_session *owner = call->era == MCP_LEGACY ? call->session : NULL;
    if (!t || t->session != owner) {
        mcp_reply_error(call, RPC_INVALID_PARAMS, "There is no task %.*s, or it has expired",
                        STR_ARG(utf8_head(json_str(id), 100)));
        return NULL;
    }
    return t;
}

void mcp_task_get(struct mcp_call *call)
{
    struct mcp_task *t = find_task(call);
    if (!t)
        return;
    struct jsonw *w = mcp_reply_begin(call);
    if (call->era == MCP_MODERN)
        put_detailed(w, t);
    else
        mcp_task_put(w, t, MCP_LEGACY);
    mcp_reply(call);
}

void mcp_task_update(struct mcp_call *call)
{
    const struct json *responses = json_get(call->message.params, STR("inputResponses"));
    struct mcp_task *t = find_task(call);
    if (!t)
        return;
    if (!json_is(responses, JSON_OBJECT)) {
        mcp_reply_error(call, RPC_INVALID_PARAMS, "inputResponses must be an object, not %s",
                        json_type_name(responses));
        return;
    }
    bool complete = t->status == MCP_TASK_INPUT_REQUIRED;
    for (size_t i = 0; t->status == MCP_TASK_INPUT_REQUIRED && i < t->call->ask_count; i++) {
        struct mcp_question *q = &t->call->asks[i];
        const struct json *answer = json_get(responses, str_from(q->key));
        if (!q->answer && mcp_ask_is_answer(answer, q->kind))
            mcp_ask_store_answer(t->call, i, answer);
        complete = complete && q->answer;
    }
    mcp_reply_begin(call);
    mcp_reply(call);
    if (complete)
        mcp_task_resume(t);
}

void mcp_task_cancel(struct mcp_call *call)
{
    struct mcp_task *t = find_task(call);
    if (!t)
        return;
    if (call->era == MCP_LEGACY && is_terminal(t)) {
        mcp_reply_error(call, RPC_INVALID_PARAMS, "The task %s has ended: it is %s", t->id,
                        mcp_task_status_name(t->status));
        return;
    }
    struct mcp_call *stopped = cancel_task(t);
    struct jsonw *w = mcp_reply_begin(call);
    if (call->era == MCP_LEGACY)
        mcp_task_put(w, t, MCP_LEGACY);
    mcp_reply(call);
    if (stopped)
        mcp_call_cancel(stopped, false);
}

/* The result with the mark that says which task it belongs to. */
static void put_result(struct mcp_call *waiter, const struct mcp_task *t)
{
    struct str members = str_skip(buf_str(&t->result), 1); /* behind the brace */
    struct buf marked = buf_make(MCP_MAX_ANSWER);
    struct jsonw w = jsonw_make(&waiter->out);

    buf_printf(&marked, "{\"_meta\":{\"%s\":{\"taskId\":\"%s\"}}%s", MCP_KEY_RELATED_TASK, t->id,
               members.n > 1 ? "," : "");
    buf_add(&marked, members);
    rpc_begin(&w, waiter->message.id);
    jsonw_key(&w, "result");
    jsonw_raw(&w, buf_str(&marked));
    jsonw_end(&w);
    buf_done(&marked);
}

static void end_waiter(struct mcp_call *waiter, const struct mcp_task *t)
{
    list_remove(&waiter->wait);
    if (t->status == MCP_TASK_CANCELLED) {
        mcp_reply_error(waiter, RPC_INVALID_REQUEST, "The task %s was cancelled", t->id);
    } else if (t->is_error) {
        struct jsonw w = jsonw_make(&waiter->out);
        rpc_begin(&w, waiter->message.id);
        jsonw_key(&w, "error");
        jsonw_raw(&w, buf_str(&t->result));
        jsonw_end(&w);
        mcp_call_finish(waiter, 200);
    } else {
        put_result(waiter, t);
        mcp_call_finish(waiter, 200);
    }
}

static void on_waiter_cancelled(void *ctx)
{
    mcp_call_free(ctx);
}

void mcp_task_result(struct mcp_call *call)
{
    struct mcp_task *t = find_task(call);
    if (!t)
        return;
    list_add(&t->waiters, &call->wait);
    mcp_call_on_cancel(call, on_waiter_cancelled, call);
    if (is_terminal(t))
        end_waiter(call, t);
    else
        send_questions(t);
}

void mcp_task_list(struct mcp_call *call)
{
    struct mcp_list_page page;
    if (!mcp_list_open_page(&page, call))
        return;
    struct jsonw *w = mcp_reply_begin(call);
    size_t i = 0;
    jsonw_key(w, "tasks");
    jsonw_array(w);
    LIST_EACH (&call->mcp->tasks, struct mcp_task, link, t) {
        if (t->session != call->session)
            continue;
        if (i >= page.from && i < page.from + page.size) {
            jsonw_object(w);
            mcp_task_put(w, t, MCP_LEGACY);
            jsonw_end(w);
        }
        i++;
    }
    jsonw_end(w);
    mcp_list_close_page(&page, w, i);
    mcp_reply(call);
}

static struct mcp_task *find_session_task(const struct mcp_session *s)
{
    LIST_EACH (&s->mcp->tasks, struct mcp_task, link, t)
        if (t->session == s)
            return t;
    return NULL;
}

void mcp_task_end_session(struct mcp_session *s)
{
    struct mcp_task *t;
    while ((t = find_session_task(s))) /* restart each time: free_task() may run the program */
        free_task(t);
}

void mcp_task_end_all(struct mcp *mcp)
{
    struct mcp_task *t;
    while ((t = LIST_FIRST(&mcp->tasks, struct mcp_task, link)))
        free_task(t);
}
