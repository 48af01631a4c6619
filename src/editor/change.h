/* Edits of a scene's components as patches of its text: what Unity would write for them.
 *
 *     struct change c;
 *     change_init(&c, scene, db, project, arena);
 *     c.err = err;
 *     if (change_is_possible(&c, at)) {
 *         struct assign a = {.scene = scene, .db = db, .arena = arena,
 *                            .version = c.version, .err = err};
 *         if (assign_fields(&a, class, body, fields))
 *             change_set(&c, at, class, &a);
 *         assign_done(&a);
 *         change_finish(&c);
 *         open_scene_apply(open, &c.edit, step, err);
 *     }
 *     change_done(&c);
 *
 * The functions only collect patches against the current text; open_scene_apply applies all of
 * them at once. Objects that are stored in the file are edited in their documents. An object inside
 * a prefab instance is changed by overrides (m_Modifications), m_AddedComponents and
 * m_RemovedComponents of the instance; where the file has to refer to such an object, it gets a
 * stripped stand-in.
 */
#pragma once

#include "editor/assign.h"
#include "unity/yaml_edit.h"

struct change_list; /* new entries for one list of the text */
struct change_doc;  /* a new document */
struct change_stand_in;

struct change {
    const struct scene *scene;
    struct types *types;
    struct arena *arena;
    struct yaml_style style;
    struct version version;   /* the form of new documents */
    struct editor_error *err; /* set by the caller after change_init() */
    struct yaml_edit edit;    /* after change_finish() */
    size_t cleared;           /* references to removed objects */
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

/* Return whether this object can be edited, or get a component (at.component SCENE_NONE); if not,
 * err has the reason. Call it before each of the functions below. */
bool change_is_possible(struct change *c, struct scene_place at);

/* Set fields of an existing component. */
void change_set(struct change *c, struct scene_place at, const struct type_class *class,
                struct assign *a);

/* Return whether the file can hold the index of a component that is added to that GameObject. An
 * instance of an editor before 2022.2 cannot: its added components come last. */
bool change_instance_has_places(const struct change *c, uint32_t node);

/* A new component: a document that is not in the scene yet. */
struct change_fresh {
    struct yaml_file file; /* the document alone; change_fresh_done() */
    struct buf text;
    const struct type_class *class;
};
bool change_fresh(struct change *c, const struct type_class *class, struct change_fresh *out);
void change_fresh_done(struct change_fresh *f);
/* Add it. index: its place on the GameObject; SCENE_NONE: the end. a: from assign_fields() on the
 * body of the fresh document; NULL: initial values. */
void change_add(struct change *c, uint32_t node, uint32_t index, struct change_fresh *fresh,
                struct assign *a);

/* Turn the Transform of a GameObject into a RectTransform, with its place, id and fields. Only
 * possible for a Transform that is stored in the file and is not a RectTransform already. */
bool change_can_make_rect(const struct change *c, uint32_t node);
void change_make_rect(struct change *c, uint32_t node);

void change_remove(struct change *c, struct scene_place at);
/* Return false if the GameObject belongs to an instance, whose components keep their order. */
bool change_move(struct change *c, uint32_t node, uint32_t from, uint32_t to);
