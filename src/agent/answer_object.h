/* The object in a model's answer: JSON or YAML, in a code fence, between prose.
 *
 *     struct answer_object_kind plan = {"plan_task", "acceptance_criteria", is_plan};
 *     const struct json *object = answer_object_read(&arena, answer, &plan, &err);
 *
 *     struct answer_object_search found;
 *     answer_object_find(&arena, answer, is_plan, &found);
 *     if (found.best) ...                  // the last object that fits, else the last object
 *
 * At most ANSWER_OBJECT_MAX_PLACES places are tried, YAML only in texts of at most
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
    const struct json *best; /* or NULL */
    bool fits;
    struct error why; /* if best is NULL: the error in the place most like an object */
};

void answer_object_find(struct arena *a, struct str text, answer_object_fits_fn *fits,
                        struct answer_object_search *out);

struct answer_object_kind {
    const char *name;   /* of the question: the value of `type` */
    const char *member; /* a required member, for the message */
    answer_object_fits_fn *fits;
};

/* Return the answer's object, unwrapped, or NULL and ERR_LIMIT, ERR_SYNTAX (there is no object) or
 * ERR_INVALID_PARAMS (it is of another kind). */
const struct json *answer_object_read(struct arena *a, struct str answer,
                                      const struct answer_object_kind *kind, struct error *err);
/* Return the payload of {type, version, payload: {...}}, else the object itself. */
const struct json *answer_object_unwrap(const struct json *object);

/* Return false and set *err: `where` must be `must`, and is v, or is missing (NULL). */
bool answer_object_reject(struct error *err, const char *where, const char *must,
                          const struct json *v);
struct str answer_object_cut(struct str text, size_t max); /* trim, and cut to max bytes */
/* Read an optional text, cut to max bytes. */
bool answer_object_read_text(const struct json *object, const char *name, size_t max,
                             struct str *out, struct error *err);
bool answer_object_is_name(struct str said, const char *name); /* "Run-Worker" is run_worker */
