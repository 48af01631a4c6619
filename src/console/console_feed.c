#include <stdlib.h>

#include "base/mem.h"
#include "console/console_core.h"

struct console_feed {
    struct console *console;
};

struct console_feed *console_feed_start(struct console *c)
{
    struct console_feed *f = mem_zalloc(sizeof *f);
    f->console = c;
    return f;
}

void console_feed_stop(struct console_feed *f)
{
    (void)f;
}

void console_feed_free(struct console_feed *f)
{
    free(f);
}

void console_feed_news(struct console_feed *f, enum feed_part part)
{
    (void)f, (void)part;
}
