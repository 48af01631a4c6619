/* JSON for people: one member a line, two blanks for each level.
 *
 *     json_indent(&out, v);                     // {\n  "a": [\n    1\n  ]\n}
 *
 * What JSON.stringify(v, null, 2) writes, but numbers stand as they were read. Empty objects and
 * arrays stay {} and []; no line end follows the last line.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

void json_indent(struct buf *out, const struct json *v);
