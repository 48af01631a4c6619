/* The editor's side of the wire: docs/spec/10-bridge.md, 3. */
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/watch_file.h"
#include "bridge/bridge.h"
#include "bridge/link_local.h"
#include "bridge/message.h"
#include "editor/editor_internal.h"
#include "editor/editor_tool.h"

enum {
    VACANT_MS = 2000, /* a live editor reconnects faster than this */
    UPDATE_MS = 50,   /* between two statuses about a changed scene or console */
};

/* ---- sending */

void editor_link_send(struct editor *e, struct buf *message)
{
    if (e->link)
        link_local_send(e->link, message);
    buf_done(message);
}

static void put_scene(struct editor *e, struct jsonw *w)
{
    struct str path = open_scene_path(e->open_scene);
    jsonw_key(w, "active_scene");
    if (path.n)
        jsonw_str(w, path);
    else
        jsonw_null(w);
    jsonw_kbool(w, "scene_dirty", open_scene_is_dirty(e->open_scene));
    jsonw_kbool(w, "is_playing", false);
    jsonw_kbool(w, "is_paused", false);
    free(e->sent_scene);
    e->sent_scene = str_dup(path);
    e->sent_dirty = open_scene_is_dirty(e->open_scene);
    e->sent_changes = open_scene_changes(e->open_scene);
    e->sent_entries = console_log_serial(e->console);
    e->sent_at = loop_now(e->loop);
    jsonw_kint(w, "scene_seq", (int64_t)e->sent_changes);
    jsonw_kint(w, "console_seq", (int64_t)e->sent_entries);
    timer_stop(&e->update);
}

static void send_hello(struct editor *e)
{
    struct buf out = {0};
    struct jsonw w = message_begin(&out, "hello");
    jsonw_kcstr(&w, "plugin_version", MULTIVERSE_VERSION);
    jsonw_kcstr(&w, "editor_instance_id", e->instance);
    jsonw_kcstr(&w, "plugin_session_id", e->session);
    jsonw_kint(&w, "connect_attempt_seq", (int64_t)++e->attempt);
    jsonw_kcstr(&w, "project_path", e->project.root);
    jsonw_kcstr(&w, "state", "ready");
    jsonw_kcstr(&w, "editor", "headless");
    if (e->project.version_text.n)
        jsonw_kstr(&w, "unity_version", e->project.version_text);
    put_scene(e, &w);
    jsonw_end(&w);
    editor_link_send(e, &out);
}

static void send_capability(struct editor *e)
{
    struct buf out = {0};
    struct jsonw w = message_begin(&out, "capability");
    jsonw_key(&w, "tools");
    jsonw_array(&w);
    for (const struct editor_tool *const *t = editor_tools; *t; t++) {
        jsonw_object(&w);
        jsonw_kcstr(&w, "name", (*t)->name);
        jsonw_end(&w);
    }
    jsonw_object(&w);
    jsonw_kcstr(&w, "name", "run_tests");
    jsonw_end(&w);
    jsonw_end(&w);
    jsonw_end(&w);
    editor_link_send(e, &out);
}

static void send_status(struct editor *e)
{
    struct buf out = {0};
    struct jsonw w = message_begin(&out, "editor_status");
    jsonw_kcstr(&w, "state", "ready");
    jsonw_kint(&w, "seq", (int64_t)++e->seq);
    put_scene(e, &w);
    jsonw_end(&w);
    editor_link_send(e, &out);
}

static void on_heartbeat(void *ctx)
{
    struct editor *e = ctx;
    send_status(e);
    timer_start(&e->status, e->loop, bridge_limits(e->bridge)->editor_status_interval_ms,
                on_heartbeat, e);
}

static void on_update(void *ctx)
{
    send_status(ctx);
}

/* A change that get_editor_state shows is sent at once. Changes of the scene or the console within
 * UPDATE_MS are sent as one. */
void editor_link_notify(struct editor *e)
{
    bool is_urgent = !str_eq(open_scene_path(e->open_scene), str_from(e->sent_scene)) ||
                     open_scene_is_dirty(e->open_scene) != e->sent_dirty;
    bool is_new = open_scene_changes(e->open_scene) != e->sent_changes ||
                  console_log_serial(e->console) != e->sent_entries;
    uint64_t since = loop_now(e->loop) - e->sent_at;
    if (!e->link || (!is_urgent && !is_new))
        return;
    if (is_urgent || since >= UPDATE_MS)
        send_status(e);
    else if (!timer_is_running(&e->update))
        timer_start(&e->update, e->loop, UPDATE_MS - since, on_update, e);
}

/* ---- receiving */

static void send_error(struct editor *e, const char *code, const char *key, struct str id)
{
    struct buf out = {0};
    struct jsonw w = message_begin(&out, "error");
    jsonw_kstr(&w, key, id);
    jsonw_key(&w, "error");
    jsonw_object(&w);
    jsonw_kcstr(&w, "code", code);
    jsonw_kcstr(&w, "message", "the headless editor does not know this id");
    jsonw_kbool(&w, "retryable", false);
    jsonw_end(&w);
    jsonw_end(&w);
    editor_link_send(e, &out);
}

static void on_execute(struct editor *e, struct message *m)
{
    struct editor_error err = {0};
    struct buf result = {0}, out = {0};
    bool ok = editor_run(e, message_str(m, STR("tool_name")), message_json(m, STR("params")),
                         &result, &err);
    editor_link_notify(e); /* before the answer, so that the status is known with it */
    struct jsonw w = message_begin(&out, "result");
    jsonw_kstr(&w, "request_id", message_str(m, STR("request_id")));
    jsonw_kcstr(&w, "status", ok ? "ok" : "error");
    jsonw_key(&w, ok ? "result" : "error");
    if (ok)
        jsonw_raw(&w, buf_str(&result));
    else
        editor_error_put(&w, &err);
    jsonw_end(&w);
    editor_link_send(e, &out);
    buf_done(&result);
    editor_error_done(&err);
}

static void on_cancel(struct editor *e, struct message *m)
{
    struct str request = message_str(m, STR("target_request_id"));
    struct str job = message_str(m, STR("target_job_id"));
    const char *status = job.n ? editor_job_cancel(e, job)
                               : "rejected"; /* calls run at once, so there is nothing to cancel */
    struct buf out = {0};
    struct jsonw w = message_begin(&out, "cancel_result");
    if (request.n)
        jsonw_kstr(&w, "target_request_id", request);
    if (job.n)
        jsonw_kstr(&w, "target_job_id", job);
    jsonw_kcstr(&w, "status", status);
    jsonw_end(&w);
    editor_link_send(e, &out);
}

static void send_job_status(struct editor *e, struct str id)
{
    if (!editor_job_send_status(e, id))
        send_error(e, "ERR_JOB_NOT_FOUND", "job_id", id);
}

/* A call is answered at once, so an unanswered request never arrived. */
static void on_resume(struct editor *e, struct message *m)
{
    JSON_ITEMS (message_json(m, STR("request_ids")), v)
        send_error(e, "ERR_UNKNOWN_REQUEST", "request_id", json_str(v));
    JSON_ITEMS (message_json(m, STR("job_ids")), v)
        send_job_status(e, json_str(v));
}

static void on_message(struct str text, void *ctx)
{
    struct editor *e = ctx;
    struct message m;
    if (!message_read(&m, text, false, NULL))
        log_warn("message from the server is not JSON");
    else if (str_eq(m.type_name, STR("execute")))
        on_execute(e, &m);
    else if (str_eq(m.type_name, STR("submit_job")))
        editor_job_submit(e, &m);
    else if (str_eq(m.type_name, STR("cancel")))
        on_cancel(e, &m);
    else if (str_eq(m.type_name, STR("get_job_status")))
        send_job_status(e, message_str(&m, STR("job_id")));
    else if (str_eq(m.type_name, STR("resume")))
        on_resume(e, &m);
    else if (str_eq(m.type_name, STR("error")))
        log_warn("the server refused a message", LOG_STR("message", text));
    message_done(&m);
}

/* ---- connecting and disconnecting */

static void end_takeover(struct editor *e)
{
    timer_stop(&e->takeover);
    watch_file_stop(e->lock_watch);
    e->lock_watch = NULL;
}

static void try_takeover(void *ctx);

static void watch_lock(struct editor *e)
{
    struct buf path = {0};
    if (e->lock_watch)
        return;
    project_lock_path(&e->project, &path);
    e->lock_watch = watch_file_start(e->loop, path.p, try_takeover, e);
    buf_done(&path);
}

/* Connect again when the live editor is gone for good: soon after Unity has left the project, else
 * when the server no longer waits for it either. While a live editor is connected nothing runs
 * here: the bridge reports when it leaves. */
static void try_takeover(void *ctx)
{
    struct editor *e = ctx;
    uint64_t vacant = bridge_vacant_ms(e->bridge);
    bool is_locked = project_is_locked(&e->project);
    uint64_t wait = is_locked ? bridge_limits(e->bridge)->request_reconnect_wait_ms : VACANT_MS;
    if (e->link || e->stopping || bridge_has_editor(e->bridge)) {
        end_takeover(e);
        return;
    }
    if (vacant >= wait && editor_link_open(e)) {
        end_takeover(e);
        return;
    }
    if (is_locked)
        watch_lock(e);
    /* Links that have not sent hello can keep this one from opening: try again later. */
    timer_start(&e->takeover, e->loop, vacant < wait ? wait - vacant : VACANT_MS, try_takeover, e);
}

void editor_link_on_vacancy(void *ctx)
{
    struct editor *e = ctx;
    if (!e->link && !e->stopping)
        try_takeover(e);
}

static void on_closed(int code, struct str reason, void *ctx)
{
    struct editor *e = ctx;
    e->link = NULL;
    timer_stop(&e->status);
    timer_stop(&e->update);
    editor_notify_quiet(e);
    if (e->stopping)
        return;
    editor_job_stop(e);
    log_info("headless editor disconnected", LOG_INT("code", code), LOG_STR("reason", reason));
    try_takeover(e); /* maybe no live editor has connected */
}

bool editor_link_open(struct editor *e)
{
    e->link = link_local_open(e->bridge, on_message, on_closed, e);
    if (!e->link)
        return false;
    e->seq = 0;
    send_hello(e);
    send_capability(e);
    timer_start(&e->status, e->loop, bridge_limits(e->bridge)->editor_status_interval_ms,
                on_heartbeat, e);
    return true;
}

void editor_link_close(struct editor *e)
{
    if (e->bridge)
        bridge_on_vacancy(e->bridge, NULL, NULL);
    end_takeover(e);
    timer_stop(&e->status);
    timer_stop(&e->update);
    if (e->link)
        link_local_close(e->link);
}

void editor_link_done(struct editor *e)
{
    end_takeover(e);
    timer_stop(&e->status);
    timer_stop(&e->update);
    free(e->sent_scene);
}
