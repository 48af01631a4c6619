/* Gemini CLI: `gemini -o stream-json`, also json and text.
 *
 * "result" is success or error. Details of an error are in the sentence after "[API Error: ", in
 * the object that the program prints on stderr (status, cause, reason, retryDelayMs; in json mode
 * an error object), and in the exit code, which is the HTTP status modulo 256 (429: 173). After a
 * signal it exits with 0 and without a result. The "retry in 59s" of a daily quota is wrong. */
#include "agent/output_internal.h"
#include "base/mem.h"
#include "base/when_text.h"

#define TEXT_MAX 4096u

enum gemini_place { /* on stderr */
    ELSEWHERE,
    IN_MESSAGE, /* the first lines of the object */
    IN_FIELDS,
    IN_CAUSE, /* the text of cause.message */
    IN_RETRY, /* a sentence that may continue */
    IN_JSON   /* the error object of json mode */
};

struct gemini_output {
    struct output_facts facts;
    bool ended, failed, answered; /* result; json mode: the answer */
    size_t sent;                  /* bytes of the last message that were sent as steps */
    char type[48];                /* result.error.type, else of the error object */
    char text[TEXT_MAX];          /* the error: result.error.message, else the object's */
    /* the last object on stderr */
    bool has_object;
    enum gemini_place place;
    char name[48]; /* TerminalQuotaError */
    int64_t status;
    char reason[64];
    int64_t retry_ms; /* 0: unknown */
    struct buf words, cause, retry, json;
    int64_t json_code;
    bool json_out; /* the error object was on stdout */
};

static struct gemini_output *get_state(const struct output *r)
{
    return (struct gemini_output *)(void *)r->facts;
}

static void free_state(struct output *r)
{
    struct gemini_output *g = get_state(r);
    buf_done(&g->words);
    buf_done(&g->cause);
    buf_done(&g->retry);
    buf_done(&g->json);
}

static bool has_phrase(struct str text, const char *phrase)
{
    return text.n && str_find(text, str_from(phrase)) < text.n;
}

/* Events. */

static bool is_opening(const struct json *e)
{
    return str_eq(output_field(e, "type"), STR("init"));
}

static void read_stats(struct output *r, const struct json *stats)
{
    uint64_t n;
    if (json_u64(json_get(stats, STR("input_tokens")), &n))
        r->usage.input_tokens = n;
    if (json_u64(json_get(stats, STR("output_tokens")), &n))
        r->usage.output_tokens = n;
    output_send_step(r, OUTPUT_USAGE, (struct str){0}, false);
}

static void read_result(struct output *r, const struct json *e)
{
    struct gemini_output *g = get_state(r);
    const struct json *error = json_get(e, STR("error"));
    g->ended = true;
    g->failed = !str_eq(output_field(e, "status"), STR("success"));
    if (g->failed) {
        struct str text = output_field(error, "message"), start = STR("[API Error: ");
        if (str_starts(text, start)) { /* up to the bracket; advice follows */
            text = str_skip(text, start.n);
            size_t advice = str_find(text, STR("]\n"));
            text = str_head(text, advice < text.n ? advice : text.n - str_ends(text, STR("]")));
        }
        output_copy_line(g->type, sizeof g->type, output_field(error, "type"));
        output_copy_line(g->text, sizeof g->text, text);
    }
    read_stats(r, json_get(e, STR("stats")));
}

/* A message arrives in pieces that end anywhere. Send its whole lines, and at the end the rest. */
static void send_lines(struct output *r, bool is_end)
{
    struct gemini_output *g = get_state(r);
    struct str rest = str_skip(buf_str(&r->last_message), g->sent), line;
    while (str_cut(&rest, '\n', &line) || (is_end && line.n)) {
        g->sent = r->last_message.n - rest.n;
        if (str_trim(line).n)
            output_send_step(r, OUTPUT_SAID, line, false);
    }
}

static void read_message(struct output *r, const struct json *e)
{
    struct gemini_output *g = get_state(r);
    struct str text = output_field(e, "content");
    bool is_piece = json_bool(json_get(e, STR("delta")));
    if (!str_eq(output_field(e, "role"), STR("assistant")))
        return;
    if (is_piece) {
        output_add_last_message(r, text);
    } else {
        send_lines(r, true);
        g->sent = 0;
        output_set_last_message(r, text);
    }
    if (!is_piece || str_find_char(text, '\n') < text.n) /* look for lines only if one ended */
        send_lines(r, !is_piece);
}

static void read_event(struct output *r, const struct json *e)
{
    struct str type = output_field(e, "type");
    output_update_clock(r, json_get(e, STR("timestamp")));
    if (str_eq(type, STR("init"))) {
        output_copy_line(r->session, sizeof r->session, output_field(e, "session_id"));
        output_copy_line(r->model, sizeof r->model, output_field(e, "model"));
        output_send_step(r, OUTPUT_STARTED, str_from(r->model), false);
    } else if (str_eq(type, STR("message"))) {
        read_message(r, e);
    } else if (str_eq(type, STR("tool_use"))) {
        r->tool_calls++;
        send_lines(r, true);
        buf_clear(&r->last_message); /* a message before a tool call is not the last one */
        get_state(r)->sent = 0;
        output_send_tool_step(r, output_field(e, "tool_name"), json_get(e, STR("parameters")));
    } else if (str_eq(type, STR("tool_result"))) {
        output_send_step(r, OUTPUT_TOOL_END, output_field(e, "output"),
                         !str_eq(output_field(e, "status"), STR("success")));
    } else if (str_eq(type, STR("result"))) {
        send_lines(r, true);
        read_result(r, e);
    }
}

/* {"type", "message", "code"} of json mode. */
static void read_error(struct gemini_output *g, const struct json *error)
{
    struct str message = output_field(error, "message");
    if (!json_is(error, JSON_OBJECT))
        return;
    json_i64(json_get(error, STR("code")), &g->json_code);
    if (!g->ended && !str_eq(message, STR("[object Object]"))) {
        output_copy_line(g->type, sizeof g->type, output_field(error, "type"));
        output_copy_line(g->text, sizeof g->text, message);
    }
}

/* json mode: {"session_id", "response", "stats"}, or an error in place of the response. */
static void read_whole(struct output *r, const struct json *v)
{
    struct gemini_output *g = get_state(r);
    const struct json *response = json_get(v, STR("response"));
    bool known = json_get(v, STR("session_id")) || json_get(v, STR("stats"));
    if (!known || !json_is(response, JSON_STRING)) {
        if (known)
            read_error(g, json_get(v, STR("error")));
        g->json_out = g->json_code != 0;
        return;
    }
    g->answered = true;
    output_copy_line(r->session, sizeof r->session, output_field(v, "session_id"));
    output_set_last_message(r, json_str(response));
    const struct json *models = json_get(json_get(v, STR("stats")), STR("models"));
    JSON_EACH (models, k) {
        const struct json *tokens = json_get(k + 1, STR("tokens"));
        uint64_t n;
        if (json_u64(json_get(tokens, STR("prompt")), &n) && n < UINT32_MAX)
            r->usage.input_tokens += n;
        if (json_u64(json_get(tokens, STR("candidates")), &n) && n < UINT32_MAX)
            r->usage.output_tokens += n;
    }
    uint64_t calls;
    const struct json *tools = json_get(json_get(v, STR("stats")), STR("tools"));
    if (json_u64(json_get(tools, STR("totalCalls")), &calls) && calls < UINT32_MAX)
        r->tool_calls = (uint32_t)calls;
}

/* stderr. */

static void keep_line(struct buf *b, struct str line)
{
    b->max = TEXT_MAX;
    if (b->n + 1 < TEXT_MAX)
        buf_add(b, str_head(line, TEXT_MAX - b->n - 1));
    buf_add_char(b, '\n');
}

/* "Error when talking to Gemini API Full report available at: PATH.json NAME: sentence". */
static void begin_object(struct gemini_output *g, struct str line)
{
    size_t path = str_find(line, STR(".json "));
    struct str rest = path < line.n ? str_skip(line, path + 6) : line, name;
    g->has_object = true;
    g->place = IN_MESSAGE;
    g->status = g->retry_ms = 0;
    g->reason[0] = g->name[0] = 0;
    buf_clear(&g->words);
    buf_clear(&g->cause);
    if (str_cut(&rest, ':', &name) && name.n < sizeof g->name && str_find_char(name, ' ') == name.n)
        output_copy_line(g->name, sizeof g->name, name);
    keep_line(&g->words, str_trim(rest));
}

/* Read "  status: 429," with this indentation. */
static bool read_number_field(struct str line, struct str start, int64_t *out)
{
    if (!str_starts(line, start))
        return false;
    struct str value = str_trim(str_skip(line, start.n));
    if (str_ends(value, STR(",")))
        value.n--;
    return str_to_i64(value, out);
}

static void read_field(struct gemini_output *g, struct str line)
{
    struct str reason = STR("  reason: '");
    int64_t n;
    if (str_eq(line, STR("}"))) {
        g->place = ELSEWHERE;
    } else if (read_number_field(line, STR("  status: "), &n) ||
               read_number_field(line, STR("  code: "), &n) ||
               read_number_field(line, STR("    code: "), &n)) {
        if (n >= 400 && n < 600)
            g->status = n;
    } else if (read_number_field(line, STR("  retryDelayMs: "), &n)) {
        g->retry_ms = n;
    } else if (str_starts(line, reason)) {
        struct str value = str_skip(line, reason.n);
        output_copy_line(g->reason, sizeof g->reason, str_head(value, str_find_char(value, '\'')));
    } else if (str_starts(line, STR("    message: "))) {
        g->place = IN_CAUSE;
        keep_line(&g->cause, str_skip(line, 13));
    }
}

/* "Attempt 1 failed: sentence\nmore of it. Retrying after 5354ms..." */
static void read_retry(struct output *r, struct str line)
{
    struct gemini_output *g = get_state(r);
    struct str start = STR("Retrying after ");
    size_t at = str_find(line, start);
    struct str span = str_skip(line, at + start.n);
    uint64_t ms;
    keep_line(&g->retry, line);
    if (at == line.n || !when_text_span(str_head(span, str_find(span, STR("..."))), &ms)) {
        if (g->retry.n + 2 > TEXT_MAX || has_phrase(line, "Max attempts") ||
            has_phrase(line, "with backoff"))
            g->place = ELSEWHERE;
        return;
    }
    g->place = ELSEWHERE;
    output_send_step(r, OUTPUT_RETRY, buf_str(&g->retry), false);
    bool full = has_phrase(buf_str(&g->retry), "No capacity available");
    if (ms > OUTPUT_HOPELESS_MS)
        output_give_up(r,
                       full                   ? OUTCOME_OVERLOADED
                       : ms >= OUTPUT_LONG_MS ? OUTCOME_USAGE_LIMITED
                                              : OUTCOME_RATE_LIMITED,
                       (int64_t)ms, "stderr: Retrying after so many ms");
}

static void end_json(struct output *r)
{
    struct gemini_output *g = get_state(r);
    g->place = ELSEWHERE;
    arena_reset(&r->arena);
    const struct json *v = json_parse(&r->arena, buf_str(&g->json), NULL, NULL);
    read_error(g, json_get(v, STR("error")));
}

static void read_stderr_line(struct output *r, struct str text)
{
    struct gemini_output *g = get_state(r);
    if (str_starts(text, STR("Error when talking to Gemini API"))) {
        begin_object(g, text);
    } else if (str_starts(text, STR("Attempt ")) && str_find(text, STR(" failed")) < 20) {
        buf_clear(&g->retry);
        g->place = IN_RETRY;
        read_retry(r, text);
    } else if (str_eq(text, STR("{"))) {
        buf_clear(&g->json);
        g->place = IN_JSON;
        keep_line(&g->json, text);
    } else if (g->place == IN_JSON) {
        keep_line(&g->json, text);
        if (str_eq(text, STR("}")))
            end_json(r);
    } else if (g->place == IN_RETRY) {
        read_retry(r, text);
    } else if (g->place == IN_MESSAGE) {
        if (str_starts(text, STR("    at ")))
            g->place = IN_FIELDS;
        else
            keep_line(&g->words, text);
    } else if (g->place == IN_CAUSE) {
        if (str_starts(text, STR("      ")))
            keep_line(&g->cause, str_trim(text));
        else
            g->place = IN_FIELDS;
    } else if (g->place == IN_FIELDS) {
        read_field(g, text);
    } else if (str_starts(text, STR("MCP issues detected")) ||
               str_starts(text, STR("Error during discovery for MCP server '" OUTPUT_MCP_NAME))) {
        r->mcp_failed = true;
    }
}

/* The end. */

/* Whether the provider's message contains the phrase, wherever the program printed it. */
static bool mentions_phrase(const struct gemini_output *g, const char *phrase)
{
    return has_phrase(str_from(g->text), phrase) || has_phrase(buf_str(&g->words), phrase) ||
           has_phrase(buf_str(&g->cause), phrase);
}

static bool begins_with(const struct gemini_output *g, struct str phrase)
{
    return str_starts(str_from(g->text), phrase) || str_starts(buf_str(&g->words), phrase);
}

/* "limit: 0": the plan does not include this, so waiting does not help. */
static bool has_zero_limit(struct str text)
{
    struct str zero = STR("limit: 0");
    size_t at = str_find(text, zero);
    struct str after = str_skip(text, at + zero.n);
    return at < text.n && !(after.n && ((after.p[0] >= '0' && after.p[0] <= '9') ||
                                        (after.p[0] == '.' && after.n > 1)));
}

static int64_t find_exit_status(int64_t code)
{
    return code >= 144 && code <= 255 ? code + 256 : 0;
}

/* Find the status in a sentence that is only {"error":{"code":400,...}}. */
static int64_t find_body_status(struct output *r, struct str text)
{
    int64_t status = 0;
    text = str_trim(text);
    if (!str_starts(text, STR("{")))
        return 0;
    arena_reset(&r->arena);
    const struct json *body = json_parse(&r->arena, text, NULL, NULL);
    json_i64(json_get(json_get(body, STR("error")), STR("code")), &status);
    return status;
}

/* Find the status of an error that has only a name. */
static int64_t find_name_status(struct str name)
{
    static const struct {
        const char *name;
        int64_t status;
    } rows[] = {
        {"BadRequestError", 400},    {"UnauthorizedError", 401},   {"ForbiddenError", 403},
        {"ModelNotFoundError", 404}, {"RetryableQuotaError", 429}, {"TerminalQuotaError", 429},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(name, str_from(rows[i].name)))
            return rows[i].status;
    return 0;
}

struct error_cause {
    int64_t status;
    char where[80]; /* the evidence */
};

static struct error_cause find_cause(struct output *r, const struct output_end *end)
{
    struct gemini_output *g = get_state(r);
    struct error_cause c = {0};
    const char *where = "stdout result.error.message code";
    if (g->has_object && g->status)
        c.status = g->status, where = "stderr status";
    else if (g->json_code >= 400 && g->json_code < 600)
        c.status = g->json_code, where = g->json_out ? "stdout error.code" : "stderr error.code";
    else
        c.status = find_body_status(r, str_from(g->text));
    snprintf(c.where, sizeof c.where, "%s=%lld", where, (long long)c.status);
    if (!c.status && (c.status = find_name_status(str_from(g->name))))
        snprintf(c.where, sizeof c.where, "stderr %s", g->name);
    if (!c.status) {
        c.status = find_exit_status(end->exit_code);
        snprintf(c.where, sizeof c.where, "exit_code=%lld (%lld mod 256)",
                 (long long)end->exit_code, (long long)c.status);
    }
    return c;
}

/* Return the wait of the hint in ms, or 0. */
static int64_t find_hint_ms(const struct gemini_output *g)
{
    int64_t at;
    if (g->retry_ms > 0)
        return g->retry_ms;
    if (when_text_find(buf_str(&g->cause), 1, &at) || when_text_find(str_from(g->text), 1, &at) ||
        when_text_find(buf_str(&g->words), 1, &at))
        return at > 1 ? at - 1 : 0;
    return 0;
}

static void set_quota_outcome(struct output *r, const struct error_cause *cause,
                              const struct output_end *end)
{
    struct gemini_output *g = get_state(r);
    struct str reason = str_from(g->reason);
    int64_t wait = find_hint_ms(g);
    bool day = mentions_phrase(g, "daily quota") || mentions_phrase(g, "PerDay") ||
               mentions_phrase(g, "per day");
    if (str_eq(reason, STR("MODEL_CAPACITY_EXHAUSTED")) ||
        begins_with(g, STR("No capacity available")))
        output_set_outcome(r, OUTCOME_OVERLOADED, "%s, no capacity", cause->where);
    else if (str_eq(reason, STR("INSUFFICIENT_G1_CREDITS_BALANCE")))
        output_set_outcome(r, OUTCOME_BILLING, "stderr reason=%s", g->reason);
    else if (str_eq(reason, STR("VALIDATION_REQUIRED")))
        output_set_outcome(r, OUTCOME_AUTH, "stderr reason=%s", g->reason);
    else if (has_zero_limit(str_from(g->text)) || has_zero_limit(buf_str(&g->cause)))
        output_set_outcome(r, OUTCOME_BILLING, "%s, limit: 0", cause->where);
    else if (str_eq(reason, STR("QUOTA_EXHAUSTED")))
        output_set_outcome(r, OUTCOME_USAGE_LIMITED, "stderr reason=%s", g->reason);
    else if (str_eq(reason, STR("RATE_LIMIT_EXCEEDED")))
        output_set_outcome(r, OUTCOME_RATE_LIMITED, "stderr reason=%s", g->reason);
    else if (day)
        output_set_outcome(r, OUTCOME_USAGE_LIMITED, "%s, quota of the day", cause->where);
    else if (wait >= OUTPUT_LONG_MS)
        output_set_outcome(r, OUTCOME_USAGE_LIMITED, "%s, resets in %lld s", cause->where,
                           (long long)wait / 1000);
    else
        output_set_outcome(r, OUTCOME_RATE_LIMITED, "%s", cause->where);
    if (r->outcome.class == OUTCOME_USAGE_LIMITED || r->outcome.class == OUTCOME_BILLING)
        r->outcome.model_only =
            mentions_phrase(g, "on this model") || mentions_phrase(g, ", model: ");
    bool limit =
        r->outcome.class == OUTCOME_USAGE_LIMITED || r->outcome.class == OUTCOME_RATE_LIMITED;
    bool is_wrong = day && wait < OUTPUT_LONG_MS;
    if (limit && wait > 0 && !is_wrong)
        output_set_until(r, output_read_clock(r, end) + wait,
                         g->retry_ms > 0 ? UNTIL_FIELD : UNTIL_TEXT);
}

static bool find_exit_class(int64_t code, enum outcome_class *class)
{
    static const struct {
        int64_t code;
        enum outcome_class class;
    } rows[] = {
        {41, OUTCOME_AUTH},   {42, OUTCOME_LAUNCH}, {44, OUTCOME_LAUNCH},
        {52, OUTCOME_LAUNCH}, {53, OUTCOME_BUDGET}, {55, OUTCOME_LAUNCH},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == code) {
            *class = rows[i].class;
            return true;
        }
    return false;
}

static bool find_type_class(struct str type, enum outcome_class *class)
{
    static const struct output_phrase rows[] = {
        {"FatalAuthenticationError", OUTCOME_AUTH}, {"FatalInputError", OUTCOME_LAUNCH},
        {"FatalSandboxError", OUTCOME_LAUNCH},      {"FatalConfigError", OUTCOME_LAUNCH},
        {"FatalTurnLimitedError", OUTCOME_BUDGET},  {"FatalUntrustedWorkspace", OUTCOME_LAUNCH},
        {"FatalCancellationError", OUTCOME_KILLED}, {"ModelNotFoundError", OUTCOME_MODEL},
        {"ValidationRequiredError", OUTCOME_AUTH},
    };
    const struct output_phrase *row = output_find_phrase(rows, sizeof rows / sizeof *rows, type);
    if (row)
        *class = row->class;
    return row;
}

/* Drop the object on stderr if its sentence is not that of this failure: a tool may have printed
 * it. */
static void check_object(struct gemini_output *g)
{
    struct str text = str_from(g->text), words = str_trim(buf_str(&g->words));
    words = str_head(words, str_find_char(words, '\n'));
    words = str_trim(str_head(words, 60));
    if (!g->has_object || !text.n || str_starts(text, words))
        return;
    g->has_object = false;
    g->name[0] = g->reason[0] = 0;
    g->retry_ms = 0;
    buf_clear(&g->words);
    buf_clear(&g->cause);
}

static void set_failure(struct output *r, const struct output_end *end)
{
    struct gemini_output *g = get_state(r);
    enum outcome_class class;
    check_object(g);
    output_set_message(r, g->text[0] ? str_from(g->text) : str_trim(buf_str(&g->words)));
    if (find_type_class(str_from(g->type), &class))
        output_set_outcome(r, class, "%s=%s",
                           g->ended ? "stdout result.error.type" : "stderr error.type", g->type);
    if (find_exit_class(end->exit_code, &class))
        output_set_outcome(r, class, "exit_code=%lld", (long long)end->exit_code);
    if (find_type_class(str_from(g->name), &class))
        output_set_outcome(r, class, "stderr %s", g->name);
    if (r->outcome.evidence[0])
        return;
    struct error_cause cause = find_cause(r, end);
    bool key = mentions_phrase(g, "API_KEY_INVALID") || begins_with(g, STR("API key not valid")) ||
               begins_with(g, STR("API key expired"));
    if (cause.status == 429)
        set_quota_outcome(r, &cause, end);
    else if (cause.status == 400 && key)
        output_set_outcome(r, OUTCOME_AUTH, "%s, API_KEY_INVALID", cause.where);
    else if (output_find_status_class(cause.status, &class))
        output_set_outcome(r, class, "%s", cause.where);
    else if (begins_with(g, STR("models/")) && mentions_phrase(g, " is not found"))
        output_set_outcome(r, OUTCOME_MODEL, "stdout result.error: no such model");
    else if (g->ended || g->has_object)
        output_set_outcome(r, OUTCOME_SERVER,
                           g->ended ? "stdout result.status=error"
                                    : "stderr: Error when talking to Gemini API");
}

static void decide_outcome(struct output *r, const struct output_end *end)
{
    struct gemini_output *g = get_state(r);
    if (g->ended && g->failed) {
        set_failure(r, end);
    } else if ((g->ended || g->answered) && end->exit_code == 0) {
        output_set_outcome(r, OUTCOME_OK,
                           g->ended ? "stdout result.status=success" : "stdout response");
    } else if (g->ended || g->answered) {
        output_set_outcome(r, OUTCOME_INCOMPLETE, "stdout says success, but exit_code=%lld",
                           (long long)end->exit_code);
    } else if (end->exit_code) {
        set_failure(r, end);
    }
}

const struct output_reader output_gemini = {.size = sizeof(struct gemini_output),
                                            .is_opening = is_opening,
                                            .read_event = read_event,
                                            .read_stderr_line = read_stderr_line,
                                            .read_whole = read_whole,
                                            .decide_outcome = decide_outcome,
                                            .free_state = free_state};
