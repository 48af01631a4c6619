/* What the engine has to say about a project's files: nothing here logs, callers pass a sink.
 *
 *     static void on_note(const struct note *n, void *ctx) { ... }
 *     struct note_sink sink = {on_note, me};
 *     note_say(&sink, &(struct note){.level = NOTE_WARNING, .file = path, .line = 2},
 *              "the GUID %s is also that of %s", a, b);
 */
#pragma once

#include "base/str.h"

enum note_level {
    NOTE_INFO,
    NOTE_WARNING,
    NOTE_ERROR
};

/* What a finding is about; project check counts them by this. */
enum note_kind {
    NOTE_OTHER,
    NOTE_UNREADABLE,       /* a file that is damaged, binary or too large */
    NOTE_MISSING_SCRIPT,   /* a component whose script is not known */
    NOTE_BROKEN_REFERENCE, /* a reference to an object or asset that is not there */
    NOTE_DUPLICATE_GUID,
    NOTE_MISSING_META,
    NOTE_SCRIPT_SYNTAX, /* a C# file that does not parse */
    NOTE_KIND_COUNT
};

struct note {
    enum note_level level;
    enum note_kind kind;
    struct str text;
    struct str file; /* relative to the project; empty: none */
    unsigned line;   /* from 1; 0: the whole file */
    unsigned column; /* from 1; 0: the whole line */
};

typedef void note_fn(const struct note *note, void *ctx);

struct note_sink {
    note_fn *fn; /* NULL: nobody listens */
    void *ctx;
};

void note_say(const struct note_sink *sink, const struct note *about, const char *fmt, ...)
    __attribute__((format(printf, 3, 4))); /* about: all but the text */
