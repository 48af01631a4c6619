/* Options, transports, and the table of the program. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "everything.h"
#include "mcp/mcp_http.h"
#include "mcp/mcp_stdio.h"
#include "net/http_server.h"

#define MAX_TOOLS 64

static struct mcp *mcp;
static bool has_dynamic_tool, has_dynamic_prompt;

static void call_tool(struct mcp_call *call, const struct mcp_tool *tool, void *ctx)
{
    (void)ctx;
    ((const struct tool_row *)(const void *)tool)->run(call);
}

static const struct mcp_impl impl = {
    .name = "mcp-everything",
    .title = "MCP everything",
    .version = MULTIVERSE_VERSION,
    .description = "One of everything the protocol has.",
    .instructions = "A server for tests: its tools do what their names say.",
    .logging = true,
    .list_changed = true,
    .tasks = true,
    .subscribe = true,
    .call_tool = call_tool,
    .read_resource = read_resource,
    .get_prompt = get_prompt,
    .complete = complete,
};

/* ---- lists that change */

static void run_dynamic(struct mcp_call *call)
{
    mcp_reply_text(call, STR("I come and go"));
}

static const struct tool_row dynamic_tool = {
    {.name = "test_dynamic_tool", .description = "Comes and goes.", .input_schema = NO_ARGUMENTS},
    run_dynamic,
};

static void set_tools(void)
{
    const struct mcp_tool *list[MAX_TOOLS];
    size_t n = 0;
    for (size_t i = 0; i < simple_tool_count; i++)
        list[n++] = &simple_tools[i].def;
    for (size_t i = 0; i < asking_tool_count; i++)
        list[n++] = &asking_tools[i].def;
    for (size_t i = 0; i < task_tool_count; i++)
        list[n++] = &task_tools[i].def;
    if (has_dynamic_tool)
        list[n++] = &dynamic_tool.def;
    mcp_set_tools(mcp, list, n);
}

void toggle_tool(void)
{
    has_dynamic_tool = !has_dynamic_tool;
    set_tools();
}

void toggle_prompt(void)
{
    has_dynamic_prompt = !has_dynamic_prompt;
    mcp_set_prompts(mcp, prompts, has_dynamic_prompt ? prompt_count : prompt_count - 1);
}

void touch_watched(void)
{
    mcp_resource_updated(mcp, STR("test://watched-resource"));
}

size_t open_calls(void)
{
    return mcp_open_calls(mcp);
}

/* ---- the program */

struct program {
    struct loop *loop;
    struct http_server *http;
    struct mcp_http *endpoint;
    struct mcp_stdio *stdio;
    struct timer tick;
    int ticks;
    bool stopping;
};

enum {
    TICK_MS = 5,
    MAX_TICKS = 200
};

/* Wait until all output is sent; exit after a second in any case. */
static void on_tick(void *ctx)
{
    struct program *p = ctx;
    bool flushed =
        (!p->http || !http_server_connections(p->http)) && mcp_stdio_is_flushed(p->stdio);
    if (flushed || ++p->ticks == MAX_TICKS)
        loop_stop(p->loop);
    else
        timer_start(&p->tick, p->loop, TICK_MS, on_tick, p);
}

static void stop_program(void *ctx)
{
    struct program *p = ctx;
    if (p->stopping) {
        loop_stop(p->loop);
        return;
    }
    p->stopping = true;
    mcp_stop(mcp);
    if (p->http)
        http_server_stop(p->http);
    on_tick(p);
}

static int usage(FILE *to, int code)
{
    fprintf(to,
            "usage: mcp-everything [--port N] [--stdio]\n"
            "\n"
            "A Model Context Protocol server that offers one of everything, for tests.\n"
            "\n"
            "  --port N    serve http://127.0.0.1:N/mcp; 0 takes a free port (default 48091)\n"
            "  --stdio     serve standard input and output; no HTTP unless --port is also given\n"
            "  --help      this text\n");
    return code;
}

static bool read_port(const char *text, int *port)
{
    uint64_t n;
    if (!text || !str_to_u64(str_from(text), &n) || n > 65535) {
        fprintf(stderr, "mcp-everything: --port needs a number from 0 to 65535, not %s\n",
                text ? text : "nothing");
        return false;
    }
    *port = (int)n;
    return true;
}

static bool start_http(struct program *p, int port)
{
    struct error err = {0};
    struct http_server_options options = {.error_body = mcp_http_error_body};
    p->http = http_server_new(p->loop, &options);
    p->endpoint = mcp_http_start(mcp, p->http, "/mcp");
    if (!http_server_listen(p->http, (uint16_t)port, &err)) {
        fprintf(stderr, "mcp-everything: %s%s\n", err.text,
                err.code == ERR_IN_USE ? ": stop it, or choose another with --port N" : "");
        return false;
    }
    fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n", http_server_port(p->http));
    return true;
}

static void say_how_to_connect(const struct program *p)
{
    unsigned port = http_server_port(p->http);
    fprintf(stderr,
            "\nConnect a client, for example:\n"
            "  claude mcp add --transport http everything http://127.0.0.1:%u/mcp\n"
            "  codex mcp add everything --url http://127.0.0.1:%u/mcp\n"
            "  gemini mcp add --scope user --transport http everything http://127.0.0.1:%u/mcp\n"
            "\nStop it with Ctrl-C.\n",
            port, port, port);
}

int main(int argc, char **argv)
{
    struct program p = {0};
    int port = -1;
    bool stdio = false, ok = true;

    for (int i = 1; i < argc; i++) {
        struct str arg = str_from(argv[i]);
        if (str_eq(arg, STR("--help")))
            return usage(stdout, 0);
        if (str_eq(arg, STR("--stdio"))) {
            stdio = true;
        } else if (str_eq(arg, STR("--port"))) {
            if (!read_port(++i < argc ? argv[i] : NULL, &port))
                return 2;
        } else {
            fprintf(stderr, "mcp-everything: unknown argument %s: see --help\n", argv[i]);
            return 2;
        }
    }
    p.loop = loop_new();
    mcp = mcp_new(p.loop, &impl, NULL);
    set_tools();
    mcp_set_prompts(mcp, prompts, prompt_count - 1);
    mcp_set_resources(mcp, resources, resource_count);
    mcp_set_templates(mcp, templates, template_count);
    loop_on_signal(p.loop, SIGINT, stop_program, &p);
    loop_on_signal(p.loop, SIGTERM, stop_program, &p);
    if (!stdio || port >= 0)
        ok = start_http(&p, port < 0 ? 48091 : port);
    if (ok && !stdio)
        say_how_to_connect(&p);
    if (ok && stdio)
        p.stdio = mcp_stdio_start(mcp, stop_program, &p);
    if (ok)
        loop_run(p.loop);
    sigset_t late; /* it is ending: a second signal has no effect */
    sigemptyset(&late);
    sigaddset(&late, SIGINT);
    sigaddset(&late, SIGTERM);
    sigprocmask(SIG_BLOCK, &late, NULL);
    mcp_stop(mcp);
    mcp_stdio_free(p.stdio);
    http_server_free(p.http);
    mcp_http_free(p.endpoint);
    mcp_free(mcp);
    loop_free(p.loop);
    return ok ? 0 : 1;
}
