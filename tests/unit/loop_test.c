#include "base/loop.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <uv.h>

#include "loop_fixture.h"

static void no_work(void *ctx)
{
    (void)ctx;
}

/* ---- deferred functions */

TEST_FIXTURE(setup, teardown);

TEST(deferred_functions_run_in_the_order_of_the_calls)
{
    loop_defer(loop, note, "a");
    loop_defer(loop, note, "b");
    loop_defer(loop, note, "c");
    CHECK_CSTR(buf_str(&seen), "");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "abc");
}

static void defer_more(void *ctx)
{
    (void)ctx;
    note("m");
    for (int i = 0; i < 100; i++) /* grows the array while one of its functions runs */
        loop_defer(loop, note, "x");
}

TEST(a_function_deferred_by_a_deferred_function_runs_in_the_same_turn)
{
    loop_defer(loop, defer_more, NULL);
    loop_defer(loop, note, "b");
    loop_run(loop);
    assert_int_equal(seen.n, 102);
    CHECK_CSTR(str_head(buf_str(&seen), 4), "mbxx");
}

static void defer_note(void *ctx)
{
    note("t");
    loop_defer(loop, note, ctx);
}

TEST(a_function_deferred_by_a_timer_runs_before_the_next_wait)
{
    struct timer first = {0}, second = {0}, third = {0};
    timer_start(&first, loop, 1, defer_note, "d");
    timer_start(&second, loop, 1, note, "u");
    timer_start(&third, loop, 30, note, "z");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "tudz");
}

static struct timer late_timer;

static void start_late_timer(void *ctx)
{
    (void)ctx;
    note("s");
    timer_start(&late_timer, loop, 1, note, "l");
}

static void defer_start(void *ctx)
{
    note("t");
    loop_defer(loop, start_late_timer, ctx);
}

TEST(a_function_deferred_by_the_last_callback_may_start_new_work)
{
    struct timer t = {0};
    timer_start(&t, loop, 1, defer_start, NULL);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "tsl");
}

static void on_closed(uv_handle_t *handle)
{
    (void)handle;
    note("c");
    loop_defer(loop, start_late_timer, NULL);
}

/* libuv closes handles at the very end of a turn, when nothing else may be left to wait for. */
TEST(a_function_deferred_by_a_closed_handle_may_start_new_work)
{
    uv_idle_t idle;
    uv_idle_init(loop_uv(loop), &idle);
    uv_close((uv_handle_t *)&idle, on_closed);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "csl");
}

TEST(a_function_deferred_before_the_run_may_start_the_first_work)
{
    loop_defer(loop, start_late_timer, NULL);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "sl");
}

/* ---- run and stop */

TEST(a_loop_with_nothing_to_wait_for_returns)
{
    loop_run(loop);
    loop_run(loop);
}

static void stop_loop(void *ctx)
{
    (void)ctx;
    note("s");
    loop_stop(loop);
}

TEST(a_stopped_loop_can_be_run_again)
{
    struct timer t[2] = {0};
    timer_start(&t[0], loop, 1, stop_loop, NULL);
    timer_start(&t[1], loop, 3600000, note, "b");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "s");
    timer_start(&t[1], loop, 1, note, "b");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "sb");
}

TEST(a_stop_before_the_run_ends_that_run_only)
{
    struct timer t = {0};
    timer_start(&t, loop, 1, note, "a");
    loop_stop(loop);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "a");
}

TEST(a_stop_in_the_last_deferred_function_does_not_end_the_next_run)
{
    struct timer t = {0};
    loop_defer(loop, stop_loop, NULL);
    loop_run(loop);
    timer_start(&t, loop, 1, note, "a");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "sa");
}

static void stop_and_defer(void *ctx)
{
    loop_stop(loop);
    loop_defer(loop, note, ctx);
}

TEST(a_stopped_loop_has_run_all_deferred_functions)
{
    struct timer t = {0};
    timer_start(&t, loop, 0, stop_and_defer, "d");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "d");
}

static uint64_t now_in_first;

static void keep_now(void *ctx)
{
    (void)ctx;
    now_in_first = loop_now(loop);
    usleep(5000);
}

static void same_now(void *ctx)
{
    (void)ctx;
    assert_int_equal(loop_now(loop), now_in_first);
    note("=");
}

TEST(all_callbacks_of_a_turn_see_the_same_time)
{
    struct timer t[2] = {0};
    timer_start(&t[0], loop, 1, keep_now, NULL);
    timer_start(&t[1], loop, 1, same_now, NULL);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "=");
}

/* ---- signals */

static void on_usr1(void *ctx)
{
    note(ctx);
    loop_stop(loop);
}

static void raise_it(void *ctx)
{
    (void)ctx;
    kill(getpid(), SIGUSR1);
}

TEST(each_signal_calls_its_function_in_the_loop)
{
    struct timer raiser = {0}, end = {0};
    loop_on_signal(loop, SIGUSR1, on_usr1, "u");
    for (int i = 0; i < 2; i++) {
        timer_start(&raiser, loop, 0, raise_it, NULL);
        timer_start(&end, loop, test_left_ms(), note, "never came");
        loop_run(loop);
    }
    timer_stop(&end);
    CHECK_CSTR(buf_str(&seen), "uu");
}

TEST(two_functions_may_wait_for_one_signal)
{
    struct timer raiser = {0}, end = {0};
    loop_on_signal(loop, SIGUSR1, note, "a");
    loop_on_signal(loop, SIGUSR1, on_usr1, "a");
    timer_start(&raiser, loop, 0, raise_it, NULL);
    timer_start(&end, loop, test_left_ms(), note, "never came");
    loop_run(loop);
    timer_stop(&end);
    CHECK_CSTR(buf_str(&seen), "aa");
}

TEST(waiting_for_a_signal_keeps_no_loop_running)
{
    loop_on_signal(loop, SIGUSR1, note, "u");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "");
}

TEST(a_broken_pipe_does_not_end_the_process)
{
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    close(fds[0]);
    assert_int_equal(write(fds[1], "x", 1), -1);
    close(fds[1]);
}

/* ---- the pool */

struct sum {
    pthread_t loop_thread;
    uint64_t result;
    bool done;
};

static void add_up(void *ctx)
{
    struct sum *s = ctx;
    assert_false(pthread_equal(pthread_self(), s->loop_thread));
    for (uint64_t i = 1; i <= 1000; i++)
        s->result += i;
}

static void added_up(void *ctx)
{
    struct sum *s = ctx;
    assert_true(pthread_equal(pthread_self(), s->loop_thread));
    assert_int_equal(s->result, 500500);
    s->done = true;
}

TEST(work_runs_on_another_thread_and_ends_in_the_loop)
{
    struct sum sums[20] = {{0}};
    for (size_t i = 0; i < 20; i++) {
        sums[i].loop_thread = pthread_self();
        loop_work(loop, add_up, added_up, &sums[i]);
    }
    loop_run(loop);
    for (size_t i = 0; i < 20; i++)
        assert_true(sums[i].done);
}

/* ---- the end */

static struct timer orphan;

static void done_defers(void *ctx)
{
    struct loop *ending = ctx;
    note("w");
    timer_start(&orphan, ending, 0, note, "wrong");
    loop_defer(ending, note, "d");
}

/* ---- descriptors */

struct reading {
    struct loop_reader *reader;
    int fd;
    int most; /* bytes that are read before it stops */
};

static void read_one(void *ctx)
{
    struct reading *r = ctx;
    char letter[2] = "";
    ssize_t n = read(r->fd, letter, 1);
    note(n == 1 ? letter : n == 0 ? "." : "!");
    if (n == 1 && --r->most > 0)
        return;
    loop_reader_stop(r->reader);
    r->reader = NULL;
}

TEST(a_reader_is_called_while_there_is_something_to_read)
{
    int p[2] = {-1, -1};
    assert_int_equal(pipe(p), 0);
    assert_int_equal(write(p[1], "abc", 3), 3);
    struct reading r = {.fd = p[0], .most = 9};
    r.reader = loop_reader_start(loop, p[0], read_one, &r);
    close(p[1]);
    loop_run(loop); /* the end of it is something to read, too */
    CHECK_CSTR(buf_str(&seen), "abc.");
    close(p[0]);
}

TEST(a_stopped_reader_leaves_the_descriptor_alone)
{
    int p[2] = {-1, -1};
    char rest[4] = "";
    assert_int_equal(pipe(p), 0);
    assert_int_equal(write(p[1], "abc", 3), 3);
    struct reading r = {.fd = p[0], .most = 1};
    r.reader = loop_reader_start(loop, p[0], read_one, &r);
    loop_run(loop); /* it kept the loop running; now nothing does */
    CHECK_CSTR(buf_str(&seen), "a");
    assert_int_equal(read(p[0], rest, 1), 1);
    r = (struct reading){.fd = p[0], .most = 1}; /* and it may be watched again */
    r.reader = loop_reader_start(loop, p[0], read_one, &r);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "ac");
    loop_reader_stop(NULL);
    close(p[0]);
    close(p[1]);
}

TEST(freeing_a_loop_finishes_work_and_deferred_functions_but_no_timers)
{
    struct timer t = {0};
    struct loop *ending = loop_new();
    timer_start(&t, ending, 0, note, "wrong");
    loop_on_signal(ending, SIGUSR2, note, "wrong");
    loop_work(ending, no_work, done_defers, ending);
    loop_defer(ending, note, "a");
    loop_free(ending);
    CHECK_CSTR(buf_str(&seen), "awd");
    assert_false(timer_is_running(&t));
    assert_false(timer_is_running(&orphan));
    timer_stop(&t);
    timer_stop(&orphan);
}

TEST(freeing_null_does_nothing)
{
    loop_free(NULL);
}
