#include "output_fixture.h"

TEST(answer_is_the_last_message)
{
    struct output r;
    read_run(&r,
             &(struct run){.tool = AGENT_OPENAI,
                           .out = "{'type':'chat.started','model':'gpt-5.2'}\n"
                                  "{'type':'chat.delta','text':'He'}\n"
                                  "{'type':'chat.delta','text':'llo'}\n"
                                  "{'type':'chat.completed','text':'Hello','finish_reason':'stop',"
                                  "'usage':{'input_tokens':11,'output_tokens':7}}\n"});
    CHECK_OUTCOME(&r, OUTCOME_OK, "stdout chat.completed");
    CHECK_CSTR(buf_str(&r.last_message), "Hello");
    CHECK_CSTR(str_from(r.model), "gpt-5.2");
    assert_int_equal(r.usage.input_tokens, 11);
    output_done(&r);
}

TEST(cut_answer_is_incomplete)
{
    CHECK_RUN(OUTCOME_INCOMPLETE, "stdout chat.completed.finish_reason=length",
              .tool = AGENT_OPENAI,
              .out = "{'type':'chat.completed','text':'H','finish_reason':'length'}\n");
    CHECK_RUN(OUTCOME_REQUEST, "stdout chat.completed.finish_reason=content_filter",
              .tool = AGENT_OPENAI,
              .out = "{'type':'chat.completed','finish_reason':'content_filter'}\n");
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=0, no terminal event", .tool = AGENT_OPENAI,
              .out = "{'type':'chat.started'}\n"
                     "{'type':'chat.delta','text':'H'}\n");
}

TEST(every_failure_has_its_class)
{
    static const struct {
        int status;
        const char *type, *code, *message;
        enum outcome_class class;
    } rows[] = {
        {429, "requests", "rate_limit_exceeded", "Rate limit reached", OUTCOME_RATE_LIMITED},
        {429, "tokens", "", "Rate limit reached", OUTCOME_RATE_LIMITED},
        {429, "insufficient_quota", "insufficient_quota", "You exceeded", OUTCOME_BILLING},
        {429, "insufficient_quota", "", "You exceeded", OUTCOME_BILLING},
        {429, "insufficient_quota", "credit_balance_exhausted", "", OUTCOME_BILLING},
        {429, "insufficient_quota", "organization_spend_limit_exceeded", "", OUTCOME_BILLING},
        {429, "", "project_spend_limit_exceeded", "", OUTCOME_BILLING},
        {429, "", "organization_usage_limit_exceeded", "", OUTCOME_BILLING},
        {429, "usage_limit_reached", "", "The usage limit", OUTCOME_USAGE_LIMITED},
        {429, "usage_not_included", "", "not in the plan", OUTCOME_BILLING},
        {429, "", "slow_down", "Slow Down", OUTCOME_OVERLOADED},
        {503, "server_error", "slow_down", "Slow Down", OUTCOME_OVERLOADED},
        {503, "server_error", "", "The engine is currently overloaded", OUTCOME_OVERLOADED},
        {503, "service_unavailable_error", "server_is_overloaded", "", OUTCOME_OVERLOADED},
        {500, "server_error", "", "The server had an error", OUTCOME_SERVER},
        {401, "invalid_request_error", "invalid_api_key", "Incorrect", OUTCOME_AUTH},
        {401, "invalid_request_error", "", "Incorrect", OUTCOME_AUTH},
        {403, "", "", "", OUTCOME_AUTH},
        {404, "invalid_request_error", "model_not_found", "no model", OUTCOME_MODEL},
        {400, "invalid_request_error", "invalid_value", "Invalid", OUTCOME_REQUEST},
        {400, "invalid_request_error", "context_length_exceeded", "", OUTCOME_REQUEST},
        {0, "", "", "Could not connect: 429 Too Many Requests", OUTCOME_SERVER},
        {0, "request", "", "OPENAI_API_KEY holds a blank", OUTCOME_LAUNCH},
        {200, "request", "", "in the stream", OUTCOME_SERVER},
        {200, "server_error", "", "in the stream", OUTCOME_SERVER},
        {200, "", "", "cut off", OUTCOME_SERVER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct output r;
        char out[512];
        snprintf(out, sizeof out,
                 "{\"type\":\"chat.failed\",\"status\":%d,\"error\":{\"type\":\"%s\",\"code\":"
                 "\"%s\",\"message\":\"%s\"}}",
                 rows[i].status, rows[i].type, rows[i].code, rows[i].message);
        read_run(&r, &(struct run){.tool = AGENT_OPENAI, .out = out, .exit_code = 1});
        if (r.outcome.class != rows[i].class)
            print_error("row %zu: %s\n", i, r.outcome.evidence);
        assert_int_equal(r.outcome.class, rows[i].class);
        output_done(&r);
    }
}

static void check_until(const char *out, int64_t until, enum outcome_trust trust)
{
    struct output r;
    read_run(&r, &(struct run){.tool = AGENT_OPENAI, .out = out, .exit_code = 1});
    assert_int_equal(r.outcome.until, until);
    assert_int_equal(r.outcome.trust, trust);
    output_done(&r);
}

TEST(fields_have_precedence_over_headers_over_sentences)
{
    check_until("{'type':'chat.failed','status':429,'retry_after_ms':3000,"
                "'error':{'code':'rate_limit_exceeded','message':'Please try again "
                "in 20s.'}}\n",
                NOW + 3000, UNTIL_HEADER);
    check_until("{'type':'chat.failed','status':429,'error':{'message':'Please try "
                "again in 20s.'}}\n",
                NOW + 20000, UNTIL_TEXT);
    check_until("{'type':'chat.failed','status':429,'retry_after_ms':3000,"
                "'error':{'type':'usage_limit_reached','resets_at':1794742430}}\n",
                1794742430000, UNTIL_FIELD);
    check_until("{'type':'chat.failed','status':429,'error':{'type':'usage_limit_reached',"
                "'resets_in_seconds':7200}}\n",
                NOW + 7200000, UNTIL_FIELD);
    /* only an exhausted window counts */
    check_until("{'type':'chat.failed','status':429,'error':{},'headers':{'x-ratelimit-remaining-"
                "requests':'0',"
                "'x-ratelimit-reset-requests':'3s','x-ratelimit-remaining-tokens':'9',"
                "'x-ratelimit-reset-tokens':'6m0s'}}\n",
                NOW + 3000, UNTIL_HEADER);
    check_until("{'type':'chat.failed','status':429,'error':{'code':'insufficient_quota',"
                "'message':'try again in 3s'}}\n",
                0, UNTIL_NONE);
}
