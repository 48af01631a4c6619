#include "cli/completion.h"

#include "app/config.h"
#include "cli/command.h"

/* ---- bash */

/* "-p|--port" for every row of a command that passes, or "". */
static size_t put_bash_patterns(struct buf *out, const struct options_row *row,
                                bool (*passes)(const struct options_row *))
{
    size_t count = 0;
    for (; row->name; row++) {
        if (!passes(row))
            continue;
        buf_add(out, count++ ? STR("|") : STR(""));
        if (row->letter)
            buf_printf(out, "-%c|", row->letter);
        buf_printf(out, "--%s", row->name);
    }
    return count;
}

static bool takes_value(const struct options_row *row)
{
    return row->kind != OPTIONS_FLAG;
}

static bool takes_file(const struct options_row *row)
{
    return row->kind == OPTIONS_FILE;
}

static bool takes_folder(const struct options_row *row)
{
    return row->kind == OPTIONS_FOLDER;
}

/* "        PATTERNS) DO ;;", or nothing if there is no pattern. */
static void put_bash_case(struct buf *out, const struct options_row *rows,
                          bool (*passes)(const struct options_row *), const char *act)
{
    struct buf patterns = {0};
    if (put_bash_patterns(&patterns, rows, passes))
        buf_printf(out, "        %s) %s ;;\n", patterns.p, act);
    buf_done(&patterns);
}

static void put_bash_choices(struct buf *out, const struct options_row *row)
{
    for (; row->name; row++) {
        if (row->kind != OPTIONS_CHOICE)
            continue;
        buf_printf(out, "        --%s) words='", row->name);
        for (const char *const *c = row->choices; *c; c++)
            buf_printf(out, "%s%s", c == row->choices ? "" : " ", *c);
        buf_add(out, STR("' ;;\n"));
    }
}

static void put_bash_keys(struct buf *out)
{
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++)
        buf_printf(out, "%s%s", k ? " " : "", config_name(k));
}

static void put_bash_commands(struct buf *out)
{
    for (size_t i = 0; i < command_count; i++)
        buf_printf(out, "%s%s", i ? " " : "", commands[i].name);
}

static void put_bash_actions(struct buf *out, const struct command *c)
{
    if (!c->actions)
        return;
    buf_printf(out, "            %s,0,*) words='", c->name);
    for (const struct command_action *a = c->actions; a->name; a++)
        buf_printf(out, "%s%s", a == c->actions ? "" : " ", a->name);
    buf_add(out, STR("' ;;\n"));
}

static void put_bash_tools(struct buf *out, const struct catalog *catalog)
{
    for (size_t i = 0; i < catalog_count(catalog); i++)
        buf_printf(out, "%s%s", i ? " " : "", catalog_at(catalog, i)->name);
}

/* The options of a command and their values. */
static void put_bash_command(struct buf *out, const struct command *c)
{
    buf_printf(out, "    %s)\n        options='", c->name);
    for (const struct options_row *row = c->options; row->name; row++)
        buf_printf(out, "--%s ", row->name);
    buf_add(out, STR("--help'\n        case $prev in\n"));
    put_bash_choices(out, c->options);
    put_bash_case(out, c->options, takes_file, "kind=file");
    put_bash_case(out, c->options, takes_folder, "kind=folder");
    put_bash_case(out, c->options, takes_value, "kind=nothing");
    buf_add(out, STR("        esac\n        valued='"));
    struct buf patterns = {0};
    put_bash_patterns(&patterns, c->options, takes_value);
    buf_printf(out, "|%s|'\n        ;;\n", patterns.n ? patterns.p : "");
    buf_done(&patterns);
}

static void put_bash_tool_arguments(struct buf *out, const struct catalog *catalog)
{
    for (size_t i = 0; i < catalog_count(catalog); i++) {
        const struct tool *tool = catalog_at(catalog, i);
        buf_printf(out, "        %s) words='", tool->name);
        JSON_EACH (json_get(tool->input, STR("properties")), k)
            buf_printf(out, "%.*s= ", STR_ARG(json_str(k)));
        buf_add(out, STR("' ;;\n"));
    }
}

static const char bash_head[] =
    "# Completion of multiverse for bash: multiverse completion bash\n"
    "_multiverse() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command='' options='' words='' valued='' kind='' word i first=0\n"
    "    local -a args=()\n"
    "    COMPREPLY=()\n"
    "    # bash makes \"=\" and \"@\" words of their own: --port=1 is three of them.\n"
    "    if [[ $cur == '=' || $cur == '@' ]]; then\n"
    "        prev=$cur cur=''\n"
    "    fi\n"
    "    if [[ $prev == '=' && $COMP_CWORD -gt 2 ]]; then\n"
    "        i=$((COMP_CWORD - 2))\n"
    "        [[ ${COMP_WORDS[COMP_CWORD]} == '=' ]] && i=$((COMP_CWORD - 1))\n"
    "        prev=${COMP_WORDS[i]}\n"
    "        [[ $prev == --* ]] || return 0\n"
    "    fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        [[ ${COMP_WORDS[i]} == -* ]] && continue\n"
    "        command=${COMP_WORDS[i]} first=$((i + 1))\n"
    "        break\n"
    "    done\n"
    "    case $command in\n";

static const char bash_arguments[] =
    "    esac\n"
    "    if [[ -z $words && -z $kind ]]; then\n"
    "        for ((i = first; i < COMP_CWORD; i++)); do\n"
    "            word=${COMP_WORDS[i]}\n"
    "            if [[ -n $word && $valued == *\"|$word|\"* ]]; then\n"
    "                ((i++))\n"
    "                [[ ${COMP_WORDS[i]} == '=' ]] && ((i++))\n"
    "            elif [[ $word != -?* ]]; then\n"
    "                args+=(\"$word\")\n"
    "            fi\n"
    "        done\n"
    "        if [[ $prev == '@' ]]; then\n"
    "            kind=file\n"
    "        elif [[ $cur == -* ]]; then\n"
    "            words=$options\n"
    "        else\n"
    "            case $command,${#args[@]},${args[0]-} in\n";

static const char bash_tail[] =
    "    case $kind in\n"
    "    file) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n"
    "    folder) mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;\n"
    "    nothing) ;;\n"
    "    *) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\") ;;\n"
    "    esac\n"
    "    [[ $kind == file || $kind == folder ]] && compopt -o filenames 2>/dev/null\n"
    "    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null\n"
    "    return 0\n"
    "}\n"
    "complete -F _multiverse multiverse\n";

void completion_put_bash(struct buf *out, const struct catalog *catalog)
{
    buf_add(out, str_from(bash_head));
    buf_add(out, STR("    '') options='--help --version' words='"));
    put_bash_commands(out);
    buf_add(out, STR("'\n        [[ $cur == -* ]] && words=$options ;;\n"));
    for (size_t i = 0; i < command_count; i++)
        put_bash_command(out, &commands[i]);
    buf_add(out, str_from(bash_arguments));
    buf_add(out, STR("            call,0,*) words='"));
    put_bash_tools(out, catalog);
    buf_add(out, STR("' ;;\n            call,*) kind=arguments ;;\n"
                     "            help,0,*) words='"));
    put_bash_commands(out);
    buf_add(out, STR("' ;;\n"));
    for (size_t i = 0; i < command_count; i++)
        put_bash_actions(out, &commands[i]);
    buf_add(out, STR("            completion,0,*) words='bash zsh fish' ;;\n"
                     "            run,0,*) kind=file ;;\n"
                     "            task,[1-9]*,add) kind=file ;;\n"
                     "            tooling,1,select | tooling,1,simulate) words='meta plan task "
                     "execution worker' ;;\n"
                     "            tooling,1,validate | tooling,1,classify) kind=file ;;\n"
                     "            tooling,1,cooldowns) words=clear ;;\n"
                     "            tooling,1,force) words='on off codex-cli claude-code gemini-cli "
                     "cursor-cli openai-chat mock' ;;\n"
                     "            project,0,*) words=check ;;\n"
                     "            project,1,*) kind=folder ;;\n"
                     "            config,0,*) words='list get set unset' ;;\n"
                     "            config,1,get | config,1,set | config,1,unset) words='"));
    put_bash_keys(out);
    buf_add(out, STR("' ;;\n            config,2,set)\n                case ${args[1]} in\n"
                     "                log_format) words='text json' ;;\n"
                     "                log_level) words='debug info warn error' ;;\n"
                     "                token_file) kind=file ;;\n"
                     "                project_path) kind=folder ;;\n"
                     "                esac\n                ;;\n"
                     "            esac\n        fi\n    fi\n"
                     "    if [[ $kind == arguments ]]; then\n        case ${args[0]} in\n"));
    put_bash_tool_arguments(out, catalog);
    buf_add(out, STR("        esac\n    fi\n"));
    buf_add(out, str_from(bash_tail));
}

/* ---- fish */

/* In single quotes, fish knows only the escapes \' and \\. */
static void put_fish_quoted(struct buf *out, struct str text)
{
    buf_add_char(out, '\'');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\'' || text.p[i] == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, text.p[i] == '\n' ? ' ' : text.p[i]);
    }
    buf_add_char(out, '\'');
}

static void put_fish_option(struct buf *out, const struct command *c, const struct options_row *row)
{
    static const char *const kinds[] = {
        [OPTIONS_FLAG] = "",      [OPTIONS_TEXT] = " -x",   [OPTIONS_FILE] = " -r -F",
        [OPTIONS_MANY] = " -x",   [OPTIONS_FOLDER] = " -x", [OPTIONS_NUMBER] = " -x",
        [OPTIONS_CHOICE] = " -x",
    };
    buf_printf(out, "complete -c multiverse -n '__fish_seen_subcommand_from %s' -l %s", c->name,
               row->name);
    if (row->letter)
        buf_printf(out, " -s %c", row->letter);
    buf_add(out, str_from(kinds[row->kind]));
    if (row->kind == OPTIONS_FOLDER)
        buf_add(out, STR(" -a '(__fish_complete_directories)'"));
    if (row->kind == OPTIONS_CHOICE) {
        buf_add(out, STR(" -a '"));
        for (const char *const *choice = row->choices; *choice; choice++)
            buf_printf(out, "%s%s", choice == row->choices ? "" : " ", *choice);
        buf_add_char(out, '\'');
    }
    buf_add(out, STR(" -d "));
    put_fish_quoted(out, str_from(row->help));
    buf_add_char(out, '\n');
}

static void put_fish_choice(struct buf *out, const char *when, struct str word, const char *what)
{
    buf_printf(out, "complete -c multiverse -n '%s' -a %.*s -d ", when, STR_ARG(word));
    put_fish_quoted(out, str_from(what));
    buf_add_char(out, '\n');
}

/* As long as none of them was named. */
static void put_fish_actions(struct buf *out, const struct command *c)
{
    struct buf when = {0};
    if (!c->actions)
        return;
    buf_printf(&when, "__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from",
               c->name);
    for (const struct command_action *a = c->actions; a->name; a++)
        buf_printf(&when, " %s", a->name);
    for (const struct command_action *a = c->actions; a->name; a++)
        put_fish_choice(out, when.p, str_from(a->name), a->summary);
    buf_done(&when);
}

static void put_fish_tools(struct buf *out, const struct catalog *catalog)
{
    struct buf when = {0};
    buf_add(&when, STR("__fish_seen_subcommand_from call; and not __fish_seen_subcommand_from"));
    for (size_t i = 0; i < catalog_count(catalog); i++)
        buf_printf(&when, " %s", catalog_at(catalog, i)->name);
    for (size_t i = 0; i < catalog_count(catalog); i++) {
        const struct tool *tool = catalog_at(catalog, i);
        put_fish_choice(out, when.p, str_from(tool->name), tool->title);
    }
    for (size_t i = 0; i < catalog_count(catalog); i++) {
        const struct tool *tool = catalog_at(catalog, i);
        buf_clear(&when);
        buf_printf(&when, "__fish_seen_subcommand_from call; and __fish_seen_subcommand_from %s",
                   tool->name);
        JSON_EACH (json_get(tool->input, STR("properties")), k) {
            struct buf word = {0};
            buf_printf(&word, "%.*s=", STR_ARG(json_str(k)));
            put_fish_choice(out, when.p, buf_str(&word), "argument");
            buf_done(&word);
        }
    }
    buf_done(&when);
}

void completion_put_fish(struct buf *out, const struct catalog *catalog)
{
    static const char *const verbs[][2] = {{"list", "show all settings"},
                                           {"get", "show one"},
                                           {"set", "change one"},
                                           {"unset", "back to the default"}};
    buf_add(out, STR("# Completion of multiverse for fish: multiverse completion fish\n"
                     "complete -c multiverse -f\n"
                     "complete -c multiverse -l help -s h -d 'help'\n"
                     "complete -c multiverse -n __fish_use_subcommand -l version -s V -d 'the "
                     "version'\n"));
    for (size_t i = 0; i < command_count; i++)
        put_fish_choice(out, "__fish_use_subcommand", str_from(commands[i].name),
                        commands[i].summary);
    for (size_t i = 0; i < command_count; i++)
        for (const struct options_row *row = commands[i].options; row->name; row++)
            put_fish_option(out, &commands[i], row);
    for (size_t i = 0; i < command_count; i++)
        put_fish_choice(out, "__fish_seen_subcommand_from help", str_from(commands[i].name),
                        commands[i].summary);
    for (size_t i = 0; i < command_count; i++)
        put_fish_actions(out, &commands[i]);
    buf_add(out, STR("complete -c multiverse -n '__fish_seen_subcommand_from completion' -a "
                     "'bash zsh fish'\n"));
    buf_add(out, STR("complete -c multiverse -n '__fish_seen_subcommand_from run' -F\n"
                     "complete -c multiverse -n '__fish_seen_subcommand_from task; and "
                     "__fish_seen_subcommand_from add' -F\n"));
    buf_add(out, STR("complete -c multiverse -n '__fish_seen_subcommand_from project; and not "
                     "__fish_seen_subcommand_from check' -a check\n"
                     "complete -c multiverse -n '__fish_seen_subcommand_from project; and "
                     "__fish_seen_subcommand_from check' -a '(__fish_complete_directories)'\n"));
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        put_fish_choice(
            out,
            "__fish_seen_subcommand_from config; and not __fish_seen_subcommand_from list "
            "get set unset",
            str_from(verbs[i][0]), verbs[i][1]);
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++)
        put_fish_choice(
            out,
            "__fish_seen_subcommand_from config; and __fish_seen_subcommand_from get set "
            "unset",
            str_from(config_name(k)), config_what(k));
    put_fish_tools(out, catalog);
}

/* ---- zsh */

/* Text in single quotes and in a part of a specification, where ":" and brackets have a meaning. */
static void put_zsh_text(struct buf *out, struct str text)
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

/* '(-p --port)'{-p+,--port=}'[description]:N: ' */
static void put_zsh_option(struct buf *out, const struct options_row *row)
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
    put_zsh_text(out, str_from(row->help));
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

static void put_zsh_described(struct buf *out, const char *name, const char *what)
{
    buf_printf(out, "        '%s:", name);
    put_zsh_text(out, str_from(what));
    buf_add(out, STR("'\n"));
}

static void put_zsh_lists(struct buf *out, const struct catalog *catalog)
{
    buf_add(out, STR("    local -a commands=(\n"));
    for (size_t i = 0; i < command_count; i++)
        put_zsh_described(out, commands[i].name, commands[i].summary);
    buf_add(out, STR("    )\n    local -a settings=(\n"));
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++)
        put_zsh_described(out, config_name(k), config_what(k));
    buf_add(out, STR("    )\n    local -a tools=(\n"));
    for (size_t i = 0; i < catalog_count(catalog); i++)
        put_zsh_described(out, catalog_at(catalog, i)->name, catalog_at(catalog, i)->title);
    buf_add(out, STR("    )\n"));
}

/* The arguments after the options of a command. */
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

static void put_zsh_actions(struct buf *out, const struct command *c)
{
    buf_add(out, STR(" \\\n            '1:action:("));
    for (const struct command_action *a = c->actions; a->name; a++)
        buf_printf(out, "%s%s", a == c->actions ? "" : " ", a->name);
    buf_add(out, STR(")' '*:argument:_files'"));
}

static void put_zsh_pairs(struct buf *out, const struct catalog *catalog)
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
    put_zsh_lists(out, catalog);
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
            put_zsh_option(out, row);
        if (commands[i].actions)
            put_zsh_actions(out, &commands[i]);
        buf_printf(out, "%s\n            ;;\n", arguments_of(&commands[i]));
    }
    buf_add(out, STR("        esac\n    fi\n    case $state in\n"
                     "    command) _describe command commands ;;\n"
                     "    setting) _describe setting settings ;;\n"
                     "    tool) _describe tool tools ;;\n"));
    put_zsh_pairs(out, catalog);
    buf_add(out, STR("    esac\n}\n"
                     "if [[ $funcstack[1] == _multiverse ]]; then\n"
                     "    _multiverse \"$@\"\n"
                     "else\n"
                     "    compdef _multiverse multiverse\n"
                     "fi\n"));
}
