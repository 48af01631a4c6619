/* The answers that the specification gives as examples satisfy the published schemas, and what it
 * does not allow is refused. */
#include "bridge/catalog.h"
#include "bridge/schema.h"
#include "test.h"

static struct catalog *catalog;

static int open_catalog(void **state)
{
    struct limits limits;
    limits_init(&limits);
    catalog = catalog_new(&limits);
    return 0;
}

static int close_catalog(void **state)
{
    catalog_free(catalog);
    return 0;
}

/* NULL: the answer must fit; else what is wrong with it. */
static void answer_at(const char *name, const char *answer, const char *want, int line)
{
    struct arena a = {0};
    struct error err = {0};
    const struct tool *t = catalog_find(catalog, str_from(name));
    const struct json *v = json_parse(&a, str_from(answer), NULL, NULL);
    if (!t || !v)
        _fail(__FILE__, line);
    schema_check(t->output, v, &err);
    check_str_at(str_from(err.text), str_from(want), __FILE__, line);
    arena_done(&a);
}

#define FITS(tool, ...)          answer_at(tool, #__VA_ARGS__, NULL, __LINE__)
#define REFUSES(tool, want, ...) answer_at(tool, #__VA_ARGS__, want, __LINE__)

/* clang-format off */
TEST(the_editor_state_may_be_unknown)
{
    FITS("get_editor_state", {
        "server_state": "waiting_editor", "editor": null, "editor_state": "unknown",
        "connected": false, "last_editor_status_seq": null, "project_path": null,
        "active_scene": null, "scene_dirty": null, "is_playing": null, "is_paused": null,
        "unity_version": null, "plugin_version": null, "server_version": "0.1.0",
        "uptime_ms": 0, "connected_ms": null,
        "queue": {"waiting": 0, "capacity": 32, "running": null}, "job": null,
        "wait_reason": "reconnecting"});
    FITS("get_editor_state", {
        "server_state": "ready", "editor": "headless", "editor_state": "compiling",
        "connected": true, "last_editor_status_seq": 18446744073709551615,
        "project_path": "/p", "active_scene": "", "scene_dirty": true, "is_playing": true,
        "is_paused": false, "unity_version": "6000.0.1f1", "plugin_version": "1",
        "server_version": "0.1.0", "uptime_ms": 1, "connected_ms": 1,
        "queue": {"waiting": 3, "capacity": 32,
                  "running": {"request_id": "r", "tool": "read_console", "elapsed_ms": 4}},
        "job": {"job_id": "j", "tool": "run_tests", "state": "queued", "elapsed_ms": 0},
        "wait_reason": null});
    REFUSES("get_editor_state",
            "server_state must be one of \"booting\", \"waiting_editor\", \"ready\", \"stopping\", "
            "\"stopped\", not \"busy\"", {"server_state": "busy"});
    REFUSES("get_editor_state", "queue.running.tool is missing: name of the tool",
            {"queue": {"running": {"request_id": "r", "elapsed_ms": 4}}});
}

TEST(console_answers_are_closed)
{
    FITS("read_console", {
        "entries": [], "count": 0, "total_count": 12, "truncated": true, "next_offset": 0,
        "cursor": "7:12",
        "type_summary": {"log": 12, "warning": 0, "error": 0, "assert": 0, "exception": 0}});
    FITS("read_console", {
        "entries": [{"type": "log", "message": "", "time": "2026-03-01T09:30:00Z"},
                    {"type": "exception", "message": "m", "stack_trace": "a\nb", "count": 2,
                     "time": "2026-03-01T09:30:00.5Z", "file": "Assets/A.cs", "line": 0}],
        "count": 2, "total_count": 2, "truncated": false, "cursor": "",
        "type_summary": {"log": 1, "warning": 0, "error": 0, "assert": 0, "exception": 1}});
    REFUSES("read_console", "entries[0].severity is not known; allowed are type, message, "
            "stack_trace, count, time, file, line", {"entries": [{"severity": "log"}]});
    REFUSES("read_console",
            "type_summary.exception is missing: it must be an integer of at least 0",
            {"type_summary": {"log": 1, "warning": 0, "error": 0, "assert": 0}});
}

TEST(a_started_run_is_two_members_or_a_whole_status)
{
    FITS("run_tests", {"job_id": "job-1", "state": "queued"});
    FITS("run_tests", {"job_id": "job-1", "state": "succeeded", "tool": "run_tests",
        "progress": {"done": 2, "total": 2, "current": "A.B"},
        "submitted_at": "2026-03-01T09:30:00Z", "started_at": "2026-03-01T09:30:00Z",
        "finished_at": "2026-03-01T09:30:01Z",
        "result": {"summary": {"total": 2, "passed": 1, "failed": 1, "skipped": 0,
                               "inconclusive": 0, "duration_ms": 12.5},
                   "failed_tests": [{"name": "A.B", "message": "m", "stack_trace": "s",
                                     "duration_ms": 3}],
                   "skipped_tests": ["A.C"], "truncated": false}});
    FITS("run_tests", {"job_id": "job-1", "state": "failed", "tool": "run_tests", "progress": null,
        "submitted_at": "2026-03-01T09:30:00Z",
        "error": {"code": "ERR_UNITY_EXECUTION", "message": "no test was found",
                  "retryable": false,
                  "details": {"execution_guarantee": "completed_error",
                              "recovery_action": "read_error", "plugin_error_code": "E",
                              "message": "no test was found"}}});
    REFUSES("run_tests", "job_id is missing: for get_job_status and cancel_job",
            {"state": "queued"});
    REFUSES("run_tests", "progress is missing",
            {"job_id": "j", "state": "succeeded", "tool": "run_tests"});
}

TEST(a_job_may_be_in_every_state)
{
    FITS("get_job_status", {"job_id": "j", "tool": "run_tests", "state": "queued",
        "progress": null, "submitted_at": "2026-03-01T09:30:00Z", "queue_position": 0});
    FITS("get_job_status", {"job_id": "j", "tool": "run_tests", "state": "running",
        "progress": {"done": 0, "total": 0, "current": ""},
        "submitted_at": "2026-03-01T09:30:00Z", "started_at": "2026-03-01T09:30:00Z"});
    FITS("get_job_status", {"job_id": "j", "tool": "build", "state": "succeeded", "progress": null,
        "submitted_at": "2026-03-01T09:30:00Z", "finished_at": "2026-03-01T09:30:00Z",
        "result": {"anything": [1, {"at": "all"}]}});
    FITS("get_job_status", {"job_id": "j", "tool": "run_tests", "state": "cancelled",
        "progress": null, "submitted_at": "2026-03-01T09:30:00Z"});
    REFUSES("get_job_status",
            "state must be one of \"queued\", \"running\", \"succeeded\", \"failed\", \"timeout\", "
            "\"cancelled\", not \"waiting\"", {"state": "waiting"});
    REFUSES("get_job_status", "error.details.recovery_action is missing: it must be a string",
            {"error": {"details": {"execution_guarantee": "unknown"}}});
    FITS("cancel_job", {"job_id": "j", "status": "cancel_requested", "state": "running"});
    FITS("cancel_job", {"job_id": "j", "status": "rejected", "state": "timeout"});
    REFUSES("cancel_job", "state is missing: state of the job now",
            {"job_id": "j", "status": "cancelled"});
}

TEST(a_hierarchy_is_a_tree)
{
    FITS("get_scene_hierarchy", {
        "scene_name": "SampleScene", "scene_path": "Assets/Scenes/SampleScene.unity",
        "root_game_objects": [
            {"name": "Main Camera", "path": "/Main Camera", "active": true,
             "components": ["UnityEngine.Transform", "UnityEngine.Camera",
                            "UnityEngine.AudioListener"], "children": []},
            {"name": "Canvas", "path": "/Canvas", "active": true,
             "prefab_asset_path": "Assets/Prefabs/UI/Canvas.prefab",
             "components": ["UnityEngine.Transform", "UnityEngine.Canvas", null],
             "children": [
                 {"name": "Panel", "path": "/Canvas/Panel", "active": false,
                  "components": ["UnityEngine.Transform", "UnityEngine.UI.Image"],
                  "children": [
                      {"name": "HealthBar", "path": "/Canvas/Panel/HealthBar", "active": true,
                       "components": ["UnityEngine.Transform", "UnityEngine.UI.Slider"],
                       "children": "..."}]}]}],
        "total_game_objects": 42, "truncated": false});
    FITS("get_scene_hierarchy", {
        "scene_name": "", "scene_path": "", "root_game_objects": [], "total_game_objects": 0,
        "returned_game_objects": 0, "truncated": false});
    REFUSES("get_scene_hierarchy",
            "root_game_objects[0].children must be an array or \"...\", not \"more\"",
            {"root_game_objects": [{"name": "A", "children": "more"}]});
    REFUSES("get_scene_hierarchy",
            "root_game_objects[0].children[0].components[1] must be a string or null, not 1",
            {"root_game_objects": [{"name": "A", "children": [{"components": ["T", 1]}]}]});
    REFUSES("get_scene_hierarchy",
            "root_game_objects[0].children[0].layer is not known; allowed are name, path, active, "
            "prefab_asset_path, prefab, components, children",
            {"root_game_objects": [{"children": [{"layer": 3}]}]});
}

TEST(fields_are_plain_or_wrapped)
{
    FITS("get_component_info", {
        "game_object_path": "/Player", "game_object_name": "Player", "index": 1,
        "component_type": "UnityEngine.Rigidbody",
        "fields": {"mass": 1.0, "drag": 0.0, "angularDrag": 0.05, "useGravity": true,
                   "isKinematic": false}});
    FITS("get_component_info", {
        "game_object_path": "/Player", "game_object_name": "Player", "index": 3,
        "component_type": "MyGame.EnemyChaser",
        "fields": {
            "chaseSpeed": 5.0, "isActive": true, "playerName": "Hero", "nobody": null,
            "target": {"type": "UnityEngine.GameObject", "value": "Enemy", "is_object_ref": true,
                       "ref_path": "/Enemy"},
            "alertMaterial": {"type": "UnityEngine.Material", "value": "Alert (Material)",
                              "is_asset_ref": true, "asset_path": "Assets/Materials/Alert.mat"},
            "mode": {"type": "MyGame.ChaseMode", "value": "Aggressive"},
            "waypoints": {"type": "UnityEngine.Transform[]",
                          "value": [{"value": "WP1 (Transform)", "is_object_ref": true,
                                     "ref_path": "/Waypoints/WP1"}],
                          "_truncated": true, "_total_count": 128},
            "points": {"type": "UnityEngine.Transform[]", "_total_count": 64},
            "stats": {"type": "MyGame.EnemyStats",
                      "value": {"hp": 150, "attackPower": 20.0,
                                "element": {"type": "MyGame.ElementType", "value": "Ice"}}},
            "deep": "...",
            "curve": {"type": "UnityEngine.AnimationCurve",
                      "value": {"keyCount": 5, "timeRange": [0.0, 1.0]}}},
        "_fields_truncated": true});
    REFUSES("get_component_info",
            "fields.list must be a string or a number or true or false or null or an object, not "
            "an array", {"fields": {"list": [1]}});
}

TEST(each_action_has_its_own_answer)
{
    FITS("manage_component", {
        "action": "add", "game_object_path": "/Player", "game_object_name": "Player",
        "component_type": "MyGame.EnemyChaser", "index": 3,
        "fields_set": ["chaseSpeed", "target", "spawnPoint", "alertMaterial"],
        "fields_skipped": []});
    FITS("manage_component", {
        "action": "update", "game_object_path": "/Player", "game_object_name": "Player",
        "component_type": "UnityEngine.Rigidbody", "index": 1,
        "fields_set": ["mass", "useGravity"], "fields_skipped": ["weight"],
        "skipped_reasons": {"weight": "not_found"}, "also_added": ["UnityEngine.Collider"]});
    FITS("manage_component", {
        "action": "remove", "game_object_path": "/Player", "game_object_name": "Player",
        "component_type": "UnityEngine.CapsuleCollider", "index": 2});
    FITS("manage_component", {
        "action": "move", "game_object_path": "/Player", "game_object_name": "Player",
        "component_type": "UnityEngine.Rigidbody", "index": 3, "previous_index": 1});
    REFUSES("manage_component", "previous_index is missing", {
        "action": "move", "game_object_path": "/Player", "game_object_name": "Player",
        "component_type": "UnityEngine.Rigidbody", "index": 3});
    REFUSES("manage_component", "fields_set is missing", {
        "action": "add", "game_object_path": "/Player", "game_object_name": "Player",
        "component_type": "UnityEngine.Rigidbody", "index": 3, "fields_skipped": []});
    REFUSES("manage_component",
            "skipped_reasons.weight must be one of \"not_found\", \"unsupported_type\", "
            "\"read_only\", \"depth_limit\", not \"because\"",
            {"skipped_reasons": {"weight": "because"}});
}
/* clang-format on */

int main(void)
{
    return test_run(open_catalog, close_catalog);
}
