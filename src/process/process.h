/* A child process: its arguments, its environment, its pipes, and one report of its end.
 *
 *     struct process_options o = {.argv = (const char *const[]){"git", "status", NULL},
 *                                 .on_output = on_output, .on_exit = on_exit, .ctx = me};
 *     struct process *p = process_start(loop, &o, &err);
 *     process_write(p, STR("input"));
 *     process_close_input(p);                   // on_output for each piece, then on_exit
 *
 * The other modules of this folder are built on it: capture.h runs a program and waits for its end,
 * mark.h finds and kills what a child has left behind, supervisor.h does that even if this process
 * is killed, orphans.h even if the supervisor was killed too.
 *
 * The child leads its own process group, so process_kill() also reaches its children. on_exit
 * follows the last byte of output; p is freed when it returns. No shell is involved. A grandchild
 * that outlives the child and keeps its pipes open delays on_exit by at most PROCESS_LINGER_MS;
 * what it writes later is lost. Nothing calls back inside process_start(). Free the loop after
 * on_exit.
 */
#pragma once

#include "base/error.h"
#include "base/loop.h"
#include "base/str.h"

#define PROCESS_LINGER_MS 500u
#define PROCESS_INPUT_MAX (64u << 20)

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
    const char *const *argv;      /* argv[0] is searched in PATH; NULL ends the list */
    const char *const *env;       /* "NAME=value", NULL ends the list; NULL: this process's own */
    const char *cwd;              /* NULL: this process's own */
    bool owns_group;              /* when it ends, the rest of its group gets SIGKILL */
    process_output_fn *on_output; /* NULL: output goes to /dev/null */
    process_exit_fn *on_exit;
    void *ctx;
};

/* NULL and ERR_IO "cannot run NAME: no such file or directory" if there is no such program. */
struct process *process_start(struct loop *loop, const struct process_options *options,
                              struct error *err);

/* Queue a copy of the bytes for its standard input. False if that is closed, by either side, or if
 * more than PROCESS_INPUT_MAX bytes would wait. */
bool process_write(struct process *p, struct str bytes);
void process_close_input(struct process *p); /* after the queued bytes */

int process_pid(const struct process *p);

/* Send a signal to the whole group. With grace_ms > 0, SIGKILL follows if the child has not ended
 * by then, and the group is owned from now on (see owns_group). A later call may shorten the grace,
 * not prolong it. */
void process_kill(struct process *p, int signum, uint64_t grace_ms);

/* From now on the kernel kills every direct child of this process when this process ends, however
 * it ends. Without effect where the system has no such thing. */
void process_bind_children(void);
