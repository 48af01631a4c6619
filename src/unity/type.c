#include "unity/type.h"

struct str type_simple_name(struct str full)
{
    size_t from = full.n;
    while (from > 0 && full.p[from - 1] != '.' && full.p[from - 1] != '+')
        from--;
    struct str simple = str_skip(full, from);
    for (size_t i = 0; i < simple.n; i++)
        if (simple.p[i] == '`')
            return str_head(simple, i);
    return simple;
}

struct str type_shown_name(struct arena *a, struct str key)
{
    struct str rest = str_starts(key, STR("m_")) ? str_skip(key, 2) : key;
    if (rest.n == 0 || str_eq(key, STR("m_Enabled")) || str_find(key, STR(" ")) < key.n)
        return key;
    char *name = arena_cstr(a, rest);
    if (name[0] >= 'A' && name[0] <= 'Z')
        name[0] = (char)(name[0] - 'A' + 'a');
    return str_make(name, rest.n);
}

bool type_class_is_a(const struct type_class *c, struct str name)
{
    bool is_full = str_find(name, STR(".")) < name.n;
    if (c->is_object && (str_eq(name, STR("UnityEngine.Object")) || str_eq(name, STR("Object"))))
        return true;
    for (; c != NULL; c = c->base)
        if (str_eq(is_full ? c->name : c->simple, name) || str_eq(c->name, name))
            return true;
    return false;
}

bool type_class_derives(const struct type_class *c, struct str full)
{
    if (c->is_object && str_eq(full, STR("UnityEngine.Object")))
        return true;
    for (; c != NULL; c = c->base)
        if (str_eq(c->name, full))
            return true;
    return false;
}

bool type_field_is(const struct type_field *f, struct str key)
{
    bool is = str_eq(f->key, key);
    for (size_t i = 0; !is && i < f->former_count; i++)
        is = str_eq(f->former[i], key);
    return is;
}

struct yaml_value type_field_value(const struct type_field *f, struct yaml_value map)
{
    struct yaml_value value = yaml_get(map, f->key);
    for (size_t i = 0; value.kind == YAML_NONE && i < f->former_count; i++)
        value = yaml_get(map, f->former[i]);
    return value;
}

const struct type_field *type_field_find(const struct type_class *c, struct str name)
{
    for (size_t i = 0; i < c->field_count; i++)
        if (!c->fields[i].is_internal && str_eq(c->fields[i].key, name))
            return &c->fields[i];
    for (size_t i = 0; i < c->field_count; i++)
        if (!c->fields[i].is_internal && str_eq(c->fields[i].name, name))
            return &c->fields[i];
    return NULL;
}

const struct type_member *type_enum_by_name(const struct type_enum *e, struct str name)
{
    for (size_t i = 0; i < e->count; i++)
        if (str_eq(e->members[i].name, name))
            return &e->members[i];
    return NULL;
}

/* Join the members whose bits are all in the rest of the value, the largest first, as .NET does. */
static struct str join_flag_names(const struct type_enum *e, int64_t value, struct arena *a)
{
    struct str names = {0};
    uint64_t left = (uint64_t)value;
    while (left != 0) {
        const struct type_member *best = NULL;
        for (size_t i = 0; i < e->count; i++) {
            uint64_t bits = (uint64_t)e->members[i].value;
            if (bits != 0 && (bits & ~left) == 0 && (best == NULL || bits > (uint64_t)best->value))
                best = &e->members[i];
        }
        if (best == NULL)
            return (struct str){0};
        left &= ~(uint64_t)best->value;
        names = names.n == 0 ? best->name
                             : arena_printf(a, "%.*s, %.*s", STR_ARG(best->name), STR_ARG(names));
    }
    return names;
}

struct str type_enum_name(const struct type_enum *e, int64_t value, struct arena *a)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->members[i].value == value)
            return e->members[i].name;
    return e->flags ? join_flag_names(e, value, a) : (struct str){0};
}
