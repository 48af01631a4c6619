/* The test command of a task: run it in a shell, limit its time, keep the end of its output.
 *
 *     struct verify *v = verify_start(loop, &(struct verify_options){
 *         .command = STR("make test"), .cwd = repo, .limit_ms = 600000, .on_end = on_end});
 *     verify_stop(v);                           // Ctrl-C: the group is killed, on_end still comes
 *
 * `sh -c` in its own process group with an empty input. When it ends, or exceeds its time, the rest
 * of the group is killed, and everything that has left the group (mark.h). Both streams are read as
 * one; the last VERIFY_KEEP bytes are kept, with secrets masked. Nothing calls back inside
 * verify_start().
 */
#pragma once

#include "base/loop.h"
#include "base/secrets.h"

#define VERIFY_KEEP     (16u << 10)
#define VERIFY_GRACE_MS 3000u /* between SIGTERM and SIGKILL */

struct verify;

struct verify_end {
    bool passed;  /* it ended by itself with 0 */
    int64_t code; /* exit code; 128 + n after signal n; 127 if it could not be started */
    bool timed_out, stopped;
    struct str summary; /* "exit 2 after 3.2 s", "no end after 600.0 s: killed" */
    struct str output;  /* the end of it, as UTF-8 */
};

typedef void verify_end_fn(const struct verify_end *end, void *ctx);

struct verify_options {
    struct str command;
    const char *cwd;
    uint64_t limit_ms;             /* 0: no limit */
    const struct secrets *secrets; /* NULL: none */
    verify_end_fn *on_end;         /* it is freed when that returns */
    void *ctx;
};

struct verify *verify_start(struct loop *loop, const struct verify_options *options);
void verify_stop(struct verify *v); /* a second call kills at once; not after on_end */
