/* Which objects the files of assets hold, as far as the files tell: read once, kept as long as the
 * file is the same (time, size, number).
 *
 *     struct asset_contents_cache *h = asset_contents_new(assets);
 *     const struct asset_contents *x = asset_contents_get(h, path, ASSET_CONTENTS_YAML);    // NULL: not readable
 *     for (size_t i = 0; i < x->count; i++)
 *         x->list[i].name, x->list[i].class_id ...
 *     asset_contents_free(h);
 *
 * What a class id or a script means is not looked at here: scripts change without the file.
 *
 *   ASSET_CONTENTS_YAML     the documents: the main one first, then in the order of the file
 *   ASSET_CONTENTS_PREFAB   the components of the root, the Transform first. is_open: the root is an
 *                  instance of another prefab (or in an old form): who wants to know opens it
 *   ASSET_CONTENTS_IMAGE    the texture (28, 89 ...), then its sprites (213), out of the .meta
 *   ASSET_CONTENTS_MODEL    meshes (43), clips (74), materials (21), avatars (90) that the .meta names
 *
 * Files may be hostile: of a .meta or prefab ASSET_CONTENTS_MAX_BYTES are read, of a larger .asset its
 * beginning, and ASSET_CONTENTS_MAX_OBJECTS objects are kept of each.
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
    bool is_hidden;          /* in the hierarchy, and so from people */
    struct reference script; /* of 114 */
    struct str identifier;   /* m_EditorClassIdentifier */
    struct str name;
};

struct asset_contents {
    const struct contained_object *list;
    size_t count;
    bool is_open;
    bool is_single; /* an image that is one sprite, not a sheet of them */
};

struct asset_contents_cache;

struct asset_contents_cache *asset_contents_new(struct assets *assets);
void asset_contents_free(struct asset_contents_cache *h);

/* What is answered is h's own, until the next call for the same path. */
const struct asset_contents *asset_contents_get(struct asset_contents_cache *h, struct str path,
                                                enum asset_contents_form form);
