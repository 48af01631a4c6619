#include "editor/test_line.h"

#include "test.h"

static void check(struct test_progress *p, const char *line, uint64_t done, const char *current)
{
    assert_true(test_line_read(p, str_from(line)));
    assert_int_equal(p->done, done);
    CHECK_CSTR(p->current, current);
}

TEST(outcomes_are_counted)
{
    struct test_progress p = {0};
    check(&p, "  Passed MyGame.Tests.Stops [12 ms]", 1, "MyGame.Tests.Stops");
    check(&p, "Failed MyGame.Tests.Runs [< 1 ms]", 2, "MyGame.Tests.Runs");
    check(&p, "Skipped MyGame.Tests.Sleeps\r", 3, "MyGame.Tests.Sleeps");
    check(&p, "Passed 5 of 7", 3, "Passed 5 of 7"); /* a sum is no test */
    check(&p, "Passed! everything", 3, "Passed! everything");
    assert_int_equal(p.total, 0);
}

TEST(a_count_is_taken_as_it_is_said)
{
    struct test_progress p = {0};
    check(&p, "[3/12] MyGame.Tests.Stops", 3, "MyGame.Tests.Stops");
    assert_int_equal(p.total, 12);
    check(&p, "[13/12] more than all", 3, "[13/12] more than all");
    check(&p, "[a/12] x", 3, "[a/12] x");
    check(&p, "[4/12", 3, "[4/12");
    check(&p, "[]", 3, "[]");
    check(&p, "[99999999999999999999/1] x", 3, "[99999999999999999999/1] x");
    assert_int_equal(p.total, 12);
}

TEST(other_lines_are_what_it_is_at)
{
    struct test_progress p = {.done = 2, .total = 4, .current = STR("before")};
    assert_false(test_line_read(&p, STR(" \t")));
    assert_false(test_line_read(&p, (struct str){0}));
    CHECK_STR(p.current, STR("before"));
    check(&p, " Refresh: detecting if any assets need to be imported ", 2,
          "Refresh: detecting if any assets need to be imported");
}
