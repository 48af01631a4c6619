/* Base64 of RFC 4648: the standard alphabet with padding, and the URL alphabet without padding. */
#pragma once

#include "base/buf.h"
#include "base/str.h"

void base64_encode(struct buf *b, struct str bytes);
void base64_encode_url(struct buf *b, struct str bytes);

/* Append the decoded bytes to b. On a wrong letter, length or padding return false and leave b. */
bool base64_decode(struct buf *b, struct str text);
bool base64_decode_url(struct buf *b, struct str text);
