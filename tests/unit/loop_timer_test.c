#include "base/loop.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "loop_fixture.h"

TEST_FIXTURE(setup, teardown);

TEST(timers_fire_in_the_order_of_their_due_times)
{
    struct timer t[4] = {0};
    timer_start(&t[0], loop, 30, note, "d");
    timer_start(&t[1], loop, 10, note, "b");
    timer_start(&t[2], loop, 20, note, "c");
    timer_start(&t[3], loop, 0, note, "a");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "abcd");
}

TEST(timers_due_together_fire_in_the_order_they_were_started)
{
    struct timer t[26] = {0};
    static const char letters[26][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                        "j", "k", "l", "m", "n", "o", "p", "q", "r",
                                        "s", "t", "u", "v", "w", "x", "y", "z"};
    for (size_t i = 0; i < 26; i++)
        timer_start(&t[i], loop, 5, note, (void *)(uintptr_t)letters[i]);
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "abcdefghijklmnopqrstuvwxyz");
}

TEST(a_timer_does_not_fire_early)
{
    struct timer t = {0};
    uint64_t start = loop_now(loop);
    timer_start(&t, loop, 25, note, "x");
    assert_true(timer_is_running(&t));
    loop_run(loop);
    assert_false(timer_is_running(&t));
    assert_true(loop_now(loop) >= start + 25);
    CHECK_CSTR(buf_str(&seen), "x");
}

TEST(starting_a_running_timer_moves_it)
{
    struct timer t = {0}, other = {0};
    timer_start(&t, loop, 1, note, "wrong");
    timer_start(&other, loop, 10, note, "a");
    timer_start(&t, loop, 20, note, "b");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "ab");
}

TEST(a_stopped_timer_never_fires)
{
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

TEST(stopping_takes_a_zeroed_timer)
{
    struct timer t = {0};
    timer_stop(&t);
    assert_false(timer_is_running(&t));
}

static void stop_it(void *timer)
{
    note("s");
    timer_stop(timer);
}

TEST(a_callback_may_stop_a_timer_that_is_due_now)
{
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

TEST(a_timer_may_restart_itself)
{
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

TEST(a_timer_of_zero_ms_that_restarts_itself_lets_others_run)
{
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

TEST(a_timer_started_in_a_callback_waits_for_those_that_are_due)
{
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

TEST(a_timer_may_be_freed_in_its_own_callback)
{
    struct owner *o = mem_zalloc(sizeof *o);
    struct timer next = {0};
    timer_start(&o->t, loop, 1, free_owner, o);
    timer_start(&next, loop, 2, note, "n");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "fn");
}

TEST(a_timer_that_is_the_last_reason_to_run_does_not_end_the_loop_early)
{
    struct timer t[2] = {0};
    timer_start(&t[0], loop, 1, note, "a");
    timer_start(&t[1], loop, 15, note, "b");
    loop_run(loop);
    CHECK_CSTR(buf_str(&seen), "ab");
}

TEST(a_time_beyond_the_end_of_the_clock_is_never_due)
{
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

TEST(thousands_of_timers_started_moved_and_stopped_keep_their_order)
{
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
