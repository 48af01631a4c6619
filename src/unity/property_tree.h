/* The properties of one object as a tree, to which overrides are applied by property path.
 *
 *     struct property_tree *tree = property_tree_new(&arena, map);
 *     property_tree_set(tree, STR("m_LocalPosition.x"), &value);     // an entry of m_Modifications
 *     struct yaml_value changed = property_tree_value(tree);         // its text is in the arena
 *
 * Only values on the way of a path are taken apart; all others keep their text. Paths are those of
 * m_Modifications: keys, "Array.size", "Array.data[i]" (also for arrays stored as one hex text),
 * components of flow maps, "managedReferences[id]" and its fields. An array grows by copies of its
 * last element. A missing key is added, because the file may be from an older editor. A missing
 * element is not, unless the values are known to be incomplete.
 */
#pragma once

#include "unity/yaml.h"

#define PROPERTY_TREE_MAX_BYTES    (64u << 20)
#define PROPERTY_TREE_MAX_ELEMENTS (1u << 20) /* limit of the growth of all arrays together */

struct property_tree;

/* A value to set: the reference if it is not null, else the text in file form, with quotes if
 * necessary. Neither: null for a reference, else an empty text. */
struct property_value {
    struct reference reference;
    struct yaml_value scalar;
};

struct property_tree *property_tree_new(struct arena *a,
                                        struct yaml_value map); /* both must outlive the tree */
/* The values are incomplete: missing elements are added; the ones before them are empty. */
void property_tree_allow_more(struct property_tree *b);
/* Return false and change nothing if there is no such place, or it has another kind. */
bool property_tree_set(struct property_tree *b, struct str path,
                       const struct property_value *value);
struct yaml_value property_tree_value(
    const struct property_tree *b); /* YAML_NONE: larger than PROPERTY_TREE_MAX_BYTES */
