/* WebSocket frames (RFC 6455), both sides: a resumable decoder and an encoder. Pure: no socket.
 *
 *     struct ws_decoder d;
 *     ws_decoder_init(&d, 1u << 20);            // of a server; _init_client: of a client
 *     for (enum ws_event e; (e = ws_decoder_feed(&d, bytes, &used)) != WS_MORE;) {
 *         bytes = str_skip(bytes, used);
 *         ...                                   // look at d.payload, d.control, d.close_code
 *     }
 *     ws_decoder_done(&d);
 *
 *     frames --> head: opcode, length, mask --> payload --> event --> head ...
 *                   |                             |           |
 *                   +----------> WS_BAD <---------+           +--> WS_CLOSE
 *                     spent: all that follows is ignored, the answer stays WS_MORE
 *
 * Control frames come out at once, also between the fragments of a message. A broken peer gives
 * WS_BAD with the close code to answer: 1002 protocol, 1007 not UTF-8, 1009 too big. Text is
 * checked for UTF-8 as it arrives, so a bad message is refused with its first bad byte; a frame
 * over the limit is refused as soon as its length is known. The events are the same however the
 * bytes are cut into pieces.
 *
 * Frames of a client are masked and those of a server are not: each side's decoder insists.
 *
 * A message is copied once, from the bytes that are fed into a buffer of the decoder. Only memory
 * of ordinary size is kept for the next message; a feed of nothing lets go of the rest.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"

enum ws_event {
    WS_MORE,   /* all bytes used */
    WS_TEXT,   /* d->payload is a whole text message */
    WS_BINARY, /* d->payload is a whole binary message */
    WS_PING,   /* d->control is its payload, at most 125 bytes */
    WS_PONG,
    WS_CLOSE, /* d->close_code (1005: none given), d->control the reason */
    WS_BAD,   /* d->close_code, d->reason; the decoder is spent */
    WS_EVENT_COUNT
};

enum ws_opcode {
    WS_OP_CONTINUATION = 0,
    WS_OP_TEXT = 1,
    WS_OP_BINARY = 2,
    WS_OP_CLOSE = 8,
    WS_OP_PING = 9,
    WS_OP_PONG = 10
};

enum {
    WS_CLOSE_NORMAL = 1000,
    WS_CLOSE_GOING_AWAY = 1001,
    WS_CLOSE_PROTOCOL = 1002,
    WS_CLOSE_UNSUPPORTED = 1003,
    WS_CLOSE_NONE = 1005,     /* never sent: no code was given */
    WS_CLOSE_ABNORMAL = 1006, /* never sent: the connection broke */
    WS_CLOSE_NOT_UTF8 = 1007,
    WS_CLOSE_POLICY = 1008,
    WS_CLOSE_TOO_BIG = 1009,
    WS_CLOSE_INTERNAL = 1011
};

/* Not to be moved while in use: control points into it. */
struct ws_decoder {
    struct str payload; /* of the last WS_TEXT or WS_BINARY; valid until the next feed */
    struct str control; /* of the last control frame; valid until the next feed */
    int close_code;
    const char *reason; /* after WS_BAD: one sentence */
    /* private */
    uint8_t head[14];
    uint8_t head_n, head_need;
    uint8_t mask_n; /* bytes of mask in each frame: 4 from a client, none from a server */
    uint8_t opcode, message_opcode; /* message_opcode 0: between two messages */
    bool fin, in_payload, delivered, spent;
    uint64_t left; /* bytes of this frame still to come */
    uint64_t done; /* bytes of this data frame so far: phase of the mask */
    uint8_t mask[4];
    size_t max_message;
    struct buf message;
    char control_bytes[125];
    uint8_t control_n;
    struct utf8_check utf8;
};

/* For the frames that a server gets, and for those that a client gets; max_message at least 1. */
void ws_decoder_init(struct ws_decoder *d, size_t max_message);
void ws_decoder_init_client(struct ws_decoder *d, size_t max_message);
void ws_decoder_done(struct ws_decoder *d);

/* Uses bytes up to the end of the first event; *used says how many. bytes stay as they are. */
enum ws_event ws_decoder_feed(struct ws_decoder *d, struct str bytes, size_t *used);

/* Head of an unmasked frame for n payload bytes; answers its length (2, 4 or 10). */
size_t ws_encode_head(uint8_t to[10], enum ws_opcode op, bool fin, uint64_t n);
void ws_encode(struct buf *out, enum ws_opcode op, struct str payload); /* a whole message */

#define WS_MASK_LEN 4u

/* A whole message of a client. The mask is to be new for each, and not to be guessed (id_bytes). */
void ws_encode_masked(struct buf *out, enum ws_opcode op, struct str payload,
                      const uint8_t mask[WS_MASK_LEN]);

#define WS_CONTROL_MAX 125u /* bytes of payload in a control frame */

/* Payload of a close frame, whose length is answered. WS_CLOSE_NONE is no code and no reason; a
 * long reason is cut to 123 bytes, at a character. */
size_t ws_close_payload(char to[WS_CONTROL_MAX], int code, struct str reason);
void ws_encode_close(struct buf *out, int code, struct str reason); /* the whole frame */

/* May this code stand in a close frame? 1000-1003, 1007-1014 and 3000-4999: RFC 6455 7.4 with the
 * codes that were registered later. */
bool ws_close_code_is_valid(int code);

#define WS_ACCEPT_LEN 28

/* Sec-WebSocket-Accept for a Sec-WebSocket-Key, with a NUL. */
void ws_accept_key(struct str key, char to[WS_ACCEPT_LEN + 1]);
