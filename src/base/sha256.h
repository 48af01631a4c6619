/* SHA-256 and HMAC-SHA-256, which seals state that a client stores for the server. */
#pragma once

#include "base/str.h"

#define SHA256_LEN 32

void sha256(struct str text, uint8_t digest[SHA256_LEN]);
void sha256_hmac(struct str key, struct str text, uint8_t mac[SHA256_LEN]);

/* Compare in constant time. */
bool sha256_same(const uint8_t a[SHA256_LEN], const uint8_t b[SHA256_LEN]);
