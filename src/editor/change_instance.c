/* Objects inside prefab instances: overrides, added and removed components, stand-ins. */
#include "editor/change_parts.h"

#include "base/map.h"
#include "unity/builtin.h"

struct change_stand_in {
    int64_t of; /* the object, as the scene numbers it */
    int64_t id;
    struct change_stand_in *next;
};

/* ---- stand-ins */

static bool is_before(struct version v, uint16_t major, uint16_t minor)
{
    return version_is_known(v) &&
           version_cmp(v, (struct version){.major = major, .minor = minor}) < 0;
}

static void put_reference_line(struct change *c, struct buf *out, const char *key,
                               struct reference r)
{
    struct yaml_style lf = c->style;
    lf.crlf = false;
    struct str name = str_from(key);
    buf_printf(out, "  %s: ", key);
    yaml_write_reference(out, &lf, (struct yaml_place){2, (uint32_t)name.n + 4}, r);
    buf_add_char(out, '\n');
}

void change_put_links(struct change *c, struct buf *out, struct reference source, int64_t instance)
{
    bool is_first = is_before(c->version, 2018, 2), is_second = is_before(c->version, 2018, 3);
    put_reference_line(c, out, is_first ? "m_PrefabParentObject" : "m_CorrespondingSourceObject",
                       source);
    put_reference_line(c, out, is_second ? "m_PrefabInternal" : "m_PrefabInstance",
                       (struct reference){.file_id = instance});
    if (!is_second)
        put_reference_line(c, out, "m_PrefabAsset", (struct reference){0});
}

static void make_stand_in(struct change *c, struct scene_place at, int64_t id)
{
    const struct scene_node *n = &c->scene->nodes[at.node];
    const struct scene_component *m =
        at.component == SCENE_NONE ? NULL : scene_component(c->scene, at.node, at.component);
    int32_t class_id = m ? m->class_id : 1;
    const struct builtin_class *b = builtin_class(class_id);
    uint32_t instance = m ? m->instance : n->instance;
    struct reference source = {0};
    scene_target(c->scene, at, &source);
    struct buf doc = {0};
    buf_printf(&doc, "--- !u!%d &%lld stripped\n%s:\n", class_id, (long long)id,
               b ? b->yaml_key : "MonoBehaviour");
    change_put_links(c, &doc, source, c->scene->instances[instance].id);
    if (m && class_id == 114) {
        bool has_owner = n->doc || change_find(c, n->id);
        put_reference_line(c, &doc, "m_GameObject",
                           (struct reference){.file_id = has_owner ? n->id : 0});
        buf_add(&doc, STR("  m_Enabled: 1\n  m_EditorHideFlags: 0\n"));
        put_reference_line(c, &doc, "m_Script", m->script);
        buf_add(&doc, STR("  m_Name: \n  m_EditorClassIdentifier: \n"));
    }
    change_doc_add(c, id, buf_str(&doc));
    buf_done(&doc);
}

int64_t change_reference(struct change *c, struct scene_place at)
{
    const struct scene_node *n = &c->scene->nodes[at.node];
    int64_t id = n->id;
    uint32_t instance = n->instance;
    if (at.component != SCENE_NONE) {
        const struct scene_component *m = scene_component(c->scene, at.node, at.component);
        id = m->id;
        instance = m->instance;
    }
    if (instance == SCENE_NONE || change_find(c, id))
        return id;
    for (const struct change_stand_in *s = c->stand_ins; s; s = s->next)
        if (s->of == id)
            return s->id;
    struct change_stand_in *s = arena_zalloc(c->arena, sizeof *s);
    s->of = id;
    s->id = c->scene->is_prefab ? id : change_new_id(c, c->scene->instances[instance].id);
    s->next = c->stand_ins;
    c->stand_ins = s;
    make_stand_in(c, at, s->id);
    return s->id;
}

void change_resolve(struct change *c, struct assign *a)
{
    for (struct assign_target *t = a->targets; t; t = t->next)
        t->draft->reference = (struct reference){.file_id = change_reference(c, t->at)};
}

/* ---- lists of an instance */

static bool instance_list(const struct change *c, uint32_t instance, struct str key,
                          struct yaml_item *list)
{
    struct yaml_value body = yaml_body(&c->scene->file, c->scene->instances[instance].doc);
    struct yaml_value all = yaml_get(body, STR("m_Modification"));
    return yaml_get_item(all, key, list);
}

static uint32_t list_indent(const struct yaml_item *list)
{
    return list->value.indent;
}

/* A reference in an entry of a list, with its line end. */
static void put_entry_reference(struct change *c, struct buf *out, struct str head,
                                struct reference r)
{
    uint32_t indent = 0;
    while (indent < head.n && head.p[indent] == ' ')
        indent++;
    if (indent < head.n && head.p[indent] == '-')
        indent += 2;
    buf_add(out, head);
    yaml_write_reference(out, &c->style, (struct yaml_place){indent, (uint32_t)head.n}, r);
    yaml_write_newline(out, &c->style);
}

bool change_has_places(const struct change *c, uint32_t node)
{
    struct yaml_item list;
    return c->scene->nodes[node].doc != NULL ||
           instance_list(c, c->scene->nodes[node].instance, STR("m_AddedComponents"), &list);
}

/* Whether a component belongs to the prefab: those keep its order, and only places before the last
 * of them have numbers in the file. */
static bool is_of_prefab(const struct change *c, uint32_t node, uint32_t component)
{
    return scene_component(c->scene, node, component)->instance != SCENE_NONE;
}

static bool is_in_tail(const struct change *c, uint32_t node, uint32_t index)
{
    for (uint32_t i = index; i < c->scene->nodes[node].component_count; i++)
        if (is_of_prefab(c, node, i))
            return false;
    return true;
}

/* Where the component of an entry of m_AddedComponents stands; SCENE_NONE: on another object. */
static uint32_t added_index(const struct change *c, uint32_t node, const struct yaml_item *entry)
{
    struct reference r = {0};
    yaml_reference(yaml_get(entry->value, STR("addedObject")), &r);
    for (uint32_t i = 0; i < c->scene->nodes[node].component_count; i++)
        if (!is_of_prefab(c, node, i) && scene_component(c->scene, node, i)->id == r.file_id)
            return i;
    return SCENE_NONE;
}

/* The place in the list for a component that comes to stand at index: entries behind it that have a
 * number get the next one. */
static size_t make_room(struct change *c, uint32_t node, uint32_t index, struct yaml_item *list)
{
    struct yaml_item entry, number;
    struct yaml_walk walk = yaml_walk(list->value);
    size_t place = yaml_count(list->value);
    for (size_t i = 0; yaml_next(&walk, &entry); i++) {
        uint32_t at = added_index(c, node, &entry);
        int64_t old = -1;
        if (at == SCENE_NONE || at < index)
            continue;
        place = at == index ? i : place;
        if (!is_in_tail(c, node, at) && yaml_get_item(entry.value, STR("insertIndex"), &number) &&
            yaml_i64(number.value, &old) && old >= 0)
            yaml_edit_set(&c->edit, change_file(c), &number,
                          arena_printf(c->arena, "%u", (unsigned)at + 1));
    }
    return place;
}

void change_instance_added(struct change *c, uint32_t node, uint32_t index, int64_t id)
{
    const struct scene_node *n = &c->scene->nodes[node];
    struct yaml_item list;
    struct reference source = {0};
    /* Before 2022.2 the owner of the new document says it all. */
    if (!instance_list(c, n->instance, STR("m_AddedComponents"), &list))
        return;
    scene_target(c->scene, (struct scene_place){node, SCENE_NONE}, &source);
    uint32_t indent = list_indent(&list);
    struct buf lines = {0};
    struct str head =
        arena_printf(c->arena, "%*s- targetCorrespondingSourceObject: ", (int)indent, "");
    put_entry_reference(c, &lines, head, source);
    bool is_last = index == SCENE_NONE || is_in_tail(c, node, index);
    buf_printf(&lines, "%*sinsertIndex: %d", (int)indent + 2, "", is_last ? -1 : (int)index);
    yaml_write_newline(&lines, &c->style);
    buf_printf(&lines, "%*saddedObject: {fileID: %lld}", (int)indent + 2, "", (long long)id);
    yaml_write_newline(&lines, &c->style);
    size_t place = index == SCENE_NONE ? yaml_count(list.value) : make_room(c, node, index, &list);
    change_list_add(c, &list, place, buf_str(&lines));
    buf_done(&lines);
}

void change_instance_unadded(struct change *c, struct scene_place at)
{
    const struct scene_component *m = scene_component(c->scene, at.node, at.component);
    struct yaml_item list = {0}, entry;
    instance_list(c, c->scene->nodes[at.node].instance, STR("m_AddedComponents"), &list);
    struct yaml_walk walk = yaml_walk(list.value);
    for (size_t i = 0; yaml_next(&walk, &entry); i++) {
        struct reference r = {0};
        if (yaml_reference(yaml_get(entry.value, STR("addedObject")), &r) && r.file_id == m->id)
            yaml_edit_list_remove(&c->edit, change_file(c), &list, i);
    }
    change_remove_doc(c, m->doc, list.lines);
}

void change_instance_removed(struct change *c, struct scene_place at)
{
    const struct scene_component *m = scene_component(c->scene, at.node, at.component);
    const struct yaml_doc *stand_in = change_find(c, m->id);
    struct yaml_item list;
    struct reference source = {0};
    if (!instance_list(c, m->instance, STR("m_RemovedComponents"), &list))
        return;
    scene_target(c->scene, at, &source);
    struct buf line = {0};
    put_entry_reference(c, &line, arena_printf(c->arena, "%*s- ", (int)list_indent(&list), ""),
                        source);
    change_list_add(c, &list, yaml_count(list.value), buf_str(&line));
    buf_done(&line);
    if (stand_in && stand_in->stripped) /* it stands for nothing any more */
        change_remove_doc(c, stand_in, (struct str){0});
}

/* ---- overrides */

struct overriding {
    struct change *change;
    struct yaml_item list; /* m_Modifications */
    struct reference target;
    struct map known; /* paths that the target has already, to struct yaml_item: the last counts */
    size_t place;     /* where new ones come */
    bool is_partial;  /* what the source has is not known: only overrides count as being there */
};

/* Entries are sorted by the id of their target; those of one target stay in the order in which they
 * came. A list that is not sorted (old files) gets new ones behind those of the target, or at its
 * end. */
static void look_through(struct overriding *o)
{
    struct arena *a = o->change->arena;
    struct yaml_item entry;
    struct yaml_walk walk = yaml_walk(o->list.value);
    size_t behind = SIZE_MAX, greater = SIZE_MAX, i = 0;
    int64_t before = INT64_MIN;
    bool sorted = true;
    for (; yaml_next(&walk, &entry); i++) {
        struct reference r = {0};
        yaml_reference(yaml_get(entry.value, STR("target")), &r);
        sorted = sorted && r.file_id >= before;
        before = r.file_id;
        if (r.file_id == o->target.file_id && guid_eq(r.guid, o->target.guid)) {
            struct yaml_item *kept = arena_alloc(a, sizeof *kept);
            *kept = entry;
            map_set(&o->known, yaml_text(a, yaml_get(entry.value, STR("propertyPath"))), kept);
            behind = i + 1;
        } else if (greater == SIZE_MAX && r.file_id > o->target.file_id) {
            greater = i;
        }
    }
    o->place = behind != SIZE_MAX ? behind : sorted && greater != SIZE_MAX ? greater : i;
}

static void put_text_line(struct change *c, struct buf *out, uint32_t indent, const char *key,
                          struct str text)
{
    struct str name = str_from(key);
    buf_printf(out, "%*s%s: ", (int)indent, "", key);
    struct yaml_place at = {indent, indent + (uint32_t)name.n + 2};
    yaml_write_string(out, &c->style, at, text);
    yaml_write_newline(out, &c->style);
}

static void replace_override(struct overriding *o, const struct yaml_item *entry,
                             const struct draft_override *over)
{
    struct change *c = o->change;
    struct yaml_item item;
    struct buf text = {0};
    uint32_t indent = entry->value.indent;
    if (yaml_get_item(entry->value, STR("value"), &item)) {
        yaml_write_string(&text, &c->style, (struct yaml_place){indent, indent + 7}, over->value);
        yaml_edit_set(&c->edit, change_file(c), &item, buf_str(&text));
    }
    buf_clear(&text);
    if (yaml_get_item(entry->value, STR("objectReference"), &item)) {
        yaml_write_reference(&text, &c->style, (struct yaml_place){indent, indent + 17},
                             over->reference);
        yaml_edit_set(&c->edit, change_file(c), &item, buf_str(&text));
    }
    buf_done(&text);
}

/* As Unity does it: only what changes becomes an override. */
static bool is_so_already(const struct overriding *o, const struct draft_override *over)
{
    if (over->draft != NULL)
        return draft_is(over->draft, over->there, o->change->arena);
    uint64_t count = 0;
    bool is_list = over->there.kind == YAML_LIST || over->there.kind == YAML_FLOW_LIST;
    return is_list && str_to_u64(over->value, &count) && count == yaml_count(over->there);
}

/* Whether this entry says it: that much is sure, whatever the source has. */
static bool is_said(const struct overriding *o, const struct yaml_item *entry,
                    const struct draft_override *over)
{
    struct yaml_value value = yaml_get(entry->value, STR("value"));
    if (over->draft == NULL)
        return str_eq(over->value, value.text);
    if (over->draft->kind == DRAFT_REFERENCE)
        value = yaml_get(entry->value, STR("objectReference"));
    return draft_is(over->draft, value, o->change->arena);
}

/* A model may have more elements than its overrides show: who sets as many as are shown has not
 * said that there are no others. */
static bool is_size_as_shown(const struct overriding *o, const struct draft_override *over)
{
    return over->draft == NULL && is_so_already(o, over) && yaml_count(over->there) > 0;
}

/* An element that comes to stand elsewhere refers to objects of the instance as the scene numbers
 * them: the file has to name them now. */
static void resolve_kept(struct change *c, struct draft_override *over)
{
    struct scene_place at;
    if (over->draft && over->draft->is_kept && over->draft->kind == DRAFT_REFERENCE &&
        reference_is_local(over->reference) && !reference_is_null(over->reference) &&
        scene_where(c->scene, over->reference.file_id, &at))
        over->reference.file_id = change_reference(c, at);
}

static void on_override(const struct draft_override *over, void *ctx)
{
    struct overriding *o = ctx;
    struct change *c = o->change;
    const struct yaml_item *entry = map_get(&o->known, over->path);
    if (o->is_partial ? (entry ? is_said(o, entry, over) : is_size_as_shown(o, over))
                      : is_so_already(o, over))
        return;
    struct draft_override said = *over;
    resolve_kept(c, &said);
    if (entry) {
        replace_override(o, entry, &said);
        return;
    }
    uint32_t indent = list_indent(&o->list);
    struct buf lines = {0};
    put_entry_reference(c, &lines, arena_printf(c->arena, "%*s- target: ", (int)indent, ""),
                        o->target);
    put_text_line(c, &lines, indent + 2, "propertyPath", said.path);
    put_text_line(c, &lines, indent + 2, "value", said.value);
    put_entry_reference(c, &lines,
                        arena_printf(c->arena, "%*sobjectReference: ", (int)indent + 2, ""),
                        said.reference);
    change_list_add(c, &o->list, o->place, buf_str(&lines));
    buf_done(&lines);
}

void change_override(struct change *c, struct scene_place at, struct assign *a)
{
    const struct scene_component *m = scene_component(c->scene, at.node, at.component);
    struct yaml_value body = scene_body(c->scene, at.node, at.component, c->arena);
    struct overriding o = {.change = c,
                           .is_partial = scene_is_partial(c->scene, at.node, at.component)};
    if (!instance_list(c, m->instance, STR("m_Modifications"), &o.list) ||
        !scene_target(c->scene, at, &o.target))
        return;
    look_through(&o);
    for (const struct assign_set *s = a->first; s; s = s->next) {
        struct buf path = {0};
        struct yaml_value there = body;
        for (size_t i = 0; i < s->length; i++) {
            buf_printf(&path, "%s%.*s", i ? "." : "", STR_ARG(s->path[i]->key));
            there = yaml_get(there, s->path[i]->key);
        }
        draft_overrides(s->draft, (struct draft_place){buf_str(&path), there}, on_override, &o);
        buf_done(&path);
    }
    map_done(&o.known);
}
