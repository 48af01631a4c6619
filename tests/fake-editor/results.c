/* The results of the tools, in the shapes of docs/spec/15-editor-tools.md and 20-scene-tools.md.
 * The data is the same in every run: console lines `console line <i>`, objects `GO_<i>`. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>

#define LINES      10u
#define SMALL_TREE 10u
#define BRANCHES   8u /* the tree is filled breadth first */

/* The length of 2,000 objects in the benchmark's own shape: how many make a megabyte there. */
#define BENCH_TREE_BYTES 501639.0
#define BENCH_TREE_N     2000.0

/* ---- the console */

static const char *const types[] = {"log", "log", "warning", "log", "error"};

static size_t line_count(const struct wire_editor *f)
{
    uint64_t n;
    struct str payload = str_from(f->mode.payload);
    if (str_starts(payload, STR("console")) && str_to_u64(str_skip(payload, 7), &n))
        return (size_t)n;
    return LINES;
}

static void put_line(struct jsonw *w, size_t i, bool with_stack)
{
    char text[160];
    jsonw_object(w);
    jsonw_kcstr(w, "type", types[i % 5]);
    snprintf(text, sizeof text,
             "console line %zu: PlayerController moved to (%zu.25, 0.00, -%zu.50) after 16 ms", i,
             i, i);
    jsonw_kcstr(w, "message", text);
    if (with_stack)
        jsonw_kcstr(w, "stack_trace",
                    "PlayerController.Update () (at Assets/Scripts/PlayerController.cs:42)");
    snprintf(text, sizeof text, "2026-01-01T12:00:%02zu.%03zuZ", i % 60, i * 37 % 1000);
    jsonw_kcstr(w, "time", text);
    jsonw_kcstr(w, "file", "Assets/Scripts/PlayerController.cs");
    jsonw_kint(w, "line", 42);
    jsonw_end(w);
}

static void put_huge_line(struct jsonw *w, uint64_t n)
{
    struct buf text = buf_make((size_t)n);
    jsonw_object(w);
    jsonw_kcstr(w, "type", "log");
    for (uint64_t i = 0; i < n; i++)
        buf_add_char(&text, (char)('a' + i % 26));
    jsonw_kstr(w, "message", buf_str(&text));
    jsonw_kcstr(w, "time", "2026-01-01T12:00:00.000Z");
    jsonw_end(w);
    buf_done(&text);
}

static void put_console(struct wire_editor *f, struct jsonw *w, const struct json *params,
                        const struct directive *how)
{
    uint64_t huge = how->huge;
    size_t total = line_count(f), shown = 0;
    uint64_t max = 10, offset = 0, stack = 1, counts[2] = {0};
    json_u64(json_get(params, STR("max_entries")), &max);
    json_u64(json_get(params, STR("offset")), &offset);
    json_u64(json_get(params, STR("stack_trace_lines")), &stack);
    jsonw_object(w);
    jsonw_key(w, "entries");
    jsonw_array(w);
    if (huge) {
        put_huge_line(w, huge);
        shown = 1;
    }
    for (size_t i = (size_t)offset; !huge && i < total && shown < max; i++, shown++)
        put_line(w, total - 1 - i, stack > 0); /* newest first */
    jsonw_end(w);
    for (size_t i = 0; i < total; i++)
        for (size_t k = 0; k < 2; k++)
            counts[k] += strcmp(types[i % 5], k ? "error" : "warning") == 0;
    bool truncated = !huge && offset + shown < total;
    jsonw_kint(w, "count", (int64_t)shown);
    jsonw_kint(w, "total_count", (int64_t)total);
    jsonw_kbool(w, "truncated", truncated);
    if (truncated)
        jsonw_kint(w, "next_offset", (int64_t)(offset + shown));
    jsonw_kcstr(w, "cursor", how->echo[0] ? how->echo : "1");
    jsonw_key(w, "type_summary");
    jsonw_object(w);
    jsonw_kint(w, "log", (int64_t)(total - counts[0] - counts[1]));
    jsonw_kint(w, "warning", (int64_t)counts[0]);
    jsonw_kint(w, "error", (int64_t)counts[1]);
    jsonw_kint(w, "assert", 0);
    jsonw_kint(w, "exception", 0);
    jsonw_end(w);
    jsonw_end(w);
}

/* ---- the hierarchy */

/* h<N>, h<N>k, <X>mb; any other name is a small scene. */
static size_t tree_count(const struct wire_editor *f)
{
    struct str payload = str_from(f->mode.payload);
    uint64_t n;
    if (str_starts(payload, STR("h"))) {
        bool thousands = str_ends(payload, STR("k"));
        payload = str_skip(str_head(payload, payload.n - thousands), 1);
        if (str_to_u64(payload, &n))
            return (size_t)n * (thousands ? 1000 : 1);
    } else if (str_ends(payload, STR("mb")) && str_to_u64(str_head(payload, payload.n - 2), &n)) {
        double exact = (double)n * 1048576.0 / (BENCH_TREE_BYTES / BENCH_TREE_N);
        size_t whole = (size_t)exact;
        return whole + (exact > (double)whole) + 20;
    }
    return SMALL_TREE;
}

static void put_components(struct jsonw *w, size_t i)
{
    static const char *const names[4][5] = {
        {"UnityEngine.Transform"},
        {"UnityEngine.Transform", "UnityEngine.MeshFilter", "UnityEngine.MeshRenderer"},
        {"UnityEngine.Transform", "UnityEngine.MeshFilter", "UnityEngine.MeshRenderer",
         "UnityEngine.BoxCollider"},
        {"UnityEngine.Transform", "UnityEngine.Light"},
    };
    jsonw_key(w, "components");
    jsonw_array(w);
    for (const char *const *name = names[i % 4]; *name; name++)
        jsonw_cstr(w, *name);
    jsonw_end(w);
}

static void put_node(struct jsonw *w, struct buf *path, size_t i, size_t n)
{
    char name[32];
    size_t before = path->n;
    snprintf(name, sizeof name, "GO_%zu", i);
    buf_printf(path, "/%s", name);
    jsonw_object(w);
    jsonw_kcstr(w, "name", name);
    jsonw_kstr(w, "path", buf_str(path));
    jsonw_kbool(w, "active", true);
    put_components(w, i);
    jsonw_key(w, "children");
    jsonw_array(w);
    for (size_t k = 1; k <= BRANCHES && i * BRANCHES + k < n; k++)
        put_node(w, path, i * BRANCHES + k, n);
    jsonw_end(w);
    jsonw_end(w);
    path->n = before;
}

/* The same tree under another scene's name, so that it cannot be confused with the result of
 * another call. */
static void put_named_tree(struct jsonw *w, const char *name)
{
    struct buf path = {0};
    jsonw_object(w);
    jsonw_kcstr(w, "scene_name", name);
    jsonw_kcstr(w, "scene_path", "Assets/Scenes/SampleScene.unity");
    jsonw_key(w, "root_game_objects");
    jsonw_array(w);
    put_node(w, &path, 0, SMALL_TREE);
    jsonw_end(w);
    jsonw_kint(w, "total_game_objects", SMALL_TREE);
    jsonw_kint(w, "returned_game_objects", SMALL_TREE);
    jsonw_kbool(w, "truncated", false);
    jsonw_end(w);
    buf_done(&path);
}

static void put_tree(struct wire_editor *f, struct jsonw *out)
{
    size_t n = tree_count(f);
    if (f->tree_n != n || !f->tree.n) {
        struct buf path = {0};
        buf_clear(&f->tree);
        struct jsonw w = jsonw_make(&f->tree);
        jsonw_object(&w);
        jsonw_kcstr(&w, "scene_name", "SampleScene");
        jsonw_kcstr(&w, "scene_path", "Assets/Scenes/SampleScene.unity");
        jsonw_key(&w, "root_game_objects");
        jsonw_array(&w);
        if (n)
            put_node(&w, &path, 0, n);
        jsonw_end(&w);
        jsonw_kint(&w, "total_game_objects", (int64_t)n);
        jsonw_kint(&w, "returned_game_objects", (int64_t)n);
        jsonw_kbool(&w, "truncated", false);
        jsonw_end(&w);
        buf_done(&path);
        f->tree_n = n;
    }
    jsonw_raw(out, buf_str(&f->tree));
}

/* ---- components */

static void put_object(struct jsonw *w, const struct json *params)
{
    struct str path = json_str(json_get(params, STR("game_object_path"))), name = path;
    for (struct str rest = path; rest.n;)
        str_cut(&rest, '/', &name);
    jsonw_kstr(w, "game_object_path", path);
    jsonw_kstr(w, "game_object_name", name);
}

static int64_t index_of(const struct json *params, struct str key)
{
    int64_t index = 1;
    json_i64(json_get(params, key), &index);
    return index;
}

static void put_info(struct jsonw *w, const struct json *params, uint64_t huge)
{
    struct buf text = buf_make((size_t)huge + 1);
    jsonw_object(w);
    put_object(w, params);
    jsonw_kint(w, "index", index_of(params, STR("index")));
    jsonw_kcstr(w, "component_type", "UnityEngine.Rigidbody");
    jsonw_key(w, "fields");
    jsonw_object(w);
    jsonw_kint(w, "mass", 1);
    jsonw_kbool(w, "useGravity", true);
    for (uint64_t i = 0; i < huge; i++)
        buf_add_char(&text, 'x');
    if (huge)
        jsonw_kstr(w, "padding", buf_str(&text));
    jsonw_end(w);
    jsonw_end(w);
    buf_done(&text);
}

static void put_edit(struct wire_editor *f, struct jsonw *w, const struct json *params)
{
    struct str action = json_str(json_get(params, STR("action")));
    struct str type = json_str(json_get(params, STR("component_type")));
    bool is_move = str_eq(action, STR("move")), is_remove = str_eq(action, STR("remove"));
    f->scene_dirty = true;
    jsonw_object(w);
    jsonw_kstr(w, "action", action);
    put_object(w, params);
    jsonw_kstr(w, "component_type", type.n ? type : STR("UnityEngine.Rigidbody"));
    jsonw_kint(w, "index", index_of(params, is_move ? STR("new_index") : STR("index")));
    if (is_move) {
        jsonw_kint(w, "previous_index", index_of(params, STR("index")));
    } else if (!is_remove) {
        jsonw_key(w, "fields_set");
        jsonw_array(w);
        JSON_EACH (json_get(params, STR("fields")), k)
            jsonw_str(w, json_str(k));
        jsonw_end(w);
        jsonw_key(w, "fields_skipped");
        jsonw_array(w);
        jsonw_end(w);
    }
    jsonw_end(w);
}

/* ---- the editor */

#define NO_MORE "\"count\":0,\"total_count\":0,\"truncated\":false"

static void put_scenes(struct jsonw *w)
{
    jsonw_raw(w, STR("{\"scenes\":[{\"path\":\"Assets/Scenes/SampleScene.unity\",\"active\":true,"
                     "\"in_build\":true,\"build_index\":0}],\"count\":1,\"total_count\":1,"
                     "\"truncated\":false}"));
}

static void put_open_scene(struct wire_editor *f, struct jsonw *w, const struct json *params)
{
    f->scene_dirty = false;
    jsonw_object(w);
    jsonw_kcstr(w, "scene_name", "SampleScene");
    jsonw_kstr(w, "scene_path", json_str(json_get(params, STR("path"))));
    jsonw_kcstr(w, "previous_scene_path", "Assets/Scenes/SampleScene.unity");
    jsonw_end(w);
}

static void put_save_scene(struct wire_editor *f, struct jsonw *w)
{
    jsonw_object(w);
    jsonw_kcstr(w, "scene_path", "Assets/Scenes/SampleScene.unity");
    jsonw_kbool(w, "saved", f->scene_dirty);
    jsonw_kint(w, "bytes", f->scene_dirty ? 4096 : 0);
    jsonw_end(w);
    f->scene_dirty = false;
}

static void put_play_mode(struct wire_editor *f, struct jsonw *w, const struct json *params)
{
    struct str action = json_str(json_get(params, STR("action")));
    f->is_playing = !str_eq(action, STR("stop"));
    f->is_paused = str_eq(action, STR("pause"));
    jsonw_object(w);
    jsonw_kstr(w, "action", action);
    jsonw_kbool(w, "is_playing", f->is_playing);
    jsonw_kbool(w, "is_paused", f->is_paused);
    jsonw_end(w);
}

const char *results_put(struct wire_editor *f, struct jsonw *w, const struct fake_call *c)
{
    struct arena a = {0};
    const struct json *params = json_parse(&a, str_from(c->params), NULL, NULL);
    struct str tool = str_from(c->tool);
    const char *code = NULL;
    if (str_eq(tool, STR("read_console")))
        put_console(f, w, params, &c->how);
    else if (str_eq(tool, STR("get_scene_hierarchy")) && c->how.echo[0])
        put_named_tree(w, c->how.echo);
    else if (str_eq(tool, STR("get_scene_hierarchy")))
        put_tree(f, w);
    else if (str_eq(tool, STR("get_component_info")))
        put_info(w, params, c->how.huge);
    else if (str_eq(tool, STR("manage_component")))
        put_edit(f, w, params);
    else if (str_eq(tool, STR("list_scenes")))
        put_scenes(w);
    else if (str_eq(tool, STR("find_assets")))
        jsonw_raw(w, STR("{\"assets\":[]," NO_MORE "}"));
    else if (str_eq(tool, STR("find_component_types")))
        jsonw_raw(w, STR("{\"types\":[]," NO_MORE "}"));
    else if (str_eq(tool, STR("open_scene")))
        put_open_scene(f, w, params);
    else if (str_eq(tool, STR("save_scene")))
        put_save_scene(f, w);
    else if (str_eq(tool, STR("undo")) || str_eq(tool, STR("redo")))
        jsonw_raw(w, STR("{\"undone\":[],\"remaining_undo\":0,\"remaining_redo\":0}"));
    else if (str_eq(tool, STR("control_play_mode")))
        put_play_mode(f, w, params);
    else
        code = "ERR_UNKNOWN_COMMAND";
    arena_done(&a);
    return code;
}

/* ---- tests */

void results_put_tests(struct jsonw *w, const struct fake_job *j)
{
    uint64_t failed = j->how.failed < j->total ? j->how.failed : j->total;
    char name[64];
    jsonw_object(w);
    jsonw_key(w, "summary");
    jsonw_object(w);
    jsonw_kint(w, "total", (int64_t)j->total + (j->how.echo[0] ? 1 : 0));
    jsonw_kint(w, "passed", (int64_t)(j->total - failed));
    jsonw_kint(w, "failed", (int64_t)failed);
    jsonw_kint(w, "skipped", j->how.echo[0] ? 1 : 0);
    jsonw_kint(w, "inconclusive", 0);
    jsonw_kint(w, "duration_ms", (int64_t)(j->total * j->how.step_ms));
    jsonw_end(w);
    jsonw_key(w, "failed_tests");
    jsonw_array(w);
    for (uint64_t i = 0; i < failed; i++) {
        snprintf(name, sizeof name, "Fake.Tests.Test_%llu", (unsigned long long)i);
        jsonw_object(w);
        jsonw_kcstr(w, "name", name);
        jsonw_kcstr(w, "message", "Expected: 1  But was: 2");
        jsonw_kcstr(w, "stack_trace", "at Fake.Tests (at Assets/Tests/FakeTests.cs:7)");
        jsonw_kint(w, "duration_ms", (int64_t)j->how.step_ms);
        jsonw_end(w);
    }
    jsonw_end(w);
    jsonw_key(w, "skipped_tests");
    jsonw_array(w);
    if (j->how.echo[0])
        jsonw_cstr(w, j->how.echo);
    jsonw_end(w);
    jsonw_kbool(w, "truncated", false);
    jsonw_end(w);
}
