#include "tooling/tooling_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_edit.h"
#include "base/jsonw.h"
#include "base/mem.h"
#include "base/watch_file.h"
#include "tooling/tooling_names.h"

/* Identifies a version of the file. A file that changed a moment ago may change again with the same
 * stamp, because clocks of file systems are coarse. */
struct tooling_stamp {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec written, changed;
    bool is_settled;
};

struct tooling_snapshot {
    bool exists;
    bool is_unread; /* it exists, but could not be read */
    struct tooling_stamp stamp;
    struct buf text;
};

struct tooling_file {
    char *path, *good_path;
    struct tooling *current;
    bool is_default;
    struct error error;           /* ERR_NONE: the file is valid */
    struct tooling_snapshot seen; /* the newest one, valid or not */
    struct buf good;              /* the text of `current`; empty for the default */
    struct watch_file *watch;
    struct timer first_look;
    loop_fn *changed;
    void *ctx;
};

#define SETTLED_SEC 2 /* no common file system has a coarser clock */
#define MAX_LOOKS   5 /* reads of a file that changes meanwhile */

/* ---- reading */

static bool is_same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same_stamp(const struct tooling_stamp *a, const struct tooling_stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           is_same_time(a->written, b->written) && is_same_time(a->changed, b->changed);
}

/* Return false if the file is missing. Other problems show when it is read. */
static bool read_stamp(const char *path, struct tooling_stamp *stamp)
{
    struct stat st;
    struct timespec now;
    *stamp = (struct tooling_stamp){0};
    if (stat(path, &st) < 0)
        return errno != ENOENT;
    clock_gettime(CLOCK_REALTIME, &now);
    stamp->device = st.st_dev;
    stamp->inode = st.st_ino;
    stamp->size = st.st_size;
    stamp->written = st.st_mtim;
    stamp->changed = st.st_ctim;
    stamp->is_settled = st.st_ctim.tv_sec + SETTLED_SEC < now.tv_sec;
    return true;
}

static bool read_snapshot(const struct tooling_file *f, struct tooling_snapshot *look,
                          struct error *err)
{
    struct tooling_stamp after;
    bool ok = true;
    *look = (struct tooling_snapshot){0};
    for (int i = 0; i < MAX_LOOKS; i++) {
        look->exists = read_stamp(f->path, &look->stamp);
        buf_clear(&look->text);
        if (!look->exists)
            return true;
        ok = file_read(f->path, DOC_MAX_BYTES, &look->text, err);
        if (read_stamp(f->path, &after) && is_same_stamp(&look->stamp, &after))
            break;
    }
    look->is_unread = !ok;
    return ok;
}

static void free_snapshot(struct tooling_snapshot *look)
{
    buf_done(&look->text);
    *look = (struct tooling_snapshot){0};
}

static enum doc_format file_format(const struct tooling_file *f)
{
    struct str path = str_from(f->path);
    return str_ends(path, STR(".yaml")) || str_ends(path, STR(".yml")) ? DOC_YAML : DOC_JSON;
}

static struct tooling *parse_text(const struct tooling_file *f, struct str text, const char *name,
                                  struct error *err)
{
    struct doc doc = {0};
    struct tooling *t = NULL;
    if (doc_read(&doc, text, &(struct doc_source){name, file_format(f)}, err))
        t = tooling_read(&doc, STR(""), err);
    doc_done(&doc);
    return t;
}

/* ---- the last valid one */

/* Keep a copy for when the file becomes invalid. Ignore errors: it is only a copy. */
static void keep_good(const struct tooling_file *f)
{
    struct buf old = {0};
    bool is_kept = file_read(f->good_path, DOC_MAX_BYTES, &old, NULL) &&
                   str_eq(buf_str(&old), buf_str(&f->good));
    if (!is_kept && file_replace(f->good_path, buf_str(&f->good), 0600, NULL))
        chmod(f->good_path, 0600); /* a replaced file keeps its old mode */
    buf_done(&old);
}

static void set_current(struct tooling_file *f, struct tooling *t, struct str text)
{
    tooling_unref(f->current);
    f->current = t;
    buf_clear(&f->good);
    buf_add(&f->good, text);
}

static void set_seen(struct tooling_file *f, struct tooling_snapshot *look)
{
    buf_done(&f->seen.text);
    f->seen = *look;
    *look = (struct tooling_snapshot){0};
}

static void adopt_snapshot(struct tooling_file *f, struct tooling *t, struct tooling_snapshot *look)
{
    set_seen(f, look);
    set_current(f, t, buf_str(&f->seen.text));
    f->is_default = false;
    f->error = (struct error){0};
    keep_good(f);
}

static void use_default(struct tooling_file *f, struct tooling_snapshot *look)
{
    set_seen(f, look);
    set_current(f, tooling_default(), (struct str){0});
    f->is_default = true;
    f->error = (struct error){0};
}

/* Opening an invalid file: use the last valid one. */
static bool use_last_good(struct tooling_file *f, const struct error *error)
{
    struct buf text = {0};
    struct tooling *t = NULL;
    if (file_read(f->good_path, DOC_MAX_BYTES, &text, NULL))
        t = parse_text(f, buf_str(&text), f->good_path, NULL);
    if (t) {
        set_current(f, t, buf_str(&text));
        error_set(&f->error, error->code, "%s; the last valid one is in use: %s", error->text,
                  f->good_path);
    }
    buf_done(&text);
    return t != NULL;
}

/* ---- open, close */

bool tooling_file_own(struct buf *out, struct error *err)
{
    return tooling_home(out, false, err) && buf_add(out, STR("/config/tooling.json"));
}

static char *make_own_path(struct error *err)
{
    struct buf path = {0};
    char *made = tooling_file_own(&path, err) ? str_dup(buf_str(&path)) : NULL;
    buf_done(&path);
    return made;
}

static bool load_file(struct tooling_file *f, struct error *err)
{
    struct tooling_snapshot look;
    struct error error = {0};
    struct tooling *t = NULL;
    bool ok = read_snapshot(f, &look, &error);
    if (ok && !look.exists) {
        use_default(f, &look);
        return true;
    }
    if (ok)
        t = parse_text(f, buf_str(&look.text), f->path, &error);
    if (t) {
        adopt_snapshot(f, t, &look);
        return true;
    }
    set_seen(f, &look);
    return use_last_good(f, &error) || error_set(err, error.code, "%s", error.text);
}

static struct tooling_file *new_file(const char *path, struct error *err)
{
    char *own = path ? str_dup(str_from(path)) : make_own_path(err);
    if (!own)
        return NULL;
    struct tooling_file *f = mem_zalloc(sizeof *f);
    struct buf good = {0};
    buf_printf(&good, "%s.last-good", own);
    f->path = own;
    f->good_path = str_dup(buf_str(&good));
    buf_done(&good);
    return f;
}

struct tooling_file *tooling_file_open(const char *path, struct error *err)
{
    struct tooling_file *f = new_file(path, err);
    if (!f || load_file(f, err))
        return f;
    tooling_file_close(f);
    return NULL;
}

void tooling_file_close(struct tooling_file *f)
{
    if (!f)
        return;
    watch_file_stop(f->watch);
    timer_stop(&f->first_look);
    tooling_unref(f->current);
    free_snapshot(&f->seen);
    buf_done(&f->good);
    free(f->path);
    free(f->good_path);
    free(f);
}

const char *tooling_file_path(const struct tooling_file *f)
{
    return f->path;
}

bool tooling_file_is_default(const struct tooling_file *f)
{
    return f->is_default;
}

struct tooling *tooling_file_current(struct tooling_file *f)
{
    return f->current;
}

const struct error *tooling_file_error(const struct tooling_file *f)
{
    return f->error.code == ERR_NONE ? NULL : &f->error;
}

struct str tooling_file_text(const struct tooling_file *f)
{
    if (f->seen.is_unread)
        return (struct str){0};
    return f->seen.exists ? str_make(f->seen.text.n ? f->seen.text.p : "", f->seen.text.n)
                          : tooling_default_text();
}

/* ---- reload, watch */

struct tooling_update {
    bool configuration, error;
};

static struct tooling_update set_error(struct tooling_file *f, const struct error *error)
{
    bool is_new = f->error.code != error->code || strcmp(f->error.text, error->text) != 0;
    f->error = *error;
    return (struct tooling_update){.error = is_new};
}

static struct tooling_update adopt_text(struct tooling_file *f, struct tooling_snapshot *look)
{
    struct error error = {0};
    struct tooling *t = parse_text(f, buf_str(&look->text), f->path, &error);
    if (!t) {
        set_seen(f, look);
        return set_error(f, &error);
    }
    /* The text is again that of `current`: keep it, so that its users need not change. */
    if (!f->is_default && str_eq(buf_str(&look->text), buf_str(&f->good))) {
        tooling_unref(t);
        set_seen(f, look);
        return set_error(f, &(struct error){0});
    }
    adopt_snapshot(f, t, look);
    return (struct tooling_update){.configuration = true};
}

static struct tooling_update refresh_file(struct tooling_file *f)
{
    struct tooling_snapshot look = {0};
    struct tooling_stamp now;
    struct error error = {0};
    struct tooling_update update = {0};
    bool exists = read_stamp(f->path, &now);
    if (exists && f->seen.exists && f->seen.stamp.is_settled && is_same_stamp(&now, &f->seen.stamp))
        return update;
    if (!read_snapshot(f, &look, &error)) {
        set_seen(f, &look);
        return set_error(f, &error);
    }
    if (!look.exists && !f->is_default) {
        use_default(f, &look);
        update.configuration = true;
    } else if (look.exists && (!f->seen.exists || f->seen.is_unread ||
                               !str_eq(buf_str(&look.text), buf_str(&f->seen.text)))) {
        update = adopt_text(f, &look);
    } else {
        set_seen(f, &look);
    }
    free_snapshot(&look);
    return update;
}

bool tooling_file_reload(struct tooling_file *f)
{
    return refresh_file(f).configuration;
}

static void on_change(void *ctx)
{
    struct tooling_file *f = ctx;
    struct tooling_update update = refresh_file(f);
    if (update.configuration || update.error)
        f->changed(f->ctx); /* may close the file */
}

void tooling_file_watch(struct tooling_file *f, struct loop *loop, loop_fn *changed, void *ctx)
{
    watch_file_stop(f->watch);
    f->changed = changed;
    f->ctx = ctx;
    f->watch = watch_file_start(loop, f->path, on_change, f);
    timer_start(&f->first_look, loop, 0, on_change, f); /* changes between opening and watching */
}

#define LOCK_WAIT_MS 10000
#define LOCK_STEP_MS 10

/* ---- one writer at a time */

/* Lock beside the real file, not beside a link to it, so that all writers meet. */
static void lock_path(const char *path, struct buf *out)
{
    char real[PATH_MAX];
    buf_printf(out, "%s.lock", realpath(path, real) ? real : path);
}

/* Return the locked descriptor, or -1 and *err. The lock file stays: deleting it would let two
 * writers in. */
static int lock_file(const struct tooling_file *f, struct error *err)
{
    struct buf path = {0};
    char text[128];
    lock_path(f->path, &path);
    int fd = open(path.p, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), code = errno;
    bool ok = fd >= 0;
    for (int waited = 0; ok && flock(fd, LOCK_EX | LOCK_NB) < 0; waited += LOCK_STEP_MS) {
        struct timespec step = {.tv_nsec = LOCK_STEP_MS * 1000000L};
        code = errno;
        ok = (code == EWOULDBLOCK || code == EINTR) && waited < LOCK_WAIT_MS;
        if (ok)
            nanosleep(&step, NULL);
    }
    if (!ok && code == EWOULDBLOCK)
        error_set(err, ERR_IN_USE, "%s is being changed by another process", f->path);
    else if (!ok)
        error_set(err, ERR_IO, "cannot lock %s: %s", path.p, strerror_r(code, text, sizeof text));
    buf_done(&path);
    if (ok)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* ---- checked writes */

static bool make_parent_folder(const struct tooling_file *f, struct error *err)
{
    const char *slash = strrchr(f->path, '/');
    if (!slash || slash == f->path)
        return true;
    char *folder = str_dup(str_make(f->path, (size_t)(slash - f->path)));
    bool ok = tooling_home_make(folder, err);
    free(folder);
    return ok;
}

/* What a new text was made from: the newest text read, a given one, or any. */
struct text_origin {
    bool is_any;
    bool exists;
    struct str text;
};

static bool is_as_seen(const struct tooling_snapshot *now, const struct text_origin *text_origin)
{
    return text_origin->is_any ||
           (now->exists == text_origin->exists && str_eq(buf_str(&now->text), text_origin->text));
}

/* Called with the lock held. */
static bool write_locked(struct tooling_file *f, struct str text,
                         const struct text_origin *text_origin, struct error *err)
{
    struct tooling_snapshot now;
    struct tooling *t = NULL;
    bool ok = read_snapshot(f, &now, err);
    if (ok && !is_as_seen(&now, text_origin))
        ok = error_set(err, ERR_CONFLICT, "%s was changed by someone else: reload it", f->path);
    free_snapshot(&now);
    if (ok)
        t = parse_text(f, text, f->path, err);
    if (!t || !file_replace(f->path, text, 0600, err)) {
        tooling_unref(t);
        return false;
    }
    /* Another process may have replaced it already: use what we wrote, and the next reload finds
     * the rest. */
    now.exists = true;
    buf_add(&now.text, text);
    adopt_snapshot(f, t, &now);
    return true;
}

static bool write_text(struct tooling_file *f, struct str text,
                       const struct text_origin *text_origin, struct error *err)
{
    int fd = make_parent_folder(f, err) ? lock_file(f, err) : -1;
    if (fd < 0)
        return false;
    bool ok = write_locked(f, text, text_origin, err);
    close(fd); /* releases the lock */
    return ok;
}

bool tooling_file_replace(struct tooling_file *f, struct str text, struct str seen,
                          struct error *err)
{
    struct text_origin text_origin = {.is_any = !seen.p, .exists = true, .text = seen};
    struct tooling *t = parse_text(f, text, f->path, err); /* before any file is created */
    if (!t)
        return false;
    tooling_unref(t);
    if (!file_exists(f->path) && (seen.n == 0 || str_eq(seen, tooling_default_text())))
        text_origin = (struct text_origin){.is_any = !seen.p};
    return write_text(f, text, &text_origin, err);
}

bool tooling_file_repair(const char *path, struct str text, struct str seen, struct error *err)
{
    struct tooling_file *f = new_file(path, err);
    bool ok = f && tooling_file_replace(f, text, seen, err);
    tooling_file_close(f);
    return ok;
}

/* ---- single members */

/* Start with the newest text read; for a missing file, with the default's. */
static bool begin_edit(const struct tooling_file *f, struct buf *text, struct error *err)
{
    if (str_ends(str_from(f->path), STR(".yaml")) || str_ends(str_from(f->path), STR(".yml")))
        return error_set(err, ERR_INVALID_PARAMS, "%s is YAML: change it in an editor", f->path);
    if (f->seen.is_unread)
        return error_set(err, f->error.code, "%s", f->error.text);
    buf_add(text, f->seen.exists ? buf_str(&f->seen.text) : tooling_default_text());
    return true;
}

static bool set_member(const struct tooling_file *f, struct buf *text, const char *pointer,
                       struct str json, struct error *err)
{
    struct buf out = {0};
    if (!json_edit_set(&out, buf_str(text), str_from(pointer), json)) {
        assert(f->error.code); /* a valid file is an object, and so is its force */
        return error_set(err, f->error.code, "%s", f->error.text);
    }
    buf_done(text);
    *text = out;
    return true;
}

static bool set_text_member(const struct tooling_file *f, struct buf *text, const char *pointer,
                            struct str value, struct error *err)
{
    struct buf json = {0};
    struct jsonw w = jsonw_make(&json);
    jsonw_str(&w, value);
    bool ok = set_member(f, text, pointer, buf_str(&json), err);
    buf_done(&json);
    return ok;
}

static bool finish_edit(struct tooling_file *f, struct str text, struct error *err)
{
    struct text_origin text_origin = {.exists = f->seen.exists, .text = buf_str(&f->seen.text)};
    return write_text(f, text, &text_origin, err);
}

static bool fail_unknown(const char *what, struct str given, members_name_fn *name, const void *ctx,
                         struct error *err)
{
    struct buf text = {0};
    members_say_unknown(&text, what, given, name, ctx);
    error_set(err, ERR_INVALID_PARAMS, "%.*s", STR_ARG(buf_str(&text)));
    buf_done(&text);
    return false;
}

/* Parse the text; NULL: it is invalid, which the change may repair. */
static struct tooling *parse_edit(const struct tooling_file *f, const struct buf *text)
{
    return parse_text(f, buf_str(text), f->path, NULL);
}

bool tooling_file_set_profile(struct tooling_file *f, struct str id, struct error *err)
{
    struct buf text = {0};
    struct str old;
    bool ok = begin_edit(f, &text, err);
    struct tooling *t = ok ? parse_edit(f, &text) : NULL;
    if (t && !tooling_profile(t, id))
        ok = fail_unknown("profile", id, tooling_names_profile, t, err);
    tooling_unref(t);
    bool is_snake = ok && json_edit_find(buf_str(&text), STR("/active_profile"), &old);
    ok = ok &&
         set_text_member(f, &text, is_snake ? "/active_profile" : "/activeProfile", id, err) &&
         finish_edit(f, buf_str(&text), err);
    buf_done(&text);
    return ok;
}

/* Check the request; *drops_model: the existing model belongs to another agent. */
static bool check_force(const struct tooling *t, const struct tooling_file_force *force,
                        bool *drops_model, struct error *err)
{
    enum agent_kind tool = agent_kind_find(force->tool), old = t ? t->force.tool : AGENT_NONE;
    struct buf names = {0};
    if (force->tool.n && tool == AGENT_NONE)
        return fail_unknown("tool", force->tool, tooling_names_tool, NULL, err);
    if (t && force->enabled && tool == AGENT_NONE && old == AGENT_NONE) {
        members_put_names(&names, tooling_names_tool, NULL);
        error_set(err, ERR_INVALID_PARAMS, "force needs a tool; allowed: %.*s",
                  STR_ARG(buf_str(&names)));
        buf_done(&names);
        return false;
    }
    *drops_model = t && t->force.model.n && !force->model.n && tool != AGENT_NONE && tool != old;
    return true;
}

bool tooling_file_set_force(struct tooling_file *f, const struct tooling_file_force *force,
                            struct error *err)
{
    struct buf text = {0};
    bool drops_model = false;
    bool ok = begin_edit(f, &text, err);
    struct tooling *t = ok ? parse_edit(f, &text) : NULL;
    ok = ok && check_force(t, force, &drops_model, err);
    tooling_unref(t);
    ok = ok &&
         set_member(f, &text, "/force/enabled", force->enabled ? STR("true") : STR("false"), err);
    if (ok && force->tool.n)
        ok = set_text_member(f, &text, "/force/tool", force->tool, err);
    if (ok && (force->model.n || drops_model))
        ok = set_text_member(f, &text, "/force/model", force->model, err);
    ok = ok && finish_edit(f, buf_str(&text), err);
    buf_done(&text);
    return ok;
}
