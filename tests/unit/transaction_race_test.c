/* Transactions of two orchestrators, one at every point of the other, and clocks that jump. */
#include <string.h>

#include "store/store_internal.h"
#include "tasks_kit.h"

/* A transaction, and a second one on its own connection after the given number of statements. */
struct both {
    struct transaction *first, *second;
    struct store *other;
    const struct store_kind *real;
    unsigned before, done; /* statements of the first */
    bool is_second_over;
    bool dies;      /* the first is not committed */
    bool told_work; /* the first sent a notification */
};

static struct both *both;

static void run_second_in_time(void)
{
    struct error err = {0};
    if (both->done++ != both->before || both->is_second_over)
        return;
    both->is_second_over = true;
    if (!store_run(both->other, STORE_ROWS, transaction_work, both->second, &err))
        fail_msg("%s", err.text);
}

static bool hooked_execute(struct store *s, const struct store_statement *st, size_t *changed,
                           struct error *err)
{
    run_second_in_time();
    return both->real->execute(s, st, changed, err);
}

static void hooked_query(struct store_rows *q, const struct store_statement *st)
{
    run_second_in_time();
    both->real->query(q, st);
}

static bool hooked_notify(struct store *s, const char *channel, struct error *err)
{
    both->told_work = both->told_work || strcmp(channel, TASKS_WORK) == 0;
    return both->real->notify(s, channel, err);
}

static bool first_work(struct store *s, void *ctx, struct error *err)
{
    struct both *b = ctx;
    struct store_kind hooked = *s->kind;
    both = b;
    b->real = s->kind;
    hooked.execute = hooked_execute;
    hooked.query = hooked_query;
    hooked.notify = hooked_notify;
    s->kind = &hooked;
    bool ok = transaction_work(s, b->first, err);
    s->kind = b->real;
    return ok && (!b->dies || error_set(err, ERR_IO, "it dies"));
}

/* Return false if the first has fewer statements. */
static bool run_both(struct kit *k, struct both *b)
{
    struct error err = {0};
    b->other = kit_open(k->url);
    bool ok = store_run(k->store, STORE_ROWS, first_work, b, &err);
    if (ok == b->dies)
        fail_msg("%s", err.text);
    store_close(b->other);
    return b->is_second_over;
}

/* Whatever a transaction sees of the other, it checks again early enough. */
TEST(a_task_claimed_by_another_meanwhile_is_still_watched)
{
    if (!test_store_is_server())
        skip(); /* SQLite allows one writer */
    bool more = true;
    for (unsigned i = 0; more; i++) {
        struct kit k;
        kit_begin(&k);
        kit_add(&k, "a", "");
        struct transaction_slot slot = {.free = 1};
        struct transaction first = kit_transaction(&k, "first", 1),
                           second = kit_transaction(&k, "second", 1);
        first.slots = second.slots = &slot;
        more = run_both(&k, &(struct both){.first = &first, .second = &second, .before = i});
        CHECK_CSTR(kit_states(&k), "a RUNNING");
        assert_int_equal(first.claim_count + second.claim_count, 1);
        if (more) {
            const struct transaction *without = first.claim_count ? &second : &first;
            assert_int_not_equal(without->next_ms, 0);
        }
        transaction_done(&first);
        transaction_done(&second);
        kit_done(&k);
    }
}

TEST(a_task_whose_claimer_dies_before_the_commit_is_still_watched)
{
    if (!test_store_is_server())
        skip();
    bool more = true;
    for (unsigned i = 0; more; i++) {
        struct kit k;
        kit_begin(&k);
        kit_add(&k, "a", "");
        struct transaction_slot slot = {.free = 1};
        struct transaction first = kit_transaction(&k, "first", 1),
                           second = kit_transaction(&k, "second", 1);
        first.slots = second.slots = &slot;
        more = run_both(
            &k, &(struct both){.first = &first, .second = &second, .before = i, .dies = true});
        if (more && !second.claim_count)
            assert_in_range(second.next_ms, 1, 1000);
        transaction_done(&first);
        transaction_done(&second);
        kit_done(&k);
    }
}

TEST(two_last_ends_at_once_are_notified)
{
    if (!test_store_is_server())
        skip();
    bool more = true;
    for (unsigned i = 0; more; i++) {
        struct kit k;
        kit_begin(&k);
        kit_add(&k, "a", "");
        kit_add(&k, "b", "");
        struct transaction_claim a = kit_claim(&k, "first"), b = kit_claim(&k, "second");
        struct transaction_end ends[] = {kit_ending(&a, TASK_SUCCEED),
                                         kit_ending(&b, TASK_SUCCEED)};
        struct transaction_slot slot = {.free = 1};
        struct transaction first = kit_transaction(&k, "first", 1),
                           second = kit_transaction(&k, "second", 1);
        first.slots = second.slots = &slot;
        first.ends = &ends[0];
        second.ends = &ends[1];
        first.end_count = second.end_count = 1;
        struct both how = {.first = &first, .second = &second, .before = i};
        more = run_both(&k, &how);
        if (more)
            CHECK_CSTR(kit_states(&k), "a SUCCEEDED, b SUCCEEDED");
        assert_false(second.is_idle); /* it still sees the other task as running */
        assert_true(how.told_work);   /* so it is notified */
        transaction_done(&first);
        transaction_done(&second);
        kit_done(&k);
    }
}

TEST(tasks_of_other_pools_are_not_waited_for)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction t = kit_transaction(&k, "me", 1);
    k.slot.pool = STR("other");
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 0);
    assert_int_equal(t.next_ms, 0);
    transaction_done(&t);
    kit_mode(&k, tasks_pause);
    t = kit_transaction(&k, "me", 1);
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 0);
    assert_int_equal(t.next_ms, 0);
    transaction_done(&t);
    kit_done(&k);
}

TEST(an_owner_without_a_free_slot_notifies_others_of_a_retry)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "");
    struct transaction_claim a = kit_claim(&k, "me");
    struct transaction_end end = kit_ending(&a, TASK_RETRY);
    struct transaction nothing = {0};
    for (uint32_t free = 0; free < 2; free++) {
        struct transaction t = kit_transaction(&k, "me", free * 2);
        t.ends = &end;
        t.end_count = 1;
        struct both how = {.first = &t, .second = &nothing, .is_second_over = true};
        run_both(&k, &how);
        assert_int_equal(how.told_work, free == 0);
        transaction_done(&t);
        if (free == 0) { /* again, by an owner with a free slot */
            kit_retry(&k, "a");
            a = kit_claim(&k, "me");
            end = kit_ending(&a, TASK_RETRY);
        }
    }
    kit_done(&k);
}

/* ---- leases */

static void lease_is_over(struct kit *k)
{
    kit_sql(k, "UPDATE orchestrator SET lease_until = 1 WHERE id = 'me'");
}

static struct transaction other_transaction(struct kit *k)
{
    struct transaction t = kit_transaction(k, "other", 1);
    kit_run(k, &t);
    return t;
}

TEST(a_clock_that_jumps_takes_nothing_from_a_live_owner)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_claim(&k, "me");
    lease_is_over(&k);
    struct transaction t = other_transaction(&k);
    assert_int_equal(t.claim_count, 0);
    assert_in_range(t.next_ms, KIT_LEASE / 6, KIT_LEASE / 2); /* enough time for a live owner */
    transaction_done(&t);
    t = kit_transaction(&k, "me", 0);
    t.renews = true;
    kit_run(&k, &t);
    assert_int_equal(t.hold_count, 1);
    transaction_done(&t);
    lease_is_over(&k); /* the second time the extension starts again */
    t = other_transaction(&k);
    assert_int_equal(t.claim_count, 0);
    transaction_done(&t);
    CHECK_CSTR(kit_states(&k), "a RUNNING");
    kit_done(&k);
}

TEST(a_lease_that_is_not_renewed_expires)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_claim(&k, "me");
    lease_is_over(&k);
    struct transaction t = other_transaction(&k);
    transaction_done(&t);
    lease_is_over(&k);
    t = other_transaction(&k);
    assert_int_equal(t.claim_count, 1);
    assert_int_equal(t.claims[0].number, 2);
    assert_int_equal(t.claims[0].tries.lost, 1);
    transaction_done(&t);
    t = kit_transaction(&k, "me", 0);
    t.renews = true;
    kit_run(&k, &t);
    assert_int_equal(t.hold_count, 0);
    transaction_done(&t);
    kit_done(&k);
}

TEST(a_late_end_counts_until_the_task_is_taken_over)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction_claim c = kit_claim(&k, "me");
    lease_is_over(&k); /* after a long outage */
    struct transaction t = other_transaction(&k);
    assert_int_equal(t.claim_count, 0);
    transaction_done(&t);
    kit_end(&k, "me", &c, TASK_SUCCEED);
    CHECK_CSTR(kit_states(&k), "a SUCCEEDED");
    kit_done(&k);
}

TEST(an_attempt_whose_row_already_exists_can_end)
{
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    struct transaction_claim c = kit_claim(&k, "me");
    kit_sql(&k, "INSERT INTO attempt (task, number, owner, host, started, ended, end_kind, outcome,"
                " exit_code, tool, model, run, why, input_tokens, output_tokens, cost_usd, files)"
                " VALUES (1, 1, 'me', '', 1, 2, 'failed', '', 1, '', '', '', '', 0, 0, 0.0, '')");
    kit_end(&k, "me", &c, TASK_SUCCEED);
    CHECK_CSTR(kit_states(&k), "a SUCCEEDED");
    kit_done(&k);
}
