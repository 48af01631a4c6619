#include "tooling/simulate.h"

#include "test.h"

static struct candidate candidates[4];
static struct tooling_category settings;
static enum select_out outs[4];
static struct simulate s;
static struct rng rng;

static int setup(void **state)
{
    static const double weights[] = {50, 30, 0, 20};
    for (size_t i = 0; i < 4; i++) {
        candidates[i] = (struct candidate){.tool = AGENT_MOCK, .weight = weights[i]};
        outs[i] = SELECT_IN;
    }
    settings = (struct tooling_category){
        .strategy = STRATEGY_WEIGHTED, .candidates = candidates, .count = 4, .fallback = true};
    s = (struct simulate){.settings = &settings, .draws = 10000, .outs = outs};
    rng_seed(&rng, 20261116);
    return 0;
}

static uint64_t total(void)
{
    return s.counts[0] + s.counts[1] + s.counts[2] + s.counts[3] + s.nobody;
}

TEST_FIXTURE(setup, NULL);

TEST(weights_become_shares)
{
    simulate_run(&s, &rng);
    assert_int_equal(total(), 10000);
    assert_true(s.shares[0] == 0.5 && s.shares[1] == 0.3 && s.shares[3] == 0.2);
    assert_true(s.counts[2] == 0 && s.shares[2] == 0);
    assert_int_equal(s.freedom, 2);
    assert_true(s.chi < 13.8); /* one in a thousand is worse; the seed is fixed */
    struct simulate again = s;
    rng_seed(&rng, 20261116);
    simulate_run(&s, &rng);
    assert_memory_equal(again.counts, s.counts, sizeof s.counts);
}

TEST(a_candidate_that_is_out_is_never_drawn)
{
    static const enum select_out reasons[] = {SELECT_TRIED, SELECT_UNAVAILABLE, SELECT_COOLDOWN,
                                              SELECT_PROBING, SELECT_NEAR};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        outs[0] = reasons[i];
        simulate_run(&s, &rng);
        assert_true(s.counts[0] == 0 && s.shares[0] == 0);
        assert_true(s.shares[1] == 0.6 && s.shares[3] == 0.4);
        assert_int_equal(total(), 10000);
    }
}

TEST(nobody_is_drawn_when_all_are_out)
{
    outs[0] = outs[1] = SELECT_COOLDOWN;
    outs[3] = SELECT_UNAVAILABLE;
    simulate_run(&s, &rng);
    assert_int_equal(s.nobody, 10000);
    assert_int_equal(s.freedom, 0);
    assert_int_equal(total(), 10000);
}

TEST(many_draws_by_turn_or_age_are_equal)
{
    s.draws = 9;
    for (enum strategy k = STRATEGY_ROUND_ROBIN; k < STRATEGY_COUNT; k++) {
        if (k == STRATEGY_PRIORITY)
            continue;
        settings.strategy = k;
        simulate_run(&s, &rng);
        assert_true(s.counts[0] == 3 && s.counts[1] == 3 && s.counts[3] == 3);
        assert_true(s.shares[0] == s.shares[3] && s.chi < 1e-9);
        assert_true(s.first[0] == 0 && s.first[1] == 1 && s.first[2] == 3 && s.first[3] == 0);
    }
}

TEST(priority_is_always_the_first)
{
    settings.strategy = STRATEGY_PRIORITY;
    outs[0] = SELECT_COOLDOWN;
    simulate_run(&s, &rng);
    assert_true(s.counts[1] == 10000 && s.shares[1] == 1);
}

TEST(without_reasons_all_candidates_are_in)
{
    s.outs = NULL;
    s.draws = 100;
    settings.strategy = STRATEGY_ROUND_ROBIN;
    simulate_run(&s, &rng);
    assert_true(s.counts[0] == 34 && s.counts[1] == 33 && s.counts[3] == 33);
}
