#include "net/ws_client.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/base64.h"
#include "base/id.h"
#include "base/mem.h"
#include "net/http_client.h"

#define KEY_LEN    16u /* random bytes in a Sec-WebSocket-Key */
#define CONNECT_MS 5000u
#define WHY_MAX    200

/* Lives until the request ends; the connection lives on, or ends with it. */
struct handshake {
    struct ws_conn *conn; /* NULL: it has its stream */
    struct http_client *request;
    struct timer deadline;
    char accept[WS_ACCEPT_LEN + 1];
    char why[WHY_MAX]; /* what is wrong with the answer; empty: nothing */
};

static void check_answer(struct handshake *h, const struct http_response *r)
{
    struct str accept = http_response_field(r, STR("Sec-WebSocket-Accept"));
    if (r->status != 101)
        snprintf(h->why, sizeof h->why, "the server refused the upgrade with status %d", r->status);
    else if (!http_has_token(http_response_field(r, STR("Upgrade")), STR("websocket")))
        snprintf(h->why, sizeof h->why, "the server changed to a protocol that is not websocket");
    else if (!str_eq(accept, str_from(h->accept)))
        snprintf(h->why, sizeof h->why, "the server gave a wrong Sec-WebSocket-Accept");
    else if (http_response_field(r, STR("Sec-WebSocket-Extensions")).n)
        snprintf(h->why, sizeof h->why, "the server wants an extension that was not offered");
}

static void on_head(struct http_client *c, const struct http_response *r, void *ctx)
{
    struct handshake *h = ctx;
    check_answer(h, r);
    if (h->why[0])
        http_client_cancel(c);
}

static void on_upgrade(struct http_client *c, struct stream *s, struct buf *rest, void *ctx)
{
    struct handshake *h = ctx;
    (void)c;
    ws_conn_attach(h->conn, WS_ROLE_CLIENT, s, rest);
    h->conn = NULL;
}

static void on_end(struct http_client *c, const char *why, void *ctx)
{
    struct handshake *h = ctx;
    (void)c;
    timer_stop(&h->deadline);
    if (h->conn)
        ws_conn_fail(h->conn, str_from(h->why[0] ? h->why : why));
    free(h);
}

static const struct http_client_events request_events = {on_head, NULL, on_end, on_upgrade};

/* The first reason is the one that is told. */
static void give_up(struct handshake *h, const char *why)
{
    if (!h->why[0])
        snprintf(h->why, sizeof h->why, "%s", why);
    http_client_cancel(h->request);
}

static void on_late(void *ctx)
{
    give_up(ctx, "the server did not answer the upgrade in time");
}

static void on_drop(void *ctx)
{
    give_up(ctx, "the connection was dropped");
}

struct ws_conn *ws_connect(struct loop *loop, const struct ws_target *target,
                           const struct ws_events *events, void *ctx)
{
    struct handshake *h = mem_zalloc(sizeof *h);
    struct buf key = {0};
    char bytes[KEY_LEN];
    id_bytes(bytes, sizeof bytes);
    base64_encode(&key, str_make(bytes, sizeof bytes));
    ws_accept_key(buf_str(&key), h->accept);

    const struct http_field fields[] = {
        {STR_INIT("Sec-WebSocket-Version"), STR_INIT("13")},
        {STR_INIT("Sec-WebSocket-Key"), buf_str(&key)},
    };
    const struct http_client_request request = {
        .port = target->port,
        .path = target->path,
        .fields = fields,
        .field_count = sizeof fields / sizeof *fields,
        .token = target->token,
        .upgrade = "websocket",
        .connect_ms = HTTP_CLIENT_FOREVER, /* the deadline is ours, for all of it */
        .idle_ms = HTTP_CLIENT_FOREVER,
    };
    h->conn = ws_conn_new(loop, &target->options, events, ctx);
    ws_conn_on_drop(h->conn, on_drop, h);
    h->request = http_client_start(loop, &request, &request_events, h);
    timer_start(&h->deadline, loop, target->connect_ms ? target->connect_ms : CONNECT_MS, on_late,
                h);
    buf_done(&key);
    return h->conn;
}
