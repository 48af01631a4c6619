#include "cli/command.h"
#include "cli/help.h"
#include "cli/terminal.h"

int cmd_help(const struct options *o)
{
    struct buf text = {0};
    const struct command *c = NULL;
    if (options_has(o, "man"))
        help_put_man(&text);
    else if (o->arg_count == 0)
        help_put_program(&text);
    else if ((c = command_find(str_from(o->args[0]))))
        help_put_command(c, &text);
    else
        return command_fail_unknown(o->args[0]);
    terminal_write(buf_str(&text));
    buf_done(&text);
    return COMMAND_FINE;
}
