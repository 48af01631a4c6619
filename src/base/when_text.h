/* The time in a message: "try again at 11:10 AM", "resets 3pm (Europe/Lisbon)", "Please retry in
 * 8h12m33.1s.", "resets Nov 18, 9:47am (UTC)", "regain access on 2026-12-01 at 00:00 UTC", "usage
 * limit reached|1755615600".
 *
 *     int64_t until;
 *     bool found = when_text_find(message, now, &until);     // unix ms
 *
 * A time follows a phrase that announces it (again in, retry in, reset after, resets, again at,
 * access on, until, ...); the first readable one is returned. Without a zone, the local zone of
 * this process is used; with an unknown zone nothing is found. Without a date, a time that has
 * passed is tomorrow; without a year, a day that has passed is next year. Pure; linear in the text.
 */
#pragma once

#include "base/str.h"

#define WHEN_TEXT_MAX_MS (400ull * 86400000u) /* longer spans are not accepted */

bool when_text_find(struct str text, int64_t now, int64_t *unix_ms);

/* Read the whole text as a span: "6m0s", "3.5s", "120ms", "5 days 22 hours 11 minutes", "1h"; a
 * number alone is seconds. */
bool when_text_span(struct str text, uint64_t *ms);
