#include "base/arena.h"
#include "cli/pretty.h"
#include "test.h"

static void check(const char *text, const char *want)
{
    struct arena a = {0};
    struct buf out = {0};
    pretty_put(&out, json_parse(&a, str_from(text), NULL, NULL));
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
    arena_done(&a);
}

static void members_and_items_have_lines_of_their_own(void **state)
{
    (void)state;
    check("{\"a\":1,\"b\":[true,null],\"c\":{\"d\":\"e\"}}",
          "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null\n  ],\n  \"c\": {\n    \"d\": \"e\"\n  "
          "}\n}");
}

static void empty_containers_and_plain_values_stay_on_theirs(void **state)
{
    (void)state;
    check("{}", "{}");
    check("[]", "[]");
    check("{\"a\":{},\"b\":[]}", "{\n  \"a\": {},\n  \"b\": []\n}");
    check("\"a\\n\"", "\"a\\n\"");
}

static void numbers_keep_their_text(void **state)
{
    (void)state;
    check("[1.0,1e2,12345678901234567890]", "[\n  1.0,\n  1e2,\n  12345678901234567890\n]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_and_items_have_lines_of_their_own),
        cmocka_unit_test(empty_containers_and_plain_values_stay_on_theirs),
        cmocka_unit_test(numbers_keep_their_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
