#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/id.h"
#include "base/mem.h"

#define CHUNK     (64u * 1024)
#define MAX_LINKS 40 /* as many as the kernel follows */

/* "cannot read PATH: No such file or directory" */
static bool fail_with_errno(struct error *err, const char *what, const char *path, int code)
{
    char text[128];
    return error_set(err, ERR_IO, "cannot %s %s: %s", what, path,
                     strerror_r(code, text, sizeof text));
}

/* ---- read */

static bool too_large(struct error *err, const char *path, size_t max)
{
    return error_set(err, ERR_LIMIT, "cannot read %s: it is larger than %zu bytes", path, max);
}

static bool read_all(int fd, const char *path, size_t max, struct buf *out, struct error *err)
{
    size_t before = out->n;
    char chunk[CHUNK];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0)
            return true;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_with_errno(err, "read", path, errno);
        if ((size_t)n > max - (out->n - before))
            return too_large(err, path, max);
        if (!buf_add(out, str_make(chunk, (size_t)n)))
            return too_large(err, path, out->max ? out->max : BUF_DEFAULT_MAX);
    }
}

static bool read_open(int fd, const char *path, size_t max, struct buf *out, struct error *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return fail_with_errno(err, "read", path, errno);
    if (S_ISDIR(st.st_mode))
        return fail_with_errno(err, "read", path, EISDIR);
    if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode)) /* /dev/null counts as an empty file */
        return error_set(err, ERR_IO, "cannot read %s: it is not a file", path);
    if (S_ISREG(st.st_mode) && (uint64_t)st.st_size > max)
        return too_large(err, path, max);

    size_t n = out->n;
    bool overflow = out->overflow;
    if (S_ISREG(st.st_mode) && st.st_size > 0)
        buf_room(out, (size_t)st.st_size); /* allocate once; read_all() reports an overflow */
    if (read_all(fd, path, max, out, err))
        return true;
    out->n = n;
    out->overflow = overflow;
    if (out->p)
        out->p[n] = 0;
    return false;
}

bool file_read(const char *path, size_t max, struct buf *out, struct error *err)
{
    /* O_NONBLOCK: opening a pipe does not wait for its writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return fail_with_errno(err, "read", path, errno);
    bool ok = read_open(fd, path, max, out, err);
    close(fd);
    return ok;
}

/* ---- replace */

#define TEMP_HEAD ".replace-"
#define TEMP_TAIL ".tmp"

bool file_is_temporary(struct str path)
{
    size_t n = sizeof TEMP_HEAD - 1 + ID_LEN + sizeof TEMP_TAIL - 1;
    struct str name = path.n > n ? str_skip(path, path.n - n) : path;
    return name.n == n && str_starts(name, STR(TEMP_HEAD)) && str_ends(name, STR(TEMP_TAIL)) &&
           (path.n == n || path.p[path.n - n - 1] == '/');
}

/* Return name in the folder of path: "a/b" and "c" make "a/c". The caller frees it. */
static char *join_folder(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, n = strlen(name) + 1;
    char *joined = mem_alloc(folder + n);
    memcpy(joined, path, folder);
    memcpy(joined + folder, name, n);
    return joined;
}

/* Return the path at the end of all symbolic links, or NULL and errno if they form a cycle. Not
 * realpath(): the end need not exist. The caller frees it. */
static char *follow_links(const char *path)
{
    char *at = mem_dup(path, strlen(path) + 1);
    for (int i = 0; i < MAX_LINKS; i++) {
        char to[PATH_MAX];
        ssize_t n = readlink(at, to, sizeof to - 1);
        if (n < 0) /* not a link, or missing: the caller finds out */
            return at;
        to[n] = 0;
        char *next = to[0] == '/' ? mem_dup(to, (size_t)n + 1) : join_folder(at, to);
        free(at);
        at = next;
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

static bool write_all(int fd, struct str bytes)
{
    while (bytes.n) {
        ssize_t n = write(fd, bytes.p, bytes.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes = str_skip(bytes, (size_t)n);
    }
    return true;
}

/* Set the owner first: that clears the set-id bits. */
static bool copy_rights(int fd, const struct stat *old)
{
    struct stat now;
    if (fstat(fd, &now) < 0)
        return false;
    if ((now.st_uid != old->st_uid || now.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) < 0 && errno != EPERM)
        return false;
    return fchmod(fd, old->st_mode & 07777) == 0;
}

/* Write and sync the temporary file; errno on failure. old is NULL for a new file. */
static bool write_temp(const char *temp, struct str bytes, mode_t mode, const struct stat *old)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(temp, flags, old ? 0600 : mode);
    if (fd < 0)
        return false;
    bool ok = write_all(fd, bytes) && (!old || copy_rights(fd, old)) && fsync(fd) == 0;
    int code = errno;
    if (close(fd) < 0 && ok) { /* some file systems report a full disk only here */
        ok = errno == EINTR;
        code = errno;
    }
    if (!ok)
        unlink(temp);
    errno = code;
    return ok;
}

/* Make the rename durable. The replacement does not fail because the folder cannot be opened or the
 * file system does not support the sync. */
static bool sync_folder(const char *path)
{
    char *folder = join_folder(path, ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0)
        return true;
    bool ok = fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
    int code = errno;
    close(fd);
    errno = code;
    return ok;
}

static bool replace_target(const char *target, struct str bytes, mode_t mode, struct error *err)
{
    struct stat old;
    bool exists = stat(target, &old) == 0;
    if (!exists && errno != ENOENT)
        return fail_with_errno(err, "write", target, errno);
    if (exists && S_ISDIR(old.st_mode))
        return fail_with_errno(err, "write", target, EISDIR);
    if (exists && !S_ISREG(old.st_mode))
        return error_set(err, ERR_IO, "cannot write %s: it is not a regular file", target);

    char name[sizeof TEMP_HEAD TEMP_TAIL + ID_LEN], id[ID_LEN + 1];
    id_new(id);
    snprintf(name, sizeof name, TEMP_HEAD "%s" TEMP_TAIL, id);
    char *temp = join_folder(target, name);
    bool ok = write_temp(temp, bytes, mode, exists ? &old : NULL);
    if (!ok) {
        fail_with_errno(err, "write", target, errno);
    } else if (rename(temp, target) < 0) {
        ok = fail_with_errno(err, "write", target, errno);
        unlink(temp);
    } else if (!sync_folder(target)) {
        ok = fail_with_errno(err, "sync the folder of", target, errno);
    }
    free(temp);
    return ok;
}

bool file_replace(const char *path, struct str bytes, mode_t mode, struct error *err)
{
    char *target = follow_links(path);
    if (!target)
        return fail_with_errno(err, "write", path, errno);
    bool ok = replace_target(target, bytes, mode, err);
    free(target);
    return ok;
}

/* ---- the rest */

bool file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool file_make_dirs(const char *path, struct error *err)
{
    size_t n = strlen(path);
    if (n == 0)
        return fail_with_errno(err, "make the folder", "\"\"", ENOENT);
    char *at = mem_dup(path, n + 1);
    bool ok = true;
    for (size_t i = 1; ok && i <= n; i++) {
        if (path[i] != '/' && i < n)
            continue;
        at[i] = 0;
        /* Another process may create it at the same time: only its existence counts. */
        if (mkdir(at, 0777) < 0) {
            int code = errno;
            if (!is_folder(at))
                ok = fail_with_errno(err, "make the folder", at, code == EEXIST ? ENOTDIR : code);
        }
        at[i] = path[i];
    }
    free(at);
    return ok;
}
