#include "editor/test_run.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "test.h"

#define CASE(name, result, more)                                                                   \
    "<test-case id=\"1\" name=\"" name "\" fullname=\"G." name "\" result=\"" result               \
    "\" duration=\"0.5\">" more "</test-case>"
#define RUN(cases, counts)                                                                         \
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<test-run id=\"2\" " counts                       \
    " duration=\"1.5\"><test-suite type=\"Assembly\">" cases "</test-suite></test-run>\n"
#define FAILED                                                                                     \
    CASE("B", "Failed",                                                                            \
         "<failure><message><![CDATA[no]]></message><stack-trace><![CDATA[at B]]></stack-trace>"   \
         "</failure>")
#define TWO                                                                                        \
    RUN(CASE("A", "Passed", "") FAILED,                                                            \
        "testcasecount=\"2\" result=\"Failed\" total=\"2\" passed=\"1\" failed=\"1\" "             \
        "inconclusive=\"0\" skipped=\"0\"")
#define NONE                                                                                       \
    RUN("", "testcasecount=\"0\" result=\"Passed\" total=\"0\" passed=\"0\" failed=\"0\" "         \
            "inconclusive=\"0\" skipped=\"0\"")

static char folder[64];
static struct loop *loop;
static struct test_run *run;
static struct editor_error failure;
static struct {
    bool ended;
    enum test_end how;
    struct buf result, error, details, progress;
    bool cancel_at_progress;
} seen;

static int setup(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/test_run_test.XXXXXX");
    memset(&seen, 0, sizeof seen);
    loop = loop_new();
    return !mkdtemp(folder) || chdir(folder) != 0 || setenv("TMPDIR", folder, 1) != 0;
}

static int teardown(void **state)
{
    char command[128];
    loop_free(loop);
    buf_done(&seen.result);
    buf_done(&seen.error);
    buf_done(&seen.details);
    buf_done(&seen.progress);
    editor_error_done(&failure);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

static void on_progress(const struct test_progress *p, void *ctx)
{
    (void)ctx;
    buf_printf(&seen.progress, "%llu/%llu %.*s\n", (unsigned long long)p->done,
               (unsigned long long)p->total, STR_ARG(p->current));
    if (seen.cancel_at_progress)
        test_run_cancel(run);
}

static void on_end(enum test_end how, struct str result, const struct editor_error *err, void *ctx)
{
    (void)ctx;
    assert_false(seen.ended);
    seen.ended = true;
    seen.how = how;
    buf_add(&seen.result, result);
    if (how == TEST_FAILED || how == TEST_TIMED_OUT) {
        buf_printf(&seen.error, "%s: %s", err->code, err->text);
        buf_add(&seen.details, buf_str(&err->details));
        assert_true(err->was_executed);
    }
    loop_stop(loop);
}

/* A script of the shell in place of Unity: $1 the results, $2 the platform. */
static bool start(const char *script, enum test_mode mode, uint64_t timeout_ms)
{
    const char *const argv[] = {"sh", "-c", script, "runner", "{results}", "{platform}", NULL};
    struct test_run_options o = {
        .plan = {.project = folder, .command = argv},
        .mode = mode,
        .timeout_ms = timeout_ms,
        .on_progress = on_progress,
        .on_end = on_end,
    };
    run = test_run_start(loop, &o, &failure);
    return run != NULL;
}

/* The folder of the run and its files are removed. */
static void check_clean(void)
{
    assert_int_equal(system("! ls -d multiverse-tests-* 2>/dev/null"), 0);
}

static void finish(const char *script, enum test_mode mode, uint64_t timeout_ms)
{
    if (!start(script, mode, timeout_ms))
        fail_msg("%s", failure.text);
    assert_false(seen.ended);
    loop_run(loop);
    assert_true(seen.ended);
    check_clean();
}

static bool is_in(const struct buf *b, const char *part)
{
    return str_find(buf_str(b), str_from(part)) < b->n;
}

TEST_FIXTURE(setup, teardown);

TEST(results_decide_and_not_the_exit_code)
{
    assert_true(file_replace("two.xml", STR(TWO), 0644, NULL));
    finish("cp two.xml \"$1\"; exit 2", TEST_EDIT, 0); /* Unity's exit code if some tests failed */
    assert_int_equal(seen.how, TEST_SUCCEEDED);
    CHECK_CSTR(buf_str(&seen.result),
               "{\"summary\":{\"total\":2,\"passed\":1,\"failed\":1,\"skipped\":0,"
               "\"inconclusive\":0,\"duration_ms\":1500},\"failed_tests\":[{\"name\":\"G.B\","
               "\"message\":\"no\",\"stack_trace\":\"at B\",\"duration_ms\":500}],"
               "\"skipped_tests\":[],\"truncated\":false}");
}

TEST(durations_are_rounded_to_microseconds)
{
    static const char odd[] =
        "<test-run><test-case name=\"A\" result=\"Failed\" duration=\"0.0244\"/>"
        "<test-case name=\"B\" result=\"Passed\" duration=\"0.0000017\"/>"
        "<test-case name=\"C\" result=\"Passed\" duration=\"0.1\"/></test-run>";
    assert_true(file_replace("odd.xml", str_from(odd), 0644, NULL));
    finish("cp odd.xml \"$1\"", TEST_EDIT, 0);
    assert_true(is_in(&seen.result, "\"duration_ms\":124.402}"));
    assert_true(is_in(&seen.result, "\"duration_ms\":24.4}"));
}

TEST(mode_all_runs_edit_mode_then_play_mode)
{
    struct buf ran = {0};
    assert_true(file_replace("two.xml", STR(TWO), 0644, NULL));
    finish("echo $2 >>ran; cp two.xml \"$1\"", TEST_ALL, 0);
    assert_int_equal(seen.how, TEST_SUCCEEDED);
    assert_true(is_in(&seen.result, "\"total\":4,\"passed\":2,\"failed\":2"));
    assert_true(file_read("ran", 100, &ran, NULL));
    CHECK_CSTR(buf_str(&ran), "EditMode\nPlayMode\n");
    buf_done(&ran);
}

TEST(mode_play_runs_play_mode_only)
{
    assert_true(file_replace("two.xml", STR(TWO), 0644, NULL));
    finish("test $2 = PlayMode && cp two.xml \"$1\"", TEST_PLAY, 0);
    assert_int_equal(seen.how, TEST_SUCCEEDED);
}

TEST(run_without_results_has_the_end_of_its_output)
{
    finish("echo it is broken >&2; exit 7", TEST_ALL, 0);
    assert_int_equal(seen.how, TEST_FAILED);
    assert_true(
        is_in(&seen.error, "ERR_TEST_RUN_FAILED: the EditMode tests ended with exit code 7"));
    assert_true(is_in(&seen.details, "it is broken"));
}

TEST(unreadable_results_are_reported)
{
    finish("echo hello >\"$1\"", TEST_EDIT, 0);
    assert_int_equal(seen.how, TEST_FAILED);
    assert_true(is_in(&seen.error, "ERR_TEST_RUN_FAILED"));
}

TEST(run_without_tests_fails)
{
    assert_true(file_replace("none.xml", STR(NONE), 0644, NULL));
    finish("cp none.xml \"$1\"", TEST_EDIT, 0);
    assert_int_equal(seen.how, TEST_FAILED);
    assert_true(is_in(&seen.error, "ERR_NO_TESTS: no test was found"));
}

TEST(missing_program_is_refused_at_once)
{
    const char *const argv[] = {"/nowhere/runner", NULL};
    struct test_run_options o = {.plan = {.project = folder, .command = argv}, .on_end = on_end};
    assert_null(test_run_start(loop, &o, &failure));
    CHECK_CSTR(str_from(failure.code), "ERR_NO_TEST_RUNNER");
    assert_non_null(strstr(failure.text, "/nowhere/runner"));
    check_clean();
}

TEST(progress_is_read_from_the_output)
{
    seen.cancel_at_progress = true;
    finish("printf '[1/3] G.First\\n'; exec sleep 600", TEST_EDIT, 0);
    assert_int_equal(seen.how, TEST_CANCELLED);
    CHECK_CSTR(buf_str(&seen.progress), "1/3 G.First\n");
}

/* The shell's child outlives it and ignores all signals but SIGKILL. All processes hold the writing
 * end of a pipe, so this test ends only if all of them end. */
TEST(cancel_ends_all_processes)
{
    char c;
    assert_int_equal(mkfifo("alive", 0600), 0);
    int fd = open("alive", O_RDONLY | O_NONBLOCK);
    assert_true(fd >= 0);
    seen.cancel_at_progress = true;
    finish("exec 8>alive; trap '' TERM; (trap '' TERM; sleep 600) & echo started; wait", TEST_ALL,
           0);
    assert_int_equal(seen.how, TEST_CANCELLED);
    assert_int_equal(fcntl(fd, F_SETFL, 0), 0);
    assert_int_equal(read(fd, &c, 1), 0);
    close(fd);
}

TEST(slow_run_is_ended)
{
    finish("exec sleep 600", TEST_EDIT, 50);
    assert_int_equal(seen.how, TEST_TIMED_OUT);
    CHECK_CSTR(buf_str(&seen.error), "ERR_TEST_TIMEOUT: the tests did not end within 50 ms");
}

TEST(modes_have_names)
{
    assert_int_equal(test_run_mode(STR("edit")), TEST_EDIT);
    assert_int_equal(test_run_mode(STR("play")), TEST_PLAY);
    assert_int_equal(test_run_mode(STR("all")), TEST_ALL);
    assert_int_equal(test_run_mode(STR("")), TEST_EDIT);
}

/* ---- lines of the output */

static void check(struct test_progress *p, const char *line, uint64_t done, const char *current)
{
    assert_true(test_run_read_line(p, str_from(line)));
    assert_int_equal(p->done, done);
    CHECK_CSTR(p->current, current);
}

TEST(outcomes_are_counted)
{
    struct test_progress p = {0};
    check(&p, "  Passed MyGame.Tests.Stops [12 ms]", 1, "MyGame.Tests.Stops");
    check(&p, "Failed MyGame.Tests.Runs [< 1 ms]", 2, "MyGame.Tests.Runs");
    check(&p, "Skipped MyGame.Tests.Sleeps\r", 3, "MyGame.Tests.Sleeps");
    check(&p, "Passed 5 of 7", 3, "Passed 5 of 7"); /* a sum is not a test */
    check(&p, "Passed! everything", 3, "Passed! everything");
    assert_int_equal(p.total, 0);
}

TEST(count_in_brackets_sets_both_numbers)
{
    struct test_progress p = {0};
    check(&p, "[3/12] MyGame.Tests.Stops", 3, "MyGame.Tests.Stops");
    assert_int_equal(p.total, 12);
    check(&p, "[13/12] more than all", 3, "[13/12] more than all");
    check(&p, "[a/12] x", 3, "[a/12] x");
    check(&p, "[4/12", 3, "[4/12");
    check(&p, "[]", 3, "[]");
    check(&p, "[99999999999999999999/1] x", 3, "[99999999999999999999/1] x");
    assert_int_equal(p.total, 12);
}

TEST(other_line_becomes_the_current_one)
{
    struct test_progress p = {.done = 2, .total = 4, .current = STR("before")};
    assert_false(test_run_read_line(&p, STR(" \t")));
    assert_false(test_run_read_line(&p, (struct str){0}));
    CHECK_STR(p.current, STR("before"));
    check(&p, " Refresh: detecting if any assets need to be imported ", 2,
          "Refresh: detecting if any assets need to be imported");
}
