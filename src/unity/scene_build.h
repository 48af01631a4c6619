/* The steps from a file to a scene. Private to scene*.c, scenes.c, prefab.c and scene_model.c.
 *
 *   scene_read()      reads the documents: GameObjects, Transforms, stand-ins, instances
 *                     (then scenes.c finds the sources of all instances, in other files)
 *   prefab_clone()    adds the nodes of each source, with the ids and values they have here
 *   scene_order()     sets parents and the order of siblings
 *   scene_lay_out()   makes the arrays of struct scene, parents before children
 *
 * Build nodes are unordered: first those of this file, then those of each instance in the order of
 * its source, so that node i of a source is node base + i here.
 */
#pragma once

#include "unity/scene.h"

#define SCENE_MAX_NODES      (1u << 20)
#define SCENE_MAX_COMPONENTS (1u << 22)
#define SCENES_MAX_NODES     (1u << 23) /* in all open scenes, including sources */

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

/* The id of an object in an instance without a stand-in; 0 (unknown) stays 0. */
static inline int64_t scene_compose(int64_t instance, int64_t id)
{
    return id ? (instance ^ id) & INT64_MAX : 0;
}

uint64_t scene_build_hash_id(int64_t id); /* seeded: ids come from outside */

/* A stripped document and its object. */
struct scene_stand_in {
    int64_t source; /* id of the object in the source */
    int64_t id;     /* of the stand-in */
    uint32_t doc;
    uint32_t instance;
};

struct scene_override {
    int64_t target;
    uint32_t at, n; /* span of an entry of m_Modifications */
    uint32_t indent;
    enum yaml_kind kind;
};

/* The private part of an instance. */
struct scene_link {
    struct scene *cached; /* scene of the asset's file; NULL: unknown asset */
    struct scene *source; /* the scene in use: cached, or a guess if cached is incomplete; NULL:
                             none. Both are references */
    struct reference asset;
    struct yaml_value modifications;        /* m_Modifications */
    const struct scene_stand_in *stand_ins; /* sorted by source id; part of more->stand_ins */
    size_t stand_in_count;
    struct scene_override *overrides; /* sorted by target, then by position; built on first use */
    size_t override_count;
    bool is_indexed;
};

struct scene_more {
    size_t refs;
    struct buf text;
    struct arena arena; /* path and decoded names */
    struct scene_link *links;
    struct scene_stand_in *stand_ins; /* sorted by instance, then source id, then position */
    size_t stand_in_count;
    uint32_t *places; /* ids with open addressing: 2 * node + 1, or 2 * component + 2; built on
                         first use */
    size_t place_slots;
    bool is_complete;  /* as a source: has all nodes; false: a model, or unreadable */
    bool is_model;     /* as a source: can be instantiated; the .meta describes a part of it */
    bool is_forgotten; /* as a source: dropped from the cache */
    size_t counted;    /* nodes counted for SCENES_MAX_NODES */
    struct scene *next_dead;
};

/* The content of a document. */
struct scene_raw {
    int64_t owner;  /* m_GameObject; of a stand-in: m_PrefabInstance */
    int64_t father; /* m_Father of a Transform; of a stand-in: the object in the source */
    union {
        struct reference script;
        struct yaml_value list; /* m_Children of a Transform, m_Component of a GameObject */
    } u;
    uint32_t node;      /* of a GameObject or Transform; of a stand-in or PrefabInstance: the
                           instance */
    int32_t root_order; /* of a Transform */
    bool claimed;       /* of a component: already placed */
};

enum scene_change_kind {
    SCENE_CHANGE_ID,      /* component `what` of the source has the id of a stand-in */
    SCENE_CHANGE_REMOVED, /* component `what` of the source is removed */
    SCENE_CHANGE_ADDED    /* document `what` of this file is added at `index`; negative: at the
                             end */
};

/* A change of the components of an instance's node. */
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
    bool placed;                /* in the list of siblings */
    uint32_t object, transform; /* documents; SCENE_NONE: none in this file */
    uint32_t instance, source;
    uint32_t parent, first_child, last_child, next;
    uint32_t changes;     /* the latest; SCENE_NONE: none */
    int32_t root_order;   /* order among siblings that no list contains */
    int32_t insert_index; /* of an added object; negative: at the end */
    uint32_t added;       /* index among the added objects; SCENE_NONE: not listed */
    uint32_t at;          /* index in scene->nodes; SCENE_NONE: not shown */
};

/* The content of m_Modification. */
struct scene_build_instance {
    int64_t parent; /* m_TransformParent */
    struct yaml_value removed_components, removed_objects, added_components, added_objects;
    uint32_t base; /* its first node; SCENE_NONE: none */
};

struct scene_build {
    struct scene *scene;
    struct scenes *all;
    struct scene_raw *raws; /* one per document */
    struct scene_build_instance *instances;
    size_t instance_cap;
    struct scene_build_node *nodes;
    size_t count, cap;
    size_t own; /* number of nodes of this file; those of instances follow */
    struct scene_change *changes;
    size_t change_count, change_cap;
    uint32_t first_root, last_root;
    struct yaml_value roots; /* of SceneRoots */
    uint32_t added_count;
    uint32_t *composed; /* ids of nodes in instances -> nodes; built on first use */
    size_t composed_slots;
    unsigned reports;
};

void scene_build_done(struct scene_build *b);
uint32_t scene_build_node(struct scene_build *b); /* a new node, with SCENE_NONE everywhere */
void scene_build_change(struct scene_build *b, uint32_t node, struct scene_change change);
void scene_build_report(struct scene_build *b, uint32_t doc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4))); /* reports a broken reference, at most a few per file */
/* Return the node of a GameObject or Transform with this id. An unknown object of an instance gives
 * the root of the instance. */
uint32_t scene_build_resolve(struct scene_build *b, int64_t id);
/* Return the document with this id, or SCENE_NONE. */
uint32_t scene_build_doc(const struct scene_build *b, int64_t id);

void scene_read(struct scene_build *b);    /* scene_read.c */
void scene_order(struct scene_build *b);   /* scene_order.c */
void scene_lay_out(struct scene_build *b); /* scene_lay_out.c */

/* scenes.c */
struct scene *scenes_make(struct scenes *all, struct str path); /* empty, with one reference */
void scenes_unref(struct scene *s);                             /* accepts NULL */
bool scenes_have_room(const struct scenes *all, size_t nodes);
void scenes_limit(struct scenes *all, size_t nodes);     /* replaces SCENES_MAX_NODES */
struct version scenes_version(const struct scenes *all); /* of the project */
void scenes_report(const struct scenes *all, const struct diagnostic *about, const char *text);

/* scene.c: return the id in this file of an object in an instance's source. */
int64_t scene_map_id(const struct scene *s, uint32_t instance, int64_t source_id);
