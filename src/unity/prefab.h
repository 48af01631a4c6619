/* Prefab instances in a scene or prefab: their documents and their nodes. Part of scene_build.h.
 *
 * An instance names its source, and lists overrides, removed objects and added objects. Its nodes
 * are those of the source, which is another scene, with the ids of this file (scene.h) and with the
 * overrides that affect the hierarchy: names, active flags, order among the roots. scene_body()
 * applies all other overrides.
 *
 * A model or a missing asset has no complete source, so prefab_guess() makes one from the overrides
 * and stand-ins in this file.
 */
#pragma once

#include "unity/scene_build.h"

/* Read a document of class 1001. The similar header of an old prefab file is not an instance. */
void prefab_read(struct scene_build *b, uint32_t doc);

/* Guess the source of an instance whose asset is a model or missing; link->cached is set or
 * NULL. */
void prefab_guess(struct scene_build *b, uint32_t instance);

/* Add the nodes of an instance. link->source must be set. */
void prefab_clone(struct scene_build *b, uint32_t instance);

/* Add what this file adds to the instance. All instances must be cloned. */
void prefab_add(struct scene_build *b, uint32_t instance);

/* Return the overrides of an object, in order, and their number. */
const struct scene_override *prefab_overrides(const struct scene *s, uint32_t instance,
                                              int64_t target, size_t *count);

/* One entry of m_Modifications. */
struct prefab_modification {
    struct reference target;
    struct str path; /* decoded */
    struct yaml_value value, object;
};
/* Read an entry; false: invalid. Decoded texts are in a. */
bool prefab_read_modification(struct yaml_value entry, struct arena *a,
                              struct prefab_modification *out);
