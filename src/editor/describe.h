/* Fields as a typed inspector needs them: docs/spec/20-scene-tools.md, 5.
 *
 *     struct describe d = {.view = &view, .project = project};
 *     describe_field(&d, w, &class->fields[i], yaml_get(body, class->fields[i].key));
 *     describe_path(&d, w, class, STR("stats.items[3]"));
 *
 * Every field is an object of one shape, {type, kind, value, ...}: its type, the values it accepts,
 * and its current value, in a form that manage_component accepts. What all elements of an array
 * have in common is written once, in the array.
 */
#pragma once

#include "editor/value.h"
#include "unity/project.h"

#define DESCRIBE_MAX_OPTIONS 4096u /* names of enum values in one answer */
#define DESCRIBE_MAX_TOOLTIP 1024u /* bytes */
#define DESCRIBE_MAX_KEYS    512u  /* of a curve */

struct describe {
    struct value_view *view;
    const struct project *project;
    size_t offset; /* first element to show of an array that was requested by its path */
    /* private */
    unsigned above;   /* depth of the requested value in the component */
    size_t options;   /* written so far */
    size_t described; /* fields of elements described so far */
};

/* Write one member of the current object. For a value of YAML_NONE write the initial value of the
 * field. */
void describe_field(struct describe *d, struct jsonw *w, const struct type_field *f,
                    struct yaml_value value);

/* The same for a nested value: "stats.hp", "items[3].name", with the path as its name. Return false
 * and write nothing if the path has no target. */
bool describe_path(struct describe *d, struct jsonw *w, const struct type_class *c,
                   struct str path);
