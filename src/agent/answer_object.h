/* The objects that stand in what a model said: JSON or YAML, in fences, between prose.
 *
 *     struct answer_object_search found;
 *     answer_object_find(&arena, answer, is_mine, &found);
 *     if (found.best) ...                       // the last one that `fits`, else the last one
 *
 *     struct answer_object_kind plan = {"plan_task", "acceptance_criteria", is_plan};
 *     const struct json *object = answer_object_read(&arena, answer, &plan, &err);
 *
 * Bounded: at most ANSWER_OBJECT_MAX_PLACES places are tried, YAML only in texts of at most
 * ANSWER_OBJECT_MAX_YAML bytes. Values are in the arena.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

#define ANSWER_OBJECT_MAX_PLACES 32u
#define ANSWER_OBJECT_MAX_YAML   (128u << 10)
#define ANSWER_OBJECT_MAX_BYTES  (1u << 20) /* bytes of an answer */

typedef bool answer_object_fits_fn(const struct json *object);

struct answer_object_search {
    const struct json *best; /* NULL: there is none */
    bool fits;
    struct error why; /* no object: what is wrong with the place that looked most like one */
};

void answer_object_find(struct arena *a, struct str text, answer_object_fits_fn *fits,
                        struct answer_object_search *out);

struct answer_object_kind {
    const char *name;   /* what its `type` would say */
    const char *member; /* that it must have, for the message */
    answer_object_fits_fn *fits;
};

/* The answer's object, out of what it may be wrapped in. NULL and ERR_LIMIT, ERR_SYNTAX (there is
 * none), ERR_INVALID_PARAMS (it is another). */
const struct json *answer_object_read(struct arena *a, struct str answer,
                                      const struct answer_object_kind *kind, struct error *err);
/* {type, version, payload: {...}}: what is in payload; else the object itself. */
const struct json *answer_object_unwrap(const struct json *object);

/* Answers false and says what stands there instead, or that it is missing. */
bool answer_object_reject(struct error *err, const char *where, const char *must,
                          const struct json *v);
struct str answer_object_cut(struct str text, size_t max); /* at most max bytes, trimmed */
/* A text that may be missing, cut to max bytes. */
bool answer_object_read_text(const struct json *object, const char *name, size_t max,
                             struct str *out, struct error *err);
bool answer_object_is_name(struct str said, const char *name); /* "Run-Worker" is run_worker */
