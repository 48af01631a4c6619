/* Check one file: everything that requires no other file. See check.h.
 *
 *     struct check_file file = {.path = "game/Assets/A.unity"};
 *     check_file_read(&file);                   // any thread: changes nothing but file
 *     if (file.state == CHECK_FILE_UNREADABLE)
 *         printf("line %u: %.*s\n", file.line, STR_ARG(file.text));
 *     check_file_done(&file);
 */
#pragma once

#include "base/arena.h"
#include "unity/yaml.h"

enum check_file_state {
    CHECK_FILE_FINE,
    CHECK_FILE_BINARY, /* not text: allowed */
    CHECK_FILE_UNREADABLE,
    CHECK_FILE_NOT_IDENTICAL /* the file rebuilt from its parts differs */
};

enum check_use_kind {
    CHECK_USE_OBJECT, /* an id of this file that has no document */
    CHECK_USE_ASSET,
    CHECK_USE_SCRIPT /* of a component */
};

/* Something that the file refers to. An object or asset appears once, with its first line. */
struct check_use {
    enum check_use_kind kind;
    struct reference reference;
    unsigned line;
    size_t times;
    struct str identifier; /* m_EditorClassIdentifier of the script's component */
};

struct check_file {
    const char *path; /* on disk */
    bool is_meta;
    enum check_file_state state;
    unsigned line;   /* of the problem; 0: the whole file */
    struct str text; /* describes the problem */
    size_t bytes, documents;
    struct check_use *uses;
    size_t use_count;
    /* private */
    struct arena arena;
};

void check_file_read(struct check_file *f);
void check_file_done(struct check_file *f);
