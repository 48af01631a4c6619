/* What Unity makes of a file, by its extension: the class and file id of the main object.
 *
 *     const struct asset_kind *kind = asset_kind_of(STR("Assets/Red.mat"));
 *     if (kind != NULL)
 *         printf("%s %lld\n", kind->class, (long long)kind->file_id);   // ...Material 2100000
 *
 * Prefabs, images and models have no kind: their objects depend on the file or its importer.
 */
#pragma once

#include "base/str.h"

struct asset_kind {
    const char *extension;
    int64_t file_id;
    int32_t type; /* of a reference: 2 for a YAML file, 3 for an imported file */
    const char *class;
};

const struct asset_kind *asset_kind_of(struct str path); /* NULL: no kind */
const struct asset_kind *asset_kind_at(size_t i);        /* NULL: past the last one */
bool asset_kind_is_image(struct str extension);
bool asset_kind_is_model(struct str extension);

struct str asset_kind_extension(struct str path); /* with its dot */
struct str asset_kind_stem(struct str path);      /* file name without extension */
