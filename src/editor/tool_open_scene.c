#include "base/nearest.h"
#include "editor/editor_tool.h"
#include "editor/scene_name.h"
#include "editor/tool_arg.h"

/* Return whether it is a scene to suggest: not the requested path, and not only a .meta file. */
static bool is_other_scene(const struct asset *a, struct str asked)
{
    return !a->is_missing && !str_eq(a->path, asked);
}

/* Return the scene that was probably meant: one of that name, or one with a similar path. */
static struct str suggest_scene(struct editor_call *c, struct str path)
{
    size_t count;
    const uint32_t *same = assets_named(c->assets, scene_name(path), STR(".unity"), &count);
    for (size_t i = 0; i < count; i++) {
        struct asset a = assets_at(c->assets, same[i]);
        if (is_other_scene(&a, path))
            return a.path;
    }
    struct nearest near = nearest_make(path);
    const uint32_t *all = assets_named(c->assets, (struct str){0}, STR(".unity"), &count);
    for (size_t i = 0; i < count; i++) {
        struct asset a = assets_at(c->assets, all[i]);
        if (is_other_scene(&a, path))
            nearest_offer(&near, a.path);
    }
    return near.best;
}

static bool refuse_missing(struct editor_call *c, struct str path)
{
    struct str near = suggest_scene(c, path);
    if (near.n)
        return editor_error_set(c->err, "ERR_SCENE_NOT_FOUND",
                                "there is no scene at %.*s; did you mean %.*s?", STR_ARG(path),
                                STR_ARG(near));
    return editor_error_set(c->err, "ERR_SCENE_NOT_FOUND",
                            "there is no scene at %.*s; list_scenes shows the existing scenes",
                            STR_ARG(path));
}

static bool run_open_scene(struct editor_call *c)
{
    struct str path = tool_arg_str(c->args, "path");
    struct str previous = arena_str(c->arena, open_scene_path(c->open_scene));
    if (!str_ends(path, STR(".unity")))
        return refuse_missing(c, path);
    if (!open_scene_load(c->open_scene, path, tool_arg_bool(c->args, "discard_changes", false),
                         c->err))
        return strcmp(c->err->code, "ERR_SCENE_NOT_FOUND") == 0 ? refuse_missing(c, path) : false;
    jsonw_object(c->out);
    jsonw_kstr(c->out, "scene_name", scene_name(path));
    jsonw_kstr(c->out, "scene_path", path);
    jsonw_key(c->out, "previous_scene_path");
    if (previous.n)
        jsonw_str(c->out, previous);
    else
        jsonw_null(c->out);
    jsonw_end(c->out);
    return true;
}

const struct editor_tool tool_open_scene = {"open_scene", run_open_scene};
