/* Feeds the bytes to WebSocket decoders of both sides, whole and in pieces, and expects the same
 * events.
 *
 * Input: a byte n, the size of pieces (0: one of 256), then the bytes. */
#include <assert.h>

#include "../unit/ws_frames.h"
#include "fuzz.h"

#define MAX_MESSAGE 600u

/* Invariants of every event. */
static void check_event(const struct ws_decoder *d, enum ws_event e)
{
    assert(e < WS_EVENT_COUNT);
    assert(d->payload.n <= MAX_MESSAGE && d->control.n <= 125);
    assert(d->message.cap <= MAX_MESSAGE);
    if (e == WS_TEXT)
        assert(utf8_is_valid(d->payload));
    if (e == WS_CLOSE) {
        assert(d->close_code == WS_CLOSE_NONE || ws_close_code_is_valid(d->close_code));
        assert(d->control.n <= 123 && utf8_is_valid(d->control));
    }
    if (e == WS_BAD) {
        assert(d->close_code == WS_CLOSE_PROTOCOL || d->close_code == WS_CLOSE_NOT_UTF8 ||
               d->close_code == WS_CLOSE_TOO_BIG);
        assert(d->reason && d->reason[0]);
    }
}

/* The events alone, each checked; the decoder of the log gets the same bytes. */
static void check_events(struct ws_decoder *d, struct str bytes)
{
    enum ws_event e;
    do {
        size_t used = SIZE_MAX;
        e = ws_decoder_feed(d, bytes, &used);
        assert(used <= bytes.n && (e != WS_MORE || used == bytes.n));
        check_event(d, e);
        bytes = str_skip(bytes, used);
    } while (e != WS_MORE);
}

typedef void init_fn(struct ws_decoder *d, size_t max_message);

static void run_decoder(struct buf *log, struct str bytes, size_t step, init_fn *init)
{
    struct ws_decoder told, checked;
    init(&told, MAX_MESSAGE);
    init(&checked, MAX_MESSAGE);
    for (; bytes.n; bytes = str_skip(bytes, step)) {
        ws_frames_events(log, &told, str_head(bytes, step));
        check_events(&checked, str_head(bytes, step));
    }
    ws_decoder_done(&told);
    ws_decoder_done(&checked);
}

static void check_side(const uint8_t *bytes, size_t n, init_fn *init)
{
    struct buf whole = {0}, pieces = {0}, single = {0};
    struct str s = str_make((const char *)bytes + 1, n - 1);
    run_decoder(&whole, s, n, init);
    run_decoder(&pieces, s, bytes[0] ? bytes[0] : 256, init);
    run_decoder(&single, s, 1, init);
    assert(str_eq(buf_str(&whole), buf_str(&pieces)));
    assert(str_eq(buf_str(&whole), buf_str(&single)));
    buf_done(&whole);
    buf_done(&pieces);
    buf_done(&single);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (n == 0)
        return 0;
    check_side(bytes, n, ws_decoder_init);
    check_side(bytes, n, ws_decoder_init_client);
    return 0;
}
