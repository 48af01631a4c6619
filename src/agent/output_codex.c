/* Codex: `codex exec --json`, also its text mode.
 *
 * turn.completed and turn.failed end a turn; "error" events before them are retries, and items of
 * type error are warnings. turn.failed has only a sentence; the session log names the limit
 * (codex_error_info, rate_limits) and has precedence. In text mode stdout has the answer, and
 * stderr everything else, including the prompt and the output of tools. */
#include "agent/output_internal.h"
#include "base/mem.h"

#define BLOCK_MAX 4096u
#define MAX_WAITS 5u

struct limit_window {
    bool is_known;
    double used; /* per cent */
    int64_t resets_at;
};

struct session_log {
    bool ended, failed, aborted; /* the last turn */
    char kind[64];               /* codex_error_info */
    int64_t status;              /* its http_status_code */
    char message[2048];
    struct limit_window windows[2]; /* primary, secondary */
    char limit[64];                 /* the name of a limit that is not the account's */
};

struct codex_output {
    struct output_facts facts;
    bool completed, failed;
    char message[2048]; /* of turn.failed, else of the last error */
    bool has_error;
    unsigned waits; /* consecutive waits for the network */
    struct session_log log;
    /* text mode: the last error on stderr, and the one before it */
    char block[BLOCK_MAX], before[BLOCK_MAX];
    bool foreign; /* the current lines may be the prompt or the output of a tool */
    bool interrupted;
};

static struct codex_output *get_state(const struct output *r)
{
    return (struct codex_output *)(void *)r->facts;
}

static bool is_opening(const struct json *e)
{
    return str_eq(output_field(e, "type"), STR("thread.started"));
}

/* Sentences of the program. */
static const struct output_phrase phrases[] = {
    {"You've hit your usage limit", OUTCOME_USAGE_LIMITED},
    {"You hit your spend cap", OUTCOME_USAGE_LIMITED},
    {"Your workspace is out of credits", OUTCOME_USAGE_LIMITED},
    {"Quota exceeded.", OUTCOME_BILLING},
    {"To use Codex with your ChatGPT plan", OUTCOME_BILLING},
    {"rate limit exceeded: Slow Down", OUTCOME_OVERLOADED},
    {"rate limit exceeded", OUTCOME_RATE_LIMITED},
    {"Rate limit reached", OUTCOME_RATE_LIMITED},
    {"Selected model is at capacity", OUTCOME_OVERLOADED},
    {"Our servers are currently overloaded", OUTCOME_OVERLOADED},
    {"The engine is currently overloaded", OUTCOME_OVERLOADED},
    {"We're currently experiencing high demand", OUTCOME_SERVER},
    {"Codex ran out of room", OUTCOME_REQUEST},
    {"Your input exceeds the context window", OUTCOME_REQUEST},
    {"Image poisoning", OUTCOME_REQUEST},
    {"The model `", OUTCOME_MODEL},
    {"The requested model", OUTCOME_MODEL},
    {"Missing environment variable", OUTCOME_AUTH},
    {"Missing bearer", OUTCOME_AUTH},
    {"Incorrect API key", OUTCOME_AUTH},
    {"Access blocked by Cloudflare", OUTCOME_AUTH},
    {"Your access token could not be refreshed", OUTCOME_AUTH},
    {"Your authentication token has been", OUTCOME_AUTH},
    {"Not logged in", OUTCOME_AUTH},
    {"Connection failed", OUTCOME_SERVER},
    {"Error while reading the server response", OUTCOME_SERVER},
    {"error sending request", OUTCOME_SERVER},
    {"request timed out", OUTCOME_SERVER},
    {"internal error; agent loop died", OUTCOME_SERVER},
    {"interrupted (Ctrl-C)", OUTCOME_KILLED},
    {"turn aborted", OUTCOME_KILLED},
};
#define COUNT(table) (sizeof(table) / sizeof *(table))

struct error_meaning {
    enum outcome_class class;
    int64_t status;    /* 0: none */
    const char *start; /* of the sentence, as evidence */
};

static bool read_status_after(struct str text, struct str start, int64_t *status)
{
    uint64_t n;
    if (!str_starts(text, start) || !str_to_u64(str_head(str_skip(text, start.n), 3), &n))
        return false;
    *status = (int64_t)n;
    return true;
}

/* Find the class of a response body that the program passes on unchanged. */
static bool find_body_class(struct output *r, struct str text, enum outcome_class *class)
{
    struct json_error err;
    if (!str_starts(text, STR("{")))
        return false;
    arena_reset(&r->arena);
    const struct json *body = json_parse(&r->arena, text, NULL, &err);
    const struct json *error = json_get(body, STR("error"));
    if (!json_is(error, JSON_OBJECT))
        error = body;
    return output_find_code_class(output_field(error, "code"), class) ||
           output_find_code_class(output_field(error, "type"), class);
}

/* Find the meaning of a sentence. Return false if it is unknown. */
static bool find_message_class(struct output *r, struct str text, struct error_meaning *out)
{
    *out = (struct error_meaning){.start = "body"};
    enum outcome_class *class = &out->class;
    int64_t *status = &out->status;
    struct str stream = STR("stream disconnected before completion: ");
    bool cut = str_starts(text, stream);
    if (cut)
        text = str_skip(text, stream.n);
    const struct output_phrase *row = output_find_phrase(phrases, COUNT(phrases), text);
    if (row) {
        *class = row->class;
        out->start = row->start;
        return true;
    }
    if ((read_status_after(text, STR("exceeded retry limit, last status: "), status) ||
         read_status_after(text, STR("unexpected status "), status)) &&
        output_find_status_class(*status, class))
        return true;
    if (find_body_class(r, text, class))
        return true;
    *class = OUTCOME_SERVER;
    out->start = "stream disconnected";
    return cut;
}

/* Events. */

/* "Reconnecting... 2/5 (why)": the program retries by itself. */
static bool read_reconnect(struct output *r, struct str message)
{
    struct str rest = message, number;
    uint64_t n = 0;
    struct error_meaning m;
    if (!str_starts(message, STR("Reconnecting...")))
        return false;
    output_send_step(r, OUTPUT_RETRY, message, false);
    /* It would wait forever. The waits grow, so these are 90 seconds. */
    if (str_starts(message, STR("Reconnecting... waiting for network")) &&
        ++get_state(r)->waits == MAX_WAITS)
        output_give_up(r, OUTCOME_SERVER, 0, "stdout error: Reconnecting (waiting for network)");
    rest = str_trim(str_skip(rest, sizeof "Reconnecting..." - 1));
    str_cut(&rest, '/', &number);
    str_to_u64(number, &n);
    rest = str_skip(rest, str_find_char(rest, '(') + 1);
    if (!find_message_class(r, rest, &m))
        return true;
    if (m.status == 429)
        output_give_up(r, OUTCOME_RATE_LIMITED, 0, "stdout error: Reconnecting (status 429)");
    else if (m.class == OUTCOME_RATE_LIMITED && n > 1)
        output_give_up(r, OUTCOME_RATE_LIMITED, 0, "stdout error: Reconnecting (rate limit)");
    return true;
}

static bool is_tool(struct str type)
{
    return str_eq(type, STR("mcp_tool_call")) || str_eq(type, STR("command_execution")) ||
           str_eq(type, STR("file_change")) || str_eq(type, STR("web_search"));
}

static void read_tool(struct output *r, const struct json *item, bool ended)
{
    struct str type = output_field(item, "type"), name = output_field(item, "tool");
    if (!ended) {
        struct str command = output_field(item, "command");
        const struct json *args = json_get(item, STR("arguments"));
        output_send_tool_step(r, name.n ? name : type,
                              command.n ? json_get(item, STR("command")) : args);
        return;
    }
    struct str status = output_field(item, "status");
    struct str error = output_field(json_get(item, STR("error")), "message");
    bool failed = str_eq(status, STR("failed")) || str_eq(status, STR("declined"));
    r->tool_calls++;
    if (failed &&
        (str_find(error, STR("requires approval")) < error.n || str_eq(status, STR("declined"))))
        r->denied++;
    output_send_step(r, OUTPUT_TOOL_END, error.n ? error : name, failed);
}

static void read_item(struct output *r, const struct json *item, bool ended)
{
    struct str type = output_field(item, "type");
    if (!str_eq(type, STR("error")))
        get_state(r)->waits = 0; /* the network is back */
    if (is_tool(type)) {
        read_tool(r, item, ended);
    } else if (ended && str_eq(type, STR("agent_message"))) {
        output_set_last_message(r, output_field(item, "text"));
        output_send_step(r, OUTPUT_SAID, output_field(item, "text"), false);
    } else if (ended && str_eq(type, STR("error"))) {
        struct str message = output_field(item, "message"),
                   start = STR("MCP client for `" OUTPUT_MCP_NAME);
        if (str_starts(message, start))
            r->mcp_failed = true;
    }
}

static void read_usage(struct output *r, const struct json *usage)
{
    uint64_t n;
    if (json_u64(json_get(usage, STR("input_tokens")), &n))
        r->usage.input_tokens = n;
    if (json_u64(json_get(usage, STR("output_tokens")), &n))
        r->usage.output_tokens = n;
    output_send_step(r, OUTPUT_USAGE, (struct str){0}, false);
}

static void read_event(struct output *r, const struct json *e)
{
    struct codex_output *c = get_state(r);
    struct str type = output_field(e, "type");
    if (str_eq(type, STR("thread.started"))) {
        output_copy_line(r->session, sizeof r->session, output_field(e, "thread_id"));
        output_send_step(r, OUTPUT_STARTED, (struct str){0}, false);
    } else if (str_eq(type, STR("turn.started"))) {
        c->completed = c->failed = c->has_error = false;
    } else if (str_eq(type, STR("turn.completed"))) {
        c->completed = true;
        c->failed = false;
        read_usage(r, json_get(e, STR("usage")));
    } else if (str_eq(type, STR("turn.failed"))) {
        c->failed = c->has_error = true;
        c->completed = false;
        output_copy_line(c->message, sizeof c->message,
                         output_field(json_get(e, STR("error")), "message"));
    } else if (str_eq(type, STR("error"))) {
        struct str message = output_field(e, "message");
        if (!read_reconnect(r, message) && !c->failed) {
            c->has_error = true;
            output_copy_line(c->message, sizeof c->message, message);
        }
    } else if (str_eq(type, STR("item.started"))) {
        read_item(r, json_get(e, STR("item")), false);
    } else if (str_eq(type, STR("item.completed"))) {
        read_item(r, json_get(e, STR("item")), true);
    }
}

/* Text mode: stderr. */

/* Whether a line begins the prompt, a message, or the output of a tool. */
static bool is_heading(struct str line)
{
    static const char *const headings[] = {"user", "codex", "exec", "thinking", "apply patch"};
    for (size_t i = 0; i < COUNT(headings); i++)
        if (str_eq(line, str_from(headings[i])))
            return true;
    return str_starts(line, STR("mcp: ")) || str_starts(line, STR("exec "));
}

/* "ERROR: ...", in old builds after a time in brackets. */
static bool is_error(struct str *line)
{
    struct str s = *line;
    if (s.n && s.p[0] == '[')
        s = str_trim(str_skip(s, str_find_char(str_head(s, 40), ']') + 1));
    if (!str_starts(s, STR("ERROR: ")))
        return false;
    *line = str_skip(s, 7);
    return true;
}

static void add_to_block(struct codex_output *c, struct str line)
{
    size_t n = strlen(c->block);
    if (n + 2 < sizeof c->block) {
        if (n)
            c->block[n++] = ' ';
        output_copy_line(c->block + n, sizeof c->block - n, line);
    }
}

static void read_stderr_line(struct output *r, struct str text)
{
    struct codex_output *c = get_state(r);
    if (r->facts->stream || str_trim(text).n == 0)
        return;
    c->interrupted = str_eq(text, STR("turn interrupted"));
    if (is_error(&text)) {
        bool retry = read_reconnect(r, text);
        memcpy(c->before, c->block, sizeof c->before);
        c->block[0] = 0;
        if (!retry)
            add_to_block(c, text);
    } else if (is_heading(text)) {
        c->foreign = true;
        c->block[0] = c->before[0] = 0;
    } else if (str_starts(text, STR("warning: ")) || str_starts(text, STR("mcp startup: "))) {
        c->foreign = false;
        c->block[0] = c->before[0] = 0;
    } else if (str_eq(text, STR("tokens used"))) {
        c->foreign = false; /* printed by the program at the end; keep the last error */
    } else if (c->block[0]) {
        add_to_block(c, text);
    }
}

/* The program ends with its error, printed twice. Where the lines may be a prompt's or a tool's,
 * one copy is not enough. */
static bool find_text_error(const struct codex_output *c, struct str *out)
{
    size_t n = strlen(c->before);
    bool twice = n && strncmp(c->block, c->before, n) == 0;
    if (!c->block[0] || (c->foreign && !twice))
        return false;
    *out = str_from(twice ? c->before : c->block);
    return true;
}

/* The session log. */

static void read_windows(struct session_log *o, const struct json *limits, int64_t at)
{
    static const char *const names[] = {"primary", "secondary"};
    for (size_t i = 0; i < 2; i++) {
        const struct json *w = json_get(limits, str_from(names[i]));
        double seconds;
        if (!json_is(w, JSON_OBJECT))
            continue;
        o->windows[i].is_known = json_double(json_get(w, STR("used_percent")), &o->windows[i].used);
        o->windows[i].resets_at = output_read_time(json_get(w, STR("resets_at")));
        if (!o->windows[i].resets_at && at &&
            json_double(json_get(w, STR("resets_in_seconds")), &seconds) && seconds > 0 &&
            seconds < 1e8)
            o->windows[i].resets_at = at + (int64_t)(seconds * 1000);
    }
    struct str name = output_field(limits, "limit_name"), id = output_field(limits, "limit_id");
    struct str limit = name.n ? name : id;
    o->limit[0] = 0;
    if (!str_eq_nocase(limit, STR("codex")))
        output_copy_line(o->limit, sizeof o->limit, limit);
}

static void read_turn_error(struct session_log *o, const struct json *error)
{
    const struct json *info = json_get(error, STR("codex_error_info"));
    o->ended = o->failed = true;
    o->status = 0;
    output_copy_line(o->message, sizeof o->message, output_field(error, "message"));
    output_copy_line(o->kind, sizeof o->kind, json_str(info));
    JSON_EACH (info, k) {
        output_copy_line(o->kind, sizeof o->kind, json_str(k));
        json_i64(json_get(k + 1, STR("http_status_code")), &o->status);
    }
}

static void read_session_log_line(struct output *r, struct str text)
{
    struct session_log *o = &get_state(r)->log;
    arena_reset(&r->arena);
    const struct json *e = json_parse(&r->arena, text, NULL, NULL);
    if (!str_eq(output_field(e, "type"), STR("event_msg")))
        return;
    const struct json *payload = json_get(e, STR("payload"));
    struct str type = output_field(payload, "type");
    output_update_clock(r, json_get(e, STR("timestamp")));
    if (str_eq(type, STR("task_started"))) {
        o->ended = o->failed = o->aborted = false;
    } else if (str_eq(type, STR("turn_aborted"))) {
        o->aborted = str_eq(output_field(payload, "reason"), STR("interrupted"));
    } else if (str_eq(type, STR("token_count"))) {
        if (json_is(json_get(payload, STR("rate_limits")), JSON_OBJECT))
            read_windows(o, json_get(payload, STR("rate_limits")), r->facts->clock);
    } else if (str_eq(type, STR("task_complete")) || str_eq(type, STR("turn_complete"))) {
        const struct json *error = json_get(payload, STR("error"));
        o->ended = true;
        if (json_is(error, JSON_OBJECT))
            read_turn_error(o, error);
    } else if (str_eq(type, STR("error"))) {
        read_turn_error(o, payload);
    }
}

static void read_session_log(struct output *r, struct str text)
{
    struct str line_text;
    while (text.n) {
        str_cut(&text, '\n', &line_text);
        if (line_text.n && line_text.n <= OUTPUT_MAX_LINE)
            read_session_log_line(r, line_text);
    }
    const struct session_log *o = &get_state(r)->log;
    for (size_t i = 0; i < 2; i++) {
        const struct limit_window *w = &o->windows[i];
        if (!w->is_known || w->used < 90 || w->used / 100 < r->warning.used)
            continue;
        r->warning.used = w->used / 100;
        r->warning.resets_at = w->resets_at;
        output_copy_line(r->warning.window, sizeof r->warning.window,
                         i ? STR("secondary") : STR("primary"));
    }
}

/* Compare a kind with a name in snake_case; other builds write it in camelCase. */
static bool is_kind(struct str kind, struct str name)
{
    size_t at = 0;
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '_') {
            if (at < kind.n && kind.p[at] == '_')
                at++;
            continue;
        }
        if (at >= kind.n || !str_same_letters(kind.p + at, name.p + i, 1))
            return false;
        at++;
    }
    return at == kind.n;
}

static bool find_kind_class(struct str kind, enum outcome_class *class)
{
    static const struct output_phrase rows[] = {
        {"usage_limit_exceeded", OUTCOME_USAGE_LIMITED},
        {"rate_limit_exceeded", OUTCOME_RATE_LIMITED},
        {"model_cap", OUTCOME_USAGE_LIMITED},
        {"server_overloaded", OUTCOME_OVERLOADED},
        {"internal_server_error", OUTCOME_SERVER},
        {"http_connection_failed", OUTCOME_SERVER},
        {"response_stream_connection_failed", OUTCOME_SERVER},
        {"response_stream_disconnected", OUTCOME_SERVER},
        {"response_too_many_failed_attempts", OUTCOME_SERVER},
        {"context_window_exceeded", OUTCOME_REQUEST},
        {"bad_request", OUTCOME_REQUEST},
        {"cyber_policy", OUTCOME_REQUEST},
        {"model_not_found", OUTCOME_MODEL},
        {"unauthorized", OUTCOME_AUTH},
        {"session_budget_exceeded", OUTCOME_BUDGET},
        {"sandbox_error", OUTCOME_LAUNCH},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (is_kind(kind, str_from(rows[i].start))) {
            *class = rows[i].class;
            return true;
        }
    return false;
}

/* A code may mean two classes; the sentence decides. */
static enum outcome_class refine_class(enum outcome_class class, enum outcome_class by_text)
{
    if (class == OUTCOME_USAGE_LIMITED && by_text == OUTCOME_BILLING)
        return by_text;
    if (class == OUTCOME_RATE_LIMITED && by_text == OUTCOME_OVERLOADED)
        return by_text;
    return class;
}

static void set_outcome_by_session_log(struct output *r)
{
    const struct session_log *o = &get_state(r)->log;
    enum outcome_class class;
    struct error_meaning m;
    if (!o->failed)
        return;
    if (output_find_status_class(o->status, &class)) {
        output_set_outcome(r, class,
                           "rollout task_complete.codex_error_info.%s.http_status_code=%lld",
                           o->kind, (long long)o->status);
    } else if (find_kind_class(str_from(o->kind), &class)) {
        if (find_message_class(r, str_from(o->message), &m))
            class = refine_class(class, m.class);
        output_set_outcome(r, class, "rollout task_complete.codex_error_info=%s", o->kind);
    }
}

static void add_limit_details(struct output *r, struct str message, const struct output_end *end)
{
    const struct session_log *o = &get_state(r)->log;
    static const struct output_phrase named = {"You've hit your usage limit for ",
                                               OUTCOME_USAGE_LIMITED};
    if (r->outcome.class != OUTCOME_USAGE_LIMITED && r->outcome.class != OUTCOME_RATE_LIMITED)
        return;
    int64_t latest = 0;
    for (size_t i = 0; i < 2; i++) /* wait for all exhausted windows */
        if (o->windows[i].is_known && o->windows[i].used >= 100 && o->windows[i].resets_at > latest)
            latest = o->windows[i].resets_at;
    if (r->outcome.class == OUTCOME_USAGE_LIMITED) {
        output_set_until(r, latest, UNTIL_FIELD);
        r->outcome.model_only = o->limit[0] || output_find_phrase(&named, 1, message);
    }
    output_find_until(r, message, output_read_clock(r, end));
}

static void set_failure(struct output *r, struct str message, const char *where,
                        const struct output_end *end)
{
    struct error_meaning m;
    output_set_message(r, message);
    set_outcome_by_session_log(r);
    if (find_message_class(r, message, &m)) {
        if (m.status)
            output_set_outcome(r, m.class, "%s: status %lld", where, (long long)m.status);
        else
            output_set_outcome(r, m.class, "%s \"%s\"", where, m.start);
    }
    output_set_outcome(r, OUTCOME_SERVER, "%s", where);
    add_limit_details(r, message, end);
}

static void decide_outcome(struct output *r, const struct output_end *end)
{
    struct codex_output *c = get_state(r);
    struct str message;
    read_session_log(r, end->session_log);
    if (c->completed && end->exit_code == 0)
        output_set_outcome(r, OUTCOME_OK, "stdout turn.completed");
    else if (c->completed)
        output_set_outcome(r, OUTCOME_INCOMPLETE, "stdout turn.completed, but exit_code=%lld",
                           (long long)end->exit_code);
    else if (c->failed)
        set_failure(r, str_from(c->message), "stdout turn.failed", end);
    else if (end->exit_code && r->facts->stream && c->has_error)
        set_failure(r, str_from(c->message), "stdout error", end);
    else if (end->exit_code && !r->facts->stream && find_text_error(c, &message))
        set_failure(r, message, "stderr ERROR", end);
    else if (end->exit_code && !r->facts->stream && c->interrupted)
        output_set_outcome(r, OUTCOME_KILLED, "stderr: turn interrupted");
    else if (end->exit_code && c->log.aborted)
        output_set_outcome(r, OUTCOME_KILLED, "rollout turn_aborted.reason=interrupted");
    else if (end->exit_code && c->log.failed)
        set_failure(r, str_from(c->log.message), "rollout task_complete.error", end);
}

const struct output_reader output_codex = {.size = sizeof(struct codex_output),
                                           .is_opening = is_opening,
                                           .read_event = read_event,
                                           .read_stderr_line = read_stderr_line,
                                           .decide_outcome = decide_outcome};
