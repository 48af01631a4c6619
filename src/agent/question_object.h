/* The objects that stand in what a model said: JSON or YAML, in fences, between prose.
 *
 *     struct question_objects found;
 *     question_objects_find(&arena, answer, is_mine, &found);
 *     if (found.best) ...                       // the last one that `fits`, else the last one
 *
 *     struct question_object_kind plan = {"plan_task", "acceptance_criteria", is_plan};
 *     const struct json *object = question_object_read(&arena, answer, &plan, &err);
 *
 * Bounded: at most QUESTION_OBJECTS_MOST places are tried, YAML only in texts of at most
 * QUESTION_OBJECTS_YAML bytes. Values are in the arena.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

#define QUESTION_OBJECTS_MOST 32u
#define QUESTION_OBJECTS_YAML (128u << 10)
#define QUESTION_OBJECT_MAX   (1u << 20) /* bytes of an answer */

typedef bool question_object_fits_fn(const struct json *object);

struct question_objects {
    const struct json *best; /* NULL: there is none */
    bool fits;
    struct error why; /* no object: what is wrong with the place that looked most like one */
};

void question_objects_find(struct arena *a, struct str text, question_object_fits_fn *fits,
                           struct question_objects *out);

struct question_object_kind {
    const char *name;   /* what its `type` would say */
    const char *member; /* that it must have, for the message */
    question_object_fits_fn *fits;
};

/* The answer's object, out of what it may be wrapped in. NULL and ERR_LIMIT, ERR_SYNTAX (there is
 * none), ERR_INVALID_PARAMS (it is another). */
const struct json *question_object_read(struct arena *a, struct str answer,
                                        const struct question_object_kind *kind, struct error *err);
/* {type, version, payload: {...}}: what is in payload; else the object itself. */
const struct json *question_object_unwrap(const struct json *object);

/* Answers false and says what stands there instead, or that it is missing. */
bool question_object_wrong(struct error *err, const char *where, const char *must,
                           const struct json *v);
struct str question_object_cut(struct str text, size_t max); /* at most max bytes, trimmed */
/* A text that may be missing, cut to max bytes. */
bool question_object_text(const struct json *object, const char *name, size_t max, struct str *out,
                          struct error *err);
bool question_object_is(struct str said, const char *name); /* "Run-Worker" is run_worker */
