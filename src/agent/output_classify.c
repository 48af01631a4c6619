#include <stdlib.h>

#include "agent/output.h"
#include "agent/output_internal.h"
#include "base/jsonw.h"
#include "base/rfc3339.h"

static bool is_format(struct str value, enum output_mode *mode)
{
    if (str_eq(value, STR("text")))
        *mode = OUTPUT_TEXT;
    else if (str_eq(value, STR("json")))
        *mode = OUTPUT_JSON;
    else if (str_eq(value, STR("stream-json")))
        *mode = OUTPUT_STREAM;
    else
        return false;
    return true;
}

/* Find the output format in the command line; text is the default of all three. OUTPUT_ANY if the
 * command line is unknown: then the output decides. */
static enum output_mode mode_of(enum agent_kind tool, const struct json *argv)
{
    static const struct str long_flag = STR_INIT("--output-format");
    enum output_mode mode = OUTPUT_TEXT;
    bool value = false;
    if (!json_is(argv, JSON_ARRAY) || !json_count(argv) || tool == AGENT_OPENAI ||
        tool == AGENT_MOCK)
        return OUTPUT_ANY;
    JSON_ITEMS (argv, item) {
        struct str arg = json_str(item);
        if (value) {
            is_format(arg, &mode);
            value = false;
        } else if (tool == AGENT_CODEX) {
            if (str_eq(arg, STR("--json")) || str_eq(arg, STR("--experimental-json")))
                mode = OUTPUT_STREAM;
        } else if (str_eq(arg, long_flag) || (tool == AGENT_GEMINI && str_eq(arg, STR("-o")))) {
            value = true;
        } else if (str_starts(arg, long_flag) && arg.n > long_flag.n && arg.p[long_flag.n] == '=') {
            is_format(str_skip(arg, long_flag.n + 1), &mode);
        }
    }
    return mode;
}

static bool read_end(const struct json *record, struct output_end *end, struct error *err)
{
    const struct json *code = json_get(record, STR("exit_code"));
    const struct json *at = json_get(record, STR("at"));
    *end = (struct output_end){
        .killed = json_bool(json_get(record, STR("killed"))),
        .timed_out = json_bool(json_get(record, STR("timed_out"))),
        .session_log = json_str(json_get(record, STR("rollout"))),
    };
    if (!json_i64(code, &end->exit_code) && !end->killed && !end->timed_out)
        return error_set(err, ERR_SYNTAX, "the record's exit_code is %s, not an integer",
                         json_type_name(code));
    if (end->exit_code < 0 && end->exit_code > -128) {
        end->signal = (int)-end->exit_code;
        end->exit_code = 0;
    }
    if (at && !json_is(at, JSON_NULL) && !rfc3339_parse(json_str(at), &end->at, err))
        return false;
    return true;
}

static void write_outcome(const struct output *r, const struct json *id, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_key(&w, "id");
    if (id)
        jsonw_value(&w, id);
    else
        jsonw_null(&w);
    jsonw_kcstr(&w, "outcome", outcome_name(r->outcome.class));
    char until[RFC3339_LEN + 1];
    rfc3339_format(r->outcome.until, until);
    jsonw_kcstr(&w, "until", r->outcome.until ? until : NULL);
    jsonw_kcstr(&w, "evidence", r->outcome.evidence);
    if (r->outcome.message[0])
        jsonw_kcstr(&w, "message", r->outcome.message);
    if (r->outcome.model_only)
        jsonw_kbool(&w, "model_only", true);
    if (r->warning.used > 0) {
        jsonw_key(&w, "warning");
        jsonw_object(&w);
        jsonw_key(&w, "used");
        jsonw_double(&w, r->warning.used);
        rfc3339_format(r->warning.resets_at, until);
        if (r->warning.resets_at)
            jsonw_kcstr(&w, "resets_at", until);
        if (r->warning.window[0])
            jsonw_kcstr(&w, "window", r->warning.window);
        jsonw_end(&w);
    }
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

bool output_classify(const struct json *record, int64_t now, struct buf *out, struct error *err)
{
    struct output_end end;
    struct str name = json_str(json_get(record, STR("tool")));
    enum agent_kind tool = agent_kind_find(name);
    if (!json_is(record, JSON_OBJECT))
        return error_set(err, ERR_SYNTAX, "a record is an object, not %s", json_type_name(record));
    if (tool == AGENT_NONE)
        return error_set(err, ERR_SYNTAX, "unknown tool \"%.*s\" in the record",
                         STR_ARG(str_head(name, 64)));
    if (!read_end(record, &end, err))
        return false;
    struct output r;
    output_init(&r, tool, now);
    r.facts->mode = mode_of(tool, json_get(record, STR("argv")));
    output_feed(&r, PROCESS_STDOUT, json_str(json_get(record, STR("stdout"))));
    output_feed(&r, PROCESS_STDERR, json_str(json_get(record, STR("stderr"))));
    r.hopeless = false; /* only we kill for this; the record says who killed the agent */
    output_end(&r, &end);
    write_outcome(&r, json_get(record, STR("id")), out);
    output_done(&r);
    return true;
}
