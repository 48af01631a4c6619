/* Errors of editor tools, as a plugin in Unity would throw them: the server wraps each in
 * ERR_UNITY_EXECUTION and puts the code into details.plugin_error_code.
 *
 *     return editor_error_set(err, "ERR_OBJECT_NOT_FOUND", "no GameObject at %.*s", STR_ARG(path));
 *
 * All tools validate before they change anything, so an error means that nothing was done. The wire
 * has this guarantee (execution_guarantee not_executed) unless was_executed is set.
 */
#pragma once

#include "base/buf.h"

struct jsonw;

struct editor_error {
    const char *code;   /* static; NULL or "": none */
    char text[1024];    /* cut at a character boundary if it is too long */
    struct buf details; /* a JSON object, or empty; editor_error_done() */
    bool was_executed;  /* something was changed before it failed */
};

/* Set the error and return false. */
bool editor_error_set(struct editor_error *err, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Write {"code", "message", "details"}; details has the guarantee if nothing was done. */
void editor_error_put(struct jsonw *w, const struct editor_error *err);
void editor_error_done(struct editor_error *err);
