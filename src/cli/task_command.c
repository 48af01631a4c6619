#include "cli/task_command.h"

#include "base/file.h"
#include "base/rfc3339.h"
#include "cli/command.h"
#include "cli/duration.h"
#include "cli/store_option.h"
#include "cli/terminal.h"

int task_command_code(const struct error *err)
{
    return err->code == ERR_INVALID_PARAMS || err->code == ERR_TASK_NOT_FOUND ||
                   err->code == ERR_LIMIT || err->code == ERR_CONFIG_PARSE ||
                   err->code == ERR_CONFIG_VALIDATION
               ? COMMAND_USAGE
               : COMMAND_FAILED;
}

bool task_command_fail(struct task_command *c, const struct error *err)
{
    terminal_print_failure(err);
    c->code = task_command_code(err);
    return false;
}

/* A mistyped path must not look like a store without tasks. */
static bool check_exists(const char *url, struct error *err)
{
    struct buf place = {0};
    if (!url || store_is_server(url))
        return true;
    bool fine = tasks_place(url, &place, err);
    if (fine && !file_exists(place.p))
        fine =
            error_set(err, ERR_INVALID_PARAMS,
                      "the store %s does not exist: create it with multiverse task add", place.p);
    buf_done(&place);
    return fine;
}

bool task_command_open(struct task_command *c, const struct options *o, enum task_command_mode mode)
{
    struct error err = {0};
    const char *url = store_option(o);
    *c = (struct task_command){.options = o, .json = options_has(o, "json"), .now = rfc3339_now()};
    if (mode == TASK_COMMAND_CREATE || check_exists(url, &err))
        c->store = tasks_open(url, mode != TASK_COMMAND_READ, NULL, &err);
    return c->store || task_command_fail(c, &err);
}

bool task_command_run(struct task_command *c, enum store_mode mode, store_fn *work, void *ctx)
{
    struct error err = {0};
    return store_run(c->store, mode, work, ctx, &err) || task_command_fail(c, &err);
}

int task_command_close(struct task_command *c)
{
    store_close(c->store);
    c->store = NULL;
    return c->code;
}

void task_command_put_when(struct buf *out, const struct task_row *t, int64_t now)
{
    if (t->state == TASK_RETRY_WAIT && t->due)
        duration_put_relative(out, now, t->due > now ? t->due : now);
    else
        duration_put_relative(out, now, t->changed < now ? t->changed : now);
}
