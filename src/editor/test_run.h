/* One run of a project's tests: a child process for each platform, then its results.
 *
 *     struct test_run *t = test_run_start(loop, &(struct test_run_options){...}, &err);
 *     ...                                       // on_progress now and then, on_end once
 *     test_run_cancel(t);                       // ends the process group; on_end still comes
 *
 * Edit mode tests run before play mode tests. The results are written to a private folder that is
 * removed with the run. Progress is read from the output. A run succeeds if its results can be read
 * and contain a test, whatever the exit code: failed tests are results.
 */
#pragma once

#include "base/loop.h"
#include "editor/test_command.h"

enum test_mode {
    TEST_EDIT,
    TEST_PLAY,
    TEST_ALL
};

enum test_end {
    TEST_SUCCEEDED,
    TEST_FAILED,
    TEST_TIMED_OUT,
    TEST_CANCELLED
};

struct test_progress {
    uint64_t done, total; /* total 0: not known */
    struct str current;   /* empty: no line was read yet; else a part of the last line */
};

struct test_run;
typedef void test_progress_fn(const struct test_progress *p, void *ctx);
/* result: the JSON object of run_tests (TEST_SUCCEEDED); err: the reason (TEST_FAILED,
 * TEST_TIMED_OUT). The run is freed when this returns. */
typedef void test_end_fn(enum test_end how, struct str result, const struct editor_error *err,
                         void *ctx);

struct test_run_options {
    struct test_plan plan; /* copied, with all texts */
    enum test_mode mode;
    uint64_t timeout_ms;           /* 0: none */
    test_progress_fn *on_progress; /* may be NULL; at most five calls a second */
    test_end_fn *on_end;
    void *ctx;
};

/* Return NULL with an error if nothing was started. No callback is called from inside. */
struct test_run *test_run_start(struct loop *loop, const struct test_run_options *options,
                                struct editor_error *err);
void test_run_cancel(struct test_run *t); /* a second time: kill at once, with SIGKILL */

/* Return the mode for "edit", "play" or "all"; TEST_EDIT for anything else. */
enum test_mode test_run_mode(struct str name);

/* Update the progress from one line of a test runner's output. Return false if it is empty.
 * "Passed NAME", "Failed NAME" and "Skipped NAME", as dotnet test writes them, count one each;
 * "[3/12] NAME" sets both numbers; any other line becomes the current one. */
bool test_run_read_line(struct test_progress *p, struct str line);
