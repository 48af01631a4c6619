/* Files that change while the editor runs: assets are looked up anew, scripts and prefabs are
 * forgotten. The open scene needs nothing of this: the stage looks at its file itself. */
#include "base/arena.h"
#include "base/file.h"
#include "base/watch.h"
#include "editor/editor_core.h"

enum {
    QUIET_MS = 10 /* a call that follows a change at once should see it */
};

static bool is_ignored(struct str folder, struct str name, void *ctx)
{
    (void)folder;
    (void)ctx;
    return name.n == 0 || name.p[0] == '.' || name.p[name.n - 1] == '~' ||
           str_ends(name, STR(".tmp")) || str_eq_nocase(name, STR("cvs"));
}

static bool strip(struct str path, struct str prefix, struct str *rest)
{
    if (!str_starts(path, prefix) || (path.n > prefix.n && path.p[prefix.n] != '/'))
        return false;
    *rest = str_skip(path, prefix.n);
    return true;
}

/* As assets are named: "Assets/...", and "Packages/<name>/..." wherever that package lies. */
static bool shown_path(const struct editor *e, struct str path, struct buf *out)
{
    struct str rest;
    for (size_t i = 0; i < e->project.package_count; i++) {
        const struct project_package *p = &e->project.packages[i];
        if (p->kind == PROJECT_PACKAGE_CACHED || !strip(path, p->folder, &rest))
            continue;
        return buf_printf(out, "Packages/%.*s%.*s", STR_ARG(p->name), STR_ARG(rest));
    }
    return strip(path, str_from(e->project.root), &rest) && rest.n > 1 &&
           buf_add(out, str_skip(rest, 1));
}

static bool has_extension(struct str path)
{
    for (size_t i = path.n; i-- > 0 && path.p[i] != '/';)
        if (path.p[i] == '.')
            return true;
    return false;
}

/* Answers whether scripts are concerned. What has no extension is probably a folder, with anything
 * in it. */
static bool take_change(struct editor *e, struct str path)
{
    bool is_folder = !has_extension(path);
    bool is_meta = str_ends(path, STR(".meta"));
    if (is_meta)
        path.n -= strlen(".meta");
    assets_refresh(e->assets, path);
    scenes_forget(e->scenes, is_folder ? (struct str){0} : path);
    return is_folder || is_meta || str_ends(path, STR(".cs")) || str_ends(path, STR(".asmdef"));
}

static void on_changed(const struct watch_event *event, void *ctx)
{
    struct editor *e = ctx;
    struct buf path = {0}, shown = {0};
    bool scripts = event->everything;
    for (size_t i = 0; i < event->count; i++) {
        const struct watch_change *c = &event->changes[i];
        buf_clear(&path);
        buf_clear(&shown);
        buf_printf(&path, "%.*s%s%.*s", STR_ARG(c->folder), c->name.n ? "/" : "", STR_ARG(c->name));
        if (shown_path(e, buf_str(&path), &shown))
            scripts |= take_change(e, buf_str(&shown));
    }
    if (event->everything) {
        assets_refresh(e->assets, (struct str){0});
        scenes_forget(e->scenes, (struct str){0});
    }
    if (scripts)
        types_forget(e->types);
    buf_done(&path);
    buf_done(&shown);
}

void editor_watch_start(struct editor *e)
{
    struct arena a = {0};
    const struct project *p = &e->project;
    const char **roots = arena_alloc(&a, (2 + p->package_count) * sizeof *roots);
    size_t n = 0;
    roots[n++] = arena_printf(&a, "%s/Assets", p->root).p;
    struct str packages = arena_printf(&a, "%s/Packages", p->root);
    if (file_exists(packages.p))
        roots[n++] = packages.p;
    for (size_t i = 0; i < p->package_count; i++)
        if (p->packages[i].kind == PROJECT_PACKAGE_LOCAL)
            roots[n++] = arena_cstr(&a, p->packages[i].folder);
    e->watch = watch_start(e->loop, &(struct watch_options){.roots = roots,
                                                            .root_count = n,
                                                            .ignores = is_ignored,
                                                            .changed = on_changed,
                                                            .ctx = e,
                                                            .quiet_ms = QUIET_MS});
    arena_done(&a);
}

bool editor_watch_is_enough(const struct editor *e)
{
    return e->watch && watch_is_complete(e->watch);
}

void editor_watch_stop(struct editor *e)
{
    watch_stop(e->watch);
    e->watch = NULL;
}
