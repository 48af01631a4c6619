#include "editor/describe.h"

#include "editor/describe_parts.h"

/* How far inside a value is, and whether the array around it has said what it is. */
struct inside {
    unsigned depth;
    bool is_said;
    bool is_asked; /* for itself: an offset counts from here */
    bool is_held;  /* by a [SerializeReference]: it cannot be set */
};

static void put_one(struct describe *d, struct jsonw *w, const struct type_field *f,
                    struct yaml_value value, struct inside in);

static void put_deep(struct jsonw *w)
{
    jsonw_kcstr(w, "value", "...");
    jsonw_kbool(w, "is_cut", true);
}

/* ---- structs */

static void put_members(struct describe *d, struct jsonw *w, const struct type_class *c,
                        struct yaml_value map, struct inside in)
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
        put_one(d, w, f, type_field_value(f, map), in);
    }
    jsonw_end(w);
}

/* What it holds may be of any class: its fields say themselves what they are, also in an array. */
static void put_managed(struct describe *d, struct jsonw *w, struct yaml_value value,
                        struct inside in)
{
    struct value_managed m;
    if (!value_managed(d->view, value, &m)) {
        jsonw_key(w, "value");
        jsonw_null(w);
        return;
    }
    jsonw_kstr(w, "managed_type", m.type);
    if (in.depth >= VALUE_MAX_DEPTH) {
        put_deep(w);
    } else if (m.class) {
        put_members(d, w, m.class, m.data, (struct inside){.depth = in.depth + 1, .is_held = true});
    } else {
        jsonw_key(w, "value");
        value_put_unknown(d->view, w, m.data, in.depth + 1);
    }
}

/* ---- arrays */

struct elements {
    struct describe *d;
    struct jsonw *w;
    struct type_field field;
    struct inside in;
};

static void put_element(struct yaml_value value, void *ctx)
{
    struct elements *e = ctx;
    put_one(e->d, e->w, &e->field, value, e->in);
}

static void put_array(struct describe *d, struct jsonw *w, const struct type *t,
                      struct yaml_value value, struct inside in)
{
    struct elements e = {d,
                         w,
                         {.type = t->element},
                         {.depth = in.depth + 1, .is_said = true, .is_held = in.is_held}};
    struct value_part part = {
        .type = t, .from = in.is_asked ? d->offset : 0, .most = d->view->max_array};
    jsonw_key(w, "value");
    jsonw_array(w);
    size_t count = value_each(&part, value, put_element, &e);
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
                      struct yaml_value value, struct inside in)
{
    bool is_deep = in.depth >= VALUE_MAX_DEPTH;
    if (is_deep && (t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY)) {
        put_deep(w);
    } else if (t->kind == TYPE_OBJECT) {
        describe_reference(d, w, t, value);
    } else if (t->kind == TYPE_STRUCT) {
        put_members(
            d, w, t->of, value,
            (struct inside){.depth = in.depth + 1, .is_said = in.is_said, .is_held = in.is_held});
    } else if (t->kind == TYPE_ARRAY) {
        put_array(d, w, t, value, in);
    } else if (t->kind == TYPE_MANAGED) {
        put_managed(d, w, value, in);
    } else if (t->kind == TYPE_ENUM) {
        put_enum(d, w, t, value);
    } else if (t->kind == TYPE_CURVE) {
        describe_curve(d, w, value);
    } else if (t->kind == TYPE_GRADIENT) {
        describe_gradient(d, w, value);
    } else {
        jsonw_key(w, "value");
        if (t->kind == TYPE_UNKNOWN)
            value_put_unknown(d->view, w, value, in.depth);
        else
            value_put_bare(d->view, w, t, value);
    }
}

static void put_one(struct describe *d, struct jsonw *w, const struct type_field *f,
                    struct yaml_value value, struct inside in)
{
    if (value.kind == YAML_NONE)
        value = value_initial(d->view->arena, f->initial);
    struct type_field shown = *f;
    shown.type = value_type(f->type, value);
    shown.is_read_only |= f->type->kind == TYPE_UNKNOWN || in.is_held;
    jsonw_object(w);
    if (!in.is_said)
        describe_type(d, w, &shown, in.depth);
    put_value(d, w, shown.type, value, in);
    jsonw_end(w);
}

void describe_field(struct describe *d, struct jsonw *w, const struct type_field *f,
                    struct yaml_value value)
{
    d->view->fields++;
    jsonw_key_str(w, f->name);
    put_one(d, w, f, value, (struct inside){.is_asked = true});
}

/* ---- what is deeper inside */

struct step {                       /* of a path, so far */
    const struct type_class *class; /* of the struct it is in; NULL: it is in none */
    struct yaml_value map;          /* that struct */
    struct type_field field;
    struct yaml_value value;
    unsigned depth;
    bool is_held;
};

struct picked {
    struct arena *arena;
    struct yaml_value value;
};

static void pick(struct yaml_value element, void *ctx)
{
    struct picked *p = ctx;
    p->value = element;
    p->value.text = arena_str(p->arena, element.text); /* an element of a hex array has none */
}

static bool step_to_field(struct describe *d, struct step *s, struct str name)
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

static bool step_to_element(struct describe *d, struct step *s, uint64_t index)
{
    struct picked p = {.arena = d->view->arena};
    struct value_part part = {.type = s->field.type, .from = index, .most = 1};
    if (s->field.type->kind != TYPE_ARRAY || index > SIZE_MAX / 2 ||
        value_each(&part, s->value, pick, &p) <= index)
        return false;
    s->field =
        (struct type_field){.type = s->field.type->element, .is_read_only = s->field.is_read_only};
    s->value = p.value;
    s->depth++;
    return true;
}

/* What the next name is a member of. */
static bool step_into(struct describe *d, struct step *s)
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

static bool follow(struct describe *d, struct step *s, struct str path)
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
    struct step s = {.class = c, .map = d->view->body};
    if (!follow(d, &s, path))
        return false;
    d->view->fields++;
    d->above = s.depth;
    jsonw_key_str(w, path);
    put_one(d, w, &s.field, s.value, (struct inside){.is_asked = true, .is_held = s.is_held});
    d->above = 0;
    return true;
}
