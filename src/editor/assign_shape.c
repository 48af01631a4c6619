#include "editor/assign_shape.h"

#include <math.h>
#include <stdlib.h>

#include "editor/assign_element.h"
#include "unity/builtin.h"

/* ---- parts: numbers under the names of a JSON object */

struct part {
    const char *name; /* in JSON */
    const char *key;  /* in the file */
};

struct parts {
    const struct part *list;
    size_t count;
    bool is_int;
};

static struct draft *number_part(struct assign *a, struct str key, const struct json *value,
                                 bool is_int)
{
    double d = 0;
    if (!assign_number(a, value, &d))
        return NULL;
    if (!is_int)
        return assign_float(a, key, d);
    if (d != floor(d) || d < INT32_MIN || d > INT32_MAX)
        return assign_fail(a, "ERR_INVALID_PARAMS", "expected an integer of 32 bits");
    return draft_number(a->arena, key, (int64_t)d);
}

/* Set the error for an unknown part; name empty: the value is not an object. */
static void refuse_part(struct assign *a, struct str name, const struct parts *p)
{
    struct buf names = {0};
    for (size_t i = 0; i < p->count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", p->list[i].name);
    if (name.n)
        assign_fail(a, "ERR_INVALID_PARAMS", "there is no part %.*s: expected %.*s", STR_ARG(name),
                    STR_ARG(buf_str(&names)));
    else
        assign_fail(a, "ERR_INVALID_PARAMS", "expected an object with %.*s",
                    STR_ARG(buf_str(&names)));
    buf_done(&names);
}

static bool has_known_parts(struct assign *a, const struct json *value, const struct parts *p)
{
    if (!json_is(value, JSON_OBJECT)) {
        refuse_part(a, (struct str){0}, p);
        return false;
    }
    JSON_EACH (value, k) {
        bool found = false;
        for (size_t i = 0; i < p->count && !found; i++)
            found = str_eq(json_str(k), str_from(p->list[i].name));
        if (!found) {
            refuse_part(a, json_str(k), p);
            return false;
        }
    }
    return true;
}

/* Add each part to d: the given value, else the old one, else 0. */
static bool add_parts(struct assign *a, struct draft *d, struct yaml_value old,
                      const struct json *value, const struct parts *p)
{
    if (!has_known_parts(a, value, p))
        return false;
    for (size_t i = 0; i < p->count; i++) {
        struct str key = str_from(p->list[i].key);
        const struct json *given = json_get(value, str_from(p->list[i].name));
        struct yaml_value there = yaml_get(old, key);
        struct draft *part = given                       ? number_part(a, key, given, p->is_int)
                             : there.kind == YAML_SCALAR ? draft_scalar(a->arena, key, there.text)
                                                         : draft_number(a->arena, key, 0);
        if (part == NULL)
            return false;
        part->is_kept = given == NULL;
        draft_add(d, part);
    }
    return true;
}

static const struct part xyzw[] = {{"x", "x"}, {"y", "y"}, {"z", "z"}, {"w", "w"}};
static const struct part rgba[] = {{"r", "r"}, {"g", "g"}, {"b", "b"}, {"a", "a"}};
static const struct part rect[] = {
    {"x", "x"}, {"y", "y"}, {"width", "width"}, {"height", "height"}};
static const struct part rect_int_old[] = {
    {"x", "m_XMin"}, {"y", "m_YMin"}, {"width", "m_Width"}, {"height", "m_Height"}};

static struct draft *make_vector(struct assign *a, struct str key, struct yaml_value old,
                                 const struct json *value, const struct parts *p)
{
    struct draft *d = draft_new(a->arena, DRAFT_FLOW, key);
    return add_parts(a, d, old, value, p) ? d : NULL;
}

/* A colour without "a" is opaque. */
static struct draft *make_color(struct assign *a, struct str key, struct yaml_value old,
                                const struct json *value)
{
    struct draft *d = draft_new(a->arena, DRAFT_FLOW, key);
    if (!add_parts(a, d, old, value, &(struct parts){rgba, 4, false}))
        return NULL;
    if (json_get(value, STR("a")) == NULL) {
        d->last->text = STR("1");
        d->last->is_kept = false;
    }
    return d;
}

/* Return a map that begins with the version of its layout. */
static struct draft *new_versioned(struct assign *a, struct str key, unsigned version)
{
    struct draft *d = draft_new(a->arena, DRAFT_MAP, key);
    draft_add(d, draft_number(a->arena, STR("serializedVersion"), version));
    return d;
}

static struct draft *make_color32(struct assign *a, const struct type_field *f,
                                  struct yaml_value old, const struct json *value)
{
    struct draft *flow = make_color(a, f->key, (struct yaml_value){0}, value);
    if (flow == NULL)
        return NULL;
    int64_t there = 0;
    yaml_i64(yaml_get(old, STR("rgba")), &there);
    uint32_t packed = 0;
    unsigned shift = 0;
    for (const struct draft *c = flow->first; c; c = c->next, shift += 8) {
        double part = 0;
        yaml_double((struct yaml_value){.kind = YAML_SCALAR, .text = c->text}, &part);
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        packed |=
            c->is_kept ? (uint32_t)there & 255U << shift : (uint32_t)lrint(part * 255) << shift;
    }
    struct draft *d = new_versioned(a, f->key, 2);
    draft_add(d, draft_number(a->arena, STR("rgba"), packed));
    return d;
}

static struct draft *make_rect(struct assign *a, const struct type_field *f, struct yaml_value old,
                               const struct json *value)
{
    bool is_int = f->type->kind == TYPE_RECT_INT;
    bool is_old = yaml_get(old, STR("m_XMin")).kind != YAML_NONE;
    struct draft *d = is_int ? draft_new(a->arena, DRAFT_MAP, f->key) : new_versioned(a, f->key, 2);
    struct parts p = {is_old ? rect_int_old : rect, 4, is_int};
    return add_parts(a, d, old, value, &p) ? d : NULL;
}

static const struct json *empty_object(struct assign *a)
{
    return json_parse(a->arena, STR("{}"), NULL, NULL);
}

/* The file has half of the size of Bounds. */
static void halve_parts(struct assign *a, struct draft *extent)
{
    for (struct draft *c = extent->first; c; c = c->next) {
        double size = 0;
        if (c->is_kept)
            continue; /* an old value is half already */
        yaml_double((struct yaml_value){.kind = YAML_SCALAR, .text = c->text}, &size);
        c->text = draft_float(a->arena, c->key, size / 2)->text;
    }
}

/* {center, size} of floats, {position, size} of integers. */
static struct draft *make_bounds(struct assign *a, const struct type_field *f,
                                 struct yaml_value old, const struct json *value)
{
    static const struct part floats[] = {{"center", "m_Center"}, {"size", "m_Extent"}};
    static const struct part ints[] = {{"position", "m_Position"}, {"size", "m_Size"}};
    bool is_int = f->type->kind == TYPE_BOUNDS_INT;
    const struct part *parts = is_int ? ints : floats;
    struct draft *d = draft_new(a->arena, DRAFT_MAP, f->key);
    if (!has_known_parts(a, value, &(struct parts){parts, 2, is_int}))
        return NULL;
    for (size_t i = 0; i < 2; i++) {
        struct str key = str_from(parts[i].key);
        const struct json *given = json_get(value, str_from(parts[i].name));
        struct draft *part =
            make_vector(a, key, yaml_get(old, key), given ? given : empty_object(a),
                        &(struct parts){xyzw, 3, is_int});
        if (part == NULL)
            return NULL;
        part->is_kept = given == NULL;
        if (i == 1 && !is_int)
            halve_parts(a, part);
        draft_add(d, part);
    }
    return d;
}

static struct draft *make_layer_mask(struct assign *a, const struct type_field *f,
                                     struct yaml_value old, const struct json *value)
{
    (void)old;
    int64_t n = 0;
    if (!json_i64(value, &n) || n < INT32_MIN || n > UINT32_MAX)
        return assign_fail(a, "ERR_INVALID_PARAMS", "expected the bits of the mask, an integer");
    struct draft *d = new_versioned(a, f->key, 2);
    draft_add(d, draft_number(a->arena, STR("m_Bits"), (int64_t)(uint32_t)n));
    return d;
}

/* ---- curves and gradients */

static bool version_is(struct version v, uint16_t major, uint16_t minor)
{
    return !version_is_known(v) ||
           version_cmp(v, (struct version){.major = major, .minor = minor}) >= 0;
}

/* Read a number or one of the names; an absent value leaves *out. */
static bool read_choice(struct assign *a, const struct json *value, const char *const *names,
                        const int64_t *numbers, int64_t *out)
{
    struct buf all = {0};
    if (value == NULL || json_i64(value, out))
        return true;
    for (size_t i = 0; names[i]; i++) {
        if (str_eq(json_str(value), str_from(names[i]))) {
            *out = numbers[i];
            buf_done(&all);
            return true;
        }
        buf_printf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    assign_fail(a, "ERR_INVALID_PARAMS", "expected one of %.*s", STR_ARG(buf_str(&all)));
    buf_done(&all);
    return false;
}

static bool read_wrap_mode(struct assign *a, const struct json *value, int64_t *out)
{
    /* Scripts and the file use different numbers. In the file: 0 ping-pong, 1 repeat, 2 clamp. */
    static const char *const names[] = {"Default",  "Once",         "Clamp", "Loop",
                                        "PingPong", "ClampForever", NULL};
    static const int64_t numbers[] = {0, 1, 1, 2, 4, 8};
    static const int64_t in_file[] = {2, 2, 2, 1, 0, 2};
    int64_t mode = 8;
    if (!read_choice(a, value, names, numbers, &mode))
        return false;
    for (size_t i = 0; names[i]; i++)
        if (numbers[i] == mode) {
            *out = in_file[i];
            return true;
        }
    assign_fail(a, "ERR_INVALID_PARAMS", "there is no wrap mode %lld", (long long)mode);
    return false;
}

static struct draft *make_key(struct assign *a, const struct json *key)
{
    static const struct {
        const char *name, *key;
        bool is_weight;
    } parts[] = {
        {"time", "time", false},
        {"value", "value", false},
        {"inTangent", "inSlope", false},
        {"outTangent", "outSlope", false},
        {"tangentMode", "tangentMode", false},
        {"weightedMode", "weightedMode", true},
        {"inWeight", "inWeight", true},
        {"outWeight", "outWeight", true},
    };
    static const char *const modes[] = {"None", "In", "Out", "Both", NULL};
    static const int64_t numbers[] = {0, 1, 2, 3};
    bool has_weights = version_is(a->version, 2018, 1);
    struct draft *d = new_versioned(a, (struct str){0}, has_weights ? 3 : 2);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct json *given = json_get(key, str_from(parts[i].name));
        struct str name = str_from(parts[i].key);
        double n = 0;
        int64_t mode = 0;
        bool is_mode = str_ends(name, STR("Mode"));
        if (is_mode ? !read_choice(a, given, modes, numbers, &mode)
                    : given != NULL && !assign_number(a, given, &n))
            return NULL;
        struct draft *part =
            is_mode ? draft_number(a->arena, name, mode) : assign_float(a, name, n);
        if (part == NULL)
            return NULL;
        if (has_weights || !parts[i].is_weight)
            draft_add(d, part);
    }
    return d;
}

struct sorted_key {
    double time;
    size_t at; /* index in the input, so that the sort is stable */
    struct draft *draft;
};

static int by_time(const void *a, const void *b)
{
    const struct sorted_key *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Unity searches curves by time, so it keeps the keys sorted. */
static void sort_keys(struct assign *a, struct draft *list)
{
    size_t count = list->count, i = 0;
    struct sorted_key *keys = arena_alloc(a->arena, (count + 1) * sizeof *keys);
    for (struct draft *d = list->first; d; d = d->next, i++) {
        keys[i] = (struct sorted_key){.at = i, .draft = d};
        struct str time = d->first->next->text; /* after serializedVersion */
        yaml_double((struct yaml_value){.kind = YAML_SCALAR, .text = time}, &keys[i].time);
    }
    qsort(keys, count, sizeof *keys, by_time);
    list->first = list->last = NULL;
    list->count = 0;
    for (i = 0; i < count; i++) {
        keys[i].draft->next = NULL;
        draft_add(list, keys[i].draft);
    }
}

static struct draft *make_curve(struct assign *a, const struct type_field *f, struct yaml_value old,
                                const struct json *value)
{
    (void)old;
    const struct json *keys = json_get(value, STR("keys"));
    int64_t pre = 2, post = 2;
    if (!json_is(value, JSON_OBJECT) || !json_is(keys, JSON_ARRAY))
        return assign_fail(a, "ERR_INVALID_PARAMS",
                           "expected {\"keys\": [{\"time\", \"value\", \"inTangent\", "
                           "\"outTangent\"}], \"preWrapMode\", \"postWrapMode\"}");
    if (!read_wrap_mode(a, json_get(value, STR("preWrapMode")), &pre) ||
        !read_wrap_mode(a, json_get(value, STR("postWrapMode")), &post))
        return NULL;
    struct draft *list = draft_new(a->arena, DRAFT_LIST, STR("m_Curve"));
    JSON_ITEMS (keys, key) {
        if (assign_element_is_given(key))
            return assign_element_refuse(a);
        struct draft *made = json_is(key, JSON_OBJECT) ? make_key(a, key) : NULL;
        if (made == NULL)
            return json_is(key, JSON_OBJECT)
                       ? NULL
                       : assign_fail(a, "ERR_INVALID_PARAMS", "expected a key: an object");
        draft_add(list, made);
    }
    sort_keys(a, list);
    struct draft *d = new_versioned(a, f->key, 2);
    draft_add(d, list);
    draft_add(d, draft_number(a->arena, STR("m_PreInfinity"), pre));
    draft_add(d, draft_number(a->arena, STR("m_PostInfinity"), post));
    draft_add(d, draft_number(a->arena, STR("m_RotationOrder"), 4));
    return d;
}

#define GRADIENT_KEYS 8u

struct gradient_keys {
    struct sorted_key colors[GRADIENT_KEYS]; /* {r, g, b, a}: a belongs to the alpha keys */
    struct sorted_key alphas[GRADIENT_KEYS]; /* a number */
    size_t color_count, alpha_count;
};

static bool count_keys(struct assign *a, const struct json *list, const char *name, size_t *count)
{
    *count = json_count(list);
    if (!json_is(list, JSON_ARRAY) || *count < 1 || *count > GRADIENT_KEYS) {
        assign_fail(a, "ERR_INVALID_PARAMS", "%s is an array of 1 to %u keys", name, GRADIENT_KEYS);
        return false;
    }
    return true;
}

static bool read_keys(struct assign *a, const struct json *value, struct gradient_keys *g)
{
    const struct json *colors = json_get(value, STR("colorKeys")),
                      *alphas = json_get(value, STR("alphaKeys"));
    if (!count_keys(a, colors, "colorKeys", &g->color_count) ||
        !count_keys(a, alphas, "alphaKeys", &g->alpha_count))
        return false;
    size_t i = 0;
    JSON_ITEMS (colors, key) {
        struct sorted_key *k = &g->colors[i];
        k->at = i++;
        k->draft =
            make_color(a, (struct str){0}, (struct yaml_value){0}, json_get(key, STR("color")));
        if (k->draft == NULL || !assign_number(a, json_get(key, STR("time")), &k->time))
            return false;
    }
    i = 0;
    JSON_ITEMS (alphas, item) {
        struct sorted_key *k = &g->alphas[i];
        double alpha = 0;
        k->at = i++;
        if (!assign_number(a, json_get(item, STR("alpha")), &alpha) ||
            !assign_number(a, json_get(item, STR("time")), &k->time) ||
            !(k->draft = assign_float(a, STR("a"), alpha)))
            return false;
    }
    qsort(g->colors, g->color_count, sizeof *g->colors, by_time);
    qsort(g->alphas, g->alpha_count, sizeof *g->alphas, by_time);
    return true;
}

static struct str numbered_key(struct assign *a, const char *name, size_t i)
{
    return arena_printf(a->arena, "%s%zu", name, i);
}

static int64_t key_time(double t)
{
    return lrint((t < 0 ? 0 : t > 1 ? 1 : t) * 65535);
}

static struct draft *make_gradient(struct assign *a, const struct type_field *f,
                                   struct yaml_value old, const struct json *value)
{
    (void)old;
    static const char *const modes[] = {"Blend", "Fixed", "PerceptualBlend", NULL};
    static const int64_t numbers[] = {0, 1, 2};
    struct gradient_keys g = {0};
    int64_t mode = 0;
    if (!json_is(value, JSON_OBJECT))
        return assign_fail(a, "ERR_INVALID_PARAMS",
                           "expected {\"colorKeys\": [...], \"alphaKeys\": [...], \"mode\"}");
    if (!read_choice(a, json_get(value, STR("mode")), modes, numbers, &mode) ||
        !read_keys(a, value, &g))
        return NULL;
    struct draft *d = new_versioned(a, f->key, 2);
    for (size_t i = 0; i < GRADIENT_KEYS; i++) {
        struct draft *flow = draft_new(a->arena, DRAFT_FLOW, numbered_key(a, "key", i));
        for (size_t c = 0; c < 4; c++)
            draft_add(flow, draft_number(a->arena, str_from(rgba[c].key), 0));
        struct draft *from = g.colors[i].draft ? g.colors[i].draft->first : NULL;
        for (struct draft *c = flow->first; from && c; c = c->next, from = from->next)
            c->text = from->text;
        flow->last->text = g.alphas[i].draft ? g.alphas[i].draft->text : STR("0");
        draft_add(d, flow);
    }
    for (size_t i = 0; i < GRADIENT_KEYS; i++)
        draft_add(d,
                  draft_number(a->arena, numbered_key(a, "ctime", i), key_time(g.colors[i].time)));
    for (size_t i = 0; i < GRADIENT_KEYS; i++)
        draft_add(d,
                  draft_number(a->arena, numbered_key(a, "atime", i), key_time(g.alphas[i].time)));
    draft_add(d, draft_number(a->arena, STR("m_Mode"), mode));
    if (version_is(a->version, 2022, 2))
        draft_add(d, draft_number(a->arena, STR("m_ColorSpace"), -1));
    draft_add(d, draft_number(a->arena, STR("m_NumColorKeys"), (int64_t)g.color_count));
    draft_add(d, draft_number(a->arena, STR("m_NumAlphaKeys"), (int64_t)g.alpha_count));
    return d;
}

typedef struct draft *shape_fn(struct assign *a, const struct type_field *f, struct yaml_value old,
                               const struct json *value);

static struct draft *make_vectors(struct assign *a, const struct type_field *f,
                                  struct yaml_value old, const struct json *value)
{
    static const size_t sizes[TYPE_KIND_COUNT] = {
        [TYPE_VECTOR2] = 2,    [TYPE_VECTOR3] = 3,     [TYPE_VECTOR4] = 4,
        [TYPE_QUATERNION] = 4, [TYPE_VECTOR2_INT] = 2, [TYPE_VECTOR3_INT] = 3,
    };
    bool is_int = f->type->kind == TYPE_VECTOR2_INT || f->type->kind == TYPE_VECTOR3_INT;
    return make_vector(a, f->key, old, value, &(struct parts){xyzw, sizes[f->type->kind], is_int});
}

static struct draft *make_colors(struct assign *a, const struct type_field *f,
                                 struct yaml_value old, const struct json *value)
{
    return make_color(a, f->key, old, value);
}

static shape_fn *const shapes[TYPE_KIND_COUNT] = {
    [TYPE_VECTOR2] = make_vectors,
    [TYPE_VECTOR3] = make_vectors,
    [TYPE_VECTOR4] = make_vectors,
    [TYPE_QUATERNION] = make_vectors,
    [TYPE_VECTOR2_INT] = make_vectors,
    [TYPE_VECTOR3_INT] = make_vectors,
    [TYPE_COLOR] = make_colors,
    [TYPE_COLOR32] = make_color32,
    [TYPE_RECT] = make_rect,
    [TYPE_RECT_INT] = make_rect,
    [TYPE_BOUNDS] = make_bounds,
    [TYPE_BOUNDS_INT] = make_bounds,
    [TYPE_LAYER_MASK] = make_layer_mask,
    [TYPE_CURVE] = make_curve,
    [TYPE_GRADIENT] = make_gradient,
};

struct draft *assign_shape(struct assign *a, const struct type_field *f, struct yaml_value old,
                           const struct json *value)
{
    if (shapes[f->type->kind] == NULL)
        return assign_fail(a, "ERR_INVALID_PARAMS", "a value of type %.*s cannot be set here",
                           STR_ARG(f->type->name));
    return shapes[f->type->kind](a, f, old, value);
}

/* ---- zero values */

struct draft *assign_shape_struct(struct assign *a, const struct type_field *f)
{
    const struct type_class *c = f->type->of;
    unsigned version = c && c->native.n ? builtin_struct_version(c->native, a->version) : 0;
    return version ? new_versioned(a, f->key, version) : draft_new(a->arena, DRAFT_MAP, f->key);
}

bool assign_shape_is_written(const struct assign *a, const struct type_field *f)
{
    return !f->is_left_out && (f->type->kind != TYPE_MANAGED || version_is(a->version, 2021, 2));
}

static struct draft *zero_struct(struct assign *a, const struct type_field *f)
{
    struct draft *d = assign_shape_struct(a, f);
    const struct type_class *c = f->type->of;
    for (size_t i = 0; c != NULL && i < c->field_count; i++)
        if (assign_shape_is_written(a, &c->fields[i]))
            draft_add(d, assign_initial(a, &c->fields[i]));
    return d;
}

static struct draft *zero_shape(struct assign *a, const struct type_field *f)
{
    static const struct {
        enum type_kind kind;
        const char *json;
    } zeros[] = {
        {TYPE_COLOR, "{\"a\":0}"},
        {TYPE_COLOR32, "{\"r\":0,\"g\":0,\"b\":0,\"a\":0}"},
        {TYPE_LAYER_MASK, "0"},
        {TYPE_CURVE, "{\"keys\":[]}"},
        {TYPE_GRADIENT, "{\"colorKeys\":[{\"color\":{\"r\":1,\"g\":1,\"b\":1},\"time\":0},"
                        "{\"color\":{\"r\":1,\"g\":1,\"b\":1},\"time\":1}],"
                        "\"alphaKeys\":[{\"alpha\":1,\"time\":0},{\"alpha\":1,\"time\":1}]}"},
    };
    struct str json = STR("{}");
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        if (zeros[i].kind == f->type->kind)
            json = str_from(zeros[i].json);
    return assign_shape(a, f, (struct yaml_value){0}, json_parse(a->arena, json, NULL, NULL));
}

static struct draft *zero_managed(struct assign *a, const struct type_field *f)
{
    struct draft *d = draft_new(a->arena, DRAFT_MAP, f->key);
    draft_add(d, draft_number(a->arena, STR("rid"), -2));
    d->is_managed = true;
    return d;
}

struct draft *assign_shape_zero(struct assign *a, const struct type_field *f)
{
    enum type_kind kind = f->type->kind;
    if (shapes[kind])
        return zero_shape(a, f);
    if (kind == TYPE_STRING || kind == TYPE_UNKNOWN)
        return draft_scalar(a->arena, f->key, (struct str){0});
    if (kind == TYPE_OBJECT)
        return draft_new(a->arena, DRAFT_REFERENCE, f->key);
    if (kind == TYPE_ARRAY)
        return draft_new(a->arena, f->type->is_hex ? DRAFT_HEX : DRAFT_LIST, f->key);
    if (kind == TYPE_STRUCT)
        return zero_struct(a, f);
    if (kind == TYPE_MANAGED)
        return zero_managed(a, f);
    return draft_number(a->arena, f->key, 0);
}
