#include "net/ws.h"

#include <assert.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/base64.h"
#include "base/sha1.h"

#define KEPT_BYTES    (256u << 10) /* memory that the decoder keeps between two messages */
#define BLOCK         4096u        /* unmasked, then checked while it is in the L1 cache */
#define SHORTEST_HEAD 2u           /* without the mask */
#define CODE_LEN      2u
#define TOP_BITS      0x8080808080808080u

/* ---- frames in */

static enum ws_event fail_decoder(struct ws_decoder *d, int code, const char *reason)
{
    d->spent = true;
    d->close_code = code;
    d->reason = reason;
    buf_done(&d->message);
    return WS_BAD;
}

static bool is_control(unsigned opcode)
{
    return (opcode & 8) != 0;
}

/* Check the first byte of a frame at once, without waiting for the second. */
static enum ws_event take_opcode(struct ws_decoder *d)
{
    d->fin = (d->head[0] & 0x80) != 0;
    d->opcode = d->head[0] & 0x0f;
    if (d->head[0] & 0x70)
        return fail_decoder(d, WS_CLOSE_PROTOCOL, "a reserved bit is set");
    switch (d->opcode) {
    case WS_OP_CONTINUATION:
        if (!d->message_opcode)
            return fail_decoder(d, WS_CLOSE_PROTOCOL, "a continuation without a message");
        return WS_MORE;
    case WS_OP_TEXT:
    case WS_OP_BINARY:
        if (d->message_opcode)
            return fail_decoder(d, WS_CLOSE_PROTOCOL, "a new message inside a fragmented one");
        return WS_MORE;
    case WS_OP_CLOSE:
    case WS_OP_PING:
    case WS_OP_PONG:
        if (!d->fin)
            return fail_decoder(d, WS_CLOSE_PROTOCOL, "a fragmented control frame");
        return WS_MORE;
    default:
        return fail_decoder(d, WS_CLOSE_PROTOCOL, "a reserved opcode");
    }
}

static enum ws_event take_short_length(struct ws_decoder *d)
{
    unsigned n = d->head[1] & 0x7f;
    bool is_masked = (d->head[1] & 0x80) != 0;
    if (!is_masked && d->mask_n)
        return fail_decoder(d, WS_CLOSE_PROTOCOL, "a frame of a client is not masked");
    if (is_masked && !d->mask_n)
        return fail_decoder(d, WS_CLOSE_PROTOCOL, "a frame of a server is masked");
    if (is_control(d->opcode) && n > WS_CONTROL_MAX)
        return fail_decoder(d, WS_CLOSE_PROTOCOL, "a control frame over 125 bytes");
    if (d->opcode == WS_OP_CLOSE && n == 1)
        return fail_decoder(d, WS_CLOSE_PROTOCOL, "a close frame with half a code");
    d->head_need = (uint8_t)(SHORTEST_HEAD + d->mask_n + (n == 126 ? 2u : n == 127 ? 8u : 0u));
    return WS_MORE;
}

static enum ws_event take_length(struct ws_decoder *d)
{
    unsigned n = d->head[1] & 0x7f;
    uint64_t length = n < 126 ? n : 0;
    for (unsigned i = 2; i < d->head_n; i++)
        length = length << 8 | d->head[i];
    if (length >> 63)
        return fail_decoder(d, WS_CLOSE_PROTOCOL, "a length with its top bit set");
    if ((n == 126 && length < 126) || (n == 127 && length <= UINT16_MAX))
        return fail_decoder(d, WS_CLOSE_PROTOCOL, "a length that is not in its shortest form");
    if (!is_control(d->opcode) && length > d->max_message - d->message.n)
        return fail_decoder(d, WS_CLOSE_TOO_BIG, "the message is too big");
    d->left = length;
    return WS_MORE;
}

/* Allocate room for the whole frame at once, so that no byte is moved twice. */
static void begin_payload(struct ws_decoder *d)
{
    memcpy(d->mask, d->head + d->head_n - d->mask_n, d->mask_n); /* a server's stays all zeros */
    d->head_n = 0;
    d->head_need = (uint8_t)(SHORTEST_HEAD + d->mask_n);
    d->in_payload = true;
    d->done = 0;
    d->control_n = 0;
    if (d->opcode != WS_OP_CONTINUATION && d->opcode != WS_OP_PING && d->opcode != WS_OP_PONG)
        d->utf8 = (struct utf8_check){0}; /* a close frame also ends the message it interrupts */
    if (d->opcode == WS_OP_CLOSE)
        buf_done(&d->message);
    if (is_control(d->opcode))
        return;
    if (d->opcode != WS_OP_CONTINUATION)
        d->message_opcode = d->opcode;
    if (d->message.n == 0 && d->message.cap < d->left)
        buf_done(&d->message); /* growing it would copy unneeded bytes */
    if (d->left) {
        char *room = buf_room(&d->message, (size_t)d->left);
        assert(room);
        (void)room;
    }
}

static int close_code(const struct ws_decoder *d)
{
    return (uint8_t)d->control_bytes[0] << 8 | (uint8_t)d->control_bytes[1];
}

static enum ws_event end_close(struct ws_decoder *d)
{
    if (!utf8_check_end(&d->utf8))
        return fail_decoder(d, WS_CLOSE_NOT_UTF8,
                            "the reason of a close frame ends inside a character");
    d->spent = true;
    d->close_code = d->control_n ? close_code(d) : WS_CLOSE_NONE;
    d->control = str_skip(str_make(d->control_bytes, d->control_n), CODE_LEN);
    return WS_CLOSE;
}

static enum ws_event end_frame(struct ws_decoder *d)
{
    d->in_payload = false;
    if (d->opcode == WS_OP_CLOSE)
        return end_close(d);
    if (is_control(d->opcode)) {
        d->control = str_make(d->control_bytes, d->control_n);
        return d->opcode == WS_OP_PING ? WS_PING : WS_PONG;
    }
    if (!d->fin)
        return WS_MORE;
    bool is_text = d->message_opcode == WS_OP_TEXT;
    if (is_text && !utf8_check_end(&d->utf8))
        return fail_decoder(d, WS_CLOSE_NOT_UTF8, "a text message ends inside a character");
    d->message_opcode = 0;
    d->delivered = true;
    d->payload = buf_str(&d->message);
    return is_text ? WS_TEXT : WS_BINARY;
}

static enum ws_event take_head_byte(struct ws_decoder *d, char byte)
{
    enum ws_event e = WS_MORE;
    d->head[d->head_n++] = (uint8_t)byte;
    if (d->head_n == 1)
        return take_opcode(d);
    if (d->head_n == 2)
        e = take_short_length(d);
    if (e == WS_MORE && d->head_n == d->head_need - d->mask_n)
        e = take_length(d);
    if (e != WS_MORE || d->head_n < d->head_need)
        return e;
    begin_payload(d);
    return d->left ? WS_MORE : end_frame(d);
}

#ifdef __SSE2__
/* Do the same for whole blocks of 64 bytes; return the number of bytes. `key` is the mask twice;
 * *seen gets all bits set in a result. */
static size_t unmask_blocks(char *to, struct str from, uint64_t key, uint64_t *seen)
{
    const __m128i k = _mm_set1_epi64x((long long)key);
    __m128i all = _mm_setzero_si128();
    size_t i = 0;
    for (; from.n - i >= 64; i += 64) {
        const __m128i *in = (const __m128i *)(const void *)(from.p + i);
        __m128i *out = (__m128i *)(void *)(to + i);
        __m128i a = _mm_xor_si128(_mm_loadu_si128(in), k);
        __m128i b = _mm_xor_si128(_mm_loadu_si128(in + 1), k);
        __m128i c = _mm_xor_si128(_mm_loadu_si128(in + 2), k);
        __m128i d = _mm_xor_si128(_mm_loadu_si128(in + 3), k);
        _mm_storeu_si128(out, a);
        _mm_storeu_si128(out + 1, b);
        _mm_storeu_si128(out + 2, c);
        _mm_storeu_si128(out + 3, d);
        all = _mm_or_si128(all, _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d)));
    }
    all = _mm_or_si128(all, _mm_srli_si128(all, 8));
    *seen = (uint64_t)_mm_cvtsi128_si64(all);
    return i;
}
#else
static size_t unmask_blocks(char *to, struct str from, uint64_t key, uint64_t *seen)
{
    (void)to, (void)from, (void)key;
    *seen = 0;
    return 0;
}
#endif

/* Copy n bytes, each XORed with its byte of the mask; the first one has the phase. Return whether a
 * result has its top bit set: if none has, the text is ASCII and needs no further check. */
static bool unmask_bytes(char *to, struct str from, const uint8_t mask[WS_MASK_LEN], uint64_t phase)
{
    uint8_t key[8];
    uint64_t k, w, seen;
    for (unsigned j = 0; j < sizeof key; j++)
        key[j] = mask[(phase + j) % WS_MASK_LEN];
    memcpy(&k, key, sizeof k);
    size_t i = unmask_blocks(to, from, k, &seen);
    for (; from.n - i >= sizeof w; i += sizeof w) {
        memcpy(&w, from.p + i, sizeof w);
        w ^= k;
        seen |= w;
        memcpy(to + i, &w, sizeof w);
    }
    for (; i < from.n; i++) {
        uint8_t c = (uint8_t)from.p[i] ^ key[i % sizeof key];
        seen |= c;
        to[i] = (char)c;
    }
    return (seen & TOP_BITS) != 0;
}

static enum ws_event take_control(struct ws_decoder *d, struct str bytes)
{
    size_t before = d->control_n;
    unmask_bytes(d->control_bytes + before, bytes, d->mask, before);
    d->control_n = (uint8_t)(before + bytes.n);
    if (d->opcode != WS_OP_CLOSE || d->control_n < CODE_LEN)
        return WS_MORE;
    if (!ws_close_code_is_valid(close_code(d)))
        return fail_decoder(d, WS_CLOSE_PROTOCOL,
                            "a close frame with a code that must not be sent");
    size_t from = before < CODE_LEN ? CODE_LEN : before;
    if (!utf8_check_feed(&d->utf8, str_make(d->control_bytes + from, d->control_n - from)))
        return fail_decoder(d, WS_CLOSE_NOT_UTF8, "the reason of a close frame is not UTF-8");
    return WS_MORE;
}

static enum ws_event take_data(struct ws_decoder *d, struct str bytes)
{
    while (bytes.n) {
        struct str block = str_head(bytes, BLOCK);
        char *to = d->message.p + d->message.n;
        bool plain = !unmask_bytes(to, block, d->mask, d->done) && utf8_check_end(&d->utf8);
        d->message.n += block.n;
        d->message.p[d->message.n] = 0;
        if (d->message_opcode == WS_OP_TEXT && !plain &&
            !utf8_check_feed(&d->utf8, str_make(to, block.n)))
            return fail_decoder(d, WS_CLOSE_NOT_UTF8, "a text message is not UTF-8");
        d->done += block.n;
        bytes = str_skip(bytes, block.n);
    }
    return WS_MORE;
}

/* Use the bytes that belong to the payload of this frame. */
static enum ws_event take_payload(struct ws_decoder *d, struct str bytes, size_t *used)
{
    bytes = bytes.n < d->left ? bytes : str_head(bytes, (size_t)d->left);
    enum ws_event e = is_control(d->opcode) ? take_control(d, bytes) : take_data(d, bytes);
    d->left -= bytes.n;
    *used = bytes.n;
    return e == WS_MORE && !d->left ? end_frame(d) : e;
}

/* The caller is done with the last message: reuse its memory, unless it is large. */
static void forget_message(struct ws_decoder *d)
{
    d->payload = d->control = (struct str){0};
    if (!d->delivered)
        return;
    d->delivered = false;
    if (d->message.cap > KEPT_BYTES)
        buf_done(&d->message);
    else
        buf_clear(&d->message);
}

enum ws_event ws_decoder_feed(struct ws_decoder *d, struct str bytes, size_t *used)
{
    enum ws_event e = WS_MORE;
    size_t at = 0;
    forget_message(d);
    while (e == WS_MORE && at < bytes.n && !d->spent) {
        size_t n = 1;
        e = d->in_payload ? take_payload(d, str_skip(bytes, at), &n)
                          : take_head_byte(d, bytes.p[at]);
        at += n;
    }
    *used = e == WS_MORE ? bytes.n : at;
    return e;
}

static void init_decoder(struct ws_decoder *d, size_t max_message, uint8_t mask_n)
{
    assert(max_message > 0);
    *d = (struct ws_decoder){.head_need = (uint8_t)(SHORTEST_HEAD + mask_n),
                             .mask_n = mask_n,
                             .max_message = max_message,
                             .message = buf_make(max_message)};
}

void ws_decoder_init(struct ws_decoder *d, size_t max_message)
{
    init_decoder(d, max_message, WS_MASK_LEN);
}

void ws_decoder_init_client(struct ws_decoder *d, size_t max_message)
{
    init_decoder(d, max_message, 0);
}

void ws_decoder_done(struct ws_decoder *d)
{
    buf_done(&d->message);
    d->payload = d->control = (struct str){0};
}

/* ---- frames out */

size_t ws_encode_head(uint8_t to[10], enum ws_opcode op, bool fin, uint64_t n)
{
    unsigned length_bytes = n < 126 ? 0 : n <= UINT16_MAX ? 2 : 8;
    assert(!(n >> 63));
    to[0] = (uint8_t)((fin ? 0x80u : 0u) | (unsigned)op);
    to[1] = (uint8_t)(length_bytes == 0 ? n : length_bytes == 2 ? 126 : 127);
    for (unsigned i = 0; i < length_bytes; i++)
        to[2 + i] = (uint8_t)(n >> 8 * (length_bytes - 1 - i));
    return 2 + length_bytes;
}

void ws_encode(struct buf *out, enum ws_opcode op, struct str payload)
{
    uint8_t head[10];
    assert(!is_control(op) || payload.n <= WS_CONTROL_MAX);
    buf_add(out, str_make((const char *)head, ws_encode_head(head, op, true, payload.n)));
    buf_add(out, payload);
}

void ws_encode_masked(struct buf *out, enum ws_opcode op, struct str payload,
                      const uint8_t mask[WS_MASK_LEN])
{
    uint8_t head[10];
    assert(!is_control(op) || payload.n <= WS_CONTROL_MAX);
    size_t head_n = ws_encode_head(head, op, true, payload.n);
    head[1] |= 0x80;
    char *to = buf_room(out, head_n + WS_MASK_LEN + payload.n);
    if (!to)
        return;
    memcpy(to, head, head_n);
    memcpy(to + head_n, mask, WS_MASK_LEN);
    unmask_bytes(to + head_n + WS_MASK_LEN, payload, mask, 0); /* masking is its own inverse */
    out->n += head_n + WS_MASK_LEN + payload.n;
    out->p[out->n] = 0;
}

size_t ws_close_payload(char to[WS_CONTROL_MAX], int code, struct str reason)
{
    if (code == WS_CLOSE_NONE)
        return 0;
    assert(ws_close_code_is_valid(code));
    reason = utf8_head(reason, WS_CONTROL_MAX - CODE_LEN);
    to[0] = (char)(code >> 8);
    to[1] = (char)(code & 0xff);
    if (reason.n)
        memcpy(to + CODE_LEN, reason.p, reason.n);
    return CODE_LEN + reason.n;
}

void ws_encode_close(struct buf *out, int code, struct str reason)
{
    char payload[WS_CONTROL_MAX];
    ws_encode(out, WS_OP_CLOSE, str_make(payload, ws_close_payload(payload, code, reason)));
}

bool ws_close_code_is_valid(int code)
{
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}

/* ---- handshake */

void ws_accept_key(struct str key, char to[WS_ACCEPT_LEN + 1])
{
    struct buf b = {0};
    uint8_t digest[SHA1_LEN];
    buf_add(&b, key);
    buf_add(&b, STR("258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
    sha1(buf_str(&b), digest);
    buf_clear(&b);
    base64_encode(&b, str_make((const char *)digest, sizeof digest));
    assert(b.n == WS_ACCEPT_LEN);
    memcpy(to, b.p, WS_ACCEPT_LEN + 1);
    buf_done(&b);
}
