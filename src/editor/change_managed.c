/* The registry of [SerializeReference] objects at the end of a document: null is one of them. */
#include "editor/change_parts.h"

static void put_line(struct buf *out, const struct yaml_style *style, uint32_t indent,
                     const char *text)
{
    buf_printf(out, "%*s%s", (int)indent, "", text);
    yaml_write_newline(out, style);
}

static void put_null(struct buf *out, const struct yaml_style *style, uint32_t indent)
{
    put_line(out, style, indent, "- rid: -2");
    put_line(out, style, indent + 2, "type: {class: , ns: , asm: }");
}

static bool has_null(struct yaml_value list)
{
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(list); yaml_next(&w, &item);) {
        int64_t rid;
        if (yaml_i64(yaml_get(item.value, STR("rid")), &rid) && rid == -2)
            return true;
    }
    return false;
}

static void put_registry(struct buf *out, const struct yaml_style *style, bool with_null)
{
    put_line(out, style, 2, "references:");
    put_line(out, style, 4, "version: 2");
    put_line(out, style, 4, with_null ? "RefIds:" : "RefIds: []");
    if (with_null)
        put_null(out, style, 4);
}

void change_add_null(struct yaml_edit *e, const struct yaml_style *style, struct yaml_file *f,
                     struct yaml_value body)
{
    struct yaml_value all = yaml_get(body, STR("references"));
    struct yaml_item list;
    struct buf text = {0};
    if (all.kind == YAML_NONE) {
        const char *at = body.text.p + body.text.n;
        bool is_open = at > f->text.p && at[-1] != '\n'; /* the text lacks its last line end */
        if (is_open)
            yaml_write_newline(&text, style);
        put_registry(&text, style, true);
        text.n -= is_open ? 1 + style->crlf : 0;
        yaml_edit_insert(e, f, at, buf_str(&text));
    } else if (yaml_get_item(all, STR("RefIds"), &list) && !has_null(list.value)) {
        put_null(&text, style, list.value.kind == YAML_LIST ? list.value.indent : 4);
        yaml_edit_list_insert(e, f, &list, 0, buf_str(&text));
    }
    buf_done(&text);
}

/* ---- of a new component */

static bool has_managed(const struct type_class *c, bool as_value);

/* as_value: outside of lists, which are empty then. As deep as types are, which is limited. */
static bool is_managed(const struct type *t, bool as_value)
{
    if (t->kind == TYPE_MANAGED)
        return true;
    if (t->kind == TYPE_ARRAY)
        return !as_value && is_managed(t->element, as_value);
    return t->kind == TYPE_STRUCT && has_managed(t->of, as_value);
}

static bool has_managed(const struct type_class *c, bool as_value)
{
    for (size_t i = 0; c && i < c->field_count; i++)
        if (!c->fields[i].is_left_out && is_managed(c->fields[i].type, as_value))
            return true;
    return false;
}

/* Editors before 2021.2 had a registry of another form, which Unity makes when it needs it. */
void change_put_registry(const struct change *c, struct buf *out, const struct type_class *class)
{
    static const struct version first = {.major = 2021, .minor = 2};
    struct yaml_style lf = c->style;
    lf.crlf = false;
    if (version_is_known(c->version) && version_cmp(c->version, first) < 0)
        return;
    if (has_managed(class, false))
        put_registry(out, &lf, has_managed(class, true));
}
