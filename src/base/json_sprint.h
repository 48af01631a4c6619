/* The fast way through JSON without blanks: as far as nothing unusual comes, and no further.
 *
 *     struct json_sprint k = {.objects = 0, .depth = 0};
 *     at = json_sprint(&k, at, end, 0);         // at '{' or '[', in text that is UTF-8
 *     // k.due says what is expected at `at`; k.depth 0: it is behind the whole value
 *
 * What it has passed is right: not a byte of it is left unchecked. Where it stops there may be a
 * fault, or only something it does not know (a blank, an escape, the end of the text near by, a
 * machine that cannot do it at all): who calls it goes on from there with all due care, and may
 * call it again. It stops before a token or behind it, never inside.
 *
 * The ends of all strings in 64 bytes come from one look at them (a quote ends a string if an odd
 * number stands before it); a string then takes one step, whatever its length, and no step waits
 * for the one before it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_SPRINT_MIN 192u /* bytes of text for which it is worth a try */

enum json_due {
    JSON_DUE_VALUE,
    JSON_DUE_KEY, /* at its quote */
    JSON_DUE_NEXT /* behind a value: a comma, or the end of the container */
};

struct json_sprint {
    uint64_t objects; /* which of the open containers are objects; the lowest bit: the innermost */
    size_t depth;     /* how many are open; with 63 of them it opens no more */
    enum json_due due;
};

/* From a container on, up to where all that are deeper than `floor` are closed, or to where it
 * stops. */
const char *json_sprint(struct json_sprint *k, const char *at, const char *end, size_t floor);
