/* A JSON object seen from above: its members as spans of text, all of it checked, nothing built.
 *
 *     struct json_member m[16];
 *     struct json_skim s = {.members = m, .room = 16};
 *     struct json_error err;
 *     if (json_skim(&s, text, &err)) {
 *         struct str result = json_skim_get(&s, STR("result"));    // {"a":[1,2]} as in the text
 *         handle_result(result);
 *     }
 *
 * For messages whose large part is passed on unchanged: one pass, no memory (except briefly when
 * keys of the outermost object look alike). It accepts and refuses the same texts as json_parse(),
 * at the same offset with the same reason, except for duplicate keys: only those of the outermost
 * object are refused. UTF-8 is checked, too, unless the caller has checked it. After a failure,
 * s.count members were read. Members beyond `room` are checked and not stored; a text that is not
 * an object has none.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

struct json_member {
    struct str key;   /* between its quotes; escapes are not decoded */
    struct str value; /* the whole value, a string with its quotes */
};

struct json_skim {
    struct json_member *members;
    size_t room, count;
    bool utf8_is_checked; /* in: the text is known to be valid UTF-8 */
    bool is_compact;      /* out: there is no blank, tab or line end outside of strings */
};

bool json_skim(struct json_skim *s, struct str text, struct json_error *err);

struct str json_skim_get(const struct json_skim *s, struct str key); /* empty: absent */

/* Return the characters of a string value; empty if it is not a string or has escapes. */
struct str json_skim_plain(struct str value);

/* Append a valid JSON value without the blanks outside of strings. */
void json_skim_compact(struct buf *out, struct str json);
