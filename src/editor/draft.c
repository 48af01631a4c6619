#include "editor/draft.h"

#include <math.h>

#include "base/number.h"

struct draft *draft_new(struct arena *a, enum draft_kind kind, struct str key)
{
    struct draft *d = arena_zalloc(a, sizeof *d);
    d->kind = kind;
    d->key = key;
    return d;
}

struct draft *draft_scalar(struct arena *a, struct str key, struct str text)
{
    struct draft *d = draft_new(a, DRAFT_SCALAR, key);
    d->text = text;
    return d;
}

struct draft *draft_number(struct arena *a, struct str key, int64_t n)
{
    char text[NUMBER_MAX];
    size_t length = number_print_i64(n, text);
    return draft_scalar(a, key, arena_str(a, str_make(text, length)));
}

struct draft *draft_float(struct arena *a, struct str key, double n)
{
    struct buf text = {0};
    yaml_write_float(&text, (float)n);
    struct draft *d = draft_scalar(a, key, arena_str(a, buf_str(&text)));
    buf_done(&text);
    return d;
}

void draft_add(struct draft *parent, struct draft *child)
{
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
}

bool draft_insert(struct draft *parent, struct str key, bool after, struct draft *child)
{
    struct draft **at = &parent->first;
    while (*at && !str_eq((*at)->key, key))
        at = &(*at)->next;
    if (*at == NULL)
        return false;
    if (after)
        at = &(*at)->next;
    child->next = *at;
    *at = child;
    if (child->next == NULL)
        parent->last = child;
    parent->count++;
    return true;
}

static struct draft *remove_child(struct draft *parent, struct str key)
{
    struct draft *before = NULL;
    for (struct draft *c = parent->first; c; before = c, c = c->next) {
        if (!str_eq(c->key, key))
            continue;
        *(before ? &before->next : &parent->first) = c->next;
        return c;
    }
    return NULL;
}

/* The depth of types is limited. Both drafts have the same members in the same order. */
struct draft *draft_merge(struct draft *earlier, struct draft *later)
{
    if (later->is_kept)
        return earlier;
    if (later->kind != earlier->kind || (later->kind != DRAFT_FLOW && later->kind != DRAFT_MAP))
        return later;
    struct draft *next = later->first;
    later->first = later->last = NULL;
    later->count = 0;
    while (next) {
        struct draft *part = next, *old = remove_child(earlier, part->key);
        next = part->next;
        part = old ? draft_merge(old, part) : part;
        part->next = NULL;
        draft_add(later, part);
    }
    return later;
}

bool draft_has_null(const struct draft *d)
{
    if (d->is_managed)
        return str_eq(d->first->text, STR("-2"));
    for (const struct draft *c = d->first; c; c = c->next)
        if (draft_has_null(c))
            return true;
    return false;
}

static enum draft_kind kind_of(enum yaml_kind kind)
{
    switch (kind) {
    case YAML_FLOW_MAP:
        return DRAFT_FLOW;
    case YAML_MAP:
        return DRAFT_MAP;
    case YAML_LIST:
    case YAML_FLOW_LIST:
        return DRAFT_LIST;
    case YAML_NONE:
    case YAML_EMPTY:
    case YAML_SCALAR:
        break;
    }
    return DRAFT_SCALAR;
}

struct draft *draft_of_yaml(struct arena *a, struct str key, struct yaml_value value)
{
    struct reference r;
    struct draft *d = draft_new(a, kind_of(value.kind), key);
    if (value.kind == YAML_FLOW_MAP && yaml_reference(value, &r)) {
        d->kind = DRAFT_REFERENCE;
        d->reference = r;
        return d;
    }
    if (value.kind == YAML_SCALAR && (value.text.p[0] == '\'' || value.text.p[0] == '"' ||
                                      str_find_char(value.text, '\n') < value.text.n)) {
        d->kind = DRAFT_STRING;
        d->text = yaml_text(a, value);
    } else if (d->kind == DRAFT_SCALAR) {
        d->text = value.text;
    }
    struct yaml_item item;
    struct yaml_walk walk = yaml_walk(value);
    while (yaml_next(&walk, &item))
        draft_add(d, draft_of_yaml(a, item.key, item.value));
    return d;
}

/* ---- comparing with the file */

static bool same_number(const struct draft *d, struct yaml_value value)
{
    int64_t i = 0, k = 0;
    double x = 0, y = 0;
    struct yaml_value mine = {.kind = YAML_SCALAR, .text = d->text};
    if (yaml_i64(mine, &i) && yaml_i64(value, &k))
        return i == k;
    if (!yaml_double(mine, &x) || !yaml_double(value, &y) || signbit(x) != signbit(y))
        return false;
    return d->is_double ? x == y : (float)x == (float)y;
}

static bool same_parts(const struct draft *d, struct yaml_value value, struct arena *a)
{
    for (const struct draft *c = d->first; c; c = c->next)
        if (!draft_is(c, yaml_get(value, c->key), a))
            return false;
    return value.kind == YAML_FLOW_MAP && d->count == yaml_count(value);
}

bool draft_is(const struct draft *d, struct yaml_value value, struct arena *a)
{
    struct reference r;
    if (value.kind == YAML_NONE)
        return false;
    switch (d->kind) {
    case DRAFT_SCALAR:
        return str_eq(d->text, value.text) || same_number(d, value);
    case DRAFT_STRING:
        return str_eq(d->text, yaml_text(a, value));
    case DRAFT_REFERENCE:
        return yaml_reference(value, &r) && r.file_id == d->reference.file_id &&
               guid_eq(r.guid, d->reference.guid);
    case DRAFT_FLOW:
        return same_parts(d, value, a);
    case DRAFT_MAP:
    case DRAFT_LIST:
    case DRAFT_HEX:
        break;
    }
    return false;
}

/* ---- as text */

static void put_line(struct buf *out, const struct yaml_style *s, uint32_t indent)
{
    yaml_write_newline(out, s);
    buf_printf(out, "%*s", (int)indent, "");
}

static void put_flow(struct buf *out, const struct yaml_style *s, struct yaml_place at,
                     const struct draft *d)
{
    struct buf flow = {0};
    buf_add_char(&flow, '{');
    for (const struct draft *c = d->first; c; c = c->next)
        buf_printf(&flow, "%s%.*s: %.*s", c == d->first ? "" : ", ", STR_ARG(c->key),
                   STR_ARG(c->text));
    buf_add_char(&flow, '}');
    yaml_write_flow(out, s, at, buf_str(&flow));
    buf_done(&flow);
}

static void put_hex(struct buf *out, const struct draft *d)
{
    struct buf bytes = {0};
    for (const struct draft *c = d->first; c; c = c->next) {
        int64_t n = 0;
        uint64_t u = 0;
        if (!str_to_i64(c->text, &n) && str_to_u64(c->text, &u))
            n = (int64_t)u;
        for (unsigned i = 0; i < d->bytes; i++)
            buf_add_char(&bytes, (char)((uint64_t)n >> (8 * i)));
    }
    yaml_write_hex(out, buf_str(&bytes));
    buf_done(&bytes);
}

/* Return the column of the end of the text. */
static uint32_t current_column(const struct buf *out)
{
    size_t from = out->n;
    while (from > 0 && out->p[from - 1] != '\n')
        from--;
    return (uint32_t)(out->n - from);
}

static void put_value(struct buf *out, const struct yaml_style *s, uint32_t indent, uint32_t start,
                      const struct draft *d);

/* Write a kept value with its bytes, if it stays at the same indent. */
static bool put_kept(struct buf *out, uint32_t indent, const struct draft *d)
{
    return d->lines.n > 0 && d->column == indent && buf_add(out, d->lines);
}

static void put_members(struct buf *out, const struct yaml_style *s, uint32_t indent,
                        const struct draft *d, bool after_dash)
{
    for (const struct draft *c = d->first; c; c = c->next) {
        if (!after_dash || c != d->first)
            put_line(out, s, indent);
        if (put_kept(out, indent, c))
            continue;
        buf_printf(out, "%.*s:", STR_ARG(c->key));
        put_value(out, s, indent, current_column(out), c);
    }
}

static void put_items(struct buf *out, const struct yaml_style *s, uint32_t indent,
                      const struct draft *d)
{
    for (const struct draft *c = d->first; c; c = c->next) {
        put_line(out, s, indent);
        if (put_kept(out, indent, c))
            continue;
        buf_add_char(out, '-');
        if (c->kind == DRAFT_MAP && c->count > 0) {
            buf_add_char(out, ' ');
            put_members(out, s, indent + 2, c, true);
        } else {
            put_value(out, s, indent, indent + 1, c);
        }
    }
}

static void put_value(struct buf *out, const struct yaml_style *s, uint32_t indent, uint32_t start,
                      const struct draft *d)
{
    struct yaml_place at = {.indent = indent, .column = start + 1};
    if (d->kind == DRAFT_MAP && d->count > 0) {
        put_members(out, s, indent + 2, d, false);
        return;
    }
    if (d->kind == DRAFT_LIST && d->count > 0) {
        put_items(out, s, indent, d);
        return;
    }
    buf_add_char(out, ' ');
    switch (d->kind) {
    case DRAFT_SCALAR:
        buf_add(out, d->text);
        break;
    case DRAFT_STRING:
        yaml_write_string(out, s, at, d->text);
        break;
    case DRAFT_REFERENCE:
        yaml_write_reference(out, s, at, d->reference);
        break;
    case DRAFT_FLOW:
        put_flow(out, s, at, d);
        break;
    case DRAFT_HEX:
        put_hex(out, d);
        break;
    case DRAFT_MAP:
        buf_add(out, STR("{}"));
        break;
    case DRAFT_LIST:
        buf_add(out, STR("[]"));
        break;
    }
}

void draft_put(struct buf *out, const struct yaml_style *s, uint32_t indent, const struct draft *d)
{
    /* The key is not written here, but its length counts for the folding of lines. */
    put_value(out, s, indent, indent + (uint32_t)d->key.n + 1, d);
}

void draft_put_line(struct buf *out, const struct yaml_style *s, uint32_t indent,
                    const struct draft *d)
{
    buf_printf(out, "%*s%.*s:", (int)indent, "", STR_ARG(d->key));
    put_value(out, s, indent, indent + (uint32_t)d->key.n + 1, d);
    yaml_write_newline(out, s);
}

/* ---- as overrides */

struct flattening {
    draft_override_fn *fn;
    void *ctx;
    struct buf path;
    unsigned lists; /* nested lists around the value */
    bool in_place;  /* the element around the value stays in its place */
};

static void report_override(struct flattening *f, const struct draft *d, struct str value,
                            struct yaml_value there)
{
    struct draft_override o = {
        .draft = d, .path = buf_str(&f->path), .value = value, .there = there};
    if (d != NULL && d->kind == DRAFT_REFERENCE)
        o.reference = d->reference;
    f->fn(&o, f->ctx);
}

static void flatten_draft(struct flattening *f, const struct draft *d, struct yaml_value there);

/* Walk the draft and the file in parallel: searching each element would take quadratic time. */
static void flatten_list(struct flattening *f, const struct draft *d, struct yaml_value there)
{
    char count[NUMBER_MAX];
    size_t n = number_print_u64(d->count, count), i = 0, length = f->path.n;
    bool is_list = there.kind == YAML_LIST || there.kind == YAML_FLOW_LIST;
    struct yaml_walk walk = yaml_walk(is_list ? there : (struct yaml_value){0});
    buf_add(&f->path, STR(".Array.size"));
    report_override(f, NULL, str_make(count, n), there);
    f->lists++;
    for (const struct draft *c = d->first; c; c = c->next, i++) {
        struct yaml_item item = {0};
        if (!yaml_next(&walk, &item))
            item.value = (struct yaml_value){0};
        bool before = f->in_place;
        f->path.n = length;
        f->in_place = c->is_in_place;
        buf_printf(&f->path, ".Array.data[%zu]", i);
        flatten_draft(f, c, item.value);
        f->in_place = before;
    }
    f->path.n = length;
    f->lists--;
}

static void flatten_draft(struct flattening *f, const struct draft *d, struct yaml_value there)
{
    size_t length = f->path.n;
    if (d->is_foreign || (d->is_kept && (f->lists == 0 || f->in_place)))
        return;
    if (d->kind == DRAFT_SCALAR || d->kind == DRAFT_STRING || d->kind == DRAFT_REFERENCE) {
        report_override(f, d, d->kind == DRAFT_REFERENCE ? (struct str){0} : d->text, there);
        return;
    }
    if (d->kind == DRAFT_LIST || d->kind == DRAFT_HEX) {
        flatten_list(f, d, there);
        return;
    }
    if (d->is_managed) { /* an override names the field, not its key */
        report_override(f, d->first, d->first->text, yaml_get(there, d->first->key));
        return;
    }
    for (const struct draft *c = d->first; c; c = c->next) {
        if (str_eq(c->key, STR("serializedVersion")))
            continue;
        buf_printf(&f->path, ".%.*s", STR_ARG(c->key));
        flatten_draft(f, c, yaml_get(there, c->key));
        f->path.n = length;
    }
}

void draft_overrides(const struct draft *d, struct draft_place at, draft_override_fn *fn, void *ctx)
{
    struct flattening f = {.fn = fn, .ctx = ctx};
    buf_add(&f.path, at.path);
    flatten_draft(&f, d, at.there);
    buf_done(&f.path);
}
