/* {"$element": n} in a list that is set: the element that stands at n now, as it is. Part of
 * assign.h.
 *
 *     struct assign_elements all = {0};                     // once for each array that is set
 *     struct assign_element e = {.all = &all, .place = i};
 *     if (assign_element_is_given(item) && assign_element_find(a, f, old, item, &e))
 *         draft = assign_element_keep(a, &element_field, &e);       // with its bytes
 *
 * n counts in the array as it was before the call, wherever that is: in the file, or what the class
 * begins with. An element may be named several times, or not at all.
 */
#pragma once

#include "editor/assign.h"

struct assign_elements {
    bool is_read; /* when the first one is asked for */
    struct yaml_item *items;
    size_t count;
    uint32_t column; /* of their dashes */
    bool has_lines;  /* they are lines of the scene's file */
};

struct assign_element {
    struct assign_elements *all;
    size_t place; /* where it comes to stand */
    unsigned depth;
    const struct yaml_item *item;
    const struct json *rest; /* what is given beside $element; NULL: nothing */
    bool is_in_place;        /* it stands there already */
};

bool assign_element_is_given(const struct json *value);
/* Answers NULL: it stands where there is no array. */
struct draft *assign_element_refuse(struct assign *a);

/* f, old: the array. False: there is no such element, or it cannot be moved; err says why. */
bool assign_element_find(struct assign *a, const struct type_field *f, struct yaml_value old,
                         const struct json *value, struct assign_element *e);
/* f: the element's type. */
struct draft *assign_element_keep(struct assign *a, const struct type_field *f,
                                  const struct assign_element *e);

/* A member of a map as it is; f NULL: one that the type has not. */
struct draft *assign_element_keep_member(struct assign *a, const struct type_field *f,
                                         const struct yaml_item *item, uint32_t column);
