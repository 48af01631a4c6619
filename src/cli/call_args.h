/* The arguments of a tool as typed in a shell: KEY=VALUE pairs become one JSON object.
 *
 *     max_entries=5 log_type='["error"]'        {"max_entries":5,"log_type":["error"]}
 *     job_id=123                                {"job_id":"123"}    the schema says: a string
 *     fields.mass:=2.5 fields.tag=Player        {"fields":{"mass":2.5,"tag":"Player"}}
 *
 * KEY=VALUE: if the schema allows only text, VALUE is text. Otherwise VALUE is JSON if it parses as
 * a type that the schema allows (any type without a schema), and text if not; the tool then checks
 * it. KEY:=VALUE is always JSON. Dots in KEY name members of objects. Members keep the order in
 * which they were first given.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"

#define CALL_ARGS_MAX_DEPTH 32u /* names in a KEY */

/* schema is the tool's input schema; NULL: unknown. args are count pairs. ERR_INVALID_PARAMS names
 * an argument that is not a pair, a duplicate KEY, or a VALUE that is not JSON. */
bool call_args_put(struct buf *out, const struct json *schema, char *const *args, size_t count,
                   struct error *err);
