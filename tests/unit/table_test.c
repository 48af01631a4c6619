#include "test.h"

#include "cli/table.h"

static void assert_put(const struct table *t, const char *want)
{
    struct buf out = {0};
    table_put(t, &out);
    assert_string_equal(out.p, want);
    buf_done(&out);
}

TEST(columns_are_as_wide_as_their_widest_cell)
{
    struct table t = {0};
    table_add(&t, "TOOL");
    table_add(&t, "N");
    table_end(&t);
    table_add(&t, "codex-cli");
    table_add(&t, "%d", 12345);
    table_end(&t);
    assert_put(&t, "TOOL       N\ncodex-cli  12345\n");
    table_right(&t, 1);
    assert_put(&t, "TOOL           N\ncodex-cli  12345\n");
    table_done(&t);
}

TEST(the_last_cell_is_not_padded_and_rows_may_be_short)
{
    struct table t = {0};
    table_add(&t, "a");
    table_add(&t, "long text");
    table_end(&t);
    table_add(&t, "b");
    table_end(&t);
    assert_put(&t, "a  long text\nb\n");
    table_done(&t);
}

TEST(width_is_counted_in_characters)
{
    struct table t = {0};
    table_add(&t, "\xc3\xa4\xc3\xb6"); /* two letters, four bytes */
    table_add(&t, "x");
    table_end(&t);
    table_add(&t, "abc");
    table_add(&t, "y");
    table_end(&t);
    assert_put(&t, "\xc3\xa4\xc3\xb6   x\nabc  y\n");
    table_done(&t);
}

TEST(a_cell_stays_on_its_line)
{
    struct table t = {0};
    table_add(&t, "a\nb\033[31m");
    table_add_str(&t, (struct str){0});
    table_end(&t);
    assert_put(&t, "a\\nb\\u001b[31m  -\n");
    table_done(&t);
}
