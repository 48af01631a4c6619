#include "process/self.h"

#include <signal.h>
#include <unistd.h>

bool self_path(char to[PATH_MAX], struct error *err)
{
    ssize_t n = readlink("/proc/self/exe", to, PATH_MAX - 1);
    if (n <= 0)
        return error_set(err, ERR_IO, "cannot find this program: /proc is not there");
    to[n] = 0;
    return true;
}

void self_on_signals(struct loop *loop, loop_fn *fn, void *ctx)
{
    struct sigaction hangup;
    loop_on_signal(loop, SIGINT, fn, ctx);
    loop_on_signal(loop, SIGTERM, fn, ctx);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        loop_on_signal(loop, SIGHUP, fn, ctx);
}
