#include "base/number.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "test.h"

static double from_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t bits_of(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static void check_same(const char *text)
{
    double want = strtod(text, NULL), got = 0;
    bool fits = number_double(str_from(text), &got);
    if (fits == (bool)isfinite(want) && (!fits || bits_of(got) == bits_of(want)))
        return;
    print_error("%.100s: got %.17g, want %.17g\n", text, got, want);
    fail();
}

TEST(integers_are_exact_in_every_notation)
{
    static const struct {
        const char *text;
        bool fits;
        int64_t value;
    } cases[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"7", true, 7},
        {"-1", true, -1},
        {"1.0", true, 1},
        {"1.000000000000000000000000000000", true, 1},
        {"1e2", true, 100},
        {"1E+2", true, 100},
        {"120e-1", true, 12},
        {"12e-1", false, 0},
        {"1.5", false, 0},
        {"1.5e1", true, 15},
        {"0.000001e6", true, 1},
        {"0.0000010e5", false, 0},
        {"-0.5e1", true, -5},
        {"9223372036854775807", true, INT64_MAX},
        {"9223372036854775808", false, 0},
        {"-9223372036854775808", true, INT64_MIN},
        {"-9223372036854775809", false, 0},
        {"9223372036854775807.0", true, INT64_MAX},
        {"922337203685477580.7e1", true, INT64_MAX},
        {"9223372036854775807.5", false, 0},
        {"1e18", true, 1000000000000000000},
        {"1e19", false, 0},
        {"1e999999999", false, 0},
        {"1e99999999999999999999999999", false, 0},
        {"1e-999999999", false, 0},
        {"0e999999999", true, 0},
        {"0.0e-999999999999999999999", true, 0},
        {"-0e1", true, 0},
        {"0e-1", true, 0},
        {"123456789012345678901234567890", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t got = 4711;
        assert_int_equal(number_i64(str_from(cases[i].text), &got), cases[i].fits);
        assert_int_equal(got, cases[i].fits ? cases[i].value : 4711);
    }
}

TEST(unsigned_integers_are_read_up_to_their_maximum)
{
    uint64_t got = 4711;
    assert_true(number_u64(STR("18446744073709551615"), &got));
    assert_true(got == UINT64_MAX);
    assert_true(number_u64(STR("1.8446744073709551615e19"), &got));
    assert_true(got == UINT64_MAX);
    assert_true(number_u64(STR("1844674407370955161500e-2"), &got));
    assert_true(got == UINT64_MAX);
    got = 4711;
    assert_false(number_u64(STR("18446744073709551616"), &got));
    assert_false(number_u64(STR("184467440737095516150"), &got));
    assert_false(number_u64(STR("-1"), &got));
    assert_true(got == 4711);
    assert_true(number_u64(STR("-0"), &got));
    assert_true(got == 0);
}

TEST(known_hard_numbers_are_read_to_the_nearest_double)
{
    static const char *const hard[] = {
        "0",
        "-0",
        "0.0",
        "0e999",
        "-0e-999",
        "1",
        "0.1",
        "0.3",
        "1e22",
        "1e23",
        "8.5e22",
        "1e-22",
        "9007199254740993",
        "9007199254740992.5",
        "9007199254740993.00000000000000000000001",
        "9007199254740992.99999999999999999999",
        "9007199254740991.5",
        "18014398509481988",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977"
        "587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854"
        "845"
        "817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711"
        "559"
        "699508093042880177904174497791.999",
        "1e308",
        "1e309",
        "2e308",
        "123e400",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "4.9e-324",
        "5e-324",
        "2.4703282292062327208e-324",
        "2.4703282292062328e-324",
        "2.47032822920623272e-324",
        "1e-323",
        "1e-324",
        "1e-400",
        "3.4e-310",
        "6.02214076e23",
        "123456789012345678901234567890",
        "1234567890123456789",
        "12345678901234567890",
        "99999999999999999999999999999999999999e-20",
        "7.2057594037927933e16",
        "0.500000000000000166533453693773481063544750213623046875",
        "3.2378839133029012895883524125015321748630094488189e-321",
        "1e999999999",
        "1e-999999999",
        "100000000000000000000000e-23",
        "0.000000000000000000000000000000000000000000000000000000001e57",
        "1.448997445238699",
        "5708990770823839524233143877797980545530986496",
        "570899077082383952423314387779798054553098649.6e1",
    };
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++)
        check_same(hard[i]);
    double d = 4711;
    assert_false(number_double(STR("-1e309"), &d));
    assert_true(d == 4711);
}

/* The exact middle between two doubles, then a digit far after it: the longest ties have 768. */
TEST(a_digit_after_a_tie_decides)
{
    struct rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < 2000; i++) {
        uint64_t bits = rng_next(&rng) & ~(1ull << 63);
        if (i % 4 == 0)
            bits &= (1ull << 53) - 1; /* the smallest, with the longest texts */
        double low = from_bits(bits), high = from_bits(bits + 1);
        if (!isfinite(high))
            continue;
        char text[1300];
        int n = snprintf(text, sizeof text, "%.1200e", low);
        /* long double holds the middle of two normal doubles, not of all; take the digits anyway */
        if (bits >> 52 > 64)
            n = snprintf(text, sizeof text, "%.1100Le", ((long double)low + high) / 2);
        assert_true(n > 0 && (size_t)n < sizeof text);
        check_same(text);
        char *e = strchr(text, 'e');
        e[-1] = '1';
        check_same(text);
        e[-1] = '0';
        check_same(text);
    }
}

TEST(a_long_number_is_read_quickly)
{
    size_t n = 4u << 20;
    char *text = malloc(n + 1);
    assert_non_null(text);
    memset(text, '7', n);
    text[n] = 0;
    double d;
    int64_t i;
    assert_false(number_double(str_make(text, n), &d));
    assert_false(number_i64(str_make(text, n), &i));
    text[1] = '.';
    assert_true(number_double(str_make(text, n), &d));
    assert_true(d == 7.777777777777777777777);
    memset(text, '0', n);
    text[1] = '.';
    text[n - 1] = '1';
    assert_true(number_double(str_make(text, n), &d));
    assert_true(d == 0);
    /* The exponent compensates for the zeros: the 1 is decimal number 4194294. */
    memcpy(text + n - 9, "1e4194294", 9);
    assert_true(number_double(str_make(text, n), &d));
    assert_true(d == 1);
    assert_true(number_i64(str_make(text, n), &i));
    assert_int_equal(i, 1);
    free(text);
}

TEST(random_texts_are_read_like_strtod)
{
    struct rng rng;
    rng_seed(&rng, 2);
    for (int i = 0; i < 400000; i++) {
        char text[64];
        uint64_t bits = rng_next(&rng);
        double d = from_bits(bits);
        int digits = 1 + (int)rng_below(&rng, 24);
        if (!isfinite(d))
            continue;
        switch (rng_below(&rng, 4)) {
        case 0:
            snprintf(text, sizeof text, "%.*e", digits, d);
            break;
        case 1: /* 17 and 18 digits are where the second multiplication is needed */
            snprintf(text, sizeof text, "%.*e", 16 + (int)rng_below(&rng, 3), d);
            break;
        case 2:
            snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(bits >> (bits & 63)),
                     (unsigned long long)rng_below(&rng, 1000000), (int)rng_below(&rng, 700) - 350);
            break;
        default:
            snprintf(text, sizeof text, "%lld", (long long)bits);
            break;
        }
        check_same(text);
    }
}

/* Find the fewest digits that round-trip, and of those texts the nearest to d. */
static void check_shortest(double d)
{
    char ours[NUMBER_MAX + 1], brute[40];
    size_t n = number_print_double(d, ours);
    assert_true(n <= NUMBER_MAX);
    ours[n] = 0;
    int precision = 1;
    do
        snprintf(brute, sizeof brute, "%.*e", precision++ - 1, d);
    while (bits_of(strtod(brute, NULL)) != bits_of(d));
    int digits = 0;
    for (const char *p = ours; *p && *p != 'e'; p++)
        digits += *p >= '0' && *p <= '9' && (digits || *p != '0');
    for (const char *p = ours + strcspn(ours, "e");
         !strpbrk(ours, ".") && p > ours && p[-1] == '0';)
        p--, digits--; /* zeros that only fill up to the point */
    double back;
    assert_true(number_double(str_make(ours, n), &back));
    if (bits_of(back) != bits_of(d) || bits_of(strtod(ours, NULL)) != bits_of(d) ||
        digits > precision - 1) {
        print_error("%a: got %s (%d digits), brute force %s (%d)\n", d, ours, digits, brute,
                    precision - 1);
        fail();
    }
    /* printf rounds correctly: with as many digits, its text is the nearest one. With fewer, ours
     * is a text that reads back although it is not the nearest of its length. */
    if (digits == precision - 1) {
        char again[40];
        snprintf(again, sizeof again, "%.*e", digits - 1, strtod(ours, NULL));
        assert_string_equal(again, brute);
    }
}

TEST(a_printed_double_is_the_shortest_that_round_trips)
{
    struct rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < 125000; i++) {
        uint64_t bits = rng_next(&rng);
        double d = from_bits(bits);
        if (isfinite(d) && d != 0)
            check_shortest(d);
        check_shortest((double)(float)(int32_t)bits / 1000 + 0.001);
    }
    for (uint64_t e = 0; e < 2047; e++) { /* around each power of two, where the gap changes */
        check_shortest(from_bits(e << 52 | 1));
        check_shortest(from_bits((e << 52) + (e == 0)));
        check_shortest(from_bits(e << 52 | ((1ull << 52) - 1)));
    }
    for (int e = -323; e <= 308; e++) { /* powers of ten */
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        uint64_t bits = bits_of(strtod(text, NULL));
        check_shortest(from_bits(bits - 1));
        check_shortest(from_bits(bits));
        check_shortest(from_bits(bits + 1));
    }
}

TEST(a_double_is_printed_like_in_javascript)
{
    static const struct {
        double d;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1, "-1"},
        {100, "100"},
        {0.1, "0.1"},
        {-1.5, "-1.5"},
        {123.456, "123.456"},
        {1e20, "100000000000000000000"},
        {123456789012345680000.0, "123456789012345680000"},
        {1e21, "1e+21"},
        {1.5e21, "1.5e+21"},
        {1e-6, "0.000001"},
        {1.25e-6, "0.00000125"},
        {1e-7, "1e-7"},
        {1.5e-7, "1.5e-7"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {-2.2250738585072014e-308, "-2.2250738585072014e-308"},
        {9007199254740992.0, "9007199254740992"},
        {9007199254740994.0, "9007199254740994"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {4.35, "4.35"},
        {(double)0.1f, "0.10000000149011612"},
        {1e23, "1e+23"},
        {9e-5, "0.00009"},
        {2e-44, "2e-44"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[NUMBER_MAX];
        CHECK_CSTR(str_make(text, number_print_double(cases[i].d, text)), cases[i].text);
    }
}

static float float_from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* The fewest digits for which printf gives a text that reads back, and of those the nearest. */
static void check_shortest_float(uint32_t bits)
{
    float f = float_from_bits(bits);
    int exponent, places = 1;
    char want[32], got[40];
    uint64_t digits = number_digits_float(f, &exponent);
    snprintf(got, sizeof got, "%llue%d", (unsigned long long)digits, exponent);
    do
        snprintf(want, sizeof want, "%.*e", places - 1, (double)f);
    while (strtof(want, NULL) != f && ++places < 10);
    char count[24];
    if (strtof(got, NULL) == f &&
        snprintf(count, sizeof count, "%llu", (unsigned long long)digits) <= places)
        return;
    print_error("%08x: got %s, want %s\n", bits, got, want);
    fail();
}

TEST(the_digits_of_a_float_are_the_fewest_that_round_trip)
{
    static const struct {
        uint32_t bits;
        uint64_t digits;
        int exponent;
    } cases[] = {
        {0x00000001, 1, -45},       {0x000001f4, 7, -43},        {0x3dcccccd, 1, -1},
        {0x3f800000, 1, 0},         {0x42c80000, 1, 2},          {0x7f7fffff, 34028235, 31},
        {0x7f7ffffe, 34028233, 31}, {0x00800000, 11754944, -45}, {0x3eaaaaab, 33333334, -8},
        {0x4b7fffff, 16777215, 0},  {0x4c000000, 33554432, 0},
    };
    struct rng rng;
    rng_seed(&rng, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int exponent;
        uint64_t digits = number_digits_float(float_from_bits(cases[i].bits), &exponent);
        assert_int_equal(digits, cases[i].digits);
        assert_int_equal(exponent, cases[i].exponent);
    }
    for (uint32_t bits = 1; bits < 3000; bits++)
        check_shortest_float(bits);
    for (uint32_t biased = 1; biased < 255; biased++)
        for (uint32_t i = 0; i < 5; i++)
            check_shortest_float((biased << 23) + i - 2);
    for (int i = 0; i < 20000; i++)
        check_shortest_float((uint32_t)rng_below(&rng, 0x7f7fffff) + 1);
}

TEST(digits_may_be_missing_on_one_side_of_the_point)
{
    double d;
    assert_true(number_double(STR(".0700000003"), &d) && d == .0700000003);
    assert_true(number_double(STR("-.5e1"), &d) && d == -5);
    assert_true(number_double(STR("1."), &d) && d == 1);
}

TEST(integers_are_printed_like_printf)
{
    struct rng rng;
    rng_seed(&rng, 4);
    for (int i = 0; i < 100000; i++) {
        uint64_t u = rng_next(&rng) >> rng_below(&rng, 64);
        int64_t s = (int64_t)(i % 2 ? u : 0 - u);
        char ours[NUMBER_MAX], theirs[32];
        snprintf(theirs, sizeof theirs, "%llu", (unsigned long long)u);
        CHECK_CSTR(str_make(ours, number_print_u64(u, ours)), theirs);
        snprintf(theirs, sizeof theirs, "%lld", (long long)s);
        CHECK_CSTR(str_make(ours, number_print_i64(s, ours)), theirs);
    }
    char text[NUMBER_MAX];
    CHECK_STR(str_make(text, number_print_i64(INT64_MIN, text)), STR("-9223372036854775808"));
    CHECK_STR(str_make(text, number_print_u64(UINT64_MAX, text)), STR("18446744073709551615"));
    for (uint64_t u = 1; u < UINT64_MAX / 10; u *= 10)
        for (uint64_t near = u - 1; near <= u + 1; near++) {
            uint64_t back;
            assert_true(number_u64(str_make(text, number_print_u64(near, text)), &back));
            assert_true(back == near);
        }
}
