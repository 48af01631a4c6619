/* Which objects the files of assets hold, as far as the files tell: read once, kept as long as the
 * file is the same (time, size, number).
 *
 *     struct asset_holds *h = asset_holds_new(assets);
 *     const struct holds *x = asset_holds_get(h, path, HOLDS_YAML);    // NULL: not readable
 *     for (size_t i = 0; i < x->count; i++)
 *         x->list[i].name, x->list[i].class_id ...
 *     asset_holds_free(h);
 *
 * What a class id or a script means is not looked at here: scripts change without the file.
 *
 *   HOLDS_YAML     the documents: the main one first, then in the order of the file
 *   HOLDS_PREFAB   the components of the root, the Transform first. is_open: the root is an
 *                  instance of another prefab (or in an old form): who wants to know opens it
 *   HOLDS_IMAGE    the texture (28, 89 ...), then its sprites (213), out of the .meta
 *   HOLDS_MODEL    meshes (43), clips (74), materials (21), avatars (90) that the .meta names
 *
 * Files may be hostile: of a .meta or prefab HOLDS_MAX_BYTES are read, of a larger .asset its
 * beginning, and HOLDS_MAX_OBJECTS objects are kept of each.
 */
#pragma once

#include "unity/assets.h"
#include "unity/yaml.h"

#define HOLDS_MAX_BYTES   (4u << 20)
#define HOLDS_HEAD_BYTES  (64u << 10)
#define HOLDS_MAX_OBJECTS 4096u

enum holds_form {
    HOLDS_YAML,
    HOLDS_PREFAB,
    HOLDS_IMAGE,
    HOLDS_MODEL
};

struct held {
    int32_t class_id;
    bool is_hidden;          /* in the hierarchy, and so from people */
    struct reference script; /* of 114 */
    struct str identifier;   /* m_EditorClassIdentifier */
    struct str name;
};

struct holds {
    const struct held *list;
    size_t count;
    bool is_open;
    bool is_single; /* an image that is one sprite, not a sheet of them */
};

struct asset_holds;

struct asset_holds *asset_holds_new(struct assets *assets);
void asset_holds_free(struct asset_holds *h);

/* What is answered is h's own, until the next call for the same path. */
const struct holds *asset_holds_get(struct asset_holds *h, struct str path, enum holds_form form);
