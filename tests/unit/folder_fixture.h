/* A folder of its own for each test, which is also the current one, and files in it. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "test.h"

static char project_folder[64];

static inline bool enter_folder(void)
{
    snprintf(project_folder, sizeof project_folder, "/tmp/multiverse_test.XXXXXX");
    return mkdtemp(project_folder) && chdir(project_folder) == 0;
}

static inline bool leave_folder(void)
{
    char command[256];
    snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -rf %s", project_folder,
             project_folder);
    return chdir("/") == 0 && system(command) == 0;
}

/* Makes the folders above it as well. */
static inline void put(const char *path, const char *text)
{
    char *folder = str_dup(str_from(path)), *slash = strrchr(folder, '/');
    if (slash) {
        *slash = 0;
        assert_true(file_make_dirs(folder, NULL));
    }
    free(folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* guid: 32 digits. */
static inline void put_meta(const char *path, const char *guid)
{
    struct buf name = {0}, text = {0};
    buf_printf(&name, "%s.meta", path);
    buf_printf(&text, "fileFormatVersion: 2\nguid: %s\nDefaultImporter:\n", guid);
    put(name.p, text.p);
    buf_done(&name);
    buf_done(&text);
}
