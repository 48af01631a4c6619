#include "tooling/ledger.h"

#include "ledger_calls.h"

/* ---- choosing */

TEST_FIXTURE(setup, teardown);

TEST(a_choice_is_numbered_and_lists_its_candidates)
{
    struct ledger_ask ask = ask_for("meta");
    ask.run = STR("run-1");
    candidates[2].weight = 0;
    profile.categories[CATEGORY_META].cooldown_ms = 777;
    struct decision *d = choose_as(&ask);
    assert_int_equal(d->id, 1);
    assert_true(d->at == START);
    CHECK_CSTR(d->category, "meta");
    CHECK_CSTR(d->used, "meta");
    CHECK_CSTR(d->profile, "test");
    CHECK_CSTR(d->run, "run-1");
    assert_int_equal(d->strategy, STRATEGY_PRIORITY);
    assert_false(d->forced || d->is_probe || d->has_outcome);
    assert_true(d->fallback);
    assert_true(d->cooldown_ms == 777);
    assert_int_equal(d->index, 0);
    assert_ptr_equal(d->chosen, &candidates[0]);
    assert_int_equal(d->count, 4);
    assert_int_equal(d->candidates[1].tool, AGENT_MOCK);
    CHECK_CSTR(d->candidates[1].model, "b");
    CHECK_CSTR(d->candidates[1].account, "KEY_1");
    CHECK_CSTR(d->candidates[1].why, "");
    assert_int_equal(d->candidates[2].out, SELECT_DISABLED);
    CHECK_CSTR(d->candidates[2].why, "disabled: its weight is 0");
    decision_free(d);
    d = choose();
    assert_int_equal(d->id, 2);
    decision_free(d);
}

/* The file changes during a run: the run keeps its configuration. */
TEST(a_decision_holds_a_reference_of_its_configuration)
{
    struct decision *d = choose();
    assert_int_equal(tooling.refs, 2);
    decision_free(d);
    assert_int_equal(tooling.refs, 1);
    decision_free(NULL);
}

TEST(a_category_without_settings_uses_meta)
{
    static const char *const names[] = {"plan", "worker", "no such thing", ""};
    for (size_t i = 0; i < 4; i++) {
        struct ledger_ask ask = ask_for(names[i]);
        struct decision *d = choose_as(&ask);
        CHECK_CSTR(d->category, names[i]);
        CHECK_CSTR(d->used, "meta");
        assert_int_equal(d->count, 4);
        decision_free(d);
    }
    profile.categories[CATEGORY_PLAN] = (struct tooling_category){
        .strategy = STRATEGY_PRIORITY, .candidates = candidates + 4, .count = 1};
    struct ledger_ask ask = ask_for("plan");
    struct decision *d = choose_as(&ask);
    CHECK_CSTR(d->used, "plan");
    assert_ptr_equal(d->chosen, &candidates[4]);
    assert_false(d->fallback);
    decision_free(d);
}

TEST(without_candidates_nobody_is_chosen)
{
    profile.categories[CATEGORY_META].count = 0;
    struct decision *d = choose();
    assert_true(d->index == SELECT_NOBODY);
    assert_null(d->chosen);
    assert_int_equal(d->count, 0);
    assert_int_equal(d->id, 1);
    decision_free(d);
}

static bool only_c(const struct candidate *c, char why[128], void *ctx)
{
    ++*(int *)ctx;
    snprintf(why, 128, "not found in PATH");
    return str_eq(c->model, STR("c"));
}

TEST(an_unavailable_candidate_is_out_with_its_reason)
{
    int asked = 0;
    struct ledger_ask ask = ask_for("meta");
    ask.available = only_c;
    ask.ctx = &asked;
    struct decision *d = choose_as(&ask);
    assert_int_equal(asked, 4);
    assert_int_equal(d->index, 2);
    assert_int_equal(d->candidates[0].out, SELECT_UNAVAILABLE);
    CHECK_CSTR(d->candidates[0].why, "not found in PATH");
    assert_true(d->candidates[0].back_at == 0);
    CHECK_CSTR(d->candidates[2].why, "");
    decision_free(d);
}

/* Variables of the process name an account, too. */
TEST(the_account_is_the_variable_that_holds_the_key)
{
    candidates[0].env = candidates[1].env = NULL;
    set_env(1, "{\"MOCK_API_KEY\":\"a literal\"}");
    struct decision *d = choose();
    CHECK_CSTR(d->candidates[0].account, "login");
    CHECK_CSTR(d->candidates[1].account, "MOCK_API_KEY");
    CHECK_CSTR(d->candidates[2].account, "KEY_2");
    decision_free(d);
    setenv("MOCK_API_KEY", "a secret", 1);
    d = choose();
    CHECK_CSTR(d->candidates[0].account, "MOCK_API_KEY");
    decision_free(d);
    unsetenv("MOCK_API_KEY");
}

TEST(a_dry_choice_leaves_no_trace)
{
    configure(STRATEGY_ROUND_ROBIN, 4);
    run_one(0, OUTCOME_SERVER);
    now += MINUTE;
    for (int i = 0; i < 3; i++) {
        struct ledger_ask ask = ask_for("meta");
        ask.dry = true;
        struct decision *d = choose_as(&ask);
        assert_int_equal(d->id, 0);
        assert_int_equal(d->index, 0); /* the probe: no process has it */
        assert_true(d->is_probe);
        int64_t until;
        struct outcome o = {.class = OUTCOME_OK};
        assert_false(
            ledger_report(ledger, d, &(struct ledger_result){&o, NULL, now}, &until, &err));
        decision_free(d);
    }
    struct decision *d = choose();
    assert_int_equal(d->id, 2);
    decision_free(d);
}

TEST(the_same_seed_gives_the_same_choices)
{
    configure(STRATEGY_WEIGHTED, 4);
    size_t first[20];
    for (size_t i = 0; i < 20; i++) {
        struct decision *d = choose();
        first[i] = d->index;
        assert_true(d->draw >= 0 && d->draw < 1 && d->share == 0.25);
        decision_free(d);
    }
    rng_seed(&rng, 20261116);
    for (size_t i = 0; i < 20; i++)
        if (i % 2 == 0) {
            struct decision *d = choose();
            assert_int_equal(d->index, first[i]);
            decision_free(d);
        } else {
            assert_int_equal(look(), first[i]); /* a dry choice draws the same number */
        }
}

/* ---- turns */

static size_t take(void)
{
    struct decision *d = choose();
    size_t index = d->index;
    report(d, OUTCOME_OK);
    return index;
}

TEST(turns_are_remembered)
{
    configure(STRATEGY_ROUND_ROBIN, 4);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(take(), i % 4);
    close_ledger();
    open_ledger();
    for (size_t i = 6; i < 12; i++)
        assert_int_equal(take(), i % 4);
}

TEST(each_profile_and_category_has_turns_of_its_own)
{
    configure(STRATEGY_ROUND_ROBIN, 4);
    profile.categories[CATEGORY_PLAN] = profile.categories[CATEGORY_META];
    take();
    take();
    struct ledger_ask ask = ask_for("plan");
    struct decision *d = choose_as(&ask);
    assert_int_equal(d->index, 0);
    decision_free(d);
    ask = ask_for("task"); /* without settings: it uses the turn of meta */
    d = choose_as(&ask);
    assert_int_equal(d->index, 2);
    decision_free(d);
    profile.id = STR("other");
    assert_int_equal(take(), 0);
    profile.id = STR("test");
    assert_int_equal(take(), 3);
}

TEST(an_edited_list_keeps_its_turn)
{
    configure(STRATEGY_ROUND_ROBIN, 4);
    take();
    take(); /* the last choice is b */
    struct candidate b = candidates[1], e = candidates[4];
    memmove(candidates + 1, candidates, sizeof *candidates); /* e, a, c, d: b is gone */
    candidates[0] = e;
    assert_int_equal(take(), 1); /* the one after its place */
    candidates[3] = candidates[2];
    candidates[2] = candidates[1]; /* e, b, a, c: the last choice, a, has moved */
    candidates[1] = b;
    assert_int_equal(take(), 3);
    profile.categories[CATEGORY_META].count = 1; /* the last choice, c, and its place are gone */
    assert_int_equal(take(), 0);
}

/* Same agent, same model, other flags. */
TEST(the_same_candidate_twice_has_two_turns)
{
    configure(STRATEGY_ROUND_ROBIN, 4);
    for (size_t i = 1; i < 3; i++)
        candidates[i] = candidates[0];
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(take(), i % 4);
    configure(STRATEGY_LEAST_RECENT, 4);
    for (size_t i = 1; i < 3; i++)
        candidates[i] = candidates[0];
    for (size_t i = 0; i < 12; i++) {
        now += SECOND;
        assert_int_equal(take(), i % 4);
    }
}

TEST(a_probe_and_a_forced_run_do_not_change_the_turn)
{
    configure(STRATEGY_ROUND_ROBIN, 4);
    take();
    report(choose(), OUTCOME_SERVER);
    assert_int_equal(take(), 2);
    now += MINUTE;
    assert_int_equal(take(), 1); /* the probe */
    tooling.forced = true;
    tooling.force = candidates[1];
    take();
    tooling.forced = false;
    assert_int_equal(take(), 3);
}

/* Also within one millisecond, or if the clock goes back. */
TEST(least_recent_goes_round_with_any_clock)
{
    configure(STRATEGY_LEAST_RECENT, 4);
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(take(), i % 4);
    now -= DAY;
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(take(), i % 4);
}

TEST(a_use_in_another_category_counts)
{
    configure(STRATEGY_LEAST_RECENT, 2);
    profile.categories[CATEGORY_PLAN] = (struct tooling_category){
        .strategy = STRATEGY_PRIORITY, .candidates = candidates, .count = 2};
    struct ledger_ask ask = ask_for("plan");
    decision_free(choose_as(&ask));
    now += SECOND;
    assert_int_equal(take(), 1);
}

/* ---- force mode */

TEST(force_ignores_cooldowns_checks_and_categories)
{
    int asked = 0;
    run_one(0, OUTCOME_USAGE_LIMITED);
    tooling.forced = true;
    tooling.force = candidates[0];
    tooling.force.cli_path = STR("/opt/mock");
    static const char *const names[] = {"meta", "plan", "task", "execution", "worker", "none"};
    for (size_t i = 0; i < 6; i++) {
        struct ledger_ask ask = ask_for(names[i]);
        bool tried[8] = {true, true, true, true};
        ask.tried = tried;
        ask.available = only_c;
        ask.ctx = &asked;
        struct decision *d = choose_as(&ask);
        assert_true(d->forced && !d->fallback && !d->is_probe && d->id > 0);
        assert_int_equal(d->index, 0);
        assert_ptr_equal(d->chosen, &tooling.force);
        assert_int_equal(d->count, 1);
        CHECK_CSTR(d->candidates[0].model, "a");
        assert_true(d->share == 1 && d->draw == -1);
        decision_free(d);
    }
    assert_int_equal(asked, 0);
}

TEST(a_forced_failure_starts_no_cooldown)
{
    tooling.forced = true;
    tooling.force = candidates[0];
    struct decision *d = choose();
    assert_true(report(d, OUTCOME_USAGE_LIMITED) == 0);
    check_cooldowns("");
}

TEST(a_forced_success_ends_the_cooldowns)
{
    run_one(0, OUTCOME_USAGE_LIMITED);
    now += SECOND;
    tooling.forced = true;
    tooling.force = candidates[0];
    struct decision *d = choose();
    report(d, OUTCOME_OK);
    check_cooldowns("");
}

TEST(any_profile_can_be_asked_despite_force)
{
    struct tooling_profile other = profile;
    other.id = STR("other");
    other.categories[CATEGORY_META].candidates = &candidates[2];
    other.categories[CATEGORY_META].count = 2;
    struct ledger_ask ask = ask_for("worker");
    ask.profile = &other;
    ask.dry = true;
    tooling.forced = true;
    tooling.force = candidates[7];
    struct decision *d = choose_as(&ask);
    assert_false(d->forced);
    assert_int_equal(d->count, 2);
    CHECK_CSTR(d->profile, "other");
    CHECK_CSTR(d->candidates[0].model, "c");
    decision_free(d);
    tooling.forced = false;
}

TEST(candidates_have_their_share_and_cooldown)
{
    configure(STRATEGY_WEIGHTED, 3);
    candidates[2].weight = 3;
    run_one(0, OUTCOME_SERVER);
    candidates[0].weight = 0; /* out for that reason, and in cooldown as well */
    struct ledger_ask ask = ask_for("meta");
    ask.dry = true;
    struct decision *d = choose_as(&ask);
    assert_int_equal(d->candidates[0].out, SELECT_DISABLED);
    assert_int_equal(d->candidates[0].state, COOLDOWN_ACTIVE);
    assert_string_equal(d->candidates[0].row->key, "mock|*|a");
    assert_true(d->candidates[0].share == 0);
    assert_null(d->candidates[1].row);
    assert_true(d->candidates[1].share == 0.25 && d->candidates[2].share == 0.75);
    decision_free(d);
    now += 31 * SECOND;
    ask = ask_for("meta");
    ask.dry = true;
    d = choose_as(&ask);
    assert_int_equal(d->candidates[0].state, COOLDOWN_DUE);
    decision_free(d);
}
