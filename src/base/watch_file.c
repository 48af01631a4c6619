#include "base/watch_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/watch.h"

#define MAX_SPOTS 41u /* as many links as the kernel follows, plus the file */

/* A name in a folder that determines where the path leads. */
struct spot {
    char *folder, *name;
};

struct spots {
    struct spot all[MAX_SPOTS];
    size_t count;
};

struct watch_file {
    struct loop *loop;
    char *path;
    loop_fn *changed;
    void *ctx;
    struct spots spots;
    struct watch *watch; /* NULL: the file is polled */
    struct timer poll;
};

/* ---- the path to the file */

static void spots_done(struct spots *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->all[i].folder);
        free(s->all[i].name);
    }
    s->count = 0;
}

static bool spots_equal(const struct spots *a, const struct spots *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->all[i].folder, b->all[i].folder) == 0 &&
               strcmp(a->all[i].name, b->all[i].name) == 0;
    return same;
}

static void add_spot(struct spots *s, struct str folder, struct str name)
{
    s->all[s->count++] = (struct spot){str_dup(folder.n ? folder : STR("/")), str_dup(name)};
}

/* Put the target of a link before the rest of the path. */
static void prepend_target(struct buf *todo, struct str target, struct str rest)
{
    struct buf made = {0};
    buf_add(&made, target);
    buf_add_char(&made, '/');
    buf_add(&made, rest);
    buf_done(todo);
    *todo = made;
}

static bool add_start(struct buf *todo, const char *path)
{
    char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
    bool ok = path[0] == '/' || here;
    if (here)
        buf_printf(todo, "%s/", here);
    buf_add(todo, str_from(path));
    free(here);
    return ok;
}

/* Walk the path as the kernel does. `at` contains no links, so ".." removes its last name. */
static void find_spots(struct spots *s, const char *path)
{
    struct buf todo = {0}, at = {0};
    struct str rest, name;
    bool go_on = add_start(&todo, path);
    for (rest = buf_str(&todo); go_on && rest.n && s->count < MAX_SPOTS;) {
        char target[PATH_MAX];
        struct stat st;
        str_cut(&rest, '/', &name);
        if (name.n == 0 || str_eq(name, STR(".")))
            continue;
        if (str_eq(name, STR(".."))) {
            while (at.n && at.p[--at.n] != '/')
                ;
            continue;
        }
        size_t folder = at.n;
        buf_add_char(&at, '/');
        buf_add(&at, name);
        bool is_there = lstat(at.p, &st) == 0;
        ssize_t n = is_there && S_ISLNK(st.st_mode) ? readlink(at.p, target, sizeof target) : -1;
        if (n < 0 && is_there && S_ISDIR(st.st_mode) && rest.n)
            continue;
        add_spot(s, str_make(at.p, folder), name);
        go_on = n > 0;
        at.n = n > 0 && target[0] == '/' ? 0 : folder;
        if (n > 0) {
            prepend_target(&todo, str_make(target, (size_t)n), rest);
            rest = buf_str(&todo);
        }
    }
    buf_done(&todo);
    buf_done(&at);
}

/* ---- watching */

/* Compare only names: a folder that is reached in two ways is reported by either. */
static bool is_ignored_name(struct str folder, struct str name, void *ctx)
{
    const struct watch_file *w = ctx;
    (void)folder;
    for (size_t i = 0; i < w->spots.count; i++)
        if (str_eq(name, str_from(w->spots.all[i].name)))
            return false;
    return true;
}

static void on_watch(const struct watch_event *event, void *ctx);
static void on_poll(void *ctx);

static void start_watch(struct watch_file *w)
{
    const char *roots[MAX_SPOTS];
    size_t count = 0;
    for (size_t i = 0; i < w->spots.count; i++) {
        size_t j = 0;
        while (j < count && strcmp(roots[j], w->spots.all[i].folder) != 0)
            j++;
        if (j == count)
            roots[count++] = w->spots.all[i].folder;
    }
    struct watch_options options = {.roots = roots,
                                    .root_count = count,
                                    .ignores = is_ignored_name,
                                    .changed = on_watch,
                                    .ctx = w};
    w->watch = watch_start(w->loop, &options);
    if (count > 0 && watch_is_complete(w->watch))
        return;
    watch_stop(w->watch);
    w->watch = NULL;
    timer_start(&w->poll, w->loop, WATCH_FILE_POLL_MS, on_poll, w);
}

/* Renew the watch before the callback, so that no later change is lost. */
static void check_again(struct watch_file *w)
{
    struct spots now = {0};
    find_spots(&now, w->path);
    if (!w->watch || !watch_is_complete(w->watch) || !spots_equal(&now, &w->spots)) {
        watch_stop(w->watch);
        spots_done(&w->spots);
        w->spots = now;
        start_watch(w);
    } else {
        spots_done(&now);
    }
    w->changed(w->ctx); /* may stop the watch */
}

static void on_watch(const struct watch_event *event, void *ctx)
{
    (void)event;
    check_again(ctx);
}

static void on_poll(void *ctx)
{
    check_again(ctx);
}

struct watch_file *watch_file_start(struct loop *loop, const char *path, loop_fn *changed,
                                    void *ctx)
{
    struct watch_file *w = mem_zalloc(sizeof *w);
    w->loop = loop;
    w->path = str_dup(str_from(path));
    w->changed = changed;
    w->ctx = ctx;
    find_spots(&w->spots, path);
    start_watch(w);
    return w;
}

void watch_file_stop(struct watch_file *w)
{
    if (!w)
        return;
    watch_stop(w->watch);
    timer_stop(&w->poll);
    spots_done(&w->spots);
    free(w->path);
    free(w);
}
