/* What read_console shows: the last 5,000 messages of the editor.
 *
 *     struct console_log *l = console_log_new();
 *     console_log_add(l, &(struct console_entry){.type = CONSOLE_WARNING,
 *                                                .message = STR("a script is missing"),
 *                                                .file = STR("Assets/A.unity"), .time_ms = now});
 *     for (size_t i = console_log_count(l); i-- > 0;)      // newest first
 *         use(console_log_at(l, i));
 *     console_log_free(l);
 *
 * A ring buffer: the 5,001st entry replaces the oldest. Texts are copied, made valid UTF-8 and cut
 * at CONSOLE_TEXT_MAX bytes, because they quote files that have not been checked. An entry keeps
 * its address until it is replaced.
 */
#pragma once

#include "base/id.h"
#include "base/str.h"

enum console_type {
    CONSOLE_LOG,
    CONSOLE_WARNING,
    CONSOLE_ERROR,
    CONSOLE_ASSERT,
    CONSOLE_EXCEPTION,
    CONSOLE_TYPE_COUNT
};

#define CONSOLE_LOG_MAX  5000u
#define CONSOLE_TEXT_MAX 4096u /* of a message, of a stack trace */

struct console_entry {
    enum console_type type;
    struct str message;
    struct str stack_trace; /* empty: none */
    struct str file;        /* empty: none */
    unsigned line;
    int64_t time_ms; /* Unix */
    uint64_t serial; /* counts up from 1: the cursor of read_console */
};

struct console_log;

struct console_log *console_log_new(void);
void console_log_free(struct console_log *l);                               /* NULL is fine */
void console_log_add(struct console_log *l, const struct console_entry *e); /* serial is ignored */
size_t console_log_count(const struct console_log *l);
const struct console_entry *console_log_at(const struct console_log *l, size_t i); /* 0: oldest */
uint64_t console_log_serial(const struct console_log *l); /* of the newest entry; 0: none */
const char *console_log_id(const struct console_log *l);  /* serials count within this id */

const char *console_log_type_name(enum console_type t); /* "log", "warning" ... */
bool console_log_type_from_name(struct str name, enum console_type *t);
