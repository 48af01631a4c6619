#include "base/error.h"

#include <assert.h>
#include <stdio.h>

struct row {
    const char *name;
    bool retryable;
    enum error_guarantee guarantee;
    const char *recovery;
};

static const struct row rows[] = {
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

/* How much of the first n bytes to keep so that no character is cut in two. */
static size_t whole_characters(const char *p, size_t n)
{
    size_t lead = n;
    while (lead > 0 && n - lead < 4 && ((unsigned char)p[lead] & 0xC0) == 0x80)
        lead--;
    return ((unsigned char)p[lead] & 0xC0) == 0x80 ? n : lead;
}

bool error_set(struct error *err, enum error_code code, const char *fmt, ...)
{
    assert(code > ERR_NONE && code < ERROR_COUNT);
    if (!err)
        return false;

    /* Written beside it first: the arguments may be the text of this same error. */
    char text[ERROR_TEXT_MAX + 1];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);

    size_t len = 0;
    if (n > 0)
        len = n < ERROR_TEXT_MAX ? (size_t)n : whole_characters(text, ERROR_TEXT_MAX - 1);
    err->code = code;
    memcpy(err->text, text, len);
    err->text[len] = 0;
    return false;
}

static const struct row *row_of(enum error_code code)
{
    assert(code < ERROR_COUNT);
    return &rows[code];
}

const char *error_name(enum error_code code)
{
    return row_of(code)->name;
}

bool error_is_retryable(enum error_code code)
{
    return row_of(code)->retryable;
}

enum error_guarantee error_guarantee(enum error_code code)
{
    return row_of(code)->guarantee;
}

const char *error_guarantee_name(enum error_guarantee g)
{
    assert(g <= GUARANTEE_COMPLETED_ERROR);
    return guarantees[g];
}

const char *error_recovery(enum error_code code)
{
    return row_of(code)->recovery;
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
