/* Private to console_api: one exchange. */
#pragma once

#include "base/arena.h"
#include "console/console_internal.h"
#include "net/http_server.h"

struct api {
    struct console *console;
    struct http_exchange *x; /* NULL: the client is gone */
    struct arena arena;
    struct buf text;         /* of the body, which `body` points into */
    const struct json *body; /* NULL: a GET */
    size_t held;             /* bytes of both, among the console's */
    struct str rest;         /* of the path, decoded */
    struct str query;        /* as it came, but its escapes are known to be right */
    struct buf out;
    struct jsonw w;
};

/* The exchange itself, for an answer in pieces; the api is gone. Only before anything else is done
 * with it. */
struct http_exchange *api_take(struct api *a);

/* What every answer has: nosniff, a policy that lets nothing in, no referrer. */
void api_headers(struct http_exchange *x);

/* The last routes: what is below /api and is nothing. */
void api_start(struct console *c);
void api_done(struct console *c);

/* Percent escapes (and, in a query, '+') as the characters they stand for, in the arena; false:
 * they are none, or what they make is no UTF-8 or holds a NUL. */
bool api_decode(struct arena *a, struct str text, bool in_query, struct str *out);

/* Whether all names and values of a query can be decoded. */
bool api_query_is_right(struct arena *a, struct str query);

/* "NAME:LINE:COLUMN: POINTER: what" taken apart; false: there is no place in it. */
struct api_place {
    uint64_t line, column;
    struct str pointer, what;
};
bool api_find_place(struct str message, struct api_place *out);
