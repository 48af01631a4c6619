#include "unity/assets_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

static bool read_exactly(int fd, char *to, size_t n)
{
    while (n) {
        ssize_t got = read(fd, to, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        n -= (size_t)got;
    }
    return true;
}

static bool write_all(int fd, const char *from, size_t n)
{
    while (n) {
        ssize_t done = write(fd, from, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        from += done;
        n -= (size_t)done;
    }
    return true;
}

/* Read instead of mapping: truncating a mapped file would crash the program. */
static void *read_piece(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    char *piece = NULL;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
        (uint64_t)st.st_size <= ASSETS_CACHE_MAX_BYTES) {
        *size = (size_t)st.st_size;
        piece = mem_alloc(*size);
        if (!read_exactly(fd, piece, *size)) {
            free(piece);
            piece = NULL;
        }
    }
    if (fd >= 0)
        close(fd);
    return piece;
}

bool assets_cache_load(const struct project *p, struct assets_table *out)
{
    struct buf path = {0};
    size_t size = 0;
    void *piece = NULL;
    if (project_contains(p, STR(ASSETS_CACHE_PATH), &path))
        piece = read_piece(path.p, &size);
    buf_done(&path);
    if (piece && assets_table_check(out, piece, size))
        return true;
    free(piece);
    return false;
}

static bool replace_file(const char *path, const struct assets_table *t)
{
    /* The process id: a file left by a killed process is overwritten some day. */
    struct buf temp = {0};
    buf_printf(&temp, "%s.%ld.tmp", path, (long)getpid());
    int fd = open(temp.p, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
    bool ok = fd >= 0 && write_all(fd, (const char *)t->head, (size_t)t->head->size);
    if (fd >= 0)
        ok = close(fd) == 0 && ok;
    ok = ok && rename(temp.p, path) == 0;
    if (!ok && fd >= 0)
        unlink(temp.p);
    buf_done(&temp);
    return ok;
}

bool assets_cache_store(const struct project *p, struct assets_table *t)
{
    struct buf path = {0};
    bool ok = t->head->size <= ASSETS_CACHE_MAX_BYTES &&
              project_contains(p, STR(ASSETS_CACHE_PATH), &path);
    if (ok) {
        char *name = strrchr(path.p, '/');
        *name = 0;
        ok = file_make_dirs(path.p, NULL);
        *name = '/';
    }
    if (ok) {
        t->head->checksum = assets_table_checksum(t);
        ok = replace_file(path.p, t);
    }
    buf_done(&path);
    return ok;
}
