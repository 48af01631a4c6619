#include "unity/csharp_scan.h"

#include "test.h"

static size_t scans_str(struct str text, const char *want)
{
    struct csharp_scan s;
    struct buf got = {0};
    csharp_scan_init(&s, text, NULL);
    for (size_t i = 0; i < s.count; i++) {
        buf_printf(&got, "%s%c:", i ? " " : "", "wnsc.b"[s.tokens[i].kind]);
        buf_add(&got, csharp_scan_text(&s, i));
    }
    CHECK_CSTR(buf_str(&got), want);
    size_t fault = s.error_at;
    buf_done(&got);
    csharp_scan_done(&s);
    return fault;
}

static void scans(const char *text, const char *want)
{
    assert_true(scans_str(str_from(text), want) == CSHARP_SCAN_OK);
}

TEST(tokens_are_words_numbers_strings_and_signs)
{
    scans("int @class = 1_000;", "w:int w:@class .:= n:1_000 .:;");
    scans("1.5f .5e+3d 0xE+1 1..2 a.b", "n:1.5f n:.5e+3d n:0xE .:+ n:1 n:1 .:. n:.2 w:a .:. w:b");
    scans("a=>b==c>=d::e", "w:a .:=> w:b .:== w:c .:>= w:d .::: w:e");
    scans("List<List<int>>x", "w:List .:< w:List .:< w:int .:> .:> w:x");
    scans("'a' '\\'' '\\u0041' \"b\" $\"{c}\"", "c:'a' c:'\\'' c:'\\u0041' s:\"b\" s:$\"{c}\"");
    scans("\xc3\xa4 \xe5\x80\xa4_1", "w:\xc3\xa4 w:\xe5\x80\xa4_1");
}

TEST(comments_and_blanks_are_no_tokens)
{
    scans("a // b\nc /* d\n */ e /// f", "w:a w:c w:e");
    scans("\xef\xbb\xbf"
          "a\xe3\x80\x80"
          "b\xc2\xa0"
          "c\v\fd\t\r\n",
          "w:a w:b w:c w:d");
}

TEST(directives_start_a_line)
{
    scans("a\n  #if X\nb ' \" /* \n #endif\n#region c\nd", "w:a w:d");
    scans("a /*\n#if X\n*/ b", "w:a w:b");
    scans("@\"\n#if X\n\" b", "s:@\"\n#if X\n\" w:b");
    scans("#if X\r#else\rb\r#endif", "w:b");
    assert_int_equal(scans_str(STR("a #if X\nb"), "w:a w:if w:X w:b"), 2);
}

TEST(first_error_is_reported)
{
    assert_int_equal(scans_str(STR("a ` b \\"), "w:a w:b"), 2);
    assert_int_equal(scans_str(STR("a \"b\nc"), "w:a s:\"b w:c"), 2);
    assert_int_equal(scans_str(STR("a 'b\nc"), "w:a b:'b w:c"), 2);
    assert_int_equal(scans_str(STR("a 'this is no character'"), "w:a b:'this is no character'"), 2);
    assert_int_equal(scans_str(STR("a /* b"), "w:a"), 2);
    assert_int_equal(scans_str(STR("a\0b"), "w:a w:b"), 1);
    assert_int_equal(scans_str(STR("a\xff"), "w:a"), 1);
    assert_int_equal(scans_str(STR("a\n#if X\n"), "w:a"), 8);
    assert_int_equal(scans_str(STR("a\n#else\n"), "w:a"), 2);
    char word[2000];
    memset(word, 'x', sizeof word);
    assert_int_equal(scans_str(str_make(word, sizeof word), ""), 0);
}

TEST(tokens_are_copied_to_their_offset)
{
    struct csharp_scan s;
    char out[] = "              ";
    csharp_scan_init(&s, STR("a $\"{b}\" 'x c"), NULL);
    csharp_scan_copy(&s, 0, out);
    csharp_scan_copy(&s, 1, out);
    csharp_scan_copy(&s, 2, out);
    CHECK_CSTR(str_from(out), "a $\"{_}\" 0    ");
    csharp_scan_done(&s);
}
