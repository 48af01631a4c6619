#include "base/loop.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "test.h"

/* Each test writes letters in the order in which things happen, and compares the word. */
static struct buf seen;
static struct loop *loop;

static int setup(void **state)
{
    (void)state;
    loop = loop_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    loop_free(loop);
    buf_done(&seen);
    return 0;
}

static void note(void *letter)
{
    buf_add(&seen, str_from(letter));
}

/* ---- timers */

static void timers_fire_in_the_order_of_their_due_times(void **state)
{
    (void)state;
    struct timer t[4] = {0};
    timer_start(&t[0], loop, 30, note, "d");
    timer_start(&t[1], loop, 10, note, "b");
    timer_start(&t[2], loop, 20, note, "c");
    timer_start(&t[3], loop, 0, note, "a");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "abcd");
}

static void timers_due_together_fire_in_the_order_they_were_started(void **state)
{
    (void)state;
    struct timer t[26] = {0};
    static const char letters[26][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                        "j", "k", "l", "m", "n", "o", "p", "q", "r",
                                        "s", "t", "u", "v", "w", "x", "y", "z"};
    for (size_t i = 0; i < 26; i++)
        timer_start(&t[i], loop, 5, note, (void *)(uintptr_t)letters[i]);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "abcdefghijklmnopqrstuvwxyz");
}

static void a_timer_does_not_fire_early(void **state)
{
    (void)state;
    struct timer t = {0};
    uint64_t start = loop_now(loop);
    timer_start(&t, loop, 25, note, "x");
    assert_true(timer_is_running(&t));
    loop_run(loop);
    assert_false(timer_is_running(&t));
    assert_true(loop_now(loop) >= start + 25);
    CHECK_CSTR(buf_str(&seen), "x");
}

static void starting_a_running_timer_moves_it(void **state)
{
    (void)state;
    struct timer t = {0}, other = {0};
    timer_start(&t, loop, 1, note, "wrong");
    timer_start(&other, loop, 10, note, "a");
    timer_start(&t, loop, 20, note, "b");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "ab");
}

static void a_stopped_timer_never_fires(void **state)
{
    (void)state;
    struct timer t[3] = {0};
    timer_start(&t[0], loop, 1, note, "wrong");
    timer_start(&t[1], loop, 2, note, "a");
    timer_start(&t[2], loop, 3, note, "wrong");
    timer_stop(&t[0]);
    timer_stop(&t[2]);
    timer_stop(&t[2]);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "a");
}

static void stopping_takes_a_zeroed_timer(void **state)
{
    (void)state;
    struct timer t = {0};
    timer_stop(&t);
    assert_false(timer_is_running(&t));
}

static void stop_it(void *timer)
{
    note("s");
    timer_stop(timer);
}

static void a_callback_may_stop_a_timer_that_is_due_now(void **state)
{
    (void)state;
    struct timer t[3] = {0};
    timer_start(&t[0], loop, 1, stop_it, &t[1]);
    timer_start(&t[1], loop, 1, note, "wrong");
    timer_start(&t[2], loop, 1, note, "z");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "sz");
}

static struct timer again;
static int left;

static void restart(void *ctx)
{
    note("r");
    if (--left > 0)
        timer_start(&again, loop, 0, restart, ctx);
}

static void a_timer_may_restart_itself(void **state)
{
    (void)state;
    left = 4;
    timer_start(&again, loop, 0, restart, NULL);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "rrrr");
}

static bool work_came_back;

static void restart_until_work(void *ctx)
{
    if (!work_came_back)
        timer_start(&again, loop, 0, restart_until_work, ctx);
}

static void no_work(void *ctx)
{
    (void)ctx;
}

static void work_done(void *ctx)
{
    (void)ctx;
    work_came_back = true;
}

static void a_timer_of_zero_ms_that_restarts_itself_lets_others_run(void **state)
{
    (void)state;
    work_came_back = false;
    timer_start(&again, loop, 0, restart_until_work, NULL);
    loop_work(loop, no_work, work_done, NULL);
    loop_run(loop);
    assert_true(work_came_back);
}

static void start_zero(void *timer)
{
    note("a");
    timer_start(timer, loop, 0, note, "c");
}

static void a_timer_started_in_a_callback_waits_for_those_that_are_due(void **state)
{
    (void)state;
    struct timer t[2] = {0}, late = {0};
    timer_start(&t[0], loop, 1, start_zero, &late);
    timer_start(&t[1], loop, 1, note, "b");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "abc");
}

struct owner {
    struct timer t;
};

static void free_owner(void *ctx)
{
    struct owner *o = ctx;
    timer_stop(&o->t);
    free(o);
    note("f");
}

static void a_timer_may_be_freed_in_its_own_callback(void **state)
{
    (void)state;
    struct owner *o = mem_zalloc(sizeof *o);
    struct timer next = {0};
    timer_start(&o->t, loop, 1, free_owner, o);
    timer_start(&next, loop, 2, note, "n");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "fn");
}

static void a_timer_that_is_the_last_reason_to_run_does_not_end_the_loop_early(void **state)
{
    (void)state;
    struct timer t[2] = {0};
    timer_start(&t[0], loop, 1, note, "a");
    timer_start(&t[1], loop, 15, note, "b");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "ab");
}

static void a_time_beyond_the_end_of_the_clock_is_never_due(void **state)
{
    (void)state;
    struct timer never = {0}, soon = {0};
    timer_start(&never, loop, UINT64_MAX, note, "wrong");
    timer_start(&soon, loop, 1, stop_it, &never);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "s");
}

#define MANY 5000u

struct many {
    struct timer t;
    uint64_t due;
    bool stopped;
};

static struct many *many;
static size_t fired;
static uint64_t last_due;

static void on_many(void *ctx)
{
    struct many *m = ctx;
    assert_false(m->stopped);
    assert_true(m->due >= last_due);
    assert_true(loop_now(loop) >= m->due);
    last_due = m->due;
    fired++;
}

static void thousands_of_timers_started_moved_and_stopped_keep_their_order(void **state)
{
    (void)state;
    struct rng r;
    size_t stopped = 0;
    rng_seed(&r, 7);
    many = mem_zalloc(MANY * sizeof *many);
    fired = 0;
    last_due = 0;
    for (size_t i = 0; i < 3 * MANY; i++) {
        struct many *m = &many[i % MANY];
        uint64_t ms = rng_below(&r, 60);
        m->due = loop_now(loop) + ms;
        m->stopped = false;
        timer_start(&m->t, loop, ms, on_many, m);
        if (rng_below(&r, 3) == 0) {
            struct many *gone = &many[rng_below(&r, MANY)];
            timer_stop(&gone->t);
            gone->stopped = true;
        }
    }
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(timer_is_running(&many[i].t), !many[i].stopped);
        stopped += many[i].stopped;
    }
    loop_run(loop);
    assert_int_equal(fired, MANY - stopped);
    assert_true(stopped > 0);
    free(many);
}

/* ---- deferred functions */

static void deferred_functions_run_in_the_order_of_the_calls(void **state)
{
    (void)state;
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
    for (int i = 0; i < 100; i++) /* makes the array grow under the one that runs */
        loop_defer(loop, note, "x");
}

static void what_a_deferred_function_defers_runs_in_the_same_round(void **state)
{
    (void)state;
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

static void what_a_timer_defers_runs_before_the_next_wait(void **state)
{
    (void)state;
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

static void what_the_last_callback_defers_may_start_new_things(void **state)
{
    (void)state;
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
static void what_a_closed_handle_defers_may_start_new_things(void **state)
{
    (void)state;
    uv_idle_t idle;
    uv_idle_init(loop_uv(loop), &idle);
    uv_close((uv_handle_t *)&idle, on_closed);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "csl");
}

static void a_deferred_function_before_the_run_may_start_the_first_thing(void **state)
{
    (void)state;
    loop_defer(loop, start_late_timer, NULL);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "sl");
}

/* ---- run and stop */

static void a_loop_with_nothing_to_wait_for_returns(void **state)
{
    (void)state;
    loop_run(loop);
    loop_run(loop);
}

static void stop_loop(void *ctx)
{
    (void)ctx;
    note("s");
    loop_stop(loop);
}

static void a_stopped_loop_can_be_run_again(void **state)
{
    (void)state;
    struct timer t[2] = {0};
    timer_start(&t[0], loop, 1, stop_loop, NULL);
    timer_start(&t[1], loop, 20, note, "b");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "s");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "sb");
}

static void a_stop_before_the_run_ends_that_run_only(void **state)
{
    (void)state;
    struct timer t = {0};
    timer_start(&t, loop, 1, note, "a");
    loop_stop(loop);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "a");
}

static void a_stop_in_the_last_deferred_function_does_not_end_the_next_run(void **state)
{
    (void)state;
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

static void a_stopped_loop_has_run_what_was_deferred(void **state)
{
    (void)state;
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

static void all_callbacks_of_a_turn_see_the_same_time(void **state)
{
    (void)state;
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

static void a_signal_calls_its_function_in_the_loop_each_time(void **state)
{
    (void)state;
    struct timer raiser = {0}, end = {0};
    loop_on_signal(loop, SIGUSR1, on_usr1, "u");
    for (int i = 0; i < 2; i++) {
        timer_start(&raiser, loop, 0, raise_it, NULL);
        timer_start(&end, loop, 20000, note, "never came");
        loop_run(loop);
    }
    timer_stop(&end);
    CHECK_CSTR(buf_str(&seen), "uu");
}

static void two_functions_may_wait_for_one_signal(void **state)
{
    (void)state;
    struct timer raiser = {0}, end = {0};
    loop_on_signal(loop, SIGUSR1, note, "a");
    loop_on_signal(loop, SIGUSR1, on_usr1, "a");
    timer_start(&raiser, loop, 0, raise_it, NULL);
    timer_start(&end, loop, 20000, note, "never came");
    loop_run(loop);
    timer_stop(&end);
    CHECK_CSTR(buf_str(&seen), "aa");
}

static void waiting_for_a_signal_keeps_no_loop_running(void **state)
{
    (void)state;
    loop_on_signal(loop, SIGUSR1, note, "u");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "");
}

static void a_broken_pipe_does_not_end_the_process(void **state)
{
    (void)state;
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

static void work_runs_on_another_thread_and_comes_back_to_the_loop(void **state)
{
    (void)state;
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

static void freeing_a_loop_finishes_work_and_deferred_functions_but_no_timers(void **state)
{
    (void)state;
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

static void freeing_no_loop_is_fine(void **state)
{
    (void)state;
    loop_free(NULL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(timers_fire_in_the_order_of_their_due_times),
        TEST(timers_due_together_fire_in_the_order_they_were_started),
        TEST(a_timer_does_not_fire_early),
        TEST(starting_a_running_timer_moves_it),
        TEST(a_stopped_timer_never_fires),
        TEST(stopping_takes_a_zeroed_timer),
        TEST(a_callback_may_stop_a_timer_that_is_due_now),
        TEST(a_timer_may_restart_itself),
        TEST(a_timer_of_zero_ms_that_restarts_itself_lets_others_run),
        TEST(a_timer_started_in_a_callback_waits_for_those_that_are_due),
        TEST(a_timer_may_be_freed_in_its_own_callback),
        TEST(a_timer_that_is_the_last_reason_to_run_does_not_end_the_loop_early),
        TEST(a_time_beyond_the_end_of_the_clock_is_never_due),
        TEST(thousands_of_timers_started_moved_and_stopped_keep_their_order),
        TEST(deferred_functions_run_in_the_order_of_the_calls),
        TEST(what_a_deferred_function_defers_runs_in_the_same_round),
        TEST(what_a_timer_defers_runs_before_the_next_wait),
        TEST(what_the_last_callback_defers_may_start_new_things),
        TEST(what_a_closed_handle_defers_may_start_new_things),
        TEST(a_deferred_function_before_the_run_may_start_the_first_thing),
        TEST(a_loop_with_nothing_to_wait_for_returns),
        TEST(a_stopped_loop_can_be_run_again),
        TEST(a_stop_before_the_run_ends_that_run_only),
        TEST(a_stop_in_the_last_deferred_function_does_not_end_the_next_run),
        TEST(a_stopped_loop_has_run_what_was_deferred),
        TEST(all_callbacks_of_a_turn_see_the_same_time),
        TEST(a_signal_calls_its_function_in_the_loop_each_time),
        TEST(two_functions_may_wait_for_one_signal),
        TEST(waiting_for_a_signal_keeps_no_loop_running),
        TEST(a_broken_pipe_does_not_end_the_process),
        TEST(work_runs_on_another_thread_and_comes_back_to_the_loop),
        TEST(freeing_a_loop_finishes_work_and_deferred_functions_but_no_timers),
        TEST(freeing_no_loop_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
