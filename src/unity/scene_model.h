/* Imported models (.fbx, .obj ...) as far as text tells of them: what their .meta says, and what
 * the files that use them say.
 *
 *     scene_model_read(s, meta)          // fills an empty scene with nodes
 *     struct scene_model_hints hints = {.known = s};
 *     scene_model_hint(&hints, SCENE_TRANSFORM, id);
 *     struct scene *more = scene_model_guess(all, &hints);
 *
 * Up to 2019.2 the .meta names every object: fileIDToRecycleName, later internalIDToNameTable.
 * Whose child it is stands nowhere but in the skeleton of a humanoid (parentName); all others are
 * shown below the root. Since then ids are XXH64 of a path (fileIdsGeneration: 2) and nothing is
 * named: the root is known, and the bones of a skeleton with parents.
 *
 * Components of the root are known by their ids where a file that uses the model names them.
 *
 * A model is kept as a scene without a file. Its objects have no documents: what scene_body() shows
 * of them are the defaults of their class and the overrides.
 */
#pragma once

#include "unity/scene_build.h"

/* s->path is that of the model; its stem is the name of the root. An asset that is no model (its
 * .meta names another importer) is one object, of which no id is known. */
void scene_model_read(struct scene *s, struct str meta);

#define SCENE_MODEL_MAX_HINTS 1024u

struct scene_model_hints {
    struct scene *known;       /* what the .meta says; NULL: nothing is known of the asset */
    int64_t object, transform; /* ids of the root, if an override tells; 0: not told */
    struct scene_model_hint {
        int32_t class_id;
        int64_t id;
    } * others; /* objects that are used, too */
    size_t count;
    unsigned parts; /* components of the root that are used: bits, private */
};

/* This object of the model is used. Known ones add nothing, nor do components other than Transforms
 * and those of the root. */
void scene_model_hint(struct scene_model_hints *h, int32_t class_id, int64_t id);
void scene_model_hint_target(struct scene_model_hints *h,
                             int64_t id); /* of a class that is not told */
/* A reference to known, if nothing is to be added to it, else to a scene of its own; empties *h. */
struct scene *scene_model_guess(struct scenes *all, struct scene_model_hints *h);
