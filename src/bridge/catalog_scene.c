/* Tools that read and change the open scene. Shapes: docs/spec/20-scene-tools.md. */
#include "bridge/catalog_row.h"

/* clang-format off */
static const struct catalog_field get_scene_hierarchy_input[] = {
    {"root_path", JSON({"type": "string"}), OPTIONAL,
     "Hierarchy path of a root GameObject to start from. If omitted, returns the entire scene."},
    {"max_depth", JSON({"type": "integer", "minimum": 0, "maximum": 50, "default": 10}), OPTIONAL,
     "Maximum depth of the hierarchy tree to traverse. 0 returns only the root level."},
    {"max_game_objects",
     JSON({"type": "integer", "minimum": 1, "maximum": 10000, "default": 1000}), OPTIONAL,
     "Maximum number of GameObjects to include in the response. When exceeded, the response is "
     "truncated and 'truncated' is set to true. Use 'root_path' to drill into a specific subtree."},
    {"include_prefabs", JSON({"type": "boolean", "default": false}), OPTIONAL,
     "Whether the root of each prefab instance shows its prefab, even if the prefab is missing."},
};

static const struct catalog_field get_scene_hierarchy_output[] = {
    {"scene_name", JSON({"type": "string"}), REQUIRED, "Name of the active scene."},
    {"scene_path", JSON({"type": "string"}), REQUIRED, "Asset path of the active scene."},
    {"root_game_objects", JSON({"type": "array", "items": {"$ref": "#/$defs/game_object"}}),
     REQUIRED, "The trees below the scene or root_path."},
    {"total_game_objects", JSON({"type": "integer", "minimum": 0}), REQUIRED,
     "Number of GameObjects in the scene or below root_path, shown or not."},
    {"returned_game_objects", JSON({"type": "integer", "minimum": 0}), OPTIONAL,
     "Number of GameObjects shown."},
    {"truncated", JSON({"type": "boolean"}), REQUIRED,
     "Whether max_depth or max_game_objects left something out."},
};

static const char get_scene_hierarchy_defs[] = JSON({"$defs": {"game_object": {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "path": {"type": "string", "description": "The game_object_path of other tools."},
        "active": {"type": "boolean", "description": "GameObject.activeSelf."},
        "prefab_asset_path": {"type": "string",
                              "description": "Only on the root of a prefab instance."},
        "prefab": {"anyOf": [{"type": "string"}, {"type": "null"}],
                   "description":
                       "The same, only with include_prefabs. null: the prefab is missing."},
        "components": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                       "description":
                           "Full type names; the position is the index. null: a missing script."},
        "children": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/game_object"}},
                               {"const": "..."}],
                     "description": "\"...\": the children were left out."}},
    "required": ["name", "path", "active", "components", "children"],
    "additionalProperties": false}}});

const struct catalog_row catalog_get_scene_hierarchy = {
    .name = "get_scene_hierarchy",
    .subject = "root_path",
    .title = "Get scene hierarchy",
    .summary = "the tree of GameObjects in the active scene",
    .description =
        "Shows the active scene as a tree: name, path, active flag and component types of each "
        "GameObject. Start here: paths, and the 0-based positions in components, are what "
        "get_component_info and manage_component take. In a large scene lower max_depth, then go "
        "on with root_path.",
    .input = CATALOG_OBJECT(get_scene_hierarchy_input),
    .output = {.fields = get_scene_hierarchy_output,
               .count = sizeof get_scene_hierarchy_output / sizeof *get_scene_hierarchy_output,
               .more = get_scene_hierarchy_defs},
    .example = JSON({"max_depth": 1}),
    .answer = JSON({
        "scene_name": "GameScene", "scene_path": "Assets/Scenes/GameScene.unity",
        "root_game_objects": [
            {"name": "Player", "path": "/Player", "active": true,
             "components": ["UnityEngine.Transform", "UnityEngine.Rigidbody"],
             "children": [{"name": "Model", "path": "/Player/Model", "active": true,
                           "components": ["UnityEngine.Transform", null], "children": "..."}]}],
        "total_game_objects": 3, "returned_game_objects": 2, "truncated": true}),
    .execution_error_retryable = true,
    .default_timeout = CATALOG_MS(10000),
    .max_timeout = CATALOG_MS(30000),
    .hints = {.read_only = true, .idempotent = true},
};

static const struct catalog_field get_component_info_input[] = {
    {"game_object_path", JSON({"type": "string"}), REQUIRED,
     "Scene hierarchy path of the target GameObject (e.g. \"/Canvas/Panel\" or \"Main Camera\")."},
    {"index", JSON({"type": "integer", "minimum": 0}), REQUIRED,
     "0-based index of the component on the GameObject. Corresponds to the index from "
     "get_scene_hierarchy output."},
    {"fields", JSON({"type": "array", "items": {"type": "string"}}), OPTIONAL,
     "Optional list of field names to return. When specified, only these fields are included in "
     "the response. When omitted, all serialized fields are returned."},
    {"max_array_elements", JSON({"type": "integer", "minimum": 0, "maximum": 64, "default": 16}),
     OPTIONAL,
     "Maximum number of array/List elements to expand per field. Elements beyond this limit are "
     "truncated. 0 returns element count only."},
    {"array_offset", JSON({"type": "integer", "minimum": 0, "default": 0}), OPTIONAL,
     "With describe: how many elements of each array field to skip."},
    {"describe", JSON({"type": "boolean", "default": false}), OPTIONAL,
     "Whether each field shows which values it accepts: it is then {type, kind, value, ...} "
     "with options of enums, ranges of numbers, declared types of references that are null, and a "
     "description of the elements of arrays. fields may then hold paths such as stats.items[3]."},
};

static const struct catalog_field get_component_info_output[] = {
    {"game_object_path", JSON({"type": "string"}), REQUIRED, "Path of the GameObject."},
    {"game_object_name", JSON({"type": "string"}), REQUIRED, "Name of the GameObject."},
    {"index", JSON({"type": "integer", "minimum": 0}), REQUIRED, "Index of the component."},
    {"component_type", JSON({"type": "string"}), REQUIRED, "Full name of its type."},
    {"fields",
     JSON({"type": "object",
           "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "number"},
                                              {"type": "boolean"}, {"type": "null"},
                                              {"type": "object"}]}}),
     REQUIRED,
     "Names and values. Numbers, texts and booleans are plain and a reference to nothing is null; "
     "everything else is {type, value, ...}: is_object_ref and ref_path mark a reference into the "
     "scene, is_asset_ref and asset_path one to an asset, _truncated and _total_count an array "
     "that was cut. With describe every field is an object."},
    {"is_read_only", JSON({"type": "boolean"}), OPTIONAL,
     "With describe, true: manage_component would refuse every change of the component."},
    {"read_only_reason", JSON({"type": "string"}), OPTIONAL, "Why, if is_read_only."},
    {"_fields_truncated", JSON({"type": "boolean"}), OPTIONAL,
     "true: the component has more fields than fit in one answer; request them by name."},
    {"_partial", JSON({"type": "boolean"}), OPTIONAL,
     "true: the component comes from a model file (.fbx), which is not read; fields that the scene "
     "does not override have the defaults of their class here."},
};

const struct catalog_row catalog_get_component_info = {
    .name = "get_component_info",
    .subject = "game_object_path",
    .title = "Get component info",
    .summary = "the fields of a component and their values",
    .description =
        "Shows the serialized fields of one component and their values. Call it before "
        "manage_component to learn the exact names and forms of the fields; a ref_path it returns "
        "can be written as $ref, an asset_path as $asset.",
    .input = CATALOG_OBJECT(get_component_info_input),
    .output = CATALOG_OBJECT(get_component_info_output),
    .example = JSON({"game_object_path": "/Player", "index": 3}),
    .answer = JSON({
        "game_object_path": "/Player", "game_object_name": "Player", "index": 3,
        "component_type": "MyGame.EnemyChaser",
        "fields": {
            "chaseSpeed": 5.0,
            "target": {"type": "UnityEngine.GameObject", "value": "Enemy", "is_object_ref": true,
                       "ref_path": "/Enemy"},
            "mode": {"type": "MyGame.ChaseMode", "value": "Aggressive"}}}),
    .execution_error_retryable = true,
    .default_timeout = CATALOG_MS(10000),
    .max_timeout = CATALOG_MS(30000),
    .hints = {.read_only = true, .idempotent = true},
};

static const struct catalog_field manage_component_input[] = {
    {"action", JSON({"type": "string", "enum": ["add", "update", "remove", "move"]}), REQUIRED,
     "Operation to perform. 'add': requires component_type. 'update': requires index and fields. "
     "'remove': requires index. 'move': requires index and new_index."},
    {"game_object_path", JSON({"type": "string"}), REQUIRED,
     "Scene hierarchy path of the target GameObject (e.g. \"/Canvas/Panel/Button\" or \"Main "
     "Camera\"). Root objects can omit the leading slash."},
    {"component_type", JSON({"type": "string"}), OPTIONAL,
     "Fully qualified or simple name of the component type to add (e.g. \"Rigidbody\", "
     "\"PlayerController\", \"UnityEngine.UI.Image\"). Required for 'add' action. For 'update', "
     "'remove' and 'move' optional: the type that the component at index must have, else the call "
     "fails; to remove a missing script (null in get_scene_hierarchy): \"Missing Script\"."},
    {"index", JSON({"type": "integer", "minimum": 0}), OPTIONAL,
     "0-based component index on the GameObject (matches get_scene_hierarchy output). Required for "
     "'update'/'remove'/'move' to identify the target component. Optional for 'add' to specify "
     "insertion position (must be >= 1 since index 0 is Transform; default: append to end)."},
    {"new_index", JSON({"type": "integer", "minimum": 0}), OPTIONAL,
     "Target position for 'move' action. Required for 'move' only."},
    {"fields", JSON({"type": "object", "additionalProperties": true}), OPTIONAL,
     "Key-value map of serialized field names to values. Applicable to 'add' and 'update' actions. "
     "Numbers, strings, booleans and enum names are plain; vectors, colors and the like are "
     "objects of their parts ({\"x\":1,\"y\":0,\"z\":0}); a scene object is {\"$ref\":\"/Enemy\"}, "
     "one of its components {\"$ref\":\"/Enemy\",\"component\":\"Rigidbody\"}, an asset "
     "{\"$asset\":\"Assets/Red.mat\"}; null clears a reference; an array replaces the whole list, "
     "in which {\"$element\":2} keeps the element that was at index 2, changed by any other "
     "members given beside $element; [Serializable] types are nested objects."},
};

static const struct catalog_need manage_component_needs[] = {
    {"action", "add", "component_type"}, {"action", "update", "index"},
    {"action", "update", "fields"},      {"action", "remove", "index"},
    {"action", "move", "index"},         {"action", "move", "new_index"},
};

static const struct catalog_field manage_component_output[] = {
    {"action", JSON({"enum": ["add", "update", "remove", "move"]}), REQUIRED, "What was done."},
    {"game_object_path", JSON({"type": "string"}), REQUIRED, "Path of the GameObject."},
    {"game_object_name", JSON({"type": "string"}), REQUIRED, "Name of the GameObject."},
    {"component_type", JSON({"type": "string"}), REQUIRED,
     "Full name of the component's type; \"Missing Script\" if its script was missing."},
    {"index", JSON({"type": "integer", "minimum": 0}), REQUIRED,
     "Index of the component now; after 'remove', its former index."},
    {"fields_set", JSON({"type": "array", "items": {"type": "string"}}), OPTIONAL,
     "Fields that were set; after 'add' and 'update'."},
    {"fields_skipped", JSON({"type": "array", "items": {"type": "string"}}), OPTIONAL,
     "Fields that were not changed; after 'add' and 'update'."},
    {"skipped_reasons",
     JSON({"type": "object",
           "additionalProperties":
               {"enum": ["not_found", "unsupported_type", "read_only", "depth_limit"]}}), OPTIONAL,
     "Why each of fields_skipped was skipped."},
    {"also_added", JSON({"type": "array", "items": {"type": "string"}}), OPTIONAL,
     "Full type names of components that had to be added first ([RequireComponent])."},
    {"previous_index", JSON({"type": "integer", "minimum": 0}), OPTIONAL,
     "Index before; after 'move'."},
    {"references_cleared", JSON({"type": "integer", "minimum": 1}), OPTIONAL,
     "How many references to it became null; after 'remove'."},
};

static const char manage_component_more[] = JSON({"anyOf": [
    {"properties": {"action": {"enum": ["add", "update"]}},
     "required": ["fields_set", "fields_skipped"]},
    {"properties": {"action": {"const": "remove"}}},
    {"properties": {"action": {"const": "move"}}, "required": ["previous_index"]}]});

const struct catalog_row catalog_manage_component = {
    .name = "manage_component",
    .subject = "game_object_path",
    .title = "Manage component",
    .summary = "adds, updates, removes or moves a component",
    .description =
        "Adds, updates, removes or moves a component of a GameObject; one call is one undo step. "
        "Get index from get_scene_hierarchy and field names from get_component_info first; 'add', "
        "'remove' and 'move' shift the indexes after them. References are resolved before "
        "anything changes, so a call that fails has changed nothing. Not possible in play mode.",
    .input = CATALOG_OBJECT(manage_component_input),
    .output = {.fields = manage_component_output,
               .count = sizeof manage_component_output / sizeof *manage_component_output,
               .more = manage_component_more},
    .needs = manage_component_needs,
    .need_count = sizeof manage_component_needs / sizeof *manage_component_needs,
    .example = JSON({
        "action": "add", "game_object_path": "/Player", "component_type": "EnemyChaser",
        "fields": {"chaseSpeed": 5.0, "target": {"$ref": "/Enemy"},
                   "alertMaterial": {"$asset": "Assets/Materials/Alert.mat"}}}),
    .answer = JSON({
        "action": "add", "game_object_path": "/Player", "game_object_name": "Player",
        "component_type": "MyGame.EnemyChaser", "index": 3,
        "fields_set": ["chaseSpeed", "target", "alertMaterial"], "fields_skipped": []}),
    .default_timeout = CATALOG_MS(10000),
    .max_timeout = CATALOG_MS(30000),
    .hints = {.destructive = true},
    .traits = {.changes = true},
};
/* clang-format on */
