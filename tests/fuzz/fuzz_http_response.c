/* Feeds the bytes to decoders of HTTP responses, whole and in pieces, and expects the same events.
 *
 * Input: a byte n, the size of pieces (0: 256), whose top bit makes it the response to a HEAD; then
 * the bytes. The connection ends after them. */
#include <assert.h>

#include "fuzz.h"
#include "net/http_response.h"

#define MAX_HEAD 500u

static void log_event_of(struct buf *log, const struct http_response_decoder *d,
                         enum http_response_event e)
{
    const struct http_response *r = http_response_get(d);
    switch (e) {
    case HTTP_RESPONSE_HEAD:
        assert(r->status >= 0 && r->status <= 999 && r->field_count <= HTTP_MAX_HEADERS);
        buf_printf(log, "head %d\n", r->status);
        for (size_t i = 0; i < r->field_count; i++)
            buf_printf(log, "%.*s=%.*s\n", STR_ARG(r->fields[i].name), STR_ARG(r->fields[i].value));
        break;
    case HTTP_RESPONSE_DATA:
        assert(http_response_data(d).n);
        buf_add(log, http_response_data(d)); /* its parts are cut like the input */
        break;
    case HTTP_RESPONSE_COMPLETE:
        buf_add(log, STR("\ncomplete"));
        break;
    case HTTP_RESPONSE_BAD: /* llhttp's message may depend on where it stopped */
        assert(http_response_reason(d)[0]);
        buf_add(log, STR("\nbad"));
        break;
    case HTTP_RESPONSE_MORE:
        break;
    }
}

static bool is_last(const struct http_response_decoder *d, enum http_response_event e)
{
    return e == HTTP_RESPONSE_BAD ||
           (e == HTTP_RESPONSE_HEAD && http_response_get(d)->status == 101);
}

static void run_decoder(struct buf *log, struct str bytes, size_t step, bool is_head)
{
    struct http_response_decoder *d = http_response_new(MAX_HEAD, is_head);
    bool over = false;
    for (; bytes.n && !over; bytes = str_skip(bytes, step)) {
        struct str piece = str_head(bytes, step);
        enum http_response_event e;
        do {
            size_t used = SIZE_MAX;
            e = http_response_feed(d, piece, &used);
            assert(used <= piece.n && (e != HTTP_RESPONSE_MORE || used == piece.n));
            log_event_of(log, d, e);
            over = is_last(d, e);
            piece = str_skip(piece, used);
        } while (e != HTTP_RESPONSE_MORE && !over);
    }
    if (!over)
        log_event_of(log, d, http_response_end(d));
    http_response_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct buf whole = {0}, pieces = {0}, single = {0};
    if (n == 0)
        return 0;
    struct str s = str_make((const char *)bytes + 1, n - 1);
    size_t step = bytes[0] & 0x7f ? bytes[0] & 0x7f : 256;
    run_decoder(&whole, s, n, bytes[0] & 0x80);
    run_decoder(&pieces, s, step, bytes[0] & 0x80);
    run_decoder(&single, s, 1, bytes[0] & 0x80);
    assert(str_eq(buf_str(&whole), buf_str(&pieces)));
    assert(str_eq(buf_str(&whole), buf_str(&single)));
    buf_done(&whole);
    buf_done(&pieces);
    buf_done(&single);
    return 0;
}
