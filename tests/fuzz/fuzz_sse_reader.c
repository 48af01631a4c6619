/* Feeds the bytes to readers of server-sent events, whole and in pieces, and expects the same
 * events.
 *
 * Input: a byte n, the size of pieces (0: 256), then the bytes. */
#include <assert.h>

#include "fuzz.h"
#include "net/sse.h"

#define MAX_EVENT 100u

static void run_reader(struct buf *log, struct str bytes, size_t step)
{
    struct sse_reader r;
    sse_reader_init(&r, MAX_EVENT);
    for (; bytes.n; bytes = str_skip(bytes, step)) {
        struct str piece = str_head(bytes, step);
        enum sse_reader_event e;
        do {
            size_t used = SIZE_MAX;
            e = sse_reader_feed(&r, piece, &used);
            assert(used <= piece.n && (e != SSE_READER_MORE || used == piece.n));
            piece = str_skip(piece, used);
            if (e == SSE_READER_BAD)
                buf_add(log, STR("bad\n"));
            if (e != SSE_READER_EVENT)
                continue;
            const struct sse_event *v = &r.event;
            assert(v->data.p && v->data.n <= MAX_EVENT && v->id.n <= MAX_EVENT);
            assert(v->event.n <= MAX_EVENT && v->retry_ms >= 0);
            buf_printf(log, "%d ", v->retry_ms);
            buf_add(log, v->id);
            buf_add_char(log, '\n');
            buf_add(log, v->event);
            buf_add_char(log, '\n');
            buf_add(log, v->data);
            buf_add_char(log, '\n');
        } while (e != SSE_READER_MORE);
    }
    sse_reader_done(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct buf whole = {0}, pieces = {0}, single = {0};
    if (n == 0)
        return 0;
    struct str s = str_make((const char *)bytes + 1, n - 1);
    run_reader(&whole, s, n);
    run_reader(&pieces, s, bytes[0] ? bytes[0] : 256);
    run_reader(&single, s, 1);
    assert(str_eq(buf_str(&whole), buf_str(&pieces)));
    assert(str_eq(buf_str(&whole), buf_str(&single)));
    buf_done(&whole);
    buf_done(&pieces);
    buf_done(&single);
    return 0;
}
