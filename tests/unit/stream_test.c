#include "net/stream.h"

#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "test.h"
#include "wire.h"

struct peer {
    struct stream *s;
    struct buf in;
    size_t ends, drains, closes;
    char why[64];
    bool close_on_read;
};

static void on_read(struct stream *s, struct str bytes, void *ctx)
{
    struct peer *p = ctx;
    assert_int_equal(p->ends + p->closes, 0);
    buf_add(&p->in, bytes);
    if (p->close_on_read) {
        stream_close(s);
        stream_close(s);
        stream_write(s, STR("dropped"));
        stream_read_start(s);
        stream_finish(s);
        stream_shutdown(s);
    }
}

static void on_end(struct stream *s, const char *why, void *ctx)
{
    struct peer *p = ctx;
    (void)s;
    p->ends++;
    snprintf(p->why, sizeof p->why, "%s", why ? why : "end");
}

static void on_drain(struct stream *s, void *ctx)
{
    struct peer *p = ctx;
    assert_in_range(stream_queued(s), 0, STREAM_LOW_WATER);
    p->drains++;
}

static void on_closed(struct stream *s, void *ctx)
{
    (void)s;
    ((struct peer *)ctx)->closes++;
}

static const struct stream_events events = {on_read, on_end, on_drain, on_closed};

static void open_peer(struct peer *p, struct loop *loop, int fd)
{
    struct error err = {0};
    *p = (struct peer){0};
    p->s = stream_open_fd(loop, fd, &events, p, &err);
    if (!p->s)
        fail_msg("%s", err.text);
}

static void close_peer(struct peer *p, struct loop *loop)
{
    if (!p->closes)
        stream_close(p->s);
    WIRE_UNTIL(loop, p->closes);
    assert_int_equal(p->closes, 1);
    buf_done(&p->in);
}

/* Two ends of a pipe, a socket pair or a terminal. */
static void pipe_of(int kind, int fds[2])
{
    if (kind == 0)
        assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    else if (kind == 1)
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    else
        assert_int_equal(openpty(&fds[0], &fds[1], NULL, NULL, NULL), 0);
    if (kind == 2) {
        struct termios raw;
        tcgetattr(fds[1], &raw);
        cfmakeraw(&raw);
        tcsetattr(fds[1], TCSANOW, &raw);
    }
}

TEST(bytes_go_through_pipes_sockets_and_terminals)
{
    for (int kind = 0; kind < 3; kind++) {
        struct loop *loop = loop_new();
        struct peer a, b;
        int fds[2];
        pipe_of(kind, fds);
        open_peer(&a, loop, fds[0]);
        open_peer(&b, loop, fds[1]);
        assert_ptr_equal(stream_loop(a.s), loop);
        stream_read_start(a.s);
        const struct str parts[] = {STR("hel"), STR(""), STR("lo"), STR(" world")};
        stream_write_parts(b.s, parts, 4);
        stream_write(b.s, STR("!"));
        WIRE_UNTIL(loop, a.in.n == 12);
        CHECK_STR(buf_str(&a.in), STR("hello world!"));
        assert_int_equal(stream_queued(b.s), 0);
        assert_true(stream_taken(b.s) == 12);
        close_peer(&b, loop);
        if (kind < 2) {
            WIRE_UNTIL(loop, a.ends);
            assert_string_equal(a.why, "end");
        }
        close_peer(&a, loop);
        loop_free(loop);
    }
}

static int temp_file(char path[32])
{
    snprintf(path, 32, "stream_test_XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    return fd;
}

TEST(files_are_read_to_their_end_and_written)
{
    struct loop *loop = loop_new();
    struct peer out, in;
    struct buf want = {0};
    char path[32];
    int fd = temp_file(path);
    open_peer(&out, loop, fd);
    for (int i = 0; i < 50000; i++) {
        char line[32];
        int n = snprintf(line, sizeof line, "line %d\n", i);
        buf_add(&want, str_make(line, (size_t)n));
        stream_write(out.s, str_make(line, (size_t)n));
    }
    assert_int_equal(stream_queued(out.s), 0);
    stream_finish(out.s);
    WIRE_UNTIL(loop, out.closes);
    assert_int_equal(fcntl(fd, F_GETFD), -1); /* the stream owned it */

    open_peer(&in, loop, open(path, O_RDONLY | O_CLOEXEC));
    stream_read_start(in.s);
    WIRE_UNTIL(loop, in.ends);
    assert_string_equal(in.why, "end");
    CHECK_STR(buf_str(&in.in), buf_str(&want));
    close_peer(&in, loop);
    close_peer(&out, loop);
    unlink(path);
    buf_done(&want);
    loop_free(loop);
}

TEST(a_write_error_of_a_file_ends_the_stream)
{
    struct loop *loop = loop_new();
    struct peer p;
    open_peer(&p, loop, open("/dev/full", O_WRONLY | O_CLOEXEC));
    stream_write(p.s, STR("x"));
    assert_int_equal(p.ends, 0); /* not inside the write */
    stream_write(p.s, STR("y"));
    WIRE_UNTIL(loop, p.ends);
    assert_string_equal(p.why, "no space left on device");
    close_peer(&p, loop);
    assert_int_equal(p.ends, 1);
    loop_free(loop);
}

TEST(dev_null_ends_at_once)
{
    struct loop *loop = loop_new();
    struct peer p;
    open_peer(&p, loop, open("/dev/null", O_RDWR | O_CLOEXEC));
    stream_write(p.s, STR("x"));
    stream_read_start(p.s);
    WIRE_UNTIL(loop, p.ends);
    close_peer(&p, loop);
    loop_free(loop);
}

TEST(a_descriptor_that_is_no_stream_is_refused_and_not_closed)
{
    struct loop *loop = loop_new();
    struct error err = {0};
    int udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_null(stream_open_fd(loop, -1, &events, NULL, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.text, "descriptor -1"));
    assert_null(stream_open_fd(loop, udp, &events, NULL, NULL));
    assert_int_equal(close(udp), 0);
    loop_free(loop);
}

TEST(a_full_queue_drains_in_order)
{
    struct loop *loop = loop_new();
    struct peer a, b;
    struct buf want = {0};
    int fds[2];
    pipe_of(1, fds);
    open_peer(&a, loop, fds[0]);
    open_peer(&b, loop, fds[1]);
    while (want.n < 3000000) {
        size_t from = want.n;
        buf_printf(&want, "%zu,", want.n);
        stream_write(b.s, str_skip(buf_str(&want), from));
    }
    size_t queued = stream_queued(b.s);
    assert_in_range(queued, 1000000, want.n);
    assert_true(stream_taken(b.s) == want.n - queued);
    assert_int_equal(b.drains, 0);
    stream_read_start(a.s);
    WIRE_UNTIL(loop, b.drains);
    WIRE_UNTIL(loop, a.in.n == want.n);
    CHECK_STR(buf_str(&a.in), buf_str(&want));
    WIRE_UNTIL(loop, stream_queued(b.s) == 0);
    assert_int_equal(b.drains, 1);
    assert_true(stream_taken(b.s) == want.n);
    buf_done(&want);
    close_peer(&a, loop);
    close_peer(&b, loop);
    loop_free(loop);
}

/* The part that the kernel does not accept is queued after the bytes that already wait. */
TEST(parts_arrive_in_order_after_partial_writes)
{
    static const size_t sizes[] = {10, 0, 100000, 3, 1500000, 1, 70000, 200000};
    struct loop *loop = loop_new();
    struct peer a, b;
    struct buf want = {0};
    struct str parts[STREAM_MAX_PARTS];
    int fds[2];
    pipe_of(1, fds);
    open_peer(&a, loop, fds[0]);
    open_peer(&b, loop, fds[1]);
    for (size_t i = 0; want.n < 2000000; i++)
        buf_printf(&want, "%zu,", i);
    for (size_t round = 0; round < 3; round++) {
        size_t at = 0;
        for (size_t i = 0; i < STREAM_MAX_PARTS; i++) {
            parts[i] = str_head(str_skip(buf_str(&want), at), sizes[i]);
            at += sizes[i];
        }
        stream_write_parts(b.s, parts, STREAM_MAX_PARTS);
        assert_int_equal(stream_taken(b.s) + stream_queued(b.s), at * (round + 1));
    }
    size_t each = str_sum(parts, STREAM_MAX_PARTS);
    stream_read_start(a.s);
    WIRE_UNTIL(loop, a.in.n == 3 * each);
    for (size_t round = 0; round < 3; round++)
        CHECK_STR(str_head(str_skip(buf_str(&a.in), round * each), each),
                  str_head(buf_str(&want), each));
    buf_done(&want);
    close_peer(&a, loop);
    close_peer(&b, loop);
    loop_free(loop);
}

TEST(finishing_flushes_first)
{
    static char bytes[2000000];
    struct loop *loop = loop_new();
    struct peer a, b;
    int fds[2];
    pipe_of(1, fds);
    open_peer(&a, loop, fds[0]);
    open_peer(&b, loop, fds[1]);
    stream_write(b.s, str_make(bytes, sizeof bytes));
    stream_finish(b.s);
    stream_finish(b.s);
    stream_write(b.s, STR("dropped"));
    for (int i = 0; i < 5; i++)
        wire_turn(loop);
    assert_int_equal(b.closes, 0);
    stream_read_start(a.s);
    WIRE_UNTIL(loop, a.ends && b.closes);
    assert_int_equal(a.in.n, sizeof bytes);
    close_peer(&a, loop);
    close_peer(&b, loop);
    loop_free(loop);
}

TEST(a_stream_that_shut_down_writing_still_reads)
{
    static char bytes[2000000];
    struct loop *loop = loop_new();
    struct peer a, b;
    int fds[2];
    pipe_of(1, fds);
    open_peer(&a, loop, fds[0]);
    open_peer(&b, loop, fds[1]);
    stream_read_start(b.s);
    stream_write(b.s, str_make(bytes, sizeof bytes));
    stream_shutdown(b.s);
    stream_write(b.s, STR("dropped"));
    stream_read_start(a.s);
    WIRE_UNTIL(loop, a.ends);
    assert_int_equal(a.in.n, sizeof bytes);
    stream_write(a.s, STR("still here"));
    WIRE_UNTIL(loop, b.in.n == 10);
    close_peer(&a, loop);
    WIRE_UNTIL(loop, b.ends);
    close_peer(&b, loop);
    loop_free(loop);
}

TEST(a_disconnected_peer_is_an_end_and_not_a_signal)
{
    static char bytes[2000000];
    for (int queued = 0; queued < 2; queued++) {
        struct loop *loop = loop_new();
        struct peer p;
        int fds[2];
        pipe_of(0, fds);
        open_peer(&p, loop, fds[1]);
        if (queued) {
            stream_write(p.s, str_make(bytes, sizeof bytes));
            assert_true(stream_queued(p.s) > 0);
        }
        close(fds[0]);
        if (!queued)
            stream_write(p.s, STR("x"));
        assert_int_equal(p.ends, 0);
        WIRE_UNTIL(loop, p.ends);
        assert_string_equal(p.why, "broken pipe");
        stream_write(p.s, STR("y"));
        assert_int_equal(stream_queued(p.s), 0);
        close_peer(&p, loop);
        assert_int_equal(p.ends, 1);
        loop_free(loop);
    }
}

TEST(finishing_with_a_disconnected_peer_closes)
{
    static char bytes[2000000];
    struct loop *loop = loop_new();
    struct peer p;
    int fds[2];
    pipe_of(0, fds);
    open_peer(&p, loop, fds[1]);
    stream_write(p.s, str_make(bytes, sizeof bytes));
    stream_finish(p.s);
    close(fds[0]);
    WIRE_UNTIL(loop, p.closes);
    assert_int_equal(p.ends, 0);
    close_peer(&p, loop);
    loop_free(loop);
}

TEST(freeing_the_loop_ends_a_stream_that_is_finishing)
{
    static char bytes[2000000];
    struct loop *loop = loop_new();
    struct peer p;
    int fds[2];
    pipe_of(0, fds);
    open_peer(&p, loop, fds[1]);
    stream_write(p.s, str_make(bytes, sizeof bytes));
    stream_finish(p.s); /* the other end is not read */
    wire_turn(loop);
    assert_int_equal(p.closes, 0);
    loop_free(loop);
    assert_int_equal(p.closes, 1);
    assert_int_equal(p.ends, 0);
    buf_done(&p.in);
    close(fds[0]);
}

TEST(reading_the_wrong_end_is_an_end)
{
    struct loop *loop = loop_new();
    struct peer p;
    int fds[2];
    pipe_of(0, fds);
    open_peer(&p, loop, fds[1]);
    stream_read_start(p.s);
    assert_int_equal(p.ends, 0);
    WIRE_UNTIL(loop, p.ends);
    close_peer(&p, loop);
    close(fds[0]);
    loop_free(loop);
}

TEST(a_stream_may_be_closed_anywhere_and_often)
{
    struct loop *loop = loop_new();
    struct peer a, b;
    int fds[2];
    pipe_of(1, fds);
    open_peer(&a, loop, fds[0]);
    open_peer(&b, loop, fds[1]);
    a.close_on_read = true;
    stream_read_start(a.s);
    stream_write(b.s, STR("x"));
    WIRE_UNTIL(loop, a.closes);
    assert_int_equal(a.ends, 0);
    close_peer(&a, loop);

    stream_write(b.s, STR("y")); /* fails, but the stream is closed before on_end */
    stream_close(b.s);
    WIRE_UNTIL(loop, b.closes);
    assert_int_equal(b.ends, 0);
    close_peer(&b, loop);
    loop_free(loop);
}

TEST(reading_stops_and_starts)
{
    struct loop *loop = loop_new();
    struct peer a, b;
    int fds[2];
    pipe_of(1, fds);
    open_peer(&a, loop, fds[0]);
    open_peer(&b, loop, fds[1]);
    stream_write(b.s, STR("x"));
    for (int i = 0; i < 3; i++)
        wire_turn(loop);
    assert_int_equal(a.in.n, 0); /* streams start stopped */
    stream_read_start(a.s);
    stream_read_start(a.s);
    WIRE_UNTIL(loop, a.in.n == 1);
    stream_read_stop(a.s);
    stream_read_stop(a.s);
    stream_write(b.s, STR("y"));
    for (int i = 0; i < 3; i++)
        wire_turn(loop);
    assert_int_equal(a.in.n, 1);
    stream_read_start(a.s);
    WIRE_UNTIL(loop, a.in.n == 2);
    close_peer(&a, loop);
    close_peer(&b, loop);
    loop_free(loop);
}

TEST(a_new_owner_gets_the_next_bytes)
{
    struct loop *loop = loop_new();
    struct peer a, b, heir = {0};
    int fds[2];
    pipe_of(1, fds);
    open_peer(&a, loop, fds[0]);
    open_peer(&b, loop, fds[1]);
    stream_read_start(a.s);
    stream_set_events(a.s, &events, &heir);
    stream_write(b.s, STR("x"));
    WIRE_UNTIL(loop, heir.in.n == 1);
    stream_close(a.s);
    WIRE_UNTIL(loop, heir.closes);
    assert_int_equal(a.closes, 0);
    close_peer(&b, loop);
    buf_done(&heir.in);
    loop_free(loop);
}

TEST(standard_streams_stay_open_and_become_blocking_again)
{
    struct loop *loop = loop_new();
    struct peer p;
    int fds[2], saved = dup(0);
    pipe_of(0, fds);
    dup2(fds[0], 0);
    open_peer(&p, loop, 0);
    stream_read_start(p.s);
    assert_true(fcntl(0, F_GETFL) & O_NONBLOCK);
    close_peer(&p, loop);
    assert_int_equal(fcntl(0, F_GETFL) & O_NONBLOCK, 0);
    struct stat st;
    assert_int_equal(fstat(0, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    dup2(saved, 0);
    close(saved);
    close(fds[0]);
    close(fds[1]);
    loop_free(loop);
}

TEST(stream_reset_sends_a_reset_to_a_tcp_peer)
{
    for (int tcp = 0; tcp < 2; tcp++) {
        struct loop *loop = loop_new();
        struct peer a, b;
        int fds[2];
        struct sockaddr_in in = {.sin_family = AF_INET};
        socklen_t size = sizeof in;
        if (tcp) {
            int l = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            assert_int_equal(bind(l, (struct sockaddr *)&in, size), 0);
            assert_int_equal(listen(l, 1), 0);
            assert_int_equal(getsockname(l, (struct sockaddr *)&in, &size), 0);
            fds[0] = wire_connect(ntohs(in.sin_port));
            fds[1] = accept(l, NULL, NULL);
            close(l);
        } else {
            pipe_of(1, fds);
        }
        open_peer(&a, loop, fds[0]);
        open_peer(&b, loop, fds[1]);
        stream_read_start(a.s);
        stream_reset(b.s);
        stream_reset(b.s);
        WIRE_UNTIL(loop, a.ends && b.closes);
        assert_string_equal(a.why, tcp ? "connection reset by peer" : "end");
        close_peer(&b, loop);
        close_peer(&a, loop);
        loop_free(loop);
    }
}
