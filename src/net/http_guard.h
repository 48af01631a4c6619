/* Access to the server: checks of Host, Origin and bearer token. Pure.
 *
 * Against DNS rebinding and foreign pages in the user's browser: the Host (and the authority of
 * an absolute target) must be 127.0.0.1, localhost or [::1] with the server's port, which may be
 * left out only if it is 80; an Origin must be absent, or http with one of these. Against other
 * users of the machine: the token, if one is set, compared in constant time.
 */
#pragma once

#include "base/buf.h"
#include "net/http.h"

struct http_guard {
    uint16_t port;
    struct str token; /* empty: none required */
};

/* Check Host and Origin. Return 0, or 403 with one sentence in *message. */
int http_guard_check(const struct http_guard *g, const struct http_request *r, struct buf *message);

/* Check the token. Return 0 (also if none is required), or 401. */
int http_guard_check_token(const struct http_guard *g, const struct http_request *r,
                           struct buf *message);

/* Add untrusted text to a message: at most 80 characters, with '?' for all but printable ASCII. */
void http_guard_quote(struct buf *out, struct str text);
