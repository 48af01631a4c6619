#include "bridge/message.h"

#include <string.h>

static const char *const type_names[MESSAGE_TYPE_COUNT] = {
    [MESSAGE_HELLO] = "hello",
    [MESSAGE_CAPABILITY] = "capability",
    [MESSAGE_EDITOR_STATUS] = "editor_status",
    [MESSAGE_RESULT] = "result",
    [MESSAGE_SUBMIT_JOB_RESULT] = "submit_job_result",
    [MESSAGE_JOB_STATUS] = "job_status",
    [MESSAGE_CANCEL_RESULT] = "cancel_result",
    [MESSAGE_ERROR] = "error",
};

static enum message_type type_from(struct str name)
{
    for (enum message_type t = MESSAGE_HELLO; t < MESSAGE_TYPE_COUNT; t++)
        if (str_eq(name, str_from(type_names[t])))
            return t;
    return MESSAGE_UNKNOWN;
}

bool message_read(struct message *m, struct str text, bool utf8_is_checked, struct json_error *err)
{
    m->arena = (struct arena){0};
    m->skim = (struct json_skim){
        .members = m->members, .room = MESSAGE_FIELDS, .utf8_is_checked = utf8_is_checked};
    bool ok = json_skim(&m->skim, text, err);
    if (ok && str_trim(text).p[0] != '{') { /* it is a value, but none with fields */
        ok = false;
        if (err)
            *err = (struct json_error){.reason = "it is no object"};
    }
    m->type_name = message_str(m, STR("type"));
    m->type = type_from(m->type_name);
    return ok;
}

void message_done(struct message *m)
{
    arena_done(&m->arena);
}

struct str message_raw(const struct message *m, struct str key)
{
    return json_skim_get(&m->skim, key);
}

const struct json *message_json(struct message *m, struct str key)
{
    struct str raw = message_raw(m, key);
    return raw.n ? json_parse(&m->arena, raw, NULL, NULL) : NULL;
}

struct str message_str(struct message *m, struct str key)
{
    struct str raw = message_raw(m, key);
    struct str plain = json_skim_plain(raw);
    return plain.p || !raw.n ? plain : json_str(message_json(m, key));
}

bool message_u64(struct message *m, struct str key, uint64_t *out)
{
    return json_u64(message_json(m, key), out);
}

struct str message_compact(struct message *m, struct str key)
{
    struct str raw = message_raw(m, key);
    if (m->skim.is_compact || !raw.n)
        return raw;
    struct buf out = {0};
    json_skim_compact(&out, raw);
    raw = arena_str(&m->arena, buf_str(&out));
    buf_done(&out);
    return raw;
}

struct jsonw message_begin(struct buf *out, const char *type)
{
    buf_clear(out);
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", type);
    jsonw_kint(&w, "protocol_version", MESSAGE_PROTOCOL);
    return w;
}
