/* Members with two accepted spellings: max_loops and maxLoops.
 *
 *     const struct json *v = spelling_get(object, "max_loops");
 *     bool same = spelling_is(key, "max_loops");
 *
 * Names in the code are in snake_case.
 */
#pragma once

#include "base/json.h"

/* Return the member, in snake_case if both exist, or NULL. */
const struct json *spelling_get(const struct json *object, const char *name);

/* The same, but treat null as absent: models often write null for a missing value. */
const struct json *spelling_get_some(const struct json *object, const char *name);

bool spelling_is(struct str key, const char *name); /* in either spelling */
