/* One place of a JSON text, found or changed: every other byte stays as it is.
 *
 *     struct str value;
 *     if (json_edit_find(text, STR("/profiles/0/id"), &value)) ...   // "fast", with its quotes
 *
 *     struct buf out = {0};
 *     if (!json_edit_set(&out, text, STR("/force/tool"), STR("\"mock\""))) ...
 *     if (!json_edit_remove(&out, text, STR("/force"))) ...
 *
 * Places are JSON pointers (RFC 6901): "" is the whole, "/a~1b/0" the first item of the member
 * "a/b". A key is the same however it is escaped. A new member goes behind the last one, on a line
 * of its own if that has one; objects that are missing on the way to it are made, null counts as
 * missing. Text that is found points into the text that was given.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

/* The text is known to be JSON. False: there is no such value; *value is the nearest around it. */
bool json_edit_find(struct str text, struct str pointer, struct str *value);

/* The first step of *pointer, decoded into *step, which is cleared first; *pointer is what follows
 * then. False: there is none. */
bool json_edit_step(struct str *pointer, struct buf *step);

/* Adds the changed text to *out. json is one value. False, and nothing is added: the text is no
 * JSON, the pointer no UTF-8, or the way leads through what is no object (or to an item that an
 * array does not have). */
bool json_edit_set(struct buf *out, struct str text, struct str pointer, struct str json);

/* The same without a member; a text that does not have it is added as it is. Items of arrays and
 * the whole cannot be removed: false. */
bool json_edit_remove(struct buf *out, struct str text, struct str pointer);
