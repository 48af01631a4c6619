/* A scene or prefab as Unity shows it: GameObjects in their order, with prefab instances expanded.
 *
 *     struct error err;
 *     struct scenes *scenes = scenes_new(&project, assets, &sink);
 *     struct scene *scene = scenes_open(scenes, STR("Assets/Scenes/Main.unity"), &err);
 *     for (uint32_t n = scene->first_root; n != SCENE_NONE; n = scene->nodes[n].next)
 *         printf("%.*s\n", STR_ARG(scene->nodes[n].name));
 *     uint32_t player = scene_find(scene, STR("/Player/Model"));
 *     scenes_close(scene);
 *     scenes_free(scenes);
 *
 * Every object has an id in the id space of this file: a stored object has the id of its document;
 * an object in a prefab instance has the id of its stripped stand-in, or without one (instance id
 * XOR id in the source) without the sign bit. References in a body from scene_body() use this id
 * space too, whatever file they come from. An object of which only the name is known (in a model)
 * has the id 0.
 *
 * Sources of instances are opened once, shared and read-only. They form a DAG: a prefab that
 * contains itself is reported and has no content. A model (.fbx ...) has the objects that its .meta
 * describes. A missing source is one object with the name from the overrides, or "Missing Prefab".
 * A source that cannot be instantiated (a material) is one object with its name.
 *
 * A scene is immutable. To change it, change its text and load that as a new scene: scenes_load().
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "unity/assets.h"
#include "unity/yaml.h"

#define SCENE_NONE UINT32_MAX

struct scene;
struct scenes;

struct scene_component {
    int64_t id;
    int32_t class_id;           /* 0: the entry has no object */
    struct reference script;    /* of a MonoBehaviour */
    const struct yaml_doc *doc; /* in this file; NULL: it is in an instance */
    uint32_t instance;          /* of this file; SCENE_NONE: stored here */
    uint32_t source;            /* index in the components of the instance's source */
};

struct scene_node {
    int64_t id; /* of the GameObject */
    struct str name;
    bool active;                        /* activeSelf */
    bool is_instance_root;              /* root of an instance in this file or in a nested one */
    uint32_t parent, first_child, next; /* SCENE_NONE: none */
    uint32_t child_count;
    uint32_t total;  /* GameObjects in this subtree, including this one */
    uint32_t repeat; /* 0: the first sibling with its name; else the index in its path */
    uint32_t component_first, component_count; /* in the inspector's order, the Transform first */
    const struct yaml_doc *doc; /* document of the GameObject in this file, unless stripped; NULL:
                                   it is in an instance */
    uint32_t instance;          /* of this file; SCENE_NONE: stored here */
    uint32_t source;            /* index in the nodes of the instance's source */
};

struct scene_instance {
    int64_t id; /* of the PrefabInstance document */
    const struct yaml_doc *doc;
    struct guid guid;           /* of the source asset */
    struct str source_path;     /* "Assets/Prefabs/A.prefab"; empty: missing */
    const struct scene *source; /* NULL: missing, or a model */
    bool is_broken;             /* the source is missing, unreadable or cannot be instantiated: the
                                   content is a guess, and its ids are not reliable */
    uint32_t root;              /* its node; SCENE_NONE: no content */
};

struct scene {
    struct str path; /* asset path */
    struct yaml_file file;
    struct scene_node *nodes; /* parents precede children */
    size_t node_count;
    struct scene_component *components;
    size_t component_count;
    struct scene_instance *instances;
    size_t instance_count;
    uint32_t first_root;
    uint32_t root_count;
    bool is_prefab;
    uint64_t stamp; /* identity of the file (time, size, inode) when it was read; 0: loaded from a
                       text */
    /* private */
    struct scenes *owner;
    struct scene_more *more;
};

struct scenes *scenes_new(const struct project *project, struct assets *assets,
                          const struct diagnostic_sink *sink);
void scenes_free(struct scenes *all); /* close all scenes first */

/* Open a file. Fails with ERR_IO if it is missing, with ERR_SYNTAX "path:line:column: ..." if it is
 * broken. */
struct scene *scenes_open(struct scenes *all, struct str path, struct error *err);
/* Load a text and take it over: *text is empty afterwards, also on failure. */
struct scene *scenes_load(struct scenes *all, struct str path, struct buf *text, struct error *err);
void scenes_close(struct scene *s); /* accepts NULL */

/* Drop cached sources of a changed file; they are reloaded when needed. Open scenes keep their
 * sources. */
void scenes_forget(struct scenes *all, struct str path); /* empty: all */
/* Whether a direct or nested source was dropped after s was opened. If so, open the scene again. */
bool scenes_is_stale(const struct scene *s);

/* Every object has one path, which scene_put_path() writes and scene_find() finds: "/Canvas/Panel",
 * and "/Canvas/Panel[1]" for the second sibling with this name. The index skips names of siblings:
 * next to a "Panel[1]", the second Panel is "Panel[2]". A "/" in a name is written as "\/", and a
 * "\" before it, before another "\" or at the end as "\\". An empty name is nothing between two
 * slashes. Invalid UTF-8 in names becomes U+FFFD.
 *
 * scene_find() also accepts a path without the first slash (searched from the roots, then among all
 * active objects, as GameObject.Find() does), the index [0], and a trailing slash unless an object
 * below has an empty name. */
uint32_t scene_find(const struct scene *s, struct str path);
void scene_put_path(const struct scene *s, uint32_t node, struct buf *out);
/* Follow a path from the roots and return the last object found (SCENE_NONE: none). *missing is the
 * first name that was not found, or empty. */
uint32_t scene_follow(const struct scene *s, struct str path, struct buf *missing);

/* The place of an object. */
struct scene_place {
    uint32_t node;
    uint32_t component; /* index on that node; SCENE_NONE: the GameObject */
};
bool scene_where(const struct scene *s, int64_t id, struct scene_place *out);

static inline const struct scene_component *scene_component(const struct scene *s, uint32_t node,
                                                            uint32_t index)
{
    return &s->components[s->nodes[node].component_first + index];
}

/* Return the effective properties of a component, or of the GameObject if component is SCENE_NONE.
 * For a stored object this is its document. For an object in an instance it is the body in the
 * source, with local references in the ids of this file and with all overrides applied from the
 * innermost instance outwards. An object of a model or of a missing source has the defaults of its
 * class in the project's version, if known, with the overrides. YAML_NONE: an entry without an
 * object. Texts are in a. */
struct yaml_value scene_body(const struct scene *s, uint32_t node, uint32_t component,
                             struct arena *a);
/* Whether the body is based on defaults, so that only the overrides are certain. */
bool scene_is_partial(const struct scene *s, uint32_t node, uint32_t component);

/* Return the name above the body, "Rigidbody"; empty: none. */
struct str scene_class_name(const struct scene *s, uint32_t node, uint32_t component);

/* Get the target that an override in this file has for this object: the object in the source asset
 * of the outermost instance. The id is 0 if it is unknown or the instance is broken. Return false
 * for an object that is stored in this file. */
bool scene_target(const struct scene *s, struct scene_place at, struct reference *out);

/* Return the asset path of the nearest instance with this node as its root; empty: none. */
struct str scene_prefab_path(const struct scene *s, uint32_t node);
