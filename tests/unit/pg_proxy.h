/* Something between a program and a PostgreSQL server that can go silent or break off: a unix
 * socket in the current folder (".s.PGSQL.5432") whose bytes go to the server's own and back.
 *
 *     struct pg_proxy p = {.server = "/tmp/x/.s.PGSQL.54321"};
 *     pg_proxy_start(&p);
 *     p.mode = PROXY_MUTE;       // what the program says arrives; the answer does not
 *     pg_proxy_stop(&p);
 */
#pragma once

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "test.h"

enum pg_proxy_mode {
    PROXY_FINE,
    PROXY_MUTE, /* answers are dropped; the connection breaks when the first one is there */
    PROXY_DEAF  /* nothing goes anywhere */
};

struct pg_proxy {
    const char *server;
    _Atomic int mode;
    _Atomic bool stop;
    _Atomic size_t trips; /* times the direction changed from there to here */
    int door;
    pthread_t thread;
};

static inline int pg_proxy_socket(const char *path, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(address->sun_path, sizeof address->sun_path, "%s", path);
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

/* False: that side is at its end. */
static inline bool pg_proxy_move(int from, int to)
{
    char bytes[65536];
    ssize_t n = read(from, bytes, sizeof bytes);
    for (ssize_t done = 0; done < n;) {
        ssize_t more = send(to, bytes + done, (size_t)(n - done), MSG_NOSIGNAL);
        if (more <= 0)
            return false;
        done += more;
    }
    return n > 0;
}

/* Either side until the other one ends, or the answer that must not arrive is there. */
static inline void pg_proxy_carry(struct pg_proxy *p, int here, int there)
{
    bool asked = false;
    while (!p->stop) {
        struct pollfd fds[2] = {{.fd = here, .events = POLLIN}, {.fd = there, .events = POLLIN}};
        poll(fds, 2, 5);
        if (p->mode == PROXY_DEAF)
            continue;
        if (fds[0].revents && !pg_proxy_move(here, there))
            return;
        asked |= fds[0].revents != 0;
        if (fds[1].revents && p->mode == PROXY_MUTE)
            return;
        if (fds[1].revents) {
            p->trips += asked;
            asked = false;
            if (!pg_proxy_move(there, here))
                return;
        }
    }
}

static inline void *pg_proxy_run(void *ctx)
{
    struct pg_proxy *p = ctx;
    struct sockaddr_un address;
    while (!p->stop) {
        struct pollfd door = {.fd = p->door, .events = POLLIN};
        if (poll(&door, 1, 5) <= 0)
            continue;
        int here = accept(p->door, NULL, NULL), there = pg_proxy_socket(p->server, &address);
        if (connect(there, (struct sockaddr *)&address, sizeof address) == 0)
            pg_proxy_carry(p, here, there);
        close(here);
        close(there);
    }
    return NULL;
}

static inline void pg_proxy_start(struct pg_proxy *p)
{
    struct sockaddr_un address;
    p->door = pg_proxy_socket(".s.PGSQL.5432", &address);
    assert_int_equal(bind(p->door, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(p->door, 8), 0);
    assert_int_equal(pthread_create(&p->thread, NULL, pg_proxy_run, p), 0);
}

static inline void pg_proxy_stop(struct pg_proxy *p)
{
    p->stop = true;
    pthread_join(p->thread, NULL);
    close(p->door);
}
