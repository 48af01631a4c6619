/* The objects in the files of assets, as far as the files show them. Each file is read once and
 * cached while its identity (time, size, inode) stays the same.
 *
 *     struct asset_contents_cache *cache = asset_contents_new(assets);
 *     const struct asset_contents *c = asset_contents_get(cache, path, ASSET_CONTENTS_YAML);
 *     for (size_t i = 0; c != NULL && i < c->count; i++)                  // NULL: not readable
 *         printf("%d %.*s\n", (int)c->list[i].class_id, STR_ARG(c->list[i].name));
 *     asset_contents_free(cache);
 *
 * Class ids and scripts are not resolved here, because scripts may change while the file does not.
 *
 *   YAML     the documents: the main object first, then in the order of the file
 *   PREFAB   the components of the root, the Transform first. is_open: the root is an instance of
 *            another prefab or has an old form; open the prefab as a scene to see its components
 *   IMAGE    the texture (28, 89 ...), then its sprites (213), from the .meta
 *   MODEL    meshes (43), clips (74), materials (21) and avatars (90) named in the .meta
 *
 * Files may be hostile: ASSET_CONTENTS_MAX_BYTES are read of a .meta or prefab, of a larger .asset
 * only its start, and at most ASSET_CONTENTS_MAX_OBJECTS objects are kept per file.
 */
#pragma once

#include "unity/assets.h"
#include "unity/yaml.h"

#define ASSET_CONTENTS_MAX_BYTES   (4u << 20)
#define ASSET_CONTENTS_HEAD_BYTES  (64u << 10)
#define ASSET_CONTENTS_MAX_OBJECTS 4096u

enum asset_contents_form {
    ASSET_CONTENTS_YAML,
    ASSET_CONTENTS_PREFAB,
    ASSET_CONTENTS_IMAGE,
    ASSET_CONTENTS_MODEL
};

struct contained_object {
    int32_t class_id;
    bool is_hidden;          /* hidden in the hierarchy, so also from clients */
    struct reference script; /* of class 114 */
    struct str identifier;   /* m_EditorClassIdentifier */
    struct str name;
};

struct asset_contents {
    const struct contained_object *list;
    size_t count;
    bool is_open;
    bool is_single; /* an image with one sprite, not a sheet */
};

struct asset_contents_cache;

struct asset_contents_cache *asset_contents_new(struct assets *assets);
void asset_contents_free(struct asset_contents_cache *h);

/* The result is valid until the next call for the same path. */
const struct asset_contents *asset_contents_get(struct asset_contents_cache *h, struct str path,
                                                enum asset_contents_form form);
