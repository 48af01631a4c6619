/* Carries a task from its file to its end: plan, work, validate, until it is complete or failed.
 *
 *     struct runner *r = runner_start(loop, &(struct runner_options){.task = t, ...});
 *     runner_stop(r);                           // Ctrl-C; on_end still comes, once
 *
 *   plan_task (category task) -> criteria
 *   loop: next_action (execution) -> run_worker: a worker run (worker), then next_action again
 *                                 -> mark_complete: completion_assessment (execution), then the test
 *   until all criteria are satisfied and task.test.command ends with 0, or max_loops worker runs.
 *
 * A malformed answer is asked for again, at most QUESTION_TRIES times in all. Each question and each
 * worker run goes through dispatch.h. The worker's candidate is merged with worker_call and the
 * task's worker env: the candidate's tool, model, cliPath, flags, env and toolSpecific hold over
 * worker_call's. A test that fails goes back as RUN_MORE with the end of its output.
 *
 * Everything that happens is told as events, from which the terminal, plain lines and --json are
 * made. Texts are masked already.
 */
#pragma once

#include "agent/dispatch.h"
#include "agent/run.h"
#include "agent/task_file.h"

enum runner_event_kind {
    RUNNER_STATE,   /* state changed */
    RUNNER_ASK,     /* a question goes out: text its name */
    RUNNER_TRY,     /* a candidate was chosen: tool, model, category, number */
    RUNNER_STEP,    /* something the agent did: text */
    RUNNER_OUTCOME, /* of a try: text its class, until, message */
    RUNNER_PLAN,    /* criteria are there */
    RUNNER_CHANGES, /* text: what a worker run changed */
    RUNNER_TEST,    /* the test ended: text, code */
    RUNNER_NOTE,    /* the note was written: text its path */
    RUNNER_WARN,    /* text */
    RUNNER_END      /* text: why it failed, or "" */
};

struct runner_event {
    enum runner_event_kind kind;
    enum run_state state;
    uint64_t loop, max_loops; /* worker runs so far, this one counted */
    struct str category, tool, model, text, outcome;
    unsigned number;
    int64_t until;                        /* unix ms, RUNNER_OUTCOME */
    int64_t code;                         /* RUNNER_TEST */
    uint64_t elapsed_ms;                  /* of the run */
    uint64_t input_tokens, output_tokens; /* so far; 0: not known */
    double cost_usd;
};

struct runner;

typedef void runner_event_fn(const struct runner_event *e, void *ctx);
/* state COMPLETE or FAILED; the runner is freed when it returns. */
typedef void runner_end_fn(struct runner *r, enum run_state state, bool stopped, void *ctx);

struct runner_options {
    const struct task_file *task;
    struct tooling *tooling; /* what holds: the task's own, else the user's */
    struct ledger *ledger;
    struct rng *rng;
    struct provider_mcp mcp; /* for workers; url NULL: none */
    const char *self;        /* path of this program */
    const char *dir;         /* where transcripts and files of calls go; made by the caller, 0700 */
    const char *run_id;
    struct secrets *secrets;
    runner_event_fn *on_event;
    runner_end_fn *on_end;
    void *ctx;
};

struct runner *runner_start(struct loop *loop, const struct runner_options *options);
void runner_stop(struct runner *r);
