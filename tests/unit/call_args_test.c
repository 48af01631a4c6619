#include "base/arena.h"
#include "cli/call_args.h"
#include "test.h"

#define MAX_ARGS 64

/* clang-format off */
static const char schema_text[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"id\":{\"type\":\"string\"},"
    "\"count\":{\"type\":\"integer\"},"
    "\"on\":{\"type\":\"boolean\"},"
    "\"list\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"mixed\":{\"type\":[\"string\",\"null\"]},"
    "\"either\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]},"
    "\"word\":{\"enum\":[\"1\",\"2\"]},"
    "\"open\":{},"
    "\"fields\":{\"type\":\"object\",\"additionalProperties\":true},"
    "\"names\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},"
    "\"at\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}}}";
/* clang-format on */

static struct error err;

static bool put(struct buf *out, const char *const *pairs)
{
    struct arena a = {0};
    char *args[MAX_ARGS];
    size_t n = 0;
    for (; pairs[n]; n++) {
        assert_true(n < MAX_ARGS);
        args[n] = (char *)(uintptr_t)pairs[n];
    }
    err = (struct error){0};
    bool ok = call_args_put(out, json_parse(&a, str_from(schema_text), NULL, NULL), args, n, &err);
    arena_done(&a);
    return ok;
}

#define CHECK_MAKES(want, ...) check_makes(want, (const char *const[]){__VA_ARGS__, NULL})
#define CHECK_BAD(want, ...)   check_bad(want, (const char *const[]){__VA_ARGS__, NULL})

static void check_makes(const char *want, const char *const *pairs)
{
    struct buf out = {0};
    assert_true(put(&out, pairs));
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
}

static void check_bad(const char *want, const char *const *pairs)
{
    struct buf out = {0};
    assert_false(put(&out, pairs));
    assert_int_equal(out.n, 0);
    assert_int_equal(err.code, ERR_INVALID_PARAMS);
    CHECK_CSTR(str_from(err.text), want);
    buf_done(&out);
}

TEST(no_pairs_are_the_empty_object)
{
    check_makes("{}", (const char *const[]){NULL});
}

TEST(text_stays_text_if_the_schema_allows_only_text)
{
    CHECK_MAKES("{\"id\":\"123\"}", "id=123");
    CHECK_MAKES("{\"id\":\"true\"}", "id=true");
    CHECK_MAKES("{\"id\":\"{}\"}", "id={}");
    CHECK_MAKES("{\"id\":\"\\\"a\\\"\"}", "id=\"a\"");
    CHECK_MAKES("{\"id\":\"\"}", "id=");
    CHECK_MAKES("{\"id\":\"a=b\"}", "id=a=b");
    CHECK_MAKES("{\"at\":{\"name\":\"5\"}}", "at.name=5");
    CHECK_MAKES("{\"names\":{\"x\":\"5\"}}", "names.x=5");
    CHECK_MAKES("{\"word\":\"1\"}", "word=1");
}

TEST(a_value_that_is_json_is_json)
{
    CHECK_MAKES("{\"count\":5,\"on\":true,\"list\":[\"a\"]}", "count=5", "on=true", "list=[\"a\"]");
    CHECK_MAKES("{\"open\":null,\"fields\":{\"mass\":2.5}}", "open=null", "fields.mass=2.5");
    CHECK_MAKES("{\"unknown\":7}", "unknown=7");
}

TEST(a_value_of_a_type_the_schema_forbids_is_text)
{
    CHECK_MAKES("{\"mixed\":null}", "mixed=null");
    CHECK_MAKES("{\"mixed\":\"5\"}", "mixed=5");
    CHECK_MAKES("{\"either\":5}", "either=5");
    CHECK_MAKES("{\"either\":\"true\"}", "either=true");
    CHECK_MAKES("{\"count\":\"many\"}", "count=many");
    CHECK_MAKES("{\"fields\":{\"tag\":\"Player\"}}", "fields.tag=Player");
}

TEST(a_colon_forces_json)
{
    CHECK_MAKES("{\"id\":123}", "id:=123");
    CHECK_MAKES("{\"fields\":{\"a\":\"x\"}}", "fields.a:=\"x\"");
    CHECK_BAD("the value of id is not JSON at character 1: unexpected character", "id:=abc");
}

TEST(dots_name_members_of_objects)
{
    CHECK_MAKES("{\"fields\":{\"a\":{\"b\":1,\"c\":2},\"d\":3},\"count\":4}", "fields.a.b=1",
                "fields.d=3", "count=4", "fields.a.c=2");
}

TEST(the_error_names_an_argument_that_is_not_a_pair)
{
    CHECK_BAD("\"abc\" is not KEY=VALUE; arguments are pairs, or one JSON object, @FILE or -",
              "abc");
    CHECK_BAD("\"=5\" is not KEY=VALUE; arguments are pairs, or one JSON object, @FILE or -", "=5");
    CHECK_BAD("\":=5\" is not KEY=VALUE; arguments are pairs, or one JSON object, @FILE or -",
              ":=5");
    CHECK_BAD("the arguments must be UTF-8", "id=\xff");
}

TEST(a_duplicate_key_is_refused)
{
    CHECK_BAD("the argument id is given twice", "id=1", "id=2");
    CHECK_BAD("the argument fields.a is given twice", "fields=1", "fields.a=2");
    CHECK_BAD("the argument fields is given twice", "fields.a=2", "fields=1");
}

TEST(a_key_with_an_empty_name_or_many_dots_is_refused)
{
    char deep[2 * CALL_ARGS_MAX_DEPTH + 4] = "a";
    CHECK_BAD("the key \"a..b\" has an empty name in it", "a..b=1");
    CHECK_BAD("the key \".a\" has an empty name in it", ".a=1");
    CHECK_BAD("the key \"a.\" has an empty name in it", "a.=1");
    size_t n = 1;
    for (size_t i = 1; i < CALL_ARGS_MAX_DEPTH; i++, n += 2)
        memcpy(deep + n, ".a", 2);
    memcpy(deep + n, "=1", 3);
    struct buf out = {0};
    assert_true(put(&out, (const char *const[]){deep, NULL}));
    buf_done(&out);
    memcpy(deep + n, ".a=1", 5);
    assert_false(put(&out, (const char *const[]){deep, NULL}));
    assert_true(str_ends(str_from(err.text), STR("has too many dots")));
}

TEST(without_a_schema_json_is_json)
{
    struct buf out = {0};
    char pair[] = "id=123";
    char *args[] = {pair};
    assert_true(call_args_put(&out, NULL, args, 1, NULL));
    CHECK_CSTR(buf_str(&out), "{\"id\":123}");
    buf_done(&out);
}
