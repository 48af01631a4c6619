/* Problems in a project's files. This library does not log: callers pass a sink.
 *
 *     struct diagnostic_sink sink = {on_diagnostic, &console};
 *     struct diagnostic about = {.level = DIAGNOSTIC_WARNING, .file = path, .line = 2};
 *     diagnostic_report(&sink, &about, "duplicate GUID %s: %s has it, too", guid, other);
 */
#pragma once

#include "base/str.h"

enum diagnostic_level {
    DIAGNOSTIC_INFO,
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_ERROR
};

/* The subject of a problem; project check counts them by it. */
enum diagnostic_kind {
    DIAGNOSTIC_OTHER,
    DIAGNOSTIC_UNREADABLE,       /* damaged, binary or too large */
    DIAGNOSTIC_MISSING_SCRIPT,   /* a component with an unknown script */
    DIAGNOSTIC_BROKEN_REFERENCE, /* a reference to a missing object or asset */
    DIAGNOSTIC_DUPLICATE_GUID,
    DIAGNOSTIC_MISSING_META,
    DIAGNOSTIC_SCRIPT_SYNTAX, /* a C# file with a syntax error */
    DIAGNOSTIC_KIND_COUNT
};

struct diagnostic {
    enum diagnostic_level level;
    enum diagnostic_kind kind;
    struct str text;
    struct str file; /* relative to the project; empty: none */
    unsigned line;   /* from 1; 0: the whole file */
    unsigned column; /* from 1; 0: the whole line */
};

typedef void diagnostic_fn(const struct diagnostic *note, void *ctx);

struct diagnostic_sink {
    diagnostic_fn *fn; /* NULL: ignore */
    void *ctx;
};

void diagnostic_report(const struct diagnostic_sink *sink, const struct diagnostic *about,
                       const char *fmt, ...)
    __attribute__((format(printf, 3, 4))); /* about: everything except the text */
