#include <stdlib.h>

#include "output_fixture.h"

#define INIT    "{'type':'init','session_id':'a429','model':'gemini-2.5-pro'}\n"
#define SUCCESS "{'type':'result','status':'success','stats':{'input_tokens':3}}\n"
#define ERROR(text)                                                                                \
    "{'type':'result','timestamp':'2026-11-15T09:30:00Z',"                                         \
    "'status':'error','error':{'type':'unknown','message':" #text "}}\n"

/* The output on stderr after the last retry failed. */
#define OBJECT(name, sentence, fields)                                                             \
    "Error when talking to Gemini API Full report available at: /tmp/x/gemini-429.json " name      \
    ": " sentence "\n    at retry (file:///x/chunk.js:429:14)\n"                                   \
    "    at async main (file:///x/gemini.js:1:5) {\n" fields "}\n"
#define CAUSE(code, message)                                                                       \
    "  cause: {\n    code: " #code ",\n    message: '" message                                     \
    "',\n    details: [ [Object] ]\n  },\n"
#define STATUS(code) "  status: " #code "\n"

struct row {
    const char *sentence, *object;
    int64_t exit_code;
    enum outcome_class class;
    const char *evidence;
    int64_t wait_ms;
    bool model_only;
};

static void check_row(const struct row *row)
{
    struct output r;
    struct buf out = {0};
    buf_printf(&out,
               INIT "{\"type\":\"result\",\"status\":\"error\",\"error\":{\"type\":\"unknown\","
                    "\"message\":\"[API Error: %s]\\nPlease wait and try again later.\"}}",
               row->sentence);
    read_run(&r, &(struct run){.tool = AGENT_GEMINI,
                               .out = out.p,
                               .err = row->object,
                               .exit_code = row->exit_code});
    CHECK_OUTCOME(&r, row->class, row->evidence);
    assert_int_equal(r.outcome.until, row->wait_ms ? NOW + row->wait_ms : 0);
    assert_int_equal(r.outcome.model_only, row->model_only);
    output_done(&r);
    if (row->object) { /* text mode has no more than that */
        read_run(&r, &(struct run){.tool = AGENT_GEMINI, .err = row->object, .exit_code = 1});
        assert_int_equal(r.outcome.class, row->class);
        output_done(&r);
    }
    buf_done(&out);
}

TEST(every_failure_has_its_class_and_reset_time)
{
    static const struct row rows[] = {
        {"Resource has been exhausted (e.g. check quota).",
         OBJECT("RetryableQuotaError", "Resource has been exhausted (e.g. check quota).",
                CAUSE(429, "Resource has been exhausted (e.g. check quota).") "  retryDelayMs: "
                                                                              "undefined,\n" STATUS(
                                                                                  429)),
         173, OUTCOME_RATE_LIMITED, "stderr status=429", 0, false},
        {"You exceeded your current quota. Please retry in 3.5s.",
         OBJECT("RetryableQuotaError", "You exceeded your current quota. Please retry in 3.5s.",
                CAUSE(429, "x") "  retryDelayMs: 3000,\n" STATUS(429)),
         173, OUTCOME_RATE_LIMITED, "stderr status=429", 3000, false},
        {"You exceeded your current quota. Please retry in 3.5s.", NULL, 173, OUTCOME_RATE_LIMITED,
         "exit_code=173 (429 mod 256)", 3500, false},
        {"You have exhausted your daily quota on this model.",
         OBJECT("TerminalQuotaError", "You have exhausted your daily quota on this model.",
                CAUSE(429, "Quota, limit: 250, model: x\\n' +\n      'Please retry in "
                           "8h12m33s.") "  reason: undefined,\n" STATUS(429)),
         173, OUTCOME_USAGE_LIMITED, "stderr status=429, quota of the day", 29553000, true},
        /* a hint below one hour is wrong for a daily quota */
        {"You have exhausted your daily quota on this model. Please retry in 59s.", NULL, 173,
         OUTCOME_USAGE_LIMITED, "exit_code=173 (429 mod 256), quota of the day", 0, true},
        {"You have exhausted your capacity on this model. Your quota will reset after 5h12m.",
         OBJECT("RetryableQuotaError",
                "You have exhausted your capacity on this model. Your quota will reset after "
                "5h12m.",
                CAUSE(429, "x") "  retryDelayMs: 18720000,\n" STATUS(429)),
         173, OUTCOME_USAGE_LIMITED, "stderr status=429, resets in 18720 s", 18720000, true},
        {"You have exhausted your capacity on this model. Your quota will reset after "
         "4h28m20s.",
         NULL, 173, OUTCOME_USAGE_LIMITED, "exit_code=173 (429 mod 256), resets in 16100 s",
         16100000, true},
        {"You have exhausted your capacity on this model. Your quota will reset after 3s.", NULL,
         173, OUTCOME_RATE_LIMITED, "exit_code=173 (429 mod 256)", 3000, false},
        {"Gone.",
         OBJECT("TerminalQuotaError", "Gone.", "  reason: 'QUOTA_EXHAUSTED',\n" STATUS(429)), 173,
         OUTCOME_USAGE_LIMITED, "stderr reason=QUOTA_EXHAUSTED", 0, false},
        {"Gone.",
         OBJECT("TerminalQuotaError", "Gone.", "  reason: 'RATE_LIMIT_EXCEEDED',\n" STATUS(429)),
         173, OUTCOME_RATE_LIMITED, "stderr reason=RATE_LIMIT_EXCEEDED", 0, false},
        {"Gone.",
         OBJECT("TerminalQuotaError", "Gone.",
                "  reason: 'INSUFFICIENT_G1_CREDITS_BALANCE',\n" STATUS(429)),
         173, OUTCOME_BILLING, "stderr reason=INSUFFICIENT_G1_CREDITS_BALANCE", 0, false},
        {"Gone.",
         OBJECT("TerminalQuotaError", "Gone.", "  reason: 'VALIDATION_REQUIRED',\n" STATUS(429)),
         173, OUTCOME_AUTH, "stderr reason=VALIDATION_REQUIRED", 0, false},
        {"No capacity available for model x on the server",
         OBJECT("RetryableQuotaError", "No capacity available for model x on the server",
                "  retryDelayMs: 1000,\n" STATUS(429)),
         173, OUTCOME_OVERLOADED, "stderr status=429, no capacity", 0, false},
        {"Gone.",
         OBJECT("TerminalQuotaError", "Gone.",
                "  reason: 'MODEL_CAPACITY_EXHAUSTED',\n" STATUS(429)),
         173, OUTCOME_OVERLOADED, "stderr status=429, no capacity", 0, false},
        {"Quota exceeded, limit: 0, model: gemini-3.1-pro Please retry in 10h17m5.7s.", NULL, 173,
         OUTCOME_BILLING, "exit_code=173 (429 mod 256), limit: 0", 0, true},
        {"Quota exceeded, limit: 0.5 a day, model: x", NULL, 173, OUTCOME_RATE_LIMITED,
         "exit_code=173 (429 mod 256)", 0, false},
        {"The model is overloaded. Please try again later.",
         OBJECT("RetryableQuotaError", "The model is overloaded. Please try again later.",
                CAUSE(503, "The model is overloaded.") STATUS(503)),
         247, OUTCOME_OVERLOADED, "stderr status=503", 0, false},
        {"{\\\"error\\\":{\\\"code\\\":500,\\\"message\\\":\\\"429\\\"}}", NULL, 244,
         OUTCOME_SERVER, "stdout result.error.message code=500", 0, false},
        {"An error.", NULL, 244, OUTCOME_SERVER, "exit_code=244 (500 mod 256)", 0, false},
        {"An error.", NULL, 147, OUTCOME_AUTH, "exit_code=147 (403 mod 256)", 0, false},
        {"An error.", NULL, 144, OUTCOME_REQUEST, "exit_code=144 (400 mod 256)", 0, false},
        {"API key not valid. Please pass a valid API key.", NULL, 144, OUTCOME_AUTH,
         "exit_code=144 (400 mod 256), API_KEY_INVALID", 0, false},
        {"models/gemini-nope is not found for API version v1beta",
         OBJECT("ModelNotFoundError", "models/gemini-nope is not found for API version v1beta",
                "  code: 404\n"),
         1, OUTCOME_MODEL, "stderr ModelNotFoundError", 0, false},
        {"models/gemini-nope is not found for API version v1beta", NULL, 1, OUTCOME_MODEL,
         "stdout result.error: no such model", 0, false},
        {"No.",
         "Error when talking to Gemini API Full report available at: /tmp/x.json "
         "ForbiddenError: "
         "No.\n    at x\n",
         1, OUTCOME_AUTH, "stderr ForbiddenError", 0, false},
        {"exception TypeError: fetch failed sending request", NULL, 1, OUTCOME_SERVER,
         "stdout result.status=error", 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
}

TEST(special_exit_codes_have_their_class)
{
    static const struct {
        int64_t code;
        enum outcome_class class;
        const char *evidence;
    } rows[] = {
        {41, OUTCOME_AUTH, "exit_code=41"},
        {42, OUTCOME_LAUNCH, "exit_code=42"},
        {44, OUTCOME_LAUNCH, "exit_code=44"},
        {52, OUTCOME_LAUNCH, "exit_code=52"},
        {53, OUTCOME_BUDGET, "exit_code=53"},
        {55, OUTCOME_LAUNCH, "exit_code=55"},
        {1, OUTCOME_LAUNCH, "exit_code=1, nothing on stdout"},
        {130, OUTCOME_KILLED, "exit_code=130 (signal 2)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_RUN(rows[i].class, rows[i].evidence, .tool = AGENT_GEMINI,
                  .err = "Unknown argument: temperature\n", .exit_code = rows[i].code);
    CHECK_RUN(
        OUTCOME_BUDGET, "stdout result.error.type=FatalTurnLimitedError", .tool = AGENT_GEMINI,
        .out = INIT "{'type':'result','status':'error','error':{'type':'FatalTurnLimitedError',"
                    "'message':'turns'}}\n",
        .exit_code = 53);
}

TEST(json_mode_reports_errors_on_stderr)
{
    CHECK_RUN(OUTCOME_RATE_LIMITED, "stderr error.code=429", .tool = AGENT_GEMINI,
              .mode = OUTPUT_JSON, .exit_code = 173,
              .err = "Ripgrep is not available.\n{\n  \"session_id\": \"x\",\n  \"error\": {\n"
                     "    \"type\": \"Error\",\n    \"message\": \"slow\",\n    \"code\": 429\n"
                     "  }\n}\n");
    /* or, in some builds, on stdout */
    CHECK_RUN(OUTCOME_RATE_LIMITED, "stdout error.code=429", .tool = AGENT_GEMINI, .exit_code = 1,
              .out = "{\n  \"session_id\": \"x\",\n  \"error\": {\"code\": 429}\n}\n");
    CHECK_RUN(OUTCOME_MODEL, "stdout result.error: no such model", .tool = AGENT_GEMINI,
              .mode = OUTPUT_JSON, .exit_code = 1,
              .err = "{\n  \"error\": {\n    \"message\": \"models/x is not found\",\n"
                     "    \"code\": 1\n  }\n}\n");
}

TEST(json_mode_answer_may_have_many_lines)
{
    struct output r;
    read_run(&r, &(struct run){
                     .tool = AGENT_GEMINI,
                     .out = "{\n  \"session_id\": \"s\",\n  \"response\": \"RESOURCE_EXHAUSTED\",\n"
                            "  \"stats\": {\"models\": {\"m\": {\"tokens\": {\"prompt\": 11, "
                            "\"candidates\": 7}}}, \"tools\": {\"totalCalls\": 2}}\n}"});
    CHECK_OUTCOME(&r, OUTCOME_OK, "stdout response");
    CHECK_CSTR(buf_str(&r.last_message), "RESOURCE_EXHAUSTED");
    assert_int_equal(r.usage.input_tokens, 11);
    assert_int_equal(r.tool_calls, 2);
    output_done(&r);
    /* an answer in text that happens to be an object is text */
    read_run(&r, &(struct run){.tool = AGENT_GEMINI, .out = "{\n \"error\": {\"code\": 429}\n}\n"});
    CHECK_OUTCOME(&r, OUTCOME_OK, "exit_code=0 (text)");
    output_done(&r);
}

TEST(exit_code_0_without_a_result_is_incomplete)
{
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=0, no terminal event", .tool = AGENT_GEMINI,
              .out = INIT);
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=0, no terminal event", .tool = AGENT_GEMINI,
              .mode = OUTPUT_JSON, .out = "{\n \"session_id\": \"cut");
    CHECK_RUN(OUTCOME_KILLED, "killed", .tool = AGENT_GEMINI, .out = INIT, .end.killed = true);
}

TEST(wait_of_hours_is_hopeless)
{
    struct output r;
    read_run(&r,
             &(struct run){
                 .tool = AGENT_GEMINI,
                 .out = INIT,
                 .end.killed = true,
                 .err = "Attempt 1 failed: You have exhausted your capacity on this model. Your "
                        "quota will reset after 5h12m.. Retrying after 19570348ms...\n"});
    assert_true(r.hopeless);
    CHECK_OUTCOME(&r, OUTCOME_USAGE_LIMITED, "stderr: Retrying after so many ms");
    assert_int_equal(r.outcome.until, NOW + 19570348);
    output_done(&r);
    read_run(&r, &(struct run){.tool = AGENT_GEMINI,
                               .out = INIT SUCCESS,
                               .err = "Attempt 1 failed: You exceeded your quota.\n* limit: 10\n"
                                      "Suggested retry after 3s.. Retrying after 5354ms...\n"});
    assert_false(r.hopeless);
    CHECK_OUTCOME(&r, OUTCOME_OK, "stdout result.status=success");
    output_done(&r);
    read_run(&r, &(struct run){.tool = AGENT_GEMINI,
                               .out = INIT SUCCESS,
                               .err = "I print: Retrying after 19570348ms...\n"});
    assert_false(r.hopeless);
    output_done(&r);
}

TEST(object_of_another_failure_is_ignored)
{
    static const char fetch[] = "Failed to fetch experiments _GaxiosError: no route\n    at x {\n"
                                "  code: 429,\n  status: 429,\n}\n";
    CHECK_RUN(OUTCOME_SERVER, "stdout result.status=error", .tool = AGENT_GEMINI,
              .out = INIT ERROR("[API Error: fetch failed]"), .err = fetch, .exit_code = 1);
    CHECK_RUN(OUTCOME_OK, "stdout result.status=success", .tool = AGENT_GEMINI, .out = INIT SUCCESS,
              .err = fetch);
    /* nor one that a tool printed */
    CHECK_RUN(OUTCOME_SERVER, "stdout result.status=error", .tool = AGENT_GEMINI,
              .out = INIT ERROR("[API Error: fetch failed]"),
              .err =
                  OBJECT("TerminalQuotaError", "You have exhausted your daily quota.", STATUS(429)),
              .exit_code = 1);
}

TEST(text_of_the_model_or_a_tool_is_not_a_failure)
{
    static const char out[] =
        INIT "{'type':'message','role':'user','content':'[API Error: RESOURCE_EXHAUSTED]'}\n"
             "{'type':'tool_use','tool_name':'probe','parameters':{'text':'429'}}\n"
             "{'type':'tool_result','status':'error','output':'429 limit: 0 Please "
             "retry in 59s'}\n"
             "{'type':'message','role':'assistant','content':'You have exhausted "
             "','delta':true}\n"
             "{'type':'message','role':'assistant','content':'your daily quota',"
             "'delta':true}\n";
    struct output r;
    struct buf all = {0};
    buf_printf(&all, "%s%s", out, SUCCESS);
    read_run(&r, &(struct run){.tool = AGENT_GEMINI, .out = all.p});
    CHECK_OUTCOME(&r, OUTCOME_OK, "stdout result.status=success");
    CHECK_CSTR(buf_str(&r.last_message), "You have exhausted your daily quota");
    assert_int_equal(r.tool_calls, 1);
    assert_int_equal(r.usage.input_tokens, 3);
    output_done(&r);
    buf_done(&all);
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=1, no terminal event", .tool = AGENT_GEMINI,
              .out = out, .exit_code = 1);
}

TEST(failed_connection_to_our_server_is_reported)
{
    struct output r;
    read_run(&r, &(struct run){.tool = AGENT_GEMINI,
                               .out = INIT SUCCESS,
                               .err = "MCP issues detected. Run /mcp list for status.\n"});
    assert_true(r.mcp_failed);
    CHECK_OUTCOME(&r, OUTCOME_OK, "stdout result.status=success");
    output_done(&r);
}
