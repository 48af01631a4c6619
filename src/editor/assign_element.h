/* {"$element": n} in an array that is being set: the current element n, unchanged or with some
 * members replaced. Part of assign.h.
 *
 *     struct assign_elements all = {0};                     // once for each array that is set
 *     struct assign_element e = {.all = &all, .place = i};
 *     struct draft *draft = NULL;
 *     if (assign_element_is_given(item) && assign_element_find(a, f, old, item, &e))
 *         draft = assign_element_keep(a, &element_field, &e);   // with its bytes
 *
 * n counts in the array as it was before the call, in the file or in the initial value of the
 * class. An element may be used several times, or not at all.
 */
#pragma once

#include "editor/assign.h"

struct assign_elements {
    bool is_read; /* read when the first element is used */
    struct yaml_item *items;
    size_t count;
    uint32_t column; /* of their dashes */
    bool has_lines;  /* they are lines of the scene's file */
};

struct assign_element {
    struct assign_elements *all;
    size_t place; /* its new index */
    unsigned depth;
    const struct yaml_item *item;
    const struct json *rest; /* the members beside $element; NULL: none */
    bool is_in_place;        /* the new index is the old one */
};

bool assign_element_is_given(const struct json *value);
/* Set the error for a $element outside of an array and return NULL. */
struct draft *assign_element_refuse(struct assign *a);

/* Find the element. f, old: the array. Return false with an error if it does not exist or cannot be
 * moved. */
bool assign_element_find(struct assign *a, const struct type_field *f, struct yaml_value old,
                         const struct json *value, struct assign_element *e);
/* Return the element as a draft. f: its type. */
struct draft *assign_element_keep(struct assign *a, const struct type_field *f,
                                  const struct assign_element *e);

/* Return a member of a map as a draft; f NULL: the type has no such member. */
struct draft *assign_element_keep_member(struct assign *a, const struct type_field *f,
                                         const struct yaml_item *item, uint32_t column);
