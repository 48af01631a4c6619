#include "editor/editor_error.h"

#include <stdarg.h>

#include "base/utf8.h"

bool editor_fail(struct editor_error *err, const char *code, const char *fmt, ...)
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

void editor_error_done(struct editor_error *err)
{
    buf_done(&err->details);
    *err = (struct editor_error){0};
}
