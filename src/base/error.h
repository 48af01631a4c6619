/* What went wrong: a code from errors.def and one sentence for a person.
 *
 *     struct error err = {0};
 *     if (!file_read(path, max, &text, &err))
 *         fprintf(stderr, "%s\n", err.text);
 *
 * A function that can fail has `struct error *err` as its last parameter and returns bool (or
 * NULL). On success it does not touch err; on failure it does not touch its outputs. err may be
 * NULL.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>

#include "base/str.h"

enum error_code {
    ERR_NONE,
#define ERROR(name, retryable, guarantee, recovery) name,
#include "base/errors.def"
#undef ERROR
    ERROR_COUNT
};

enum error_guarantee {
    GUARANTEE_NOT_EXECUTED,   /* nothing was done: it can be retried */
    GUARANTEE_UNKNOWN,        /* perhaps done: check before a retry */
    GUARANTEE_COMPLETED_ERROR /* done, and it ended in an error */
};

#define ERROR_TEXT_MAX 512

struct error {
    enum error_code code;
    char text[ERROR_TEXT_MAX]; /* one sentence, UTF-8 if its arguments were; cut if too long */
};

/* Fill *err and return false, so that callers can write `return error_set(err, ...)`. */
bool error_set(struct error *err, enum error_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

const char *error_name(enum error_code code); /* "ERR_INVALID_PARAMS" */
bool error_is_retryable(enum error_code code);
enum error_guarantee error_guarantee(enum error_code code);
const char *error_guarantee_name(enum error_guarantee g); /* "not_executed" ... */
const char *error_recovery(enum error_code code);         /* "" where there is none */
bool error_from_name(struct str name, enum error_code *code);
