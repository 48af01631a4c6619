/* Messages between server and editor: one JSON object each.
 *
 *     struct message m;
 *     if (message_read(&m, text, false, &err))  // m.type, message_str(&m, STR("request_id")) ...
 *     message_done(&m);
 *
 *     struct jsonw w = message_begin(&out, "execute");
 *     jsonw_kstr(&w, "request_id", id);
 *     jsonw_end(&w);                            // {"type":"execute","protocol_version":1,...}
 *
 * Reading checks the whole text and builds nothing: fields are spans of it, so a large result is
 * scanned once and passed on unchanged. message_json() parses a field on demand. If the text is
 * not JSON, the fields before the error can still be read, which tells a truncated answer from
 * noise. Views live as long as the text and the message.
 * Spec: docs/spec/10-bridge.md, 3.
 */
#pragma once

#include "base/arena.h"
#include "base/json_skim.h"
#include "base/jsonw.h"

#define MESSAGE_PROTOCOL 1
#define MESSAGE_FIELDS   24 /* more than any message has; further ones are checked and dropped */

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
    struct str type_name; /* as received; empty: no type */
    /* private */
    struct json_skim skim;
    struct json_member members[MESSAGE_FIELDS];
    struct arena arena;
};

/* Return false if the text is not a JSON object; type and fields are then those before the error.
 * Call message_done() in either case. utf8_is_checked: the transport has validated the UTF-8. */
bool message_read(struct message *m, struct str text, bool utf8_is_checked, struct json_error *err);
void message_done(struct message *m);

struct str message_raw(const struct message *m, struct str key); /* unparsed; empty: absent */
struct str message_str(struct message *m, struct str key); /* empty: absent, or not a string */
const struct json *message_json(struct message *m, struct str key); /* NULL: absent */
bool message_u64(struct message *m, struct str key, uint64_t *out);

/* The value of a field as compact JSON in one line. */
struct str message_compact(struct message *m, struct str key);

struct jsonw message_begin(struct buf *out, const char *type); /* clears out */
