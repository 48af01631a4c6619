#include "base/rng.h"

#include <float.h>
#include <math.h>

#include "test.h"

static struct rng r;

static int setup(void **state)
{
    rng_seed(&r, 20260728);
    return 0;
}

TEST_FIXTURE(setup, NULL);

/* The numbers of the authors' own code for the state 1, 2, 3, 4. */
TEST(the_generator_is_xoshiro256)
{
    static const uint64_t want[] = {11520u,
                                    0u,
                                    1509978240u,
                                    1215971899390074240u,
                                    1216172134540287360u,
                                    607988272756665600u,
                                    16172922978634559625u,
                                    8476171486693032832u,
                                    10595114339597558777u,
                                    2904607092377533576u};
    struct rng known = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_true(rng_next(&known) == want[i]);
}

/* The first numbers of splitmix64 for the seed 1234567. */
TEST(the_seed_goes_through_splitmix64)
{
    struct rng known;
    rng_seed(&known, 1234567);
    assert_true(known.s[0] == 6457827717110365317u);
    assert_true(known.s[1] == 3203168211198807973u);
    assert_true(known.s[2] == 9817491932198370423u);
    assert_true(known.s[3] == 4593380528125082431u);
}

TEST(the_same_seed_gives_the_same_numbers)
{
    struct rng again, other;
    int different = 0;
    rng_seed(&again, 20260728);
    rng_seed(&other, 20260729);
    for (int i = 0; i < 1000; i++) {
        uint64_t x = rng_next(&r);
        assert_true(rng_next(&again) == x);
        different += rng_next(&other) != x;
    }
    assert_int_equal(different, 1000);
}

TEST(the_seed_zero_works)
{
    rng_seed(&r, 0);
    uint64_t bits = 0;
    for (int i = 0; i < 100; i++)
        bits |= rng_next(&r);
    assert_true(bits == UINT64_MAX);
}

TEST(numbers_below_n_are_in_range_and_all_occur)
{
    int counts[7] = {0};
    for (int i = 0; i < 70000; i++)
        counts[rng_below(&r, 7)]++;
    for (int i = 0; i < 7; i++) /* 5 standard deviations: 463 */
        assert_in_range(counts[i], 10000 - 463, 10000 + 463);
    for (int i = 0; i < 100; i++)
        assert_true(rng_below(&r, 1) == 0);
}

/* Taking the remainder alone would give the lower half of these twice as often as the upper. */
TEST(large_limits_have_no_bias)
{
    uint64_t n = 3ull << 62; /* three quarters of all numbers */
    int low = 0;
    for (int i = 0; i < 30000; i++) {
        uint64_t x = rng_below(&r, n);
        assert_true(x < n);
        low += x < n / 3;
    }
    assert_in_range(low, 10000 - 410, 10000 + 410);
}

TEST(units_are_spread_over_zero_to_one)
{
    int counts[10] = {0};
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double x = rng_unit(&r);
        assert_true(x >= 0 && x < 1);
        counts[(int)(x * 10)]++;
        sum += x;
    }
    for (int i = 0; i < 10; i++) /* 5 standard deviations: 474 */
        assert_in_range(counts[i], 10000 - 474, 10000 + 474);
    assert_true(fabs(sum / 100000 - 0.5) < 0.005);
}

/* Draws a hundred thousand times; each index must occur in proportion to its weight, within 5
 * standard deviations. */
static void check_weights(const double *weights, const double *shares, size_t n)
{
    int counts[8] = {0}, total = 100000;
    for (int i = 0; i < total; i++) {
        size_t at = rng_weighted(&r, weights, n);
        assert_true(at < n);
        counts[at]++;
    }
    for (size_t i = 0; i < n; i++) {
        double want = shares[i] * total, off = counts[i] - want;
        assert_true(off * off <= 25 * want * (1 - shares[i]) + 1e-6);
    }
}

TEST(an_index_is_drawn_in_proportion_to_its_weight)
{
    check_weights((double[]){1, 2, 7}, (double[]){.1, .2, .7}, 3);
    check_weights((double[]){70, 20, 10}, (double[]){.7, .2, .1}, 3);
    check_weights((double[]){0.25, 0.25, 0.25, 0.25}, (double[]){.25, .25, .25, .25}, 4);
    check_weights((double[]){5}, (double[]){1}, 1);
}

TEST(an_index_without_weight_is_never_drawn)
{
    check_weights((double[]){0, 1, 0, 3, 0}, (double[]){0, .25, 0, .75, 0}, 5);
    check_weights((double[]){-5, 1, -0.0, 3, -INFINITY}, (double[]){0, .25, 0, .75, 0}, 5);
    check_weights((double[]){NAN, 1, NAN}, (double[]){0, 1, 0}, 3);
}

TEST(extreme_weights_are_harmless)
{
    check_weights((double[]){DBL_MAX, DBL_MAX}, (double[]){.5, .5}, 2);
    check_weights((double[]){INFINITY, DBL_MAX, 1}, (double[]){.5, .5, 0}, 3);
    check_weights((double[]){DBL_TRUE_MIN, DBL_TRUE_MIN}, (double[]){.5, .5}, 2);
    check_weights((double[]){DBL_TRUE_MIN, DBL_MAX}, (double[]){0, 1}, 2);
}

TEST(without_any_weight_the_result_is_n)
{
    assert_int_equal(rng_weighted(&r, (double[]){0, 0, 0}, 3), 3);
    assert_int_equal(rng_weighted(&r, (double[]){-1, NAN}, 2), 2);
    assert_int_equal(rng_weighted(&r, NULL, 0), 0);
}
