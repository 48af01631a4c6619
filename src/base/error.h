/* What went wrong: a code from errors.def and one sentence for a person.
 *
 *     struct error err = {0};
 *     if (!file_read(path, max, &text, &err))
 *         fprintf(stderr, "%s\n", err.text);
 *
 * A function that can fail takes `struct error *err` last and answers bool (or NULL). On success
 * err is untouched; on failure its outputs are. err may be NULL.
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
    GUARANTEE_NOT_EXECUTED,   /* nothing was done: it may be asked again */
    GUARANTEE_UNKNOWN,        /* perhaps done: look before asking again */
    GUARANTEE_COMPLETED_ERROR /* done, and it ended in an error */
};

#define ERROR_TEXT_MAX 512

struct error {
    enum error_code code;
    char text[ERROR_TEXT_MAX]; /* one sentence, UTF-8 if its arguments were; cut if too long */
};

/* Fills *err and answers false, so that `return error_set(err, ...)` reads well. */
bool error_set(struct error *err, enum error_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

const char *error_name(enum error_code code); /* "ERR_INVALID_PARAMS" */
bool error_is_retryable(enum error_code code);
enum error_guarantee error_guarantee(enum error_code code);
const char *error_guarantee_name(enum error_guarantee g); /* "not_executed" ... */
const char *error_recovery(enum error_code code);         /* "" where there is none */
bool error_from_name(struct str name, enum error_code *code);
