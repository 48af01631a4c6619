/* A Transform that becomes a RectTransform, as Unity does it where a component needs one. */
#include "editor/change_parts.h"

#include <ctype.h>

#define TRANSFORM 4

bool change_can_make_rect(const struct change *c, uint32_t node)
{
    if (c->scene->nodes[node].component_count == 0)
        return false;
    const struct scene_component *m = scene_component(c->scene, node, 0);
    return m->doc && m->class_id == TRANSFORM && yaml_count(yaml_body(change_file(c), m->doc)) > 0;
}

static void set_class(struct change *c, const struct yaml_doc *d)
{
    const struct yaml_file *f = change_file(c);
    const char *from = f->text.p + d->at + strlen("--- !u!"), *to = from;
    while (isdigit((unsigned char)*to))
        to++;
    yaml_edit_replace(&c->edit, f, str_make(from, (size_t)(to - from)), STR("224"));
    yaml_edit_replace(&c->edit, f, yaml_class_name(f, d), STR("RectTransform"));
}

/* In old files the class is the key of an entry. */
static void set_entry(struct change *c, uint32_t node, int64_t id)
{
    const struct yaml_doc *owner = c->scene->nodes[node].doc;
    struct yaml_item entry, inner;
    if (owner == NULL)
        return;
    struct yaml_value list = yaml_get(yaml_body(change_file(c), owner), STR("m_Component"));
    for (struct yaml_walk walk = yaml_walk(list); yaml_next(&walk, &entry);) {
        struct yaml_walk in = yaml_walk(entry.value);
        struct reference r = {0};
        if (yaml_next(&in, &inner) && str_eq(inner.key, STR("4")) &&
            yaml_reference(inner.value, &r) && r.file_id == id)
            yaml_edit_replace(&c->edit, change_file(c), inner.key, STR("224"));
    }
}

/* What was its place is now that of its pivot, seen from the anchors; of its own there is only the
 * depth. */
static void put_anchors(struct change *c, struct buf *out, struct yaml_value body)
{
    struct yaml_value position = yaml_get(body, STR("m_LocalPosition"));
    struct str x = yaml_get(position, STR("x")).text, y = yaml_get(position, STR("y")).text;
    struct str at = arena_printf(c->arena, "{x: %.*s, y: %.*s}", STR_ARG(x.n ? x : STR("0")),
                                 STR_ARG(y.n ? y : STR("0")));
    const struct {
        struct str key, value;
    } lines[] = {
        {STR("m_AnchorMin"), STR("{x: 0.5, y: 0.5}")},
        {STR("m_AnchorMax"), STR("{x: 0.5, y: 0.5}")},
        {STR("m_AnchoredPosition"), at},
        {STR("m_SizeDelta"), STR("{x: 100, y: 100}")},
        {STR("m_Pivot"), STR("{x: 0.5, y: 0.5}")},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (yaml_get(body, lines[i].key).kind != YAML_NONE)
            continue;
        buf_printf(out, "%*s%.*s: %.*s", (int)body.indent, "", STR_ARG(lines[i].key),
                   STR_ARG(lines[i].value));
        yaml_write_newline(out, &c->style);
    }
}

static void move_to_anchors(struct change *c, struct yaml_value body)
{
    const struct yaml_file *f = change_file(c);
    struct yaml_item item = {0};
    struct buf lines = {0};
    for (struct yaml_walk walk = yaml_walk(body); yaml_next(&walk, &item);)
        ; /* the last one */
    const char *end = item.lines.p + item.lines.n;
    bool is_open = end[-1] != '\n'; /* the text lacks its last line end */
    if (is_open)
        yaml_write_newline(&lines, &c->style);
    put_anchors(c, &lines, body);
    lines.n -= is_open ? 1 + c->style.crlf : 0;
    yaml_edit_insert(&c->edit, f, end, buf_str(&lines));
    buf_done(&lines);
    struct yaml_value position = yaml_get(body, STR("m_LocalPosition"));
    for (struct str part = STR("xy"); part.n > 0; part = str_skip(part, 1))
        if (yaml_get_item(position, str_head(part, 1), &item))
            yaml_edit_set(&c->edit, f, &item, STR("0"));
}

void change_make_rect(struct change *c, uint32_t node)
{
    const struct scene_component *m = scene_component(c->scene, node, 0);
    struct yaml_value body = yaml_body(change_file(c), m->doc);
    struct yaml_item version;
    set_class(c, m->doc);
    set_entry(c, node, m->id);
    if (yaml_get_item(body, STR("serializedVersion"), &version)) /* a RectTransform has none */
        yaml_edit_remove(&c->edit, change_file(c), version.lines);
    move_to_anchors(c, body);
}
