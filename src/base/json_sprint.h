/* The fast way through JSON without blanks: it goes as far as nothing unusual comes, and no
 * further.
 *
 *     struct json_sprint k = {.objects = 0, .depth = 0};
 *     at = json_sprint(&k, at, end, 0);         // at '{' or '[', in valid UTF-8
 *     // k.due is what is expected at `at`; k.depth 0: it is after the whole value
 *
 * All bytes it has passed are checked and valid. Where it stops there may be an error, or only
 * something it does not handle (a blank, an escape, the end of the text nearby, a machine without
 * the instructions): the caller continues from there with full checks, and may call it again. It
 * stops before or after a token, never inside.
 *
 * It finds the ends of all strings in 64 bytes at once (a quote ends a string if an odd number of
 * quotes precedes it). A string then takes one step of any length, and no step waits for the one
 * before it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_SPRINT_MIN 192u /* shorter texts are not worth a try */

enum json_due {
    JSON_DUE_VALUE,
    JSON_DUE_KEY, /* at its quote */
    JSON_DUE_NEXT /* after a value: a comma or the end of the container */
};

struct json_sprint {
    uint64_t objects; /* one bit per open container: is it an object? Lowest: the innermost */
    size_t depth;     /* open containers, at most 63 */
    enum json_due due;
};

/* Go from the start of a container until all containers deeper than `floor` are closed, or until it
 * stops. Return the position. */
const char *json_sprint(struct json_sprint *k, const char *at, const char *end, size_t floor);
