/* One file under the microscope of check.h: everything about it that needs no other file.
 *
 *     struct check_file f = {.path = "game/Assets/A.unity"};
 *     check_file_read(&f);                      // touches nothing but f: any thread
 *     f.trouble, f.uses ...
 *     check_file_done(&f);
 */
#pragma once

#include "base/arena.h"
#include "unity/yaml.h"

enum check_file_state {
    CHECK_FILE_FINE,
    CHECK_FILE_BINARY, /* not text, and need not be */
    CHECK_FILE_UNREADABLE,
    CHECK_FILE_NOT_IDENTICAL /* written out from its parts it is another text */
};

enum check_use_kind {
    CHECK_USE_OBJECT, /* an id of this file, of which it has no document */
    CHECK_USE_ASSET,
    CHECK_USE_SCRIPT /* of a component */
};

/* Something that the file refers to. Objects and assets are there once, with their first line. */
struct check_use {
    enum check_use_kind kind;
    struct reference reference;
    unsigned line;
    size_t times;
    struct str identifier; /* m_EditorClassIdentifier of a script's component */
};

struct check_file {
    const char *path; /* on disk */
    bool is_meta;
    enum check_file_state trouble;
    unsigned line;   /* of the trouble; 0: the whole file */
    struct str text; /* one sentence about it */
    size_t bytes, documents;
    struct check_use *uses;
    size_t use_count;
    /* private */
    struct arena arena;
};

void check_file_read(struct check_file *f);
void check_file_done(struct check_file *f);
