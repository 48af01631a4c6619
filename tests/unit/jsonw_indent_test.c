#include "base/jsonw.h"

#include <stdlib.h>

#include "base/mem.h"
#include "test.h"

static void becomes(const char *json, const char *want)
{
    struct buf out = {0};
    struct arena a = {0};
    jsonw_indent(&out, json_parse(&a, str_from(json), NULL, NULL));
    CHECK_CSTR(buf_str(&out), want);
    arena_done(&a);
    buf_done(&out);
}

TEST(each_member_has_a_line)
{
    becomes("{\"a\":[1,{\"b\":null}],\"c\":\"x\"}", "{\n"
                                                    "  \"a\": [\n"
                                                    "    1,\n"
                                                    "    {\n"
                                                    "      \"b\": null\n"
                                                    "    }\n"
                                                    "  ],\n"
                                                    "  \"c\": \"x\"\n"
                                                    "}");
}

TEST(empty_and_simple_values_have_one_line)
{
    becomes("{}", "{}");
    becomes("[ ]", "[]");
    becomes("{\"a\":{},\"b\":[]}", "{\n  \"a\": {},\n  \"b\": []\n}");
    becomes("1.50", "1.50");
    becomes("\"a\\u0001\\\"\"", "\"a\\u0001\\\"\"");
    becomes("true", "true");
}

TEST(the_deepest_value_is_written)
{
    char *text = mem_alloc(2 * JSON_DEPTH_CEILING);
    struct arena a = {0};
    struct buf out = {0};
    memset(text, '[', JSON_DEPTH_CEILING);
    memset(text + JSON_DEPTH_CEILING, ']', JSON_DEPTH_CEILING);
    const struct json_limits limits = {.max_depth = JSON_DEPTH_CEILING};
    const struct json *v =
        json_parse(&a, str_make(text, (size_t)2 * JSON_DEPTH_CEILING), &limits, NULL);
    assert_non_null(v);
    jsonw_indent(&out, v);
    assert_true(json_equal(v, json_parse(&a, buf_str(&out), &limits, NULL)));
    buf_done(&out);
    arena_done(&a);
    free(text);
}
