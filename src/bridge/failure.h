/* How a call failed, and the error object that clients get. Spec: docs/spec/10-bridge.md, 8.
 *
 *     struct failure f = failure_make(ERR_QUEUE_FULL, "%zu calls are waiting", n);
 *     failure_put_json(&out, tool, &f, request->id, NULL);
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"

struct tool;

struct failure {
    enum error_code code;
    char text[ERROR_TEXT_MAX];
    /* Of ERR_UNITY_EXECUTION: the editor's own error. */
    struct str plugin_code, plugin_message;
    const struct json *plugin_details;
    bool not_executed; /* the editor reports that it did nothing */
};

struct failure failure_make(enum error_code code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The failure that an error object of the editor describes; its texts are views into the object. */
struct failure failure_of_editor(const struct json *error);
enum error_guarantee failure_guarantee(const struct failure *f);

/* Append the error object. tool, request_id and job_id may be NULL. */
void failure_put_json(struct buf *out, const struct tool *tool, const struct failure *f,
                      const char *request_id, const char *job_id);
