/* The probes of a killed run, and which of them others get back. */
#include "ledger_calls.h"

/* A cooldown of c that is over, and its probe by this run. */
static struct decision *probe_for(const char *run)
{
    run_one(2, OUTCOME_SERVER);
    now += MINUTE;
    struct ledger_ask ask = ask_for("meta");
    ask.run = str_from(run);
    struct decision *d = choose_as(&ask);
    assert_int_equal(d->index, 2);
    assert_true(d->is_probe);
    check_cooldowns("mock|*|c server 30000 x1 probed\n");
    return d;
}

static void give_back(const char *run, size_t want)
{
    size_t count = 99;
    if (!ledger_give_back(ledger_where, str_from(run), &count, &err))
        fail_msg("%s", err.text);
    assert_int_equal(count, want);
}

TEST_FIXTURE(setup, teardown);

TEST(the_probe_of_a_dead_run_is_given_back)
{
    struct decision *d = probe_for("R-1");
    assert_int_equal(look(), 0);
    give_back("R-1", 1);
    check_cooldowns("mock|*|c server 30000 x1\n");
    assert_int_equal(look(), 2); /* the next process may try */
    give_back("R-1", 0);
    decision_free(d);
}

TEST(the_probe_of_another_run_is_left_alone)
{
    struct decision *d = probe_for("R-1");
    give_back("R-2", 0);
    give_back("R-", 0);
    check_cooldowns("mock|*|c server 30000 x1 probed\n");
    assert_true(report(d, OUTCOME_OK) == 0);
    check_cooldowns("");
}

/* It was given back, and another run has it now. */
TEST(a_probe_that_another_run_holds_now_is_left_alone)
{
    struct decision *first = probe_for("R-1");
    give_back("R-1", 1);
    now += 1;
    struct ledger_ask ask = ask_for("meta");
    ask.run = STR("R-2");
    struct decision *second = choose_as(&ask);
    assert_int_equal(second->index, 2);
    give_back("R-1", 0);
    check_cooldowns("mock|*|c server 30000 x1 probed\n");
    decision_free(first);
    decision_free(second);
}

TEST(a_reported_decision_gives_nothing_back)
{
    struct decision *d = probe_for("R-1");
    assert_true(report(d, OUTCOME_SERVER) == now + MINUTE);
    give_back("R-1", 0);
    check_cooldowns("mock|*|c server 120000 x2\n");
}

TEST(all_probes_of_the_run_are_given_back)
{
    const bool tried[8] = {true, true, false, true};
    struct ledger_ask ask = ask_for("meta");
    ask.tried = tried;
    struct decision *one = choose_as(&ask), *other = choose_as(&ask);
    report(one, OUTCOME_USAGE_LIMITED);
    report(other, OUTCOME_RATE_LIMITED);
    now += 2 * HOUR;
    ask = ask_for("meta");
    ask.run = STR("R-1");
    struct decision *d = choose_as(&ask);
    assert_int_equal(d->index, 2);
    give_back("R-1", 2);
    assert_int_equal(look(), 2);
    decision_free(d);
}

TEST(without_a_run_nothing_is_given_back)
{
    struct decision *d = probe_for("");
    size_t count = 7;
    assert_false(ledger_give_back(ledger_where, STR(""), &count, &err));
    assert_int_equal(count, 7);
    check_cooldowns("mock|*|c server 30000 x1 probed\n");
    decision_free(d);
}
