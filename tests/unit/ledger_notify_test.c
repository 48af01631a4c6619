/* Notifications of the ledger: for each change, and only for changes. */
#include "ledger_calls.h"
#include "store/store_thread.h"
#include "tooling/ledger_schema.h"

static struct loop *loop;
static struct store_thread *thread;
static struct timer guard;
static bool is_late;
static int words;

static void on_late(void *ctx)
{
    (void)ctx;
    is_late = true;
    loop_stop(loop);
}

static void on_notify(const char *channel, void *ctx)
{
    (void)ctx;
    assert_string_equal(channel, LEDGER_CHANNEL);
    words++;
    loop_stop(loop);
}

static void wait_for_word(void)
{
    words = 0;
    timer_start(&guard, loop, 60000, on_late, NULL);
    while (!words && !is_late)
        loop_run(loop);
    timer_stop(&guard);
    assert_false(is_late);
}

static void nothing(bool ok, const struct error *why, void *ctx)
{
    (void)ok, (void)why, (void)ctx;
    loop_stop(loop);
}

static bool no_work(struct store *s, void *ctx, struct error *why)
{
    (void)s, (void)ctx, (void)why;
    return true;
}

static int setup_thread(void **state)
{
    struct buf place = {0};
    if (setup(state))
        return -1;
    loop = loop_new();
    if (!ledger_place(ledger_where, &place, &err))
        fail_msg("%s", err.text);
    thread = store_thread_open(
        loop, &(struct store_thread_options){.store = {.url = place.p, .schema = &ledger_schema},
                                             .channels = {LEDGER_CHANNEL},
                                             .on_notify = on_notify});
    buf_done(&place);
    wait_for_word(); /* it is open */
    return 0;
}

static int teardown_thread(void **state)
{
    store_thread_close(thread, NULL, NULL);
    loop_run(loop);
    loop_free(loop);
    return teardown(state);
}

TEST_FIXTURE(setup_thread, teardown_thread);

TEST(each_change_is_notified)
{
    size_t cleared;
    struct decision *d = choose();
    wait_for_word();
    report(d, OUTCOME_SERVER);
    wait_for_word();
    now += 31 * SECOND;
    struct ledger_ask ask = ask_for("meta");
    ask.run = STR("r1");
    d = choose_as(&ask);
    assert_true(d->is_probe);
    decision_free(d);
    wait_for_word();
    assert_true(ledger_give_back(ledger_where, STR("r1"), &cleared, &err));
    assert_int_equal(cleared, 1);
    wait_for_word();
    assert_true(ledger_clear(ledger, STR(""), &cleared, &err));
    wait_for_word();
    run_one(0, OUTCOME_SERVER);
    wait_for_word();
    assert_true(ledger_clear_one(ledger, STR("mock|*|a"), &cleared, &err));
    wait_for_word();
}

/* Notifications come within moments; a job of the thread runs after the earlier ones. */
TEST(reading_is_not_notified)
{
    store_thread_run(thread, STORE_READ, no_work, nothing, NULL);
    loop_run(loop);
    words = 0;
    look();
    check_cooldowns("");
    store_thread_run(thread, STORE_READ, no_work, nothing, NULL);
    loop_run(loop);
    assert_int_equal(words, 0);
}

TEST(a_brief_ledger_does_not_wait_for_an_unavailable_server)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert_null(ledger_open_brief("postgresql://nobody@127.0.0.1:1/none", &err));
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_true(err.text[0] && to.tv_sec - from.tv_sec < 30); /* LEDGER_GONE_MS is more */
    struct ledger *l = ledger_open_brief(ledger_where, &err);
    assert_non_null(l);
    ledger_close(l);
}
