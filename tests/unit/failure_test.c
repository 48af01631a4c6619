/* The errors of the bridge as clients see them. Spec: docs/spec/10-bridge.md, 8. */
#include "base/utf8.h"
#include "bridge/bridge_internal.h"
#include "test.h"

/* Code by code: what section 8 says of it. */
TEST(every_code_has_its_guarantee)
{
    static const struct {
        enum error_code code;
        const char *rest;
    } rows[] = {
        {ERR_INVALID_REQUEST, "false not_executed"},
        {ERR_INVALID_PARAMS, "false not_executed"},
        {ERR_UNKNOWN_COMMAND, "false not_executed"},
        {ERR_JOB_NOT_FOUND, "false not_executed"},
        {ERR_CANCEL_NOT_SUPPORTED, "false not_executed"},
        {ERR_EDITOR_NOT_READY, "true not_executed"},
        {ERR_COMPILE_TIMEOUT, "true not_executed"},
        {ERR_UNITY_DISCONNECTED, "true not_executed"},
        {ERR_QUEUE_FULL, "true not_executed"},
        {ERR_RECONFIG_IN_PROGRESS, "true not_executed"},
        {ERR_REQUEST_TIMEOUT, "false unknown"},
        {ERR_RECONNECT_TIMEOUT, "false unknown"},
        {ERR_INVALID_RESPONSE, "false unknown"},
        {ERR_CANCEL_REJECTED, "false unknown"},
        {ERR_UNITY_EXECUTION, "false completed_error"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure o = failure_make(rows[i].code, "it is %d", 7);
        struct buf out = {0};
        struct arena a = {0};
        failure_put_json(&out, NULL, &o, NULL, NULL);
        const struct json *e = json_parse(&a, buf_str(&out), NULL, NULL);
        const struct json *details = json_get(e, STR("details"));
        struct str guarantee = json_str(json_get(details, STR("execution_guarantee")));
        CHECK_CSTR(json_str(json_get(e, STR("code"))), error_name(rows[i].code));
        CHECK_STR(json_str(json_get(e, STR("message"))), STR("it is 7"));
        bool retryable = json_bool(json_get(e, STR("retryable")));
        CHECK_CSTR(arena_printf(&a, "%s %.*s", retryable ? "true" : "false", STR_ARG(guarantee)),
                   rows[i].rest);
        if (str_eq(guarantee, STR("unknown")) && rows[i].code != ERR_CANCEL_REJECTED)
            CHECK_STR(json_str(json_get(details, STR("recovery_action"))),
                      STR("inspect_state_then_retry_if_needed"));
        arena_done(&a);
        buf_done(&out);
    }
}

TEST(an_error_names_what_it_is_about)
{
    struct tool tool = {.name = "a_tool"};
    struct failure o = failure_make(ERR_QUEUE_FULL, "full");
    struct buf out = {0};
    failure_put_json(&out, &tool, &o, "req-1", "job-1");
    CHECK_STR(
        buf_str(&out),
        STR("{\"code\":\"ERR_QUEUE_FULL\",\"message\":\"full\",\"retryable\":true,\"details\":"
            "{\"execution_guarantee\":\"not_executed\",\"recovery_action\":\"retry_later\","
            "\"tool\":\"a_tool\",\"request_id\":\"req-1\",\"job_id\":\"job-1\"}}"));
    buf_clear(&out);
    failure_put_json(&out, NULL, &o, NULL, NULL);
    CHECK_STR(
        buf_str(&out),
        STR("{\"code\":\"ERR_QUEUE_FULL\",\"message\":\"full\",\"retryable\":true,\"details\":"
            "{\"execution_guarantee\":\"not_executed\",\"recovery_action\":\"retry_later\"}}"));
    buf_done(&out);
}

static struct failure outcome_from(struct arena *a, const char *error)
{
    return failure_of_editor(json_parse(a, str_from(error), NULL, NULL));
}

TEST(any_error_of_the_editor_is_read)
{
    struct arena a = {0};
    struct failure o;
    o = outcome_from(&a, "{\"code\":\"E\",\"message\":\"m\",\"details\":[1]}");
    assert_int_equal(o.code, ERR_UNITY_EXECUTION);
    CHECK_CSTR(str_from(o.text), "E: m");
    assert_true(json_is(o.plugin_details, JSON_ARRAY));
    CHECK_CSTR(str_from(outcome_from(&a, "{\"code\":\"E\"}").text), "The editor answered with E");
    CHECK_CSTR(str_from(outcome_from(&a, "{\"message\":\"m\"}").text),
               "an error without a code: m");
    CHECK_CSTR(str_from(outcome_from(&a, "{\"code\":7,\"message\":{}}").text),
               "The editor answered with an error without a code");
    CHECK_CSTR(str_from(outcome_from(&a, "\"text\"").text),
               "The editor answered with an error without a code");
    CHECK_CSTR(str_from(failure_of_editor(NULL).text),
               "The editor answered with an error without a code");
    arena_done(&a);
}

static void check_guarantee(const char *error, const char *want)
{
    struct arena a = {0};
    struct buf out = {0};
    struct failure o = outcome_from(&a, error);
    failure_put_json(&out, NULL, &o, NULL, NULL);
    const struct json *details =
        json_get(json_parse(&a, buf_str(&out), NULL, NULL), STR("details"));
    CHECK_CSTR(json_str(json_get(details, STR("execution_guarantee"))), want);
    CHECK_CSTR(str_from(error_guarantee_name(failure_guarantee(&o))), want);
    arena_done(&a);
    buf_done(&out);
}

TEST(an_editor_can_report_that_nothing_was_done)
{
    check_guarantee("{\"code\":\"E\",\"details\":{\"execution_guarantee\":\"not_executed\"}}",
                    "not_executed");
    check_guarantee("{\"code\":\"E\",\"details\":{\"execution_guarantee\":\"unknown\"}}",
                    "completed_error");
    check_guarantee("{\"code\":\"E\",\"details\":{\"execution_guarantee\":1}}", "completed_error");
    check_guarantee("{\"code\":\"E\",\"details\":{}}", "completed_error");
}

/* Cut between characters, never inside of one. */
TEST(long_texts_are_cut_in_the_message_and_whole_in_the_details)
{
    struct arena a = {0};
    struct buf error = {0}, out = {0};
    buf_add(&error, STR("{\"code\":\"x"));
    for (int i = 0; i < 200; i++)
        buf_add(&error, STR("\xc3\xa4"));
    buf_add(&error, STR("\",\"message\":\"x"));
    for (int i = 0; i < 1000; i++)
        buf_add(&error, STR("\xe2\x82\xac"));
    buf_add(&error, STR("\"}"));
    struct failure o = outcome_from(&a, error.p);
    assert_true(utf8_is_valid(str_from(o.text)));
    assert_true(strlen(o.text) > 470);
    failure_put_json(&out, NULL, &o, NULL, NULL);
    const struct json *e = json_parse(&a, buf_str(&out), NULL, NULL);
    assert_int_equal(json_str(json_get(json_get(e, STR("details")), STR("message"))).n, 3001);
    buf_done(&error);
    buf_done(&out);
    arena_done(&a);
}

TEST(the_tool_decides_whether_to_retry)
{
    struct tool tool = {.name = "t", .execution_error_retryable = true};
    struct failure editors = failure_of_editor(NULL);
    struct failure ours = failure_make(ERR_REQUEST_TIMEOUT, "late");
    struct buf out = {0};
    failure_put_json(&out, &tool, &editors, NULL, NULL);
    assert_true(str_find(buf_str(&out), STR("\"retryable\":true")) < out.n);
    buf_clear(&out);
    failure_put_json(&out, &tool, &ours, NULL, NULL);
    assert_true(str_find(buf_str(&out), STR("\"retryable\":false")) < out.n);
    buf_done(&out);
}
