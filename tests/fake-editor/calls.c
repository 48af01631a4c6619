/* Calls of the server: received once, executed at most once, answered as the directive requests. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"

/* ---- the list */

static void call_free(struct fake_call *c)
{
    timer_stop(&c->timer);
    list_remove(&c->in);
    free(c->request_id);
    free(c->tool);
    free(c->params);
    free(c->job_id);
    free(c);
}

static struct fake_call *call_find(struct wire_editor *f, struct str request_id)
{
    LIST_EACH (&f->calls, struct fake_call, in, c)
        if (str_eq(request_id, str_from(c->request_id)))
            return c;
    return NULL;
}

size_t calls_pending(const struct wire_editor *f)
{
    return list_count(&f->calls);
}

/* ---- past answers */

static struct fake_answer *answer_find(struct wire_editor *f, struct str request_id)
{
    for (size_t i = 0; i < FAKE_ANSWERS; i++)
        if (f->answers[i].request_id && str_eq(request_id, str_from(f->answers[i].request_id)))
            return &f->answers[i];
    return NULL;
}

static struct fake_answer *keep_answer(struct wire_editor *f, const char *request_id,
                                       struct buf message)
{
    struct fake_answer *a = &f->answers[f->answer_next++ % FAKE_ANSWERS];
    free(a->request_id);
    buf_done(&a->message);
    a->request_id = fake_dup(str_from(request_id));
    a->message = message;
    return a;
}

void calls_forget(struct wire_editor *f)
{
    LIST_EACH_SAFE (&f->calls, struct fake_call, in, c)
        call_free(c);
    for (size_t i = 0; i < FAKE_ANSWERS; i++) {
        free(f->answers[i].request_id);
        buf_done(&f->answers[i].message);
        f->answers[i] = (struct fake_answer){0};
    }
}

/* ---- answers */

static void put_error(struct jsonw *w, const char *code)
{
    jsonw_kcstr(w, "status", "error");
    jsonw_key(w, "error");
    jsonw_object(w);
    jsonw_kcstr(w, "code", code);
    jsonw_kcstr(w, "message", "The fake editor was asked to fail.");
    jsonw_end(w);
}

static struct buf make_result(struct wire_editor *f, const struct fake_call *c,
                              const char *request_id)
{
    struct buf out, result = {0};
    struct jsonw w = wire_message(&out, "result"), inner = jsonw_make(&result);
    const char *code = c->how.error[0] ? c->how.error : results_put(f, &inner, c);
    jsonw_kcstr(&w, "request_id", request_id);
    if (code) {
        put_error(&w, code);
    } else {
        jsonw_kcstr(&w, "status", "ok");
        if (!c->how.noresult) {
            jsonw_key(&w, "result");
            jsonw_raw(&w, buf_str(&result));
        }
    }
    jsonw_end(&w);
    buf_done(&result);
    return out;
}

static struct buf make_submit_result(const struct fake_call *c, const char *request_id)
{
    struct buf out;
    struct jsonw w = wire_message(&out, "submit_job_result");
    jsonw_kcstr(&w, "request_id", request_id);
    jsonw_kcstr(&w, "job_id", c->job_id);
    jsonw_kcstr(&w, "status", c->how.reject ? "rejected" : "accepted");
    if (c->how.reject) {
        jsonw_key(&w, "error");
        jsonw_object(&w);
        jsonw_kcstr(&w, "code", c->how.error[0] ? c->how.error : "ERR_JOB_REJECTED");
        jsonw_kcstr(&w, "message", "The fake editor was asked to reject this job.");
        jsonw_end(&w);
    }
    jsonw_end(&w);
    return out;
}

static struct buf make_answer(struct wire_editor *f, const struct fake_call *c,
                              const char *request_id)
{
    return c->job_id ? make_submit_result(c, request_id) : make_result(f, c, request_id);
}

static void send_wrong_id(struct wire_editor *f, const struct fake_call *c)
{
    char id[128];
    snprintf(id, sizeof id, "wrong-%s", c->request_id);
    struct buf wrong = make_answer(f, c, id);
    wire_send(f, buf_str(&wrong));
    buf_done(&wrong);
}

/* Send the answer in the requested form; the correct one is always kept. */
static const char *send_answer(struct wire_editor *f, const struct fake_call *c, struct str message)
{
    if (!f->open)
        return "kept";
    if (c->how.drop) {
        wire_leave(f, STR("drop"));
        return "dropped";
    }
    if (c->how.garbage) {
        wire_send(f, STR("}{ this is not JSON"));
        return "garbage";
    }
    if (c->how.truncated) {
        /* It contains all ids, but not the end. */
        wire_send(f, utf8_head(message, message.n - message.n / 4 - 1));
        return "truncated";
    }
    if (c->how.wrongid)
        send_wrong_id(f, c);
    if (!wire_send(f, message))
        return "kept";
    if (c->how.twice)
        wire_send(f, message);
    f->answered++;
    return c->how.twice ? "twice" : c->how.wrongid ? "wrongid" : f->silent ? "held" : "sent";
}

/* ---- work */

static void start_next(struct wire_editor *f);

static void after_answer(struct wire_editor *f, const struct directive *how)
{
    if (how->has_compile)
        wire_compile(f, how->compile_ms);
    if (how->has_reload)
        wire_reload(f, how->reload_ms, true, true);
}

/* The only place where work is done; it frees the call. */
static void execute_call(struct fake_call *c)
{
    struct wire_editor *f = c->f;
    struct directive how = c->how;
    if (c->job_id) {
        trace_request(f, how.reject ? "rejected" : "accepted", c->request_id, c->job_id);
    } else {
        f->executed++;
        trace_request(f, "executed", c->request_id, c->tool);
    }
    struct fake_answer *a = keep_answer(f, c->request_id, make_answer(f, c, c->request_id));
    if (c->job_id && !how.reject)
        jobs_start(f, c); /* its first status follows the acceptance: see jobs.c */
    trace_request(f, "answered", c->request_id, send_answer(f, c, buf_str(&a->message)));
    call_free(c);
    after_answer(f, &how);
    start_next(f);
}

static void on_work(void *ctx)
{
    execute_call(ctx);
}

static void start_call(struct fake_call *c)
{
    c->started = true;
    if (c->how.hang || c->is_held)
        return;
    if (c->how.delay_ms)
        timer_start(&c->timer, c->f->loop, c->how.delay_ms, on_work, c);
    else
        execute_call(c);
}

static bool is_busy(const struct wire_editor *f)
{
    LIST_EACH (&f->calls, struct fake_call, in, c)
        if (c->started)
            return true;
    return false;
}

static void start_next(struct wire_editor *f)
{
    while (!f->mode.serial || !is_busy(f)) {
        struct fake_call *next = NULL;
        LIST_EACH (&f->calls, struct fake_call, in, c)
            if (!c->started) {
                next = c;
                break;
            }
        if (!next)
            return;
        start_call(next);
    }
}

void calls_release(struct wire_editor *f)
{
    for (;;) {
        struct fake_call *held = NULL;
        LIST_EACH (&f->calls, struct fake_call, in, c)
            if (c->is_held && c->started && !c->how.hang) {
                held = c;
                break;
            }
        if (!held)
            break;
        held->is_held = false;
        execute_call(held);
    }
    LIST_EACH (&f->calls, struct fake_call, in, c)
        c->is_held = false;
}

/* ---- arrival */

static void trace_received(struct wire_editor *f, const struct json *m, bool again)
{
    struct buf line;
    struct jsonw w;
    static const char *const keys[] = {"request_id", "job_id", "client_request_id", "tool_name",
                                       "params"};
    if (!trace_begin(f, &line, &w, "received"))
        return;
    jsonw_key(&w, "type");
    jsonw_value(&w, json_get(m, STR("type")));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct json *v = json_get(m, str_from(keys[i]));
        if (!v)
            continue;
        jsonw_key(&w, keys[i]);
        jsonw_value(&w, v);
    }
    jsonw_kbool(&w, "again", again);
    trace_end(f, &line, &w);
}

/* The mode command applies to every call, a fault to the next few. */
static void add_mode(struct wire_editor *f, struct directive *d)
{
    struct fake_mode *m = &f->mode;
    if (!d->delay_ms)
        d->delay_ms = m->delay_ms;
    if (!m->fault[0] || !m->fault_count)
        return;
    m->fault_count--;
    if (strcmp(m->fault, "duplicate") == 0)
        d->twice = true;
    else if (strcmp(m->fault, "error") == 0)
        snprintf(d->error, sizeof d->error, "ERR_FAKE");
    else
        directive_parse(d, str_from(m->fault));
}

static char *text_of(const struct json *v)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_value(&w, v);
    char *text = fake_dup(buf_str(&out));
    buf_done(&out);
    return text;
}

static struct fake_call *call_new(struct wire_editor *f, const struct json *m, bool is_job)
{
    struct fake_call *c = mem_zalloc(sizeof *c);
    const struct json *params = json_get(m, STR("params"));
    uint64_t timeout_ms = 30000;
    c->f = f;
    c->request_id = fake_dup(json_str(json_get(m, STR("request_id"))));
    c->tool = fake_dup(json_str(json_get(m, STR("tool_name"))));
    c->params = params ? text_of(params) : fake_dup(STR("{}"));
    c->job_id = is_job ? fake_dup(json_str(json_get(m, STR("job_id")))) : NULL;
    c->is_held = f->mode.hang;
    json_u64(json_get(m, STR("timeout_ms")), &timeout_ms);
    if (!directive_find(&c->how, params))
        snprintf(c->how.error, sizeof c->how.error, "ERR_FAKE_DIRECTIVE");
    add_mode(f, &c->how);
    if (f->chaos.on)
        chaos_choose(f, &c->how, timeout_ms);
    return c;
}

void calls_receive(struct wire_editor *f, const struct json *m, bool is_job)
{
    struct str id = json_str(json_get(m, STR("request_id")));
    if (!id.n || !json_str(json_get(m, STR("tool_name"))).n) {
        wire_send_error(f, "ERR_INVALID_REQUEST", "request_id", id);
        return;
    }
    struct fake_answer *a = answer_find(f, id);
    bool again = a || call_find(f, id);
    f->requests++;
    trace_received(f, m, again);
    if (a)
        wire_send(f, buf_str(&a->message));
    if (again)
        return;
    struct fake_call *c = call_new(f, m, is_job);
    list_add(&f->calls, &c->in);
    if (c->how.crash) {
        trace_request(f, "crashed", c->request_id, NULL);
        _exit(1);
    }
    if (c->how.lose) {
        trace_request(f, "lost", c->request_id, NULL);
        call_free(c);
        wire_leave(f, STR("drop"));
        return;
    }
    start_next(f);
}

/* ---- cancel, resume */

static const char *cancel_call(struct wire_editor *f, struct str id)
{
    struct fake_call *c = call_find(f, id);
    if (!c || c->how.nocancel)
        return "rejected";
    trace_request(f, "cancelled", c->request_id, NULL);
    call_free(c);
    start_next(f);
    return "cancelled";
}

void calls_cancel(struct wire_editor *f, const struct json *m)
{
    struct str request_id = json_str(json_get(m, STR("target_request_id")));
    struct str job_id = json_str(json_get(m, STR("target_job_id")));
    struct fake_job *j = job_id.n ? jobs_find(f, job_id) : NULL;
    struct buf out;
    const char *status = j              ? jobs_cancel(j)
                         : request_id.n ? cancel_call(f, request_id)
                                        : "rejected";
    struct jsonw w = wire_message(&out, "cancel_result");
    if (request_id.n)
        jsonw_kstr(&w, "target_request_id", request_id);
    if (job_id.n)
        jsonw_kstr(&w, "target_job_id", job_id);
    jsonw_kcstr(&w, "status", status);
    jsonw_end(&w);
    wire_send(f, buf_str(&out));
    buf_done(&out);
    if (j && strcmp(status, "cancelled") == 0)
        jobs_send_status(j);
}

static void trace_resume(struct wire_editor *f, struct str id, const char *how)
{
    char *text = fake_dup(id);
    trace_request(f, "resumed", text, how);
    free(text);
}

void calls_resume(struct wire_editor *f, const struct json *m)
{
    JSON_ITEMS (json_get(m, STR("request_ids")), v) {
        struct str id = json_str(v);
        struct fake_answer *a = answer_find(f, id);
        trace_resume(f, id, a ? "sent again" : call_find(f, id) ? "at work" : "unknown");
        if (a)
            wire_send(f, buf_str(&a->message));
        else if (!call_find(f, id))
            wire_send_error(f, "ERR_UNKNOWN_REQUEST", "request_id", id);
    }
    JSON_ITEMS (json_get(m, STR("job_ids")), v) {
        struct fake_job *j = jobs_find(f, json_str(v));
        trace_resume(f, json_str(v), j ? j->state : "unknown");
        if (j)
            jobs_send_status(j);
        else
            wire_send_error(f, "ERR_JOB_NOT_FOUND", "job_id", json_str(v));
    }
}
