#include "base/utf8.h"

#include <stdlib.h>

#include "test.h"

#define FFFD "\xef\xbf\xbd"

/* Texts and the bytes of their longest valid beginning. */
static const struct {
    struct str text;
    size_t valid;
} samples[] = {
    {STR_INIT(""), 0},
    {STR_INIT("plain ascii, longer than one block"), 34},
    {STR_INIT("\x7f\xc2\x80"), 3},                      /* first of two bytes */
    {STR_INIT("\xdf\xbf\xe0\xa0\x80"), 5},              /* last of two, first of three */
    {STR_INIT("\xed\x9f\xbf\xee\x80\x80"), 6},          /* around the surrogates */
    {STR_INIT("\xef\xbf\xbf\xf0\x90\x80\x80"), 7},      /* last of three, first of four */
    {STR_INIT("\xf4\x8f\xbf\xbf"), 4},                  /* U+10FFFF */
    {STR_INIT("a\0b"), 3},                              /* U+0000 is a character */
    {STR_INIT("ab\x80"), 2},                            /* continuation alone */
    {STR_INIT("\xc0\xaf"), 0},                          /* overlong slash */
    {STR_INIT("\xc1\xbf"), 0},                          /* overlong */
    {STR_INIT("\xe0\x9f\xbf"), 0},                      /* overlong */
    {STR_INIT("\xf0\x8f\xbf\xbf"), 0},                  /* overlong */
    {STR_INIT("\xed\xa0\x80"), 0},                      /* U+D800 */
    {STR_INIT("\xed\xbf\xbf"), 0},                      /* U+DFFF */
    {STR_INIT("\xf4\x90\x80\x80"), 0},                  /* U+110000 */
    {STR_INIT("\xf5\x80\x80\x80"), 0},                  /* never a first byte */
    {STR_INIT("\xff"), 0},                              /* never */
    {STR_INIT("\xc3"), 0},                              /* cut */
    {STR_INIT("x\xe2\x82"), 1},                         /* cut */
    {STR_INIT("\xf0\x9f\x98"), 0},                      /* cut */
    {STR_INIT("\xc3\xa4\xc3("), 2},                     /* second byte wrong */
    {STR_INIT("\xe2\x82("), 0},                         /* third byte wrong */
    {STR_INIT("\xf0\x9f\x98("), 0},                     /* fourth byte wrong */
    {STR_INIT("0123456789abcde\xe2\x82\xac tail"), 23}, /* across a block */
};

#define SAMPLES (sizeof samples / sizeof samples[0])

TEST(the_valid_beginning_ends_where_rfc_3629_says)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        assert_int_equal(utf8_valid_prefix(samples[i].text), samples[i].valid);
        assert_int_equal(utf8_is_valid(samples[i].text), samples[i].valid == samples[i].text.n);
    }
}

/* Each text after fillers of all lengths, so that an error is at each place of a block. */
TEST(an_error_is_found_at_every_place)
{
    char text[64];
    for (size_t i = 0; i < SAMPLES; i++) {
        for (size_t fill = 0; fill < 20; fill++) {
            memset(text, 'x', fill);
            memcpy(text + fill, samples[i].text.p, samples[i].text.n);
            assert_int_equal(utf8_valid_prefix(str_make(text, fill + samples[i].text.n)),
                             fill + samples[i].valid);
        }
    }
}

TEST(every_character_survives_encode_and_decode)
{
    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        if (c >= 0xd800 && c <= 0xdfff)
            continue;
        char text[4];
        size_t n = utf8_encode(c, text), len = 0;
        assert_int_equal(n, c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
        assert_int_equal(utf8_valid_prefix(str_make(text, n)), n);
        assert_int_equal(utf8_char_bytes(str_make(text, n)), n);
        assert_int_equal(utf8_decode(str_make(text, n), &len), c);
        assert_int_equal(len, n);
    }
}

/* Of all texts of two and three bytes, as many are valid as there are such characters. */
TEST(exactly_the_encodings_are_valid)
{
    size_t two = 0, three = 0;
    for (uint32_t bits = 0; bits < 1u << 24; bits++) {
        char t[3] = {(char)(bits >> 16), (char)(bits >> 8 & 0xff), (char)(bits & 0xff)};
        if ((bits & 0xff) == 0)
            two += utf8_char_bytes(str_make(t, 2)) == 2;
        three += utf8_char_bytes(str_make(t, 3)) == 3;
    }
    assert_int_equal(two, 0x800 - 0x80);
    assert_int_equal(three, 0x10000 - 0x800 - 0x800);
}

/* Long texts are checked in words: alone, after ASCII, and as the second of a pair of three bytes,
 * each sequence must end where it ends in a short text. */
TEST(a_sequence_in_a_long_text_is_as_valid_as_alone)
{
    static const char *const before[] = {"", "abc", "\xe4\xb8\xad"};
    static const char last[4] = {'\x7f', '\x80', '\xbf', '\xc0'};
    char text[64];
    for (uint32_t i = 0; i < 3u << 20; i++) {
        struct str head = str_from(before[i >> 20]);
        char form[4] = {(char)(i >> 12 & 0xff), (char)(i >> 4 & 0xff), last[i >> 2 & 3],
                        last[i & 3]};
        if (i % 0x100000 < 0x7f000)
            continue; /* ASCII */
        memcpy(text, head.p, head.n);
        memcpy(text + head.n, form, sizeof form);
        memset(text + head.n + sizeof form, 'x', 20);
        size_t at = head.n, n;
        while (at < head.n + sizeof form &&
               (n = utf8_char_bytes(str_make(text + at, head.n + sizeof form - at))) > 0)
            at += n;
        bool valid = at == head.n + sizeof form;
        size_t size = head.n + sizeof form + 20;
        assert_int_equal(utf8_valid_prefix(str_make(text, size)), valid ? size : at);
    }
}

TEST(each_maximal_invalid_part_becomes_one_replacement)
{
    /* The last one is the example of the Unicode standard, table 3-8 and its neighbours. */
    static const struct {
        struct str from, to;
    } cases[] = {
        {STR_INIT("good \xc3\xa4"), STR_INIT("good \xc3\xa4")},
        {STR_INIT("a\xff"
                  "b"),
         STR_INIT("a" FFFD "b")},
        {STR_INIT("\xe2\x82"), STR_INIT(FFFD)},
        {STR_INIT("\xe2\x82x"), STR_INIT(FFFD "x")},
        {STR_INIT("\xed\xa0\x80"), STR_INIT(FFFD FFFD FFFD)},
        {STR_INIT("\xc0\xaf"), STR_INIT(FFFD FFFD)},
        {STR_INIT("\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64"),
         STR_INIT("a" FFFD FFFD FFFD "b" FFFD "c" FFFD FFFD "d")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf b = {0};
        utf8_add_lossy(&b, cases[i].from);
        CHECK_STR(buf_str(&b), cases[i].to);
        assert_true(utf8_is_valid(buf_str(&b)));
        buf_done(&b);
    }
}

TEST(utf8_head_never_cuts_a_character)
{
    struct str s = STR("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z");
    static const size_t heads[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11, 11};
    for (size_t n = 0; n < sizeof heads / sizeof heads[0]; n++) {
        CHECK_STR(utf8_head(s, n), str_head(s, heads[n]));
        assert_true(utf8_is_valid(utf8_head(s, n)));
    }
    CHECK_STR(utf8_head((struct str){0}, 5), STR(""));
}

TEST(a_check_in_pieces_gives_the_same_result)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        struct str s = samples[i].text;
        for (size_t cut = 0; cut <= s.n; cut++) {
            for (size_t second = cut; second <= s.n; second++) {
                struct utf8_check c = {0};
                bool fed = utf8_check_feed(&c, str_head(s, cut));
                fed = utf8_check_feed(&c, str_head(str_skip(s, cut), second - cut)) && fed;
                fed = utf8_check_feed(&c, str_skip(s, second)) && fed;
                assert_int_equal(fed && utf8_check_end(&c), utf8_is_valid(s));
            }
        }
    }
}

TEST(a_failed_check_stays_failed)
{
    struct utf8_check c = {0};
    assert_true(utf8_check_feed(&c, STR("ok \xe2")));
    assert_false(utf8_check_end(&c));
    assert_false(utf8_check_feed(&c, STR("x")));
    assert_false(utf8_check_feed(&c, STR("fine")));
    assert_false(utf8_check_end(&c));
}

TEST(a_byte_has_a_line_and_a_column_of_characters)
{
    struct str text = STR("a\xc3\xa4x\r\n\n\xe2\x82\xac|");
    static const struct {
        size_t offset, line, column;
    } want[] = {{0, 1, 1}, {1, 1, 2},  {3, 1, 3},  {5, 1, 5}, {6, 2, 1},
                {7, 3, 1}, {10, 3, 2}, {11, 3, 3}, {99, 3, 3}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        size_t line, column;
        utf8_locate(text, want[i].offset, &line, &column);
        assert_int_equal(line, want[i].line);
        assert_int_equal(column, want[i].column);
    }
}
