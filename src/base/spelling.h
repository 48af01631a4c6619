/* Members whose names come in two spellings: max_loops and maxLoops are the same.
 *
 *     const struct json *v = spelling_get(object, "max_loops");
 *     if (spelling_is(key, "max_loops")) ...
 *
 * Names in the code are in snake_case.
 */
#pragma once

#include "base/json.h"

/* NULL: neither is there. If both are, the one in snake_case. */
const struct json *spelling_get(const struct json *object, const char *name);
/* The same, but null is as good as nothing: models like to spell out what they do not say. */
const struct json *spelling_get_some(const struct json *object, const char *name);

bool spelling_is(struct str key, const char *name); /* in either spelling */
