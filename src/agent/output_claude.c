/* Claude Code: `claude -p --output-format stream-json`, also json and text.
 *
 * The last event is "result". Its is_error decides, because its subtype is "success" for a refused
 * request. Before it, a rate_limit_event reports a subscription's limit and names the window;
 * without a window it is a temporary limit of the server. The sentence in `result` is written by
 * the program, not by the model, only after a synthetic message or with a status. */
#include "agent/output_internal.h"
#include "base/mem.h"

struct claude_output {
    struct output_facts facts;
    /* the last rate_limit_event */
    bool rejected;
    char window[32];
    int64_t resets_at;
    /* the last message written by the program instead of the model */
    bool synthetic;
    int64_t status;
    char error[48], api_error[64], api_type[64];
    /* the result */
    bool ended, is_error;
    char subtype[48], reason[48];
    char text[2048];  /* of the result if it is an error, else of the synthetic message */
    uint32_t refused; /* permission_denied events */
};

static struct claude_output *get_state(const struct output *r)
{
    return (struct claude_output *)(void *)r->facts;
}

static bool is_opening(const struct json *e)
{
    return str_eq(output_field(e, "type"), STR("system")) &&
           str_eq(output_field(e, "subtype"), STR("init"));
}

static void read_init(struct output *r, const struct json *e)
{
    const struct json *servers = json_get(e, STR("mcp_servers"));
    output_copy_line(r->session, sizeof r->session, output_field(e, "session_id"));
    output_copy_line(r->model, sizeof r->model, output_field(e, "model"));
    JSON_ITEMS (servers, server) {
        bool ours = str_eq(output_field(server, "name"), STR(OUTPUT_MCP_NAME));
        if ((ours || json_count(servers) == 1) &&
            str_eq(output_field(server, "status"), STR("failed")))
            r->mcp_failed = true;
    }
    output_send_step(r, OUTPUT_STARTED, str_from(r->model), false);
}

/* The program retries after a wait. If it waits for a limit, give up: another candidate is faster.
 * */
static void read_retry(struct output *r, const struct json *e)
{
    int64_t attempt = 0, wait = 0, status = 0;
    json_i64(json_get(e, STR("attempt")), &attempt);
    json_i64(json_get(e, STR("retry_delay_ms")), &wait);
    json_i64(json_get(e, STR("error_status")), &status);
    char text[160];
    snprintf(text, sizeof text, "%.*s (status %lld), again in %lld s",
             STR_ARG(str_head(output_field(e, "error"), 64)), (long long)status,
             (long long)wait / 1000);
    output_send_step(r, OUTPUT_RETRY, str_from(text), false);
    if (status == 429 && (attempt > 1 || wait > OUTPUT_HOPELESS_MS))
        output_give_up(r, OUTCOME_RATE_LIMITED, wait > OUTPUT_HOPELESS_MS ? wait : 0,
                       "stdout system/api_retry.error_status=429");
}

static void read_system(struct output *r, const struct json *e)
{
    struct str subtype = output_field(e, "subtype");
    if (str_eq(subtype, STR("init")))
        read_init(r, e);
    else if (str_eq(subtype, STR("api_retry")))
        read_retry(r, e);
    else if (str_eq(subtype, STR("permission_denied")))
        r->denied = ++get_state(r)->refused;
}

static void read_limit_info(struct claude_output *c, const struct json *info)
{
    struct str window = output_field(info, "rateLimitType");
    int64_t resets_at = output_read_time(json_get(info, STR("resetsAt")));
    c->rejected = str_eq(output_field(info, "status"), STR("rejected")) && (window.n || resets_at);
    if (c->rejected) {
        output_copy_line(c->window, sizeof c->window, window);
        c->resets_at = resets_at;
    }
}

static void read_limit(struct output *r, const struct json *e)
{
    const struct json *info = json_get(e, STR("rate_limit_info"));
    double used = 0;
    read_limit_info(get_state(r), info);
    if (!str_eq(output_field(info, "status"), STR("allowed_warning")))
        return;
    if (!json_double(json_get(info, STR("utilization")), &used) &&
        !json_double(json_get(info, STR("surpassedThreshold")), &used))
        used = 0.9; /* the threshold of the warning */
    r->warning.used = used > 1 && used <= 100 ? used / 100 : used;
    r->warning.resets_at = output_read_time(json_get(info, STR("resetsAt")));
    output_copy_line(r->warning.window, sizeof r->warning.window,
                     output_field(info, "rateLimitType"));
}

static void read_error_fields(struct claude_output *c, const struct json *e)
{
    json_i64(json_get(e, STR("api_error_status")), &c->status);
    if (output_field(e, "api_error").n)
        output_copy_line(c->api_error, sizeof c->api_error, output_field(e, "api_error"));
    if (output_field(e, "api_error_type").n)
        output_copy_line(c->api_type, sizeof c->api_type, output_field(e, "api_error_type"));
}

static void read_usage(struct output *r, const struct json *usage)
{
    static const char *const inputs[] = {"input_tokens", "cache_creation_input_tokens",
                                         "cache_read_input_tokens"};
    uint64_t sum = 0, n;
    for (size_t i = 0; i < 3; i++)
        if (json_u64(json_get(usage, str_from(inputs[i])), &n) && n < UINT32_MAX)
            sum += n;
    r->usage.input_tokens = sum;
    json_u64(json_get(usage, STR("output_tokens")), &r->usage.output_tokens);
}

static void read_content(struct output *r, const struct json *message, bool top)
{
    const struct json *content = json_get(message, STR("content"));
    bool first = true;
    JSON_ITEMS (content, block) {
        struct str type = output_field(block, "type");
        if (str_eq(type, STR("text"))) {
            struct str text = output_field(block, "text");
            if (top && first)
                output_set_last_message(r, text);
            else if (top)
                output_add_last_message(r, text);
            first = false;
            output_send_step(r, OUTPUT_SAID, text, false);
        } else if (str_eq(type, STR("tool_use"))) {
            r->tool_calls++;
            output_send_tool_step(r, output_field(block, "name"), json_get(block, STR("input")));
        }
    }
}

static void read_assistant(struct output *r, const struct json *e)
{
    struct claude_output *c = get_state(r);
    const struct json *message = json_get(e, STR("message"));
    struct str error = output_field(e, "error");
    c->synthetic = error.n || json_bool(json_get(e, STR("is_api_error_message"))) ||
                   str_eq(output_field(message, "model"), STR("<synthetic>"));
    c->status = 0;
    c->error[0] = c->api_error[0] = c->api_type[0] = 0; /* earlier errors are over */
    if (!c->synthetic) {
        const struct json *parent = json_get(e, STR("parent_tool_use_id"));
        read_content(r, message, !json_is(parent, JSON_STRING));
        return;
    }
    output_copy_line(c->error, sizeof c->error, error);
    read_error_fields(c, e);
    const struct json *info =
        json_get(json_get(e, STR("api_error_params")), STR("rate_limit_info"));
    if (json_is(info, JSON_OBJECT))
        read_limit_info(c, info);
    output_copy_line(c->text, sizeof c->text,
                     output_field(json_at(json_get(message, STR("content")), 0), "text"));
}

static void read_user(struct output *r, const struct json *e)
{
    const struct json *content = json_get(json_get(e, STR("message")), STR("content"));
    JSON_ITEMS (content, block)
        if (str_eq(output_field(block, "type"), STR("tool_result"))) {
            const struct json *answer = json_get(block, STR("content")); /* a text, or blocks */
            struct str text = json_str(answer);
            output_send_step(r, OUTPUT_TOOL_END,
                             text.n ? text : output_field(json_at(answer, 0), "text"),
                             json_bool(json_get(block, STR("is_error"))));
        }
}

static void read_result(struct output *r, const struct json *e)
{
    struct claude_output *c = get_state(r);
    struct str text = output_field(e, "result");
    c->ended = true;
    c->is_error = json_bool(json_get(e, STR("is_error")));
    output_copy_line(c->subtype, sizeof c->subtype, output_field(e, "subtype"));
    output_copy_line(c->reason, sizeof c->reason, output_field(e, "terminal_reason"));
    read_error_fields(c, e);
    if (!r->session[0])
        output_copy_line(r->session, sizeof r->session, output_field(e, "session_id"));
    if (c->is_error)
        output_copy_line(c->text, sizeof c->text,
                         text.n ? text : json_str(json_at(json_get(e, STR("errors")), 0)));
    else if (text.n)
        output_set_last_message(r, text);
    read_usage(r, json_get(e, STR("usage")));
    json_double(json_get(e, STR("total_cost_usd")), &r->usage.cost_usd);
    size_t denials = json_count(json_get(e, STR("permission_denials")));
    if (denials > r->denied && denials < UINT32_MAX)
        r->denied = (uint32_t)denials;
    output_send_step(r, OUTPUT_USAGE, (struct str){0}, false);
}

static void read_event(struct output *r, const struct json *e)
{
    struct str type = output_field(e, "type");
    output_update_clock(r, json_get(e, STR("timestamp")));
    if (str_eq(type, STR("system")))
        read_system(r, e);
    else if (str_eq(type, STR("assistant")))
        read_assistant(r, e);
    else if (str_eq(type, STR("user")))
        read_user(r, e);
    else if (str_eq(type, STR("rate_limit_event")))
        read_limit(r, e);
    else if (str_eq(type, STR("result")))
        read_result(r, e);
}

/* Sentences of the program, in the order of its builds. */
static const struct output_phrase phrases[] = {
    {"You've hit your", OUTCOME_USAGE_LIMITED},
    {"You've reached your", OUTCOME_USAGE_LIMITED},
    {"Claude AI usage limit reached", OUTCOME_USAGE_LIMITED},
    {"Claude usage limit reached", OUTCOME_USAGE_LIMITED},
    {"5-hour limit reached", OUTCOME_USAGE_LIMITED},
    {"Weekly limit reached", OUTCOME_USAGE_LIMITED},
    {"Session limit reached", OUTCOME_USAGE_LIMITED},
    {"Spending cap reached", OUTCOME_USAGE_LIMITED}, /* it names the time when it resets */
    {"Opus limit reached", OUTCOME_USAGE_LIMITED},
    {"Opus weekly limit reached", OUTCOME_USAGE_LIMITED},
    {"Credit balance is too low", OUTCOME_BILLING},
    {"Your credit balance is too low", OUTCOME_BILLING},
    {"You have reached your specified", OUTCOME_BILLING},
    {"Invalid API key", OUTCOME_AUTH},
    {"Not logged in", OUTCOME_AUTH},
    {"Please run /login", OUTCOME_AUTH},
    {"OAuth token", OUTCOME_AUTH},
    {"OAuth authentication", OUTCOME_AUTH},
    {"Failed to authenticate", OUTCOME_AUTH},
    {"Your account does not have access", OUTCOME_AUTH},
    {"Your organization does not have access", OUTCOME_AUTH},
    {"Your organization has disabled", OUTCOME_AUTH},
    {"There's an issue with the selected model", OUTCOME_MODEL},
    {"Prompt is too long", OUTCOME_REQUEST},
    {"Request too large", OUTCOME_REQUEST},
    {"PDF too large", OUTCOME_REQUEST},
    {"Image was too large", OUTCOME_REQUEST},
    {"Error: Reached max turns", OUTCOME_BUDGET},
    {"Error: Exceeded USD budget", OUTCOME_BUDGET},
    {"Reached max turns", OUTCOME_BUDGET},
    {"Reached maximum number of turns", OUTCOME_BUDGET},
    {"Reached maximum budget", OUTCOME_BUDGET},
    {"Error: Reached maximum", OUTCOME_BUDGET},
};
static const struct output_phrase api_phrases[] = {
    /* after "API Error: " without a status */
    {"Server is temporarily limiting requests", OUTCOME_RATE_LIMITED},
    {"Rate limit reached", OUTCOME_RATE_LIMITED},
    {"Request rejected", OUTCOME_REQUEST},
    {"Overloaded", OUTCOME_OVERLOADED},
    {"", OUTCOME_SERVER},
};
#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool skip_start(struct str *s, struct str start)
{
    if (!str_starts(*s, start))
        return false;
    *s = str_skip(*s, start.n);
    return true;
}

/* Read a status of exactly three digits, or return 0. */
static int64_t read_leading_status(struct str s)
{
    uint64_t n;
    bool alone = s.n == 3 || (s.n > 3 && (s.p[3] < '0' || s.p[3] > '9'));
    return alone && str_to_u64(str_head(s, 3), &n) && n >= 400 && n < 600 ? (int64_t)n : 0;
}

/* "API Error: 402 ...", "API Error: Request rejected (429) · ..."; *text continues after it. */
static bool skip_api_error(struct str *text, int64_t *status)
{
    struct str s = *text;
    skip_start(&s, STR("Failed to authenticate. "));
    if (!skip_start(&s, STR("API Error: ")) && !skip_start(&s, STR("API Error (")))
        return false;
    struct str number = s;
    skip_start(&number, STR("Request rejected ("));
    skip_start(&number, STR("Repeated "));
    *status = read_leading_status(number);
    *text = *status ? str_trim(str_skip(number, 3)) : s;
    return true;
}

/* The meaning of a sentence of the program. */
struct error_sentence {
    bool known;
    enum outcome_class class;
    int64_t status;    /* 0: it names none */
    const char *start; /* of the sentence, as evidence */
};

/* Older builds print the whole body: {"type":"error","error":{...,"message":"..."}}. */
static struct str find_body_message(struct str text)
{
    struct str key = STR("\"message\":");
    size_t at = str_starts(text, STR("{")) ? str_find(text, key) : text.n;
    if (at == text.n)
        return text;
    struct str value = str_trim(str_skip(text, at + key.n));
    return str_starts(value, STR("\"")) ? str_skip(value, 1) : text;
}

static struct error_sentence read_sentence(struct str text)
{
    struct error_sentence s = {0};
    const struct output_phrase *row = NULL;
    bool api = skip_api_error(&text, &s.status);
    if (!api || s.status == 400)
        row = output_find_phrase(phrases, COUNT(phrases), find_body_message(text));
    if (api && row && row->class != OUTCOME_BILLING)
        row = NULL; /* 400 means billing or a bad request */
    if (api && !row && output_find_status_class(s.status, &s.class))
        return s.known = true, s.start = "API Error", s;
    if (api && !row)
        row = output_find_phrase(api_phrases, COUNT(api_phrases), text);
    if (row) {
        s.known = true;
        s.class = row->class;
        s.start = row->start[0] ? row->start : "API Error";
    }
    return s;
}

/* "You've hit your Opus limit": a word that is not one of the account's windows names a model. */
static bool names_model(struct str text)
{
    static const char *const windows[] = {"usage",        "session", "5-hour", "weekly",
                                          "limit",        "monthly", "daily",  "org",
                                          "organization", "extra",   "spend"};
    if (str_starts(text, STR("Opus ")) || str_starts(text, STR("Sonnet ")))
        return true;
    static const struct output_phrase start = {"You've hit your ", OUTCOME_USAGE_LIMITED};
    if (!output_find_phrase(&start, 1, text))
        return false;
    struct str word = text;
    for (int i = 0; i < 3; i++) /* after "You've hit your" */
        word = str_skip(word, str_find_char(word, ' ') + 1);
    word = str_head(word, str_find_char(word, ' '));
    for (size_t i = 0; i < COUNT(windows); i++)
        if (str_eq_nocase(word, str_from(windows[i])))
            return false;
    return true;
}

static void add_limit_details(struct output *r, const struct output_end *end)
{
    const struct claude_output *c = get_state(r);
    struct str window = str_from(c->window);
    bool model = (str_starts(window, STR("seven_day_")) || str_starts(window, STR("five_hour_"))) &&
                 !str_ends(window, STR("_oauth_apps"));
    if (r->outcome.class == OUTCOME_USAGE_LIMITED) {
        if (c->rejected)
            output_set_until(r, c->resets_at, UNTIL_FIELD);
        r->outcome.model_only = model || (!window.n && names_model(str_from(c->text)));
    }
    if (r->outcome.class == OUTCOME_USAGE_LIMITED || r->outcome.class == OUTCOME_BILLING ||
        r->outcome.class == OUTCOME_RATE_LIMITED)
        output_find_until(r, str_from(c->text), output_read_clock(r, end));
}

/* Use structured fields: window, status, codes. Use the program's sentence only if a status or code
 * has several meanings. */
static void set_outcome_by_fields(struct output *r, bool is_from_program)
{
    const struct claude_output *c = get_state(r);
    const char *event_name = c->ended ? "result" : "assistant";
    enum outcome_class class;
    struct error_sentence s = {0};
    if (is_from_program)
        s = read_sentence(str_from(c->text));
    bool limited = c->status == 429 || str_eq(str_from(c->error), STR("rate_limit"));
    if (str_eq(str_from(c->api_error), STR("usage_limit_reached")))
        output_set_outcome(r, OUTCOME_USAGE_LIMITED, "stdout %s.api_error=usage_limit_reached",
                           event_name);
    if (c->rejected && limited)
        output_set_outcome(r, OUTCOME_USAGE_LIMITED, "stdout rate_limit_event.rateLimitType=%s",
                           c->window);
    if (limited && s.known && s.class == OUTCOME_USAGE_LIMITED)
        output_set_outcome(r, s.class, "stdout %s \"%s\"", event_name, s.start);
    if (s.known && s.class == OUTCOME_BILLING && (c->status == 400 || c->status == 0))
        output_set_outcome(r, s.class, "stdout %s \"%s\"", event_name, s.start);
    if (str_eq(str_from(c->api_type), STR("billing_error")))
        output_set_outcome(r, OUTCOME_BILLING, "stdout %s.api_error_type=billing_error",
                           event_name);
    if (str_eq(str_from(c->error), STR("billing_error")))
        output_set_outcome(r, OUTCOME_BILLING, "stdout assistant.error=billing_error");
    if (output_find_code_class(str_from(c->api_error), &class) && class == OUTCOME_BILLING)
        output_set_outcome(r, class, "stdout %s.api_error=%s", event_name, c->api_error);
    if (output_find_status_class(c->status, &class))
        output_set_outcome(r, class, "stdout %s.api_error_status=%lld", event_name,
                           (long long)c->status);
    else if (s.known && s.status)
        output_set_outcome(r, s.class, "stdout %s \"API Error\" %lld", event_name,
                           (long long)s.status);
    if (output_find_code_class(str_from(c->api_type), &class))
        output_set_outcome(r, class, "stdout %s.api_error_type=%s", event_name, c->api_type);
    if (output_find_code_class(str_from(c->api_error), &class))
        output_set_outcome(r, class, "stdout %s.api_error=%s", event_name, c->api_error);
    if (output_find_code_class(str_from(c->error), &class))
        output_set_outcome(r, class, "stdout assistant.error=%s", c->error);
}

static void set_failure(struct output *r, const struct output_end *end)
{
    const struct claude_output *c = get_state(r);
    struct str subtype = str_from(c->subtype);
    output_set_message(r, str_from(c->text));
    if (str_eq(subtype, STR("error_max_turns")) || str_eq(subtype, STR("error_max_budget_usd")))
        output_set_outcome(r, OUTCOME_BUDGET, "stdout result.subtype=%s", c->subtype);
    bool is_from_program = c->synthetic || c->status ||
                           str_eq(str_from(c->reason), STR("api_error")) ||
                           (r->facts->events == 1 && end->exit_code);
    set_outcome_by_fields(r, is_from_program);
    /* After an interrupt it exits with 0. */
    if (str_eq(subtype, STR("error_during_execution")))
        output_set_outcome(r, end->exit_code == 0 ? OUTCOME_KILLED : OUTCOME_INCOMPLETE,
                           "stdout result.subtype=%s, exit_code=%lld", c->subtype,
                           (long long)end->exit_code);
    struct error_sentence s = read_sentence(str_from(c->text));
    if (is_from_program && s.known)
        output_set_outcome(r, s.class, "stdout result \"%s\"", s.start);
    output_set_outcome(r, OUTCOME_SERVER, "stdout result.is_error=true");
    add_limit_details(r, end);
}

/* Text mode: stdout is the answer or, after a failure, only the sentence. */
static void decide_text(struct output *r, const struct output_end *end)
{
    struct claude_output *c = get_state(r);
    struct str text = str_trim(buf_str(&r->facts->text));
    if (end->exit_code == 0 || r->facts->stream || text.n == 0)
        return;
    struct str line = str_head(text, str_find_char(text, '\n'));
    struct error_sentence s = read_sentence(line);
    if (!s.known)
        return;
    output_copy_line(c->text, sizeof c->text, text);
    output_set_message(r, line);
    buf_clear(&r->last_message);
    if (s.status)
        output_set_outcome(r, s.class, "stdout line 1 \"API Error\" %lld", (long long)s.status);
    else
        output_set_outcome(r, s.class, "stdout line 1 \"%s\"", s.start);
    add_limit_details(r, end);
}

static void decide_outcome(struct output *r, const struct output_end *end)
{
    const struct claude_output *c = get_state(r);
    bool failed = c->is_error || str_starts(str_from(c->subtype), STR("error"));
    if (c->ended && failed)
        set_failure(r, end);
    else if (c->ended && end->exit_code == 0)
        output_set_outcome(r, OUTCOME_OK, "stdout result.is_error=false");
    else if (c->ended)
        output_set_outcome(r, OUTCOME_INCOMPLETE,
                           "stdout result.is_error=false, but exit_code=%lld",
                           (long long)end->exit_code);
    else if (c->synthetic && end->exit_code)
        set_failure(r, end);
    else
        decide_text(r, end);
}

const struct output_reader output_claude = {.size = sizeof(struct claude_output),
                                            .is_opening = is_opening,
                                            .read_event = read_event,
                                            .decide_outcome = decide_outcome};
