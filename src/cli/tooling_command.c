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

#define MAX_SEED ((1ull << 53) - 1) /* what JSON carries unharmed */

struct tooling_file *tooling_command_open_file(const char *path, struct error *err)
{
    if (!path || file_exists(path))
        return tooling_file_open(path, err);
    error_set(err, ERR_IO, "there is no file %s", path);
    return NULL;
}

static bool fail(struct tooling_command *v, const struct error *err, int code)
{
    terminal_print_failure(err);
    tooling_command_close(v);
    v->code = code;
    return false;
}

bool tooling_command_read(struct tooling_command *v, const struct options *o)
{
    struct error err = {0};
    *v = (struct tooling_command){.now = rfc3339_now()};
    v->file = tooling_command_open_file(options_text(o, "file"), &err);
    if (!v->file)
        return fail(v, &err, COMMAND_USAGE);
    v->tooling = tooling_file_current(v->file);
    const struct error *fault = tooling_file_fault(v->file);
    if (fault)
        terminal_print_warning("%s", fault->text);
    if (!options_knows(o, "seed") || !options_number(o, "seed", &v->seed))
        id_bytes(&v->seed, sizeof v->seed), v->seed &= MAX_SEED;
    rng_seed(&v->rng, v->seed);
    return true;
}

bool tooling_command_open(struct tooling_command *v, const struct options *o)
{
    struct error err = {0};
    if (!tooling_command_read(v, o))
        return false;
    v->ledger = ledger_open(store_option(o), &err);
    return v->ledger || fail(v, &err, COMMAND_FAILED);
}

void tooling_command_close(struct tooling_command *v)
{
    ledger_close(v->ledger);
    tooling_file_close(v->file);
    *v = (struct tooling_command){0};
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
