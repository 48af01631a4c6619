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

/* The value a field has while the file has none: type_field.initial, read. */
struct yaml_value value_initial(struct arena *a, struct str initial);

/* The class of a component; NULL: a missing script. */
const struct type_class *value_class(struct types *types, const struct scene *s, uint32_t node,
                                     uint32_t component);
