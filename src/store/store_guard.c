#include "store/store_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

int64_t store_guard_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void store_guard_pause(unsigned count)
{
    unsigned us = 1000 + ((unsigned)getpid() * 977u + count * 613u) % 3000;
    nanosleep(&(struct timespec){0, (long)us * 1000}, NULL);
}

void store_guard_drop(struct store_guard *g)
{
    if (g->fd >= 0)
        close(g->fd);
    g->fd = -1;
}

/* On failure no lock is held, and errno is kept. */
static bool try_lock(struct store_guard *g, int how)
{
    if (g->fd < 0)
        g->fd = open(g->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (g->fd >= 0 && flock(g->fd, how | LOCK_NB) == 0)
        return true;
    int code = errno == EINTR ? EWOULDBLOCK : errno;
    store_guard_drop(g);
    errno = code;
    return false;
}

bool store_guard_share(struct store_guard *g)
{
    int64_t end = store_guard_clock() + g->wait_ms;
    for (unsigned i = 0; !try_lock(g, LOCK_SH); i++) {
        if (errno != EWOULDBLOCK)
            return false;
        if (store_guard_clock() >= end) {
            errno = EWOULDBLOCK;
            return false;
        }
        store_guard_pause(i);
    }
    return true;
}

bool store_guard_try_alone(struct store_guard *g)
{
    return try_lock(g, LOCK_EX);
}
