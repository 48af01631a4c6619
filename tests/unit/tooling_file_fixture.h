/* A folder for each test, with a tooling.json in it. */
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "test.h"
#include "tooling/tooling_file.h"

#define PROFILE(id)                                                                                \
    "{ \"id\": \"" id                                                                              \
    "\", \"categories\": { \"meta\": { \"candidates\": [{ \"tool\": \"mock\" }] } } }"
#define GOOD   "{ \"profiles\": [" PROFILE("a") ", " PROFILE("b") "] }\n"
#define OTHER  "{ \"activeProfile\": \"b\", \"profiles\": [" PROFILE("a") ", " PROFILE("b") "] }\n"
#define BAD    "{ \"activeProfile\": \"c\", \"profiles\": [" PROFILE("a") "] }\n"
#define BROKEN "{ \"profiles\": [,] }\n"

/* Every test works in its own folder. */
static char folder[64];
static struct error err;
static struct tooling_file *f;

static inline int setup(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/tooling_file_test.XXXXXX");
    err = (struct error){0};
    f = NULL;
    umask(022);
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int teardown(void **state)
{
    char command[128];
    tooling_file_close(f);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

static inline void put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
}

static inline void check_file(const char *path, const char *want)
{
    struct buf text = {0};
    if (!file_read(path, 1 << 20, &text, &err))
        fail_msg("%s", err.text);
    CHECK_CSTR(buf_str(&text), want);
    buf_done(&text);
}

static inline mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static inline void open_file(void)
{
    tooling_file_close(f);
    f = tooling_file_open("tooling.json", &err);
    if (!f)
        fail_msg("%s", err.text);
}

static inline void open_with(const char *text)
{
    put("tooling.json", text);
    open_file();
}

static inline void check_active(const char *want)
{
    CHECK_CSTR(tooling_file_current(f)->active->id, want);
}

static inline void must(bool ok)
{
    if (!ok)
        fail_msg("%s", err.text);
}
