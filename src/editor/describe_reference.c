#include "editor/describe_parts.h"

#include "editor/value_reference.h"
#include "unity/builtin.h"

static void put_null(struct jsonw *w, const struct type *t)
{
    bool object, asset;
    describe_accepts(t, &object, &asset);
    jsonw_key(w, "value");
    jsonw_null(w);
    if (object)
        jsonw_kbool(w, "is_object_ref", true);
    if (asset)
        jsonw_kbool(w, "is_asset_ref", true);
    jsonw_key(w, "set");
    jsonw_null(w);
}

static bool fits(const struct type *t, struct str class)
{
    return t->of == NULL || str_eq(t->of->name, STR("UnityEngine.Object")) ||
           str_eq(t->of->name, class);
}

/* {"$ref": path}, and of a component its index: of several of one class it is this one. */
static void put_object(struct describe *d, struct jsonw *w, const struct type *t,
                       struct scene_place at)
{
    const struct scene *s = d->view->scene;
    struct reference target;
    bool is_node = at.component == SCENE_NONE;
    if (scene_target(s, at, &target) && target.file_id == 0)
        return; /* nothing can refer to it */
    const struct type_class *c =
        is_node ? NULL : value_class(d->view->db->types, s, at.node, at.component);
    if (is_node ? !fits(t, STR("UnityEngine.GameObject"))
                : c == NULL || (t->of && !type_class_is_a(c, t->of->name)))
        return;
    struct buf path = {0};
    scene_put_path(s, at.node, &path);
    jsonw_key(w, "set");
    jsonw_object(w);
    jsonw_kstr(w, "$ref", buf_str(&path));
    if (!is_node)
        jsonw_kint(w, "index", at.component);
    jsonw_end(w);
    buf_done(&path);
}

static bool finds(struct describe *d, const struct asset_query *q, struct reference r)
{
    struct reference found;
    struct error err;
    return asset_object_find(d->view->db, q, &found, &err) && guid_eq(found.guid, r.guid) &&
           found.file_id == r.file_id;
}

/* {"$asset": path}, with a name if it is another object that would be meant else. Where a name is
 * not enough, or the type has changed meanwhile, there is no way to write it. */
static void put_asset(struct describe *d, struct jsonw *w, const struct type *t, struct reference r)
{
    static const struct guid resources = {0, 0xe000000000000000}, extra = {0, 0xf000000000000000};
    struct str name = {0};
    asset_object_type(d->view->db, r, d->view->arena, &name);
    bool is_extra = guid_eq(r.guid, extra);
    struct asset_query q = {.path = assets_path(d->view->db->assets, r.guid), .wanted = t->of};
    if (is_extra || guid_eq(r.guid, resources)) {
        const char *label = builtin_resource(r);
        q.path = is_extra ? STR("Resources/unity_builtin_extra")
                          : STR("Library/unity default resources");
        name = label ? str_from(label) : name;
    }
    /* A part of an image or model is asked for by its name, as find_assets has it. */
    bool is_part = asset_object_part(d->view->db, r, d->view->arena, &name);
    q.name = is_part ? name : (struct str){0};
    if (!finds(d, &q, r)) {
        q.name = is_part ? (struct str){0} : name;
        if ((!is_part && !name.n) || !finds(d, &q, r))
            return;
    }
    jsonw_key(w, "set");
    jsonw_object(w);
    jsonw_kstr(w, "$asset", q.path);
    if (q.name.n)
        jsonw_kstr(w, "name", q.name);
    jsonw_end(w);
}

void describe_reference(struct describe *d, struct jsonw *w, const struct type *t,
                        struct yaml_value value)
{
    struct reference r = {0};
    struct scene_place at;
    if (!yaml_reference(value, &r) || reference_is_null(r)) {
        put_null(w, t);
        return;
    }
    if (!value_put_target(d->view, w, t, r))
        jsonw_kbool(w, "is_missing", true);
    else if (!reference_is_local(r))
        put_asset(d, w, t, r);
    else if (scene_where(d->view->scene, r.file_id, &at))
        put_object(d, w, t, at);
}
