#include "base/columns.h"

#include "base/utf8.h"
#include "test.h"

static struct buf out;

static struct str clean(const char *text, enum columns_set set)
{
    buf_clear(&out);
    size_t n = columns_add(&out, str_from(text), set);
    assert_int_equal(n, columns_of(buf_str(&out)));
    return buf_str(&out);
}

static struct str cut(const char *text, size_t max, enum columns_end end, enum columns_set set)
{
    buf_clear(&out);
    size_t n = columns_cut(&out, str_from(text), max, end, set);
    assert_int_equal(n, columns_of(buf_str(&out)));
    assert_true(n <= max);
    return buf_str(&out);
}

TEST(characters_are_zero_to_two_columns_wide)
{
    assert_int_equal(columns_of_char('a'), 1);
    assert_int_equal(columns_of_char(0xe9), 1);
    assert_int_equal(columns_of_char(0x301), 0);  /* an acute on top */
    assert_int_equal(columns_of_char(0x20dd), 0); /* a circle around */
    assert_int_equal(columns_of_char(0x1100), 2); /* the first of Hangul */
    assert_int_equal(columns_of_char(0x1161), 0); /* its vowel */
    assert_int_equal(columns_of_char(0x3042), 2); /* hiragana a */
    assert_int_equal(columns_of_char(0x4e2d), 2);
    assert_int_equal(columns_of_char(0xac00), 2);
    assert_int_equal(columns_of_char(0xff21), 2);  /* full width A */
    assert_int_equal(columns_of_char(0xff71), 1);  /* half width katakana */
    assert_int_equal(columns_of_char(0x1f600), 2); /* a face */
    assert_int_equal(columns_of_char(0x20000), 2);
    assert_int_equal(columns_of_char(0x2500), 1);
    assert_int_equal(columns_of_char(0x10ffff), 1);
}

TEST(the_width_of_text_is_the_sum_of_its_characters)
{
    assert_int_equal(columns_of(STR("")), 0);
    assert_int_equal(columns_of(STR("abc")), 3);
    assert_int_equal(columns_of(STR("日本語")), 6);
    assert_int_equal(columns_of(STR("e\xcc\x81te\xcc\x81")), 3);
}

TEST(printable_text_is_unchanged)
{
    CHECK_CSTR(clean("schöne Grüße, 日本 <&>", COLUMNS_UNICODE), "schöne Grüße, 日本 <&>");
    CHECK_CSTR(clean("plain", COLUMNS_ASCII), "plain");
    CHECK_CSTR(clean("", COLUMNS_UNICODE), "");
}

TEST(harmful_characters_are_replaced)
{
    CHECK_CSTR(clean("a\033[31mb", COLUMNS_UNICODE), "a\xef\xbf\xbd[31mb");
    CHECK_CSTR(clean("a\nb\tc\rd", COLUMNS_UNICODE), "a b c d");
    CHECK_CSTR(clean("a\xe2\x80\xae"
                     "b",
                     COLUMNS_UNICODE),
               "a\xef\xbf\xbd"
               "b"); /* right to left */
    CHECK_CSTR(clean("a\xd8\x9c"
                     "b",
                     COLUMNS_UNICODE),
               "a\xef\xbf\xbd"
               "b");
    CHECK_CSTR(clean("a\xe2\x80\x8d"
                     "b",
                     COLUMNS_UNICODE),
               "a\xef\xbf\xbd"
               "b"); /* a joiner */
    CHECK_CSTR(clean("a\xe3\x85\xa4"
                     "b",
                     COLUMNS_UNICODE),
               "a\xef\xbf\xbd"
               "b"); /* a filler */
    CHECK_CSTR(clean("a\xef\xbf\xbe"
                     "b",
                     COLUMNS_UNICODE),
               "a\xef\xbf\xbd"
               "b"); /* U+FFFE */
    CHECK_CSTR(clean("a\xc2\x9b"
                     "b",
                     COLUMNS_UNICODE),
               "a\xef\xbf\xbd"
               "b"); /* CSI in one */
    CHECK_CSTR(clean("a\xff\xc3", COLUMNS_UNICODE), "a\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(every_kept_character_is_printable)
{
    for (uint32_t c = 0; c < 0x110000; c++) {
        char text[5] = "";
        if (c >= 0xd800 && c <= 0xdfff)
            continue;
        struct str one = str_make(text, utf8_encode(c, text));
        buf_clear(&out);
        size_t n = columns_add(&out, one, COLUMNS_UNICODE);
        assert_true(n <= 2 && n == columns_of(buf_str(&out)));
        for (size_t i = 0; i < out.n; i++)
            assert_true((unsigned char)out.p[i] >= ' ' && out.p[i] != 0x7f);
        buf_clear(&out);
        columns_add(&out, one, COLUMNS_ASCII);
        for (size_t i = 0; i < out.n; i++)
            assert_true(out.p[i] >= ' ' && out.p[i] < 0x7f);
    }
}

TEST(combining_marks_are_limited)
{
    struct buf tower = {0};
    buf_add_char(&tower, 'o');
    for (int i = 0; i < 100; i++)
        buf_add(&tower, STR("\xcc\x81"));
    buf_add_char(&tower, 'k');
    CHECK_CSTR(clean(tower.p, COLUMNS_UNICODE), "o\xcc\x81\xcc\x81\xcc\x81\xcc\x81k");
    CHECK_CSTR(clean(tower.p, COLUMNS_ASCII), "ok");
    CHECK_CSTR(clean("\xcc\x81"
                     "a",
                     COLUMNS_UNICODE),
               "\xef\xbf\xbd"
               "a"); /* a mark without a base is replaced */
    CHECK_CSTR(clean("\xe2\x9d\xa4\xef\xb8\x8f!", COLUMNS_UNICODE), "\xe2\x9d\xa4!");
    buf_done(&tower);
}

TEST(ascii_output_replaces_other_characters_by_question_marks)
{
    CHECK_CSTR(clean("日本 é \033", COLUMNS_ASCII), "?? ? ?");
}

TEST(text_that_fits_is_not_cut)
{
    CHECK_CSTR(cut("abcdef", 6, COLUMNS_END, COLUMNS_UNICODE), "abcdef");
    CHECK_CSTR(cut("日本語", 6, COLUMNS_MIDDLE, COLUMNS_UNICODE), "日本語");
    CHECK_CSTR(cut("", 0, COLUMNS_END, COLUMNS_UNICODE), "");
}

TEST(text_is_cut_at_the_end_or_in_the_middle)
{
    CHECK_CSTR(cut("abcdefghij", 6, COLUMNS_END, COLUMNS_UNICODE), "abcde…");
    CHECK_CSTR(cut("abcdefghij", 6, COLUMNS_MIDDLE, COLUMNS_UNICODE), "abc…ij");
    CHECK_CSTR(cut("abcdefghij", 8, COLUMNS_END, COLUMNS_ASCII), "abcde...");
    CHECK_CSTR(cut("abcdefghij", 8, COLUMNS_MIDDLE, COLUMNS_ASCII), "abc...ij");
}

TEST(no_character_is_cut_in_two)
{
    CHECK_CSTR(cut("日本語", 5, COLUMNS_END, COLUMNS_UNICODE), "日本…");
    CHECK_CSTR(cut("日本語", 4, COLUMNS_END, COLUMNS_UNICODE), "日…");
    CHECK_CSTR(cut("日本語の本", 8, COLUMNS_MIDDLE, COLUMNS_UNICODE), "日本…本");
    CHECK_CSTR(cut("ee\xcc\x81"
                   "ee",
                   3, COLUMNS_END, COLUMNS_UNICODE),
               "ee\xcc\x81…");
    CHECK_CSTR(cut("abcdefe\xcc\x81", 4, COLUMNS_MIDDLE, COLUMNS_UNICODE), "ab…e\xcc\x81");
}

TEST(any_small_width_works)
{
    static const char *const texts[] = {"abcdefghij", "日本語日本語", "e\xcc\x81\xcc\x81日e"};
    for (size_t i = 0; i < 3; i++)
        for (size_t max = 0; max < 16; max++)
            for (int end = 0; end < 2; end++)
                cut(texts[i], max, (enum columns_end)end, COLUMNS_UNICODE);
    for (size_t max = 0; max < 16; max++)
        cut("abcdefghij", max, COLUMNS_MIDDLE, COLUMNS_ASCII);
    CHECK_CSTR(cut("abc", 1, COLUMNS_END, COLUMNS_UNICODE), "…");
    CHECK_CSTR(cut("abc", 0, COLUMNS_END, COLUMNS_UNICODE), "");
    CHECK_CSTR(cut("abcd", 2, COLUMNS_END, COLUMNS_ASCII), "..");
}

static const char *copied(struct str text, size_t size)
{
    static char place[64];
    memset(place, 'x', sizeof place);
    columns_copy(place, size, text);
    assert_true(memchr(place, 0, size) != NULL);
    assert_int_equal(place[size], 'x');
    return place;
}

TEST(a_copy_fits_its_array)
{
    assert_string_equal(copied(STR(""), 8), "");
    assert_string_equal(copied((struct str){0}, 8), "");
    assert_string_equal(copied(STR("seven77"), 8), "seven77");
    assert_string_equal(copied(STR("eight888"), 8), "eigh…");
    assert_string_equal(copied(STR("日本"), 7), "日本");
    assert_string_equal(copied(STR("日本語"), 8), "日…");
    assert_string_equal(copied(STR("a\nb\tc"), 8), "a b c");
    assert_string_equal(copied(STR("a\0b\xff"), 16), "a\xef\xbf\xbd"
                                                     "b\xef\xbf\xbd");
    assert_string_equal(copied(STR("\xe2\x80\xae"
                                   "abc"),
                               16),
                        "\xef\xbf\xbd"
                        "abc");
    for (size_t size = 4; size < 40; size++)
        copied(STR("日本語 abc \xff\xff\xff e\xcc\x81 and more of it, and more"), size);
}

TEST(a_long_copy_is_cut_even_if_it_is_narrow)
{
    struct buf text = {0};
    for (int i = 0; i < 1000; i++)
        buf_add(&text, STR("\xef\xb8\x8f")); /* variation selectors leave nothing */
    buf_add(&text, STR("end"));
    assert_string_equal(copied(buf_str(&text), 16), "…");
    buf_done(&text);
}

int main(void)
{
    int failed = test_run(NULL, NULL);
    buf_done(&out);
    return failed;
}
