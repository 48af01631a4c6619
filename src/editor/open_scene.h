/* The open scene of the headless editor: its text, its model, its history, its file.
 *
 *     struct open_scene *s = open_scene_new(&(struct open_scene_options){.project = project,
 *                                                                        .scenes = scenes,
 *                                                                        .sink = sink});
 *     open_scene_load(s, STR("Assets/Scenes/Main.unity"), false, &err);
 *     const struct scene *scene = open_scene_get(s, &err);   // reloads a changed file first
 *     struct open_scene_step step = {STR("manage_component: add"), STR("manage_component")};
 *     open_scene_apply(s, &edit, step, &err);
 *     open_scene_undo(s, &step, &err);
 *
 * An edit is applied as a whole (new text, new model, and with auto save the file) or not at all.
 * Each edit is one undo group; undo and redo are byte-exact. The history holds 1,000 groups or
 * 64 MiB.
 *
 *   clean ---apply (manual)---> dirty ---save---> clean            auto: apply saves at once
 *   clean, file changed on disk: reloaded, the history is dropped, the sink gets a message
 *   dirty, file changed on disk: ERR_CONFLICT from apply and save until the scene is loaded again
 *   changed between open_scene_get() and apply: ERR_CONFLICT, nothing is written; a retry works
 *
 * Dirty means that the text differs from the file: undoing everything that was not saved makes it
 * clean. A change of the file is detected by its stamp (place, size, times), and by its bytes
 * where the stamp is too recent to be reliable.
 *
 * A file with a line that does not parse (an unfinished merge, a text that was cut off) is shown as
 * far as it can be read. The sink gets its position, and apply is ERR_SCENE_UNREADABLE.
 *
 * While Unity has the project open (project_is_locked), apply, undo, redo and save are
 * ERR_PROJECT_LOCKED. A save is file_replace() in the scene's own folder, inside the project (else
 * ERR_OUTSIDE_PROJECT) but not in its package cache (ERR_PACKAGE_READ_ONLY). After ERR_IO the old
 * file and the open scene are unchanged, unless err->was_executed: then the new file exists, and
 * will be reloaded like one that was changed on disk. The sink gets a message for undo, redo, saves
 * and reloads; tools report their edits themselves.
 */
#pragma once

#include "editor/editor_error.h"
#include "unity/scene.h"
#include "unity/yaml_edit.h"

struct open_scene;

struct open_scene_options {
    const struct project *project;
    struct scenes *scenes;
    struct assets *assets; /* NULL: only scenes below the project's folder are found */
    bool save_manual;
    const struct diagnostic_sink *sink;
};

struct open_scene_step {
    struct str name; /* "manage_component: add"; owned by the open scene */
    struct str tool; /* "manage_component" */
};

struct open_scene *open_scene_new(const struct open_scene_options *options);
void open_scene_free(struct open_scene *s);

/* Open the scene at path. discard: drop unsaved changes; without it they are ERR_UNSAVED_CHANGES,
 * and nothing is done. */
bool open_scene_load(struct open_scene *s, struct str path, bool discard, struct editor_error *err);

/* Return the model of the current file, or of the unsaved text. Return NULL if no scene is open or
 * the file has become unreadable. Valid until the next call of an open_scene function. */
const struct scene *open_scene_get(struct open_scene *s, struct editor_error *err);
struct str open_scene_path(const struct open_scene *s); /* empty: none is open */
bool open_scene_is_dirty(const struct open_scene *s);

/* Return whether an edit would be accepted now; if not, err has the reason. */
bool open_scene_may_change(struct open_scene *s, struct editor_error *err);

/* Apply an edit of the text of open_scene_get(). Takes the edit: it is empty afterwards, also on
 * failure. An edit that changes nothing makes no step. */
bool open_scene_apply(struct open_scene *s, struct yaml_edit *edit, struct open_scene_step step,
                      struct editor_error *err);
/* Return false with an empty err->code if there was nothing to undo. */
bool open_scene_undo(struct open_scene *s, struct open_scene_step *undone,
                     struct editor_error *err);
bool open_scene_redo(struct open_scene *s, struct open_scene_step *redone,
                     struct editor_error *err);
size_t open_scene_undo_count(const struct open_scene *s);
size_t open_scene_redo_count(const struct open_scene *s);

/* Save. *bytes: the size of the file; 0 if there was nothing to save. */
bool open_scene_save(struct open_scene *s, size_t *bytes, struct editor_error *err);

/* Return the number of edits applied so far; return the name of the newest step not undone. */
uint64_t open_scene_edits(const struct open_scene *s);
struct str open_scene_last(const struct open_scene *s);

/* Return whether the model is being rebuilt for an edit. Diagnostics from that time repeat those of
 * the load. */
bool open_scene_is_changing(const struct open_scene *s);

/* Return a number that grows with each load of a file: diagnostics of an earlier one are stale. */
uint64_t open_scene_generation(const struct open_scene *s);

/* Return a number that grows whenever the content may have changed: edits, undo, redo, another
 * scene, open_scene_touch(). */
uint64_t open_scene_changes(const struct open_scene *s);

/* Return whether a prefab that the scene uses has changed since the model was made. */
bool open_scene_is_stale(const struct open_scene *s);

/* Count a change on disk of a file that the scene uses. The reload by the next open_scene_get()
 * does not count again. */
void open_scene_touch(struct open_scene *s);
/* The same for the scene's own file, unless it has the content that was read or written last, or
 * there are unsaved changes, which stay visible. */
void open_scene_touch_file(struct open_scene *s);
