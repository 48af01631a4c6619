/* `multiverse serve`: the bridge with its transports, from the first option to the last answer. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/bridge_mcp.h"
#include "base/log.h"
#include "bridge/bridge.h"
#include "bridge/link_ws.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/say.h"
#include "cli/store_option.h"
#include "console/console.h"
#include "editor/editor.h"
#include "mcp/mcp_http.h"
#include "mcp/mcp_stdio.h"
#include "net/http_server.h"
#include "orchestrator/tasks.h"
#include "process/own.h"
#include "unity/project.h"

enum {
    TICK_MS = 5,
    STOP_MS = 1500, /* the process ends in two seconds, whoever does not read */
    MAX_TICKS = STOP_MS / TICK_MS,
    LAST_TICKS = 60 /* for what the console has on threads, beyond that */
};

struct server {
    struct config config;
    struct buf token;
    char *project;
    bool is_unity, headless;
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
    struct stream *owner; /* standard input of --until-eof */
    struct timer tick;
    int ticks;
    bool stopping;
};

/* ---- the end */

/* Until what was written is with its readers. */
static void on_tick(void *ctx)
{
    struct server *s = ctx;
    bool flushed = !http_server_connections(s->http) && bridge_is_quiet(s->bridge) &&
                   (!s->editor || editor_is_quiet(s->editor)) && attach_is_flushed(s->attached) &&
                   (!s->console || console_is_quiet(s->console)) && mcp_stdio_is_flushed(s->stdio);
    if (flushed || ++s->ticks == MAX_TICKS)
        loop_stop(s->loop);
    else
        timer_start(&s->tick, s->loop, TICK_MS, on_tick, s);
}

static void stop(void *ctx)
{
    struct server *s = ctx;
    if (s->stopping) {
        loop_stop(s->loop);
        return;
    }
    s->stopping = true;
    if (s->editor)
        editor_stop(s->editor);
    bridge_stop(s->bridge);
    bridge_mcp_stop(s->mcp);
    if (s->console)
        console_stop(s->console);
    http_server_stop(s->http);
    on_tick(s);
}

static void on_drain(void *ctx)
{
    struct server *s = ctx;
    if (editor_is_quiet(s->editor))
        loop_stop(s->loop);
    else
        timer_start(&s->tick, s->loop, TICK_MS, on_drain, s);
}

/* Nothing of the editor may be under way when its bridge and its loop go: tests that it runs end,
 * the hard way if they have not yet. */
static void end_editor(struct server *s)
{
    if (!s->editor)
        return;
    editor_stop(s->editor);
    on_drain(s);
    loop_run(s->loop);
    editor_free(s->editor);
}

static void on_last_tick(void *ctx)
{
    struct server *s = ctx;
    if (console_is_quiet(s->console) || ++s->ticks >= LAST_TICKS)
        loop_stop(s->loop);
    else
        timer_start(&s->tick, s->loop, TICK_MS, on_last_tick, s);
}

/* A thread may hang in a store that does not answer. It has to do with nothing that is told or kept
 * here, and nothing can be freed under it: the process ends without. */
static void end_console(struct server *s, int code)
{
    if (!s->console)
        return;
    console_stop(s->console);
    s->ticks = 0;
    on_last_tick(s);
    loop_run(s->loop);
    if (!console_is_quiet(s->console)) {
        log_batch(NULL);
        _exit(code);
    }
    console_free(s->console);
}

static void server_done(struct server *s, int code)
{
    sigset_t late; /* it is ending: a second one has nothing to say any more */
    sigemptyset(&late);
    sigaddset(&late, SIGINT);
    sigaddset(&late, SIGTERM);
    sigprocmask(SIG_BLOCK, &late, NULL);
    if (s->bridge) {
        bridge_stop(s->bridge);
        bridge_mcp_stop(s->mcp);
    }
    end_editor(s);
    mcp_stdio_free(s->stdio);
    if (s->owner)
        stream_close(s->owner);
    attach_free(s->attached);
    http_server_free(s->http);
    end_console(s, code);
    link_ws_free(s->editors);
    mcp_http_free(s->endpoint);
    bridge_mcp_free(s->mcp);
    bridge_free(s->bridge);
    if (s->loop)
        loop_free(s->loop);
    free(s->project);
    buf_done(&s->token);
    config_done(&s->config);
}

/* ---- the start */

/* One that is not there yet, or gone, is waited for; one that cannot be is a slip of the hand. */
static bool store_can_be(const char *url, struct error *err)
{
    struct buf place = buf_make(8192);
    bool ok = !url || !*url || tasks_place(url, &place, err);
    buf_done(&place);
    return ok;
}

static bool settings(struct server *s, const struct options *o, struct error *err)
{
    if (!config_open(&s->config, o, err))
        return false;
    const struct config *c = &s->config;
    if (c->token_file && !config_read_token(c->token_file, &s->token, err))
        return false;
    if (!store_can_be(options_text(o, "store"), err))
        return false;
    s->project = project_find(c->project_path ? c->project_path : ".", &s->is_unity, err);
    s->headless = s->is_unity && !options_has(o, "no-headless");
    if (s->project && options_has(o, "headless") && options_has(o, "no-headless"))
        return error_set(err, ERR_INVALID_PARAMS, "serve: --headless or --no-headless, not both");
    if (s->project && options_has(o, "headless") && !s->is_unity)
        return error_set(err, ERR_INVALID_PARAMS,
                         "serve: --headless needs a Unity project, and %s is none: there are no "
                         "folders Assets and ProjectSettings",
                         s->project);
    return s->project != NULL;
}

static void warn(const struct server *s)
{
    const struct config *c = &s->config;
    for (size_t i = 0; i < c->warning_count; i++)
        log_warn("configuration", LOG_STR("warning", str_from(c->warnings[i])));
    if (c->project_path && !s->is_unity)
        log_warn("no Unity project is there: any editor is taken",
                 LOG_STR("path", str_from(c->project_path)));
    if (c->token_file && config_token_is_shared(c->token_file))
        log_warn("others can read the token file", LOG_STR("path", str_from(c->token_file)));
}

static void on_identity(struct http_exchange *x, void *ctx)
{
    struct server *s = ctx;
    struct buf out = {0};
    bridge_put_identity(s->bridge, &out);
    http_reply(x, 200, "application/json", buf_str(&out));
    buf_done(&out);
}

static void start_console(struct server *s, const struct options *o)
{
    char self[PATH_MAX];
    struct error err = {0};
    struct console_options options = {
        .loop = s->loop,
        .http = s->http,
        .bridge = s->bridge,
        .project = s->project,
        .store = store_option(o),
        .self = own_path(self, &err) ? self : program_invocation_name,
    };
    uint64_t silence;
    if (options_number(o, "goal-silence", &silence))
        options.goal_silence_s = (unsigned)silence;
    if (!options_has(o, "no-console"))
        s->console = console_start(&options);
}

static void make(struct server *s, const struct options *o)
{
    struct bridge_options options = {
        .limits = &s->config.limits,
        .project_path = s->project,
        .only_project = s->is_unity,
    };
    struct http_server_options http = {
        .error_body = mcp_http_error_body,
        .token = buf_str(&s->token),
    };
    s->loop = loop_new();
    s->bridge = bridge_new(s->loop, &options);
    s->mcp = bridge_mcp_new(s->loop, s->bridge);
    s->http = http_server_new(s->loop, &http);
    s->endpoint = mcp_http_start(bridge_mcp_server(s->mcp), s->http, "/mcp");
    s->editors = link_ws_serve(s->bridge, s->http, "/unity");
    s->attached = attach_serve(bridge_mcp_server(s->mcp), s->http);
    http_server_route(s->http, &(struct http_route){ATTACH_WHO, "GET", on_identity, s});
    start_console(s, o);
    loop_on_signal(s->loop, SIGINT, stop, s);
    loop_on_signal(s->loop, SIGTERM, stop, s);
}

static void say_how_to_connect(const struct server *s)
{
    unsigned port = http_server_port(s->http);
    if (s->config.log_format != LOG_TEXT)
        return;
    fprintf(stderr,
            "\nConnect a client, for example:\n"
            "  claude mcp add --transport http multiverse http://127.0.0.1:%u/mcp\n"
            "  codex mcp add multiverse --url http://127.0.0.1:%u/mcp\n"
            "  gemini mcp add --scope user --transport http multiverse http://127.0.0.1:%u/mcp\n"
            "or call a tool from the shell:\n"
            "  %s call %s --port %u\n",
            port, port, port, program_invocation_name,
            s->headless ? "get_scene_hierarchy" : "get_editor_state", port);
    if (s->token.n)
        fprintf(stderr, "A token is asked for: give clients the header \"Authorization: Bearer "
                        "TOKEN\", and call --token-file.\n");
    if (s->console && s->token.n)
        fprintf(stderr,
                "See what happens at http://127.0.0.1:%u/ (it asks for the token; #token=TOKEN "
                "behind it answers at once)\n",
                port);
    else if (s->console)
        fprintf(stderr, "See what happens at http://127.0.0.1:%u/\n", port);
    fprintf(stderr, "\nStop it with Ctrl-C.\n\n");
}

/* A project that the headless editor cannot open is still served: Unity may connect. */
static void start_editor(struct server *s)
{
    const struct config *c = &s->config;
    struct editor_options options = {
        .project = s->project,
        .save_manual = c->save_manual,
        .watch = true,
        .test_command = (const char *const *)c->tests_command,
        .unity_path = c->unity_path,
    };
    struct error err = {0};
    if (!s->headless)
        return;
    s->editor = editor_new(s->loop, &options, &err);
    if (!s->editor)
        log_warn("the headless editor cannot open the project", LOG_STR("why", str_from(err.text)));
    else if (!editor_connect(s->editor, s->bridge))
        log_warn("the headless editor cannot connect");
}

/* ---- --until-eof */

static void on_owner_says(struct stream *stream, struct str bytes, void *ctx)
{
    (void)stream, (void)bytes, (void)ctx;
}

static void on_owner_end(struct stream *stream, const char *why, void *ctx)
{
    (void)why;
    stream_close(stream);
    stop(ctx);
}

static void on_owner_closed(struct stream *stream, void *ctx)
{
    (void)stream;
    ((struct server *)ctx)->owner = NULL;
}

static void watch_owner(struct server *s)
{
    static const struct stream_events events = {on_owner_says, on_owner_end, NULL, on_owner_closed};
    s->owner = stream_open_fd(s->loop, STDIN_FILENO, &events, s, NULL);
    if (s->owner)
        stream_read_start(s->owner);
    else
        loop_defer(s->loop, stop, s);
}

static int run(struct server *s, const struct options *o)
{
    bool stdio = options_has(o, "stdio");
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/mcp", http_server_port(s->http));
    log_info("listening", LOG_STR("url", str_from(url)), LOG_STR("project", str_from(s->project)),
             LOG_INT("pid", getpid()));
    warn(s);
    if (!stdio)
        say_how_to_connect(s);
    bridge_start(s->bridge);
    start_editor(s);
    if (stdio)
        s->stdio = mcp_stdio_start(bridge_mcp_server(s->mcp), stop, s);
    else if (options_has(o, "until-eof"))
        watch_owner(s);
    log_batch(s->loop);
    loop_run(s->loop);
    log_batch(NULL);
    return COMMAND_FINE;
}

int cmd_serve(const struct options *o)
{
    struct server s = {0};
    struct error err = {0};
    bool stdio = options_has(o, "stdio");
    int code = COMMAND_USAGE;
    if (!settings(&s, o, &err)) {
        say_failure(&err);
        goto done;
    }
    log_setup(s.config.log_format, s.config.log_level);
    make(&s, o);
    if (http_server_listen(s.http, s.config.port, &err)) {
        code = run(&s, o);
    } else if (err.code == ERR_IN_USE && stdio) {
        struct attach_target target = {s.config.port, buf_str(&s.token), s.project};
        code = attach_run(s.loop, &target);
    } else if (err.code == ERR_IN_USE) {
        say_error("%s: stop what runs there, or take another port with --port N or \"port\" in "
                  "multiverse.json",
                  err.text);
    } else {
        say_failure(&err);
    }
done:
    server_done(&s, code);
    return code;
}
