#include "bridge/limits.h"

#include <assert.h>
#include <string.h>

const struct limits_row limits_rows[] = {
#define LIMIT(name, normal, least, most, what)                                                     \
    {#name, what, normal, least, most, false, offsetof(struct limits, name)},
#define REAL(name, normal, least, most, what)                                                      \
    {#name, what, normal, least, most, true, offsetof(struct limits, name)},
    LIMITS(LIMIT, REAL)
#undef LIMIT
#undef REAL
};
const size_t limits_row_count = sizeof limits_rows / sizeof *limits_rows;

void limits_init(struct limits *l)
{
    for (size_t i = 0; i < limits_row_count; i++)
        limits_set(l, &limits_rows[i], limits_rows[i].normal);
}

const struct limits_row *limits_find(struct str name)
{
    for (size_t i = 0; i < limits_row_count; i++)
        if (str_eq(name, str_from(limits_rows[i].name)))
            return &limits_rows[i];
    return NULL;
}

double limits_get(const struct limits *l, const struct limits_row *row)
{
    const char *at = (const char *)l + row->offset;
    double real;
    uint64_t whole;
    if (row->is_real) {
        memcpy(&real, at, sizeof real);
        return real;
    }
    memcpy(&whole, at, sizeof whole);
    return (double)whole;
}

void limits_set(struct limits *l, const struct limits_row *row, double value)
{
    char *at = (char *)l + row->offset;
    uint64_t whole = (uint64_t)value;
    assert(value >= row->least && value <= row->most);
    if (row->is_real)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &whole, sizeof whole);
}

bool limits_check(const struct limits *l, struct error *err)
{
    if (l->stale_connection_timeout_ms <= l->editor_status_interval_ms)
        return error_set(err, ERR_CONFIG_VALIDATION,
                         "stale_connection_timeout_ms (%llu) must be longer than "
                         "editor_status_interval_ms (%llu): else a living editor is taken for dead",
                         (unsigned long long)l->stale_connection_timeout_ms,
                         (unsigned long long)l->editor_status_interval_ms);
    if (l->job_default_timeout_ms > l->job_max_timeout_ms)
        return error_set(
            err, ERR_CONFIG_VALIDATION,
            "job_default_timeout_ms (%llu) must not be above job_max_timeout_ms (%llu)",
            (unsigned long long)l->job_default_timeout_ms,
            (unsigned long long)l->job_max_timeout_ms);
    if (l->reconnect_initial_ms > l->reconnect_max_ms)
        return error_set(err, ERR_CONFIG_VALIDATION,
                         "reconnect_initial_ms (%llu) must not be above reconnect_max_ms (%llu)",
                         (unsigned long long)l->reconnect_initial_ms,
                         (unsigned long long)l->reconnect_max_ms);
    return true;
}
