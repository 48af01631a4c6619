/* WebSocket frames (RFC 6455), both sides: a resumable decoder and an encoder. Pure: no socket.
 *
 *     struct ws_decoder d;
 *     size_t used;
 *     ws_decoder_init(&d, 1u << 20);            // of a server; _init_client: of a client
 *     for (enum ws_event e; (e = ws_decoder_feed(&d, bytes, &used)) != WS_MORE;) {
 *         bytes = str_skip(bytes, used);
 *         handle_event(e, d.payload, d.control, d.close_code);
 *     }
 *     ws_decoder_done(&d);
 *
 *     frames --> head: opcode, length, mask --> payload --> event --> head ...
 *                   |                             |           |
 *                   +----------> WS_BAD <---------+           +--> WS_CLOSE
 *                     unusable: later bytes are ignored, feed returns WS_MORE
 *
 * Control frames are returned at once, also between the fragments of a message. A peer that breaks
 * the protocol causes WS_BAD with the close code to send: 1002 protocol, 1007 not UTF-8, 1009 too
 * big. Text is checked for UTF-8 as it arrives, so an invalid message is refused at its first
 * invalid byte; a frame over the limit is refused as soon as its length is known. The events do not
 * depend on how the bytes were split.
 *
 * Frames of a client are masked and those of a server are not; each side's decoder requires it.
 *
 * A message is copied once, from the fed bytes into a buffer of the decoder. For the next message
 * the decoder keeps only a moderate amount of memory; feed it nothing to release the rest.
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
    WS_CLOSE, /* d->close_code (1005: none), d->control is the reason */
    WS_BAD,   /* d->close_code, d->reason; the decoder is unusable */
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
    WS_CLOSE_NONE = 1005,     /* never sent: the frame had no code */
    WS_CLOSE_ABNORMAL = 1006, /* never sent: the connection broke */
    WS_CLOSE_NOT_UTF8 = 1007,
    WS_CLOSE_POLICY = 1008,
    WS_CLOSE_TOO_BIG = 1009,
    WS_CLOSE_INTERNAL = 1011
};

/* Do not move it while it is in use: control points into it. */
struct ws_decoder {
    struct str payload; /* of the last WS_TEXT or WS_BINARY; valid until the next feed */
    struct str control; /* of the last control frame; valid until the next feed */
    int close_code;
    const char *reason; /* after WS_BAD: one sentence */
    /* private */
    uint8_t head[14];
    uint8_t head_n, head_need;
    uint8_t mask_n; /* bytes of mask in each frame: 4 from a client, none from a server */
    uint8_t opcode, message_opcode; /* message_opcode 0: between messages */
    bool fin, in_payload, delivered, spent;
    uint64_t left; /* bytes of this frame still to come */
    uint64_t done; /* received bytes of this data frame: phase of the mask */
    uint8_t mask[4];
    size_t max_message;
    struct buf message;
    char control_bytes[125];
    uint8_t control_n;
    struct utf8_check utf8;
};

/* Prepare for the frames a server receives, or a client; max_message is at least 1. */
void ws_decoder_init(struct ws_decoder *d, size_t max_message);
void ws_decoder_init_client(struct ws_decoder *d, size_t max_message);
void ws_decoder_done(struct ws_decoder *d);

/* Use bytes up to the end of the first event; *used is their number. */
enum ws_event ws_decoder_feed(struct ws_decoder *d, struct str bytes, size_t *used);

/* Write the head of an unmasked frame for n payload bytes; return its length (2, 4 or 10). */
size_t ws_encode_head(uint8_t to[10], enum ws_opcode op, bool fin, uint64_t n);
void ws_encode(struct buf *out, enum ws_opcode op, struct str payload); /* write a whole message */

#define WS_MASK_LEN 4u

/* Write a whole message of a client. Each needs a new, unguessable mask (id_bytes). */
void ws_encode_masked(struct buf *out, enum ws_opcode op, struct str payload,
                      const uint8_t mask[WS_MASK_LEN]);

#define WS_CONTROL_MAX 125u /* bytes of payload in a control frame */

/* Write the payload of a close frame and return its length. WS_CLOSE_NONE: neither code nor reason.
 * A long reason is cut to 123 bytes, between two characters. */
size_t ws_close_payload(char to[WS_CONTROL_MAX], int code, struct str reason);
void ws_encode_close(struct buf *out, int code, struct str reason); /* write the whole frame */

/* May a close frame have this code? 1000-1003, 1007-1014 and 3000-4999: RFC 6455 7.4 and the codes
 * registered later. */
bool ws_close_code_is_valid(int code);

#define WS_ACCEPT_LEN 28

/* Write the Sec-WebSocket-Accept for a Sec-WebSocket-Key, with a NUL. */
void ws_accept_key(struct str key, char to[WS_ACCEPT_LEN + 1]);
