/* Changes of tooling.json: the text is edited in one place, checked, and replaced as a whole. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_edit.h"
#include "base/jsonw.h"
#include "tooling/tooling_file_core.h"
#include "tooling/tooling_names.h"

#define LOCK_WAIT_MS 10000
#define LOCK_STEP_MS 10

/* ---- one writer at a time */

/* Beside the file itself, not beside a link to it: so that all who write it meet. */
static void lock_path(const char *path, struct buf *out)
{
    char real[PATH_MAX];
    buf_printf(out, "%s.lock", realpath(path, real) ? real : path);
}

/* What locks; -1 and *err. The file stays: taking it away would let two in at once. */
static int lock(const struct tooling_file *f, struct error *err)
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

/* ---- look, check, write */

static bool make_folder(const struct tooling_file *f, struct error *err)
{
    const char *slash = strrchr(f->path, '/');
    if (!slash || slash == f->path)
        return true;
    char *folder = str_dup(str_make(f->path, (size_t)(slash - f->path)));
    bool ok = tooling_home_make(folder, err);
    free(folder);
    return ok;
}

/* What the text was made from: the newest that was read, a given one, or whatever is there. */
struct origin {
    bool is_any;
    bool exists;
    struct str text;
};

static bool is_as_seen(const struct tooling_look *now, const struct origin *origin)
{
    return origin->is_any ||
           (now->exists == origin->exists && str_eq(buf_str(&now->text), origin->text));
}

/* The lock is held. */
static bool write_locked(struct tooling_file *f, struct str text, const struct origin *origin,
                         struct error *err)
{
    struct tooling_look now;
    struct tooling *t = NULL;
    bool ok = tooling_file_look(f, &now, err);
    if (ok && !is_as_seen(&now, origin))
        ok = error_set(err, ERR_CONFLICT, "%s was changed by someone else: read it again", f->path);
    tooling_look_done(&now);
    if (ok)
        t = tooling_file_parse(f, text, f->path, err);
    if (!t || !file_replace(f->path, text, 0600, err)) {
        tooling_unref(t);
        return false;
    }
    /* Perhaps it is another one by now; what we wrote is what we use, and the next look tells. */
    now.exists = true;
    buf_add(&now.text, text);
    tooling_file_adopt(f, t, &now);
    return true;
}

static bool write_text(struct tooling_file *f, struct str text, const struct origin *origin,
                       struct error *err)
{
    int fd = make_folder(f, err) ? lock(f, err) : -1;
    if (fd < 0)
        return false;
    bool ok = write_locked(f, text, origin, err);
    close(fd); /* and with it the lock */
    return ok;
}

bool tooling_file_replace(struct tooling_file *f, struct str text, struct str seen,
                          struct error *err)
{
    struct origin origin = {.is_any = !seen.p, .exists = true, .text = seen};
    struct tooling *t = tooling_file_parse(f, text, f->path, err); /* before anything is made */
    if (!t)
        return false;
    tooling_unref(t);
    if (!file_exists(f->path) && (seen.n == 0 || str_eq(seen, tooling_default_text())))
        origin = (struct origin){.is_any = !seen.p};
    return write_text(f, text, &origin, err);
}

bool tooling_file_put_right(const char *path, struct str text, struct str seen, struct error *err)
{
    struct tooling_file *f = tooling_file_new(path, err);
    bool ok = f && tooling_file_replace(f, text, seen, err);
    tooling_file_close(f);
    return ok;
}

/* ---- one place */

/* The newest text that was read, to be changed; of a missing file the default's. */
static bool begin(const struct tooling_file *f, struct buf *text, struct error *err)
{
    if (str_ends(str_from(f->path), STR(".yaml")) || str_ends(str_from(f->path), STR(".yml")))
        return error_set(err, ERR_INVALID_PARAMS, "%s is YAML: change it in an editor", f->path);
    if (f->seen.is_unread)
        return error_set(err, f->fault.code, "%s", f->fault.text);
    buf_add(text, f->seen.exists ? buf_str(&f->seen.text) : tooling_default_text());
    return true;
}

static bool set(const struct tooling_file *f, struct buf *text, const char *pointer,
                struct str json, struct error *err)
{
    struct buf out = {0};
    if (!json_edit_set(&out, buf_str(text), str_from(pointer), json)) {
        assert(f->fault.code); /* what is good is an object, and so is its force */
        return error_set(err, f->fault.code, "%s", f->fault.text);
    }
    buf_done(text);
    *text = out;
    return true;
}

static bool set_text(const struct tooling_file *f, struct buf *text, const char *pointer,
                     struct str value, struct error *err)
{
    struct buf json = {0};
    struct jsonw w = jsonw_make(&json);
    jsonw_str(&w, value);
    bool ok = set(f, text, pointer, buf_str(&json), err);
    buf_done(&json);
    return ok;
}

static bool finish(struct tooling_file *f, struct str text, struct error *err)
{
    struct origin origin = {.exists = f->seen.exists, .text = buf_str(&f->seen.text)};
    return write_text(f, text, &origin, err);
}

static bool unknown(const char *what, struct str given, members_name_fn *name, const void *ctx,
                    struct error *err)
{
    struct buf text = {0};
    members_say_unknown(&text, what, given, name, ctx);
    error_set(err, ERR_INVALID_PARAMS, "%.*s", STR_ARG(buf_str(&text)));
    buf_done(&text);
    return false;
}

/* What the text means; NULL: it is not good, which the change may well repair. */
static struct tooling *meaning(const struct tooling_file *f, const struct buf *text)
{
    return tooling_file_parse(f, buf_str(text), f->path, NULL);
}

bool tooling_file_set_profile(struct tooling_file *f, struct str id, struct error *err)
{
    struct buf text = {0};
    struct str old;
    bool ok = begin(f, &text, err);
    struct tooling *t = ok ? meaning(f, &text) : NULL;
    if (t && !tooling_profile(t, id))
        ok = unknown("profile", id, tooling_names_profile, t, err);
    tooling_unref(t);
    bool is_snake = ok && json_edit_find(buf_str(&text), STR("/active_profile"), &old);
    ok = ok && set_text(f, &text, is_snake ? "/active_profile" : "/activeProfile", id, err) &&
         finish(f, buf_str(&text), err);
    buf_done(&text);
    return ok;
}

/* Whether what is asked for makes sense; *drops_model: the one that is there is another tool's. */
static bool check_force(const struct tooling *t, const struct tooling_file_force *force,
                        bool *drops_model, struct error *err)
{
    enum agent_kind tool = agent_kind_find(force->tool), old = t ? t->force.tool : AGENT_NONE;
    struct buf names = {0};
    if (force->tool.n && tool == AGENT_NONE)
        return unknown("tool", force->tool, tooling_names_tool, NULL, err);
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
    bool ok = begin(f, &text, err);
    struct tooling *t = ok ? meaning(f, &text) : NULL;
    ok = ok && check_force(t, force, &drops_model, err);
    tooling_unref(t);
    ok = ok && set(f, &text, "/force/enabled", force->enabled ? STR("true") : STR("false"), err);
    if (ok && force->tool.n)
        ok = set_text(f, &text, "/force/tool", force->tool, err);
    if (ok && (force->model.n || drops_model))
        ok = set_text(f, &text, "/force/model", force->model, err);
    ok = ok && finish(f, buf_str(&text), err);
    buf_done(&text);
    return ok;
}
