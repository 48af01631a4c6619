#include "console/api.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "console/api_internal.h"

#define OUT_MAX    (64u << 20) /* bytes of an answer */
#define SMALL_BODY (16u << 10)

struct api_route {
    struct console *console;
    api_fn *fn;
    void *ctx;
    size_t prefix; /* bytes of the path before its '*' */
    bool has_rest, is_post;
    struct api_route *next;
};

/* ---- answers */

static void free_api(struct api *a)
{
    struct console *c = a->console;
    c->open--;
    c->held -= a->held;
    buf_done(&a->text);
    buf_done(&a->out);
    arena_done(&a->arena);
    free(a);
    console_notify_quiet(c);
}

struct http_exchange *api_take(struct api *a)
{
    struct http_exchange *x = a->x;
    assert(x);
    http_exchange_watch(x, NULL, NULL, NULL);
    free_api(a);
    return x;
}

void api_headers(struct http_exchange *x)
{
    http_exchange_set_header(x, "Content-Security-Policy",
                             STR("default-src 'none'; base-uri 'none'; form-action 'none'; "
                                 "frame-ancestors 'none'"));
    http_exchange_set_header(x, "Cross-Origin-Resource-Policy", STR("same-origin"));
    http_exchange_set_header(x, "Referrer-Policy", STR("no-referrer"));
    http_exchange_set_header(x, "X-Content-Type-Options", STR("nosniff"));
}

static void send_answer(struct api *a, int status, struct str json)
{
    if (a->x) {
        api_headers(a->x);
        http_exchange_set_header(a->x, "Cache-Control", STR("no-store"));
        http_exchange_reply(a->x, status, "application/json", json);
    }
    free_api(a);
}

struct jsonw *api_begin(struct api *a)
{
    assert(!a->out.n && !a->out.overflow);
    a->out.max = OUT_MAX;
    a->w = jsonw_make(&a->out);
    jsonw_object(&a->w);
    return &a->w;
}

void api_end(struct api *a)
{
    api_end_status(a, 200);
}

void api_end_status(struct api *a, int status)
{
    assert(a->w.depth == 1);
    jsonw_end(&a->w);
    if (a->out.overflow) {
        buf_done(&a->out);
        api_refuse(a, 413, ERR_LIMIT, "The answer would be longer than %u MiB: ask for less.",
                   OUT_MAX >> 20);
        return;
    }
    send_answer(a, status, buf_str(&a->out));
}

void api_reply(struct api *a, struct str json)
{
    send_answer(a, 200, json);
}

/* ---- errors */

static int status_of(enum error_code code)
{
    switch ((int)code) {
    case ERR_INVALID_REQUEST:
    case ERR_INVALID_PARAMS:
    case ERR_CONFIG_PARSE:
    case ERR_CONFIG_VALIDATION:
    case ERR_CONFIG_SCHEMA_VERSION:
    case ERR_SYNTAX:
        return 400;
    case ERR_UNKNOWN_COMMAND:
    case ERR_UNKNOWN_REQUEST:
    case ERR_JOB_NOT_FOUND:
    case ERR_TASK_NOT_FOUND:
        return 404;
    case ERR_CANCEL_NOT_SUPPORTED:
    case ERR_CANCEL_REJECTED:
    case ERR_CONFLICT:
    case ERR_IN_USE:
    case ERR_TASK_STATE:
        return 409;
    case ERR_LIMIT:
        return 413;
    default:
        return 503;
    }
}

static void put_place(struct jsonw *w, const struct api_place *p)
{
    jsonw_key(w, "line");
    jsonw_uint(w, p->line);
    jsonw_key(w, "column");
    jsonw_uint(w, p->column);
    jsonw_kstr(w, "pointer", p->pointer);
}

static bool is_about_text(enum error_code code)
{
    return code == ERR_CONFIG_PARSE || code == ERR_CONFIG_VALIDATION ||
           code == ERR_CONFIG_SCHEMA_VERSION || code == ERR_SYNTAX;
}

void api_put_error(struct jsonw *w, const struct error *err)
{
    struct api_place place;
    jsonw_key(w, "error");
    jsonw_object(w);
    jsonw_kcstr(w, "code", error_name(err->code));
    jsonw_kcstr(w, "message", err->text);
    if (is_about_text(err->code) && api_find_place(str_from(err->text), &place))
        put_place(w, &place);
    jsonw_end(w);
}

void api_put_fault(struct jsonw *w, const struct error *err)
{
    struct api_place place;
    if (!api_find_place(str_from(err->text), &place))
        place = (struct api_place){1, 1, STR(""), str_from(err->text)};
    jsonw_object(w);
    jsonw_kstr(w, "message", place.what);
    put_place(w, &place);
    jsonw_end(w);
}

static void send_error(struct api *a, int status, const struct error *err)
{
    buf_done(&a->out); /* drop an answer that was begun */
    api_put_error(api_begin(a), err);
    api_end_status(a, status);
}

void api_fail(struct api *a, const struct error *err)
{
    send_error(a, status_of(err->code), err);
}

void api_refuse(struct api *a, int status, enum error_code code, const char *fmt, ...)
{
    struct error err = {.code = code};
    va_list args;
    va_start(args, fmt);
    vsnprintf(err.text, sizeof err.text, fmt, args);
    va_end(args);
    send_error(a, status, &err);
}

void api_put_time(struct jsonw *w, const char *key, int64_t at)
{
    jsonw_key(w, key);
    if (at)
        jsonw_int(w, at);
    else
        jsonw_null(w);
}

/* ---- requests */

static void on_gone(struct http_exchange *x, void *ctx)
{
    (void)x;
    ((struct api *)ctx)->x = NULL;
}

/* "application/json", with or without parameters. */
static bool is_json(struct str type)
{
    struct str first;
    str_cut(&type, ';', &first);
    return str_eq_nocase(str_trim(first), STR("application/json"));
}

static bool refuse_busy(struct api *a)
{
    api_refuse(a, 503, ERR_LIMIT, "This server has too many requests at once: try again.");
    return false;
}

/* Short bodies are always accepted: the number of exchanges limits them. */
static bool has_room_for(const struct console *c, size_t bytes)
{
    return bytes <= SMALL_BODY || (c->held <= API_MAX_HELD && bytes <= API_MAX_HELD - c->held);
}

static void account_body(struct api *a)
{
    a->held = a->text.cap + arena_size(&a->arena);
    a->console->held += a->held;
}

static bool read_body(struct api *a)
{
    const struct json_limits limits = {.max_bytes = API_MAX_BODY, .max_depth = API_MAX_DEPTH};
    struct json_error wrong;
    if (!http_exchange_header(a->x, STR("Origin")).p)
        api_refuse(a, 403, ERR_INVALID_REQUEST,
                   "A change needs an Origin, which only a page of this server sends.");
    else if (!is_json(http_exchange_header(a->x, STR("Content-Type"))))
        api_refuse(a, 415, ERR_INVALID_REQUEST, "The body must be application/json.");
    else if (http_exchange_request(a->x)->body.n > API_MAX_BODY)
        api_refuse(a, 413, ERR_LIMIT, "The body is too large: at most %u MiB.", API_MAX_BODY >> 20);
    else if (!has_room_for(a->console, http_exchange_request(a->x)->body.n))
        return refuse_busy(a);
    else {
        a->text = http_exchange_take_body(a->x);
        a->body = json_parse(&a->arena, buf_str(&a->text), &limits, &wrong);
        account_body(a);
        if (json_is(a->body, JSON_OBJECT))
            return true;
        if (a->body)
            api_refuse(a, 400, ERR_INVALID_REQUEST, "The body must be an object, not %s.",
                       json_type_name(a->body));
        else
            api_refuse(a, 400, ERR_INVALID_REQUEST, "The body is not JSON: %s at byte %zu.",
                       wrong.reason, wrong.offset);
    }
    return false;
}

/* Browsers send Sec-Fetch-Site; other programs do not. */
static bool is_foreign(const struct http_exchange *x)
{
    struct str site = http_exchange_header(x, STR("Sec-Fetch-Site"));
    return site.p && !str_eq(site, STR("same-origin")) && !str_eq(site, STR("none"));
}

/* The checks for every exchange; false: it was refused. */
static bool admit_exchange(struct api *a, const struct api_route *r)
{
    const struct http_request *q = http_exchange_request(a->x);
    struct str rest = str_skip(q->path, r->prefix);
    if (a->console->stopping) {
        api_refuse(a, 503, ERR_EDITOR_NOT_READY, "This server is stopping.");
        return false;
    }
    if (is_foreign(a->x)) {
        api_refuse(a, 403, ERR_INVALID_REQUEST, "Only a page of this server may use this address.");
        return false;
    }
    if (a->console->open > API_MAX_OPEN)
        return refuse_busy(a);
    a->query = arena_str(&a->arena, q->query);
    if ((r->has_rest && !api_decode(&a->arena, rest, false, &a->rest)) ||
        !api_query_is_right(&a->arena, a->query)) {
        api_refuse(a, 400, ERR_INVALID_REQUEST, "The address is not well-formed UTF-8.");
        return false;
    }
    return !r->is_post || read_body(a);
}

static void on_request(struct http_exchange *x, void *ctx)
{
    const struct api_route *r = ctx;
    struct api *a = mem_zalloc(sizeof *a);
    a->console = r->console;
    a->x = x;
    a->console->open++;
    http_exchange_watch(x, on_gone, NULL, a);
    if (admit_exchange(a, r))
        r->fn(a, r->ctx);
}

/* ---- routes */

static void add_route(struct console *c, const char *path, bool is_post,
                      const struct api_route *what)
{
    struct api_route *r = mem_dup(what, sizeof *what);
    size_t n = strlen(path);
    assert(n);
    r->console = c;
    r->is_post = is_post;
    r->has_rest = path[n - 1] == '*';
    r->prefix = n - r->has_rest;
    r->next = c->routes;
    c->routes = r;
    http_server_route(c->o.http, &(struct http_route){.path = path,
                                                      .methods = is_post ? "POST" : "GET",
                                                      .on_request = on_request,
                                                      .ctx = r});
}

void api_get(struct console *c, const char *path, api_fn *fn, void *ctx)
{
    add_route(c, path, false, &(struct api_route){.fn = fn, .ctx = ctx});
}

void api_post(struct console *c, const char *path, api_fn *fn, void *ctx)
{
    add_route(c, path, true, &(struct api_route){.fn = fn, .ctx = ctx});
}

static void on_nothing(struct api *a, void *ctx)
{
    (void)ctx;
    api_refuse(a, 404, ERR_INVALID_REQUEST, "Not found.");
}

void api_start(struct console *c)
{
    api_get(c, "/api/*", on_nothing, NULL);
    api_post(c, "/api/*", on_nothing, NULL);
}

void api_done(struct console *c)
{
    while (c->routes) {
        struct api_route *next = c->routes->next;
        free(c->routes);
        c->routes = next;
    }
}

/* ---- the request */

struct loop *api_loop(const struct api *a)
{
    return a->console->o.loop;
}

bool api_is_gone(const struct api *a)
{
    return !a->x;
}

struct arena *api_arena(struct api *a)
{
    return &a->arena;
}

const struct json *api_body(const struct api *a)
{
    return a->body;
}

struct str api_rest(const struct api *a)
{
    return a->rest;
}

/* ---- the address */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c | ' ') >= 'a' && (c | ' ') <= 'f')
        return (c | ' ') - 'a' + 10;
    return -1;
}

bool api_decode(struct arena *a, struct str text, bool in_query, struct str *out)
{
    char *to = arena_alloc(a, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '%') {
            int high = i + 2 < text.n ? hex_digit(text.p[i + 1]) : -1;
            int low = i + 2 < text.n ? hex_digit(text.p[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        } else if (c == '+' && in_query) {
            c = ' ';
        }
        to[n++] = c;
    }
    to[n] = 0;
    *out = str_make(to, n);
    return utf8_is_valid(*out) && !memchr(to, 0, n);
}

bool api_query_is_right(struct arena *a, struct str query)
{
    struct str out;
    return api_decode(a, query, true, &out);
}

struct str api_query(struct api *a, const char *name)
{
    struct str rest = a->query, one, key;
    while (rest.n) {
        struct str value;
        str_cut(&rest, '&', &one);
        str_cut(&one, '=', &key);
        if (!api_decode(&a->arena, key, true, &key) || !str_eq(key, str_from(name)))
            continue;
        if (api_decode(&a->arena, one, true, &value))
            return value;
    }
    return (struct str){0};
}

static bool is_in_range(int64_t n, int64_t least, int64_t most)
{
    return n >= least && n <= most;
}

static bool refuse_number(struct api *a, const char *name, int64_t least, int64_t most)
{
    api_refuse(a, 400, ERR_INVALID_PARAMS, "%s must be a whole number from %lld to %lld.", name,
               (long long)least, (long long)most);
    return false;
}

bool api_query_int(struct api *a, const char *name, int64_t least, int64_t most, int64_t *inout)
{
    struct str text = api_query(a, name);
    int64_t n;
    if (!text.p)
        return true;
    if (!str_to_i64(text, &n) || !is_in_range(n, least, most))
        return refuse_number(a, name, least, most);
    *inout = n;
    return true;
}

static bool refuse_ids(struct api *a, const char *name, size_t most)
{
    api_refuse(a, 400, ERR_INVALID_PARAMS, "%s must be at most %zu numbers above 0.", name, most);
    return false;
}

bool api_query_ids(struct api *a, const char *name, size_t most, int64_t **out, size_t *count)
{
    struct str rest = api_query(a, name), one;
    size_t n = 0;
    int64_t *ids;
    if (!rest.n) {
        *count = 0;
        *out = NULL;
        return true;
    }
    for (size_t i = 0; i < rest.n; i++)
        n += rest.p[i] == ',';
    if (n >= most)
        return refuse_ids(a, name, most);
    ids = arena_alloc(&a->arena, (n + 1) * sizeof *ids);
    for (size_t i = 0; i <= n; i++) {
        str_cut(&rest, ',', &one);
        if (!str_to_i64(one, &ids[i]) || ids[i] <= 0)
            return refuse_ids(a, name, most);
    }
    *out = ids;
    *count = n + 1;
    return true;
}

/* ---- the body */

static bool refuse_kind(struct api *a, const char *name, const char *kind, const struct json *v)
{
    api_refuse(a, 400, ERR_INVALID_PARAMS, "%s must be %s, not %s.", name, kind, json_type_name(v));
    return false;
}

bool api_text(struct api *a, const char *name, struct str *out)
{
    const struct json *v = json_get(a->body, str_from(name));
    if (!json_is(v, JSON_STRING))
        return refuse_kind(a, name, "text", v);
    *out = json_str(v);
    return true;
}

/* Missing or null. */
static bool is_absent(const struct json *v)
{
    return json_type(v) == JSON_NULL;
}

bool api_text_or(struct api *a, const char *name, struct str *out)
{
    if (!is_absent(json_get(a->body, str_from(name))))
        return api_text(a, name, out);
    *out = (struct str){0};
    return true;
}

bool api_bool(struct api *a, const char *name, bool *out)
{
    const struct json *v = json_get(a->body, str_from(name));
    if (!json_is(v, JSON_BOOL))
        return refuse_kind(a, name, "true or false", v);
    *out = json_bool(v);
    return true;
}

bool api_int(struct api *a, const char *name, int64_t least, int64_t most, int64_t *out)
{
    int64_t n;
    if (!json_i64(json_get(a->body, str_from(name)), &n) || !is_in_range(n, least, most))
        return refuse_number(a, name, least, most);
    *out = n;
    return true;
}

bool api_int_or(struct api *a, const char *name, int64_t least, int64_t most, int64_t *inout)
{
    return is_absent(json_get(a->body, str_from(name))) || api_int(a, name, least, most, inout);
}

bool api_ids(struct api *a, const char *name, size_t most, int64_t **out, size_t *count)
{
    const struct json *v = json_get(a->body, str_from(name));
    size_t n = json_count(v), i = 0;
    if (!json_is(v, JSON_ARRAY))
        return refuse_kind(a, name, "an array of numbers", v);
    if (n > most)
        return refuse_ids(a, name, most);
    int64_t *ids = arena_alloc(&a->arena, (n + 1) * sizeof *ids);
    JSON_ITEMS (v, item)
        if (!json_i64(item, &ids[i]) || ids[i++] <= 0)
            return refuse_ids(a, name, most);
    *out = ids;
    *count = n;
    return true;
}

/* ---- places in texts */

static bool take_number(struct str *rest, uint64_t *out)
{
    struct str digits;
    struct str at = *rest;
    if (!str_cut(&at, ':', &digits) || !str_to_u64(digits, out) || !*out)
        return false;
    *rest = at;
    return true;
}

bool api_find_place(struct str message, struct api_place *out)
{
    struct str rest = message, name;
    while (str_cut(&rest, ':', &name)) {
        struct api_place p = {.pointer = STR(""), .what = rest};
        if (!take_number(&p.what, &p.line) || !take_number(&p.what, &p.column) ||
            !str_starts(p.what, STR(" ")))
            continue; /* a colon in the name itself */
        p.what = str_skip(p.what, 1);
        size_t end = str_find(p.what, STR(": "));
        if (p.what.n && p.what.p[0] == '/' && end < p.what.n) {
            p.pointer = str_head(p.what, end);
            p.what = str_skip(p.what, end + 2);
        }
        *out = p;
        return true;
    }
    return false;
}
