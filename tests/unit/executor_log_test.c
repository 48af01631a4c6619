/* The output of an attempt. */
#include "executor_fixture.h"

/* ---- the log */

TEST_FIXTURE(setup, teardown);

TEST(long_output_comes_in_pieces_at_line_ends)
{
    run("i=0; while [ $i -lt 5000 ]; do echo \"this is line number $i\"; i=$((i + 1)); done",
        ATTEMPT_EXITED);
    struct buf want = {0};
    for (int i = 0; i < 5000; i++)
        buf_printf(&want, "this is line number %d\n", i);
    CHECK_STR(buf_str(&logged), buf_str(&want));
    assert_in_range(largest, 1, EXECUTOR_PIECE);
    buf_done(&want);
}

static size_t pieces_before;

static void note_pieces(void)
{
    pieces_before = pieces;
    put("go", "");
}

/* Text without a line end is not held back for ever. */
TEST(output_is_passed_on_soon)
{
    setenv("GO", in_folder("go"), 1);
    when_it_says("a word", note_pieces);
    run("printf 'a word'; while ! [ -e \"$GO\" ]; do sleep 0.02; done; echo ' and more'",
        ATTEMPT_EXITED);
    CHECK_CSTR(buf_str(&logged), "a word and more\n");
    assert_int_equal(pieces_before, 1);
    assert_int_equal(pieces, 2);
}

TEST(a_line_without_an_end_is_cut)
{
    run("head -c 100000 /dev/zero | tr '\\0' x", ATTEMPT_EXITED);
    assert_int_equal(logged.n, 100000);
    assert_in_range(largest, 1, EXECUTOR_PIECE);
}

TEST(too_much_output_is_counted)
{
    run("yes 0123456789abcde | head -c 20000000; echo end >&2", ATTEMPT_EXITED);
    const char *note = "\n[3222788 bytes more were left out]\n";
    struct str log = buf_str(&logged);
    assert_true(str_ends(log, str_from(note)));
    assert_int_equal(log.n, EXECUTOR_MAX_LOG + strlen(note));
    assert_in_range(largest, 1, EXECUTOR_PIECE);
}

TEST(any_output_is_text)
{
    run("head -c 300000 /dev/urandom; head -c 300000 /dev/urandom >&2", ATTEMPT_EXITED);
    assert_true(logged.n > 100000);
}

int main(int argc, char **argv)
{
    return executor_main(argc, argv);
}
