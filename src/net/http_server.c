#include "net/http_server.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "base/sha256.h"
#include "net/http_server_internal.h"
#include "net/tcp.h"

#define SWEEP_LONGEST  1000u
#define SWEEP_SHORTEST 5u

/* ---- routes */

static char *copy_text(const char *text)
{
    return mem_dup(text, strlen(text) + 1);
}

static void add_route(struct http_server *s, const struct http_route *route, bool is_public)
{
    struct http_entry *e = mem_zalloc(sizeof *e);
    e->route = *route;
    e->route.path = copy_text(route->path);
    e->route.methods = copy_text(route->methods);
    e->path = str_from(e->route.path);
    e->has_rest = str_ends(e->path, STR("*"));
    e->path.n -= e->has_rest;
    e->is_public = is_public;
    mem_grow((void **)&s->routes, &s->route_cap, s->route_count + 1, sizeof(struct http_entry *));
    s->routes[s->route_count++] = e;
}

void http_server_route(struct http_server *s, const struct http_route *route)
{
    add_route(s, route, false);
}

static void free_route(struct http_entry *e)
{
    free((char *)(uintptr_t)e->route.path);
    free((char *)(uintptr_t)e->route.methods);
    free(e);
}

/* Return how well a route fits: 0 not at all; exact best, then longer prefixes. */
static size_t rate_route(const struct http_entry *e, struct str path)
{
    if (e->has_rest)
        return str_starts(path, e->path) ? e->path.n + 1 : 0;
    return str_eq(e->path, path) ? SIZE_MAX : 0;
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

const struct http_entry *http_server_match_route(const struct http_server *s,
                                                 const struct http_request *r, struct buf *allow)
{
    const struct http_entry *found = NULL;
    size_t best = 0;
    /* Several routes may share a path, each with its own methods. */
    for (size_t i = 0; i < s->route_count; i++) {
        const struct http_entry *e = s->routes[i];
        size_t f = rate_route(e, r->path);
        if (!f || f < best)
            continue;
        if (f > best)
            found = NULL;
        best = f;
        if (!found && has_method(e->route.methods, r->method))
            found = e;
        if (found && best == SIZE_MAX)
            return found; /* no other route is better */
    }
    for (size_t i = 0; i < s->route_count && best && !found; i++)
        if (rate_route(s->routes[i], r->path) == best)
            buf_printf(allow, "%s%s", allow->n ? ", " : "", s->routes[i]->route.methods);
    return found;
}

/* ---- fixed bytes */

/* Does If-None-Match have this tag? Weak tags match, too: equal tags mean equal bytes. */
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

/* Is the weight of one part of Accept-Encoding above zero? Not that of "gzip;q=0". */
static bool has_weight(struct str parameters)
{
    struct str one;
    while (parameters.n) {
        str_cut(&parameters, ';', &one);
        one = str_trim(one);
        if (one.n < 2 || (one.p[0] | ' ') != 'q' || one.p[1] != '=')
            continue;
        for (size_t i = 2; i < one.n; i++)
            if (one.p[i] >= '1' && one.p[i] <= '9')
                return true;
        return false;
    }
    return true;
}

static bool accepts_gzip(struct str accept)
{
    struct str one, name;
    bool any = false;
    while (accept.n) {
        str_cut(&accept, ',', &one);
        str_cut(&one, ';', &name);
        name = str_trim(name);
        if (str_eq_nocase(name, STR("gzip")))
            return has_weight(one);
        if (str_eq(name, STR("*")))
            any = has_weight(one);
    }
    return any;
}

static struct str make_tag(char tag[40], struct str bytes)
{
    uint8_t digest[SHA256_LEN];
    if (!tag[0]) {
        size_t n = 0;
        sha256(bytes, digest);
        tag[n++] = '"';
        for (size_t i = 0; i < 16; i++)
            n += (size_t)snprintf(tag + n, 40 - n, "%02x", digest[i]);
        tag[n++] = '"';
        tag[n] = 0;
    }
    return str_from(tag);
}

static void on_static(struct http_exchange *x, void *ctx)
{
    struct http_static *s = ctx;
    const struct http_file *f = &s->file;
    bool gzip = f->gzip.p && accepts_gzip(http_exchange_header(x, STR("Accept-Encoding")));
    struct str bytes = gzip ? f->gzip : f->bytes;
    struct str etag = make_tag(gzip ? s->gzip_etag : s->etag, bytes);
    http_exchange_set_header(x, "ETag", etag);
    http_exchange_set_header(x, "X-Content-Type-Options", STR("nosniff"));
    http_exchange_set_header(x, "Cache-Control", str_from(f->cache));
    if (f->gzip.p)
        http_exchange_set_header(x, "Vary", STR("Accept-Encoding"));
    for (const char *const *h = f->headers; h && h[0]; h += 2)
        http_exchange_set_header(x, h[0], str_from(h[1]));
    if (has_tag(http_exchange_header(x, STR("If-None-Match")), etag)) {
        http_exchange_reply(x, 304, NULL, (struct str){0});
        return;
    }
    if (gzip)
        http_exchange_set_header(x, "Content-Encoding", STR("gzip"));
    http_exchange_reply(x, 200, f->type, bytes);
}

void http_server_file(struct http_server *s, const struct http_file *file)
{
    struct http_static *f = mem_zalloc(sizeof *f);
    f->file = *file;
    f->file.type = copy_text(file->type);
    f->file.cache = copy_text(file->cache ? file->cache : "no-cache");
    f->file.path = NULL; /* the route has it */
    f->next = s->statics;
    s->statics = f;
    add_route(s,
              &(struct http_route){
                  .path = file->path, .methods = "GET", .on_request = on_static, .ctx = f},
              file->is_public);
}

void http_server_static(struct http_server *s, const char *path, const char *type, struct str bytes,
                        const char *cache)
{
    http_server_file(
        s, &(struct http_file){.path = path, .type = type, .bytes = bytes, .cache = cache});
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

/* Connections that only wait for an answer or its next piece have no time-out, so a server with
 * nothing but quiet streams does not wake up. */
static void on_sweep(void *ctx)
{
    struct http_server *s = ctx;
    uint64_t now = loop_now(s->loop);
    /* A check may call the user, who may end any other exchange, so always take the first one. */
    for (size_t n = s->conn_count; n && !list_is_empty(&s->conns); n--) {
        struct http_exchange *c = LIST_FIRST(&s->conns, struct http_exchange, link);
        list_remove(&c->link);
        list_add(&s->conns, &c->link);
        http_exchange_check_time(c, now);
    }
    LIST_EACH (&s->conns, struct http_exchange, link, c)
        if (http_exchange_is_timed(c)) {
            http_server_start_sweep(s);
            return;
        }
}

void http_server_start_sweep(struct http_server *s)
{
    if (!timer_is_running(&s->sweep))
        timer_start(&s->sweep, s->loop, s->sweep_ms, on_sweep, s);
}

static void on_connection(struct stream *stream, void *ctx)
{
    http_exchange_open(ctx, stream);
}

void http_server_forget(struct http_exchange *c)
{
    struct http_server *s = c->server;
    list_remove(&c->link);
    s->conn_count--;
    s->surplus_count -= c->surplus;
    s->incoming -= c->incoming;
    c->server = NULL;
    if (s->on_quiet && !http_server_connections(s))
        s->on_quiet(s->quiet_ctx);
}

/* ---- life */

static uint64_t min_ms(uint64_t a, uint64_t b)
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
    uint64_t shortest = min_ms(min_ms(o->head_ms, o->body_ms), min_ms(o->idle_ms, o->stall_ms));
    s->sweep_ms = min_ms(shortest / 4, SWEEP_LONGEST);
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

void http_server_on_quiet(struct http_server *s, loop_fn *fn, void *ctx)
{
    s->on_quiet = fn;
    s->quiet_ctx = ctx;
}

void http_server_stop(struct http_server *s)
{
    s->stopping = true;
    tcp_listener_close(s->listener);
    s->listener = NULL;
    LIST_EACH_SAFE (&s->conns, struct http_exchange, link, c)
        http_exchange_stop(c);
}

/* Runs at the end of the loop's turn: http_server_free() may be called inside a callback. */
static void free_server(void *ctx)
{
    struct http_server *s = ctx;
    for (size_t i = 0; i < s->route_count; i++)
        free_route(s->routes[i]);
    free(s->routes);
    while (s->statics) {
        struct http_static *next = s->statics->next;
        free((char *)(uintptr_t)s->statics->file.type);
        free((char *)(uintptr_t)s->statics->file.cache);
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
        http_exchange_close(LIST_FIRST(&s->conns, struct http_exchange, link));
    timer_stop(&s->sweep);
    loop_defer(s->loop, free_server, s);
}
