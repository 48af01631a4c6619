#include <stdlib.h>

#include "output_fixture.h"

#define INIT                                                                                       \
    "{'type':'system','subtype':'init','session_id':'c1',"                                         \
    "'model':'composer'}\n"

TEST(events_are_read_up_to_the_result)
{
    struct output r;
    read_run(
        &r, &(struct run){
                .tool = AGENT_CURSOR,
                .out = INIT
                "{'type':'tool_call','subtype':'started','tool_call':{'readToolCall':{'args':{'"
                "path':'a'}}}}\n"
                "{'type':'tool_call','subtype':'completed','tool_call':{'readToolCall':{'args':{},"
                "'result':{'success':{}}}}}\n"
                "{'type':'tool_call','subtype':'completed','tool_call':{'shellToolCall':{'args':{},"
                "'result':{'rejected':{}}}}}\n"
                "{'type':'assistant','message':{'content':[{'type':'text',"
                "'text':'usage limit 429'}]}}\n"
                "{'type':'result','subtype':'success','is_error':false,"
                "'result':'done','session_id':'c1'}\n"});
    CHECK_OUTCOME(&r, OUTCOME_OK, "stdout result.is_error=false");
    CHECK_CSTR(buf_str(&r.last_message), "done");
    CHECK_CSTR(str_from(r.session), "c1");
    assert_int_equal(r.tool_calls, 2);
    assert_int_equal(r.denied, 1);
    output_done(&r);
}

TEST(failures_are_sentences_on_stderr)
{
    static const struct {
        const char *err;
        enum outcome_class class;
    } rows[] = {
        {"Error: You've hit your usage limit\n  Get Cursor Pro", OUTCOME_USAGE_LIMITED},
        {"ConnectError: [resource_exhausted] Error", OUTCOME_RATE_LIMITED},
        {"Error: S: [resource_exhausted] Error", OUTCOME_RATE_LIMITED},
        {"Error: Authentication required. Run `agent login`", OUTCOME_AUTH},
        {"ConnectError: [unauthenticated] Error", OUTCOME_AUTH},
        {"Cannot use this model: x. Available models: y", OUTCOME_MODEL},
        {"ConnectError: [unavailable] connect ECONNREFUSED", OUTCOME_SERVER},
        {"ConnectError: [invalid_argument] too long", OUTCOME_REQUEST},
        {"error: unknown option '--x'", OUTCOME_LAUNCH},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct output r;
        read_run(&r, &(struct run){
                         .tool = AGENT_CURSOR, .out = INIT, .err = rows[i].err, .exit_code = 1});
        if (r.outcome.class != rows[i].class)
            print_error("%s: %s\n", rows[i].err, r.outcome.evidence);
        assert_int_equal(r.outcome.class, rows[i].class);
        output_done(&r);
    }
}

TEST(end_of_a_billing_cycle_is_a_date)
{
    struct output r;
    read_run(&r,
             &(struct run){
                 .tool = AGENT_CURSOR,
                 .exit_code = 1,
                 .err = "Error: You've hit your usage limit\n  spendLimitHit: false\n"
                        "  chatMessage: *You've hit your free requests limit. Your usage limits "
                        "will reset when your monthly cycle ends on \n  11/17/2026.*\n"});
    CHECK_OUTCOME(&r, OUTCOME_USAGE_LIMITED, "stderr \"You've hit your usage limit\"");
    assert_int_equal(r.outcome.until, 1794873600000);
    output_done(&r);
}

TEST(sentence_counts_only_at_the_start_of_a_line_after_a_failure)
{
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CURSOR,
              .out = INIT "{'type':'result','is_error':false,'result':'x'}\n",
              .err = "Error: You've hit your usage limit\n");
    CHECK_RUN(OUTCOME_OK, "exit_code=0 (text)", .tool = AGENT_CURSOR, .out = "fine\n",
              .err = "Error: You've hit your usage limit\n");
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=1, no terminal event", .tool = AGENT_CURSOR,
              .out = INIT "{'type':'assistant','message':{'content':[{'type':'text',"
                          "'text':'Error: You^ve hit your usage limit'}]}}\n",
              .err = "warning about [unavailable] tools\n", .exit_code = 1);
    CHECK_RUN(OUTCOME_SERVER, "stdout result.is_error=true", .tool = AGENT_CURSOR,
              .out = INIT "{'type':'result','is_error':true,'result':'You^ve hit your usage "
                          "limit'}\n",
              .exit_code = 1);
}
