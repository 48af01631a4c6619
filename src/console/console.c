#include "console/console.h"

#include <stdlib.h>

#include "base/mem.h"
#include "console/api_internal.h"
#include "console/console_internal.h"

static char *copy_text(const char *text)
{
    return text ? str_dup(str_from(text)) : NULL;
}

struct console *console_start(const struct console_options *options)
{
    struct console *c = mem_zalloc(sizeof *c);
    c->o = *options;
    c->o.project = copy_text(options->project);
    c->o.store = copy_text(options->store);
    c->o.tooling = copy_text(options->tooling);
    c->o.self = copy_text(options->self);
    if (!c->o.goal_silence_s)
        c->o.goal_silence_s = CONSOLE_GOAL_SILENCE_S;
    c->feed = console_feed_start(c); /* first, because the other parts notify it */
    c->tooling = console_tooling_start(c);
    c->tasks = console_tasks_start(c);
    console_activity_start(c);
    console_page_start(c);
    api_start(c);
    return c;
}

void console_stop(struct console *c)
{
    if (c->stopping)
        return;
    c->stopping = true;
    console_feed_stop(c->feed);
    console_tooling_stop(c->tooling);
    console_tasks_stop(c->tasks);
}

bool console_is_quiet(const struct console *c)
{
    return !c->open && console_tooling_is_quiet(c->tooling) && console_tasks_is_quiet(c->tasks);
}

void console_on_quiet(struct console *c, loop_fn *fn, void *ctx)
{
    c->on_quiet = fn;
    c->quiet_ctx = ctx;
}

void console_free(struct console *c)
{
    if (!c)
        return;
    console_tasks_free(c->tasks);
    console_tooling_free(c->tooling);
    console_feed_free(c->feed);
    api_done(c);
    free((char *)(uintptr_t)c->o.project);
    free((char *)(uintptr_t)c->o.store);
    free((char *)(uintptr_t)c->o.tooling);
    free((char *)(uintptr_t)c->o.self);
    free(c);
}
