/* Unity's own value types: vectors, colours, rectangles, masks, curves, gradients. Part of
 * assign.h. */
#pragma once

#include "editor/assign.h"

/* JSON_NUMBER, or the words that stand for what JSON has no number for. */
bool assign_number(struct assign *a, const struct json *value, double *out);

/* NULL: it does not fit into a float. */
struct draft *assign_float(struct assign *a, struct str key, double n);

struct draft *assign_shape(struct assign *a, const struct type_field *f, struct yaml_value old,
                           const struct json *value);
/* A struct without members: only the version of its layout, if Unity writes one. */
struct draft *assign_shape_struct(struct assign *a, const struct type_field *f);
/* Whether a new value has this member: not a [SerializeReference] of an editor before 2021.2, which
 * kept null in a way of its own. Where it is left out Unity takes it for null. */
bool assign_shape_is_written(const struct assign *a, const struct type_field *f);
/* The value of a type with all bits zero, as Unity serializes it. */
struct draft *assign_shape_zero(struct assign *a, const struct type_field *f);
