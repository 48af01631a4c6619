#include "unity/types_internal.h"

/* clang-format off */
static const struct type values[] = {
    {.kind = TYPE_BOOL, .name = STR_INIT("System.Boolean")},
    {.kind = TYPE_INT, .bits = 8, .name = STR_INIT("System.Byte")},
    {.kind = TYPE_INT, .bits = 8, .is_signed = true, .name = STR_INIT("System.SByte")},
    {.kind = TYPE_INT, .bits = 16, .is_signed = true, .name = STR_INIT("System.Int16")},
    {.kind = TYPE_INT, .bits = 16, .name = STR_INIT("System.UInt16")},
    {.kind = TYPE_INT, .bits = 16, .name = STR_INIT("System.Char")},
    {.kind = TYPE_INT, .bits = 32, .is_signed = true, .name = STR_INIT("System.Int32")},
    {.kind = TYPE_INT, .bits = 32, .name = STR_INIT("System.UInt32")},
    {.kind = TYPE_INT, .bits = 64, .is_signed = true, .name = STR_INIT("System.Int64")},
    {.kind = TYPE_INT, .bits = 64, .name = STR_INIT("System.UInt64")},
    {.kind = TYPE_FLOAT, .name = STR_INIT("System.Single")},
    {.kind = TYPE_DOUBLE, .name = STR_INIT("System.Double")},
    {.kind = TYPE_STRING, .name = STR_INIT("System.String")},
    {.kind = TYPE_VECTOR2, .name = STR_INIT("UnityEngine.Vector2")},
    {.kind = TYPE_VECTOR3, .name = STR_INIT("UnityEngine.Vector3")},
    {.kind = TYPE_VECTOR4, .name = STR_INIT("UnityEngine.Vector4")},
    {.kind = TYPE_VECTOR2_INT, .name = STR_INIT("UnityEngine.Vector2Int")},
    {.kind = TYPE_VECTOR3_INT, .name = STR_INIT("UnityEngine.Vector3Int")},
    {.kind = TYPE_QUATERNION, .name = STR_INIT("UnityEngine.Quaternion")},
    {.kind = TYPE_COLOR, .name = STR_INIT("UnityEngine.Color")},
    {.kind = TYPE_COLOR32, .name = STR_INIT("UnityEngine.Color32")},
    {.kind = TYPE_RECT, .name = STR_INIT("UnityEngine.Rect")},
    {.kind = TYPE_RECT_INT, .name = STR_INIT("UnityEngine.RectInt")},
    {.kind = TYPE_BOUNDS, .name = STR_INIT("UnityEngine.Bounds")},
    {.kind = TYPE_BOUNDS_INT, .name = STR_INIT("UnityEngine.BoundsInt")},
    {.kind = TYPE_LAYER_MASK, .name = STR_INIT("UnityEngine.LayerMask")},
    {.kind = TYPE_CURVE, .name = STR_INIT("UnityEngine.AnimationCurve")},
    {.kind = TYPE_GRADIENT, .name = STR_INIT("UnityEngine.Gradient")},
};

/* The names in C# and in the shapes of the tables. */
static const struct { const char *word, *name; } words[] = {
    {"bool", "System.Boolean"}, {"byte", "System.Byte"}, {"sbyte", "System.SByte"},
    {"short", "System.Int16"}, {"ushort", "System.UInt16"}, {"char", "System.Char"},
    {"int", "System.Int32"}, {"uint", "System.UInt32"}, {"long", "System.Int64"},
    {"ulong", "System.UInt64"}, {"float", "System.Single"}, {"double", "System.Double"},
    {"string", "System.String"},
};

static const struct { const char *shape, *name; } shapes[] = {
    {"bool", "System.Boolean"}, {"int", "System.Int32"}, {"int(u8)", "System.Byte"},
    {"int(s8)", "System.SByte"}, {"int(u16)", "System.UInt16"}, {"int(s16)", "System.Int16"},
    {"int(u32)", "System.UInt32"}, {"int(s64)", "System.Int64"}, {"int(u64)", "System.UInt64"},
    {"float", "System.Single"}, {"float(f64)", "System.Double"}, {"string", "System.String"},
    {"vector2", "UnityEngine.Vector2"}, {"vector3", "UnityEngine.Vector3"},
    {"vector4", "UnityEngine.Vector4"}, {"vector2int", "UnityEngine.Vector2Int"},
    {"vector3int", "UnityEngine.Vector3Int"}, {"quaternion", "UnityEngine.Quaternion"},
    {"color", "UnityEngine.Color"}, {"color32", "UnityEngine.Color32"},
    {"rect", "UnityEngine.Rect"}, {"bounds", "UnityEngine.Bounds"},
    {"layer mask", "UnityEngine.LayerMask"}, {"curve", "UnityEngine.AnimationCurve"},
    {"gradient", "UnityEngine.Gradient"},
};
/* clang-format on */

static const struct type unknown = {.kind = TYPE_UNKNOWN, .name = STR_INIT("unknown")};

const struct type *types_kind_unknown(void)
{
    return &unknown;
}

const struct type *types_kind_value(struct str full)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (str_eq(values[i].name, full))
            return &values[i];
    return NULL;
}

static const struct type *find_keyword(struct str word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(str_from(words[i].word), word))
            return types_kind_value(str_from(words[i].name));
    return NULL;
}

static const struct type *keep_type(struct types *t, struct type made)
{
    struct type *kept = arena_alloc(&t->arena, sizeof *kept);
    *kept = made;
    return kept;
}

const struct type *types_kind_array(struct types *t, const struct type *element, bool is_list)
{
    struct type made = {.kind = TYPE_ARRAY, .is_list = is_list, .element = element};
    made.is_hex =
        element->kind == TYPE_BOOL || element->kind == TYPE_INT || element->kind == TYPE_ENUM;
    made.name = is_list ? arena_printf(&t->arena, "System.Collections.Generic.List<%.*s>",
                                       STR_ARG(element->name))
                        : arena_printf(&t->arena, "%.*s[]", STR_ARG(element->name));
    return keep_type(t, made);
}

static const struct type *make_object_type(struct types *t, const struct type_class *c)
{
    return keep_type(t, (struct type){.kind = TYPE_OBJECT, .name = c->name, .of = c});
}

static const struct type *make_struct_type(struct types *t, const struct type_class *c)
{
    return keep_type(t, (struct type){.kind = TYPE_STRUCT, .name = c->name, .of = c});
}

static const struct type *make_enum_type(struct types *t, const struct type_enum *e, int bits)
{
    return keep_type(t, (struct type){.kind = TYPE_ENUM,
                                      .bits = (uint8_t)(bits < 0 ? -bits : bits),
                                      .is_signed = bits < 0,
                                      .name = e->name,
                                      .values = e});
}

/* ---- types written in C# */

size_t types_kind_bind(struct types *t, const struct types_scope *s, const struct types_decl *d,
                       struct str arguments, struct types_binding *out)
{
    size_t count = 0, depth = 0, from = 0;
    for (size_t i = 0; i <= arguments.n && count < d->type->parameter_count; i++) {
        char c = i < arguments.n ? arguments.p[i] : ',';
        depth += c == '<' || c == '(' || c == '[';
        depth -= (c == '>' || c == ')' || c == ']') && depth > 0;
        if (c != ',' || (depth > 0 && i < arguments.n) || count == TYPES_MAX_ARGUMENTS)
            continue;
        struct str one = str_trim(str_make(arguments.p + from, i - from));
        out[count] = (struct types_binding){d->type->parameters[count], types_kind(t, s, one)};
        count++;
        from = i + 1;
    }
    return count;
}

static const struct type *type_of_declaration(struct types *t, const struct types_scope *s,
                                              const struct types_decl *d, struct str arguments)
{
    if (d->type->kind == CSHARP_ENUM) {
        int bits = types_enum_bits(d);
        return bits == 64 || bits == -64 ? NULL : make_enum_type(t, types_enum_of(t, d), bits);
    }
    if (d->type->kind == CSHARP_INTERFACE)
        return NULL;
    if (types_class_is_object(t, d)) {
        struct types_class *m = types_class_script(t, d);
        return d->type->parameter_count == 0 && m != NULL ? make_object_type(t, &m->class) : NULL;
    }
    struct version generics = {.major = 2020, .minor = 1};
    if (d->type->parameter_count > 0 && version_is_known(t->project->version) &&
        version_cmp(t->project->version, generics) < 0)
        return NULL;
    struct types_binding bindings[TYPES_MAX_ARGUMENTS];
    struct types_scope inner = *s;
    inner.bindings = bindings;
    inner.binding_count = types_kind_bind(t, s, d, arguments, bindings);
    const struct type_class *c = types_class_value(t, d, &inner);
    return c != NULL ? make_struct_type(t, c) : NULL;
}

/* Named as written: UnityEvent<System.Single>. */
static const struct type *type_of_engine_struct(struct types *t, const struct types_scope *s,
                                                const struct types_meaning *m, struct str arguments)
{
    struct type made = {.kind = TYPE_STRUCT, .of = types_class_struct(t, m->fixed)};
    struct buf name = {0};
    buf_add(&name, str_head(m->fixed_name, str_find_char(m->fixed_name, '`')));
    for (bool first = true; arguments.n > 0; first = false) {
        struct str one;
        str_cut(&arguments, ',', &one);
        const struct type *argument = types_kind(t, s, one);
        buf_printf(&name, "%s%.*s", first ? "<" : ",",
                   STR_ARG(argument != NULL ? argument->name : str_trim(one)));
        if (arguments.n == 0)
            buf_add_char(&name, '>');
    }
    made.name = arena_str(&t->arena, buf_str(&name));
    buf_done(&name);
    return keep_type(t, made);
}

static const struct type *type_of_meaning(struct types *t, const struct types_scope *s,
                                          const struct types_meaning *m, struct str arguments)
{
    if (m->decl != NULL)
        return type_of_declaration(t, s, m->decl, arguments);
    if (m->value != NULL)
        return m->value;
    if (m->enumeration != NULL)
        return make_enum_type(t, types_enum_builtin(t, m->enumeration), -32);
    if (m->fixed != NULL)
        return type_of_engine_struct(t, s, m, arguments);
    struct types_class *c = types_class_meant(t, m);
    return c != NULL && c->class.is_object ? make_object_type(t, &c->class) : NULL;
}

static const struct type *find_binding(const struct types_scope *s, struct str name)
{
    for (size_t i = 0; i < s->binding_count; i++)
        if (str_eq(s->bindings[i].name, name))
            return s->bindings[i].type;
    return NULL;
}

static bool is_bound(const struct types_scope *s, struct str name)
{
    for (size_t i = 0; i < s->binding_count; i++)
        if (str_eq(s->bindings[i].name, name))
            return true;
    return false;
}

static bool is_list_name(struct str name)
{
    return str_eq(name, STR("List")) || str_eq(name, STR("System.Collections.Generic.List")) ||
           str_eq(name, STR("Generic.List"));
}

/* Split "T[]" and "List<T>": *element is T as written. */
static bool split_array(struct str written, struct str *element, bool *is_list)
{
    struct str arguments;
    size_t arity;
    if (str_ends(written, STR("]"))) {
        struct str open = str_trim(str_head(written, written.n - 1));
        *is_list = false;
        *element =
            str_ends(open, STR("[")) ? str_trim(str_head(open, open.n - 1)) : (struct str){0};
        return true;
    }
    *is_list = is_list_name(types_name_arguments(written, &arguments, &arity)) && arity == 1;
    *element = str_trim(arguments);
    return *is_list;
}

const struct type *types_kind(struct types *t, const struct types_scope *s, struct str written)
{
    struct str element, arguments;
    size_t arity;
    bool is_list;
    written = str_trim(written);
    if (written.n == 0 || written.n > TYPES_MAX_WRITTEN)
        return NULL;
    if (split_array(written, &element, &is_list)) {
        const struct type *e = element.n > 0 ? types_kind(t, s, element) : NULL;
        if (e == NULL || e->kind == TYPE_ARRAY) /* nested arrays are not serialized */
            return NULL;
        return types_kind_array(t, e, is_list);
    }
    if (is_bound(s, written))
        return find_binding(s, written);
    const struct type *simple = find_keyword(written);
    if (simple != NULL)
        return simple;
    struct str name = types_name_arguments(written, &arguments, &arity);
    struct types_meaning m;
    if (arity > TYPES_MAX_ARGUMENTS || !types_name_resolve(t, s, name, arity, &m))
        return NULL;
    return type_of_meaning(t, s, &m, arguments);
}

const struct type *types_kind_managed(struct types *t, const struct types_scope *s,
                                      struct str written)
{
    struct str element, arguments;
    size_t arity;
    bool is_list;
    struct types_meaning m;
    written = str_trim(written);
    if (written.n == 0 || written.n > TYPES_MAX_WRITTEN)
        return NULL;
    if (split_array(written, &element, &is_list)) {
        const struct type *e = types_kind_managed(t, s, element);
        return e != NULL && e->kind != TYPE_ARRAY ? types_kind_array(t, e, is_list) : NULL;
    }
    struct type made = {.kind = TYPE_MANAGED, .name = arena_str(&t->arena, written)};
    struct str name = types_name_arguments(written, &arguments, &arity);
    if (types_name_resolve(t, s, name, arity, &m) && m.decl != NULL)
        made.name = m.decl->full;
    return keep_type(t, made);
}

/* ---- types in the tables */

static int get_bits(const struct type *t)
{
    return t != NULL && t->kind == TYPE_INT ? (t->is_signed ? -t->bits : t->bits) : -32;
}

static const struct builtin_class *find_class(struct str native)
{
    const struct builtin_class *c;
    for (size_t i = 0; (c = builtin_class_at(i)) != NULL; i++)
        if (str_eq(str_from(c->name), native))
            return c;
    return NULL;
}

static const struct type *type_of_shape(struct types *t, struct str shape)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (str_eq(str_from(shapes[i].shape), shape))
            return types_kind_value(str_from(shapes[i].name));
    if (str_starts(shape, STR("ref<"))) {
        struct str native = str_make(shape.p + 4, shape.n - 5);
        const struct builtin_class *c = find_class(native);
        c = c != NULL ? c : find_class(STR("Object"));
        return make_object_type(t, &types_class_builtin(t, c)->class);
    }
    if (str_starts(shape, STR("array<")))
        return types_kind_array(t, type_of_shape(t, str_make(shape.p + 6, shape.n - 7)), false);
    if (str_starts(shape, STR("list<"))) /* of a C# class; the form in the file is the same */
        return types_kind_array(t, type_of_shape(t, str_make(shape.p + 5, shape.n - 6)), true);
    const struct builtin_struct *s = NULL;
    if (str_starts(shape, STR("struct ")))
        s = builtin_struct(str_skip(shape, STR("struct ").n));
    else if (str_eq(shape, STR("matrix4x4")))
        s = builtin_struct(STR("UnityEngine.Matrix4x4"));
    return s != NULL ? make_struct_type(t, types_class_struct(t, s)) : &unknown;
}

const struct type *types_kind_of_property(struct types *t, const struct builtin_property *p)
{
    struct str shape = str_from(p->shape), name = str_from(p->type);
    const struct type *plain = type_of_shape(t, shape);
    const struct builtin_enum *e = builtin_enum(str_from(p->enumeration));
    if (e != NULL && (plain->kind == TYPE_INT || plain->kind == TYPE_BOOL))
        return make_enum_type(t, types_enum_builtin(t, e), get_bits(plain));
    if (plain->kind == TYPE_INT && str_eq(name, STR("bool")))
        return types_kind_value(STR("System.Boolean"));
    if (plain->kind == TYPE_OBJECT) {
        const struct builtin_class *c = builtin_class_of(name);
        return c != NULL ? make_object_type(t, &types_class_builtin(t, c)->class) : plain;
    }
    return plain;
}

const struct type *types_kind_of_field(struct types *t, const struct builtin_field *f)
{
    static const struct types_scope nowhere = {0};
    const struct builtin_enum *e = builtin_enum(str_from(f->enumeration));
    struct str written = str_from(f->type), element;
    bool is_list;
    if (e != NULL) {
        const struct type *one = make_enum_type(t, types_enum_builtin(t, e), -32);
        return split_array(written, &element, &is_list) ? types_kind_array(t, one, is_list) : one;
    }
    const struct type *made = written.n > 0 ? types_kind(t, &nowhere, written) : NULL;
    return made != NULL ? made : &unknown;
}
