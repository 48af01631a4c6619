/* A JSON object seen from above: its members as spans of text, all of it checked, nothing built.
 *
 *     struct json_member m[16];
 *     struct json_skim s = {.members = m, .room = 16};
 *     if (!json_skim(&s, text, &err)) ...       // s.count members were read before the fault
 *     struct str result = json_skim_get(&s, STR("result"));   // {"a":[1,2]} as it stands in text
 *
 * For messages whose large part is passed on as it is: one pass, no memory (but for a moment where
 * keys of the outermost object look alike). What json_parse() takes is taken and what it refuses is
 * refused, at the same offset with the same reason, but for keys that stand twice: only those of
 * the outermost object are refused. UTF-8 is checked, too, unless the caller says that it was.
 * Members beyond `room` are checked and not kept; a text that is no object has none.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

struct json_member {
    struct str key;   /* between its quotes, as it stands there: escapes are not resolved */
    struct str value; /* the whole value, a string with its quotes */
};

struct json_skim {
    struct json_member *members;
    size_t room, count;
    bool utf8_is_checked; /* in: no byte of the text needs to be looked at again for that */
    bool is_compact;      /* out: no blank, tab or line end stands outside of strings */
};

bool json_skim(struct json_skim *s, struct str text, struct json_error *err);

struct str json_skim_get(const struct json_skim *s, struct str key); /* empty: not there */

/* The characters of a string value without escapes; empty if it is none or has some. */
struct str json_skim_plain(struct str value);

/* Adds the JSON value, which is known to be one, without blanks outside of strings. */
void json_skim_compact(struct buf *out, struct str json);
