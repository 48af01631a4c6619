#include "bridge/editor_session.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "bridge/bridge_internal.h"
#include "bridge/message.h"
#include "net/ws.h"

#define ID_BYTES   256u  /* of an editor_instance_id */
#define TEXT_BYTES 4096u /* of other texts that an editor reports */

/* ---- what is known of it */

bool editor_session_is_ready(const struct bridge *b)
{
    return b->session.link && b->session.state == EDITOR_READY && b->state == SERVER_READY;
}

enum wait_reason editor_session_wait_reason(const struct bridge *b)
{
    if (!b->session.link)
        return WAIT_RECONNECTING;
    switch (b->session.state) {
    case EDITOR_COMPILING:
        return WAIT_COMPILING;
    case EDITOR_RELOADING:
        return WAIT_RELOADING;
    case EDITOR_READY:
    case EDITOR_UNKNOWN:
    case EDITOR_STATE_COUNT:
        break;
    }
    return WAIT_NONE;
}

const char *editor_session_wait_reason_name(enum wait_reason reason)
{
    static const char *const names[WAIT_REASON_COUNT] = {
        [WAIT_RECONNECTING] = "reconnecting",
        [WAIT_COMPILING] = "compiling",
        [WAIT_RELOADING] = "reloading",
    };
    return names[reason];
}

bool editor_session_has_tool(const struct bridge *b, const struct tool *tool)
{
    if (tool->control || !b->session.has_tool)
        return true;
    for (size_t i = 0; i < catalog_count(b->catalog); i++)
        if (catalog_at(b->catalog, i) == tool)
            return b->session.has_tool[i];
    return false;
}

/* The functions below return whether the value has changed. */
static bool set_text(char **to, struct str text)
{
    text = utf8_head(text, TEXT_BYTES);
    if (!text.p || (*to && str_eq(text, str_from(*to))))
        return false;
    free(*to);
    *to = str_dup(text);
    return true;
}

static bool set_flag(struct message *m, struct str key, int *to)
{
    const struct json *v = message_json(m, key);
    int before = *to;
    if (json_is(v, JSON_BOOL))
        *to = json_bool(v);
    return *to != before;
}

static bool set_count(struct message *m, struct str key, struct bridge_count *to)
{
    struct bridge_count before = *to;
    if (message_u64(m, key, &to->n))
        to->is_known = true;
    return to->is_known != before.is_known || to->n != before.n;
}

/* ---- sending */

static bool send_text(struct link *l, struct str text)
{
    if (l->closing)
        return false;
    if (l->impl->send(l, text))
        return true;
    l->impl->drop(l); /* its buffer is full: let the editor connect again */
    return false;
}

bool editor_session_send(struct bridge *b)
{
    return b->session.link && send_text(b->session.link, buf_str(&b->out));
}

void editor_session_send_error(struct link *l, enum error_code code, struct str request_id,
                               const char *message)
{
    struct bridge *b = l->bridge;
    struct jsonw w = message_begin(&b->out, "error");
    if (request_id.n)
        jsonw_kstr(&w, "request_id", request_id);
    struct failure f = {.code = code};
    snprintf(f.text, sizeof f.text, "%s", message);
    struct buf error = {0};
    failure_put_json(&error, NULL, &f, NULL, NULL);
    jsonw_kraw(&w, "error", buf_str(&error));
    jsonw_end(&w);
    send_text(l, buf_str(&b->out));
    buf_done(&error);
}

void editor_session_refuse(struct link *l, const char *reason)
{
    log_warn("editor refused", LOG_STR("why", str_from(reason)));
    editor_session_send_error(l, ERR_INVALID_REQUEST, (struct str){0}, reason);
    l->closing = true;
    timer_stop(&l->timer);
    l->impl->close(l, WS_CLOSE_POLICY, str_from(reason));
}

static void send_hello(struct bridge *b)
{
    char id[BRIDGE_ID_MAX];
    bridge_new_id(b, "link", ++b->next_connection, id);
    struct jsonw w = message_begin(&b->out, "hello");
    jsonw_kcstr(&w, "server_version", MULTIVERSE_VERSION);
    jsonw_kcstr(&w, "connection_id", id);
    jsonw_kint(&w, "editor_status_interval_ms", (int64_t)b->limits.editor_status_interval_ms);
    jsonw_kint(&w, "max_message_bytes", (int64_t)b->limits.max_message_bytes);
    jsonw_kint(&w, "reconnect_initial_ms", (int64_t)b->limits.reconnect_initial_ms);
    jsonw_key(&w, "reconnect_multiplier");
    jsonw_double(&w, b->limits.reconnect_multiplier);
    jsonw_kint(&w, "reconnect_max_ms", (int64_t)b->limits.reconnect_max_ms);
    jsonw_key(&w, "reconnect_jitter");
    jsonw_double(&w, b->limits.reconnect_jitter);
    jsonw_end(&w);
    editor_session_send(b);
}

static void send_capability(struct bridge *b)
{
    struct jsonw w = message_begin(&b->out, "capability");
    jsonw_key(&w, "tools");
    jsonw_array(&w);
    for (size_t i = 0; i < catalog_count(b->catalog); i++) {
        const struct tool *t = catalog_at(b->catalog, i);
        jsonw_object(&w);
        jsonw_kcstr(&w, "name", t->name);
        jsonw_kcstr(&w, "execution_mode", catalog_mode_name(t->mode));
        jsonw_kbool(&w, "supports_cancel", t->supports_cancel);
        jsonw_kint(&w, "default_timeout_ms", (int64_t)t->default_timeout_ms);
        jsonw_kint(&w, "max_timeout_ms", (int64_t)t->max_timeout_ms);
        jsonw_kbool(&w, "requires_client_request_id", t->requires_client_request_id);
        jsonw_kbool(&w, "execution_error_retryable", t->execution_error_retryable);
        jsonw_end(&w);
    }
    jsonw_end(&w);
    jsonw_end(&w);
    editor_session_send(b);
}

/* ---- state */

static void set_state(struct bridge *b, enum editor_state state)
{
    struct editor_session *p = &b->session;
    if (p->state == state)
        return;
    log_info("editor state", LOG_STR("from", str_from(editor_state_name(p->state))),
             LOG_STR("to", str_from(editor_state_name(state))));
    p->state = state;
    bridge_changed(b, true);
    queue_editor_changed(b);
}

/* Return whether something has changed: mostly the message is a heartbeat and nothing has. */
static bool read_scene(struct editor_session *p, struct message *m)
{
    bool text = set_text(&p->active_scene, message_str(m, STR("active_scene")));
    bool dirty = set_flag(m, STR("scene_dirty"), &p->scene_dirty);
    bool playing = set_flag(m, STR("is_playing"), &p->is_playing);
    bool paused = set_flag(m, STR("is_paused"), &p->is_paused);
    bool scene = set_count(m, STR("scene_seq"), &p->scene);
    bool console = set_count(m, STR("console_seq"), &p->console);
    return text || dirty || playing || paused || scene || console;
}

void editor_session_status(struct bridge *b, struct message *m)
{
    enum editor_state state;
    uint64_t seq;
    if (!message_u64(m, STR("seq"), &seq) ||
        !editor_state_find(message_str(m, STR("state")), &state)) {
        editor_session_send_error(
            b->session.link, ERR_INVALID_REQUEST, (struct str){0},
            "editor_status needs seq, a whole number from 1 on, and state: ready, compiling "
            "or reloading");
        return;
    }
    if (seq <= b->session.seq) {
        log_debug("editor_status is old", LOG_INT("seq", seq), LOG_INT("last", b->session.seq));
        return;
    }
    b->session.seq = seq;
    if (read_scene(&b->session, m))
        bridge_changed(b, true);
    set_state(b, state);
}

void editor_session_capability(struct bridge *b, struct message *m)
{
    const struct json *tools = message_json(m, STR("tools"));
    if (!json_is(tools, JSON_ARRAY)) {
        editor_session_send_error(b->session.link, ERR_INVALID_REQUEST, (struct str){0},
                                  "capability needs tools: an array of objects with a name");
        return;
    }
    size_t count = catalog_count(b->catalog);
    bool *has = mem_zalloc(count * sizeof *has);
    for (size_t i = 0; i < count; i++)
        has[i] = catalog_at(b->catalog, i)->control;
    JSON_ITEMS (tools, t) {
        struct str name =
            json_is(t, JSON_STRING) ? json_str(t) : json_str(json_get(t, STR("name")));
        for (size_t i = 0; i < count; i++)
            if (str_eq(name, str_from(catalog_at(b->catalog, i)->name)))
                has[i] = true;
    }
    bool same = b->session.has_tool && memcmp(b->session.has_tool, has, count * sizeof *has) == 0;
    free(b->session.has_tool);
    b->session.has_tool = has;
    b->session.sent_tools = true;
    if (!same && b->on_tools)
        b->on_tools(b->tools_ctx);
}

/* ---- coming and going */

static void on_stale(void *ctx)
{
    struct link *l = ctx;
    log_warn(l == l->bridge->session.link ? "editor is silent" : "no hello came",
             LOG_INT("ms", l->bridge->limits.stale_connection_timeout_ms));
    l->closing = true;
    l->impl->drop(l);
}

void editor_session_watch(struct link *l)
{
    timer_start(&l->timer, l->bridge->loop, l->bridge->limits.stale_connection_timeout_ms, on_stale,
                l);
}

/* Ignore the link from now on. Running work goes on and may be resumed on another link. */
static void release_link(struct bridge *b)
{
    struct link *l = b->session.link;
    if (!l)
        return;
    timer_stop(&l->timer);
    l->closing = true;
    b->session.link = NULL;
    b->session.left_at = loop_now(b->loop);
    bridge_changed(b, true);
}

/* ours is without symbolic links; the path that an editor reports may have some. */
static bool is_same_folder(struct str reported, const char *ours)
{
    while (reported.n > 1 && reported.p[reported.n - 1] == '/')
        reported.n--;
    if (str_eq(reported, str_from(ours)))
        return true;
    char *path = str_dup(reported), *real = realpath(path, NULL);
    bool same = real && strcmp(real, ours) == 0;
    free(path);
    free(real);
    return same;
}

/* The headless editor of this process gives way to a live one. */
static bool gives_way(const struct bridge *b, struct message *m)
{
    return b->session.editor && strcmp(b->session.editor, "headless") == 0 &&
           !str_eq(message_str(m, STR("editor")), STR("headless"));
}

static const char *find_hello_fault(const struct bridge *b, struct message *m)
{
    enum editor_state state;
    uint64_t version = 0;
    struct str id = message_str(m, STR("editor_instance_id"));
    struct str project = message_str(m, STR("project_path"));
    if (!message_u64(m, STR("protocol_version"), &version) || version != MESSAGE_PROTOCOL)
        return "protocol_version must be 1: update the package in the editor, or the server, which "
               "is " MULTIVERSE_VERSION;
    if (!id.n || id.n > ID_BYTES)
        return "hello needs editor_instance_id: a text of 1 to 256 bytes";
    if (!editor_state_find(message_str(m, STR("state")), &state))
        return "hello needs state: ready, compiling or reloading";
    if (b->session.link && !str_eq(id, str_from(b->session.instance_id)) && !gives_way(b, m))
        return "another editor is connected: close it, or give this one a server of its own on "
               "another port";
    if (b->only_project && project.n && !is_same_folder(project, b->project_path))
        return "this server is for another project: start one in this project's folder, on another "
               "port";
    return NULL;
}

static bool is_same_editor(const struct bridge *b, struct message *m)
{
    return b->session.instance_id &&
           str_eq(message_str(m, STR("editor_instance_id")), str_from(b->session.instance_id));
}

static void free_texts(struct editor_session *p)
{
    char **const texts[] = {&p->editor,       &p->instance_id,    &p->session_id,
                            &p->project_path, &p->plugin_version, &p->unity_version,
                            &p->active_scene};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        free(*texts[i]);
        *texts[i] = NULL;
    }
}

/* Fail the calls that were meant for the editor of another project. So do those of another editor
 * that does not report its project. */
static void check_project(struct bridge *b, struct str project, bool same_editor)
{
    if (!b->session.project_path || (!project.n && same_editor) ||
        (project.n && is_same_folder(project, b->session.project_path)))
        return;
    log_warn("another project's editor", LOG_STR("was", str_from(b->session.project_path)),
             LOG_STR("is", project));
    struct failure waiting = failure_make(
        ERR_UNITY_DISCONNECTED, "The editor this call was for has left, and the editor of "
                                "another project has connected: nothing was sent");
    struct failure gone = failure_make(ERR_RECONNECT_TIMEOUT,
                                       "The editor that worked on this has left, and the editor of "
                                       "another project has connected");
    queue_fail_waiting(b, &waiting);
    if (b->slot)
        request_fail(b->slot, REQUEST_ON_GONE, &gone);
    if (b->running_job)
        job_apply(b->running_job, JOB_ON_GONE, &gone);
}

static void read_hello(struct bridge *b, struct message *m)
{
    struct editor_session *p = &b->session;
    struct str kind = message_str(m, STR("editor"));
    if (!is_same_editor(b, m)) { /* nothing is known of another editor yet */
        free_texts(p);
        p->scene = p->console = (struct bridge_count){0};
    }
    set_text(&p->editor, str_eq(kind, STR("headless")) ? kind : STR("unity"));
    set_text(&p->instance_id, message_str(m, STR("editor_instance_id")));
    set_text(&p->session_id, message_str(m, STR("plugin_session_id")));
    if (message_str(m, STR("project_path")).n) /* empty: not reported */
        set_text(&p->project_path, message_str(m, STR("project_path")));
    set_text(&p->plugin_version, message_str(m, STR("plugin_version")));
    set_text(&p->unity_version, message_str(m, STR("unity_version")));
    p->scene_dirty = p->is_playing = p->is_paused = -1;
    read_scene(p, m);
    p->seq = 0;
    p->sent_tools = false;
    p->connected_at = loop_now(b->loop);
    editor_state_find(message_str(m, STR("state")), &p->state);
}

static void adopt_link(struct link *l, struct message *m)
{
    struct bridge *b = l->bridge;
    struct link *old = b->session.link;
    list_remove(&l->in);
    b->pending_count--;
    if (old) {
        release_link(b);
        bool same = is_same_editor(b, m);
        log_info(same ? "editor reconnected: the old connection is closed"
                      : "the headless editor gives way to a live one");
        old->impl->close(old, WS_CLOSE_NORMAL,
                         same ? STR("replaced by a new connection")
                              : STR("a live editor has connected"));
    }
    check_project(b, message_str(m, STR("project_path")), is_same_editor(b, m));
    b->session.link = l;
    editor_session_watch(l); /* the time of silence starts here */
    read_hello(b, m);
    log_info("editor connected", LOG_STR("editor", str_from(b->session.editor)),
             LOG_STR("instance", str_from(b->session.instance_id)),
             LOG_STR("project", str_from(b->session.project_path ? b->session.project_path : "-")),
             LOG_STR("state", str_from(editor_state_name(b->session.state))));
    if (!old)
        bridge_move(b, SERVER_ON_EDITOR);
    bridge_changed(b, true);
    send_hello(b);
    send_capability(b);
    editor_replies_resume(b);
    queue_editor_changed(b);
}

void editor_session_hello(struct link *l, struct message *m)
{
    const char *reason = find_hello_fault(l->bridge, m);
    if (reason)
        editor_session_refuse(l, reason);
    else
        adopt_link(l, m);
}

void editor_session_lost(struct bridge *b, int code, struct str reason)
{
    release_link(b);
    log_info("editor disconnected", LOG_INT("code", code), LOG_STR("reason", reason));
    if (b->state == SERVER_STOPPING)
        return;
    bridge_move(b, SERVER_ON_EDITOR_LOST);
    if (code == WS_CLOSE_TOO_BIG)
        editor_replies_too_big(b);
    queue_editor_changed(b);
    if (b->on_vacancy)
        b->on_vacancy(b->vacancy_ctx);
}

void editor_session_stop(struct bridge *b)
{
    struct link *l = b->session.link;
    LIST_EACH_SAFE (&b->pending, struct link, in, p) {
        p->closing = true;
        timer_stop(&p->timer);
        p->impl->close(p, WS_CLOSE_GOING_AWAY, STR("the server is stopping"));
    }
    if (!l)
        return;
    release_link(b);
    l->impl->close(l, WS_CLOSE_GOING_AWAY, STR("the server is stopping"));
}

void editor_session_done(struct bridge *b)
{
    free_texts(&b->session);
    free(b->session.has_tool);
}
