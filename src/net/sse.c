#include "net/sse.h"

/* A field of one line: what would end the line early is left out. */
static void add_field(struct buf *out, struct str name, struct str value)
{
    buf_add(out, name);
    for (size_t i = 0; i < value.n; i++)
        if (value.p[i] != '\r' && value.p[i] != '\n' && value.p[i] != 0)
            buf_add_char(out, value.p[i]);
    buf_add_char(out, '\n');
}

/* CR, LF and CR LF each end a line of the stream, so each starts a data line of its own. */
static void add_data(struct buf *out, struct str data)
{
    for (;;) {
        size_t end = 0;
        while (end < data.n && data.p[end] != '\n' && data.p[end] != '\r')
            end++;
        buf_add(out, STR("data: "));
        buf_add(out, str_head(data, end));
        buf_add_char(out, '\n');
        if (end == data.n)
            return;
        bool pair = data.p[end] == '\r' && end + 1 < data.n && data.p[end + 1] == '\n';
        data = str_skip(data, end + (pair ? 2 : 1));
    }
}

void sse_format(struct buf *out, const struct sse_event *e)
{
    if (e->id.p)
        add_field(out, STR("id: "), e->id);
    if (e->event.n)
        add_field(out, STR("event: "), e->event);
    if (e->retry_ms > 0)
        buf_printf(out, "retry: %d\n", e->retry_ms);
    if (e->data.p)
        add_data(out, e->data);
    buf_add_char(out, '\n');
}

void sse_begin(struct http_exchange *x)
{
    http_set_header(x, "Cache-Control", STR("no-cache, no-transform"));
    http_set_header(x, "X-Accel-Buffering", STR("no"));
    http_begin(x, 200, "text/event-stream");
}

bool sse_send(struct http_exchange *x, const struct sse_event *e)
{
    struct buf out = {0};
    sse_format(&out, e);
    bool ok = http_write(x, buf_str(&out));
    buf_done(&out);
    return ok;
}

bool sse_comment(struct http_exchange *x)
{
    return http_write(x, STR(": keep-alive\n\n"));
}

bool sse_is_slow(const struct http_exchange *x)
{
    return http_queued(x) > SSE_HIGH_WATER;
}
