#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/changes.h"
#include "agent/changes_internal.h"
#include "base/file.h"
#include "base/mem.h"

#define MAX_DEPTH 64u

static const char *const excluded_folders[] = {".git", "Library", "Temp", "node_modules"};

bool changes_file_is_ours(struct str path)
{
    return str_starts(path, STR(".agent-runner")) || file_is_temporary(path);
}

/* ---- one file */

static char *join_path(const char *folder, struct str path)
{
    struct buf whole = {0};
    buf_printf(&whole, "%s/%.*s", folder, STR_ARG(path));
    char *copy = str_dup(buf_str(&whole));
    buf_done(&whole);
    return copy;
}

static void describe_file(const struct stat *st, struct changes_file *out)
{
    *out = (struct changes_file){
        .kind = S_ISREG(st->st_mode)   ? CHANGES_REGULAR
                : S_ISLNK(st->st_mode) ? CHANGES_LINK
                : S_ISDIR(st->st_mode) ? CHANGES_FOLDER
                                       : CHANGES_OTHER,
        .runs = S_ISREG(st->st_mode) && (st->st_mode & 0111),
        .size = (uint64_t)st->st_size,
        .time_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec,
    };
}

/* Read a regular file; since it was described it may have become something else. */
static bool read_bytes(const char *path, size_t max, struct buf *out)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    while (ok) {
        char *room = out->n <= max ? buf_room(out, 64 * 1024) : NULL;
        ssize_t n = room ? read(fd, room, 64 * 1024) : -1;
        if (n < 0 && room && errno == EINTR)
            continue;
        ok = n >= 0;
        if (n <= 0)
            break;
        out->n += (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    return ok && out->n <= max;
}

static void add_digest(const char *path, size_t *budget, struct changes_file *out)
{
    struct buf bytes = {0};
    char target[PATH_MAX];
    if (out->kind == CHANGES_LINK) {
        ssize_t n = readlink(path, target, sizeof target);
        buf_add(&bytes, str_make(target, n > 0 ? (size_t)n : 0));
        out->has_digest = n >= 0;
    } else if (out->kind == CHANGES_REGULAR && out->size <= CHANGES_FILE_MAX &&
               out->size <= *budget) {
        out->has_digest = read_bytes(path, CHANGES_FILE_MAX, &bytes);
        *budget -= bytes.n < *budget ? bytes.n : *budget;
    }
    if (out->has_digest)
        sha256(buf_str(&bytes), out->digest);
    buf_done(&bytes);
}

void changes_file_read(const char *folder, struct str path, size_t *budget,
                       struct changes_file *out)
{
    struct stat st;
    char *whole = join_path(folder, path);
    *out = (struct changes_file){.kind = CHANGES_ABSENT};
    if (lstat(whole, &st) == 0) {
        describe_file(&st, out);
        if (budget)
            add_digest(whole, budget, out);
    }
    free(whole);
}

bool changes_file_is_same(const struct changes_file *a, const struct changes_file *b)
{
    if (a->kind != b->kind || a->runs != b->runs)
        return false;
    if (a->kind == CHANGES_ABSENT || a->kind == CHANGES_OTHER)
        return true;
    if (a->has_digest && b->has_digest)
        return !memcmp(a->digest, b->digest, SHA256_LEN);
    if (a->kind == CHANGES_FOLDER)
        return a->has_digest == b->has_digest;
    return a->size == b->size && a->time_ns == b->time_ns;
}

bool changes_file_count_lines(const char *folder, struct str path, uint64_t *lines)
{
    struct buf bytes = {0};
    char *whole = join_path(folder, path);
    bool ok =
        read_bytes(whole, CHANGES_FILE_MAX, &bytes) && !(bytes.n && memchr(bytes.p, 0, bytes.n));
    *lines = 0;
    for (size_t i = 0; ok && i < bytes.n; i++)
        *lines += bytes.p[i] == '\n';
    if (ok && bytes.n && bytes.p[bytes.n - 1] != '\n')
        *lines += 1;
    buf_done(&bytes);
    free(whole);
    return ok;
}

/* ---- all files */

struct changes_walk {
    struct changes_snapshot *c;
    const char *repo;
    struct buf path; /* of the current folder in the repo; ends with a slash */
    size_t seen;
};

static bool is_excluded(const char *name)
{
    for (size_t i = 0; i < sizeof excluded_folders / sizeof *excluded_folders; i++)
        if (!strcmp(name, excluded_folders[i]))
            return true;
    return false;
}

static void walk_folder(struct changes_walk *w, int parent, const char *name, unsigned depth);

static void walk_entry(struct changes_walk *w, int fd, const char *name, unsigned depth)
{
    struct stat st;
    size_t before = w->path.n;
    if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    buf_add(&w->path, str_from(name));
    if (changes_file_is_ours(buf_str(&w->path))) {
        w->path.n = before;
        return;
    }
    if (S_ISDIR(st.st_mode) && depth < MAX_DEPTH) {
        buf_add_char(&w->path, '/');
        walk_folder(w, fd, name, depth + 1);
    } else if (!S_ISDIR(st.st_mode)) {
        struct changes_file *f = arena_alloc(&w->c->arena, sizeof *f);
        describe_file(&st, f);
        map_set(&w->c->files, buf_str(&w->path), f);
    } else {
        w->c->more = true;
    }
    w->path.n = before;
}

static void walk_folder(struct changes_walk *w, int parent, const char *name, unsigned depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (depth ? O_NOFOLLOW : 0));
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *e;
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((e = readdir(dir))) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || is_excluded(e->d_name))
            continue;
        if (w->seen++ >= w->c->limits.max_seen) {
            w->c->more = true;
            break;
        }
        walk_entry(w, dirfd(dir), e->d_name, depth);
    }
    closedir(dir);
}

void changes_file_read_all(struct changes_snapshot *c, const char *repo)
{
    struct changes_walk w = {.c = c, .repo = repo};
    walk_folder(&w, AT_FDCWD, repo, 0);
    buf_done(&w.path);
}
