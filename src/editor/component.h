/* A component that a tool call names by the path of its GameObject and its index; and a component
 * that a call adds. */
#pragma once

#include "editor/change.h"
#include "editor/editor_tool.h"
#include "editor/value.h"

/* component_type of a component whose script is missing. */
#define COMPONENT_MISSING "Missing Script"

struct component {
    const struct scene *scene;
    uint32_t node;
    uint32_t index;
    const struct type_class *class;
};

/* Set ERR_OBJECT_NOT_FOUND, with the nearest existing path, and return false. */
bool component_refuse_path(struct editor_call *c, const struct scene *s, struct str path);

/* Find the GameObject at game_object_path, or set ERR_OBJECT_NOT_FOUND. */
bool component_find_node(struct editor_call *c, struct component *out);
/* Find the component at game_object_path and index. Other errors:
 * ERR_COMPONENT_INDEX_OUT_OF_RANGE, ERR_MISSING_SCRIPT. */
bool component_find(struct editor_call *c, struct component *out);
/* The same, but a component whose script is missing is found, with a NULL class. */
bool component_find_any(struct editor_call *c, struct component *out);
/* Set ERR_MISSING_SCRIPT and return false. */
bool component_refuse_missing(struct editor_call *c, const struct component *of);
/* Return whether its fields can be set: not those of a class that is newer than our tables
 * (ERR_UNSUPPORTED_HEADLESS). */
bool component_is_known(const struct component *p, struct editor_error *err);
/* Return whether the GameObject has a component at index, else set
 * ERR_COMPONENT_INDEX_OUT_OF_RANGE. */
bool component_has_index(struct editor_call *c, const struct component *of, uint64_t index);

/* Write game_object_path and game_object_name. */
void component_put_owner(struct editor_call *c, const struct component *of);

/* ---- adding */

#define ADDITION_MAX 16u /* components that one component may require */

struct addition {
    const struct type_class *class;
    uint32_t index; /* after the edit */
    struct assign assign;
    const struct type_class *also[ADDITION_MAX]; /* [RequireComponent], added before it */
    size_t also_count;
    bool makes_rect; /* one of them is a RectTransform, which replaces the Transform */
};

/* Collect in change what adds the component that component_type, index and fields of the arguments
 * ask for, with the components it requires. Return false with an error if Unity would refuse it.
 * Call component_add_done(out) in both cases. */
bool component_add(struct editor_call *c, const struct component *to, struct change *change,
                   struct addition *out);
void component_add_done(struct addition *a);

/* Return how many components of that class, or derived from it, the GameObject has. */
size_t component_count(struct editor_call *c, const struct component *of, struct str class);

/* Write fields_set, fields_skipped and, if there are any, skipped_reasons. */
void component_put_names(struct editor_call *c, const struct assign *a);
