#include "editor/open_scene.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"
#include "unity/project.h"

#define HISTORY_MAX       1000u
#define HISTORY_MAX_BYTES (64u << 20)
#define RACY_NS           1000000000LL /* some file systems store whole seconds */

struct file_stamp { /* of a file when it was read or written */
    dev_t dev;
    ino_t ino;
    off_t size;
    struct timespec changed, status;
    bool sure; /* old enough: a later write has another stamp */
};

struct edit_group {
    struct yaml_edit forward, back;
    char *name, *tool;
    size_t bytes;
};

struct open_scene {
    struct open_scene_options options;
    char *path;          /* NULL: none is open */
    struct scene *scene; /* NULL: it could not be reloaded */
    struct file_stamp stamp;
    bool damaged; /* the file has a line that does not parse: damage */
    struct yaml_error damage;
    uint64_t generation, edits, changes;
    bool changing;
    bool touched;              /* a change on disk is counted but not loaded yet */
    struct edit_group *groups; /* oldest first; those from `at` on were undone */
    size_t count, cap, at;
    size_t bytes;
    size_t saved;     /* position in the history where text and file are equal */
    struct buf clean; /* the text of the file while there are unsaved changes */
};

#define NEVER SIZE_MAX

struct open_scene *open_scene_new(const struct open_scene_options *options)
{
    struct open_scene *s = mem_zalloc(sizeof *s);
    s->options = *options;
    s->clean = buf_make(YAML_MAX_BYTES);
    return s;
}

/* ---- history */

static void free_group(struct edit_group *g)
{
    yaml_edit_done(&g->forward);
    yaml_edit_done(&g->back);
    free(g->name);
    free(g->tool);
    *g = (struct edit_group){0};
}

/* Drop groups[from..to). */
static void drop_groups(struct open_scene *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        s->bytes -= s->groups[i].bytes;
        free_group(&s->groups[i]);
    }
    memmove(s->groups + from, s->groups + to, (s->count - to) * sizeof *s->groups);
    s->count -= to - from;
}

static void forget_history(struct open_scene *s)
{
    if (s->count)
        drop_groups(s, 0, s->count);
    s->at = s->saved = 0;
    buf_done(&s->clean);
}

static void push_group(struct open_scene *s, struct edit_group *g)
{
    if (s->count > s->at)
        drop_groups(s, s->at, s->count);
    if (s->saved != NEVER && s->saved > s->at)
        s->saved = NEVER; /* redo cannot reach the saved state any more */
    mem_grow((void **)&s->groups, &s->cap, s->count + 1, sizeof *s->groups);
    g->bytes = yaml_edit_size(&g->forward) + yaml_edit_size(&g->back);
    s->bytes += g->bytes;
    s->groups[s->count++] = *g;
    s->at = s->count;
    size_t excess = 0;
    for (size_t bytes = s->bytes; s->count - excess > HISTORY_MAX || bytes > HISTORY_MAX_BYTES;)
        bytes -= s->groups[excess++].bytes;
    if (!excess)
        return;
    drop_groups(s, 0, excess);
    s->at -= excess;
    if (s->saved != NEVER)
        s->saved = s->saved < excess ? NEVER : s->saved - excess;
}

/* ---- the file */

static struct file_stamp stamp_of(const struct stat *st)
{
    struct file_stamp t = {st->st_dev, st->st_ino, st->st_size, st->st_mtim, st->st_ctim, false};
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    long long age = (long long)(now.tv_sec - st->st_ctim.tv_sec) * 1000000000LL +
                    (now.tv_nsec - st->st_ctim.tv_nsec);
    t.sure = age > RACY_NS;
    return t;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same_stamp(const struct file_stamp *a, const struct file_stamp *b)
{
    return a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
           same_time(a->changed, b->changed) && same_time(a->status, b->status);
}

static bool is_plain_path(struct str path)
{
    struct str part;
    bool more = path.n > 0 && path.p[0] != '/' && !memchr(path.p, 0, path.n);
    if (!more)
        return false;
    do {
        more = str_cut(&path, '/', &part);
        if (str_eq(part, STR("..")) || str_eq(part, STR(".")) || !part.n)
            return false;
    } while (more);
    return true;
}

/* Find the file of an asset, which may be in a package elsewhere, else a path below the project. */
static bool find_file(const struct open_scene *s, struct str path, struct buf *absolute)
{
    if (!is_plain_path(path))
        return false;
    if (s->options.assets && assets_file(s->options.assets, path, absolute))
        return true;
    buf_clear(absolute);
    return buf_printf(absolute, "%s/%.*s", s->options.project->root, STR_ARG(path));
}

static struct str text_of_file(const struct open_scene *s)
{
    return s->clean.n ? buf_str(&s->clean) : s->scene->file.text;
}

/* Return whether the file still has the content that was read or written last. */
static bool file_is_known(struct open_scene *s)
{
    struct buf absolute = {0}, text = buf_make(YAML_MAX_BYTES);
    struct stat st;
    bool known = false;
    if (!find_file(s, str_from(s->path), &absolute) || stat(absolute.p, &st) != 0)
        goto done;
    struct file_stamp now = stamp_of(&st);
    known = same_stamp(&now, &s->stamp);
    if (known && s->stamp.sure)
        goto done;
    /* The times are equal but too recent to be sure, or they differ but maybe only by a touch. */
    known = (size_t)st.st_size == text_of_file(s).n &&
            file_read(absolute.p, YAML_MAX_BYTES, &text, NULL) &&
            str_eq(buf_str(&text), text_of_file(s));
    if (known)
        s->stamp = now;
done:
    buf_done(&absolute);
    buf_done(&text);
    return known;
}

static struct scene *read_scene(struct open_scene *s, struct str path, struct file_stamp *stamp,
                                struct editor_error *err)
{
    struct buf absolute = {0}, text = buf_make(YAML_MAX_BYTES);
    struct scene *scene = NULL;
    struct error reason = {0};
    struct stat st;
    if (!find_file(s, path, &absolute)) {
        editor_error_set(err, "ERR_SCENE_NOT_FOUND", "%.*s is not a path inside the project",
                         STR_ARG(path));
    } else if (stat(absolute.p, &st) != 0 || !S_ISREG(st.st_mode)) {
        editor_error_set(err, "ERR_SCENE_NOT_FOUND", "there is no scene at %.*s", STR_ARG(path));
    } else if (!file_read(absolute.p, YAML_MAX_BYTES, &text, &reason) ||
               !(scene = scenes_load(s->options.scenes, path, &text, &reason))) {
        editor_error_set(err, "ERR_SCENE_UNREADABLE", "%s", reason.text);
    } else {
        *stamp = stamp_of(&st); /* from before the read, so that a change during it is noticed */
    }
    buf_done(&absolute);
    buf_done(&text);
    return scene;
}

/* ---- opening */

/* A file damaged by a merge or a cut is shown as far as it can be read, but not changed: the edit
 * would be based on an incomplete model. */
static void check_scene(struct open_scene *s)
{
    size_t keys;
    s->damaged = s->scene && !yaml_check(&s->scene->file, &keys, &s->damage);
    if (s->damaged)
        diagnostic_report(
            s->options.sink,
            &(struct diagnostic){.level = DIAGNOSTIC_ERROR,
                                 .kind = DIAGNOSTIC_UNREADABLE,
                                 .file = str_from(s->path),
                                 .line = s->damage.line,
                                 .column = s->damage.column},
            "%s: the scene is damaged: it is shown as far as it can be read, and cannot be changed",
            s->damage.text);
}

static void replace_scene(struct open_scene *s, struct str path, struct scene *scene,
                          struct file_stamp stamp)
{
    char *copy = str_dup(path);
    forget_history(s);
    scenes_close(s->scene);
    free(s->path);
    s->path = copy;
    s->scene = scene;
    s->stamp = stamp;
    s->generation++;
    s->touched = false;
    check_scene(s);
}

void open_scene_free(struct open_scene *s)
{
    if (!s)
        return;
    forget_history(s);
    scenes_close(s->scene);
    free(s->groups);
    free(s->path);
    free(s);
}

bool open_scene_load(struct open_scene *s, struct str path, bool discard, struct editor_error *err)
{
    struct file_stamp stamp;
    if (open_scene_is_dirty(s) && !discard)
        return editor_error_set(err, "ERR_UNSAVED_CHANGES",
                                "%s has unsaved changes: save_scene first, or open_scene with "
                                "discard_changes",
                                s->path);
    struct scene *scene = read_scene(s, path, &stamp, err);
    if (!scene)
        return false;
    replace_scene(s, path, scene, stamp);
    s->changes++;
    return true;
}

static bool refuse_without_scene(struct editor_error *err)
{
    return editor_error_set(err, "ERR_NO_SCENE", "no scene is open: open one with open_scene");
}

/* Rebuild the model from the same text after a change of a prefab. */
static void reload_scene(struct open_scene *s)
{
    struct buf text = buf_make(YAML_MAX_BYTES);
    buf_add(&text, s->scene->file.text);
    struct scene *scene = scenes_load(s->options.scenes, str_from(s->path), &text, NULL);
    buf_done(&text);
    if (!scene)
        return;
    scenes_close(s->scene);
    s->scene = scene;
}

const struct scene *open_scene_get(struct open_scene *s, struct editor_error *err)
{
    struct file_stamp stamp;
    if (!s->path) {
        refuse_without_scene(err);
        return NULL;
    }
    if (s->scene && (open_scene_is_dirty(s) || file_is_known(s))) {
        if (scenes_is_stale(s->scene))
            reload_scene(s);
        s->touched = false;
        return s->scene;
    }
    bool was_open = s->scene != NULL;
    struct str path = str_from(s->path);
    struct scene *scene = read_scene(s, path, &stamp, err);
    if (was_open)
        diagnostic_report(s->options.sink,
                          &(struct diagnostic){.level = DIAGNOSTIC_INFO, .file = path},
                          scene ? "the scene changed on disk: reloaded, undo history cleared"
                                : "the scene changed on disk and cannot be read any more");
    if (!was_open && !scene)
        return NULL; /* still unreadable */
    if (!s->touched)
        s->changes++;
    replace_scene(s, path, scene, scene ? stamp : (struct file_stamp){0});
    return scene;
}

struct str open_scene_path(const struct open_scene *s)
{
    return str_from(s->path);
}

bool open_scene_is_dirty(const struct open_scene *s)
{
    return s->scene && s->at != s->saved;
}

/* ---- changing */

static bool may_write(struct open_scene *s, struct buf *absolute, struct editor_error *err)
{
    struct buf place = {0};
    if (!s->scene)
        return refuse_without_scene(err);
    if (project_is_locked(s->options.project))
        return editor_error_set(
            err, "ERR_PROJECT_LOCKED",
            "Unity has the project open: change the scene there, or close Unity");
    bool inside = find_file(s, str_from(s->path), &place) &&
                  project_contains(s->options.project, buf_str(&place), absolute);
    buf_done(&place);
    if (!inside)
        return editor_error_set(err, "ERR_OUTSIDE_PROJECT",
                                "%s is outside the project's folder and cannot be written: copy "
                                "the scene to Assets and change the copy",
                                s->path);
    if (project_is_cached(s->options.project, str_from(s->path), buf_str(absolute)))
        return editor_error_set(
            err, "ERR_PACKAGE_READ_ONLY",
            "%s belongs to a package in Unity's cache, where changes are lost: copy the package "
            "from Library/PackageCache to Packages, or the scene to Assets, and change the copy",
            s->path);
    if (!file_is_known(s))
        return editor_error_set(err, "ERR_CONFLICT",
                                open_scene_is_dirty(s)
                                    ? "%s changed on disk while it had unsaved changes: reload it "
                                      "by open_scene with discard_changes"
                                    : "%s changed on disk: read it again, then retry",
                                s->path);
    return true;
}

static bool file_has_text(const char *path, struct str text)
{
    struct buf now = buf_make(YAML_MAX_BYTES);
    bool same = file_read(path, YAML_MAX_BYTES, &now, NULL) && str_eq(buf_str(&now), text);
    buf_done(&now);
    return same;
}

static bool write_file(struct open_scene *s, const struct buf *absolute, struct str text,
                       struct editor_error *err)
{
    struct error reason = {0};
    struct stat st;
    if (!file_replace(absolute->p, text, 0644, &reason)) {
        /* If only the sync of the folder failed, the new file is there. */
        err->was_executed = file_has_text(absolute->p, text);
        return editor_error_set(err, "ERR_IO", "%s", reason.text);
    }
    if (stat(absolute->p, &st) == 0)
        s->stamp = stamp_of(&st);
    return true;
}

static struct scene *load_changed(struct open_scene *s, struct buf *text, struct error *err)
{
    s->changing = true;
    struct scene *scene = scenes_load(s->options.scenes, str_from(s->path), text, err);
    s->changing = false;
    return scene;
}

static bool is_damaged(const struct open_scene *s, struct editor_error *err)
{
    if (s->damaged)
        editor_error_set(err, "ERR_SCENE_UNREADABLE",
                         "%s:%u:%u: %s: the scene is damaged: repair it before you change it",
                         s->path, s->damage.line, s->damage.column, s->damage.text);
    return s->damaged;
}

bool open_scene_may_change(struct open_scene *s, struct editor_error *err)
{
    struct buf absolute = {0};
    bool ok = may_write(s, &absolute, err) && !is_damaged(s, err);
    buf_done(&absolute);
    return ok;
}

/* Apply an edit as a whole: new text, new model, new file. *changed: the text has changed. */
static bool apply_edit(struct open_scene *s, const struct yaml_edit *edit, bool *changed,
                       struct editor_error *err)
{
    struct buf absolute = {0}, text = buf_make(YAML_MAX_BYTES);
    struct error reason = {0};
    struct scene *scene = NULL;
    bool ok = false;
    if (!may_write(s, &absolute, err) || is_damaged(s, err))
        goto done;
    yaml_edit_apply(edit, s->scene->file.text, &text);
    *changed = !str_eq(buf_str(&text), s->scene->file.text);
    if (text.overflow)
        editor_error_set(err, "ERR_LIMIT", "%s would become too large", s->path);
    else if (!*changed)
        ok = true;
    else if (!(scene = load_changed(s, &text, &reason)))
        editor_error_set(err, "ERR_EDIT_FAILED", "the changed scene could not be read: %s",
                         reason.text);
    else
        ok = s->options.save_manual || write_file(s, &absolute, scene->file.text, err);
    if (ok && scene) {
        if (s->options.save_manual && !s->clean.n)
            buf_add(&s->clean, s->scene->file.text);
        scenes_close(s->scene);
        s->scene = scene;
        s->changes++;
    } else {
        scenes_close(scene);
    }
done:
    buf_done(&absolute);
    buf_done(&text);
    return ok;
}

/* Call after each step in the history. */
static void update_saved(struct open_scene *s)
{
    if (!s->options.save_manual)
        s->saved = s->at;
    if (s->at == s->saved)
        buf_done(&s->clean);
}

static void log_step(const struct open_scene *s, const char *what, const struct edit_group *g)
{
    diagnostic_report(s->options.sink,
                      &(struct diagnostic){.level = DIAGNOSTIC_INFO, .file = str_from(s->path)},
                      "%s%s%s", what, g->name, s->options.save_manual ? " (not saved)" : "");
}

bool open_scene_apply(struct open_scene *s, struct yaml_edit *edit, struct open_scene_step step,
                      struct editor_error *err)
{
    struct edit_group g = {0};
    bool changed = false;
    bool ok = s->scene != NULL || refuse_without_scene(err);
    if (ok && edit->count) {
        g.back = yaml_edit_invert(edit, s->scene->file.text);
        ok = apply_edit(s, edit, &changed, err);
    }
    if (!changed || !ok) {
        yaml_edit_done(&g.back);
        yaml_edit_done(edit);
        *edit = (struct yaml_edit){0};
        return ok;
    }
    g.forward = *edit;
    *edit = (struct yaml_edit){0};
    g.name = str_dup(step.name);
    g.tool = str_dup(step.tool);
    s->edits++;
    push_group(s, &g);
    update_saved(s);
    return true;
}

bool open_scene_undo(struct open_scene *s, struct open_scene_step *undone, struct editor_error *err)
{
    bool changed;
    if (!s->at) {
        err->code = "";
        return false;
    }
    struct edit_group *g = &s->groups[s->at - 1];
    if (!apply_edit(s, &g->back, &changed, err))
        return false;
    s->at--;
    update_saved(s);
    log_step(s, "undo ", g);
    *undone = (struct open_scene_step){str_from(g->name), str_from(g->tool)};
    return true;
}

bool open_scene_redo(struct open_scene *s, struct open_scene_step *redone, struct editor_error *err)
{
    bool changed;
    if (s->at == s->count) {
        err->code = "";
        return false;
    }
    struct edit_group *g = &s->groups[s->at];
    if (!apply_edit(s, &g->forward, &changed, err))
        return false;
    s->at++;
    update_saved(s);
    log_step(s, "redo ", g);
    *redone = (struct open_scene_step){str_from(g->name), str_from(g->tool)};
    return true;
}

size_t open_scene_undo_count(const struct open_scene *s)
{
    return s->at;
}

size_t open_scene_redo_count(const struct open_scene *s)
{
    return s->count - s->at;
}

bool open_scene_save(struct open_scene *s, size_t *bytes, struct editor_error *err)
{
    struct buf absolute = {0};
    if (!s->path)
        return refuse_without_scene(err);
    if (!open_scene_is_dirty(s)) {
        *bytes = 0;
        return true;
    }
    bool ok = may_write(s, &absolute, err) && write_file(s, &absolute, s->scene->file.text, err);
    if (ok) {
        *bytes = s->scene->file.text.n;
        s->saved = s->at;
        buf_done(&s->clean);
        diagnostic_report(s->options.sink,
                          &(struct diagnostic){.level = DIAGNOSTIC_INFO, .file = str_from(s->path)},
                          "saved");
    }
    buf_done(&absolute);
    return ok;
}

struct str open_scene_last(const struct open_scene *s)
{
    return s->at ? str_from(s->groups[s->at - 1].name) : (struct str){0};
}

uint64_t open_scene_edits(const struct open_scene *s)
{
    return s->edits;
}

bool open_scene_is_changing(const struct open_scene *s)
{
    return s->changing;
}

uint64_t open_scene_generation(const struct open_scene *s)
{
    return s->generation;
}

uint64_t open_scene_changes(const struct open_scene *s)
{
    return s->changes;
}

bool open_scene_is_stale(const struct open_scene *s)
{
    return s->scene && scenes_is_stale(s->scene);
}

void open_scene_touch(struct open_scene *s)
{
    s->touched = true;
    s->changes++;
}

void open_scene_touch_file(struct open_scene *s)
{
    if (s->path && (!s->scene || (!open_scene_is_dirty(s) && !file_is_known(s))))
        open_scene_touch(s);
}
