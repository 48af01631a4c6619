/* One attempt: one candidate is started, read, bounded in time, and ends with an outcome, once.
 *
 *     struct attempt_options o = {.call = call, .limit_ms = 1800000, .on_end = ...};
 *     struct attempt *a = attempt_start(loop, &o);
 *     attempt_stop(a);                          // Ctrl-C: the group is killed, on_end still comes
 *
 * The child leads a process group of its own; when it ends, is stopped or runs out of time, what
 * is left of the group is killed, and what has left the group (mark.h). stdout and stderr are
 * read apart, go masked (secrets.h) to DIR/NAME.out and NAME.err (bounded, 0600) and through a
 * report (report.h). A report that is hopeless ends the attempt early. A program that cannot be
 * started is an outcome, too (OUTCOME_LAUNCH). Nothing calls back inside attempt_start().
 *
 * Everything that is handed out is masked: the texts of steps, and in on_end the last words, the
 * outcome's message and its evidence.
 */
#pragma once

#include "agent/provider.h"
#include "agent/report.h"
#include "agent/sandbox.h"
#include "base/loop.h"
#include "base/secrets.h"

#define ATTEMPT_MAX_OUTPUT  (64u << 20) /* of each stream on disk; what is beyond is counted */
#define ATTEMPT_MAX_ROLLOUT (1u << 20)  /* of codex's own record of the session, its end */
#define ATTEMPT_GRACE_MS    3000u       /* between SIGTERM and SIGKILL */

struct attempt;

typedef void attempt_end_fn(struct attempt *a, const struct report *r, void *ctx);

struct attempt_options {
    struct provider_call call; /* copied where needed; what it points to lives until on_end */
    const char *name;          /* of the transcript's files: "03-worker-claude-code" */
    uint64_t limit_ms;         /* its time; 0: none */
    struct sandbox sandbox;
    struct secrets *secrets; /* known so far; the call's own are added */
    report_step_fn *on_step;
    attempt_end_fn *on_end; /* the attempt is freed when it returns */
    void *ctx;
};

struct attempt *attempt_start(struct loop *loop, const struct attempt_options *options);
void attempt_stop(struct attempt *a); /* more than once is fine; not after on_end */
