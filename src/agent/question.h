/* The three questions of a run (the meta protocol): prompts, and answers in JSON or YAML, checked.
 *
 *     question_prompt_plan(&out, task);
 *     if (!question_read_plan(&arena, answer, &plan, &err))
 *         question_prompt_repair(&out, first, answer, err.text);
 *
 * An answer is one JSON object or YAML mapping, flat or as {type, version, payload: {...}}; it may
 * be in a code fence and between prose. If there are several objects, the last one with a member of
 * the answer counts. Keys are in snake_case or camelCase. Long texts are cut; too many criteria are
 * an error.
 *
 *   plan_task             {"task_id", "acceptance_criteria": [{"id": "AC-1", "description"}],
 *                          "plan"?}
 *   next_action           {"decision": {"action": "run_worker" | "mark_complete", "reason"?},
 *                          "worker_call"?: {"worker_type"?, "mode"?, "prompt", "model"?, "flags"?,
 *                          "env"?, "tool_specific"?, "use_stdin"?}}
 *   completion_assessment {"all_criteria_satisfied", "summary"?, "by_criterion": [{"id", "status":
 *                          "passed" | "failed", "comment"?}], "risks"?: [text]}
 *
 * A prompt names its own question and no other, shows the wanted form with an example, and never
 * exceeds QUESTION_MAX_PROMPT: long texts are cut in the middle, older runs are cut first.
 */
#pragma once

#include "agent/answer_object.h"
#include "base/buf.h"
#include "task/task_file.h"

#define QUESTION_TRIES        3u /* attempts to get a valid answer */
#define QUESTION_MAX_CRITERIA 100u
#define QUESTION_MAX_RUNS     100u
#define QUESTION_MAX_RISKS    32u
#define QUESTION_MAX_ID       64u
#define QUESTION_MAX_TEXT     4096u        /* of a criterion, a comment, a reason, a risk */
#define QUESTION_MAX_WORK     (64u << 10)  /* of the prompt for a worker */
#define QUESTION_MAX_PROMPT   (192u << 10) /* of a question */
#define QUESTION_MAX_ANSWER   ANSWER_OBJECT_MAX_BYTES

enum question {
    QUESTION_PLAN,
    QUESTION_NEXT,
    QUESTION_ASSESS,
    QUESTION_COUNT
};

enum question_mark {
    QUESTION_OPEN,
    QUESTION_PASSED,
    QUESTION_FAILED
};

struct question_criterion {
    struct str id, text;
    enum question_mark mark;
    struct str comment;
};

struct question_plan {
    struct question_criterion criteria[QUESTION_MAX_CRITERIA];
    size_t count;
    struct str plan;
};

struct question_next {
    bool complete; /* mark_complete; else run_worker */
    struct str reason;
    struct candidate call; /* overrides of worker_call; tool AGENT_NONE: none, or unknown */
    struct str mode, prompt;
    bool use_stdin;
};

struct question_assessment {
    bool satisfied; /* all_criteria_satisfied, and none of them failed */
    struct str summary;
    size_t passed, failed;
    struct str risks[QUESTION_MAX_RISKS];
    size_t risk_count;
};

struct question_run { /* a past worker run, for the next prompts */
    struct str prompt, said, outcome, changes;
};

struct question_history {
    const struct question_plan *plan;
    const struct question_run *runs;
    size_t run_count;
    const struct question_assessment *assessment; /* the last one; NULL: none yet */
    struct str test_output;                       /* of the last test; "": none */
    bool test_failed;
};

const char *question_name(enum question q);
enum category question_category(enum question q); /* task, execution, execution */

void question_prompt_plan(struct buf *out, const struct task_file *t);
void question_prompt_next(struct buf *out, const struct task_file *t,
                          const struct question_history *h);
void question_prompt_assess(struct buf *out, const struct task_file *t,
                            const struct question_history *h);
/* Repeat the question with the invalid answer and the reason. */
void question_prompt_repair(struct buf *out, struct str first, struct str answer, const char *why);
/* The prompt for a worker: the prompt of next_action, followed by the task. `left` lists what
 * another agent changed before it had to stop, or is "". */
struct question_work {
    const struct question_plan *plan;
    struct str prompt;      /* of worker_call */
    struct str left, ended; /* ended: "claude-code: rate_limited" */
};
void question_prompt_work(struct buf *out, const struct task_file *t,
                          const struct question_work *work);

/* Texts are views into the arena. ERR_SYNTAX: no object in the answer; ERR_INVALID_PARAMS: an
 * object that is not this answer. */
bool question_read_plan(struct arena *a, struct str answer, struct question_plan *out,
                        struct error *err);
bool question_read_next(struct arena *a, struct str answer, struct question_next *out,
                        struct error *err);
/* Also mark the plan's criteria: an unknown id is an error, a missing one stays open. */
bool question_read_assessment(struct arena *a, struct str answer, struct question_plan *plan,
                              struct question_assessment *out, struct error *err);
