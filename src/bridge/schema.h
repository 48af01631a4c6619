/* JSON Schema, the part our tools use: checks a value and says in one sentence what is wrong.
 *
 *     if (!schema_check(tool->input, arguments, &err))
 *         ...   // ERR_INVALID_PARAMS "max_depth must be an integer from 0 to 50, not 99"
 *
 * Understood: type (one or a list), properties, required, additionalProperties (a schema, true or
 * false), items, minItems, maxItems, enum, const, minimum, maximum, minLength, maxLength, anyOf,
 * $ref to "#" or "#/$defs/name". Everything else says nothing about validity (title, description,
 * default, ...), and only such stands beside a $ref. A schema may be true or false. An integer is a
 * number without a fraction (3.0 is one) that fits 64 bits: no other can be read. Lengths are
 * characters.
 *
 * The sentence names the place as a path (fields.color.r, waypoints[3]), what came (cut, if long)
 * and what is allowed; an unknown key comes with the nearest known one, a missing one with its
 * description. The first fault in document order is told, and what is missing in an object
 * after what is in it. If no alternative of anyOf fits, the fault of the one that came furthest is
 * told. It never mentions the schema itself.
 *
 * The schema is ours and right: a $ref that leads nowhere, or around without a step into the value,
 * aborts. The value is hostile: no recursion deeper than it, and time in proportion to its size, as
 * long as no two alternatives of an anyOf that comes back to itself look into the same value.
 */
#pragma once

#include "base/error.h"
#include "base/json.h"

/* value NULL stands for an absent one, which is {} here. */
bool schema_check(const struct json *schema, const struct json *value, struct error *err);
