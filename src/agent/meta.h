/* The three questions of a run, and their answers: prompts out, JSON or YAML in, checked.
 *
 *     meta_prompt_plan(&out, task);
 *     if (!meta_read_plan(answer, &plan, &err)) // err says what is wrong, for the repair prompt
 *         meta_prompt_repair(&out, META_PLAN, answer, err.text);
 *
 * An answer may stand in a code fence, after or before prose; it is one JSON object or one YAML
 * mapping {type, payload...}. Keys in snake_case or camelCase. Everything is bounded.
 *
 *   plan_task             {"task_id", "acceptance_criteria": [{"id": "AC-1", "description"}], "plan"?}
 *   next_action           {"decision": {"action": "run_worker" | "mark_complete", "reason"?},
 *                          "worker_call"?: {"worker_type"?, "mode"?, "prompt", "model"?, "flags"?,
 *                          "env"?, "tool_specific"?, "use_stdin"?}}
 *   completion_assessment {"all_criteria_satisfied", "summary"?, "by_criterion": [{"id", "status":
 *                          "passed" | "failed", "comment"?}], "risks"?: [text]}
 */
#pragma once

#include "agent/task_file.h"
#include "base/buf.h"

#define META_TRIES        3u
#define META_MAX_CRITERIA 100u
#define META_MAX_RUNS     100u

enum meta_question {
    META_PLAN,
    META_NEXT,
    META_ASSESS,
    META_QUESTION_COUNT
};

struct meta_criterion {
    struct str id, text;
    enum {
        META_OPEN,
        META_PASSED,
        META_FAILED
    } status;
    struct str comment;
};

struct meta_plan {
    struct meta_criterion criteria[META_MAX_CRITERIA];
    size_t count;
    struct str plan;
};

struct meta_next {
    bool complete; /* mark_complete; else run_worker */
    struct str reason;
    struct candidate call; /* worker_call's overrides; tool TOOL_NONE: not said */
    struct str mode, prompt;
    bool use_stdin;
};

struct meta_assessment {
    bool satisfied;
    struct str summary;
    size_t passed, failed;
    struct str risks[32];
    size_t risk_count;
};

struct meta_worker_run { /* what happened so far, for the next prompts */
    struct str prompt, said, outcome, changes;
};

struct meta_history {
    const struct meta_plan *plan;
    const struct meta_worker_run *runs;
    size_t run_count;
    struct str test_output; /* of the last test, "" none */
    bool test_failed;
};

const char *meta_question_name(enum meta_question q);
enum category meta_category(enum meta_question q); /* task, execution, execution */

void meta_prompt_plan(struct buf *out, const struct task_file *t);
void meta_prompt_next(struct buf *out, const struct task_file *t, const struct meta_history *h);
void meta_prompt_assess(struct buf *out, const struct task_file *t, const struct meta_history *h);
/* The same question again: what came, and why it was no answer. */
void meta_prompt_repair(struct buf *out, struct str first, struct str answer, const char *why);

/* Views are in the arena. */
bool meta_read_plan(struct arena *a, struct str answer, struct meta_plan *out, struct error *err);
bool meta_read_next(struct arena *a, struct str answer, struct meta_next *out, struct error *err);
/* Marks the plan's criteria; one it does not know is a fault, one it leaves out stays open. */
bool meta_read_assessment(struct arena *a, struct str answer, struct meta_plan *plan,
                          struct meta_assessment *out, struct error *err);
