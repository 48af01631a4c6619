/* A WebSocket server for tests with real clients. Prints "listening on 127.0.0.1:PORT" when it is
 * ready, and "closed CODE REASON" for each connection that has ended.
 *
 *     ws-echo [--port N] [--page FILE] [--ping-ms N] [--pong-ms N]
 *
 *     /echo      echoes text and binary messages
 *     /command   "close CODE REASON", "drop", "push N" (a text of N bytes), "flood N" (N texts of
 *                64 KiB, as fast as the peer reads), "queued" (responds with the longest queue so
 * far) /page      the file, as HTML
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/list.h"
#include "base/mem.h"
#include "net/http_server.h"
#include "net/ws_conn.h"

#define FLOOD_TEXT (64u << 10)
#define PUSH_MAX   (64u << 20)

struct echo {
    struct loop *loop;
    struct http_server *server;
    struct ws_options options;
    struct list peers;
    struct buf page;
};

struct echo_peer {
    struct list link;
    struct ws_conn *conn;
    uint64_t flood; /* texts still to be sent */
    size_t longest; /* queue */
};

/* ---- one connection */

static void on_echo(struct ws_conn *c, struct str message, bool is_text, void *ctx)
{
    (void)ctx;
    if (!(is_text ? ws_conn_send(c, message) : ws_conn_send_binary(c, message)))
        ws_conn_close(c, WS_CLOSE_POLICY, STR("you do not read"));
}

static void push_text(struct echo_peer *p, size_t n)
{
    char *text = mem_alloc(n + 1);
    memset(text, 'x', n);
    if (!ws_conn_send(p->conn, str_make(text, n)))
        ws_conn_close(p->conn, WS_CLOSE_INTERNAL, STR("too much to push"));
    free(text);
}

static void on_drain(struct ws_conn *c, void *ctx)
{
    static char text[FLOOD_TEXT];
    struct echo_peer *p = ctx;
    memset(text, 'f', sizeof text);
    while (p->flood && ws_conn_send(c, str_make(text, sizeof text)))
        p->flood--;
    p->longest = ws_conn_queued(c) > p->longest ? ws_conn_queued(c) : p->longest;
}

static void on_command(struct ws_conn *c, struct str message, bool is_text, void *ctx)
{
    struct echo_peer *p = ctx;
    struct str word, number;
    uint64_t n = 0;
    (void)is_text;
    str_cut(&message, ' ', &word);
    str_cut(&message, ' ', &number);
    if (!str_to_u64(number, &n))
        n = 0;
    if (str_eq(word, STR("close"))) {
        int code = n <= 4999 && ws_close_code_is_valid((int)n) ? (int)n : WS_CLOSE_NONE;
        ws_conn_close(c, code, message);
    } else if (str_eq(word, STR("drop"))) {
        ws_conn_drop(c);
    } else if (str_eq(word, STR("push")) && n <= PUSH_MAX) {
        push_text(p, (size_t)n);
    } else if (str_eq(word, STR("flood"))) {
        p->flood = n;
        on_drain(c, p);
    } else if (str_eq(word, STR("queued"))) {
        char text[32];
        snprintf(text, sizeof text, "%zu", p->longest);
        ws_conn_send(c, str_from(text));
    } else {
        ws_conn_close(c, WS_CLOSE_UNSUPPORTED, STR("no such command"));
    }
}

static void on_close(struct ws_conn *c, int code, struct str reason, void *ctx)
{
    struct echo_peer *p = ctx;
    (void)c;
    printf("closed %d %.*s\n", code, STR_ARG(reason));
    fflush(stdout);
    list_remove(&p->link);
    free(p);
}

static const struct ws_events echo_events = {on_echo, on_close, NULL};
static const struct ws_events command_events = {on_command, on_close, on_drain};

/* ---- routes */

static void accept_peer(struct http_exchange *x, struct echo *e, const struct ws_events *events)
{
    struct ws_conn *c = ws_conn_accept(x, &e->options, events, NULL);
    if (!c)
        return;
    struct echo_peer *p = mem_zalloc(sizeof *p);
    p->conn = c;
    ws_conn_set_ctx(c, p);
    list_add(&e->peers, &p->link);
}

static void on_echo_request(struct http_exchange *x, void *ctx)
{
    accept_peer(x, ctx, &echo_events);
}

static void on_command_request(struct http_exchange *x, void *ctx)
{
    accept_peer(x, ctx, &command_events);
}

static void add_routes(struct echo *e)
{
    http_server_route(
        e->server, &(struct http_route){
                       .path = "/echo", .methods = "GET", .on_request = on_echo_request, .ctx = e});
    http_server_route(e->server, &(struct http_route){.path = "/command",
                                                      .methods = "GET",
                                                      .on_request = on_command_request,
                                                      .ctx = e});
    if (e->page.n)
        http_server_static(e->server, "/page", "text/html; charset=utf-8", buf_str(&e->page), NULL);
}

/* ---- the program */

static void on_signal(void *ctx)
{
    struct echo *e = ctx;
    http_server_free(e->server); /* closes the listener; the last connection ends the loop */
    e->server = NULL;
    LIST_EACH_SAFE (&e->peers, struct echo_peer, link, p)
        ws_conn_drop(p->conn);
}

static bool read_option(struct echo *e, const char *name, const char *value, uint16_t *port)
{
    struct error err = {0};
    uint64_t n = 0;
    if (strcmp(name, "--page") == 0) {
        if (file_read(value, 1u << 20, &e->page, &err))
            return true;
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    if (!str_to_u64(str_from(value), &n))
        return false;
    if (strcmp(name, "--port") == 0 && n <= UINT16_MAX)
        *port = (uint16_t)n;
    else if (strcmp(name, "--ping-ms") == 0)
        e->options.ping_ms = n;
    else if (strcmp(name, "--pong-ms") == 0)
        e->options.pong_ms = n;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    struct echo e = {0};
    struct error err = {0};
    uint16_t port = 0;
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !read_option(&e, argv[i], argv[i + 1], &port)) {
            fprintf(stderr,
                    "usage: ws-echo [--port N] [--page FILE] [--ping-ms N] [--pong-ms N]\n");
            return 2;
        }
    list_init(&e.peers);
    e.loop = loop_new();
    e.server = http_server_new(e.loop, &(struct http_server_options){0});
    add_routes(&e);
    loop_on_signal(e.loop, SIGTERM, on_signal, &e);
    loop_on_signal(e.loop, SIGINT, on_signal, &e);
    bool ok = http_server_listen(e.server, port, &err);
    if (ok) {
        printf("listening on 127.0.0.1:%u\n", http_server_port(e.server));
        fflush(stdout);
        loop_run(e.loop);
    } else {
        fprintf(stderr, "%s\n", err.text);
        http_server_free(e.server);
    }
    loop_free(e.loop);
    buf_done(&e.page);
    return ok ? 0 : 1;
}
