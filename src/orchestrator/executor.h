/* One attempt at a task on this machine: write its Task YAML, start `multiverse run` under a
 * supervisor, pass its output on in pieces, and report its end once.
 *
 *     struct executor *e = executor_start(loop, &(struct executor_options){.claim = &claim, ...});
 *     executor_hold(e, deadline);               // each time the lease was renewed
 *     executor_stop(e, ATTEMPT_CANCELLED);      // on_end still follows
 *
 * The folder of the attempt is HOME/attempts/TASK-NUMBER (0700): task.yaml (0600; it embeds the
 * current tooling as runner.tooling, unless the task has its own) and result.json. It is removed
 * after success; the last EXECUTOR_KEEP folders of failed attempts are kept for people.
 *
 * Output is converted to plain text (log_text.h), cut into pieces at line ends if possible (at most
 * EXECUTOR_PIECE, or what came within EXECUTOR_FLUSH_MS), and limited: after EXECUTOR_MAX_LOG a
 * last piece says how much was left out. All pieces precede on_end.
 *
 * on_end is called when nothing of the attempt is left on this machine: its supervisor is gone, and
 * no process carries its mark. The kind of the end (attempt_policy.h):
 *
 *   exit 0                            success, even if a stop was requested
 *   executor_stop()                   the kind given there
 *   folder, supervisor or run cannot  ATTEMPT_NO_START
 *     be created, or the store of the
 *     ledger cannot be used
 *   the task is wrong                 ATTEMPT_EXITED with 2
 *   its lease expired, its supervisor ATTEMPT_LOST
 *     was killed, or the run was
 *     interrupted from outside (a
 *     service or the machine stops)
 *   the run died by a signal          ATTEMPT_SIGNALLED
 *   anything else                     ATTEMPT_EXITED with its exit code
 *
 * A supervisor that does not react in time is killed; the run dies with it. If a run dies without a
 * result while it tries a candidate after a cooldown, that candidate is given back
 * (ledger_give_back()), and the end has at least the id of the run.
 */
#pragma once

#include "agent/run_result.h"
#include "base/loop.h"
#include "orchestrator/transaction.h"
#include "tooling/tooling.h"

#define EXECUTOR_PIECE    (16u << 10)
#define EXECUTOR_FLUSH_MS 200u
#define EXECUTOR_MAX_LOG  (16u << 20)
#define EXECUTOR_KEEP     50u

struct executor;

struct executor_end {
    struct attempt_end end;   /* for attempt_policy_follow_up() */
    struct run_result result; /* zeros if the run left none */
};

struct executor_options {
    const struct transaction_claim *claim; /* copied */
    struct tooling *tooling;               /* the current one; a reference is taken */
    const char *home;                      /* ~/.multiverse */
    const char *self;                      /* path of this program */
    const char *store; /* its URL for the run (MULTIVERSE_STORE); NULL: the default */
    int64_t deadline;  /* supervisor_clock(): the lease holds until then */
    void (*on_log)(struct executor *e, struct str text, void *ctx);
    /* The executor is freed when this returns. */
    void (*on_end)(struct executor *e, const struct executor_end *end, void *ctx);
    void *ctx;
};

/* Never fails: an attempt that cannot be started ends with ATTEMPT_NO_START. Calls no callback
 * before it returns. */
struct executor *executor_start(struct loop *loop, const struct executor_options *options);
void executor_hold(struct executor *e, int64_t deadline);
/* Stop the attempt; `why` is the kind of its end: ATTEMPT_CANCELLED or ATTEMPT_STOPPED, or
 * ATTEMPT_LOST, which kills at once. The first kind counts; a second call kills at once. */
void executor_stop(struct executor *e, enum attempt_end_kind why);

/* Append the Task YAML that executor_start() writes. ERR_CONFIG_* if the spec is wrong. */
bool executor_task_yaml(const struct transaction_claim *claim, struct tooling *tooling,
                        struct buf *out, struct error *err);
