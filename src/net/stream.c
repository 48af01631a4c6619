#include "net/stream.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <uv.h>

#include "base/buf.h"
#include "base/mem.h"

#define READ_SIZE (64u << 10)
#define SLICE     (256u << 10) /* bytes per uv_write(): the largest step of stream_taken() */
#define KEPT      (64u << 10)  /* queue memory that a quiet stream keeps */
#define NO_LIMIT  (SIZE_MAX / 4)

struct stream {
    union {
        uv_handle_t any;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
        uv_tty_t tty;
        uv_idle_t idle; /* of a file: reads a piece in each turn of the loop */
    } uv;
    struct loop *loop;
    const struct stream_events *events;
    void *ctx;
    int fd, fd_flags;
    bool is_file;
    bool ended;          /* on_end was called or is about to be */
    bool broken;         /* writing has failed */
    bool shutting;       /* accepts no more writes; our side ends when the queue is empty */
    loop_fn *on_flushed; /* may be NULL */
    void *flushed_ctx;
    bool finishing; /* closes when the queue is empty */
    bool closing, closed;
    bool end_deferred;
    const char *why;

    uv_write_t write;
    uv_shutdown_t shutdown;
    bool writing;
    bool above;         /* the queue was above STREAM_LOW_WATER: on_drain is due */
    struct buf sending; /* does not move while libuv writes from it */
    size_t slice_end;   /* how much of it was given to libuv */
    struct buf waiting; /* bytes written in the meantime */
    uint64_t accepted;  /* bytes from the caller, without dropped ones */
};

/* Shared by all streams of the thread: on_read is done with the bytes before the next read. */
static _Thread_local char read_buffer[READ_SIZE];

/* ---- the end of the other side */

static void free_stream(struct stream *s)
{
    buf_done(&s->sending);
    buf_done(&s->waiting);
    free(s);
}

static void call_end(void *ctx)
{
    struct stream *s = ctx;
    s->end_deferred = false;
    if (s->closed)
        free_stream(s);
    else if (!s->closing)
        s->events->on_end(s, s->why, s->ctx);
}

/* For calls by the owner, who must not be called back before they return. */
static void defer_end(struct stream *s, const char *why)
{
    if (s->ended)
        return;
    s->ended = true;
    s->why = why;
    s->end_deferred = true;
    loop_defer(s->loop, call_end, s);
}

static void stop_reading(struct stream *s)
{
    if (s->is_file)
        uv_idle_stop(&s->uv.idle);
    else
        uv_read_stop(&s->uv.stream);
}

static void notify_flushed(struct stream *s)
{
    if (s->on_flushed && !stream_queued(s))
        s->on_flushed(s->flushed_ctx);
}

static void fail_writing(struct stream *s, const char *why)
{
    s->broken = true;
    if (!s->writing)
        buf_done(&s->sending);
    buf_done(&s->waiting);
    notify_flushed(s);
    if (s->finishing) {
        stream_close(s);
        return;
    }
    stop_reading(s);
    defer_end(s, why);
}

/* ---- reading */

static void deliver_read(struct stream *s, ssize_t n, const char *why)
{
    if (s->closing || n == 0)
        return;
    if (n > 0) {
        s->events->on_read(s, str_make(read_buffer, (size_t)n), s->ctx);
        return;
    }
    stop_reading(s);
    if (s->ended)
        return;
    s->ended = true;
    s->events->on_end(s, why, s->ctx);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf)
{
    (void)handle;
    (void)size;
    *buf = uv_buf_init(read_buffer, READ_SIZE);
}

static void on_uv_read(uv_stream_t *uv, ssize_t n, const uv_buf_t *buf)
{
    (void)buf;
    deliver_read(uv->data, n, n == UV_EOF || n >= 0 ? NULL : uv_strerror((int)n));
}

static void on_file_turn(uv_idle_t *uv)
{
    struct stream *s = uv->data;
    ssize_t n = read(s->fd, read_buffer, READ_SIZE);
    if (n > 0)
        deliver_read(s, n, NULL);
    else if (n == 0)
        deliver_read(s, -1, NULL);
    else if (errno != EINTR && errno != EAGAIN)
        deliver_read(s, -1, uv_strerror(uv_translate_sys_error(errno)));
}

void stream_read_start(struct stream *s)
{
    if (s->closing || s->finishing || s->ended)
        return;
    int rc = s->is_file ? uv_idle_start(&s->uv.idle, on_file_turn)
                        : uv_read_start(&s->uv.stream, on_alloc, on_uv_read);
    if (rc && rc != UV_EALREADY)
        defer_end(s, uv_strerror(rc));
}

void stream_read_stop(struct stream *s)
{
    if (!s->closing)
        stop_reading(s);
}

/* ---- writing */

static void on_written(uv_write_t *req, int status);

static void write_slice(struct stream *s)
{
    size_t from = s->slice_end;
    size_t n = s->sending.n - from < SLICE ? s->sending.n - from : SLICE;
    uv_buf_t part = uv_buf_init(s->sending.p + from, (unsigned)n);
    s->slice_end += n;
    s->writing = true;
    s->write.data = s;
    int rc = uv_write(&s->write, &s->uv.stream, &part, 1, on_written);
    if (rc) {
        s->writing = false;
        fail_writing(s, uv_strerror(rc));
    }
}

static void on_shut(uv_shutdown_t *req, int status)
{
    (void)req;
    (void)status; /* it fails if the peer is gone, which is fine */
}

static void on_empty(struct stream *s)
{
    if (s->finishing)
        stream_close(s);
    else if (s->shutting && !s->is_file && !s->broken)
        uv_shutdown(&s->shutdown, &s->uv.stream, on_shut);
    notify_flushed(s);
}

static void release_buf(struct buf *b)
{
    if (b->cap > KEPT)
        buf_done(b);
    else
        buf_clear(b);
}

/* Write more of the queue. Return false if it is empty. */
static bool write_queue(struct stream *s)
{
    if (s->slice_end == s->sending.n) {
        struct buf done = s->sending;
        s->sending = s->waiting;
        s->waiting = done;
        s->slice_end = 0;
        release_buf(&s->waiting);
    }
    if (s->sending.n == 0)
        return false;
    write_slice(s);
    return true;
}

static void on_uv_closed(uv_handle_t *handle)
{
    struct stream *s = handle->data;
    if (s->is_file && s->fd > STDERR_FILENO)
        close(s->fd);
    if (s->fd <= STDERR_FILENO && s->fd_flags >= 0)
        fcntl(s->fd, F_SETFL, s->fd_flags);
    s->closed = true;
    s->events->on_closed(s, s->ctx);
    if (!s->end_deferred)
        free_stream(s);
}

static void on_loop_gone(void *ctx)
{
    struct stream *s = ctx;
    on_uv_closed(&s->uv.any);
}

static void on_written(uv_write_t *req, int status)
{
    struct stream *s = req->data;
    s->writing = false;
    if (s->closing)
        return;
    if (uv_is_closing(&s->uv.any)) {
        /* loop_free() was called while this stream finishes: it has closed the handle, and runs
         * deferred functions afterwards. */
        s->closing = true;
        loop_defer(s->loop, on_loop_gone, s);
        return;
    }
    if (status) {
        fail_writing(s, uv_strerror(status));
        return;
    }
    bool more = write_queue(s);
    if (s->above && !s->broken && stream_queued(s) <= STREAM_LOW_WATER) {
        s->above = false;
        if (s->events->on_drain && !s->finishing)
            s->events->on_drain(s, s->ctx);
    }
    if (!more && !s->writing && !s->closing)
        on_empty(s);
}

/* A write to a file takes everything or fails. */
static void write_file(struct stream *s, struct str bytes)
{
    while (bytes.n && !s->broken) {
        ssize_t n = write(s->fd, bytes.p, bytes.n);
        if (n >= 0) {
            bytes = str_skip(bytes, (size_t)n);
        } else if (errno == EAGAIN) {
            struct pollfd ready = {.fd = s->fd, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            fail_writing(s, uv_strerror(uv_translate_sys_error(errno)));
        }
    }
}

/* Write without waiting. Return how much the kernel took. */
static size_t try_write(struct stream *s, const struct str *parts, size_t count)
{
    uv_buf_t bufs[STREAM_MAX_PARTS];
    unsigned n = 0;
    for (size_t i = 0; i < count; i++)
        if (parts[i].n) {
            /* libuv's buffers are not const, but it only reads them. */
            bufs[n++] = (uv_buf_t){.base = (char *)(uintptr_t)parts[i].p, .len = parts[i].n};
        }
    if (!n)
        return 0;
    int rc = uv_try_write(&s->uv.stream, bufs, n);
    if (rc < 0 && rc != UV_EAGAIN)
        fail_writing(s, uv_strerror(rc));
    return rc < 0 ? 0 : (size_t)rc;
}

/* Append the parts, n bytes in all, without their first `taken` bytes: one allocation, one copy. */
static void queue_parts(struct buf *to, const struct str *parts, size_t n, size_t taken)
{
    buf_room(to, n - taken);
    for (; n; n -= parts->n, parts++) {
        size_t skip = taken < parts->n ? taken : parts->n;
        buf_add(to, str_skip(*parts, skip));
        taken -= skip;
    }
}

void stream_write_parts(struct stream *s, const struct str *parts, size_t count)
{
    assert(count <= STREAM_MAX_PARTS);
    if (s->closing || s->finishing || s->shutting || s->broken)
        return;
    size_t taken = 0;
    if (!s->is_file && !s->writing)
        taken = try_write(s, parts, count);
    if (s->broken)
        return;
    size_t n = str_sum(parts, count);
    s->accepted += n;
    if (s->is_file) {
        for (size_t i = 0; i < count; i++)
            write_file(s, parts[i]);
        return;
    }
    if (n > taken)
        queue_parts(s->writing ? &s->waiting : &s->sending, parts, n, taken);
    if (!s->writing && s->sending.n)
        write_slice(s);
    if (stream_queued(s) > STREAM_LOW_WATER)
        s->above = true;
}

void stream_write(struct stream *s, struct str bytes)
{
    stream_write_parts(s, &bytes, 1);
}

size_t stream_queued(const struct stream *s)
{
    if (!s->writing || s->broken)
        return 0;
    return uv_stream_get_write_queue_size(&s->uv.stream) + (s->sending.n - s->slice_end) +
           s->waiting.n;
}

uint64_t stream_taken(const struct stream *s)
{
    return s->accepted - stream_queued(s);
}

void stream_on_flushed(struct stream *s, loop_fn *fn, void *ctx)
{
    s->on_flushed = fn;
    s->flushed_ctx = ctx;
}

/* ---- the end of our side */

void stream_finish(struct stream *s)
{
    if (s->closing || s->finishing)
        return;
    stop_reading(s);
    s->finishing = true;
    if (!s->writing)
        stream_close(s);
}

void stream_shutdown(struct stream *s)
{
    if (s->closing || s->finishing || s->shutting)
        return;
    s->shutting = true;
    if (!s->writing)
        on_empty(s);
}

void stream_close(struct stream *s)
{
    if (s->closing)
        return;
    s->closing = true;
    uv_close(&s->uv.any, on_uv_closed); /* leaves 0, 1 and 2 open */
}

void stream_reset(struct stream *s)
{
    const struct linger none = {.l_onoff = 1, .l_linger = 0};
    if (!s->closing && s->uv.any.type == UV_TCP)
        setsockopt(s->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    stream_close(s);
}

/* ---- life */

static void on_abandoned(uv_handle_t *handle)
{
    free(handle->data);
}

/* On loopback no bandwidth is shared: a congestion control that paces its packets (bbr) would only
 * cost timers. */
static int open_tcp(struct stream *s, uv_loop_t *uv, int fd)
{
    int rc = uv_tcp_init(uv, &s->uv.tcp);
    assert(!rc);
    rc = uv_tcp_open(&s->uv.tcp, fd);
    if (rc)
        return rc;
    uv_tcp_nodelay(&s->uv.tcp, 1); /* may fail where it has no effect, like the next call */
    setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "reno", strlen("reno"));
    return 0;
}

static int open_handle(struct stream *s, uv_loop_t *uv, int fd)
{
    uv_handle_type type = uv_guess_handle(fd);
    if (type == UV_TCP)
        return open_tcp(s, uv, fd);
    if (type == UV_TTY)
        return uv_tty_init(uv, &s->uv.tty, fd, 0);
    if (type == UV_NAMED_PIPE) {
        int rc = uv_pipe_init(uv, &s->uv.pipe, 0);
        assert(!rc);
        return uv_pipe_open(&s->uv.pipe, fd);
    }
    if (type == UV_FILE) {
        s->is_file = true;
        return uv_idle_init(uv, &s->uv.idle);
    }
    return UV_EINVAL;
}

struct stream *stream_open_fd(struct loop *loop, int fd, const struct stream_events *events,
                              void *ctx, struct error *err)
{
    static _Thread_local bool pipes_are_quiet;
    if (!pipes_are_quiet)
        signal(SIGPIPE, SIG_IGN); /* a closed peer must be an error of write() */
    pipes_are_quiet = true;

    struct stream *s = mem_zalloc(sizeof *s);
    s->loop = loop;
    s->events = events;
    s->ctx = ctx;
    s->fd = fd;
    s->fd_flags = fcntl(fd, F_GETFL);
    s->sending.max = s->waiting.max = NO_LIMIT;
    int rc = s->fd_flags < 0 ? UV_EBADF : open_handle(s, loop_uv(loop), fd);
    s->uv.any.data = s;
    if (rc == 0)
        return s;
    error_set(err, ERR_IO, "descriptor %d cannot be used as a stream: %s", fd, uv_strerror(rc));
    if (s->uv.any.type == UV_UNKNOWN_HANDLE || s->uv.any.type == UV_TTY)
        free(s);
    else
        uv_close(&s->uv.any, on_abandoned);
    return NULL;
}

void stream_set_events(struct stream *s, const struct stream_events *events, void *ctx)
{
    s->events = events;
    s->ctx = ctx;
}

struct loop *stream_loop(const struct stream *s)
{
    return s->loop;
}
