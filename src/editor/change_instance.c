/* Objects inside prefab instances: overrides, added and removed components, stand-ins. */
#include "editor/change_internal.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "unity/builtin.h"

struct change_stand_in {
    int64_t of; /* id of the object in the scene */
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

void change_instance_put_links(struct change *c, struct buf *out, struct reference source,
                               int64_t instance)
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
    change_instance_put_links(c, &doc, source, c->scene->instances[instance].id);
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

int64_t change_instance_refer(struct change *c, struct scene_place at)
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

void change_instance_resolve(struct change *c, struct assign *a)
{
    for (struct assign_target *t = a->targets; t; t = t->next)
        t->draft->reference = (struct reference){.file_id = change_instance_refer(c, t->at)};
}

/* ---- stand-ins that nothing refers to any more */

#define MAX_ROUNDS 8u /* a stand-in may refer to the stand-in of its GameObject */

/* A stand-in that a removed document refers to. */
struct stand_in {
    const struct yaml_doc *doc;
    bool is_needed;
};

struct stand_in_drop {
    struct change *change;
    const struct yaml_doc **gone;
    size_t gone_count, gone_cap;
    bool *is_gone;        /* for each document of the file */
    struct stand_in *all; /* sorted by id, each once */
    size_t count, cap;
};

static struct str doc_text(const struct change *c, const struct yaml_doc *d)
{
    return str_make(c->scene->file.text.p + d->at, d->end - d->at);
}

/* Read the next "fileID: 7" of a text and move *text past it. */
static bool next_id(struct str *text, int64_t *id)
{
    static const struct str key = STR_INIT("fileID:");
    for (;;) {
        size_t at = str_find(*text, key);
        if (at >= text->n)
            return false;
        *text = str_skip(*text, at + key.n);
        size_t from = 0, to;
        while (from < text->n && text->p[from] == ' ')
            from++;
        for (to = from; to < text->n && strchr("-0123456789", text->p[to]) && text->p[to];)
            to++;
        if (str_to_i64(str_make(text->p + from, to - from), id))
            return true;
    }
}

static int compare_ids(const void *a, const void *b)
{
    const struct stand_in *x = a, *y = b;
    return x->doc->file_id < y->doc->file_id ? -1 : x->doc->file_id > y->doc->file_id;
}

static bool is_gone(const struct stand_in_drop *d, const struct yaml_doc *doc)
{
    return d->is_gone[doc - d->change->scene->file.docs];
}

static void add_gone(struct stand_in_drop *d, const struct yaml_doc *doc)
{
    if (d->gone_count == d->gone_cap)
        mem_grow((void **)&d->gone, &d->gone_cap, d->gone_count + 1, sizeof *d->gone);
    d->gone[d->gone_count++] = doc;
    d->is_gone[doc - d->change->scene->file.docs] = true;
}

/* Collect the stand-ins that the removed documents from index from on refer to. */
static void collect_candidates(struct stand_in_drop *d, size_t from)
{
    size_t kept = 0;
    d->count = 0;
    for (; from < d->gone_count; from++) {
        struct str text = doc_text(d->change, d->gone[from]);
        int64_t id;
        while (next_id(&text, &id)) {
            const struct yaml_doc *doc = id ? change_find(d->change, id) : NULL;
            if (doc == NULL || !doc->stripped || is_gone(d, doc))
                continue;
            if (d->count == d->cap)
                mem_grow((void **)&d->all, &d->cap, d->count + 1, sizeof *d->all);
            d->all[d->count++] = (struct stand_in){.doc = doc};
        }
    }
    if (d->count == 0)
        return;
    qsort(d->all, d->count, sizeof *d->all, compare_ids);
    for (size_t i = 0; i < d->count; i++)
        if (kept == 0 || d->all[i].doc != d->all[kept - 1].doc)
            d->all[kept++] = d->all[i];
    d->count = kept;
}

static struct stand_in *find_candidate(const struct stand_in_drop *d, int64_t id)
{
    struct yaml_doc doc = {.file_id = id};
    struct stand_in key = {.doc = &doc};
    return bsearch(&key, d->all, d->count, sizeof key, compare_ids);
}

/* Mark in one pass over the file the stand-ins that other documents refer to. A stand-in that
 * refers to the removed document is edited already, so it stays, too. */
static void mark_needed(struct stand_in_drop *d)
{
    const struct yaml_file *f = &d->change->scene->file;
    for (size_t i = 0; i < f->count; i++) {
        const struct yaml_doc *doc = &f->docs[i];
        struct str text = doc_text(d->change, doc);
        struct stand_in *self = doc->stripped ? find_candidate(d, doc->file_id) : NULL;
        int64_t id;
        if (is_gone(d, doc))
            continue;
        while (next_id(&text, &id)) {
            struct stand_in *named = find_candidate(d, id);
            if (named && named->doc != doc)
                named->is_needed = true;
            if (self && id == d->gone[0]->file_id)
                self->is_needed = true;
        }
    }
}

void change_instance_drop_stand_ins(struct change *c, const struct yaml_doc *gone)
{
    struct stand_in_drop d = {.change = c};
    size_t from = 0;
    d.is_gone = mem_zalloc(c->scene->file.count * sizeof *d.is_gone);
    add_gone(&d, gone);
    for (unsigned round = 0; round < MAX_ROUNDS && from < d.gone_count; round++) {
        collect_candidates(&d, from);
        from = d.gone_count;
        if (d.count > 0)
            mark_needed(&d);
        for (size_t i = 0; i < d.count; i++) {
            if (d.all[i].is_needed)
                continue;
            add_gone(&d, d.all[i].doc);
            yaml_edit_remove(&c->edit, change_file(c), doc_text(c, d.all[i].doc));
        }
    }
    free(d.gone);
    free(d.is_gone);
    free(d.all);
}

/* ---- lists of an instance */

static bool find_list(const struct change *c, uint32_t instance, struct str key,
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

/* Write a reference in an entry of a list, with its line end. */
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

bool change_instance_has_places(const struct change *c, uint32_t node)
{
    struct yaml_item list;
    return c->scene->nodes[node].doc != NULL ||
           find_list(c, c->scene->nodes[node].instance, STR("m_AddedComponents"), &list);
}

/* Return whether a component belongs to the prefab. Such components keep their order, and the file
 * has an insertIndex only for places before the last of them. */
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

/* Return the index of the component of an entry of m_AddedComponents; SCENE_NONE: it is on another
 * object. */
static uint32_t find_added_index(const struct change *c, uint32_t node,
                                 const struct yaml_item *entry)
{
    struct reference r = {0};
    yaml_reference(yaml_get(entry->value, STR("addedObject")), &r);
    for (uint32_t i = 0; i < c->scene->nodes[node].component_count; i++)
        if (!is_of_prefab(c, node, i) && scene_component(c->scene, node, i)->id == r.file_id)
            return i;
    return SCENE_NONE;
}

/* Return the place in the list for a component that is added at index. Later entries that have an
 * insertIndex get the next number. */
static size_t make_room(struct change *c, uint32_t node, uint32_t index, struct yaml_item *list)
{
    struct yaml_item entry, number;
    struct yaml_walk walk = yaml_walk(list->value);
    size_t place = yaml_count(list->value);
    for (size_t i = 0; yaml_next(&walk, &entry); i++) {
        uint32_t at = find_added_index(c, node, &entry);
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
    /* Before 2022.2 there is no such list: the m_GameObject of the new document is enough. */
    if (!find_list(c, n->instance, STR("m_AddedComponents"), &list))
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
    find_list(c, c->scene->nodes[at.node].instance, STR("m_AddedComponents"), &list);
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
    if (!find_list(c, m->instance, STR("m_RemovedComponents"), &list))
        return;
    scene_target(c->scene, at, &source);
    struct buf line = {0};
    put_entry_reference(c, &line, arena_printf(c->arena, "%*s- ", (int)list_indent(&list), ""),
                        source);
    change_list_add(c, &list, yaml_count(list.value), buf_str(&line));
    buf_done(&line);
    if (stand_in && stand_in->stripped) /* it has no target any more */
        change_remove_doc(c, stand_in, (struct str){0});
}

/* ---- overrides */

struct override_writer {
    struct change *change;
    struct yaml_item list; /* m_Modifications */
    struct reference target;
    struct map known; /* existing paths of the target, to struct yaml_item; the last entry counts */
    size_t place;     /* for new entries */
    bool is_partial;  /* the values of the source are not known: only overrides count */
};

/* Entries are sorted by the id of their target and keep their order within one target. In a list
 * that is not sorted (old files), new entries follow those of the target, or are last. */
static void read_overrides(struct override_writer *o)
{
    struct arena *a = o->change->arena;
    struct yaml_item entry;
    struct yaml_walk walk = yaml_walk(o->list.value);
    size_t after = SIZE_MAX, greater = SIZE_MAX, i = 0;
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
            after = i + 1;
        } else if (greater == SIZE_MAX && r.file_id > o->target.file_id) {
            greater = i;
        }
    }
    o->place = after != SIZE_MAX ? after : sorted && greater != SIZE_MAX ? greater : i;
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

static void replace_override(struct override_writer *o, const struct yaml_item *entry,
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

/* As in Unity, only a different value becomes an override. */
static bool has_value(const struct override_writer *o, const struct draft_override *over)
{
    if (over->draft != NULL)
        return draft_is(over->draft, over->there, o->change->arena);
    uint64_t count = 0;
    bool is_list = over->there.kind == YAML_LIST || over->there.kind == YAML_FLOW_LIST;
    return is_list && str_to_u64(over->value, &count) && count == yaml_count(over->there);
}

/* Return whether this override has the value: that is known even if the source is not. */
static bool entry_has_value(const struct override_writer *o, const struct yaml_item *entry,
                            const struct draft_override *over)
{
    struct yaml_value value = yaml_get(entry->value, STR("value"));
    if (over->draft == NULL)
        return str_eq(over->value, value.text);
    if (over->draft->kind == DRAFT_REFERENCE)
        value = yaml_get(entry->value, STR("objectReference"));
    return draft_is(over->draft, value, o->change->arena);
}

/* A model may have more elements than its overrides show: setting the shown number must not remove
 * the others. */
static bool is_size_as_shown(const struct override_writer *o, const struct draft_override *over)
{
    return over->draft == NULL && has_value(o, over) && yaml_count(over->there) > 0;
}

/* The references of a moved element are ids of the model of the scene: turn them into ids of the
 * file. */
static void resolve_kept(struct change *c, struct draft_override *over)
{
    struct scene_place at;
    if (over->draft && over->draft->is_kept && over->draft->kind == DRAFT_REFERENCE &&
        reference_is_local(over->reference) && !reference_is_null(over->reference) &&
        scene_where(c->scene, over->reference.file_id, &at))
        over->reference.file_id = change_instance_refer(c, at);
}

static void on_override(const struct draft_override *over, void *ctx)
{
    struct override_writer *o = ctx;
    struct change *c = o->change;
    const struct yaml_item *entry = map_get(&o->known, over->path);
    if (o->is_partial ? (entry ? entry_has_value(o, entry, over) : is_size_as_shown(o, over))
                      : has_value(o, over))
        return;
    struct draft_override resolved = *over;
    resolve_kept(c, &resolved);
    if (entry) {
        replace_override(o, entry, &resolved);
        return;
    }
    uint32_t indent = list_indent(&o->list);
    struct buf lines = {0};
    put_entry_reference(c, &lines, arena_printf(c->arena, "%*s- target: ", (int)indent, ""),
                        o->target);
    put_text_line(c, &lines, indent + 2, "propertyPath", resolved.path);
    put_text_line(c, &lines, indent + 2, "value", resolved.value);
    put_entry_reference(c, &lines,
                        arena_printf(c->arena, "%*sobjectReference: ", (int)indent + 2, ""),
                        resolved.reference);
    change_list_add(c, &o->list, o->place, buf_str(&lines));
    buf_done(&lines);
}

void change_instance_override(struct change *c, struct scene_place at, struct assign *a)
{
    const struct scene_component *m = scene_component(c->scene, at.node, at.component);
    struct yaml_value body = scene_body(c->scene, at.node, at.component, c->arena);
    struct override_writer o = {.change = c,
                                .is_partial = scene_is_partial(c->scene, at.node, at.component)};
    if (!find_list(c, m->instance, STR("m_Modifications"), &o.list) ||
        !scene_target(c->scene, at, &o.target))
        return;
    read_overrides(&o);
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
