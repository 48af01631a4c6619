/* What Unity makes of a file, by its name: the class of the main object and where it is.
 *
 *     const struct asset_kind *k = asset_kind_of(STR("Assets/Red.mat"));
 *     k->class, k->file_id                  // UnityEngine.Material, 2100000
 *
 * Prefabs, images and models are no kinds: what they hold depends on the file or on its importer.
 */
#pragma once

#include "base/str.h"

struct asset_kind {
    const char *extension;
    int64_t file_id;
    int32_t type; /* of a reference to it: 2 for a file of YAML, 3 for one that is imported */
    const char *class;
};

const struct asset_kind *asset_kind_of(struct str path); /* NULL: none */
const struct asset_kind *asset_kind_at(size_t i);        /* NULL: no more */
bool asset_kind_is_image(struct str extension);
bool asset_kind_is_model(struct str extension);

struct str asset_kind_extension(struct str path); /* with its dot */
struct str asset_kind_stem(struct str path);      /* the file's name without it */
