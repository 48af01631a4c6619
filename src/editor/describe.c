#include "editor/describe.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "editor/assign.h"
#include "unity/builtin.h"

static const char *const kind_names[TYPE_KIND_COUNT] = {
    [TYPE_UNKNOWN] = "unknown",
    [TYPE_BOOL] = "bool",
    [TYPE_INT] = "int",
    [TYPE_FLOAT] = "float",
    [TYPE_DOUBLE] = "float",
    [TYPE_STRING] = "string",
    [TYPE_ENUM] = "enum",
    [TYPE_VECTOR2] = "vector2",
    [TYPE_VECTOR3] = "vector3",
    [TYPE_VECTOR4] = "vector4",
    [TYPE_VECTOR2_INT] = "vector2_int",
    [TYPE_VECTOR3_INT] = "vector3_int",
    [TYPE_QUATERNION] = "quaternion",
    [TYPE_COLOR] = "color",
    [TYPE_COLOR32] = "color32",
    [TYPE_RECT] = "rect",
    [TYPE_RECT_INT] = "rect_int",
    [TYPE_BOUNDS] = "bounds",
    [TYPE_BOUNDS_INT] = "bounds_int",
    [TYPE_LAYER_MASK] = "layer_mask",
    [TYPE_CURVE] = "curve",
    [TYPE_GRADIENT] = "gradient",
    [TYPE_OBJECT] = "object",
    [TYPE_ARRAY] = "array",
    [TYPE_STRUCT] = "struct",
    [TYPE_MANAGED] = "managed",
};

/* ---- numbers */

static void put_limits(struct jsonw *w, const struct type *t)
{
    if (t->bits == 0 || t->bits > 64)
        return;
    jsonw_key(w, "min");
    jsonw_int(w, t->is_signed ? INT64_MIN >> (64 - t->bits) : 0);
    jsonw_key(w, "max");
    jsonw_uint(w, UINT64_MAX >> (64 - t->bits + (t->is_signed ? 1 : 0)));
}

static void put_bound(struct jsonw *w, bool has, double bound)
{
    if (has)
        jsonw_double(w, bound);
    else
        jsonw_null(w);
}

static void put_range(struct jsonw *w, const struct type_hints *h)
{
    if (h == NULL || (!h->has_min && !h->has_max))
        return;
    jsonw_key(w, "range");
    jsonw_array(w);
    put_bound(w, h->has_min, h->min);
    put_bound(w, h->has_max, h->max);
    jsonw_end(w);
}

/* ---- names of values */

/* A single requested field gets all its options: no enum has too many. */
static bool has_room(struct describe *d, struct jsonw *w, size_t count)
{
    if (d->options > 0 && d->options + count > DESCRIBE_MAX_OPTIONS) {
        jsonw_kbool(w, "_options_truncated", true);
        return false;
    }
    d->options += count;
    return true;
}

static void put_option(struct jsonw *w, struct str name, int64_t value, bool is_unsigned)
{
    jsonw_object(w);
    jsonw_kstr(w, "name", name);
    jsonw_key(w, "value");
    if (is_unsigned)
        jsonw_uint(w, (uint64_t)value);
    else
        jsonw_int(w, value);
    jsonw_end(w);
}

struct enum_option {
    const struct type_member *m;
    size_t at;
    bool is_unsigned;
};

static int by_value(const void *a, const void *b)
{
    const struct enum_option *x = a, *y = b;
    if (x->m->value == y->m->value)
        return x->at < y->at ? -1 : 1; /* the first declared name is shown */
    if (x->is_unsigned)
        return (uint64_t)x->m->value < (uint64_t)y->m->value ? -1 : 1;
    return x->m->value < y->m->value ? -1 : 1;
}

static void put_enum_options(struct describe *d, struct jsonw *w, const struct type *t)
{
    const struct type_enum *e = t->values;
    if (e == NULL || !has_room(d, w, e->count))
        return;
    bool is_unsigned = t->bits == 64 && !t->is_signed;
    struct enum_option *all = arena_alloc(d->view->arena, (e->count + 1) * sizeof *all);
    for (size_t i = 0; i < e->count; i++)
        all[i] = (struct enum_option){&e->members[i], i, is_unsigned};
    qsort(all, e->count, sizeof *all, by_value);
    jsonw_key(w, "options");
    jsonw_array(w);
    for (size_t i = 0; i < e->count; i++)
        put_option(w, all[i].m->name, all[i].m->value, is_unsigned);
    jsonw_end(w);
    if (e->flags)
        jsonw_kbool(w, "is_flags", true);
}

/* Write the layers that have a name; a mask may have bits of others. */
static void put_layers(struct describe *d, struct jsonw *w)
{
    jsonw_key(w, "options");
    jsonw_array(w);
    for (unsigned i = 0; i < 32; i++)
        if (d->project->layers[i].n)
            put_option(w, d->project->layers[i], (int64_t)1 << i, false);
    jsonw_end(w);
    jsonw_kbool(w, "is_flags", true);
}

/* ---- references */

static void find_accepted(const struct type *t, bool *object, bool *asset)
{
    static const struct str any = STR_INIT("UnityEngine.Object"),
                            owner = STR_INIT("UnityEngine.GameObject"),
                            part = STR_INIT("UnityEngine.Component");
    const struct type_class *c = t->of;
    *object =
        c == NULL || str_eq(c->name, any) || type_class_is_a(c, owner) || type_class_is_a(c, part);
    *asset = true; /* for components, too: those of prefabs */
}

static void put_accepts(struct jsonw *w, const struct type *t)
{
    bool object, asset;
    find_accepted(t, &object, &asset);
    jsonw_key(w, "accepts");
    jsonw_array(w);
    if (object)
        jsonw_cstr(w, "object");
    if (asset)
        jsonw_cstr(w, "asset");
    jsonw_end(w);
}

/* ---- structs and arrays */

/* Where a type is described. */
struct type_position {
    const struct type_hints *hints; /* of the field, or of its array */
    unsigned depth;
    bool is_whole; /* for all elements of an array: members of structs are described, too */
};

static void put_type(struct describe *d, struct jsonw *w, const struct type_field *f,
                     struct type_position at);

static void put_member_types(struct describe *d, struct jsonw *w, const struct type_class *c,
                             unsigned depth)
{
    jsonw_key(w, "fields");
    jsonw_object(w);
    for (size_t i = 0; c != NULL && i < c->field_count; i++) {
        const struct type_field *f = &c->fields[i];
        if (f->is_internal)
            continue;
        if (d->described >= VALUE_MAX_FIELDS) {
            d->view->is_cut = true;
            break;
        }
        d->described++;
        jsonw_key_str(w, f->name);
        jsonw_object(w);
        put_type(d, w, f, (struct type_position){f->hints, depth, true});
        jsonw_end(w);
    }
    jsonw_end(w);
}

static void put_element_type(struct describe *d, struct jsonw *w, const struct type_field *array,
                             struct type_position at)
{
    struct type_field element = {.type = array->type->element, .is_read_only = array->is_read_only};
    jsonw_key(w, "element");
    jsonw_object(w);
    put_type(d, w, &element, (struct type_position){at.hints, at.depth + 1, true});
    jsonw_end(w);
}

/* ---- a type */

static void put_kind(struct describe *d, struct jsonw *w, const struct type_field *f,
                     struct type_position at)
{
    const struct type *t = f->type;
    bool is_deep = at.depth >= VALUE_MAX_DEPTH;
    if (t->kind == TYPE_INT)
        put_limits(w, t);
    if (t->kind == TYPE_INT || t->kind == TYPE_FLOAT || t->kind == TYPE_DOUBLE)
        put_range(w, at.hints);
    else if (t->kind == TYPE_STRING && at.hints && at.hints->is_multiline)
        jsonw_kbool(w, "multiline", true);
    else if (t->kind == TYPE_ENUM)
        put_enum_options(d, w, t);
    else if (t->kind == TYPE_LAYER_MASK)
        put_layers(d, w);
    else if (t->kind == TYPE_OBJECT)
        put_accepts(w, t);
    else if (t->kind == TYPE_ARRAY && !is_deep)
        put_element_type(d, w, f, at);
    else if (t->kind == TYPE_STRUCT && !is_deep && at.is_whole)
        put_member_types(d, w, t->of, at.depth + 1);
}

static void put_type(struct describe *d, struct jsonw *w, const struct type_field *f,
                     struct type_position at)
{
    const struct type_hints *h = f->hints;
    jsonw_kstr(w, "type", f->type->name);
    jsonw_kcstr(w, "kind", kind_names[f->type->kind]);
    if (h && h->tooltip.n)
        jsonw_kstr(w, "tooltip", utf8_head(h->tooltip, DESCRIBE_MAX_TOOLTIP));
    if (h && h->is_hidden)
        jsonw_kbool(w, "is_hidden", true);
    if (f->is_read_only || !assign_is_supported(f->type) || at.depth + d->above > VALUE_MAX_DEPTH)
        jsonw_kbool(w, "is_read_only", true);
    put_kind(d, w, f, at);
}

static void put_described_type(struct describe *d, struct jsonw *w, const struct type_field *f,
                               unsigned depth)
{
    put_type(d, w, f, (struct type_position){.hints = f->hints, .depth = depth});
}

#define GRADIENT_KEYS 8u

static const struct type number_type = {.kind = TYPE_FLOAT};

static void put_number(struct describe *d, struct jsonw *w, const char *name,
                       struct yaml_value value)
{
    jsonw_key(w, name);
    value_put_bare(d->view, w, &number_type, value);
}

static void put_name(struct jsonw *w, const char *key, struct yaml_value value,
                     const char *const names[], int64_t count)
{
    int64_t n = 0;
    yaml_i64(value, &n);
    jsonw_key(w, key);
    if (n >= 0 && n < count)
        jsonw_cstr(w, names[n]);
    else
        jsonw_int(w, n);
}

/* ---- curves */

static void put_key(struct describe *d, struct jsonw *w, struct yaml_value key)
{
    static const char *const modes[] = {"None", "In", "Out", "Both"};
    int64_t tangent = 0;
    yaml_i64(yaml_get(key, STR("tangentMode")), &tangent);
    jsonw_object(w);
    put_number(d, w, "time", yaml_get(key, STR("time")));
    put_number(d, w, "value", yaml_get(key, STR("value")));
    put_number(d, w, "inTangent", yaml_get(key, STR("inSlope")));
    put_number(d, w, "outTangent", yaml_get(key, STR("outSlope")));
    jsonw_kint(w, "tangentMode", tangent);
    put_name(w, "weightedMode", yaml_get(key, STR("weightedMode")), modes, 4);
    put_number(d, w, "inWeight", yaml_get(key, STR("inWeight")));
    put_number(d, w, "outWeight", yaml_get(key, STR("outWeight")));
    jsonw_end(w);
}

static void put_wrap(struct jsonw *w, const char *key, struct yaml_value value)
{
    static const char *const modes[] = {"PingPong", "Loop", "ClampForever"};
    int64_t n = 2;
    yaml_i64(value, &n);
    jsonw_kcstr(w, key, modes[n >= 0 && n < 3 ? n : 2]);
}

static void put_curve(struct describe *d, struct jsonw *w, struct yaml_value value)
{
    struct yaml_item item;
    struct yaml_walk walk = yaml_walk(yaml_get(value, STR("m_Curve")));
    size_t count = 0;
    jsonw_key(w, "value");
    jsonw_object(w);
    jsonw_key(w, "keys");
    jsonw_array(w);
    for (; yaml_next(&walk, &item); count++)
        if (count < DESCRIBE_MAX_KEYS)
            put_key(d, w, item.value);
    jsonw_end(w);
    put_wrap(w, "preWrapMode", yaml_get(value, STR("m_PreInfinity")));
    put_wrap(w, "postWrapMode", yaml_get(value, STR("m_PostInfinity")));
    jsonw_end(w);
    if (count > DESCRIBE_MAX_KEYS) {
        jsonw_kbool(w, "_truncated", true);
        jsonw_kint(w, "_total_count", (int64_t)count);
    }
}

/* ---- gradients */

static struct yaml_value find_numbered(struct describe *d, struct yaml_value map, const char *name,
                                       int64_t i)
{
    return yaml_get(map, arena_printf(d->view->arena, "%s%lld", name, (long long)i));
}

static void put_time(struct jsonw *w, struct yaml_value value)
{
    int64_t n = 0;
    yaml_i64(value, &n);
    jsonw_key(w, "time");
    jsonw_double(w, (double)n / 65535);
}

static int64_t key_count(struct yaml_value value)
{
    int64_t n = 0;
    yaml_i64(value, &n);
    return n < 0 ? 0 : n > (int64_t)GRADIENT_KEYS ? (int64_t)GRADIENT_KEYS : n;
}

static void put_color(struct describe *d, struct jsonw *w, struct yaml_value key)
{
    jsonw_key(w, "color");
    jsonw_object(w);
    put_number(d, w, "r", yaml_get(key, STR("r")));
    put_number(d, w, "g", yaml_get(key, STR("g")));
    put_number(d, w, "b", yaml_get(key, STR("b")));
    jsonw_end(w);
}

static void put_gradient(struct describe *d, struct jsonw *w, struct yaml_value value)
{
    static const char *const modes[] = {"Blend", "Fixed", "PerceptualBlend"};
    int64_t colors = key_count(yaml_get(value, STR("m_NumColorKeys"))),
            alphas = key_count(yaml_get(value, STR("m_NumAlphaKeys")));
    jsonw_key(w, "value");
    jsonw_object(w);
    jsonw_key(w, "colorKeys");
    jsonw_array(w);
    for (int64_t i = 0; i < colors; i++) {
        jsonw_object(w);
        put_color(d, w, find_numbered(d, value, "key", i));
        put_time(w, find_numbered(d, value, "ctime", i));
        jsonw_end(w);
    }
    jsonw_end(w);
    jsonw_key(w, "alphaKeys");
    jsonw_array(w);
    for (int64_t i = 0; i < alphas; i++) {
        jsonw_object(w);
        put_number(d, w, "alpha", yaml_get(find_numbered(d, value, "key", i), STR("a")));
        put_time(w, find_numbered(d, value, "atime", i));
        jsonw_end(w);
    }
    jsonw_end(w);
    put_name(w, "mode", yaml_get(value, STR("m_Mode")), modes, 3);
    jsonw_end(w);
}

static void put_null(struct jsonw *w, const struct type *t)
{
    bool object, asset;
    find_accepted(t, &object, &asset);
    jsonw_key(w, "value");
    jsonw_null(w);
    if (object)
        jsonw_kbool(w, "is_object_ref", true);
    if (asset)
        jsonw_kbool(w, "is_asset_ref", true);
    jsonw_key(w, "set");
    jsonw_null(w);
}

static bool accepts_class(const struct type *t, struct str class)
{
    return t->of == NULL || str_eq(t->of->name, STR("UnityEngine.Object")) ||
           str_eq(t->of->name, class);
}

/* Write {"$ref": path}, for a component with its index, because there may be several of its
 * class. */
static void put_object_setter(struct describe *d, struct jsonw *w, const struct type *t,
                              struct scene_place at)
{
    const struct scene *s = d->view->scene;
    struct reference target;
    bool is_node = at.component == SCENE_NONE;
    if (scene_target(s, at, &target) && target.file_id == 0)
        return; /* nothing can refer to it */
    const struct type_class *c =
        is_node ? NULL : value_class(d->view->db->types, s, at.node, at.component);
    if (is_node ? !accepts_class(t, STR("UnityEngine.GameObject"))
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

static bool asset_is_found(struct describe *d, const struct asset_query *q, struct reference r)
{
    struct reference found;
    struct error err;
    return asset_object_find(d->view->db, q, &found, &err) && guid_eq(found.guid, r.guid) &&
           found.file_id == r.file_id;
}

/* Write {"$asset": path}, with a name if the path alone means another object. If the name is not
 * enough, or the type has changed, the reference cannot be written and has no set. */
static void put_asset_setter(struct describe *d, struct jsonw *w, const struct type *t,
                             struct reference r)
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
    /* A part of an image or model is selected by its name, as in find_assets. */
    bool is_part = asset_object_part(d->view->db, r, d->view->arena, &name);
    q.name = is_part ? name : (struct str){0};
    if (!asset_is_found(d, &q, r)) {
        q.name = is_part ? (struct str){0} : name;
        if ((!is_part && !name.n) || !asset_is_found(d, &q, r))
            return;
    }
    jsonw_key(w, "set");
    jsonw_object(w);
    jsonw_kstr(w, "$asset", q.path);
    if (q.name.n)
        jsonw_kstr(w, "name", q.name);
    jsonw_end(w);
}

static void put_reference(struct describe *d, struct jsonw *w, const struct type *t,
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
        put_asset_setter(d, w, t, r);
    else if (scene_where(d->view->scene, r.file_id, &at))
        put_object_setter(d, w, t, at);
}

/* How deep a value is, and whether its array has described its type. */
struct value_position {
    unsigned depth;
    bool is_typed;
    bool is_asked; /* requested by itself: the offset applies to it */
    bool is_held;  /* inside a [SerializeReference]: it cannot be set */
};

static void put_typed(struct describe *d, struct jsonw *w, const struct type_field *f,
                      struct yaml_value value, struct value_position in);

static void put_cut(struct jsonw *w)
{
    jsonw_kcstr(w, "value", "...");
    jsonw_kbool(w, "is_cut", true);
}

/* ---- structs */

static void put_struct(struct describe *d, struct jsonw *w, const struct type_class *c,
                       struct yaml_value map, struct value_position in)
{
    jsonw_key(w, "value");
    jsonw_object(w);
    for (size_t i = 0; c != NULL && i < c->field_count; i++) {
        const struct type_field *f = &c->fields[i];
        if (f->is_internal)
            continue;
        if (d->view->fields >= VALUE_MAX_FIELDS) {
            d->view->is_cut = true;
            break;
        }
        d->view->fields++;
        jsonw_key_str(w, f->name);
        put_typed(d, w, f, type_field_value(f, map), in);
    }
    jsonw_end(w);
}

/* The object may be of any class, so its fields have their types, also in an array. */
static void put_managed(struct describe *d, struct jsonw *w, struct yaml_value value,
                        struct value_position in)
{
    struct value_managed m;
    if (!value_managed(d->view, value, &m)) {
        jsonw_key(w, "value");
        jsonw_null(w);
        return;
    }
    jsonw_kstr(w, "managed_type", m.type);
    if (in.depth >= VALUE_MAX_DEPTH) {
        put_cut(w);
    } else if (m.class) {
        put_struct(d, w, m.class, m.data,
                   (struct value_position){.depth = in.depth + 1, .is_held = true});
    } else {
        jsonw_key(w, "value");
        value_put_unknown(d->view, w, m.data, in.depth + 1);
    }
}

/* ---- arrays */

struct described_array {
    struct describe *d;
    struct jsonw *w;
    struct type_field field;
    struct value_position in;
};

static void put_item(struct yaml_value value, void *ctx)
{
    struct described_array *e = ctx;
    put_typed(e->d, e->w, &e->field, value, e->in);
}

static void put_array(struct describe *d, struct jsonw *w, const struct type *t,
                      struct yaml_value value, struct value_position in)
{
    struct described_array e = {d,
                                w,
                                {.type = t->element},
                                {.depth = in.depth + 1, .is_typed = true, .is_held = in.is_held}};
    struct value_part part = {
        .type = t, .from = in.is_asked ? d->offset : 0, .most = d->view->max_array};
    jsonw_key(w, "value");
    jsonw_array(w);
    size_t count = value_each(&part, value, put_item, &e);
    jsonw_end(w);
    jsonw_kint(w, "_total_count", (int64_t)count);
    if (part.from > 0)
        jsonw_kint(w, "_offset", (int64_t)part.from);
    if (count > 0 && (part.from > 0 || count > part.most))
        jsonw_kbool(w, "_truncated", true);
}

/* ---- one value */

static void put_enum(struct describe *d, struct jsonw *w, const struct type *t,
                     struct yaml_value value)
{
    const struct type plain = {.kind = TYPE_INT};
    jsonw_key(w, "value");
    value_put_bare(d->view, w, t, value);
    jsonw_key(w, "number");
    value_put_bare(d->view, w, &plain, value);
}

static void put_value(struct describe *d, struct jsonw *w, const struct type *t,
                      struct yaml_value value, struct value_position in)
{
    bool is_deep = in.depth >= VALUE_MAX_DEPTH;
    if (is_deep && (t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY)) {
        put_cut(w);
    } else if (t->kind == TYPE_OBJECT) {
        put_reference(d, w, t, value);
    } else if (t->kind == TYPE_STRUCT) {
        put_struct(d, w, t->of, value,
                   (struct value_position){
                       .depth = in.depth + 1, .is_typed = in.is_typed, .is_held = in.is_held});
    } else if (t->kind == TYPE_ARRAY) {
        put_array(d, w, t, value, in);
    } else if (t->kind == TYPE_MANAGED) {
        put_managed(d, w, value, in);
    } else if (t->kind == TYPE_ENUM) {
        put_enum(d, w, t, value);
    } else if (t->kind == TYPE_CURVE) {
        put_curve(d, w, value);
    } else if (t->kind == TYPE_GRADIENT) {
        put_gradient(d, w, value);
    } else {
        jsonw_key(w, "value");
        if (t->kind == TYPE_UNKNOWN)
            value_put_unknown(d->view, w, value, in.depth);
        else
            value_put_bare(d->view, w, t, value);
    }
}

static void put_typed(struct describe *d, struct jsonw *w, const struct type_field *f,
                      struct yaml_value value, struct value_position in)
{
    if (value.kind == YAML_NONE)
        value = value_initial(d->view->arena, f->initial);
    struct type_field shown = *f;
    shown.type = value_type(f->type, value);
    shown.is_read_only |= f->type->kind == TYPE_UNKNOWN || in.is_held;
    jsonw_object(w);
    if (!in.is_typed)
        put_described_type(d, w, &shown, in.depth);
    put_value(d, w, shown.type, value, in);
    jsonw_end(w);
}

void describe_field(struct describe *d, struct jsonw *w, const struct type_field *f,
                    struct yaml_value value)
{
    d->view->fields++;
    jsonw_key_str(w, f->name);
    put_typed(d, w, f, value, (struct value_position){.is_asked = true});
}

/* ---- nested values */

struct path_step {                  /* the target of a path so far */
    const struct type_class *class; /* of its struct; NULL: none */
    struct yaml_value map;          /* that struct */
    struct type_field field;
    struct yaml_value value;
    unsigned depth;
    bool is_held;
};

struct copied_element {
    struct arena *arena;
    struct yaml_value value;
};

static void copy_element(struct yaml_value element, void *ctx)
{
    struct copied_element *p = ctx;
    p->value = element;
    p->value.text = arena_str(p->arena, element.text); /* the text of a hex array is temporary */
}

static bool step_to_field(struct describe *d, struct path_step *s, struct str name)
{
    const struct type_field *f = s->class ? type_field_find(s->class, name) : NULL;
    if (f == NULL || (f->is_read_only && s->depth == 0))
        return false;
    s->field = *f;
    s->value = type_field_value(f, s->map);
    if (s->value.kind == YAML_NONE)
        s->value = value_initial(d->view->arena, f->initial);
    return true;
}

static bool step_to_element(struct describe *d, struct path_step *s, uint64_t index)
{
    struct copied_element p = {.arena = d->view->arena};
    struct value_part part = {.type = s->field.type, .from = index, .most = 1};
    if (s->field.type->kind != TYPE_ARRAY || index > SIZE_MAX / 2 ||
        value_each(&part, s->value, copy_element, &p) <= index)
        return false;
    s->field =
        (struct type_field){.type = s->field.type->element, .is_read_only = s->field.is_read_only};
    s->value = p.value;
    s->depth++;
    return true;
}

/* Enter the struct or object whose member the next name is. */
static bool step_into(struct describe *d, struct path_step *s)
{
    struct value_managed m;
    s->class = NULL;
    if (s->field.type->kind == TYPE_STRUCT) {
        s->class = s->field.type->of;
        s->map = s->value;
    } else if (s->field.type->kind == TYPE_MANAGED && value_managed(d->view, s->value, &m)) {
        s->class = m.class;
        s->map = m.data;
        s->is_held = true;
    }
    s->depth++;
    return s->class != NULL;
}

static bool follow_path(struct describe *d, struct path_step *s, struct str path)
{
    for (bool more = true; more;) {
        struct str part, number;
        more = str_cut(&path, '.', &part);
        size_t open = str_find_char(part, '[');
        struct str indices = str_skip(part, open < part.n ? open : part.n);
        if (!step_to_field(d, s, str_head(part, open < part.n ? open : part.n)))
            return false;
        while (indices.n > 0) {
            int64_t index = 0;
            bool closed = indices.p[0] == '[' && str_find_char(indices, ']') < indices.n;
            indices = str_skip(indices, 1);
            if (!closed || (str_cut(&indices, ']', &number), !str_to_i64(number, &index)) ||
                index < 0 || !step_to_element(d, s, (uint64_t)index))
                return false;
        }
        if (more && !step_into(d, s))
            return false;
    }
    return true;
}

bool describe_path(struct describe *d, struct jsonw *w, const struct type_class *c, struct str path)
{
    struct path_step s = {.class = c, .map = d->view->body};
    if (!follow_path(d, &s, path))
        return false;
    d->view->fields++;
    d->above = s.depth;
    jsonw_key_str(w, path);
    put_typed(d, w, &s.field, s.value,
              (struct value_position){.is_asked = true, .is_held = s.is_held});
    d->above = 0;
    return true;
}
