#include "base/json_edit.h"

#include <stdlib.h>

#include "test.h"

static void check_find(const char *text, const char *pointer, bool found, const char *want)
{
    struct str value;
    assert_int_equal(json_edit_find(str_from(text), str_from(pointer), &value), found);
    CHECK_CSTR(value, want);
    assert_true(value.p >= text && value.p + value.n <= text + strlen(text));
}

/* want NULL: the edit must be refused and add nothing. */
static void check_set(const char *text, const char *pointer, const char *json, const char *want)
{
    struct buf out = {0};
    assert_int_equal(json_edit_set(&out, str_from(text), str_from(pointer), str_from(json)),
                     want != NULL);
    CHECK_CSTR(buf_str(&out), want ? want : "");
    buf_done(&out);
}

static void check_remove(const char *text, const char *pointer, const char *want)
{
    struct buf out = {0};
    assert_int_equal(json_edit_remove(&out, str_from(text), str_from(pointer)), want != NULL);
    CHECK_CSTR(buf_str(&out), want ? want : "");
    buf_done(&out);
}

/* ---- find */

TEST(a_pointer_names_a_value)
{
    static const char text[] =
        " {\"a\" : [1, {\"b\":\"x,]}\\\"\"} , -2.5e3],\"c\":{ }, \"\":null } ";
    check_find(text, "/a/0", true, "1");
    check_find(text, "/a/1", true, "{\"b\":\"x,]}\\\"\"}");
    check_find(text, "/a/1/b", true, "\"x,]}\\\"\"");
    check_find(text, "/a/2", true, "-2.5e3");
    check_find(text, "/c", true, "{ }");
    check_find(text, "/", true, "null");
    check_find(" 7 ", "", true, "7");
    check_find("[[],[true]]", "/1/0", true, "true");
}

TEST(escaped_keys_are_found)
{
    check_find("{\"a/b\":1,\"m~n\":2,\"~1\":3}", "/a~1b", true, "1");
    check_find("{\"a/b\":1,\"m~n\":2,\"~1\":3}", "/m~0n", true, "2");
    check_find("{\"a/b\":1,\"m~n\":2,\"~1\":3}", "/~01", true, "3");
    check_find("{\"\\u0061\\/\\ud83d\\ude00\":1}", "/a~1\xf0\x9f\x98\x80", true, "1");
    check_find("{\"ab\\u0063\":1,\"abcd\":2}", "/abcd", true, "2");
    check_find("{\"a\\u0062c\":1,\"ab\":2}", "/ab", true, "2");
    check_find("{\"\\n\":1}", "/n", false, "{\"\\n\":1}");
}

TEST(for_a_missing_value_the_nearest_one_is_found)
{
    check_find("{\"a\":[1,2]}", "/a/2", false, "[1,2]");
    check_find("{\"a\":[1,2]}", "/a/00", false, "[1,2]");
    check_find("{\"a\":[1,2]}", "/a/-", false, "[1,2]");
    check_find("{\"a\":[1,2]}", "/a/+1", false, "[1,2]");
    check_find("{\"a\":[1,2]}", "/a/1/x/y", false, "2");
    check_find("{\"a\":[1,2]}", "/b/c", false, "{\"a\":[1,2]}");
    check_find("{\"a\":[1,2]}", "a", false, "{\"a\":[1,2]}");
    check_find("{}", "/a", false, "{}");
}

/* Invalid JSON must not be read past its end. */
TEST(any_prefix_of_a_text_is_harmless)
{
    static const char text[] = "{\"a\":[1,{\"b\":\"x\\\"\"}],\"\\u0063\":{\"d\":null}}";
    for (size_t n = 0; n < sizeof text; n++) {
        char *cut = str_dup(str_make(text, n));
        struct str value;
        json_edit_find(str_make(cut, n), STR("/a/1/b"), &value);
        json_edit_find(str_make(cut, n), STR("/c/d"), &value);
        free(cut);
    }
    struct str value;
    assert_false(json_edit_find((struct str){0}, STR("/a"), &value));
}

/* ---- set */

TEST(a_value_is_replaced_and_the_other_bytes_stay)
{
    check_set("{ \"a\" :1 ,\r\n\t\"b\":[1, 2 ]}\n", "/a", "\"x\"",
              "{ \"a\" :\"x\" ,\r\n\t\"b\":[1, 2 ]}\n");
    check_set("{ \"a\" :1 ,\r\n\t\"b\":[1, 2 ]}\n", "/b/1", "{}",
              "{ \"a\" :1 ,\r\n\t\"b\":[1, {} ]}\n");
    check_set(" 1 ", "", "2", " 2 ");
    check_set("{\"\\u0061\":1}", "/a", "2", "{\"\\u0061\":2}");
}

TEST(a_new_member_is_laid_out_as_the_last_one)
{
    check_set("{\n  \"a\": 1\n}\n", "/b", "2", "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
    check_set("{\"a\":1}", "/b", "2", "{\"a\":1,\"b\":2}");
    check_set("{\"a\": 1}", "/b", "2", "{\"a\": 1, \"b\": 2}");
    check_set("{\"a\": 1, \"c\": 2}", "/b", "2", "{\"a\": 1, \"c\": 2, \"b\": 2}");
    check_set("{}", "/b", "2", "{\"b\": 2}");
    check_set("{\"a\": {\n}}", "/a/b", "2", "{\"a\": {\"b\": 2}}");
    check_set("{\"a\":1}", "/q\"\n", "2", "{\"a\":1,\"q\\\"\\n\":2}");
}

TEST(missing_objects_of_the_path_are_added)
{
    check_set("{\n  \"a\": 1\n}", "/b/c/d", "2", "{\n  \"a\": 1,\n  \"b\": {\"c\": {\"d\": 2}}\n}");
    check_set("{\"a\":null}", "/a/b", "2", "{\"a\":{\"b\": 2}}");
    check_set("null", "/a", "2", "{\"a\": 2}");
}

TEST(a_value_that_cannot_be_set_is_refused)
{
    check_set("{\"a\":1", "/a", "2", NULL);
    check_set("{\"a\":1,\"a\":2}", "/a", "2", NULL);
    check_set("", "/a", "2", NULL);
    check_set("{\"a\":1}", "a", "2", NULL);
    check_set("{\"a\":1}", "/a\xd4", "2", NULL);
    check_set("{\"a\":1}", "/a/b", "2", NULL);
    check_set("{\"a\":[]}", "/a/0", "2", NULL);
    check_set("{\"a\":[]}", "/a/b", "2", NULL);
}

/* ---- remove */

TEST(a_member_is_removed_with_its_comma)
{
    check_remove("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", "/a",
                 "{\n  \"b\": 2,\n  \"c\": 3\n}");
    check_remove("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", "/b",
                 "{\n  \"a\": 1,\n  \"c\": 3\n}");
    check_remove("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", "/c",
                 "{\n  \"a\": 1,\n  \"b\": 2\n}");
    check_remove("{\"a\":{\"b\":1},\"c\":2}", "/a/b", "{\"a\":{},\"c\":2}");
    check_remove("[{\"b\":1},2]", "/0/b", "[{},2]");
    check_remove("{ \"a\" : 1 }", "/a", "{  }");
}

TEST(removing_a_missing_member_does_nothing)
{
    check_remove("{\"a\" : 1}", "/b", "{\"a\" : 1}");
    check_remove("{\"a\" : 1}", "/a/b", "{\"a\" : 1}");
    check_remove("{\"a\" : 1", "/b", NULL);
    check_remove("{\"a\" : [1]}", "/a/0", NULL);
    check_remove("{\"a\" : [1]}", "", NULL);
}
