/* The fast parts of bridge_bench.mjs: a client, and a bare exchange to compare with.
 *
 *     bridge_load call PORT CONNECTIONS SECONDS FILE    sends FILE (head and body of a POST) over
 *     bridge_load call PORT CONNECTIONS SECONDS FILE    sends FILE (head and body of a POST)
 *                                                       repeatedly over each connection
 *     bridge_load pingpong BYTES SECONDS                client -> relay -> far end and back, only
 *
 * epoll, on the core it runs on */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

#define MAX_CALLS (8u << 20)

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bridge_load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* ---- sockets */

static void set_nodelay(int fd)
{
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static int connect_port(uint16_t port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at) != 0)
        die("connect");
    set_nodelay(fd);
    return fd;
}

static int listen_any(uint16_t *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t n = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, n) != 0 || listen(fd, 16) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &n) != 0)
        die("listen");
    *port = ntohs(at.sin_port);
    return fd;
}

static void watch_fd(int poll, int fd, void *what)
{
    struct epoll_event e = {.events = EPOLLIN, .data = {.ptr = what}};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &e) != 0)
        die("epoll_ctl");
}

static void wait_one(int poll, struct epoll_event *e, int max, int *count)
{
    do
        *count = epoll_wait(poll, e, max, -1);
    while (*count < 0 && errno == EINTR);
}

static void write_all(int fd, struct str bytes)
{
    while (bytes.n) {
        ssize_t n = write(fd, bytes.p, bytes.n);
        if (n < 0)
            die("write");
        bytes = str_skip(bytes, (size_t)n);
    }
}

/* ---- times */

struct load_times {
    double *us;
    size_t count;
    double started, ends;
    uint64_t bytes;
};

static void start_times(struct load_times *t, double seconds)
{
    t->us = mem_alloc(MAX_CALLS * sizeof *t->us);
    t->started = now_us();
    t->ends = t->started + seconds * 1e6;
}

static void add_time(struct load_times *t, double us)
{
    if (t->count < MAX_CALLS)
        t->us[t->count++] = us;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void print_times(struct load_times *t)
{
    double us = now_us() - t->started;
    qsort(t->us, t->count, sizeof *t->us, compare_times);
    printf("{\"calls\":%zu,\"us\":%.0f,\"p50\":%.1f,\"p99\":%.1f,\"bytes\":%llu}\n", t->count, us,
           t->count ? t->us[t->count / 2] : 0, t->count ? t->us[t->count * 99 / 100] : 0,
           (unsigned long long)t->bytes);
    free(t->us);
}

/* ---- call */

struct load_client {
    int fd;
    struct buf call;
    struct buf in;
    size_t need; /* bytes of the whole response; 0: not known yet */
    double sent;
};

static size_t answer_size(struct str text)
{
    struct str mark = STR("\r\n\r\n"), field = STR("Content-Length: ");
    size_t end = str_find(text, mark);
    if (end == text.n)
        return 0;
    struct str head = str_head(text, end);
    if (!str_starts(head, STR("HTTP/1.1 200"))) {
        fprintf(stderr, "bridge_load: not an answer: %.*s\n", STR_ARG(str_head(text, 2000)));
        exit(1);
    }
    size_t at = str_find(head, field);
    if (at == head.n) {
        field = STR("content-length: ");
        at = str_find(head, field);
    }
    if (at < head.n)
        return end + mark.n + strtoull(head.p + at + field.n, NULL, 10);
    return str_ends(text, STR("0\r\n\r\n")) ? text.n : 0; /* in chunks: an event stream */
}

static bool is_whole(struct load_client *c)
{
    if (!c->need)
        c->need = answer_size(buf_str(&c->in));
    return c->need && c->in.n >= c->need;
}

static void read_some(struct load_client *c)
{
    char *to = buf_room(&c->in, 1u << 18);
    ssize_t n = to ? read(c->fd, to, 1u << 18) : -1;
    if (n <= 0)
        die("read");
    c->in.n += (size_t)n;
    c->in.p[c->in.n] = 0;
}

static void send_call(struct load_client *c)
{
    buf_clear(&c->in);
    c->need = 0;
    c->sent = now_us();
    write_all(c->fd, buf_str(&c->call));
}

/* The same text except for the id: a session accepts each id only once at a time. */
static void set_call(struct load_client *c, struct str call, size_t number)
{
    struct str mark = STR("\"id\":1000");
    size_t at = str_find(call, mark);
    buf_add(&c->call, str_head(call, at));
    buf_printf(&c->call, "\"id\":%zu", 1000 + number);
    buf_add(&c->call, str_skip(call, at + mark.n));
}

static void on_readable(struct load_client *c, struct load_times *t, size_t *open)
{
    read_some(c);
    if (!is_whole(c))
        return;
    double now = now_us();
    bool failed = str_find(buf_str(&c->in), STR("\"isError\":true")) < c->in.n;
    if (failed) {
        fprintf(stderr, "bridge_load: the call failed: %.*s\n",
                STR_ARG(str_head(buf_str(&c->in), 2000)));
        exit(1);
    }
    add_time(t, now - c->sent);
    t->bytes += c->need;
    if (now < t->ends)
        send_call(c);
    else
        --*open;
}

static void run_calls(uint16_t port, size_t connections, double seconds, struct str call)
{
    struct load_client *clients = mem_zalloc(connections * sizeof *clients);
    struct load_times t = {0};
    size_t open = connections;
    int poll = epoll_create1(EPOLL_CLOEXEC);
    start_times(&t, seconds);
    for (size_t i = 0; i < connections; i++) {
        clients[i].fd = connect_port(port);
        watch_fd(poll, clients[i].fd, &clients[i]);
        set_call(&clients[i], call, i);
        send_call(&clients[i]);
    }
    while (open) {
        struct epoll_event events[64];
        int count;
        wait_one(poll, events, 64, &count);
        for (int i = 0; i < count; i++)
            on_readable(events[i].data.ptr, &t, &open);
    }
    print_times(&t);
    for (size_t i = 0; i < connections; i++) {
        close(clients[i].fd);
        buf_done(&clients[i].in);
        buf_done(&clients[i].call);
    }
    close(poll);
    free(clients);
}

/* ---- pingpong */

/* Passes everything from a socket to its other one: the relay has two, the far end sends back. */
struct pipe_end {
    int from, to;
};

static _Noreturn void pass_on(int a, int b)
{
    struct pipe_end ends[2] = {{a, b}, {b, a}};
    char bytes[4096];
    int poll = epoll_create1(EPOLL_CLOEXEC);
    watch_fd(poll, a, &ends[0]);
    if (b != a)
        watch_fd(poll, b, &ends[1]);
    for (;;) {
        struct epoll_event e;
        int count;
        wait_one(poll, &e, 1, &count);
        const struct pipe_end *end = e.data.ptr;
        ssize_t n = read(end->from, bytes, sizeof bytes);
        if (n <= 0)
            _exit(0);
        write_all(end->to, str_make(bytes, (size_t)n));
    }
}

/* A child that accepts one connection and passes data on, to `next` or back. */
static uint16_t start_stage(uint16_t next)
{
    uint16_t port;
    int listener = listen_any(&port);
    pid_t pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int far = next ? connect_port(next) : -1;
        int near = accept(listener, NULL, NULL);
        set_nodelay(near);
        pass_on(near, next ? far : near);
    }
    close(listener);
    return port;
}

static void run_pingpong(size_t bytes, double seconds)
{
    char *text = mem_zalloc(bytes);
    struct load_times t = {0};
    uint16_t far = start_stage(0), relay = start_stage(far);
    int fd = connect_port(relay), poll = epoll_create1(EPOLL_CLOEXEC);
    watch_fd(poll, fd, NULL);
    start_times(&t, seconds);
    while (now_us() < t.ends) {
        double sent = now_us();
        write_all(fd, str_make(text, bytes));
        for (size_t got = 0; got < bytes;) {
            struct epoll_event e;
            int count;
            wait_one(poll, &e, 1, &count);
            ssize_t n = read(fd, text, bytes);
            if (n <= 0)
                die("read");
            got += (size_t)n;
        }
        add_time(&t, now_us() - sent);
        t.bytes += bytes;
    }
    print_times(&t);
    close(fd);
    close(poll);
    free(text);
    while (wait(NULL) > 0) {
    }
}

static struct buf read_file(const char *path)
{
    struct buf text = {0};
    char bytes[65536];
    FILE *f = fopen(path, "rb");
    if (!f)
        die(path);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        buf_add(&text, str_make(bytes, n));
    fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    if (argc == 6 && strcmp(argv[1], "call") == 0) {
        struct buf call = read_file(argv[5]);
        run_calls((uint16_t)atoi(argv[2]), (size_t)atoi(argv[3]), atof(argv[4]), buf_str(&call));
        buf_done(&call);
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "pingpong") == 0) {
        run_pingpong((size_t)atoi(argv[2]), atof(argv[3]));
        return 0;
    }
    fprintf(stderr, "usage: bridge_load call PORT CONNECTIONS SECONDS FILE | pingpong BYTES "
                    "SECONDS\n");
    return 2;
}
