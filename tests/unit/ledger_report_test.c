#include "tooling/ledger.h"

#include <math.h>

#include "ledger_calls.h"

/* ---- cooldowns */

TEST_FIXTURE(setup, teardown);

TEST(a_limited_candidate_cools_down_and_the_next_one_is_chosen)
{
    struct decision *d = choose();
    assert_true(report(d, OUTCOME_RATE_LIMITED) == START + 30 * SECOND);
    check_cooldowns("mock|KEY_0|a rate_limited 30000 x1\n");
    d = choose();
    assert_int_equal(d->index, 1);
    assert_int_equal(d->candidates[0].out, SELECT_COOLDOWN);
    CHECK_CSTR(d->candidates[0].why,
               "in cooldown until 2026-11-16T01:00:30.000Z: rate_limited (exit=1)");
    assert_true(d->candidates[0].back_at == START + 30 * SECOND);
    decision_free(d);
}

TEST(the_category_gives_the_minimum_cooldown_of_a_limit)
{
    profile.categories[CATEGORY_META].cooldown_ms = 2 * MINUTE;
    struct decision *d = choose();
    assert_true(report(d, OUTCOME_RATE_LIMITED) == START + 2 * MINUTE);
}

TEST(the_cooldown_of_an_account_covers_all_its_models)
{
    set_env(1, "{\"MOCK_API_KEY\":\"env:KEY_0\"}");
    assert_true(run_one(0, OUTCOME_USAGE_LIMITED) == START + HOUR);
    check_cooldowns("mock|KEY_0|* usage_limited 3600000 x1\n");
    assert_int_equal(look(), 2);
}

TEST(a_limit_of_one_model_covers_only_that_model)
{
    set_env(1, "{\"MOCK_API_KEY\":\"env:KEY_0\"}");
    struct decision *d = choose();
    report_outcome(d, &(struct outcome){.class = OUTCOME_USAGE_LIMITED,
                                        .until = START + 3 * HOUR,
                                        .trust = UNTIL_FIELD,
                                        .model_only = true});
    assert_true(d->until == START + 3 * HOUR);
    decision_free(d);
    check_cooldowns("mock|KEY_0|a usage_limited 10800000 x1\n");
    assert_int_equal(look(), 1);
}

static const struct candidate *as_called(const struct candidate *c, void *ctx)
{
    struct candidate *called = ctx;
    called->tool = c->tool;
    return called;
}

/* A task may set its own key, and a model where none is configured. */
TEST(the_keys_are_those_of_the_called_candidate)
{
    struct arena a = {0};
    struct candidate called = {
        .model = STR("theirs"),
        .env = json_parse(&a, STR("{\"MOCK_API_KEY\":\"env:WORK_KEY\"}"), NULL, NULL)};
    struct ledger_ask ask = ask_for("meta");
    ask.as_called = as_called;
    ask.ctx = &called;
    struct decision *d = choose_as(&ask);
    CHECK_CSTR(d->candidates[0].account, "WORK_KEY");
    report(d, OUTCOME_RATE_LIMITED);
    check_cooldowns("mock|WORK_KEY|theirs rate_limited 30000 x1\n");
    assert_int_equal(look(), 0); /* the candidate in the tooling is another one */
    arena_done(&a);
}

TEST(the_cooldown_of_an_overloaded_model_covers_every_account)
{
    candidates[1].model = STR("a");
    run_one(0, OUTCOME_OVERLOADED);
    check_cooldowns("mock|*|a overloaded 30000 x1\n");
    assert_int_equal(look(), 2);
}

TEST(an_outcome_without_a_scope_starts_no_cooldown)
{
    static const enum outcome_class classes[] = {OUTCOME_OK, OUTCOME_REQUEST, OUTCOME_BUDGET,
                                                 OUTCOME_KILLED};
    for (size_t i = 0; i < 4; i++)
        assert_true(run_one(0, classes[i]) == 0);
    check_cooldowns("");
}

TEST(when_all_are_out_the_first_time_back_is_known)
{
    run_one(0, OUTCOME_USAGE_LIMITED);
    run_one(1, OUTCOME_SERVER);
    run_one(2, OUTCOME_LAUNCH);
    candidates[3].weight = 0;
    now += 10 * SECOND;
    struct decision *d = choose();
    assert_true(d->index == SELECT_NOBODY);
    assert_null(d->chosen);
    assert_true(d->back_at == START + 30 * SECOND);
    struct buf text = {0};
    decision_say_nobody(d, now, &text);
    CHECK_CSTR(buf_str(&text),
               "no candidate for meta:"
               " mock a: in cooldown until 2026-11-16T02:00:00.000Z: usage_limited (exit=1);"
               " mock b: in cooldown until 2026-11-16T01:00:30.000Z: server (exit=1);"
               " mock c: in cooldown until 2026-11-16T01:05:00.000Z: launch (exit=1);"
               " mock d: disabled: its weight is 0;"
               " the first is back at 01:00:30Z (in 20 s)");
    buf_done(&text);
    decision_free(d);
}

/* The first one back may be among those that were tried just now. */
TEST(a_tried_candidate_has_its_time_back)
{
    profile.categories[CATEGORY_META].count = 1;
    run_one(0, OUTCOME_SERVER);
    bool tried[] = {true};
    struct ledger_ask ask = ask_for("meta");
    ask.tried = tried;
    struct decision *d = choose_as(&ask);
    assert_int_equal(d->candidates[0].out, SELECT_TRIED);
    CHECK_CSTR(d->candidates[0].why,
               "tried in this call, in cooldown until 2026-11-16T01:00:30.000Z:"
               " server (exit=1)");
    assert_true(d->back_at == START + 30 * SECOND);
    decision_free(d);
}

TEST(the_longest_of_several_cooldowns_counts)
{
    struct decision *first = choose(), *second = choose(), *third = choose();
    report(first, OUTCOME_RATE_LIMITED);                        /* 30 s */
    assert_true(report(second, OUTCOME_AUTH) == START + HOUR);  /* 1 h */
    assert_true(report(third, OUTCOME_LAUNCH) == START + HOUR); /* 5 min: the hour holds */
    check_cooldowns("mock|*|a launch 300000 x1\n"
                    "mock|KEY_0|* auth 3600000 x1\n"
                    "mock|KEY_0|a rate_limited 30000 x1\n");
    for (int i = 0; i < 2; i++) {
        struct decision *d = choose();
        assert_int_equal(d->index, 1);
        assert_true(d->candidates[0].back_at == START + HOUR);
        decision_free(d);
        now = START + 10 * MINUTE; /* when the others are over */
    }
}

TEST(cooldowns_outlive_the_process)
{
    configure(STRATEGY_ROUND_ROBIN, 4);
    run_one(1, OUTCOME_USAGE_LIMITED);
    close_ledger();
    open_ledger();
    check_cooldowns("mock|KEY_1|* usage_limited 3600000 x1\n");
    assert_int_equal(look(), 2);
}

TEST(another_process_sees_a_cooldown_at_once)
{
    struct ledger *other = ledger_open(ledger_where, &err);
    run_one(0, OUTCOME_USAGE_LIMITED);
    struct ledger_ask ask = ask_for("meta");
    struct decision *d = ledger_choose(other, &ask, &err);
    assert_non_null(d);
    assert_int_equal(d->index, 1);
    decision_free(d);
    ledger_close(other);
}

/* ---- failures in a row */

TEST(failures_in_a_row_double_and_success_resets_them)
{
    assert_true(run_one(0, OUTCOME_SERVER) == now + 30 * SECOND);
    now += MINUTE;
    assert_true(run_one(0, OUTCOME_SERVER) == now + 60 * SECOND);
    now += 2 * MINUTE;
    assert_true(run_one(0, OUTCOME_SERVER) == now + 120 * SECOND);
    now += 3 * MINUTE;
    assert_true(run_one(0, OUTCOME_OK) == 0);
    check_cooldowns("");
    assert_true(run_one(0, OUTCOME_SERVER) == now + 30 * SECOND);
}

/* Sixteen runs that hit the same limit at the same time are one failure. */
TEST(failures_of_earlier_runs_do_not_count_again)
{
    struct decision *runs[16];
    for (size_t i = 0; i < 16; i++)
        runs[i] = choose();
    for (size_t i = 0; i < 16; i++) {
        now += SECOND;
        assert_true(report(runs[i], OUTCOME_RATE_LIMITED) == now + 30 * SECOND);
    }
    check_cooldowns("mock|KEY_0|a rate_limited 46000 x1\n");
}

TEST(success_of_an_earlier_run_does_not_end_the_cooldown)
{
    struct decision *early = choose(), *limited = choose();
    now += MINUTE;
    report(limited, OUTCOME_USAGE_LIMITED);
    now += MINUTE;
    assert_true(report(early, OUTCOME_OK) == START + MINUTE + HOUR);
    check_cooldowns("mock|KEY_0|* usage_limited 3660000 x1\n");
}

/* ---- probes */

TEST(a_due_cooldown_is_probed_by_one)
{
    run_one(2, OUTCOME_SERVER);
    now += MINUTE;
    struct decision *probe = choose();
    assert_int_equal(probe->index, 2);
    assert_true(probe->is_probe);
    check_cooldowns("mock|*|c server 30000 x1 probed\n");
    struct decision *d = choose();
    assert_int_equal(d->index, 0);
    assert_int_equal(d->candidates[2].out, SELECT_PROBING);
    CHECK_CSTR(d->candidates[2].why,
               "being probed after its cooldown (server), at the latest until "
               "2026-11-16T01:31:00.000Z");
    assert_true(d->candidates[2].back_at == START + 31 * MINUTE);
    decision_free(d);
    assert_true(report(probe, OUTCOME_OK) == 0);
    check_cooldowns("");
}

TEST(a_failed_probe_starts_the_cooldown_again)
{
    run_one(2, OUTCOME_SERVER);
    now += MINUTE;
    struct decision *probe = choose();
    assert_true(report(probe, OUTCOME_SERVER) == now + MINUTE);
    check_cooldowns("mock|*|c server 120000 x2\n");
    assert_int_equal(look(), 0);
}

TEST(an_outcome_without_a_cooldown_gives_the_probe_back)
{
    static const enum outcome_class classes[] = {OUTCOME_REQUEST, OUTCOME_BUDGET, OUTCOME_KILLED};
    run_one(2, OUTCOME_SERVER);
    now += MINUTE;
    for (size_t i = 0; i < 3; i++) {
        struct decision *probe = choose();
        assert_int_equal(probe->index, 2);
        report(probe, classes[i]);
        check_cooldowns("mock|*|c server 30000 x1\n");
    }
}

/* The account answered, which proves nothing about the used-up quota. */
TEST(a_failure_of_another_kind_gives_the_probe_back)
{
    run_one(2, OUTCOME_USAGE_LIMITED);
    now += 2 * HOUR;
    struct decision *probe = choose();
    assert_int_equal(probe->index, 2);
    report(probe, OUTCOME_OVERLOADED);
    check_cooldowns("mock|*|c overloaded 7230000 x1\n"
                    "mock|KEY_2|* usage_limited 3600000 x1\n");
    now += MINUTE;
    assert_int_equal(look(), 2);
}

TEST(a_probe_that_never_reports_expires)
{
    run_one(2, OUTCOME_SERVER);
    now += MINUTE;
    struct decision *lost = choose();
    assert_int_equal(lost->index, 2);
    now += COOLDOWN_PROBE_MS - 1;
    assert_int_equal(look(), 0);
    now += 1;
    struct decision *second = choose();
    assert_int_equal(second->index, 2);
    assert_true(second->is_probe);
    report(lost, OUTCOME_KILLED); /* late: the probe belongs to another run by now */
    assert_int_equal(look(), 0);
    report(second, OUTCOME_OK);
    check_cooldowns("");
}

/* tooling select: a choice that is shown, and not run. */
TEST(a_choice_without_a_report_claims_no_probe)
{
    run_one(2, OUTCOME_SERVER);
    now += MINUTE;
    struct ledger_ask ask = ask_for("meta");
    ask.leaves_probe = true;
    struct decision *d = choose_as(&ask);
    assert_true(d->index == 2 && d->is_probe && d->id > 0);
    check_cooldowns("mock|*|c server 30000 x1\n");
    decision_free(d);
    d = choose();
    assert_true(d->index == 2 && d->is_probe);
    check_cooldowns("mock|*|c server 30000 x1 probed\n");
    report(d, OUTCOME_OK);
}

/* It read the clock before the other process, and the file after it. */
TEST(a_late_process_with_an_earlier_clock_gets_no_probe)
{
    run_one(2, OUTCOME_SERVER);
    now += MINUTE;
    struct decision *probe = choose();
    assert_true(probe->is_probe);
    now -= 10 * SECOND;
    assert_int_equal(look(), 0);
    now += 10 * SECOND;
    report(probe, OUTCOME_SERVER);
    now -= 10 * SECOND;
    assert_int_equal(look(), 0);
}

TEST(all_candidates_under_a_key_are_probed_by_one)
{
    set_env(1, "{\"MOCK_API_KEY\":\"env:KEY_0\"}");
    run_one(0, OUTCOME_USAGE_LIMITED);
    now += 2 * HOUR;
    struct decision *probe = choose();
    assert_int_equal(probe->index, 0);
    struct decision *d = choose();
    assert_int_equal(d->index, 2);
    assert_int_equal(d->candidates[1].out, SELECT_PROBING);
    decision_free(d);
    report(probe, OUTCOME_OK);
    assert_int_equal(look(), 0);
}

/* One key is active and another due: the candidate is out. Both due: the probe claims both. */
TEST(a_probe_claims_all_keys_that_are_due)
{
    struct decision *first = choose(), *second = choose();
    report(first, OUTCOME_OVERLOADED);
    report(second, OUTCOME_USAGE_LIMITED);
    now += MINUTE;
    assert_int_equal(look(), 1);
    now += 2 * HOUR;
    struct decision *probe = choose();
    assert_int_equal(probe->index, 0);
    check_cooldowns("mock|*|a overloaded 30000 x1 probed\n"
                    "mock|KEY_0|* usage_limited 3600000 x1 probed\n");
    report(probe, OUTCOME_OK);
    check_cooldowns("");
}

TEST(a_cooldown_outweighs_a_probe_of_another_key)
{
    struct decision *old = choose();
    run_one(0, OUTCOME_OVERLOADED);
    now += MINUTE;
    struct decision *probe = choose();
    assert_true(probe->index == 0 && probe->is_probe);
    report(old, OUTCOME_AUTH);
    struct decision *d = choose();
    assert_int_equal(d->candidates[0].out, SELECT_COOLDOWN);
    assert_true(d->candidates[0].back_at == now + HOUR);
    decision_free(d);
    report(probe, OUTCOME_KILLED);
}

TEST(a_probe_outweighs_a_due_cooldown_of_another_key)
{
    set_env(1, "{\"MOCK_API_KEY\":\"env:KEY_0\"}");
    struct decision *first = choose(), *second = choose();
    report(first, OUTCOME_RATE_LIMITED);
    report(second, OUTCOME_USAGE_LIMITED);
    now += 2 * HOUR;
    bool tried[] = {true, false, false, false};
    struct ledger_ask ask = ask_for("meta");
    ask.tried = tried;
    struct decision *probe = choose_as(&ask); /* of the account, by its other model */
    assert_true(probe->index == 1 && probe->is_probe);
    struct decision *d = choose();
    assert_int_equal(d->index, 2);
    assert_int_equal(d->candidates[0].out, SELECT_PROBING);
    decision_free(d);
    report(probe, OUTCOME_OK);
    check_cooldowns("mock|KEY_0|a rate_limited 30000 x1\n");
}

/* A failure of an older run must not open the door for a second probe. */
TEST(a_failure_of_another_run_does_not_end_a_probe)
{
    struct decision *old = choose();
    run_one(0, OUTCOME_SERVER);
    now += MINUTE;
    struct decision *probe = choose();
    assert_true(probe->is_probe);
    now += SECOND;
    report(old, OUTCOME_SERVER);
    now += 5 * MINUTE; /* that cooldown is over, too */
    struct decision *d = choose();
    assert_int_equal(d->candidates[0].out, SELECT_PROBING);
    decision_free(d);
    report(probe, OUTCOME_OK); /* which began before that cooldown, but holds the probe */
    check_cooldowns("");
}

/* The clock of a report may have been read long before the store was free. */
TEST(success_of_another_run_does_not_end_a_probe)
{
    struct decision *late = choose();
    now += SECOND;
    struct decision *second = choose();
    now -= SECOND;
    report(late, OUTCOME_SERVER); /* its cooldown seems to begin before the second was chosen */
    now += MINUTE;
    struct decision *probe = choose();
    assert_true(probe->is_probe);
    report(second, OUTCOME_OK);
    struct decision *d = choose();
    assert_int_equal(d->candidates[0].out, SELECT_PROBING);
    decision_free(d);
    report(probe, OUTCOME_OK);
    check_cooldowns("");
}

TEST(without_fallback_the_probe_waits_for_its_turn)
{
    profile.categories[CATEGORY_META].fallback = false;
    run_one(2, OUTCOME_SERVER);
    now += MINUTE;
    assert_int_equal(look(), 0);
    bool tried[] = {true, true, false, false};
    struct ledger_ask ask = ask_for("meta");
    ask.tried = tried;
    struct decision *probe = choose_as(&ask);
    assert_true(probe->index == 2 && probe->is_probe);
    check_cooldowns("mock|*|c server 30000 x1 probed\n");
    report(probe, OUTCOME_OK);
}

/* ---- limits that are near */

static void warn(size_t i, double used, int64_t resets_at, const char *window)
{
    bool tried[8] = {true, true, true, true, true, true, true, true};
    tried[i] = false;
    struct ledger_ask ask = ask_for("meta");
    ask.tried = tried;
    struct decision *d = choose_as(&ask);
    struct outcome o = {.class = OUTCOME_OK};
    struct outcome_warning w = {.used = used, .resets_at = resets_at};
    snprintf(w.window, sizeof w.window, "%s", window);
    assert_true(ledger_report(ledger, d, &(struct ledger_result){&o, &w, now}, NULL, &err));
    decision_free(d);
}

TEST(a_limit_that_is_near_steers_until_it_is_reset)
{
    set_env(1, "{\"MOCK_API_KEY\":\"env:KEY_0\"}");
    warn(0, 0.914, START + 2 * HOUR, "five_hour");
    struct decision *d = choose();
    assert_int_equal(d->index, 2); /* b has the same account */
    assert_int_equal(d->candidates[0].out, SELECT_NEAR);
    CHECK_CSTR(d->candidates[0].why, "near its limit: 91 % of five_hour used, until "
                                     "2026-11-16T03:00:00.000Z");
    assert_true(d->candidates[0].back_at == 0);
    decision_free(d);
    now = START + 2 * HOUR - 1;
    assert_int_equal(look(), 2);
    now++;
    assert_int_equal(look(), 0);
}

TEST(clearing_removes_near_limits)
{
    size_t n = 99;
    warn(0, 0.914, START + 2 * HOUR, "five_hour");
    assert_int_equal(look(), 1);
    assert_true(ledger_clear(ledger, STR("mock|KEY_1"), &n, &err));
    assert_int_equal(look(), 1);
    assert_true(ledger_clear(ledger, STR("mock|KEY_0"), &n, &err));
    assert_int_equal(n, 0); /* it was not a cooldown */
    assert_int_equal(look(), 0);
}

TEST(a_warning_without_an_end_lasts_an_hour)
{
    warn(0, 0.9, 0, "");
    now += HOUR - 1;
    struct decision *d = choose();
    assert_int_equal(d->index, 1);
    CHECK_CSTR(d->candidates[0].why, "near its limit: 90 % used, until 2026-11-16T02:00:00.000Z");
    decision_free(d);
    now++;
    assert_int_equal(look(), 0);
}

TEST(a_later_warning_replaces_the_one_of_its_window)
{
    warn(0, 0.95, START + 3 * DAY, "seven_day");
    warn(0, 0.9, START + 5 * HOUR, "five_hour");
    warn(0, 0.85, START + HOUR, "seven_day");
    struct decision *d = choose();
    CHECK_CSTR(d->candidates[0].why, "near its limit: 90 % of five_hour used, until "
                                     "2026-11-16T06:00:00.000Z");
    decision_free(d);
    now += 5 * HOUR;
    assert_int_equal(look(), 0);
}

TEST(a_window_that_is_over_is_not_near)
{
    warn(0, 0.95, START + 3 * HOUR, "w");
    assert_int_equal(look(), 1);
    warn(0, 0.95, START - 1, "w");
    assert_int_equal(look(), 0);
}

TEST(no_warning_changes_nothing)
{
    warn(0, 0.9, START + HOUR, "w");
    warn(0, 0, START + 2 * HOUR, "w");
    warn(0, NAN, START + 2 * HOUR, "w");
    warn(0, -1, START + 2 * HOUR, "w");
    run_one(0, OUTCOME_OK);
    assert_int_equal(look(), 1);
    now += HOUR;
    assert_int_equal(look(), 0);
}

TEST(a_warning_lasts_no_longer_than_any_cooldown)
{
    warn(0, 1e300, INT64_MAX, "w");
    struct decision *d = choose();
    CHECK_CSTR(d->candidates[0].why,
               "near its limit: 100 % of w used, until 2026-11-24T01:00:00.000Z");
    decision_free(d);
    now += 8 * DAY;
    assert_int_equal(look(), 0);
}
