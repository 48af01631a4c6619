/* Imported models (.fbx, .obj ...), as far as text files describe them: their .meta, and the files
 * that use them.
 *
 *     scene_model_read(scene, meta);                    // adds the nodes to an empty scene
 *     struct scene_model_hints hints = {.known = scene};
 *     scene_model_hint(&hints, SCENE_TRANSFORM, id);    // the other file refers to this Transform
 *     struct scene *better = scene_model_guess(scenes, &hints);
 *
 * Up to 2019.2, the .meta names every object, in fileIDToRecycleName or internalIDToNameTable.
 * Parents are known only for the skeleton of a humanoid (parentName); all other objects are shown
 * below the root. Since then, ids are XXH64 of a path (fileIdsGeneration: 2) and no object is
 * named: only the root is known, and the bones of a skeleton with parents. Components of the root
 * are recognized by their ids if a file that uses the model refers to them.
 *
 * A model is a scene without a file. Its objects have no documents, so scene_body() returns the
 * defaults of their class with the overrides.
 */
#pragma once

#include "unity/scene_build.h"

/* Read a .meta into an empty scene with the path of the model; the root has the stem of the path as
 * its name. An asset that is not a model (another importer) is one object without known ids. */
void scene_model_read(struct scene *s, struct str meta);

#define SCENE_MODEL_MAX_HINTS 1024u

struct scene_model_hints {
    struct scene *known;       /* from the .meta; NULL: unknown asset */
    int64_t object, transform; /* ids of the root, if an override has them; else 0 */
    struct scene_model_hint {
        int32_t class_id;
        int64_t id;
    } * others; /* further objects in use */
    size_t count;
    unsigned parts; /* private: bits of used components of the root */
};

/* Record that an object of the model is used. Ignores known objects, and components other than
 * Transforms and those of the root. */
void scene_model_hint(struct scene_model_hints *h, int32_t class_id, int64_t id);
void scene_model_hint_target(struct scene_model_hints *h, int64_t id); /* of an unknown class */
/* Return a reference to known if the hints add nothing, else a new scene. Empties *h. */
struct scene *scene_model_guess(struct scenes *all, struct scene_model_hints *h);
