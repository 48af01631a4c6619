#include "net/http_server.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "net/http_conn.h"
#include "net/tcp.h"

#define SWEEP_LONGEST  1000u
#define SWEEP_SHORTEST 5u

/* ---- routes */

void http_server_route(struct http_server *s, const struct http_route *route)
{
    struct http_route *copy = mem_dup(route, sizeof *route);
    copy->path = mem_dup(route->path, strlen(route->path) + 1);
    copy->methods = mem_dup(route->methods, strlen(route->methods) + 1);
    mem_grow((void **)&s->routes, &s->route_cap, s->route_count + 1, sizeof(struct http_route *));
    s->routes[s->route_count++] = copy;
}

static void free_route(struct http_route *r)
{
    free((char *)(uintptr_t)r->path);
    free((char *)(uintptr_t)r->methods);
    free(r);
}

/* How well a pattern fits: 0 not at all, an exact one better than any other, a longer one better.
 */
static size_t fit(const char *pattern, struct str path)
{
    struct str p = str_from(pattern);
    if (p.n && p.p[p.n - 1] == '*') {
        p.n--;
        return str_starts(path, p) ? p.n + 1 : 0;
    }
    return str_eq(p, path) ? SIZE_MAX : 0;
}

static bool has_method(const char *methods, struct str method)
{
    struct str rest = str_from(methods), one;
    bool is_head = str_eq(method, STR("HEAD"));
    while (rest.n) {
        str_cut(&rest, ',', &one);
        one = str_trim(one);
        if (str_eq(one, method) || (is_head && str_eq(one, STR("GET"))))
            return true;
    }
    return false;
}

const struct http_route *http_server_match(const struct http_server *s,
                                           const struct http_request *r, struct buf *allow)
{
    size_t best = 0;
    for (size_t i = 0; i < s->route_count; i++) {
        size_t f = fit(s->routes[i]->path, r->path);
        best = f > best ? f : best;
    }
    if (!best)
        return NULL;
    /* Several routes may share a path, each with methods of its own. */
    for (size_t i = 0; i < s->route_count; i++)
        if (fit(s->routes[i]->path, r->path) == best &&
            has_method(s->routes[i]->methods, r->method))
            return s->routes[i];
    for (size_t i = 0; i < s->route_count; i++)
        if (fit(s->routes[i]->path, r->path) == best)
            buf_printf(allow, "%s%s", allow->n ? ", " : "", s->routes[i]->methods);
    return NULL;
}

/* ---- fixed bytes */

/* Does If-None-Match name this tag? Weak ones count: the bytes are the same or they are not. */
static bool has_tag(struct str list, struct str etag)
{
    struct str one;
    while (list.n) {
        str_cut(&list, ',', &one);
        one = str_trim(one);
        if (str_starts(one, STR("W/")))
            one = str_skip(one, 2);
        if (str_eq(one, etag) || str_eq(one, STR("*")))
            return true;
    }
    return false;
}

static void on_static(struct http_exchange *x, void *ctx)
{
    const struct http_static *f = ctx;
    http_set_header(x, "ETag", str_from(f->etag));
    http_set_header(x, "Cache-Control", str_from(f->cache));
    if (has_tag(http_header(x, STR("If-None-Match")), str_from(f->etag))) {
        http_reply(x, 304, NULL, (struct str){0});
        return;
    }
    http_set_header(x, "X-Content-Type-Options", STR("nosniff"));
    http_reply(x, 200, f->type, f->bytes);
}

static char *copy_text(const char *text)
{
    return mem_dup(text, strlen(text) + 1);
}

void http_server_static(struct http_server *s, const char *path, const char *type, struct str bytes,
                        const char *cache)
{
    struct http_static *f = mem_zalloc(sizeof *f);
    f->type = copy_text(type);
    f->cache = copy_text(cache ? cache : "no-cache");
    f->bytes = bytes;
    snprintf(f->etag, sizeof f->etag, "\"%016" PRIx64 "-%zx\"", str_hash(bytes), bytes.n);
    f->next = s->statics;
    s->statics = f;
    http_server_route(
        s, &(struct http_route){.path = path, .methods = "GET", .on_request = on_static, .ctx = f});
}

/* ---- connections */

const char *http_server_date(struct http_server *s)
{
    uint64_t second = loop_now(s->loop) / 1000;
    if (!s->date[0] || s->date_at != second) {
        s->date_at = second;
        http_date((int64_t)time(NULL), s->date);
    }
    return s->date;
}

static void on_sweep(void *ctx)
{
    struct http_server *s = ctx;
    uint64_t now = loop_now(s->loop);
    /* A check may call its user, who may end any other: only the first one is ever looked at. */
    for (size_t n = s->conn_count; n && !list_is_empty(&s->conns); n--) {
        struct http_exchange *c = LIST_FIRST(&s->conns, struct http_exchange, link);
        list_remove(&c->link);
        list_add(&s->conns, &c->link);
        http_conn_check(c, now);
    }
    if (s->conn_count)
        timer_start(&s->sweep, s->loop, s->sweep_ms, on_sweep, s);
}

static void on_connection(struct stream *stream, void *ctx)
{
    struct http_server *s = ctx;
    http_conn_open(s, stream);
    if (s->conn_count && !timer_is_running(&s->sweep))
        timer_start(&s->sweep, s->loop, s->sweep_ms, on_sweep, s);
}

void http_server_gone(struct http_exchange *c)
{
    struct http_server *s = c->server;
    list_remove(&c->link);
    s->conn_count--;
    s->surplus_count -= c->surplus;
    s->incoming -= c->incoming;
    c->server = NULL;
}

/* ---- life */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void set_defaults(struct http_server_options *o)
{
    o->limits.max_head = o->limits.max_head ? o->limits.max_head : HTTP_MAX_HEAD;
    o->limits.max_body = o->limits.max_body ? o->limits.max_body : HTTP_MAX_BODY;
    o->limits.max_headers = o->limits.max_headers ? o->limits.max_headers : HTTP_MAX_HEADERS;
    o->max_connections = o->max_connections ? o->max_connections : HTTP_MAX_CONNECTIONS;
    o->max_incoming = o->max_incoming ? o->max_incoming : HTTP_MAX_INCOMING;
    o->head_ms = o->head_ms ? o->head_ms : HTTP_HEAD_MS;
    o->body_ms = o->body_ms ? o->body_ms : HTTP_BODY_MS;
    o->idle_ms = o->idle_ms ? o->idle_ms : HTTP_IDLE_MS;
    o->stall_ms = o->stall_ms ? o->stall_ms : HTTP_STALL_MS;
}

struct http_server *http_server_new(struct loop *loop, const struct http_server_options *options)
{
    struct http_server *s = mem_zalloc(sizeof *s);
    s->loop = loop;
    s->options = *options;
    set_defaults(&s->options);
    const struct http_server_options *o = &s->options;
    uint64_t shortest = least(least(o->head_ms, o->body_ms), least(o->idle_ms, o->stall_ms));
    s->sweep_ms = least(shortest / 4, SWEEP_LONGEST);
    if (s->sweep_ms < SWEEP_SHORTEST)
        s->sweep_ms = SWEEP_SHORTEST;
    if (o->token.n)
        s->guard.token = str_make(mem_dup(o->token.p, o->token.n), o->token.n);
    s->options.token = s->guard.token;
    list_init(&s->conns);
    return s;
}

bool http_server_listen(struct http_server *s, uint16_t port, struct error *err)
{
    assert(!s->listener && !s->stopping);
    s->listener = tcp_listen(s->loop, port, on_connection, s, err);
    if (s->listener)
        s->guard.port = tcp_listener_port(s->listener);
    return s->listener != NULL;
}

uint16_t http_server_port(const struct http_server *s)
{
    return s->guard.port;
}

size_t http_server_connections(const struct http_server *s)
{
    return s->conn_count - s->surplus_count;
}

void http_server_stop(struct http_server *s)
{
    s->stopping = true;
    tcp_listener_close(s->listener);
    s->listener = NULL;
    LIST_EACH_SAFE (&s->conns, struct http_exchange, link, c)
        http_conn_stop(c);
}

/* At the end of the turn: we may be inside one of our own callbacks. */
static void release(void *ctx)
{
    struct http_server *s = ctx;
    for (size_t i = 0; i < s->route_count; i++)
        free_route(s->routes[i]);
    free(s->routes);
    while (s->statics) {
        struct http_static *next = s->statics->next;
        free(s->statics->type);
        free(s->statics->cache);
        free(s->statics);
        s->statics = next;
    }
    free((char *)(uintptr_t)s->guard.token.p);
    free(s);
}

void http_server_free(struct http_server *s)
{
    if (!s)
        return;
    s->stopping = true;
    tcp_listener_close(s->listener);
    s->listener = NULL;
    while (!list_is_empty(&s->conns))
        http_conn_close(LIST_FIRST(&s->conns, struct http_exchange, link));
    timer_stop(&s->sweep);
    loop_defer(s->loop, release, s);
}
