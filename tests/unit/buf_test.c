#include "base/buf.h"

#include <wchar.h>

#include "base/rng.h"
#include "test.h"

static struct buf b;

static int setup(void **state)
{
    b = buf_make(10);
    return 0;
}

static int teardown(void **state)
{
    buf_done(&b);
    return 0;
}

TEST_FIXTURE(setup, teardown);

TEST(an_empty_buffer_has_no_memory)
{
    assert_null(b.p);
    assert_true(buf_add(&b, (struct str){0}));
    assert_null(b.p);
    CHECK_CSTR(buf_str(&b), "");
    buf_drop(&b, 5);
    buf_clear(&b);
    buf_done(&b);
}

TEST(additions_are_in_order_and_end_in_nul)
{
    assert_true(buf_add(&b, STR("ab")));
    assert_int_equal(b.p[b.n], 0);
    assert_true(buf_add_char(&b, 'c'));
    assert_int_equal(b.p[b.n], 0);
    assert_true(buf_printf(&b, "%d", 42));
    assert_int_equal(b.p[b.n], 0);
    CHECK_CSTR(buf_str(&b), "abc42");
}

TEST(exactly_the_maximum_fits)
{
    assert_true(buf_add(&b, STR("0123456789")));
    assert_false(b.overflow);
    assert_true(buf_add(&b, (struct str){0}));
    assert_true(buf_printf(&b, "%s", ""));
    CHECK_CSTR(buf_str(&b), "0123456789");
    assert_int_equal(b.p[10], 0);
}

TEST(an_addition_over_the_maximum_is_left_out_as_a_whole)
{
    assert_true(buf_add(&b, STR("01234")));
    assert_false(buf_add(&b, STR("567890")));
    assert_true(b.overflow);
    CHECK_CSTR(buf_str(&b), "01234");
}

TEST(after_an_overflow_everything_is_ignored)
{
    assert_true(buf_add(&b, STR("01")));
    assert_null(buf_room(&b, 9));
    assert_false(buf_add(&b, STR("2")));
    assert_false(buf_add_char(&b, '2'));
    assert_false(buf_printf(&b, "%d", 2));
    assert_false(buf_add(&b, (struct str){0}));
    assert_null(buf_room(&b, 1));
    CHECK_CSTR(buf_str(&b), "01");
}

TEST(a_character_over_the_maximum_overflows)
{
    for (int i = 0; i < 10; i++)
        assert_true(buf_add_char(&b, 'x'));
    assert_false(buf_add_char(&b, 'x'));
    assert_true(b.overflow);
    assert_int_equal(b.n, 10);
}

TEST(a_print_over_the_maximum_overflows)
{
    assert_true(buf_printf(&b, "%010d", 1));
    assert_false(buf_printf(&b, "x"));
    assert_true(b.overflow);
    CHECK_CSTR(buf_str(&b), "0000000001");
}

TEST(an_absurd_size_overflows)
{
    buf_add(&b, STR("abc"));
    assert_null(buf_room(&b, SIZE_MAX));
    assert_true(b.overflow);
    b.overflow = false;
    assert_null(buf_room(&b, SIZE_MAX - 2));
    assert_true(b.overflow);
}

TEST(a_failed_print_is_an_overflow)
{
    assert_true(buf_add(&b, STR("ab")));
    assert_false(buf_printf(&b, "x%lc", (wint_t)0xd800)); /* no character in any locale */
    assert_true(b.overflow);
    CHECK_CSTR(buf_str(&b), "ab");
}

TEST(clearing_resets_the_overflow_and_keeps_the_memory)
{
    buf_add(&b, STR("0123"));
    buf_add(&b, STR("456789xyz"));
    char *p = b.p;
    buf_clear(&b);
    assert_false(b.overflow);
    assert_int_equal(b.n, 0);
    assert_ptr_equal(b.p, p);
    assert_int_equal(b.p[0], 0);
    assert_true(buf_add(&b, STR("new")));
    CHECK_CSTR(buf_str(&b), "new");
}

TEST(buf_done_keeps_the_maximum)
{
    buf_add(&b, STR("0123"));
    buf_done(&b);
    assert_null(b.p);
    assert_int_equal(b.n, 0);
    assert_false(buf_add(&b, STR("01234567890")));
}

TEST(dropping_removes_from_the_front)
{
    buf_add(&b, STR("0123456789"));
    buf_drop(&b, 0);
    buf_drop(&b, 3);
    CHECK_CSTR(buf_str(&b), "3456789");
    assert_int_equal(b.p[b.n], 0);
    assert_true(buf_add(&b, STR("abc")));
    buf_drop(&b, SIZE_MAX);
    CHECK_CSTR(buf_str(&b), "");
    assert_int_equal(b.p[0], 0);
}

TEST(reserved_room_can_be_filled_directly)
{
    buf_add(&b, STR("ab"));
    char *to = buf_room(&b, 8);
    assert_ptr_equal(to, b.p + 2);
    memcpy(to, "cdefghij", 8);
    b.n += 8;
    CHECK_CSTR(buf_str(&b), "abcdefghij");
}

TEST(a_zeroed_buffer_has_the_default_maximum)
{
    struct buf z = {0};
    assert_non_null(buf_room(&z, 1000000));
    assert_null(buf_room(&z, BUF_DEFAULT_MAX + (size_t)1));
    buf_done(&z);
}

TEST(a_million_small_additions_are_kept)
{
    struct buf z = {0};
    struct rng r;
    rng_seed(&r, 5);
    for (int i = 0; i < 1000000; i++)
        buf_add_char(&z, (char)rng_next(&r));
    assert_int_equal(z.n, 1000000);
    rng_seed(&r, 5);
    for (size_t i = 0; i < z.n; i++)
        assert_int_equal(z.p[i], (char)rng_next(&r));
    buf_done(&z);
}
