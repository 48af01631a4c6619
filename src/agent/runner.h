/* Carries a task from its file to its end: plan, work, validate, until it is complete or failed.
 *
 *     struct runner *r = runner_start(loop, &(struct runner_options){.task = t, ...});
 *     runner_stop(r);                           // Ctrl-C; on_end still comes, once
 *
 *   plan_task (category task) -> criteria
 *   loop: next_action (execution) -> run_worker: a worker run (worker), then next_action again
 *                                 -> mark_complete: completion_assessment (execution), the test
 *   until all criteria are satisfied and task.test.command ends with 0, or max_loops worker runs
 *   are used up, or it was marked complete more than RUNNER_MAX_MARKS times without any work.
 *
 * A malformed answer is asked for again, at most QUESTION_TRIES times in all. Each question and
 * each worker run goes through dispatch.h; a question that gets no answer, or a worker run for
 * which nobody is left, fails the run. A worker that ends with a refused request, at its time limit
 * or by a signal is looked at by the next next_action. The worker's candidate is merged with
 * worker_call and the task's worker env (worker_merge.h). A test that fails goes back as RUN_MORE
 * with the end of its output.
 *
 * A worker that changed files and then hit a limit leaves word: the next candidate is told what was
 * changed and to go on in place.
 *
 * Everything that happens is told as events, from which the terminal, plain lines and --json are
 * made; texts are masked. The note (task_note.h) is written at each step. Transcripts are
 * DIR/NN-category-tool.out and .err, the test's DIR/NN-test.out.
 */
#pragma once

#include "agent/dispatch.h"
#include "agent/run.h"
#include "agent/run_result.h"
#include "task/task_file.h"

#define RUNNER_MAX_MARKS 3u
#define RUNNER_META_MS   (15u * 60000u) /* for an answer of one candidate */
#define RUNNER_TEST_MS   (30u * 60000u) /* for the test command */

enum runner_event_kind {
    RUNNER_STATE,   /* state changed */
    RUNNER_ASK,     /* a question goes out: text its name, number its try */
    RUNNER_TRY,     /* a candidate was chosen: tool, model, category, number */
    RUNNER_STEP,    /* something the agent did: step, text, failed */
    RUNNER_OUTCOME, /* of a try: outcome its class, until, text the provider's sentence */
    RUNNER_PLAN,    /* criteria are there: text "AC-1: ...", one a line */
    RUNNER_ANSWER,  /* what next_action or completion_assessment decided: text */
    RUNNER_CHANGES, /* text: what a worker run changed */
    RUNNER_TEST,    /* the test ended: code, text "after 3.2 s" and the end of its output */
    RUNNER_NOTE,    /* the note was written: text its path */
    RUNNER_WARN,    /* text */
    RUNNER_END      /* text: why it failed, or ""; result */
};

struct runner_event {
    enum runner_event_kind kind;
    enum run_state state;
    uint64_t loop, max_loops; /* worker runs so far, this one counted */
    struct str category, tool, model, text, outcome;
    enum report_step_kind step;           /* RUNNER_STEP */
    bool failed;                          /* RUNNER_STEP: a tool that did not do it */
    unsigned number;                      /* RUNNER_TRY, RUNNER_OUTCOME: of the try; RUNNER_ASK */
    int64_t until;                        /* unix ms, RUNNER_OUTCOME */
    int64_t code;                         /* RUNNER_TEST */
    uint64_t elapsed_ms;                  /* of the run */
    uint64_t input_tokens, output_tokens; /* so far; 0: not known */
    double cost_usd;
    const struct run_result *result; /* RUNNER_END: all there is to say; else NULL */
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
    uint64_t meta_limit_ms, test_limit_ms; /* 0: RUNNER_META_MS, RUNNER_TEST_MS */
    runner_event_fn *on_event;
    runner_end_fn *on_end;
    void *ctx;
};

/* Nothing calls back inside it. What the options point to lives until on_end. */
struct runner *runner_start(struct loop *loop, const struct runner_options *options);
void runner_stop(struct runner *r); /* a second time: children are killed at once */

/* Another configuration: it holds from the next question or worker run on. A reference is taken. */
void runner_set_tooling(struct runner *r, struct tooling *t);
void runner_warn(struct runner *r, struct str text); /* told as RUNNER_WARN */
