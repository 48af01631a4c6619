#include "net/sse.h"

#include <assert.h>
#include <limits.h>

#define KEPT_BYTES (64u << 10) /* memory that a reader keeps between two events */

/* ---- writing */

/* Add a field of one line, leaving out the characters that would end the line early. */
static void add_field(struct buf *out, struct str name, struct str value)
{
    buf_add(out, name);
    for (size_t i = 0; i < value.n; i++)
        if (value.p[i] != '\r' && value.p[i] != '\n' && value.p[i] != 0)
            buf_add_char(out, value.p[i]);
    buf_add_char(out, '\n');
}

/* CR, LF and CR LF each end a line of the stream, so start a new data line after each. */
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

/* Add all fields except the data. */
static void add_fields(struct buf *out, const struct sse_event *e)
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
    add_fields(out, e);
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

/* Send what sse_format() would write, without copying the parts. */
static bool send_parts(struct http_exchange *x, struct buf *head, const struct sse_event *e)
{
    struct str all[SSE_MAX_PARTS + 2];
    assert(e->part_count <= SSE_MAX_PARTS);
    add_fields(head, e);
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

bool sse_send_comment(struct http_exchange *x)
{
    return http_exchange_write(x, STR(": keep-alive\n\n"));
}

bool sse_is_slow(const struct http_exchange *x)
{
    return http_exchange_queued(x) > SSE_HIGH_WATER;
}

/* ---- reading */

static void set_text(struct buf *b, struct str value)
{
    buf_clear(b);
    buf_add(b, value);
}

static void take_retry(struct sse_reader *r, struct str value)
{
    uint64_t ms;
    if (value.n && value.p[0] != '+' && str_to_u64(value, &ms) && ms <= INT_MAX)
        r->retry_ms = (int)ms;
}

static void take_data(struct sse_reader *r, struct str value)
{
    if (r->has_data)
        buf_add_char(&r->data, '\n');
    buf_add(&r->data, value);
    r->has_data = true;
}

static void take_field(struct sse_reader *r, struct str line)
{
    struct str name;
    str_cut(&line, ':', &name);
    if (line.n && line.p[0] == ' ')
        line = str_skip(line, 1);
    if (str_eq(name, STR("data")))
        take_data(r, line);
    else if (str_eq(name, STR("event")))
        set_text(&r->name, line);
    else if (str_eq(name, STR("id")) && str_find_char(line, 0) == line.n)
        set_text(&r->id, line);
    else if (str_eq(name, STR("retry")))
        take_retry(r, line);
}

/* Handle an empty line: the event is complete if it has data. */
static enum sse_reader_event finish_event(struct sse_reader *r)
{
    if (!r->has_data) {
        buf_clear(&r->name);
        return SSE_READER_MORE;
    }
    r->has_data = false;
    r->event = (struct sse_event){.id = buf_str(&r->id),
                                  .event = buf_str(&r->name),
                                  .retry_ms = r->retry_ms,
                                  .data = r->data.p ? buf_str(&r->data) : STR("")};
    return SSE_READER_EVENT;
}

static enum sse_reader_event end_line(struct sse_reader *r)
{
    struct str line = buf_str(&r->line);
    if (!r->begun && str_starts(line, STR("\xef\xbb\xbf")))
        line = str_skip(line, 3);
    r->begun = true;
    if (!line.n)
        return finish_event(r);
    take_field(r, line);
    return SSE_READER_MORE;
}

static void release_buf(struct buf *b)
{
    if (b->cap > KEPT_BYTES)
        buf_done(b);
    else
        buf_clear(b);
}

/* The caller is done with the last event. */
static void forget_event(struct sse_reader *r)
{
    if (!r->event.data.p)
        return;
    r->event = (struct sse_event){0};
    release_buf(&r->data);
    buf_clear(&r->name);
}

static enum sse_reader_event fail_reader(struct sse_reader *r)
{
    r->spent = true;
    buf_done(&r->line);
    buf_done(&r->data);
    return SSE_READER_BAD;
}

static size_t line_length(struct str bytes)
{
    const char *lf = bytes.n ? memchr(bytes.p, '\n', bytes.n) : NULL;
    size_t n = lf ? (size_t)(lf - bytes.p) : bytes.n;
    const char *cr = n ? memchr(bytes.p, '\r', n) : NULL;
    return cr ? (size_t)(cr - bytes.p) : n;
}

enum sse_reader_event sse_reader_feed(struct sse_reader *r, struct str bytes, size_t *used)
{
    struct str rest = bytes;
    enum sse_reader_event e = SSE_READER_MORE;
    forget_event(r);
    while (rest.n && e == SSE_READER_MORE && !r->spent) {
        if (r->after_cr && rest.p[0] == '\n')
            rest = str_skip(rest, 1);
        r->after_cr = false;
        size_t n = line_length(rest);
        bool fits = buf_add(&r->line, str_head(rest, n));
        if (n < rest.n && fits) {
            r->after_cr = rest.p[n] == '\r';
            e = end_line(r);
            release_buf(&r->line);
        }
        if (!fits || r->data.overflow)
            e = fail_reader(r);
        rest = str_skip(rest, n + 1);
    }
    *used = e == SSE_READER_MORE ? bytes.n : bytes.n - rest.n;
    return e;
}

void sse_reader_init(struct sse_reader *r, size_t max_event)
{
    assert(max_event > 0);
    *r = (struct sse_reader){.max_event = max_event};
    r->line = r->data = r->name = r->id = buf_make(max_event);
}

void sse_reader_done(struct sse_reader *r)
{
    buf_done(&r->line);
    buf_done(&r->data);
    buf_done(&r->name);
    buf_done(&r->id);
    r->event = (struct sse_event){0};
}
