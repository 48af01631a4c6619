#include "base/error.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/say.h"

int cmd_serve(const struct options *o)
{
    struct config c;
    struct error err = {0};
    if (!config_open(&c, o, &err)) {
        say_failure(&err);
        return COMMAND_USAGE;
    }
    config_done(&c);
    say_error("this build has no server");
    return COMMAND_FAILED;
}
