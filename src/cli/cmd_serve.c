/* `multiverse serve`: options and messages. The server is app/serve.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/attach.h"
#include "app/serve.h"
#include "cli/command.h"
#include "cli/config_option.h"
#include "cli/store_option.h"
#include "cli/terminal.h"
#include "orchestrator/tasks.h"
#include "process/self.h"
#include "unity/project.h"

struct serve_command {
    struct config config;
    struct buf token;
    char *project;
    char self[PATH_MAX];
    struct serve_options options;
};

/* A store that does not exist yet or is down is waited for; a malformed URL is a usage error. */
static bool check_store(const char *url, struct error *err)
{
    struct buf place = buf_make(8192);
    bool ok = !url || !*url || tasks_place(url, &place, err);
    buf_done(&place);
    return ok;
}

static bool check_headless(const struct serve_command *c, const struct options *o,
                           struct error *err)
{
    if (options_has(o, "headless") && options_has(o, "no-headless"))
        return error_set(err, ERR_INVALID_PARAMS,
                         "serve: give --headless or --no-headless, not both");
    if (options_has(o, "headless") && !c->options.is_unity)
        return error_set(err, ERR_INVALID_PARAMS,
                         "serve: --headless needs a Unity project, and %s is not one: it has no "
                         "folders Assets and ProjectSettings",
                         c->project);
    return true;
}

static bool read_options(struct serve_command *c, const struct options *o, struct error *err)
{
    struct serve_options *s = &c->options;
    struct error no_path = {0};
    uint64_t silence;
    if (!config_option_load(&c->config, o, err) ||
        (c->config.token_file && !config_read_token(c->config.token_file, &c->token, err)) ||
        !check_store(options_text(o, "store"), err))
        return false;
    const char *path = c->config.project_path ? c->config.project_path : ".";
    c->project = project_find(path, &s->is_unity, err);
    if (!c->project || !check_headless(c, o, err))
        return false;
    s->config = &c->config;
    s->token = buf_str(&c->token);
    s->project = c->project;
    s->store = store_option(o);
    s->self = self_path(c->self, &no_path) ? c->self : program_invocation_name;
    if (options_number(o, "goal-silence", &silence))
        s->goal_silence_s = (unsigned)silence;
    s->headless = s->is_unity && !options_has(o, "no-headless");
    s->has_console = !options_has(o, "no-console");
    s->stdio = options_has(o, "stdio");
    s->until_eof = !s->stdio && options_has(o, "until-eof");
    return true;
}

static void print_how_to_connect(const struct serve_command *c, unsigned port)
{
    const struct serve_options *s = &c->options;
    if (s->stdio || c->config.log_format != LOG_TEXT)
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
        fprintf(stderr, "Clients need the token: give them the header \"Authorization: Bearer "
                        "TOKEN\", and call --token-file.\n");
    if (s->has_console && s->token.n)
        fprintf(stderr,
                "Open the console page at http://127.0.0.1:%u/ (it asks for the token; append "
                "#token=TOKEN to the address to skip the question)\n",
                port);
    else if (s->has_console)
        fprintf(stderr, "Open the console page at http://127.0.0.1:%u/\n", port);
    fprintf(stderr, "\nStop the server with Ctrl-C.\n\n");
}

static int attach_to_server(const struct serve_command *c)
{
    static const int codes[] = {[ATTACH_CLOSED] = COMMAND_FINE,
                                [ATTACH_REFUSED] = COMMAND_USAGE,
                                [ATTACH_FAILED] = COMMAND_FAILED};
    struct attach_target target = {c->config.port, c->options.token, c->project};
    struct error err = {0};
    enum attach_end end = attach_run(&target, &err);
    if (end != ATTACH_CLOSED)
        terminal_print_failure(&err);
    return codes[end];
}

static int run_project_server(struct serve_command *c)
{
    struct serve *s = serve_new(&c->options);
    struct error err = {0};
    int code = COMMAND_USAGE;
    bool listens = serve_listen(s, &err);
    if (listens) {
        print_how_to_connect(c, serve_port(s));
        serve_run(s);
        code = COMMAND_FINE;
    }
    if (!serve_close(s))
        _exit(code);
    if (listens)
        return code;
    if (err.code != ERR_IN_USE)
        terminal_print_failure(&err);
    else if (c->options.stdio)
        return attach_to_server(c);
    else
        terminal_print_error("%s: stop the program that uses it, or choose another port with "
                             "--port N or \"port\" in multiverse.json",
                             err.text);
    return code;
}

int cmd_serve(const struct options *o)
{
    struct serve_command c = {0};
    struct error err = {0};
    int code = COMMAND_USAGE;
    if (read_options(&c, o, &err)) {
        log_setup(c.config.log_format, c.config.log_level);
        code = run_project_server(&c);
    } else {
        terminal_print_failure(&err);
    }
    free(c.project);
    buf_done(&c.token);
    config_done(&c.config);
    return code;
}
