#include "unity/version.h"

#include "test.h"

static struct version parse(const char *text)
{
    struct version v;
    assert_true(version_parse(str_from(text), &v));
    return v;
}

TEST(a_version_has_five_parts)
{
    struct version v = parse("2022.3.56f1");
    assert_int_equal(v.major, 2022);
    assert_int_equal(v.minor, 3);
    assert_int_equal(v.patch, 56);
    assert_int_equal(v.kind, 'f');
    assert_int_equal(v.build, 1);
}

TEST(trailing_parts_are_optional)
{
    struct version v = parse("2022.3");
    assert_true(v.major == 2022 && v.minor == 3 && v.patch == 0 && v.kind == 0 && v.build == 0);
    v = parse("5");
    assert_true(v.major == 5 && v.minor == 0);
}

TEST(text_after_the_build_is_ignored)
{
    assert_int_equal(version_cmp(parse("2022.3.1f1c1"), parse("2022.3.1f1")), 0);
    assert_int_equal(version_cmp(parse("2022.3.1f1 (abc)"), parse("2022.3.1f1")), 0);
}

TEST(versions_compare_as_numbers)
{
    static const char *const rising[] = {"5.6.7f1",     "2017.4.17f1", "2022.3.4f1",  "2022.3.5a1",
                                         "2022.3.5b2",  "2022.3.5f1",  "2022.3.5f10", "2022.3.56f1",
                                         "2022.10.0f1", "6000.0.0a1",  "6000.0.78f1"};
    for (size_t i = 0; i < sizeof rising / sizeof *rising; i++)
        for (size_t j = 0; j < sizeof rising / sizeof *rising; j++) {
            int cmp = version_cmp(parse(rising[i]), parse(rising[j]));
            assert_int_equal((cmp > 0) - (cmp < 0), (i > j) - (i < j));
        }
}

TEST(invalid_version_leaves_the_output_unchanged)
{
    static const char *const bad[] = {"",          "f1",      "0.1",
                                      "2022.",     "2022.x",  "2022.3.",
                                      "2022.3.1f", "70000.1", "2022.99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct version v = {.major = 7};
        if (version_parse(str_from(bad[i]), &v))
            fail_msg("accepted: %s", bad[i]);
        assert_int_equal(v.major, 7);
    }
}

TEST(zero_version_is_unknown)
{
    assert_false(version_is_known((struct version){0}));
    assert_true(version_is_known(parse("5")));
}
