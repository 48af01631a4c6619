#include "mcp/header.h"

#include "net/http.h"
#include "test.h"

TEST(plain_values_are_compared_as_they_are)
{
    assert_true(mcp_header_equal(STR("tools/call"), STR("tools/call")));
    assert_false(mcp_header_equal(STR("TOOLS/CALL"), STR("tools/call")));
    assert_false(mcp_header_equal(STR("tools/call2"), STR("tools/call")));
    assert_true(mcp_header_equal(STR(""), STR("")));
    assert_true(mcp_header_equal((struct str){0}, STR("")));
    /* Half a mark is no mark. */
    assert_true(mcp_header_equal(STR("=?base64?aGk="), STR("=?base64?aGk=")));
    assert_true(mcp_header_equal(STR("aGk=?="), STR("aGk=?=")));
    assert_true(mcp_header_equal(STR("=?base64?="), STR("=?base64?=")));
}

TEST(encoded_values_are_decoded_first)
{
    assert_true(mcp_header_equal(STR("=?base64?aGk=?="), STR("hi")));
    assert_true(mcp_header_equal(STR("=?base64?w6k=?="), STR("\xc3\xa9")));
    assert_true(mcp_header_equal(STR("=?base64?\?="), STR("")));
    assert_false(mcp_header_equal(STR("=?base64?aGk=?="), STR("=?base64?aGk=?=")));
    /* Wrong padding, wrong letters: not even equal to themselves. */
    assert_false(mcp_header_equal(STR("=?base64?aGk?="), STR("hi")));
    assert_false(mcp_header_equal(STR("=?base64?aG*=?="), STR("=?base64?aG*=?=")));
}

#define SCHEMA(properties) STR("{\"type\":\"object\",\"properties\":{" properties "}}")
#define MARK(type, name)   "{\"type\":\"" type "\",\"x-mcp-header\":\"" name "\"}"

static void check_fault(struct str schema, const char *want)
{
    struct arena a = {0};
    struct mcp_param_header *headers;
    size_t n;
    const char *fault = mcp_header_read(&a, schema, &headers, &n);
    CHECK_CSTR(str_from(fault ? fault : "fine"), want);
    arena_done(&a);
}

TEST(only_marks_of_properties_are_found)
{
    struct arena a = {0};
    struct mcp_param_header *h;
    size_t n;
    struct str schema = SCHEMA(
        "\"a\":" MARK("string", "A") ",\"b\":{\"type\":\"object\","
                                     "\"properties\":{\"c\":" MARK(
                                         "integer", "Deep-C") "}},\"items\":{"
                                                              "\"type\":\"array\",\"items\":" MARK(
                                                                  "string", "No") "}");
    assert_null(mcp_header_read(&a, schema, &h, &n));
    assert_int_equal(n, 2);
    CHECK_CSTR(str_from(h[0].header), "Mcp-Param-A");
    assert_int_equal(h[0].depth, 1);
    CHECK_CSTR(h[0].path[0], "a");
    CHECK_CSTR(str_from(h[1].header), "Mcp-Param-Deep-C");
    assert_int_equal(h[1].depth, 2);
    CHECK_CSTR(h[1].path[0], "b");
    CHECK_CSTR(h[1].path[1], "c");

    assert_null(mcp_header_read(&a, SCHEMA("\"a\":{\"type\":\"string\"}"), &h, &n));
    assert_int_equal(n, 0);
    arena_done(&a);
}

TEST(an_error_names_a_bad_mark)
{
    static const char name[] = "x-mcp-header must be a name of letters, digits and -";
    static const char type[] = "x-mcp-header is allowed only on strings, integers and booleans";
    check_fault(SCHEMA("\"a\":" MARK("string", "")), name);
    check_fault(SCHEMA("\"a\":" MARK("string", "a b")), name);
    check_fault(SCHEMA("\"a\":" MARK("string", "a:")), name);
    check_fault(SCHEMA("\"a\":" MARK("string", "\\u00e9")), name);
    check_fault(SCHEMA("\"a\":" MARK("number", "A")), type);
    check_fault(SCHEMA("\"a\":" MARK("object", "A")), type);
    check_fault(SCHEMA("\"a\":{\"x-mcp-header\":\"A\"}"), type);
    check_fault(SCHEMA("\"a\":" MARK("string", "A") ",\"b\":" MARK("string", "a")),
                "two properties have the same x-mcp-header");
    check_fault(SCHEMA("\"a\":" MARK("boolean", "A")), "fine");

    struct buf many = {0};
    buf_add(&many, STR("{\"properties\":{"));
    for (int i = 0; i < 33; i++)
        buf_printf(&many, "%s\"p%d\":{\"type\":\"string\",\"x-mcp-header\":\"H%d\"}", i ? "," : "",
                   i, i);
    buf_add(&many, STR("}}"));
    check_fault(buf_str(&many), "too many properties with x-mcp-header");
    buf_done(&many);
}

/* Return whether one header line matches the arguments, for an argument of each type. */
static bool agrees(const char *lines, const char *arguments)
{
    struct arena a = {0};
    struct mcp_param_header *h;
    struct buf head = {0};
    size_t n, used;
    const struct http_limits limits = {4096, 10, 10};
    struct http_decoder *d = http_decoder_new(&limits);

    buf_printf(&head, "POST /mcp HTTP/1.1\r\nHost: x\r\n%s\r\n", lines);
    assert_int_equal(http_decoder_feed(d, buf_str(&head), &used), HTTP_HEAD);
    assert_null(mcp_header_read(&a, SCHEMA("\"v\":" MARK("string", "V")), &h, &n));
    const struct json *v = json_parse(&a, str_from(arguments), NULL, NULL);
    bool yes = mcp_header_agrees(&h[0], v, http_decoder_request(d));
    http_decoder_free(d);
    buf_done(&head);
    arena_done(&a);
    return yes;
}

TEST(a_header_must_equal_its_argument)
{
    assert_true(agrees("Mcp-Param-V: eu\r\n", "{\"v\":\"eu\"}"));
    assert_true(agrees("mcp-param-v:   eu  \r\n", "{\"v\":\"eu\"}"));
    assert_true(agrees("Mcp-Param-V: =?base64?ZXU=?=\r\n", "{\"v\":\"eu\"}"));
    assert_false(agrees("Mcp-Param-V: EU\r\n", "{\"v\":\"eu\"}"));
    assert_false(agrees("Mcp-Param-V: eu\r\nMcp-Param-V: eu\r\n", "{\"v\":\"eu\"}"));
    assert_false(agrees("", "{\"v\":\"eu\"}"));

    assert_true(agrees("Mcp-Param-V: true\r\n", "{\"v\":true}"));
    assert_false(agrees("Mcp-Param-V: True\r\n", "{\"v\":true}"));
    assert_true(agrees("Mcp-Param-V: false\r\n", "{\"v\":false}"));
    assert_true(agrees("Mcp-Param-V: 42\r\n", "{\"v\":42}"));
    assert_true(agrees("Mcp-Param-V: 42.0\r\n", "{\"v\":42}"));
    assert_false(agrees("Mcp-Param-V: 43\r\n", "{\"v\":42}"));
    assert_false(agrees("Mcp-Param-V: \"42\"\r\n", "{\"v\":42}"));
    assert_false(agrees("Mcp-Param-V: forty-two\r\n", "{\"v\":42}"));
    assert_false(agrees("Mcp-Param-V:\r\n", "{\"v\":42}"));
    /* A value that no header can hold is not compared: the tool refuses it. */
    assert_true(agrees("Mcp-Param-V: x\r\n", "{\"v\":[1]}"));
}

TEST(a_missing_argument_must_have_no_header)
{
    assert_true(agrees("", "{}"));
    assert_true(agrees("", "{\"v\":null}"));
    assert_true(agrees("", "null"));
    assert_false(agrees("Mcp-Param-V: eu\r\n", "{}"));
    assert_false(agrees("Mcp-Param-V:\r\n", "{\"v\":null}"));
}
