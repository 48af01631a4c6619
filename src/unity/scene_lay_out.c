#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "unity/scene_build.h"

struct scene_layout {
    struct scene_build *b;
    size_t cap; /* of components */
};

static void put_component(struct scene_layout *l, struct scene_component c)
{
    struct scene *s = l->b->scene;
    if (s->component_count == SCENE_MAX_COMPONENTS)
        return;
    if (s->component_count == l->cap)
        mem_grow((void **)&s->components, &l->cap, l->cap + 1, sizeof c);
    s->components[s->component_count++] = c;
}

/* ---- components of this file */

static void put_document(struct scene_layout *l, uint32_t doc)
{
    const struct yaml_doc *d = &l->b->scene->file.docs[doc];
    struct scene_component c = {.id = d->file_id,
                                .class_id = d->class_id,
                                .doc = d,
                                .instance = SCENE_NONE,
                                .source = SCENE_NONE};
    if (d->class_id == SCENE_MONO_BEHAVIOUR)
        c.script = l->b->raws[doc].u.script;
    put_component(l, c);
}

/* Add an entry of m_Component: "component: {fileID: 7}", in old files "4: {fileID: 7}". */
static void put_entry(struct scene_layout *l, struct yaml_value entry)
{
    struct scene_build *b = l->b;
    struct yaml_walk w = yaml_walk(entry);
    struct yaml_item item;
    struct reference r = {0};
    if (yaml_next(&w, &item))
        yaml_reference(item.value, &r);
    uint32_t doc = scene_build_doc(b, r.file_id);
    const struct yaml_doc *d = doc == SCENE_NONE ? NULL : &b->scene->file.docs[doc];
    if (!d || d->stripped || d->class_id == SCENE_GAME_OBJECT || scene_is_transform(d->class_id) ||
        d->class_id == SCENE_PREFAB_INSTANCE || b->raws[doc].claimed) {
        put_component(l, (struct scene_component){
                             .id = r.file_id, .instance = SCENE_NONE, .source = SCENE_NONE});
        return;
    }
    b->raws[doc].claimed = true;
    put_document(l, doc);
}

static void put_own_components(struct scene_layout *l, const struct scene_build_node *n)
{
    struct yaml_item item;
    if (n->transform != SCENE_NONE) { /* the Transform comes first, regardless of the list */
        l->b->raws[n->transform].claimed = true;
        put_document(l, n->transform);
    }
    bool is_first = n->transform != SCENE_NONE;
    for (struct yaml_walk w = yaml_walk(l->b->raws[n->object].u.list); yaml_next(&w, &item);) {
        struct yaml_walk in = yaml_walk(item.value);
        struct yaml_item entry;
        struct reference r;
        if (is_first && yaml_next(&in, &entry) && yaml_reference(entry.value, &r) &&
            r.file_id == l->b->scene->file.docs[n->transform].file_id)
            is_first = false;
        else
            put_entry(l, item.value);
    }
}

/* ---- components of instances */

/* Add a component of the source; edits are the changes to it. */
static void put_source_component(struct scene_layout *l, const struct scene_build_node *n,
                                 uint32_t source, const struct scene_change *const *edits,
                                 size_t count)
{
    const struct scene *s = l->b->scene;
    const struct scene_component *from = &s->more->links[n->instance].source->components[source];
    struct scene_component c = {.id = scene_compose(s->instances[n->instance].id, from->id),
                                .class_id = from->class_id,
                                .script = from->script,
                                .instance = n->instance,
                                .source = source};
    for (size_t i = 0; i < count; i++) {
        if (edits[i]->kind == SCENE_CHANGE_REMOVED)
            return;
        c.id = edits[i]->id;
    }
    put_component(l, c);
}

static int compare_changes(const void *a, const void *b)
{
    const struct scene_change *x = *(const struct scene_change *const *)a;
    const struct scene_change *y = *(const struct scene_change *const *)b;
    bool x_added = x->kind == SCENE_CHANGE_ADDED, y_added = y->kind == SCENE_CHANGE_ADDED;
    if (x_added != y_added)
        return x_added ? 1 : -1;
    if (!x_added && x->what != y->what)
        return x->what < y->what ? -1 : 1;
    if (x_added && x->index != y->index) /* unsigned: -1 comes last */
        return (uint32_t)x->index < (uint32_t)y->index ? -1 : 1;
    return x < y ? -1 : x > y; /* by time of the change */
}

/* Sort the changes of a node: by component of the source, then added ones by index. */
static const struct scene_change **sort_changes(const struct scene_build *b,
                                                const struct scene_build_node *n, size_t *count)
{
    const struct scene_change **changes = NULL;
    size_t cap = 0;
    *count = 0;
    for (uint32_t i = n->changes; i != SCENE_NONE; i = b->changes[i].next) {
        if (*count == cap)
            mem_grow((void **)&changes, &cap, cap + 1, sizeof *changes);
        changes[(*count)++] = &b->changes[i];
    }
    if (*count)
        qsort(changes, *count, sizeof *changes, compare_changes);
    return changes;
}

static void put_instance_components(struct scene_layout *l, const struct scene_build_node *n)
{
    struct scene *s = l->b->scene;
    const struct scene_node *sn = &s->more->links[n->instance].source->nodes[n->source];
    size_t count, added = 0, edit = 0, first = s->component_count;
    const struct scene_change **changes = sort_changes(l->b, n, &count);
    while (added < count && changes[added]->kind != SCENE_CHANGE_ADDED)
        added++;
    size_t edit_count = added;
    for (uint32_t i = 0; i < sn->component_count; i++) {
        uint32_t source = sn->component_first + i;
        while (i > 0 && added < count &&
               (uint32_t)changes[added]->index <= s->component_count - first)
            put_document(l, changes[added++]->what);
        size_t from = edit;
        while (edit < edit_count && changes[edit]->what == source)
            edit++;
        put_source_component(l, n, source, changes ? changes + from : NULL, edit - from);
    }
    while (added < count)
        put_document(l, changes[added++]->what);
    free(changes);
}

/* ---- nodes */

/* Names and paths are valid UTF-8. */
static struct str clean_name(struct scene *s, struct str name)
{
    if (utf8_is_valid(name))
        return name;
    struct buf text = {0};
    utf8_add_lossy(&text, name);
    struct str clean = arena_str(&s->more->arena, buf_str(&text));
    buf_done(&text);
    return clean;
}

static void put_node(struct scene_layout *l, uint32_t at)
{
    struct scene *s = l->b->scene;
    struct scene_build_node *n = &l->b->nodes[at];
    n->at = (uint32_t)s->node_count;
    s->nodes[s->node_count++] = (struct scene_node){
        .id = n->id,
        .name = clean_name(s, n->name),
        .active = n->active,
        .is_instance_root = n->is_instance_root,
        .parent = n->parent == SCENE_NONE ? SCENE_NONE : l->b->nodes[n->parent].at,
        .first_child = SCENE_NONE,
        .next = SCENE_NONE,
        .total = 1,
        .component_first = (uint32_t)s->component_count,
        .doc = n->object == SCENE_NONE ? NULL : &s->file.docs[n->object],
        .instance = n->instance,
        .source = n->source,
    };
    if (n->instance == SCENE_NONE)
        put_own_components(l, n);
    else
        put_instance_components(l, n);
    s->nodes[n->at].component_count =
        (uint32_t)s->component_count - s->nodes[n->at].component_first;
}

static uint32_t get_index(const struct scene_build *b, uint32_t node)
{
    return node == SCENE_NONE ? SCENE_NONE : b->nodes[node].at;
}

static void put_nodes(struct scene_layout *l)
{
    struct scene_build *b = l->b;
    for (uint32_t i = b->first_root; i != SCENE_NONE;) {
        put_node(l, i);
        uint32_t next = b->nodes[i].first_child;
        while (next == SCENE_NONE && i != SCENE_NONE) {
            next = b->nodes[i].next;
            i = b->nodes[i].parent;
        }
        i = next;
    }
    for (size_t i = 0; i < b->count; i++) {
        const struct scene_build_node *n = &b->nodes[i];
        if (n->at == SCENE_NONE)
            continue;
        b->scene->nodes[n->at].first_child = get_index(b, n->first_child);
        b->scene->nodes[n->at].next = get_index(b, n->next);
    }
}

/* Parents precede children, so one backward pass adds everything up. */
static void count_children(struct scene *s)
{
    for (size_t i = s->node_count; i-- > 0;) {
        const struct scene_node *n = &s->nodes[i];
        if (n->parent == SCENE_NONE) {
            s->root_count++;
            continue;
        }
        s->nodes[n->parent].total += n->total;
        s->nodes[n->parent].child_count++;
    }
}

/* The first sibling of each name, and the last index that was given. */
struct sibling_names {
    const struct scene *scene;
    struct name_slot {
        uint32_t first; /* node plus one; 0: free */
        uint32_t number;
    } * slots;
    size_t mask;
};

/* Return the slot of a name below a parent, or a free one. */
static struct name_slot *find_name(const struct sibling_names *t, uint32_t parent, struct str name)
{
    size_t slot = (size_t)(str_hash(name) ^ scene_build_hash_id(parent)) & t->mask;
    for (; t->slots[slot].first; slot = (slot + 1) & t->mask) {
        const struct scene_node *n = &t->scene->nodes[t->slots[slot].first - 1];
        if (n->parent == parent && str_eq(n->name, name))
            break;
    }
    return &t->slots[slot];
}

static bool is_name_taken(const struct sibling_names *t, const struct scene_node *n,
                          uint32_t number, struct buf *text)
{
    buf_clear(text);
    buf_add(text, n->name);
    buf_printf(text, "[%u]", number);
    return find_name(t, n->parent, buf_str(text))->first != 0;
}

/* Number siblings with the same name, skipping an index that would make the name of another
 * sibling, so that paths are unique. Each such name is skipped once, so the cost is linear. */
static void number_names(struct scene *s)
{
    size_t slots = 16;
    while (slots < s->node_count * 2)
        slots *= 2;
    struct sibling_names t = {s, mem_zalloc(slots * sizeof *t.slots), slots - 1};
    struct buf text = {0};
    bool has_brackets = false;
    for (uint32_t i = 0; i < s->node_count; i++) {
        const struct scene_node *n = &s->nodes[i];
        struct name_slot *slot = find_name(&t, n->parent, n->name);
        if (!slot->first)
            slot->first = i + 1;
        has_brackets |= n->name.n > 0 && n->name.p[n->name.n - 1] == ']';
    }
    for (uint32_t i = 0; i < s->node_count; i++) {
        struct scene_node *n = &s->nodes[i];
        struct name_slot *slot = find_name(&t, n->parent, n->name);
        if (slot->first == i + 1)
            continue;
        do
            slot->number++;
        while (has_brackets && is_name_taken(&t, n, slot->number, &text));
        n->repeat = slot->number;
    }
    buf_done(&text);
    free(t.slots);
}

void scene_lay_out(struct scene_build *b)
{
    struct scene *s = b->scene;
    struct scene_layout l = {.b = b};
    s->nodes = mem_alloc((b->count + 1) * sizeof *s->nodes);
    put_nodes(&l);
    if (s->node_count < b->count)
        s->nodes = mem_realloc(s->nodes, (s->node_count + 1) * sizeof *s->nodes);
    if (s->component_count < l.cap)
        s->components =
            mem_realloc(s->components, (s->component_count + 1) * sizeof *s->components);
    s->first_root = get_index(b, b->first_root);
    count_children(s);
    number_names(s);
    for (uint32_t i = 0; i < s->instance_count; i++) {
        struct scene_instance *in = &s->instances[i];
        const struct scene *source = s->more->links[i].source;
        in->root = get_index(b, b->instances[i].base);
        in->source = source && source->more->is_complete ? source : NULL;
        in->is_broken = !in->source && !(source && source->more->is_model);
    }
}
