#include "editor/assign.h"

#include <math.h>
#include <stdarg.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "editor/assign_element.h"
#include "editor/assign_shape.h"
#include "editor/value.h"
#include "unity/builtin.h"

struct draft *assign_fail(struct assign *a, const char *code, const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    editor_error_set(a->err, code, "%.*s: %.*s", STR_ARG(buf_str(&a->where)),
                     STR_ARG(buf_str(&text)));
    buf_done(&text);
    return NULL;
}

static struct draft *refuse_value(struct assign *a, const char *wanted, const struct json *value)
{
    struct buf got = {0};
    quote_value(&got, value, QUOTE_MAX);
    struct draft *none = assign_fail(a, "ERR_INVALID_PARAMS", "expected %s, got %.*s", wanted,
                                     STR_ARG(buf_str(&got)));
    buf_done(&got);
    return none;
}

/* ---- plain values */

static struct draft *make_bool(struct assign *a, const struct type_field *f,
                               const struct json *value)
{
    if (!json_is(value, JSON_BOOL))
        return refuse_value(a, "true or false", value);
    return draft_number(a->arena, f->key, json_bool(value));
}

static bool is_in_range(const struct type *t, int64_t n)
{
    if (t->bits >= 64 || t->bits == 0)
        return true;
    int64_t span = (int64_t)1 << (t->bits - (t->is_signed ? 1 : 0));
    return n < span && n >= (t->is_signed ? -span : 0);
}

static struct draft *make_integer(struct assign *a, const struct type_field *f,
                                  const struct json *value)
{
    int64_t n = 0;
    uint64_t u = 0;
    double d = 0;
    if (!json_is(value, JSON_NUMBER))
        return refuse_value(a, "an integer", value);
    bool is_i64 = json_i64(value, &n);
    if (!is_i64 && json_double(value, &d) && d == floor(d) && fabs(d) < 9e15) {
        n = (int64_t)d; /* 5.0 */
        is_i64 = true;
    }
    if (is_i64 && is_in_range(f->type, n) && (n >= 0 || f->type->is_signed))
        return draft_number(a->arena, f->key, n);
    if (!is_i64 && json_u64(value, &u) && f->type->bits == 64 && !f->type->is_signed) {
        char text[NUMBER_MAX];
        size_t length = number_print_u64(u, text);
        return draft_scalar(a->arena, f->key, arena_str(a->arena, str_make(text, length)));
    }
    struct buf wanted = {0};
    buf_printf(&wanted, "an integer of %u bits%s", f->type->bits ? f->type->bits : 32u,
               f->type->is_signed ? "" : ", not negative");
    struct draft *none = refuse_value(a, wanted.p, value);
    buf_done(&wanted);
    return none;
}

bool assign_number(struct assign *a, const struct json *value, double *out)
{
    struct str text = json_str(value);
    if (json_is(value, JSON_NUMBER) && json_double(value, out))
        return true;
    if (str_eq(text, STR("Infinity")) || str_eq(text, STR("-Infinity")))
        *out = text.n == 8 ? (double)INFINITY : -(double)INFINITY;
    else if (str_eq(text, STR("NaN")))
        *out = (double)NAN;
    else
        return refuse_value(a, "a number", value) != NULL;
    return true;
}

struct draft *assign_float(struct assign *a, struct str key, double n)
{
    if (isfinite(n) && fabs(n) > 3.4028235677973366e38)
        return assign_fail(a, "ERR_INVALID_PARAMS",
                           "expected a number that fits into a float, got %g", n);
    return draft_float(a->arena, key, n);
}

static struct draft *make_float(struct assign *a, const struct type_field *f,
                                const struct json *value)
{
    double d = 0;
    if (!assign_number(a, value, &d))
        return NULL;
    if (f->type->kind == TYPE_FLOAT)
        return assign_float(a, f->key, d);
    struct buf text = {0};
    yaml_write_double(&text, d);
    struct draft *made = draft_scalar(a->arena, f->key, arena_str(a->arena, buf_str(&text)));
    made->is_double = true;
    buf_done(&text);
    return made;
}

static struct draft *make_string(struct assign *a, const struct type_field *f,
                                 const struct json *value)
{
    if (!json_is(value, JSON_STRING))
        return refuse_value(a, "a string", value);
    struct draft *d = draft_new(a->arena, DRAFT_STRING, f->key);
    d->text = json_str(value);
    return d;
}

bool assign_is_supported(const struct type *t)
{
    while (t->kind == TYPE_ARRAY)
        t = t->element;
    return t->kind != TYPE_UNKNOWN && t->kind != TYPE_MANAGED;
}

/* "A, B" or "A | B": parts of flags. */
static bool parse_enum(const struct type_enum *e, struct str text, int64_t *out)
{
    const struct type_member *m = type_enum_by_name(e, str_trim(text));
    if (m != NULL) {
        *out = m->value;
        return true;
    }
    char sep = str_find_char(text, '|') < text.n ? '|' : ',';
    int64_t sum = 0;
    bool more = e->flags && str_find_char(text, sep) < text.n;
    if (!more)
        return false;
    while (more) {
        struct str part;
        more = str_cut(&text, sep, &part);
        m = type_enum_by_name(e, str_trim(part));
        if (m == NULL)
            return false;
        sum |= m->value;
    }
    *out = sum;
    return true;
}

static struct draft *refuse_name(struct assign *a, const struct type_enum *e, struct str name)
{
    struct buf names = buf_make(700);
    struct nearest near = nearest_make(name);
    for (size_t i = 0; i < e->count; i++) {
        nearest_offer(&near, e->members[i].name);
        if (names.n < 500)
            buf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(e->members[i].name));
        else if (names.n < 690 && i + 1 == e->count)
            buf_printf(&names, " ...");
    }
    struct draft *none = assign_fail(
        a, "ERR_INVALID_PARAMS", "%.*s has no value %.*s%s%.*s%s; it has %.*s", STR_ARG(e->name),
        STR_ARG(utf8_head(name, 80)), near.best.n ? " (did you mean " : "", STR_ARG(near.best),
        near.best.n ? "?)" : "", STR_ARG(buf_str(&names)));
    buf_done(&names);
    return none;
}

static struct draft *make_enum(struct assign *a, const struct type_field *f,
                               const struct json *value)
{
    int64_t n = 0;
    if (json_is(value, JSON_NUMBER))
        return make_integer(a, f, value);
    if (!json_is(value, JSON_STRING) || f->type->values == NULL)
        return refuse_value(a, "the name of an enum value, or its number", value);
    if (!parse_enum(f->type->values, json_str(value), &n))
        return refuse_name(a, f->type->values, json_str(value));
    return draft_number(a->arena, f->key, n);
}

/* ---- references: {"$ref": path}, {"$asset": path}, null */

static const struct str GAME_OBJECT = STR_INIT("UnityEngine.GameObject");

static bool class_fits(const struct type *t, const struct type_class *c)
{
    return t->of == NULL || (c != NULL && type_class_is_a(c, t->of->name));
}

/* GetComponent(type): the first that fits; SCENE_NONE: none. */
static uint32_t find_component(struct assign *a, uint32_t node, const struct type *t,
                               struct str name)
{
    for (uint32_t i = 0; i < a->scene->nodes[node].component_count; i++) {
        const struct type_class *c = value_class(a->db->types, a->scene, node, i);
        if (c != NULL && (name.n ? type_class_is_a(c, name) : class_fits(t, c)))
            return i;
    }
    return SCENE_NONE;
}

static struct draft *refer_to(struct assign *a, struct str key, struct scene_place at)
{
    struct reference source;
    if (scene_target(a->scene, at, &source) && source.file_id == 0)
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND",
                           "%.*s belongs to a model or to a missing prefab, and its id there is "
                           "not known: it cannot be referred to",
                           STR_ARG(a->scene->nodes[at.node].name));
    struct assign_target *target = arena_zalloc(a->arena, sizeof *target);
    target->at = at;
    target->draft = draft_new(a->arena, DRAFT_REFERENCE, key);
    target->next = a->targets;
    a->targets = target;
    return target->draft;
}

static struct draft *refer_to_named(struct assign *a, const struct type_field *f, uint32_t node,
                                    struct str name)
{
    uint32_t i = find_component(a, node, f->type, name);
    struct str object = a->scene->nodes[node].name;
    if (i == SCENE_NONE)
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND", "%.*s has no component %.*s",
                           STR_ARG(object), STR_ARG(name));
    const struct type_class *c = value_class(a->db->types, a->scene, node, i);
    if (!class_fits(f->type, c))
        return assign_fail(a, "ERR_INVALID_PARAMS", "the field accepts %.*s, not %.*s",
                           STR_ARG(f->type->name), STR_ARG(c->name));
    return refer_to(a, f->key, (struct scene_place){node, i});
}

/* An index selects one of several components of a class. */
static struct draft *refer_to_numbered(struct assign *a, const struct type_field *f, uint32_t node,
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
                           "the script of component %llu of %.*s is missing", (unsigned long long)i,
                           STR_ARG(object));
    if (!class_fits(f->type, c))
        return assign_fail(a, "ERR_INVALID_PARAMS", "the field accepts %.*s, not %.*s",
                           STR_ARG(f->type->name), STR_ARG(c->name));
    return refer_to(a, f->key, (struct scene_place){node, (uint32_t)i});
}

static struct draft *refer_to_object(struct assign *a, const struct type_field *f,
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
        return refer_to_numbered(a, f, node, index);
    if (component != NULL)
        return refer_to_named(a, f, node, json_str(component));
    const struct type_class *wanted = f->type->of;
    if (wanted == NULL || str_eq(wanted->name, GAME_OBJECT) ||
        str_eq(wanted->name, STR("UnityEngine.Object")))
        return refer_to(a, f->key, (struct scene_place){node, SCENE_NONE});
    uint32_t i = find_component(a, node, f->type, (struct str){0});
    if (i == SCENE_NONE)
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND", "%.*s has no component of type %.*s",
                           STR_ARG(path), STR_ARG(wanted->name));
    return refer_to(a, f->key, (struct scene_place){node, i});
}

static struct draft *refer_to_asset(struct assign *a, const struct type_field *f,
                                    const struct json *value)
{
    const struct json *name = json_get(value, STR("name"));
    struct asset_query q = {.path = json_str(json_get(value, STR("$asset"))),
                            .name = json_str(name),
                            .wanted = f->type->of};
    if (q.path.p == NULL)
        return assign_fail(a, "ERR_INVALID_PARAMS", "$asset is the path of an asset, a string");
    if (name != NULL && q.name.p == NULL)
        return assign_fail(a, "ERR_INVALID_PARAMS",
                           "name is the name of an object of the asset, a string");
    struct error err;
    struct draft *d = draft_new(a->arena, DRAFT_REFERENCE, f->key);
    if (!asset_object_find(a->db, &q, &d->reference, &err))
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND", "%s", err.text);
    return d;
}

static struct draft *make_reference(struct assign *a, const struct type_field *f,
                                    const struct json *value)
{
    if (json_is(value, JSON_NULL))
        return draft_new(a->arena, DRAFT_REFERENCE, f->key);
    if (json_is(value, JSON_OBJECT) && json_get(value, STR("$ref")))
        return refer_to_object(a, f, value);
    if (json_is(value, JSON_OBJECT) && json_get(value, STR("$asset")))
        return refer_to_asset(a, f, value);
    return assign_fail(a, "ERR_INVALID_PARAMS",
                       "a reference to %.*s is {\"$ref\": path}, {\"$asset\": path} or null",
                       STR_ARG(f->type->name));
}

/* ---- arrays and structs */

static void add_name(struct assign *a, struct str name, const char *reason)
{
    struct assign_name *n = arena_zalloc(a->arena, sizeof *n);
    n->name = name;
    n->reason = reason;
    *a->names_end = n;
    a->names_end = &n->next;
}

/* Skip a member of a struct, named from the component: "stats.speed". */
static void skip_member(struct assign *a, struct str member, const char *reason)
{
    struct buf full = {0};
    buf_printf(&full, "%.*s.%.*s", STR_ARG(str_skip(buf_str(&a->where), STR("fields.").n)),
               STR_ARG(member));
    add_name(a, arena_str(a->arena, buf_str(&full)), reason);
    buf_done(&full);
}

/* Return why a member of a struct at that depth cannot be set, or NULL. */
static const char *skip_reason(const struct type_field *m, size_t depth)
{
    if (m == NULL)
        return "not_found";
    if (depth >= VALUE_MAX_DEPTH)
        return "depth_limit";
    return m->is_read_only ? "read_only" : assign_is_supported(m->type) ? NULL : "unsupported_type";
}

/* Return the given value of a member, or NULL if there is none or the member cannot be set. */
static const struct json *given_value(const struct type_field *m, const struct json *value,
                                      unsigned depth)
{
    const struct json *given = json_get(value, m->name);
    if (given == NULL)
        given = json_get(value, m->key);
    return m->is_internal || skip_reason(m, depth) ? NULL : given;
}

static struct draft *make_member(struct assign *a, const struct type_field *m,
                                 struct yaml_value there, const struct json *given, unsigned depth)
{
    size_t length = a->where.n;
    buf_printf(&a->where, ".%.*s", STR_ARG(m->name));
    struct draft *part = assign_draft(a, m, there, given, depth + 1);
    a->where.n = length;
    return part;
}

/* Insert a member that the map does not have after the nearest earlier one, else before the first
 * later one. */
static void add_new_member(struct draft *d, const struct type_class *c, size_t at,
                           struct draft *part)
{
    for (size_t i = at; i-- > 0;)
        if (draft_insert(d, c->fields[i].key, true, part))
            return;
    for (size_t i = at + 1; i < c->field_count; i++)
        if (draft_insert(d, c->fields[i].key, false, part))
            return;
    draft_add(d, part);
}

/* Change some members of an existing element. The others stay as in the file, even those that the
 * class does not have. */
static struct draft *change_struct(struct assign *a, const struct type_field *f,
                                   struct yaml_value old, const struct json *value, unsigned depth)
{
    const struct type_class *c = f->type->of;
    struct draft *d = draft_new(a->arena, DRAFT_MAP, f->key), *part;
    struct yaml_item item;
    bool is_kept = true;
    for (struct yaml_walk walk = yaml_walk(old); yaml_next(&walk, &item);) {
        const struct type_field *m = NULL;
        for (size_t i = 0; c != NULL && i < c->field_count && m == NULL; i++)
            m = str_eq(c->fields[i].key, item.key) ? &c->fields[i] : NULL;
        const struct json *given = m ? given_value(m, value, depth) : NULL;
        part = given ? make_member(a, m, item.value, given, depth)
                     : assign_element_keep_member(a, m, &item, old.indent);
        if (part == NULL)
            return NULL;
        is_kept = is_kept && part->is_kept;
        draft_add(d, part);
    }
    for (size_t i = 0; c != NULL && i < c->field_count; i++) {
        const struct type_field *m = &c->fields[i];
        const struct json *given = given_value(m, value, depth);
        if (given == NULL || yaml_get(old, m->key).kind != YAML_NONE)
            continue;
        part = make_member(a, m, type_field_value(m, old), given, depth);
        if (part == NULL)
            return NULL;
        is_kept = is_kept && part->is_kept;
        add_new_member(d, c, i, part);
    }
    d->is_kept = is_kept;
    return d;
}

static struct draft *make_struct(struct assign *a, const struct type_field *f,
                                 struct yaml_value old, const struct json *value, unsigned depth)
{
    if (!json_is(value, JSON_OBJECT))
        return refuse_value(a, "an object with the fields of the struct", value);
    struct draft *d = assign_shape_struct(a, f);
    const struct type_class *c = f->type->of;
    JSON_EACH (value, k) {
        const char *reason = skip_reason(c ? type_field_find(c, json_str(k)) : NULL, depth);
        if (reason)
            skip_member(a, json_str(k), reason);
    }
    if (old.kind == YAML_MAP)
        return change_struct(a, f, old, value, depth);
    size_t given_count = 0;
    for (size_t i = 0; c != NULL && i < c->field_count; i++) {
        const struct type_field *m = &c->fields[i];
        const struct json *given = given_value(m, value, depth);
        struct yaml_value there = type_field_value(m, old);
        if (given == NULL && there.kind == YAML_NONE && !assign_shape_is_written(a, m))
            continue;
        struct draft *part = given                     ? make_member(a, m, there, given, depth)
                             : there.kind == YAML_NONE ? assign_initial(a, m)
                                                       : draft_of_yaml(a->arena, m->key, there);
        if (part == NULL)
            return NULL;
        part->is_kept |= given == NULL;
        given_count += !part->is_kept;
        draft_add(d, part);
    }
    d->is_kept = given_count == 0 && json_count(value) > 0;
    return d;
}

/* f, old: the array. */
static struct draft *keep_element(struct assign *a, const struct type_field *f,
                                  struct yaml_value old, const struct json *value,
                                  struct assign_element *e)
{
    struct type_field element = {.type = f->type->element};
    if (!assign_element_find(a, f, old, value, e))
        return NULL;
    struct draft *d = e->rest ? assign_draft(a, &element, e->item->value, e->rest, e->depth)
                              : assign_element_keep(a, &element, e);
    if (d)
        d->is_in_place = e->is_in_place;
    return d;
}

static struct draft *make_array(struct assign *a, const struct type_field *f, struct yaml_value old,
                                const struct json *value, unsigned depth)
{
    if (!json_is(value, JSON_ARRAY))
        return refuse_value(a, "an array", value);
    struct draft *d = draft_new(a->arena, f->type->is_hex ? DRAFT_HEX : DRAFT_LIST, f->key);
    const struct type *t = f->type->element;
    d->bytes = t->kind == TYPE_BOOL ? 1 : t->bits / 8;
    struct type_field element = {.type = t};
    struct assign_elements all = {0};
    size_t i = 0, length = a->where.n;
    JSON_ITEMS (value, item) {
        struct assign_element e = {.all = &all, .place = i, .depth = depth + 1};
        buf_printf(&a->where, "[%zu]", i++);
        struct draft *made =
            assign_element_is_given(item)
                ? keep_element(a, f, old, item, &e)
                : assign_draft(a, &element, (struct yaml_value){0}, item, depth + 1);
        a->where.n = length;
        if (made == NULL)
            return NULL;
        draft_add(d, made);
    }
    return d;
}

struct draft *assign_draft(struct assign *a, const struct type_field *f, struct yaml_value old,
                           const struct json *value, unsigned depth)
{
    enum type_kind kind = f->type->kind;
    if (assign_element_is_given(value))
        return assign_element_refuse(a);
    if (kind == TYPE_OBJECT)
        return make_reference(a, f, value);
    if (json_is(value, JSON_NULL))
        return assign_fail(a, "ERR_INVALID_PARAMS", "null is only for references: this is %.*s",
                           STR_ARG(f->type->name));
    if (kind == TYPE_BOOL)
        return make_bool(a, f, value);
    if (kind == TYPE_INT)
        return make_integer(a, f, value);
    if (kind == TYPE_FLOAT || kind == TYPE_DOUBLE)
        return make_float(a, f, value);
    if (kind == TYPE_STRING)
        return make_string(a, f, value);
    if (kind == TYPE_ENUM)
        return make_enum(a, f, value);
    if (kind == TYPE_ARRAY)
        return make_array(a, f, old, value, depth);
    if (kind == TYPE_STRUCT)
        return make_struct(a, f, old, value, depth);
    return assign_shape(a, f, old, value);
}

struct draft *assign_initial(struct assign *a, const struct type_field *f)
{
    if (f->initial.n)
        return draft_of_yaml(a->arena, f->key, value_initial(a->arena, f->initial));
    return assign_shape_zero(a, f);
}

/* ---- the fields of a component */

struct field_path {
    const struct type_field *path[VALUE_MAX_DEPTH + 2];
    size_t length;
};

static bool set_field(struct assign *a, struct field_path *l, struct yaml_value map,
                      const struct json *value);

/* Change a struct of the file field by field, so that the other lines stay the same. */
static bool set_members(struct assign *a, struct field_path *l, struct yaml_value map,
                        const struct json *value)
{
    const struct type_field *f = l->path[l->length - 1];
    JSON_EACH (value, k) {
        const struct type_field *m = f->type->of ? type_field_find(f->type->of, json_str(k)) : NULL;
        const char *reason = skip_reason(m, l->length - 1);
        if (reason) {
            skip_member(a, json_str(k), reason);
            continue;
        }
        size_t length = a->where.n;
        buf_printf(&a->where, ".%.*s", STR_ARG(m->name));
        l->path[l->length++] = m;
        bool ok = set_field(a, l, map, json_next(k));
        l->length--;
        a->where.n = length;
        if (!ok)
            return false;
    }
    return true;
}

/* Compare by the order of the file, which is the order of the fields in their class. */
static int compare_place(const struct assign_set *s, const struct field_path *l)
{
    for (size_t i = 0; i < s->length && i < l->length; i++)
        if (s->path[i] != l->path[i])
            return s->path[i] < l->path[i] ? -1 : 1;
    return s->length < l->length ? -1 : s->length > l->length;
}

static bool set_field(struct assign *a, struct field_path *l, struct yaml_value map,
                      const struct json *value)
{
    const struct type_field *f = l->path[l->length - 1];
    struct yaml_value old = type_field_value(f, map);
    if (assign_element_is_given(value))
        return assign_element_refuse(a) != NULL;
    if (f->type->kind == TYPE_STRUCT && json_is(value, JSON_OBJECT) && old.kind == YAML_MAP)
        return set_members(a, l, old, value);
    struct draft *d = assign_draft(a, f, old, value, (unsigned)l->length - 1);
    if (d == NULL)
        return false;
    if (d->is_kept)
        return true; /* no member of a new struct could be set */
    a->sets++;
    struct assign_set **at = &a->first;
    int order = -1;
    while (*at && (order = compare_place(*at, l)) < 0)
        at = &(*at)->next;
    if (*at && order == 0) {
        (*at)->draft = draft_merge((*at)->draft, d);
        return true;
    }
    struct assign_set *s = arena_zalloc(a->arena, sizeof *s);
    const struct type_field **path = arena_alloc(a->arena, l->length * sizeof *path);
    for (size_t i = 0; i < l->length; i++)
        path[i] = l->path[i];
    s->path = path;
    s->length = l->length;
    s->draft = d;
    s->next = *at;
    *at = s;
    return true;
}

/* "hp": 5 becomes {"hp": 5}, so that "stats.hp": 5 is "stats": {"hp": 5}. */
static const struct json *unfold_path(struct assign *a, struct str rest, const struct json *value)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    size_t depth = 0;
    for (bool more = true; more && depth < 16; depth++) {
        struct str part;
        more = str_cut(&rest, '.', &part);
        jsonw_object(&w);
        jsonw_key_str(&w, part);
    }
    jsonw_value(&w, value);
    while (depth-- > 0)
        jsonw_end(&w);
    const struct json *nested =
        json_parse(a->arena, arena_str(a->arena, buf_str(&text)), NULL, NULL);
    buf_done(&text);
    return nested;
}

/* A property of the engine that the document lacks can be set only if this version writes it: the
 * editor does not know the keys of earlier and later versions. */
static bool is_written(const struct type_class *c, const struct type_field *f,
                       struct yaml_value body, struct version version)
{
    const struct builtin_class *b = c->class_id == 114 ? NULL : builtin_class(c->class_id);
    if (b == NULL || yaml_get(body, f->key).kind != YAML_NONE)
        return true;
    for (size_t i = 0; i < b->property_count; i++) {
        const struct builtin_property *p = builtin_property(b, i);
        if (str_eq(str_from(p->key), f->key))
            return builtin_property_is_in(p, version);
    }
    return true;
}

static bool set_named(struct assign *a, const struct type_class *c, struct yaml_value body,
                      struct str name, const struct json *value)
{
    const struct type_field *f = type_field_find(c, name);
    size_t dot = str_find_char(name, '.');
    if (f == NULL && dot < name.n) {
        f = type_field_find(c, str_head(name, dot));
        value = f ? unfold_path(a, str_skip(name, dot + 1), value) : NULL;
    }
    if (f == NULL || value == NULL) {
        add_name(a, name, "not_found");
        return true;
    }
    const char *reason = skip_reason(f, 0);
    if (!reason && !is_written(c, f, body, a->version))
        reason = "not_found";
    if (reason) {
        add_name(a, name, reason);
        return true;
    }
    struct field_path l = {.path = {f}, .length = 1};
    struct assign_name **names = a->names_end;
    a->sets = 0;
    a->where.n = 0;
    buf_printf(&a->where, "fields.%.*s", STR_ARG(f->name));
    if (!set_field(a, &l, body, value))
        return false;
    /* If no member of a struct could be set, its members are listed with their reasons instead. */
    if (a->sets > 0 || a->names_end == names)
        add_name(a, name, NULL);
    return true;
}

bool assign_fields(struct assign *a, const struct type_class *c, struct yaml_value body,
                   const struct json *fields)
{
    a->names_end = &a->names;
    if (fields == NULL)
        return true;
    if (assign_element_is_given(fields)) {
        buf_add(&a->where, STR("fields"));
        return assign_element_refuse(a) != NULL;
    }
    JSON_EACH (fields, k) {
        if (!set_named(a, c, body, json_str(k), json_next(k)))
            return false;
    }
    return true;
}

void assign_done(struct assign *a)
{
    buf_done(&a->where);
}
