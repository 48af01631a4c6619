/* Messages on the wire between server and editor: JSON objects, one each.
 *
 *     struct message m;
 *     if (message_read(&m, text, false, &err))  // m.type, message_str(&m, STR("request_id")) ...
 *     message_done(&m);
 *
 *     struct jsonw w = message_begin(&out, "execute");
 *     jsonw_kstr(&w, "request_id", id);
 *     jsonw_end(&w);                            // {"type":"execute","protocol_version":1,...}
 *
 * Reading checks all of the text and builds nothing: fields are spans of it, so a large result is
 * looked at once and passed on as it stands. A field that is needed in parts is parsed when asked
 * for. Of a text that stops being JSON somewhere, what stood before that can still be asked: an
 * answer that was cut off can be told from noise. Views live as long as the text and the message.
 * Spec: docs/spec/10-bridge.md, 3.
 */
#pragma once

#include "base/arena.h"
#include "base/json_skim.h"
#include "base/jsonw.h"

#define MESSAGE_PROTOCOL 1
#define MESSAGE_FIELDS   24 /* more than any message has; others are checked, not kept */

enum message_type {
    MESSAGE_UNKNOWN,
    MESSAGE_HELLO,
    MESSAGE_CAPABILITY,
    MESSAGE_EDITOR_STATUS,
    MESSAGE_RESULT,
    MESSAGE_SUBMIT_JOB_RESULT,
    MESSAGE_JOB_STATUS,
    MESSAGE_CANCEL_RESULT,
    MESSAGE_ERROR,
    MESSAGE_TYPE_COUNT
};

struct message {
    enum message_type type;
    struct str type_name; /* as it came; empty: no type */
    /* private */
    struct json_skim skim;
    struct json_member members[MESSAGE_FIELDS];
    struct arena arena;
};

/* False: not a JSON object; then type and fields are those before the fault. To be done either way.
 * utf8_is_checked: the transport has looked at that. */
bool message_read(struct message *m, struct str text, bool utf8_is_checked, struct json_error *err);
void message_done(struct message *m);

struct str message_raw(const struct message *m, struct str key); /* as it stands; empty: absent */
struct str message_str(struct message *m, struct str key);       /* empty: absent, or no string */
const struct json *message_json(struct message *m, struct str key); /* NULL: absent */
bool message_u64(struct message *m, struct str key, uint64_t *out);

/* The value of a field that is passed on: compact, as one line. */
struct str message_compact(struct message *m, struct str key);

struct jsonw message_begin(struct buf *out, const char *type); /* clears out */
