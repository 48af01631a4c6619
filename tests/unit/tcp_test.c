#include "net/tcp.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "test.h"
#include "wire.h"

struct host {
    struct loop *loop;
    struct tcp_listener *l;
    struct buf in;
    size_t connections, ends, closed;
    bool close_listener;
};

static void on_read(struct stream *s, struct str bytes, void *ctx)
{
    (void)s;
    buf_add(&((struct host *)ctx)->in, bytes);
}

static void on_end(struct stream *s, const char *why, void *ctx)
{
    (void)why;
    ((struct host *)ctx)->ends++;
    stream_close(s);
}

static void on_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct host *)ctx)->closed++;
}

static const struct stream_events events = {on_read, on_end, NULL, on_closed};

static void on_connection(struct stream *s, void *ctx)
{
    struct host *h = ctx;
    h->connections++;
    stream_set_events(s, &events, h);
    stream_read_start(s);
    stream_write(s, STR("welcome"));
    if (h->close_listener)
        tcp_listener_close(h->l);
}

static void listen_at(struct host *h, uint16_t port)
{
    struct error err = {0};
    h->l = tcp_listen(h->loop, port, on_connection, h, &err);
    if (!h->l)
        fail_msg("%s", err.text);
}

static void end(struct host *h)
{
    tcp_listener_close(h->l);
    WIRE_UNTIL(h->loop, h->closed == h->connections);
    loop_free(h->loop);
    buf_done(&h->in);
}

static int connect_6(uint16_t port)
{
    struct sockaddr_in6 in = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    in.sin6_addr = in6addr_loopback;
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&in, sizeof in)) {
        close(fd);
        return -1;
    }
    return fd;
}

static bool has_ipv6(void)
{
    struct sockaddr_in6 in = {.sin6_family = AF_INET6};
    in.sin6_addr = in6addr_loopback;
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool has = fd >= 0 && bind(fd, (struct sockaddr *)&in, sizeof in) == 0;
    if (fd >= 0)
        close(fd);
    return has;
}

TEST(a_connection_is_accepted_and_transfers_bytes)
{
    struct host h = {.loop = loop_new()};
    struct wire w;
    listen_at(&h, 0);
    assert_true(tcp_listener_port(h.l) > 0);
    wire_open(&w, h.loop, tcp_listener_port(h.l));
    wire_send(&w, STR("hello"));
    WIRE_UNTIL(h.loop, h.in.n == 5 && w.in.n == 7);
    CHECK_STR(buf_str(&h.in), STR("hello"));
    wire_close(&w);
    WIRE_UNTIL(h.loop, h.ends);
    end(&h);
}

TEST(both_loopback_addresses_have_the_same_port)
{
    if (!has_ipv6())
        skip();
    struct host h = {.loop = loop_new()};
    listen_at(&h, 0);
    int fd = connect_6(tcp_listener_port(h.l));
    assert_true(fd >= 0);
    WIRE_UNTIL(h.loop, h.connections == 1);
    char text[16];
    assert_int_equal(read(fd, text, sizeof text), 7);
    close(fd);
    WIRE_UNTIL(h.loop, h.ends);
    end(&h);
}

TEST(no_other_address_is_listened_on)
{
    struct host h = {.loop = loop_new()};
    listen_at(&h, 0);
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(tcp_listener_port(h.l))};
    inet_pton(AF_INET, "127.0.0.2", &in.sin_addr);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&in, sizeof in), -1);
    assert_int_equal(errno, ECONNREFUSED);
    close(fd);
    end(&h);
}

TEST(a_port_in_use_is_an_error_and_is_free_after_closing)
{
    struct host h = {.loop = loop_new()};
    struct error err = {0};
    char want[64];
    listen_at(&h, 0);
    uint16_t port = tcp_listener_port(h.l);
    assert_null(tcp_listen(h.loop, port, on_connection, &h, &err));
    assert_int_equal(err.code, ERR_IN_USE);
    snprintf(want, sizeof want, "port %u is in use by another program", port);
    assert_string_equal(err.text, want);
    tcp_listener_close(h.l);
    tcp_listener_close(NULL);
    listen_at(&h, port); /* at once */
    assert_int_equal(tcp_listener_port(h.l), port);
    end(&h);
}

TEST(a_port_taken_on_the_other_address_is_in_use)
{
    if (!has_ipv6())
        skip();
    struct host h = {.loop = loop_new()};
    struct error err = {0};
    struct sockaddr_in6 in = {.sin6_family = AF_INET6};
    socklen_t size = sizeof in;
    const int on = 1;
    in.sin6_addr = in6addr_loopback;
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    assert_int_equal(bind(fd, (struct sockaddr *)&in, sizeof in), 0);
    assert_int_equal(listen(fd, 1), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &size), 0);
    assert_null(tcp_listen(h.loop, ntohs(in.sin6_port), on_connection, &h, &err));
    assert_int_equal(err.code, ERR_IN_USE);
    close(fd);
    loop_free(h.loop);
}

TEST(closing_inside_the_callback_leaves_the_connection)
{
    struct host h = {.loop = loop_new(), .close_listener = true};
    struct wire w;
    listen_at(&h, 0);
    wire_open(&w, h.loop, tcp_listener_port(h.l));
    WIRE_UNTIL(h.loop, h.connections == 1);
    h.l = NULL;
    wire_send(&w, STR("still"));
    WIRE_UNTIL(h.loop, h.in.n == 5);
    wire_close(&w);
    WIRE_UNTIL(h.loop, h.ends);
    end(&h);
}

static double cpu_seconds(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
}

TEST(without_descriptors_connections_wait_and_the_loop_does_not_spin)
{
    struct host h = {.loop = loop_new()};
    struct rlimit old, low;
    int hoard[256], n = 0;
    listen_at(&h, 0);
    int client = wire_connect(tcp_listener_port(h.l));
    getrlimit(RLIMIT_NOFILE, &old);
    low = (struct rlimit){200, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    while (n < 256 && (hoard[n] = dup(0)) >= 0)
        n++;
    uint64_t start = loop_now(h.loop);
    double before = cpu_seconds();
    WIRE_UNTIL(h.loop, loop_now(h.loop) - start > 500);
    assert_int_equal(h.connections, 0);
    /* A spinning loop would use all of the half second; our own turns of 1 ms use little of it. */
    double spent = cpu_seconds() - before;
    while (n)
        close(hoard[--n]);
    setrlimit(RLIMIT_NOFILE, &old);
    assert_true(spent < 0.25);
    WIRE_UNTIL(h.loop, h.connections == 1);
    close(client);
    WIRE_UNTIL(h.loop, h.ends);
    end(&h);
}

TEST(connections_have_no_delay)
{
    struct host h = {.loop = loop_new()};
    listen_at(&h, 0);
    int client = wire_connect(tcp_listener_port(h.l));
    WIRE_UNTIL(h.loop, h.connections == 1);
    /* The newest descriptor is the accepted one. */
    int on = 0, fd = client + 1;
    socklen_t size = sizeof on;
    while (getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, &size) && fd < client + 64)
        fd++;
    assert_int_equal(on != 0, true);
    close(client);
    WIRE_UNTIL(h.loop, h.ends);
    end(&h);
}

/* ---- connecting */

struct caller {
    struct stream *s;
    struct buf in;
    size_t calls, closed;
    char why[64];
};

static void caller_read(struct stream *s, struct str bytes, void *ctx)
{
    (void)s;
    buf_add(&((struct caller *)ctx)->in, bytes);
}

static void caller_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct caller *)ctx)->closed++;
}

static const struct stream_events caller_events = {caller_read, on_end, NULL, caller_closed};

static void on_connected(struct stream *s, const char *why, void *ctx)
{
    struct caller *c = ctx;
    c->calls++;
    c->s = s;
    assert_true((s == NULL) == (why != NULL));
    snprintf(c->why, sizeof c->why, "%s", why ? why : "");
    if (s) {
        stream_set_events(s, &caller_events, c);
        stream_read_start(s);
    }
}

static void hang_up(struct host *h, struct caller *c)
{
    stream_close(c->s);
    WIRE_UNTIL(h->loop, c->closed && h->ends);
    buf_done(&c->in);
}

TEST(connecting_works_and_transfers_bytes)
{
    struct host h = {.loop = loop_new()};
    struct caller c = {0};
    listen_at(&h, 0);
    tcp_connect(h.loop, tcp_listener_port(h.l), on_connected, &c);
    assert_int_equal(c.calls, 0); /* not inside the call */
    WIRE_UNTIL(h.loop, c.calls);
    assert_non_null(c.s);
    stream_write(c.s, STR("hello"));
    WIRE_UNTIL(h.loop, h.in.n == 5 && c.in.n == 7);
    assert_int_equal(c.calls, 1);
    hang_up(&h, &c);
    end(&h);
}

TEST(a_port_without_a_listener_is_refused)
{
    struct host h = {.loop = loop_new()};
    struct caller c = {0};
    listen_at(&h, 0);
    uint16_t port = tcp_listener_port(h.l);
    tcp_listener_close(h.l);
    h.l = NULL;
    tcp_connect(h.loop, port, on_connected, &c);
    assert_int_equal(c.calls, 0);
    WIRE_UNTIL(h.loop, c.calls);
    assert_null(c.s);
    assert_string_equal(c.why, "connection refused");
    end(&h);
}

TEST(the_other_loopback_address_is_tried)
{
    if (!has_ipv6())
        skip();
    struct host h = {.loop = loop_new()};
    struct caller c = {0};
    struct sockaddr_in6 in = {.sin6_family = AF_INET6};
    socklen_t size = sizeof in;
    const int on = 1;
    in.sin6_addr = in6addr_loopback;
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    assert_int_equal(bind(fd, (struct sockaddr *)&in, size), 0);
    assert_int_equal(listen(fd, 1), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &size), 0);
    tcp_connect(h.loop, ntohs(in.sin6_port), on_connected, &c);
    WIRE_UNTIL(h.loop, c.calls);
    assert_non_null(c.s);
    stream_close(c.s);
    WIRE_UNTIL(h.loop, c.closed);
    close(fd);
    end(&h);
}

TEST(a_cancelled_attempt_calls_nothing)
{
    struct host h = {.loop = loop_new()};
    struct caller c = {0}, last = {0};
    listen_at(&h, 0);
    uint16_t port = tcp_listener_port(h.l);
    tcp_attempt_cancel(NULL);
    tcp_attempt_cancel(tcp_connect(h.loop, port, on_connected, &c)); /* before it started */
    struct tcp_attempt *a = tcp_connect(h.loop, port, on_connected, &c);
    struct timer t = {0};
    timer_start(&t, h.loop, 0, wire_stop, h.loop);
    loop_run(h.loop); /* in progress, or already reported */
    if (!c.calls)
        tcp_attempt_cancel(a);
    size_t told = c.calls;
    tcp_connect(h.loop, port, on_connected, &last);
    WIRE_UNTIL(h.loop, last.calls);
    assert_int_equal(c.calls, told);
    if (c.s)
        stream_close(c.s);
    WIRE_UNTIL(h.loop, c.closed == told);
    stream_close(last.s);
    WIRE_UNTIL(h.loop, last.closed && h.ends == h.connections);
    buf_done(&c.in);
    buf_done(&last.in);
    end(&h);
}
