/* Carries a task from its file to its end: plan, work, verify, until it is complete or has failed.
 *
 *     struct runner *r = runner_start(loop, &(struct runner_options){.task = t, .on_end = on_end});
 *     runner_stop(r);                           // Ctrl-C; on_end still comes, once
 *
 *   plan_task (category task) -> acceptance criteria
 *   next_action (execution)   -> run_worker: a worker run (worker), then next_action again
 *                             -> mark_complete: completion_assessment (execution), then the test
 *   until all criteria are satisfied and task.test.command exits with 0; until max_loops worker
 *   runs are used up; or until it was marked complete more than RUNNER_MAX_MARKS times without any
 *   work.
 *
 * A malformed answer is asked for again, up to QUESTION_TRIES times in all. Each question and each
 * worker run is one dispatch (dispatch.h). A question without an answer, or a worker run for which
 * no candidate is left, fails the run. After a worker that ended with a refused request, at its
 * time limit or by a signal, next_action decides how to go on. A test that fails leads back to
 * next_action, with the end of its output.
 *
 * If a worker changed files and then hit a limit, the prompt of the next candidate lists the
 * changes and asks it to continue in place.
 *
 * Everything that happens is sent as events, from which the terminal, plain lines and --json are
 * made. Their texts are masked. The note (task_note.h) is written at each step. Transcripts are
 * DIR/NN-category-agent.out and .err, those of the test DIR/NN-test.out.
 */
#pragma once

#include "agent/dispatch.h"
#include "agent/run.h"
#include "agent/run_result.h"
#include "task/task_file.h"

#define RUNNER_MAX_MARKS 3u
#define RUNNER_META_MS   (15u * 60000u) /* for one candidate's answer to a question */
#define RUNNER_TEST_MS   (30u * 60000u) /* for the test command */

enum runner_event_kind {
    RUNNER_STATE,   /* state changed */
    RUNNER_ASK,     /* a question is sent: text its name, number its try */
    RUNNER_TRY,     /* a candidate was chosen: tool, model, category, number */
    RUNNER_STEP,    /* something the agent did: step, text, failed */
    RUNNER_OUTCOME, /* of a try: outcome its class, until, text the provider's sentence */
    RUNNER_PLAN,    /* the criteria: text "AC-1: ...", one a line */
    RUNNER_ANSWER,  /* what next_action or completion_assessment decided: text */
    RUNNER_CHANGES, /* what a worker run changed: text */
    RUNNER_TEST,    /* the test ended: code, text "after 3.2 s" and the end of its output */
    RUNNER_NOTE,    /* the note was written: text its path */
    RUNNER_WARN,    /* text */
    RUNNER_END      /* text: why it failed, or ""; result */
};

struct runner_event {
    enum runner_event_kind kind;
    enum run_state state;
    uint64_t loop, max_loops; /* worker runs so far, with the current one */
    struct str category, tool, model, text, outcome;
    enum output_step_kind step;           /* RUNNER_STEP */
    bool failed;                          /* RUNNER_STEP: a tool call that failed */
    unsigned number;                      /* of the try: RUNNER_TRY, RUNNER_OUTCOME, RUNNER_ASK */
    int64_t until;                        /* RUNNER_OUTCOME: end of the cooldown, unix ms */
    int64_t code;                         /* RUNNER_TEST */
    uint64_t elapsed_ms;                  /* of the run */
    uint64_t input_tokens, output_tokens; /* so far; 0: not known */
    double cost_usd;
    const struct run_result *result; /* RUNNER_END: the whole result; else NULL */
};

struct runner;

typedef void runner_event_fn(const struct runner_event *e, void *ctx);
/* state is COMPLETE or FAILED; the runner is freed when it returns. */
typedef void runner_end_fn(struct runner *r, enum run_state state, bool stopped, void *ctx);

struct runner_options {
    const struct task_file *task;
    struct tooling *tooling; /* the task's own, or the user's */
    struct ledger *ledger;
    struct rng *rng;
    struct provider_mcp mcp; /* for workers; url NULL: none */
    const char *self;        /* path of this program */
    const char *dir;         /* for transcripts and files of calls; made by the caller, 0700 */
    const char *run_id;
    struct secrets *secrets;
    uint64_t meta_limit_ms, test_limit_ms; /* 0: RUNNER_META_MS, RUNNER_TEST_MS */
    runner_event_fn *on_event;
    runner_end_fn *on_end;
    void *ctx;
};

/* Nothing calls back inside it. What the options point to lives until on_end. */
struct runner *runner_start(struct loop *loop, const struct runner_options *options);
void runner_stop(struct runner *r); /* a second call kills children at once */

/* Use another configuration from the next question or worker run on. Takes a reference. */
void runner_set_tooling(struct runner *r, struct tooling *t);
void runner_warn(struct runner *r, struct str text); /* send RUNNER_WARN */
