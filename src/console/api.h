/* Shared by all routes below /api: bodies, queries, answers, errors, and answers that are given
 * later.
 *
 *     static void on_save(struct api *a, void *ctx)
 *     {
 *         struct str text;
 *         if (!api_text(a, "text", &text))                    // has sent the error
 *             return;
 *         ...
 *         struct jsonw *w = api_begin(a);                     // in the object of the answer
 *         jsonw_kbool(w, "ok", true);
 *         ...
 *         api_end(a);                                         // 200
 *     }
 *     api_post(c, "/api/tooling/save", on_save, me);
 *
 * One struct api is one exchange, from the call of its function until it is answered (api_end,
 * api_fail...) exactly once, now or later; then it is freed. If the client leaves first,
 * api_is_gone() is true, but the exchange must still be answered. So work on a thread need not be
 * stopped:
 *
 *     loop_work(api_loop(a), work, done, job);                // done() answers in any case
 *
 * Refused before the function is called: a POST without an Origin (403; http_guard.h refuses a
 * wrong one before), with another type than application/json (415), with a body that is not a JSON
 * object or too deep (400) or larger than API_MAX_BODY (413); any exchange while the console stops
 * (503), from a browser for a page of another site (Sec-Fetch-Site; 403), or with an address that
 * is not UTF-8 (400). While too many exchanges are under way, including those whose clients left,
 * new ones are refused (503), so that clients that leave early cannot make the server grow.
 */
#pragma once

#include "base/error.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "console/console.h"

#define API_MAX_BODY  (4u << 20)  /* as HTTP_MAX_BODY */
#define API_MAX_DEPTH 32u         /* of a body; routes may put it into another object */
#define API_MAX_OPEN  512u        /* exchanges under way, including those whose clients left */
#define API_MAX_HELD  (64u << 20) /* bytes of their bodies */

struct api;
typedef void api_fn(struct api *a, void *ctx);

/* path: as in http_server.h; a final '*' matches any rest (api_rest). */
void api_get(struct console *c, const char *path, api_fn *fn, void *ctx);
void api_post(struct console *c, const char *path, api_fn *fn, void *ctx);

/* ---- the request */

struct loop *api_loop(const struct api *a);
bool api_is_gone(const struct api *a);                 /* the client left */
struct arena *api_arena(struct api *a);                /* lives as long as the exchange */
const struct json *api_body(const struct api *a);      /* the object of a POST */
struct str api_rest(const struct api *a);              /* the text matched by '*', decoded */
struct str api_query(struct api *a, const char *name); /* decoded; p NULL: not given */

/* Members of the body, numbers of the query. If one is invalid, send an error and return false. */
bool api_text(struct api *a, const char *name, struct str *out);    /* required */
bool api_text_or(struct api *a, const char *name, struct str *out); /* p NULL: missing */
bool api_bool(struct api *a, const char *name, bool *out);          /* required */
bool api_int(struct api *a, const char *name, int64_t least, int64_t most, int64_t *out);
bool api_int_or(struct api *a, const char *name, int64_t least, int64_t most, int64_t *inout);
bool api_query_int(struct api *a, const char *name, int64_t least, int64_t most, int64_t *inout);
/* "1,2,3" in the query or an array in the body: at most `most` positive numbers, in the arena. */
bool api_query_ids(struct api *a, const char *name, size_t most, int64_t **out, size_t *count);
bool api_ids(struct api *a, const char *name, size_t most, int64_t **out, size_t *count);

/* ---- the answer */

struct jsonw *api_begin(struct api *a); /* the object is open */
void api_end(struct api *a);            /* closes it and sends it, 200 */
void api_end_status(struct api *a, int status);
void api_reply(struct api *a, struct str json); /* 200, with a complete object */

/* {"error":{"code","message"}} with the status that fits the code. */
void api_fail(struct api *a, const struct error *err);
void api_refuse(struct api *a, int status, enum error_code code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void api_put_error(struct jsonw *w, const struct error *err); /* "error":{...} in an open object */

/* The value {message, line, column, pointer} for an error in a text, from a message of doc.h like
 * "NAME:LINE:COLUMN: POINTER: reason" (without a place: line 1, column 1). */
void api_put_fault(struct jsonw *w, const struct error *err);

void api_put_time(struct jsonw *w, const char *key, int64_t at); /* unix ms; 0: null */
