#include "bridge/message.h"

#include "test.h"

static struct message m;
static struct buf text;

static bool read_from(const char *quoted)
{
    message_done(&m);
    buf_clear(&text);
    for (const char *p = quoted; *p; p++)
        buf_add_char(&text, *p == '\'' ? '"' : *p);
    return message_read(&m, buf_str(&text), false, NULL);
}

static int teardown(void **state)
{
    message_done(&m);
    m = (struct message){0};
    buf_done(&text);
    return 0;
}

TEST_FIXTURE(NULL, teardown);

TEST(every_type_is_known_by_its_name)
{
    static const struct {
        const char *text;
        enum message_type type;
    } rows[] = {
        {"{'type':'hello'}", MESSAGE_HELLO},
        {"{'type':'capability'}", MESSAGE_CAPABILITY},
        {"{'type':'editor_status'}", MESSAGE_EDITOR_STATUS},
        {"{'type':'result'}", MESSAGE_RESULT},
        {"{'type':'submit_job_result'}", MESSAGE_SUBMIT_JOB_RESULT},
        {"{'type':'job_status'}", MESSAGE_JOB_STATUS},
        {"{'type':'cancel_result'}", MESSAGE_CANCEL_RESULT},
        {"{'type':'error'}", MESSAGE_ERROR},
        {"{'type':'execute'}", MESSAGE_UNKNOWN}, /* only the server sends it */
        {"{'type':'Hello'}", MESSAGE_UNKNOWN},
        {"{'type':''}", MESSAGE_UNKNOWN},
        {"{'type':7}", MESSAGE_UNKNOWN},
        {"{'type':['hello']}", MESSAGE_UNKNOWN},
        {"{}", MESSAGE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(read_from(rows[i].text));
        assert_int_equal(m.type, rows[i].type);
    }
    assert_true(read_from("{'type':'odd'}"));
    CHECK_STR(m.type_name, STR("odd"));
    assert_true(read_from("{}"));
    assert_int_equal(m.type_name.n, 0);
}

TEST(only_objects_are_accepted)
{
    static const char *const texts[] = {"",       " ",       "null",        "[1]",
                                        "'text'", "7",       "{'a':1}}",    "{'a':1} x",
                                        "{a:1}",  "{'a':}",  "{'a':1,}",    "{'a':01}",
                                        "{'a'}",  "{'a':1 ", "\xff\xfe{}x", "{'a':'\x01'}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (read_from(texts[i]))
            fail_msg("taken: %s", texts[i]);
}

TEST(invalid_utf8_is_refused_unless_it_was_checked)
{
    assert_false(read_from("{'type':'hello','a':'\xff'}"));
    message_done(&m);
    assert_true(message_read(&m, buf_str(&text), true, NULL));
}

/* It tells a truncated answer from noise. */
TEST(a_truncated_message_has_the_fields_before_the_error)
{
    struct json_error err;
    static const char whole[] =
        "{\"type\":\"result\",\"request_id\":\"r1\",\"status\":\"ok\",\"result\":{\"a\":[1,2]}}";
    for (size_t n = 0; n < sizeof whole - 1; n++) {
        message_done(&m);
        assert_false(message_read(&m, str_make(whole, n), false, &err));
        bool type = n >= strlen("{\"type\":\"result\"");
        bool id = n >= strlen("{\"type\":\"result\",\"request_id\":\"r1\"");
        assert_int_equal(m.type, type ? MESSAGE_RESULT : MESSAGE_UNKNOWN);
        CHECK_STR(message_str(&m, STR("request_id")), id ? STR("r1") : STR(""));
        assert_int_equal(message_raw(&m, STR("result")).n,
                         n == sizeof whole - 2 ? strlen("{\"a\":[1,2]}") : 0);
        assert_true(err.offset <= n);
    }
}

TEST(escapes_in_a_string_are_resolved)
{
    assert_true(read_from("{'type':'res\\u0075lt','a':'x\\ny','b':'\\ud83d\\ude00','c':'\\\\'}"));
    assert_int_equal(m.type, MESSAGE_RESULT);
    CHECK_STR(m.type_name, STR("result"));
    CHECK_STR(message_str(&m, STR("a")), STR("x\ny"));
    CHECK_STR(message_str(&m, STR("b")), STR("\xf0\x9f\x98\x80"));
    CHECK_STR(message_str(&m, STR("c")), STR("\\"));
}

TEST(a_field_of_another_type_is_absent)
{
    uint64_t n = 5;
    assert_true(read_from("{'s':1,'o':{'x':1},'n':'1','neg':-1,'big':18446744073709551615,"
                          "'over':18446744073709551616,'half':1.5,'whole':2.0,'null':null}"));
    assert_int_equal(message_str(&m, STR("s")).n, 0);
    assert_int_equal(message_str(&m, STR("o")).n, 0);
    assert_int_equal(message_str(&m, STR("null")).n, 0);
    assert_int_equal(message_str(&m, STR("absent")).n, 0);
    assert_false(message_u64(&m, STR("n"), &n));
    assert_false(message_u64(&m, STR("neg"), &n));
    assert_false(message_u64(&m, STR("over"), &n));
    assert_false(message_u64(&m, STR("half"), &n));
    assert_false(message_u64(&m, STR("absent"), &n));
    assert_int_equal(n, 5);
    assert_true(message_u64(&m, STR("big"), &n) && n == UINT64_MAX);
    assert_true(message_u64(&m, STR("whole"), &n) && n == 2);
    assert_null(message_json(&m, STR("absent")));
    assert_true(json_is(message_json(&m, STR("null")), JSON_NULL));
    assert_true(json_is(json_get(message_json(&m, STR("o")), STR("x")), JSON_NUMBER));
}

/* A line end in a result would end the line in which it is passed on. */
TEST(passed_on_fields_are_compact)
{
    assert_true(read_from("{'type':'result','result':{'a':[1,2],'b':'x y'}}"));
    CHECK_STR(message_compact(&m, STR("result")), STR("{\"a\":[1,2],\"b\":\"x y\"}"));
    assert_ptr_equal(message_compact(&m, STR("result")).p, message_raw(&m, STR("result")).p);
    assert_true(
        read_from("{ 'type' : 'result',\n\t'result' :\r\n{ 'a' : [ 1,\n2 ], 'b':'x y' } }"));
    CHECK_STR(message_compact(&m, STR("result")), STR("{\"a\":[1,2],\"b\":\"x y\"}"));
    assert_int_equal(message_compact(&m, STR("absent")).n, 0);
}

TEST(fields_beyond_the_limit_are_still_checked)
{
    struct buf many = {0};
    for (int fault = 0; fault < 2; fault++) {
        buf_clear(&many);
        buf_add(&many, STR("{'type':'result'"));
        for (int i = 1; i <= MESSAGE_FIELDS; i++) /* with the type one more than there is room */
            buf_printf(&many, ",'f%d':%d", i, i);
        buf_add(&many, fault ? STR(",'g':tru}") : STR(",'g':true}"));
        assert_int_equal(read_from(many.p), !fault);
        assert_int_equal(m.type, MESSAGE_RESULT);
        uint64_t n = 0;
        assert_true(message_u64(&m, STR("f23"), &n) && n == 23);
        assert_int_equal(message_raw(&m, STR("f24")).n, 0);
        assert_int_equal(message_raw(&m, STR("g")).n, 0);
    }
    buf_done(&many);
}

TEST_FIXTURE(NULL, NULL);

TEST(a_message_begins_with_type_and_version)
{
    struct buf out = {0};
    buf_add(&out, STR("what was there"));
    struct jsonw w = message_begin(&out, "execute");
    jsonw_kcstr(&w, "request_id", "r1");
    jsonw_end(&w);
    CHECK_STR(buf_str(&out),
              STR("{\"type\":\"execute\",\"protocol_version\":1,\"request_id\":\"r1\"}"));
    buf_done(&out);
}
