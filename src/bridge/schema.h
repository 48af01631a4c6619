/* JSON Schema, the part our tools use: checks a value and says in one sentence what is wrong.
 *
 *     if (!schema_check(tool->input, arguments, &err))
 *         ...   // ERR_INVALID_PARAMS "max_depth must be an integer from 0 to 50, not 99"
 *
 * Understood: type (one or a list), properties, required, additionalProperties (a schema, true or
 * false), items, minItems, maxItems, enum, const, minimum, maximum, minLength, maxLength, anyOf,
 * $ref to "#" or "#/$defs/name". Everything else says nothing about validity (title, description,
 * default, ...). An integer is any number without a fraction: 3.0 is one. Lengths are characters.
 *
 * The sentence names the place as a path (fields.color.r, waypoints[3]), what came (cut, if long)
 * and what is allowed; an unknown key comes with the nearest known one, a missing one with its
 * description. The first fault in document order is told. It never mentions the schema itself.
 *
 * The schema is ours and right; the value is hostile: no recursion deeper than the value.
 */
#pragma once

#include "base/error.h"
#include "base/json.h"

/* value NULL stands for an absent one, which is {} here. */
bool schema_check(const struct json *schema, const struct json *value, struct error *err);
