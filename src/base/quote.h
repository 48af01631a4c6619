/* Untrusted text inside a message: quoted, cut if it is long, safe on a terminal.
 *
 *     quote_add(&out, name, 40);                // "Main Camera"
 *     quote_value(&out, v, 40);                 // "ten", 99, true, null, an object
 *
 * Quotes and backslashes get a backslash; control characters, invisible characters and those that
 * change the writing direction become \u and their number; invalid UTF-8 becomes U+FFFD. Text
 * longer than max characters is cut and ends in ... before its closing quote.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

#define QUOTE_MAX 40u /* enough to recognise the text */

void quote_add(struct buf *out, struct str text, size_t max);

/* Append a value as it was written, strings in quotes; of arrays and objects only the type. */
void quote_value(struct buf *out, const struct json *v, size_t max);
