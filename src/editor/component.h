/* A component that a tool call names: by the path of its GameObject and its index. */
#pragma once

#include "editor/change.h"
#include "editor/editor_tool.h"
#include "editor/value.h"

struct component {
    const struct scene *scene;
    uint32_t node;
    uint32_t index;
    const struct type_class *class;
};

/* ERR_OBJECT_NOT_FOUND for a path that leads nowhere; says what there is instead. Answers false. */
bool component_refuse_path(struct editor_call *c, const struct scene *s, struct str path);

/* game_object_path of the arguments; ERR_OBJECT_NOT_FOUND says what there is instead. */
bool component_find_node(struct editor_call *c, struct component *out);
/* index, too: ERR_COMPONENT_INDEX_OUT_OF_RANGE, ERR_MISSING_SCRIPT. */
bool component_find(struct editor_call *c, struct component *out);
/* The same, but its class is NULL if its script is missing. */
bool component_find_any(struct editor_call *c, struct component *out);
/* ERR_MISSING_SCRIPT. Answers false. */
bool component_refuse_missing(struct editor_call *c, const struct component *of);
/* Whether its fields can be set: ERR_UNSUPPORTED_HEADLESS for a class newer than our tables. */
bool component_is_known(const struct component *p, struct editor_error *err);
/* What component_type calls a missing script. */
#define COMPONENT_MISSING "Missing Script"
/* An index below the number of components, else ERR_COMPONENT_INDEX_OUT_OF_RANGE. */
bool component_has_index(struct editor_call *c, const struct component *of, uint64_t index);

/* game_object_path and game_object_name. */
void component_put_owner(struct editor_call *c, const struct component *of);

/* ---- adding */

#define ADDITION_MAX 16u /* components that one brings along */

struct addition {
    const struct type_class *class;
    uint32_t index; /* where it is afterwards */
    struct assign assign;
    const struct type_class *also[ADDITION_MAX]; /* [RequireComponent], added before it */
    size_t also_count;
    bool makes_rect; /* one of them is a RectTransform, which takes the place of the Transform */
};

/* component_type, index and fields of the arguments, as patches in change. False: c->err says why,
 * and nothing is lost. *out is to be done either way. */
bool component_add(struct editor_call *c, const struct component *to, struct change *change,
                   struct addition *out);
void component_add_done(struct addition *a);

/* How many components of that class or one derived from it the GameObject has. */
size_t component_count(struct editor_call *c, const struct component *of, struct str class);

/* fields_set, fields_skipped and skipped_reasons. */
void component_put_names(struct editor_call *c, const struct assign *a);
