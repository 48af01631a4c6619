/* What read_console shows: the last 5,000 entries. */
#pragma once

#include "base/str.h"

enum console_type {
    CONSOLE_LOG,
    CONSOLE_WARNING,
    CONSOLE_ERROR,
    CONSOLE_ASSERT,
    CONSOLE_EXCEPTION,
    CONSOLE_TYPE_COUNT
};

#define CONSOLE_LOG_MAX 5000u

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
void console_log_free(struct console_log *l);
void console_log_add(struct console_log *l, const struct console_entry *e); /* texts are copied */
size_t console_log_count(const struct console_log *l);
const struct console_entry *console_log_at(const struct console_log *l, size_t i); /* 0: oldest */
uint64_t console_log_serial(const struct console_log *l); /* of the newest entry so far; 0: none */
const char *console_type_name(enum console_type t);       /* "log", "warning" ... */
