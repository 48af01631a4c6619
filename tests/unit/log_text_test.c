#include "orchestrator/log_text.h"

#include "base/rng.h"
#include "base/utf8.h"
#include "test.h"

/* The text of bytes that arrive whole, in two parts cut anywhere, and one by one. */
static void check_bytes(struct str bytes, struct str want)
{
    for (size_t cut = 0; cut <= bytes.n + 1; cut++) {
        struct log_text t = {0};
        struct buf out = {0};
        if (cut <= bytes.n) {
            log_text_feed(&t, str_head(bytes, cut), &out);
            log_text_feed(&t, str_skip(bytes, cut), &out);
        } else {
            for (size_t i = 0; i < bytes.n; i++)
                log_text_feed(&t, str_make(bytes.p + i, 1), &out);
        }
        log_text_end(&t, &out);
        CHECK_STR(buf_str(&out), want);
        buf_done(&out);
    }
}

#define CHECK(bytes, want) check_bytes(STR(bytes), STR(want))

TEST(plain_lines_stay)
{
    CHECK("", "");
    CHECK("a line\nanother\n", "a line\nanother\n");
    CHECK("no end", "no end");
    CHECK("\n\n\n", "\n\n\n");
    CHECK("a\tb", "a\tb");
    CHECK("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x99\x82\n", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac "
                                                                "\xf0\x9f\x99\x82\n");
}

TEST(returns_end_a_line)
{
    CHECK("a\r\nb\r\n", "a\nb\n");
    CHECK("10 %\r20 %\rdone\n", "10 %\n20 %\ndone\n");
    CHECK("a\r\r\nb", "a\n\nb");
    CHECK("a\n\rb", "a\n\nb");
    CHECK("a\r", "a\n");
}

TEST(control_characters_are_removed)
{
    CHECK("a\0b\0\0c", "abc");
    CHECK("a\x01\x02\x08\x0b\x0c\x0e\x7f"
          "b\x07",
          "ab");
    CHECK("a\xc2\x85\xc2\x9f\xc2\xa0z", "a\xc2\xa0z");
}

TEST(escape_sequences_are_removed)
{
    CHECK("\x1b[31mred\x1b[0m and \x1b[1;38;5;200mmore\x1b[m\n", "red and more\n");
    CHECK("a\x1b[2K\x1b[1Gb\x1b[?25l", "ab");
    CHECK("\x1b]0;a title\x07text", "text");
    CHECK("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\.", "link.");
    CHECK("\x1bPq#0;2\x1b\\x", "x");
    CHECK("\x1b(Bx\x1b=y\x1b)0z\x1b#8", "xyz");
    CHECK("\xc2\x9b"
          "31mred",
          "red");
    CHECK("a\x1b[31\x1b[32mb", "ab");
    CHECK("a\x1b\x1b[1mb", "ab");
}

TEST(an_unfinished_sequence_hides_at_most_one_line)
{
    CHECK("a\x1b[31\nb\n", "a\nb\n");
    CHECK("a\x1b]0;never\nb\n", "a\nb\n");
    CHECK("a\x1b", "a");
    CHECK("a\x1b]0;x\x1b", "a");
    CHECK("a\x1b\nb", "a\nb");
    char bytes[6000];
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, "\x1b]", 2);
    struct log_text t = {0};
    struct buf out = {0};
    log_text_feed(&t, str_make(bytes, sizeof bytes), &out);
    assert_in_range(out.n, 1000, 3000);
    buf_done(&out);
}

TEST(invalid_utf8_is_replaced)
{
    CHECK("a\xff"
          "b",
          "a\xef\xbf\xbd"
          "b");
    CHECK("\xc3", "\xef\xbf\xbd");
    CHECK("\xe2\x82", "\xef\xbf\xbd");
    CHECK("\xe2\x82x", "\xef\xbf\xbdx");
    CHECK("\xf0\x9f\x99\xf0\x9f\x99\x82", "\xef\xbf\xbd\xf0\x9f\x99\x82");
    CHECK("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    CHECK("\xc0\x80\n", "\xef\xbf\xbd\xef\xbf\xbd\n");
    CHECK("\x80\xbf", "\xef\xbf\xbd\xef\xbf\xbd");
    CHECK("\xe2\x1b[0m\x82", "\xef\xbf\xbd\xef\xbf\xbd");
}

/* Random bytes in random pieces. */
TEST(the_result_is_always_text)
{
    struct rng rng;
    static const char odd[] = "\x1b\x1b[]P\\m;0\n\r\xc3\xa9\xe2\x82\xac\xf0\x9f\x07\x9c";
    rng_seed(&rng, 7);
    for (int round = 0; round < 2000; round++) {
        char bytes[64];
        struct log_text once = {0}, pieces = {0};
        struct buf a = {0}, b = {0};
        size_t n = (size_t)rng_below(&rng, sizeof bytes);
        for (size_t i = 0; i < n; i++)
            bytes[i] = rng_below(&rng, 3) ? odd[rng_below(&rng, sizeof odd - 1)]
                                          : (char)rng_below(&rng, 256);
        log_text_feed(&once, str_make(bytes, n), &a);
        log_text_end(&once, &a);
        for (size_t at = 0; at < n;) {
            size_t part = 1 + (size_t)rng_below(&rng, 5);
            part = part < n - at ? part : n - at;
            log_text_feed(&pieces, str_make(bytes + at, part), &b);
            at += part;
        }
        log_text_end(&pieces, &b);
        CHECK_STR(buf_str(&b), buf_str(&a));
        assert_true(utf8_is_valid(buf_str(&a)));
        for (size_t i = 0; i < a.n; i++)
            assert_true((unsigned char)a.p[i] >= ' ' || a.p[i] == '\n' || a.p[i] == '\t');
        buf_done(&a);
        buf_done(&b);
    }
}
