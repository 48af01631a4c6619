#include "base/watch.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"

#define INTEREST                                                                                   \
    (IN_CREATE | IN_DELETE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF |       \
     IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)
#define MAX_PATH  4096u
#define MAX_READS 64   /* per turn of the loop, so that others can run, too */
#define MAX_FLUSH 4096 /* reads: more than a queue of the system holds */

struct watched_folder {
    int wd;
    bool is_root;
    struct str path; /* stored after the struct */
};

struct watch {
    uv_poll_t poll; /* first: the handle is the watch */
    struct loop *loop;
    struct watch_options options;
    int fd;             /* -1: inotify is not available */
    struct map folders; /* wd, as bytes -> struct watched_folder */
    struct map by_path; /* the same folders */
    struct timer quiet;
    uint64_t burst_end; /* 0: no burst */
    struct map seen;    /* folder, NUL, name -> IS_FILE or IS_FOLDER: the changes of this burst */
    bool everything;
    bool is_complete, has_reported_incomplete;
    bool is_stopped;
};

static char kinds[2]; /* values for a map */
#define IS_FILE   ((void *)&kinds[0])
#define IS_FOLDER ((void *)&kinds[1])

static struct str make_key(const int *wd)
{
    return str_make((const char *)wd, sizeof *wd);
}

/* ---- a burst */

static void clear_seen(struct watch *w)
{
    map_clear(&w->seen);
    w->burst_end = 0;
    w->everything = false;
}

static void on_quiet(void *ctx)
{
    struct watch *w = ctx;
    struct arena arena = {0};
    struct watch_event e = {.everything = w->everything};
    struct watch_change *changes = arena_alloc(&arena, (w->seen.count + 1) * sizeof *changes);
    if (!e.everything)
        MAP_EACH (&w->seen, i) {
            struct str key = arena_str(&arena, map_key(&w->seen, i)), folder;
            str_cut(&key, 0, &folder);
            bool is_folder = map_value(&w->seen, i) == IS_FOLDER;
            changes[e.count++] = (struct watch_change){folder, key, is_folder};
        }
    e.changes = changes;
    clear_seen(w);
    w->options.changed(&e, w->options.ctx); /* may stop the watch: it is not used below */
    arena_done(&arena);
}

/* The burst ends some time after its last event, but not later than WATCH_BURST_MS. */
static void wait_for_quiet(struct watch *w)
{
    uint64_t now = loop_now(w->loop), wait = w->options.quiet_ms;
    if (w->burst_end == 0)
        w->burst_end = now + WATCH_BURST_MS;
    if (now + wait > w->burst_end)
        wait = w->burst_end > now ? w->burst_end - now : 0;
    timer_start(&w->quiet, w->loop, wait, on_quiet, w);
}

static void add_everything(struct watch *w)
{
    map_clear(&w->seen);
    w->everything = true;
    wait_for_quiet(w);
}

static void add_change(struct watch *w, struct str folder, struct str name, bool is_folder)
{
    struct buf key = {0};
    buf_add(&key, folder);
    buf_add_char(&key, 0);
    buf_add(&key, name);
    const void *known = w->everything ? IS_FOLDER : map_get(&w->seen, buf_str(&key));
    if (!known && w->seen.count >= w->options.max_changes)
        add_everything(w);
    else if (!known || (known == IS_FILE && is_folder))
        map_set(&w->seen, buf_str(&key), is_folder ? IS_FOLDER : IS_FILE);
    wait_for_quiet(w);
    buf_done(&key);
}

static void give_up(struct watch *w)
{
    w->is_complete = false;
    if (w->has_reported_incomplete)
        return;
    w->has_reported_incomplete = true;
    add_everything(w);
}

/* ---- folders */

static bool is_ignored(const struct watch *w, struct str folder, struct str name)
{
    return w->options.ignores && w->options.ignores(folder, name, w->options.ctx);
}

/* Return false if the folder is not watched, or was already, under another name. */
static bool add_folder(struct watch *w, struct str path, bool is_root)
{
    char *c_path = str_dup(path);
    int wd = -1, code = 0;
    if (w->fd < 0 || w->folders.count >= w->options.max_folders) {
        code = ENOSPC;
    } else {
        wd = inotify_add_watch(w->fd, c_path, INTEREST);
        code = wd < 0 ? errno : 0;
    }
    free(c_path);
    if (wd < 0) { /* a folder removed in the meantime is ignored, unless it is a root */
        if (is_root || (code != ENOENT && code != ENOTDIR))
            give_up(w);
        return false;
    }
    if (map_get(&w->folders, make_key(&wd)))
        return false;
    struct watched_folder *f = mem_alloc(sizeof *f + path.n);
    memcpy(f + 1, path.p, path.n);
    *f = (struct watched_folder){wd, is_root, str_make((char *)(f + 1), path.n)};
    map_set(&w->folders, make_key(&wd), f);
    map_set(&w->by_path, f->path, f);
    return true;
}

static bool is_folder(const struct dirent *d, int fd)
{
    struct stat st;
    if (d->d_type != DT_LNK && d->d_type != DT_UNKNOWN)
        return d->d_type == DT_DIR;
    return fstatat(fd, d->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

/* Append the folders in path to *todo: paths, each with a NUL. */
static void list_folders(const struct watch *w, struct str path, struct buf *todo)
{
    char *c_path = str_dup(path);
    DIR *dir = opendir(c_path);
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
        struct str name = str_from(d->d_name);
        if (str_eq(name, STR(".")) || str_eq(name, STR("..")) || !is_folder(d, dirfd(dir)) ||
            is_ignored(w, path, name) || path.n + name.n >= MAX_PATH)
            continue;
        buf_add(todo, path);
        buf_add_char(todo, '/');
        buf_add(todo, name);
        buf_add_char(todo, 0);
    }
    if (dir)
        closedir(dir);
    free(c_path);
}

/* Watch a folder before listing it, so that nothing created in between is missed. A cycle of links
 * ends at a folder that is already watched. */
static void add_tree(struct watch *w, struct str path, bool is_root)
{
    struct buf todo = {0};
    buf_add(&todo, path);
    buf_add_char(&todo, 0);
    while (todo.n) {
        size_t start = todo.n - 1;
        while (start > 0 && todo.p[start - 1] != 0)
            start--;
        char *at = str_dup(str_make(todo.p + start, todo.n - 1 - start));
        todo.n = start;
        if (add_folder(w, str_from(at), is_root))
            list_folders(w, str_from(at), &todo);
        is_root = false;
        free(at);
    }
    if (todo.overflow)
        give_up(w);
    buf_done(&todo);
}

static void drop_folder(struct watch *w, struct watched_folder *f)
{
    map_remove(&w->folders, make_key(&f->wd));
    if (map_get(&w->by_path, f->path) == f) /* else another folder has this path now */
        map_remove(&w->by_path, f->path);
    free(f);
}

/* inotify watches follow a folder that was moved away, so remove them. */
static void drop_tree(struct watch *w, struct str path)
{
    MAP_EACH (&w->folders, i) {
        struct watched_folder *f = map_value(&w->folders, i);
        if (!str_starts(f->path, path) || (f->path.n > path.n && f->path.p[path.n] != '/'))
            continue;
        inotify_rm_watch(w->fd, f->wd);
        drop_folder(w, f);
    }
}

/* ---- events of the system */

static void on_name(struct watch *w, const struct watched_folder *f, const struct inotify_event *e)
{
    struct str name = str_from(e->name);
    if (name.n == 0 || is_ignored(w, f->path, name))
        return;
    struct buf path = {0};
    buf_printf(&path, "%.*s/%.*s", STR_ARG(f->path), STR_ARG(name));
    struct watched_folder *gone = map_get(&w->by_path, buf_str(&path));
    bool is_new = e->mask & (IN_CREATE | IN_MOVED_TO), is_folder = e->mask & IN_ISDIR;
    struct stat st; /* links to folders come without IN_ISDIR */
    if (is_new && !is_folder)
        is_folder = stat(path.p, &st) == 0 && S_ISDIR(st.st_mode);
    add_change(w, f->path, name, is_folder || gone);
    if (gone && e->mask & IN_DELETE && e->mask & IN_ISDIR)
        drop_folder(w, gone); /* it was empty; a whole tree is removed in linear time */
    else if (gone && e->mask & (IN_MOVED_FROM | IN_DELETE))
        drop_tree(w, buf_str(&path)); /* it may be a removed link whose target remains */
    if (is_new && is_folder)
        add_tree(w, buf_str(&path), false);
    buf_done(&path);
}

static void on_event(struct watch *w, const struct inotify_event *e)
{
    if (e->mask & IN_Q_OVERFLOW) {
        add_everything(w);
        return;
    }
    struct watched_folder *f = map_get(&w->folders, make_key(&e->wd));
    if (!f)
        return;
    if (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) {
        bool is_root = f->is_root;
        if (is_root)
            add_change(w, f->path, (struct str){0}, true);
        if (!(e->mask & IN_IGNORED) && is_root)
            inotify_rm_watch(w->fd, f->wd);
        if (is_root || e->mask & IN_IGNORED)
            drop_folder(w, f);
        if (is_root)
            give_up(w);
        return;
    }
    on_name(w, f, e);
}

/* Return false if there are more events. */
static bool read_events(struct watch *w, int max_reads)
{
    _Alignas(struct inotify_event) char bytes[16384];
    for (int i = 0; i < max_reads; i++) {
        ssize_t n = read(w->fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return true;
        for (char *at = bytes; at < bytes + n;) {
            const struct inotify_event *e = (const void *)at;
            on_event(w, e);
            at += sizeof *e + e->len;
        }
    }
    return false;
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    read_events((struct watch *)(void *)poll, MAX_READS);
}

/* ---- life */

struct watch *watch_start(struct loop *loop, const struct watch_options *options)
{
    assert(options->changed);
    struct watch *w = mem_zalloc(sizeof *w);
    w->loop = loop;
    w->options = *options;
    w->options.roots = NULL; /* not copied */
    w->is_complete = true;
    if (!w->options.quiet_ms)
        w->options.quiet_ms = WATCH_QUIET_MS;
    if (!w->options.max_folders)
        w->options.max_folders = WATCH_MAX_FOLDERS;
    if (!w->options.max_changes)
        w->options.max_changes = WATCH_MAX_CHANGES;
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd >= 0) {
        if (uv_poll_init(loop_uv(loop), &w->poll, w->fd) ||
            uv_poll_start(&w->poll, UV_READABLE, on_readable))
            mem_die("cannot poll for changes of files");
        uv_unref((uv_handle_t *)&w->poll);
    }
    for (size_t i = 0; i < options->root_count; i++)
        add_tree(w, str_from(options->roots[i]), true);
    return w;
}

void watch_flush(struct watch *w)
{
    if (!w)
        return;
    if (w->fd >= 0 && !read_events(w, MAX_FLUSH))
        add_everything(w);
    if (w->burst_end == 0)
        return;
    timer_stop(&w->quiet);
    on_quiet(w); /* may stop the watch */
}

static void on_closed(uv_handle_t *handle)
{
    free(handle); /* the watch */
}

void watch_stop(struct watch *w)
{
    if (!w)
        return;
    assert(!w->is_stopped);
    w->is_stopped = true;
    timer_stop(&w->quiet);
    MAP_EACH (&w->folders, i)
        free(map_value(&w->folders, i));
    map_done(&w->folders);
    map_done(&w->by_path);
    map_done(&w->seen);
    if (w->fd < 0) {
        free(w);
        return;
    }
    uv_close((uv_handle_t *)&w->poll, on_closed);
    close(w->fd); /* libuv no longer uses it */
}

bool watch_is_complete(const struct watch *w)
{
    return w->is_complete;
}

size_t watch_folder_count(const struct watch *w)
{
    return w->folders.count;
}
