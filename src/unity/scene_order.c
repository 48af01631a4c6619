#include <stdlib.h>

#include "base/mem.h"
#include "unity/prefab.h"
#include "unity/scene_build.h"

/* A child that no list contains. */
struct extra_sibling {
    uint32_t parent;
    bool is_placed;   /* it has an index */
    bool is_unlisted; /* nor is it an added object */
    int32_t order;
    uint32_t doc, node;
};

/* ---- parents */

/* A Transform without a GameObject is not shown; its children take its place. */
static int64_t find_visible_father(struct scene_build *b, int64_t father)
{
    const struct yaml_file *f = &b->scene->file;
    int64_t end = father;
    for (size_t hops = 0;; hops++) {
        uint32_t doc = scene_build_doc(b, end);
        if (doc == SCENE_NONE || f->docs[doc].stripped ||
            !scene_is_transform(f->docs[doc].class_id) || b->raws[doc].node != SCENE_NONE)
            break;
        end = hops <= f->count ? b->raws[doc].father : 0;
    }
    for (int64_t at = father; at != end;) { /* compress the path for the next search */
        uint32_t doc = scene_build_doc(b, at);
        if (doc == SCENE_NONE)
            break;
        at = b->raws[doc].father;
        b->raws[doc].father = end;
    }
    return end;
}

static void find_parent(struct scene_build *b, uint32_t node, int64_t father, uint32_t doc)
{
    uint32_t parent = scene_build_resolve(b, father);
    if (parent != SCENE_NONE && b->nodes[parent].removed)
        parent = SCENE_NONE;
    if (parent == SCENE_NONE && father != 0)
        scene_build_report(b, doc, "missing parent %lld: the object is shown at the root",
                           (long long)father);
    b->nodes[node].parent = parent;
}

static void find_parents(struct scene_build *b)
{
    const struct scene *s = b->scene;
    for (uint32_t i = 0; i < b->own; i++) {
        struct scene_build_node *n = &b->nodes[i];
        if (n->transform != SCENE_NONE)
            find_parent(b, i, find_visible_father(b, b->raws[n->transform].father), n->transform);
        else
            scene_build_report(b, n->object, "the GameObject %lld has no Transform",
                               (long long)n->id);
    }
    for (uint32_t i = 0; i < s->instance_count; i++) {
        const struct scene_build_instance *in = &b->instances[i];
        if (in->base == SCENE_NONE)
            continue;
        uint32_t doc = (uint32_t)(s->instances[i].doc - s->file.docs);
        const struct scene *from = s->more->links[i].source;
        for (uint32_t k = 0; k < from->node_count; k++)
            if (from->nodes[k].parent == SCENE_NONE)
                find_parent(b, in->base + k, find_visible_father(b, in->parent), doc);
    }
}

/* Whether this file sets the parent; otherwise the source does. */
static bool is_movable(const struct scene_build *b, uint32_t node)
{
    const struct scene_build_node *n = &b->nodes[node];
    return n->instance == SCENE_NONE ||
           b->scene->more->links[n->instance].source->nodes[n->source].parent == SCENE_NONE;
}

static uint32_t find_document(const struct scene_build *b, const struct scene_build_node *n)
{
    if (n->instance != SCENE_NONE)
        return (uint32_t)(b->scene->instances[n->instance].doc - b->scene->file.docs);
    return n->transform != SCENE_NONE ? n->transform : n->object;
}

/* Cut a circle. Nodes of an instance are linked as in the source, so a circle contains a movable
 * node. */
static void cut_circle(struct scene_build *b, uint32_t node)
{
    while (!is_movable(b, node))
        node = b->nodes[node].parent;
    scene_build_report(b, find_document(b, &b->nodes[node]),
                       "the object is its own ancestor: it is shown at the root");
    b->nodes[node].parent = SCENE_NONE;
}

/* Follow the parents of every node up to a node that was visited before. */
static void cut_circles(struct scene_build *b)
{
    uint32_t *seen = mem_zalloc((b->count + 1) * sizeof *seen);
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t at = i;
        while (at != SCENE_NONE && !seen[at]) {
            seen[at] = i + 1;
            at = b->nodes[at].parent;
        }
        if (at != SCENE_NONE && seen[at] == i + 1)
            cut_circle(b, at);
    }
    free(seen);
}

/* ---- siblings */

static void append_sibling(struct scene_build *b, uint32_t node)
{
    struct scene_build_node *n = &b->nodes[node];
    bool is_root = n->parent == SCENE_NONE;
    uint32_t *first = is_root ? &b->first_root : &b->nodes[n->parent].first_child;
    uint32_t *last = is_root ? &b->last_root : &b->nodes[n->parent].last_child;
    if (*last == SCENE_NONE)
        *first = node;
    else
        b->nodes[*last].next = node;
    *last = node;
    n->placed = true;
}

/* Append the children in a list of this file, if they name this parent. */
static void append_listed(struct scene_build *b, struct yaml_value list, uint32_t parent)
{
    const struct scene *s = b->scene;
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(list); yaml_next(&w, &item);) {
        struct reference r;
        if (!yaml_reference(item.value, &r))
            continue;
        uint32_t doc = scene_build_doc(b, r.file_id);
        uint32_t node;
        if (doc != SCENE_NONE && s->file.docs[doc].class_id == SCENE_PREFAB_INSTANCE &&
            b->raws[doc].node != SCENE_NONE)
            node = b->instances[b->raws[doc].node].base; /* SceneRoots may contain the instance */
        else
            node = scene_build_resolve(b, r.file_id);
        if (node == SCENE_NONE)
            continue;
        const struct scene_build_node *n = &b->nodes[node];
        if (n->parent == parent && !n->placed && !n->removed)
            append_sibling(b, node);
    }
}

static int compare_extras(const void *a, const void *b)
{
    const struct extra_sibling *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->is_placed != y->is_placed)
        return x->is_placed ? 1 : -1;
    if (x->is_unlisted != y->is_unlisted)
        return x->is_unlisted ? 1 : -1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (x->doc != y->doc)
        return x->doc < y->doc ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static struct extra_sibling *collect_extras(const struct scene_build *b, size_t *count)
{
    struct extra_sibling *extras = NULL;
    size_t cap = 0;
    *count = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct scene_build_node *n = &b->nodes[i];
        if (n->placed || n->removed)
            continue;
        if (*count == cap)
            mem_grow((void **)&extras, &cap, cap + 1, sizeof *extras);
        bool is_added = n->added != SCENE_NONE && n->parent != SCENE_NONE;
        struct extra_sibling e = {.parent = n->parent, .doc = find_document(b, n), .node = i};
        e.is_placed = is_added && n->insert_index >= 0;
        e.is_unlisted = !is_added;
        if (is_added)
            e.order = e.is_placed ? n->insert_index : (int32_t)n->added;
        else
            e.order = n->root_order;
        extras[(*count)++] = e;
    }
    if (*count)
        qsort(extras, *count, sizeof *extras, compare_extras);
    return extras;
}

/* Merge children that have an index, sorted by it, into the other ones. */
static void merge_placed(struct scene_build *b, const struct extra_sibling *extras, size_t count)
{
    struct scene_build_node *parent = &b->nodes[extras[0].parent];
    uint32_t child = parent->first_child;
    int64_t at = 0;
    size_t taken = 0;
    parent->first_child = parent->last_child = SCENE_NONE;
    while (child != SCENE_NONE || taken < count) {
        bool is_due = taken < count && (child == SCENE_NONE || extras[taken].order <= at);
        uint32_t node = is_due ? extras[taken++].node : child;
        if (!is_due)
            child = b->nodes[child].next;
        b->nodes[node].next = SCENE_NONE;
        append_sibling(b, node);
        at++;
    }
}

static void append_extras(struct scene_build *b)
{
    size_t count;
    struct extra_sibling *extras = collect_extras(b, &count);
    for (size_t i = 0; i < count;) {
        size_t n = 1;
        if (!extras[i].is_placed) {
            append_sibling(b, extras[i].node);
        } else {
            while (i + n < count && extras[i + n].is_placed &&
                   extras[i + n].parent == extras[i].parent)
                n++;
            merge_placed(b, extras + i, n);
        }
        i += n;
    }
    free(extras);
}

/* Components in this file on objects of instances, which have no list of components.
 * m_AddedComponents exists since 2022.2 only. */
static void append_components(struct scene_build *b)
{
    const struct yaml_file *f = &b->scene->file;
    for (uint32_t i = 0; i < f->count; i++) {
        const struct yaml_doc *d = &f->docs[i];
        struct scene_raw *raw = &b->raws[i];
        if (d->stripped || raw->claimed || raw->owner == 0 || d->class_id == SCENE_GAME_OBJECT ||
            d->class_id == SCENE_PREFAB_INSTANCE || scene_is_transform(d->class_id))
            continue;
        uint32_t owner = scene_build_doc(b, raw->owner);
        if (owner != SCENE_NONE && !f->docs[owner].stripped)
            continue;
        uint32_t node = scene_build_resolve(b, raw->owner);
        if (node == SCENE_NONE || b->nodes[node].instance == SCENE_NONE)
            continue;
        raw->claimed = true;
        scene_build_change(
            b, node, (struct scene_change){.kind = SCENE_CHANGE_ADDED, .what = i, .index = -1});
    }
}

void scene_order(struct scene_build *b)
{
    for (uint32_t i = 0; i < b->scene->instance_count; i++)
        prefab_add(b, i);
    append_components(b);
    find_parents(b);
    cut_circles(b);
    for (uint32_t i = 0; i < b->own; i++)
        if (b->nodes[i].transform != SCENE_NONE)
            append_listed(b, b->raws[b->nodes[i].transform].u.list, i);
    for (size_t i = b->own; i < b->count; i++) /* in the order of the source */
        if (!b->nodes[i].removed && !is_movable(b, (uint32_t)i))
            append_sibling(b, (uint32_t)i);
    append_listed(b, b->roots, SCENE_NONE);
    append_extras(b);
}
