/* SHA-1, only for the WebSocket handshake. */
#pragma once

#include "base/str.h"

#define SHA1_LEN 20

void sha1(struct str text, uint8_t digest[SHA1_LEN]);
