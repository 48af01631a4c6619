/* Each test has a Unity project in its own folder, which is the current folder, and the diagnostics
 * for it. */
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/error.h"
#include "folder_fixture.h"
#include "unity/project.h"

static struct project project;
static struct buf notes; /* "file:line text\n" each */
static struct error err;

static inline void on_note(const struct diagnostic *n, void *ctx)
{
    buf_printf(ctx, "%.*s:%u %.*s\n", STR_ARG(n->file), n->line, STR_ARG(n->text));
}

static const struct diagnostic_sink sink = {on_note, &notes};

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

/* Set all times an hour back, so that they are reliable. */
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
    notes = (struct buf){0};
    err = (struct error){0};
    project = (struct project){0};
    if (!enter_folder())
        return -1;
    return mkdir("Assets", 0755);
}

static inline int teardown(void **state)
{
    project_done(&project);
    buf_done(&notes);
    return !leave_folder();
}
