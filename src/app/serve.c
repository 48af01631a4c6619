#include "app/serve.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/attach.h"
#include "app/bridge_mcp.h"
#include "base/log.h"
#include "base/mem.h"
#include "bridge/bridge.h"
#include "bridge/link_ws.h"
#include "console/console.h"
#include "editor/editor.h"
#include "mcp/mcp_http.h"
#include "mcp/mcp_stdio.h"
#include "net/http_server.h"

#define CONSOLE_STOP_MS 300u /* for threads of the console, after everything else has ended */

struct serve {
    const struct serve_options *o;
    struct loop *loop;
    struct bridge *bridge;
    struct bridge_mcp *mcp;
    struct http_server *http;
    struct mcp_http *endpoint;
    struct link_ws *editors;
    struct attach *attached;
    struct console *console; /* NULL: not wanted */
    struct editor *editor;   /* NULL: there is none in this process */
    struct mcp_stdio *stdio;
    struct stream *input; /* standard input of --until-eof */
    /* shutdown: what is waited for, and for how long */
    bool (*is_over)(const struct serve *s); /* NULL: nothing */
    struct timer patience;
    bool was_run, stopping;
};

/* ---- the end */

static bool is_flushed(const struct serve *s)
{
    return !http_server_connections(s->http) && bridge_is_quiet(s->bridge) &&
           (!s->editor || editor_is_quiet(s->editor)) && attach_is_flushed(s->attached) &&
           (!s->console || console_is_quiet(s->console)) && mcp_stdio_is_flushed(s->stdio);
}

static bool is_editor_quiet(const struct serve *s)
{
    return editor_is_quiet(s->editor);
}

static bool is_console_quiet(const struct serve *s)
{
    return console_is_quiet(s->console);
}

/* Every part calls it when it may be over with its work. */
static void on_quiet(void *ctx)
{
    struct serve *s = ctx;
    if (s->is_over && s->is_over(s))
        loop_stop(s->loop);
}

static void on_patience_over(void *ctx)
{
    loop_stop(((struct serve *)ctx)->loop);
}

/* ms 0: wait as long as it takes. */
static void wait_until(struct serve *s, bool (*is_over)(const struct serve *s), uint64_t ms)
{
    if (is_over(s))
        return;
    s->is_over = is_over;
    if (ms)
        timer_start(&s->patience, s->loop, ms, on_patience_over, s);
    loop_run(s->loop);
    timer_stop(&s->patience);
    s->is_over = NULL;
}

static void listen_for_quiet(struct serve *s)
{
    http_server_on_quiet(s->http, on_quiet, s);
    bridge_on_quiet(s->bridge, on_quiet, s);
    attach_on_flushed(s->attached, on_quiet, s);
    if (s->console)
        console_on_quiet(s->console, on_quiet, s);
}

/* A second time: do not wait any longer. */
static void stop_serving(void *ctx)
{
    struct serve *s = ctx;
    loop_stop(s->loop);
    if (s->stopping)
        return;
    s->stopping = true;
    if (s->editor)
        editor_stop(s->editor);
    bridge_stop(s->bridge);
    bridge_mcp_stop(s->mcp);
    if (s->console)
        console_stop(s->console);
    http_server_stop(s->http);
}

/* Nothing of the editor may be under way when its bridge and its loop are freed. Tests that it
 * still runs are killed. */
static void end_editor(struct serve *s)
{
    if (!s->editor)
        return;
    editor_stop(s->editor);
    wait_until(s, is_editor_quiet, 0);
    editor_free(s->editor);
}

/* False: a thread hangs in a store that does not answer, so nothing can be freed. */
static bool end_console(struct serve *s)
{
    if (!s->console)
        return true;
    console_stop(s->console);
    wait_until(s, is_console_quiet, CONSOLE_STOP_MS);
    if (!console_is_quiet(s->console)) {
        log_batch(NULL);
        return false;
    }
    console_free(s->console);
    return true;
}

/* A signal that comes while everything ends has no effect. */
static void block_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

bool serve_close(struct serve *s)
{
    if (s->was_run)
        block_signals();
    bridge_stop(s->bridge);
    bridge_mcp_stop(s->mcp);
    end_editor(s);
    mcp_stdio_free(s->stdio);
    if (s->input)
        stream_close(s->input);
    attach_free(s->attached);
    http_server_free(s->http);
    if (!end_console(s))
        return false;
    link_ws_free(s->editors);
    mcp_http_free(s->endpoint);
    bridge_mcp_free(s->mcp);
    bridge_free(s->bridge);
    loop_free(s->loop);
    free(s);
    return true;
}

/* ---- the start */

static void log_warnings(const struct serve *s)
{
    const struct config *c = s->o->config;
    for (size_t i = 0; i < c->warning_count; i++)
        log_warn("configuration", LOG_STR("warning", str_from(c->warnings[i])));
    if (c->project_path && !s->o->is_unity)
        log_warn("not a Unity project: editors of any project may connect",
                 LOG_STR("path", str_from(c->project_path)));
    if (c->token_file && config_token_is_shared(c->token_file))
        log_warn("other users can read the token file", LOG_STR("path", str_from(c->token_file)));
}

static void on_identity(struct http_exchange *x, void *ctx)
{
    struct serve *s = ctx;
    struct buf out = {0};
    bridge_put_identity(s->bridge, &out);
    http_exchange_reply(x, 200, "application/json", buf_str(&out));
    buf_done(&out);
}

static void start_console(struct serve *s)
{
    struct console_options options = {
        .loop = s->loop,
        .http = s->http,
        .bridge = s->bridge,
        .project = s->o->project,
        .store = s->o->store,
        .self = s->o->self,
        .goal_silence_s = s->o->goal_silence_s,
    };
    if (s->o->has_console)
        s->console = console_start(&options);
}

struct serve *serve_new(const struct serve_options *options)
{
    struct serve *s = mem_zalloc(sizeof *s);
    struct bridge_options bridge = {
        .limits = &options->config->limits,
        .project_path = options->project,
        .only_project = options->is_unity,
    };
    struct http_server_options http = {
        .error_body = mcp_http_error_body,
        .token = options->token,
    };
    s->o = options;
    s->loop = loop_new();
    s->bridge = bridge_new(s->loop, &bridge);
    s->mcp = bridge_mcp_new(s->loop, s->bridge);
    s->http = http_server_new(s->loop, &http);
    s->endpoint = mcp_http_start(bridge_mcp_server(s->mcp), s->http, "/mcp");
    s->editors = link_ws_serve(s->bridge, s->http, "/unity");
    s->attached = attach_serve(bridge_mcp_server(s->mcp), s->http);
    http_server_route(s->http, &(struct http_route){ATTACH_SERVER, "GET", on_identity, s});
    start_console(s);
    listen_for_quiet(s);
    return s;
}

bool serve_listen(struct serve *s, struct error *err)
{
    char url[64];
    if (!http_server_listen(s->http, s->o->config->port, err))
        return false;
    snprintf(url, sizeof url, "http://127.0.0.1:%u/mcp", serve_port(s));
    log_info("listening", LOG_STR("url", str_from(url)),
             LOG_STR("project", str_from(s->o->project)), LOG_INT("pid", getpid()));
    log_warnings(s);
    return true;
}

unsigned serve_port(const struct serve *s)
{
    return http_server_port(s->http);
}

/* A project that the headless editor cannot open is still served: Unity may connect. */
static void start_editor(struct serve *s)
{
    const struct config *c = s->o->config;
    struct editor_options options = {
        .project = s->o->project,
        .save_manual = c->save_manual,
        .watch = true,
        .test_command = (const char *const *)c->tests_command,
        .unity_path = c->unity_path,
    };
    struct error err = {0};
    if (!s->o->headless)
        return;
    s->editor = editor_new(s->loop, &options, &err);
    if (!s->editor)
        log_warn("the headless editor cannot open the project", LOG_STR("why", str_from(err.text)));
    if (!s->editor)
        return;
    editor_on_quiet(s->editor, on_quiet, s);
    if (!editor_connect(s->editor, s->bridge))
        log_warn("the headless editor cannot connect");
}

/* ---- --until-eof */

static void on_input(struct stream *stream, struct str bytes, void *ctx)
{
    (void)stream, (void)bytes, (void)ctx;
}

static void on_input_end(struct stream *stream, const char *reason, void *ctx)
{
    (void)reason;
    stream_close(stream);
    stop_serving(ctx);
}

static void on_input_closed(struct stream *stream, void *ctx)
{
    (void)stream;
    ((struct serve *)ctx)->input = NULL;
}

static void watch_input(struct serve *s)
{
    static const struct stream_events events = {on_input, on_input_end, NULL, on_input_closed};
    s->input = stream_open_fd(s->loop, STDIN_FILENO, &events, s, NULL);
    if (s->input)
        stream_read_start(s->input);
    else
        loop_defer(s->loop, stop_serving, s);
}

static void serve_stdio(struct serve *s)
{
    s->stdio = mcp_stdio_start(bridge_mcp_server(s->mcp), stop_serving, s);
    mcp_stdio_on_flushed(s->stdio, on_quiet, s);
}

void serve_run(struct serve *s)
{
    s->was_run = true;
    loop_on_signal(s->loop, SIGINT, stop_serving, s);
    loop_on_signal(s->loop, SIGTERM, stop_serving, s);
    bridge_start(s->bridge);
    start_editor(s);
    if (s->o->stdio)
        serve_stdio(s);
    else if (s->o->until_eof)
        watch_input(s);
    log_batch(s->loop);
    loop_run(s->loop);
    wait_until(s, is_flushed, SERVE_STOP_MS);
    log_batch(NULL);
}
