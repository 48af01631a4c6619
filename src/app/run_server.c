#include "app/run_server.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/attach.h"
#include "app/config.h"
#include "base/file.h"
#include "base/id.h"
#include "base/json.h"
#include "base/mem.h"
#include "net/http_client.h"
#include "process/process.h"
#include "unity/project.h"

#define MAX_IDENTITY (64u << 10)
#define MAX_LINE     (64u << 10)
#define START_MS     30000u /* indexing a large project takes long */
#define GRACE_MS     2000u
#define CONNECT_MS   1000u

struct run_server {
    struct loop *loop;
    struct run_server_options options;
    char *project; /* NULL: no Unity project */
    uint16_t port;
    struct buf token, token_file, url, identity, line;
    struct http_client *request;
    struct process *child;
    struct timer patience;
    bool is_reported, stopping;
};

static void report_once(struct run_server *s, const char *reason)
{
    if (s->is_reported || s->stopping)
        return;
    s->is_reported = true;
    timer_stop(&s->patience);
    struct provider_mcp mcp = {s->url.p, s->token.n ? s->token.p : NULL};
    s->options.on_ready(&mcp, reason, s->options.ctx);
}

static void run_server_free(void *ctx)
{
    struct run_server *s = ctx;
    void (*gone)(void *) = s->options.on_gone;
    void *owner = s->options.ctx;
    timer_stop(&s->patience);
    if (s->token_file.n)
        unlink(s->token_file.p); /* no server accepts it any more */
    buf_done(&s->token);
    buf_done(&s->token_file);
    buf_done(&s->url);
    buf_done(&s->identity);
    buf_done(&s->line);
    free(s->project);
    free(s);
    gone(owner);
}

static void free_if_quiet(struct run_server *s)
{
    if (s->stopping && !s->child && !s->request)
        loop_defer(s->loop, run_server_free, s);
}

/* ---- a server for this run */

static void read_line(struct run_server *s, struct str line)
{
    struct arena arena = {0};
    const struct json *event = json_parse(&arena, line, NULL, NULL);
    struct str url = json_str(json_get(event, STR("url")));
    if (!s->is_reported && url.n &&
        str_eq(json_str(json_get(event, STR("event"))), STR("listening"))) {
        buf_add(&s->url, url);
        report_once(s, NULL);
    }
    arena_done(&arena);
}

/* The log of the server. Only the line with its URL is used. */
static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    struct run_server *s = ctx;
    struct str piece;
    (void)p, (void)which;
    while (bytes.n && !s->is_reported) {
        bool whole = str_cut(&bytes, '\n', &piece);
        buf_add(&s->line, piece);
        if (whole) {
            read_line(s, buf_str(&s->line));
            buf_clear(&s->line);
        }
    }
}

static void on_child_exit(struct process *p, struct process_exit end, void *ctx)
{
    struct run_server *s = ctx;
    (void)p, (void)end;
    s->child = NULL;
    report_once(s, "the headless server of the project ended before it was ready: see multiverse "
                   "serve --project");
    free_if_quiet(s);
}

static void on_start_timeout(void *ctx)
{
    struct run_server *s = ctx;
    report_once(s, "the headless server of the project took too long to start");
}

static bool make_token(struct run_server *s, struct error *err)
{
    char token[ID_LEN + 1];
    id_new(token);
    buf_add(&s->token, str_from(token));
    buf_printf(&s->token_file, "%s/server-token", s->options.dir);
    return file_replace(s->token_file.p, buf_str(&s->token), 0600, err);
}

static void start_server(struct run_server *s)
{
    struct error err = {0};
    if (!make_token(s, &err)) {
        report_once(s, err.text);
        return;
    }
    const char *const argv[] = {s->options.self,
                                "serve",
                                "--headless",
                                "--project",
                                s->project,
                                "--port",
                                "0",
                                "--until-eof",
                                "--log-format",
                                "json",
                                "--token-file",
                                s->token_file.p,
                                NULL};
    struct process_options o = {
        .argv = argv, .on_output = on_output, .on_exit = on_child_exit, .ctx = s};
    s->child = process_start(s->loop, &o, &err);
    if (!s->child)
        report_once(s, err.text);
    else
        timer_start(&s->patience, s->loop, START_MS, on_start_timeout, s);
}

/* ---- a server that runs already */

static void on_identity_body(struct http_client *c, struct str bytes, void *ctx)
{
    (void)c;
    buf_add(&((struct run_server *)ctx)->identity, bytes);
}

/* A server that has no editor would let every call wait. */
static bool is_usable(const struct run_server *s, const struct json *identity)
{
    return str_eq(json_str(json_get(identity, STR("name"))), STR("multiverse")) &&
           str_eq(json_str(json_get(identity, STR("server_state"))), STR("ready")) &&
           attach_is_project(identity, str_from(s->project));
}

static void on_identity_end(struct http_client *c, const char *reason, void *ctx)
{
    struct run_server *s = ctx;
    struct arena arena = {0};
    const struct json *identity =
        reason ? NULL : json_parse(&arena, buf_str(&s->identity), NULL, NULL);
    (void)c;
    s->request = NULL;
    if (s->stopping) {
        free_if_quiet(s);
    } else if (is_usable(s, identity)) {
        buf_printf(&s->url, "http://127.0.0.1:%u/mcp", s->port);
        report_once(s, NULL);
    } else {
        buf_done(&s->token);
        start_server(s);
    }
    arena_done(&arena);
}

static void request_identity(struct run_server *s)
{
    static const struct http_client_events events = {NULL, on_identity_body, on_identity_end, NULL};
    struct http_client_request r = {.port = s->port,
                                    .path = ATTACH_SERVER,
                                    .token = buf_str(&s->token),
                                    .max_body = MAX_IDENTITY,
                                    .connect_ms = CONNECT_MS,
                                    .idle_ms = CONNECT_MS};
    s->request = http_client_start(s->loop, &r, &events, s);
}

/* The port and token that the project's own settings name. */
static void read_settings(struct run_server *s)
{
    struct buf path = {0};
    struct config c;
    struct error err = {0};
    s->port = CONFIG_DEFAULT_PORT;
    buf_printf(&path, "%s/" CONFIG_FILE_NAME, s->project);
    if (file_exists(path.p) && config_load(path.p, &c, &err)) {
        s->port = c.port;
        if (c.token_file && !config_read_token(c.token_file, &s->token, &err))
            buf_done(&s->token);
        config_done(&c);
    }
    buf_done(&path);
}

static void find_server(void *ctx)
{
    struct run_server *s = ctx;
    struct error err = {0};
    bool is_unity = false;
    if (s->stopping)
        return;
    s->project = project_find(s->options.repo, &is_unity, &err);
    if (!s->project || !is_unity) {
        report_once(s, s->project ? NULL : err.text);
        return;
    }
    read_settings(s);
    request_identity(s);
}

struct run_server *run_server_start(struct loop *loop, const struct run_server_options *options)
{
    struct run_server *s = mem_zalloc(sizeof *s);
    s->loop = loop;
    s->options = *options;
    s->identity = buf_make(MAX_IDENTITY);
    s->line = buf_make(MAX_LINE);
    loop_defer(loop, find_server, s);
    return s;
}

void run_server_stop(struct run_server *s)
{
    if (s->stopping)
        return;
    s->stopping = true;
    timer_stop(&s->patience);
    if (s->request)
        http_client_cancel(s->request);
    if (s->child)
        process_kill(s->child, SIGTERM, GRACE_MS);
    free_if_quiet(s);
}
