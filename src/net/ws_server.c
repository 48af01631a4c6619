#include "net/ws_server.h"

#include "base/base64.h"

#define KEY_LEN 16u /* bytes of a decoded Sec-WebSocket-Key */

static bool is_key(struct str key)
{
    struct buf bytes = buf_make(64);
    bool ok = base64_decode(&bytes, key) && !bytes.overflow && bytes.n == KEY_LEN;
    buf_done(&bytes);
    return ok;
}

/* What is wrong with the request, one sentence; NULL: nothing but perhaps the version. */
static const char *upgrade_fault(const struct http_request *r)
{
    const struct str upgrade = STR("Upgrade"), key = STR("Sec-WebSocket-Key");
    if (!str_eq(r->method, STR("GET")) || r->http10)
        return "A WebSocket is opened with GET and HTTP/1.1.";
    if (!http_has_token(http_field_value(r, upgrade), STR("websocket")))
        return "This is a WebSocket: the header Upgrade must be websocket.";
    if (!r->upgrade)
        return "This is a WebSocket: the header Connection must have Upgrade in it.";
    if (r->has_body)
        return "The request that opens a WebSocket has no body.";
    if (http_field_times(r, key) != 1 || !is_key(http_field_value(r, key)))
        return "The header Sec-WebSocket-Key must be 16 bytes in base64, once.";
    return NULL;
}

static bool check_upgrade(struct http_exchange *x)
{
    const struct http_request *r = http_exchange_request(x);
    const struct str version = STR("Sec-WebSocket-Version");
    const char *fault = upgrade_fault(r);
    if (fault) {
        http_exchange_refuse(x, 400, "%s", fault);
        return false;
    }
    if (http_field_times(r, version) != 1 || !str_eq(http_field_value(r, version), STR("13"))) {
        http_exchange_set_header(x, "Upgrade", STR("websocket"));
        http_exchange_set_header(x, "Sec-WebSocket-Version", STR("13"));
        http_exchange_refuse(x, 426, "The header Sec-WebSocket-Version must be 13.");
        return false;
    }
    return true;
}

struct ws_conn *ws_accept(struct http_exchange *x, const struct ws_options *options,
                          const struct ws_events *events, void *ctx)
{
    char accept[WS_ACCEPT_LEN + 1];
    struct buf rest = {0};
    if (!check_upgrade(x))
        return NULL;
    ws_accept_key(http_exchange_header(x, STR("Sec-WebSocket-Key")), accept);
    http_exchange_set_header(x, "Upgrade", STR("websocket"));
    http_exchange_set_header(x, "Sec-WebSocket-Accept", str_make(accept, WS_ACCEPT_LEN));

    struct ws_conn *c = ws_conn_new(http_exchange_loop(x), options, events, ctx);
    struct stream *s = http_exchange_upgrade(x, &rest);
    ws_conn_attach(c, WS_ROLE_SERVER, s, &rest);
    return c;
}
