#include "bridge/bridge.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/id.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "bridge/bridge_internal.h"

/* ---- state */

void bridge_move(struct bridge *b, enum server_event event)
{
    enum server_state next = server_state_step(b->state, event);
    if (next == SERVER_NONE)
        return;
    b->started = b->started || event == SERVER_ON_STARTED;
    if (b->started) /* a server that could not start logs its error only */
        log_info("server state", LOG_STR("from", str_from(server_state_name(b->state))),
                 LOG_STR("to", str_from(server_state_name(next))),
                 LOG_STR("on", str_from(server_state_event_name(event))));
    b->state = next;
    bridge_changed(b, true);
}

static void notify_change(void *ctx)
{
    struct bridge *b = ctx;
    if (b->on_change)
        b->on_change(b->change_ctx);
}

/* A timer, not a deferred call: that could come when the bridge is gone. */
void bridge_changed(struct bridge *b, bool is_state)
{
    b->state_seq += is_state;
    if (b->on_change && !timer_is_running(&b->change))
        timer_start(&b->change, b->loop, 0, notify_change, b);
}

void bridge_on_change(struct bridge *b, loop_fn *fn, void *ctx)
{
    b->on_change = fn;
    b->change_ctx = ctx;
    if (!fn)
        timer_stop(&b->change);
}

struct bridge_news bridge_news(const struct bridge *b)
{
    return (struct bridge_news){b->state_seq, b->session.scene, b->session.console};
}

void bridge_new_id(const struct bridge *b, const char *kind, uint64_t number,
                   char to[BRIDGE_ID_MAX])
{
    char digits[NUMBER_MAX];
    const struct str parts[] = {str_from(kind), STR("-"), str_from(b->run), STR("-"),
                                str_make(digits, number_print_u64(number, digits))};
    size_t n = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert(n + parts[i].n < BRIDGE_ID_MAX);
        memcpy(to + n, parts[i].p, parts[i].n);
        n += parts[i].n;
    }
    to[n] = 0;
}

void bridge_on_tools(struct bridge *b, loop_fn *fn, void *ctx)
{
    b->on_tools = fn;
    b->tools_ctx = ctx;
}

bool bridge_has_tool(const struct bridge *b, const struct tool *tool)
{
    return editor_session_has_tool(b, tool);
}

/* ---- get_editor_state */

static void put_flag(struct jsonw *w, const char *key, int value)
{
    jsonw_key(w, key);
    if (value < 0)
        jsonw_null(w);
    else
        jsonw_bool(w, value != 0);
}

static void put_running(struct jsonw *w, const struct bridge *b)
{
    const struct request *r = b->slot;
    jsonw_key(w, "running");
    if (!r) {
        jsonw_null(w);
        return;
    }
    jsonw_object(w);
    jsonw_kcstr(w, "request_id", r->id);
    jsonw_kcstr(w, "tool", r->tool->name);
    jsonw_kint(w, "elapsed_ms", (int64_t)(loop_now(b->loop) - r->received_at));
    jsonw_end(w);
}

static void put_queue(struct jsonw *w, const struct bridge *b)
{
    jsonw_key(w, "queue");
    jsonw_object(w);
    jsonw_kint(w, "waiting", (int64_t)b->queue_count);
    jsonw_kint(w, "capacity", (int64_t)b->limits.queue_max_size);
    put_running(w, b);
    jsonw_end(w);
}

void bridge_put_state(const struct bridge *b, struct buf *out)
{
    const struct editor_session *s = &b->session;
    uint64_t now = loop_now(b->loop);
    const char *project = s->project_path ? s->project_path : b->project_path;
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "server_state", server_state_name(b->state));
    jsonw_kcstr(&w, "editor", s->link ? s->editor : NULL);
    jsonw_kcstr(&w, "editor_state", editor_state_name(s->state));
    jsonw_kbool(&w, "connected", s->link != NULL);
    jsonw_key(&w, "last_editor_status_seq");
    jsonw_uint(&w, s->seq);
    jsonw_kcstr(&w, "project_path", project);
    jsonw_kcstr(&w, "active_scene", s->active_scene);
    put_flag(&w, "scene_dirty", s->scene_dirty);
    put_flag(&w, "is_playing", s->is_playing);
    put_flag(&w, "is_paused", s->is_paused);
    jsonw_kcstr(&w, "unity_version", s->unity_version);
    jsonw_kcstr(&w, "plugin_version", s->plugin_version);
    jsonw_kcstr(&w, "server_version", MULTIVERSE_VERSION);
    jsonw_kint(&w, "uptime_ms", (int64_t)(now - b->started_at));
    jsonw_key(&w, "connected_ms");
    if (s->link)
        jsonw_int(&w, (int64_t)(now - s->connected_at));
    else
        jsonw_null(&w);
    put_queue(&w, b);
    jsonw_key(&w, "job");
    job_put_current(b, &w);
    jsonw_kcstr(&w, "wait_reason", editor_session_wait_reason_name(editor_session_wait_reason(b)));
    jsonw_end(&w);
}

void bridge_put_identity(const struct bridge *b, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "name", "multiverse");
    jsonw_kcstr(&w, "version", MULTIVERSE_VERSION);
    jsonw_kint(&w, "pid", getpid());
    jsonw_kcstr(&w, "server_state", server_state_name(b->state));
    jsonw_kcstr(&w, "project_path", b->project_path);
    jsonw_kcstr(&w, "editor_project_path", b->session.link ? b->session.project_path : NULL);
    jsonw_end(&w);
}

/* ---- calls */

void bridge_call(struct bridge *b, struct caller *caller, const struct tool *tool)
{
    struct tool_args args;
    struct error err = {0};
    struct failure f;
    if (!catalog_check(tool, caller->arguments, &args, &err)) {
        f = failure_make(err.code, "%s", err.text);
        queue_refuse(b, caller, tool, &f);
    } else if (b->state == SERVER_STOPPING) {
        f = failure_make(ERR_EDITOR_NOT_READY, "The server is stopping; nothing was sent");
        queue_refuse(b, caller, tool, &f);
    } else if (tool->control) {
        tool->control(b, caller, tool, &args);
    } else {
        queue_call(b, caller, tool, &args);
    }
}

/* ---- life */

struct bridge *bridge_new(struct loop *loop, const struct bridge_options *options)
{
    struct bridge *b = mem_zalloc(sizeof *b);
    char id[ID_LEN + 1];
    b->loop = loop;
    b->limits = *options->limits;
    if (options->project_path)
        b->project_path = str_dup(str_from(options->project_path));
    b->only_project = options->only_project;
    b->state = SERVER_BOOTING;
    b->started_at = loop_now(loop);
    id_new(id);
    snprintf(b->run, sizeof b->run, "%.6s", id);
    b->session.scene_dirty = b->session.is_playing = b->session.is_paused = -1;
    list_init(&b->pending);
    list_init(&b->queue);
    list_init(&b->jobs);
    activity_init(b);
    b->catalog = catalog_new(&b->limits);
    return b;
}

const struct catalog *bridge_catalog(const struct bridge *b)
{
    return b->catalog;
}

struct loop *bridge_loop(const struct bridge *b)
{
    return b->loop;
}

const struct limits *bridge_limits(const struct bridge *b)
{
    return &b->limits;
}

void bridge_start(struct bridge *b)
{
    bridge_move(b, SERVER_ON_STARTED);
    if (!b->session.link)
        return;
    bridge_move(b, SERVER_ON_EDITOR); /* it was here first */
    queue_editor_changed(b);
}

void bridge_stop(struct bridge *b)
{
    if (b->state == SERVER_STOPPING || b->state == SERVER_STOPPED)
        return;
    bridge_move(b, SERVER_ON_STOP);
    queue_stop(b);
    job_stop_all(b);
    editor_session_stop(b);
}

bool bridge_is_quiet(const struct bridge *b)
{
    return b->link_count == 0;
}

bool bridge_has_editor(const struct bridge *b)
{
    return b->session.link != NULL;
}

uint64_t bridge_vacant_ms(const struct bridge *b)
{
    return b->session.link ? 0 : loop_now(b->loop) - b->session.left_at;
}

void bridge_on_vacancy(struct bridge *b, loop_fn *fn, void *ctx)
{
    b->on_vacancy = fn;
    b->vacancy_ctx = ctx;
}

void bridge_on_quiet(struct bridge *b, loop_fn *fn, void *ctx)
{
    b->on_quiet = fn;
    b->quiet_ctx = ctx;
}

void bridge_free(struct bridge *b)
{
    if (!b)
        return;
    bridge_stop(b);
    bridge_move(b, SERVER_ON_END);
    job_free_all(b);
    dedupe_free_all(b);
    activity_done(b);
    timer_stop(&b->change);
    editor_session_done(b);
    catalog_free(b->catalog);
    buf_done(&b->out);
    buf_done(&b->answer);
    free(b->project_path);
    free(b);
}
