/* What the engine has to say about a project's files: nothing here logs, callers pass a sink.
 *
 *     static void on_note(const struct diagnostic *n, void *ctx) { ... }
 *     struct diagnostic_sink sink = {on_note, me};
 *     diagnostic_report(&sink, &(struct diagnostic){.level = DIAGNOSTIC_WARNING, .file = path, .line = 2},
 *              "the GUID %s is also that of %s", a, b);
 */
#pragma once

#include "base/str.h"

enum diagnostic_level {
    DIAGNOSTIC_INFO,
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_ERROR
};

/* What a finding is about; project check counts them by this. */
enum diagnostic_kind {
    DIAGNOSTIC_OTHER,
    DIAGNOSTIC_UNREADABLE,       /* a file that is damaged, binary or too large */
    DIAGNOSTIC_MISSING_SCRIPT,   /* a component whose script is not known */
    DIAGNOSTIC_BROKEN_REFERENCE, /* a reference to an object or asset that is not there */
    DIAGNOSTIC_DUPLICATE_GUID,
    DIAGNOSTIC_MISSING_META,
    DIAGNOSTIC_SCRIPT_SYNTAX, /* a C# file that does not parse */
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
    diagnostic_fn *fn; /* NULL: nobody listens */
    void *ctx;
};

void diagnostic_report(const struct diagnostic_sink *sink, const struct diagnostic *about,
                       const char *fmt, ...)
    __attribute__((format(printf, 3, 4))); /* about: all but the text */
