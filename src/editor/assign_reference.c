#include "editor/assign_reference.h"

#include "editor/value.h"

static const struct str GAME_OBJECT = STR_INIT("UnityEngine.GameObject");

static bool fits(const struct type *t, const struct type_class *c)
{
    return t->of == NULL || (c != NULL && type_class_is_a(c, t->of->name));
}

/* GetComponent(type): the first that fits; SCENE_NONE: none. */
static uint32_t component_of_type(struct assign *a, uint32_t node, const struct type *t,
                                  struct str name)
{
    for (uint32_t i = 0; i < a->scene->nodes[node].component_count; i++) {
        const struct type_class *c = value_class(a->db->types, a->scene, node, i);
        if (c != NULL && (name.n ? type_class_is_a(c, name) : fits(t, c)))
            return i;
    }
    return SCENE_NONE;
}

static struct draft *point_to(struct assign *a, struct str key, struct scene_place at)
{
    struct reference source;
    if (scene_target(a->scene, at, &source) && source.file_id == 0)
        return assign_fail(
            a, "ERR_REFERENCE_NOT_FOUND",
            "%.*s belongs to a model or to a prefab that is not there, and its id in "
            "it is not known: nothing can refer to it",
            STR_ARG(a->scene->nodes[at.node].name));
    struct assign_target *target = arena_zalloc(a->arena, sizeof *target);
    target->at = at;
    target->draft = draft_new(a->arena, DRAFT_REFERENCE, key);
    target->next = a->targets;
    a->targets = target;
    return target->draft;
}

static struct draft *named_component(struct assign *a, const struct type_field *f, uint32_t node,
                                     struct str name)
{
    uint32_t i = component_of_type(a, node, f->type, name);
    struct str object = a->scene->nodes[node].name;
    if (i == SCENE_NONE)
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND", "%.*s has no component %.*s",
                           STR_ARG(object), STR_ARG(name));
    const struct type_class *c = value_class(a->db->types, a->scene, node, i);
    if (!fits(f->type, c))
        return assign_fail(a, "ERR_INVALID_PARAMS", "the field takes %.*s, not %.*s",
                           STR_ARG(f->type->name), STR_ARG(c->name));
    return point_to(a, f->key, (struct scene_place){node, i});
}

/* The index is for those of which one GameObject has several. */
static struct draft *numbered_component(struct assign *a, const struct type_field *f, uint32_t node,
                                        const struct json *index)
{
    uint64_t i = 0;
    struct str object = a->scene->nodes[node].name;
    if (!json_u64(index, &i))
        return assign_fail(a, "ERR_INVALID_PARAMS",
                           "index is the place of a component on its GameObject, from 0");
    if (i >= a->scene->nodes[node].component_count)
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND", "%.*s has no component %llu",
                           STR_ARG(object), (unsigned long long)i);
    const struct type_class *c = value_class(a->db->types, a->scene, node, (uint32_t)i);
    if (c == NULL)
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND",
                           "component %llu of %.*s is a script that is missing",
                           (unsigned long long)i, STR_ARG(object));
    if (!fits(f->type, c))
        return assign_fail(a, "ERR_INVALID_PARAMS", "the field takes %.*s, not %.*s",
                           STR_ARG(f->type->name), STR_ARG(c->name));
    return point_to(a, f->key, (struct scene_place){node, (uint32_t)i});
}

static struct draft *scene_object(struct assign *a, const struct type_field *f,
                                  const struct json *value)
{
    struct str path = json_str(json_get(value, STR("$ref")));
    const struct json *component = json_get(value, STR("component")),
                      *index = json_get(value, STR("index"));
    if (path.p == NULL)
        return assign_fail(a, "ERR_INVALID_PARAMS", "$ref is the path of a GameObject, a string");
    if (component != NULL && json_type(component) != JSON_STRING)
        return assign_fail(a, "ERR_INVALID_PARAMS", "component is the name of a type, a string");
    uint32_t node = scene_find(a->scene, path);
    if (node == SCENE_NONE)
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND", "there is no GameObject at %.*s",
                           STR_ARG(path));
    if (index != NULL)
        return numbered_component(a, f, node, index);
    if (component != NULL)
        return named_component(a, f, node, json_str(component));
    const struct type_class *wanted = f->type->of;
    if (wanted == NULL || str_eq(wanted->name, GAME_OBJECT) ||
        str_eq(wanted->name, STR("UnityEngine.Object")))
        return point_to(a, f->key, (struct scene_place){node, SCENE_NONE});
    uint32_t i = component_of_type(a, node, f->type, (struct str){0});
    if (i == SCENE_NONE)
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND", "%.*s has no component of type %.*s",
                           STR_ARG(path), STR_ARG(wanted->name));
    return point_to(a, f->key, (struct scene_place){node, i});
}

static struct draft *asset(struct assign *a, const struct type_field *f, const struct json *value)
{
    const struct json *name = json_get(value, STR("name"));
    struct asset_query q = {.path = json_str(json_get(value, STR("$asset"))),
                            .name = json_str(name),
                            .wanted = f->type->of};
    if (q.path.p == NULL)
        return assign_fail(a, "ERR_INVALID_PARAMS", "$asset is the path of an asset, a string");
    if (name != NULL && q.name.p == NULL)
        return assign_fail(a, "ERR_INVALID_PARAMS", "name picks an object of the asset, a string");
    struct error err;
    struct draft *d = draft_new(a->arena, DRAFT_REFERENCE, f->key);
    if (!asset_object_find(a->db, &q, &d->reference, &err))
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND", "%s", err.text);
    return d;
}

struct draft *assign_reference(struct assign *a, const struct type_field *f,
                               const struct json *value)
{
    if (json_is(value, JSON_NULL))
        return draft_new(a->arena, DRAFT_REFERENCE, f->key);
    if (json_is(value, JSON_OBJECT) && json_get(value, STR("$ref")))
        return scene_object(a, f, value);
    if (json_is(value, JSON_OBJECT) && json_get(value, STR("$asset")))
        return asset(a, f, value);
    return assign_fail(a, "ERR_INVALID_PARAMS",
                       "a reference to %.*s is {\"$ref\": path}, {\"$asset\": path} or null",
                       STR_ARG(f->type->name));
}
