/* Unity's own value types: vectors, colours, rectangles, masks, curves, gradients. Part of
 * assign.h. */
#pragma once

#include "editor/assign.h"

struct draft *assign_shape(struct assign *a, const struct type_field *f, struct yaml_value old,
                           const struct json *value);
/* Return a struct without members: only the version of its layout, if Unity writes one. */
struct draft *assign_shape_struct(struct assign *a, const struct type_field *f);
/* Return whether a new value has this member. A [SerializeReference] of an editor before 2021.2 is
 * left out: null had another form there, and Unity reads a missing member as null. */
bool assign_shape_is_written(const struct assign *a, const struct type_field *f);
/* Return the value of a type with all bits zero, as Unity serializes it. */
struct draft *assign_shape_zero(struct assign *a, const struct type_field *f);
