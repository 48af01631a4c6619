#include "scheduler_fixture.h"

/* ---- claiming */

TEST_FIXTURE(setup, teardown);

TEST(tasks_run_in_the_order_of_entry_with_one_per_worker)
{
    add("a", NULL), add("b", NULL), add("c", NULL), add("d", "a");
    begin(&(struct scheduler_options){.workers = 2});
    CHECK_SEEN("started; claimed a#1; claimed b#1");
    finish("b", 0);
    pass(MOMENT);
    CHECK_SEEN("ended b#1 succeed; claimed c#1");
    finish("a", 0);
    pass(MOMENT);
    CHECK_SEEN("ended a#1 succeed; claimed d#1");
    finish("c", 0), finish("d", 0);
    pass(MOMENT);
    CHECK_SEEN("ended c#1 succeed; ended d#1 succeed; idle");
    assert_int_equal(test.most_at_once, 2);
    CHECK_STATE("d", "SUCCEEDED");
}

TEST(ends_at_the_same_time_share_a_transaction)
{
    for (int i = 0; i < 8; i++)
        add((char[]){(char)('a' + i), 0}, NULL);
    begin(&(struct scheduler_options){.workers = 4});
    uint64_t transactions = scheduler_transactions(test.s);
    finish("a", 0), finish("b", 0), finish("c", 0), finish("d", 0);
    pass(MOMENT);
    assert_int_equal(scheduler_transactions(test.s), transactions + 1);
    assert_non_null(find("h"));
}

TEST(each_pool_has_its_own_workers)
{
    add_to("x1", "gpu", NULL), add_to("x2", "gpu", NULL), add_to("y1", "cpu", NULL);
    add_to("y2", "cpu", NULL), add_to("y3", "cpu", NULL), add_to("z", "other", NULL);
    add("w", NULL);
    const struct scheduler_pool pools[] = {{"cpu", 2}, {"gpu", 1}};
    begin(&(struct scheduler_options){.pools = pools, .pool_count = 2});
    assert_int_equal(list_count(&test.fakes), 3);
    assert_true(find("x1") && find("y1") && find("y2"));
    finish("x1", 0);
    pass(MOMENT);
    assert_true(find("x2") && !find("y3"));
    finish("y2", 0), finish("x2", 0);
    pass(MOMENT);
    assert_non_null(find("y3"));
    finish("y1", 0), finish("y3", 0);
    pass(MOMENT);
    assert_true(list_is_empty(&test.fakes));
    CHECK_STATE("z", "READY");
    CHECK_STATE("w", "READY");
}

TEST(a_notification_of_work_is_enough)
{
    begin(&(struct scheduler_options){.workers = 1});
    CHECK_SEEN("started; idle");
    pass(3600000);
    add("a", NULL);
    pass(MOMENT);
    CHECK_SEEN("claimed a#1");
    uint64_t transactions = scheduler_transactions(test.s);
    add("b", NULL); /* no worker is free: no transaction */
    pass(MOMENT);
    assert_int_equal(scheduler_transactions(test.s), transactions);
    finish("a", 0);
    pass(MOMENT);
    CHECK_SEEN("ended a#1 succeed; claimed b#1");
}

/* ---- leases */

TEST(nothing_happens_while_nothing_runs_and_nothing_is_due)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 2});
    finish("a", 0);
    pass(1000);
    uint64_t transactions = scheduler_transactions(test.s);
    unsigned runs = test.runs;
    pass(30ull * 86400000);
    assert_int_equal(scheduler_transactions(test.s), transactions);
    assert_int_equal(test.runs, runs);
}

TEST(leases_are_renewed_after_a_sixth)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 2});
    struct fake *a = need("a");
    uint64_t transactions = scheduler_transactions(test.s);
    unsigned holds = a->holds;
    for (unsigned i = 0; i < 30; i++) {
        pass(LEASE / 6);
        assert_int_equal(a->holds, holds + i + 1);
        assert_in_range(a->deadline, __wrap_supervisor_clock() + LEASE - LEASE / 6 - 2 * MOMENT,
                        __wrap_supervisor_clock() + LEASE - LEASE / 6);
    }
    assert_int_equal(scheduler_transactions(test.s), transactions + 30);
    finish("a", 0);
    pass(MOMENT);
    CHECK_STATE("a", "SUCCEEDED");
    CHECK_ATTEMPTS("a", "1 succeeded  ");
}

TEST(a_deadline_counts_from_before_the_transaction_was_sent)
{
    begin(&(struct scheduler_options){.workers = 1});
    pass(LEASE);
    int64_t before = __wrap_supervisor_clock();
    test.slow = 5000;
    add("a", NULL);
    pass(MOMENT);
    struct fake *a = need("a");
    assert_in_range(a->deadline, before + LEASE - LEASE / 6, before + MOMENT + LEASE - LEASE / 6);
    unsigned holds = a->holds;
    pass(LEASE / 6 - 100);
    before = __wrap_supervisor_clock();
    test.slow = 5000;
    pass(200);
    assert_int_equal(a->holds, holds + 1);
    assert_in_range(a->deadline, before + LEASE - LEASE / 6, before + 200 + LEASE - LEASE / 6);
}

TEST(an_attempt_with_little_lease_left_does_not_start)
{
    begin(&(struct scheduler_options){.workers = 1});
    buf_clear(&test.seen);
    pass(LEASE);
    uint64_t transactions = scheduler_transactions(test.s);
    test.slow = LEASE / 4; /* half of the lease has passed when the answer arrives */
    add("a", NULL);
    pass(MOMENT);
    assert_int_equal(scheduler_transactions(test.s), transactions + 2);
    assert_in_range(need("a")->deadline, __wrap_supervisor_clock() + LEASE - LEASE / 6 - 2 * MOMENT,
                    __wrap_supervisor_clock() + LEASE - LEASE / 6);
    CHECK_SEEN("claimed a#1");
    finish("a", 0);
    pass(MOMENT);
    CHECK_STATE("a", "SUCCEEDED");
}

/* ---- what people ask for */

static bool cancel_work(struct store *s, void *ctx, struct error *err)
{
    struct tasks_change change;
    int64_t id;
    return tasks_find(s, str_from(ctx), &id, err) && tasks_cancel(s, id, &change, err);
}

TEST(a_cancelled_attempt_is_stopped)
{
    add("a", NULL), add("b", "a"), add("c", NULL);
    begin(&(struct scheduler_options){.workers = 2});
    buf_clear(&test.seen);
    in_store(STORE_ROWS, cancel_work, (char[]){"a"});
    pass(MOMENT);
    struct fake *a = need("a");
    assert_int_equal(a->stops, 1);
    assert_int_equal(a->why, ATTEMPT_CANCELLED);
    assert_int_equal(need("c")->stops, 0);
    pass(LEASE); /* it stops slowly: one request, and its lease is renewed */
    assert_int_equal(a->stops, 1);
    assert_true(a->holds > 0);
    CHECK_STATE("a", "RUNNING");
    obey("a");
    pass(MOMENT);
    CHECK_SEEN("ended a#1 cancel");
    CHECK_STATE("a", "CANCELLED");
    CHECK_STATE("b", "BLOCKED");
}

TEST(while_paused_nothing_is_claimed_and_runs_continue)
{
    add("a", NULL), add("b", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    buf_clear(&test.seen);
    in_store(STORE_ROWS, pause_work, NULL);
    pass(MOMENT);
    CHECK_SEEN("paused");
    assert_int_equal(need("a")->stops, 0);
    finish("a", 0);
    pass(LEASE);
    CHECK_SEEN("ended a#1 succeed");
    in_store(STORE_ROWS, resume_work, NULL);
    pass(MOMENT);
    CHECK_SEEN("resumed; claimed b#1");
}

TEST(a_scheduler_that_starts_while_paused_waits)
{
    add("a", NULL);
    in_store(STORE_ROWS, stop_work, NULL);
    begin(&(struct scheduler_options){.workers = 1, .until_idle = true});
    CHECK_SEEN("started; paused");
    pass(3600000);
    assert_false(test.is_over);
    in_store(STORE_ROWS, resume_work, NULL);
    pass(MOMENT);
    CHECK_SEEN("resumed; claimed a#1");
}

TEST(a_stop_returns_all_tasks_and_claims_nothing_until_resumed)
{
    add("a", NULL), add("b", NULL), add("c", NULL);
    begin(&(struct scheduler_options){.workers = 2});
    buf_clear(&test.seen);
    in_store(STORE_ROWS, stop_work, NULL);
    pass(MOMENT);
    CHECK_SEEN("paused");
    assert_int_equal(need("a")->stops, 1);
    assert_int_equal(need("b")->why, ATTEMPT_STOPPED);
    obey("a"), obey("b");
    pass(LEASE);
    CHECK_SEEN("ended a#1 back; ended b#1 back");
    CHECK_STATE("a", "READY");
    in_store(STORE_ROWS, resume_work, NULL);
    pass(MOMENT);
    CHECK_SEEN("resumed; claimed a#2; claimed b#2");
    /* A second stop also stops runs, even if a resume follows at once. */
    in_store(STORE_ROWS, stop_work, NULL);
    in_store(STORE_ROWS, resume_work, NULL);
    pass(MOMENT);
    assert_int_equal(need("a")->stops, 1);
    obey("a");
    pass(MOMENT);
    CHECK_SEEN("ended a#2 back; claimed a#3");
    assert_int_equal(need("a")->stops, 0);
}

/* ---- the end */

TEST(a_drain_waits_for_running_tasks)
{
    add("a", NULL), add("b", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    buf_clear(&test.seen);
    scheduler_drain(test.s);
    pass(LEASE);
    CHECK_SEEN("draining");
    assert_int_equal(need("a")->stops, 0);
    assert_true(need("a")->holds > 0);
    add("c", NULL);
    scheduler_drain(test.s); /* once is enough */
    pass(MOMENT);
    finish("a", 0);
    pass(MOMENT);
    CHECK_SEEN("ended a#1 succeed; drained");
    CHECK_STATE("a", "SUCCEEDED");
    CHECK_STATE("b", "READY");
}

TEST(a_drain_without_anything_running_ends_at_once)
{
    begin(&(struct scheduler_options){.workers = 1});
    buf_clear(&test.seen);
    scheduler_drain(test.s);
    pass(MOMENT);
    CHECK_SEEN("draining; drained");
}

TEST(a_drain_returns_tasks_after_its_time)
{
    add("a", NULL), add("b", NULL);
    begin(&(struct scheduler_options){.workers = 2, .drain_ms = 120000});
    buf_clear(&test.seen);
    scheduler_drain(test.s);
    pass(100000);
    finish("b", 0);
    pass(19999);
    assert_int_equal(need("a")->stops, 0);
    pass(1);
    assert_int_equal(need("a")->why, ATTEMPT_STOPPED);
    assert_int_equal(need("a")->stops, 1);
    pass(LEASE); /* the lease is renewed until the attempt is gone */
    obey("a");
    pass(MOMENT);
    CHECK_SEEN("draining; ended b#1 succeed; ended a#1 back; halted");
    CHECK_STATE("a", "READY");
    CHECK_STATE("b", "SUCCEEDED");
    CHECK_ATTEMPTS("a", "1 stopped  returned: its orchestrator stopped it");
}

TEST(a_halt_returns_at_once_and_a_second_one_kills)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 2});
    buf_clear(&test.seen);
    scheduler_drain(test.s);
    scheduler_halt(test.s);
    assert_int_equal(need("a")->stops, 1);
    assert_int_equal(need("a")->why, ATTEMPT_STOPPED);
    scheduler_halt(test.s);
    assert_int_equal(need("a")->stops, 2);
    obey("a");
    pass(MOMENT);
    CHECK_SEEN("draining; ended a#1 back; halted");
    CHECK_STATE("a", "READY");
}

static void count_orchestrator(const struct orchestrator_row *o, void *ctx)
{
    (void)o;
    ++*(size_t *)ctx;
}

static bool orchestrators_work(struct store *s, void *ctx, struct error *err)
{
    *(size_t *)ctx = 0;
    return tasks_orchestrators(s, count_orchestrator, ctx, err);
}

TEST(a_scheduler_that_ends_removes_its_row)
{
    size_t count;
    begin(&(struct scheduler_options){.workers = 2});
    in_store(STORE_READ, orchestrators_work, &count);
    assert_int_equal(count, 1);
    scheduler_halt(test.s);
    pass(MOMENT);
    assert_true(test.is_over);
    in_store(STORE_READ, orchestrators_work, &count);
    assert_int_equal(count, 0);
}

TEST(a_halt_before_the_first_transaction_ends)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 2});
    scheduler_halt(test.s);
    LIST_EACH_SAFE (&test.fakes, struct fake, link, f)
        obey(f->name);
    pass(MOMENT);
    assert_int_equal(test.how, SCHEDULER_HALTED);
    CHECK_STATE("a", "READY");
}

/* ---- until nothing is left */

TEST(until_idle_ends_when_nothing_is_left)
{
    add("a", NULL), add("b", "a");
    begin(&(struct scheduler_options){.workers = 2, .until_idle = true});
    finish("a", 0);
    pass(MOMENT);
    finish("b", 0);
    pass(MOMENT);
    CHECK_SEEN("started; claimed a#1; ended a#1 succeed; claimed b#1; ended b#1 succeed; idle; "
               "was idle");
}

TEST(until_idle_reports_whether_something_failed)
{
    add("a", NULL), add("b", "a");
    begin(&(struct scheduler_options){.workers = 2, .until_idle = true});
    finish("a", 2);
    pass(MOMENT);
    CHECK_SEEN("started; claimed a#1; ended a#1 fail; idle failed; was idle failed");
    CHECK_STATE("b", "BLOCKED");
}

TEST(an_empty_store_is_idle)
{
    begin(&(struct scheduler_options){.until_idle = true});
    CHECK_SEEN("started; idle; was idle");
}

TEST(until_idle_waits_for_retries)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 2, .until_idle = true});
    buf_clear(&test.seen);
    finish("a", 1);
    pass(MOMENT);
    CHECK_SEEN("ended a#1 retry");
    CHECK_STATE("a", "RETRY_WAIT");
    uint64_t transactions = scheduler_transactions(test.s);
    pass(ATTEMPT_POLICY_BASE_MS / 2);
    assert_int_equal(scheduler_transactions(test.s), transactions);
    pass(ATTEMPT_POLICY_BASE_MS);
    CHECK_SEEN("claimed a#2");
    finish("a", 0);
    pass(MOMENT);
    CHECK_SEEN("ended a#2 succeed; idle; was idle");
}

TEST(a_task_is_blocked_when_its_attempts_are_used_up)
{
    add("a", NULL);
    begin(&(struct scheduler_options){
        .workers = 2, .until_idle = true, .policy = {.max_attempts = 2, .base_ms = 1000}});
    finish("a", 1);
    pass(2000);
    finish("a", 1);
    pass(MOMENT);
    CHECK_SEEN("started; claimed a#1; ended a#1 retry; claimed a#2; ended a#2 give_up; "
               "idle failed; was idle failed");
    CHECK_STATE("a", "BLOCKED");
}

TEST(waiting_for_a_limit_uses_no_attempts)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 2, .policy = {.max_attempts = 1}});
    for (int i = 0; i < 3; i++) {
        struct executor_end end = {.end = {.kind = ATTEMPT_EXITED,
                                           .code = 1,
                                           .nobody = true,
                                           .outcome = STR("usage_limited"),
                                           .until = __wrap_rfc3339_now() + 3600000,
                                           .why = STR("all rest")}};
        end_with("a", end);
        pass(3600000 - 1);
        CHECK_STATE("a", "RETRY_WAIT");
        pass(31000);
        assert_non_null(find("a"));
    }
    finish("a", 0);
    pass(MOMENT);
    CHECK_STATE("a", "SUCCEEDED");
}

/* ---- what an attempt leaves */

TEST(the_end_is_stored_with_the_attempt)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 2});
    struct executor_end end = {
        .end = {.kind = ATTEMPT_EXITED,
                .code = 1,
                .outcome = STR("unmet"),
                .why = STR("AC-1 is\nnot met")},
        .result = {.tool = STR("mo\0ck"), .model = STR("m\xff"), .files = STR("[]")},
    };
    end_with("a", end);
    pass(MOMENT);
    CHECK_ATTEMPTS("a", "1 failed unmet AC-1 is not met");
}

TEST(attempts_that_cannot_start_pause_claims)
{
    add("a", NULL), add("b", NULL), add("c", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    buf_clear(&test.seen);
    struct executor_end end = {.end = {.kind = ATTEMPT_NO_START, .why = STR("disk full")}};
    end_with("a", end);
    pass(900);
    CHECK_SEEN("ended a#1 retry; warn: disk full");
    pass(200);
    CHECK_SEEN("claimed b#1");
    end_with("b", end);
    pass(1900);
    CHECK_SEEN("ended b#1 retry");
    pass(200);
    CHECK_SEEN("claimed c#1");
    finish("c", 0);
    pass(60000);
    const char *first = find("a") ? "a" : "b";
    finish(first, 0);
    pass(MOMENT);
    assert_int_equal(list_count(&test.fakes), 1); /* no pause after an attempt that started */
}

static uint32_t told;
static void on_counts(const struct tasks_counts *c, void *ctx)
{
    assert_ptr_equal(ctx, &test);
    assert_true(c->by_state[TASK_RUNNING] <= 4);
    told++;
}

TEST(counts_are_reported_at_most_once_a_second_and_never_when_idle)
{
    char name[16];
    told = 0;
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "t%d", i);
        add(name, NULL);
    }
    begin(&(struct scheduler_options){.workers = 4});
    scheduler_watch_counts(test.s, on_counts);
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "t%d", i);
        finish(name, 0);
        pass(100);
    }
    assert_in_range(told, 3, 6);
    pass(5000);
    told = 0;
    unsigned runs = test.runs;
    pass(3600000);
    assert_int_equal(told, 0);
    assert_int_equal(test.runs, runs);
}

static struct tooling *current;
static unsigned asked;
static struct tooling *tooling_now(void *ctx)
{
    assert_ptr_equal(ctx, &test);
    asked++;
    return current;
}

TEST(each_attempt_gets_the_current_tooling)
{
    struct tooling *one = tooling_default(), *two = tooling_default();
    asked = 0;
    current = one;
    add("a", NULL), add("b", NULL);
    begin(&(struct scheduler_options){.workers = 1, .tooling = tooling_now});
    assert_ptr_equal(need("a")->o.tooling, one);
    current = two;
    finish("a", 0);
    pass(MOMENT);
    assert_ptr_equal(need("b")->o.tooling, two);
    assert_int_equal(asked, 2);
    finish("b", 0);
    tooling_unref(one);
    tooling_unref(two);
}
