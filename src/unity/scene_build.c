#include "unity/scene_build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define MAX_REPORTS 20 /* per file: finding the line costs as much as reading the file */

uint64_t scene_build_hash_id(int64_t id)
{
    static uint64_t seed;
    if (!seed)
        seed = str_hash(STR("scene")) | 1;
    uint64_t x = (uint64_t)id ^ seed;
    x = (x ^ (x >> 32)) * (seed | 0x9e3779b97f4a7c15u);
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

void scene_build_done(struct scene_build *b)
{
    free(b->raws);
    free(b->instances);
    free(b->nodes);
    free(b->changes);
    free(b->composed);
    *b = (struct scene_build){0};
}

uint32_t scene_build_node(struct scene_build *b)
{
    if (b->count == b->cap)
        mem_grow((void **)&b->nodes, &b->cap, b->count + 1, sizeof *b->nodes);
    b->nodes[b->count] = (struct scene_build_node){
        .active = true,
        .object = SCENE_NONE,
        .transform = SCENE_NONE,
        .instance = SCENE_NONE,
        .source = SCENE_NONE,
        .parent = SCENE_NONE,
        .first_child = SCENE_NONE,
        .last_child = SCENE_NONE,
        .next = SCENE_NONE,
        .changes = SCENE_NONE,
        .insert_index = -1,
        .added = SCENE_NONE,
        .at = SCENE_NONE,
    };
    return (uint32_t)b->count++;
}

void scene_build_change(struct scene_build *b, uint32_t node, struct scene_change change)
{
    if (b->change_count == b->change_cap)
        mem_grow((void **)&b->changes, &b->change_cap, b->change_count + 1, sizeof *b->changes);
    change.next = b->nodes[node].changes;
    b->changes[b->change_count] = change;
    b->nodes[node].changes = (uint32_t)b->change_count++;
}

void scene_build_report(struct scene_build *b, uint32_t doc, const char *fmt, ...)
{
    if (b->reports++ > MAX_REPORTS)
        return;
    const struct yaml_file *f = &b->scene->file;
    char text[ERROR_TEXT_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    struct diagnostic about = {.level = DIAGNOSTIC_WARNING,
                               .kind = DIAGNOSTIC_BROKEN_REFERENCE,
                               .file = b->scene->path,
                               .line = yaml_line(f, f->text.p + f->docs[doc].at)};
    scenes_report(b->all, &about,
                  b->reports > MAX_REPORTS
                      ? "further broken references in this file are not reported"
                      : text);
}

uint32_t scene_build_doc(const struct scene_build *b, int64_t id)
{
    const struct yaml_doc *d = id ? yaml_find(&b->scene->file, id) : NULL;
    return d ? (uint32_t)(d - b->scene->file.docs) : SCENE_NONE;
}

/* ---- objects of instances without a stand-in */

static void add_composed(struct scene_build *b, int64_t id, uint32_t node)
{
    size_t slot = (size_t)scene_build_hash_id(id) & (b->composed_slots - 1);
    while (b->composed[slot])
        slot = (slot + 1) & (b->composed_slots - 1);
    b->composed[slot] = node + 1;
}

/* The id of a node's Transform without a stand-in. */
static int64_t get_transform_id(const struct scene_build *b, const struct scene_build_node *n)
{
    const struct scene *from = b->scene->more->links[n->instance].source;
    const struct scene_node *node = &from->nodes[n->source];
    if (node->component_count == 0)
        return 0;
    return scene_compose(b->scene->instances[n->instance].id,
                         from->components[node->component_first].id);
}

static void index_composed(struct scene_build *b)
{
    b->composed_slots = 16;
    while (b->composed_slots < (b->count - b->own) * 4)
        b->composed_slots *= 2;
    b->composed = mem_zalloc(b->composed_slots * sizeof *b->composed);
    for (size_t i = b->own; i < b->count; i++) {
        add_composed(b, b->nodes[i].id, (uint32_t)i);
        add_composed(b, get_transform_id(b, &b->nodes[i]), (uint32_t)i);
    }
}

static uint32_t resolve_composed(struct scene_build *b, int64_t id)
{
    if (b->count == b->own)
        return SCENE_NONE;
    if (!b->composed)
        index_composed(b);
    size_t slot = (size_t)scene_build_hash_id(id) & (b->composed_slots - 1);
    for (; b->composed[slot]; slot = (slot + 1) & (b->composed_slots - 1)) {
        uint32_t node = b->composed[slot] - 1;
        if (b->nodes[node].id == id || get_transform_id(b, &b->nodes[node]) == id)
            return node;
    }
    return SCENE_NONE;
}

static uint32_t resolve_stand_in(const struct scene_build *b, const struct scene_raw *raw)
{
    if (raw->node == SCENE_NONE || b->instances[raw->node].base == SCENE_NONE)
        return SCENE_NONE;
    struct scene_place place = {0};
    scene_where(b->scene->more->links[raw->node].source, raw->father, &place);
    return b->instances[raw->node].base + place.node; /* unknown object: the root */
}

uint32_t scene_build_resolve(struct scene_build *b, int64_t id)
{
    if (id == 0)
        return SCENE_NONE;
    uint32_t doc = scene_build_doc(b, id);
    if (doc == SCENE_NONE)
        return resolve_composed(b, id);
    const struct yaml_doc *d = &b->scene->file.docs[doc];
    if (d->stripped)
        return resolve_stand_in(b, &b->raws[doc]);
    if (d->class_id == SCENE_GAME_OBJECT || scene_is_transform(d->class_id))
        return b->raws[doc].node;
    return SCENE_NONE;
}
