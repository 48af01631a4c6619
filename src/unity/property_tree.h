/* The fields of one object as a tree that property paths are applied to, as an override does it.
 *
 *     struct property_tree *b = property_tree_new(&arena, value);           // a YAML_MAP
 *     property_tree_set(b, STR("m_LocalPosition.x"), &value);     // of an entry of m_Modifications
 *     struct yaml_value changed = property_tree_value(b);          // text in the arena
 *
 * Only what a path leads through is taken apart; all else is handed on as it stands. Paths are
 * those of m_Modifications: keys, "Array.size", "Array.data[i]" (also of arrays that are kept as
 * one hex text), components of flow maps, "managedReferences[id]" and fields of it. An array grows
 * by copies of its last element. A key that is not there is added (the file was written by an older
 * editor); an element that is not there is not, unless the body is known to be less than there is.
 */
#pragma once

#include "unity/yaml.h"

#define PROPERTY_TREE_MAX_BYTES    (64u << 20)
#define PROPERTY_TREE_MAX_ELEMENTS (1u << 20) /* that all arrays of a body together may grow by */

struct property_tree;

/* What is put there: a reference if it is not null, else the text, which stands as in a file
 * (quoted if it must be). Neither: null where a reference was, else an empty text. */
struct property_value {
    struct reference reference;
    struct yaml_value scalar;
};

struct property_tree *property_tree_new(struct arena *a,
                                        struct yaml_value map); /* both must outlive it */
/* The text is not all there is: an element that is not there is made, those before it are empty. */
void property_tree_allow_more(struct property_tree *b);
/* False: there is no such place, or it is not of that kind; nothing was changed. */
bool property_tree_set(struct property_tree *b, struct str path,
                       const struct property_value *value);
struct yaml_value property_tree_value(
    const struct property_tree *b); /* YAML_NONE: more than PROPERTY_TREE_MAX_BYTES */
