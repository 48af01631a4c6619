#include "cli/command.h"
#include "cli/terminal.h"

int cmd_version(const struct options *o)
{
    (void)o;
    terminal_write(STR("multiverse " MULTIVERSE_VERSION "\n"));
    return COMMAND_FINE;
}
