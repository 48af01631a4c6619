#include "output_fixture.h"

TEST(script_decides_the_outcome)
{
    CHECK_RUN(OUTCOME_OK, "stdout mock.completed", .tool = AGENT_MOCK,
              .out = "{'type':'mock.step','text':'working'}\n"
                     "{'type':'mock.completed','text':'done'}\n");
    CHECK_RUN(OUTCOME_INCOMPLETE, "stdout mock.completed, but exit_code=1", .tool = AGENT_MOCK,
              .out = "{'type':'mock.completed','text':'done'}\n", .exit_code = 1);
    for (enum outcome_class c = OUTCOME_OK + 1; c < OUTCOME_CLASS_COUNT; c++) {
        struct output r;
        char out[128];
        snprintf(out, sizeof out, "{\"type\":\"mock.failed\",\"outcome\":\"%s\"}", outcome_name(c));
        read_run(&r, &(struct run){.tool = AGENT_MOCK, .out = out, .exit_code = 1});
        assert_int_equal(r.outcome.class, c);
        output_done(&r);
    }
    CHECK_RUN(OUTCOME_SERVER, "stdout mock.failed.outcome: unknown", .tool = AGENT_MOCK,
              .out = "{'type':'mock.failed','outcome':'bored'}\n", .exit_code = 1);
}

TEST(times_are_text_or_seconds)
{
    static const char *const events[] = {
        "{'type':'mock.failed','outcome':'usage_limited',"
        "'until':1794742430}\n",
        "{'type':'mock.failed','outcome':'usage_limited',"
        "'until':'2026-11-15T11:33:50Z','text':'no more'}\n",
    };
    for (size_t i = 0; i < 2; i++) {
        struct output r;
        read_run(&r, &(struct run){.tool = AGENT_MOCK, .out = events[i], .exit_code = 1});
        assert_int_equal(r.outcome.until, 1794742430000);
        assert_int_equal(r.outcome.trust, UNTIL_FIELD);
        output_done(&r);
    }
}

TEST(warnings_messages_and_token_counts_are_read)
{
    struct output r;
    read_run(&r,
             &(struct run){.tool = AGENT_MOCK,
                           .out = "{'type':'mock.warning','used':0.92,'resets_at':1794742430}\n"
                                  "{'type':'mock.completed','text':'bye','usage':{'input_tokens':7,"
                                  "'output_tokens':9}}\n"});
    assert_true(r.warning.used == 0.92);
    assert_int_equal(r.warning.resets_at, 1794742430000);
    assert_int_equal(r.usage.input_tokens, 7);
    assert_int_equal(r.usage.output_tokens, 9);
    CHECK_CSTR(buf_str(&r.last_message), "bye");
    output_done(&r);
}
