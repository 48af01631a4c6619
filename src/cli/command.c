#include "cli/command.h"

#include "agent/chat.h"
#include "agent/doctor.h"
#include "agent/mock.h"
#include "base/buf.h"
#include "base/nearest.h"
#include "cli/help.h"
#include "cli/terminal.h"
#include "process/supervisor.h"

const struct command *command_find(struct str name)
{
    for (size_t i = 0; i < command_count; i++)
        if (str_eq(name, str_from(commands[i].name)))
            return &commands[i];
    return NULL;
}

int command_fail_unknown(const char *name)
{
    struct nearest near = nearest_make(str_from(name));
    for (size_t i = 0; i < command_count; i++)
        nearest_offer(&near, str_from(commands[i].name));
    if (near.best.n)
        terminal_print_error("unknown command %s: did you mean %.*s? (multiverse --help)", name,
                             STR_ARG(near.best));
    else
        terminal_print_error("unknown command %s: multiverse --help lists the commands", name);
    return COMMAND_USAGE;
}

static int print_text(void (*put)(struct buf *out))
{
    struct buf text = {0};
    put(&text);
    terminal_write(buf_str(&text));
    buf_done(&text);
    return COMMAND_FINE;
}

static int print_command_help(const struct command *c)
{
    struct buf text = {0};
    help_put_command(c, &text);
    terminal_write(buf_str(&text));
    buf_done(&text);
    return COMMAND_FINE;
}

static const struct command_action *find_action(const struct command *c, const char *name)
{
    struct nearest near = nearest_make(str_from(name));
    for (const struct command_action *a = c->actions; a->name; a++) {
        if (str_eq(str_from(name), str_from(a->name)))
            return a;
        nearest_offer(&near, str_from(a->name));
    }
    if (near.best.n)
        terminal_print_error("%s: unknown action %s: did you mean %.*s? (multiverse %s --help)",
                             c->name, name, STR_ARG(near.best), c->name);
    else
        terminal_print_error("%s: unknown action %s: multiverse %s --help lists the actions",
                             c->name, name, c->name);
    return NULL;
}

/* Is the word in a list of words that are separated by blanks? */
static bool has_word(const char *words, const char *word)
{
    struct str rest = str_from(words), one;
    bool more = true;
    while (more) {
        more = str_cut(&rest, ' ', &one);
        if (str_eq(one, str_from(word)))
            return true;
    }
    return false;
}

static int run_action(const struct command *c, struct options *o)
{
    const struct command_action *a = find_action(c, o->args[0]);
    if (!a)
        return COMMAND_USAGE;
    for (const struct options_row *row = c->options; row->name; row++)
        if (options_has(o, row->name) && !has_word(a->options, row->name)) {
            terminal_print_error("%s %s does not take --%s (multiverse %s --help)", c->name,
                                 a->name, row->name, c->name);
            return COMMAND_USAGE;
        }
    o->args++;
    o->arg_count--;
    if (o->arg_count < a->min_args) {
        terminal_print_error("%s %s needs an argument: multiverse %s %s %s", c->name, a->name,
                             c->name, a->name, a->args);
        return COMMAND_USAGE;
    }
    if (o->arg_count > a->max_args) {
        terminal_print_error("%s %s does not take the argument \"%s\": multiverse %s %s%s%s",
                             c->name, a->name, o->args[a->max_args], c->name, a->name,
                             a->args[0] ? " " : "", a->args);
        return COMMAND_USAGE;
    }
    return a->run(o);
}

static int run_command(const struct command *c, int argc, char **argv)
{
    struct options o;
    struct error err = {0};
    if (!options_parse(&o, c->options, argc, argv, &err)) {
        terminal_print_error("%s: %s (multiverse %s --help)", c->name, err.text, c->name);
        return COMMAND_USAGE;
    }
    if (o.help)
        return print_command_help(c);
    if (o.arg_count < c->min_args) {
        terminal_print_error("%s needs an argument: multiverse %s %s", c->name, c->name, c->args);
        return COMMAND_USAGE;
    }
    if (o.arg_count > c->max_args) {
        terminal_print_error("%s does not take the argument \"%s\": multiverse %s%s%s", c->name,
                             o.args[c->max_args], c->name, c->args[0] ? " " : " [OPTIONS]",
                             c->args);
        return COMMAND_USAGE;
    }
    return c->actions && (o.arg_count || !c->run) ? run_action(c, &o) : c->run(&o);
}

static int run_program(int argc, char **argv)
{
    if (argc < 2) {
        terminal_print_error("a command is missing: multiverse --help lists the commands");
        return COMMAND_USAGE;
    }
    struct str first = str_from(argv[1]);
    if (str_eq(first, STR("--help")) || str_eq(first, STR("-h")))
        return print_text(help_put_program);
    if (str_eq(first, STR("--version")) || str_eq(first, STR("-V")))
        return cmd_version(NULL);
    if (first.n && first.p[0] == '-') {
        terminal_print_error("unknown option %s before the command: multiverse --help lists both",
                             argv[1]);
        return COMMAND_USAGE;
    }
    /* For children that this program starts (agent/provider.h); not in the table. */
    if (str_eq(first, STR("agent-chat")))
        return chat_main();
    if (str_eq(first, STR("agent-doctor")))
        return doctor_main();
    if (str_eq(first, STR("agent-mock")))
        return mock_main();
    if (str_eq(first, STR(SUPERVISOR_COMMAND)))
        return supervisor_main(argv + 2);
    const struct command *c = command_find(first);
    return c ? run_command(c, argc - 2, argv + 2) : command_fail_unknown(argv[1]);
}

int command_main(int argc, char **argv)
{
    struct error err = {0};
    int code = run_program(argc, argv);
    if (!terminal_check_output(&err)) { /* a full disk must not look like success */
        terminal_print_failure(&err);
        return code == COMMAND_FINE ? COMMAND_FAILED : code;
    }
    return code;
}
