#include "editor/assign_element.h"

#include "editor/value.h"

static const struct str NAME = STR_INIT("$element");

bool assign_element_is_given(const struct json *value)
{
    return json_is(value, JSON_OBJECT) && json_get(value, NAME) != NULL;
}

struct draft *assign_element_refuse(struct assign *a)
{
    return assign_fail(a, "ERR_INVALID_PARAMS",
                       "{\"$element\": n} keeps element n of the array that is set: use it only as "
                       "an element of an array");
}

/* ---- the current array */

struct element_list {
    struct assign *a;
    struct assign_elements *all;
};

static void add_value(struct yaml_value value, void *ctx)
{
    const struct element_list *r = ctx;
    value.text = arena_str(r->a->arena, value.text); /* the text of a hex array is temporary */
    r->all->items[r->all->count++] = (struct yaml_item){.value = value};
}

static bool is_in_file(const struct assign *a, struct str text)
{
    struct str file = a->scene ? a->scene->file.text : (struct str){0};
    return text.n > 0 && text.p >= file.p && text.p < file.p + file.n;
}

static void skip_value(struct yaml_value value, void *ctx)
{
    (void)value;
    (void)ctx;
}

static void read_elements(struct assign *a, const struct type_field *f, struct yaml_value old,
                          struct assign_elements *all)
{
    if (old.kind == YAML_NONE && f->initial.n)
        old = value_initial(a->arena, f->initial);
    struct value_part part = {.type = f->type, .most = SIZE_MAX};
    struct element_list r = {a, all};
    size_t count = value_each(&part, old, skip_value, NULL);
    all->is_read = true;
    all->items = arena_alloc(a->arena, (count + 1) * sizeof *all->items);
    all->column = old.indent;
    all->has_lines = old.kind == YAML_LIST && is_in_file(a, old.text);
    if (old.kind != YAML_LIST) {
        value_each(&part, old, add_value, &r);
        return;
    }
    struct yaml_walk walk = yaml_walk(old);
    while (yaml_next(&walk, &all->items[all->count]))
        all->count++;
}

/* ---- finding the element, and whether it can be moved */

/* Return whether an override of this file can hold all references of the value: each target needs a
 * known id. The recursion is as deep as the text, which is limited. */
static bool can_be_named(struct assign *a, struct yaml_value value)
{
    struct reference r, source;
    struct scene_place at;
    if (value.kind == YAML_FLOW_MAP && yaml_reference(value, &r))
        return !reference_is_local(r) || reference_is_null(r) ||
               !scene_where(a->scene, r.file_id, &at) || !scene_target(a->scene, at, &source) ||
               source.file_id != 0;
    struct yaml_item item;
    for (struct yaml_walk walk = yaml_walk(value); yaml_next(&walk, &item);)
        if (!can_be_named(a, item.value))
            return false;
    return true;
}

static bool may_move(struct assign *a, const struct yaml_item *item)
{
    if (a->is_partial)
        return assign_fail(a, "ERR_UNSUPPORTED_HEADLESS",
                           "the component comes from a model file, which is not read: leave its "
                           "elements at their index, or give new values") != NULL;
    if (a->is_override && !can_be_named(a, item->value))
        return assign_fail(a, "ERR_REFERENCE_NOT_FOUND",
                           "the element refers to an object of a model or of a missing prefab, "
                           "whose id is not known: leave it at its index") != NULL;
    return true;
}

/* Return {"$element": 1, "hp": 5} without $element, or NULL if nothing is left. */
static const struct json *without_element(struct assign *a, const struct json *value)
{
    if (json_count(value) == 1)
        return NULL;
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_object(&w);
    JSON_EACH (value, k) {
        if (str_eq(json_str(k), NAME))
            continue;
        jsonw_key_str(&w, json_str(k));
        jsonw_value(&w, json_next(k));
    }
    jsonw_end(&w);
    const struct json *rest = json_parse(a->arena, arena_str(a->arena, buf_str(&text)), NULL, NULL);
    buf_done(&text);
    return rest;
}

/* Types with members or parts that can be set alone. */
static const bool has_members[TYPE_KIND_COUNT] = {
    [TYPE_STRUCT] = true,      [TYPE_VECTOR2] = true,     [TYPE_VECTOR3] = true,
    [TYPE_VECTOR4] = true,     [TYPE_QUATERNION] = true,  [TYPE_COLOR] = true,
    [TYPE_VECTOR2_INT] = true, [TYPE_VECTOR3_INT] = true, [TYPE_COLOR32] = true,
    [TYPE_RECT] = true,        [TYPE_RECT_INT] = true,    [TYPE_BOUNDS] = true,
    [TYPE_BOUNDS_INT] = true,
};

bool assign_element_find(struct assign *a, const struct type_field *f, struct yaml_value old,
                         const struct json *value, struct assign_element *e)
{
    uint64_t n = 0;
    if (!json_u64(json_get(value, NAME), &n))
        return assign_fail(
                   a, "ERR_INVALID_PARAMS",
                   "$element is the index of an element of the current array, an integer from 0") !=
               NULL;
    if (!e->all->is_read)
        read_elements(a, f, old, e->all);
    if (n >= e->all->count)
        return assign_fail(a, "ERR_INVALID_PARAMS",
                           "there is no element %llu to keep: the array has %zu",
                           (unsigned long long)n, e->all->count) != NULL;
    e->rest = without_element(a, value);
    if (e->rest && !has_members[f->type->element->kind])
        return assign_fail(a, "ERR_INVALID_PARAMS",
                           "only members of a struct, or parts of a value such as a vector, can be "
                           "given beside $element; this is %.*s",
                           STR_ARG(f->type->element->name)) != NULL;
    e->item = &e->all->items[n];
    e->is_in_place = n == e->place;
    return e->is_in_place || may_move(a, e->item);
}

/* ---- as a draft */

static struct draft *keep_hex(struct assign *a, const struct type_field *f, struct yaml_value value)
{
    const struct type *t = f->type->element;
    struct assign_elements all = {0};
    struct draft *d = draft_new(a->arena, DRAFT_HEX, f->key);
    d->bytes = t->kind == TYPE_BOOL ? 1 : t->bits / 8;
    read_elements(a, f, value, &all);
    for (size_t i = 0; i < all.count; i++)
        draft_add(d, draft_scalar(a->arena, (struct str){0}, all.items[i].value.text));
    return d;
}

static const struct type_field *find_field(const struct type_class *c, struct str key)
{
    for (size_t i = 0; c != NULL && i < c->field_count; i++)
        if (str_eq(c->fields[i].key, key))
            return &c->fields[i];
    return NULL;
}

/* Return a value as a draft, with what overrides need: which texts are hex arrays, which maps are
 * managed references. */
static struct draft *keep_value(struct assign *a, const struct type_field *f,
                                struct yaml_value value)
{
    enum type_kind kind = f->type->kind;
    struct yaml_item item;
    if (kind == TYPE_ARRAY && f->type->is_hex &&
        (value.kind == YAML_SCALAR || value.kind == YAML_EMPTY))
        return keep_hex(a, f, value);
    bool is_list = kind == TYPE_ARRAY && (value.kind == YAML_LIST || value.kind == YAML_FLOW_LIST);
    bool is_map = kind == TYPE_STRUCT && value.kind == YAML_MAP;
    if (!is_list && !is_map) {
        struct draft *plain = draft_of_yaml(a->arena, f->key, value);
        plain->is_double = kind == TYPE_DOUBLE;
        plain->is_managed = kind == TYPE_MANAGED && plain->first != NULL;
        return plain;
    }
    struct draft *d = draft_new(a->arena, is_list ? DRAFT_LIST : DRAFT_MAP, f->key);
    for (struct yaml_walk walk = yaml_walk(value); yaml_next(&walk, &item);) {
        const struct type_field element = {.type = f->type->element},
                                *m = is_list ? &element : find_field(f->type->of, item.key);
        struct draft *part =
            m ? keep_value(a, m, item.value) : draft_of_yaml(a->arena, item.key, item.value);
        part->is_foreign = m == NULL;
        draft_add(d, part);
    }
    return d;
}

static void mark_kept(struct draft *d)
{
    d->is_kept = true;
    for (struct draft *c = d->first; c; c = c->next)
        mark_kept(c);
}

static void take_lines(struct draft *d, struct str lines, uint32_t column)
{
    while (lines.n && lines.p[0] == ' ')
        lines = str_skip(lines, 1);
    if (lines.n && lines.p[lines.n - 1] == '\n')
        lines.n--;
    if (lines.n && lines.p[lines.n - 1] == '\r')
        lines.n--;
    d->lines = lines;
    d->column = column;
}

struct draft *assign_element_keep(struct assign *a, const struct type_field *f,
                                  const struct assign_element *e)
{
    struct draft *d = keep_value(a, f, e->item->value);
    mark_kept(d);
    if (e->all->has_lines)
        take_lines(d, e->item->lines, e->all->column);
    return d;
}

struct draft *assign_element_keep_member(struct assign *a, const struct type_field *f,
                                         const struct yaml_item *item, uint32_t column)
{
    struct draft *d =
        f ? keep_value(a, f, item->value) : draft_of_yaml(a->arena, item->key, item->value);
    d->is_foreign = f == NULL;
    mark_kept(d);
    if (is_in_file(a, item->lines))
        take_lines(d, item->lines, column);
    return d;
}
