#include "editor/pattern.h"

#include "test.h"

static enum pattern_result matches(const char *pattern, struct str text)
{
    struct editor_error err = {0};
    struct pattern *p = pattern_new("message_pattern", str_from(pattern), &err);
    if (!p)
        fail_msg("%s", err.text);
    enum pattern_result r = pattern_match(p, text);
    pattern_free(p);
    return r;
}

static void check_bad(struct str pattern, const char *want)
{
    struct editor_error err = {0};
    assert_null(pattern_new("message_pattern", pattern, &err));
    CHECK_CSTR(str_from(err.code), "ERR_INVALID_PARAMS");
    CHECK_CSTR(str_from(err.text), want);
    editor_error_done(&err);
}

TEST(match_ignores_case)
{
    assert_int_equal(matches("null.*reference", STR("NullReferenceException")), PATTERN_YES);
    assert_int_equal(matches("^main$", STR("Main")), PATTERN_YES);
    assert_int_equal(matches("^main$", STR("Main Menu")), PATTERN_NO);
    assert_int_equal(matches("\xc3\xa4", STR("\xc3\x84")), PATTERN_YES);
    assert_int_equal(matches("", STR("")), PATTERN_YES);
    assert_int_equal(matches("a", (struct str){0}), PATTERN_NO);
}

TEST(invalid_pattern_is_reported_with_the_position)
{
    struct buf longest = {0};
    check_bad(STR("(open"),
              "message_pattern is not a valid regular expression: at byte 6: missing closing "
              "parenthesis");
    check_bad(STR("a\\C"),
              "message_pattern is not a valid regular expression: at byte 4: using \\C is "
              "disabled by the application");
    for (size_t i = 0; i <= PATTERN_MAX; i++)
        buf_add_char(&longest, 'a');
    check_bad(buf_str(&longest), "message_pattern may have at most 1024 bytes, and has 1025");
    buf_done(&longest);
}

TEST(invalid_utf8_is_skipped)
{
    assert_int_equal(matches("byte", STR("bad \xff byte")), PATTERN_YES);
    assert_int_equal(matches("d.b", STR("bad\xff\xff byte")), PATTERN_NO);
}

/* Without a limit these would take years. */
TEST(slow_pattern_is_stopped)
{
    struct editor_error err = {0};
    struct pattern *p = pattern_new("name_pattern", STR("(x+x+)+[yz]"), &err);
    assert_non_null(p);
    assert_int_equal(pattern_match(p, STR("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")),
                     PATTERN_TOO_SLOW);
    assert_false(pattern_refuse_slow(p, &err));
    CHECK_CSTR(str_from(err.code), "ERR_INVALID_PARAMS");
    assert_non_null(strstr(err.text, "name_pattern"));
    pattern_free(p);
    pattern_free(NULL);
}
