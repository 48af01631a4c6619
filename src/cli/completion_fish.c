#include "cli/command.h"
#include "cli/completion.h"
#include "cli/config.h"

/* In single quotes fish knows \' and \\ only. */
static void put_quoted(struct buf *out, struct str text)
{
    buf_add_char(out, '\'');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\'' || text.p[i] == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, text.p[i] == '\n' ? ' ' : text.p[i]);
    }
    buf_add_char(out, '\'');
}

static void put_option(struct buf *out, const struct command *c, const struct options_row *row)
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
    put_quoted(out, str_from(row->help));
    buf_add_char(out, '\n');
}

static void put_choice(struct buf *out, const char *when, struct str word, const char *what)
{
    buf_printf(out, "complete -c multiverse -n '%s' -a %.*s -d ", when, STR_ARG(word));
    put_quoted(out, str_from(what));
    buf_add_char(out, '\n');
}

/* As long as none of them was named. */
static void put_actions(struct buf *out, const struct command *c)
{
    struct buf when = {0};
    if (!c->actions)
        return;
    buf_printf(&when, "__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from",
               c->name);
    for (const struct command_action *a = c->actions; a->name; a++)
        buf_printf(&when, " %s", a->name);
    for (const struct command_action *a = c->actions; a->name; a++)
        put_choice(out, when.p, str_from(a->name), a->summary);
    buf_done(&when);
}

static void put_tools(struct buf *out, const struct catalog *catalog)
{
    struct buf when = {0};
    buf_add(&when, STR("__fish_seen_subcommand_from call; and not __fish_seen_subcommand_from"));
    for (size_t i = 0; i < catalog_count(catalog); i++)
        buf_printf(&when, " %s", catalog_at(catalog, i)->name);
    for (size_t i = 0; i < catalog_count(catalog); i++) {
        const struct tool *tool = catalog_at(catalog, i);
        put_choice(out, when.p, str_from(tool->name), tool->title);
    }
    for (size_t i = 0; i < catalog_count(catalog); i++) {
        const struct tool *tool = catalog_at(catalog, i);
        buf_clear(&when);
        buf_printf(&when, "__fish_seen_subcommand_from call; and __fish_seen_subcommand_from %s",
                   tool->name);
        JSON_EACH (json_get(tool->input, STR("properties")), k) {
            struct buf word = {0};
            buf_printf(&word, "%.*s=", STR_ARG(json_str(k)));
            put_choice(out, when.p, buf_str(&word), "argument");
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
        put_choice(out, "__fish_use_subcommand", str_from(commands[i].name), commands[i].summary);
    for (size_t i = 0; i < command_count; i++)
        for (const struct options_row *row = commands[i].options; row->name; row++)
            put_option(out, &commands[i], row);
    for (size_t i = 0; i < command_count; i++)
        put_choice(out, "__fish_seen_subcommand_from help", str_from(commands[i].name),
                   commands[i].summary);
    for (size_t i = 0; i < command_count; i++)
        put_actions(out, &commands[i]);
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
        put_choice(out,
                   "__fish_seen_subcommand_from config; and not __fish_seen_subcommand_from list "
                   "get set unset",
                   str_from(verbs[i][0]), verbs[i][1]);
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++)
        put_choice(out,
                   "__fish_seen_subcommand_from config; and __fish_seen_subcommand_from get set "
                   "unset",
                   str_from(config_name(k)), config_what(k));
    put_tools(out, catalog);
}
