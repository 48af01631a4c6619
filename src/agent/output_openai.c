/* The OpenAI API, read by our own child `agent-chat`: chat.started, chat.delta, and one of
 *
 *   {"type":"chat.completed","text","usage":{"input_tokens","output_tokens"},"finish_reason"}
 *   {"type":"chat.failed","status":429,"error":{"type","code","message"},"retry_after_ms":3000,
 *    "headers":{"x-ratelimit-remaining-requests":"0","x-ratelimit-reset-requests":"6m0s"}}
 *
 * A status of 0 means that there was no answer. */
#include "agent/output_internal.h"
#include "base/when_text.h"

struct openai_output {
    struct output_facts facts;
    bool completed, failed;
    char finish[32];
    int64_t status;
    char code[64], type[64], message[1024];
    int64_t retry_ms; /* from the headers; 0: unknown */
    int64_t resets_at;
};

static struct openai_output *get_state(const struct output *r)
{
    return (struct openai_output *)(void *)r->facts;
}

static bool is_opening(const struct json *e)
{
    return str_eq(output_field(e, "type"), STR("chat.started"));
}

/* Return the reset time of requests or tokens, whichever is exhausted; both: the later one. */
static int64_t find_reset_ms(const struct json *headers)
{
    static const struct {
        const char *left, *reset;
    } rows[] = {{"x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"},
                {"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"}};
    uint64_t latest = 0, ms;
    for (size_t i = 0; i < 2; i++)
        if (str_eq(output_field(headers, rows[i].left), STR("0")) &&
            when_text_span(output_field(headers, rows[i].reset), &ms) && ms > latest)
            latest = ms;
    return (int64_t)latest;
}

static void read_failure(struct output *r, const struct json *e)
{
    struct openai_output *c = get_state(r);
    const struct json *error = json_get(e, STR("error"));
    double seconds;
    c->failed = true;
    json_i64(json_get(e, STR("status")), &c->status);
    output_copy_line(c->code, sizeof c->code, output_field(error, "code"));
    output_copy_line(c->type, sizeof c->type, output_field(error, "type"));
    output_copy_line(c->message, sizeof c->message, output_field(error, "message"));
    c->resets_at = output_read_time(json_get(error, STR("resets_at")));
    if (!c->resets_at && json_double(json_get(error, STR("resets_in_seconds")), &seconds) &&
        seconds > 0 && seconds < 1e8)
        c->resets_at = output_read_clock(r, NULL) + (int64_t)(seconds * 1000);
    if (!json_i64(json_get(e, STR("retry_after_ms")), &c->retry_ms) || c->retry_ms <= 0)
        c->retry_ms = find_reset_ms(json_get(e, STR("headers")));
}

static void read_completed(struct output *r, const struct json *e)
{
    const struct json *usage = json_get(e, STR("usage"));
    get_state(r)->completed = true;
    output_copy_line(get_state(r)->finish, sizeof get_state(r)->finish,
                     output_field(e, "finish_reason"));
    if (json_is(json_get(e, STR("text")), JSON_STRING))
        output_set_last_message(r, output_field(e, "text"));
    json_u64(json_get(usage, STR("input_tokens")), &r->usage.input_tokens);
    json_u64(json_get(usage, STR("output_tokens")), &r->usage.output_tokens);
    output_send_step(r, OUTPUT_SAID, buf_str(&r->last_message), false);
    output_send_step(r, OUTPUT_USAGE, (struct str){0}, false);
}

static void read_event(struct output *r, const struct json *e)
{
    struct str type = output_field(e, "type");
    if (str_eq(type, STR("chat.started"))) {
        output_copy_line(r->model, sizeof r->model, output_field(e, "model"));
        output_send_step(r, OUTPUT_STARTED, str_from(r->model), false);
    } else if (str_eq(type, STR("chat.delta"))) {
        output_add_last_message(r, output_field(e, "text"));
    } else if (str_eq(type, STR("chat.completed"))) {
        read_completed(r, e);
    } else if (str_eq(type, STR("chat.failed"))) {
        read_failure(r, e);
    }
}

static void set_failure(struct output *r, const struct output_end *end)
{
    const struct openai_output *c = get_state(r);
    static const struct output_phrase busy[] = {
        {"The engine is currently overloaded", OUTCOME_OVERLOADED},
        {"Our servers are currently overloaded", OUTCOME_OVERLOADED},
        {"That model is currently overloaded", OUTCOME_OVERLOADED},
    };
    enum outcome_class class;
    struct str message = str_from(c->message);
    output_set_message(r, message);
    if (c->status == 0 && str_eq(str_from(c->type), STR("request"))) /* no request was sent */
        output_set_outcome(r, OUTCOME_LAUNCH, "stdout chat.failed.error.type=request");
    if (output_find_code_class(str_from(c->code), &class))
        output_set_outcome(r, class, "stdout chat.failed.error.code=%s", c->code);
    if (output_find_phrase(busy, sizeof busy / sizeof *busy, message))
        output_set_outcome(r, OUTCOME_OVERLOADED, "stdout chat.failed.status=%lld, overloaded",
                           (long long)c->status);
    /* invalid_request_error comes with 401, 404 and others, so the status has precedence. */
    bool typed = output_find_code_class(str_from(c->type), &class);
    if (typed && class != OUTCOME_REQUEST && class != OUTCOME_SERVER)
        output_set_outcome(r, class, "stdout chat.failed.error.type=%s", c->type);
    if (output_find_status_class(c->status, &class))
        output_set_outcome(r, class, "stdout chat.failed.status=%lld", (long long)c->status);
    if (typed)
        output_set_outcome(r, class, "stdout chat.failed.error.type=%s", c->type);
    output_set_outcome(r, OUTCOME_SERVER, "stdout chat.failed.status=%lld", (long long)c->status);
    if (r->outcome.class != OUTCOME_RATE_LIMITED && r->outcome.class != OUTCOME_USAGE_LIMITED &&
        r->outcome.class != OUTCOME_OVERLOADED && r->outcome.class != OUTCOME_SERVER)
        return;
    output_set_until(r, c->resets_at, UNTIL_FIELD);
    if (c->retry_ms > 0)
        output_set_until(r, output_read_clock(r, end) + c->retry_ms, UNTIL_HEADER);
    output_find_until(r, message, output_read_clock(r, end));
}

static void decide_outcome(struct output *r, const struct output_end *end)
{
    const struct openai_output *c = get_state(r);
    if (c->failed)
        set_failure(r, end);
    else if (c->completed && str_eq(str_from(c->finish), STR("length")))
        output_set_outcome(r, OUTCOME_INCOMPLETE, "stdout chat.completed.finish_reason=length");
    else if (c->completed && str_eq(str_from(c->finish), STR("content_filter")))
        output_set_outcome(r, OUTCOME_REQUEST,
                           "stdout chat.completed.finish_reason=content_filter");
    else if (c->completed && end->exit_code == 0)
        output_set_outcome(r, OUTCOME_OK, "stdout chat.completed");
    else if (c->completed)
        output_set_outcome(r, OUTCOME_INCOMPLETE, "stdout chat.completed, but exit_code=%lld",
                           (long long)end->exit_code);
}

const struct output_reader output_openai = {.size = sizeof(struct openai_output),
                                            .is_opening = is_opening,
                                            .read_event = read_event,
                                            .decide_outcome = decide_outcome};
