#include "cli/help.h"

#define WIDTH  80u
#define INDENT 2u

const char help_about[] =
    "Multiverse lets AI agents work in Unity projects, with Unity or without it: an MCP server "
    "through which Claude Code, Codex, Gemini CLI or any other MCP client reads and edits scenes, "
    "objects and components, reads the console and runs tests. It also has agents do tasks: one, "
    "or "
    "many that depend on each other.";

/* Adds words of text, broken at WIDTH; further lines are indented, the first one stands at column
 * `at` already. */
static void put_wrapped(struct buf *out, struct str text, size_t at, size_t indent)
{
    struct str word;
    bool more = true, first = true;
    while (more) {
        more = str_cut(&text, ' ', &word);
        if (!first && at + 1 + word.n > WIDTH) {
            buf_printf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            buf_add_char(out, ' ');
            at++;
        }
        buf_add(out, word);
        at += word.n;
        first = false;
    }
    buf_add_char(out, '\n');
}

static void put_about(struct buf *out, const char *about)
{
    struct str rest = str_from(about);
    while (rest.n) {
        size_t end = str_find(rest, STR("\n\n"));
        buf_add_char(out, '\n');
        put_wrapped(out, str_head(rest, end), 0, 0);
        rest = str_skip(rest, end + 2);
    }
}

/* A name in a column of its own, then what it is. */
static void put_entry(struct buf *out, struct str name, size_t column, const char *what)
{
    buf_printf(out, "%*s%.*s", (int)INDENT, "", STR_ARG(name));
    size_t at = INDENT + name.n;
    if (at + 2 > column) {
        buf_add_char(out, '\n');
        at = 0;
    }
    buf_printf(out, "%*s", (int)(column - at), "");
    put_wrapped(out, str_from(what), column, column);
}

/* "-p, --port N" */
static void put_option_name(struct buf *out, const struct options_row *row)
{
    if (row->letter)
        buf_printf(out, "-%c, ", row->letter);
    else
        buf_add(out, STR("    "));
    buf_printf(out, "--%s", row->name);
    if (row->value)
        buf_printf(out, " %s", row->value);
}

static void put_options(struct buf *out, const struct options_row *row)
{
    static const struct options_row help_row = {"help", 'h', OPTIONS_FLAG, NULL, "this text",
                                                0,      0,   NULL};
    struct buf name = {0};
    size_t widest = 0;
    for (const struct options_row *r = row; r->name; r++) {
        buf_clear(&name);
        put_option_name(&name, r);
        widest = name.n > widest ? name.n : widest;
    }
    if (widest < 10)
        widest = 10;
    buf_add(out, STR("\nOptions:\n"));
    for (const struct options_row *r = row;; r = r->name ? r + 1 : r) {
        const struct options_row *shown = r->name ? r : &help_row;
        buf_clear(&name);
        put_option_name(&name, shown);
        put_entry(out, buf_str(&name), INDENT + widest + 2, shown->help);
        if (!r->name)
            break;
    }
    buf_done(&name);
}

static void put_exit_codes(struct buf *out)
{
    buf_add(out, STR("\nExit codes: 0 fine, 1 it failed, 2 wrong use or wrong configuration, "
                     "130 Ctrl-C\n"));
}

static void put_actions(struct buf *out, const struct command_action *first)
{
    struct buf name = {0};
    size_t widest = 0;
    for (const struct command_action *a = first; a->name; a++) {
        size_t n = strlen(a->name) + strlen(a->args) + 1;
        widest = n > widest ? n : widest;
    }
    buf_add(out, STR("\nActions:\n"));
    for (const struct command_action *a = first; a->name; a++) {
        buf_clear(&name);
        buf_printf(&name, "%s%s%s", a->name, a->args[0] ? " " : "", a->args);
        put_entry(out, buf_str(&name), INDENT + widest + 2, a->summary);
    }
    buf_done(&name);
}

void help_put_command(const struct command *c, struct buf *out)
{
    struct buf usage = {0};
    buf_printf(&usage, "usage: multiverse %s%s%s%s", c->name, c->options->name ? " [OPTIONS]" : "",
               c->args[0] ? " " : "", c->args);
    put_wrapped(out, buf_str(&usage), 0, 10);
    buf_done(&usage);
    put_about(out, c->about);
    if (c->actions)
        put_actions(out, c->actions);
    put_options(out, c->options);
    if (c->examples->line)
        buf_add(out, STR("\nExamples:\n"));
    for (const struct command_example *e = c->examples; e->line; e++)
        buf_printf(out, "  %s\n      %s\n", e->line, e->what);
    put_exit_codes(out);
}

void help_put_program(struct buf *out)
{
    buf_add(out, STR("usage: multiverse COMMAND [OPTIONS] [ARGUMENTS]\n"));
    put_about(out, help_about);
    buf_add(out, STR("\nCommands:\n"));
    for (size_t i = 0; i < command_count; i++)
        put_entry(out, str_from(commands[i].name), 15, commands[i].summary);
    buf_add(out, STR("\nOptions:\n"));
    put_entry(out, STR("-h, --help"), 17, "this text; after a command: its own help");
    put_entry(out, STR("-V, --version"), 17, "the version");
    buf_add(out, STR("\nBegin with:\n"
                     "  multiverse serve           start the server in a Unity project\n"
                     "  multiverse call get_editor_state\n"
                     "  multiverse help serve      more about a command\n"));
    put_exit_codes(out);
}
