/* Points in time as milliseconds since 1970 (UTC), and as text: 2026-11-15T12:04:05.123Z.
 * Monotonic time for deadlines is loop_now(); this clock may jump. */
#pragma once

#include "base/error.h"
#include "base/str.h"

#define RFC3339_LEN 24

int64_t rfc3339_now(void);

/* Years 0000 to 9999; a time outside becomes the first or last moment of this range. */
void rfc3339_format(int64_t unix_ms, char to[RFC3339_LEN + 1]);

/* Parse any RFC 3339 time: with an offset, any number of decimals (cut to milliseconds), or a leap
 * second 60 (read as the second after it). ERR_SYNTAX has the reason. */
bool rfc3339_parse(struct str text, int64_t *unix_ms, struct error *err);
