#include "unity/guid.h"

#include "test.h"

TEST(a_guid_is_read_and_printed)
{
    struct guid g;
    char text[GUID_LEN + 1];
    assert_true(guid_parse(STR("0123456789abcdeffedcba9876543210"), &g));
    assert_int_equal(g.hi, 0x0123456789abcdefu);
    assert_int_equal(g.lo, 0xfedcba9876543210u);
    guid_print(g, text);
    assert_string_equal(text, "0123456789abcdeffedcba9876543210");
}

TEST(upper_case_digits_are_read_and_printed_in_lower_case)
{
    struct guid g;
    char text[GUID_LEN + 1];
    assert_true(guid_parse(STR("ABCDEF00000000000000000000ABCDEF"), &g));
    guid_print(g, text);
    assert_string_equal(text, "abcdef00000000000000000000abcdef");
}

TEST(invalid_guid_leaves_the_output_unchanged)
{
    static const struct str bad[] = {
        STR_INIT(""),
        STR_INIT("0123456789abcdeffedcba987654321"),
        STR_INIT("0123456789abcdeffedcba98765432100"),
        STR_INIT("0123456789abcdeffedcba987654321g"),
        STR_INIT("0123456789abcdef-edcba9876543210"),
        STR_INIT(" 123456789abcdeffedcba9876543210"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct guid g = {1, 2};
        assert_false(guid_parse(bad[i], &g));
        assert_true(g.hi == 1 && g.lo == 2);
    }
}

TEST(guids_sort_by_their_digits)
{
    struct guid low = {1, UINT64_MAX}, high = {2, 0}, higher = {2, 1};
    assert_true(guid_cmp(low, high) < 0);
    assert_true(guid_cmp(high, low) > 0);
    assert_true(guid_cmp(high, higher) < 0);
    assert_true(guid_cmp(higher, high) > 0);
    assert_int_equal(guid_cmp(high, high), 0);
}

TEST(only_all_zeros_is_zero)
{
    assert_true(guid_is_zero((struct guid){0, 0}));
    assert_false(guid_is_zero((struct guid){1, 0}));
    assert_false(guid_is_zero((struct guid){0, 1}));
    assert_true(guid_eq((struct guid){3, 4}, (struct guid){3, 4}));
    assert_false(guid_eq((struct guid){3, 4}, (struct guid){3, 5}));
    assert_false(guid_eq((struct guid){3, 4}, (struct guid){2, 4}));
}
