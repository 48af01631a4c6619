#include "cli/tooling_command.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/id.h"
#include "base/rfc3339.h"
#include "cli/command.h"
#include "cli/store_option.h"
#include "cli/terminal.h"
#include "views/tooling.h"

#define MAX_SEED ((1ull << 53) - 1) /* the largest integer that JSON carries exactly */

struct tooling_file *tooling_command_open_file(const char *path, struct error *err)
{
    if (!path || file_exists(path))
        return tooling_file_open(path, err);
    error_set(err, ERR_IO, "the file %s does not exist", path);
    return NULL;
}

static bool fail_command(struct tooling_command *c, const struct error *err, int code)
{
    terminal_print_failure(err);
    tooling_command_close(c);
    c->code = code;
    return false;
}

bool tooling_command_read(struct tooling_command *c, const struct options *o)
{
    struct error err = {0};
    *c = (struct tooling_command){.now = rfc3339_now()};
    c->file = tooling_command_open_file(options_text(o, "file"), &err);
    if (!c->file)
        return fail_command(c, &err, COMMAND_USAGE);
    c->tooling = tooling_file_current(c->file);
    const struct error *fault = tooling_file_error(c->file);
    if (fault)
        terminal_print_warning("%s", fault->text);
    if (!options_knows(o, "seed") || !options_number(o, "seed", &c->seed))
        id_bytes(&c->seed, sizeof c->seed), c->seed &= MAX_SEED;
    rng_seed(&c->rng, c->seed);
    return true;
}

bool tooling_command_open(struct tooling_command *c, const struct options *o)
{
    struct error err = {0};
    if (!tooling_command_read(c, o))
        return false;
    c->ledger = ledger_open(store_option(o), &err);
    return c->ledger || fail_command(c, &err, COMMAND_FAILED);
}

void tooling_command_close(struct tooling_command *c)
{
    ledger_close(c->ledger);
    tooling_file_close(c->file);
    *c = (struct tooling_command){0};
}

struct decision *tooling_command_decide(struct tooling_command *c, struct str category)
{
    struct views_tooling view = {c->tooling, c->ledger, c->now, c->seed};
    struct error err = {0};
    struct decision *d = views_tooling_decide(&view, NULL, category, &err);
    if (!d)
        terminal_print_failure(&err);
    return d;
}

void tooling_command_put_name(struct buf *out, enum agent_kind tool, struct str model)
{
    buf_add(out, str_from(agent_kind_name(tool)));
    if (model.n) {
        buf_add_char(out, ' ');
        terminal_escape(out, model);
    }
}
