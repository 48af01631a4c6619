/* The arguments of a tool as typed in a shell: KEY=VALUE pairs, made one JSON object.
 *
 *     max_entries=5 log_type='["error"]'        {"max_entries":5,"log_type":["error"]}
 *     job_id=123                                {"job_id":"123"}    the schema says: a string
 *     fields.mass:=2.5 fields.tag=Player        {"fields":{"mass":2.5,"tag":"Player"}}
 *
 * KEY=VALUE: where the schema allows text and nothing else, VALUE is text. Else it is JSON if it is
 * JSON of a type that the schema allows (any, where the schema says nothing), else text, about
 * which the tool will complain if it wants none. KEY:=VALUE is JSON in any case. Dots in KEY lead
 * into objects. The members come in the order in which they were first named.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"

#define CALL_ARGS_MAX_DEPTH 32u /* names in a KEY */

/* schema is the tool's input schema; NULL: unknown. args are count pairs. ERR_INVALID_PARAMS names
 * the pair that is none, the KEY that stands twice, the VALUE that is no JSON. */
bool call_args_put(struct buf *out, const struct json *schema, char *const *args, size_t count,
                   struct error *err);
