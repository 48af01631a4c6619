/* Cursor CLI: `cursor-agent -p --output-format stream-json`, also json and text.
 *
 * The events are those of Claude Code, except for tools (tool_call started, completed). A failure
 * has no event: the program prints a sentence on stderr and exits with another code than 0. */
#include "agent/output_internal.h"
#include "base/mem.h"

struct cursor_output {
    struct output_facts facts;
    bool ended, is_error;
    char text[1024];                 /* of a result that is an error */
    bool found;                      /* a sentence on stderr */
    const struct output_phrase *row; /* what it begins with */
    char sentence[512];
    struct buf rest; /* the lines after it, which may have dates */
};

static struct cursor_output *get_state(const struct output *r)
{
    return (struct cursor_output *)(void *)r->facts;
}

static void free_state(struct output *r)
{
    buf_done(&get_state(r)->rest);
}

static bool is_opening(const struct json *e)
{
    return str_eq(output_field(e, "type"), STR("system")) &&
           str_eq(output_field(e, "subtype"), STR("init"));
}

static void read_assistant(struct output *r, const struct json *e)
{
    const struct json *content = json_get(json_get(e, STR("message")), STR("content"));
    JSON_ITEMS (content, block)
        if (str_eq(output_field(block, "type"), STR("text"))) {
            output_set_last_message(r, output_field(block, "text"));
            output_send_step(r, OUTPUT_SAID, output_field(block, "text"), false);
        }
}

/* {"tool_call": {"readToolCall": {"args": {...}, "result": {"success" | "rejected": ...}}}} */
static void read_tool(struct output *r, const struct json *e)
{
    const struct json *call = json_get(e, STR("tool_call"));
    bool ended = str_eq(output_field(e, "subtype"), STR("completed"));
    JSON_EACH (call, k) {
        const struct json *result = json_get(k + 1, STR("result"));
        bool rejected = json_get(result, STR("rejected"));
        if (!json_is(k + 1, JSON_OBJECT))
            continue;
        if (!ended) {
            output_send_tool_step(r, json_str(k), json_get(k + 1, STR("args")));
            return;
        }
        r->tool_calls++;
        r->denied += rejected;
        output_send_step(r, OUTPUT_TOOL_END, json_str(k),
                         rejected || json_get(result, STR("error")));
        return;
    }
}

static void read_result(struct output *r, const struct json *e)
{
    struct cursor_output *c = get_state(r);
    uint64_t n;
    c->ended = true;
    c->is_error = json_bool(json_get(e, STR("is_error"))) ||
                  str_starts(output_field(e, "subtype"), STR("error"));
    if (!r->session[0])
        output_copy_line(r->session, sizeof r->session, output_field(e, "session_id"));
    if (c->is_error)
        output_copy_line(c->text, sizeof c->text, output_field(e, "result"));
    else
        output_set_last_message(r, output_field(e, "result"));
    const struct json *usage = json_get(e, STR("usage"));
    if (json_u64(json_get(usage, STR("inputTokens")), &n))
        r->usage.input_tokens = n;
    if (json_u64(json_get(usage, STR("outputTokens")), &n))
        r->usage.output_tokens = n;
    output_send_step(r, OUTPUT_USAGE, (struct str){0}, false);
}

static void read_event(struct output *r, const struct json *e)
{
    struct str type = output_field(e, "type");
    output_update_clock(r, json_get(e, STR("timestamp_ms")));
    if (is_opening(e)) {
        output_copy_line(r->session, sizeof r->session, output_field(e, "session_id"));
        output_copy_line(r->model, sizeof r->model, output_field(e, "model"));
        output_send_step(r, OUTPUT_STARTED, str_from(r->model), false);
    } else if (str_eq(type, STR("assistant"))) {
        read_assistant(r, e);
    } else if (str_eq(type, STR("tool_call"))) {
        read_tool(r, e);
    } else if (str_eq(type, STR("result"))) {
        read_result(r, e);
    }
}

static const struct output_phrase phrases[] = {
    {"You've hit your usage limit", OUTCOME_USAGE_LIMITED},
    {"You've hit your free requests limit", OUTCOME_USAGE_LIMITED},
    {"You've hit your", OUTCOME_USAGE_LIMITED},
    {"You've reached your", OUTCOME_USAGE_LIMITED},
    {"[resource_exhausted]", OUTCOME_RATE_LIMITED},
    {"Too many requests", OUTCOME_RATE_LIMITED},
    {"[unauthenticated]", OUTCOME_AUTH},
    {"[permission_denied]", OUTCOME_AUTH},
    {"Authentication required", OUTCOME_AUTH},
    {"Authentication failed", OUTCOME_AUTH},
    {"Not logged in", OUTCOME_AUTH},
    {"The provided API key is invalid", OUTCOME_AUTH},
    {"Invalid API key", OUTCOME_AUTH},
    {"ERROR_NOT_LOGGED_IN", OUTCOME_AUTH},
    {"Cannot use this model", OUTCOME_MODEL},
    {"Invalid model", OUTCOME_MODEL},
    {"Model '", OUTCOME_MODEL},
    {"[not_found]", OUTCOME_MODEL},
    {"[invalid_argument]", OUTCOME_REQUEST},
    {"[failed_precondition]", OUTCOME_REQUEST},
    {"[out_of_range]", OUTCOME_REQUEST},
    {"[unavailable]", OUTCOME_SERVER},
    {"[internal]", OUTCOME_SERVER},
    {"[aborted]", OUTCOME_SERVER},
    {"[unknown]", OUTCOME_SERVER},
    {"[deadline_exceeded]", OUTCOME_SERVER},
    {"Connection stalled", OUTCOME_SERVER},
    {"Connection lost", OUTCOME_SERVER},
    {"unknown option", OUTCOME_LAUNCH},
    {"Workspace Trust Required", OUTCOME_LAUNCH},
};

/* Skip the names in "ConnectError: [unavailable] ...", "Error: S: [internal]". */
static struct str skip_names(struct str s)
{
    for (int i = 0; i < 3; i++) {
        size_t colon = str_find(str_head(s, 24), STR(": "));
        if (colon >= 22 || str_find_char(str_head(s, colon), ' ') < colon)
            break;
        s = str_skip(s, colon + 2);
    }
    return s;
}

static void read_stderr_line(struct output *r, struct str text)
{
    struct cursor_output *c = get_state(r);
    struct str s = skip_names(str_trim(text));
    const struct output_phrase *row =
        output_find_phrase(phrases, sizeof phrases / sizeof *phrases, s);
    if (row && !c->row) {
        c->row = row;
        output_copy_line(c->sentence, sizeof c->sentence, s);
    }
    c->rest.max = 4096;
    if (c->row && c->rest.n + text.n + 1 < c->rest.max) {
        buf_add(&c->rest, text);
        buf_add_char(&c->rest, '\n');
    }
}

static void decide_outcome(struct output *r, const struct output_end *end)
{
    struct cursor_output *c = get_state(r);
    if (c->ended && !c->is_error && end->exit_code == 0) {
        output_set_outcome(r, OUTCOME_OK, "stdout result.is_error=false");
    } else if (c->ended && !c->is_error) {
        output_set_outcome(r, OUTCOME_INCOMPLETE,
                           "stdout result.is_error=false, but exit_code=%lld",
                           (long long)end->exit_code);
    } else if (c->row && (end->exit_code || c->ended)) {
        output_set_outcome(r, c->row->class, "stderr \"%s\"", c->row->start);
        output_set_message(r, str_from(c->sentence));
        if (c->row->class == OUTCOME_USAGE_LIMITED || c->row->class == OUTCOME_RATE_LIMITED)
            output_find_until(r, buf_str(&c->rest), output_read_clock(r, end));
    } else if (c->ended) {
        output_set_outcome(r, OUTCOME_SERVER, "stdout result.is_error=true");
        output_set_message(r, str_from(c->text));
    }
}

const struct output_reader output_cursor = {.size = sizeof(struct cursor_output),
                                            .is_opening = is_opening,
                                            .read_event = read_event,
                                            .read_stderr_line = read_stderr_line,
                                            .decide_outcome = decide_outcome,
                                            .free_state = free_state};
