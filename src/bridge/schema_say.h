/* The words of schema.c: places as paths, what a schema allows, what came instead.
 *
 *     fields.color.r   waypoints[3]   fields["a b"]   an integer from 0 to 50   a string or null
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

struct schema_place { /* of a value, as a chain up to the root, which is NULL */
    const struct schema_place *up;
    struct str key; /* in an object */
    size_t index;   /* in an array */
    bool is_item;
};

/* What a $ref leads to, through all that follow; other schemas are themselves. Aborts if it leads
 * nowhere. */
const struct json *schema_resolve(const struct json *root, const struct json *schema);

bool schema_is_type(struct str type, const struct json *v); /* one name: "integer", "null", ... */
size_t schema_length(struct str s);                         /* in characters; s is UTF-8 */

void schema_say_place(struct buf *out, const struct schema_place *place);
void schema_say_allowed(struct buf *out, const struct json *root, const struct json *schema);
void schema_say_came(struct buf *out, const struct json *schema, const struct json *v);

/* "; did you mean max_depth?" or, if nothing is near, the names there are. */
void schema_say_known(struct buf *out, const struct json *properties, struct str unknown);
