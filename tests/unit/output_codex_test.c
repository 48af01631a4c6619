#include <stdlib.h>

#include "output_fixture.h"

#define START                                                                                      \
    "{'type':'thread.started','thread_id':'01a1-429'}\n"                                           \
    "{'type':'turn.started'}\n"
#define COMPLETED                                                                                  \
    "{'type':'turn.completed','usage':{'input_tokens':11,"                                         \
    "'output_tokens':7}}\n"

/* A turn that failed with this sentence. */
static void make_failed(struct buf *out, const char *message)
{
    buf_clear(out);
    buf_printf(out,
               START "{\"type\":\"error\",\"message\":\"%s\"}\n"
                     "{\"type\":\"turn.failed\",\"error\":{\"message\":\"%s\"}}\n",
               message, message);
}

TEST(every_sentence_has_its_class_in_both_modes)
{
    static const struct {
        const char *message;
        enum outcome_class class;
        const char *evidence;
    } rows[] = {
        {"exceeded retry limit, last status: 429 Too Many Requests, request id: 503",
         OUTCOME_RATE_LIMITED, "stdout turn.failed: status 429"},
        {"exceeded retry limit, last status: 503 Service Unavailable", OUTCOME_OVERLOADED,
         "stdout turn.failed: status 503"},
        {"unexpected status 401 Unauthorized: Incorrect API key", OUTCOME_AUTH,
         "stdout turn.failed: status 401"},
        {"unexpected status 503 Service Unavailable: 429", OUTCOME_OVERLOADED,
         "stdout turn.failed: status 503"},
        {"unexpected status 500 Internal Server Error: x", OUTCOME_SERVER,
         "stdout turn.failed: status 500"},
        {"unexpected status 404 Not Found: x", OUTCOME_MODEL, "stdout turn.failed: status 404"},
        {"Quota exceeded. Check your plan and billing details.", OUTCOME_BILLING,
         "stdout turn.failed \"Quota exceeded.\""},
        {"To use Codex with your ChatGPT plan, upgrade to Plus", OUTCOME_BILLING,
         "stdout turn.failed \"To use Codex with your ChatGPT plan\""},
        {"You've hit your usage limit. Try again later.", OUTCOME_USAGE_LIMITED,
         "stdout turn.failed \"You've hit your usage limit\""},
        {"You’ve hit your usage limit. Try again later.", OUTCOME_USAGE_LIMITED,
         "stdout turn.failed \"You've hit your usage limit\""},
        {"Your workspace is out of credits. Add credits to continue.", OUTCOME_USAGE_LIMITED,
         "stdout turn.failed \"Your workspace is out of credits\""},
        {"You hit your spend cap set in your workspace.", OUTCOME_USAGE_LIMITED,
         "stdout turn.failed \"You hit your spend cap\""},
        {"rate limit exceeded: Rate limit reached for gpt-5.2", OUTCOME_RATE_LIMITED,
         "stdout turn.failed \"rate limit exceeded\""},
        {"stream disconnected before completion: Rate limit reached for gpt-5.2",
         OUTCOME_RATE_LIMITED, "stdout turn.failed \"Rate limit reached\""},
        {"stream disconnected before completion: error decoding 429", OUTCOME_SERVER,
         "stdout turn.failed \"stream disconnected\""},
        {"rate limit exceeded: Slow Down", OUTCOME_OVERLOADED,
         "stdout turn.failed \"rate limit exceeded: Slow Down\""},
        {"Selected model is at capacity. Please try a different model.", OUTCOME_OVERLOADED,
         "stdout turn.failed \"Selected model is at capacity\""},
        {"We’re currently experiencing high demand", OUTCOME_SERVER,
         "stdout turn.failed \"We're currently experiencing high demand\""},
        {"Codex ran out of room in the model's context window.", OUTCOME_REQUEST,
         "stdout turn.failed \"Codex ran out of room\""},
        {"The model `gpt-nope` does not exist", OUTCOME_MODEL,
         "stdout turn.failed \"The model `\""},
        {"Missing environment variable: `KEY`.", OUTCOME_AUTH,
         "stdout turn.failed \"Missing environment variable\""},
        {"something nobody has heard of", OUTCOME_SERVER, "stdout turn.failed"},
    };
    struct buf out = {0}, err = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_failed(&out, rows[i].message);
        CHECK_RUN(rows[i].class, rows[i].evidence, .tool = AGENT_CODEX, .out = out.p,
                  .exit_code = 1);
        buf_clear(&err);
        buf_printf(&err, "user\nsay hello\nERROR: %s\nERROR: %s\n", rows[i].message,
                   rows[i].message);
        struct output r;
        read_run(&r, &(struct run){.tool = AGENT_CODEX, .err = err.p, .exit_code = 1});
        assert_int_equal(r.outcome.class, rows[i].class);
        output_done(&r);
    }
    buf_done(&out);
    buf_done(&err);
}

TEST(body_in_the_message_is_read)
{
    CHECK_RUN(OUTCOME_REQUEST, "stdout turn.failed \"body\"", .tool = AGENT_CODEX,
              .out =
                  START "{'type':'turn.failed','error':{'message':'{\\\"error\\\":{\\\"type\\\":"
                        "\\\"invalid_request_error\\\",\\\"code\\\":\\\"invalid_value\\\"}}'}}\n",
              .exit_code = 1);
    CHECK_RUN(OUTCOME_BILLING, "stdout turn.failed \"body\"", .tool = AGENT_CODEX,
              .out = START "{'type':'turn.failed','error':{'message':'{\\\"error\\\":{\\\"type\\\":"
                           "\\\"requests\\\",\\\"code\\\":\\\"insufficient_quota\\\"}}'}}\n",
              .exit_code = 1);
}

#define ROLLOUT_ERROR(info, text)                                                                  \
    "{'timestamp':'2026-11-15T09:30:00Z','type':'event_msg',"                                      \
    "'payload':{'type':'task_complete','error':{'message':" #text ","                              \
    "'codex_error_info':" #info "}}}\n"

TEST(session_log_has_precedence_over_the_sentence)
{
    static const struct {
        const char *rollout;
        enum outcome_class class;
        const char *evidence;
    } rows[] = {
        {ROLLOUT_ERROR("usage_limit_exceeded", "x"), OUTCOME_USAGE_LIMITED,
         "rollout task_complete.codex_error_info=usage_limit_exceeded"},
        {ROLLOUT_ERROR("usage_limit_exceeded", "Quota exceeded. Check"), OUTCOME_BILLING,
         "rollout task_complete.codex_error_info=usage_limit_exceeded"},
        {ROLLOUT_ERROR("usageLimitExceeded", "x"), OUTCOME_USAGE_LIMITED,
         "rollout task_complete.codex_error_info=usageLimitExceeded"},
        {ROLLOUT_ERROR("rate_limit_exceeded", "x"), OUTCOME_RATE_LIMITED,
         "rollout task_complete.codex_error_info=rate_limit_exceeded"},
        {ROLLOUT_ERROR("rate_limit_exceeded", "rate limit exceeded: Slow Down"), OUTCOME_OVERLOADED,
         "rollout task_complete.codex_error_info=rate_limit_exceeded"},
        {ROLLOUT_ERROR("server_overloaded", "x"), OUTCOME_OVERLOADED,
         "rollout task_complete.codex_error_info=server_overloaded"},
        {ROLLOUT_ERROR("internal_server_error", "x"), OUTCOME_SERVER,
         "rollout task_complete.codex_error_info=internal_server_error"},
        {ROLLOUT_ERROR("context_window_exceeded", "x"), OUTCOME_REQUEST,
         "rollout task_complete.codex_error_info=context_window_exceeded"},
        {ROLLOUT_ERROR("model_not_found", "x"), OUTCOME_MODEL,
         "rollout task_complete.codex_error_info=model_not_found"},
        {ROLLOUT_ERROR("unauthorized", "x"), OUTCOME_AUTH,
         "rollout task_complete.codex_error_info=unauthorized"},
        {ROLLOUT_ERROR({"response_too_many_failed_attempts" : {"http_status_code" : 429}}, "x"),
         OUTCOME_RATE_LIMITED,
         "rollout "
         "task_complete.codex_error_info.response_too_many_failed_attempts.http_status_code=429"},
        {ROLLOUT_ERROR({"http_connection_failed" : {"http_status_code" : 401}}, "x"), OUTCOME_AUTH,
         "rollout task_complete.codex_error_info.http_connection_failed.http_status_code=401"},
        {ROLLOUT_ERROR({"http_connection_failed" : {"http_status_code" : null}}, "x"),
         OUTCOME_SERVER, "rollout task_complete.codex_error_info=http_connection_failed"},
        {ROLLOUT_ERROR("other", "x"), OUTCOME_SERVER, "stdout turn.failed"},
    };
    struct buf out = {0};
    make_failed(&out, "nobody knows");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_RUN(rows[i].class, rows[i].evidence, .tool = AGENT_CODEX, .out = out.p,
                  .session_log = rows[i].rollout, .exit_code = 1);
    buf_done(&out);
}

#define WINDOWS(first, first_at, second, second_at, name)                                          \
    "{'type':'event_msg','payload':{'type':'token_count',"                                         \
    "'rate_limits':{'limit_id':'codex','limit_name':" #name ","                                    \
    "'primary':{'used_percent':" #first ",'resets_at':" #first_at "},"                             \
    "'secondary':{'used_percent':" #second ",'resets_at':" #second_at "}}}}\n"

TEST(exhausted_window_has_its_reset_time)
{
    static const struct {
        const char *rollout;
        int64_t until;
        bool model_only;
    } rows[] = {
        {WINDOWS(100.0, 1794741015, 40.0, 1794993015, null), 1794741015000, false},
        {WINDOWS(55.0, 1794741015, 100.0, 1794993015, null), 1794993015000, false},
        {WINDOWS(100.0, 1794741015, 101, 1794993015, null), 1794993015000, false},
        {WINDOWS(99.0, 1794741015, 98, 1794993015, null), 1794741000000, false}, /* the text */
        {WINDOWS(100.0, 1794741015000, 40.0, 1, null), 1794741015000, false},
        {WINDOWS(100.0, 1794741015, 40.0, 1794993015, "GPT-5.3-Spark"), 1794741015000, true},
    };
    struct buf out = {0}, rollout = {0};
    make_failed(&out, "You've hit your usage limit. Try again at 11:10 AM.");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct output r;
        buf_clear(&rollout);
        buf_printf(&rollout, "cut off line\"}\n%s%s", rows[i].rollout,
                   ROLLOUT_ERROR("usage_limit_exceeded", "You^ve hit your usage limit."));
        read_run(&r,
                 &(struct run){
                     .tool = AGENT_CODEX, .out = out.p, .session_log = rollout.p, .exit_code = 1});
        assert_int_equal(r.outcome.class, OUTCOME_USAGE_LIMITED);
        assert_int_equal(r.outcome.until, rows[i].until);
        assert_int_equal(r.outcome.model_only, rows[i].model_only);
        output_done(&r);
    }
    buf_done(&out);
    buf_done(&rollout);
}

TEST(named_limit_is_that_of_a_model)
{
    struct output r;
    struct buf out = {0};
    make_failed(&out,
                "You’ve hit your usage limit for GPT-5.3-Codex-Spark. Switch to another model "
                "now, or try again at 10:30 AM.");
    read_run(&r, &(struct run){.tool = AGENT_CODEX, .out = out.p, .exit_code = 1});
    assert_true(r.outcome.model_only);
    assert_int_equal(r.outcome.until, NOW + 3600000);
    assert_int_equal(r.outcome.trust, UNTIL_TEXT);
    output_done(&r);
    buf_done(&out);
}

TEST(nearly_exhausted_window_is_a_warning)
{
    struct output r;
    read_run(&r, &(struct run){.tool = AGENT_CODEX,
                               .out = START COMPLETED,
                               .session_log = WINDOWS(91.5, 1794741015, 40.0, 1794993015, null)});
    CHECK_OUTCOME(&r, OUTCOME_OK, "stdout turn.completed");
    assert_true(r.warning.used == 0.915);
    CHECK_CSTR(str_from(r.warning.window), "primary");
    assert_int_equal(r.warning.resets_at, 1794741015000);
    output_done(&r);
    read_run(&r, &(struct run){.tool = AGENT_CODEX,
                               .out = START COMPLETED,
                               .session_log = WINDOWS(89.9, 1794741015, 95, 1794993015, null)});
    CHECK_CSTR(str_from(r.warning.window), "secondary");
    output_done(&r);
    read_run(&r, &(struct run){.tool = AGENT_CODEX,
                               .out = START COMPLETED,
                               .session_log = WINDOWS(89.9, 1794741015, 40, 1794993015, null)});
    assert_true(r.warning.used == 0);
    output_done(&r);
}

/* The log of a resumed thread has the failures of earlier turns. */
TEST(older_turn_in_the_session_log_is_ignored)
{
    struct buf out = {0}, rollout = {0};
    make_failed(&out, "unexpected status 500 Internal Server Error");
    buf_printf(&rollout, "%s%s", ROLLOUT_ERROR("usage_limit_exceeded", "x"),
               "{'type':'event_msg','payload':{'type':'task_started'}}\n");
    CHECK_RUN(OUTCOME_SERVER, "stdout turn.failed: status 500", .tool = AGENT_CODEX, .out = out.p,
              .session_log = rollout.p, .exit_code = 1);
    CHECK_RUN(OUTCOME_OK, "stdout turn.completed", .tool = AGENT_CODEX, .out = START COMPLETED,
              .session_log = rollout.p);
    buf_done(&out);
    buf_done(&rollout);
}

TEST(successful_retries_are_ignored)
{
    CHECK_RUN(OUTCOME_OK, "stdout turn.completed", .tool = AGENT_CODEX,
              .out = START "{'type':'error','message':'Reconnecting... 1/5 (exceeded retry "
                           "limit, last status: 429 Too Many Requests)'}\n"
                           "{'type':'error','message':'You^ve hit your usage limit.'}\n"
                           "{'type':'item.completed','item':{'type':'agent_message',"
                           "'text':'hi'}}\n" COMPLETED);
}

TEST(wait_for_a_limit_is_hopeless)
{
    static const struct {
        const char *out;
        bool hopeless;
    } rows[] = {
        {"{'type':'error','message':'Reconnecting... 1/5 (exceeded retry "
         "limit, last status: 429 Too Many Requests)'}\n",
         true},
        {"{'type':'error','message':'Reconnecting... 1/5 (rate limit exceeded: "
         "in 2s)'}\n",
         false},
        {"{'type':'error','message':'Reconnecting... 2/5 (rate limit exceeded: "
         "in 2s)'}\n",
         true},
        {"{'type':'error','message':'Reconnecting... 4/5 (unexpected status "
         "503 Service Unavailable: 429)'}\n",
         false},
        {"{'type':'item.completed','item':{'type':'agent_message',"
         "'text':'Reconnecting... 1/5 (exceeded retry limit, last status: "
         "429 Too Many Requests)'}}\n",
         false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct output r;
        begin_run(&r, AGENT_CODEX, rows[i].out);
        assert_int_equal(r.hopeless, rows[i].hopeless);
        output_done(&r);
    }
}

#define WAITS                                                                                      \
    "{'type':'error','message':'Reconnecting... waiting for network (Connection failed: error "    \
    "sending request)'}\n"
#define REMARK "{'type':'item.completed','item':{'type':'error','message':'Falling back'}}\n"
#define WORKS  "{'type':'item.completed','item':{'type':'agent_message','text':'hi'}}\n"

TEST(wait_for_a_missing_network_is_hopeless)
{
    struct output r;
    begin_run(&r, AGENT_CODEX, START WAITS WAITS WAITS WAITS);
    assert_false(r.hopeless);
    output_done(&r);
    begin_run(&r, AGENT_CODEX, START WAITS WAITS WAITS WAITS WORKS WAITS WAITS WAITS WAITS);
    assert_false(r.hopeless);
    output_done(&r);
    begin_run(&r, AGENT_CODEX, START WAITS WAITS REMARK WAITS WAITS WAITS);
    assert_true(r.hopeless);
    output_end(&r, &(struct output_end){.signal = 15, .killed = true});
    assert_int_equal(r.outcome.class, OUTCOME_SERVER);
    output_done(&r);
}

TEST(warnings_and_text_about_limits_are_ignored)
{
    static const char out[] =
        START "{'type':'item.completed','item':{'type':'error',"
              "'message':'You^ve hit your usage limit. 429 Too Many Requests'}}\n"
              "{'type':'item.completed','item':{'type':'command_execution',"
              "'status':'failed','command':'curl','aggregated_output':'ERROR: "
              "Quota exceeded. RESOURCE_EXHAUSTED'}}\n"
              "{'type':'item.completed','item':{'type':'agent_message',"
              "'text':'ERROR: exceeded retry limit, last status: 429 Too Many "
              "Requests'}}\n";
    struct buf all = {0};
    buf_printf(&all, "%s%s", out, COMPLETED);
    CHECK_RUN(OUTCOME_OK, "stdout turn.completed", .tool = AGENT_CODEX, .out = all.p,
              .err = "2026-11-15T09:30:09Z ERROR codex_api: 429 Too Many Requests\n");
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=1, no terminal event", .tool = AGENT_CODEX, .out = out,
              .err = "ERROR: Quota exceeded.\nERROR: Quota exceeded.\n", .exit_code = 1);
    buf_done(&all);
}

/* In text mode stderr also has the prompt and the output of tools. */
TEST(only_the_last_error_on_stderr_counts)
{
    static const char limit[] = "ERROR: You've hit your usage limit. Try again later.\n";
    struct buf err = {0};
    buf_printf(&err, "user\nwhat does this mean:\n%s", limit);
    CHECK_RUN(OUTCOME_LAUNCH, "exit_code=1, nothing on stdout", .tool = AGENT_CODEX, .err = err.p,
              .exit_code = 1);
    buf_printf(&err, "warning: a remark\nERROR: Quota exceeded.\n");
    CHECK_RUN(OUTCOME_BILLING, "stderr ERROR \"Quota exceeded.\"", .tool = AGENT_CODEX,
              .err = err.p, .exit_code = 1);
    buf_printf(&err, "exec\ncat log\n%s%scodex\nI see.\n", limit, limit);
    CHECK_RUN(OUTCOME_LAUNCH, "exit_code=1, nothing on stdout", .tool = AGENT_CODEX, .err = err.p,
              .exit_code = 1);
    buf_printf(&err, "ERROR: Quota exceeded.\nERROR: Quota exceeded.\ntokens used\n18\n");
    CHECK_RUN(OUTCOME_BILLING, "stderr ERROR \"Quota exceeded.\"", .tool = AGENT_CODEX,
              .err = err.p, .exit_code = 1);
    CHECK_RUN(OUTCOME_OK, "exit_code=0 (text)", .tool = AGENT_CODEX, .out = "fine\n", .err = err.p);
    buf_done(&err);
}

TEST(interrupt_in_text_mode_is_not_a_limit)
{
    CHECK_RUN(OUTCOME_KILLED, "stderr: turn interrupted", .tool = AGENT_CODEX,
              .err = "user\nx\nwarning: y\nERROR: Reconnecting... 1/5\nturn interrupted\n",
              .exit_code = 1);
    CHECK_RUN(OUTCOME_KILLED, "rollout turn_aborted.reason=interrupted", .tool = AGENT_CODEX,
              .out = START, .exit_code = 1,
              .session_log = "{'type':'event_msg','payload':{'type':'turn_aborted',"
                             "'reason':'interrupted'}}\n");
}

TEST(tool_calls_and_denials_are_counted)
{
    struct output r;
    read_run(&r,
             &(struct run){.tool = AGENT_CODEX,
                           .out = START
                           "{'type':'item.started','item':{'type':'mcp_tool_call',"
                           "'tool':'probe','arguments':{'text':'ping'},'status':'in_progress'}}\n"
                           "{'type':'item.completed','item':{'type':'mcp_tool_call',"
                           "'tool':'probe','status':'failed','error':{'message':'MCP tool call "
                           "requires approval, but approval policy is never'}}}\n"
                           "{'type':'item.completed','item':{'type':'command_execution',"
                           "'command':'ls','status':'failed','exit_code':1}}\n"
                           "{'type':'item.completed','item':{'type':'error',"
                           "'message':'MCP client for `multiverse` failed to start'}}\n"
                           "{'type':'item.completed','item':{'type':'agent_message',"
                           "'text':'bye'}}\n" COMPLETED});
    CHECK_OUTCOME(&r, OUTCOME_OK, "stdout turn.completed");
    assert_int_equal(r.tool_calls, 2);
    assert_int_equal(r.denied, 1);
    assert_true(r.mcp_failed);
    CHECK_CSTR(buf_str(&r.last_message), "bye");
    CHECK_CSTR(str_from(r.session), "01a1-429");
    assert_int_equal(r.usage.input_tokens, 11);
    output_done(&r);
}
