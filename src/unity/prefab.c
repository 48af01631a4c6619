#include "unity/prefab.h"

#include <stdlib.h>

#include "base/mem.h"
#include "unity/scene_model.h"

#define HEAD_BYTES 512 /* the overrides of a document start within these bytes */

/* ---- document */

static void read_modification(struct scene_build_instance *in, struct scene_link *link,
                              struct yaml_value map)
{
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(map); yaml_next(&w, &item);) {
        struct reference r;
        if (str_eq(item.key, STR("m_TransformParent")))
            in->parent = yaml_reference(item.value, &r) ? r.file_id : 0;
        else if (str_eq(item.key, STR("m_Modifications")))
            link->modifications = item.value;
        else if (str_eq(item.key, STR("m_RemovedComponents")))
            in->removed_components = item.value;
        else if (str_eq(item.key, STR("m_RemovedGameObjects")))
            in->removed_objects = item.value;
        else if (str_eq(item.key, STR("m_AddedComponents")))
            in->added_components = item.value;
        else if (str_eq(item.key, STR("m_AddedGameObjects")))
            in->added_objects = item.value;
    }
}

/* Return whether it is the header of an old prefab file. */
static bool read_keys(struct scene_build_instance *in, struct scene_link *link,
                      struct yaml_value map)
{
    struct yaml_item item;
    bool is_header = false;
    for (struct yaml_walk w = yaml_walk(map); yaml_next(&w, &item);) {
        int64_t number;
        if (str_eq(item.key, STR("m_Modification")))
            read_modification(in, link, item.value);
        else if (str_eq(item.key, STR("m_SourcePrefab")) || str_eq(item.key, STR("m_ParentPrefab")))
            yaml_reference(item.value, &link->asset);
        else if ((str_eq(item.key, STR("m_IsPrefabParent")) ||
                  str_eq(item.key, STR("m_IsPrefabAsset"))) &&
                 yaml_i64(item.value, &number))
            is_header = number != 0;
    }
    return is_header;
}

/* Return the text from the first line with this start on; start includes the preceding line end. */
static struct str find_line(struct str text, struct str start)
{
    size_t at = str_find(text, start);
    return at < text.n ? str_skip(text, at + 1) : (struct str){0};
}

/* The same for the last such line. */
static struct str find_last_line(struct str text, struct str start)
{
    struct str rest = text;
    const char *nl;
    while (rest.n > 0 && (nl = memrchr(rest.p, '\n', rest.n))) {
        struct str line = str_skip(text, (size_t)(nl - text.p));
        if (str_starts(line, start))
            return str_skip(line, 1);
        rest.n = (size_t)(nl - rest.p);
    }
    return (struct str){0};
}

/* Overrides are most of a document, and walking them only to find the next key costs as much as
 * reading them. Unity writes them between two lines that are easy to find; other forms are
 * walked. */
static bool read_fast(struct scene_build_instance *in, struct scene_link *link,
                      struct yaml_value body, bool *is_header)
{
    struct str text = body.text;
    struct str list = find_line(str_head(text, HEAD_BYTES), STR("\n    m_Modifications:\n"));
    struct str tail = find_last_line(text, STR("\n    m_RemovedComponents:"));
    struct str rest = find_line(tail, STR("\n  m_"));
    if (body.indent != 2 || list.n == 0 || rest.n == 0 || tail.p <= list.p)
        return false;
    struct str head = str_head(text, (size_t)(list.p - text.p));
    struct str overrides = str_make(list.p, (size_t)(tail.p - list.p));
    *is_header = read_keys(in, link, (struct yaml_value){YAML_MAP, 2, head});
    overrides = str_skip(overrides, str_find_char(overrides, '\n') + 1);
    link->modifications = (struct yaml_value){YAML_LIST, 4, overrides};
    read_modification(in, link, (struct yaml_value){YAML_MAP, 4, tail});
    *is_header |= read_keys(in, link, (struct yaml_value){YAML_MAP, 2, rest});
    return true;
}

void prefab_read(struct scene_build *b, uint32_t doc)
{
    struct scene *s = b->scene;
    const struct yaml_doc *d = &s->file.docs[doc];
    struct scene_build_instance in = {.base = SCENE_NONE};
    struct scene_link link = {0};
    struct yaml_value body = yaml_body(&s->file, d);
    bool is_header;
    if (!read_fast(&in, &link, body, &is_header))
        is_header = read_keys(&in, &link, body);
    if (is_header)
        return;
    size_t i = s->instance_count;
    if (i == b->instance_cap) {
        mem_grow((void **)&b->instances, &b->instance_cap, i + 1, sizeof in);
        s->instances = mem_realloc(s->instances, b->instance_cap * sizeof *s->instances);
        s->more->links = mem_realloc(s->more->links, b->instance_cap * sizeof link);
    }
    b->instances[i] = in;
    s->more->links[i] = link;
    s->instances[i] = (struct scene_instance){
        .id = d->file_id, .doc = d, .guid = link.asset.guid, .root = SCENE_NONE};
    b->raws[doc].node = (uint32_t)i;
    s->instance_count++;
}

bool prefab_read_modification(struct yaml_value entry, struct arena *a,
                              struct prefab_modification *out)
{
    struct yaml_item item;
    bool has_target = false;
    *out = (struct prefab_modification){0};
    for (struct yaml_walk w = yaml_walk(entry); yaml_next(&w, &item);) {
        if (str_eq(item.key, STR("target")))
            has_target = yaml_reference(item.value, &out->target);
        else if (str_eq(item.key, STR("propertyPath")))
            out->path = yaml_text(a, item.value);
        else if (str_eq(item.key, STR("value")))
            out->value = item.value;
        else if (str_eq(item.key, STR("objectReference")))
            out->object = item.value;
    }
    return has_target && out->path.n > 0;
}

/* ---- overrides that affect the hierarchy */

enum shown_property {
    SHOWN_NOTHING,
    SHOWN_NAME,
    SHOWN_ACTIVE,
    SHOWN_ORDER
};

static enum shown_property classify_path(struct str path)
{
    if (str_eq(path, STR("m_Name")))
        return SHOWN_NAME;
    if (str_eq(path, STR("m_IsActive")))
        return SHOWN_ACTIVE;
    return str_eq(path, STR("m_RootOrder")) ? SHOWN_ORDER : SHOWN_NOTHING;
}

/* Find the next override that affects the hierarchy. Most do not, so the path is read first. */
static enum shown_property find_next_shown(struct yaml_walk *w, struct prefab_modification *m)
{
    struct yaml_item entry, item;
    while (yaml_next(w, &entry)) {
        enum shown_property shown = SHOWN_NOTHING;
        struct yaml_value target = {0};
        *m = (struct prefab_modification){0};
        for (struct yaml_walk in = yaml_walk(entry.value); yaml_next(&in, &item);) {
            if (str_eq(item.key, STR("target"))) {
                target = item.value;
            } else if (str_eq(item.key, STR("propertyPath"))) {
                shown = classify_path(item.value.text);
                if (shown == SHOWN_NOTHING)
                    break;
            } else if (str_eq(item.key, STR("value"))) {
                m->value = item.value;
                break;
            }
        }
        if (shown != SHOWN_NOTHING && yaml_reference(target, &m->target))
            return shown;
    }
    return SHOWN_NOTHING;
}

static void apply_shown(struct scene_build *b, uint32_t instance)
{
    struct scene_link *link = &b->scene->more->links[instance];
    uint32_t base = b->instances[instance].base;
    struct yaml_walk w = yaml_walk(link->modifications);
    struct prefab_modification m;
    enum shown_property shown;
    while ((shown = find_next_shown(&w, &m)) != SHOWN_NOTHING) {
        struct scene_place place;
        if (!scene_where(link->source, m.target.file_id, &place))
            continue; /* stale: Unity keeps those too */
        struct scene_build_node *n = &b->nodes[base + place.node];
        bool is_object = place.component == SCENE_NONE;
        int64_t number = 0;
        if (shown == SHOWN_NAME && is_object)
            n->name = yaml_text(&b->scene->more->arena, m.value);
        else if (shown == SHOWN_ACTIVE && is_object && yaml_i64(m.value, &number))
            n->active = number != 0;
        else if (shown == SHOWN_ORDER && place.node == 0 && yaml_i64(m.value, &number) &&
                 number >= INT32_MIN && number <= INT32_MAX)
            n->root_order = (int32_t)number;
    }
}

/* ---- nodes */

static void clone_nodes(struct scene_build *b, uint32_t instance, const struct scene *from)
{
    uint32_t base = (uint32_t)b->count;
    int64_t id = b->scene->instances[instance].id;
    for (uint32_t i = 0; i < from->node_count; i++) {
        const struct scene_node *sn = &from->nodes[i];
        uint32_t at = scene_build_node(b);
        struct scene_build_node *n = &b->nodes[at];
        n->id = scene_compose(id, sn->id);
        n->name = sn->name;
        n->active = sn->active;
        n->is_instance_root = sn->parent == SCENE_NONE || sn->is_instance_root;
        n->instance = instance;
        n->source = i;
        n->parent = sn->parent == SCENE_NONE ? SCENE_NONE : base + sn->parent;
    }
    b->instances[instance].base = base;
}

static void apply_stand_ins(struct scene_build *b, uint32_t instance)
{
    const struct scene_link *link = &b->scene->more->links[instance];
    for (size_t i = link->stand_in_count; i-- > 0;) { /* the first of two takes precedence, so apply
                                                         it last */
        const struct scene_stand_in *in = &link->stand_ins[i];
        struct scene_place place;
        if (!scene_where(link->source, in->source, &place))
            continue;
        uint32_t node = b->instances[instance].base + place.node;
        if (place.component == SCENE_NONE)
            b->nodes[node].id = in->id;
        else
            scene_build_change(
                b, node,
                (struct scene_change){.kind = SCENE_CHANGE_ID,
                                      .what = link->source->nodes[place.node].component_first +
                                              place.component,
                                      .id = in->id});
    }
}

static void remove_objects(struct scene_build *b, uint32_t instance)
{
    const struct scene *from = b->scene->more->links[instance].source;
    const struct scene_build_instance *in = &b->instances[instance];
    struct yaml_item item;
    struct reference r;
    struct scene_place place;
    for (struct yaml_walk w = yaml_walk(in->removed_components); yaml_next(&w, &item);)
        if (yaml_reference(item.value, &r) && scene_where(from, r.file_id, &place) &&
            place.component != SCENE_NONE && place.component != 0)
            scene_build_change(
                b, in->base + place.node,
                (struct scene_change){.kind = SCENE_CHANGE_REMOVED,
                                      .what = from->nodes[place.node].component_first +
                                              place.component});
    bool any = false;
    for (struct yaml_walk w = yaml_walk(in->removed_objects); yaml_next(&w, &item);)
        if (yaml_reference(item.value, &r) && scene_where(from, r.file_id, &place))
            any = b->nodes[in->base + place.node].removed = true;
    if (!any)
        return;
    for (size_t i = 1; i < from->node_count; i++) { /* parents precede children */
        struct scene_build_node *n = &b->nodes[in->base + i];
        n->removed |= n->parent != SCENE_NONE && b->nodes[n->parent].removed;
    }
}

void prefab_clone(struct scene_build *b, uint32_t instance)
{
    struct scene_link *link = &b->scene->more->links[instance];
    const struct scene *from = link->source;
    if (!from || from->node_count == 0)
        return;
    if (b->count + from->node_count > SCENE_MAX_NODES ||
        !scenes_have_room(b->all, b->count + from->node_count)) {
        const struct yaml_doc *d = b->scene->instances[instance].doc;
        scene_build_report(b, (uint32_t)(d - b->scene->file.docs),
                           "too many objects: this instance of %.*s is left out",
                           STR_ARG(from->path));
        return;
    }
    clone_nodes(b, instance, from);
    apply_stand_ins(b, instance);
    apply_shown(b, instance);
    remove_objects(b, instance);
}

/* ---- added objects */

struct prefab_addition {
    int64_t object; /* id in this file */
    int32_t index;
};

static bool find_next_addition(struct yaml_walk *w, struct prefab_addition *out)
{
    struct yaml_item entry, item;
    while (yaml_next(w, &entry)) {
        *out = (struct prefab_addition){.index = -1};
        for (struct yaml_walk in = yaml_walk(entry.value); yaml_next(&in, &item);) {
            struct reference r;
            int64_t index;
            if (str_eq(item.key, STR("insertIndex")) && yaml_i64(item.value, &index) &&
                index >= 0 && index <= INT32_MAX)
                out->index = (int32_t)index;
            else if (str_eq(item.key, STR("addedObject")) && yaml_reference(item.value, &r))
                out->object = r.file_id;
        }
        if (out->object)
            return true;
    }
    return false;
}

void prefab_add(struct scene_build *b, uint32_t instance)
{
    const struct scene_build_instance *in = &b->instances[instance];
    struct prefab_addition a;
    for (struct yaml_walk w = yaml_walk(in->added_objects); find_next_addition(&w, &a);) {
        uint32_t node = scene_build_resolve(b, a.object);
        if (node == SCENE_NONE || b->nodes[node].added != SCENE_NONE)
            continue;
        b->nodes[node].added = b->added_count++;
        b->nodes[node].insert_index = a.index;
    }
    for (struct yaml_walk w = yaml_walk(in->added_components); find_next_addition(&w, &a);) {
        uint32_t doc = scene_build_doc(b, a.object);
        if (doc == SCENE_NONE || b->scene->file.docs[doc].stripped || b->raws[doc].claimed ||
            b->scene->file.docs[doc].class_id == SCENE_PREFAB_INSTANCE)
            continue;
        uint32_t node = scene_build_resolve(b, b->raws[doc].owner);
        if (node == SCENE_NONE || b->nodes[node].instance == SCENE_NONE)
            continue;
        b->raws[doc].claimed = true;
        scene_build_change(
            b, node,
            (struct scene_change){.kind = SCENE_CHANGE_ADDED, .what = doc, .index = a.index});
    }
}

/* ---- incomplete sources */

void prefab_guess(struct scene_build *b, uint32_t instance)
{
    struct scene_link *link = &b->scene->more->links[instance];
    const struct yaml_file *f = &b->scene->file;
    struct scene_model_hints hints = {.known = link->cached};
    struct yaml_walk w = yaml_walk(link->modifications);
    struct prefab_modification m;
    enum shown_property shown;
    while ((shown = find_next_shown(&w, &m)) != SHOWN_NOTHING) {
        if (shown == SHOWN_NAME && !hints.object)
            hints.object = m.target.file_id;
        else if (shown == SHOWN_ORDER && !hints.transform)
            hints.transform = m.target.file_id;
    }
    struct yaml_item entry;
    struct reference target;
    for (w = yaml_walk(link->modifications); yaml_next(&w, &entry);)
        if (yaml_reference(yaml_get(entry.value, STR("target")), &target))
            scene_model_hint_target(&hints, target.file_id);
    for (size_t i = 0; i < link->stand_in_count; i++) {
        const struct scene_stand_in *in = &link->stand_ins[i];
        scene_model_hint(&hints, f->docs[in->doc].class_id, in->source);
    }
    link->source = scene_model_guess(b->all, &hints);
}

/* ---- overrides by target */

static int compare_overrides(const void *a, const void *b)
{
    const struct scene_override *x = a, *y = b;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void index_overrides(const struct scene *s, struct scene_link *link)
{
    size_t cap = 0;
    struct yaml_item entry;
    link->is_indexed = true;
    for (struct yaml_walk w = yaml_walk(link->modifications); yaml_next(&w, &entry);) {
        struct reference target;
        if (!yaml_reference(yaml_get(entry.value, STR("target")), &target))
            continue;
        if (link->override_count == cap)
            mem_grow((void **)&link->overrides, &cap, cap + 1, sizeof *link->overrides);
        struct str text = entry.value.text;
        link->overrides[link->override_count++] = (struct scene_override){
            .target = target.file_id,
            .at = (uint32_t)(text.p - s->file.text.p),
            .n = (uint32_t)text.n,
            .indent = entry.value.indent,
            .kind = entry.value.kind,
        };
    }
    if (link->override_count)
        qsort(link->overrides, link->override_count, sizeof *link->overrides, compare_overrides);
}

const struct scene_override *prefab_overrides(const struct scene *s, uint32_t instance,
                                              int64_t target, size_t *count)
{
    struct scene_link *link = &s->more->links[instance];
    if (!link->is_indexed)
        index_overrides(s, link);
    size_t from = 0, to = link->override_count;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (link->overrides[mid].target < target)
            from = mid + 1;
        else
            to = mid;
    }
    *count = 0;
    while (from + *count < link->override_count && link->overrides[from + *count].target == target)
        ++*count;
    return *count ? link->overrides + from : NULL;
}
