/* Values of fields as the tools show them: docs/spec/20-scene-tools.md, 1 and 4.
 *
 *     struct value_view v = {.scene = s, .db = db, .arena = arena, .max_array = 16};
 *     value_put_field(&v, w, &class->fields[i], yaml_get(body, class->fields[i].key));
 *
 * Numbers, texts and booleans are plain and a null reference is null; all else is {type, value,
 * ...}. Elements of an array carry no type: the array's says it.
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
    struct yaml_value body; /* of the component: where managed references are looked up */
    size_t max_array;       /* elements shown; 0: only their number */
    size_t fields;          /* shown so far */
    bool is_cut;            /* VALUE_MAX_FIELDS were not enough */
};

/* One member of the object that is being written; a value of YAML_NONE shows the field's initial
 * one. */
void value_put_field(struct value_view *v, struct jsonw *w, const struct type_field *f,
                     struct yaml_value value);

/* ---- parts, for describe.c */

/* A type that is not known, of a value that refers to something: UnityEngine.Object, the only form
 * that says what it is. */
const struct type *value_type(const struct type *t, struct yaml_value value);
/* The value alone, without its type: of all that is no reference, array, struct or unknown. */
void value_put_bare(struct value_view *v, struct jsonw *w, const struct type *t,
                    struct yaml_value value);
/* A type nobody knows: as it stands, by its form. */
void value_put_unknown(struct value_view *v, struct jsonw *w, struct yaml_value value,
                       unsigned depth);

/* Write value, is_object_ref and so on as members of the object that is being written. Return false
 * if the target of the reference is missing. */
bool value_put_target(struct value_view *v, struct jsonw *w, const struct type *t,
                      struct reference r);

/* Elements of an array, however the file keeps them. */
struct value_part {
    const struct type *type; /* of the array */
    size_t from, most;       /* which of them are asked for */
};
typedef void value_each_fn(struct yaml_value element, void *ctx);
size_t value_each(const struct value_part *p, struct yaml_value value, value_each_fn *each,
                  void *ctx); /* their number, asked for or not */

/* What a [SerializeReference] holds; false: nothing. */
struct value_managed {
    struct str type;                /* full name; in the view's arena */
    const struct type_class *class; /* NULL: its fields are not known */
    struct yaml_value data;
};
bool value_managed(struct value_view *v, struct yaml_value value, struct value_managed *out);

/* The value a field has while the file has none: type_field.initial, read. */
struct yaml_value value_initial(struct arena *a, struct str initial);

/* The class of a component; NULL: a missing script. */
const struct type_class *value_class(struct types *types, const struct scene *s, uint32_t node,
                                     uint32_t component);
