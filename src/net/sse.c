#include "net/sse.h"

#include <assert.h>

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
        size_t end = str_find_char(str_head(data, str_find_char(data, '\n')), '\r');
        buf_add(out, STR("data: "));
        buf_add(out, str_head(data, end));
        buf_add_char(out, '\n');
        if (end >= data.n)
            return;
        bool pair = data.p[end] == '\r' && end + 1 < data.n && data.p[end + 1] == '\n';
        data = str_skip(data, end + (pair ? 2 : 1));
    }
}

/* All but the data. */
static void add_head(struct buf *out, const struct sse_event *e)
{
    if (e->id.p)
        add_field(out, STR("id: "), e->id);
    if (e->event.n)
        add_field(out, STR("event: "), e->event);
    if (e->retry_ms > 0)
        buf_printf(out, "retry: %d\n", e->retry_ms);
}

void sse_format(struct buf *out, const struct sse_event *e)
{
    add_head(out, e);
    if (e->parts) {
        buf_add(out, STR("data: "));
        for (size_t i = 0; i < e->part_count; i++)
            buf_add(out, e->parts[i]);
        buf_add_char(out, '\n');
    } else if (e->data.p) {
        add_data(out, e->data);
    }
    buf_add_char(out, '\n');
}

void sse_begin(struct http_exchange *x)
{
    http_exchange_set_header(x, "Cache-Control", STR("no-cache, no-transform"));
    http_exchange_set_header(x, "X-Accel-Buffering", STR("no"));
    http_exchange_begin(x, 200, "text/event-stream");
}

/* As sse_format() writes it, but the parts stay where they are. */
static bool send_parts(struct http_exchange *x, struct buf *head, const struct sse_event *e)
{
    struct str all[SSE_MAX_PARTS + 2];
    assert(e->part_count <= SSE_MAX_PARTS);
    add_head(head, e);
    buf_add(head, STR("data: "));
    all[0] = buf_str(head);
    for (size_t i = 0; i < e->part_count; i++)
        all[1 + i] = e->parts[i];
    all[1 + e->part_count] = STR("\n\n");
    return http_exchange_write_parts(x, all, e->part_count + 2);
}

bool sse_send(struct http_exchange *x, const struct sse_event *e)
{
    struct buf out = {0};
    bool ok;
    if (e->parts) {
        ok = send_parts(x, &out, e);
    } else {
        sse_format(&out, e);
        ok = http_exchange_write(x, buf_str(&out));
    }
    buf_done(&out);
    return ok;
}

bool sse_comment(struct http_exchange *x)
{
    return http_exchange_write(x, STR(": keep-alive\n\n"));
}

bool sse_is_slow(const struct http_exchange *x)
{
    return http_exchange_queued(x) > SSE_HIGH_WATER;
}
