/* A program run to its end while we wait: its output, bounded in size and in time.
 *
 *     struct capture c = {.argv = (const char *const[]){"git", "status", NULL}, .limit_ms = 5000};
 *     if (!capture_run(&c, &err)) ...           // it could not be started
 *     if (!c.timed_out && c.end.signal == 0 && c.end.code == 0)
 *         use(buf_str(&c.out));
 *     capture_done(&c);
 *
 * Blocking: for commands that end soon. On a loop of its own, so it may be called inside a callback
 * of another. What is left of the program's process group is killed when it ends or when its time
 * is over. Output beyond `max` is left out (`overflow` of the buffer says so).
 */
#pragma once

#include "base/buf.h"
#include "process/process.h"

#define CAPTURE_MAX (1u << 20)

struct capture {
    const char *const *argv;
    const char *const *env; /* NULL: our own */
    const char *cwd;        /* NULL: our own */
    struct str input;
    uint64_t limit_ms; /* 0: none */
    size_t max;        /* of each stream; 0: CAPTURE_MAX */
    bool is_brief;     /* it is killed when it says more than that */
    /* afterwards */
    struct buf out, err;
    struct process_exit end;
    bool timed_out;
    /* private */
    struct process *proc;
    struct timer timer;
};

bool capture_run(struct capture *c, struct error *err);
void capture_done(struct capture *c);
