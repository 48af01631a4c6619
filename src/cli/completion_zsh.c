#include "cli/command.h"
#include "cli/completion.h"
#include "cli/config.h"

/* Text inside single quotes of the shell and inside a part of a specification, where ":" and
 * brackets mean something. */
static void put_text(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '\'')
            buf_add(out, STR("'\\''"));
        else if (c == ':' || c == '[' || c == ']' || c == '\\')
            buf_printf(out, "\\%c", c);
        else
            buf_add_char(out, c == '\n' ? ' ' : c);
    }
}

/* '(-p --port)'{-p+,--port=}'[what it is]:N: ' */
static void put_option(struct buf *out, const struct options_row *row)
{
    static const char *const actions[] = {
        [OPTIONS_FLAG] = "",       [OPTIONS_TEXT] = " ",
        [OPTIONS_FILE] = "_files", [OPTIONS_FOLDER] = "_files -/",
        [OPTIONS_NUMBER] = " ",    [OPTIONS_CHOICE] = "",
        [OPTIONS_MANY] = " ",
    };
    bool is_flag = row->kind == OPTIONS_FLAG;
    buf_add(out, STR(" \\\n            "));
    if (row->kind == OPTIONS_MANY)
        buf_printf(out, "'*--%s=[", row->name);
    else if (row->letter)
        buf_printf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter,
                   is_flag ? "" : "+", row->name, is_flag ? "" : "=");
    else
        buf_printf(out, "'--%s%s[", row->name, is_flag ? "" : "=");
    put_text(out, str_from(row->help));
    buf_add_char(out, ']');
    if (!is_flag)
        buf_printf(out, ":%s:%s", row->value, actions[row->kind]);
    if (row->kind == OPTIONS_CHOICE) {
        buf_add_char(out, '(');
        for (const char *const *c = row->choices; *c; c++)
            buf_printf(out, "%s%s", c == row->choices ? "" : " ", *c);
        buf_add_char(out, ')');
    }
    buf_add_char(out, '\'');
}

static void put_described(struct buf *out, const char *name, const char *what)
{
    buf_printf(out, "        '%s:", name);
    put_text(out, str_from(what));
    buf_add(out, STR("'\n"));
}

static void put_lists(struct buf *out, const struct catalog *catalog)
{
    buf_add(out, STR("    local -a commands=(\n"));
    for (size_t i = 0; i < command_count; i++)
        put_described(out, commands[i].name, commands[i].summary);
    buf_add(out, STR("    )\n    local -a settings=(\n"));
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++)
        put_described(out, config_name(k), config_what(k));
    buf_add(out, STR("    )\n    local -a tools=(\n"));
    for (size_t i = 0; i < catalog_count(catalog); i++)
        put_described(out, catalog_at(catalog, i)->name, catalog_at(catalog, i)->title);
    buf_add(out, STR("    )\n"));
}

/* What stands behind the options of a command. */
static const char *arguments_of(const struct command *c)
{
    static const struct {
        const char *name, *text;
    } rows[] = {
        {"call", " \\\n            '1:tool:->tool' '*:argument:->pair'"},
        {"completion", " \\\n            '1:shell:(bash zsh fish)'"},
        {"config",
         " \\\n            '1:action:(list get set unset)' '2:setting:->setting' '3:value: '"},
        {"help", " \\\n            '1:command:->command'"},
        {"project", " \\\n            '1:action:(check)' '2:folder:_files -/'"},
        {"run", " \\\n            '1:task:_files'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(str_from(c->name), str_from(rows[i].name)))
            return rows[i].text;
    return "";
}

static void put_actions(struct buf *out, const struct command *c)
{
    buf_add(out, STR(" \\\n            '1:action:("));
    for (const struct command_action *a = c->actions; a->name; a++)
        buf_printf(out, "%s%s", a == c->actions ? "" : " ", a->name);
    buf_add(out, STR(")' '*:argument:_files'"));
}

static void put_pairs(struct buf *out, const struct catalog *catalog)
{
    buf_add(out, STR("    pair)\n        case $line[1] in\n"));
    for (size_t i = 0; i < catalog_count(catalog); i++) {
        const struct tool *tool = catalog_at(catalog, i);
        buf_printf(out, "        %s) compadd -S '' --", tool->name);
        JSON_EACH (json_get(tool->input, STR("properties")), k)
            buf_printf(out, " %.*s=", STR_ARG(json_str(k)));
        buf_add(out, STR(" ;;\n"));
    }
    buf_add(out, STR("        esac\n        ;;\n"));
}

void completion_put_zsh(struct buf *out, const struct catalog *catalog)
{
    buf_add(out, STR("#compdef multiverse\n"
                     "# Completion of multiverse for zsh: multiverse completion zsh\n"
                     "_multiverse() {\n"
                     "    local context state state_descr\n"
                     "    local -a line\n"
                     "    typeset -A opt_args\n"));
    put_lists(out, catalog);
    buf_add(out, STR("    _arguments -C \\\n"
                     "        '(-h --help)'{-h,--help}'[help]' \\\n"
                     "        '(-V --version)'{-V,--version}'[the version]' \\\n"
                     "        '1:command:->command' '*::argument:->argument'\n"
                     "    if [[ $state == argument ]]; then\n"
                     "        case $words[1] in\n"));
    for (size_t i = 0; i < command_count; i++) {
        buf_printf(out, "        %s)\n            _arguments -C '(-h --help)'{-h,--help}'[help]'",
                   commands[i].name);
        for (const struct options_row *row = commands[i].options; row->name; row++)
            put_option(out, row);
        if (commands[i].actions)
            put_actions(out, &commands[i]);
        buf_printf(out, "%s\n            ;;\n", arguments_of(&commands[i]));
    }
    buf_add(out, STR("        esac\n    fi\n    case $state in\n"
                     "    command) _describe command commands ;;\n"
                     "    setting) _describe setting settings ;;\n"
                     "    tool) _describe tool tools ;;\n"));
    put_pairs(out, catalog);
    buf_add(out, STR("    esac\n}\n"
                     "if [[ $funcstack[1] == _multiverse ]]; then\n"
                     "    _multiverse \"$@\"\n"
                     "else\n"
                     "    compdef _multiverse multiverse\n"
                     "fi\n"));
}
