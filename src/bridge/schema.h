/* JSON Schema, as far as our tools use it: check a value and describe the first error.
 *
 *     if (!schema_check(tool->input, arguments, &err))
 *         return false; // ERR_INVALID_PARAMS "max_depth must be an integer from 0 to 50, not 99"
 *
 * Supported: type (one or a list), properties, required, additionalProperties (a schema, true or
 * false), items, minItems, maxItems, enum, const, minimum, maximum, minLength, maxLength, anyOf,
 * $ref to "#" or "#/$defs/name". Other keywords (title, description, default, ...) have no effect;
 * only such may stand beside a $ref. A schema may be true or false. An integer is a number without
 * a fraction (3.0 is one) that fits 64 bits. Lengths are in characters.
 *
 * The message has the path of the value (fields.color.r, waypoints[3]), the value (cut if long) and
 * what is allowed. An unknown key comes with the nearest known one, a missing key with its
 * description. The first error in document order is reported, and missing members of an object
 * after errors in it. If no alternative of anyOf fits, the error of the one that got furthest is
 * reported. The message never mentions the schema itself.
 *
 * The schema is trusted: a $ref that leads nowhere, or in a circle without a step into the value,
 * aborts. The value is hostile: recursion is no deeper than the value, and the time is proportional
 * to its size, as long as no two alternatives of a recursive anyOf descend into the same value.
 */
#pragma once

#include "base/error.h"
#include "base/json.h"

/* value NULL counts as {}. */
bool schema_check(const struct json *schema, const struct json *value, struct error *err);
