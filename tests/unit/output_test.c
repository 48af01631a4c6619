#include "agent/output.h"

#include <signal.h>
#include <stdlib.h>

#include "output_fixture.h"

#define INIT "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s1\",\"model\":\"opus\"}\n"
#define DONE                                                                                       \
    "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"all done\","     \
    "\"usage\":{\"input_tokens\":3,\"output_tokens\":4}}\n"
#define LIMITED                                                                                    \
    "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true,\"api_error_status\":429,"     \
    "\"result\":\"API Error: Request rejected (429)\"}\n"

TEST(every_kind_of_end_has_its_class)
{
    CHECK_RUN(OUTCOME_LAUNCH, "not started", .tool = AGENT_CLAUDE, .end.no_start = "no such file");
    CHECK_RUN(OUTCOME_BUDGET, "timed_out", .tool = AGENT_CLAUDE, .out = INIT,
              .end = {.timed_out = true, .killed = true, .signal = SIGTERM});
    CHECK_RUN(OUTCOME_KILLED, "killed", .tool = AGENT_CLAUDE, .out = INIT,
              .end = {.killed = true, .exit_code = 143});
    CHECK_RUN(OUTCOME_KILLED, "signal=15", .tool = AGENT_CODEX, .end.signal = SIGTERM);
    CHECK_RUN(OUTCOME_KILLED, "signal=9", .tool = AGENT_GEMINI, .end.signal = SIGKILL);
    CHECK_RUN(OUTCOME_KILLED, "exit_code=143 (signal 15)", .tool = AGENT_CLAUDE, .out = INIT,
              .exit_code = 143);
    CHECK_RUN(OUTCOME_INCOMPLETE, "signal=11 (crashed)", .tool = AGENT_CODEX,
              .end.signal = SIGSEGV);
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=0, no terminal event", .tool = AGENT_CLAUDE,
              .out = INIT);
    CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=7, no terminal event", .tool = AGENT_CLAUDE,
              .out = INIT, .exit_code = 7);
    CHECK_RUN(OUTCOME_LAUNCH, "exit_code=2, nothing on stdout", .tool = AGENT_CODEX,
              .err = "error: unexpected argument '--nonsense' found\n", .exit_code = 2);
}

TEST(success_needs_an_event_an_exit_code_and_no_kill)
{
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE, .out = INIT DONE);
    CHECK_RUN(OUTCOME_INCOMPLETE, "stdout result.is_error=false, but exit_code=1",
              .tool = AGENT_CLAUDE, .out = INIT DONE, .exit_code = 1);
    CHECK_RUN(OUTCOME_KILLED, "killed", .tool = AGENT_CLAUDE, .out = INIT DONE, .end.killed = true);
}

TEST(failure_to_start_has_a_reason)
{
    struct output r;
    read_run(&r, &(struct run){.tool = AGENT_CODEX, .end.no_start = "cannot run codex"});
    CHECK_CSTR(str_from(r.outcome.message), "cannot run codex");
    output_done(&r);
    read_run(&r, &(struct run){.tool = AGENT_CODEX,
                               .err = "WARNING: noise\nerror: bad\nflag\n",
                               .exit_code = 2});
    CHECK_CSTR(str_from(r.outcome.message), "error: bad flag");
    output_done(&r);
}

static void check_alike(const struct output *a, const struct output *b)
{
    assert_int_equal(a->outcome.class, b->outcome.class);
    assert_int_equal(a->outcome.until, b->outcome.until);
    CHECK_CSTR(str_from(a->outcome.evidence), b->outcome.evidence);
    CHECK_CSTR(str_from(a->outcome.message), b->outcome.message);
    CHECK_STR(buf_str(&a->last_message), buf_str(&b->last_message));
    assert_int_equal(a->tool_calls, b->tool_calls);
    assert_int_equal(a->hopeless, b->hopeless);
}

TEST(pieces_of_any_size_give_the_same_outcome)
{
    static const struct run runs[] = {
        {.tool = AGENT_CLAUDE, .out = INIT DONE},
        {.tool = AGENT_CLAUDE, .out = INIT LIMITED, .exit_code = 1},
        {.tool = AGENT_CLAUDE, .out = "API Error: Request rejected (429)\r\n", .exit_code = 1},
        {.tool = AGENT_CLAUDE, .out = "API Error: Request rejected (429)", .exit_code = 1},
        {.tool = AGENT_GEMINI, .out = "{\n  \"session_id\": \"x\",\n  \"response\": \"hi\"\n}"},
        {.tool = AGENT_GEMINI,
         .err = "Attempt 1 failed: full. Retrying after 99999ms...\nmore",
         .exit_code = 173},
        {.tool = AGENT_CODEX,
         .err = "user\nx\nERROR: Quota exceeded.\nERROR: Quota exceeded.\n",
         .exit_code = 1},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (size_t piece = 1; piece < 7; piece++) {
            struct output whole, cut;
            struct run run = runs[i];
            read_run(&whole, &run);
            run.piece = piece;
            read_run(&cut, &run);
            check_alike(&whole, &cut);
            output_done(&whole);
            output_done(&cut);
        }
}

TEST(too_long_line_is_skipped_and_counted)
{
    struct output r;
    struct buf blob = {0};
    buf_add(&blob, STR("{\"type\":\"user\",\"x\":\""));
    while (blob.n < OUTPUT_MAX_LINE)
        buf_add(&blob, STR("0123456789abcdef0123456789abcdef"));
    buf_add(&blob, STR("\"}\n"));
    output_init(&r, AGENT_CLAUDE, NOW);
    output_feed(&r, PROCESS_STDOUT, STR(INIT));
    output_feed(&r, PROCESS_STDOUT, buf_str(&blob));
    assert_int_equal(r.lines[PROCESS_STDOUT].n, 0);
    output_feed(&r, PROCESS_STDOUT, STR(DONE));
    output_end(&r, &(struct output_end){0});
    assert_int_equal(r.skipped, 1);
    CHECK_OUTCOME(&r, OUTCOME_OK, "stdout result.is_error=false");
    output_done(&r);
    buf_done(&blob);
}

TEST(last_message_is_bounded)
{
    struct output r;
    output_init(&r, AGENT_OPENAI, NOW);
    struct buf delta = {0};
    buf_add(&delta, STR("{\"type\":\"chat.delta\",\"text\":\""));
    for (size_t i = 0; i < 100000; i++)
        buf_add(&delta, STR("\xe2\x82\xac")); /* three bytes: the cut must not split it */
    buf_add(&delta, STR("\"}\n"));
    for (int i = 0; i < 5; i++)
        output_feed(&r, PROCESS_STDOUT, buf_str(&delta));
    assert_true(r.last_message.n <= OUTPUT_MAX_TEXT && r.last_message.n > OUTPUT_MAX_TEXT - 3);
    assert_int_equal(r.last_message.n % 3, 0);
    output_done(&r);
    buf_done(&delta);
}

TEST(invalid_character_does_not_hide_the_result)
{
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE,
              .out = INIT "{\"type\":\"result\",\"is_error\":false,\"result\":\"cut \\ud83d\"}\n");
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE,
              .out =
                  INIT "{\"type\":\"result\",\"is_error\":false,\"result\":\"low \\udc00 \xff\"}");
    struct output r;
    read_run(&r, &(struct run){.tool = AGENT_CLAUDE,
                               .out = "{\"type\":\"result\",\"is_error\":false,\"result\":"
                                      "\"\\\\ud83d \\ud83d\\ude00 \\uD83D\\n\"}"});
    CHECK_CSTR(buf_str(&r.last_message), "\\ud83d \xf0\x9f\x98\x80 \xef\xbf\xbd\n");
    output_done(&r);
}

TEST(text_around_a_stream_does_not_hide_it)
{
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE,
              .out = "\n\nsome warning\n" INIT "not JSON\n{\"broken\n[1]\n" DONE);
}

/* Only the first event of a stream begins one. */
TEST(answer_that_quotes_events_remains_an_answer)
{
    CHECK_RUN(OUTCOME_OK, "exit_code=0 (text)", .tool = AGENT_CLAUDE,
              .out = "The last line was\n" LIMITED);
    CHECK_RUN(OUTCOME_OK, "exit_code=0 (text)", .tool = AGENT_CLAUDE, .mode = OUTPUT_TEXT,
              .out = INIT LIMITED);
}

TEST(text_output_is_the_last_message)
{
    struct output r;
    read_run(&r, &(struct run){.tool = AGENT_GEMINI, .out = "  Hello,\nworld.\n\n"});
    CHECK_CSTR(buf_str(&r.last_message), "Hello,\nworld.");
    CHECK_OUTCOME(&r, OUTCOME_OK, "exit_code=0 (text)");
    output_done(&r);
}

TEST(empty_output_is_not_a_success)
{
    for (enum agent_kind k = AGENT_NONE + 1; k < AGENT_KIND_COUNT; k++)
        CHECK_RUN(OUTCOME_INCOMPLETE, "exit_code=0, no terminal event", .tool = k, .out = "\n \n");
}

TEST(a_whole_conversation_in_one_array_is_read)
{
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE, .mode = OUTPUT_JSON,
              .out = "[{\"type\":\"system\",\"subtype\":\"init\"},"
                     "{\"type\":\"result\",\"is_error\":false,\"result\":\"x\"}]\n");
}

TEST(evidence_and_message_are_one_line)
{
    struct output r;
    struct buf out = {0};
    buf_add(&out, STR("{\"type\":\"mock.failed\",\"outcome\":\"server\",\"message\":\"a\\n\\tb "));
    for (int i = 0; i < 1000; i++)
        buf_add(&out, STR("\xc3\xa9"));
    buf_add(&out, STR("\"}"));
    output_init(&r, AGENT_MOCK, NOW);
    output_feed(&r, PROCESS_STDOUT, buf_str(&out));
    output_end(&r, &(struct output_end){.exit_code = 1});
    assert_memory_equal(r.outcome.message, "a b \xc3\xa9", 6);
    assert_int_equal(strlen(r.outcome.message), OUTCOME_MESSAGE_MAX - 2); /* no split character */
    output_done(&r);
    buf_done(&out);
}

/* Times. */
TEST(times_in_words_are_relative_to_end_then_events_then_start)
{
    static const char out[] = "{\"type\":\"result\",\"is_error\":true,\"api_error_status\":429,"
                              "\"result\":\"API Error: Request rejected (429) · retry in 60s\"}";
    struct output r;
    struct run run = {.tool = AGENT_CLAUDE, .out = out, .exit_code = 1};
    read_run(&r, &run);
    assert_int_equal(r.outcome.until, NOW + 60000);
    assert_int_equal(r.outcome.trust, UNTIL_TEXT);
    output_done(&r);
    run.out = "{\"type\":\"assistant\",\"timestamp\":\"2026-11-15T10:00:00Z\"}\n"
              "{\"type\":\"result\",\"is_error\":true,\"api_error_status\":429,"
              "\"result\":\"API Error: Request rejected (429) · retry in 60s\"}";
    read_run(&r, &run);
    assert_int_equal(r.outcome.until, NOW + 1800000 + 60000);
    output_done(&r);
    run.end.at = NOW + 5000;
    read_run(&r, &run);
    assert_int_equal(r.outcome.until, NOW + 65000);
    output_done(&r);
}

TEST(number_is_seconds_or_milliseconds_by_its_size)
{
    static const struct {
        const char *json;
        int64_t want;
    } rows[] = {
        {"1794742430", 1794742430000},
        {"1794742430.5", 1794742430500},
        {"1794742430000", 1794742430000},
        {"\"1794742430\"", 1794742430000},
        {"\"2026-11-15T11:33:50Z\"", 1794742430000},
        {"7200", 0},
        {"0", 0},
        {"-1794742430", 0},
        {"1e300", 0},
        {"1794742430317000", 0},
        {"\"soon\"", 0},
        {"null", 0},
        {"true", 0},
    };
    struct arena a = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(output_read_time(json_parse(&a, str_from(rows[i].json), NULL, NULL)),
                         rows[i].want);
    arena_done(&a);
}

TEST(more_trusted_time_has_precedence)
{
    struct output r;
    output_init(&r, AGENT_MOCK, NOW);
    output_set_until(&r, 3, UNTIL_TEXT);
    output_set_until(&r, 2, UNTIL_HEADER);
    output_set_until(&r, 4, UNTIL_TEXT);
    assert_int_equal(r.outcome.until, 2);
    output_set_until(&r, 1, UNTIL_FIELD);
    output_set_until(&r, 0, UNTIL_FIELD);
    assert_int_equal(r.outcome.until, 1);
    assert_int_equal(r.outcome.trust, UNTIL_FIELD);
    output_done(&r);
}

TEST(killed_hopeless_wait_has_the_outcome_of_its_limit)
{
    static const char out[] =
        INIT "{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":1,"
             "\"retry_delay_ms\":60000,\"error_status\":429,\"error\":\"rate_limit\"}\n";
    struct output r;
    read_run(&r, &(struct run){.tool = AGENT_CLAUDE, .out = out, .end.killed = true});
    assert_true(r.hopeless);
    CHECK_OUTCOME(&r, OUTCOME_RATE_LIMITED, "stdout system/api_retry.error_status=429");
    assert_int_equal(r.outcome.until, NOW + 60000);
    output_done(&r);
    CHECK_RUN(OUTCOME_BUDGET, "timed_out", .tool = AGENT_CLAUDE, .out = out,
              .end = {.timed_out = true, .killed = true});
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE,
              .out = INIT "{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":2,"
                          "\"retry_delay_ms\":60000,\"error_status\":429}\n" DONE);
}

struct steps {
    struct buf text;
};

static void on_step(const struct output *r, const struct output_step *step, void *ctx)
{
    static const char *const names[] = {"started", "said", "tool", "tool_end", "retry", "usage"};
    struct steps *s = ctx;
    assert_non_null(r);
    buf_printf(&s->text, "%s%s %.*s\n", names[step->kind], step->failed ? "!" : "",
               STR_ARG(step->text));
}

TEST(steps_are_sent_for_each_event)
{
    struct steps steps = {0};
    struct output r;
    static const char out[] =
        INIT "{\"type\":\"assistant\",\"message\":{\"model\":\"opus\",\"content\":[{\"type\":"
             "\"text\",\"text\":\"I will\\nlook.\"},{\"type\":\"tool_use\",\"name\":\"Read\","
             "\"input\":{\"path\":\"a.c\",\"x\":\"y\"}}]}}\n"
             "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\","
             "\"is_error\":true,\"content\":[{\"type\":\"text\",\"text\":\"no such file\"}]}]}}\n"
             "{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":1,"
             "\"retry_delay_ms\":3000,\"error_status\":529,\"error\":\"overloaded\"}\n" DONE;
    read_run(&r,
             &(struct run){.tool = AGENT_CLAUDE, .out = out, .on_step = on_step, .ctx = &steps});
    CHECK_CSTR(buf_str(&steps.text), "started opus\n"
                                     "said I will look.\n"
                                     "tool Read: a.c\n"
                                     "tool_end! no such file\n"
                                     "retry overloaded (status 529), again in 3 s\n"
                                     "usage \n");
    assert_int_equal(r.tool_calls, 1);
    assert_int_equal(r.usage.input_tokens, 3);
    assert_int_equal(r.usage.output_tokens, 4);
    CHECK_CSTR(str_from(r.session), "s1");
    CHECK_CSTR(str_from(r.model), "opus");
    CHECK_CSTR(buf_str(&r.last_message), "all done");
    assert_false(r.hopeless);
    output_done(&r);
    buf_done(&steps.text);
}

#define SAYS(text)                                                                                 \
    "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"" text "\",\"delta\":true}\n"

TEST(pieces_of_gemini_are_sent_as_lines)
{
    struct steps steps = {0};
    struct output r;
    static const char out[] = "{\"type\":\"init\",\"model\":\"pro\"}\n" SAYS("I wi") SAYS(
        "ll look.\\n\\nThen I")
        SAYS(" write") "{\"type\":\"tool_use\",\"tool_name\":\"read\",\"parameters\":{}}\n" SAYS(
            "all ") SAYS("done") "{\"type\":\"result\",\"status\":\"success\"}\n";
    read_run(&r,
             &(struct run){.tool = AGENT_GEMINI, .out = out, .on_step = on_step, .ctx = &steps});
    CHECK_CSTR(buf_str(&steps.text), "started pro\n"
                                     "said I will look.\n"
                                     "said Then I write\n"
                                     "tool read\n"
                                     "said all done\n"
                                     "usage \n");
    CHECK_CSTR(buf_str(&r.last_message), "all done");
    output_done(&r);
    buf_done(&steps.text);
}

TEST(endless_blank_lines_are_not_kept)
{
    struct buf blank = {0};
    while (blank.n < 4u << 20)
        buf_add_char(&blank, '\n');
    CHECK_RUN(OUTCOME_OK, "stdout result.is_error=false", .tool = AGENT_CLAUDE, .out = INIT DONE,
              .err = blank.p);
    struct output r;
    output_init(&r, AGENT_CLAUDE, NOW);
    output_feed(&r, PROCESS_STDOUT, buf_str(&blank));
    output_feed(&r, PROCESS_STDOUT, STR("x"));
    output_feed(&r, PROCESS_STDOUT, buf_str(&blank));
    output_end(&r, &(struct output_end){0});
    CHECK_CSTR(buf_str(&r.last_message), "x");
    output_done(&r);
    buf_done(&blank);
}

TEST(phrases_match_both_apostrophes)
{
    static const struct output_phrase row = {"You've hit", OUTCOME_USAGE_LIMITED};
    assert_non_null(output_find_phrase(&row, 1, STR("You've hit it")));
    assert_non_null(output_find_phrase(&row, 1, STR("You\xe2\x80\x99ve hit it")));
    assert_null(output_find_phrase(&row, 1, STR("You\xe2\x80ve hit it")));
    assert_null(output_find_phrase(&row, 1, STR("You've hi")));
    assert_null(output_find_phrase(&row, 1, STR("I think You've hit it")));
}

TEST(every_status_has_its_class)
{
    static const struct {
        int64_t status;
        enum outcome_class class;
    } rows[] = {
        {400, OUTCOME_REQUEST}, {401, OUTCOME_AUTH},       {402, OUTCOME_BILLING},
        {403, OUTCOME_AUTH},    {404, OUTCOME_MODEL},      {408, OUTCOME_SERVER},
        {413, OUTCOME_REQUEST}, {422, OUTCOME_REQUEST},    {429, OUTCOME_RATE_LIMITED},
        {500, OUTCOME_SERVER},  {502, OUTCOME_SERVER},     {503, OUTCOME_OVERLOADED},
        {504, OUTCOME_SERVER},  {529, OUTCOME_OVERLOADED},
    };
    enum outcome_class class;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(output_find_status_class(rows[i].status, &class));
        assert_int_equal(class, rows[i].class);
    }
    assert_false(output_find_status_class(0, &class));
    assert_false(output_find_status_class(200, &class));
    assert_false(output_find_status_class(600, &class));
}

TEST(zeroed_output_can_be_freed)
{
    struct output r = {0};
    output_done(&r);
    output_init(&r, AGENT_GEMINI, NOW);
    output_feed(&r, PROCESS_STDERR, STR("Attempt 1 failed: half a"));
    output_done(&r);
}
