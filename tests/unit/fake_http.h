/* A listener of the test's own, in place of http_server.c: an exchange at a time, without a socket.
 *
 *     struct http_exchange *x = fake_http_ask("/api/feed", &(struct http_request){...});
 *     x->status, x->sent                        // what it was answered; x->queued waits
 *     fake_http_free(x);
 *
 * Included once in a program, which is then linked without the listener.
 */
#pragma once

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "net/http_server.h"

#define FAKE_HTTP_PATHS 16u

struct http_exchange {
    struct http_request request;
    struct buf sent, head;
    size_t queued; /* as the test says */
    http_request_fn *on_gone, *on_drain;
    void *ctx;
    int status;
    bool begun, ended;
};

static struct fake_http_path {
    char path[64];
    http_request_fn *fn;
    void *ctx;
} fake_http_paths[FAKE_HTTP_PATHS];
static size_t fake_http_count; /* of routes; 0: all are forgotten */

void http_server_route(struct http_server *s, const struct http_route *route)
{
    (void)s;
    assert(fake_http_count < FAKE_HTTP_PATHS);
    struct fake_http_path *p = &fake_http_paths[fake_http_count++];
    snprintf(p->path, sizeof p->path, "%s", route->path);
    p->fn = route->on_request;
    p->ctx = route->ctx;
}

/* The route is named as it was made, with its '*'. The request is copied, its texts are not. */
static inline struct http_exchange *fake_http_ask(const char *route, const struct http_request *r)
{
    struct http_exchange *x = mem_zalloc(sizeof *x);
    size_t i = 0;
    x->request = *r;
    while (i < fake_http_count && strcmp(fake_http_paths[i].path, route) != 0)
        i++;
    assert(i < fake_http_count);
    fake_http_paths[i].fn(x, fake_http_paths[i].ctx);
    return x;
}

static inline void fake_http_free(struct http_exchange *x)
{
    buf_done(&x->sent);
    buf_done(&x->head);
    buf_done(&x->request.body);
    free(x);
}

/* ---- what the console uses of net/http_server.h */

const struct http_request *http_exchange_request(const struct http_exchange *x)
{
    return &x->request;
}

struct str http_exchange_header(const struct http_exchange *x, struct str name)
{
    return http_field_value(&x->request, name);
}

struct buf http_exchange_take_body(struct http_exchange *x)
{
    struct buf body = x->request.body;
    x->request.body = (struct buf){0};
    return body;
}

void http_exchange_watch(struct http_exchange *x, http_request_fn *on_gone,
                         http_request_fn *on_drain, void *ctx)
{
    x->on_gone = on_gone;
    x->on_drain = on_drain;
    x->ctx = ctx;
}

void http_exchange_set_header(struct http_exchange *x, const char *name, struct str value)
{
    buf_printf(&x->head, "%s: %.*s\n", name, STR_ARG(value));
}

void http_exchange_reply(struct http_exchange *x, int status, const char *type, struct str body)
{
    assert(!x->begun && !x->ended);
    (void)type;
    x->status = status;
    x->ended = true;
    buf_add(&x->sent, body);
}

void http_exchange_begin(struct http_exchange *x, int status, const char *type)
{
    assert(!x->begun && !x->ended);
    x->begun = true;
    x->status = status;
    buf_printf(&x->head, "Content-Type: %s\n", type);
}

bool http_exchange_write_parts(struct http_exchange *x, const struct str *parts, size_t count)
{
    assert(x->begun && !x->ended);
    for (size_t i = 0; i < count; i++)
        buf_add(&x->sent, parts[i]);
    return true;
}

bool http_exchange_write(struct http_exchange *x, struct str bytes)
{
    return http_exchange_write_parts(x, &bytes, 1);
}

size_t http_exchange_queued(const struct http_exchange *x)
{
    return x->queued;
}

void http_exchange_end(struct http_exchange *x)
{
    assert(x->begun && !x->ended);
    x->ended = true;
}
