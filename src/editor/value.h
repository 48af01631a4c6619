/* Values of fields as the tools show them: docs/spec/20-scene-tools.md, 1 and 4.
 *
 *     struct value_view v = {.scene = s, .db = db, .arena = arena, .max_array = 16};
 *     value_put_field(&v, w, &class->fields[i], yaml_get(body, class->fields[i].key));
 *
 * Numbers, texts and booleans are plain and a null reference is null; everything else is {type,
 * value, ...}. Elements of an array have no type: it follows from the type of the array.
 */
#pragma once

#include "base/jsonw.h"
#include "unity/asset_object.h"

#define VALUE_MAX_FIELDS 512u /* in one answer */
#define VALUE_MAX_DEPTH  3u   /* the fields of a component are at depth 0 */

struct value_view {
    const struct scene *scene;
    const struct asset_db *db;
    struct arena *arena;
    struct yaml_value body; /* of the component, for managed references */
    size_t max_array;       /* elements to show; 0: only their number */
    size_t fields;          /* shown so far */
    bool is_cut;            /* VALUE_MAX_FIELDS was reached */
};

/* Write one member of the current object. For a value of YAML_NONE write the initial value of the
 * field. */
void value_put_field(struct value_view *v, struct jsonw *w, const struct type_field *f,
                     struct yaml_value value);

/* ---- parts, for describe.c */

/* Return UnityEngine.Object for a reference of an unknown type, because its form shows that it is a
 * reference; else return t. */
const struct type *value_type(const struct type *t, struct yaml_value value);
/* Write a value without its type. Not for references, arrays, structs and unknown types. */
void value_put_bare(struct value_view *v, struct jsonw *w, const struct type *t,
                    struct yaml_value value);
/* Write a value of unknown type by its form in the file. */
void value_put_unknown(struct value_view *v, struct jsonw *w, struct yaml_value value,
                       unsigned depth);

/* Write value, is_object_ref and so on as members of the object that is being written. Return false
 * if the target of the reference is missing. */
bool value_put_target(struct value_view *v, struct jsonw *w, const struct type *t,
                      struct reference r);

/* Some elements of an array, in any form of the file. */
struct value_part {
    const struct type *type; /* of the array */
    size_t from, most;       /* the requested ones */
};
typedef void value_each_fn(struct yaml_value element, void *ctx);
size_t value_each(const struct value_part *p, struct yaml_value value, value_each_fn *each,
                  void *ctx); /* returns the number of all elements */

/* The object of a [SerializeReference]; value_managed returns false if it is null. */
struct value_managed {
    struct str type;                /* full name; in the view's arena */
    const struct type_class *class; /* NULL: its fields are not known */
    struct yaml_value data;
};
bool value_managed(struct value_view *v, struct yaml_value value, struct value_managed *out);

/* Parse type_field.initial: the value of a field that the file does not have. */
struct yaml_value value_initial(struct arena *a, struct str initial);

/* Return the class of a component, or NULL if its script is missing. */
const struct type_class *value_class(struct types *types, const struct scene *s, uint32_t node,
                                     uint32_t component);
