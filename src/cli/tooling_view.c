#include "cli/tooling_view.h"

#include <string.h>

#include "agent/provider.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/id.h"
#include "base/rfc3339.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/store_option.h"

#define MAX_SEED ((1ull << 53) - 1) /* what JSON carries unharmed */
#define SECOND   1000ll
#define MINUTE   (60 * SECOND)
#define HOUR     (60 * MINUTE)
#define DAY      (24 * HOUR)

struct tooling_file *tooling_view_file(const char *path, struct error *err)
{
    if (!path || file_exists(path))
        return tooling_file_open(path, err);
    error_set(err, ERR_IO, "there is no file %s", path);
    return NULL;
}

static bool fail(struct tooling_view *v, const struct error *err, int code)
{
    say_failure(err);
    tooling_view_close(v);
    v->code = code;
    return false;
}

bool tooling_view_read(struct tooling_view *v, const struct options *o)
{
    struct error err = {0};
    *v = (struct tooling_view){.now = rfc3339_now()};
    v->file = tooling_view_file(options_text(o, "file"), &err);
    if (!v->file)
        return fail(v, &err, COMMAND_USAGE);
    v->tooling = tooling_file_current(v->file);
    const struct error *fault = tooling_file_fault(v->file);
    if (fault)
        say_warning("%s", fault->text);
    if (!options_knows(o, "seed") || !options_number(o, "seed", &v->seed))
        id_bytes(&v->seed, sizeof v->seed), v->seed &= MAX_SEED;
    rng_seed(&v->rng, v->seed);
    return true;
}

bool tooling_view_open(struct tooling_view *v, const struct options *o)
{
    struct error err = {0};
    if (!tooling_view_read(v, o))
        return false;
    v->ledger = ledger_open(store_option(o), &err);
    return v->ledger || fail(v, &err, COMMAND_FAILED);
}

void tooling_view_close(struct tooling_view *v)
{
    ledger_close(v->ledger);
    tooling_file_close(v->file);
    *v = (struct tooling_view){0};
}

struct decision *tooling_view_look(struct tooling_view *v, struct str category)
{
    struct error err = {0};
    struct rng rng;
    rng_seed(&rng, v->seed);
    struct ledger_ask ask = {
        .tooling = v->tooling,
        .category = category,
        .now = v->now,
        .rng = &rng,
        .available = provider_available,
        .dry = true,
    };
    struct decision *d = ledger_choose(v->ledger, &ask, &err);
    if (!d)
        say_failure(&err);
    return d;
}

void tooling_view_put_name(struct buf *out, enum tool_kind tool, struct str model)
{
    buf_add(out, str_from(tool_kind_name(tool)));
    if (model.n) {
        buf_add_char(out, ' ');
        say_add_line(out, model);
    }
}

void tooling_view_put_span(struct buf *out, int64_t from, int64_t to)
{
    static const struct {
        long long unit;
        const char *name;
    } units[] = {{DAY, "d"}, {HOUR, "h"}, {MINUTE, "min"}, {SECOND, "s"}};
    /* Times are whatever stands in a store: no difference of two is too large. */
    uint64_t span = to > from ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
    long long left = span < INT64_MAX - SECOND ? (long long)span : INT64_MAX - SECOND;
    size_t i = 0, shown = 0, start = out->n;
    left = (left + SECOND - 1) / SECOND * SECOND;
    buf_add(out, to > from ? STR("in") : STR(""));
    for (; i < sizeof units / sizeof *units && shown < 2; i++) {
        if (left < units[i].unit && !(i + 1 == sizeof units / sizeof *units && !shown))
            continue;
        buf_printf(out, "%s%lld %s", out->n > start ? " " : "", left / units[i].unit,
                   units[i].name);
        left %= units[i].unit;
        shown++;
    }
    if (to <= from)
        buf_add(out, STR(" ago"));
}
