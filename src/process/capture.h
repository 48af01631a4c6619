/* Run a program to its end and collect its output, bounded in size and in time.
 *
 *     struct capture c = {.argv = (const char *const[]){"git", "status", NULL}, .limit_ms = 5000};
 *     if (!capture_run(&c, &err)) ...           // it could not be started
 *     if (!c.timed_out && c.end.signal == 0 && c.end.code == 0)
 *         use(buf_str(&c.out));
 *     capture_done(&c);
 *
 * Blocks, for commands that end soon. It uses a loop of its own, so it may be called inside a
 * callback of another loop. The rest of the program's process group is killed when the program
 * ends or its time is over. Output beyond `max` is dropped (see `overflow` of the buffer).
 */
#pragma once

#include "base/buf.h"
#include "process/process.h"

#define CAPTURE_MAX (1u << 20)

struct capture {
    const char *const *argv;
    const char *const *env; /* NULL: this process's own */
    const char *cwd;        /* NULL: this process's own */
    struct str input;
    uint64_t limit_ms;     /* 0: no limit */
    size_t max;            /* bytes of each stream; 0: CAPTURE_MAX */
    bool kill_on_overflow; /* end the program when it writes more than that */
    /* results */
    struct buf out, err;
    struct process_exit end;
    bool timed_out;
    /* private */
    struct process *process;
    struct timer timer;
};

bool capture_run(struct capture *c, struct error *err);
void capture_done(struct capture *c);
