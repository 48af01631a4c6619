#include "unity/diagnostic.h"

#include <stdarg.h>

#include "base/buf.h"

#define TEXT_MAX 4096u /* messages may quote long names */

void diagnostic_report(const struct diagnostic_sink *sink, const struct diagnostic *about,
                       const char *fmt, ...)
{
    if (sink == NULL || sink->fn == NULL)
        return;
    struct buf text = buf_make(TEXT_MAX);
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    struct diagnostic n = *about;
    n.text = buf_str(&text);
    sink->fn(&n, sink->ctx);
    buf_done(&text);
}
