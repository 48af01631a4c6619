/* A fake Unity editor on the wire: see README.md. */
#include "fake.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"

#define QUIT_MS 1500u /* for the close handshake */

static const char usage[] =
    "usage: fake-editor --port N [options]\n"
    "  --path P            path of the WebSocket (/unity)\n"
    "  --token-file F      bearer token, first line of the file\n"
    "  --instance ID       editor_instance_id (fake-editor)\n"
    "  --session ID        plugin_session_id (fake-session)\n"
    "  --project PATH      project_path (/projects/Fake)\n"
    "  --editor KIND       unity or headless (unity)\n"
    "  --unity-version V   (6000.0.30f1)\n"
    "  --state S           ready, compiling or reloading (ready)\n"
    "  --tools a,b,c       tools it has (the eight)\n"
    "  --status-ms N       heartbeat (as in the server's hello)\n"
    "  --reconnect-ms N    fixed wait before a reconnect (increasing, as the server says)\n"
    "  --no-reconnect      does not reconnect after the connection has ended; the command up does\n"
    "  --no-control        does not read stdin\n"
    "  --trace FILE        appends what really happened, one JSON line per event\n"
    "  --script FILE       commands to run at the start\n"
    "  --chaos SEED        random accidents\n"
    "  --verbose           every message of the server is an event\n";

char *fake_dup(struct str s)
{
    char *text = mem_alloc(s.n + 1);
    if (s.n)
        memcpy(text, s.p, s.n);
    text[s.n] = 0;
    return text;
}

static void set_tools(struct wire_editor *f, struct str list)
{
    f->tool_count = 0;
    while (list.n && f->tool_count < FAKE_MAX_TOOLS) {
        struct str name;
        str_cut(&list, ',', &name);
        snprintf(f->tools[f->tool_count++], sizeof f->tools[0], "%.*s", STR_ARG(str_trim(name)));
    }
}

/* ---- options */

static bool set_file(struct buf *to, const char *path)
{
    struct error err = {0};
    if (file_read(path, 1u << 20, to, &err))
        return true;
    fprintf(stderr, "fake-editor: %s\n", err.text);
    return false;
}

static bool set_text(struct wire_editor *f, struct str name, const char *value)
{
    struct fake_options *o = &f->options;
    const struct {
        const char *name;
        const char **to;
    } texts[] = {{"path", &o->path},       {"instance", &o->instance},
                 {"session", &o->session}, {"project", &o->project},
                 {"editor", &o->editor},   {"unity-version", &o->unity_version},
                 {"trace", &o->trace},     {"script", &o->script}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (str_eq(name, str_from(texts[i].name))) {
            *texts[i].to = value;
            return true;
        }
    if (str_eq(name, STR("tools")))
        set_tools(f, str_from(value));
    else if (str_eq(name, STR("state")))
        return wire_state_from(str_from(value), &f->state);
    else if (str_eq(name, STR("token-file")))
        return set_file(&o->token, value);
    else
        return false;
    return true;
}

static bool set_number(struct wire_editor *f, struct str name, const char *value)
{
    struct fake_options *o = &f->options;
    uint64_t n;
    if (!str_to_u64(str_from(value), &n))
        return false;
    if (str_eq(name, STR("port")) && n > 0 && n <= UINT16_MAX)
        o->port = (uint16_t)n;
    else if (str_eq(name, STR("status-ms")))
        o->status_ms = n;
    else if (str_eq(name, STR("reconnect-ms")))
        o->reconnect_ms = n;
    else if (str_eq(name, STR("chaos"))) {
        o->has_chaos = true;
        o->chaos_seed = n;
    } else {
        return false;
    }
    return true;
}

static bool set_flag(struct fake_options *o, struct str name)
{
    if (str_eq(name, STR("no-reconnect")))
        o->no_reconnect = true;
    else if (str_eq(name, STR("no-control")))
        o->no_control = true;
    else if (str_eq(name, STR("verbose")))
        o->verbose = true;
    else
        return false;
    return true;
}

static bool parse_options(struct wire_editor *f, int argc, char **argv)
{
    f->options = (struct fake_options){
        .path = "/unity",
        .instance = "fake-editor",
        .session = "fake-session",
        .project = "/projects/Fake",
        .editor = "unity",
        .unity_version = "6000.0.30f1",
    };
    set_tools(f, STR("read_console,get_editor_state,run_tests,get_job_status,cancel_job,"
                     "get_scene_hierarchy,get_component_info,manage_component"));
    for (int i = 1; i < argc; i++) {
        struct str name = str_from(argv[i]);
        if (str_eq(name, STR("--help"))) {
            fputs(usage, stdout);
            exit(0);
        }
        if (!str_starts(name, STR("--")))
            return false;
        name = str_skip(name, 2);
        if (set_flag(&f->options, name))
            continue;
        if (i + 1 == argc || (!set_text(f, name, argv[i + 1]) && !set_number(f, name, argv[i + 1])))
            return false;
        i++;
    }
    if (str_find_char(buf_str(&f->options.token), '\n') < f->options.token.n)
        f->options.token.n = str_find_char(buf_str(&f->options.token), '\n');
    return f->options.port > 0;
}

/* ---- start and end */

static void on_late(void *ctx)
{
    loop_stop(ctx);
}

void fake_quit(struct wire_editor *f)
{
    if (f->quitting)
        return;
    f->quitting = true;
    chaos_stop(f);
    timer_stop(&f->reconnect);
    if (f->conn) {
        ws_conn_close(f->conn, WS_CLOSE_GOING_AWAY, STR("the fake editor quits"));
        timer_start(&f->back, f->loop, QUIT_MS, on_late, f->loop);
    } else {
        loop_stop(f->loop);
    }
}

static void on_signal(void *ctx)
{
    fake_quit(ctx);
}

static bool open_files(struct wire_editor *f)
{
    const struct fake_options *o = &f->options;
    if (o->trace && !trace_open(f, o->trace)) {
        fprintf(stderr, "fake-editor: cannot write %s\n", o->trace);
        return false;
    }
    if (o->script && !set_file(&f->script, o->script))
        return false;
    chaos_init(f);
    snprintf(f->mode.payload, sizeof f->mode.payload, "console10");
    return true;
}

static void free_all(struct wire_editor *f)
{
    calls_forget(f);
    jobs_done(f);
    wire_done(f);
    control_stop(f);
    chaos_stop(f);
    if (f->trace_fd >= 0)
        close(f->trace_fd);
    buf_done(&f->tree);
}

static bool run_editor(struct wire_editor *f)
{
    if (!open_files(f) || !control_start(f))
        return false;
    loop_on_signal(f->loop, SIGTERM, on_signal, f);
    loop_on_signal(f->loop, SIGINT, on_signal, f);
    wire_start(f);
    if (f->options.has_chaos)
        chaos_start(f, f->options.chaos_seed);
    while (!f->quitting)
        loop_run(f->loop);
    while (f->conn &&
           timer_is_running(&f->back)) /* until our close is acknowledged, or the timer expires */
        loop_run(f->loop);
    if (f->conn) {
        ws_conn_drop(f->conn);
        while (f->conn)
            loop_run(f->loop);
    }
    return true;
}

int main(int argc, char **argv)
{
    struct wire_editor *f = mem_zalloc(sizeof *f);
    bool ok = parse_options(f, argc, argv);
    f->trace_fd = -1;
    list_init(&f->calls);
    list_init(&f->jobs);
    if (ok) {
        f->loop = loop_new();
        ok = run_editor(f);
        free_all(f);
        loop_free(f->loop);
    } else {
        fputs(usage, stderr);
    }
    buf_done(&f->options.token);
    free(f);
    return ok ? 0 : 2;
}
