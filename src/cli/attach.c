#include "cli/attach.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"
#include "base/list.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/say.h"
#include "mcp/mcp_stdio.h"
#include "net/http_client.h"
#include "net/http_server.h"

#define MAX_WHO    (64u << 10) /* bytes of the answer that says who is there */
#define MAX_QUEUED (8u << 20)  /* bytes on their way in one direction */

/* ---- the server's side */

struct attach {
    struct mcp *mcp;
    struct list clients;
    size_t count;
};

struct client {
    struct list in;
    struct attach *attach;
    struct mcp_stdio *stdio;
};

static void client_free(struct client *c)
{
    mcp_stdio_free(c->stdio);
    list_remove(&c->in);
    c->attach->count--;
    free(c);
}

static void on_client_end(void *ctx)
{
    client_free(ctx);
}

static void on_request(struct http_exchange *x, void *ctx)
{
    struct attach *a = ctx;
    const struct http_request *r = http_request(x);
    struct buf rest = {0};
    if (!r->upgrade || !http_has_token(http_header(x, STR("Upgrade")), STR(ATTACH_PROTOCOL))) {
        http_refuse(x, 400, "This is for `multiverse serve --stdio`: Upgrade must be %s.",
                    ATTACH_PROTOCOL);
        return;
    }
    if (a->count >= ATTACH_MAX) {
        http_refuse(x, 503, "%u clients are attached already.", ATTACH_MAX);
        return;
    }
    http_set_header(x, "Upgrade", STR(ATTACH_PROTOCOL));
    struct client *c = mem_zalloc(sizeof *c);
    c->attach = a;
    list_add(&a->clients, &c->in);
    a->count++;
    struct stream *s = http_upgrade(x, &rest);
    c->stdio = mcp_stdio_serve(a->mcp, s, buf_str(&rest), on_client_end, c);
    buf_done(&rest);
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
    LIST_EACH (&a->clients, struct client, in, c)
        if (!mcp_stdio_is_flushed(c->stdio))
            return false;
    return true;
}

void attach_free(struct attach *a)
{
    if (!a)
        return;
    LIST_EACH_SAFE (&a->clients, struct client, in, c)
        client_free(c);
    free(a);
}

/* ---- the other side */

bool attach_is_project(const struct json *who, struct str project)
{
    return str_eq(project, json_str(json_get(who, STR("project_path")))) ||
           str_eq(project, json_str(json_get(who, STR("editor_project_path"))));
}

struct attached {
    struct loop *loop;
    const struct attach_target *target;
    struct buf who; /* what the server says of itself */
    int status;
    int code;                   /* of the command */
    struct http_client *asking; /* NULL: no request is open */
    struct stream *in, *out, *server;
    bool ended;  /* our standard input is */
    bool wanted; /* no signal came */
};

static void end(struct attached *a, int code)
{
    a->code = code;
    loop_stop(a->loop);
}

/* Our own standard input is over: the server is told by the end of our side, and answers what it
 * still owes before it ends its own. */
static void on_input_end(struct stream *s, const char *why, void *ctx)
{
    struct attached *a = ctx;
    (void)s, (void)why;
    a->ended = true;
    if (a->server)
        stream_shutdown(a->server);
}

static void on_input(struct stream *s, struct str bytes, void *ctx)
{
    struct attached *a = ctx;
    if (!a->server)
        return;
    stream_write(a->server, bytes);
    if (stream_queued(a->server) > MAX_QUEUED)
        stream_read_stop(s);
}

static void on_server_drain(struct stream *s, void *ctx)
{
    struct attached *a = ctx;
    (void)s;
    if (a->in && !a->ended)
        stream_read_start(a->in);
}

static void on_answer(struct stream *s, struct str bytes, void *ctx)
{
    struct attached *a = ctx;
    if (!a->out)
        return;
    stream_write(a->out, bytes);
    if (stream_queued(a->out) > MAX_QUEUED)
        stream_read_stop(s);
}

static void on_output_drain(struct stream *s, void *ctx)
{
    struct attached *a = ctx;
    (void)s;
    if (a->server)
        stream_read_start(a->server);
}

static void on_server_end(struct stream *s, const char *why, void *ctx)
{
    struct attached *a = ctx;
    (void)why;
    if (!a->ended)
        say_error("the server on port %u has stopped: start `multiverse serve` again",
                  a->target->port);
    stream_close(s);
    if (a->in)
        stream_close(a->in);
    if (a->out)
        stream_finish(a->out);
    a->code = a->ended ? COMMAND_FINE : COMMAND_FAILED;
}

static void on_output_end(struct stream *s, const char *why, void *ctx)
{
    struct attached *a = ctx;
    (void)s, (void)why;
    end(a, COMMAND_FINE); /* whoever started us does not listen any more */
}

static bool is_over(const struct attached *a)
{
    return !a->asking && !a->in && !a->out && !a->server;
}

static void gone(struct attached *a)
{
    if (is_over(a))
        loop_stop(a->loop);
}

static void on_input_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct attached *)ctx)->in = NULL;
    gone(ctx);
}

static void on_output_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct attached *)ctx)->out = NULL;
    gone(ctx);
}

static void on_server_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct attached *)ctx)->server = NULL;
    gone(ctx);
}

static const struct stream_events input_events = {on_input, on_input_end, NULL, on_input_closed};
static const struct stream_events output_events = {NULL, on_output_end, on_output_drain,
                                                   on_output_closed};
static const struct stream_events server_events = {on_answer, on_server_end, on_server_drain,
                                                   on_server_closed};

static void on_upgrade(struct http_client *c, struct stream *s, struct buf *rest, void *ctx)
{
    struct attached *a = ctx;
    (void)c;
    a->server = s;
    stream_set_events(s, &server_events, a);
    a->in = stream_open_fd(a->loop, STDIN_FILENO, &input_events, a, NULL);
    a->out = stream_open_fd(a->loop, STDOUT_FILENO, &output_events, a, NULL);
    on_answer(s, buf_str(rest), a);
    buf_done(rest);
    stream_read_start(s);
    if (a->in)
        stream_read_start(a->in);
    else
        on_input_end(NULL, NULL, a);
}

static void on_stdio_end(struct http_client *c, const char *why, void *ctx)
{
    struct attached *a = ctx;
    (void)c;
    a->asking = NULL;
    if (a->server || !a->wanted)
        return;
    say_error("the server on port %u does not let this client attach: %s", a->target->port,
              why ? why : "it answered without an upgrade");
    end(a, COMMAND_FAILED);
}

static void attach_stdio(struct attached *a)
{
    static const struct http_client_events events = {.on_end = on_stdio_end,
                                                     .on_upgrade = on_upgrade};
    struct http_client_request r = {
        .port = a->target->port,
        .path = ATTACH_STDIO,
        .token = a->target->token,
        .upgrade = ATTACH_PROTOCOL,
    };
    a->asking = http_client_start(a->loop, &r, &events, a);
}

static void on_who_head(struct http_client *c, const struct http_response *response, void *ctx)
{
    (void)c;
    ((struct attached *)ctx)->status = response->status;
}

static void on_who_body(struct http_client *c, struct str bytes, void *ctx)
{
    (void)c;
    buf_add(&((struct attached *)ctx)->who, bytes);
}

static void on_who_end(struct http_client *c, const char *why, void *ctx)
{
    struct attached *a = ctx;
    struct arena arena = {0};
    unsigned port = a->target->port;
    const struct json *who = json_parse(&arena, buf_str(&a->who), NULL, NULL);
    (void)c;
    a->asking = NULL;
    if (!a->wanted) {
        loop_stop(a->loop);
    } else if (a->status == 401) {
        say_error("a server with a token runs on port %u: give the same one with --token-file FILE",
                  port);
        end(a, COMMAND_USAGE);
    } else if (why || !str_eq(json_str(json_get(who, STR("name"))), STR("multiverse"))) {
        say_error("port %u is in use by another program: take another port with --port N or "
                  "\"port\" in multiverse.json",
                  port);
        end(a, COMMAND_USAGE);
    } else if (!attach_is_project(who, str_from(a->target->project))) {
        struct str path = json_str(json_get(who, STR("project_path")));
        say_error(
            "the server on port %u is for another project (%.*s): give this one a port of its "
            "own with --port N or \"port\" in multiverse.json",
            port, STR_ARG(path));
        end(a, COMMAND_USAGE);
    } else {
        attach_stdio(a);
    }
    arena_done(&arena);
}

int attach_run(struct loop *loop, const struct attach_target *target)
{
    static const struct http_client_events events = {on_who_head, on_who_body, on_who_end, NULL};
    struct attached a = {.loop = loop, .target = target, .wanted = true};
    a.who = buf_make(MAX_WHO);
    struct http_client_request r = {
        .port = target->port, .path = ATTACH_WHO, .token = target->token, .max_body = MAX_WHO};
    a.asking = http_client_start(loop, &r, &events, &a);
    loop_run(loop);
    a.wanted = false; /* it is over, or a signal came: what is open has us as its context */
    if (a.asking)
        http_client_cancel(a.asking);
    if (a.in)
        stream_close(a.in);
    if (a.out)
        stream_close(a.out);
    if (a.server)
        stream_close(a.server);
    while (!is_over(&a))
        loop_run(loop);
    buf_done(&a.who);
    return a.code;
}
