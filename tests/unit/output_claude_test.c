#include <stdlib.h>

#include "output_fixture.h"

#define INIT                                                                                       \
    "{'type':'system','subtype':'init','session_id':'3f42942a',"                                   \
    "'model':'opus-5','cwd':'/srv/429','messaging_socket_path':'/tmp/8429.sock',"                  \
    "'mcp_servers':[]}\n"

TEST(refused_request_is_an_error_despite_its_subtype)
{
    CHECK_RUN(OUTCOME_RATE_LIMITED, "stdout result.api_error_status=429", .tool = AGENT_CLAUDE,
              .out = INIT "{'type':'result','subtype':'success','is_error':true,"
                          "'api_error_status':429,'result':'API Error'}\n",
              .exit_code = 1);
    /* some builds end with 0 */
    CHECK_RUN(OUTCOME_RATE_LIMITED, "stdout result.api_error_status=429", .tool = AGENT_CLAUDE,
              .out = INIT "{'type':'result','subtype':'success','is_error':true,"
                          "'api_error_status':429,'result':'API Error'}\n");
}

struct row {
    const char *error, *type, *code; /* assistant.error, api_error_type, api_error */
    int status;
    const char *text;
    enum outcome_class class;
    const char *evidence;
};

/* The same failure in the three modes; the evidence is that of the stream. */
static void check_row(const struct row *row)
{
    struct buf out = {0};
    char status[16] = "null";
    if (row->status)
        snprintf(status, sizeof status, "%d", row->status);
    buf_printf(&out,
               INIT "{\"type\":\"assistant\",\"message\":{\"model\":\"<synthetic>\",\"content\":[{"
                    "\"type\":\"text\",\"text\":\"%s\"}]},\"error\":\"%s\"}\n"
                    "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true,"
                    "\"api_error_status\":%s,\"api_error_type\":\"%s\",\"api_error\":\"%s\","
                    "\"terminal_reason\":\"api_error\",\"result\":\"%s\"}\n",
               row->text, row->error, status, row->type, row->code, row->text);
    CHECK_RUN(row->class, row->evidence, .tool = AGENT_CLAUDE, .out = out.p, .exit_code = 1);
    buf_done(&out);
    struct output r;
    read_run(&r, &(struct run){
                     .tool = AGENT_CLAUDE, .out = row->text, .exit_code = 1, .mode = OUTPUT_TEXT});
    if (r.outcome.class != row->class)
        print_error("%s\n", row->text);
    assert_int_equal(r.outcome.class, row->class);
    assert_int_equal(r.last_message.n,
                     0); /* a sentence of the program is not a message of the agent */
    output_done(&r);
}

TEST(every_failure_has_its_class_in_each_mode)
{
    static const struct row rows[] = {
        {"rate_limit", "rate_limit_error", "", 429, "API Error: Request rejected (429) · slow",
         OUTCOME_RATE_LIMITED, "stdout result.api_error_status=429"},
        {"server_error", "overloaded_error", "", 529, "API Error: 529 Overloaded. Wait.",
         OUTCOME_OVERLOADED, "stdout result.api_error_status=529"},
        {"server_error", "", "", 0, "API Error: Repeated 529 Overloaded errors. Wait.",
         OUTCOME_OVERLOADED, "stdout result \"API Error\" 529"},
        {"server_error", "api_error", "", 500, "API Error: 500 Internal server error.",
         OUTCOME_SERVER, "stdout result.api_error_status=500"},
        {"server_error", "", "connection_failed", 0, "API Error: Connection refused",
         OUTCOME_SERVER, "stdout result.api_error=connection_failed"},
        {"server_error", "", "", 0, "API Error: Connection error.", OUTCOME_SERVER,
         "stdout assistant.error=server_error"},
        {"authentication_failed", "authentication_error", "", 401,
         "Invalid API key · Fix external API key", OUTCOME_AUTH,
         "stdout result.api_error_status=401"},
        {"authentication_failed", "", "", 0, "Not logged in · Please run /login", OUTCOME_AUTH,
         "stdout assistant.error=authentication_failed"},
        {"authentication_failed", "permission_error", "", 403,
         "Failed to authenticate. API Error: 403 No access.", OUTCOME_AUTH,
         "stdout result.api_error_status=403"},
        {"model_not_found", "not_found_error", "", 404,
         "There's an issue with the selected model (x).", OUTCOME_MODEL,
         "stdout result.api_error_status=404"},
        {"unknown", "invalid_request_error", "", 400, "API Error: 400 messages.0: wrong",
         OUTCOME_REQUEST, "stdout result.api_error_status=400"},
        {"unknown", "invalid_request_error", "", 400, "Prompt is too long", OUTCOME_REQUEST,
         "stdout result.api_error_status=400"},
        {"unknown", "billing_error", "", 402, "API Error: 402 Payment.", OUTCOME_BILLING,
         "stdout result.api_error_type=billing_error"},
        {"billing_error", "", "", 402, "API Error: 402 Payment.", OUTCOME_BILLING,
         "stdout assistant.error=billing_error"},
        {"billing_error", "invalid_request_error", "", 400, "Credit balance is too low",
         OUTCOME_BILLING, "stdout result \"Credit balance is too low\""},
        {"unknown", "invalid_request_error", "", 400,
         "API Error: 400 You have reached your specified workspace API usage limits. You will "
         "regain access on 2026-12-01 at 00:00 UTC.",
         OUTCOME_BILLING, "stdout result \"You have reached your specified\""},
        {"rate_limit", "rate_limit_error", "enforced_spend_limit_reached", 429,
         "Credit balance is too low", OUTCOME_BILLING,
         "stdout result.api_error=enforced_spend_limit_reached"},
        {"rate_limit", "rate_limit_error", "usage_limit_reached", 429,
         "You've hit your 5-hour limit · resets 11:33am (UTC)", OUTCOME_USAGE_LIMITED,
         "stdout result.api_error=usage_limit_reached"},
        {"rate_limit", "", "", 429, "You've hit your session limit · resets 11:35am (UTC)",
         OUTCOME_USAGE_LIMITED, "stdout result \"You've hit your\""},
        {"rate_limit", "", "", 429, "You’ve hit your limit · resets 1pm (Europe/Lisbon)",
         OUTCOME_USAGE_LIMITED, "stdout result \"You've hit your\""},
        {"rate_limit", "", "", 429, "Claude usage limit reached. Your limit will reset at 5pm.",
         OUTCOME_USAGE_LIMITED, "stdout result \"Claude usage limit reached\""},
        {"", "", "", 0, "Claude AI usage limit reached|1794742430", OUTCOME_USAGE_LIMITED,
         "stdout result \"Claude AI usage limit reached\""},
        {"rate_limit", "rate_limit_error", "", 429,
         "API Error: Server is temporarily limiting requests (not your usage limit) · slow",
         OUTCOME_RATE_LIMITED, "stdout result.api_error_status=429"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
}

#define REJECTED(window, at)                                                                       \
    "{'type':'rate_limit_event','rate_limit_info':{'status':'rejected',"                           \
    "'resetsAt':" #at ",'rateLimitType':" #window ",'isUsingOverage':false}}\n"
#define REFUSED                                                                                    \
    "{'type':'result','subtype':'success','is_error':true,"                                        \
    "'api_error_status':429,'result':'You^ve hit your limit'}\n"

TEST(exhausted_window_has_its_reset_time)
{
    struct output r;
    read_run(&r, &(struct run){.tool = AGENT_CLAUDE,
                               .exit_code = 1,
                               .out = INIT REJECTED("five_hour", 1794742430) REFUSED});
    CHECK_OUTCOME(&r, OUTCOME_USAGE_LIMITED, "stdout rate_limit_event.rateLimitType=five_hour");
    assert_int_equal(r.outcome.until, 1794742430000);
    assert_int_equal(r.outcome.trust, UNTIL_FIELD);
    assert_false(r.outcome.model_only);
    output_done(&r);
    /* the field has precedence over the sentence, and may be in milliseconds */
    read_run(
        &r,
        &(struct run){
            .tool = AGENT_CLAUDE,
            .exit_code = 1,
            .out = INIT REJECTED(
                "seven_day",
                1794742430317) "{'type':'result','is_error':true,'api_error_status':429,"
                               "'result':'You^ve hit your weekly limit · resets 3pm (UTC)'}\n"});
    assert_int_equal(r.outcome.until, 1794742430317);
    output_done(&r);
}

TEST(limit_of_one_model_does_not_affect_the_others)
{
    static const struct {
        const char *out;
        bool model_only;
    } rows[] = {
        {INIT REJECTED("seven_day_opus", 1794742430) REFUSED, true},
        {INIT REJECTED("seven_day_sonnet", 1794742430) REFUSED, true},
        {INIT REJECTED("seven_day", 1794742430) REFUSED, false},
        {"You've hit your Opus limit · resets Nov 18, 9:47am (UTC)", true},
        {"You’ve hit your Fable limit · resets Nov 18, 9:47am (UTC)", true},
        {"You've hit your weekly limit · resets Nov 18, 9:47am (UTC)", false},
        {"You've hit your session limit · resets Nov 18, 9:47am (UTC)", false},
        {"You've hit your limit · resets Nov 18, 9:47am (UTC)", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct output r;
        read_run(&r, &(struct run){.tool = AGENT_CLAUDE, .out = rows[i].out, .exit_code = 1});
        assert_int_equal(r.outcome.class, OUTCOME_USAGE_LIMITED);
        assert_int_equal(r.outcome.model_only, rows[i].model_only);
        assert_true(r.outcome.until > NOW);
        output_done(&r);
    }
}

/* A rejection without a window and a time is a temporary one of the server. */
TEST(rejection_without_a_window_is_a_rate_limit)
{
    CHECK_RUN(OUTCOME_RATE_LIMITED, "stdout result.api_error_status=429", .tool = AGENT_CLAUDE,
              .out = INIT "{'type':'rate_limit_event','rate_limit_info':{'status':'rejected'}}\n"
                          "{'type':'result','is_error':true,'api_error_status':429,"
                          "'result':'API Error: Server is temporarily limiting requests'}\n",
              .exit_code = 1);
}

TEST(lifted_rejection_is_ignored)
{
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE,
              .out = INIT REJECTED(
                  "five_hour",
                  1794742430) "{'type':'result','is_error':false,'result':'done on overage'}\n");
    CHECK_RUN(
        OUTCOME_SERVER, "stdout result.api_error_status=500", .tool = AGENT_CLAUDE,
        .out = INIT REJECTED("five_hour",
                             1794742430) "{'type':'result','is_error':true,'api_error_status':500,"
                                         "'result':'API Error: 500'}\n",
        .exit_code = 1);
}

TEST(billing_failure_has_the_time_of_access)
{
    struct output r;
    read_run(&r, &(struct run){
                     .tool = AGENT_CLAUDE,
                     .exit_code = 1,
                     .out = "API Error: 400 You have reached your specified API usage limits. You "
                            "will regain access on 2026-12-01 at 00:00 UTC."});
    assert_int_equal(r.outcome.class, OUTCOME_BILLING);
    assert_int_equal(r.outcome.until, 1796083200000);
    output_done(&r);
}

TEST(our_limits_are_the_budget)
{
    CHECK_RUN(OUTCOME_BUDGET, "stdout result.subtype=error_max_turns", .tool = AGENT_CLAUDE,
              .out = INIT "{'type':'result','subtype':'error_max_turns','is_error':true}\n",
              .exit_code = 1);
    /* older builds do not mark it as an error */
    CHECK_RUN(OUTCOME_BUDGET, "stdout result.subtype=error_max_turns", .tool = AGENT_CLAUDE,
              .out = INIT "{'type':'result','subtype':'error_max_turns','is_error':false}\n");
    CHECK_RUN(OUTCOME_BUDGET, "stdout result.subtype=error_max_budget_usd", .tool = AGENT_CLAUDE,
              .out = INIT "{'type':'result','subtype':'error_max_budget_usd',"
                          "'is_error':true,'errors':['Reached maximum budget']}\n",
              .exit_code = 1);
    CHECK_RUN(OUTCOME_BUDGET, "stdout line 1 \"Error: Exceeded USD budget\"", .tool = AGENT_CLAUDE,
              .out = "Error: Exceeded USD budget (0.1)\n", .exit_code = 1);
}

TEST(interrupt_with_exit_code_0_is_not_a_success)
{
    static const char out[] = INIT "{'type':'result','subtype':'error_during_execution',"
                                   "'is_error':true,'terminal_reason':'aborted_streaming'}\n";
    CHECK_RUN(OUTCOME_KILLED, "stdout result.subtype=error_during_execution, exit_code=0",
              .tool = AGENT_CLAUDE, .out = out);
    CHECK_RUN(OUTCOME_KILLED, "killed", .tool = AGENT_CLAUDE, .out = out, .end.killed = true);
    CHECK_RUN(OUTCOME_INCOMPLETE, "stdout result.subtype=error_during_execution, exit_code=1",
              .tool = AGENT_CLAUDE, .out = out, .exit_code = 1);
}

TEST(warning_has_its_window_and_share)
{
    struct output r;
    read_run(&r, &(struct run){
                     .tool = AGENT_CLAUDE,
                     .out = INIT
                     "{'type':'rate_limit_event','rate_limit_info':{'status':'allowed_warning',"
                     "'resetsAt':1794742430,'rateLimitType':'five_hour',"
                     "'utilization':0.92}}\n"
                     "{'type':'result','is_error':false,'result':'ok'}\n"});
    CHECK_OUTCOME(&r, OUTCOME_OK, "stdout result.is_error=false");
    assert_true(r.warning.used > 0.919 && r.warning.used < 0.921);
    assert_int_equal(r.warning.resets_at, 1794742430000);
    CHECK_CSTR(str_from(r.warning.window), "five_hour");
    output_done(&r);
    read_run(&r,
             &(struct run){.tool = AGENT_CLAUDE,
                           .out = INIT
                           "{'type':'rate_limit_event','rate_limit_info':{'status':'allowed'}}\n"
                           "{'type':'result','is_error':false}\n"});
    assert_true(r.warning.used == 0);
    output_done(&r);
}

TEST(wait_for_a_limit_is_hopeless)
{
    static const struct {
        const char *retry;
        bool hopeless;
    } rows[] = {
        {"{'type':'system','subtype':'api_retry','attempt':1,"
         "'retry_delay_ms':3000,'error_status':429}\n",
         false},
        {"{'type':'system','subtype':'api_retry','attempt':1,"
         "'retry_delay_ms':20001,'error_status':429}\n",
         true},
        {"{'type':'system','subtype':'api_retry','attempt':2,"
         "'retry_delay_ms':500,'error_status':429}\n",
         true},
        {"{'type':'system','subtype':'api_retry','attempt':9,"
         "'retry_delay_ms':38000,'error_status':500}\n",
         false},
        {"{'type':'system','subtype':'api_retry','attempt':9,"
         "'retry_delay_ms':38000,'error_status':null}\n",
         false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct output r;
        begin_run(&r, AGENT_CLAUDE, rows[i].retry);
        assert_int_equal(r.hopeless, rows[i].hopeless);
        output_done(&r);
    }
}

/* Traps. */

TEST(text_of_the_model_about_limits_is_ignored)
{
    static const char out[] =
        INIT "{'type':'assistant','message':{'model':'opus-5',"
             "'content':[{'type':'text','text':'You^ve hit your usage limit|1794742430'}]}}\n"
             "{'type':'user','message':{'content':[{'type':'tool_result',"
             "'content':[{'type':'text','text':'API Error: Request rejected (429) "
             "overloaded_error'}]}]}}\n";
    struct buf all = {0};
    buf_printf(&all, "%s%s", out,
               "{'type':'result','is_error':false,'api_error_status':null,"
               "'result':'You^ve hit your 5-hour limit · resets 3pm (UTC)'}\n");
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE, .out = all.p);
    buf_done(&all);
    /* also if it fails for another reason, or for an unknown one */
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=1, no terminal event", .tool = AGENT_CLAUDE,
              .out = out, .exit_code = 1);
    buf_printf(&all, "%s%s", out,
               "{'type':'result','is_error':true,'api_error_status':null,"
               "'result':'You^ve hit your 5-hour limit · resets 3pm (UTC)'}\n");
    CHECK_RUN(OUTCOME_SERVER, "stdout result.is_error=true", .tool = AGENT_CLAUDE, .out = all.p,
              .exit_code = 1);
    buf_done(&all);
}

TEST(text_counts_only_in_its_first_line_after_a_failure)
{
    CHECK_RUN(OUTCOME_OK, "exit_code=0 (text)", .tool = AGENT_CLAUDE,
              .out = "API Error: Request rejected (429) is what you will see.\n");
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=1, no terminal event", .tool = AGENT_CLAUDE,
              .out = "I wrote this:\nAPI Error: Request rejected (429)\n", .exit_code = 1);
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=1, no terminal event", .tool = AGENT_CLAUDE,
              .out = "The text `API Error: Request rejected (429)`\n", .exit_code = 1);
}

TEST(numbers_in_names_are_not_a_status)
{
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE,
              .out = "{'type':'system','subtype':'init','cwd':'/x/8429.sock',"
                     "'session_id':'a429b42f-4290-4429-8429-429429429429'}\n"
                     "{'type':'result','is_error':false,'duration_ms':429,"
                     "'uuid':'429','usage':{'input_tokens':429,'output_tokens':529},"
                     "'result':'see hoge_spec.rb:418-429'}\n",
              .err = "429 Too Many Requests\n");
    CHECK_RUN(OUTCOME_SERVER, "stdout line 1 \"API Error\"", .tool = AGENT_CLAUDE,
              .out = "API Error: 4290 things went wrong\n", .exit_code = 1);
}

TEST(successful_retries_are_ignored)
{
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE,
              .out = INIT "{'type':'system','subtype':'api_retry','attempt':1,"
                          "'retry_delay_ms':500,'error_status':429,'error':'rate_limit'}\n"
                          "{'type':'assistant','error':'rate_limit','api_error_status':429,"
                          "'message':{'model':'<synthetic>','content':[]}}\n"
                          "{'type':'assistant','message':{'model':'opus-5',"
                          "'content':[{'type':'text','text':'fine'}]}}\n"
                          "{'type':'result','is_error':false,'result':'fine'}\n");
}

TEST(denied_tools_and_failed_servers_are_reported)
{
    struct output r;
    read_run(
        &r, &(struct run){.tool = AGENT_CLAUDE,
                          .out = "{'type':'system','subtype':'init','mcp_servers':[{'name':'other',"
                                 "'status':'connected'},{'name':'multiverse','status':'failed'}]}\n"
                                 "{'type':'system','subtype':'permission_denied'}\n"
                                 "{'type':'result','is_error':false,'result':'could not',"
                                 "'total_cost_usd':0.25,'permission_denials':[{},"
                                 "{}],'usage':{'input_tokens':1,'cache_read_input_tokens':10,"
                                 "'output_tokens':5}}\n"});
    assert_true(r.mcp_failed);
    assert_int_equal(r.denied, 2);
    assert_int_equal(r.usage.input_tokens, 11);
    assert_true(r.usage.cost_usd == 0.25);
    output_done(&r);
    read_run(&r, &(struct run){
                     .tool = AGENT_CLAUDE,
                     .out = "{'type':'system','subtype':'init','mcp_servers':[{'name':'other',"
                            "'status':'failed'},{'name':'multiverse','status':'connected'}]}\n"});
    assert_false(r.mcp_failed);
    output_done(&r);
}

/* A subagent's message is not the agent's last message. */
TEST(message_of_a_subagent_is_not_the_last_message)
{
    struct output r;
    read_run(&r,
             &(struct run){.tool = AGENT_CLAUDE,
                           .out = INIT "{'type':'assistant','message':{'content':[{'type':'text',"
                                       "'text':'mine'}]},'parent_tool_use_id':null}\n"
                                       "{'type':'assistant','message':{'content':[{'type':'text',"
                                       "'text':'helper^s'}]},'parent_tool_use_id':'toolu_1'}\n"});
    CHECK_CSTR(buf_str(&r.last_message), "mine");
    output_done(&r);
}
