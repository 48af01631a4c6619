#include "bridge/failure.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/jsonw.h"
#include "base/utf8.h"
#include "bridge/catalog.h"

struct failure failure_make(enum error_code code, const char *fmt, ...)
{
    struct failure f = {.code = code};
    va_list args;
    va_start(args, fmt);
    vsnprintf(f.text, sizeof f.text, fmt, args);
    va_end(args);
    return f;
}

struct failure failure_of_editor(const struct json *error)
{
    struct failure f = {.code = ERR_UNITY_EXECUTION};
    f.plugin_code = json_str(json_get(error, STR("code")));
    f.plugin_message = json_str(json_get(error, STR("message")));
    f.plugin_details = json_get(error, STR("details"));
    f.not_executed = str_eq(json_str(json_get(f.plugin_details, STR("execution_guarantee"))),
                            str_from(error_guarantee_name(GUARANTEE_NOT_EXECUTED)));
    struct str code = f.plugin_code.n ? f.plugin_code : STR("an error without a code");
    if (f.plugin_message.n)
        snprintf(f.text, sizeof f.text, "%.*s: %.*s", STR_ARG(utf8_head(code, 100)),
                 STR_ARG(utf8_head(f.plugin_message, 380)));
    else
        snprintf(f.text, sizeof f.text, "The editor answered with %.*s",
                 STR_ARG(utf8_head(code, 100)));
    return f;
}

/* An editor that checks before it acts may know more than the error code says. */
enum error_guarantee failure_guarantee(const struct failure *f)
{
    return f->not_executed ? GUARANTEE_NOT_EXECUTED : error_guarantee(f->code);
}

static bool is_retryable(const struct tool *tool, const struct failure *f)
{
    return f->code == ERR_UNITY_EXECUTION ? tool && tool->execution_error_retryable
                                          : error_is_retryable(f->code);
}

void failure_put_json(struct buf *out, const struct tool *tool, const struct failure *f,
                      const char *request_id, const char *job_id)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "code", error_name(f->code));
    jsonw_kcstr(&w, "message", f->text);
    jsonw_kbool(&w, "retryable", is_retryable(tool, f));
    jsonw_key(&w, "details");
    jsonw_object(&w);
    jsonw_kcstr(&w, "execution_guarantee", error_guarantee_name(failure_guarantee(f)));
    jsonw_kcstr(&w, "recovery_action", error_recovery(f->code));
    if (tool)
        jsonw_kcstr(&w, "tool", tool->name);
    if (request_id)
        jsonw_kcstr(&w, "request_id", request_id);
    if (job_id)
        jsonw_kcstr(&w, "job_id", job_id);
    if (f->code == ERR_UNITY_EXECUTION) {
        jsonw_kstr(&w, "plugin_error_code", f->plugin_code);
        jsonw_kstr(&w, "message", f->plugin_message);
        if (f->plugin_details) {
            jsonw_key(&w, "plugin_details");
            jsonw_value(&w, f->plugin_details);
        }
    }
    jsonw_end(&w);
    jsonw_end(&w);
}
