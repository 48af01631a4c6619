#include "tooling/select.h"

#include <float.h>
#include <math.h>

#include "test.h"

#define MOST 8u

static struct candidate candidates[MOST];
static struct tooling_category settings;
static struct select_fact facts[MOST];
static struct select_context context;
static struct rng rng;

static int setup(void **state)
{
    rng_seed(&rng, 20261116);
    context = (struct select_context){&rng, SELECT_NOBODY};
    memset(facts, 0, sizeof facts);
    for (size_t i = 0; i < MOST; i++)
        candidates[i] = (struct candidate){.tool = AGENT_MOCK, .weight = 1};
    settings = (struct tooling_category){
        .strategy = STRATEGY_PRIORITY, .candidates = candidates, .count = 4, .fallback = true};
    return 0;
}

static void set_weights(double a, double b, double c, double d)
{
    settings.strategy = STRATEGY_WEIGHTED;
    candidates[0].weight = a;
    candidates[1].weight = b;
    candidates[2].weight = c;
    candidates[3].weight = d;
}

static struct select_choice choose(void)
{
    return select_choose(&settings, facts, &context);
}

/* The next choice; the turn is kept as a caller does. */
static size_t take_turn(void)
{
    struct select_choice c = choose();
    if (c.in_turn)
        context.last = c.index;
    return c.index;
}

static void check_outs(const char *want)
{
    char got[256] = "";
    size_t n = 0;
    for (size_t i = 0; i < settings.count; i++)
        n += (size_t)snprintf(got + n, sizeof got - n, "%s%s", i ? " " : "",
                              select_out_name(facts[i].out));
    assert_string_equal(got, want);
}

/* ---- who is out */

TEST_FIXTURE(setup, NULL);

TEST(each_reason_puts_a_candidate_out)
{
    settings.count = 6;
    candidates[0].weight = 0;
    facts[1].tried = true;
    facts[2].unavailable = true;
    facts[3].cooldown = COOLDOWN_ACTIVE;
    facts[4].cooldown = COOLDOWN_PROBING;
    assert_int_equal(choose().index, 5);
    check_outs("disabled tried unavailable resting probing in");
}

TEST(weight_0_disables_with_every_strategy)
{
    candidates[0].weight = 0;
    candidates[1].weight = -1;
    candidates[2].weight = NAN;
    for (enum strategy s = 0; s < STRATEGY_COUNT; s++) {
        settings.strategy = s;
        assert_int_equal(choose().index, 3);
        check_outs("disabled disabled disabled in");
    }
}

TEST(nobody_is_chosen_when_all_are_out)
{
    facts[0].tried = facts[1].tried = true;
    facts[2].cooldown = COOLDOWN_ACTIVE;
    facts[3].unavailable = true;
    for (enum strategy s = 0; s < STRATEGY_COUNT; s++) {
        settings.strategy = s;
        struct select_choice c = choose();
        assert_true(c.index == SELECT_NOBODY);
        assert_false(c.is_probe || c.in_turn);
        assert_true(c.draw == -1 && c.share == 0);
        check_outs("tried tried resting unavailable");
    }
    settings.count = 0;
    assert_true(choose().index == SELECT_NOBODY);
}

/* The facts stay, and the results of an earlier choice have no effect. */
TEST(choosing_writes_only_the_reason)
{
    facts[0] = (struct select_fact){.cooldown = COOLDOWN_ACTIVE, .last_used = 5, .near = true};
    facts[1].out = SELECT_TRIED;
    assert_int_equal(choose().index, 1);
    check_outs("resting in in in");
    assert_true(facts[0].cooldown == COOLDOWN_ACTIVE && facts[0].last_used == 5 && facts[0].near);
    facts[0].cooldown = COOLDOWN_NONE;
    facts[0].near = false;
    assert_int_equal(choose().index, 0);
}

/* ---- the probe */

TEST(a_due_candidate_is_probed_first)
{
    for (enum strategy s = 0; s < STRATEGY_COUNT; s++) {
        settings.strategy = s;
        facts[2].cooldown = facts[3].cooldown = COOLDOWN_DUE;
        facts[2].last_used = 9;
        struct select_choice c = choose();
        assert_int_equal(c.index, 2);
        assert_true(c.is_probe);
        assert_true(c.draw == -1 && c.share == 1);
        facts[2].cooldown = COOLDOWN_PROBING;
        assert_int_equal(choose().index, 3);
    }
}

TEST(a_due_candidate_that_is_out_is_not_probed)
{
    facts[2].cooldown = COOLDOWN_DUE;
    facts[2].tried = true;
    struct select_choice c = choose();
    assert_int_equal(c.index, 0);
    assert_false(c.is_probe);
}

/* Its failure would be the failure of the call. */
TEST(without_fallback_a_due_candidate_takes_part_like_the_others)
{
    settings.fallback = false;
    facts[2].cooldown = COOLDOWN_DUE;
    struct select_choice c = choose();
    assert_int_equal(c.index, 0);
    assert_false(c.is_probe);
    facts[0].tried = facts[1].tried = true;
    c = choose();
    assert_int_equal(c.index, 2);
    assert_true(c.is_probe);
    settings.strategy = STRATEGY_ROUND_ROBIN;
    assert_true(choose().in_turn);
}

TEST(a_probe_draws_no_number)
{
    set_weights(1, 1, 1, 1);
    struct rng before = rng;
    facts[1].cooldown = COOLDOWN_DUE;
    choose();
    assert_memory_equal(&before, &rng, sizeof rng);
}

/* ---- limits that are near */

TEST(a_candidate_near_a_limit_is_out)
{
    facts[0].near = facts[2].near = true;
    facts[1].tried = true;
    for (enum strategy s = 0; s < STRATEGY_COUNT; s++) {
        settings.strategy = s;
        assert_int_equal(choose().index, 3);
        check_outs("near tried near in");
    }
}

TEST(a_candidate_near_a_limit_is_chosen_if_no_other_is_left)
{
    facts[0].near = facts[2].near = true;
    facts[1].tried = facts[3].unavailable = true;
    assert_int_equal(choose().index, 0);
    check_outs("in tried in unavailable");
}

TEST(a_probe_comes_before_near_limits)
{
    facts[2].near = true;
    facts[2].cooldown = COOLDOWN_DUE;
    assert_int_equal(choose().index, 2);
    check_outs("in in in in");
}

TEST(shares_are_of_those_not_near_a_limit)
{
    set_weights(60, 30, 10, 1e301);
    facts[0].near = facts[3].near = true;
    for (int i = 0; i < 100; i++) {
        struct select_choice c = choose();
        assert_true(c.index == 1 || c.index == 2);
        assert_true(fabs(c.share - (c.index == 1 ? 0.75 : 0.25)) < 1e-12);
    }
}

/* ---- weighted */

/* Chi-squared of n draws against the weights of those that are in. */
static double chi_squared(size_t n)
{
    size_t counts[MOST] = {0};
    double sum = 0, chi = 0;
    for (size_t i = 0; i < n; i++)
        counts[choose().index]++;
    for (size_t i = 0; i < settings.count; i++)
        if (facts[i].out == SELECT_IN)
            sum += candidates[i].weight;
    for (size_t i = 0; i < settings.count; i++) {
        if (facts[i].out != SELECT_IN) {
            assert_int_equal(counts[i], 0);
            continue;
        }
        double want = (double)n * candidates[i].weight / sum;
        assert_true(fabs((double)counts[i] - want) < 0.002 * (double)n);
        chi += ((double)counts[i] - want) * ((double)counts[i] - want) / want;
    }
    return chi;
}

/* Chance exceeds 16.27 and 10.83 once in a thousand times, with 3 degrees of freedom and with 1.
 * Far too small values would be wrong, too. */
TEST(shares_are_those_of_the_weights)
{
    set_weights(40, 30, 20, 10);
    double chi = chi_squared(1000000);
    assert_true(chi > 0.02 && chi < 16.27);
    set_weights(0.001, 0.0007, 0.0002, 0.0001);
    assert_true(chi_squared(1000000) < 16.27);
    facts[0].cooldown = COOLDOWN_ACTIVE;
    facts[2].tried = true;
    assert_true(chi_squared(1000000) < 10.83);
}

TEST(the_same_seed_gives_the_same_sequence)
{
    set_weights(40, 30, 20, 10);
    size_t first[1000];
    int different = 0;
    for (size_t i = 0; i < 1000; i++)
        first[i] = choose().index;
    rng_seed(&rng, 20261116);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(choose().index, first[i]);
    rng_seed(&rng, 20261117);
    for (size_t i = 0; i < 1000; i++)
        different += choose().index != first[i];
    assert_true(different > 300);
}

/* Also without a choice: other candidates do not change the sequence. */
TEST(each_weighted_choice_draws_one_number)
{
    set_weights(1, 0, 0, 0);
    struct rng copy = rng;
    for (int i = 0; i < 10; i++) {
        struct select_choice c = choose();
        assert_true(c.draw == rng_unit(&copy));
        assert_true(c.index == 0 && c.share == 1);
    }
}

TEST(the_draw_determines_the_choice)
{
    set_weights(40, 30, 20, 10);
    static const double shares[] = {0.4, 0.3, 0.2, 0.1};
    for (int i = 0; i < 1000; i++) {
        struct select_choice c = choose();
        double low = 0;
        for (size_t k = 0; k < c.index; k++)
            low += shares[k];
        assert_true(c.draw >= low - 1e-9 && c.draw < low + shares[c.index] + 1e-9);
        assert_true(fabs(c.share - shares[c.index]) < 1e-12);
    }
}

TEST(extreme_weights_keep_their_proportions)
{
    set_weights(DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX);
    size_t counts[4] = {0};
    for (int i = 0; i < 40000; i++)
        counts[choose().index]++;
    for (int i = 0; i < 4; i++)
        assert_in_range(counts[i], 9500, 10500);
    set_weights(INFINITY, 1, DBL_MIN, 0x1p-1074);
    assert_int_equal(choose().index, 0);
    set_weights(0x1p-1074, 0, 0, 0x1p-1074);
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < 10000; i++)
        counts[choose().index]++;
    assert_in_range(counts[0], 4700, 5300);
    assert_int_equal(counts[0] + counts[3], 10000);
}

/* ---- round robin */

TEST(turns_go_round_in_the_order_of_the_file)
{
    settings.strategy = STRATEGY_ROUND_ROBIN;
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(take_turn(), i % 4);
    struct select_choice c = choose();
    assert_true(c.in_turn && c.draw == -1 && c.share == 0.25);
}

TEST(weights_do_not_affect_turns)
{
    set_weights(100, 1, 1, 5);
    settings.strategy = STRATEGY_ROUND_ROBIN;
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(take_turn(), i % 4);
}

TEST(a_last_choice_that_is_out_keeps_its_place)
{
    settings.strategy = STRATEGY_ROUND_ROBIN;
    context.last = 1;
    facts[1].cooldown = COOLDOWN_ACTIVE;
    assert_int_equal(take_turn(), 2);
    context.last = 3;
    assert_int_equal(take_turn(), 0);
    assert_int_equal(take_turn(), 2);
    context.last = 99; /* the list was longer before */
    assert_int_equal(take_turn(), 0);
}

/* One drops out and comes back at random: the others have exactly equal shares. With an index into
 * the filtered list, one of them would have more. */
TEST(dropping_out_and_in_does_not_skew_others)
{
    settings.strategy = STRATEGY_ROUND_ROBIN;
    struct rng chance;
    rng_seed(&chance, 7);
    size_t counts[4] = {0};
    for (int i = 0; i < 100000; i++) {
        facts[1].cooldown = rng_below(&chance, 2) ? COOLDOWN_ACTIVE : COOLDOWN_NONE;
        counts[take_turn()]++;
        assert_true(counts[0] - counts[2] <= 1 && counts[2] - counts[3] <= 1);
    }
    assert_true(counts[1] > 12000 && counts[1] < counts[0]);
}

TEST(a_probe_does_not_change_the_turn)
{
    settings.strategy = STRATEGY_ROUND_ROBIN;
    size_t counts[4] = {0}, probes = 0;
    for (int i = 0; i < 4000; i++) {
        facts[3].cooldown = i % 3 ? COOLDOWN_ACTIVE : COOLDOWN_DUE;
        struct select_choice c = choose();
        if (c.in_turn)
            context.last = c.index;
        assert_true(c.in_turn != c.is_probe);
        probes += c.is_probe;
        counts[c.index]++;
        assert_true(counts[0] - counts[1] <= 1 && counts[1] - counts[2] <= 1);
    }
    assert_int_equal(counts[3], probes);
    assert_int_equal(probes, 1334);
}

/* ---- priority, least recent */

TEST(priority_is_the_order_of_the_file)
{
    struct select_choice c = choose();
    assert_int_equal(c.index, 0);
    assert_true(c.draw == -1 && c.share == 1 && !c.in_turn);
    facts[0].cooldown = COOLDOWN_ACTIVE;
    candidates[3].weight = 99;
    assert_int_equal(choose().index, 1);
}

TEST(least_recent_chooses_the_oldest_use)
{
    settings.strategy = STRATEGY_LEAST_RECENT;
    facts[0].last_used = 30;
    facts[1].last_used = 10;
    facts[2].last_used = 20;
    facts[3].last_used = 10;
    assert_int_equal(choose().index, 1);
    facts[2].last_used = 0; /* never */
    assert_int_equal(choose().index, 2);
    facts[2].tried = facts[1].tried = true;
    assert_int_equal(choose().index, 3);
}

static void check_shares(double a, double b, double c, double d)
{
    double shares[MOST], want[] = {a, b, c, d};
    choose();
    select_shares(&settings, facts, &context, shares);
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(shares[i] - want[i]) < 1e-12);
}

TEST(shares_are_the_chances_of_those_in)
{
    set_weights(40, 30, 0, 10);
    check_shares(0.5, 0.375, 0, 0.125);
    facts[0].cooldown = COOLDOWN_ACTIVE;
    check_shares(0, 0.75, 0, 0.25);
    facts[0].cooldown = COOLDOWN_DUE; /* the probe happens once: the shares hold after it */
    check_shares(0.5, 0.375, 0, 0.125);
    facts[0].cooldown = COOLDOWN_NONE;
    facts[1].near = true;
    check_shares(0.8, 0, 0, 0.2);
    set_weights(DBL_MAX, DBL_MAX, 0, 0);
    facts[1].near = false;
    check_shares(0.5, 0.5, 0, 0);
    set_weights(0, 0, 0, 0);
    check_shares(0, 0, 0, 0);
}

TEST(the_next_one_has_the_whole_share_without_chance)
{
    facts[0].unavailable = true;
    check_shares(0, 1, 0, 0);
    settings.strategy = STRATEGY_LEAST_RECENT;
    facts[1].last_used = 2;
    facts[2].last_used = 3;
    facts[3].last_used = 1;
    check_shares(0, 0, 0, 1);
    settings.strategy = STRATEGY_ROUND_ROBIN;
    context.last = 3;
    check_shares(0, 1 / 3.0, 1 / 3.0, 1 / 3.0);
}

TEST(every_reason_has_a_name)
{
    for (enum select_out i = 0; i < SELECT_OUT_COUNT; i++)
        for (enum select_out j = 0; j < i; j++)
            assert_string_not_equal(select_out_name(i), select_out_name(j));
}
