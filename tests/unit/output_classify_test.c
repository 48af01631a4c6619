#include <stdlib.h>

#include "agent/output.h"
#include "agent/output_internal.h"
#include "base/file.h"
#include "base/jsonw.h"
#include "base/rng.h"
#include "test.h"

#define NOW 1794735000000 /* 2026-11-15T09:30:00Z */

/* Records. */

struct record {
    const struct json *json;
    struct str id, outcome;
};

struct captures {
    struct buf text;
    struct arena arena;
    struct record records[400];
    size_t count;
};

static void captures_load(struct captures *c, const char *name)
{
    struct error err = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/%s", CAPTURES, name);
    *c = (struct captures){0};
    if (!file_read(path, 16u << 20, &c->text, &err))
        fail_msg("%s", err.text);
    struct str rest = buf_str(&c->text), line;
    while (rest.n) {
        str_cut(&rest, '\n', &line);
        const struct json *v = json_parse(&c->arena, line, NULL, NULL);
        assert_non_null(v);
        assert_true(c->count < sizeof c->records / sizeof *c->records);
        c->records[c->count++] = (struct record){.json = v,
                                                 .id = json_str(json_get(v, STR("id"))),
                                                 .outcome = json_str(json_get(v, STR("outcome")))};
    }
}

static void captures_done(struct captures *c)
{
    arena_done(&c->arena);
    buf_done(&c->text);
}

/* The line that classify prints, as text. */
static struct str classify(struct arena *a, const struct json *record)
{
    struct buf out = {0};
    struct error err = {0};
    if (!output_classify(record, NOW, &out, &err))
        fail_msg("%s", err.text);
    struct str line = arena_str(a, buf_str(&out));
    buf_done(&out);
    assert_true(str_ends(line, STR("\n")));
    assert_int_equal(str_find_char(line, '\n'), line.n - 1);
    return line;
}

static void check_labels(const char *name, size_t least)
{
    struct captures c;
    size_t wrong = 0;
    captures_load(&c, name);
    assert_true(c.count >= least);
    for (size_t i = 0; i < c.count; i++) {
        struct str line = classify(&c.arena, c.records[i].json);
        const struct json *v = json_parse(&c.arena, line, NULL, NULL);
        if (str_eq(json_str(json_get(v, STR("outcome"))), c.records[i].outcome))
            continue;
        wrong++;
        print_error("%.*s is %.*s: %.*s", STR_ARG(c.records[i].id), STR_ARG(c.records[i].outcome),
                    STR_ARG(line));
    }
    assert_int_equal(wrong, 0);
    captures_done(&c);
}

TEST(every_capture_gets_its_outcome)
{
    check_labels("captures.jsonl", 73);
}

TEST(captures_of_other_scenarios_modes_and_versions_get_their_outcome)
{
    check_labels("more.jsonl", 100);
}

/* The same records with other text where the model, a tool or the user wrote it, and in ids and
 * paths. What the program itself says of its failure stays. */

struct rewrite {
    struct str words;
    bool is_error;  /* the event is an error: `result` is the program's sentence */
    bool synthetic; /* the program writes instead of the model */
};

static bool is_one_of(struct str key, const char *const *names)
{
    for (; *names; names++)
        if (str_eq(key, str_from(*names)))
            return true;
    return false;
}

static bool is_foreign(struct str key, const struct rewrite *w)
{
    static const char *const always[] = {
        "session_id", "thread_id", "uuid", "id",   "tool_id",      "tool_use_id",
        "request_id", "call_id",   "cwd",  "auto", "original_cwd", "messaging_socket_path",
        "output",     "response",  NULL};
    static const char *const words[] = {"text", "content", "command", "aggregated_output", NULL};
    if (is_one_of(key, always))
        return true;
    if (str_eq(key, STR("result")))
        return !w->is_error;
    return !w->synthetic && is_one_of(key, words);
}

/* Objects that contain only what the model or a tool chose. */
static bool is_foreign_object(struct str key)
{
    static const char *const names[] = {"input",           "arguments",    "parameters",
                                        "tool_use_result", "memory_paths", NULL};
    return is_one_of(key, names);
}

static void rewrite_value(struct jsonw *w, const struct json *v, const struct rewrite *how,
                          bool foreign)
{
    if (json_is(v, JSON_STRING) && foreign) {
        jsonw_str(w, how->words);
    } else if (json_is(v, JSON_OBJECT)) {
        jsonw_object(w);
        JSON_EACH (v, k) {
            struct str key = json_str(k);
            jsonw_key_str(w, key);
            rewrite_value(w, k + 1, how, foreign || is_foreign(key, how) || is_foreign_object(key));
        }
        jsonw_end(w);
    } else if (json_is(v, JSON_ARRAY)) {
        jsonw_array(w);
        JSON_ITEMS (v, item)
            rewrite_value(w, item, how, foreign);
        jsonw_end(w);
    } else {
        jsonw_value(w, v);
    }
}

static void rewrite_event(struct buf *out, const struct json *event, struct str words)
{
    struct jsonw w = jsonw_make(out);
    const struct json *message = json_get(event, STR("message"));
    struct rewrite how = {
        .words = words,
        .is_error = json_bool(json_get(event, STR("is_error"))),
        .synthetic = json_is(json_get(event, STR("error")), JSON_STRING) ||
                     str_eq(json_str(json_get(message, STR("model"))), STR("<synthetic>")),
    };
    rewrite_value(&w, event, &how, false);
    buf_add_char(out, '\n');
}

static void rewrite_stdout(struct arena *a, const struct json *record, struct str words,
                           struct buf *out)
{
    struct str text = json_str(json_get(record, STR("stdout"))), line;
    int64_t code = 0;
    json_i64(json_get(record, STR("exit_code")), &code);
    const struct json *whole = json_parse(a, str_trim(text), NULL, NULL);
    if (json_is(whole, JSON_OBJECT)) {
        rewrite_event(out, whole, words);
        return;
    }
    if (json_is(whole, JSON_ARRAY)) {
        JSON_ITEMS (whole, event) {
            buf_add_char(out, event == whole + 1 ? '[' : ',');
            rewrite_event(out, event, words);
            out->n--; /* no line break inside */
        }
        buf_add(out, STR("]\n"));
        return;
    }
    while (text.n) {
        str_cut(&text, '\n', &line);
        const struct json *event = json_parse(a, line, NULL, NULL);
        if (json_is(event, JSON_OBJECT))
            rewrite_event(out, event, words);
        else if (str_trim(line).n)
            buf_printf(out, "%.*s\n", STR_ARG(code == 0 ? words : line));
    }
}

/* Codex prints the prompt and the answer there, under headings. */
static void rewrite_stderr(const struct json *record, struct str words, struct buf *out)
{
    struct str text = json_str(json_get(record, STR("stderr"))), line;
    struct str report = STR("Full report available at: ");
    bool foreign = false;
    while (text.n) {
        str_cut(&text, '\n', &line);
        if (str_eq(line, STR("user")) || str_eq(line, STR("codex")))
            foreign = true;
        else if (str_starts(line, STR("warning: ")) || str_starts(line, STR("ERROR: ")) ||
                 str_starts(line, STR("mcp startup: ")) || str_eq(line, STR("tokens used")))
            foreign = false;
        else if (foreign)
            line = words;
        else if (str_starts(line, STR("session id: ")) || str_starts(line, STR("workdir: "))) {
            buf_printf(out, "workdir: %.*s\n",
                       STR_ARG(str_head(words, str_find_char(words, '\n'))));
            continue;
        }
        size_t at = str_find(line, report);
        if (!foreign && at < line.n) { /* a path */
            buf_add(out, str_head(line, at + report.n));
            buf_add(out, STR("/tmp/429 rate limit/TerminalQuotaError: x"));
            line = str_skip(line, at + report.n);
        }
        buf_printf(out, "%.*s\n", STR_ARG(line));
    }
}

static const struct json *rewrite_record(struct arena *a, const struct json *record,
                                         struct str words)
{
    struct buf all = {0}, out = {0}, err = {0};
    struct jsonw w = jsonw_make(&all);
    rewrite_stdout(a, record, words, &out);
    rewrite_stderr(record, words, &err);
    jsonw_object(&w);
    JSON_EACH (record, k) {
        struct str key = json_str(k);
        jsonw_key_str(&w, key);
        if (str_eq(key, STR("stdout")))
            jsonw_str(&w, buf_str(&out));
        else if (str_eq(key, STR("stderr")))
            jsonw_str(&w, buf_str(&err));
        else if (str_eq(key, STR("argv"))) {
            size_t last = json_count(k + 1);
            jsonw_array(&w);
            JSON_ITEMS (k + 1, arg)
                jsonw_str(&w, last-- == 1 && last == 0 && json_count(k + 1) > 4 &&
                                      !str_starts(json_str(arg), STR("-"))
                                  ? words
                                  : json_str(arg));
            jsonw_end(&w);
        } else
            jsonw_value(&w, k + 1);
    }
    jsonw_end(&w);
    const struct json *made = json_parse(a, arena_str(a, buf_str(&all)), NULL, NULL);
    buf_done(&all);
    buf_done(&out);
    buf_done(&err);
    assert_non_null(made);
    return made;
}

static const char *const traps[] = {
    "hello",
    "",
    "rate limit exceeded: 429 Too Many Requests",
    "src/limiter.py:429: usage limit reached|1760000000",
    "429",
    "resource exhausted RESOURCE_EXHAUSTED quota",
    "overloaded_error 529 503 Service Unavailable",
    "invalid api key 401 Unauthorized authentication_error",
    "You've hit your usage limit. Try again at 11:10 AM.",
    "You\xe2\x80\x99ve hit your session limit \xc2\xb7 resets 3pm (UTC)",
    "API Error: Request rejected (429) \xc2\xb7 slow down",
    "Claude AI usage limit reached|1755615600",
    "Credit balance is too low",
    "Quota exceeded. Check your plan and billing details.",
    "ERROR: exceeded retry limit, last status: 429 Too Many Requests",
    "[API Error: You have exhausted your daily quota on this model. Please retry in 8h12m.]",
    "Attempt 1 failed: full. Retrying after 19570348ms...",
    "Error when talking to Gemini API Full report available at: /x.json TerminalQuotaError: gone\n"
    "    at x {\n  status: 429\n}",
    "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true,\"api_error_status\":429}",
    "{\"type\":\"turn.failed\",\"error\":{\"message\":\"Quota exceeded.\"}}",
    "{\n  \"error\": {\n    \"message\": \"x\",\n    \"code\": 429\n  }\n}",
    "limit: 0, model: x\nERROR: Quota exceeded.\nPlease retry in 59s.\nMax attempts reached\n"
    "API Error: 529 Overloaded\nCannot use this model\nNot logged in \xc2\xb7 Please run /login",
};

/* Neither the outcome nor its evidence changes. */
static bool is_the_same(const struct record *record, const char *words)
{
    struct arena a = {0};
    struct str want = classify(&a, record->json), from = STR("\"outcome\"");
    /* an empty answer is not an answer in text mode */
    bool gone = words[0] == '\0' && str_find(want, STR("exit_code=0 (text)")) < want.n;
    struct str got = classify(&a, rewrite_record(&a, record->json, str_from(words)));
    got = str_skip(got, str_find(got, from));
    want = str_skip(want, str_find(want, from));
    bool same = gone || str_eq(got, want);
    if (!same)
        print_error("%.*s with \"%s\"\n  got  %.*s\n  want %.*s\n", STR_ARG(record->id), words,
                    STR_ARG(str_head(got, 500)), STR_ARG(str_head(want, 500)));
    arena_done(&a);
    return same;
}

static void check_traps(const char *name)
{
    struct captures c;
    size_t wrong = 0;
    captures_load(&c, name);
    for (size_t i = 0; i < c.count; i++)
        for (size_t t = 0; t < sizeof traps / sizeof *traps; t++)
            wrong += !is_the_same(&c.records[i], traps[t]);
    captures_done(&c);
    assert_int_equal(wrong, 0);
}

TEST(text_of_the_model_or_a_tool_does_not_change_the_outcome)
{
    check_traps("captures.jsonl");
    check_traps("more.jsonl");
}

/* As in a live run: no command line, output in pieces. */

static void read_live(const struct json *record, size_t piece, struct rng *rng, struct output *r)
{
    struct output_end end = {.session_log = json_str(json_get(record, STR("rollout")))};
    static const char *const keys[] = {"stdout", "stderr"};
    json_i64(json_get(record, STR("exit_code")), &end.exit_code);
    output_init(r, agent_kind_find(json_str(json_get(record, STR("tool")))), NOW);
    for (size_t i = 0; i < 2; i++) {
        struct str s = json_str(json_get(record, str_from(keys[i])));
        while (s.n) {
            size_t n = piece ? piece : 1 + (size_t)rng_below(rng, 300);
            output_feed(r, i ? PROCESS_STDERR : PROCESS_STDOUT, str_head(s, n));
            s = str_skip(s, n);
        }
    }
    output_end(r, &end);
}

TEST(pieces_of_any_size_give_the_same_outcome)
{
    struct captures c;
    struct rng rng;
    rng_seed(&rng, 7);
    captures_load(&c, "captures.jsonl");
    for (size_t i = 0; i < c.count; i++) {
        struct output whole, bytes, some;
        read_live(c.records[i].json, SIZE_MAX, &rng, &whole);
        read_live(c.records[i].json, 1, &rng, &bytes);
        read_live(c.records[i].json, 0, &rng, &some);
        CHECK_CSTR(str_from(outcome_name(whole.outcome.class)), outcome_name(bytes.outcome.class));
        CHECK_CSTR(str_from(whole.outcome.evidence), bytes.outcome.evidence);
        CHECK_CSTR(str_from(whole.outcome.evidence), some.outcome.evidence);
        CHECK_STR(buf_str(&whole.last_message), buf_str(&bytes.last_message));
        CHECK_STR(buf_str(&whole.last_message), buf_str(&some.last_message));
        assert_int_equal(whole.outcome.until, bytes.outcome.until);
        assert_int_equal(whole.tool_calls, some.tool_calls);
        output_done(&whole);
        output_done(&bytes);
        output_done(&some);
    }
    captures_done(&c);
}

/* The form. */

static void check_line(const char *record, const char *want)
{
    struct arena a = {0};
    const struct json *v = json_parse(&a, str_from(record), NULL, NULL);
    assert_non_null(v);
    CHECK_CSTR(classify(&a, v), want);
    arena_done(&a);
}

TEST(record_becomes_one_line)
{
    check_line("{\"id\":\"a\",\"tool\":\"mock\",\"exit_code\":0,\"stdout\":"
               "\"{\\\"type\\\":\\\"mock.completed\\\",\\\"text\\\":\\\"x\\\"}\"}",
               "{\"id\":\"a\",\"outcome\":\"ok\",\"until\":null,"
               "\"evidence\":\"stdout mock.completed\"}\n");
    check_line("{\"id\":7,\"tool\":\"mock\",\"exit_code\":1,\"stdout\":"
               "\"{\\\"type\\\":\\\"mock.failed\\\",\\\"outcome\\\":\\\"usage_limited\\\","
               "\\\"until\\\":1794742430,\\\"model_only\\\":true,\\\"message\\\":\\\"m\\\"}\"}",
               "{\"id\":7,\"outcome\":\"usage_limited\",\"until\":\"2026-11-15T11:33:50.000Z\","
               "\"evidence\":"
               "\"stdout mock.failed.outcome=usage_limited\",\"message\":\"m\","
               "\"model_only\":true}\n");
    check_line(
        "{\"tool\":\"mock\",\"exit_code\":0,\"stdout\":"
        "\"{\\\"type\\\":\\\"mock.warning\\\",\\\"used\\\":0.5,"
        "\\\"resets_at\\\":1794742430}\\n{\\\"type\\\":\\\"mock.completed\\\"}\"}",
        "{\"id\":null,\"outcome\":\"ok\",\"until\":null,\"evidence\":\"stdout "
        "mock.completed\",\"warning\":{\"used\":0.5,\"resets_at\":\"2026-11-15T11:33:50.000Z\","
        "\"window\":\"mock\"}}\n");
}

TEST(record_may_end_with_a_signal_or_a_kill)
{
    check_line("{\"tool\":\"codex-cli\",\"exit_code\":-15}",
               "{\"id\":null,\"outcome\":\"killed\",\"until\":null,\"evidence\":\"signal=15\"}\n");
    check_line("{\"tool\":\"codex-cli\",\"exit_code\":null,\"killed\":true}",
               "{\"id\":null,\"outcome\":\"killed\",\"until\":null,\"evidence\":\"killed\"}\n");
    check_line("{\"tool\":\"gemini-cli\",\"exit_code\":0,\"timed_out\":true,\"killed\":true}",
               "{\"id\":null,\"outcome\":\"budget\",\"until\":null,\"evidence\":\"timed_out\"}\n");
    /* a kill during a wait for a limit had another reason */
    check_line("{\"tool\":\"gemini-cli\",\"exit_code\":0,\"killed\":true,\"stderr\":"
               "\"Attempt 1 failed: x. Retrying after 19570348ms...\\n\"}",
               "{\"id\":null,\"outcome\":\"killed\",\"until\":null,\"evidence\":\"killed\"}\n");
}

TEST(times_in_words_are_relative_to_the_record)
{
    check_line("{\"tool\":\"claude-code-cli\",\"exit_code\":1,\"argv\":[\"claude\",\"-p\"],"
               "\"at\":\"2026-11-20T10:00:00+01:00\","
               "\"stdout\":\"You've hit your limit \\u00b7 resets 9:30am (UTC)\"}",
               "{\"id\":null,\"outcome\":\"usage_limited\",\"until\":\"2026-11-20T09:30:00.000Z\","
               "\"evidence\":"
               "\"stdout line 1 \\\"You've hit your\\\"\",\"message\":\"You've hit your limit "
               "\xc2\xb7 resets 9:30am (UTC)\"}\n");
}

/* The command line distinguishes an answer in JSON from a stream of events. */
TEST(command_line_decides_the_format_of_stdout)
{
    static const struct {
        const char *tool, *argv, *outcome;
    } rows[] = {
        {"claude-code", "\"claude\",\"-p\"", "ok"},
        {"claude-code", "\"claude\",\"-p\",\"--output-format\",\"text\"", "ok"},
        {"claude-code", "\"claude\",\"-p\",\"--output-format\",\"stream-json\"", "rate_limited"},
        {"claude-code", "\"claude\",\"-p\",\"--output-format=json\"", "rate_limited"},
        {"claude-code", "\"claude\",\"-p\",\"--output-format\",\"text\",\"json\"", "ok"},
        {"claude-code", "\"claude\",\"-p\",\"-o\",\"json\"", "ok"},
        {"codex-cli", "\"codex\",\"exec\",\"-o\",\"json\"", "ok"},
        {"codex-cli", "\"codex\",\"exec\",\"--json\"", "rate_limited"},
        {"gemini-cli", "\"gemini\",\"-p\",\"x\"", "ok"},
        {"gemini-cli", "\"gemini\",\"-o\",\"stream-json\"", "rate_limited"},
        {"cursor-cli", "\"cursor-agent\",\"-p\"", "ok"},
        {"claude-code", "", "rate_limited"},
        {"codex-cli", "", "rate_limited"},
    };
    static const char stdout_text[] =
        "{\\\"type\\\":\\\"result\\\",\\\"is_error\\\":true,\\\"api_error_status\\\":429,"
        "\\\"status\\\":\\\"error\\\",\\\"error\\\":{\\\"message\\\":"
        "\\\"{\\\\\\\"error\\\\\\\":{\\\\\\\"code\\\\\\\":429}}\\\"}}\\n"
        "{\\\"type\\\":\\\"turn.failed\\\",\\\"error\\\":{\\\"message\\\":"
        "\\\"exceeded retry limit, last status: 429\\\"}}\\n";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct str record =
            arena_printf(&a, "{\"tool\":\"%s\",\"exit_code\":0,\"argv\":[%s],\"stdout\":\"%s\"}",
                         rows[i].tool, rows[i].argv, stdout_text);
        struct str line = classify(&a, json_parse(&a, record, NULL, NULL));
        const struct json *v = json_parse(&a, line, NULL, NULL);
        CHECK_CSTR(json_str(json_get(v, STR("outcome"))), rows[i].outcome);
        arena_done(&a);
    }
}

TEST(invalid_record_is_rejected)
{
    static const struct {
        const char *record, *why;
    } rows[] = {
        {"[]", "a record is an object, not an array"},
        {"{}", "unknown tool \"\" in the record"},
        {"{\"tool\":\"aider\",\"exit_code\":0}", "unknown tool \"aider\" in the record"},
        {"{\"tool\":\"mock\"}", "the record's exit_code is missing, not an integer"},
        {"{\"tool\":\"mock\",\"exit_code\":\"0\"}",
         "the record's exit_code is a string, not an integer"},
        {"{\"tool\":\"mock\",\"exit_code\":0,\"at\":\"now\"}",
         "\"now\" is not an RFC 3339 time: the date is not YYYY-MM-DD"},
    };
    struct arena a = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        struct buf out = {0};
        const struct json *v = json_parse(&a, str_from(rows[i].record), NULL, NULL);
        assert_false(output_classify(v, NOW, &out, &err));
        CHECK_CSTR(str_from(err.text), rows[i].why);
        assert_int_equal(out.n, 0);
    }
    assert_false(output_classify(NULL, NOW, &(struct buf){0}, NULL));
    arena_done(&a);
}
