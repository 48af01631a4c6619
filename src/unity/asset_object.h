/* Find the object of an asset that a reference means: AssetDatabase.LoadAssetAtPath(path, type), by
 * the files alone.
 *
 *     struct error err;
 *     struct reference reference;
 *     struct asset_query query = {.path = STR("Assets/Materials/Red.mat"), .wanted = class};
 *     if (!asset_object_find(&db, &query, &reference, &err))
 *         fprintf(stderr, "%s\n", err.text);               // includes what the asset contains
 *
 * The extension determines the main object of a file (format notes 6.3); YAML files are
 * searched for it. A prefab gives its root GameObject or the first component of the wanted class;
 * an image its texture or, if a Sprite is wanted, a sprite (of a sheet by name, from the .meta); a
 * model its root, or a mesh, clip or avatar by name. Built-in resources have the path
 * "Resources/unity_builtin_extra" or "Library/unity default resources", and a name.
 */
#pragma once

#include "base/error.h"
#include "unity/assets.h"
#include "unity/scene.h"
#include "unity/types.h"

struct asset_db {
    struct assets *assets;
    struct types *types;
    struct scenes *scenes; /* opens prefabs */
};

struct asset_query {
    struct str path;                 /* "Assets/...", "Packages/...", or "guid:<32 hex>" */
    struct str name;                 /* of one of several objects; empty: the main object that
                                        fits */
    const struct type_class *wanted; /* NULL: any class */
};

/* Fails with ERR_IO if there is no such asset (the text has the nearest path), with
 * ERR_INVALID_PARAMS if it has no object of this class or name. */
bool asset_object_find(const struct asset_db *db, const struct asset_query *q,
                       struct reference *out, struct error *err);

/* Get the name of an object in an image or model from the .meta. Return false for the main object,
 * the only sprite, or an unknown object. */
bool asset_object_part(const struct asset_db *db, struct reference r, struct arena *a,
                       struct str *name);

/* Return the simple name of an object's type, as far as the files show it: "Material", "Sprite",
 * the class of a ScriptableObject; empty: unknown. Sets *name to the name of the object (the stem
 * of the file, or that of a sub-object). Texts are in a or static. */
struct str asset_object_type(const struct asset_db *db, struct reference r, struct arena *a,
                             struct str *name);
