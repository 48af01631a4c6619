#include "base/error.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "test.h"

TEST(error_set_returns_false)
{
    struct error err = {0};
    assert_false(error_set(&err, ERR_IO, "cannot read %s: %d", "a.txt", 5));
    assert_int_equal(err.code, ERR_IO);
    CHECK_CSTR(str_from(err.text), "cannot read a.txt: 5");
    assert_false(error_set(NULL, ERR_IO, "connection refused"));
}

TEST(an_error_may_be_wrapped_in_its_own_text)
{
    struct error err = {0};
    error_set(&err, ERR_SYNTAX, "no comma");
    error_set(&err, ERR_CONFIG_PARSE, "line %d: %s", 3, err.text);
    assert_int_equal(err.code, ERR_CONFIG_PARSE);
    CHECK_CSTR(str_from(err.text), "line 3: no comma");
}

TEST(a_long_text_is_cut)
{
    struct error err = {0};
    error_set(&err, ERR_IO, "%0511d", 7);
    assert_int_equal(strlen(err.text), ERROR_TEXT_MAX - 1);
    assert_int_equal(err.text[ERROR_TEXT_MAX - 2], '7');
    error_set(&err, ERR_IO, "%0512d", 7);
    assert_int_equal(strlen(err.text), ERROR_TEXT_MAX - 1);
    assert_int_equal(err.text[ERROR_TEXT_MAX - 2], '0');
    error_set(&err, ERR_IO, "%0100000d", 7);
    assert_int_equal(strlen(err.text), ERROR_TEXT_MAX - 1);
}

TEST(no_character_is_cut_in_two)
{
    static const char *const characters[] = {"é", "€", "😀"};
    for (size_t c = 0; c < 3; c++)
        for (int shift = 0; shift < 4; shift++) {
            struct error err = {0};
            struct buf text = {0};
            size_t len = strlen(characters[c]);
            for (int i = 0; i < 300; i++)
                buf_add(&text, str_from(characters[c]));
            error_set(&err, ERR_IO, "%.*s%s", shift, "abc", text.p);
            size_t n = strlen(err.text);
            assert_true(utf8_is_valid(str_from(err.text)));
            assert_true(n > ERROR_TEXT_MAX - 1 - len && n < ERROR_TEXT_MAX);
            buf_done(&text);
        }
}

TEST(every_code_has_a_name_that_maps_back_to_it)
{
    for (enum error_code c = ERR_NONE + 1; c < ERROR_COUNT; c++) {
        enum error_code back = ERR_NONE;
        assert_true(str_starts(str_from(error_name(c)), STR("ERR_")));
        assert_true(error_from_name(str_from(error_name(c)), &back));
        assert_int_equal(back, c);
        assert_non_null(error_recovery(c));
        assert_non_null(error_guarantee_name(error_guarantee(c)));
    }
}

TEST(an_unknown_name_is_refused_and_changes_nothing)
{
    enum error_code code = ERR_LIMIT;
    assert_false(error_from_name(STR("ERR_NO_SUCH"), &code));
    assert_false(error_from_name(STR("ERR_NONE"), &code));
    assert_false(error_from_name(STR("ERR_I"), &code));
    assert_false(error_from_name(STR("err_io"), &code));
    assert_false(error_from_name((struct str){0}, &code));
    assert_int_equal(code, ERR_LIMIT);
}

/* The table, printed: a change of errors.def shows up here. */
TEST(the_table_is_as_specified)
{
    struct buf got = {0};
    for (enum error_code c = ERR_NONE + 1; c < ERR_SYNTAX; c++)
        buf_printf(&got, "%s%s %s %s\n", error_name(c), error_is_retryable(c) ? " retry" : "",
                   error_guarantee_name(error_guarantee(c)), error_recovery(c));
    CHECK_CSTR(buf_str(&got), "ERR_INVALID_REQUEST not_executed fix_request\n"
                              "ERR_INVALID_PARAMS not_executed fix_arguments\n"
                              "ERR_UNKNOWN_COMMAND not_executed list_tools\n"
                              "ERR_UNKNOWN_REQUEST unknown inspect_state_then_retry_if_needed\n"
                              "ERR_JOB_NOT_FOUND not_executed check_job_id\n"
                              "ERR_CANCEL_NOT_SUPPORTED not_executed wait_for_result\n"
                              "ERR_EDITOR_NOT_READY retry not_executed retry_when_editor_ready\n"
                              "ERR_COMPILE_TIMEOUT retry not_executed retry_when_editor_ready\n"
                              "ERR_UNITY_DISCONNECTED retry not_executed retry_when_editor_ready\n"
                              "ERR_QUEUE_FULL retry not_executed retry_later\n"
                              "ERR_RECONFIG_IN_PROGRESS retry not_executed retry_later\n"
                              "ERR_REQUEST_TIMEOUT unknown inspect_state_then_retry_if_needed\n"
                              "ERR_RECONNECT_TIMEOUT unknown inspect_state_then_retry_if_needed\n"
                              "ERR_INVALID_RESPONSE unknown inspect_state_then_retry_if_needed\n"
                              "ERR_CANCEL_REJECTED unknown inspect_state\n"
                              "ERR_UNITY_EXECUTION completed_error read_error\n"
                              "ERR_CONFIG_PARSE not_executed fix_config\n"
                              "ERR_CONFIG_VALIDATION not_executed fix_config\n"
                              "ERR_CONFIG_SCHEMA_VERSION not_executed fix_config\n");
    buf_done(&got);
}
