/* The open scene of the headless editor: its text, its model, its history, its file.
 *
 *     struct open_scene *s = open_scene_new(&(struct open_scene_options){...});
 *     open_scene_load(s, STR("Assets/Scenes/Main.unity"), false, &err);
 *     const struct scene *scene = open_scene_get(s, &err);      // fresh: looks at the file first
 *     open_scene_apply(s, &edit, STR("manage_component: add"), &err);
 *     open_scene_undo(s, &step, &err);
 *
 * An edit is applied as a whole: new text, new model, and with auto save the file, or nothing. Each
 * is one undo group; undo and redo are byte-exact. The history holds 1,000 groups or 64 MiB.
 *
 *   clean ---apply (manual)---> dirty ---save---> clean            auto: apply saves at once
 *   clean, file changed outside: read again; the history is dropped, a note says so
 *   dirty, file changed outside: ERR_CONFLICT from apply and save until open_scene decides
 *   changed between open_scene_get() and apply: ERR_CONFLICT, nothing is written; asked again it works
 *
 * Dirty means that the text is not that of the file: undoing all that was not saved is clean again.
 * Whether the file changed is told by its stamp (place, size, times), and by its bytes where the
 * stamp is too young to tell.
 *
 * A file with a line that fits nowhere (a merge that was not finished, a text that was cut) is
 * shown as far as it can be read; the sink hears where it is damaged, apply is
 * ERR_SCENE_UNREADABLE.
 *
 * While Unity has the project open (project_is_locked) apply, undo, redo and save are
 * ERR_PROJECT_LOCKED. A save is file_replace() in the scene's own folder, inside the project
 * (ERR_OUTSIDE_PROJECT else) but not in its package cache (ERR_PACKAGE_READ_ONLY); after ERR_IO the
 * old file is as it was and so is the open scene, unless err->was_executed: the new file is there, and
 * will be read again as if changed outside. The sink hears of undo, redo and saves, and of a scene
 * that was read again; of edits their tools speak.
 */
#pragma once

#include "editor/editor_error.h"
#include "unity/scene.h"
#include "unity/yaml_edit.h"

struct open_scene;

struct open_scene_options {
    const struct project *project;
    struct scenes *scenes;
    struct assets *assets; /* NULL: scenes are looked for below the project's folder only */
    bool save_manual;
    const struct diagnostic_sink *sink;
};

struct open_scene_step {
    struct str name; /* "manage_component: add": owned by the open scene */
    struct str tool; /* "manage_component" */
};

struct open_scene *open_scene_new(const struct open_scene_options *options);
void open_scene_free(struct open_scene *s);

/* discard: unsaved changes are dropped; else they are ERR_UNSAVED_CHANGES and nothing is done. */
bool open_scene_load(struct open_scene *s, struct str path, bool discard, struct editor_error *err);

/* The model as the file is now (unless there are unsaved changes). NULL: no scene is open, or it
 * has become unreadable. Valid until the next call of an open_scene function. */
const struct scene *open_scene_get(struct open_scene *s, struct editor_error *err);
struct str open_scene_path(const struct open_scene *s); /* empty: none is open */
bool open_scene_is_dirty(const struct open_scene *s);

/* Whether an edit would be taken as things are; err says why not. */
bool open_scene_may_change(struct open_scene *s, struct editor_error *err);

/* Takes the edit over (it is empty afterwards, also on failure). It speaks of the text of
 * open_scene_get(). An edit that changes nothing is no step. */
bool open_scene_apply(struct open_scene *s, struct yaml_edit *edit, struct open_scene_step step,
                      struct editor_error *err);
/* False with an err whose code is empty: there was nothing to undo. */
bool open_scene_undo(struct open_scene *s, struct open_scene_step *undone,
                     struct editor_error *err);
bool open_scene_redo(struct open_scene *s, struct open_scene_step *redone,
                     struct editor_error *err);
size_t open_scene_undo_count(const struct open_scene *s);
size_t open_scene_redo_count(const struct open_scene *s);

/* *bytes: of the file; 0 and true: there was nothing to save. */
bool open_scene_save(struct open_scene *s, size_t *bytes, struct editor_error *err);

/* Counts the edits that were applied; the name of the newest step that is not undone. */
uint64_t open_scene_edits(const struct open_scene *s);
struct str open_scene_last(const struct open_scene *s);

/* The model is made anew for an edit: what the engine notes meanwhile was said when the scene was
 * opened. */
bool open_scene_is_changing(const struct open_scene *s);

/* Counts up whenever a scene was read from its file: what was said of the one before is old. */
uint64_t open_scene_generation(const struct open_scene *s);

/* Counts up whenever what the scene shows may have become something else: edits, undo, redo,
 * another scene, and what open_scene_touch() tells. */
uint64_t open_scene_changes(const struct open_scene *s);

/* Whether a prefab that it uses has changed since it was made. */
bool open_scene_is_stale(const struct open_scene *s);

/* A file that the scene is made of was changed outside: counted now, and not again when the next
 * open_scene_get() reads it. */
void open_scene_touch(struct open_scene *s);
/* The same for a change of the scene's own file, unless that is what was read or written last, or
 * there are unsaved changes, which stay what is shown. */
void open_scene_touch_file(struct open_scene *s);
