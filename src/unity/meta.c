#include "unity/meta.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool meta_guid(struct str head, struct guid *out)
{
    struct str bom = STR("\xEF\xBB\xBF"), key = STR("guid:"), line;
    if (str_starts(head, bom))
        head = str_skip(head, bom.n);
    while (head.n) {
        str_cut(&head, '\n', &line);
        if (!str_starts(line, key))
            continue;
        struct guid g;
        if (!guid_parse(str_trim(str_skip(line, key.n)), &g) || guid_is_zero(g))
            return false;
        *out = g;
        return true;
    }
    return false;
}

static size_t read_some(int fd, char *to, size_t n)
{
    ssize_t got;
    do
        got = read(fd, to, n);
    while (got < 0 && errno == EINTR);
    return got > 0 ? (size_t)got : 0;
}

enum meta_result meta_read(int folder_fd, const char *name, struct guid *out)
{
    /* O_NONBLOCK: do not wait for the writer of a pipe. */
    int fd = openat(folder_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? META_NONE : META_BAD;
    char text[META_MAX_BYTES];
    size_t n = read_some(fd, text, META_HEAD_BYTES);
    bool found = meta_guid(str_make(text, n), out);
    if (!found && n == META_HEAD_BYTES) {
        n += read_some(fd, text + n, sizeof text - n);
        found = meta_guid(str_make(text, n), out);
    }
    close(fd);
    return found ? META_OK : META_BAD;
}
