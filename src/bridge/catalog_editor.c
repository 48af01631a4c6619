/* Tools about the editor as a whole. Shapes: docs/spec/15-editor-tools.md. */
#include "bridge/catalog_row.h"
#include "bridge/control.h"

/* clang-format off */
static const struct catalog_field get_editor_state_output[] = {
    {"server_state",
     JSON({"enum": ["booting", "waiting_editor", "ready", "stopping", "stopped"]}), REQUIRED,
     "waiting_editor: no editor is connected."},
    {"editor", JSON({"enum": ["unity", "headless", null]}), REQUIRED,
     "What kind of editor is connected; null: none."},
    {"editor_state", JSON({"enum": ["unknown", "ready", "compiling", "reloading"]}), REQUIRED,
     "The last state seen; calls wait until it is ready."},
    {"connected", JSON({"type": "boolean"}), REQUIRED, "Whether an editor is connected now."},
    {"last_editor_status_seq", OR_NULL({"type": "integer", "minimum": 0}), REQUIRED,
     "Number of the last status message of this connection."},
    {"project_path", OR_NULL({"type": "string"}), REQUIRED, "Folder of the Unity project."},
    {"active_scene", OR_NULL({"type": "string"}), REQUIRED, "Asset path of the open scene."},
    {"scene_dirty", OR_NULL({"type": "boolean"}), REQUIRED,
     "Whether the scene has changes that are not saved."},
    {"is_playing", OR_NULL({"type": "boolean"}), REQUIRED, "Whether play mode is on."},
    {"is_paused", OR_NULL({"type": "boolean"}), REQUIRED, "Whether play mode is paused."},
    {"unity_version", OR_NULL({"type": "string"}), REQUIRED, "Version of the editor."},
    {"plugin_version", OR_NULL({"type": "string"}), REQUIRED,
     "Version of the package in the editor."},
    {"server_version", JSON({"type": "string"}), REQUIRED, "Version of this server."},
    {"uptime_ms", JSON({"type": "integer", "minimum": 0}), REQUIRED,
     "Milliseconds since the server started."},
    {"connected_ms", OR_NULL({"type": "integer", "minimum": 0}), REQUIRED,
     "Milliseconds since the editor connected; null: it is not connected."},
    {"queue",
     JSON({"type": "object",
           "properties": {
               "waiting": {"type": "integer", "minimum": 0, "description": "Calls that wait."},
               "capacity": {"type": "integer", "minimum": 1, "description": "Most that may wait."},
               "running": {"anyOf": [{"$ref": "#/$defs/call"}, {"type": "null"}],
                           "description": "The call that runs in the editor."}},
           "required": ["waiting", "capacity", "running"],
           "additionalProperties": false}), REQUIRED,
     "Calls to the editor; one runs at a time."},
    {"job", OR_NULL({"$ref": "#/$defs/job"}), REQUIRED,
     "The job that runs or comes next."},
    {"wait_reason", JSON({"enum": [null, "reconnecting", "compiling", "reloading"]}), REQUIRED,
     "Why calls wait; null: they do not wait."},
};

static const char get_editor_state_defs[] = JSON({"$defs": {
    "call": {"type": "object",
             "properties": {
                 "request_id": {"type": "string", "description": "The server's id of the call."},
                 "tool": {"type": "string", "description": "Name of the tool."},
                 "elapsed_ms": {"type": "integer", "minimum": 0, "description": "Time so far."}},
             "required": ["request_id", "tool", "elapsed_ms"],
             "additionalProperties": false},
    "job": {"type": "object",
            "properties": {
                "job_id": {"type": "string", "description": "For get_job_status."},
                "tool": {"type": "string", "description": "Name of the tool."},
                "state": {"enum": ["queued", "running", "succeeded", "failed", "timeout",
                                   "cancelled"], "description": "State of the job."},
                "elapsed_ms": {"type": "integer", "minimum": 0, "description": "Time so far."}},
            "required": ["job_id", "tool", "state", "elapsed_ms"],
            "additionalProperties": false}}});

const struct catalog_row catalog_get_editor_state = {
    .name = "get_editor_state",
    .title = "Get editor state",
    .summary = "server, editor, queue and job at a glance",
    .description =
        "Returns the state of the server and the Unity editor: whether an editor is connected and "
        "ready, compiling or reloading, which project and scene are open, whether play mode is on, "
        "and what is queued or running. It returns at once, even without an editor. Call it first, "
        "and when an error says that the editor is not ready.",
    .output = {.fields = get_editor_state_output,
               .count = sizeof get_editor_state_output / sizeof *get_editor_state_output,
               .more = get_editor_state_defs},
    .example = JSON({}),
    .answer = JSON({
        "server_state": "ready", "editor": "unity", "editor_state": "ready", "connected": true,
        "last_editor_status_seq": 42, "project_path": "/projects/Game",
        "active_scene": "Assets/Scenes/GameScene.unity", "scene_dirty": false,
        "is_playing": false, "is_paused": false, "unity_version": "6000.0.30f1",
        "plugin_version": "0.1.0", "server_version": "0.1.0", "uptime_ms": 840000,
        "connected_ms": 210000, "queue": {"waiting": 0, "capacity": 32, "running": null},
        "job": {"job_id": "job-1001", "tool": "run_tests", "state": "running",
                "elapsed_ms": 5200},
        "wait_reason": null}),
    .control = control_get_editor_state,
    .execution_error_retryable = true,
    .default_timeout = CATALOG_LIMIT(sync_fast_timeout_ms),
    .max_timeout = CATALOG_MS(10000),
    .hints = {.read_only = true, .idempotent = true},
};

static const struct catalog_field read_console_input[] = {
    {"max_entries", JSON({"type": "integer", "minimum": 0, "maximum": 2000, "default": 10}),
     OPTIONAL, "Maximum number of entries to return. 0 returns only the counts."},
    {"log_type",
     JSON({"type": "array",
           "items": {"type": "string",
                     "enum": ["log", "warning", "error", "assert", "exception"]}}), OPTIONAL,
     "Types of entries to return. If omitted, all types are returned."},
    {"message_pattern", JSON({"type": "string"}), OPTIONAL,
     "Regular expression (PCRE2, case-insensitive) that the message must match."},
    {"stack_trace_lines", JSON({"type": "integer", "minimum": 0, "maximum": 100, "default": 1}),
     OPTIONAL, "Maximum number of stack trace lines per entry. 0 leaves stack_trace out."},
    {"deduplicate", JSON({"type": "boolean", "default": true}), OPTIONAL,
     "Whether consecutive entries with the same type and message are merged into one with a "
     "count."},
    {"offset", JSON({"type": "integer", "minimum": 0, "default": 0}), OPTIONAL,
     "How many of the newest entries to skip: next_offset of the previous answer."},
    {"since", JSON({"type": "string"}), OPTIONAL,
     "The cursor of an earlier answer: only newer entries are returned."},
};

static const struct catalog_field read_console_output[] = {
    {"entries",
     JSON({"type": "array",
           "items": {
               "type": "object",
               "properties": {
                   "type": {"enum": ["log", "warning", "error", "assert", "exception"]},
                   "message": {"type": "string"},
                   "stack_trace": {"type": "string", "description": "Lines, the innermost first."},
                   "count": {"type": "integer", "minimum": 1,
                             "description": "Number of entries merged into this one."},
                   "time": {"type": "string", "description": "RFC 3339, UTC."},
                   "file": {"type": "string", "description": "Where it was logged."},
                   "line": {"type": "integer", "minimum": 0}},
               "required": ["type", "message", "time"],
               "additionalProperties": false}}), REQUIRED,
     "Newest first."},
    {"count", JSON({"type": "integer", "minimum": 0}), REQUIRED, "Number of entries returned."},
    {"total_count", JSON({"type": "integer", "minimum": 0}), REQUIRED,
     "Number of matching entries at all offsets."},
    {"truncated", JSON({"type": "boolean"}), REQUIRED, "Whether there are more; see next_offset."},
    {"next_offset", JSON({"type": "integer", "minimum": 0}), OPTIONAL,
     "The offset of the next page; only if truncated."},
    {"cursor", JSON({"type": "string"}), REQUIRED,
     "Pass it as since to read only entries newer than this answer."},
    {"type_summary",
     JSON({"type": "object",
           "properties": {
               "log": {"type": "integer", "minimum": 0},
               "warning": {"type": "integer", "minimum": 0},
               "error": {"type": "integer", "minimum": 0},
               "assert": {"type": "integer", "minimum": 0},
               "exception": {"type": "integer", "minimum": 0}},
           "required": ["log", "warning", "error", "assert", "exception"],
           "additionalProperties": false}), REQUIRED,
     "Number of entries of each type that match message_pattern, regardless of log_type."},
};

const struct catalog_row catalog_read_console = {
    .name = "read_console",
    .subject = "message_pattern",
    .title = "Read console",
    .summary = "entries of the Unity console, newest first",
    .description =
        "Reads the Unity console, newest entries first, with a count for each type. Use it after "
        "edits, compiles and test runs to find errors and warnings; log_type and message_pattern "
        "narrow it down. To see only what is new, pass the cursor of the last answer as since; to "
        "look further back, pass next_offset as offset.",
    .input = CATALOG_OBJECT(read_console_input),
    .output = CATALOG_OBJECT(read_console_output),
    .example = JSON({"log_type": ["error", "exception"], "max_entries": 5}),
    .answer = JSON({
        "entries": [{"type": "error", "message": "NullReferenceException in EnemyChaser.Update",
                     "stack_trace": "EnemyChaser.Update () (at Assets/Scripts/EnemyChaser.cs:31)",
                     "count": 3, "time": "2026-03-01T09:30:00Z",
                     "file": "Assets/Scripts/EnemyChaser.cs", "line": 31}],
        "count": 1, "total_count": 1, "truncated": false, "cursor": "1042",
        "type_summary": {"log": 12, "warning": 2, "error": 3, "assert": 0, "exception": 0}}),
    .execution_error_retryable = true,
    .default_timeout = CATALOG_MS(10000),
    .max_timeout = CATALOG_MS(30000),
    .hints = {.read_only = true, .idempotent = true},
};
/* clang-format on */
