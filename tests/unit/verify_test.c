#include "agent/verify.h"

#include <signal.h>

#include "base/utf8.h"
#include "folder_fixture.h"

static struct loop *loop;
static struct verify *verify;
static struct verify_options options;
static struct secrets secrets;
static struct timer limit, later;
static int ends;
static struct verify_end end;
static struct buf said, output;

static void on_too_long(void *ctx)
{
    (void)ctx;
    fail_msg("a test command hangs");
}

static void on_end(const struct verify_end *e, void *ctx)
{
    assert_ptr_equal(ctx, &options);
    ends++;
    end = *e;
    buf_add(&said, e->summary);
    buf_add(&output, e->output);
    timer_stop(&limit);
}

static int setup(void **state)
{
    loop = loop_new();
    timer_start(&limit, loop, test_left_ms(), on_too_long, NULL);
    ends = 0;
    options = (struct verify_options){.cwd = project_folder, .on_end = on_end, .ctx = &options};
    return enter_folder() ? 0 : -1;
}

static int teardown(void **state)
{
    timer_stop(&limit);
    loop_free(loop);
    secrets_done(&secrets);
    buf_done(&said);
    buf_done(&output);
    return leave_folder() ? 0 : -1;
}

static void run(const char *command)
{
    options.command = str_from(command);
    verify = verify_start(loop, &options);
    assert_int_equal(ends, 0);
    loop_run(loop);
    assert_int_equal(ends, 1);
}

#define STARTS(text) assert_true(str_starts(buf_str(&said), STR(text)))

TEST_FIXTURE(setup, teardown);

TEST(exit_0_is_passed)
{
    run("echo out; echo err >&2; pwd");
    assert_true(end.passed);
    assert_int_equal(end.code, 0);
    STARTS("exit 0 after ");
    assert_non_null(strstr(output.p, "out\n"));
    assert_non_null(strstr(output.p, "err\n"));
    assert_non_null(strstr(output.p, project_folder));
}

TEST(another_exit_code_is_failed)
{
    run("exit 3");
    assert_false(end.passed);
    assert_int_equal(end.code, 3);
    STARTS("exit 3 after ");
}

TEST(a_signal_is_failed)
{
    run("kill -9 $$");
    assert_false(end.passed);
    assert_int_equal(end.code, 137);
    STARTS("signal 9 after ");
}

TEST(a_missing_folder_is_failed)
{
    options.cwd = "/nowhere/at/all";
    run("exit 0");
    assert_false(end.passed);
    assert_int_equal(end.code, 127);
    STARTS("cannot run sh in /nowhere/at/all");
}

TEST(the_input_of_a_test_is_empty)
{
    run("cat; echo done");
    assert_true(end.passed);
    CHECK_CSTR(buf_str(&output), "done\n");
}

/* The grandchild holds the pipe as long as it lives, so the end of the pipe shows its end. */
TEST(the_time_limit_ends_everything_the_test_started)
{
    options.limit_ms = 200;
    run("echo before; (trap '' TERM; sleep 3600 & wait) & sleep 3600");
    assert_false(end.passed);
    assert_true(end.timed_out);
    assert_non_null(strstr(said.p, ": killed"));
    CHECK_CSTR(buf_str(&output), "before\n");
}

/* Dead, or a zombie. */
static bool is_dead(pid_t pid)
{
    char path[64], line[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return true;
    bool read = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    return !read || strstr(line, ") Z");
}

TEST(processes_left_by_the_test_are_killed)
{
    run("sleep 3600 & echo $!");
    assert_true(end.passed);
    pid_t left = atoi(output.p);
    assert_true(left > 1);
    TEST_UNTIL(is_dead(left));
}

TEST(processes_with_their_own_session_are_killed_too)
{
    run("setsid sh -c 'echo $$ > pid; exec sleep 3600' >/dev/null 2>&1 &"
        " while ! test -s pid; do sleep 0.01; done; cat pid");
    assert_true(end.passed);
    pid_t left = atoi(output.p);
    assert_true(left > 1);
    TEST_UNTIL(is_dead(left));
}

static void stop(void *ctx)
{
    (void)ctx;
    verify_stop(verify);
    assert_int_equal(ends, 0);
}

TEST(a_test_can_be_stopped)
{
    timer_start(&later, loop, 50, stop, NULL);
    run("sleep 3600");
    assert_true(end.stopped);
    assert_false(end.passed);
    STARTS("stopped after ");
}

TEST(a_second_stop_kills_at_once)
{
    options.command = STR("trap '' TERM; echo ready; while :; do sleep 3600; done");
    verify = verify_start(loop, &options);
    stop(NULL);
    stop(NULL);
    loop_run(loop);
    assert_int_equal(ends, 1);
    assert_true(end.stopped);
}

TEST(the_end_of_long_output_is_kept)
{
    run("i=0; while [ $i -lt 20000 ]; do echo \"line $i of the test \xc3\xbc\"; i=$((i+1)); done");
    assert_true(end.passed);
    assert_true(output.n <= VERIFY_KEEP);
    assert_true(output.n > VERIFY_KEEP / 2);
    assert_true(str_starts(buf_str(&output), STR("line ")));
    assert_true(str_ends(buf_str(&output), STR("line 19999 of the test \xc3\xbc\n")));
}

TEST(invalid_output_becomes_utf8)
{
    run("printf 'a\\377b'; head -c 300000 /dev/zero | tr '\\0' '\\200'");
    assert_true(utf8_is_valid(buf_str(&output)));
    assert_true(output.n <= 3 * VERIFY_KEEP);
}

TEST(secrets_in_pieces_are_masked)
{
    secrets_add(&secrets, STR("hunter2-hunter2"));
    options.secrets = &secrets;
    run("printf 'key hunter2-'; sleep 0.1; printf 'hunter2 end'; printf hunter2-hunter2 >&2");
    assert_null(strstr(output.p, "hunter2"));
    assert_non_null(strstr(output.p, "key ****"));
}
