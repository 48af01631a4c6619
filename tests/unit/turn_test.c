#include "orchestrator/turn.h"

#include "tasks_kit.h"

static void tasks_are_claimed_in_the_order_of_entry(void **state)
{
    (void)state;
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "z", "");
    kit_add(&k, "a", "");
    kit_add(&k, "m", "");
    struct turn t = kit_turn(&k, "me", 2);
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 2);
    CHECK_CSTR(t.claims[0].name, "z");
    CHECK_CSTR(t.claims[1].name, "a");
    assert_int_equal(t.claims[0].number, 1);
    CHECK_CSTR(t.claims[0].spec, "version: 1\n");
    CHECK_CSTR(t.claims[0].pool, "default");
    CHECK_CSTR(kit_states(&k), "z RUNNING, a RUNNING, m READY");
    turn_done(&t);
    kit_done(&k);
}

static void a_chain_runs_one_after_the_other(void **state)
{
    (void)state;
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    kit_add(&k, "c", "a b");
    CHECK_CSTR(kit_states(&k), "a READY, b PENDING, c PENDING");
    struct turn_claim c = kit_claim(&k, "me");
    kit_end(&k, "me", &c, TASK_SUCCEED);
    CHECK_CSTR(kit_states(&k), "a SUCCEEDED, b READY, c PENDING");
    c = kit_claim(&k, "me");
    CHECK_CSTR(c.name, "b");
    kit_end(&k, "me", &c, TASK_SUCCEED);
    CHECK_CSTR(kit_states(&k), "a SUCCEEDED, b SUCCEEDED, c READY");
    kit_done(&k);
}

static void a_failure_blocks_all_downstream_and_a_retry_releases_them(void **state)
{
    (void)state;
    struct kit k;
    kit_begin(&k);
    kit_add(&k, "a", "");
    kit_add(&k, "b", "a");
    kit_add(&k, "c", "b");
    struct turn_claim c = kit_claim(&k, "me");
    kit_end(&k, "me", &c, TASK_GIVE_UP);
    CHECK_CSTR(kit_states(&k), "a BLOCKED, b BLOCKED, c BLOCKED");
    CHECK_CSTR(kit_row(&k, "c").why, "needs a, which is BLOCKED");
    struct tasks_change change = kit_retry(&k, "a");
    assert_int_equal(change.after, TASK_READY);
    assert_int_equal(change.touched, 2);
    CHECK_CSTR(kit_states(&k), "a READY, b PENDING, c PENDING");
    kit_done(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_are_claimed_in_the_order_of_entry),
        cmocka_unit_test(a_chain_runs_one_after_the_other),
        cmocka_unit_test(a_failure_blocks_all_downstream_and_a_retry_releases_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
