#include "editor/editor.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "bridge/bridge.h"
#include "editor/editor_internal.h"
#include "editor/editor_tool.h"
#include "editor/scene_report.h"

/* ---- the console */

/* "Assets/A.cs:3:7: ...": message_pattern with the name of a file finds its diagnostics. */
static void put_message(const struct diagnostic *n, struct buf *out)
{
    if (n->level != DIAGNOSTIC_INFO && n->file.n && str_find(n->text, n->file) == n->text.n) {
        buf_add(out, n->file);
        if (n->line)
            buf_printf(out, ":%u", n->line);
        if (n->line && n->column)
            buf_printf(out, ":%u", n->column);
        buf_add(out, STR(": "));
    }
    buf_add(out, n->text);
}

static void on_diagnostic(const struct diagnostic *n, void *ctx)
{
    static const enum console_type types[] = {[DIAGNOSTIC_INFO] = CONSOLE_LOG,
                                              [DIAGNOSTIC_WARNING] = CONSOLE_WARNING,
                                              [DIAGNOSTIC_ERROR] = CONSOLE_ERROR};
    struct editor *e = ctx;
    if (e->open_scene && open_scene_is_changing(e->open_scene))
        return;
    struct buf message = {0};
    put_message(n, &message);
    console_log_add(e->console, &(struct console_entry){.type = types[n->level],
                                                        .message = buf_str(&message),
                                                        .file = n->file,
                                                        .line = n->line,
                                                        .time_ms = rfc3339_now()});
    buf_done(&message);
}

/* Report missing scripts once for each load of a scene. */
static void report_missing_scripts(struct editor *e)
{
    struct editor_error err = {0};
    if (e->reported_scripts == open_scene_generation(e->open_scene))
        return;
    const struct scene *scene = open_scene_get(e->open_scene, &err);
    e->reported_scripts = open_scene_generation(e->open_scene);
    if (scene)
        scene_report(scene, e->types, &e->sink);
    editor_error_done(&err);
}

/* Report broken references before the console is read, once for each load of a scene. */
static void report_references(struct editor *e)
{
    struct str path = open_scene_path(e->open_scene);
    if (!path.n || e->reported_references == open_scene_generation(e->open_scene))
        return;
    e->reported_references = open_scene_generation(e->open_scene);
    struct check_options o = {
        .project = &e->project, .assets = e->assets, .types = e->types, .only = path, .threads = 1};
    scene_report_references(&o, &e->sink);
}

/* ---- the start */

static void copy_options(struct editor *e, const struct editor_options *o)
{
    size_t n = 0;
    e->options = *o;
    e->options.project = e->options.scene = NULL;
    e->options.unity_path = o->unity_path ? str_dup(str_from(o->unity_path)) : NULL;
    e->options.test_command = NULL;
    if (!o->test_command)
        return;
    while (o->test_command[n])
        n++;
    e->test_command = mem_zalloc((n + 1) * sizeof *e->test_command);
    for (size_t i = 0; i < n; i++)
        e->test_command[i] = str_dup(str_from(o->test_command[i]));
    e->options.test_command = (const char *const *)e->test_command;
}

/* The instance id depends only on the folder, so that a server accepts the editor as the same after
 * a restart. */
static void make_ids(struct editor *e)
{
    uint8_t digest[SHA256_LEN];
    sha256(str_from(e->project.root), digest);
    snprintf(e->instance, sizeof e->instance, "headless-%02x%02x%02x%02x%02x%02x%02x%02x",
             digest[0], digest[1], digest[2], digest[3], digest[4], digest[5], digest[6],
             digest[7]);
    id_new(e->session);
}

static bool try_scene(struct editor *e, struct str path)
{
    struct editor_error reason = {0};
    bool ok = open_scene_load(e->open_scene, path, false, &reason);
    if (!ok)
        diagnostic_report(&e->sink, &(struct diagnostic){.level = DIAGNOSTIC_ERROR, .file = path},
                          "%s", reason.text);
    editor_error_done(&reason);
    return ok;
}

/* Open the first enabled scene of the build settings, else the first by path. Scenes that cannot be
 * opened are skipped. */
static void open_first_scene(struct editor *e)
{
    size_t count;
    for (size_t i = 0; i < e->project.build_scene_count; i++)
        if (e->project.build_scenes[i].enabled && try_scene(e, e->project.build_scenes[i].path))
            return;
    const uint32_t *all = assets_named(e->assets, (struct str){0}, STR(".unity"), &count);
    for (size_t i = 0; i < count; i++) {
        struct asset a = assets_at(e->assets, all[i]);
        if (!a.is_folder && !a.is_missing && try_scene(e, a.path))
            return;
    }
}

static bool open_start_scene(struct editor *e, const char *scene, struct error *err)
{
    struct editor_error reason = {0};
    if (!scene) {
        open_first_scene(e);
        return true;
    }
    bool ok = open_scene_load(e->open_scene, str_from(scene), false, &reason);
    if (!ok)
        error_set(err, ERR_IO, "%s", reason.text);
    editor_error_done(&reason);
    return ok;
}

struct editor *editor_new(struct loop *loop, const struct editor_options *options,
                          struct error *err)
{
    struct editor *e = mem_zalloc(sizeof *e);
    list_init(&e->jobs);
    e->loop = loop;
    e->console = console_log_new();
    e->sink = (struct diagnostic_sink){on_diagnostic, e};
    copy_options(e, options);
    if (!project_open(&e->project, options->project, &e->sink, err)) {
        editor_free(e);
        return NULL;
    }
    make_ids(e);
    if (options->watch)
        editor_watch_start(e); /* before anything is read, so that no change is missed */
    e->assets = assets_open(&e->project, &e->sink);
    e->types = types_new(&e->project, e->assets, &e->sink);
    e->scenes = scenes_new(&e->project, e->assets, &e->sink);
    e->db = (struct asset_db){e->assets, e->types, e->scenes};
    e->contents = asset_contents_new(e->assets);
    e->open_scene = open_scene_new(&(struct open_scene_options){.project = &e->project,
                                                                .scenes = e->scenes,
                                                                .assets = e->assets,
                                                                .save_manual = options->save_manual,
                                                                .sink = &e->sink});
    if (!open_start_scene(e, options->scene, err)) {
        editor_free(e);
        return NULL;
    }
    report_missing_scripts(e);
    return e;
}

/* ---- the end */

bool editor_connect(struct editor *e, struct bridge *bridge)
{
    e->bridge = bridge;
    bridge_on_vacancy(bridge, editor_link_on_vacancy, e);
    return editor_link_open(e);
}

void editor_stop(struct editor *e)
{
    e->stopping = true;
    editor_job_stop(e);
    editor_link_close(e);
}

bool editor_is_quiet(const struct editor *e)
{
    return !e->link && !e->job;
}

void editor_on_quiet(struct editor *e, loop_fn *fn, void *ctx)
{
    e->on_quiet = fn;
    e->quiet_ctx = ctx;
}

void editor_notify_quiet(struct editor *e)
{
    if (e->on_quiet && editor_is_quiet(e))
        e->on_quiet(e->quiet_ctx);
}

void editor_free(struct editor *e)
{
    if (!e)
        return;
    editor_watch_stop(e);
    editor_job_done(e);
    editor_link_done(e);
    open_scene_free(e->open_scene);
    if (e->scenes)
        scenes_free(e->scenes);
    if (e->types)
        types_free(e->types);
    asset_contents_free(e->contents);
    assets_close(e->assets);
    project_done(&e->project);
    console_log_free(e->console);
    for (char **p = e->test_command; p && *p; p++)
        free(*p);
    free(e->test_command);
    free((char *)(uintptr_t)e->options.unity_path);
    free(e);
}

/* ---- one call */

/* "manage_component: add on /Player" */
static void log_edit(struct editor *e, const struct json *args)
{
    struct str object = json_str(json_get(args, STR("game_object_path")));
    diagnostic_report(
        &e->sink,
        &(struct diagnostic){.level = DIAGNOSTIC_INFO, .file = open_scene_path(e->open_scene)},
        "%.*s%s%.*s%s", STR_ARG(open_scene_last(e->open_scene)), object.n ? " on " : "",
        STR_ARG(object), open_scene_is_dirty(e->open_scene) ? " (not saved yet)" : "");
}

bool editor_run(struct editor *e, struct str tool, const struct json *args, struct buf *out,
                struct editor_error *err)
{
    const struct editor_tool *t = editor_tool_find(tool);
    struct arena arena = {0};
    size_t before = out->n;
    if (!t)
        return editor_error_set(err, "ERR_UNKNOWN_COMMAND", "the headless editor has no tool %.*s",
                                STR_ARG(tool));
    editor_watch_refresh(e);
    if (str_eq(tool, STR("read_console")))
        report_references(e);
    uint64_t edits = open_scene_edits(e->open_scene);
    struct jsonw w = jsonw_make(out);
    struct editor_call call = {
        .editor = e,
        .project = &e->project,
        .assets = e->assets,
        .types = e->types,
        .db = &e->db,
        .contents = e->contents,
        .open_scene = e->open_scene,
        .console = e->console,
        .args = args,
        .arena = &arena,
        .out = &w,
        .err = err,
    };
    bool ok = t->run(&call);
    if (ok && out->overflow)
        ok = editor_error_set(err, "ERR_LIMIT", "the answer of %s is too large: ask for less",
                              t->name);
    if (!ok && out->n > before)
        out->n = before; /* drop what was written before the failure */
    arena_done(&arena);
    if (open_scene_edits(e->open_scene) != edits)
        log_edit(e, args);
    report_missing_scripts(e);
    return ok;
}
