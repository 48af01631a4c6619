/* SHA-256 and HMAC-SHA-256: seals on what a client holds for us. */
#pragma once

#include "base/str.h"

#define SHA256_LEN 32

void sha256(struct str text, uint8_t digest[SHA256_LEN]);
void sha256_hmac(struct str key, struct str text, uint8_t mac[SHA256_LEN]);

/* Same bytes? Takes the same time whatever the answer. */
bool sha256_same(const uint8_t a[SHA256_LEN], const uint8_t b[SHA256_LEN]);
