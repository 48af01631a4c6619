/* How a scene is made out of its file: what scene*.c, scenes.c, prefab.c and model.c share. Not for
 * others.
 *
 *   scene_read()      what the documents say: GameObjects, Transforms, stand-ins, instances
 *                     (then scenes.c finds the source of every instance: further files)
 *   prefab_clone()    the nodes of each source, with the ids and values they have here
 *   scene_order()     who is whose child, in which order
 *   scene_lay_out()   the arrays of struct scene, parents before children
 *
 * Until then there are build nodes in any order: those of this file, then those of each instance in
 * the order of its source, so that node i of the source is node base + i here.
 */
#pragma once

#include "unity/scene.h"

#define SCENE_MAX_NODES      (1u << 20)
#define SCENE_MAX_COMPONENTS (1u << 22)
#define SCENES_MAX_NODES     (1u << 23) /* of all that are open, sources included */

enum scene_class {
    SCENE_GAME_OBJECT = 1,
    SCENE_TRANSFORM = 4,
    SCENE_MONO_BEHAVIOUR = 114,
    SCENE_RECT_TRANSFORM = 224,
    SCENE_PREFAB_INSTANCE = 1001,
    SCENE_ROOTS = 1660057539
};

static inline bool scene_is_transform(int32_t class_id)
{
    return class_id == SCENE_TRANSFORM || class_id == SCENE_RECT_TRANSFORM;
}

/* The id that an object of an instance has if it has no stand-in; 0 (not known) stays so. */
static inline int64_t scene_compose(int64_t instance, int64_t id)
{
    return id ? (instance ^ id) & INT64_MAX : 0;
}

uint64_t scene_build_hash_id(int64_t id); /* other people choose the ids: seeded */

/* A stripped document, and what it stands for. */
struct scene_stand_in {
    int64_t source; /* id of the object in the source */
    int64_t id;     /* of the stand-in */
    uint32_t doc;
    uint32_t instance;
};

struct scene_override {
    int64_t target;
    uint32_t at, n; /* the entry of m_Modifications, as a span of the text */
    uint32_t indent;
    enum yaml_kind kind;
};

/* The private part of an instance. */
struct scene_link {
    struct scene *cached; /* what the asset's file gave; NULL: the asset is not known */
    struct scene *source; /* what is shown: the same, or what is guessed of an asset that tells too
                             little; NULL: nothing. Both are references */
    struct reference asset;
    struct yaml_value modifications;        /* m_Modifications */
    const struct scene_stand_in *stand_ins; /* by source id: a part of more->stand_ins */
    size_t stand_in_count;
    struct scene_override *overrides; /* by target, then order; made when first needed */
    size_t override_count;
    bool is_indexed;
};

struct scene_more {
    size_t refs;
    struct buf text;
    struct arena arena; /* path, decoded names */
    struct scene_link *links;
    struct scene_stand_in *stand_ins; /* by instance, then source id, then order */
    size_t stand_in_count;
    uint32_t *places; /* of ids, open addressing: twice the index of a node, or of a component plus
                         one, and one more; made when first needed */
    size_t place_slots;
    bool is_complete;  /* as a source: its nodes are all there are; false: a model, or unreadable */
    bool is_model;     /* as a source: an asset that can be one, of which the .meta tells a part */
    bool is_forgotten; /* as a source: the file has changed since */
    size_t counted;    /* nodes that count for SCENES_MAX_NODES */
    struct scene *next_dead;
};

/* What one document says. */
struct scene_raw {
    int64_t owner;  /* m_GameObject; of a stand-in: m_PrefabInstance */
    int64_t father; /* of a Transform; of a stand-in: the object in the source */
    union {
        struct reference script;
        struct yaml_value list; /* m_Children of a Transform, m_Component of a GameObject */
    } u;
    uint32_t node;      /* of a GameObject or Transform; of a stand-in or PrefabInstance: the
                           instance */
    int32_t root_order; /* of a Transform */
    bool claimed;       /* of a component: it has its place */
};

enum scene_change_kind {
    SCENE_CHANGE_ID,      /* component `what` of the source has the id of a stand-in */
    SCENE_CHANGE_REMOVED, /* component `what` of the source is not there */
    SCENE_CHANGE_ADDED    /* document `what` of this file, at place `index`; negative: behind all */
};

/* What an instance changes about the components of one of its nodes. */
struct scene_change {
    enum scene_change_kind kind;
    uint32_t what, next;
    int32_t index;
    int64_t id;
};

struct scene_build_node {
    int64_t id;
    struct str name;
    bool active, is_instance_root;
    bool removed;
    bool placed;                /* among its siblings */
    uint32_t object, transform; /* documents; SCENE_NONE: none in this file */
    uint32_t instance, source;
    uint32_t parent, first_child, last_child, next;
    uint32_t changes;     /* the latest; SCENE_NONE: none */
    int32_t root_order;   /* among its siblings, where nothing else says it */
    int32_t insert_index; /* of an added object; negative: behind all */
    uint32_t added;       /* its number among the added ones; SCENE_NONE: it is not listed */
    uint32_t at;          /* index in scene->nodes; SCENE_NONE: not there */
};

/* What m_Modification lists. */
struct scene_build_instance {
    int64_t parent; /* m_TransformParent */
    struct yaml_value removed_components, removed_objects, added_components, added_objects;
    uint32_t base; /* its first node; SCENE_NONE: it has none */
};

struct scene_build {
    struct scene *scene;
    struct scenes *all;
    struct scene_raw *raws; /* one for each document */
    struct scene_build_instance *instances;
    size_t instance_cap;
    struct scene_build_node *nodes;
    size_t count, cap;
    size_t own; /* nodes of this file; behind them those of the instances */
    struct scene_change *changes;
    size_t change_count, change_cap;
    uint32_t first_root, last_root;
    struct yaml_value roots; /* of SceneRoots */
    uint32_t added_count;
    uint32_t *composed; /* ids of nodes of instances to nodes; made when first needed */
    size_t composed_slots;
    unsigned notes;
};

/* scene_build.c */
void scene_build_done(struct scene_build *b);
uint32_t scene_build_node(struct scene_build *b); /* a new one, SCENE_NONE everywhere */
void scene_build_change(struct scene_build *b, uint32_t node, struct scene_change change);
void scene_build_report(struct scene_build *b, uint32_t doc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4))); /* a broken reference; the first few of them */
/* The node that an id of this file means, its GameObject's or its Transform's. An object of an
 * instance that its source does not know is the instance's root. */
uint32_t scene_build_resolve(struct scene_build *b, int64_t id);
/* The document with this id; SCENE_NONE: there is none. */
uint32_t scene_build_doc(const struct scene_build *b, int64_t id);

void scene_read(struct scene_build *b);    /* scene_read.c */
void scene_order(struct scene_build *b);   /* scene_order.c */
void scene_lay_out(struct scene_build *b); /* scene_lay_out.c */

/* scenes.c */
struct scene *scenes_make(struct scenes *all, struct str path); /* empty, with one reference */
void scenes_unref(struct scene *s);                             /* NULL is fine */
bool scenes_have_room(const struct scenes *all, size_t nodes);
void scenes_limit(struct scenes *all, size_t nodes);     /* instead of SCENES_MAX_NODES */
struct version scenes_version(const struct scenes *all); /* of the project */
void scenes_report(const struct scenes *all, const struct diagnostic *about, const char *text);

/* scene.c: the id in this file of an object in the source of an instance. */
int64_t scene_map_id(const struct scene *s, uint32_t instance, int64_t source_id);
