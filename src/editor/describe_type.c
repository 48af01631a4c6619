#include "editor/describe_parts.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "editor/assign.h"

static const char *const kinds[TYPE_KIND_COUNT] = {
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

/* Who asks for one field gets all its names: there is no enum with so many. */
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

struct member {
    const struct type_member *m;
    size_t at;
    bool is_unsigned;
};

static int by_value(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->m->value == y->m->value)
        return x->at < y->at ? -1 : 1; /* the first declared is the shown one */
    if (x->is_unsigned)
        return (uint64_t)x->m->value < (uint64_t)y->m->value ? -1 : 1;
    return x->m->value < y->m->value ? -1 : 1;
}

static void put_enum(struct describe *d, struct jsonw *w, const struct type *t)
{
    const struct type_enum *e = t->values;
    if (e == NULL || !has_room(d, w, e->count))
        return;
    bool is_unsigned = t->bits == 64 && !t->is_signed;
    struct member *all = arena_alloc(d->view->arena, (e->count + 1) * sizeof *all);
    for (size_t i = 0; i < e->count; i++)
        all[i] = (struct member){&e->members[i], i, is_unsigned};
    qsort(all, e->count, sizeof *all, by_value);
    jsonw_key(w, "options");
    jsonw_array(w);
    for (size_t i = 0; i < e->count; i++)
        put_option(w, all[i].m->name, all[i].m->value, is_unsigned);
    jsonw_end(w);
    if (e->flags)
        jsonw_kbool(w, "is_flags", true);
}

/* Layers that the project has a name for; a mask may have bits of others. */
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

void describe_accepts(const struct type *t, bool *object, bool *asset)
{
    static const struct str any = STR_INIT("UnityEngine.Object"),
                            owner = STR_INIT("UnityEngine.GameObject"),
                            part = STR_INIT("UnityEngine.Component");
    const struct type_class *c = t->of;
    *object =
        c == NULL || str_eq(c->name, any) || type_class_is_a(c, owner) || type_class_is_a(c, part);
    *asset = true; /* also of components: those of prefabs */
}

static void put_accepts(struct jsonw *w, const struct type *t)
{
    bool object, asset;
    describe_accepts(t, &object, &asset);
    jsonw_key(w, "accepts");
    jsonw_array(w);
    if (object)
        jsonw_cstr(w, "object");
    if (asset)
        jsonw_cstr(w, "asset");
    jsonw_end(w);
}

/* ---- what holds others */

/* Where a type is told. */
struct place {
    const struct type_hints *hints; /* of the field, or of the array it is an element of */
    unsigned depth;
    bool is_whole; /* for all elements of an array: what is inside a struct is told, too */
};

static void put_type(struct describe *d, struct jsonw *w, const struct type_field *f,
                     struct place at);

static void put_members(struct describe *d, struct jsonw *w, const struct type_class *c,
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
        put_type(d, w, f, (struct place){f->hints, depth, true});
        jsonw_end(w);
    }
    jsonw_end(w);
}

static void put_element(struct describe *d, struct jsonw *w, const struct type_field *array,
                        struct place at)
{
    struct type_field element = {.type = array->type->element, .is_read_only = array->is_read_only};
    jsonw_key(w, "element");
    jsonw_object(w);
    put_type(d, w, &element, (struct place){at.hints, at.depth + 1, true});
    jsonw_end(w);
}

/* ---- a type */

static void put_kind(struct describe *d, struct jsonw *w, const struct type_field *f,
                     struct place at)
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
        put_enum(d, w, t);
    else if (t->kind == TYPE_LAYER_MASK)
        put_layers(d, w);
    else if (t->kind == TYPE_OBJECT)
        put_accepts(w, t);
    else if (t->kind == TYPE_ARRAY && !is_deep)
        put_element(d, w, f, at);
    else if (t->kind == TYPE_STRUCT && !is_deep && at.is_whole)
        put_members(d, w, t->of, at.depth + 1);
}

static void put_type(struct describe *d, struct jsonw *w, const struct type_field *f,
                     struct place at)
{
    const struct type_hints *h = f->hints;
    jsonw_kstr(w, "type", f->type->name);
    jsonw_kcstr(w, "kind", kinds[f->type->kind]);
    if (h && h->tooltip.n)
        jsonw_kstr(w, "tooltip", utf8_head(h->tooltip, DESCRIBE_MAX_TOOLTIP));
    if (h && h->is_hidden)
        jsonw_kbool(w, "is_hidden", true);
    if (f->is_read_only || !assign_is_supported(f->type) || at.depth + d->above > VALUE_MAX_DEPTH)
        jsonw_kbool(w, "is_read_only", true);
    put_kind(d, w, f, at);
}

void describe_type(struct describe *d, struct jsonw *w, const struct type_field *f, unsigned depth)
{
    put_type(d, w, f, (struct place){.hints = f->hints, .depth = depth});
}
