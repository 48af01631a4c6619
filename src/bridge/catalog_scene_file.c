/* Tools about scenes as files, the history of changes, and play mode. Shapes:
 * docs/spec/15-editor-tools.md. */
#include "bridge/catalog_row.h"

/* clang-format off */
static const struct catalog_field list_scenes_input[] = {
    {"name_pattern", JSON({"type": "string"}), OPTIONAL,
     "Regular expression (PCRE2, case-insensitive) that the scene's name or path must match."},
    {"max_results", JSON({"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}),
     OPTIONAL, "Maximum number of scenes to return."},
    {"offset", JSON({"type": "integer", "minimum": 0, "default": 0}), OPTIONAL,
     "How many scenes to skip: next_offset of the previous answer."},
};

static const struct catalog_field list_scenes_output[] = {
    {"scenes",
     JSON({"type": "array",
           "items": {
               "type": "object",
               "properties": {
                   "path": {"type": "string", "description": "The path for open_scene."},
                   "active": {"type": "boolean", "description": "Whether it is open."},
                   "in_build": {"type": "boolean",
                                "description": "Whether it is enabled in the build settings."},
                   "build_index": {"type": "integer", "minimum": 0,
                                   "description": "Index in the build; only if in_build."}},
               "required": ["path", "active", "in_build"],
               "additionalProperties": false}}), REQUIRED,
     "Sorted by path."},
    {"count", JSON({"type": "integer", "minimum": 0}), REQUIRED, "Number of scenes returned."},
    {"total_count", JSON({"type": "integer", "minimum": 0}), REQUIRED,
     "Number of matching scenes at all offsets."},
    {"truncated", JSON({"type": "boolean"}), REQUIRED, "Whether there are more; see next_offset."},
    {"next_offset", JSON({"type": "integer", "minimum": 0}), OPTIONAL,
     "The offset of the next page; only if truncated."},
};

const struct catalog_row catalog_list_scenes = {
    .name = "list_scenes",
    .subject = "name_pattern",
    .title = "List scenes",
    .summary = "the scenes of the project",
    .description =
        "Lists the scenes of the project by path: which one is open, and which ones are in the "
        "build, with their index. Use it to find the path for open_scene; name_pattern "
        "filters the list.",
    .input = CATALOG_OBJECT(list_scenes_input),
    .output = CATALOG_OBJECT(list_scenes_output),
    .example = JSON({"name_pattern": "^Game"}),
    .answer = JSON({
        "scenes": [{"path": "Assets/Scenes/GameScene.unity", "active": true, "in_build": true,
                    "build_index": 0}],
        "count": 1, "total_count": 1, "truncated": false}),
    .execution_error_retryable = true,
    .default_timeout = CATALOG_MS(5000),
    .max_timeout = CATALOG_MS(10000),
    .hints = {.read_only = true, .idempotent = true},
};

static const struct catalog_field open_scene_input[] = {
    {"path", JSON({"type": "string"}), REQUIRED,
     "Asset path of the scene, as list_scenes shows it (e.g. \"Assets/Scenes/GameScene.unity\")."},
    {"discard_changes", JSON({"type": "boolean", "default": false}), OPTIONAL,
     "Whether to discard unsaved changes of the open scene. If false, they are an error."},
};

static const struct catalog_field open_scene_output[] = {
    {"scene_name", JSON({"type": "string"}), REQUIRED, "Name of the scene that is open now."},
    {"scene_path", JSON({"type": "string"}), REQUIRED, "Its asset path."},
    {"previous_scene_path", OR_NULL({"type": "string"}), REQUIRED,
     "The scene that was open before; null: none."},
};

const struct catalog_row catalog_open_scene = {
    .name = "open_scene",
    .subject = "path",
    .title = "Open scene",
    .summary = "opens another scene",
    .description =
        "Opens a scene in place of the one that is open; get_scene_hierarchy, get_component_info "
        "and manage_component then work on it. Unsaved changes are an error "
        "(ERR_UNSAVED_CHANGES) unless discard_changes is true: call save_scene first. A newly "
        "opened scene has nothing to undo.",
    .input = CATALOG_OBJECT(open_scene_input),
    .output = CATALOG_OBJECT(open_scene_output),
    .example = JSON({"path": "Assets/Scenes/Menu.unity"}),
    .answer = JSON({"scene_name": "Menu", "scene_path": "Assets/Scenes/Menu.unity",
                    "previous_scene_path": "Assets/Scenes/GameScene.unity"}),
    .default_timeout = CATALOG_MS(30000),
    .max_timeout = CATALOG_MS(60000),
    .hints = {.destructive = true, .idempotent = true},
    .traits = {.changes = true},
};

static const struct catalog_field save_scene_output[] = {
    {"scene_path", JSON({"type": "string"}), REQUIRED, "Asset path of the open scene."},
    {"saved", JSON({"type": "boolean"}), REQUIRED, "false: there was nothing to save."},
    {"bytes", JSON({"type": "integer", "minimum": 0}), REQUIRED, "Number of bytes written."},
};

const struct catalog_row catalog_save_scene = {
    .name = "save_scene",
    .title = "Save scene",
    .summary = "saves the open scene",
    .description =
        "Saves the open scene to its file. The headless editor saves after each change unless it "
        "was started with --save manual; then, and in Unity, changes reach the file only with this "
        "tool.",
    .output = CATALOG_OBJECT(save_scene_output),
    .example = JSON({}),
    .answer = JSON({"scene_path": "Assets/Scenes/GameScene.unity", "saved": true, "bytes": 48211}),
    .default_timeout = CATALOG_MS(30000),
    .max_timeout = CATALOG_MS(60000),
    .hints = {.idempotent = true},
    .traits = {.changes = true},
};

#define STEPS                                                                                      \
    JSON({"type": "array",                                                                         \
          "items": {"type": "object",                                                              \
                    "properties": {"name": {"type": "string"}, "tool": {"type": "string"}},        \
                    "required": ["name", "tool"],                                                  \
                    "additionalProperties": false}})

#define REMAINING                                                                                  \
    {"remaining_undo", JSON({"type": "integer", "minimum": 0}), REQUIRED,                          \
     "Changes that can still be undone."},                                                         \
    {"remaining_redo", JSON({"type": "integer", "minimum": 0}), REQUIRED,                          \
     "Undone changes that can be redone."}

static const char steps[] = JSON({"type": "integer", "minimum": 1, "maximum": 50, "default": 1});

static const struct catalog_field undo_input[] = {
    {"steps", steps, OPTIONAL, "How many changes to undo."},
};

static const struct catalog_field undo_output[] = {
    {"undone", STEPS, REQUIRED,
     "The undone changes, newest first; empty: there was nothing to undo."},
    REMAINING,
};

const struct catalog_row catalog_undo = {
    .name = "undo",
    .title = "Undo",
    .summary = "undoes the last changes",
    .description =
        "Undoes the last change of the open scene, or the last few. One call of manage_component "
        "is one change, however many fields it set. redo repeats it.",
    .input = CATALOG_OBJECT(undo_input),
    .output = CATALOG_OBJECT(undo_output),
    .example = JSON({}),
    .answer = JSON({"undone": [{"name": "manage_component: update", "tool": "manage_component"}],
                    "remaining_undo": 2, "remaining_redo": 1}),
    .default_timeout = CATALOG_MS(10000),
    .max_timeout = CATALOG_MS(30000),
    .hints = {.destructive = true},
    .traits = {.changes = true},
};

static const struct catalog_field redo_input[] = {
    {"steps", steps, OPTIONAL, "How many changes to redo."},
};

static const struct catalog_field redo_output[] = {
    {"undone", STEPS, REQUIRED,
     "The redone changes, in order; empty: there was nothing to redo."},
    REMAINING,
};

const struct catalog_row catalog_redo = {
    .name = "redo",
    .title = "Redo",
    .summary = "redoes undone changes",
    .description =
        "Redoes the last undone change, or the last few. After a new change of the scene there is "
        "nothing to redo.",
    .input = CATALOG_OBJECT(redo_input),
    .output = CATALOG_OBJECT(redo_output),
    .example = JSON({}),
    .answer = JSON({"undone": [{"name": "manage_component: update", "tool": "manage_component"}],
                    "remaining_undo": 3, "remaining_redo": 0}),
    .default_timeout = CATALOG_MS(10000),
    .max_timeout = CATALOG_MS(30000),
    .hints = {.destructive = true},
    .traits = {.changes = true},
};

static const struct catalog_field control_play_mode_input[] = {
    {"action", JSON({"type": "string", "enum": ["start", "stop", "pause"]}), REQUIRED,
     "start enters play mode, or resumes it after a pause."},
};

static const struct catalog_field control_play_mode_output[] = {
    {"action", JSON({"enum": ["start", "stop", "pause"]}), REQUIRED, "The requested action."},
    {"is_playing", JSON({"type": "boolean"}), REQUIRED, "Whether play mode is on now."},
    {"is_paused", JSON({"type": "boolean"}), REQUIRED, "Whether it is paused now."},
};

const struct catalog_row catalog_control_play_mode = {
    .name = "control_play_mode",
    .subject = "action",
    .title = "Control play mode",
    .summary = "starts, stops or pauses play mode",
    .description =
        "Starts, stops or pauses play mode and returns when that has happened. It needs a Unity "
        "editor; without one it fails with ERR_UNSUPPORTED_HEADLESS. ERR_PLAY_MODE_REFUSED gives "
        "Unity's reason, for example compile errors; read_console shows them.",
    .input = CATALOG_OBJECT(control_play_mode_input),
    .output = CATALOG_OBJECT(control_play_mode_output),
    .example = JSON({"action": "start"}),
    .answer = JSON({"action": "start", "is_playing": true, "is_paused": false}),
    .default_timeout = CATALOG_MS(30000),
    .max_timeout = CATALOG_MS(60000),
    .hints = {.destructive = true, .idempotent = true},
    .traits = {.changes = true},
};
/* clang-format on */
