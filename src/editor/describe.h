/* Fields as a typed inspector needs them: docs/spec/20-scene-tools.md, 5.
 *
 *     struct describe d = {.view = &view, .project = project};
 *     describe_field(&d, w, &class->fields[i], yaml_get(body, class->fields[i].key));
 *     describe_path(&d, w, class, STR("stats.items[3]"));
 *
 * Every field is an object of one shape, {type, kind, value, ...}: what it is, what may be put
 * there, and what is there, in a form that manage_component takes. What all elements of an array
 * share is said once, by the array.
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
    size_t offset; /* of arrays that are asked for themselves: elements before it are left out */
    /* private */
    unsigned above;   /* how deep what is asked for is in the component */
    size_t options;   /* told so far */
    size_t described; /* fields of elements described so far */
};

/* One member of the object that is being written; a value of YAML_NONE shows the field's initial
 * one. */
void describe_field(struct describe *d, struct jsonw *w, const struct type_field *f,
                    struct yaml_value value);

/* The same for what is deeper inside: "stats.hp", "items[3].name", under the path as it is written.
 * False: there is no such thing, and nothing is written. */
bool describe_path(struct describe *d, struct jsonw *w, const struct type_class *c,
                   struct str path);
