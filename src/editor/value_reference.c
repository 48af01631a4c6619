#include "editor/value_reference.h"

#include "unity/builtin.h"

static void put_named(struct jsonw *w, struct str name, struct str type)
{
    struct buf text = {0};
    buf_printf(&text, "%.*s (%.*s)", STR_ARG(name), STR_ARG(type));
    jsonw_kstr(w, "value", buf_str(&text));
    buf_done(&text);
}

static void put_missing(struct jsonw *w, const struct type *t, const char *mark)
{
    put_named(w, STR("Missing"), type_simple_name(t->name));
    jsonw_kbool(w, mark, true);
}

static bool put_scene_object(struct value_view *v, struct jsonw *w, const struct type *t,
                             struct reference r)
{
    struct scene_place at;
    if (!scene_where(v->scene, r.file_id, &at)) {
        put_missing(w, t, "is_object_ref");
        return false;
    }
    struct str name = v->scene->nodes[at.node].name;
    if (at.component == SCENE_NONE) {
        jsonw_kstr(w, "value", name);
    } else {
        const struct type_class *c = value_class(v->db->types, v->scene, at.node, at.component);
        put_named(w, name, c ? c->simple : type_simple_name(t->name));
    }
    jsonw_kbool(w, "is_object_ref", true);
    struct buf path = {0};
    scene_put_path(v->scene, at.node, &path);
    jsonw_kstr(w, "ref_path", buf_str(&path));
    buf_done(&path);
    return true;
}

/* Unity's own resources: AssetDatabase has these two paths for all of them. */
static bool put_builtin(struct jsonw *w, const struct type *t, struct reference r)
{
    static const struct guid resources = {0, 0xe000000000000000}, extra = {0, 0xf000000000000000};
    bool is_extra = guid_eq(r.guid, extra);
    if (!is_extra && !guid_eq(r.guid, resources))
        return false;
    const char *label = builtin_resource(r);
    put_named(w, label ? str_from(label) : STR("Built-in resource"), type_simple_name(t->name));
    jsonw_kbool(w, "is_asset_ref", true);
    jsonw_kcstr(w, "asset_path",
                is_extra ? "Resources/unity_builtin_extra" : "Library/unity default resources");
    return true;
}

static bool put_asset(struct value_view *v, struct jsonw *w, const struct type *t,
                      struct reference r)
{
    if (put_builtin(w, t, r))
        return true;
    struct str path = assets_path(v->db->assets, r.guid);
    if (path.n) {
        struct str name = {0}, type = asset_object_type(v->db, r, v->arena, &name);
        put_named(w, name, type.n ? type : type_simple_name(t->name));
        jsonw_kbool(w, "is_asset_ref", true);
        jsonw_kstr(w, "asset_path", path);
        return true;
    }
    char guid[GUID_LEN + 1];
    guid_print(r.guid, guid);
    put_missing(w, t, "is_asset_ref");
    jsonw_kcstr(w, "guid", guid);
    return false;
}

bool value_put_target(struct value_view *v, struct jsonw *w, const struct type *t,
                      struct reference r)
{
    return reference_is_local(r) ? put_scene_object(v, w, t, r) : put_asset(v, w, t, r);
}

void value_put_reference(struct value_view *v, struct jsonw *w, const struct type *t,
                         struct yaml_value value, bool with_type)
{
    struct reference r = {0};
    if (!yaml_reference(value, &r) || reference_is_null(r)) {
        jsonw_null(w);
        return;
    }
    jsonw_object(w);
    if (with_type)
        jsonw_kstr(w, "type", t->name);
    value_put_target(v, w, t, r);
    jsonw_end(w);
}
