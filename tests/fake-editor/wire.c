/* The connection to the server: hello, capability, status, and reconnecting. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>

#include "net/ws_conn.h"

#define MAX_MESSAGE (64u << 20)
#define MAX_QUEUED  (512u << 20)
#define PING_MS     3600000u /* the heartbeat is editor_status, not ping */
#define READY_MS    50u      /* after a reload: from the server's hello to ready */

static const char *const state_names[FAKE_STATE_COUNT] = {"ready", "compiling", "reloading"};

bool wire_state_from(struct str name, enum fake_state *state)
{
    for (int i = 0; i < FAKE_STATE_COUNT; i++)
        if (str_eq(name, str_from(state_names[i]))) {
            *state = (enum fake_state)i;
            return true;
        }
    return false;
}

/* ---- sending */

struct jsonw wire_message(struct buf *out, const char *type)
{
    *out = (struct buf){0};
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", type);
    jsonw_kint(&w, "protocol_version", 1);
    return w;
}

bool wire_send(struct wire_editor *f, struct str message)
{
    if (!f->open)
        return false;
    if (f->silent) {
        buf_add(&f->held, message);
        buf_add_char(&f->held, '\n');
        return true;
    }
    f->bytes_out += message.n;
    return ws_conn_send(f->conn, message);
}

static void send_and_done(struct wire_editor *f, struct buf *out, struct jsonw *w)
{
    jsonw_end(w);
    wire_send(f, buf_str(out));
    buf_done(out);
}

static void put_scene(const struct wire_editor *f, struct jsonw *w)
{
    jsonw_kcstr(w, "active_scene", "Assets/Scenes/SampleScene.unity");
    jsonw_kbool(w, "scene_dirty", f->scene_dirty);
    jsonw_kbool(w, "is_playing", f->is_playing);
    jsonw_kbool(w, "is_paused", f->is_paused);
}

static void on_status(void *ctx)
{
    wire_send_status(ctx);
}

void wire_send_status(struct wire_editor *f)
{
    struct buf out;
    uint64_t every = f->options.status_ms ? f->options.status_ms : f->server_status_ms;
    if (!f->open)
        return;
    if (every)
        timer_start(&f->status, f->loop, every, on_status, f);
    struct jsonw w = wire_message(&out, "editor_status");
    jsonw_kcstr(&w, "state", state_names[f->state]);
    jsonw_kint(&w, "seq", (int64_t)++f->seq);
    put_scene(f, &w);
    if (f->silent) /* a heartbeat that was not sent in time is not sent later */
        buf_done(&out);
    else
        send_and_done(f, &out, &w);
}

void wire_send_capability(struct wire_editor *f)
{
    static const struct {
        const char *name;
        int default_ms, max_ms;
        bool retryable;
    } known[] = {
        {"read_console", 10000, 30000, true},       {"get_scene_hierarchy", 10000, 30000, true},
        {"get_component_info", 10000, 30000, true}, {"manage_component", 10000, 30000, false},
        {"run_tests", 300000, 1800000, false},
    };
    struct buf out;
    struct jsonw w = wire_message(&out, "capability");
    jsonw_key(&w, "tools");
    jsonw_array(&w);
    for (size_t i = 0; i < f->tool_count; i++) {
        bool is_job = str_eq(str_from(f->tools[i]), STR("run_tests"));
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strcmp(known[k].name, f->tools[i]) != 0)
            k++;
        jsonw_object(&w);
        jsonw_kcstr(&w, "name", f->tools[i]);
        jsonw_kcstr(&w, "execution_mode", is_job ? "job" : "sync");
        jsonw_kbool(&w, "supports_cancel", is_job);
        if (k < sizeof known / sizeof *known) {
            jsonw_kint(&w, "default_timeout_ms", known[k].default_ms);
            jsonw_kint(&w, "max_timeout_ms", known[k].max_ms);
            jsonw_kbool(&w, "requires_client_request_id", false);
            jsonw_kbool(&w, "execution_error_retryable", known[k].retryable);
        }
        jsonw_end(&w);
    }
    jsonw_end(&w);
    send_and_done(f, &out, &w);
}

/* Send error/code about the id under its key: request_id or job_id. */
void wire_send_error(struct wire_editor *f, const char *code, const char *key, struct str id)
{
    struct buf out;
    struct jsonw w = wire_message(&out, "error");
    if (id.p)
        jsonw_kstr(&w, key, id);
    jsonw_key(&w, "error");
    jsonw_object(&w);
    jsonw_kcstr(&w, "code", code);
    jsonw_kcstr(&w, "message", "sent by the fake editor");
    jsonw_kbool(&w, "retryable", false);
    jsonw_key(&w, "details");
    jsonw_object(&w);
    if (id.p)
        jsonw_kstr(&w, key, id);
    jsonw_end(&w);
    jsonw_end(&w);
    send_and_done(f, &out, &w);
}

/* ---- hello */

static void put_hello(const struct wire_editor *f, struct jsonw *w)
{
    char session[128];
    snprintf(session, sizeof session, "%s", f->options.session);
    if (f->sessions > 1) /* a reload creates a new one */
        snprintf(session, sizeof session, "%s-%llu", f->options.session,
                 (unsigned long long)f->sessions);
    jsonw_kcstr(w, "plugin_version", "0.0.1-fake");
    jsonw_kcstr(w, "editor_instance_id", f->options.instance);
    jsonw_kcstr(w, "plugin_session_id", session);
    jsonw_kint(w, "connect_attempt_seq", (int64_t)f->attempt);
    jsonw_kcstr(w, "project_path", f->options.project);
    jsonw_kcstr(w, "state", state_names[f->state]);
    jsonw_kcstr(w, "editor", f->options.editor);
    jsonw_kcstr(w, "unity_version", f->options.unity_version);
    put_scene(f, w);
}

/* Send the hello, with the members that the control command changed (null: left out). */
static void send_hello(struct wire_editor *f)
{
    struct buf own, out = {0};
    struct arena a = {0};
    struct jsonw w = wire_message(&own, "hello");
    put_hello(f, &w);
    jsonw_end(&w);
    const struct json *base = json_parse(&a, buf_str(&own), NULL, NULL);
    const struct json *over = f->hello.n ? json_parse(&a, buf_str(&f->hello), NULL, NULL) : NULL;
    w = jsonw_make(&out);
    jsonw_object(&w);
    JSON_EACH (base, k)
        if (!json_get(over, json_str(k))) {
            jsonw_key_str(&w, json_str(k));
            jsonw_value(&w, k + 1);
        }
    JSON_EACH (over, o)
        if (!json_is(o + 1, JSON_NULL)) {
            jsonw_key_str(&w, json_str(o));
            jsonw_value(&w, o + 1);
        }
    send_and_done(f, &out, &w);
    buf_done(&own);
    arena_done(&a);
}

static void on_ready(void *ctx)
{
    struct wire_editor *f = ctx;
    f->reloading = false;
    wire_set_state(f, FAKE_READY);
}

static void read_u64(const struct json *message, struct str key, uint64_t *to)
{
    json_u64(json_get(message, key), to);
}

static void on_hello(struct wire_editor *f, const struct json *m)
{
    struct buf line;
    read_u64(m, STR("editor_status_interval_ms"), &f->server_status_ms);
    read_u64(m, STR("reconnect_initial_ms"), &f->initial_ms);
    read_u64(m, STR("reconnect_max_ms"), &f->max_ms);
    json_double(json_get(m, STR("reconnect_multiplier")), &f->multiplier);
    json_double(json_get(m, STR("reconnect_jitter")), &f->jitter_part);
    f->failures = 0;
    if (f->reloading)
        timer_start(&f->ready, f->loop, READY_MS, on_ready, f);
    wire_send_status(f);
    struct jsonw w = control_event(&line, "connected");
    jsonw_kint(&w, "attempt", (int64_t)f->attempt);
    jsonw_kstr(&w, "connection_id", json_str(json_get(m, STR("connection_id"))));
    jsonw_end(&w);
    control_print(f, &line);
}

/* ---- receiving */

static void on_job_question(struct wire_editor *f, const struct json *m)
{
    struct str id = json_str(json_get(m, STR("job_id")));
    struct fake_job *j = jobs_find(f, id);
    if (j)
        jobs_send_status(j);
    else
        wire_send_error(f, "ERR_JOB_NOT_FOUND", "job_id", id);
}

static void on_server_error(struct wire_editor *f, struct str text)
{
    struct buf line;
    struct jsonw w = control_event(&line, "error");
    jsonw_key(&w, "message");
    jsonw_raw(&w, text);
    jsonw_end(&w);
    control_print(f, &line);
}

static void dispatch_message(struct wire_editor *f, const struct json *m, struct str text)
{
    struct str type = json_str(json_get(m, STR("type")));
    if (str_eq(type, STR("hello")))
        on_hello(f, m);
    else if (str_eq(type, STR("capability")))
        wire_send_capability(f);
    else if (str_eq(type, STR("execute")))
        calls_receive(f, m, false);
    else if (str_eq(type, STR("submit_job")))
        calls_receive(f, m, true);
    else if (str_eq(type, STR("get_job_status")))
        on_job_question(f, m);
    else if (str_eq(type, STR("resume")))
        calls_resume(f, m);
    else if (str_eq(type, STR("cancel")))
        calls_cancel(f, m);
    else if (str_eq(type, STR("error")))
        on_server_error(f, text);
    else
        wire_send_error(f, "ERR_UNKNOWN_COMMAND", "request_id",
                        json_str(json_get(m, STR("request_id"))));
}

static void on_message(struct ws_conn *c, struct str text, bool is_text, void *ctx)
{
    struct wire_editor *f = ctx;
    struct arena a = {0};
    struct buf line;
    const struct json *m = is_text ? json_parse(&a, text, NULL, NULL) : NULL;
    (void)c;
    if (m && f->options.verbose) {
        struct jsonw w = control_event(&line, "message");
        jsonw_key(&w, "message");
        jsonw_value(&w, m);
        jsonw_end(&w);
        control_print(f, &line);
    }
    if (json_is(m, JSON_OBJECT))
        dispatch_message(f, m, text);
    else
        wire_send_error(f, "ERR_INVALID_REQUEST", "request_id", (struct str){0});
    arena_done(&a);
}

/* ---- disconnecting and reconnecting */

static void on_reconnect(void *ctx)
{
    wire_come_back(ctx);
}

static void schedule_reconnect(struct wire_editor *f)
{
    double wait = (double)f->initial_ms;
    for (uint64_t i = 0; i < f->failures && wait < (double)f->max_ms; i++)
        wait *= f->multiplier;
    if (wait > (double)f->max_ms)
        wait = (double)f->max_ms;
    wait *= 1 + f->jitter_part * (2 * rng_unit(&f->jitter) - 1);
    f->failures++;
    uint64_t ms = f->options.reconnect_ms ? f->options.reconnect_ms : (uint64_t)wait;
    timer_start(&f->reconnect, f->loop, ms, on_reconnect, f);
}

static void on_close(struct ws_conn *c, int code, struct str reason, void *ctx)
{
    struct wire_editor *f = ctx;
    struct buf line;
    struct jsonw w;
    (void)c;
    if (f->open && trace_begin(f, &line, &w, "closed")) {
        jsonw_kint(&w, "code", code);
        trace_end(f, &line, &w);
    }
    w = control_event(&line, "closed");
    jsonw_kint(&w, "code", code);
    jsonw_kstr(&w, "reason", reason);
    jsonw_kbool(&w, "was_open", f->open);
    jsonw_end(&w);
    control_print(f, &line);
    f->conn = NULL;
    f->open = false;
    buf_clear(&f->held);
    timer_stop(&f->status);
    if (f->quitting)
        loop_stop(f->loop);
    else if (!f->away && !f->silent && !f->options.no_reconnect)
        schedule_reconnect(f);
}

static const struct ws_events events = {on_message, on_close, NULL};

static void on_open(struct ws_conn *c, void *ctx)
{
    struct wire_editor *f = ctx;
    (void)c;
    f->open = true;
    f->seq = 0;
    trace_request(f, "opened", NULL, NULL);
    send_hello(f);
}

void wire_come_back(struct wire_editor *f)
{
    f->away = false;
    timer_stop(&f->back);
    timer_stop(&f->reconnect);
    if (f->conn || f->quitting)
        return;
    f->attempt++;
    struct ws_target t = {
        .port = f->options.port,
        .path = f->options.path,
        .token = str_trim(buf_str(&f->options.token)),
        .options = {.max_message = MAX_MESSAGE, .max_queued = MAX_QUEUED, .ping_ms = PING_MS},
    };
    t.options.close_ms = 500;
    t.options.on_open = on_open;
    f->conn = ws_conn_connect(f->loop, &t, &events, f);
}

void wire_leave(struct wire_editor *f, struct str how)
{
    timer_stop(&f->reconnect);
    if (str_eq(how, STR("playmode"))) {
        f->reloading = true;
        wire_set_state(f, FAKE_RELOADING);
    }
    if (!f->conn)
        return;
    if (str_eq(how, STR("rst")))
        ws_conn_reset(f->conn);
    else if (str_eq(how, STR("drop")))
        ws_conn_drop(f->conn);
    else
        ws_conn_close(f->conn, WS_CLOSE_GOING_AWAY, STR("the fake editor leaves"));
}

static void on_back(void *ctx)
{
    struct wire_editor *f = ctx;
    if (f->conn) /* it is still closing: reconnect in the ordinary way */
        f->away = false;
    else
        wire_come_back(f);
}

void wire_leave_for(struct wire_editor *f, struct str how, uint64_t ms)
{
    f->away = true;
    wire_leave(f, how);
    timer_start(&f->back, f->loop, ms, on_back, f);
}

/* ---- states */

void wire_set_state(struct wire_editor *f, enum fake_state state)
{
    if (f->state == state)
        return;
    f->state = state;
    wire_send_status(f);
}

void wire_compile(struct wire_editor *f, uint64_t ms)
{
    trace_request(f, "compiling", NULL, NULL);
    wire_set_state(f, FAKE_COMPILING);
    timer_start(&f->ready, f->loop, ms, on_ready, f);
}

void wire_reload(struct wire_editor *f, uint64_t ms, bool keep_jobs, bool keep_requests)
{
    trace_request(f, "reloading", NULL, NULL);
    timer_stop(&f->ready);
    f->reloading = true;
    wire_set_state(f, FAKE_RELOADING);
    jobs_forget(f, !keep_jobs);
    if (!keep_requests)
        calls_forget(f);
    f->sessions++;
    wire_leave_for(f, STR("close"), ms);
}

static void send_held(struct wire_editor *f)
{
    struct buf held = f->held;
    struct str rest = buf_str(&held), message;
    f->held = (struct buf){0};
    while (rest.n) {
        str_cut(&rest, '\n', &message);
        wire_send(f, message);
    }
    buf_done(&held);
}

void wire_set_silent(struct wire_editor *f, bool on)
{
    if (f->silent == on)
        return;
    trace_request(f, on ? "silent" : "awake", NULL, NULL);
    f->silent = on;
    if (on)
        return;
    send_held(f);
    wire_send_status(f);
    if (!f->conn && !f->away && !f->options.no_reconnect)
        wire_come_back(f);
}

void wire_start(struct wire_editor *f)
{
    f->initial_ms = 200;
    f->max_ms = 5000;
    f->multiplier = 1.8;
    f->jitter_part = 0.2;
    f->sessions = 1;
    rng_seed(&f->jitter, 1);
    wire_come_back(f);
}

void wire_done(struct wire_editor *f)
{
    timer_stop(&f->reconnect);
    timer_stop(&f->status);
    timer_stop(&f->ready);
    timer_stop(&f->back);
    buf_done(&f->held);
    buf_done(&f->hello);
}
