/* get_component_info: the fields of one component. docs/spec/20-scene-tools.md, 1. */
#include "editor/change.h"
#include "editor/component.h"
#include "editor/describe.h"
#include "editor/tool_arg.h"

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

/* Return the shown name of a key of an engine class. If two keys would get the same name (of mass,
 * Mass, m_mass and m_Mass), they keep their own. */
static struct str shown_name(const struct value_view *v, struct str key)
{
    struct str name = type_shown_name(v->arena, key);
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

/* Fields to write, with or without `describe`. */
struct field_list {
    struct value_view view;
    struct describe describe;
    bool is_described;
    const struct json *names; /* requested; NULL: all */
    struct jsonw *out;
};

/* Return false if the answer is full. */
static bool put_field(struct field_list *l, const struct type_field *f, struct yaml_value value)
{
    if (l->view.fields >= VALUE_MAX_FIELDS) {
        l->view.is_cut = true;
        return false;
    }
    if (l->is_described)
        describe_field(&l->describe, l->out, f, value);
    else
        value_put_field(&l->view, l->out, f, value);
    return true;
}

static void put_known(struct field_list *l, const struct type_class *class)
{
    for (size_t i = 0; i < class->field_count; i++) {
        const struct type_field *f = &class->fields[i];
        struct yaml_value value = type_field_value(f, l->view.body);
        /* Skip a built-in field that only other versions have; show a field of this version even
         * if it was never saved. */
        bool is_there = value.kind != YAML_NONE || class->class_id == 114 || f->is_filled_in;
        if (f->is_internal || f->is_read_only || !is_there || !is_asked_for(l->names, f))
            continue;
        if (!put_field(l, f, value))
            return;
    }
}

/* Write keys of unknown type: those of a script without a source, or of a class that is newer than
 * our tables. */
static void put_unknown(struct field_list *l, const struct type_class *class)
{
    static const struct type unknown = {.kind = TYPE_UNKNOWN, .name = STR_INIT("unknown")};
    struct yaml_item item;
    struct yaml_walk walk = yaml_walk(l->view.body);
    while (yaml_next(&walk, &item)) {
        struct type_field f = {.key = item.key, .name = item.key, .type = &unknown};
        if (l->view.fields < VALUE_MAX_FIELDS && class->class_id != 114)
            f.name = shown_name(&l->view, item.key);
        bool is_known =
            str_eq(item.key, STR("references")) || str_eq(item.key, STR("serializedVersion"));
        for (size_t i = 0; i < class->field_count && !is_known; i++)
            is_known = type_field_is(&class->fields[i], item.key);
        if (is_known || !is_asked_for(l->names, &f))
            continue;
        if (!put_field(l, &f, item.value))
            return;
    }
}

/* Write the nested values whose names have a dot or an index. */
static void put_paths(struct field_list *l, const struct type_class *class)
{
    if (!l->is_described || !json_is(l->names, JSON_ARRAY))
        return;
    JSON_ITEMS (l->names, name) {
        struct str path = json_str(name);
        bool is_path = str_find_char(path, '.') < path.n || str_find_char(path, '[') < path.n;
        JSON_ITEMS (l->names, before) {
            if (before == name)
                break;
            is_path = is_path && !str_eq(json_str(before), path);
        }
        if (!is_path || type_field_find(class, path))
            continue;
        if (l->view.fields >= VALUE_MAX_FIELDS) {
            l->view.is_cut = true;
            return;
        }
        describe_path(&l->describe, l->out, class, path);
    }
}

/* Write why the component cannot be edited, if so. */
static void put_refusal(struct editor_call *c, const struct component *p)
{
    struct editor_error err = {0};
    struct change change;
    change_init(&change, p->scene, c->db, c->project, c->arena);
    change.err = &err;
    if (!component_is_known(p, &err) ||
        !change_is_possible(&change, (struct scene_place){p->node, p->index}) ||
        !open_scene_may_change(c->open_scene, &err)) {
        jsonw_kbool(c->out, "is_read_only", true);
        jsonw_kcstr(c->out, "read_only_reason", err.text);
    }
    change_done(&change);
    editor_error_done(&err);
}

static bool get_component_info(struct editor_call *c)
{
    struct component p;
    if (!component_find(c, &p))
        return false;
    struct field_list l = {
        .view = {.scene = p.scene,
                 .db = c->db,
                 .arena = c->arena,
                 .body = scene_body(p.scene, p.node, p.index, c->arena),
                 .max_array = tool_arg_u64(c->args, "max_array_elements", 16)},
        .describe = {.project = c->project, .offset = tool_arg_u64(c->args, "array_offset", 0)},
        .is_described = tool_arg_bool(c->args, "describe", false),
        .names = json_get(c->args, STR("fields")),
        .out = c->out,
    };
    l.describe.view = &l.view;
    jsonw_object(c->out);
    component_put_owner(c, &p);
    jsonw_kint(c->out, "index", p.index);
    jsonw_kstr(c->out, "component_type", p.class->name);
    if (l.is_described)
        put_refusal(c, &p);
    jsonw_key(c->out, "fields");
    jsonw_object(c->out);
    put_known(&l, p.class);
    put_unknown(&l, p.class);
    put_paths(&l, p.class);
    jsonw_end(c->out);
    if (l.view.is_cut)
        jsonw_kbool(c->out, "_fields_truncated", true);
    if (scene_is_partial(p.scene, p.node, p.index))
        jsonw_kbool(c->out, "_partial", true);
    jsonw_end(c->out);
    return true;
}

const struct editor_tool tool_get_component_info = {"get_component_info", get_component_info};
