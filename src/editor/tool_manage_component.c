/* manage_component: add, update, remove and move. Everything is checked before anything is changed;
 * a call is one undo group. docs/spec/20-scene-tools.md, 1. */
#include "base/utf8.h"
#include "editor/change.h"
#include "editor/component.h"

struct component_action {
    const char *name;
    bool (*run)(struct editor_call *c);
};

static bool has_argument(struct editor_call *c, const char *action, const char *argument)
{
    if (json_get(c->args, str_from(argument)))
        return true;
    return editor_error_set(c->err, "ERR_INVALID_PARAMS", "the action %s needs %s", action,
                            argument);
}

/* What the answer shows of the component. Collected before the edit is applied, because applying it
 * frees the model of the scene. */
struct edit_answer {
    const char *action;
    struct str path, name; /* of the GameObject */
    struct str type;
    uint32_t index; /* after the edit */
};

static struct edit_answer collect_answer(struct editor_call *c, const struct component *p,
                                         const char *action, struct str type)
{
    struct buf path = {0};
    scene_put_path(p->scene, p->node, &path);
    struct edit_answer answer = {
        .action = action,
        .path = arena_str(c->arena, buf_str(&path)),
        .name = arena_str(c->arena, p->scene->nodes[p->node].name),
        .type = arena_str(c->arena, type),
        .index = p->index,
    };
    buf_done(&path);
    return answer;
}

static void begin_answer(struct editor_call *c, const struct edit_answer *answer)
{
    jsonw_object(c->out);
    jsonw_kcstr(c->out, "action", answer->action);
    jsonw_kstr(c->out, "game_object_path", answer->path);
    jsonw_kstr(c->out, "game_object_name", answer->name);
    jsonw_kstr(c->out, "component_type", answer->type);
    jsonw_kint(c->out, "index", answer->index);
}

static bool apply_change(struct editor_call *c, struct change *change, const char *action)
{
    change_finish(change);
    struct open_scene_step step = {.name = arena_printf(c->arena, "manage_component: %s", action),
                                   .tool = STR("manage_component")};
    return open_scene_apply(c->open_scene, &change->edit, step, c->err);
}

/* Compare component_type with the component at index, so that a client with an outdated list does
 * not change another component. */
static bool is_expected(struct editor_call *c, const struct component *p)
{
    const struct json *given = json_get(c->args, STR("component_type"));
    struct str type = json_str(given), name = p->scene->nodes[p->node].name;
    if (given == NULL || p->class == NULL || str_eq(type, p->class->name) ||
        str_eq(type, p->class->simple))
        return true;
    if (str_eq(type, STR(COMPONENT_MISSING)))
        return editor_error_set(c->err, "ERR_INVALID_PARAMS",
                                "component %u of %.*s is not missing, it is a %.*s", p->index,
                                STR_ARG(name), STR_ARG(p->class->name));
    return editor_error_set(c->err, "ERR_INVALID_PARAMS",
                            "component %u of %.*s is a %.*s, not a %.*s as in component_type: read "
                            "the components of the GameObject again",
                            p->index, STR_ARG(name), STR_ARG(p->class->name),
                            STR_ARG(utf8_head(type, 200)));
}

/* ---- update */

static bool update_component(struct editor_call *c)
{
    struct component p;
    if (!has_argument(c, "update", "index") || !has_argument(c, "update", "fields") ||
        !component_find(c, &p) || !is_expected(c, &p))
        return false;
    if (!component_is_known(&p, c->err))
        return false;
    struct change change;
    change_init(&change, p.scene, c->db, c->project, c->arena);
    change.err = c->err;
    struct assign a = {.scene = p.scene,
                       .db = c->db,
                       .arena = c->arena,
                       .version = change.version,
                       .err = c->err,
                       .is_override = scene_component(p.scene, p.node, p.index)->doc == NULL,
                       .is_partial = scene_is_partial(p.scene, p.node, p.index)};
    struct scene_place at = {p.node, p.index};
    struct yaml_value body = scene_body(p.scene, p.node, p.index, c->arena);
    bool ok = change_is_possible(&change, at) &&
              assign_fields(&a, p.class, body, json_get(c->args, STR("fields")));
    if (ok) {
        struct edit_answer answer = collect_answer(c, &p, "update", p.class->name);
        change_set(&change, at, p.class, &a);
        ok = apply_change(c, &change, "update");
        if (ok) {
            begin_answer(c, &answer);
            component_put_names(c, &a);
            jsonw_end(c->out);
        }
    }
    assign_done(&a);
    change_done(&change);
    return ok;
}

/* ---- remove */

static bool is_required(struct editor_call *c, const struct component *p)
{
    uint32_t count = p->scene->nodes[p->node].component_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct type_class *other = value_class(c->types, p->scene, p->node, i);
        for (size_t k = 0; i != p->index && other && k < other->require_count; k++) {
            if (!type_class_is_a(p->class, other->requires_[k]) ||
                component_count(c, p, other->requires_[k]) > 1)
                continue;
            editor_error_set(c->err, "ERR_COMPONENT_DEPENDENCY",
                             "%.*s (component %u) requires %.*s; remove it first",
                             STR_ARG(other->name), i, STR_ARG(other->requires_[k]));
            struct jsonw w = jsonw_make(&c->err->details);
            jsonw_object(&w);
            jsonw_key(&w, "required_by");
            jsonw_array(&w);
            jsonw_str(&w, other->name);
            jsonw_end(&w);
            jsonw_end(&w);
            return true;
        }
    }
    return false;
}

/* Removing a missing script loses its data, so the client must ask for it by component_type. */
static bool may_be_removed(struct editor_call *c, const struct component *p)
{
    struct str type = json_str(json_get(c->args, STR("component_type")));
    bool wants_missing = str_eq(type, STR(COMPONENT_MISSING));
    if (p->class == NULL && !wants_missing)
        return component_refuse_missing(c, p);
    if (!is_expected(c, p))
        return false;
    if (p->index == 0)
        return editor_error_set(c->err, "ERR_INVALID_PARAMS",
                                "component 0 is the Transform, which cannot be removed");
    return p->class == NULL || !is_required(c, p);
}

static bool remove_component(struct editor_call *c)
{
    struct component p;
    if (!has_argument(c, "remove", "index") || !component_find_any(c, &p) || !may_be_removed(c, &p))
        return false;
    struct change change;
    struct scene_place at = {p.node, p.index};
    change_init(&change, p.scene, c->db, c->project, c->arena);
    change.err = c->err;
    bool ok = change_is_possible(&change, at);
    if (ok) {
        struct edit_answer answer =
            collect_answer(c, &p, "remove", p.class ? p.class->name : STR(COMPONENT_MISSING));
        change_remove(&change, at);
        ok = apply_change(c, &change, "remove");
        if (ok) {
            begin_answer(c, &answer);
            if (change.cleared > 0)
                jsonw_kint(c->out, "references_cleared", (int64_t)change.cleared);
            jsonw_end(c->out);
        }
    }
    change_done(&change);
    return ok;
}

/* ---- move */

static bool move_component(struct editor_call *c)
{
    struct component p;
    uint64_t to = 0;
    if (!has_argument(c, "move", "index") || !has_argument(c, "move", "new_index") ||
        !component_find(c, &p) || !is_expected(c, &p))
        return false;
    json_u64(json_get(c->args, STR("new_index")), &to);
    if (!component_has_index(c, &p, to))
        return false;
    if (p.index == 0 || to == 0)
        return editor_error_set(c->err, "ERR_INVALID_PARAMS",
                                "component 0 is the Transform, which cannot be moved");
    struct change change;
    struct scene_place owner = {p.node, SCENE_NONE};
    change_init(&change, p.scene, c->db, c->project, c->arena);
    change.err = c->err;
    bool is_own = p.scene->nodes[p.node].doc != NULL;
    bool ok = to == p.index || (is_own && change_is_possible(&change, owner) &&
                                change_move(&change, p.node, p.index, (uint32_t)to));
    if (!ok && !is_own)
        editor_error_set(c->err, "ERR_INVALID_PARAMS",
                         "%.*s belongs to a prefab instance, whose components have the order of "
                         "the prefab: move them in the prefab",
                         STR_ARG(p.scene->nodes[p.node].name));
    if (ok) {
        struct edit_answer answer = collect_answer(c, &p, "move", p.class->name);
        answer.index = (uint32_t)to;
        ok = apply_change(c, &change, "move");
        if (ok) {
            begin_answer(c, &answer);
            jsonw_kint(c->out, "previous_index", p.index);
            jsonw_end(c->out);
        }
    }
    change_done(&change);
    return ok;
}

/* ---- add */

static bool add_component(struct editor_call *c)
{
    struct component p;
    struct addition addition;
    if (!has_argument(c, "add", "component_type") || !component_find_node(c, &p))
        return false;
    struct change change;
    change_init(&change, p.scene, c->db, c->project, c->arena);
    change.err = c->err;
    bool ok = component_add(c, &p, &change, &addition);
    if (ok) {
        struct edit_answer answer = collect_answer(c, &p, "add", addition.class->name);
        answer.index = addition.index;
        ok = apply_change(c, &change, "add");
        if (ok) {
            begin_answer(c, &answer);
            component_put_names(c, &addition.assign);
            if (addition.also_count > 0) {
                jsonw_key(c->out, "also_added");
                jsonw_array(c->out);
                for (size_t i = 0; i < addition.also_count; i++)
                    jsonw_str(c->out, addition.also[i]->name);
                jsonw_end(c->out);
            }
            jsonw_end(c->out);
        }
    }
    component_add_done(&addition);
    change_done(&change);
    return ok;
}

static const struct component_action component_actions[] = {{"add", add_component},
                                                            {"move", move_component},
                                                            {"remove", remove_component},
                                                            {"update", update_component}};

static bool manage_component(struct editor_call *c)
{
    struct str name = json_str(json_get(c->args, STR("action")));
    for (size_t i = 0; i < sizeof component_actions / sizeof *component_actions; i++)
        if (str_eq(name, str_from(component_actions[i].name)))
            return component_actions[i].run(c);
    return editor_error_set(c->err, "ERR_INVALID_PARAMS",
                            "action must be add, update, remove or move");
}

const struct editor_tool tool_manage_component = {"manage_component", manage_component};
