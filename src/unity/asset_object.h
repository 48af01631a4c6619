/* Which object of an asset is meant: AssetDatabase.LoadAssetAtPath(path, type) by the files alone.
 *
 *     struct reference r;
 *     struct asset_query q = {.path = STR("Assets/Materials/Red.mat"), .wanted = class};
 *     if (!asset_object_find(&db, &q, &r, &err)) ...     // err.text says what there is instead
 *
 * The main object of a file is known by its extension (format notes 6.3); in files that are YAML it
 * is looked up there; prefabs give their root GameObject, or its first component of the wanted
 * class; images their texture or, if a Sprite is wanted, the sprite (of a sheet by name, out of the
 * .meta); models their root, or a mesh, clip, avatar by name. Built-in resources are found by
 * "Resources/unity_builtin_extra" or "Library/unity default resources" and a name.
 */
#pragma once

#include "base/error.h"
#include "unity/assets.h"
#include "unity/scene.h"
#include "unity/types.h"

struct asset_db {
    struct assets *assets;
    struct types *types;
    struct scenes *scenes; /* where prefabs are opened */
};

struct asset_query {
    struct str path;                 /* "Assets/...", "Packages/...", or "guid:<32 hex>" */
    struct str name;                 /* one of several objects; empty: the main one that fits */
    const struct type_class *wanted; /* NULL: any */
};

/* ERR_IO: no such asset (with the nearest path there is); ERR_INVALID_PARAMS: it holds no object of
 * that type or name (with those it holds). */
bool asset_object_find(const struct asset_db *db, const struct asset_query *q,
                       struct reference *out, struct error *err);

/* The name of an object inside an image or model, as the .meta has it: by that it is found. False:
 * it is the main object, or the only sprite, or not known. */
bool asset_object_part(const struct asset_db *db, struct reference r, struct arena *a,
                       struct str *name);

/* Simple name of the type of an object of that asset, as far as the files tell: "Material",
 * "Sprite", a ScriptableObject's class; empty: not known. The name of the object (the file's stem,
 * or that of a sub-object) goes to *name. Texts live in a or are static. */
struct str asset_object_type(const struct asset_db *db, struct reference r, struct arena *a,
                             struct str *name);
