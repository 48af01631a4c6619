#include "unity/project.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "unity/project_packages.h"
#include "unity/project_settings.h"

static bool contains_file(struct str folder, const char *name)
{
    struct buf path = {0};
    buf_printf(&path, "%.*s/%s", STR_ARG(folder), name);
    bool there = file_exists(path.p);
    buf_done(&path);
    return there;
}

static bool is_root(struct str folder)
{
    return contains_file(folder, "Assets") && contains_file(folder, "ProjectSettings");
}

static struct str get_parent(struct str folder)
{
    while (folder.n && folder.p[folder.n - 1] != '/')
        folder.n--;
    return str_head(folder, folder.n ? folder.n - 1 : 0);
}

char *project_find(const char *folder, bool *is_unity, struct error *err)
{
    char *path = realpath(folder, NULL);
    if (!path) {
        error_set(err, ERR_CONFIG_VALIDATION, "cannot find the project folder %s: %s", folder,
                  strerror(errno));
        return NULL;
    }
    for (struct str at = str_from(path); at.n; at = get_parent(at))
        if (is_root(at)) {
            path[at.n] = 0;
            *is_unity = true;
            return path;
        }
    *is_unity = false;
    return path;
}

bool project_open(struct project *p, const char *path, const struct diagnostic_sink *sink,
                  struct error *err)
{
    char *root = realpath(path, NULL);
    if (!root)
        return error_set(err, ERR_IO, "no Unity project at %s: %s", path, strerror(errno));
    bool ok = contains_file(str_from(root), "Assets/.");
    if (!ok) {
        error_set(err, ERR_IO, "no Unity project at %s: it has no Assets folder", root);
    } else {
        *p = (struct project){0};
        p->root = arena_cstr(&p->arena, str_from(root));
        project_settings_read(p, sink);
        project_packages_read(p, sink);
    }
    free(root);
    return ok;
}

void project_done(struct project *p)
{
    arena_done(&p->arena);
    *p = (struct project){0};
}

/* ---- comparison */

static bool are_same_texts(const struct str *a, const struct str *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!str_eq(a[i], b[i]))
            return false;
    return true;
}

static bool are_same_packages(const struct project *a, const struct project *b)
{
    bool same = a->package_count == b->package_count;
    for (size_t i = 0; same && i < a->package_count; i++) {
        const struct project_package *x = &a->packages[i], *y = &b->packages[i];
        same = x->kind == y->kind && str_eq(x->name, y->name) && str_eq(x->folder, y->folder) &&
               str_eq(x->version, y->version);
    }
    return same && a->listed_count == b->listed_count &&
           are_same_texts(a->listed, b->listed, a->listed_count);
}

static bool are_same_scenes(const struct project *a, const struct project *b)
{
    bool same = a->build_scene_count == b->build_scene_count;
    for (size_t i = 0; same && i < a->build_scene_count; i++)
        same = a->build_scenes[i].enabled == b->build_scenes[i].enabled &&
               str_eq(a->build_scenes[i].path, b->build_scenes[i].path);
    return same;
}

bool project_is_same(const struct project *a, const struct project *b)
{
    return strcmp(a->root, b->root) == 0 && str_eq(a->version_text, b->version_text) &&
           a->inline_maps == b->inline_maps && a->text_assets == b->text_assets &&
           are_same_packages(a, b) && are_same_scenes(a, b) &&
           are_same_texts(a->layers, b->layers, sizeof a->layers / sizeof *a->layers) &&
           a->define_count == b->define_count &&
           are_same_texts(a->defines, b->defines, a->define_count);
}

void project_lock_path(const struct project *p, struct buf *out)
{
    buf_printf(out, "%s/Temp/UnityLockfile", p->root);
}

bool project_is_locked(const struct project *p)
{
    struct buf path = {0};
    project_lock_path(p, &path);
    int fd = open(path.p, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    buf_done(&path);
    if (fd < 0)
        return false;
    /* Unity's platforms use either kind of lock, and neither kind shows the other. F_WRLCK finds
     * any conflicting lock without taking one. */
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool held = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (!held)
        held = flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    close(fd); /* releases the lock if it was free */
    return held;
}

/* ---- resolving paths */

#define MAX_LINKS 40 /* the limit of the kernel */

struct path_walk {
    struct buf at;   /* resolved so far: absolute, no link, no trailing slash; empty: "/" */
    struct buf rest; /* not resolved yet */
    unsigned links;
    bool is_new; /* `at` does not exist, so nothing below it does */
};

static void go_up(struct path_walk *w)
{
    struct str up = get_parent(buf_str(&w->at));
    w->at.n = up.n;
}

/* Insert the target of a link before the rest. */
static bool follow_link(struct path_walk *w)
{
    char to[PATH_MAX];
    ssize_t n = readlink(w->at.p, to, sizeof to - 1);
    if (n <= 0 || ++w->links > MAX_LINKS)
        return false;
    struct buf rest = {0};
    buf_add(&rest, str_make(to, (size_t)n));
    buf_add(&rest, STR("/"));
    buf_add(&rest, buf_str(&w->rest));
    buf_done(&w->rest);
    w->rest = rest;
    if (to[0] == '/')
        w->at.n = 0;
    else
        go_up(w);
    return w->rest.n < (size_t)PATH_MAX * 2;
}

static bool resolve_part(struct path_walk *w, struct str part)
{
    if (part.n == 0 || str_eq(part, STR(".")))
        return true;
    if (str_eq(part, STR(".."))) {
        if (w->is_new) /* the parent of a missing folder */
            return false;
        go_up(w);
        return true;
    }
    buf_add_char(&w->at, '/');
    buf_add(&w->at, part);
    if (w->at.n >= PATH_MAX)
        return false;
    struct stat st;
    if (w->is_new)
        return true;
    if (lstat(w->at.p, &st) < 0) {
        w->is_new = errno == ENOENT;
        return w->is_new;
    }
    return !S_ISLNK(st.st_mode) || follow_link(w);
}

/* Not realpath(): the end of the path need not exist, even after a dangling link. */
static bool resolve_path(struct path_walk *w)
{
    while (w->rest.n) {
        struct str rest = buf_str(&w->rest), part;
        str_cut(&rest, '/', &part);
        char name[NAME_MAX + 1];
        if (part.n > NAME_MAX)
            return false;
        memcpy(name, part.p, part.n);
        struct str own = str_make(name, part.n);
        buf_drop(&w->rest, w->rest.n - rest.n);
        if (!resolve_part(w, own))
            return false;
    }
    return true;
}

static bool is_in(struct str path, struct str folder)
{
    return str_starts(path, folder) && (path.n == folder.n || path.p[folder.n] == '/');
}

bool project_contains(const struct project *p, struct str path, struct buf *absolute)
{
    struct path_walk w = {0};
    struct str root = str_from(p->root);
    if (root.n == 1) /* "/" itself: every path starts with it */
        root.n = 0;
    if (path.n == 0 || path.n >= PATH_MAX || memchr(path.p, 0, path.n))
        return false;
    if (path.p[0] != '/')
        buf_printf(&w.rest, "%s/", p->root);
    buf_add(&w.rest, path);
    bool inside = resolve_path(&w) && is_in(buf_str(&w.at), root);
    if (inside && absolute) {
        buf_clear(absolute);
        buf_add(absolute, buf_str(&w.at));
    }
    buf_done(&w.at);
    buf_done(&w.rest);
    return inside;
}

bool project_is_cached(const struct project *p, struct str path, struct str absolute)
{
    struct buf cache = {0};
    bool is = project_contains(p, STR("Library/PackageCache"), &cache) &&
              is_in(absolute, buf_str(&cache));
    buf_done(&cache);
    struct str rest = path, top, name;
    str_cut(&rest, '/', &top);
    str_cut(&rest, '/', &name);
    for (size_t i = 0; !is && str_eq(top, STR("Packages")) && i < p->package_count; i++)
        is = p->packages[i].kind == PROJECT_PACKAGE_CACHED && str_eq(p->packages[i].name, name);
    return is;
}
