/* Adding a component to a GameObject: which class, whether Unity would, what comes with it.
 * Part of tool_manage_component.c. */
#pragma once

#include "editor/change.h"
#include "editor/component.h"

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
