#include "scheduler_fixture.h"

/* ---- another orchestrator, as the store sees it */

static struct transaction other;
static char owner[128] = "other-1";

static void other_transaction(uint32_t slots, const struct transaction_end *end)
{
    static struct transaction_slot slot;
    slot = (struct transaction_slot){.free = slots};
    transaction_done(&other);
    other = (struct transaction){
        .owner = str_from(owner),
        .host = STR("elsewhere"),
        .pid = 1,
        .workers = 1,
        .lease_ms = LEASE,
        .renews = true,
        .slots = &slot,
        .slot_count = slots ? 1 : 0,
        .ends = end,
        .end_count = end ? 1 : 0,
    };
    in_store(STORE_ROWS, transaction_work, &other);
}

/* Take over an expired lease: it is extended first. */
static void take_over(void)
{
    other_transaction(1, NULL);
    assert_int_equal(other.claim_count, 0);
    pass(LEASE / TRANSACTION_GRACE);
    other_transaction(1, NULL);
    assert_int_equal(other.claim_count, 1);
}

static int tear(void **state)
{
    transaction_done(&other);
    other = (struct transaction){0};
    snprintf(owner, sizeof owner, "other-1");
    return teardown(state);
}

/* ---- a store that is gone */

TEST_FIXTURE(setup, tear);

TEST(in_an_outage_ends_wait_and_runs_continue)
{
    add("a", NULL), add("b", NULL), add("c", NULL), add("d", NULL);
    begin(&(struct scheduler_options){.workers = 3});
    CHECK_SEEN("started; claimed a#1; claimed b#1; claimed c#1");
    test.fault = GONE;
    finish("a", 0);
    pass(10000);
    finish("b", 1);
    pass(20000);
    CHECK_SEEN("ended a#1 succeed; trouble: the server is gone; ended b#1 retry");
    assert_int_equal(need("c")->stops, 0);
    CHECK_STATE("a", "RUNNING");
    test.fault = FINE;
    pass(3000);
    CHECK_SEEN("back; claimed d#1");
    CHECK_STATE("a", "SUCCEEDED");
    CHECK_STATE("b", "RETRY_WAIT");
    CHECK_ATTEMPTS("a", "1 succeeded  ");
    assert_in_range(need("c")->deadline, __wrap_supervisor_clock() + LEASE - LEASE / 6 - 3000,
                    __wrap_supervisor_clock() + LEASE - LEASE / 6);
}

TEST(an_unrenewed_lease_is_not_extended)
{
    add("a", NULL);
    int64_t before = __wrap_supervisor_clock();
    begin(&(struct scheduler_options){.workers = 1});
    test.fault = GONE;
    unsigned holds = need("a")->holds;
    pass(LEASE - 10000);
    assert_in_range(need("a")->deadline, before, before + MOMENT + LEASE - LEASE / 6);
    assert_int_equal(need("a")->holds, holds);
}

TEST(an_attempt_taken_over_is_stopped_and_its_end_not_reported)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    buf_clear(&test.seen);
    test.fault = GONE;
    print("a", STR("before\n"));
    pass(LEASE + LEASE / 6);
    take_over();
    assert_int_equal(other.claims[0].number, 2);
    test.fault = FINE;
    pass(3000);
    CHECK_SEEN("trouble: the server is gone; back; lost a#1");
    assert_int_equal(need("a")->why, ATTEMPT_LOST);
    assert_int_equal(need("a")->stops, 1);
    pass(LEASE / 2); /* once is enough */
    assert_int_equal(need("a")->stops, 1);
    print("a", STR("after\n"));
    obey("a");
    pass(1000);
    CHECK_SEEN("");
    CHECK_STATE("a", "RUNNING");
    other_transaction(
        0, &(struct transaction_end){.task = 1, .number = 2, .follow_up = {.event = TASK_SUCCEED}});
    CHECK_STATE("a", "SUCCEEDED");
}

TEST(no_attempt_starts_while_another_at_its_task_is_still_here)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 2});
    buf_clear(&test.seen);
    test.fault = GONE;
    pass(LEASE + LEASE / 6);
    take_over();
    other_transaction(
        0, &(struct transaction_end){.task = 1, .number = 2, .follow_up = {.event = TASK_BACK}});
    test.fault = FINE;
    pass(3000); /* the first attempt is lost, the third is ours */
    CHECK_SEEN("trouble: the server is gone; back; lost a#1");
    CHECK_STATE("a", "RUNNING");
    assert_int_equal(need("a")->number, 1);
    pass(LEASE);
    obey("a");
    pass(1000);
    CHECK_SEEN("claimed a#3");
    assert_int_equal(need("a")->number, 3);
    assert_in_range(need("a")->deadline, __wrap_supervisor_clock() + LEASE / 2, INT64_MAX);
    finish("a", 0);
    pass(1000);
    CHECK_STATE("a", "SUCCEEDED");
    CHECK_ATTEMPTS("a", "1 lost  its lease expired; 2 stopped  ; 3 succeeded  ");
}

TEST(an_attempt_that_the_supervisor_ended_in_an_outage_is_retried)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    buf_clear(&test.seen);
    test.fault = GONE;
    pass(LEASE - LEASE / 6);
    end_with("a",
             (struct executor_end){.end = {.kind = ATTEMPT_LOST, .code = SUPERVISOR_LEASE_OVER}});
    pass(LEASE);
    test.fault = FINE;
    pass(3000);
    CHECK_SEEN("trouble: the server is gone; ended a#1 back; back; claimed a#2");
}

/* ---- answers that are lost */

TEST(a_claim_whose_answer_was_lost_starts)
{
    begin(&(struct scheduler_options){.workers = 2});
    buf_clear(&test.seen);
    test.fault = ANSWER_LOST;
    add("a", NULL);
    pass(1000);
    CHECK_STATE("a", "RUNNING");
    assert_null(find("a"));
    test.fault = FINE;
    pass(3000);
    CHECK_SEEN("trouble: the server is gone; back; claimed a#1");
    assert_in_range(need("a")->deadline, __wrap_supervisor_clock() + LEASE - LEASE / 6 - 3000,
                    __wrap_supervisor_clock() + LEASE - LEASE / 6);
    CHECK_STR(need("a")->o.claim->spec, STR("version: 1\n"));
    finish("a", 0);
    pass(MOMENT);
    CHECK_STATE("a", "SUCCEEDED");
    CHECK_ATTEMPTS("a", "1 succeeded  ");
}

static void take_name(const struct orchestrator_row *o, void *ctx)
{
    (void)ctx;
    snprintf(owner, sizeof owner, "%.*s", STR_ARG(o->id));
}

static bool name_work(struct store *s, void *ctx, struct error *err)
{
    return tasks_orchestrators(s, take_name, ctx, err);
}

TEST(an_unknown_attempt_starts)
{
    begin(&(struct scheduler_options){.workers = 2});
    in_store(STORE_READ, name_work, NULL);
    buf_clear(&test.seen);
    add("a", NULL);
    other_transaction(1, NULL); /* before the notification arrives */
    assert_int_equal(other.claim_count, 1);
    pass(MOMENT);
    assert_null(find("a")); /* the transaction did not renew, so it returned no holds */
    pass(LEASE / 6);
    add("b", NULL);
    pass(MOMENT);
    CHECK_SEEN("claimed b#1; claimed a#1");
    CHECK_STR(need("a")->o.claim->spec, STR("version: 1\n"));
    add("c", NULL), add("d", NULL);
    /* Without a free worker the attempts are returned. */
    other_transaction(2, NULL);
    assert_int_equal(other.claim_count, 2);
    CHECK_STATE("c", "RUNNING");
    pass(LEASE / 6 + 1000);
    CHECK_STATE("c", "READY");
    CHECK_STATE("d", "READY");
    assert_int_equal(test.most_at_once, 2);
    finish("a", 0), finish("b", 0);
    pass(MOMENT);
    finish("c", 0), finish("d", 0);
    pass(MOMENT);
    CHECK_STATE("d", "SUCCEEDED");
    CHECK_ATTEMPTS("a", "1 succeeded  ");
}

TEST(an_end_whose_answer_was_lost_is_reported_again)
{
    add("a", NULL), add("b", "a");
    begin(&(struct scheduler_options){.workers = 1});
    test.fault = ANSWER_LOST;
    print("a", STR("one\n"));
    finish("a", 1);
    pass(1000);
    CHECK_STATE("a", "RETRY_WAIT");
    test.fault = FINE;
    pass(3000);
    CHECK_STATE("a", "RETRY_WAIT");
    CHECK_ATTEMPTS("a", "1 failed  exit code 1");
    pass(2 * ATTEMPT_POLICY_BASE_MS);
    finish("a", 0);
    pass(MOMENT);
    CHECK_STATE("b", "RUNNING");
}

/* ---- the end, without a store */

TEST(a_halt_does_not_wait_for_ever)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    buf_clear(&test.seen);
    test.fault = GONE;
    pass(LEASE / 6);
    scheduler_halt(test.s);
    obey("a");
    pass(9000);
    assert_false(test.is_over);
    pass(2000);
    assert_true(test.is_over);
    CHECK_SEEN("trouble: the server is gone; ended a#1 back; warn: the store does not answer: the "
               "end of 1 attempt could not be reported; retried when the lease expires; "
               "halted");
    pass(LEASE);
    take_over(); /* another orchestrator takes them over */
}

TEST(a_second_halt_waits_less)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    test.fault = GONE;
    scheduler_drain(test.s);
    finish("a", 0);
    pass(60000);
    assert_false(test.is_over); /* a drain has time */
    scheduler_halt(test.s);
    pass(2000);
    assert_true(test.is_over);
}

TEST(a_drain_waits_for_the_store_for_its_whole_time)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 1, .drain_ms = 40000});
    buf_clear(&test.seen);
    test.fault = GONE;
    scheduler_drain(test.s);
    finish("a", 0);
    pass(35000);
    assert_false(test.is_over);
    test.fault = FINE;
    pass(3000);
    CHECK_SEEN("draining; ended a#1 succeed; trouble: the server is gone; back; drained");
    CHECK_STATE("a", "SUCCEEDED");
}

TEST(a_store_that_never_existed_does_not_delay_the_end)
{
    test.fault = GONE;
    begin(&(struct scheduler_options){.workers = 1, .until_idle = true});
    pass(60000);
    CHECK_SEEN("trouble: the server is gone");
    scheduler_drain(test.s); /* nothing runs, so the last transaction may be skipped */
    pass(2000);
    CHECK_SEEN("draining; drained");
}

/* ---- a store that refuses */

TEST(a_refused_transaction_is_retried)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    buf_clear(&test.seen);
    test.fault = REFUSES;
    print("a", STR("text\n"));
    finish("a", 0);
    pass(5000);
    CHECK_SEEN("ended a#1 succeed; warn: no such thing");
    test.fault = FINE;
    pass(30000);
    CHECK_SEEN("idle");
    CHECK_STATE("a", "SUCCEEDED");
}

TEST(a_store_that_always_refuses_cannot_be_used)
{
    add("a", NULL), add("b", NULL);
    begin(&(struct scheduler_options){.workers = 2});
    buf_clear(&test.seen);
    test.fault = REFUSES;
    finish("a", 0);
    pass(600000);
    assert_int_equal(need("b")->why, ATTEMPT_STOPPED);
    assert_false(test.is_over);
    obey("b");
    pass(MOMENT);
    CHECK_SEEN("ended a#1 succeed; warn: no such thing; trouble: no such thing; ended b#1 back; "
               "cannot");
}

static bool newer_work(struct store *s, void *ctx, struct error *err)
{
    (void)ctx;
    return store_do(s, &(struct store_statement){.sql = "PRAGMA user_version = 999"}, NULL, err);
}

TEST(a_store_of_a_newer_version_cannot_be_used)
{
    in_store(STORE_WRITE, newer_work, NULL);
    begin(&(struct scheduler_options){.workers = 1});
    assert_true(test.is_over);
    assert_int_equal(test.how, SCHEDULER_STORE_UNUSABLE);
    assert_true(str_find(buf_str(&test.seen), STR("trouble: ")) == 0);
    assert_true(str_ends(buf_str(&test.seen), STR("; cannot")));
}

TEST(an_invalid_url_cannot_be_used)
{
    snprintf(test.url, sizeof test.url, "mysql://here");
    begin(&(struct scheduler_options){.workers = 1});
    assert_true(test.is_over);
    assert_int_equal(test.how, SCHEDULER_STORE_UNUSABLE);
}

/* ---- others */

TEST(until_idle_waits_for_runs_of_others)
{
    add("a", NULL), add("b", "a");
    other_transaction(1, NULL);
    begin(&(struct scheduler_options){.workers = 1, .until_idle = true});
    CHECK_SEEN("started");
    other_transaction(0, NULL); /* renewed */
    pass(LEASE / 2);
    uint64_t transactions = scheduler_transactions(test.s);
    pass(LEASE / 4);
    assert_int_equal(scheduler_transactions(test.s), transactions);
    other_transaction(
        1, &(struct transaction_end){.task = 1, .number = 1, .follow_up = {.event = TASK_SUCCEED}});
    assert_int_equal(other.claim_count, 1); /* the other also has b */
    pass(MOMENT);
    assert_false(test.is_over);
    other_transaction(
        0, &(struct transaction_end){.task = 2, .number = 1, .follow_up = {.event = TASK_SUCCEED}});
    pass(MOMENT);
    CHECK_SEEN("idle; was idle");
}

TEST(tasks_of_a_dead_orchestrator_are_taken_over_after_its_lease)
{
    add("a", NULL);
    other_transaction(1, NULL);
    begin(&(struct scheduler_options){.workers = 1});
    pass(LEASE - 100);
    CHECK_SEEN("started");
    uint64_t transactions = scheduler_transactions(test.s);
    pass(LEASE / 6); /* the lease is extended */
    CHECK_SEEN("");
    pass(LEASE / TRANSACTION_GRACE);
    CHECK_SEEN("claimed a#2");
    assert_in_range(scheduler_transactions(test.s), transactions + 2, transactions + 4);
    CHECK_STATE("a", "RUNNING");
}

/* ---- logs */

struct reading {
    struct buf text;
    uint64_t pieces;
    size_t most;
};

static void on_piece(const struct log_piece *p, void *ctx)
{
    struct reading *r = ctx;
    assert_int_equal(p->seq, r->pieces + 1); /* without a gap */
    r->pieces++;
    r->most = p->text.n > r->most ? p->text.n : r->most;
    buf_add(&r->text, p->text);
}

static bool log_work(struct store *s, void *ctx, struct error *err)
{
    struct reading *r = ctx;
    *r = (struct reading){0};
    return tasks_log(s, &(struct tasks_log_filter){.task = 1, .number = 1}, on_piece, r, err);
}

static struct reading read_log(void)
{
    struct reading r;
    in_store(STORE_READ, log_work, &r);
    return r;
}

TEST(log_pieces_share_transactions_and_keep_their_order)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    test.logs = true;
    uint64_t transactions = scheduler_transactions(test.s);
    struct buf all = {0};
    char line[64];
    for (int i = 0; i < 950; i++) {
        int n = snprintf(line, sizeof line, "line %d\n", i);
        print("a", str_make(line, (size_t)n));
        buf_add(&all, str_make(line, (size_t)n));
        pass(1);
    }
    assert_in_range(scheduler_transactions(test.s) - transactions, 4, 6);
    CHECK_STATE("a", "RUNNING");
    struct reading r = read_log();
    assert_true(r.text.n > 0 && r.text.n < all.n && r.pieces <= 6);
    buf_done(&r.text);
    print("a", STR("last"));
    finish("a", 0); /* waiting pieces are sent with the end */
    pass(MOMENT);
    buf_add(&all, STR("last"));
    r = read_log();
    CHECK_STR(buf_str(&r.text), buf_str(&all));
    buf_done(&r.text);
    buf_done(&all);
    assert_true(str_find(buf_str(&test.seen), STR("log line 7\n")) < test.seen.n);
}

TEST(much_output_takes_several_transactions_and_the_end_is_last)
{
    static char chunk[EXECUTOR_PIECE];
    add("a", NULL), add("b", NULL);
    begin(&(struct scheduler_options){.workers = 2});
    uint64_t transactions = scheduler_transactions(test.s);
    for (size_t i = 0; i < 320; i++) { /* 5 MiB */
        memset(chunk, 'a' + (int)(i % 26), sizeof chunk);
        print("a", str_make(chunk, sizeof chunk));
    }
    print("b", STR("b\n"));
    finish("a", 0);
    finish("b", 0);
    pass(MOMENT);
    assert_in_range(scheduler_transactions(test.s) - transactions, 5, 8);
    struct reading r = read_log();
    assert_int_equal(r.text.n, 320 * sizeof chunk);
    assert_int_equal(r.most, EXECUTOR_PIECE);
    buf_done(&r.text);
    CHECK_STATE("a", "SUCCEEDED");
    CHECK_STATE("b", "SUCCEEDED");
}

TEST(output_in_an_outage_is_bounded)
{
    static char chunk[EXECUTOR_PIECE];
    memset(chunk, 'x', sizeof chunk);
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    test.fault = GONE;
    size_t fit = EXECUTOR_MAX_LOG / sizeof chunk;
    for (size_t i = 0; i < fit + 10; i++) {
        print("a", str_make(chunk, sizeof chunk));
        pass(1);
    }
    test.fault = FINE;
    pass(5000);
    print("a", STR("again\n"));
    finish("a", 0);
    pass(1000);
    char want[128];
    snprintf(want, sizeof want,
             "[%zu bytes were left out: the store did not accept them in time]\nagain\n",
             10 * sizeof chunk);
    struct reading r = read_log();
    assert_int_equal(r.text.n, fit * sizeof chunk + strlen(want));
    CHECK_CSTR(str_skip(buf_str(&r.text), fit * sizeof chunk), want);
    buf_done(&r.text);
    CHECK_STATE("a", "SUCCEEDED");
}

TEST(any_output_becomes_text_in_the_store)
{
    add("a", NULL);
    begin(&(struct scheduler_options){.workers = 1});
    print("a", STR("a\0b\xff"
                   "c"));
    print("a", STR(""));
    finish("a", 0);
    pass(MOMENT);
    struct reading r = read_log();
    CHECK_CSTR(buf_str(&r.text), "a b\xef\xbf\xbd"
                                 "c");
    buf_done(&r.text);
}
