/* Tools that find what may be put somewhere: assets for a field, classes for a GameObject. Shapes:
 * docs/spec/20-scene-tools.md, section 6. */
#include "bridge/catalog_row.h"

/* clang-format off */
#define PAGE(what)                                                                                 \
    {"count", JSON({"type": "integer", "minimum": 0}), REQUIRED, "Number of " what " returned."},  \
    {"total_count", JSON({"type": "integer", "minimum": 0}), REQUIRED,                             \
     "Number of " what " that match, at all offsets."},                                          \
    {"truncated", JSON({"type": "boolean"}), REQUIRED, "Whether there are more; see next_offset."},\
    {"next_offset", JSON({"type": "integer", "minimum": 0}), OPTIONAL,                             \
     "The offset of the next page; only if truncated."}

static const char max_results[] =
    JSON({"type": "integer", "minimum": 1, "maximum": 1000, "default": 100});
static const char text[] = JSON({"type": "string", "maxLength": 256});
static const char offset[] = JSON({"type": "integer", "minimum": 0, "default": 0});

static const struct catalog_field find_assets_input[] = {
    {"type", JSON({"type": "string"}), OPTIONAL,
     "Class of the field to set, full or simple name, as get_component_info shows it: "
     "Material, Sprite, AudioClip, Mesh, GameObject (prefabs and models), a ScriptableObject of "
     "the project, a component (prefabs that have it on their root). If omitted, all assets are "
     "searched."},
    {"query", text, OPTIONAL,
     "Text that the path or the name must contain; case-insensitive."},
    {"folder", JSON({"type": "string"}), OPTIONAL,
     "Only assets below this folder (e.g. \"Assets/Art\", \"Packages/com.me.kit\")."},
    {"max_results", max_results, OPTIONAL, "Maximum number of assets to return."},
    {"offset", offset, OPTIONAL, "How many assets to skip: next_offset of the previous answer."},
};

static const struct catalog_field find_assets_output[] = {
    {"assets",
     JSON({"type": "array",
           "items": {
               "type": "object",
               "properties": {
                   "path": {"type": "string", "description": "Path of the asset."},
                   "name": {"type": "string",
                            "description": "Name of the asset, or of the object in it."},
                   "type": {"type": "string", "description": "Its class, full name."},
                   "guid": {"type": "string", "description": "GUID of the asset."},
                   "set": {"type": "object", "additionalProperties": {"type": "string"},
                           "description":
                               "The value for a field of that type: $asset, and name if needed."}},
               "required": ["path", "name", "type", "guid", "set"],
               "additionalProperties": false}}), REQUIRED,
     "Sorted by path; the main object of an asset comes first."},
    PAGE("assets"),
};

const struct catalog_row catalog_find_assets = {
    .name = "find_assets",
    .subject = "type",
    .title = "Find assets",
    .summary = "assets that a field accepts",
    .description =
        "Finds assets of the project and its packages that a field of the given type takes: "
        "materials, sprites, clips, prefabs, ScriptableObjects, and objects inside assets such as "
        "the sprites of a sheet. Pass the value of set to manage_component for that field. query "
        "and folder narrow it down.",
    .input = CATALOG_OBJECT(find_assets_input),
    .output = CATALOG_OBJECT(find_assets_output),
    .example = JSON({"type": "Sprite", "query": "coin"}),
    .answer = JSON({
        "assets": [{"path": "Assets/Art/Items.png", "name": "coin_0",
                    "type": "UnityEngine.Sprite", "guid": "3b1f6f7d2c5e4a0f9d8c7b6a5f4e3d2c",
                    "set": {"$asset": "Assets/Art/Items.png", "name": "coin_0"}}],
        "count": 1, "total_count": 1, "truncated": false}),
    .execution_error_retryable = true,
    .default_timeout = CATALOG_MS(10000),
    .max_timeout = CATALOG_MS(30000),
    .hints = {.read_only = true, .idempotent = true},
};

static const struct catalog_field find_component_types_input[] = {
    {"query", text, OPTIONAL,
     "Text that the full name must contain; case-insensitive."},
    {"base", JSON({"type": "string"}), OPTIONAL,
     "Only this class and those that derive from it or implement it, full or simple name: Collider "
     "finds BoxCollider. Also lists classes that cannot be added; see can_add."},
    {"max_results", max_results, OPTIONAL, "Maximum number of classes to return."},
    {"offset", offset, OPTIONAL, "How many classes to skip: next_offset of the previous answer."},
};

static const struct catalog_field find_component_types_output[] = {
    {"types",
     JSON({"type": "array",
           "items": {
               "type": "object",
               "properties": {
                   "type": {"type": "string",
                            "description": "Full name: component_type of manage_component."},
                   "name": {"type": "string", "description": "The name without its namespace."},
                   "namespace": {"type": "string", "description": "Empty: none."},
                   "script": {"anyOf": [{"type": "string"}, {"type": "null"}],
                              "description": "Asset path of its script; null: it has none."},
                   "can_add": {"type": "boolean",
                               "description":
                                   "Whether manage_component adds it: not a Transform."}},
               "required": ["type", "name", "namespace", "script", "can_add"],
               "additionalProperties": false}}), REQUIRED,
     "Sorted by name."},
    PAGE("classes"),
};

const struct catalog_row catalog_find_component_types = {
    .name = "find_component_types",
    .subject = "query",
    .title = "Find component types",
    .summary = "classes of components that can be added",
    .description =
        "Lists the classes of components that manage_component can add: Unity's own, those of "
        "packages, and the project's scripts. query matches a part of their name; base lists "
        "the classes that a reference of that class can point to.",
    .input = CATALOG_OBJECT(find_component_types_input),
    .output = CATALOG_OBJECT(find_component_types_output),
    .example = JSON({"query": "enemy"}),
    .answer = JSON({
        "types": [{"type": "MyGame.EnemyChaser", "name": "EnemyChaser", "namespace": "MyGame",
                   "script": "Assets/Scripts/EnemyChaser.cs", "can_add": true}],
        "count": 1, "total_count": 1, "truncated": false}),
    .execution_error_retryable = true,
    .default_timeout = CATALOG_MS(10000),
    .max_timeout = CATALOG_MS(30000),
    .hints = {.read_only = true, .idempotent = true},
};
/* clang-format on */
