#include "mcp/rpc.h"

#include <stdarg.h>
#include <stdio.h>

static bool set_error(struct rpc_message *m, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static bool set_error(struct rpc_message *m, int code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(m->error, sizeof m->error, fmt, args);
    va_end(args);
    m->error_code = code;
    return false;
}

static bool is_valid_id(const struct json *id)
{
    int64_t n;
    if (json_is(id, JSON_STRING))
        return json_str(id).n <= RPC_MAX_ID;
    return json_is(id, JSON_NUMBER) && json_i64(id, &n);
}

static bool set_id_error(struct rpc_message *m, const struct json *id)
{
    if (json_is(id, JSON_STRING))
        return set_error(m, RPC_INVALID_REQUEST, "id is longer than %u bytes", RPC_MAX_ID);
    if (json_is(id, JSON_NUMBER))
        return set_error(m, RPC_INVALID_REQUEST,
                         "id must be a whole number of at most 64 bits, or a string");
    return set_error(m, RPC_INVALID_REQUEST, "id must be a string or an integer, not %s",
                     json_type_name(id));
}

/* Check all of the message except its syntax. */
static bool classify_message(struct rpc_message *m, const struct json *doc)
{
    const struct json *id = json_get(doc, STR("id"));
    const struct json *method = json_get(doc, STR("method"));
    const struct json *params = json_get(doc, STR("params"));

    if (json_is(doc, JSON_ARRAY))
        return set_error(m, RPC_INVALID_REQUEST,
                         "Batches are not supported: send one JSON-RPC message at a time");
    if (!json_is(doc, JSON_OBJECT))
        return set_error(m, RPC_INVALID_REQUEST, "A JSON-RPC message is an object, not %s",
                         json_type_name(doc));
    if (is_valid_id(id))
        m->id = id;
    if (!str_eq(json_str(json_get(doc, STR("jsonrpc"))), STR("2.0")))
        return set_error(m, RPC_INVALID_REQUEST, "jsonrpc must be \"2.0\"");
    m->result = json_get(doc, STR("result"));
    m->failure = json_get(doc, STR("error"));
    bool response = !method && (m->result || m->failure);
    if (id && !m->id && !(response && json_is(id, JSON_NULL)))
        return set_id_error(m, id);
    if (response) {
        m->kind = RPC_RESPONSE;
        if (m->result && m->failure)
            return set_error(m, RPC_INVALID_REQUEST, "A response has either result or error");
        return true;
    }
    if (!json_is(method, JSON_STRING))
        return set_error(m, RPC_INVALID_REQUEST, "method must be a string, not %s",
                         json_type_name(method));
    if (params && !json_is(params, JSON_OBJECT))
        return set_error(m, RPC_INVALID_REQUEST, "params must be an object, not %s",
                         json_type_name(params));
    m->kind = m->id ? RPC_REQUEST : RPC_NOTIFICATION;
    m->method = json_str(method);
    m->params = params;
    return true;
}

bool rpc_parse(struct rpc_message *m, struct arena *a, struct str text, size_t max_bytes)
{
    struct json_limits limits = {.max_bytes = max_bytes};
    struct json_error err = {0};

    *m = (struct rpc_message){0};
    const struct json *doc = json_parse(a, text, &limits, &err);
    if (!doc && err.limit)
        return set_error(m, RPC_PARSE_ERROR, "The JSON is %s at byte %zu", err.reason, err.offset);
    if (!doc)
        return set_error(m, RPC_PARSE_ERROR, "Not valid JSON at byte %zu: %s", err.offset,
                         err.reason);
    return classify_message(m, doc);
}

bool rpc_same_id(const struct json *a, const struct json *b)
{
    int64_t x, y;
    if (json_is(a, JSON_STRING) && json_is(b, JSON_STRING))
        return str_eq(json_str(a), json_str(b));
    return json_i64(a, &x) && json_i64(b, &y) && x == y;
}

void rpc_begin(struct jsonw *w, const struct json *id)
{
    jsonw_object(w);
    jsonw_key(w, "jsonrpc");
    jsonw_raw(w, STR("\"2.0\""));
    if (id) {
        jsonw_key(w, "id");
        jsonw_value(w, id);
    }
}

void rpc_error_object(struct jsonw *w, int code, struct str message, struct str data)
{
    jsonw_object(w);
    jsonw_kint(w, "code", code);
    jsonw_kstr(w, "message", message);
    if (data.n) {
        jsonw_key(w, "data");
        jsonw_raw(w, data);
    }
    jsonw_end(w);
}

void rpc_error(struct buf *out, const struct json *id, int code, struct str message,
               struct str data)
{
    struct jsonw w = jsonw_make(out);
    rpc_begin(&w, id);
    jsonw_key(&w, "error");
    rpc_error_object(&w, code, message, data);
    jsonw_end(&w);
}

void rpc_notification(struct jsonw *w, const char *method)
{
    rpc_begin(w, NULL);
    jsonw_kcstr(w, "method", method);
    jsonw_key(w, "params");
    jsonw_object(w);
}
