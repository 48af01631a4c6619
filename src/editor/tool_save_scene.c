#include "editor/editor_tool.h"

static bool save_scene(struct editor_call *c)
{
    size_t bytes;
    if (!open_scene_save(c->open_scene, &bytes, c->err))
        return false;
    jsonw_object(c->out);
    jsonw_kstr(c->out, "scene_path", open_scene_path(c->open_scene));
    jsonw_kbool(c->out, "saved", bytes > 0);
    jsonw_kint(c->out, "bytes", (int64_t)bytes);
    jsonw_end(c->out);
    return true;
}

const struct editor_tool tool_save_scene = {"save_scene", save_scene};
