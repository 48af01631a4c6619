#include "store/store_thread.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "store_url.h"

static const char *const steps[] = {"CREATE TABLE number (id BIGINT PRIMARY KEY, value BIGINT)"};
static const struct store_schema schema = {
    .name = "lanes",
    .mark = 0x6c616e65,
    .steps = steps,
    .version = 1,
    .check = "SELECT 1 WHERE NOT EXISTS (SELECT id, value FROM number WHERE 1 = 0)",
};

static struct loop *loop;
static struct store_thread *thread;
static struct buf seen; /* the events, in their order */
static char url[4096];
static struct error err;
static const char *stop_at; /* the loop stops when `seen` ends with it */
static struct timer guard;
static bool is_late;
static enum store_failure failure_seen;

/* ---- events */

static void say(const char *what)
{
    buf_add(&seen, str_from(what));
    buf_add_char(&seen, ' ');
    if (stop_at && str_ends(buf_str(&seen), str_from(stop_at)))
        loop_stop(loop);
}

static void on_late(void *ctx)
{
    (void)ctx;
    is_late = true;
    loop_stop(loop);
}

/* Run the loop until `text` was seen. */
static void wait_for(const char *last)
{
    stop_at = last;
    timer_start(&guard, loop, test_left_ms(), on_late, NULL);
    if (!str_ends(buf_str(&seen), str_from(last)))
        loop_run(loop);
    timer_stop(&guard);
    if (is_late)
        fail_msg("seen only: %s", seen.p ? seen.p : "");
    stop_at = NULL;
}

static bool was_seen(const char *what)
{
    return str_find(buf_str(&seen), str_from(what)) < seen.n;
}

/* In any order, because they may arrive one by one. */
static void wait_for_both(void)
{
    while (!was_seen("work ") || !was_seen("control "))
        wait_for(was_seen("work ") ? "control " : "work ");
}

static void check_seen(const char *want)
{
    CHECK_CSTR(buf_str(&seen), want);
    buf_clear(&seen);
}

static void on_notify(const char *channel, void *ctx)
{
    assert_ptr_equal(ctx, &thread);
    say(channel);
}

static void on_failure(const struct error *e, enum store_failure failure, void *ctx)
{
    assert_ptr_equal(ctx, &thread);
    if (e)
        assert_true(e->text[0] && failure != STORE_OK);
    say(!e ? "back" : failure == STORE_UNAVAILABLE ? "gone" : "useless");
}

static void on_done(bool ok, const struct error *e, void *ctx)
{
    assert_true(ok == !e);
    if (e)
        err = *e;
    if (e)
        failure_seen = store_thread_last_failure(thread);
    say(ok ? ctx : "failed");
}

static void on_closed(void *ctx)
{
    assert_ptr_equal(ctx, &thread);
    thread = NULL;
    say("closed");
}

static struct store_thread_options thread_settings(void)
{
    return (struct store_thread_options){.store = {.url = url, .schema = &schema},
                                         .channels = {"work", "control"},
                                         .on_notify = on_notify,
                                         .on_failure = on_failure,
                                         .ctx = &thread};
}

static void open_thread(void)
{
    struct store_thread_options o = thread_settings();
    thread = store_thread_open(loop, &o);
    check_seen("");
    wait_for("work control ");
    check_seen("work control ");
}

static int setup(void **state)
{
    err = (struct error){0};
    is_late = false;
    loop = loop_new();
    test_store_begin(url, "lanes.db");
    return 0;
}

static int teardown(void **state)
{
    if (thread) {
        store_thread_close(thread, on_closed, &thread);
        wait_for("closed ");
    }
    loop_free(loop);
    buf_done(&seen);
    test_store_end();
    return 0;
}

/* ---- works */

static bool add_one(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    return store_do(s,
                    &(struct store_statement){
                        .sql = "INSERT INTO number VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET"
                               " value = number.value + 1"},
                    NULL, e);
}

static bool say_no(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    return add_one(s, NULL, e) && error_set(e, ERR_LIMIT, "not today");
}

static bool tell_work(struct store *s, void *ctx, struct error *e)
{
    return add_one(s, ctx, e) && store_notify(s, "work", e) && store_notify(s, "work", e);
}

static bool tell_both(struct store *s, void *ctx, struct error *e)
{
    return add_one(s, ctx, e) && store_notify(s, "control", e) && store_notify(s, "work", e);
}

static bool tell_and_fail(struct store *s, void *ctx, struct error *e)
{
    return tell_both(s, ctx, e) && error_set(e, ERR_LIMIT, "not today");
}

static bool get_value(struct store *s, void *ctx, struct error *e)
{
    return store_query_int(s, &(struct store_statement){.sql = "SELECT value FROM number"}, ctx, e);
}

static struct store *open_other(void)
{
    struct store *s =
        store_open(&(struct store_options){.url = url, .schema = &schema}, NULL, &err);
    if (!s)
        fail_msg("%s", err.text);
    return s;
}

static void run_other(enum store_mode mode, store_fn *work, void *ctx)
{
    struct store *s = open_other();
    if (!store_run(s, mode, work, ctx, &err))
        fail_msg("%s", err.text);
    store_close(s);
}

/* ---- jobs */

TEST_FIXTURE(setup, teardown);

TEST(jobs_run_in_the_order_they_were_given)
{
    struct store_thread_options o = thread_settings();
    o.channels[0] = NULL;
    thread = store_thread_open(loop, &o); /* also before the store is open */
    store_thread_run(thread, STORE_WRITE, add_one, on_done, "a");
    store_thread_run(thread, STORE_ROWS, add_one, on_done, "b");
    store_thread_run(thread, STORE_READ, get_value, on_done, &(int64_t){0});
    store_thread_run(thread, STORE_WRITE, add_one, on_done, "d");
    buf_clear(&seen);
    wait_for(" d ");
    assert_true(str_starts(buf_str(&seen), STR("a b ")));
    int64_t value = 0;
    run_other(STORE_READ, get_value, &value);
    assert_int_equal(value, 3);
    buf_clear(&seen);
}

TEST(a_job_that_returns_false_fails_and_leaves_no_trace)
{
    open_thread();
    store_thread_run(thread, STORE_WRITE, say_no, on_done, "x");
    store_thread_run(thread, STORE_WRITE, add_one, on_done, "b");
    wait_for("b ");
    check_seen("failed b ");
    assert_int_equal(failure_seen, STORE_REFUSED);
    assert_string_equal(err.text, "not today");
    int64_t value = 0;
    run_other(STORE_READ, get_value, &value);
    assert_int_equal(value, 1);
    assert_false(store_thread_is_unavailable(thread));
}

static void on_done_once_more(bool ok, const struct error *e, void *ctx)
{
    on_done(ok, e, ctx);
    store_thread_run(thread, STORE_WRITE, add_one, on_done, "second");
}

TEST(a_done_callback_may_give_the_next_job)
{
    open_thread();
    store_thread_run(thread, STORE_WRITE, add_one, on_done_once_more, "first");
    wait_for("second ");
    check_seen("first second ");
}

/* ---- notifications */

TEST(notifications_of_others_come_by_channel)
{
    open_thread();
    run_other(STORE_WRITE, tell_work, NULL);
    wait_for("work ");
    check_seen("work ");
    run_other(STORE_ROWS, tell_both, NULL);
    wait_for_both();
    buf_clear(&seen);
}

TEST(without_a_commit_there_is_no_notification)
{
    open_thread();
    struct store *s = open_other();
    assert_false(store_run(s, STORE_WRITE, tell_and_fail, NULL, &err));
    assert_true(store_run(s, STORE_WRITE, add_one, NULL, &err)); /* it does not stay for the next */
    assert_true(store_run(s, STORE_WRITE, tell_work, NULL, &err));
    store_close(s);
    wait_for("work ");
    check_seen("work ");
}

TEST(own_notifications_come_too)
{
    open_thread();
    store_thread_run(thread, STORE_WRITE, tell_work, on_done, "a");
    wait_for("work ");
    check_seen("a work ");
}

TEST(notifications_during_a_job_are_not_lost)
{
    open_thread();
    for (int i = 0; i < 20; i++) {
        store_thread_run(thread, STORE_WRITE, add_one, on_done, "a");
        run_other(STORE_WRITE, tell_work, NULL);
        while (!was_seen("work ") || !was_seen("a "))
            wait_for(was_seen("work ") ? "a " : "work ");
        buf_clear(&seen);
    }
}

TEST(without_channels_there_are_no_notifications)
{
    struct store_thread_options o = thread_settings();
    o.channels[0] = NULL;
    thread = store_thread_open(loop, &o);
    store_thread_run(thread, STORE_WRITE, tell_both, on_done, "a");
    store_thread_run(thread, STORE_WRITE, tell_both, on_done, "b");
    wait_for("b ");
    check_seen("a b ");
}

/* ---- files */

TEST(removed_files_of_channels_are_created_again)
{
    if (test_store_is_server())
        skip();
    open_thread();
    assert_int_equal(remove("lanes.db.work"), 0);
    wait_for("work control ");
    check_seen("work control ");
    run_other(STORE_WRITE, tell_work, NULL);
    wait_for("work ");
    check_seen("work ");
}

/* The name of the channel's file is too long, so it cannot be watched. */
TEST(without_a_watch_notifications_come_from_time_to_time)
{
    if (test_store_is_server())
        skip();
    memset(url, 'x', 247);
    url[247] = 0;
    struct store_thread_options o = thread_settings();
    o.channels[1] = "averylongchannel";
    thread = store_thread_open(loop, &o);
    wait_for("work averylongchannel ");
    check_seen("work averylongchannel ");
    wait_for("work averylongchannel ");
    check_seen("work averylongchannel ");
}

/* ---- outages */

struct held {
    const char *until;
};

static bool run_the_loop(struct store *s, void *ctx, struct error *e)
{
    const struct held *h = ctx;
    int64_t value;
    /* the rows show that the commit has succeeded */
    if (!add_one(s, NULL, e) || !get_value(s, &value, e))
        return false;
    wait_for(h->until);
    return true;
}

static void open_impatient_thread(void)
{
    struct store_thread_options o = thread_settings();
    o.store.wait_ms = 30;
    thread = store_thread_open(loop, &o);
    wait_for("work control ");
    buf_clear(&seen);
}

/* Another process holds the store for longer than the thread waits. */
TEST(a_job_is_retried_while_the_store_is_unavailable)
{
    open_impatient_thread();
    store_thread_run(thread, STORE_WRITE, add_one, on_done, "a");
    store_thread_run(thread, STORE_WRITE, add_one, on_done, "b");
    run_other(STORE_WRITE, run_the_loop, &(struct held){"gone "});
    assert_true(store_thread_is_unavailable(thread));
    wait_for("b ");
    check_seen("gone back a work control b ");
    assert_false(store_thread_is_unavailable(thread));
    int64_t value = 0;
    run_other(STORE_READ, get_value, &value);
    assert_int_equal(value, 3);
}

TEST(a_thread_closed_in_an_outage_fails_its_jobs)
{
    open_impatient_thread();
    store_thread_run(thread, STORE_WRITE, add_one, on_done, "a");
    store_thread_run(thread, STORE_WRITE, add_one, on_done, "b");
    struct store *s = open_other();
    assert_true(store_run(s, STORE_WRITE, run_the_loop, &(struct held){"gone "}, &err));
    store_thread_close(thread, on_closed, &thread);
    wait_for("closed ");
    check_seen("gone failed failed closed ");
    assert_int_equal(failure_seen, STORE_UNAVAILABLE);
    assert_int_equal(err.code, ERR_IN_USE);
    store_close(s);
}

TEST(a_closing_thread_runs_its_jobs)
{
    open_thread();
    store_thread_run(thread, STORE_WRITE, tell_both, on_done, "a");
    store_thread_run(thread, STORE_WRITE, tell_both, on_done, "b");
    store_thread_close(thread, on_closed, &thread);
    wait_for("closed ");
    check_seen("a b closed ");
    int64_t value = 0;
    run_other(STORE_READ, get_value, &value);
    assert_int_equal(value, 2);
}

TEST(a_thread_may_be_closed_before_it_is_open)
{
    struct store_thread_options o = thread_settings();
    thread = store_thread_open(loop, &o);
    store_thread_close(thread, on_closed, &thread);
    wait_for("closed ");
    check_seen("closed ");
    thread = store_thread_open(loop, &o);
    store_thread_close(thread, NULL, NULL);
    loop_run(loop);
    thread = NULL;
    check_seen("");
}

static void on_word_close(const char *channel, void *ctx)
{
    on_notify(channel, ctx);
    store_thread_close(thread, on_closed, &thread);
}

TEST(a_thread_may_be_closed_in_its_own_callback)
{
    struct store_thread_options o = thread_settings();
    o.on_notify = on_word_close;
    thread = store_thread_open(loop, &o);
    wait_for("closed ");
    check_seen("work closed ");
}

TEST(a_store_that_cannot_be_used_fails_every_job)
{
    if (test_store_is_server()) {
        skip();
    }
    snprintf(url, sizeof url, "folder");
    assert_int_equal(mkdir("folder", 0700), 0);
    struct store_thread_options o = thread_settings();
    thread = store_thread_open(loop, &o);
    store_thread_run(thread, STORE_WRITE, add_one, on_done, "a");
    wait_for("failed ");
    check_seen("useless failed ");
    store_thread_run(thread, STORE_WRITE, add_one, on_done, "a");
    check_seen("");
    wait_for("failed ");
    check_seen("failed ");
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_false(store_thread_is_unavailable(thread));
}
