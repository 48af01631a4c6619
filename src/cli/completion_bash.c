#include "cli/command.h"
#include "cli/completion.h"
#include "cli/config.h"

/* "-p|--port" of all rows of a command that pass, or "" */
static size_t put_patterns(struct buf *out, const struct options_row *row,
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

/* "        PATTERNS) DO ;;" unless there is no pattern */
static void put_case(struct buf *out, const struct options_row *rows,
                     bool (*passes)(const struct options_row *), const char *act)
{
    struct buf patterns = {0};
    if (put_patterns(&patterns, rows, passes))
        buf_printf(out, "        %s) %s ;;\n", patterns.p, act);
    buf_done(&patterns);
}

static void put_choices(struct buf *out, const struct options_row *row)
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

static void put_keys(struct buf *out)
{
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++)
        buf_printf(out, "%s%s", k ? " " : "", config_name(k));
}

static void put_commands(struct buf *out)
{
    for (size_t i = 0; i < command_count; i++)
        buf_printf(out, "%s%s", i ? " " : "", commands[i].name);
}

static void put_actions(struct buf *out, const struct command *c)
{
    if (!c->actions)
        return;
    buf_printf(out, "            %s,0,*) words='", c->name);
    for (const struct command_action *a = c->actions; a->name; a++)
        buf_printf(out, "%s%s", a == c->actions ? "" : " ", a->name);
    buf_add(out, STR("' ;;\n"));
}

static void put_tools(struct buf *out, const struct catalog *catalog)
{
    for (size_t i = 0; i < catalog_count(catalog); i++)
        buf_printf(out, "%s%s", i ? " " : "", catalog_at(catalog, i)->name);
}

/* What a command's own options look like and take. */
static void put_command(struct buf *out, const struct command *c)
{
    buf_printf(out, "    %s)\n        options='", c->name);
    for (const struct options_row *row = c->options; row->name; row++)
        buf_printf(out, "--%s ", row->name);
    buf_add(out, STR("--help'\n        case $prev in\n"));
    put_choices(out, c->options);
    put_case(out, c->options, takes_file, "kind=file");
    put_case(out, c->options, takes_folder, "kind=folder");
    put_case(out, c->options, takes_value, "kind=nothing");
    buf_add(out, STR("        esac\n        valued='"));
    struct buf patterns = {0};
    put_patterns(&patterns, c->options, takes_value);
    buf_printf(out, "|%s|'\n        ;;\n", patterns.n ? patterns.p : "");
    buf_done(&patterns);
}

static void put_tool_arguments(struct buf *out, const struct catalog *catalog)
{
    for (size_t i = 0; i < catalog_count(catalog); i++) {
        const struct tool *tool = catalog_at(catalog, i);
        buf_printf(out, "        %s) words='", tool->name);
        JSON_EACH (json_get(tool->input, STR("properties")), k)
            buf_printf(out, "%.*s= ", STR_ARG(json_str(k)));
        buf_add(out, STR("' ;;\n"));
    }
}

static const char head[] =
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

static const char arguments[] = "    esac\n"
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

static const char tail[] =
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
    buf_add(out, str_from(head));
    buf_add(out, STR("    '') options='--help --version' words='"));
    put_commands(out);
    buf_add(out, STR("'\n        [[ $cur == -* ]] && words=$options ;;\n"));
    for (size_t i = 0; i < command_count; i++)
        put_command(out, &commands[i]);
    buf_add(out, str_from(arguments));
    buf_add(out, STR("            call,0,*) words='"));
    put_tools(out, catalog);
    buf_add(out, STR("' ;;\n            call,*) kind=arguments ;;\n"
                     "            help,0,*) words='"));
    put_commands(out);
    buf_add(out, STR("' ;;\n"));
    for (size_t i = 0; i < command_count; i++)
        put_actions(out, &commands[i]);
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
    put_keys(out);
    buf_add(out, STR("' ;;\n            config,2,set)\n                case ${args[1]} in\n"
                     "                log_format) words='text json' ;;\n"
                     "                log_level) words='debug info warn error' ;;\n"
                     "                token_file) kind=file ;;\n"
                     "                project_path) kind=folder ;;\n"
                     "                esac\n                ;;\n"
                     "            esac\n        fi\n    fi\n"
                     "    if [[ $kind == arguments ]]; then\n        case ${args[0]} in\n"));
    put_tool_arguments(out, catalog);
    buf_add(out, STR("        esac\n    fi\n"));
    buf_add(out, str_from(tail));
}
