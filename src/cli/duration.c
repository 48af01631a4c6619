#include "cli/duration.h"

#define SECOND 1000ll
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

static const struct duration_unit {
    long long ms;
    const char *name;
} units[] = {{DAY, "d"}, {HOUR, "h"}, {MINUTE, "min"}, {SECOND, "s"}};

void duration_put(struct buf *out, int64_t ms)
{
    size_t shown = 0;
    if (ms < SECOND) {
        buf_printf(out, "%lld ms", (long long)(ms > 0 ? ms : 0));
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units && shown < 2; i++) {
        if (ms < units[i].ms)
            continue;
        buf_printf(out, "%s%lld %s", shown ? " " : "", ms / units[i].ms, units[i].name);
        ms %= units[i].ms;
        shown++;
    }
}

void duration_put_relative(struct buf *out, int64_t from, int64_t to)
{
    /* Times from a store may hold any value, so compute the difference without overflow. */
    uint64_t span = to > from ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
    long long left = span < INT64_MAX - SECOND ? (long long)span : INT64_MAX - SECOND;
    size_t i = 0, shown = 0, start = out->n;
    left = (left + SECOND - 1) / SECOND * SECOND;
    buf_add(out, to > from ? STR("in") : STR(""));
    for (; i < sizeof units / sizeof *units && shown < 2; i++) {
        if (left < units[i].ms && !(i + 1 == sizeof units / sizeof *units && !shown))
            continue;
        buf_printf(out, "%s%lld %s", out->n > start ? " " : "", left / units[i].ms, units[i].name);
        left %= units[i].ms;
        shown++;
    }
    if (to <= from)
        buf_add(out, STR(" ago"));
}
