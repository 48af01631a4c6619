#include "app/attach.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"
#include "base/list.h"
#include "base/mem.h"
#include "mcp/mcp_stdio.h"
#include "net/http_client.h"
#include "net/http_server.h"

#define MAX_IDENTITY (64u << 10) /* bytes of the answer of ATTACH_SERVER */
#define MAX_QUEUED   (8u << 20)  /* bytes waiting in one direction */

/* ---- the server's side */

struct attach {
    struct mcp *mcp;
    struct list clients;
    size_t count;
    loop_fn *on_flushed; /* may be NULL */
    void *flushed_ctx;
};

struct attach_client {
    struct list in;
    struct attach *attach;
    struct mcp_stdio *stdio;
};

static void free_client(struct attach_client *c)
{
    mcp_stdio_free(c->stdio);
    list_remove(&c->in);
    c->attach->count--;
    free(c);
}

static void on_client_end(void *ctx)
{
    struct attach *a = ((struct attach_client *)ctx)->attach;
    free_client(ctx);
    if (a->on_flushed)
        a->on_flushed(a->flushed_ctx);
}

static void on_request(struct http_exchange *x, void *ctx)
{
    struct attach *a = ctx;
    const struct http_request *r = http_exchange_request(x);
    struct buf early = {0}; /* bytes after the request */
    if (!r->upgrade ||
        !http_has_token(http_exchange_header(x, STR("Upgrade")), STR(ATTACH_PROTOCOL))) {
        http_exchange_refuse(x, 400,
                             "This address is for `multiverse serve --stdio`: Upgrade must be %s.",
                             ATTACH_PROTOCOL);
        return;
    }
    if (a->count >= ATTACH_MAX) {
        http_exchange_refuse(x, 503, "%u clients are attached already: close one of them.",
                             ATTACH_MAX);
        return;
    }
    http_exchange_set_header(x, "Upgrade", STR(ATTACH_PROTOCOL));
    struct attach_client *c = mem_zalloc(sizeof *c);
    c->attach = a;
    list_add(&a->clients, &c->in);
    a->count++;
    struct stream *s = http_exchange_upgrade(x, &early);
    c->stdio = mcp_stdio_serve(a->mcp, s, buf_str(&early), on_client_end, c);
    mcp_stdio_on_flushed(c->stdio, a->on_flushed, a->flushed_ctx);
    buf_done(&early);
}

struct attach *attach_serve(struct mcp *mcp, struct http_server *server)
{
    struct attach *a = mem_zalloc(sizeof *a);
    a->mcp = mcp;
    list_init(&a->clients);
    http_server_route(server, &(struct http_route){ATTACH_STDIO, "GET", on_request, a});
    return a;
}

bool attach_is_flushed(const struct attach *a)
{
    LIST_EACH (&a->clients, struct attach_client, in, c)
        if (!mcp_stdio_is_flushed(c->stdio))
            return false;
    return true;
}

void attach_on_flushed(struct attach *a, loop_fn *fn, void *ctx)
{
    a->on_flushed = fn;
    a->flushed_ctx = ctx;
    LIST_EACH (&a->clients, struct attach_client, in, c)
        mcp_stdio_on_flushed(c->stdio, fn, ctx);
}

void attach_free(struct attach *a)
{
    if (!a)
        return;
    LIST_EACH_SAFE (&a->clients, struct attach_client, in, c)
        free_client(c);
    free(a);
}

/* ---- the client's side */

bool attach_is_project(const struct json *identity, struct str project)
{
    return str_eq(project, json_str(json_get(identity, STR("project_path")))) ||
           str_eq(project, json_str(json_get(identity, STR("editor_project_path"))));
}

struct attachment {
    struct loop *loop;
    const struct attach_target *target;
    struct buf identity; /* of the server */
    int status;
    enum attach_end end;
    struct error *err;
    struct http_client *request; /* NULL: none is open */
    struct stream *in, *out, *server;
    bool input_ended;
    bool is_running; /* no signal came and nothing ended it */
};

static void end_attachment(struct attachment *a, enum attach_end end)
{
    a->end = end;
    loop_stop(a->loop);
}

/* Close our side of the connection: the server sends the answers it still owes, then closes its
 * own. */
static void on_input_end(struct stream *s, const char *reason, void *ctx)
{
    struct attachment *a = ctx;
    (void)s, (void)reason;
    a->input_ended = true;
    if (a->server)
        stream_shutdown(a->server);
}

static void on_input(struct stream *s, struct str bytes, void *ctx)
{
    struct attachment *a = ctx;
    if (!a->server)
        return;
    stream_write(a->server, bytes);
    if (stream_queued(a->server) > MAX_QUEUED)
        stream_read_stop(s);
}

static void on_server_drain(struct stream *s, void *ctx)
{
    struct attachment *a = ctx;
    (void)s;
    if (a->in && !a->input_ended)
        stream_read_start(a->in);
}

static void on_server_bytes(struct stream *s, struct str bytes, void *ctx)
{
    struct attachment *a = ctx;
    if (!a->out)
        return;
    stream_write(a->out, bytes);
    if (stream_queued(a->out) > MAX_QUEUED)
        stream_read_stop(s);
}

static void on_output_drain(struct stream *s, void *ctx)
{
    struct attachment *a = ctx;
    (void)s;
    if (a->server)
        stream_read_start(a->server);
}

static void on_server_end(struct stream *s, const char *reason, void *ctx)
{
    struct attachment *a = ctx;
    (void)reason;
    if (!a->input_ended) {
        error_set(a->err, ERR_IO,
                  "the server on port %u has stopped: start `multiverse serve` again",
                  a->target->port);
        a->end = ATTACH_FAILED;
    }
    stream_close(s);
    if (a->in)
        stream_close(a->in);
    if (a->out)
        stream_finish(a->out);
}

/* The program that started us has closed our standard output. */
static void on_output_end(struct stream *s, const char *reason, void *ctx)
{
    (void)s, (void)reason;
    end_attachment(ctx, ATTACH_CLOSED);
}

static bool is_over(const struct attachment *a)
{
    return !a->request && !a->in && !a->out && !a->server;
}

static void stop_if_over(struct attachment *a)
{
    if (is_over(a))
        loop_stop(a->loop);
}

static void on_input_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct attachment *)ctx)->in = NULL;
    stop_if_over(ctx);
}

static void on_output_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct attachment *)ctx)->out = NULL;
    stop_if_over(ctx);
}

static void on_server_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct attachment *)ctx)->server = NULL;
    stop_if_over(ctx);
}

static const struct stream_events input_events = {on_input, on_input_end, NULL, on_input_closed};
static const struct stream_events output_events = {NULL, on_output_end, on_output_drain,
                                                   on_output_closed};
static const struct stream_events server_events = {on_server_bytes, on_server_end, on_server_drain,
                                                   on_server_closed};

static void on_upgrade(struct http_client *c, struct stream *s, struct buf *early, void *ctx)
{
    struct attachment *a = ctx;
    (void)c;
    a->server = s;
    stream_set_events(s, &server_events, a);
    a->in = stream_open_fd(a->loop, STDIN_FILENO, &input_events, a, NULL);
    a->out = stream_open_fd(a->loop, STDOUT_FILENO, &output_events, a, NULL);
    on_server_bytes(s, buf_str(early), a);
    buf_done(early);
    stream_read_start(s);
    if (a->in)
        stream_read_start(a->in);
    else
        on_input_end(NULL, NULL, a);
}

static void on_stdio_end(struct http_client *c, const char *reason, void *ctx)
{
    struct attachment *a = ctx;
    (void)c;
    a->request = NULL;
    if (a->server || !a->is_running)
        return;
    error_set(a->err, ERR_IO, "the server on port %u does not let this client attach: %s",
              a->target->port, reason ? reason : "it answered without an upgrade");
    end_attachment(a, ATTACH_FAILED);
}

static void request_stdio(struct attachment *a)
{
    static const struct http_client_events events = {.on_end = on_stdio_end,
                                                     .on_upgrade = on_upgrade};
    struct http_client_request r = {
        .port = a->target->port,
        .path = ATTACH_STDIO,
        .token = a->target->token,
        .upgrade = ATTACH_PROTOCOL,
    };
    a->request = http_client_start(a->loop, &r, &events, a);
}

static void on_identity_head(struct http_client *c, const struct http_response *response, void *ctx)
{
    (void)c;
    ((struct attachment *)ctx)->status = response->status;
}

static void on_identity_body(struct http_client *c, struct str bytes, void *ctx)
{
    (void)c;
    buf_add(&((struct attachment *)ctx)->identity, bytes);
}

/* False: this server must not be used, and the reason is in a->err. */
static bool check_identity(struct attachment *a, const struct json *identity)
{
    unsigned port = a->target->port;
    if (a->status == 401)
        return error_set(
            a->err, ERR_INVALID_PARAMS,
            "the server on port %u requires a token: give the same one with --token-file FILE",
            port);
    if (!str_eq(json_str(json_get(identity, STR("name"))), STR("multiverse")))
        return error_set(
            a->err, ERR_IN_USE,
            "port %u is in use by another program: choose another port with --port N or "
            "\"port\" in multiverse.json",
            port);
    if (!attach_is_project(identity, str_from(a->target->project)))
        return error_set(
            a->err, ERR_IN_USE,
            "the server on port %u is for another project (%.*s): choose another port for this "
            "one with --port N or \"port\" in multiverse.json",
            port, STR_ARG(json_str(json_get(identity, STR("project_path")))));
    return true;
}

static void on_identity_end(struct http_client *c, const char *reason, void *ctx)
{
    struct attachment *a = ctx;
    struct arena arena = {0};
    const struct json *identity = json_parse(&arena, buf_str(&a->identity), NULL, NULL);
    (void)c;
    a->request = NULL;
    if (!a->is_running)
        loop_stop(a->loop);
    else if (check_identity(a, reason ? NULL : identity))
        request_stdio(a);
    else
        end_attachment(a, ATTACH_REFUSED);
    arena_done(&arena);
}

static void on_signal(void *ctx)
{
    loop_stop(((struct attachment *)ctx)->loop);
}

enum attach_end attach_run(const struct attach_target *target, struct error *err)
{
    static const struct http_client_events events = {on_identity_head, on_identity_body,
                                                     on_identity_end, NULL};
    struct attachment a = {.loop = loop_new(), .target = target, .err = err, .is_running = true};
    a.identity = buf_make(MAX_IDENTITY);
    struct http_client_request r = {.port = target->port,
                                    .path = ATTACH_SERVER,
                                    .token = target->token,
                                    .max_body = MAX_IDENTITY};
    loop_on_signal(a.loop, SIGINT, on_signal, &a);
    loop_on_signal(a.loop, SIGTERM, on_signal, &a);
    a.request = http_client_start(a.loop, &r, &events, &a);
    loop_run(a.loop);
    a.is_running = false; /* close what is open: its callbacks use `a` */
    if (a.request)
        http_client_cancel(a.request);
    if (a.in)
        stream_close(a.in);
    if (a.out)
        stream_close(a.out);
    if (a.server)
        stream_close(a.server);
    while (!is_over(&a))
        loop_run(a.loop);
    loop_free(a.loop);
    buf_done(&a.identity);
    return a.end;
}
