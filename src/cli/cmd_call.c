#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/jsonw.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "bridge/catalog.h"
#include "cli/call.h"
#include "cli/call_args.h"
#include "cli/call_local.h"
#include "cli/command.h"
#include "cli/config_option.h"
#include "cli/terminal.h"

#define ARGUMENTS_MAX (4u << 20) /* as a server accepts */

/* ---- arguments */

static bool read_stdin(struct buf *out, struct error *err)
{
    char chunk[16 * 1024], text[128];
    for (;;) {
        ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
        if (n == 0)
            return true;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set(err, ERR_IO, "cannot read standard input: %s",
                             strerror_r(errno, text, sizeof text));
        if (out->n + (size_t)n > ARGUMENTS_MAX)
            return error_set(err, ERR_LIMIT, "the arguments are larger than %u bytes",
                             ARGUMENTS_MAX);
        buf_add(out, str_make(chunk, (size_t)n));
    }
}

/* from: the source of the text, for the message. */
static bool check_object(struct str text, const char *from, struct error *err)
{
    struct arena a = {0};
    struct json_error bad;
    const struct json *v = json_parse(&a, text, NULL, &bad);
    bool ok = json_is(v, JSON_OBJECT);
    if (!v)
        error_set(err, ERR_INVALID_PARAMS, "%s: not JSON at byte %zu: %s", from, bad.offset + 1,
                  bad.reason);
    else if (!ok)
        error_set(err, ERR_INVALID_PARAMS, "%s: must be an object {...}, not %s", from,
                  json_type_name(v));
    arena_done(&a);
    return ok;
}

static bool read_arguments(struct buf *out, const struct tool *tool, const struct options *o,
                           struct error *err)
{
    size_t count = o->arg_count - 1;
    char **args = o->args + 1;
    struct str first = str_trim(str_from(count ? args[0] : ""));
    bool is_one = first.n && (first.p[0] == '{' || first.p[0] == '@' || str_eq(first, STR("-")));
    if (!is_one)
        return call_args_put(out, tool->input, args, count, err);
    if (count > 1)
        return error_set(
            err, ERR_INVALID_PARAMS,
            "give one JSON object, @FILE or - alone, or KEY=VALUE pairs; \"%s\" is one "
            "argument too many",
            args[1]);
    if (first.p[0] == '{')
        return buf_add(out, first) && check_object(first, "the arguments", err);
    if (first.p[0] == '-')
        return read_stdin(out, err) && check_object(buf_str(out), "standard input", err);
    return file_read(args[0] + 1, ARGUMENTS_MAX, out, err) &&
           check_object(buf_str(out), args[0] + 1, err);
}

/* ---- progress: one line that changes, on a terminal only */

static size_t progress_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79;
}

static void on_progress(const struct json *params, void *ctx)
{
    struct buf line = {0};
    double done, total;
    (void)ctx;
    if (json_double(json_get(params, STR("progress")), &done)) {
        buf_printf(&line, "%g", done);
        if (json_double(json_get(params, STR("total")), &total))
            buf_printf(&line, " of %g", total);
    }
    struct str message = json_str(json_get(params, STR("message")));
    if (message.n) {
        buf_add(&line, line.n ? STR(": ") : STR(""));
        terminal_escape(&line, message);
    }
    fprintf(stderr, "\r\033[K%.*s", STR_ARG(utf8_head(buf_str(&line), progress_columns())));
    fflush(stderr);
    buf_done(&line);
}

static void clear_progress(const struct call_request *r)
{
    if (r->on_progress)
        fputs("\r\033[K", stderr);
}

/* ---- the answer */

static void print_json(const struct json *v)
{
    struct buf out = {0};
    if (terminal_is_tty(STDOUT_FILENO)) {
        jsonw_indent(&out, v);
    } else {
        struct jsonw w = jsonw_make(&out);
        jsonw_value(&w, v);
    }
    buf_add_char(&out, '\n');
    terminal_write(buf_str(&out));
    buf_done(&out);
}

/* "ERR_QUEUE_FULL: ... (not_executed; next: retry_later)" */
static int print_tool_error(const struct json *result)
{
    const struct json *error = json_get(result, STR("structuredContent"));
    if (json_is(json_get(error, STR("error")), JSON_OBJECT))
        error = json_get(error, STR("error"));
    const struct json *details = json_get(error, STR("details"));
    struct str code = json_str(json_get(error, STR("code")));
    struct str message = json_str(json_get(error, STR("message")));
    struct str guarantee = json_str(json_get(details, STR("execution_guarantee")));
    struct str next = json_str(json_get(details, STR("recovery_action")));
    if (!code.n) {
        code = STR("the tool failed");
        message = json_str(json_get(json_at(json_get(result, STR("content")), 0), STR("text")));
    }
    terminal_print_error("%.*s: %.*s%s%.*s%s%.*s%s", STR_ARG(code), STR_ARG(message),
                         guarantee.n ? " (" : "", STR_ARG(guarantee),
                         guarantee.n && next.n ? "; next: " : "",
                         STR_ARG(guarantee.n ? next : STR("")), guarantee.n ? ")" : "");
    return COMMAND_FAILED;
}

static int print_result(const struct json *message, bool raw)
{
    const struct json *result = json_get(message, STR("result"));
    const struct json *error = json_get(message, STR("error"));
    const struct json *structured = json_get(result, STR("structuredContent"));
    if (raw)
        print_json(message);
    else if (!error)
        print_json(structured ? structured : result);
    if (error) {
        terminal_print_error("the server refused the call: %.*s",
                             STR_ARG(json_str(json_get(error, STR("message")))));
        return COMMAND_FAILED;
    }
    return json_bool(json_get(result, STR("isError"))) ? print_tool_error(result) : COMMAND_FINE;
}

static int print_response(const struct call_answer *answer, bool raw)
{
    struct arena a = {0};
    int code = print_result(json_parse(&a, buf_str(&answer->message), NULL, NULL), raw);
    arena_done(&a);
    return code;
}

static int print_answer(const struct call_request *r, const struct call_answer *answer, bool raw)
{
    clear_progress(r);
    switch (answer->outcome) {
    case CALL_ANSWERED:
        return print_response(answer, raw);
    case CALL_UNREACHABLE:
        terminal_print_error("no server is running on port %u: start one with `multiverse serve`",
                             r->port);
        return COMMAND_USAGE;
    case CALL_UNAUTHORIZED:
        terminal_print_error(
            r->token.n ? "the server rejects the token: give its own with --token-file FILE"
                       : "the server requires a token: give it with --token-file FILE");
        return COMMAND_USAGE;
    case CALL_FOREIGN:
        terminal_print_error(
            "the program on port %u is not a multiverse server (HTTP status %d): choose "
            "another port with --port N",
            r->port, answer->status);
        return COMMAND_USAGE;
    case CALL_LOST:
        terminal_print_error(
            "the connection ended before the answer (%s): the call may have run, check "
            "before you repeat it",
            answer->reason);
        return COMMAND_FAILED;
    case CALL_TIMED_OUT:
        terminal_print_error(
            "no answer after %llu ms: the server was asked to cancel it, but it may have run; "
            "check before you repeat it",
            (unsigned long long)r->timeout_ms);
        return COMMAND_FAILED;
    case CALL_INTERRUPTED:
        terminal_print_error(
            "interrupted: the server was asked to cancel the call, but it may have run");
        return COMMAND_INTERRUPTED;
    }
    return COMMAND_FAILED;
}

/* ---- the command */

static int fail_usage(const struct error *err)
{
    terminal_print_failure(err);
    return COMMAND_USAGE;
}

static const struct tool *find_tool(const struct catalog *catalog, const char *name,
                                    struct error *err)
{
    const struct tool *tool = catalog_find(catalog, str_from(name));
    if (tool)
        return tool;
    struct nearest near = nearest_make(str_from(name));
    for (size_t i = 0; i < catalog_count(catalog); i++)
        nearest_offer(&near, str_from(catalog_at(catalog, i)->name));
    if (near.best.n)
        error_set(err, ERR_INVALID_PARAMS, "unknown tool %s: did you mean %.*s? (multiverse tools)",
                  name, STR_ARG(near.best));
    else
        error_set(err, ERR_INVALID_PARAMS, "unknown tool %s: multiverse tools lists the tools",
                  name);
    return NULL;
}

static bool find_server(struct call_request *r, const struct options *o, const struct config *c,
                        struct error *err)
{
    const char *url = options_text(o, "url");
    r->path = "/mcp";
    r->port = c->port;
    if (url && options_has(o, "port"))
        return error_set(err, ERR_INVALID_PARAMS, "call: give --url or --port, not both");
    if (url)
        return call_read_url(url, &r->port, &r->path, err);
    if (r->port == 0)
        return error_set(err, ERR_INVALID_PARAMS,
                         "call: port 0 is not the port of a server: give the one that multiverse "
                         "serve printed with "
                         "--port N");
    return true;
}

static void print_progress(struct str line)
{
    fprintf(stderr, "\r\033[K%.*s", STR_ARG(utf8_head(line, progress_columns())));
    fflush(stderr);
}

static bool check_local(const struct options *o, struct error *err)
{
    static const char *const others[] = {"port", "url", "raw", "token-file"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (options_has(o, others[i]))
            return error_set(err, ERR_INVALID_PARAMS,
                             "call: --%s is for a server and cannot be used with --project",
                             others[i]);
    return true;
}

static int call_project(const struct config *c, const struct tool *tool, struct str arguments,
                        const struct options *o)
{
    struct error err = {0};
    struct call_local local = {.config = c,
                               .tool = tool,
                               .project = options_text(o, "project"),
                               .scene = options_text(o, "scene"),
                               .arguments = arguments,
                               .show = print_json,
                               .progress = terminal_is_tty(STDERR_FILENO) ? print_progress : NULL};
    options_number(o, "timeout-ms", &local.timeout_ms);
    return check_local(o, &err) ? call_local_run(&local) : fail_usage(&err);
}

static int call_with(const struct config *c, const struct catalog *catalog, const struct options *o)
{
    struct call_request r = {.on_progress = terminal_is_tty(STDERR_FILENO) ? on_progress : NULL};
    struct call_answer answer = {0};
    struct buf arguments = {0}, token = {0};
    struct error err = {0};
    const struct tool *tool = find_tool(catalog, o->args[0], &err);
    int code;
    if (!tool || !read_arguments(&arguments, tool, o, &err)) {
        code = fail_usage(&err);
    } else if (options_has(o, "project")) {
        code = call_project(c, tool, buf_str(&arguments), o);
    } else if (options_has(o, "scene")) {
        error_set(&err, ERR_INVALID_PARAMS,
                  "call: --scene needs --project; on a server call open_scene");
        code = fail_usage(&err);
    } else if (!find_server(&r, o, c, &err) ||
               (c->token_file && !config_read_token(c->token_file, &token, &err))) {
        code = fail_usage(&err);
    } else {
        r.tool = str_from(tool->name);
        r.arguments = buf_str(&arguments);
        r.token = buf_str(&token);
        options_number(o, "timeout-ms", &r.timeout_ms);
        call_run(&r, &answer);
        code = print_answer(&r, &answer, options_has(o, "raw"));
    }
    call_answer_done(&answer);
    buf_done(&arguments);
    buf_done(&token);
    return code;
}

int cmd_call(const struct options *o)
{
    struct config c;
    struct error err = {0};
    if (!config_option_load(&c, o, &err))
        return fail_usage(&err);
    struct catalog *catalog = catalog_new(&c.limits);
    int code = call_with(&c, catalog, o);
    catalog_free(catalog);
    config_done(&c);
    return code;
}
