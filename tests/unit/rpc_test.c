#include "mcp/rpc.h"

#include <stdlib.h>

#include "test.h"

/* Describe the message in one line: its kind and parts, or its error. */
static void tell(struct buf *out, struct str text)
{
    static const char *const kinds[] = {"request", "notification", "response"};
    struct arena a = {0};
    struct rpc_message m;
    struct buf id = {0};
    struct jsonw w = jsonw_make(&id);
    bool ok = rpc_parse(&m, &a, text, 0);
    buf_clear(out);
    if (m.id)
        jsonw_value(&w, m.id);
    if (!ok)
        buf_printf(out, "%d [%s] %s", m.error_code, m.id ? id.p : "", m.error);
    else
        buf_printf(out, "%s [%s] %.*s params:%s result:%s error:%s", kinds[m.kind],
                   m.id ? id.p : "", STR_ARG(m.method), json_type_name(m.params),
                   json_type_name(m.result), json_type_name(m.failure));
    buf_done(&id);
    arena_done(&a);
}

static void check(const char *text, const char *want)
{
    struct buf got = {0};
    tell(&got, str_from(text));
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

TEST(kinds_of_messages_are_recognized)
{
    check("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
          "request [1] ping params:missing result:missing error:missing");
    check("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"x/y\",\"params\":{}}",
          "request [\"a\"] x/y params:an object result:missing error:missing");
    check("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}",
          "notification [] n params:missing result:missing error:missing");
    check("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
          "response [1]  params:missing result:an object error:missing");
    check("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}",
          "response [1]  params:missing result:missing error:an object");
    /* Members in any order, unknown ones too. */
    check("{\"x\":[1],\"method\":\"m\",\"id\":7,\"jsonrpc\":\"2.0\"}",
          "request [7] m params:missing result:missing error:missing");
}

TEST(invalid_messages_are_refused_with_a_reason)
{
    check("", "-32700 [] Not valid JSON at byte 0: unexpected end");
    check("{\"jsonrpc\":\"2.0\",}", "-32700 [] Not valid JSON at byte 17: key expected");
    check("[]", "-32600 [] Batches are not supported: send one JSON-RPC message at a time");
    check("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
          "-32600 [] Batches are not supported: send one JSON-RPC message at a time");
    check("1", "-32600 [] A JSON-RPC message is an object, not a number");
    check("null", "-32600 [] A JSON-RPC message is an object, not null");
    check("{}", "-32600 [] jsonrpc must be \"2.0\"");
    check("{\"jsonrpc\":2.0,\"id\":1,\"method\":\"m\"}", "-32600 [1] jsonrpc must be \"2.0\"");
    check("{\"jsonrpc\":\"1.0\",\"id\":\"q\",\"method\":\"m\"}",
          "-32600 [\"q\"] jsonrpc must be \"2.0\"");
    check("{\"jsonrpc\":\"2.0\",\"id\":3}", "-32600 [3] method must be a string, not missing");
    check("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":1}",
          "-32600 [3] method must be a string, not a number");
    check("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"m\",\"params\":[1]}",
          "-32600 [3] params must be an object, not an array");
    check("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"m\",\"params\":null}",
          "-32600 [3] params must be an object, not null");
    check("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{}}",
          "-32600 [1] A response has either result or error");
    check("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1,\"method\":\"m\"}",
          "-32700 [] Not valid JSON at byte 24: duplicate key");
}

TEST(an_id_is_a_string_or_an_integer)
{
    static const char whole[] = "-32600 [] id must be a whole number of at most 64 bits, or a "
                                "string";
    check("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"m\"}",
          "request [0] m params:missing result:missing error:missing");
    check("{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"m\"}",
          "request [\"\"] m params:missing result:missing error:missing");
    check("{\"jsonrpc\":\"2.0\",\"id\":-9223372036854775808,\"method\":\"m\"}",
          "request [-9223372036854775808] m params:missing result:missing error:missing");
    /* As it was written. */
    check("{\"jsonrpc\":\"2.0\",\"id\":1.0e1,\"method\":\"m\"}",
          "request [1.0e1] m params:missing result:missing error:missing");
    check("{\"jsonrpc\":\"2.0\",\"id\":9223372036854775808,\"method\":\"m\"}", whole);
    check("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"}", whole);
    check("{\"jsonrpc\":\"2.0\",\"id\":1e999,\"method\":\"m\"}", whole);
    check("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}",
          "-32600 [] id must be a string or an integer, not null");
    check("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"}",
          "-32600 [] id must be a string or an integer, not an object");
    check("{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"m\"}",
          "-32600 [] id must be a string or an integer, not an array");
    check("{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"m\"}",
          "-32600 [] id must be a string or an integer, not a boolean");
}

TEST(a_long_id_is_refused)
{
    for (size_t n = RPC_MAX_ID - 1; n <= RPC_MAX_ID + 1; n++) {
        struct buf text = {0}, got = {0};
        buf_add(&text, STR("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\""));
        for (size_t i = 0; i < n; i++)
            buf_add_char(&text, 'x');
        buf_add(&text, STR("\"}"));
        tell(&got, buf_str(&text));
        if (n <= RPC_MAX_ID)
            assert_true(str_starts(buf_str(&got), STR("request [\"x")));
        else
            CHECK_CSTR(buf_str(&got), "-32600 [] id is longer than 512 bytes");
        buf_done(&text);
        buf_done(&got);
    }
}

/* Two peers that answered every error would send errors to each other forever. */
TEST(an_error_without_an_id_is_a_response)
{
    check("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700}}",
          "response []  params:missing result:missing error:an object");
    check("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700}}",
          "response []  params:missing result:missing error:an object");
    check("{\"jsonrpc\":\"2.0\",\"id\":{},\"error\":{}}",
          "-32600 [] id must be a string or an integer, not an object");
}

TEST(the_size_limit_is_checked)
{
    struct str text = STR("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}");
    struct arena a = {0};
    struct rpc_message m;
    assert_true(rpc_parse(&m, &a, text, text.n));
    assert_false(rpc_parse(&m, &a, text, text.n - 1));
    assert_int_equal(m.error_code, RPC_PARSE_ERROR);
    CHECK_CSTR(str_from(m.error), "The JSON is too large at byte 29");

    struct buf deep = {0}, got = {0};
    for (int i = 0; i < 100000; i++)
        buf_add_char(&deep, '[');
    tell(&got, buf_str(&deep));
    CHECK_CSTR(buf_str(&got), "-32700 [] The JSON is too deep at byte 128");
    buf_done(&deep);
    buf_done(&got);
    arena_done(&a);
}

/* A message cut anywhere is a parse error and nothing else. The copy has the exact size: the
 * sanitizer finds a read past its end. */
TEST(every_prefix_of_a_message_is_a_parse_error)
{
    static const char nested[] =
        "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"tools/call\",\"params\":{\"name\":\"a\\u00e9"
        "\\ud83d\\ude00\",\"arguments\":{\"x\":[1,-2.5e-3,true,false,null,{\"y\":\"\xc3\xa9\"}]}}}";
    static const char *const messages[] = {
        nested,
        "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"result\":{\"action\":\"accept\",\"content\":{}}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        struct str whole = str_from(messages[i]);
        for (size_t n = 0; n < whole.n; n++) {
            struct arena a = {0};
            struct rpc_message m;
            char *copy = malloc(n + 1);
            memcpy(copy, whole.p, n);
            copy = realloc(copy, n ? n : 1);
            assert_false(rpc_parse(&m, &a, str_make(copy, n), 0));
            assert_int_equal(m.error_code, RPC_PARSE_ERROR);
            assert_null(m.id);
            free(copy);
            arena_done(&a);
        }
    }
}

TEST(ids_are_compared_by_type_and_value)
{
    struct arena a = {0};
    const struct json *v = json_parse(&a, STR("[1,1.0,\"1\",2,\"1\",null,1.5]"), NULL, NULL);
    const struct json *one = json_at(v, 0), *one_too = json_at(v, 1), *text = json_at(v, 2);
    assert_true(rpc_same_id(one, one_too));
    assert_true(rpc_same_id(text, json_at(v, 4)));
    assert_false(rpc_same_id(one, text));
    assert_false(rpc_same_id(text, one));
    assert_false(rpc_same_id(one, json_at(v, 3)));
    assert_false(rpc_same_id(json_at(v, 5), json_at(v, 5)));
    assert_false(rpc_same_id(json_at(v, 6), json_at(v, 6)));
    assert_false(rpc_same_id(NULL, NULL));
    assert_false(rpc_same_id(one, NULL));
    arena_done(&a);
}

TEST(envelopes_are_written)
{
    struct arena a = {0};
    struct buf out = {0};
    const struct json *id = json_parse(&a, STR("\"a\\\"b\""), NULL, NULL);
    rpc_error(&out, id, RPC_INVALID_PARAMS, STR("no \xff good"), STR("{\"x\":1}"));
    CHECK_CSTR(buf_str(&out), "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"error\":{\"code\":-32602,"
                              "\"message\":\"no \xef\xbf\xbd good\",\"data\":{\"x\":1}}}");
    buf_clear(&out);
    rpc_error(&out, NULL, RPC_PARSE_ERROR, STR(""), (struct str){0});
    CHECK_CSTR(buf_str(&out), "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"\"}}");
    buf_clear(&out);
    struct jsonw w = jsonw_make(&out);
    rpc_notification(&w, "n/m");
    jsonw_kint(&w, "a", 1);
    jsonw_end(&w);
    jsonw_end(&w);
    CHECK_CSTR(buf_str(&out), "{\"jsonrpc\":\"2.0\",\"method\":\"n/m\",\"params\":{\"a\":1}}");
    buf_done(&out);
    arena_done(&a);
}
