#include "cli/help.h"

#include "app/config.h"
#include "base/buf.h"

#define WIDTH  80u
#define INDENT 2u

const char help_about[] =
    "Multiverse lets AI agents work in Unity projects, with Unity or without it: an MCP server "
    "through which Claude Code, Codex, Gemini CLI or any other MCP client reads and edits scenes, "
    "objects and components, reads the console and runs tests. It can also let agents do tasks: "
    "one, or many that depend on each other.";

/* Add the words of text, wrapped at WIDTH. The first line begins at column `at`, the others are
 * indented. */
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

/* A name, then its description in a column of its own. */
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
    static const struct options_row help_row = {"help", 'h', OPTIONS_FLAG, NULL, "show this help",
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
    buf_add(out, STR("\nExit codes: 0 success, 1 failure, 2 wrong arguments or configuration, "
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
    put_entry(out, STR("-h, --help"), 17, "this help; after a command: its help");
    put_entry(out, STR("-V, --version"), 17, "print the version");
    buf_add(out, STR("\nStart with:\n"
                     "  multiverse serve           start the server in a Unity project\n"
                     "  multiverse call get_editor_state\n"
                     "  multiverse help serve      read more about a command\n"));
    put_exit_codes(out);
}

/* ---- the manual page */

/* Escape text for roff, also a point or a quote at the start of a line. */
static void put_roff_text(struct buf *out, struct str text)
{
    if (text.n && (text.p[0] == '.' || text.p[0] == '\''))
        buf_add(out, STR("\\&"));
    for (size_t i = 0; i < text.n; i++)
        switch (text.p[i]) {
        case '\\':
            buf_add(out, STR("\\e"));
            break;
        case '-':
            buf_add(out, STR("\\-"));
            break;
        case '\'':
            buf_add(out, STR("\\(aq"));
            break;
        case '`':
            buf_add(out, STR("\\(ga"));
            break;
        case '^':
            buf_add(out, STR("\\(ha"));
            break;
        case '~':
            buf_add(out, STR("\\(ti"));
            break;
        case '"': /* it would end the argument of a macro */
            buf_add(out, STR("\\(dq"));
            break;
        default:
            buf_add_char(out, text.p[i]);
        }
}

static void put_roff_line(struct buf *out, const char *macro, const char *text)
{
    buf_add(out, str_from(macro));
    put_roff_text(out, str_from(text));
    buf_add_char(out, '\n');
}

static void put_roff_about(struct buf *out, const char *about)
{
    for (struct str rest = str_from(about); rest.n;) {
        size_t end = str_find(rest, STR("\n\n"));
        buf_add(out, STR(".PP\n"));
        put_roff_text(out, str_head(rest, end));
        buf_add_char(out, '\n');
        rest = str_skip(rest, end + 2);
    }
}

static void put_roff_option(struct buf *out, const struct options_row *row)
{
    buf_add(out, STR(".TP\n"));
    if (row->letter)
        buf_printf(out, "\\fB\\-%c\\fR, ", row->letter);
    buf_add(out, STR("\\fB\\-\\-"));
    put_roff_text(out, str_from(row->name));
    buf_add(out, STR("\\fR"));
    if (row->value)
        buf_printf(out, " \\fI%s\\fR", row->value);
    buf_add_char(out, '\n');
    put_roff_line(out, "", row->help);
}

static void put_roff_command(struct buf *out, const struct command *c)
{
    buf_printf(out, ".SS multiverse %s\n.B multiverse %s\n", c->name, c->name);
    if (c->options->name)
        put_roff_line(out, "", "[OPTIONS]");
    if (c->args[0])
        put_roff_line(out, "", c->args);
    put_roff_about(out, c->about);
    for (const struct command_action *a = c->actions; a && a->name; a++) {
        buf_printf(out, ".TP\n\\fB%s\\fR ", a->name);
        put_roff_line(out, "", a->args);
        put_roff_line(out, "", a->summary);
    }
    for (const struct options_row *row = c->options; row->name; row++)
        put_roff_option(out, row);
    for (const struct command_example *e = c->examples; e->line; e++) {
        put_roff_line(out, ".TP\n.B ", e->line);
        put_roff_line(out, "", e->what);
    }
}

static void put_roff_settings(struct buf *out)
{
    buf_add(out, STR(".SH CONFIGURATION\n.I multiverse.json\nin the working directory, or the file "
                     "of\n.BR \\-\\-config ,\nis one JSON object. It is optional; its\n.B "
                     "schema_version\nmust be 1. Options override the file, the file overrides the "
                     "defaults. An unknown key is a warning, an invalid value is an error. "
                     "Relative paths start at the folder of the file.\n"));
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++) {
        struct buf text = {0};
        put_roff_line(out, ".TP\n.B ", config_name(k));
        buf_printf(&text, "%s: ", config_what(k));
        config_put_range(k, &text);
        size_t n = text.n;
        buf_add(&text, STR(", by default "));
        size_t with = text.n;
        config_put_default(k, &text);
        put_roff_text(out, str_head(buf_str(&text), text.n > with ? text.n : n));
        buf_add(out, STR(".\n"));
        buf_done(&text);
    }
}

void help_put_man(struct buf *out)
{
    buf_add(out, STR(".TH MULTIVERSE 1 \"\" \"multiverse " MULTIVERSE_VERSION
                     "\" \"User Commands\"\n.SH NAME\nmultiverse \\- AI agents in Unity "
                     "projects\n.SH SYNOPSIS\n.B multiverse\n.I COMMAND\n[OPTIONS] [ARGUMENTS]\n"
                     ".SH DESCRIPTION\n"));
    put_roff_line(out, "", help_about);
    buf_add(out, STR(".SH COMMANDS\n"));
    for (size_t i = 0; i < command_count; i++)
        put_roff_command(out, &commands[i]);
    put_roff_settings(out);
    buf_add(out, STR(".SH EXIT STATUS\n"
                     ".TP\n.B 0\nsuccess\n"
                     ".TP\n.B 1\nfailure\n"
                     ".TP\n.B 2\nwrong arguments or configuration; nothing was tried\n"
                     ".TP\n.B 130\nstopped with Ctrl\\-C\n"
                     ".SH ENVIRONMENT\n"
                     ".TP\n.B MULTIVERSE_HOME\na folder instead of\n.I \\(ti/.multiverse\n"
                     ".TP\n.B MULTIVERSE_STORE\nthe store, if there is no\n.BR \\-\\-store :\n"
                     "use it for a URL with a password\n"
                     ".TP\n.B NO_COLOR\nno colours on a terminal if it is set\n"
                     ".SH FILES\n"
                     ".TP\n.I ./multiverse.json\nthe settings\n"
                     ".TP\n.I \\(ti/.multiverse/config/tooling.json\nwhich agent does what\n"
                     ".TP\n.I \\(ti/.multiverse/tasks.db\nthe tasks, their attempts and logs\n"
                     ".TP\n.I \\(ti/.multiverse/state.db\ncooldowns and decisions\n"));
}
