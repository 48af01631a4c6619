#include "peer.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static uint64_t began_ms;

__attribute__((constructor)) static void begin(void)
{
    began_ms = now_ms();
}

uint64_t peer_deadline(void)
{
    return began_ms + PEER_LIMIT_MS;
}

/* ---- the server */

/* Read its first line, which names the port. */
static bool read_port(struct server *s)
{
    struct buf line = buf_make(4096);
    struct str mark = STR("http://127.0.0.1:");
    uint64_t end = peer_deadline();
    bool ok = false;
    while (!ok && now_ms() < end && !line.overflow) {
        struct pollfd ready = {.fd = s->log, .events = POLLIN};
        char c;
        if (poll(&ready, 1, 100) <= 0)
            continue;
        if (read(s->log, &c, 1) != 1)
            break;
        buf_add_char(&line, c);
        size_t at = str_find(buf_str(&line), mark);
        uint64_t port;
        if (c == '/' && at < line.n && line.n > at + mark.n + 1 &&
            str_to_u64(str_make(line.p + at + mark.n, line.n - at - mark.n - 1), &port)) {
            s->port = (uint16_t)port;
            ok = true;
        }
    }
    buf_done(&line);
    return ok;
}

bool server_start(struct server *s, const char *program)
{
    int ends[2];
    *s = (struct server){.log = -1};
    signal(SIGPIPE, SIG_IGN);
    if (pipe(ends))
        return false;
    s->pid = fork();
    if (s->pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(program, program, "--port", "0", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    s->log = ends[0];
    return s->pid > 0 && read_port(s);
}

bool server_is_alive(const struct server *s)
{
    return kill(s->pid, 0) == 0 && waitpid(s->pid, NULL, WNOHANG) == 0;
}

/* Show what it wrote meanwhile, a sanitizer's report for example. */
static void show_log(struct server *s)
{
    char text[4096];
    fcntl(s->log, F_SETFL, O_NONBLOCK);
    for (ssize_t n; (n = read(s->log, text, sizeof text)) > 0;)
        fwrite(text, 1, (size_t)n, stderr);
}

int server_stop(struct server *s)
{
    int status = -1;
    uint64_t end = peer_deadline();
    kill(s->pid, SIGTERM);
    pid_t got;
    while ((got = waitpid(s->pid, &status, WNOHANG)) == 0 && now_ms() < end)
        usleep(2000);
    if (got == 0) {
        kill(s->pid, SIGKILL);
        waitpid(s->pid, &status, 0);
    }
    bool good = got > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good)
        show_log(s);
    close(s->log);
    return got > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

size_t server_rss_kb(const struct server *s)
{
    char path[64], line[256];
    size_t kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)s->pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmRSS: %zu kB", &kb) == 1)
            break;
    if (f)
        fclose(f);
    return kb;
}

size_t server_descriptors(const struct server *s)
{
    char path[64];
    size_t n = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)s->pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));)
        n += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

/* ---- connections */

bool peer_open(struct raw_peer *p, uint16_t port)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
    int one = 1;
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *p = (struct raw_peer){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (p->fd < 0 || connect(p->fd, (struct sockaddr *)&in, sizeof in)) {
        perror("connect");
        return false;
    }
    setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(p->fd, F_SETFL, O_NONBLOCK);
    return true;
}

void peer_close(struct raw_peer *p)
{
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
    buf_done(&p->in);
}

void peer_reset(struct raw_peer *p)
{
    struct linger l = {.l_onoff = 1, .l_linger = 0};
    setsockopt(p->fd, SOL_SOCKET, SO_LINGER, &l, sizeof l);
    peer_close(p);
}

/* Read what has arrived, waiting at most this long. False: nothing came. */
static bool read_available(struct raw_peer *p, int ms)
{
    struct pollfd ready = {.fd = p->fd, .events = POLLIN};
    if (p->ended || poll(&ready, 1, ms) <= 0)
        return false;
    char *to = buf_room(&p->in, 64u << 10);
    ssize_t n = to ? recv(p->fd, to, 64u << 10, 0) : 0;
    if (n > 0)
        p->in.n += (size_t)n;
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        p->ended = true;
    return true;
}

bool peer_send(struct raw_peer *p, struct str bytes)
{
    uint64_t end = peer_deadline();
    while (bytes.n) {
        ssize_t n = send(p->fd, bytes.p, bytes.n, MSG_NOSIGNAL);
        if (n > 0) {
            bytes = str_skip(bytes, (size_t)n);
        } else if (errno == EAGAIN) {
            struct pollfd ready = {.fd = p->fd, .events = p->blind ? POLLOUT : POLLIN | POLLOUT};
            if (now_ms() > end || poll(&ready, 1, 1000) < 0)
                return false;
            /* Like a careful client: read an early response. */
            if ((ready.revents & POLLIN) && p->in.n < 1u << 20)
                read_available(p, 0);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

void peer_end(struct raw_peer *p)
{
    shutdown(p->fd, SHUT_WR);
}

bool peer_is_ended(struct raw_peer *p, int ms)
{
    uint64_t end = now_ms() + (uint64_t)ms;
    do {
        uint64_t now = now_ms();
        read_available(p, now < end ? (int)(end - now) : 0);
    } while (!p->ended && now_ms() < end);
    return p->ended;
}

bool peer_hears(struct raw_peer *p, const char *text)
{
    uint64_t end = peer_deadline();
    while (str_find(buf_str(&p->in), str_from(text)) == p->in.n) {
        if (p->ended || now_ms() > end)
            return false;
        read_available(p, 100);
    }
    return true;
}

/* ---- answers */

void answer_done(struct raw_answer *a)
{
    buf_done(&a->head);
    buf_done(&a->body);
    *a = (struct raw_answer){0};
}

struct str answer_header(const struct raw_answer *a, const char *name)
{
    struct str rest = buf_str(&a->head), line, key;
    while (rest.n) {
        str_cut(&rest, '\n', &line);
        if (str_cut(&line, ':', &key) && str_eq_nocase(key, str_from(name)))
            return str_trim(line);
    }
    return (struct str){0};
}

static bool read_head(struct raw_peer *p, struct raw_answer *a, uint64_t end)
{
    for (;;) {
        struct str in = buf_str(&p->in);
        size_t at = str_find(in, STR("\r\n\r\n"));
        int status = 0;
        if (at < in.n && sscanf(in.p, "HTTP/1.1 %3d", &status) == 1) {
            buf_clear(&a->head);
            buf_add(&a->head, str_head(in, at + 2));
            buf_drop(&p->in, at + 4);
            a->status = status;
            if (status >= 200)
                return true;
            continue; /* 100 Continue */
        }
        if (now_ms() > end || p->ended)
            return false;
        read_available(p, 100);
    }
}

/* Take one chunk into the body. -1: incomplete, 0: the last one, 1: one of several. */
static int take_chunk(struct raw_peer *p, struct raw_answer *a)
{
    struct str in = buf_str(&p->in);
    size_t line = str_find(in, STR("\r\n"));
    char *stop;
    if (line == in.n)
        return -1;
    size_t n = strtoul(in.p, &stop, 16);
    if (in.n < line + 2 + n + 2)
        return -1;
    buf_add(&a->body, str_make(in.p + line + 2, n));
    buf_drop(&p->in, line + 2 + n + 2);
    return n > 0;
}

static bool read_chunks(struct raw_peer *p, struct raw_answer *a, const char *until, uint64_t end)
{
    for (;;) {
        int got = take_chunk(p, a);
        if (got == 0) {
            a->whole = true;
            return true;
        }
        if (until && str_find(buf_str(&a->body), str_from(until)) < a->body.n)
            return true;
        if (got < 0 && (p->ended || now_ms() > end))
            return false;
        if (got < 0)
            read_available(p, 100);
    }
}

static bool read_answer(struct raw_peer *p, struct raw_answer *a, const char *until, bool events)
{
    uint64_t end = peer_deadline(), n = 0;
    answer_done(a);
    if (!read_head(p, a, end))
        return false;
    a->stream = str_eq(answer_header(a, "Content-Type"), STR("text/event-stream"));
    if (a->stream && events && !until)
        return true;
    if (answer_header(a, "Transfer-Encoding").n)
        return read_chunks(p, a, until, end);
    str_to_u64(answer_header(a, "Content-Length"), &n);
    while (p->in.n < n && !p->ended && now_ms() < end)
        read_available(p, 100);
    buf_add(&a->body, str_head(buf_str(&p->in), (size_t)n));
    a->whole = a->body.n == n;
    buf_drop(&p->in, (size_t)n);
    return a->whole;
}

bool peer_read(struct raw_peer *p, struct raw_answer *a)
{
    return read_answer(p, a, NULL, false);
}

bool peer_read_events(struct raw_peer *p, struct raw_answer *a, const char *until)
{
    return read_answer(p, a, until, true);
}
