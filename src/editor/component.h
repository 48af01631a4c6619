/* A component that a tool call names: by the path of its GameObject and its index. */
#pragma once

#include "editor/editor_tool.h"
#include "editor/value.h"

struct component {
    const struct scene *scene;
    uint32_t node;
    uint32_t index;
    const struct type_class *class;
};

/* ERR_OBJECT_NOT_FOUND for a path that leads nowhere; says what there is instead. Answers false. */
bool component_no_object(struct editor_call *c, const struct scene *s, struct str path);

/* game_object_path of the arguments; ERR_OBJECT_NOT_FOUND says what there is instead. */
bool component_find_node(struct editor_call *c, struct component *out);
/* index, too: ERR_COMPONENT_INDEX_OUT_OF_RANGE, ERR_MISSING_SCRIPT. */
bool component_find(struct editor_call *c, struct component *out);
/* The same, but its class is NULL if its script is missing. */
bool component_find_any(struct editor_call *c, struct component *out);
/* ERR_MISSING_SCRIPT. Answers false. */
bool component_is_missing(struct editor_call *c, const struct component *of);
/* Whether its fields can be set: ERR_UNSUPPORTED_HEADLESS for a class newer than our tables. */
bool component_is_known(const struct component *p, struct editor_error *err);
/* What component_type calls a missing script. */
#define COMPONENT_MISSING "Missing Script"
/* An index below the number of components, else ERR_COMPONENT_INDEX_OUT_OF_RANGE. */
bool component_has(struct editor_call *c, const struct component *of, uint64_t index);

/* game_object_path and game_object_name. */
void component_put_owner(struct editor_call *c, const struct component *of);
