/* One attempt at a task on this machine: its Task YAML is written, `multiverse run` is started
 * under a supervisor, its output is handed on in pieces, its end is reported, once.
 *
 *     struct executor *e = executor_start(loop, &(struct executor_options){.claim = &claim, ...});
 *     executor_hold(e, deadline);               // each time the lease was renewed
 *     executor_stop(e, ATTEMPT_CANCELLED);      // on_end still comes
 *
 * The folder of the attempt is HOME/attempts/TASK-NUMBER (0700): task.yaml (0600; the tooling that
 * is in use now is embedded as runner.tooling, unless the task brings its own), result.json. It
 * goes when the attempt has ended well; the last EXECUTOR_KEEP that did not are kept for people.
 *
 * Output is made plain text (log_text.h), cut into pieces at line ends where there are any
 * (EXECUTOR_PIECE at most, or what has come after EXECUTOR_FLUSH_MS), and bounded: beyond
 * EXECUTOR_MAX_LOG a last piece says how much was left out. All pieces come before on_end.
 *
 * on_end comes when nothing of the attempt is left on this machine: its supervisor is gone, and no
 * process carries its mark. How it is to be taken (attempt_policy.h):
 *
 *   exit 0                            as success, also if it was to be stopped meanwhile
 *   executor_stop()                   as that said
 *   folder, supervisor or run cannot  ATTEMPT_NO_START
 *     be made, or the ledger's store
 *     cannot be used
 *   the task is wrong                 ATTEMPT_EXITED with 2
 *   its lease is over, its supervisor ATTEMPT_LOST
 *     was killed, or the run was
 *     interrupted from outside (a
 *     service that ends, the machine)
 *   the run died by a signal          ATTEMPT_SIGNALLED
 *   else                              ATTEMPT_EXITED with its code
 *
 * A supervisor that is stopped and does not do its work is killed in time: the run dies with it.
 * After a run that died without a result, the candidate that it was trying after a rest is given
 * back (ledger_give_back()), and the end reports at least the run's id.
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
    struct attempt_end end;   /* what attempt_policy_follow_up() wants */
    struct run_result result; /* zeros where the run left none */
};

struct executor_options {
    const struct transaction_claim *claim; /* copied */
    struct tooling *tooling;               /* the user's, now; a reference is taken */
    const char *home;                      /* ~/.multiverse */
    const char *self;                      /* path of this program */
    const char *store; /* its URL for the run (MULTIVERSE_STORE); NULL: the default */
    int64_t deadline;  /* supervisor_clock(): the lease holds until then */
    void (*on_log)(struct executor *e, struct str text, void *ctx);
    /* The executor is freed when it returns. */
    void (*on_end)(struct executor *e, const struct executor_end *end, void *ctx);
    void *ctx;
};

/* Never fails: what cannot be started ends with ATTEMPT_NO_START. Nothing calls back inside it. */
struct executor *executor_start(struct loop *loop, const struct executor_options *options);
void executor_hold(struct executor *e, int64_t deadline);
/* How it is to be taken: ATTEMPT_CANCELLED, ATTEMPT_STOPPED; ATTEMPT_LOST kills at once. The first
 * reason counts; a second call kills at once. */
void executor_stop(struct executor *e, enum attempt_end_kind why);

/* The Task YAML of an attempt: what executor_start() writes. ERR_CONFIG_* if the spec is wrong. */
bool executor_task_yaml(const struct transaction_claim *claim, struct tooling *tooling,
                        struct buf *out, struct error *err);
