#include "editor/editor_error.h"

#include <stdarg.h>

#include "base/json.h"
#include "base/jsonw.h"
#include "base/utf8.h"

bool editor_error_set(struct editor_error *err, const char *code, const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    struct str head = utf8_head(buf_str(&text), sizeof err->text - 1);
    err->code = code;
    if (head.n)
        memcpy(err->text, head.p, head.n);
    err->text[head.n] = 0;
    buf_done(&text);
    return false;
}

void editor_error_put(struct jsonw *w, const struct editor_error *err)
{
    struct arena a = {0};
    const struct json *more = json_parse(&a, buf_str(&err->details), NULL, NULL);
    jsonw_object(w);
    jsonw_kcstr(w, "code", err->code && err->code[0] ? err->code : "ERR_INTERNAL");
    jsonw_kcstr(w, "message", err->text);
    jsonw_key(w, "details");
    jsonw_object(w);
    if (!err->was_executed)
        jsonw_kcstr(w, "execution_guarantee", "not_executed");
    JSON_EACH (more, k) {
        jsonw_key_str(w, json_str(k));
        jsonw_value(w, k + 1);
    }
    jsonw_end(w);
    jsonw_end(w);
    arena_done(&a);
}

void editor_error_done(struct editor_error *err)
{
    buf_done(&err->details);
    *err = (struct editor_error){0};
}
