/* The stand-in `agent-mock`: its script decides the outcome.
 *
 *   {"type":"mock.step","text"}, {"type":"mock.warning","used":0.92,"resets_at":...}
 *   {"type":"mock.completed","text","usage":{"input_tokens","output_tokens"}}
 *   {"type":"mock.failed","outcome":"rate_limited","until":"RFC 3339 or unix s","message"} */
#include "agent/output_internal.h"

struct mock_output {
    struct output_facts facts;
    bool completed, failed, known;
    enum outcome_class class;
    int64_t until;
    char message[512];
    bool model_only;
};

static struct mock_output *get_state(const struct output *r)
{
    return (struct mock_output *)(void *)r->facts;
}

static bool is_opening(const struct json *e)
{
    return str_starts(output_field(e, "type"), STR("mock."));
}

static void read_event(struct output *r, const struct json *e)
{
    struct mock_output *m = get_state(r);
    struct str type = output_field(e, "type");
    const struct json *usage = json_get(e, STR("usage"));
    struct str message = output_field(e, "message");
    json_u64(json_get(usage, STR("input_tokens")), &r->usage.input_tokens);
    json_u64(json_get(usage, STR("output_tokens")), &r->usage.output_tokens);
    if (str_eq(type, STR("mock.started"))) {
        output_copy_line(r->model, sizeof r->model, output_field(e, "model"));
        output_send_step(r, OUTPUT_STARTED, str_from(r->model), false);
    } else if (str_eq(type, STR("mock.step"))) {
        output_send_step(r, OUTPUT_SAID, output_field(e, "text"), false);
    } else if (str_eq(type, STR("mock.tool"))) {
        r->tool_calls++;
        output_send_step(r, OUTPUT_TOOL, output_field(e, "text"), false);
    } else if (str_eq(type, STR("mock.warning"))) {
        json_double(json_get(e, STR("used")), &r->warning.used);
        r->warning.resets_at = output_read_time(json_get(e, STR("resets_at")));
        output_copy_line(r->warning.window, sizeof r->warning.window,
                         output_field(e, "window").n ? output_field(e, "window") : STR("mock"));
    } else if (str_eq(type, STR("mock.completed"))) {
        m->completed = true;
        output_set_last_message(r, output_field(e, "text"));
        output_send_step(r, OUTPUT_SAID, output_field(e, "text"), false);
    } else if (str_eq(type, STR("mock.failed"))) {
        m->failed = true;
        m->known = outcome_find(output_field(e, "outcome"), &m->class);
        m->until = output_read_time(json_get(e, STR("until")));
        m->model_only = json_bool(json_get(e, STR("model_only")));
        output_copy_line(m->message, sizeof m->message,
                         message.n ? message : output_field(e, "text"));
    }
}

static void decide_outcome(struct output *r, const struct output_end *end)
{
    const struct mock_output *m = get_state(r);
    if (m->failed) {
        output_set_outcome(r, m->known ? m->class : OUTCOME_SERVER,
                           "stdout mock.failed.outcome%s%s", m->known ? "=" : ": unknown",
                           m->known ? outcome_name(m->class) : "");
        output_set_message(r, str_from(m->message));
        output_set_until(r, m->until, UNTIL_FIELD);
        r->outcome.model_only = m->model_only;
    } else if (m->completed && end->exit_code == 0) {
        output_set_outcome(r, OUTCOME_OK, "stdout mock.completed");
    } else if (m->completed) {
        output_set_outcome(r, OUTCOME_INCOMPLETE, "stdout mock.completed, but exit_code=%lld",
                           (long long)end->exit_code);
    }
}

const struct output_reader output_mock = {.size = sizeof(struct mock_output),
                                          .is_opening = is_opening,
                                          .read_event = read_event,
                                          .decide_outcome = decide_outcome};
