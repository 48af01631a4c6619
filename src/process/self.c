#include "process/self.h"

#include <signal.h>

#include "process/platform.h"

bool self_path(char to[PATH_MAX], struct error *err)
{
    return platform_self_path(to) ||
           error_set(err, ERR_IO, "cannot find the path of this program: /proc is not mounted");
}

void self_on_signals(struct loop *loop, loop_fn *fn, void *ctx)
{
    struct sigaction hangup;
    loop_on_signal(loop, SIGINT, fn, ctx);
    loop_on_signal(loop, SIGTERM, fn, ctx);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        loop_on_signal(loop, SIGHUP, fn, ctx);
}
