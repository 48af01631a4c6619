/* The client's side for tests of WebSocket frames: frames are built, events are written down.
 *
 *     ws_frame_add(&bytes, 0x81, STR("hello"), 0x12345678);   // FIN and opcode, payload, mask
 *     ws_frames_events(&log, &decoder, bytes);                // "text 5 hello\n"
 *
 * The log has one line per event, and nothing in it depends on how the bytes were cut:
 *
 *     text 5 hello        binary 3 \x00\x01\x02        ping 0        close 1000 1 x        bad 1002
 */
#pragma once

#include <stdio.h>

#include "net/ws.h"

/* The head of a masked frame; form 0, 2 or 8 bytes of length, -1 the shortest that fits. */
static inline void ws_frame_add_head(struct buf *out, uint8_t first, uint64_t n, int form)
{
    if (form < 0)
        form = n < 126 ? 0 : n < 65536 ? 2 : 8;
    buf_add_char(out, (char)first);
    buf_add_char(out, (char)(0x80 | (form == 0 ? (int)n : form == 2 ? 126 : 127)));
    for (int i = form - 1; i >= 0; i--)
        buf_add_char(out, (char)(n >> 8 * i & 0xff));
}

static inline void ws_frame_add_masked(struct buf *out, struct str payload, uint32_t mask)
{
    for (int i = 0; i < 4; i++)
        buf_add_char(out, (char)(mask >> 8 * i & 0xff));
    for (size_t i = 0; i < payload.n; i++)
        buf_add_char(out, (char)((uint8_t)payload.p[i] ^ (mask >> 8 * (i % 4) & 0xff)));
}

static inline void ws_frame_add(struct buf *out, uint8_t first, struct str payload, uint32_t mask)
{
    ws_frame_add_head(out, first, payload.n, -1);
    ws_frame_add_masked(out, payload, mask);
}

static inline void ws_log_event(struct buf *log, const char *what, struct str payload)
{
    buf_printf(log, "%s %zu", what, payload.n);
    if (payload.n)
        buf_add_char(log, ' ');
    for (size_t i = 0; i < payload.n && i < 100; i++) {
        uint8_t c = (uint8_t)payload.p[i];
        if (c < 0x20 || c == 0x7f || c == '\\')
            buf_printf(log, "\\x%02x", c);
        else
            buf_add_char(log, (char)c);
    }
    if (payload.n > 100)
        buf_printf(log, "... %016llx", (unsigned long long)str_hash(payload));
    buf_add_char(log, '\n');
}

static inline void ws_log_close(struct buf *log, int code, struct str reason)
{
    char what[32];
    snprintf(what, sizeof what, "close %d", code);
    ws_log_event(log, what, reason);
}

/* Feeds all of the bytes; events go to the log. */
static inline void ws_frames_events(struct buf *log, struct ws_decoder *d, struct str bytes)
{
    size_t used = 0;
    for (enum ws_event e; (e = ws_decoder_feed(d, bytes, &used)) != WS_MORE;) {
        bytes = str_skip(bytes, used);
        if (e == WS_TEXT || e == WS_BINARY)
            ws_log_event(log, e == WS_TEXT ? "text" : "binary", d->payload);
        else if (e == WS_PING || e == WS_PONG)
            ws_log_event(log, e == WS_PING ? "ping" : "pong", d->control);
        else if (e == WS_CLOSE)
            ws_log_close(log, d->close_code, d->control);
        else
            buf_printf(log, "bad %d\n", d->close_code);
    }
}
