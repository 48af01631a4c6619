#include "editor/value.h"

#include "base/number.h"
#include "unity/builtin.h"
#include "unity/yaml_write.h"

static void put_value(struct value_view *v, struct jsonw *w, const struct type *t,
                      struct yaml_value value, unsigned depth);

/* Flag of depth: the value is an element of an array, so its object has no type. */
#define IN_ARRAY 0x100u

static void begin_value(struct jsonw *w, const struct type *t, unsigned depth)
{
    jsonw_object(w);
    if (!(depth & IN_ARRAY))
        jsonw_kstr(w, "type", t->name);
    jsonw_key(w, "value");
}

/* ---- plain values */

static void put_double(struct jsonw *w, struct yaml_value value)
{
    double d = 0;
    if (value.kind == YAML_NONE || value.kind == YAML_EMPTY)
        jsonw_int(w, 0);
    else if (!yaml_double(value, &d))
        jsonw_str(w, value.text);
    else if (d - d != 0) /* JSON has no such number */
        jsonw_cstr(w, d != d ? "NaN" : d > 0 ? "Infinity" : "-Infinity");
    else
        jsonw_double(w, d);
}

static void put_integer(struct jsonw *w, struct yaml_value value)
{
    int64_t i = 0;
    uint64_t u = 0;
    if (yaml_i64(value, &i))
        jsonw_int(w, i);
    else if (yaml_u64(value, &u))
        jsonw_uint(w, u);
    else
        put_double(w, value);
}

static void put_bool(struct jsonw *w, struct yaml_value value)
{
    int64_t i = 0;
    jsonw_bool(w, yaml_i64(value, &i) && i != 0);
}

static void put_member_number(struct jsonw *w, const char *name, struct yaml_value map,
                              const char *key)
{
    jsonw_key(w, name);
    put_double(w, yaml_get(map, str_from(key)));
}

/* Each letter is both the name and the key of a part: "xyz", "rgba". */
static void put_letters(struct jsonw *w, struct yaml_value map, const char *letter_names)
{
    jsonw_object(w);
    for (const char *c = letter_names; *c; c++)
        put_member_number(w, (const char[]){*c, '\0'}, map, (const char[]){*c, '\0'});
    jsonw_end(w);
}

static void put_enum(struct value_view *v, struct jsonw *w, const struct type *t,
                     struct yaml_value value)
{
    int64_t i = 0;
    struct str name = {0};
    if (yaml_i64(value, &i) || value.kind == YAML_EMPTY || value.kind == YAML_NONE)
        name = t->values ? type_enum_name(t->values, i, v->arena) : name;
    if (name.n)
        jsonw_str(w, name);
    else
        put_integer(w, value);
}

static void put_rect(struct jsonw *w, struct yaml_value map)
{
    static const char *const names[] = {"x", "y", "width", "height"};
    static const char *const old[] = {"m_XMin", "m_YMin", "m_Width", "m_Height"};
    bool is_old = yaml_get(map, STR("m_XMin")).kind != YAML_NONE;
    jsonw_object(w);
    for (size_t i = 0; i < 4; i++)
        put_member_number(w, names[i], map, is_old ? old[i] : names[i]);
    jsonw_end(w);
}

static void put_bounds(struct jsonw *w, struct yaml_value map)
{
    struct yaml_value extent = yaml_get(map, STR("m_Extent"));
    jsonw_object(w);
    jsonw_key(w, "center");
    put_letters(w, yaml_get(map, STR("m_Center")), "xyz");
    jsonw_key(w, "size");
    jsonw_object(w);
    for (const char *c = "xyz"; *c; c++) {
        double half = 0;
        yaml_double(yaml_get(extent, (struct str){c, 1}), &half);
        char key[] = {*c, '\0'};
        jsonw_key(w, key);
        jsonw_double(w, (double)(float)(half * 2));
    }
    jsonw_end(w);
    jsonw_end(w);
}

static void put_bounds_int(struct jsonw *w, struct yaml_value map)
{
    jsonw_object(w);
    jsonw_key(w, "position");
    put_letters(w, yaml_get(map, STR("m_Position")), "xyz");
    jsonw_key(w, "size");
    put_letters(w, yaml_get(map, STR("m_Size")), "xyz");
    jsonw_end(w);
}

/* The file has four bytes in one number; they are shown from 0 to 1, as in the inspector. */
static void put_color32(struct jsonw *w, struct yaml_value map)
{
    struct yaml_value packed = yaml_get(map, STR("rgba"));
    uint64_t rgba = 0;
    int64_t is_signed = 0;
    if (!yaml_u64(packed, &rgba) && yaml_i64(packed, &is_signed))
        rgba = (uint64_t)is_signed;
    jsonw_object(w);
    for (unsigned i = 0; i < 4; i++) {
        char key[] = {"rgba"[i], '\0'};
        jsonw_key(w, key);
        struct buf text = {0};
        yaml_write_float(&text, (float)(rgba >> (8 * i) & 255) / 255.0F);
        double shortest = 0;
        number_double(buf_str(&text), &shortest);
        buf_done(&text);
        jsonw_double(w, shortest);
    }
    jsonw_end(w);
}

static void put_mask(struct jsonw *w, struct yaml_value map)
{
    put_integer(w, yaml_get(map, STR("m_Bits")));
}

static void put_curve(struct jsonw *w, struct yaml_value map)
{
    struct yaml_value keys = yaml_get(map, STR("m_Curve"));
    size_t count = yaml_count(keys);
    jsonw_object(w);
    jsonw_kint(w, "keyCount", (int64_t)count);
    jsonw_key(w, "timeRange");
    jsonw_array(w);
    if (count > 0) {
        put_double(w, yaml_get(yaml_at(keys, 0), STR("time")));
        put_double(w, yaml_get(yaml_at(keys, count - 1), STR("time")));
    }
    jsonw_end(w);
    jsonw_end(w);
}

static void put_gradient(struct jsonw *w, struct yaml_value map)
{
    static const char *const modes[] = {"Blend", "Fixed", "PerceptualBlend"};
    int64_t mode = 0;
    yaml_i64(yaml_get(map, STR("m_Mode")), &mode);
    jsonw_object(w);
    jsonw_key(w, "colorKeyCount");
    put_integer(w, yaml_get(map, STR("m_NumColorKeys")));
    jsonw_key(w, "alphaKeyCount");
    put_integer(w, yaml_get(map, STR("m_NumAlphaKeys")));
    if (mode >= 0 && mode < 3)
        jsonw_kcstr(w, "mode", modes[mode]);
    else
        jsonw_kint(w, "mode", mode);
    jsonw_end(w);
}

/* ---- references */

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

/* AssetDatabase has these two paths for all of Unity's own resources. */
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

static void put_reference(struct value_view *v, struct jsonw *w, const struct type *t,
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

/* ---- values of an unknown type */

static const struct type any_object = {.kind = TYPE_OBJECT, .name = STR_INIT("UnityEngine.Object")};

void value_put_unknown(struct value_view *v, struct jsonw *w, struct yaml_value value,
                       unsigned depth)
{
    struct yaml_item item;
    struct yaml_walk walk = yaml_walk(value);
    struct reference r;
    switch (value.kind) {
    case YAML_MAP:
    case YAML_FLOW_MAP:
        if (yaml_reference(value, &r)) {
            put_reference(v, w, &any_object, value, false);
            return;
        }
        if (depth >= VALUE_MAX_DEPTH) {
            jsonw_cstr(w, "...");
            return;
        }
        jsonw_object(w);
        while (yaml_next(&walk, &item)) {
            jsonw_key_str(w, item.key);
            value_put_unknown(v, w, item.value, depth + 1);
        }
        jsonw_end(w);
        return;
    case YAML_LIST:
    case YAML_FLOW_LIST:
        if (depth >= VALUE_MAX_DEPTH) {
            jsonw_cstr(w, "...");
            return;
        }
        jsonw_array(w);
        for (size_t i = 0; i < v->max_array && yaml_next(&walk, &item); i++)
            value_put_unknown(v, w, item.value, depth + 1);
        jsonw_end(w);
        return;
    case YAML_NONE:
    case YAML_EMPTY:
    case YAML_SCALAR:
        break;
    }
    double d = 0;
    if (value.kind == YAML_SCALAR && yaml_double(value, &d) && d - d == 0)
        jsonw_double(w, d);
    else
        jsonw_str(w, yaml_text(v->arena, value));
}

/* ---- structs and arrays */

/* Put the text after a key, so that it parses like a file. */
struct yaml_value value_initial(struct arena *a, struct str initial)
{
    struct buf text = {0};
    bool is_block = initial.n > 0 && initial.p[0] == '\n';
    bool is_flat_map = is_block && initial.n > 1 && initial.p[1] != ' ' && initial.p[1] != '-';
    buf_add(&text, is_block ? STR("k:") : STR("k: "));
    for (size_t i = 0; i < initial.n; i++) {
        buf_add_char(&text, initial.p[i]);
        if (initial.p[i] == '\n' && is_flat_map)
            buf_add(&text, STR("  "));
    }
    buf_add_char(&text, '\n');
    struct str kept = arena_str(a, buf_str(&text));
    buf_done(&text);
    return yaml_get(yaml_plain(kept), STR("k"));
}

static void put_fields(struct value_view *v, struct jsonw *w, const struct type_class *c,
                       struct yaml_value map, unsigned depth)
{
    jsonw_object(w);
    for (size_t i = 0; c != NULL && i < c->field_count; i++) {
        const struct type_field *f = &c->fields[i];
        if (f->is_internal)
            continue;
        if (v->fields >= VALUE_MAX_FIELDS) {
            v->is_cut = true;
            break;
        }
        v->fields++;
        struct yaml_value value = type_field_value(f, map);
        if (value.kind == YAML_NONE)
            value = value_initial(v->arena, f->initial);
        jsonw_key_str(w, f->name);
        put_value(v, w, f->type, value, depth);
    }
    jsonw_end(w);
}

/* Read a number of a hex array, least byte first. */
static int64_t hex_number(const struct type *t, const char *bytes)
{
    unsigned size = t->kind == TYPE_BOOL ? 1 : t->bits / 8;
    uint64_t n = 0;
    for (unsigned i = 0; i < size; i++)
        n |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    if (t->is_signed && size < 8 && n >> (8 * size - 1))
        n |= ~0ULL << (8 * size);
    return (int64_t)n;
}

/* Walk an array that is one hex string in the file. */
static size_t each_hex(const struct value_part *p, struct yaml_value value, value_each_fn *each,
                       void *ctx)
{
    const struct type *t = p->type->element;
    unsigned size = t->kind == TYPE_BOOL ? 1 : t->bits / 8;
    struct buf bytes = {0};
    if (size == 0 || !yaml_hex(&bytes, value))
        size = 1;
    size_t count = bytes.n / size;
    for (size_t i = p->from; i < count && i - p->from < p->most; i++) {
        char text[NUMBER_MAX];
        int64_t n = hex_number(t, bytes.p + i * size);
        size_t length = t->is_signed || t->kind == TYPE_BOOL ? number_print_i64(n, text)
                                                             : number_print_u64((uint64_t)n, text);
        each((struct yaml_value){.kind = YAML_SCALAR, .text = str_make(text, length)}, ctx);
    }
    buf_done(&bytes);
    return count;
}

size_t value_each(const struct value_part *p, struct yaml_value value, value_each_fn *each,
                  void *ctx)
{
    if (p->type->is_hex && (value.kind == YAML_SCALAR || value.kind == YAML_EMPTY))
        return each_hex(p, value, each, ctx);
    struct yaml_item item;
    struct yaml_walk walk = yaml_walk(value);
    size_t count = 0;
    for (; yaml_next(&walk, &item); count++)
        if (count >= p->from && count - p->from < p->most)
            each(item.value, ctx);
    return count;
}

struct shown_array { /* the current array */
    struct value_view *v;
    struct jsonw *w;
    const struct type *type;
    unsigned depth;
};

static void put_element(struct yaml_value value, void *ctx)
{
    const struct shown_array *e = ctx;
    put_value(e->v, e->w, e->type, value, e->depth);
}

static void put_array(struct value_view *v, struct jsonw *w, const struct type *t,
                      struct yaml_value value, unsigned depth)
{
    struct shown_array e = {v, w, t->element, ((depth & ~IN_ARRAY) + 1) | IN_ARRAY};
    struct value_part part = {.type = t, .most = v->max_array};
    if (v->max_array == 0) {
        jsonw_object(w);
        if (!(depth & IN_ARRAY))
            jsonw_kstr(w, "type", t->name);
        jsonw_kint(w, "_total_count", (int64_t)value_each(&part, value, put_element, &e));
        jsonw_end(w);
        return;
    }
    begin_value(w, t, depth);
    jsonw_array(w);
    size_t count = value_each(&part, value, put_element, &e);
    jsonw_end(w);
    if (count > v->max_array) {
        jsonw_kbool(w, "_truncated", true);
        jsonw_kint(w, "_total_count", (int64_t)count);
    }
    jsonw_end(w);
}

/* A [SerializeReference] field is a number; the object is at the end of the document. */
static struct yaml_value managed_entry(struct value_view *v, int64_t rid)
{
    struct yaml_value all = yaml_get(v->body, STR("references"));
    struct yaml_item item;
    struct yaml_walk walk = yaml_walk(yaml_get(all, STR("RefIds")));
    while (yaml_next(&walk, &item)) {
        int64_t id = 0;
        if (yaml_i64(yaml_get(item.value, STR("rid")), &id) && id == rid)
            return item.value;
    }
    walk = yaml_walk(all); /* version 1: "00000000:" */
    while (yaml_next(&walk, &item)) {
        int64_t id = 0;
        if (item.key.n == 8 && str_to_i64(item.key, &id) && id == rid)
            return item.value;
    }
    return (struct yaml_value){0};
}

bool value_managed(struct value_view *v, struct yaml_value value, struct value_managed *out)
{
    int64_t rid = -2;
    struct yaml_value id = yaml_get(value, STR("rid"));
    if (!yaml_i64(id.kind == YAML_NONE ? yaml_get(value, STR("id")) : id, &rid) || rid < 0)
        return false;
    struct yaml_value entry = managed_entry(v, rid), type = yaml_get(entry, STR("type"));
    struct str name = yaml_text(v->arena, yaml_get(type, STR("class"))),
               space = yaml_text(v->arena, yaml_get(type, STR("ns")));
    if (!name.n)
        return false;
    struct str full =
        arena_printf(v->arena, "%.*s%s%.*s", STR_ARG(space), space.n ? "." : "", STR_ARG(name));
    for (size_t i = 0; i < full.n; i++)
        if (full.p[i] == '/')
            ((char *)(uintptr_t)full.p)[i] = '+';
    const struct type_class *const *found = NULL;
    size_t count = types_find(v->db->types, full, &found);
    *out = (struct value_managed){
        .type = full,
        .class = count > 0 && found[0]->is_known ? found[0] : NULL,
        .data = yaml_get(entry, STR("data")),
    };
    return true;
}

static void put_managed(struct value_view *v, struct jsonw *w, struct yaml_value value,
                        unsigned depth)
{
    struct value_managed m;
    if (!value_managed(v, value, &m)) {
        jsonw_null(w);
        return;
    }
    jsonw_object(w);
    jsonw_kstr(w, "type", m.type);
    jsonw_key(w, "value");
    if ((depth & ~IN_ARRAY) >= VALUE_MAX_DEPTH)
        jsonw_cstr(w, "...");
    else if (m.class)
        put_fields(v, w, m.class, m.data, (depth & ~IN_ARRAY) + 1);
    else
        value_put_unknown(v, w, m.data, (depth & ~IN_ARRAY) + 1);
    jsonw_end(w);
}

/* ---- one value */

static const char *const letter_names[TYPE_KIND_COUNT] = {
    [TYPE_VECTOR2] = "xy",      [TYPE_VECTOR2_INT] = "xy", [TYPE_VECTOR3] = "xyz",
    [TYPE_VECTOR3_INT] = "xyz", [TYPE_VECTOR4] = "xyzw",   [TYPE_QUATERNION] = "xyzw",
    [TYPE_COLOR] = "rgba",
};

typedef void shape_fn(struct jsonw *w, struct yaml_value value);

static shape_fn *const shapes[TYPE_KIND_COUNT] = {
    [TYPE_COLOR32] = put_color32,       [TYPE_RECT] = put_rect,
    [TYPE_RECT_INT] = put_rect,         [TYPE_BOUNDS] = put_bounds,
    [TYPE_BOUNDS_INT] = put_bounds_int, [TYPE_LAYER_MASK] = put_mask,
    [TYPE_CURVE] = put_curve,           [TYPE_GRADIENT] = put_gradient,
};

void value_put_bare(struct value_view *v, struct jsonw *w, const struct type *t,
                    struct yaml_value value)
{
    if (t->kind == TYPE_BOOL)
        put_bool(w, value);
    else if (t->kind == TYPE_INT)
        put_integer(w, value);
    else if (t->kind == TYPE_FLOAT || t->kind == TYPE_DOUBLE)
        put_double(w, value);
    else if (t->kind == TYPE_STRING)
        jsonw_str(w, yaml_text(v->arena, value));
    else if (t->kind == TYPE_ENUM)
        put_enum(v, w, t, value);
    else if (letter_names[t->kind])
        put_letters(w, value, letter_names[t->kind]);
    else if (shapes[t->kind])
        shapes[t->kind](w, value);
    else
        jsonw_null(w);
}

static bool is_plain(enum type_kind kind)
{
    return kind == TYPE_BOOL || kind == TYPE_INT || kind == TYPE_FLOAT || kind == TYPE_DOUBLE ||
           kind == TYPE_STRING;
}

static void put_wrapped(struct value_view *v, struct jsonw *w, const struct type *t,
                        struct yaml_value value, unsigned depth)
{
    begin_value(w, t, depth);
    if (t->kind == TYPE_STRUCT)
        put_fields(v, w, t->of, value, (depth & ~IN_ARRAY) + 1);
    else if (t->kind == TYPE_UNKNOWN)
        value_put_unknown(v, w, value, depth & ~IN_ARRAY);
    else
        value_put_bare(v, w, t, value);
    jsonw_end(w);
}

static void put_value(struct value_view *v, struct jsonw *w, const struct type *t,
                      struct yaml_value value, unsigned depth)
{
    bool is_deep = (depth & ~IN_ARRAY) >= VALUE_MAX_DEPTH;
    t = value_type(t, value);
    if (is_plain(t->kind))
        value_put_bare(v, w, t, value);
    else if (t->kind == TYPE_OBJECT)
        put_reference(v, w, t, value, !(depth & IN_ARRAY));
    else if (is_deep && (t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY))
        jsonw_cstr(w, "...");
    else if (t->kind == TYPE_ARRAY)
        put_array(v, w, t, value, depth);
    else if (t->kind == TYPE_MANAGED)
        put_managed(v, w, value, depth);
    else
        put_wrapped(v, w, t, value, depth);
}

const struct type *value_type(const struct type *t, struct yaml_value value)
{
    struct reference r;
    return t->kind == TYPE_UNKNOWN && yaml_reference(value, &r) ? &any_object : t;
}

void value_put_field(struct value_view *v, struct jsonw *w, const struct type_field *f,
                     struct yaml_value value)
{
    if (value.kind == YAML_NONE)
        value = value_initial(v->arena, f->initial);
    v->fields++;
    jsonw_key_str(w, f->name);
    put_value(v, w, f->type, value, 0);
}

const struct type_class *value_class(struct types *types, const struct scene *s, uint32_t node,
                                     uint32_t component)
{
    const struct scene_component *c = scene_component(s, node, component);
    if (c->class_id == 0)
        return NULL;
    const struct type_class *class = types_component(types, c->class_id, c->script, STR(""));
    if (class != NULL)
        return class;
    if (c->class_id != 114) {
        struct str native = scene_class_name(s, node, component);
        return native.n ? types_class_newer(types, c->class_id, native) : NULL;
    }
    /* Last, because it must be read from the document. */
    struct arena a = {0};
    struct str identifier =
        yaml_text(&a, yaml_get(scene_body(s, node, component, &a), STR("m_EditorClassIdentifier")));
    if (identifier.n)
        class = types_component(types, c->class_id, c->script, identifier);
    arena_done(&a);
    return class;
}
