/* Prefab instances inside a scene or prefab: what their documents say, and their nodes.
 *
 * A part of how a scene is built (scene_build.h). An instance names its source, lists overrides,
 * what was removed and what was added. Its nodes are those of the source, which is a scene of its
 * own, with ids of this file (scene.h) and the few overrides that the hierarchy shows: names,
 * active flags, the place among the roots. All other overrides are applied when a body is asked
 * for.
 *
 * Of a model or an absent asset the source tells little or nothing: prefab_guess() makes one out of
 * what this file says of it, that is, its overrides and stand-ins.
 */
#pragma once

#include "unity/scene_build.h"

/* A document of class 1001. The header of an old prefab file looks alike and is no instance. */
void prefab_read(struct scene_build *b, uint32_t doc);

/* The source of an instance whose asset is a model or not there; link->cached is set or NULL. */
void prefab_guess(struct scene_build *b, uint32_t instance);

/* Once link->source is set: its nodes. */
void prefab_clone(struct scene_build *b, uint32_t instance);

/* Once all are cloned: what is added to them. */
void prefab_add(struct scene_build *b, uint32_t instance);

/* The overrides of one object, in order: the first and their number. */
const struct scene_override *prefab_overrides(const struct scene *s, uint32_t instance,
                                              int64_t target, size_t *count);

/* One entry of m_Modifications. */
struct prefab_modification {
    struct reference target;
    struct str path; /* decoded */
    struct yaml_value value, object;
};
/* False: it is not of that form. Texts that must be decoded go to a. */
bool prefab_read_modification(struct yaml_value entry, struct arena *a,
                              struct prefab_modification *out);
