#include "store/store_notify.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/store.h"

struct store_notify_listener {
    char *path;
    const char *channels[STORE_MAX_CHANNELS];
    int watches[STORE_MAX_CHANNELS];
    size_t count;
    int fd;
    bool is_new;  /* the next take returns all channels */
    bool is_lost; /* a file is gone; the descriptor stays open, as somebody may watch it */
};

static int touch_file(const char *path, const char *channel,
                      char to[PATH_MAX + STORE_MAX_CHANNEL + 2])
{
    snprintf(to, PATH_MAX + STORE_MAX_CHANNEL + 2, "%s.%s", path, channel);
    int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd >= 0)
        close(fd);
    return fd;
}

void store_notify_send(const char *path, const char *channel)
{
    char file[PATH_MAX + STORE_MAX_CHANNEL + 2];
    touch_file(path, channel, file);
}

struct store_notify_listener *store_notify_new(const char *path, const char *const *channels)
{
    struct store_notify_listener *w = mem_zalloc(sizeof *w);
    w->path = str_dup(str_from(path));
    w->fd = -1;
    while (w->count < STORE_MAX_CHANNELS && channels[w->count]) {
        w->channels[w->count] = channels[w->count];
        w->count++;
    }
    return w;
}

static void stop_watching(struct store_notify_listener *w)
{
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    w->is_lost = false;
}

void store_notify_listen(struct store_notify_listener *w)
{
    if (w->fd >= 0 && !w->is_lost)
        return;
    stop_watching(w);
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    for (size_t i = 0; w->fd >= 0 && i < w->count; i++) {
        char file[PATH_MAX + STORE_MAX_CHANNEL + 2];
        touch_file(w->path, w->channels[i], file); /* a file must exist to be watched */
        w->watches[i] = inotify_add_watch(
            w->fd, file, IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW);
        if (w->watches[i] < 0)
            stop_watching(w);
    }
    w->is_new = true;
}

int store_notify_descriptor(const struct store_notify_listener *w)
{
    return w->fd;
}

static unsigned bits_of(const struct store_notify_listener *w, const struct inotify_event *e,
                        bool *lost)
{
    if (e->mask & IN_Q_OVERFLOW)
        return ~0u;
    if (!(e->mask & IN_CLOSE_WRITE)) {
        *lost = true;
        return ~0u;
    }
    for (size_t i = 0; i < w->count; i++)
        if (w->watches[i] == e->wd)
            return 1u << i;
    return 0;
}

unsigned store_notify_take(struct store_notify_listener *w, bool *lost)
{
    _Alignas(struct inotify_event) char bytes[4096];
    unsigned bits = w->is_new ? ~0u : 0;
    ssize_t n = 0;
    w->is_new = false;
    while (w->fd >= 0 && ((n = read(w->fd, bytes, sizeof bytes)) > 0 || errno == EINTR))
        for (char *at = bytes; at < bytes + n;) {
            const struct inotify_event *e = (const void *)at;
            bits |= bits_of(w, e, &w->is_lost);
            at += sizeof *e + e->len;
        }
    *lost = w->is_lost;
    return bits & ((1u << w->count) - 1);
}

void store_notify_free(struct store_notify_listener *w)
{
    if (!w)
        return;
    stop_watching(w);
    free(w->path);
    free(w);
}
