/* Foreign text inside a sentence of ours: in quotes, cut if it is long, harmless on a terminal.
 *
 *     quote_add(&out, name, 40);                // "Main Camera"
 *     quote_value(&out, v, 40);                 // "ten", 99, true, null, an object
 *
 * Quotes and backslashes get a backslash; control characters, and those that are not seen or turn
 * the direction of writing round, become \u and their number; what is not UTF-8 becomes U+FFFD.
 * What is longer than max characters ends in ... before its closing quote.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

#define QUOTE_MAX 40u /* enough to recognise what one wrote */

void quote_add(struct buf *out, struct str text, size_t max);

/* A value as it was written, strings in quotes; of arrays and objects only the kind. */
void quote_value(struct buf *out, const struct json *v, size_t max);
