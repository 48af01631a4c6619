/* undo and redo: one walk through the history, in two directions. */
#include "editor/editor_tool.h"
#include "editor/tool_arg.h"

typedef bool step_fn(struct open_scene *s, struct open_scene_step *step, struct editor_error *err);

static void put_steps(struct editor_call *c, const struct open_scene_step *steps, size_t count)
{
    jsonw_object(c->out);
    jsonw_key(c->out, "undone");
    jsonw_array(c->out);
    for (size_t i = 0; i < count; i++) {
        jsonw_object(c->out);
        jsonw_kstr(c->out, "name", steps[i].name);
        jsonw_kstr(c->out, "tool", steps[i].tool);
        jsonw_end(c->out);
    }
    jsonw_end(c->out);
    jsonw_kint(c->out, "remaining_undo", (int64_t)open_scene_undo_count(c->open_scene));
    jsonw_kint(c->out, "remaining_redo", (int64_t)open_scene_redo_count(c->open_scene));
    jsonw_end(c->out);
}

static bool walk_history(struct editor_call *c, step_fn *one)
{
    uint64_t wanted = tool_arg_u64(c->args, "steps", 1);
    size_t count = 0;
    /* Reloads a file that changed on disk, which ends the history. */
    if (!open_scene_get(c->open_scene, c->err))
        return false;
    size_t most = open_scene_undo_count(c->open_scene) + open_scene_redo_count(c->open_scene);
    struct open_scene_step *steps =
        arena_alloc(c->arena, ((wanted < most ? wanted : most) + 1) * sizeof *steps);
    while (count < wanted) {
        struct open_scene_step step;
        if (!one(c->open_scene, &step, c->err)) {
            if (!c->err->code[0])
                break;
            c->err->was_executed |= count > 0;
            return false;
        }
        steps[count++] = (struct open_scene_step){arena_str(c->arena, step.name),
                                                  arena_str(c->arena, step.tool)};
    }
    put_steps(c, steps, count);
    return true;
}

static bool run_undo(struct editor_call *c)
{
    return walk_history(c, open_scene_undo);
}

static bool run_redo(struct editor_call *c)
{
    return walk_history(c, open_scene_redo);
}

const struct editor_tool tool_undo = {"undo", run_undo};
const struct editor_tool tool_redo = {"redo", run_redo};
