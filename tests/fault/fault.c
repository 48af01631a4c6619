/* fault.so: makes one function fail on the temporary files of a save. See README.md. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static bool is_requested(const char *what, int *code)
{
    static const struct {
        const char *name;
        int code;
    } codes[] = {{"ENOSPC", ENOSPC}, {"EROFS", EROFS}, {"EIO", EIO}, {"EACCES", EACCES}};
    const char *fault = getenv("FAULT");
    size_t n = strlen(what);
    if (fault == NULL || strncmp(fault, what, n) != 0 || fault[n] != ':')
        return false;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(fault + n + 1, codes[i].name) == 0) {
            *code = codes[i].code;
            return true;
        }
    return false;
}

static bool is_temporary(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0)
        return false;
    path[n] = '\0';
    return strstr(path, ".replace-") != NULL;
}

static void *find_real(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);
    if (f == NULL)
        abort();
    return f;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    static ssize_t (*next)(int, const void *, size_t);
    static bool is_full;
    if (next == NULL)
        *(void **)&next = find_real("write");
    int code;
    if (is_requested("write", &code) && is_temporary(fd)) {
        errno = code;
        return -1;
    }
    if (is_requested("short", &code) && is_temporary(fd)) {
        if (!is_full && n > 1) {
            is_full = true;
            return next(fd, bytes, n / 2);
        }
        errno = code;
        return -1;
    }
    return next(fd, bytes, n);
}

int fsync(int fd)
{
    static int (*next)(int);
    if (next == NULL)
        *(void **)&next = find_real("fsync");
    int code;
    struct stat st;
    if ((is_requested("fsync", &code) && is_temporary(fd)) ||
        (is_requested("sync", &code) && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))) {
        errno = code;
        return -1;
    }
    return next(fd);
}

static int open_with(const char *name, int at, const char *path, int flags, mode_t mode)
{
    int code;
    if (is_requested("open", &code) && (flags & O_CREAT) && strstr(path, ".replace-")) {
        errno = code;
        return -1;
    }
    if (strncmp(name, "openat", 6) == 0) {
        int (*next)(int, const char *, int, ...);
        *(void **)&next = find_real(name);
        return next(at, path, flags, mode);
    }
    int (*next)(const char *, int, ...);
    *(void **)&next = find_real(name);
    return next(path, flags, mode);
}

static mode_t mode_of(int flags, va_list args)
{
    return flags & O_CREAT ? (mode_t)va_arg(args, unsigned) : 0;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode_t mode = mode_of(flags, args);                                                        \
        va_end(args);                                                                              \
        return open_with(#name, AT_FDCWD, path, flags, mode);                                      \
    }
#define OPENAT(name)                                                                               \
    int name(int at, const char *path, int flags, ...)                                             \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode_t mode = mode_of(flags, args);                                                        \
        va_end(args);                                                                              \
        return open_with(#name, at, path, flags, mode);                                            \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

static bool refuse_rename(const char *from)
{
    int code;
    if (!is_requested("rename", &code) || !strstr(from, ".replace-"))
        return false;
    errno = code;
    return true;
}

int rename(const char *from, const char *to)
{
    static int (*next)(const char *, const char *);
    if (next == NULL)
        *(void **)&next = find_real("rename");
    return refuse_rename(from) ? -1 : next(from, to);
}

int renameat(int old_at, const char *from, int new_at, const char *to)
{
    static int (*next)(int, const char *, int, const char *);
    if (next == NULL)
        *(void **)&next = find_real("renameat");
    return refuse_rename(from) ? -1 : next(old_at, from, new_at, to);
}
