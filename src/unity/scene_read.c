#include <stdlib.h>

#include "base/mem.h"
#include "unity/prefab.h"
#include "unity/scene_build.h"

/* The keys that every component starts with; a document without m_GameObject among them is no
 * component. */
#define HEAD_KEYS 16

static int64_t read_local_id(struct yaml_value v)
{
    struct reference r;
    return yaml_reference(v, &r) && reference_is_local(r) ? r.file_id : 0;
}

static int64_t read_id(struct yaml_value v)
{
    struct reference r;
    return yaml_reference(v, &r) ? r.file_id : 0;
}

static void read_game_object(struct scene_build *b, uint32_t doc)
{
    const struct yaml_file *f = &b->scene->file;
    uint32_t node = scene_build_node(b);
    struct scene_build_node *n = &b->nodes[node];
    struct scene_raw *raw = &b->raws[doc];
    struct yaml_item item;
    unsigned missing = 3;
    raw->node = node;
    n->object = doc;
    n->id = f->docs[doc].file_id;
    for (struct yaml_walk w = yaml_walk(yaml_body(f, &f->docs[doc])); yaml_next(&w, &item);) {
        int64_t active;
        if (str_eq(item.key, STR("m_Component"))) {
            raw->u.list = item.value;
        } else if (str_eq(item.key, STR("m_Name"))) {
            n->name = yaml_text(&b->scene->more->arena, item.value);
        } else if (str_eq(item.key, STR("m_IsActive"))) {
            n->active = !yaml_i64(item.value, &active) || active != 0;
        } else {
            continue;
        }
        if (--missing == 0)
            break;
    }
}

static void read_transform(struct scene_build *b, uint32_t doc)
{
    const struct yaml_file *f = &b->scene->file;
    struct scene_raw *raw = &b->raws[doc];
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(yaml_body(f, &f->docs[doc])); yaml_next(&w, &item);) {
        int64_t order;
        if (str_eq(item.key, STR("m_GameObject")))
            raw->owner = read_local_id(item.value);
        else if (str_eq(item.key, STR("m_Father")))
            raw->father = read_local_id(item.value);
        else if (str_eq(item.key, STR("m_Children")))
            raw->u.list = item.value;
        else if (str_eq(item.key, STR("m_RootOrder")) && yaml_i64(item.value, &order) &&
                 order >= INT32_MIN && order <= INT32_MAX)
            raw->root_order = (int32_t)order;
    }
}

static void read_component(struct scene_build *b, uint32_t doc)
{
    const struct yaml_file *f = &b->scene->file;
    const struct yaml_doc *d = &f->docs[doc];
    struct scene_raw *raw = &b->raws[doc];
    struct yaml_item item;
    unsigned seen = 0;
    for (struct yaml_walk w = yaml_walk(yaml_body(f, d)); yaml_next(&w, &item);) {
        if (str_eq(item.key, STR("m_GameObject"))) {
            raw->owner = read_local_id(item.value);
            if (d->class_id != SCENE_MONO_BEHAVIOUR)
                break;
        } else if (d->class_id == SCENE_MONO_BEHAVIOUR && str_eq(item.key, STR("m_Script"))) {
            yaml_reference(item.value, &raw->u.script);
            break;
        }
        if (++seen == HEAD_KEYS)
            break;
    }
}

static void read_stand_in(struct scene_build *b, uint32_t doc)
{
    const struct yaml_file *f = &b->scene->file;
    struct scene_raw *raw = &b->raws[doc];
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(yaml_body(f, &f->docs[doc])); yaml_next(&w, &item);) {
        if (str_eq(item.key, STR("m_CorrespondingSourceObject")) ||
            str_eq(item.key, STR("m_PrefabParentObject")))
            raw->father = read_id(item.value);
        else if (str_eq(item.key, STR("m_PrefabInstance")) ||
                 str_eq(item.key, STR("m_PrefabInternal")))
            raw->owner = read_local_id(item.value);
        if (raw->father && raw->owner)
            break;
    }
    b->scene->more->stand_in_count++; /* includes stand-ins without an object */
}

static void read_document(struct scene_build *b, uint32_t doc)
{
    const struct yaml_file *f = &b->scene->file;
    const struct yaml_doc *d = &f->docs[doc];
    b->raws[doc].node = SCENE_NONE;
    if (d->stripped)
        read_stand_in(b, doc);
    else if (d->class_id == SCENE_GAME_OBJECT)
        read_game_object(b, doc);
    else if (scene_is_transform(d->class_id))
        read_transform(b, doc);
    else if (d->class_id == SCENE_PREFAB_INSTANCE)
        prefab_read(b, doc);
    else if (d->class_id == SCENE_ROOTS)
        b->roots = yaml_get(yaml_body(f, d), STR("m_Roots"));
    else
        read_component(b, doc);
}

/* ---- links between documents */

static int compare_stand_ins(const void *a, const void *b)
{
    const struct scene_stand_in *x = a, *y = b;
    if (x->instance != y->instance)
        return x->instance < y->instance ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->doc < y->doc ? -1 : x->doc > y->doc;
}

static void collect_stand_ins(struct scene_build *b)
{
    const struct yaml_file *f = &b->scene->file;
    struct scene_more *more = b->scene->more;
    more->stand_ins = mem_alloc((more->stand_in_count + 1) * sizeof *more->stand_ins);
    more->stand_in_count = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        if (!f->docs[i].stripped)
            continue;
        uint32_t instance = scene_build_doc(b, b->raws[i].owner);
        if (instance == SCENE_NONE || f->docs[instance].class_id != SCENE_PREFAB_INSTANCE ||
            b->raws[instance].node == SCENE_NONE)
            continue; /* its instance was removed */
        b->raws[i].node = b->raws[instance].node;
        more->stand_ins[more->stand_in_count++] =
            (struct scene_stand_in){b->raws[i].father, f->docs[i].file_id, i, b->raws[i].node};
    }
    qsort(more->stand_ins, more->stand_in_count, sizeof *more->stand_ins, compare_stand_ins);
    for (size_t i = 0; i < more->stand_in_count; i++) {
        struct scene_link *link = &more->links[more->stand_ins[i].instance];
        if (link->stand_in_count++ == 0)
            link->stand_ins = &more->stand_ins[i];
    }
}

/* Whether the GameObject lists this Transform as its first component. */
static bool is_listed_first(const struct scene_build *b, uint32_t object, uint32_t transform)
{
    struct yaml_item entry = {0};
    struct yaml_walk list = yaml_walk(b->raws[object].u.list);
    if (!yaml_next(&list, &entry))
        return false;
    struct yaml_walk inner = yaml_walk(entry.value);
    return yaml_next(&inner, &entry) &&
           read_local_id(entry.value) == b->scene->file.docs[transform].file_id;
}

static void join_transform(struct scene_build *b, uint32_t doc)
{
    const struct yaml_file *f = &b->scene->file;
    uint32_t object = scene_build_doc(b, b->raws[doc].owner);
    if (object == SCENE_NONE || f->docs[object].class_id != SCENE_GAME_OBJECT ||
        f->docs[object].stripped) {
        scene_build_report(b, doc, "the Transform %lld has no GameObject",
                           (long long)f->docs[doc].file_id);
        return;
    }
    struct scene_build_node *n = &b->nodes[b->raws[object].node];
    if (n->transform != SCENE_NONE) {
        scene_build_report(b, doc, "the GameObject %lld has two Transforms",
                           (long long)f->docs[object].file_id);
        if (!is_listed_first(b, object, doc))
            return;
        b->raws[n->transform].node = SCENE_NONE;
    }
    n->transform = doc;
    n->root_order = b->raws[doc].root_order;
    b->raws[doc].node = b->raws[object].node;
}

void scene_read(struct scene_build *b)
{
    const struct yaml_file *f = &b->scene->file;
    b->first_root = b->last_root = SCENE_NONE;
    b->raws = mem_zalloc((f->count + 1) * sizeof *b->raws);
    for (uint32_t i = 0; i < f->count; i++)
        read_document(b, i);
    b->own = b->count;
    collect_stand_ins(b);
    for (uint32_t i = 0; i < f->count; i++)
        if (scene_is_transform(f->docs[i].class_id) && !f->docs[i].stripped)
            join_transform(b, i);
}
