#include "net/tcp.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "base/mem.h"

#define BACKLOG     511
#define PORT_TRIES  32  /* attempts to find a port that is free on both addresses */
#define ACCEPT_TURN 64  /* connections accepted per turn of the loop */
#define PAUSE_MS    100 /* pause of accepting when there are no free descriptors */

struct listen_socket { /* a listening socket */
    uv_poll_t poll;    /* first: the handle is cast to this struct */
    struct tcp_listener *listener;
    int fd; /* -1: the machine does not have this address */
};

struct tcp_listener {
    struct listen_socket sockets[2]; /* 127.0.0.1 and ::1 */
    size_t open;                     /* handles not closed yet */
    struct loop *loop;
    struct timer pause;
    tcp_connection_fn *on_connection;
    void *ctx;
    uint16_t port;
    bool closing;
};

/* ---- accepting */

static void on_nothing(struct stream *s, void *ctx)
{
    (void)s;
    (void)ctx;
}

static void on_no_end(struct stream *s, const char *why, void *ctx)
{
    (void)why;
    (void)ctx;
    stream_close(s);
}

static const struct stream_events no_events = {.on_end = on_no_end, .on_closed = on_nothing};

static void watch_sockets(struct tcp_listener *l);

static void on_pause_over(void *ctx)
{
    watch_sockets(ctx);
}

/* Stop accepting for a while: the kernel would report the waiting connection again at once. */
static void pause_accepting(struct tcp_listener *l)
{
    for (size_t i = 0; i < 2; i++)
        if (l->sockets[i].fd >= 0)
            uv_poll_stop(&l->sockets[i].poll);
    timer_start(&l->pause, l->loop, PAUSE_MS, on_pause_over, l);
}

/* Accept one connection. Return false if there is no more now. */
static bool accept_one(struct tcp_listener *l, int listener_fd)
{
    int fd = accept4(listener_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return false;
    if (fd < 0) {
        /* Other errors concern a connection that was closed in the meantime. */
        bool full = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        if (full)
            pause_accepting(l);
        return !full;
    }
    struct stream *s = stream_open_fd(l->loop, fd, &no_events, NULL, NULL);
    if (s)
        l->on_connection(s, l->ctx);
    else
        close(fd);
    return !l->closing;
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    struct listen_socket *d = (struct listen_socket *)(void *)poll;
    (void)events;
    if (status < 0) {
        pause_accepting(d->listener);
        return;
    }
    for (int i = 0; i < ACCEPT_TURN && accept_one(d->listener, d->fd); i++) {
    }
}

static void watch_sockets(struct tcp_listener *l)
{
    for (size_t i = 0; i < 2; i++)
        if (l->sockets[i].fd >= 0 && uv_poll_start(&l->sockets[i].poll, UV_READABLE, on_readable))
            mem_die("cannot watch_sockets a listening socket");
}

/* ---- binding */

static socklen_t make_address(int family, uint16_t port, struct sockaddr_storage *to)
{
    memset(to, 0, sizeof *to);
    if (family == AF_INET) {
        struct sockaddr_in *in = (struct sockaddr_in *)to;
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
        in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return sizeof *in;
    }
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)to;
    in6->sin6_family = AF_INET6;
    in6->sin6_port = htons(port);
    in6->sin6_addr = in6addr_loopback;
    return sizeof *in6;
}

/* Return a listening socket, or a negative errno. */
static int open_socket(int family, uint16_t port)
{
    struct sockaddr_storage address;
    socklen_t size = make_address(family, port, &address);
    const int on = 1;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on,
               sizeof on); /* allow old connections in TIME_WAIT */
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&address, size) || listen(fd, BACKLOG)) {
        int failed = errno;
        close(fd);
        return -failed;
    }
    return fd;
}

static uint16_t read_port(int fd)
{
    struct sockaddr_in in = {0};
    socklen_t size = sizeof in;
    if (getsockname(fd, (struct sockaddr *)&in, &size))
        mem_die("a listening socket has no address");
    return ntohs(in.sin_port);
}

static bool is_absent(int rc)
{
    return rc == -EAFNOSUPPORT || rc == -EADDRNOTAVAIL || rc == -EPROTONOSUPPORT;
}

/* Open both sockets on one port. Return 0, or a negative errno with nothing open. */
static int open_sockets(uint16_t port, int fds[2])
{
    int rc = open_socket(AF_INET, port);
    if (rc < 0)
        return rc;
    fds[0] = rc;
    rc = open_socket(AF_INET6, read_port(fds[0]));
    fds[1] = rc < 0 ? -1 : rc;
    if (rc >= 0 || is_absent(rc))
        return 0;
    close(fds[0]); /* localhost must not be two programs, one per address */
    return rc;
}

/* ---- life */

struct tcp_listener *tcp_listen(struct loop *loop, uint16_t port, tcp_connection_fn *on_connection,
                                void *ctx, struct error *err)
{
    int fds[2];
    int rc = open_sockets(port, fds);
    for (int i = 1; i < PORT_TRIES && port == 0 && rc == -EADDRINUSE; i++)
        rc = open_sockets(port, fds);
    if (rc == -EADDRINUSE) {
        error_set(err, ERR_IN_USE, "port %u is in use by another program", port);
        return NULL;
    }
    if (rc < 0) {
        error_set(err, ERR_IO, "cannot listen on 127.0.0.1:%u: %s", port, uv_strerror(rc));
        return NULL;
    }
    struct tcp_listener *l = mem_zalloc(sizeof *l);
    l->loop = loop;
    l->on_connection = on_connection;
    l->ctx = ctx;
    l->port = read_port(fds[0]);
    for (size_t i = 0; i < 2; i++) {
        l->sockets[i].listener = l;
        l->sockets[i].fd = fds[i];
        if (fds[i] < 0)
            continue;
        l->open++;
        if (uv_poll_init(loop_uv(loop), &l->sockets[i].poll, fds[i]))
            mem_die("cannot watch_sockets a listening socket");
    }
    watch_sockets(l);
    return l;
}

uint16_t tcp_listener_port(const struct tcp_listener *l)
{
    return l->port;
}

static void on_socket_closed(uv_handle_t *handle)
{
    struct tcp_listener *l = ((struct listen_socket *)(void *)handle)->listener;
    if (--l->open == 0)
        free(l);
}

void tcp_listener_close(struct tcp_listener *l)
{
    if (!l || l->closing)
        return;
    l->closing = true;
    timer_stop(&l->pause);
    for (size_t i = 0; i < 2; i++)
        if (l->sockets[i].fd >= 0) {
            uv_close((uv_handle_t *)&l->sockets[i].poll, on_socket_closed);
            close(l->sockets[i].fd); /* now, so that the port is free when this returns */
        }
}

/* ---- connecting */

struct tcp_attempt {
    struct loop *loop;
    struct timer start;
    tcp_connected_fn *on_connected;
    void *ctx;
    uint16_t port;
    int family;
    int why;         /* error of the first address, which is the expected one */
    uv_poll_t *poll; /* NULL: not connecting */
    int fd;
};

static void on_poll_closed(uv_handle_t *handle)
{
    free(handle);
}

static void unwatch_socket(struct tcp_attempt *a)
{
    if (a->poll)
        uv_close((uv_handle_t *)a->poll, on_poll_closed);
    a->poll = NULL;
}

static void report_result(struct tcp_attempt *a, struct stream *s)
{
    tcp_connected_fn *on_connected = a->on_connected;
    void *ctx = a->ctx;
    int why = a->why;
    free(a);
    on_connected(s, s ? NULL : uv_strerror(why), ctx);
}

static int begin_connect(struct tcp_attempt *a);

/* Try the next address, or report the failure. */
static void give_up_address(struct tcp_attempt *a, int rc)
{
    if (a->fd >= 0)
        close(a->fd);
    a->fd = -1;
    a->why = a->why ? a->why : rc;
    if (a->family == AF_INET) {
        a->family = AF_INET6;
        rc = begin_connect(a);
        if (rc == 0)
            return;
        if (a->fd >= 0)
            close(a->fd);
    }
    report_result(a, NULL);
}

static void on_writable(uv_poll_t *poll, int status, int events)
{
    struct tcp_attempt *a = poll->data;
    int failed = 0;
    socklen_t size = sizeof failed;
    (void)events;
    unwatch_socket(a); /* first: a descriptor may have one handle in the loop */
    if (getsockopt(a->fd, SOL_SOCKET, SO_ERROR, &failed, &size))
        failed = errno;
    if (status < 0 || failed) {
        give_up_address(a, failed ? -failed : status);
        return;
    }
    struct stream *s = stream_open_fd(a->loop, a->fd, &no_events, NULL, NULL);
    if (s)
        report_result(a, s);
    else
        give_up_address(a, -EIO);
}

/* Return 0 if on_writable() follows; else a negative errno, and the caller closes a->fd. */
static int begin_connect(struct tcp_attempt *a)
{
    struct sockaddr_storage address;
    socklen_t size = make_address(a->family, a->port, &address);
    a->fd = socket(a->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (a->fd < 0)
        return -errno;
    if (connect(a->fd, (struct sockaddr *)&address, size) && errno != EINPROGRESS)
        return -errno;
    a->poll = mem_zalloc(sizeof *a->poll);
    a->poll->data = a;
    if (uv_poll_init(loop_uv(a->loop), a->poll, a->fd) ||
        uv_poll_start(a->poll, UV_WRITABLE, on_writable))
        mem_die("cannot watch_sockets a connecting socket");
    return 0;
}

static void on_attempt(void *ctx)
{
    struct tcp_attempt *a = ctx;
    int rc = begin_connect(a);
    if (rc)
        give_up_address(a, rc);
}

struct tcp_attempt *tcp_connect(struct loop *loop, uint16_t port, tcp_connected_fn *on_connected,
                                void *ctx)
{
    struct tcp_attempt *a = mem_zalloc(sizeof *a);
    *a = (struct tcp_attempt){
        .loop = loop, .on_connected = on_connected, .ctx = ctx, .port = port, .family = AF_INET};
    a->fd = -1;
    timer_start(&a->start, loop, 0, on_attempt, a);
    return a;
}

void tcp_attempt_cancel(struct tcp_attempt *a)
{
    if (!a)
        return;
    timer_stop(&a->start);
    unwatch_socket(a);
    if (a->fd >= 0)
        close(a->fd);
    free(a);
}
