/* One attempt: one candidate's child process, which is started, read and bounded in time, and ends
 * with exactly one outcome.
 *
 *     struct attempt_options o = {.call = call, .name = "01-worker", .limit_ms = 1800000,
 *                                 .on_end = on_end, .ctx = me};
 *     struct attempt *a = attempt_start(loop, &o);
 *     attempt_stop(a);                          // Ctrl-C: the child is killed, on_end follows
 *     attempt_free(a);                          // in on_end, or later
 *
 * The child leads its own process group. When it ends, is stopped or exceeds its time, the rest of
 * the group is killed, and everything that has left the group (mark.h). Its standard output and
 * error are masked (secrets.h), written to DIR/NAME.out and DIR/NAME.err (bounded, 0600), and
 * parsed by a report (output.h). A report that is hopeless ends the attempt early. A program that
 * cannot be started is an outcome, too (OUTCOME_LAUNCH).
 *
 * All texts that leave this module are masked: those of steps, and in on_end the last message, the
 * outcome's message and its evidence.
 */
#pragma once

#include "agent/output.h"
#include "agent/provider.h"
#include "agent/sandbox.h"
#include "base/loop.h"
#include "base/secrets.h"

#define ATTEMPT_MAX_OUTPUT (64u << 20) /* bytes of each stream on disk; the rest is counted */
#define ATTEMPT_MAX_SESSION_LOG                                                                    \
    (1u << 20)                 /* bytes of the end of codex's own record of the session */
#define ATTEMPT_GRACE_MS 3000u /* between SIGTERM and SIGKILL */

struct attempt;

/* The report lives until attempt_free(). */
typedef void attempt_end_fn(struct attempt *a, const struct output *r, void *ctx);

struct attempt_options {
    struct provider_call call; /* what it points to lives until on_end */
    const char *name;          /* of the transcripts: "03-worker-claude-code" */
    uint64_t limit_ms;         /* 0: no limit */
    struct sandbox sandbox;
    struct secrets *secrets; /* the call's own are added; NULL: only these are masked */
    output_step_fn *on_step; /* may be NULL */
    attempt_end_fn *on_end;
    void *ctx;
};

struct attempt *attempt_start(struct loop *loop, const struct attempt_options *options);
void attempt_stop(struct attempt *a); /* again: kill at once; not after on_end */
void attempt_free(struct attempt *a); /* after on_end; NULL is fine */
