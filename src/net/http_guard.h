/* Who may talk to the server: Host, Origin and bearer token. Pure.
 *
 * Against DNS rebinding and foreign pages in the user's browser: the Host (and the authority of
 * an absolute target) must be 127.0.0.1, localhost or [::1] with our port, which may be left out
 * only if it is 80; an Origin must be absent, or http with one of these. Against other users of the
 * machine: the token, if one is set, compared in constant time.
 */
#pragma once

#include "base/buf.h"
#include "net/http.h"

struct http_guard {
    uint16_t port;
    struct str token; /* empty: none asked for */
};

/* Host and Origin: 0, or 403 with the sentence of the refusal in *message. */
int http_guard_check(const struct http_guard *g, const struct http_request *r, struct buf *message);

/* The token: 0 also if none is asked for, or 401. */
int http_guard_check_token(const struct http_guard *g, const struct http_request *r,
                           struct buf *message);

/* Text from outside, fit for a message: at most 80 characters, printable ASCII, else '?'. */
void http_guard_quote(struct buf *out, struct str text);
