/* Commands on stdin, one JSON object per line, each answered on stdout; events on stdout. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define LINE_MAX_BYTES (64u << 20)
#define FLUSH_MS       500u /* at the end: for the reader of our stdout */

typedef bool command_fn(struct wire_editor *f, const struct json *args, struct jsonw *answer);

/* ---- stdout */

struct jsonw control_event(struct buf *line, const char *event)
{
    *line = (struct buf){0};
    struct jsonw w = jsonw_make(line);
    jsonw_object(&w);
    jsonw_kcstr(&w, "event", event);
    return w;
}

void control_print(struct wire_editor *f, struct buf *line)
{
    buf_add_char(line, '\n');
    if (f->out)
        stream_write(f->out, buf_str(line));
    buf_done(line);
}

/* ---- commands of the benchmark */

static void set_bool(const struct json *args, struct str key, bool *to)
{
    const struct json *v = json_get(args, key);
    if (v)
        *to = json_bool(v);
}

static bool cmd_mode(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    struct fake_mode *m = &f->mode;
    const struct json *payload = json_get(args, STR("payload"));
    const struct json *fault = json_get(args, STR("fault")), *chaos = json_get(args, STR("chaos"));
    (void)answer;
    if (payload)
        snprintf(m->payload, sizeof m->payload, "%.*s", STR_ARG(json_str(payload)));
    if (fault)
        snprintf(m->fault, sizeof m->fault, "%.*s", STR_ARG(json_str(fault)));
    if (json_is(fault, JSON_STRING))
        m->fault_count = 1;
    json_u64(json_get(args, STR("delayMs")), &m->delay_ms);
    json_u64(json_get(args, STR("faultCount")), &m->fault_count);
    set_bool(args, STR("serial"), &m->serial);
    set_bool(args, STR("hang"), &m->hang);
    if (!m->hang)
        calls_release(f);
    return !chaos || chaos_set(f, chaos);
}

static bool cmd_stats(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    struct rusage r;
    (void)args;
    getrusage(RUSAGE_SELF, &r);
    double cpu_ms = (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1e3 +
                    (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e3;
    jsonw_kint(answer, "requests", (int64_t)f->requests);
    jsonw_kint(answer, "answers", (int64_t)f->answered);
    jsonw_kint(answer, "executed", (int64_t)f->executed);
    jsonw_kint(answer, "pending", (int64_t)calls_pending(f));
    jsonw_kint(answer, "bytesOut", (int64_t)f->bytes_out);
    jsonw_kbool(answer, "listening", !f->away);
    jsonw_kbool(answer, "connected", f->open);
    jsonw_key(answer, "cpuMs");
    jsonw_double(answer, cpu_ms);
    return true;
}

static struct str how_of(const struct json *args)
{
    struct str how = json_str(json_get(args, STR("how")));
    return how.n ? how : STR("close");
}

static void end_hang(struct wire_editor *f)
{
    f->mode.hang = false;
    calls_release(f);
}

static bool cmd_drop(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    uint64_t ms = 0;
    (void)answer;
    json_u64(json_get(args, STR("downMs")), &ms);
    wire_leave_for(f, how_of(args), ms);
    end_hang(f);
    return true;
}

static bool cmd_down(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    (void)answer;
    timer_stop(&f->back);
    f->away = true;
    wire_leave(f, how_of(args));
    end_hang(f);
    return true;
}

static bool cmd_up(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    (void)args;
    (void)answer;
    f->failures = 0;
    wire_come_back(f);
    return true;
}

static bool cmd_quit(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    (void)args;
    (void)answer;
    fake_quit(f);
    return true;
}

/* ---- other commands */

static bool cmd_status(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    const struct json *state = json_get(args, STR("state"));
    (void)answer;
    if (state && !wire_state_from(json_str(state), &f->state))
        return false;
    timer_stop(&f->ready);
    f->reloading = false;
    set_bool(args, STR("scene_dirty"), &f->scene_dirty);
    set_bool(args, STR("is_playing"), &f->is_playing);
    set_bool(args, STR("is_paused"), &f->is_paused);
    wire_send_status(f);
    return true;
}

static bool cmd_capability(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    const struct json *tools = json_get(args, STR("tools"));
    (void)answer;
    if (!json_is(tools, JSON_ARRAY) || json_count(tools) > FAKE_MAX_TOOLS)
        return false;
    f->tool_count = 0;
    JSON_ITEMS (tools, t)
        snprintf(f->tools[f->tool_count++], sizeof f->tools[0], "%.*s", STR_ARG(json_str(t)));
    wire_send_capability(f);
    return true;
}

/* A string is sent unchanged, everything else as JSON. */
static bool cmd_send(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    const struct json *message = json_get(args, STR("message"));
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    (void)answer;
    if (!message)
        return false;
    if (json_is(message, JSON_STRING))
        buf_add(&out, json_str(message));
    else
        jsonw_value(&w, message);
    bool ok = f->open && ws_conn_send(f->conn, buf_str(&out));
    buf_done(&out);
    return ok;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *at = strchr(digits, c | 0x20);
    return c && at ? (int)(at - digits) : -1;
}

static bool cmd_raw(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    struct str hex = json_str(json_get(args, STR("hex")));
    struct buf out = {0};
    bool ok = hex.n % 2 == 0 && f->open;
    (void)answer;
    for (size_t i = 0; i + 1 < hex.n && ok; i += 2) {
        int high = hex_digit(hex.p[i]), low = hex_digit(hex.p[i + 1]);
        ok = high >= 0 && low >= 0 && buf_add_char(&out, (char)(high * 16 + low));
    }
    ok = ok && ws_conn_send_raw(f->conn, buf_str(&out));
    buf_done(&out);
    return ok;
}

/* Any job_status, even of an unknown job. The members are those of the command. */
static bool cmd_push_job(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    struct buf out;
    struct jsonw w = wire_message(&out, "job_status");
    (void)answer;
    JSON_EACH (args, k)
        if (!str_eq(json_str(k), STR("id")) && !str_eq(json_str(k), STR("cmd"))) {
            jsonw_key_str(&w, json_str(k));
            jsonw_value(&w, k + 1);
        }
    jsonw_end(&w);
    bool ok = wire_send(f, buf_str(&out));
    buf_done(&out);
    return ok;
}

static bool cmd_hello(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    const struct json *fields = json_get(args, STR("fields"));
    struct jsonw w = jsonw_make(&f->hello);
    (void)answer;
    if (!json_is(fields, JSON_OBJECT))
        return false;
    buf_clear(&f->hello);
    jsonw_value(&w, fields);
    return true;
}

static bool cmd_silent(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    (void)answer;
    wire_set_silent(f, json_bool(json_get(args, STR("on"))));
    return true;
}

static bool cmd_reload(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    bool keep_jobs = true, keep_requests = true;
    uint64_t ms = 0;
    (void)answer;
    json_u64(json_get(args, STR("downMs")), &ms);
    set_bool(args, STR("keepJobs"), &keep_jobs);
    set_bool(args, STR("keepRequests"), &keep_requests);
    wire_reload(f, ms, keep_jobs, keep_requests);
    return true;
}

static bool cmd_compile(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    uint64_t ms = 0;
    (void)answer;
    json_u64(json_get(args, STR("ms")), &ms);
    wire_compile(f, ms);
    return true;
}

static bool cmd_crash(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    (void)args;
    (void)answer;
    trace_request(f, "crashed", NULL, NULL);
    _exit(1);
}

static const struct {
    const char *name;
    command_fn *run;
} commands[] = {
    {"mode", cmd_mode},
    {"stats", cmd_stats},
    {"drop", cmd_drop},
    {"down", cmd_down},
    {"up", cmd_up},
    {"quit", cmd_quit},
    {"status", cmd_status},
    {"capability", cmd_capability},
    {"send", cmd_send},
    {"raw", cmd_raw},
    {"push_job", cmd_push_job},
    {"hello", cmd_hello},
    {"silent", cmd_silent},
    {"reload", cmd_reload},
    {"compile", cmd_compile},
    {"crash", cmd_crash},
};

static const char *run_command(struct wire_editor *f, const struct json *args, struct jsonw *answer)
{
    struct str name = json_str(json_get(args, STR("cmd")));
    if (!json_is(args, JSON_OBJECT))
        return "a command is a JSON object on one line";
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (str_eq(name, str_from(commands[i].name)))
            return commands[i].run(f, args, answer)
                       ? NULL
                       : "it cannot be done now, or not with these arguments";
    return "there is no such command";
}

static void on_line(struct wire_editor *f, struct str text)
{
    struct arena a = {0};
    struct buf line = {0}, more = {0};
    const struct json *args = json_parse(&a, text, NULL, NULL);
    struct jsonw w = jsonw_make(&line), extra = jsonw_make(&more);
    jsonw_object(&extra);
    const char *fault = run_command(f, args, &extra);
    jsonw_end(&extra);
    jsonw_object(&w);
    if (json_get(args, STR("id"))) {
        jsonw_key(&w, "id");
        jsonw_value(&w, json_get(args, STR("id")));
    }
    jsonw_kbool(&w, "ok", !fault);
    if (fault)
        jsonw_kcstr(&w, "error", fault);
    const struct json *members = json_parse(&a, buf_str(&more), NULL, NULL);
    JSON_EACH (members, k) {
        jsonw_key_str(&w, json_str(k));
        jsonw_value(&w, k + 1);
    }
    jsonw_end(&w);
    control_print(f, &line);
    buf_done(&more);
    arena_done(&a);
}

/* ---- the script: the same lines from a file, and {"cmd":"sleep","ms":N} between them */

static void on_script(void *ctx)
{
    struct wire_editor *f = ctx;
    while (f->script.n && !f->quitting) {
        struct str rest = buf_str(&f->script), line;
        struct arena a = {0};
        uint64_t ms = 0;
        str_cut(&rest, '\n', &line);
        size_t used = f->script.n - rest.n;
        const struct json *args = json_parse(&a, line, NULL, NULL);
        bool sleeps = str_eq(json_str(json_get(args, STR("cmd"))), STR("sleep")) &&
                      json_u64(json_get(args, STR("ms")), &ms);
        arena_done(&a);
        if (!sleeps && str_trim(line).n)
            on_line(f, line);
        buf_drop(&f->script, used);
        if (sleeps) {
            timer_start(&f->script_timer, f->loop, ms, on_script, f);
            return;
        }
    }
}

/* ---- stdin */

static void on_read(struct stream *s, struct str bytes, void *ctx)
{
    struct wire_editor *f = ctx;
    (void)s;
    while (bytes.n) {
        size_t n = str_find_char(bytes, '\n');
        buf_add(&f->line, str_head(bytes, n));
        if (n == bytes.n)
            break;
        struct buf line = f->line;
        f->line = buf_make(LINE_MAX_BYTES);
        if (str_trim(buf_str(&line)).n)
            on_line(f, buf_str(&line));
        buf_done(&line);
        bytes = str_skip(bytes, n + 1);
    }
}

static void on_end(struct stream *s, const char *why, void *ctx)
{
    struct wire_editor *f = ctx;
    (void)why;
    if (s == f->in)
        fake_quit(f);
}

static void on_closed(struct stream *s, void *ctx)
{
    struct wire_editor *f = ctx;
    if (s == f->in)
        f->in = NULL;
    if (s == f->out)
        f->out = NULL;
    if (!f->in && !f->out)
        loop_stop(f->loop);
}

static const struct stream_events stream_events = {on_read, on_end, NULL, on_closed};

bool control_start(struct wire_editor *f)
{
    struct buf line;
    struct error err = {0};
    f->line = buf_make(LINE_MAX_BYTES);
    f->out = stream_open_fd(f->loop, STDOUT_FILENO, &stream_events, f, &err);
    if (!f->options.no_control)
        f->in = stream_open_fd(f->loop, STDIN_FILENO, &stream_events, f, &err);
    if (err.code) {
        fprintf(stderr, "fake-editor: %s\n", err.text);
        return false;
    }
    struct jsonw w = control_event(&line, "ready");
    jsonw_end(&w);
    control_print(f, &line);
    if (f->in)
        stream_read_start(f->in);
    timer_start(&f->script_timer, f->loop, 0, on_script, f);
    return true;
}

static void on_nobody_reads(void *ctx)
{
    struct wire_editor *f = ctx;
    if (f->out)
        stream_close(f->out);
}

void control_stop(struct wire_editor *f)
{
    timer_start(&f->script_timer, f->loop, FLUSH_MS, on_nobody_reads, f);
    if (f->in)
        stream_close(f->in);
    if (f->out)
        stream_finish(f->out);
    while (f->in || f->out)
        loop_run(f->loop);
    timer_stop(&f->script_timer);
    buf_done(&f->line);
    buf_done(&f->script);
}
