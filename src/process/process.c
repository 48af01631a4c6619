#include "process/process.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/mem.h"
#include "process/platform.h"

#define CHUNK         (64u * 1024)
#define PIPE_CAPACITY (1u << 20) /* a pipe holds no more than this */

struct process_pipe { /* our end of one of its pipes */
    uv_pipe_t uv;
    bool open;
};

struct process {
    struct loop *loop;
    uv_process_t child;
    struct process_pipe pipes[3]; /* stdin, stdout, stderr */
    unsigned handles;             /* not closed yet; the last one frees p */
    int pid;

    process_output_fn *on_output;
    process_exit_fn *on_exit;
    void *ctx;

    size_t writes;     /* under way to its input */
    bool input_closed; /* no more input is accepted; the pipe closes after the last write */

    bool exited, reported;
    struct process_exit end;
    bool owns_group;
    uint64_t grace_end; /* then the group gets SIGKILL; UINT64_MAX: never */
    struct timer grace;
    struct timer linger; /* then the pipes are closed, even if a grandchild holds them */
    char chunk[CHUNK];
};

struct input_piece {
    uv_write_t uv; /* first, so that a pointer to it is one to the piece */
    struct process *p;
    char bytes[];
};

/* ---- handles */

static void on_closed(uv_handle_t *uv)
{
    struct process *p = uv->data;
    if (--p->handles == 0)
        free(p);
}

static void close_pipe(struct process_pipe *pipe)
{
    if (!pipe->open)
        return;
    pipe->open = false;
    uv_close((uv_handle_t *)&pipe->uv, on_closed);
}

static void signal_group(const struct process *p, int signum)
{
    kill(-p->pid, signum); /* ESRCH, no process left, is fine */
}

/* ---- the end */

/* Report the end, once the process and both outputs have ended. */
static void report_end(struct process *p)
{
    if (!p->exited || p->pipes[1].open || p->pipes[2].open || p->reported)
        return;
    p->reported = true;
    timer_stop(&p->grace);
    timer_stop(&p->linger);
    if (p->owns_group)
        signal_group(p, SIGKILL);
    close_pipe(&p->pipes[0]);
    p->on_exit(p, p->end, p->ctx);
    uv_close((uv_handle_t *)&p->child, on_closed);
}

static void deliver_output(struct process *p, struct process_pipe *pipe, size_t n)
{
    enum process_stream which = pipe == &p->pipes[1] ? PROCESS_STDOUT : PROCESS_STDERR;
    p->on_output(p, which, str_make(p->chunk, n), p->ctx);
}

/* A grandchild still holds the pipe. What the child itself wrote is in it by now, but may not have
 * been read yet if the loop was busy. */
static void drain_pipe(struct process *p, struct process_pipe *pipe)
{
    int fd;
    if (!pipe->open || uv_fileno((uv_handle_t *)&pipe->uv, &fd))
        return;
    for (size_t got = 0; got < PIPE_CAPACITY;) {
        ssize_t n = read(fd, p->chunk, CHUNK);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        got += (size_t)n;
        deliver_output(p, pipe, (size_t)n);
    }
    close_pipe(pipe);
}

static void on_linger_over(void *ctx)
{
    struct process *p = ctx;
    drain_pipe(p, &p->pipes[1]);
    drain_pipe(p, &p->pipes[2]);
    report_end(p);
}

static void on_process_exit(uv_process_t *uv, int64_t code, int signum)
{
    struct process *p = uv->data;
    p->exited = true;
    p->end = (struct process_exit){.code = code, .signal = signum};
    timer_start(&p->linger, p->loop, PROCESS_LINGER_MS, on_linger_over, p);
    report_end(p);
}

/* ---- output */

static void on_alloc(uv_handle_t *uv, size_t size, uv_buf_t *to)
{
    (void)size;
    struct process *p = uv->data;
    *to = uv_buf_init(p->chunk, CHUNK);
}

static void on_read(uv_stream_t *uv, ssize_t n, const uv_buf_t *from)
{
    (void)from;
    struct process *p = uv->data;
    struct process_pipe *pipe = (uv_stream_t *)&p->pipes[1].uv == uv ? &p->pipes[1] : &p->pipes[2];
    if (n > 0) {
        deliver_output(p, pipe, (size_t)n);
    } else if (n < 0) { /* the end, or an error */
        close_pipe(pipe);
        report_end(p);
    }
}

/* ---- input */

static void on_written(uv_write_t *uv, int status)
{
    struct input_piece *piece = (struct input_piece *)(void *)uv;
    struct process *p = piece->p;
    free(piece);
    p->writes--;
    /* After an error, the child has closed its input: the rest of the queue has no reader. */
    if (status < 0 || (p->input_closed && p->writes == 0))
        close_pipe(&p->pipes[0]);
}

bool process_write(struct process *p, struct str bytes)
{
    uv_stream_t *in = (uv_stream_t *)&p->pipes[0].uv;
    if (p->input_closed || !p->pipes[0].open)
        return false;
    size_t queued = uv_stream_get_write_queue_size(in);
    if (bytes.n > PROCESS_INPUT_MAX || queued > PROCESS_INPUT_MAX - bytes.n)
        return false;
    if (bytes.n == 0)
        return true;

    struct input_piece *piece = mem_alloc(sizeof *piece + bytes.n);
    piece->p = p;
    memcpy(piece->bytes, bytes.p, bytes.n);
    uv_buf_t buf = uv_buf_init(piece->bytes, (unsigned)bytes.n);
    if (uv_write(&piece->uv, in, &buf, 1, on_written)) {
        free(piece);
        return false;
    }
    p->writes++;
    return true;
}

void process_close_input(struct process *p)
{
    p->input_closed = true;
    if (p->writes == 0)
        close_pipe(&p->pipes[0]);
}

/* ---- start */

/* Open real pipes, not libuv's socket pairs, because a program may open /dev/stdout again. child[i]
 * is the child's end of pipe i, to be closed here after the start; -1 if there is none. */
static int open_pipes(struct process *p, int child[3])
{
    for (int i = 0; i < 3; i++) {
        if (i > 0 && !p->on_output)
            continue;
        uv_file fds[2];
        int ours = i == 0 ? 1 : 0;
        int code = uv_pipe(fds, ours == 0 ? UV_NONBLOCK_PIPE : 0, ours == 1 ? UV_NONBLOCK_PIPE : 0);
        if (code)
            return code;
        child[i] = fds[1 - ours];
        uv_pipe_init(loop_uv(p->loop), &p->pipes[i].uv, 0);
        p->pipes[i].uv.data = p;
        p->pipes[i].open = true;
        p->handles++;
        code = uv_pipe_open(&p->pipes[i].uv, fds[ours]);
        if (code) {
            close(fds[ours]);
            return code;
        }
    }
    return 0;
}

static int spawn_child(struct process *p, const struct process_options *o, const int child[3])
{
    uv_stdio_container_t stdio[3];
    for (int i = 0; i < 3; i++) {
        stdio[i].flags = child[i] < 0 ? UV_IGNORE : UV_INHERIT_FD;
        stdio[i].data.fd = child[i];
    }
    uv_process_options_t uv = {
        .file = o->argv[0],
        .args = (char **)o->argv, /* libuv does not change them */
        .env = (char **)o->env,
        .cwd = o->cwd,
        .flags = UV_PROCESS_DETACHED, /* its own session, hence its own group */
        .stdio_count = 3,
        .stdio = stdio,
        .exit_cb = on_process_exit,
    };
    p->child.data = p;
    p->handles++;
    return uv_spawn(loop_uv(p->loop), &p->child, &uv);
}

static void set_start_error(struct error *err, const struct process_options *o, int code)
{
    struct stat st;
    char text[128];
    uv_strerror_r(code, text, sizeof text);
    if (o->cwd && (stat(o->cwd, &st) < 0 || !S_ISDIR(st.st_mode)))
        error_set(err, ERR_IO, "cannot run %s in %s: no such folder", o->argv[0], o->cwd);
    else
        error_set(err, ERR_IO, "cannot run %s: %s", o->argv[0], text);
}

struct process *process_start(struct loop *loop, const struct process_options *options,
                              struct error *err)
{
    assert(options->argv && options->argv[0] && options->on_exit);
    struct process *p = mem_zalloc(sizeof *p);
    p->loop = loop;
    p->owns_group = options->owns_group;
    p->grace_end = UINT64_MAX;
    p->on_output = options->on_output;
    p->on_exit = options->on_exit;
    p->ctx = options->ctx;

    int child[3] = {-1, -1, -1};
    int code = open_pipes(p, child);
    bool spawned = code == 0;
    if (spawned)
        code = spawn_child(p, options, child);
    for (int i = 0; i < 3; i++)
        if (child[i] >= 0)
            close(child[i]);
    if (code) {
        set_start_error(err, options, code);
        unsigned handles = p->handles;
        for (int i = 0; i < 3; i++)
            close_pipe(&p->pipes[i]);
        if (spawned)
            uv_close((uv_handle_t *)&p->child, on_closed);
        if (handles == 0)
            free(p);
        return NULL;
    }
    p->pid = p->child.pid;
    for (int i = 1; i < 3; i++)
        if (p->pipes[i].open)
            uv_read_start((uv_stream_t *)&p->pipes[i].uv, on_alloc, on_read);
    return p;
}

int process_pid(const struct process *p)
{
    return p->pid;
}

static void on_grace_over(void *ctx)
{
    signal_group(ctx, SIGKILL);
}

void process_kill(struct process *p, int signum, uint64_t grace_ms)
{
    if (p->reported)
        return;
    signal_group(p, signum);
    uint64_t end = loop_now(p->loop) + grace_ms;
    if (grace_ms == 0 || end >= p->grace_end)
        return;
    p->owns_group = true;
    p->grace_end = end;
    timer_start(&p->grace, p->loop, grace_ms, on_grace_over, p);
}

/* ---- children that end with this process */

static int forking_parent;

static void before_fork(void)
{
    forking_parent = getpid();
}

static void after_fork_in_child(void)
{
    if (!platform_die_with_parent(forking_parent))
        _exit(127);
}

void process_bind_children(void)
{
    static bool is_set;
    if (!is_set)
        pthread_atfork(before_fork, NULL, after_fork_in_child);
    is_set = true;
}
