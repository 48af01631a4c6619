/* get_component_info: the fields of one component. docs/spec/20-scene-tools.md, 1. */
#include "editor/component.h"

static bool is_asked_for(const struct json *names, const struct type_field *f)
{
    if (!json_is(names, JSON_ARRAY))
        return true;
    JSON_ITEMS (names, name) {
        if (str_eq(json_str(name), f->name) || str_eq(json_str(name), f->key))
            return true;
    }
    return false;
}

/* A class of the engine shows its keys under other names, where no two would be one: of mass, Mass,
 * m_mass and m_Mass there must be one. */
static struct str shown_name(const struct value_view *v, struct str key)
{
    struct str name = types_shown_name(v->arena, key);
    if (name.n == 0 || str_eq(name, key))
        return key;
    for (unsigned form = 0; form < 4; form++) {
        struct str other = arena_printf(v->arena, "%s%.*s", form & 1 ? "m_" : "", STR_ARG(name));
        char *first = (char *)other.p + (form & 1 ? 2 : 0);
        if (form & 2 && *first >= 'a' && *first <= 'z')
            *first = (char)(*first - 'a' + 'A');
        if (!str_eq(other, key) && yaml_get(v->body, other).kind != YAML_NONE)
            return key;
    }
    return name;
}

/* Keys that nobody knows the type of: all of a script whose source is not there, or of a class that
 * is newer than our tables. */
static void put_unknown(struct value_view *v, struct jsonw *w, const struct type_class *class,
                        const struct json *names)
{
    static const struct type unknown = {.kind = TYPE_UNKNOWN, .name = STR_INIT("unknown")};
    struct yaml_item item;
    struct yaml_walk walk = yaml_walk(v->body);
    while (yaml_next(&walk, &item)) {
        struct type_field f = {.key = item.key, .name = item.key, .type = &unknown};
        if (v->fields < VALUE_MAX_FIELDS && class->class_id != 114)
            f.name = shown_name(v, item.key);
        bool is_known =
            str_eq(item.key, STR("references")) || str_eq(item.key, STR("serializedVersion"));
        for (size_t i = 0; i < class->field_count && !is_known; i++)
            is_known = type_field_is(&class->fields[i], item.key);
        if (is_known || !is_asked_for(names, &f))
            continue;
        if (v->fields >= VALUE_MAX_FIELDS) {
            v->is_cut = true;
            return;
        }
        value_put_field(v, w, &f, item.value);
    }
}

static bool run(struct editor_call *c)
{
    struct component p;
    uint64_t max = 16;
    if (!component_find(c, &p))
        return false;
    json_u64(json_get(c->args, STR("max_array_elements")), &max);
    const struct json *names = json_get(c->args, STR("fields"));
    struct value_view v = {.scene = p.scene,
                           .db = c->db,
                           .arena = c->arena,
                           .body = scene_body(p.scene, p.node, p.index, c->arena),
                           .max_array = max};
    jsonw_object(c->out);
    component_put_owner(c, &p);
    jsonw_kint(c->out, "index", p.index);
    jsonw_kstr(c->out, "component_type", p.class->name);
    jsonw_key(c->out, "fields");
    jsonw_object(c->out);
    for (size_t i = 0; i < p.class->field_count; i++) {
        const struct type_field *f = &p.class->fields[i];
        struct yaml_value value = type_field_value(f, v.body);
        /* What a built-in class has in other versions only is not there; a field of this version
         * that was never saved is. */
        bool is_there = value.kind != YAML_NONE || p.class->class_id == 114 || f->is_filled_in;
        if (f->is_internal || f->is_read_only || !is_there || !is_asked_for(names, f))
            continue;
        if (v.fields >= VALUE_MAX_FIELDS) {
            v.is_cut = true;
            break;
        }
        value_put_field(&v, c->out, f, value);
    }
    put_unknown(&v, c->out, p.class, names);
    jsonw_end(c->out);
    if (v.is_cut)
        jsonw_kbool(c->out, "_fields_truncated", true);
    if (scene_is_partial(p.scene, p.node, p.index))
        jsonw_kbool(c->out, "_partial", true);
    jsonw_end(c->out);
    return true;
}

const struct editor_tool tool_get_component_info = {"get_component_info", run};
