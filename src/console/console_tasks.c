#include <stdlib.h>

#include "base/mem.h"
#include "console/console_core.h"

struct console_tasks {
    struct console *console;
};

struct console_tasks *console_tasks_start(struct console *c)
{
    struct console_tasks *t = mem_zalloc(sizeof *t);
    t->console = c;
    return t;
}

void console_tasks_stop(struct console_tasks *t)
{
    (void)t;
}

bool console_tasks_is_quiet(const struct console_tasks *t)
{
    (void)t;
    return true;
}

void console_tasks_free(struct console_tasks *t)
{
    free(t);
}

void console_tasks_watch(struct console_tasks *t, bool on)
{
    (void)t, (void)on;
}

int64_t console_tasks_put(const struct console_tasks *t, int64_t after, struct jsonw *w)
{
    (void)t, (void)after, (void)w;
    return -2;
}

uint64_t console_tasks_put_goals(const struct console_tasks *t, uint64_t seq,
                                 void (*each)(struct str json, void *ctx), void *ctx)
{
    (void)t, (void)each, (void)ctx;
    return seq;
}
