/* The three questions of a run (the meta protocol), and their answers: prompts out, JSON or YAML
 * in, checked.
 *
 *     question_prompt_plan(&out, task);
 *     if (!question_read_plan(&arena, answer, &plan, &err)) // err says why, for the next prompt
 *         question_prompt_repair(&out, first, answer, err.text);
 *
 * An answer may stand in a code fence, after or before prose; it is one JSON object or one YAML
 * mapping, flat or as {type, version, payload: {...}}. Of several the last that has a member of the
 * answer counts. Keys in snake_case or camelCase. Everything is bounded: texts that are too long
 * are cut, too many criteria are a fault.
 *
 *   plan_task             {"task_id", "acceptance_criteria": [{"id": "AC-1", "description"}],
 *                          "plan"?}
 *   next_action           {"decision": {"action": "run_worker" | "mark_complete", "reason"?},
 *                          "worker_call"?: {"worker_type"?, "mode"?, "prompt", "model"?, "flags"?,
 *                          "env"?, "tool_specific"?, "use_stdin"?}}
 *   completion_assessment {"all_criteria_satisfied", "summary"?, "by_criterion": [{"id", "status":
 *                          "passed" | "failed", "comment"?}], "risks"?: [text]}
 *
 * A prompt names its own question and no other, says exactly what is wanted with an example, and
 * never exceeds QUESTION_MAX_PROMPT: long texts are cut in the middle, older runs first.
 */
#pragma once

#include "agent/answer_object.h"
#include "base/buf.h"
#include "task/task_file.h"

#define QUESTION_TRIES        3u /* of an answer that cannot be read */
#define QUESTION_MAX_CRITERIA 100u
#define QUESTION_MAX_RUNS     100u
#define QUESTION_MAX_RISKS    32u
#define QUESTION_MAX_ID       64u
#define QUESTION_MAX_TEXT     4096u        /* of a criterion, a comment, a reason, a risk */
#define QUESTION_MAX_WORK     (64u << 10)  /* of the prompt for a worker */
#define QUESTION_MAX_PROMPT   (192u << 10) /* of ours */
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
    struct candidate call; /* worker_call's overrides; tool AGENT_NONE: not said, or not known */
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

struct question_run { /* a worker run that was, for the next prompts */
    struct str prompt, said, outcome, changes;
};

struct question_history {
    const struct question_plan *plan;
    const struct question_run *runs;
    size_t run_count;
    const struct question_assessment *assessment; /* the last one; NULL: none yet */
    struct str test_output;                       /* of the last test, "" none */
    bool test_failed;
};

const char *question_name(enum question q);
enum category question_category(enum question q); /* task, execution, execution */

void question_prompt_plan(struct buf *out, const struct task_file *t);
void question_prompt_next(struct buf *out, const struct task_file *t,
                          const struct question_history *h);
void question_prompt_assess(struct buf *out, const struct task_file *t,
                            const struct question_history *h);
/* The same question again: what came, and why it was no answer. */
void question_prompt_repair(struct buf *out, struct str first, struct str answer, const char *why);
/* For the worker: what next_action wants of it, with the task around it. `left` is what another
 * agent changed before it had to stop, "" if none did. */
struct question_work {
    const struct question_plan *plan;
    struct str prompt;      /* of worker_call */
    struct str left, ended; /* by whom and how: "claude-code, rate_limited" */
};
void question_prompt_work(struct buf *out, const struct task_file *t,
                          const struct question_work *work);

/* Views are in the arena. ERR_SYNTAX: no object in it; ERR_INVALID_PARAMS: not that answer. */
bool question_read_plan(struct arena *a, struct str answer, struct question_plan *out,
                        struct error *err);
bool question_read_next(struct arena *a, struct str answer, struct question_next *out,
                        struct error *err);
/* Marks the plan's criteria; one it does not know is a fault, one it leaves out stays open. */
bool question_read_assessment(struct arena *a, struct str answer, struct question_plan *plan,
                              struct question_assessment *out, struct error *err);
