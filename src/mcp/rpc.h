/* JSON-RPC 2.0: the kind and id of a message, and the envelope of answers. Pure.
 *
 *     struct rpc_message m;
 *     if (!rpc_parse(&m, &arena, text, max))
 *         rpc_error(&out, m.id, m.error_code, str_from(m.error), (struct str){0});
 *     else if (m.kind == RPC_REQUEST)
 *         handle_method(m.method, m.params);
 *
 * Batches are refused: only one old revision had them, and no client sends them. An id is a string
 * or an integer; the answer repeats it as it was written.
 */
#pragma once

#include "base/json.h"
#include "base/jsonw.h"

enum rpc_code {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL_ERROR = -32603,
    RPC_RESOURCE_NOT_FOUND = -32002, /* legacy only */
    RPC_HEADER_MISMATCH = -32020,    /* modern, like the following */
    RPC_MISSING_CAPABILITY = -32021,
    RPC_UNSUPPORTED_VERSION = -32022,
};

enum rpc_kind {
    RPC_REQUEST,
    RPC_NOTIFICATION,
    RPC_RESPONSE, /* to a request of the server: has result or failure */
};

struct rpc_message {
    enum rpc_kind kind;
    const struct json *id; /* NULL: none, or an invalid one */
    struct str method;
    const struct json *params; /* an object, or NULL */
    const struct json *result, *failure;
    int error_code; /* set if rpc_parse() returned false */
    char error[160];
};

#define RPC_MAX_ID 512u /* bytes of a string id */

/* Parse a message. On failure return false and set m->error_code, m->error, and m->id if it is
 * valid. text must live as long as m. */
bool rpc_parse(struct rpc_message *m, struct arena *a, struct str text, size_t max_bytes);

bool rpc_same_id(const struct json *a, const struct json *b);

/* {"jsonrpc":"2.0","id":...   an object left open; id NULL: none */
void rpc_begin(struct jsonw *w, const struct json *id);

/* {"code":...,"message":...,"data":...}   data: JSON text or empty */
void rpc_error_object(struct jsonw *w, int code, struct str message, struct str data);

/* Write a whole error answer. */
void rpc_error(struct buf *out, const struct json *id, int code, struct str message,
               struct str data);

/* {"jsonrpc":"2.0","method":"...","params":{   two objects left open */
void rpc_notification(struct jsonw *w, const char *method);
