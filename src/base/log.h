/* One line per event on stderr, for people or as JSON.
 *
 *     log_info("session opened", LOG_STR("session", id), LOG_INT("open", count));
 *
 *     text   12:04:05.123 info  session opened session=ab12 open=3
 *     json   {"time":"2026-11-15T12:04:05.123Z","level":"info","event":"session opened",...}
 *
 * Times are UTC. In text, a value with blanks, quotes, "=" or backslashes is quoted. Control
 * characters, line separators and marks that change the writing direction are escaped, so input
 * cannot forge a line; invalid UTF-8 becomes U+FFFD; a value longer than LOG_VALUE_MAX is cut and
 * ends in "...". Colour is used only on a terminal without NO_COLOR. A line is one write(2), or
 * with log_batch() a part of one. Only the program and the acting modules log (docs/style.md).
 */
#pragma once

#include "base/buf.h"
#include "base/loop.h"
#include "base/str.h"

enum log_level {
    LOG_DEBUG,
    LOG_INFO,
    LOG_WARN,
    LOG_ERROR,
    LOG_LEVEL_COUNT
};

enum log_format {
    LOG_TEXT,
    LOG_JSON
};

#define LOG_VALUE_MAX 4096u

struct log_field {
    const char *key; /* NULL ends the list */
    struct str text;
    int64_t number;
    bool is_number;
};

#define LOG_STR(k, s) ((struct log_field){.key = (k), .text = (s)})
#define LOG_INT(k, n) ((struct log_field){.key = (k), .number = (int64_t)(n), .is_number = true})

struct log_entry {
    uint64_t unix_ms;
    enum log_level level;
    const char *event;
    const struct log_field *fields;
};

void log_setup(enum log_format format, enum log_level least); /* until then: LOG_TEXT, LOG_INFO */
bool log_level_from_name(struct str name, enum log_level *level);    /* "debug" ... "error" */
bool log_format_from_name(struct str name, enum log_format *format); /* "text", "json" */

/* Collect the lines of this thread, which must be the loop's, for up to 50 ms or 16 KiB, and write
 * them at once. A warning or an error is written immediately, with the lines before it. A crash
 * loses no line, only SIGKILL does. An idle loop is not woken up. NULL: write the waiting lines,
 * and the following ones immediately; call this before the loop is freed. */
void log_batch(struct loop *loop);

/* Append the line for one event to b. Pure, for tests. */
void log_line(struct buf *b, enum log_format format, bool colour, const struct log_entry *e);

void log_event(enum log_level level, const char *event, const struct log_field *fields);

extern enum log_level log_least; /* private: set by log_setup() */

/* The list of fields may be empty; the macro adds the end mark. Fields are not evaluated if the
 * level is not logged. */
#define log_debug(...) LOG_CALL(LOG_DEBUG, __VA_ARGS__, {0})
#define log_info(...)  LOG_CALL(LOG_INFO, __VA_ARGS__, {0})
#define log_warn(...)  LOG_CALL(LOG_WARN, __VA_ARGS__, {0})
#define log_error(...) LOG_CALL(LOG_ERROR, __VA_ARGS__, {0})
#define LOG_CALL(level, event, ...)                                                                \
    ((level) < log_least ? (void)0                                                                 \
                         : log_event((level), (event), (const struct log_field[]){__VA_ARGS__}))
