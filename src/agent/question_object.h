/* The objects that stand in what a model said: JSON or YAML, in fences, between prose.
 *
 *     struct question_objects found;
 *     question_objects_find(&arena, answer, is_mine, &found);
 *     if (found.best) ...                       // the last one that `fits`, else the last one
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

typedef bool question_object_fits_fn(const struct json *object);

struct question_objects {
    const struct json *best; /* NULL: there is none */
    bool fits;
    struct error why; /* no object: what is wrong with the place that looked most like one */
};

void question_objects_find(struct arena *a, struct str text, question_object_fits_fn *fits,
                           struct question_objects *out);
