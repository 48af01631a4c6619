#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "orchestrator/executor_internal.h"

#define MAX_NAME   64u
#define MAX_SAME   10000u /* folders of one name */
#define NFTW_FILES 16

static bool set_errno_error(struct error *err, const char *what, const char *path)
{
    char text[128];
    return error_set(err, ERR_IO, "cannot %s %s: %s", what, path,
                     strerror_r(errno, text, sizeof text));
}

/* ---- the folder of an attempt */

static void add_name(struct buf *out, struct str name)
{
    for (size_t i = 0; i < name.n && i < MAX_NAME; i++) {
        char c = name.p[i];
        bool fits = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    c == '_' || c == '-' || (c == '.' && i);
        buf_add_char(out, fits ? c : '_');
    }
}

/* The folder may exist: another store, or an earlier run, may have had a task of that name. */
static bool make_folder(struct executor *e, struct error *err)
{
    struct buf *path = &e->folder.path;
    buf_printf(path, "%s/attempts", e->o.home);
    if (!file_make_dirs(path->p, err))
        return false;
    if (chmod(path->p, 0700) != 0)
        return set_errno_error(err, "make private", path->p);
    buf_add_char(path, '/');
    add_name(path, e->claim.name);
    buf_printf(path, "-%u", e->claim.number);
    size_t end = path->n;
    for (unsigned i = 2; mkdir(path->p, 0700) != 0; i++) {
        if (errno != EEXIST || i > MAX_SAME)
            return set_errno_error(err, "create the folder", path->p);
        path->n = end;
        buf_printf(path, "-%u", i);
    }
    e->folder.lock = open(path->p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (e->folder.lock < 0 || flock(e->folder.lock, LOCK_SH | LOCK_NB) != 0)
        return set_errno_error(err, "hold", path->p);
    return true;
}

static bool write_task(const char *path, struct str text, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return set_errno_error(err, "write", path);
    bool ok = true;
    while (ok && text.n) {
        ssize_t n = write(fd, text.p, text.n);
        if (n > 0)
            text = str_skip(text, (size_t)n);
        else
            ok = n < 0 && errno == EINTR;
    }
    int why = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    errno = why;
    return ok || set_errno_error(err, "write", path);
}

/* ---- removing old folders */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st, (void)kind, (void)ftw;
    remove(path); /* errors are ignored */
    return 0;
}

static void remove_folder(const char *path)
{
    nftw(path, remove_one, NFTW_FILES, FTW_DEPTH | FTW_PHYS);
}

struct old_folder {
    char *path;
    struct timespec time;
};

static int newest_first(const void *a, const void *b)
{
    const struct timespec *x = &((const struct old_folder *)a)->time,
                          *y = &((const struct old_folder *)b)->time;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? 1 : -1;
    return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

/* No executor holds a lock on the folder. */
static bool is_unlocked(const char *path, struct stat *st)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool left = fd >= 0 && fstat(fd, st) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0)
        close(fd);
    return left;
}

static void remove_oldest(const char *home)
{
    struct old_folder *all = NULL;
    size_t count = 0, cap = 0;
    struct buf path = {0};
    buf_printf(&path, "%s/attempts/", home);
    size_t end = path.n;
    DIR *d = opendir(path.p);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        struct stat st;
        path.n = end;
        buf_add(&path, str_from(entry->d_name));
        if (entry->d_name[0] == '.' || !is_unlocked(path.p, &st))
            continue;
        mem_grow((void **)&all, &cap, count + 1, sizeof *all);
        all[count++] = (struct old_folder){str_dup(buf_str(&path)), st.st_mtim};
    }
    if (d)
        closedir(d);
    if (count)
        qsort(all, count, sizeof *all, newest_first);
    for (size_t i = 0; i < count; i++) {
        if (i >= EXECUTOR_KEEP)
            remove_folder(all[i].path);
        free(all[i].path);
    }
    free(all);
    buf_done(&path);
}

bool executor_folder_make(struct executor *e, struct error *err)
{
    struct executor_folder *f = &e->folder;
    if (!make_folder(e, err))
        return false;
    buf_printf(&f->task, "%s/task.yaml", f->path.p);
    buf_printf(&f->result, "%s/result.json", f->path.p);
    return write_task(f->task.p, buf_str(&e->yaml), err);
}

void executor_folder_leave(struct executor *e, bool keep)
{
    struct executor_folder *f = &e->folder;
    if (f->lock < 0)
        return;
    if (!keep)
        remove_folder(f->path.p);
    close(f->lock);
    f->lock = -1;
    if (keep)
        remove_oldest(e->o.home);
}
