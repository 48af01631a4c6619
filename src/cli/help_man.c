#include "base/buf.h"
#include "cli/config.h"
#include "cli/help.h"

/* Text for roff: its own characters escaped, a point or quote at the start of a line protected. */
static void put_text(struct buf *out, struct str text)
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
        case '"': /* in the argument of a macro it would end it */
            buf_add(out, STR("\\(dq"));
            break;
        default:
            buf_add_char(out, text.p[i]);
        }
}

static void put_line(struct buf *out, const char *macro, const char *text)
{
    buf_add(out, str_from(macro));
    put_text(out, str_from(text));
    buf_add_char(out, '\n');
}

static void put_about(struct buf *out, const char *about)
{
    for (struct str rest = str_from(about); rest.n;) {
        size_t end = str_find(rest, STR("\n\n"));
        buf_add(out, STR(".PP\n"));
        put_text(out, str_head(rest, end));
        buf_add_char(out, '\n');
        rest = str_skip(rest, end + 2);
    }
}

static void put_option(struct buf *out, const struct options_row *row)
{
    buf_add(out, STR(".TP\n"));
    if (row->letter)
        buf_printf(out, "\\fB\\-%c\\fR, ", row->letter);
    buf_add(out, STR("\\fB\\-\\-"));
    put_text(out, str_from(row->name));
    buf_add(out, STR("\\fR"));
    if (row->value)
        buf_printf(out, " \\fI%s\\fR", row->value);
    buf_add_char(out, '\n');
    put_line(out, "", row->help);
}

static void put_command(struct buf *out, const struct command *c)
{
    buf_printf(out, ".SS multiverse %s\n.B multiverse %s\n", c->name, c->name);
    if (c->options->name)
        put_line(out, "", "[OPTIONS]");
    if (c->args[0])
        put_line(out, "", c->args);
    put_about(out, c->about);
    for (const struct command_action *a = c->actions; a && a->name; a++) {
        buf_printf(out, ".TP\n\\fB%s\\fR ", a->name);
        put_line(out, "", a->args);
        put_line(out, "", a->summary);
    }
    for (const struct options_row *row = c->options; row->name; row++)
        put_option(out, row);
    for (const struct command_example *e = c->examples; e->line; e++) {
        put_line(out, ".TP\n.B ", e->line);
        put_line(out, "", e->what);
    }
}

static void put_settings(struct buf *out)
{
    buf_add(out, STR(".SH CONFIGURATION\n.I multiverse.json\nin the working directory, or the file "
                     "of\n.BR \\-\\-config ,\nis one JSON object. It is optional; its\n.B "
                     "schema_version\nmust be 1. Flags win over the file, the file over the "
                     "defaults. An unknown key is a warning, a bad value stops the program. "
                     "Relative paths start at the folder of the file.\n"));
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++) {
        struct buf text = {0};
        put_line(out, ".TP\n.B ", config_name(k));
        buf_printf(&text, "%s: ", config_what(k));
        config_put_range(k, &text);
        size_t n = text.n;
        buf_add(&text, STR(", by default "));
        size_t with = text.n;
        config_put_default(k, &text);
        put_text(out, str_head(buf_str(&text), text.n > with ? text.n : n));
        buf_add(out, STR(".\n"));
        buf_done(&text);
    }
}

void help_put_man(struct buf *out)
{
    buf_add(out, STR(".TH MULTIVERSE 1 \"\" \"multiverse " MULTIVERSE_VERSION
                     "\" \"User Commands\"\n.SH NAME\nmultiverse \\- AI agents at work in Unity "
                     "projects\n.SH SYNOPSIS\n.B multiverse\n.I COMMAND\n[OPTIONS] [ARGUMENTS]\n"
                     ".SH DESCRIPTION\n"));
    put_line(out, "", help_about);
    buf_add(out, STR(".SH COMMANDS\n"));
    for (size_t i = 0; i < command_count; i++)
        put_command(out, &commands[i]);
    put_settings(out);
    buf_add(out, STR(".SH EXIT STATUS\n"
                     ".TP\n.B 0\nfine\n"
                     ".TP\n.B 1\nit failed\n"
                     ".TP\n.B 2\nwrong use or wrong configuration; nothing was tried\n"
                     ".TP\n.B 130\nstopped with Ctrl\\-C\n"
                     ".SH ENVIRONMENT\n"
                     ".TP\n.B MULTIVERSE_HOME\na folder instead of\n.I \\(ti/.multiverse\n"
                     ".TP\n.B MULTIVERSE_STORE\nthe store, where there is no\n.BR \\-\\-store :\n"
                     "the place for a URL with a password\n"
                     ".TP\n.B NO_COLOR\nno colours on a terminal, if it is set\n"
                     ".SH FILES\n"
                     ".TP\n.I ./multiverse.json\nthe settings\n"
                     ".TP\n.I \\(ti/.multiverse/config/tooling.json\nwhich agent does what\n"
                     ".TP\n.I \\(ti/.multiverse/tasks.db\nthe tasks, their attempts and logs\n"
                     ".TP\n.I \\(ti/.multiverse/state.db\nwho rests, and decisions\n"));
}
