/* A scene or prefab as Unity shows it: GameObjects in their order, prefab instances expanded.
 *
 *     struct scenes *all = scenes_new(&project, assets, &sink);
 *     struct scene *s = scenes_open(all, STR("Assets/Scenes/Main.unity"), &err);
 *     for (uint32_t n = s->first_root; n != SCENE_NONE; n = s->nodes[n].next) ...
 *     uint32_t player = scene_find(s, STR("/Player/Model"));
 *     scenes_close(s);
 *
 * One model for both: every object has an id in the id space of this file. Objects that are stored
 * here have their document's id; an object inside a prefab instance has the id of its stripped
 * stand-in if there is one, else (instance id XOR id in the source) without the sign bit.
 * References inside a body, as scene_body() gives it, are in this id space, whatever file they came
 * from. An object of which nothing but its name is known (inside a model) has the id 0.
 *
 * Sources of instances are opened once and shared (read only); they form a DAG: a prefab that
 * contains itself is a note and an instance without content. A source that is a model (.fbx ...) is
 * shown by what its .meta tells; one that is absent as a single object with the name the overrides
 * give it, else "Missing Prefab"; one that can be no source (a material) as one with its name.
 *
 * The model is immutable. A changed scene is a new text and a new model: scenes_load().
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
    int32_t class_id;           /* 0: the entry points to nothing */
    struct reference script;    /* of a MonoBehaviour */
    const struct yaml_doc *doc; /* its document in this file; NULL: it lives in an instance */
    uint32_t instance;          /* of this file, that it comes from; SCENE_NONE: stored here */
    uint32_t source;            /* index among the components of the instance's source */
};

struct scene_node {
    int64_t id; /* of the GameObject */
    struct str name;
    bool active;                        /* activeSelf */
    bool is_instance_root;              /* of an instance of this file or of one nested in it */
    uint32_t parent, first_child, next; /* SCENE_NONE: none */
    uint32_t child_count;
    uint32_t total;  /* GameObjects in this subtree, itself included */
    uint32_t repeat; /* 0: the first sibling of its name; else the number its path has */
    uint32_t component_first, component_count; /* in the inspector's order; the Transform first */
    const struct yaml_doc *doc; /* its GameObject's document in this file, stripped ones not; NULL:
                                   it lives in an instance */
    uint32_t instance;          /* of this file; SCENE_NONE: stored here */
    uint32_t source;            /* index among the nodes of the instance's source */
};

struct scene_instance {
    int64_t id; /* of the PrefabInstance document */
    const struct yaml_doc *doc;
    struct guid guid;           /* of the source asset */
    struct str source_path;     /* "Assets/Prefabs/A.prefab"; empty: absent */
    const struct scene *source; /* NULL: absent, or a model */
    bool is_broken;             /* its source is not there, not readable, or can be no source: what
                                   is shown of it is a guess, and no id of it can be trusted */
    uint32_t root;              /* its node; SCENE_NONE: it has no content */
};

struct scene {
    struct str path; /* asset path */
    struct yaml_file file;
    struct scene_node *nodes; /* parents before children */
    size_t node_count;
    struct scene_component *components;
    size_t component_count;
    struct scene_instance *instances;
    size_t instance_count;
    uint32_t first_root;
    uint32_t root_count;
    bool is_prefab;
    uint64_t stamp; /* of the file as it was read: its time, size and number; 0: from a text */
    /* private */
    struct scenes *owner;
    struct scene_more *more;
};

struct scenes *scenes_new(const struct project *project, struct assets *assets,
                          const struct diagnostic_sink *sink);
void scenes_free(struct scenes *all); /* after every scene of it is closed */

/* From the file. ERR_IO if it is not there, ERR_SYNTAX "path:line:column: ..." if it is broken. */
struct scene *scenes_open(struct scenes *all, struct str path, struct error *err);
/* From a text that is taken over (*text is empty afterwards, also on failure). */
struct scene *scenes_load(struct scenes *all, struct str path, struct buf *text, struct error *err);
void scenes_close(struct scene *s); /* NULL is fine */

/* Files that changed on disk: sources that were read before are read again when next needed.
 * Scenes that are open keep the sources they have. */
void scenes_forget(struct scenes *all, struct str path); /* empty: all */
/* Whether a source of s (however deep) was forgotten since s was opened: open it anew. */
bool scenes_is_stale(const struct scene *s);

/* Every object has one path that scene_put_path() writes and scene_find() finds it by again:
 * "/Canvas/Panel"; the second of that name is "/Canvas/Panel[1]". Numbers count up and skip one
 * that a sibling is called: beside a "Panel[1]" the second Panel is "Panel[2]". A "/" in a name is
 * "\/" (and a "\" before one, before another or at the end "\\"); an empty name is nothing between
 * two slashes. Names are valid UTF-8: what is not is U+FFFD in them.
 * Also found: a path without the first slash, from the roots or, if that leads nowhere, everywhere
 * among what is active, as GameObject.Find() does; [0] for the first; a slash at the end where
 * nothing below has an empty name. */
uint32_t scene_find(const struct scene *s, struct str path);
void scene_put_path(const struct scene *s, uint32_t node, struct buf *out);
/* How far a path leads from the roots: the last object on it that is there (SCENE_NONE: none), and
 * the name that is not below it. */
uint32_t scene_follow(const struct scene *s, struct str path, struct buf *missing);

/* The object with this id. */
struct scene_place {
    uint32_t node;
    uint32_t component; /* index on that node; SCENE_NONE: the GameObject itself */
};
bool scene_where(const struct scene *s, int64_t id, struct scene_place *out);

static inline const struct scene_component *scene_component(const struct scene *s, uint32_t node,
                                                            uint32_t index)
{
    return &s->components[s->nodes[node].component_first + index];
}

/* The effective fields of a component: of one stored here its document; of one inside an instance
 * the source's body with local references in this file's id space and all overrides applied, in
 * order, from the innermost instance outwards. Texts live in a. component SCENE_NONE: the
 * GameObject. Of a model's object, or one of a source that is not there, nobody has the body: it is
 * what its class starts with in the project's version (if that is known, else nothing), and the
 * overrides. YAML_NONE: an entry that points to nothing. */
struct yaml_value scene_body(const struct scene *s, uint32_t node, uint32_t component,
                             struct arena *a);
/* Whether it is such a body: only what is overridden is sure. */
bool scene_is_partial(const struct scene *s, uint32_t node, uint32_t component);

/* What stands above its body: "Rigidbody". Empty: nothing does. */
struct str scene_class_name(const struct scene *s, uint32_t node, uint32_t component);

/* What an override of this file that targets the object names as its target: the object in the
 * source asset of the outermost instance; its id is 0 if it is not known, and of all that is in a
 * broken instance. False: it is stored in this file. */
bool scene_target(const struct scene *s, struct scene_place at, struct reference *out);

/* Prefab path to show: the asset of the nearest instance root that this node is. Empty: it is
 * none. */
struct str scene_prefab_path(const struct scene *s, uint32_t node);
