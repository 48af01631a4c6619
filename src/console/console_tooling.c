#include <stdlib.h>

#include "base/mem.h"
#include "console/console_core.h"

struct console_tooling {
    struct console *console;
};

struct console_tooling *console_tooling_start(struct console *c)
{
    struct console_tooling *t = mem_zalloc(sizeof *t);
    t->console = c;
    return t;
}

void console_tooling_stop(struct console_tooling *t)
{
    (void)t;
}

bool console_tooling_is_quiet(const struct console_tooling *t)
{
    (void)t;
    return true;
}

void console_tooling_free(struct console_tooling *t)
{
    free(t);
}

void console_tooling_watch(struct console_tooling *t, bool on)
{
    (void)t, (void)on;
}

void console_tooling_put(const struct console_tooling *t, struct jsonw *w)
{
    (void)t;
    jsonw_kint(w, "file", 0);
    jsonw_kint(w, "rests", 0);
}
