#include "net/http_guard.h"

#include <stdio.h>

#define QUOTED_MAX 80u

void http_guard_quote(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.n && i < QUOTED_MAX; i++)
        buf_add_char(out, text.p[i] >= ' ' && text.p[i] <= '~' ? text.p[i] : '?');
    if (text.n > QUOTED_MAX)
        buf_add(out, STR("..."));
}

/* Is text a colon and the port, without leading zeros? */
static bool is_port(struct str text, uint16_t port)
{
    uint64_t n;
    return text.n > 1 && text.p[0] == ':' && text.p[1] != '0' &&
           str_to_u64(str_skip(text, 1), &n) && n == port;
}

static bool is_own_address(const struct http_guard *g, struct str authority)
{
    static const struct str names[] = {
        STR_INIT("127.0.0.1"),
        STR_INIT("localhost"),
        STR_INIT("[::1]"),
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!str_eq_nocase(str_head(authority, names[i].n), names[i]))
            continue;
        struct str rest = str_skip(authority, names[i].n);
        return is_port(rest, g->port) || (g->port == 80 && rest.n == 0);
    }
    return false;
}

static int refuse_host(const struct http_guard *g, struct buf *message, struct str what,
                       struct str came)
{
    buf_add(message, what);
    buf_add_char(message, ' ');
    http_guard_quote(message, came);
    buf_printf(message, " is not served here: use 127.0.0.1:%u, localhost:%u or [::1]:%u.",
               (unsigned)g->port, (unsigned)g->port, (unsigned)g->port);
    return 403;
}

static int check_origin(const struct http_guard *g, const struct http_request *r,
                        struct buf *message)
{
    size_t times = http_field_times(r, STR("Origin"));
    if (times == 0)
        return 0;
    if (times > 1) {
        buf_add(message, STR("Duplicate header: Origin."));
        return 403;
    }
    struct str origin = http_field_value(r, STR("Origin")), scheme = STR("http://");
    if (str_eq_nocase(str_head(origin, scheme.n), scheme) &&
        is_own_address(g, str_skip(origin, scheme.n)))
        return 0;
    buf_add(message, STR("Pages of the origin "));
    http_guard_quote(message, origin);
    buf_printf(message,
               " may not call this server: only http://127.0.0.1:%u, "
               "http://localhost:%u and http://[::1]:%u may.",
               (unsigned)g->port, (unsigned)g->port, (unsigned)g->port);
    return 403;
}

/* Compare in constant time; the length is not secret. */
static bool is_equal_secret(struct str a, struct str b)
{
    unsigned char different = 0;
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        different |= (unsigned char)(a.p[i] ^ b.p[i]);
    return different == 0;
}

int http_guard_check_token(const struct http_guard *g, const struct http_request *r,
                           struct buf *message)
{
    if (!g->token.n)
        return 0;
    struct str value = http_field_value(r, STR("Authorization")), scheme;
    if (!value.p) {
        buf_add(message, STR("Missing bearer token: send Authorization: Bearer <token>."));
        return 401;
    }
    str_cut(&value, ' ', &scheme);
    if (http_field_times(r, STR("Authorization")) == 1 && str_eq_nocase(scheme, STR("Bearer")) &&
        is_equal_secret(str_trim(value), g->token))
        return 0;
    buf_add(message, STR("Wrong bearer token: send the one this server was started with."));
    return 401;
}

int http_guard_check(const struct http_guard *g, const struct http_request *r, struct buf *message)
{
    struct str host = http_field_value(r, STR("Host"));
    if (!is_own_address(g, host))
        return refuse_host(g, message, STR("Host"), host);
    if (r->authority.p && !is_own_address(g, r->authority))
        return refuse_host(g, message, STR("Host"), r->authority);
    return check_origin(g, r, message);
}
