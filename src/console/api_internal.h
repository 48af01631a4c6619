/* Private to api.c and its tests: one exchange. */
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
    struct str query;        /* not decoded, but its escapes are valid */
    struct buf out;
    struct jsonw w;
};

/* Return the exchange, for an answer in pieces, and free the api. Only as the first call. */
struct http_exchange *api_take(struct api *a);

/* Set the headers of every answer: nosniff, a policy that allows nothing, no referrer. */
void api_headers(struct http_exchange *x);

/* The last routes: unknown addresses below /api. */
void api_start(struct console *c);
void api_done(struct console *c);

/* Decode percent escapes (and '+' in a query) into the arena. Return false if an escape is invalid,
 * or the result is not UTF-8 or contains a NUL. */
bool api_decode(struct arena *a, struct str text, bool in_query, struct str *out);

/* Can all names and values of a query be decoded? */
bool api_query_is_right(struct arena *a, struct str query);

/* Split "NAME:LINE:COLUMN: POINTER: reason"; false: the message has no place. */
struct api_place {
    uint64_t line, column;
    struct str pointer, what;
};
bool api_find_place(struct str message, struct api_place *out);
