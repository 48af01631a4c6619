/* A Unity project in a folder of its own for each test, which is also the current folder, and what
 * the engine said about it. */
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/file.h"
#include "test.h"
#include "unity/project.h"

static char project_folder[64];
static struct project project;
static struct buf notes; /* "file:line text\n" each */
static struct error err;

static inline void on_note(const struct note *n, void *ctx)
{
    buf_printf(ctx, "%.*s:%u %.*s\n", STR_ARG(n->file), n->line, STR_ARG(n->text));
}

static const struct note_sink sink = {on_note, &notes};

/* Makes the folders above it as well. */
static inline void put(const char *path, const char *text)
{
    char *folder = str_dup(str_from(path)), *slash = strrchr(folder, '/');
    if (slash) {
        *slash = 0;
        assert_true(file_make_dirs(folder, &err));
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

static inline void put_asset(const char *path, const char *guid)
{
    put(path, "x");
    put_meta(path, guid);
}

static inline void put_folder(const char *path, const char *guid)
{
    assert_true(file_make_dirs(path, &err));
    put_meta(path, guid);
}

/* As if nothing had been touched for an hour: times of that age are relied on. */
static inline void age(void)
{
    assert_int_equal(system("find . -type d -exec touch -d '1 hour ago' {} +"), 0);
}

static inline void open_project(void)
{
    if (!project_open(&project, project_folder, &sink, &err))
        fail_msg("%s", err.text);
}

static inline int setup(void **state)
{
    (void)state;
    snprintf(project_folder, sizeof project_folder, "/tmp/multiverse_test.XXXXXX");
    notes = (struct buf){0};
    err = (struct error){0};
    project = (struct project){0};
    if (!mkdtemp(project_folder) || chdir(project_folder) != 0)
        return -1;
    return mkdir("Assets", 0755);
}

static inline int teardown(void **state)
{
    (void)state;
    char command[256];
    project_done(&project);
    buf_done(&notes);
    snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -rf %s", project_folder,
             project_folder);
    return chdir("/") != 0 || system(command) != 0;
}
