#include "bridge/link_ws.h"

#include <stdlib.h>

#include "base/mem.h"
#include "bridge/bridge.h"
#include "bridge/link.h"
#include "net/http_server.h"
#include "net/ws_conn.h"

/* The status messages of the editor show that it is alive: pings would only wake the process. */
#define NO_PING_MS (UINT64_MAX / 4)

struct link_ws {
    struct bridge *bridge;
    struct list conns; /* struct conn */
};

struct conn {
    struct link link; /* first */
    struct list in;
    struct link_ws *server;
    struct ws_conn *ws;
    bool is_open; /* opened with the bridge */
};

static bool send_message(struct link *l, struct str message)
{
    return ws_conn_send(((struct conn *)(void *)l)->ws, message);
}

static void close_link(struct link *l, int code, struct str reason)
{
    ws_conn_close(((struct conn *)(void *)l)->ws, code, reason);
}

static void drop_link(struct link *l)
{
    ws_conn_drop(((struct conn *)(void *)l)->ws);
}

static const struct link_impl ws_impl = {send_message, close_link, drop_link};

static void on_message(struct ws_conn *ws, struct str message, bool is_text, void *ctx)
{
    struct conn *c = ctx;
    if (!is_text)
        ws_conn_close(ws, WS_CLOSE_UNSUPPORTED, STR("messages are text"));
    else if (c->is_open)
        link_receive(&c->link, message);
}

static void on_close(struct ws_conn *ws, int code, struct str reason, void *ctx)
{
    struct conn *c = ctx;
    (void)ws;
    list_remove(&c->in);
    if (c->is_open)
        link_closed(&c->link, code, reason);
    free(c);
}

static const struct ws_events ws_events = {.on_message = on_message, .on_close = on_close};

static void on_request(struct http_exchange *x, void *ctx)
{
    struct link_ws *w = ctx;
    const struct limits *l = bridge_limits(w->bridge);
    struct ws_options options = {
        .max_message = l->max_message_bytes,
        .max_queued = 4 * l->max_message_bytes,
        .ping_ms = NO_PING_MS,
        .pong_ms = 1,
    };
    struct conn *c = mem_zalloc(sizeof *c);
    c->server = w;
    c->link.impl = &ws_impl;
    c->link.max_message = l->max_message_bytes;
    c->link.utf8_is_checked = true;
    c->ws = ws_conn_accept(x, &options, &ws_events, c);
    if (!c->ws) {
        free(c);
        return;
    }
    list_add(&w->conns, &c->in);
    c->is_open = link_open(&c->link, w->bridge);
    if (!c->is_open)
        ws_conn_close(c->ws, WS_CLOSE_POLICY,
                      STR("too many connections without a hello, or stopping"));
}

struct link_ws *link_ws_serve(struct bridge *bridge, struct http_server *server, const char *path)
{
    struct link_ws *w = mem_zalloc(sizeof *w);
    w->bridge = bridge;
    list_init(&w->conns);
    http_server_route(server, &(struct http_route){path, "GET", on_request, w});
    return w;
}

void link_ws_free(struct link_ws *w)
{
    if (!w)
        return;
    /* on_close comes with the next turn: it must not look at what is gone by then. */
    LIST_EACH_SAFE (&w->conns, struct conn, in, c) {
        if (c->is_open)
            link_closed(&c->link, WS_CLOSE_ABNORMAL, STR("the server is gone"));
        c->is_open = false;
        ws_conn_drop(c->ws);
        list_remove(&c->in);
    }
    free(w);
}
