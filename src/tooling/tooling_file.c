#include "tooling/tooling_file.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"
#include "tooling/tooling_file_core.h"

#define SETTLED_SEC 2 /* no file system that matters has a coarser clock */
#define MAX_LOOKS   5 /* at a file that changes while it is read */

/* ---- looking */

static bool is_same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same(const struct tooling_stamp *a, const struct tooling_stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           is_same_time(a->written, b->written) && is_same_time(a->changed, b->changed);
}

/* False: there is no such file. What else may be wrong with it shows when it is read. */
static bool stamp_of(const char *path, struct tooling_stamp *stamp)
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

bool tooling_file_look(const struct tooling_file *f, struct tooling_look *look, struct error *err)
{
    struct tooling_stamp after;
    bool ok = true;
    *look = (struct tooling_look){0};
    for (int i = 0; i < MAX_LOOKS; i++) {
        look->exists = stamp_of(f->path, &look->stamp);
        buf_clear(&look->text);
        if (!look->exists)
            return true;
        ok = file_read(f->path, DOC_MAX_BYTES, &look->text, err);
        if (stamp_of(f->path, &after) && is_same(&look->stamp, &after))
            break;
    }
    look->is_unread = !ok;
    return ok;
}

void tooling_look_done(struct tooling_look *look)
{
    buf_done(&look->text);
    *look = (struct tooling_look){0};
}

static enum doc_format format_of(const struct tooling_file *f)
{
    struct str path = str_from(f->path);
    return str_ends(path, STR(".yaml")) || str_ends(path, STR(".yml")) ? DOC_YAML : DOC_JSON;
}

struct tooling *tooling_file_parse(const struct tooling_file *f, struct str text, const char *name,
                                   struct error *err)
{
    struct doc doc = {0};
    struct tooling *t = NULL;
    if (doc_read(&doc, text, &(struct doc_source){name, format_of(f)}, err))
        t = tooling_read(&doc, STR(""), err);
    doc_done(&doc);
    return t;
}

/* ---- the last good one */

/* For the day on which somebody breaks the file. Where it cannot be written, that day is lost. */
static void keep_good(const struct tooling_file *f)
{
    struct buf old = {0};
    bool is_kept = file_read(f->good_path, DOC_MAX_BYTES, &old, NULL) &&
                   str_eq(buf_str(&old), buf_str(&f->good));
    if (!is_kept && file_replace(f->good_path, buf_str(&f->good), 0600, NULL))
        chmod(f->good_path, 0600); /* one that was there kept its mode */
    buf_done(&old);
}

static void set_current(struct tooling_file *f, struct tooling *t, struct str text)
{
    tooling_unref(f->current);
    f->current = t;
    buf_clear(&f->good);
    buf_add(&f->good, text);
}

static void set_seen(struct tooling_file *f, struct tooling_look *look)
{
    buf_done(&f->seen.text);
    f->seen = *look;
    *look = (struct tooling_look){0};
}

void tooling_file_adopt(struct tooling_file *f, struct tooling *t, struct tooling_look *look)
{
    set_seen(f, look);
    set_current(f, t, buf_str(&f->seen.text));
    f->is_default = false;
    f->fault = (struct error){0};
    keep_good(f);
}

static void use_default(struct tooling_file *f, struct tooling_look *look)
{
    set_seen(f, look);
    set_current(f, tooling_default(), (struct str){0});
    f->is_default = true;
    f->fault = (struct error){0};
}

/* Opening a file that is wrong: what was good before is in use. */
static bool use_last_good(struct tooling_file *f, const struct error *fault)
{
    struct buf text = {0};
    struct tooling *t = NULL;
    if (file_read(f->good_path, DOC_MAX_BYTES, &text, NULL))
        t = tooling_file_parse(f, buf_str(&text), f->good_path, NULL);
    if (t) {
        set_current(f, t, buf_str(&text));
        error_set(&f->fault, fault->code, "%s; in use is the last good one, %s", fault->text,
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

static char *own_path(struct error *err)
{
    struct buf path = {0};
    char *made = tooling_file_own(&path, err) ? str_dup(buf_str(&path)) : NULL;
    buf_done(&path);
    return made;
}

static bool load(struct tooling_file *f, struct error *err)
{
    struct tooling_look look;
    struct error fault = {0};
    struct tooling *t = NULL;
    bool ok = tooling_file_look(f, &look, &fault);
    if (ok && !look.exists) {
        use_default(f, &look);
        return true;
    }
    if (ok)
        t = tooling_file_parse(f, buf_str(&look.text), f->path, &fault);
    if (t) {
        tooling_file_adopt(f, t, &look);
        return true;
    }
    set_seen(f, &look);
    return use_last_good(f, &fault) || error_set(err, fault.code, "%s", fault.text);
}

struct tooling_file *tooling_file_new(const char *path, struct error *err)
{
    char *own = path ? str_dup(str_from(path)) : own_path(err);
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
    struct tooling_file *f = tooling_file_new(path, err);
    if (!f || load(f, err))
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
    tooling_look_done(&f->seen);
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

const struct error *tooling_file_fault(const struct tooling_file *f)
{
    return f->fault.code == ERR_NONE ? NULL : &f->fault;
}

struct str tooling_file_text(const struct tooling_file *f)
{
    if (f->seen.is_unread)
        return (struct str){0};
    return f->seen.exists ? str_make(f->seen.text.n ? f->seen.text.p : "", f->seen.text.n)
                          : tooling_default_text();
}

/* ---- reload, watch */

struct news {
    bool configuration, fault;
};

static struct news set_fault(struct tooling_file *f, const struct error *fault)
{
    bool is_new = f->fault.code != fault->code || strcmp(f->fault.text, fault->text) != 0;
    f->fault = *fault;
    return (struct news){.fault = is_new};
}

static struct news take(struct tooling_file *f, struct tooling_look *look)
{
    struct error fault = {0};
    struct tooling *t = tooling_file_parse(f, buf_str(&look->text), f->path, &fault);
    if (!t) {
        set_seen(f, look);
        return set_fault(f, &fault);
    }
    /* Back to what is in use: whoever holds it need not change. */
    if (!f->is_default && str_eq(buf_str(&look->text), buf_str(&f->good))) {
        tooling_unref(t);
        set_seen(f, look);
        return set_fault(f, &(struct error){0});
    }
    tooling_file_adopt(f, t, look);
    return (struct news){.configuration = true};
}

static struct news refresh(struct tooling_file *f)
{
    struct tooling_look look = {0};
    struct tooling_stamp now;
    struct error fault = {0};
    struct news news = {0};
    bool exists = stamp_of(f->path, &now);
    if (exists && f->seen.exists && f->seen.stamp.is_settled && is_same(&now, &f->seen.stamp))
        return news;
    if (!tooling_file_look(f, &look, &fault)) {
        set_seen(f, &look);
        return set_fault(f, &fault);
    }
    if (!look.exists && !f->is_default) {
        use_default(f, &look);
        news.configuration = true;
    } else if (look.exists && (!f->seen.exists || f->seen.is_unread ||
                               !str_eq(buf_str(&look.text), buf_str(&f->seen.text)))) {
        news = take(f, &look);
    } else {
        set_seen(f, &look);
    }
    tooling_look_done(&look);
    return news;
}

bool tooling_file_reload(struct tooling_file *f)
{
    return refresh(f).configuration;
}

static void on_change(void *ctx)
{
    struct tooling_file *f = ctx;
    struct news news = refresh(f);
    if (news.configuration || news.fault)
        f->changed(f->ctx); /* may close us */
}

void tooling_file_watch(struct tooling_file *f, struct loop *loop, loop_fn *changed, void *ctx)
{
    watch_file_stop(f->watch);
    f->changed = changed;
    f->ctx = ctx;
    f->watch = watch_file_start(loop, f->path, on_change, f);
    timer_start(&f->first_look, loop, 0, on_change, f); /* what came between opening and watching */
}
