/* Feeds the bytes to two HTTP decoders, one whole and one in pieces, and expects the same events.
 *
 * Input: a byte n, n % 16 sizes of pieces (used in a cycle; none: all at once), the bytes. */
#include <assert.h>
#include <stdint.h>

#include "base/buf.h"
#include "fuzz.h"
#include "net/http.h"

static const struct http_limits limits = {.max_head = 400, .max_body = 100, .max_headers = 6};

/* Every field of a request must be within its limits. */
static void check_request(const struct http_request *r)
{
    size_t sum = 0;
    assert(r->method.n && (r->path.n || r->authority.p));
    assert(r->field_count <= limits.max_headers);
    for (size_t i = 0; i < r->field_count; i++) {
        assert(r->fields[i].name.n);
        assert(http_field_value(r, r->fields[i].name).p);
        for (size_t k = 0; k < r->fields[i].value.n; k++)
            assert(r->fields[i].value.p[k] != '\r' && r->fields[i].value.p[k] != '\n');
        sum += r->fields[i].name.n + r->fields[i].value.n;
    }
    assert(sum <= limits.max_head);
    assert(http_field_times(r, STR("Host")) == 1 || r->http10);
    assert(http_field_times(r, STR("Content-Length")) +
               http_field_times(r, STR("Transfer-Encoding")) <=
           1);
}

static void tell_request(struct buf *out, const struct http_request *r)
{
    buf_printf(out, "%.*s|%.*s|%.*s|%.*s|%d%d%d%d%d\n", STR_ARG(r->method), STR_ARG(r->path),
               STR_ARG(r->query), STR_ARG(r->authority), r->http10, r->keep_alive, r->upgrade,
               r->expects_continue, r->has_body);
    for (size_t i = 0; i < r->field_count; i++) {
        buf_add(out, r->fields[i].name);
        buf_add_char(out, '=');
        buf_add(out, r->fields[i].value);
        buf_add_char(out, '\n');
    }
}

/* False: the decoder is finished. */
static bool feed_piece(struct http_decoder *d, struct str piece, struct buf *out)
{
    enum http_event e;
    do {
        size_t used = SIZE_MAX;
        e = http_decoder_feed(d, piece, &used);
        assert(used <= piece.n);
        assert(e != HTTP_MORE || used == piece.n);
        piece = str_skip(piece, used);
        struct http_request *r = http_decoder_request(d);
        if (e == HTTP_HEAD) {
            check_request(r);
            tell_request(out, r);
        } else if (e == HTTP_COMPLETE) {
            assert(r->body.n <= limits.max_body && (r->has_body || !r->body.n));
            assert(http_decoder_is_idle(d));
            buf_add(out, buf_str(&r->body));
            buf_add(out, STR("|end\n"));
        } else if (e == HTTP_BAD) {
            assert(http_decoder_status(d) >= 400 && http_decoder_reason(d)[0]);
            buf_printf(out, "%d %s\n", http_decoder_status(d), http_decoder_reason(d));
            return false;
        }
    } while (piece.n || e == HTTP_HEAD);
    return true;
}

static void log_events(struct str bytes, struct str sizes, struct buf *out)
{
    struct http_decoder *d = http_decoder_new(&limits);
    bool good = true;
    for (size_t i = 0; good && bytes.n; i++) {
        size_t n = sizes.n ? (uint8_t)sizes.p[i % sizes.n] : bytes.n;
        good = feed_piece(d, str_head(bytes, n ? n : 1), out);
        bytes = str_skip(bytes, n ? n : 1);
    }
    if (good)
        buf_add(out, http_decoder_is_idle(d) ? STR("idle") : STR("more"));
    http_decoder_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = str_make((const char *)data, size);
    if (!size)
        return 0;
    struct str sizes = str_head(str_skip(input, 1), data[0] % 16u);
    struct str bytes = str_skip(input, 1 + sizes.n);
    struct buf whole = {0}, pieces = {0};
    log_events(bytes, (struct str){0}, &whole);
    log_events(bytes, sizes, &pieces);
    assert(str_eq(buf_str(&whole), buf_str(&pieces)));
    buf_done(&whole);
    buf_done(&pieces);
    return 0;
}
