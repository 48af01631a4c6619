/* Find or change one place of a JSON text without changing any other byte.
 *
 *     struct str value;
 *     bool found = json_edit_find(text, STR("/profiles/0/id"), &value);  // "fast", with quotes
 *
 *     struct buf out = {0};
 *     bool changed = json_edit_set(&out, text, STR("/force/tool"), STR("\"mock\""));
 *     bool removed = json_edit_remove(&out, text, STR("/force"));
 *
 * Places are JSON pointers (RFC 6901): "" is the whole text, "/a~1b/0" the first item of the member
 * "a/b". Keys are compared with their escapes decoded. A new member is added after the last one, on
 * its own line if that one has its own; missing objects on the path are created, and null counts as
 * missing. Found values point into the given text.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

/* Find a value in valid JSON. If it does not exist, return false; *value is the nearest
 * container. */
bool json_edit_find(struct str text, struct str pointer, struct str *value);

/* Replace *step by the first step of *pointer, decoded, and remove it from *pointer. Return false
 * if there is none. */
bool json_edit_step(struct str *pointer, struct buf *step);

/* Append the changed text to *out. json is one value. Return false and append nothing if the text
 * is not JSON, the pointer is not UTF-8, or the path leads through a value that is not an object or
 * to a missing item of an array. */
bool json_edit_set(struct buf *out, struct str text, struct str pointer, struct str json);

/* Append the text without a member; a text without that member is appended unchanged. Return false
 * for items of arrays and the whole text, which cannot be removed. */
bool json_edit_remove(struct buf *out, struct str text, struct str pointer);
