#include "net/sse_reader.h"

#include <assert.h>
#include <limits.h>

#define KEPT_BYTES (64u << 10) /* memory that stays with the reader between two events */

static void put(struct buf *b, struct str value)
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
        put(&r->name, line);
    else if (str_eq(name, STR("id")) && str_find_char(line, 0) == line.n)
        put(&r->id, line);
    else if (str_eq(name, STR("retry")))
        take_retry(r, line);
}

/* An empty line: the event is complete, if it has data. */
static enum sse_reader_event dispatch(struct sse_reader *r)
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
        return dispatch(r);
    take_field(r, line);
    return SSE_READER_MORE;
}

static void forget(struct buf *b)
{
    if (b->cap > KEPT_BYTES)
        buf_done(b);
    else
        buf_clear(b);
}

/* The last event was looked at. */
static void forget_event(struct sse_reader *r)
{
    if (!r->event.data.p)
        return;
    r->event = (struct sse_event){0};
    forget(&r->data);
    buf_clear(&r->name);
}

static enum sse_reader_event bad(struct sse_reader *r)
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
            forget(&r->line);
        }
        if (!fits || r->data.overflow)
            e = bad(r);
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
