#include "editor/component.h"

#include "base/nearest.h"

/* The nearest path there is: the parent that exists, and the child that was probably meant. */
bool component_no_object(struct editor_call *c, const struct scene *s, struct str path)
{
    struct buf missing = {0};
    uint32_t best = SCENE_NONE, parent = scene_follow(s, path, &missing);
    struct nearest near = nearest_make(buf_str(&missing));
    uint32_t child = parent == SCENE_NONE ? s->first_root : s->nodes[parent].first_child;
    for (; child != SCENE_NONE; child = s->nodes[child].next) {
        struct str before = near.best;
        nearest_offer(&near, s->nodes[child].name);
        if (before.p != near.best.p)
            best = child;
    }
    struct buf hint = {0};
    if (best != SCENE_NONE) {
        buf_add(&hint, STR("; did you mean "));
        scene_put_path(s, best, &hint);
        buf_add_char(&hint, '?');
    } else if (parent != SCENE_NONE) {
        buf_add(&hint, STR("; there is "));
        scene_put_path(s, parent, &hint);
        buf_printf(&hint, " with %u children", s->nodes[parent].child_count);
    }
    editor_fail(c->err, "ERR_OBJECT_NOT_FOUND", "there is no GameObject at %.*s in %.*s%.*s",
                STR_ARG(path), STR_ARG(s->path), STR_ARG(buf_str(&hint)));
    buf_done(&hint);
    buf_done(&missing);
    return false;
}

bool component_find_node(struct editor_call *c, struct component *out)
{
    struct str path = json_str(json_get(c->args, STR("game_object_path")));
    *out = (struct component){.scene = open_scene_get(c->open_scene, c->err), .index = SCENE_NONE};
    if (out->scene == NULL)
        return false;
    out->node = scene_find(out->scene, path);
    return out->node != SCENE_NONE || component_no_object(c, out->scene, path);
}

bool component_has(struct editor_call *c, const struct component *of, uint64_t index)
{
    uint32_t count = of->scene->nodes[of->node].component_count;
    if (index < count)
        return true;
    if (count == 0)
        return editor_fail(c->err, "ERR_COMPONENT_INDEX_OUT_OF_RANGE", "%.*s has no components",
                           STR_ARG(of->scene->nodes[of->node].name));
    return editor_fail(c->err, "ERR_COMPONENT_INDEX_OUT_OF_RANGE",
                       "%.*s has %u components, 0 to %u; there is no %llu",
                       STR_ARG(of->scene->nodes[of->node].name), count, count - 1,
                       (unsigned long long)index);
}

bool component_find_any(struct editor_call *c, struct component *out)
{
    uint64_t index = 0;
    if (!component_find_node(c, out))
        return false;
    if (!json_u64(json_get(c->args, STR("index")), &index))
        return editor_fail(c->err, "ERR_INVALID_PARAMS", "index is missing");
    if (!component_has(c, out, index))
        return false;
    out->index = (uint32_t)index;
    out->class = value_class(c->types, out->scene, out->node, out->index);
    return true;
}

bool component_is_missing(struct editor_call *c, const struct component *of)
{
    return editor_fail(c->err, "ERR_MISSING_SCRIPT",
                       "component %u of %.*s is a script that is missing: its fields are kept in "
                       "the file, and nothing can be said of them; manage_component removes it if "
                       "component_type is \"" COMPONENT_MISSING "\"",
                       of->index, STR_ARG(of->scene->nodes[of->node].name));
}

bool component_is_known(const struct component *p, struct editor_error *err)
{
    if (p->class->is_known || p->class->class_id == 114)
        return true;
    return editor_fail(err, "ERR_UNSUPPORTED_HEADLESS",
                       "%.*s is a class whose fields are not known here, because it is newer or "
                       "rarer than the tables: they are shown as they stand in the file, and "
                       "can be set in Unity",
                       STR_ARG(p->class->name));
}

bool component_find(struct editor_call *c, struct component *out)
{
    return component_find_any(c, out) && (out->class != NULL || component_is_missing(c, out));
}

void component_put_owner(struct editor_call *c, const struct component *of)
{
    struct buf path = {0};
    scene_put_path(of->scene, of->node, &path);
    jsonw_kstr(c->out, "game_object_path", buf_str(&path));
    jsonw_kstr(c->out, "game_object_name", of->scene->nodes[of->node].name);
    buf_done(&path);
}
