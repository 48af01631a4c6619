#include "net/http_lines.h"

#include "base/rng.h"
#include "test.h"

static enum http_lines check(struct str bytes)
{
    char last = 0;
    return http_lines_check(&last, bytes);
}

TEST(lines_end_with_crlf_and_do_not_start_with_a_blank)
{
    assert_int_equal(check(STR("")), HTTP_LINES_GOOD);
    assert_int_equal(check(STR("GET / HTTP/1.1\r\nHost: a\r\nX:\t b \r\n\r\n")), HTTP_LINES_GOOD);
    assert_int_equal(check(STR("\r\n\r\n")), HTTP_LINES_GOOD);
    assert_int_equal(check(STR("GET / HTTP/1.1\nHost: a\r\n")), HTTP_LINES_ALONE);
    assert_int_equal(check(STR("GET / HTTP/1.1\rHost: a\r\n")), HTTP_LINES_ALONE);
    assert_int_equal(check(STR("\n")), HTTP_LINES_ALONE);
    assert_int_equal(check(STR("a\r\r\n")), HTTP_LINES_ALONE);
    assert_int_equal(check(STR("a: b\r\n c\r\n")), HTTP_LINES_FOLDED);
    assert_int_equal(check(STR("a: b\r\n\tc\n")), HTTP_LINES_FOLDED);
    assert_int_equal(check(STR("a\n\r\n b")), HTTP_LINES_ALONE); /* the first of two */
}

TEST(the_last_byte_of_the_previous_piece_counts)
{
    char last = 0;
    assert_int_equal(http_lines_check(&last, STR("a: b\r")), HTTP_LINES_GOOD);
    assert_int_equal(last, '\r');
    assert_int_equal(http_lines_check(&last, STR("")), HTTP_LINES_GOOD);
    assert_int_equal(last, '\r');
    assert_int_equal(http_lines_check(&last, STR("\n")), HTTP_LINES_GOOD);
    assert_int_equal(http_lines_check(&last, STR(" c")), HTTP_LINES_FOLDED);
    last = '\r';
    assert_int_equal(http_lines_check(&last, STR("c")), HTTP_LINES_ALONE);
}

/* The result for a piece of any length, with an error anywhere, is the same as byte by byte. */
TEST(long_pieces_give_the_same_result_as_single_bytes)
{
    struct rng rng;
    rng_seed(&rng, 4711);
    for (int round = 0; round < 200000; round++) {
        char text[100];
        size_t n = rng_below(&rng, sizeof text);
        for (size_t i = 0; i < n; i++)
            text[i] = i && text[i - 1] == '\r'   ? '\n'
                      : rng_below(&rng, 8) == 0  ? '\r'
                      : i && text[i - 1] == '\n' ? 'a'
                                                 : "ab \t:"[rng_below(&rng, 5)];
        if (n && rng_below(&rng, 2))
            text[rng_below(&rng, n)] = "\r\n \ta"[rng_below(&rng, 5)];
        char whole = 0, single = 0;
        enum http_lines want = HTTP_LINES_GOOD;
        for (size_t i = 0; i < n && want == HTTP_LINES_GOOD; i++)
            want = http_lines_check(&single, str_make(text + i, 1));
        assert_int_equal(http_lines_check(&whole, str_make(text, n)), want);
        if (want == HTTP_LINES_GOOD)
            assert_int_equal(whole, single);
    }
}
