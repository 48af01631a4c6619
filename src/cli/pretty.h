/* JSON for a person: one member or item on a line, indented by two blanks for each level.
 *
 *     pretty_put(&out, value);                  // {\n  "a": 1\n}
 *
 * Empty containers stay on their line. Numbers keep their text. No line end behind it.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

void pretty_put(struct buf *out, const struct json *v);
