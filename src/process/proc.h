/* A child process: arguments, environment, pipes, an end that is always reported, once.
 *
 *     struct proc_options o = {.argv = (const char *const[]){"git", "status", NULL},
 *                              .on_output = on_output, .on_exit = on_exit, .ctx = me};
 *     struct proc *p = proc_start(loop, &o, &err);
 *     proc_write(p, STR("input")); proc_close_input(p);
 *     ...                                       // on_output for each piece, on_exit, p is gone
 *
 * The child leads its own process group, so proc_kill() reaches its children too. on_exit comes
 * after the last byte of output was delivered; p is freed when it returns. No shell is involved.
 *
 * A grandchild that outlives the child and keeps its pipes open delays on_exit by PROC_LINGER_MS
 * at most; what it says later is lost. Nothing calls back inside proc_start(). Whoever frees the
 * loop waits for on_exit before.
 */
#pragma once

#include "base/error.h"
#include "base/loop.h"
#include "base/str.h"

struct proc;

enum proc_stream {
    PROC_STDOUT = 1,
    PROC_STDERR = 2
};

struct proc_exit {
    int64_t code; /* exit status; meaningless after a signal */
    int signal;   /* 0: it ended by itself */
};

typedef void proc_output_fn(struct proc *p, enum proc_stream which, struct str bytes, void *ctx);
typedef void proc_exit_fn(struct proc *p, struct proc_exit end, void *ctx);

struct proc_options {
    const char *const *argv;   /* argv[0] is looked up in PATH; NULL ends the list */
    const char *const *env;    /* "NAME=value", NULL ends; NULL: this process's own */
    const char *cwd;           /* NULL: this process's own */
    proc_output_fn *on_output; /* NULL: output goes to /dev/null */
    proc_exit_fn *on_exit;
    void *ctx;
};

#define PROC_LINGER_MS 500u

/* NULL and ERR_IO "cannot run NAME: no such file or directory" if there is no such program. */
struct proc *proc_start(struct loop *loop, const struct proc_options *options, struct error *err);

/* Queues bytes for its standard input (a copy); false once that is closed, by either side, or if
 * more than PROC_INPUT_MAX would wait. */
#define PROC_INPUT_MAX (64u << 20)
bool proc_write(struct proc *p, struct str bytes);
void proc_close_input(struct proc *p); /* after what is queued */

int proc_pid(const struct proc *p);

/* From now on whatever this process starts, in whatever way, gets SIGKILL from the kernel when it
 * ends, however that happens; not what those start. Linux only; elsewhere nothing changes. */
void proc_take_along(void);

/* Signal to the whole group; with grace_ms > 0, SIGKILL follows if it has not ended by then. A
 * later call may shorten the grace, not prolong it. What is left of a group that was given a grace
 * when the child itself has ended gets SIGKILL before on_exit. */
void proc_kill(struct proc *p, int signum, uint64_t grace_ms);
