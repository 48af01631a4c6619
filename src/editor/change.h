/* Edits of a scene's components as patches of its text: what Unity would write for them.
 *
 *     struct change c;
 *     change_init(&c, scene, project, arena, err);
 *     struct assign a = ...; assign_fields(&a, class, body, fields);
 *     change_set(&c, node, index, class, &a);
 *     change_finish(&c);
 *     open_scene_apply(open, &c.edit, step, err);
 *     change_done(&c);
 *
 * Nothing is changed here: all of it is collected against the text as it is, and applied as one.
 * Objects that are stored in the file are edited in their documents. An object inside a prefab
 * instance is changed by overrides (m_Modifications), m_AddedComponents and m_RemovedComponents of
 * the instance; stripped stand-ins are made where the file has to name such an object.
 */
#pragma once

#include "editor/assign.h"
#include "unity/yaml_edit.h"

struct change_list; /* entries to come into one list of the text */
struct change_doc;  /* a document to come */
struct change_stand_in;

struct change {
    const struct scene *scene;
    struct types *types;
    struct arena *arena;
    struct yaml_style style;
    struct version version; /* whose form new documents have */
    struct editor_error *err;
    struct yaml_edit edit; /* after change_finish() */
    size_t cleared;        /* references to what was removed */
    /* private */
    struct change_list *lists;
    struct change_doc *docs;
    struct change_stand_in *stand_ins;
    int64_t last_id;
};

void change_init(struct change *c, const struct scene *scene, const struct asset_db *db,
                 const struct project *project, struct arena *arena);
void change_finish(struct change *c);
void change_done(struct change *c);

/* Whether this object can be edited, or get a component (at.component SCENE_NONE); err says why
 * not. To be asked before each of the functions below. */
bool change_is_possible(struct change *c, struct scene_place at);

/* Fields of a component that is there. */
void change_set(struct change *c, struct scene_place at, const struct type_class *class,
                struct assign *a);

/* Whether the file can say at which place a component comes that is added to that GameObject. An
 * instance of an editor before 2022.2 cannot: what is added to it is behind all. */
bool change_instance_has_places(const struct change *c, uint32_t node);

/* A new component. index: its place on the GameObject; SCENE_NONE: the end. Its fields come from
 * assign_fields() on the body of change_fresh(). */
struct change_fresh {
    struct yaml_file file; /* the document alone; change_fresh_done() */
    struct buf text;
    const struct type_class *class;
};
bool change_fresh(struct change *c, const struct type_class *class, struct change_fresh *out);
void change_fresh_done(struct change_fresh *f);
void change_add(struct change *c, uint32_t node, uint32_t index, struct change_fresh *fresh,
                struct assign *a);

/* The Transform of a GameObject becomes a RectTransform: in its place, under its id, with all it
 * had. Possible for one that is stored in the file, and is no RectTransform yet. */
bool change_can_make_rect(const struct change *c, uint32_t node);
void change_make_rect(struct change *c, uint32_t node);

void change_remove(struct change *c, struct scene_place at);
/* False: the GameObject belongs to an instance; its components keep their order. */
bool change_move(struct change *c, uint32_t node, uint32_t from, uint32_t to);
