/* Errors as clients see them: the same shape everywhere. Spec: docs/spec/10-bridge.md, 8. */
#include <stdarg.h>
#include <stdio.h>

#include "base/jsonw.h"
#include "bridge/bridge_internal.h"

struct failure failure_make(enum error_code code, const char *fmt, ...)
{
    struct failure o = {.code = code};
    va_list args;
    va_start(args, fmt);
    vsnprintf(o.text, sizeof o.text, fmt, args);
    va_end(args);
    return o;
}

struct failure failure_of_editor(const struct json *error)
{
    struct failure o = {.code = ERR_UNITY_EXECUTION};
    o.plugin_code = json_str(json_get(error, STR("code")));
    o.plugin_message = json_str(json_get(error, STR("message")));
    o.plugin_details = json_get(error, STR("details"));
    o.not_executed = str_eq(json_str(json_get(o.plugin_details, STR("execution_guarantee"))),
                            str_from(error_guarantee_name(GUARANTEE_NOT_EXECUTED)));
    struct str code = o.plugin_code.n ? o.plugin_code : STR("an error without a code");
    if (o.plugin_message.n)
        snprintf(o.text, sizeof o.text, "%.*s: %.*s", STR_ARG(utf8_head(code, 100)),
                 STR_ARG(utf8_head(o.plugin_message, 380)));
    else
        snprintf(o.text, sizeof o.text, "The editor answered with %.*s",
                 STR_ARG(utf8_head(code, 100)));
    return o;
}

/* An editor that checks before it acts may know more than its error's code says. */
enum error_guarantee failure_guarantee(const struct failure *o)
{
    return o->not_executed ? GUARANTEE_NOT_EXECUTED : error_guarantee(o->code);
}

static bool is_retryable(const struct tool *tool, const struct failure *o)
{
    return o->code == ERR_UNITY_EXECUTION ? tool && tool->execution_error_retryable
                                          : error_is_retryable(o->code);
}

void failure_put_json(struct buf *out, const struct tool *tool, const struct failure *o,
                      const char *request_id, const char *job_id)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "code", error_name(o->code));
    jsonw_kcstr(&w, "message", o->text);
    jsonw_kbool(&w, "retryable", is_retryable(tool, o));
    jsonw_key(&w, "details");
    jsonw_object(&w);
    jsonw_kcstr(&w, "execution_guarantee", error_guarantee_name(failure_guarantee(o)));
    jsonw_kcstr(&w, "recovery_action", error_recovery(o->code));
    if (tool)
        jsonw_kcstr(&w, "tool", tool->name);
    if (request_id)
        jsonw_kcstr(&w, "request_id", request_id);
    if (job_id)
        jsonw_kcstr(&w, "job_id", job_id);
    if (o->code == ERR_UNITY_EXECUTION) {
        jsonw_kstr(&w, "plugin_error_code", o->plugin_code);
        jsonw_kstr(&w, "message", o->plugin_message);
        if (o->plugin_details) {
            jsonw_key(&w, "plugin_details");
            jsonw_value(&w, o->plugin_details);
        }
    }
    jsonw_end(&w);
    jsonw_end(&w);
}
