/* Files that change while the editor runs: assets are searched again, scripts and prefabs are
 * dropped from the caches, settings and the list of packages are reloaded. The open scene checks
 * its own file; here its change is only counted and sent as a status. */
#include "base/arena.h"
#include "base/watch.h"
#include "editor/editor_internal.h"
#include "unity/assets_scan.h"
#include "unity/meta.h"

/* ---- names */

static bool is_ignored(struct str folder, struct str name, void *ctx)
{
    const struct editor *e = ctx;
    if (str_eq(folder, str_from(e->project.root)))
        return !str_eq(name, STR("Assets")) && !str_eq(name, STR("Packages")) &&
               !str_eq(name, STR("ProjectSettings"));
    return assets_scan_ignores(name);
}

static bool strip_prefix(struct str path, struct str prefix, struct str *rest)
{
    if (!str_starts(path, prefix) || (path.n > prefix.n && path.p[prefix.n] != '/'))
        return false;
    *rest = str_skip(path, prefix.n);
    return true;
}

/* Turn a file path into an asset path: "Assets/...", or "Packages/<name>/..." for a package in any
 * folder. The project may be inside a package. */
static bool find_asset_path(const struct editor *e, struct str path, struct buf *out)
{
    struct str inside = {0}, rest;
    bool is_inside = strip_prefix(path, str_from(e->project.root), &inside) && inside.n > 1;
    for (size_t i = 0; i < e->project.package_count; i++) {
        const struct project_package *p = &e->project.packages[i];
        if (p->kind == PROJECT_PACKAGE_CACHED || strip_prefix(inside, STR("/Assets"), &rest) ||
            !strip_prefix(path, p->folder, &rest))
            continue;
        return buf_printf(out, "Packages/%.*s%.*s", STR_ARG(p->name), STR_ARG(rest));
    }
    return is_inside && buf_add(out, str_skip(inside, 1));
}

/* ---- applying changes */

/* ProjectSettings; in Packages the lists, the folders of packages, and package.json in them. */
static bool is_project_file(struct str path)
{
    struct str top, package;
    str_cut(&path, '/', &top);
    if (str_eq(top, STR("ProjectSettings")))
        return true;
    str_cut(&path, '/', &package);
    return str_eq(top, STR("Packages")) && (path.n == 0 || str_eq(path, STR("package.json")));
}

/* Return true if the project has changed; then everything is refreshed. The watched folders may
 * have changed, too; the refresh also finds changes made while they are replaced. */
static bool reload_project(struct editor *e)
{
    struct project now;
    if (!project_open(&now, e->project.root, NULL, NULL))
        return false;
    bool is_same = project_is_same(&now, &e->project);
    project_done(&now);
    if (is_same || !project_open(&now, e->project.root, &e->sink, NULL))
        return false;
    project_done(&e->project);
    e->project = now;
    diagnostic_report(&e->sink, &(struct diagnostic){.level = DIAGNOSTIC_INFO},
                      "settings or packages of the project changed: reloaded");
    if (e->watch) {
        editor_watch_stop(e);
        editor_watch_start(e);
    }
    assets_reload_packages(e->assets);
    scenes_forget(e->scenes, (struct str){0});
    types_forget(e->types);
    return true;
}

static void refresh_all(struct editor *e)
{
    if (reload_project(e))
        return;
    assets_refresh(e->assets, (struct str){0});
    scenes_forget(e->scenes, (struct str){0});
    types_forget(e->types);
}

/* Return whether scripts may have changed; a folder may contain some. */
static bool apply_change(struct editor *e, struct str path, bool is_folder)
{
    if (str_eq(path, open_scene_path(e->open_scene)))
        open_scene_touch_file(e->open_scene);
    struct str suffix = STR(META_SUFFIX);
    bool is_meta = str_ends(path, suffix);
    assets_refresh(e->assets, path);
    if (is_meta)
        path.n -= suffix.n;
    scenes_forget(e->scenes, is_folder ? (struct str){0} : path);
    return is_folder || is_meta || str_ends(path, STR(".cs")) || str_ends(path, STR(".asmdef"));
}

static void on_changed(const struct watch_event *event, void *ctx)
{
    struct editor *e = ctx;
    struct buf path = {0}, shown = {0};
    bool scripts = false, project = false;
    for (size_t i = 0; i < event->count; i++) {
        const struct watch_change *c = &event->changes[i];
        buf_clear(&path);
        buf_clear(&shown);
        buf_printf(&path, "%.*s%s%.*s", STR_ARG(c->folder), c->name.n ? "/" : "", STR_ARG(c->name));
        if (!find_asset_path(e, buf_str(&path), &shown))
            continue;
        project |= is_project_file(buf_str(&shown));
        scripts |= apply_change(e, buf_str(&shown), c->is_folder);
    }
    if (event->everything)
        refresh_all(e);
    if (project)
        project = reload_project(e);
    if (scripts)
        types_forget(e->types);
    if (event->everything || project || scripts || open_scene_is_stale(e->open_scene))
        open_scene_touch(e->open_scene);
    editor_link_notify(e);
    buf_done(&path);
    buf_done(&shown);
}

/* ---- life */

void editor_watch_start(struct editor *e)
{
    struct arena a = {0};
    const struct project *p = &e->project;
    const char **roots = arena_alloc(&a, (1 + p->package_count) * sizeof *roots);
    size_t n = 0;
    roots[n++] = p->root;
    for (size_t i = 0; i < p->package_count; i++)
        if (p->packages[i].kind == PROJECT_PACKAGE_LOCAL)
            roots[n++] = arena_cstr(&a, p->packages[i].folder);
    e->watch = watch_start(e->loop, &(struct watch_options){.roots = roots,
                                                            .root_count = n,
                                                            .ignores = is_ignored,
                                                            .changed = on_changed,
                                                            .ctx = e});
    arena_done(&a);
}

/* Without a watch each call but the first refreshes everything: the contents of scripts and prefabs
 * may have changed without a trace in their folders. */
void editor_watch_refresh(struct editor *e)
{
    watch_flush(e->watch);
    if (e->ran && (!e->watch || !watch_is_complete(e->watch)))
        refresh_all(e);
    e->ran = true;
}

void editor_watch_stop(struct editor *e)
{
    watch_stop(e->watch);
    e->watch = NULL;
}
