/* A child process: arguments, environment, pipes, an end that is always reported, once.
 *
 *     struct process_options o = {.argv = (const char *const[]){"git", "status", NULL},
 *                              .on_output = on_output, .on_exit = on_exit, .ctx = me};
 *     struct process *p = process_start(loop, &o, &err);
 *     process_write(p, STR("input")); process_close_input(p);
 *     ...                                       // on_output for each piece, on_exit, p is gone
 *
 * The child leads its own process group, so process_kill() reaches its children too. on_exit comes
 * after the last byte of output was delivered; p is freed when it returns. No shell is involved.
 *
 * A grandchild that outlives the child and keeps its pipes open delays on_exit by PROCESS_LINGER_MS
 * at most; what it says later is lost. Nothing calls back inside process_start(). Whoever frees the
 * loop waits for on_exit before.
 */
#pragma once

#include "base/error.h"
#include "base/loop.h"
#include "base/str.h"

struct process;

enum process_stream {
    PROCESS_STDOUT = 1,
    PROCESS_STDERR = 2
};

struct process_exit {
    int64_t code; /* exit status; meaningless after a signal */
    int signal;   /* 0: it ended by itself */
};

typedef void process_output_fn(struct process *p, enum process_stream which, struct str bytes,
                               void *ctx);
typedef void process_exit_fn(struct process *p, struct process_exit end, void *ctx);

struct process_options {
    const char *const *argv;      /* argv[0] is looked up in PATH; NULL ends the list */
    const char *const *env;       /* "NAME=value", NULL ends; NULL: this process's own */
    const char *cwd;              /* NULL: this process's own */
    process_output_fn *on_output; /* NULL: output goes to /dev/null */
    process_exit_fn *on_exit;
    void *ctx;
};

#define PROCESS_LINGER_MS 500u

/* NULL and ERR_IO "cannot run NAME: no such file or directory" if there is no such program. */
struct process *process_start(struct loop *loop, const struct process_options *options,
                              struct error *err);

/* Queues bytes for its standard input (a copy); false once that is closed, by either side, or if
 * more than PROCESS_INPUT_MAX would wait. */
#define PROCESS_INPUT_MAX (64u << 20)
bool process_write(struct process *p, struct str bytes);
void process_close_input(struct process *p); /* after what is queued */

int process_pid(const struct process *p);

/* From now on whatever this process starts, in whatever way, gets SIGKILL from the kernel when it
 * ends, however that happens; not what those start. Linux only; elsewhere nothing changes. */
void process_bind_children(void);

/* Signal to the whole group; with grace_ms > 0, SIGKILL follows if it has not ended by then. A
 * later call may shorten the grace, not prolong it. What is left of a group that was given a grace
 * when the child itself has ended gets SIGKILL before on_exit. */
void process_kill(struct process *p, int signum, uint64_t grace_ms);
