#include "base/error.h"

#include <assert.h>
#include <stdio.h>

#include "base/utf8.h"

struct error_row {
    const char *name;
    bool retryable;
    enum error_guarantee guarantee;
    const char *recovery;
};

static const struct error_row rows[] = {
    [ERR_NONE] = {"ERR_NONE", false, GUARANTEE_NOT_EXECUTED, ""},
#define ERROR(name, retryable, guarantee, recovery)                                                \
    [name] = {#name, retryable, GUARANTEE_##guarantee, recovery},
#include "base/errors.def"
#undef ERROR
};

static const char *const guarantees[] = {
    [GUARANTEE_NOT_EXECUTED] = "not_executed",
    [GUARANTEE_UNKNOWN] = "unknown",
    [GUARANTEE_COMPLETED_ERROR] = "completed_error",
};

_Static_assert(sizeof rows / sizeof *rows == ERROR_COUNT, "one row per code");
_Static_assert(sizeof guarantees / sizeof *guarantees == GUARANTEE_COMPLETED_ERROR + 1,
               "one name per guarantee");

bool error_set(struct error *err, enum error_code code, const char *fmt, ...)
{
    assert(code > ERR_NONE && code < ERROR_COUNT);
    if (!err)
        return false;

    /* Write to a copy first: the arguments may include the text of this same error. */
    char text[ERROR_TEXT_MAX + 1];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);

    struct str whole = n < 0 ? STR("") : str_from(text);
    struct str cut = utf8_head(whole, ERROR_TEXT_MAX - 1);
    err->code = code;
    memcpy(err->text, cut.p, cut.n);
    err->text[cut.n] = 0;
    return false;
}

static const struct error_row *find_row(enum error_code code)
{
    assert(code < ERROR_COUNT);
    return &rows[code];
}

const char *error_name(enum error_code code)
{
    return find_row(code)->name;
}

bool error_is_retryable(enum error_code code)
{
    return find_row(code)->retryable;
}

enum error_guarantee error_guarantee(enum error_code code)
{
    return find_row(code)->guarantee;
}

const char *error_guarantee_name(enum error_guarantee g)
{
    assert(g <= GUARANTEE_COMPLETED_ERROR);
    return guarantees[g];
}

const char *error_recovery(enum error_code code)
{
    return find_row(code)->recovery;
}

bool error_from_name(struct str name, enum error_code *code)
{
    for (enum error_code c = ERR_NONE + 1; c < ERROR_COUNT; c++)
        if (str_eq(name, str_from(rows[c].name))) {
            *code = c;
            return true;
        }
    return false;
}
