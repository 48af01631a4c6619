#include "agent/codex_session_log.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ENTRIES 100000u /* of one folder */
#define MAX_NEWEST  2u      /* newest years, months, days: a run may begin before midnight */

static bool is_id(struct str id)
{
    for (size_t i = 0; i < id.n; i++) {
        char c = id.p[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              c == '-'))
            return false;
    }
    return id.n >= 8;
}

static bool is_number(const char *name)
{
    return *name && strspn(name, "0123456789") == strlen(name) && strlen(name) <= 4;
}

static int compare_descending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x < y) - (x > y);
}

static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Find the largest numbers among the names in a folder. */
static size_t find_newest(int folder, int out[MAX_NEWEST])
{
    int fd = open_folder(folder, "."), found[MAX_NEWEST + 1];
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    size_t n = 0, seen = 0;
    if (!d) {
        if (fd >= 0)
            close(fd);
        return 0;
    }
    for (struct dirent *e; seen++ < MAX_ENTRIES && (e = readdir(d));) {
        if (!is_number(e->d_name))
            continue;
        found[n++] = atoi(e->d_name);
        qsort(found, n, sizeof *found, compare_descending);
        if (n > MAX_NEWEST)
            n = MAX_NEWEST;
    }
    closedir(d);
    memcpy(out, found, n * sizeof *out);
    return n;
}

static bool read_tail(int folder, const char *name, size_t max, struct buf *out)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    size_t size = (size_t)st.st_size, from = size > max ? size - max : 0, start = out->n;
    char *to = buf_room(out, size - from);
    ssize_t n = to ? pread(fd, to, size - from, (off_t)from) : -1;
    close(fd);
    if (n < 0)
        return false;
    struct str text = str_make(to, (size_t)n);
    size_t cut = from ? str_find_char(text, '\n') : 0; /* drop an incomplete first line */
    memmove(to, to + cut, text.n - cut);
    out->n = start + text.n - cut;
    out->p[out->n] = 0;
    return true;
}

static bool find_file(int folder, struct str id, size_t max, struct buf *out)
{
    int fd = open_folder(folder, ".");
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    struct buf end = {0};
    bool found = false;
    size_t seen = 0;
    if (!d) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    buf_printf(&end, "-%.*s.jsonl", STR_ARG(id));
    for (struct dirent *e; !found && seen++ < MAX_ENTRIES && (e = readdir(d));)
        found = str_starts(str_from(e->d_name), STR("rollout-")) &&
                str_ends(str_from(e->d_name), buf_str(&end)) &&
                read_tail(folder, e->d_name, max, out);
    closedir(d);
    buf_done(&end);
    return found;
}

/* Depth 0 is the sessions folder, depth 3 a day. */
static bool search_folder(int folder, int depth, struct str id, size_t max, struct buf *out)
{
    int names[MAX_NEWEST];
    if (depth == 3)
        return find_file(folder, id, max, out);
    size_t n = find_newest(folder, names);
    for (size_t i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, depth == 0 ? "%04d" : "%02d", names[i]);
        int fd = open_folder(folder, name);
        bool found = fd >= 0 && search_folder(fd, depth + 1, id, max, out);
        if (fd >= 0)
            close(fd);
        if (found)
            return true;
    }
    return false;
}

bool codex_session_log_read(const char *sessions, const char *id, size_t max, struct buf *out)
{
    if (!is_id(str_from(id)))
        return false;
    int fd = open_folder(AT_FDCWD, sessions);
    if (fd < 0)
        return false;
    bool found = search_folder(fd, 0, str_from(id), max, out);
    close(fd);
    return found;
}
