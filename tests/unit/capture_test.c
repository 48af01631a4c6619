#include "process/capture.h"

#include <signal.h>
#include <unistd.h>

#include "test.h"

static struct capture c;

static int teardown(void **state)
{
    capture_done(&c);
    return 0;
}

#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

static void run(const char *script)
{
    struct error err = {0};
    c.argv = ARGV("sh", "-c", script);
    if (!capture_run(&c, &err))
        fail_msg("%s", err.text);
}

TEST_FIXTURE(NULL, teardown);

TEST(output_and_exit_code_are_returned)
{
    c = (struct capture){.input = STR("in"), .cwd = "/", .env = ARGV("A=1", "PATH=/usr/bin:/bin")};
    run("cat; echo \" $A $PWD\"; echo err >&2; exit 3");
    CHECK_CSTR(buf_str(&c.out), "in 1 /\n");
    CHECK_CSTR(buf_str(&c.err), "err\n");
    assert_int_equal(c.end.code, 3);
    assert_false(c.timed_out);
}

TEST(a_missing_program_is_named)
{
    struct error err = {0};
    c = (struct capture){.argv = ARGV("no-such-program-here")};
    assert_false(capture_run(&c, &err));
    assert_non_null(strstr(err.text, "no-such-program-here"));
}

TEST(the_time_limit_also_ends_children)
{
    c = (struct capture){.limit_ms = 100};
    run("trap '' TERM; sleep 1000 & echo $!; wait; sleep 1000");
    assert_true(c.timed_out);
    uint64_t pid;
    assert_true(str_to_u64(str_trim(buf_str(&c.out)), &pid));
    TEST_UNTIL(kill((pid_t)pid, 0) < 0);
}

TEST(output_beyond_the_maximum_is_dropped)
{
    c = (struct capture){.max = 1000};
    run("head -c 1000000 /dev/zero | tr '\\0' x; head -c 999 /dev/zero >&2");
    assert_int_equal(c.out.n, 1000);
    assert_true(c.out.overflow);
    assert_int_equal(c.err.n, 999);
    assert_false(c.err.overflow);
    assert_int_equal(c.end.code, 0);
}

TEST(a_program_can_be_killed_on_overflow)
{
    c = (struct capture){.max = 1000, .kill_on_overflow = true};
    run("yes");
    assert_int_equal(c.out.n, 1000);
    assert_int_equal(c.end.signal, SIGKILL);
}

static struct loop *outer;
static int done;

static void run_inside(void *ctx)
{
    (void)ctx;
    c = (struct capture){0};
    run("echo inside");
    done++;
}

TEST(capture_works_inside_a_callback_of_another_loop)
{
    struct timer t = {0};
    outer = loop_new();
    timer_start(&t, outer, 0, run_inside, NULL);
    loop_run(outer);
    loop_free(outer);
    assert_int_equal(done, 1);
    CHECK_CSTR(buf_str(&c.out), "inside\n");
}
