#include "cli/task_view.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rfc3339.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/store_option.h"
#include "cli/tooling_view.h"

#define SECOND 1000ll
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

int task_view_code(const struct error *err)
{
    return err->code == ERR_INVALID_PARAMS || err->code == ERR_TASK_NOT_FOUND ||
                   err->code == ERR_LIMIT || err->code == ERR_CONFIG_PARSE ||
                   err->code == ERR_CONFIG_VALIDATION
               ? COMMAND_USAGE
               : COMMAND_FAILED;
}

bool task_view_fail(struct task_view *v, const struct error *err)
{
    say_failure(err);
    v->code = task_view_code(err);
    return false;
}

/* A name with a slip of the pen must not look like a store without tasks. */
static bool is_there(const char *url, struct error *err)
{
    struct buf place = {0};
    if (!url || store_is_server(url))
        return true;
    bool fine = tasks_place(url, &place, err);
    if (fine && !file_exists(place.p))
        fine = error_set(err, ERR_INVALID_PARAMS,
                         "there is no store %s; multiverse task add makes one", place.p);
    buf_done(&place);
    return fine;
}

bool task_view_open(struct task_view *v, const struct options *o, enum task_view_mode mode)
{
    struct error err = {0};
    const char *url = store_option(o);
    *v = (struct task_view){.options = o, .json = options_has(o, "json"), .now = rfc3339_now()};
    if (mode == TASK_VIEW_MAKE || is_there(url, &err))
        v->store = tasks_open(url, mode != TASK_VIEW_LOOK, NULL, &err);
    return v->store || task_view_fail(v, &err);
}

bool task_view_run(struct task_view *v, enum store_mode mode, store_fn *work, void *ctx)
{
    struct error err = {0};
    return store_run(v->store, mode, work, ctx, &err) || task_view_fail(v, &err);
}

int task_view_close(struct task_view *v)
{
    store_close(v->store);
    v->store = NULL;
    return v->code;
}

/* ---- one task */

void task_view_put_when(struct buf *out, const struct task_row *t, int64_t now)
{
    if (t->state == TASK_RETRY_WAIT && t->due)
        tooling_view_put_span(out, now, t->due > now ? t->due : now);
    else
        tooling_view_put_span(out, now, t->changed < now ? t->changed : now);
}

/* ---- words */

void task_view_put_duration(struct buf *out, int64_t ms)
{
    static const struct {
        long long unit;
        const char *name;
    } units[] = {{DAY, "d"}, {HOUR, "h"}, {MINUTE, "min"}, {SECOND, "s"}};
    size_t shown = 0;
    if (ms < SECOND) {
        buf_printf(out, "%lld ms", (long long)(ms > 0 ? ms : 0));
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units && shown < 2; i++) {
        if (ms < units[i].unit)
            continue;
        buf_printf(out, "%s%lld %s", shown ? " " : "", ms / units[i].unit, units[i].name);
        ms %= units[i].unit;
        shown++;
    }
}

static bool is_unicode(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (!value || !value[0])
            continue;
        struct str s = str_from(value);
        size_t point = str_find_char(s, '.');
        return str_eq_nocase(str_skip(s, point + 1), STR("UTF-8")) ||
               str_eq_nocase(str_skip(s, point + 1), STR("utf8"));
    }
    return false;
}

enum columns_set task_view_set(void)
{
    return is_unicode() ? COLUMNS_UNICODE : COLUMNS_ASCII;
}

uint32_t task_view_columns(void)
{
    struct winsize w;
    if (!say_is_terminal(STDOUT_FILENO))
        return 0;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : 80;
}
