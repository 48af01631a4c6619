/* A goal in one sentence becomes tasks with dependencies: a candidate of the category `plan` is
 * asked for them, and its answer is checked.
 *
 *     struct goal *g = goal_start(loop, &(struct goal_options){.text = STR("..."), ...});
 *     ...  // on_end(g, plan, why): plan->tasks, each after those it needs; NULL: see why
 *
 * The question is GOAL_QUESTION. The answer is {"tasks": [{"id", "title", "description",
 * "dependencies"?: [id], "test"?: command, "acceptance"?: [text], "file_paths"?, "phase_name"?,
 * "wbs_level"?}]}, extracted and read like other answers (agent/question.h). If it is wrong (an id
 * is not a name or duplicate, a dependency is unknown, there is a cycle, no task or more than
 * GOAL_MAX_TASKS), the next prompt says so, up to QUESTION_TRIES prompts; each may go to another
 * candidate. An id is [A-Za-z0-9._-], begins with a letter or a digit and has at most
 * QUESTION_MAX_ID characters; a missing id is made from the title. The prompt describes the repo:
 * its files two levels deep and, for a Unity project, its version and scenes.
 *
 * A task of the plan is a Task YAML (task_file.h) like any other; its prd is title, description,
 * acceptance criteria and the goal.
 */
#pragma once

#include "agent/dispatch.h"
#include "orchestrator/tasks.h"

#define GOAL_QUESTION  "plan_goal"
#define GOAL_MAX_TASKS 100u
#define GOAL_MAX_TEXT  (64u << 10)

struct goal;

struct goal_task {
    struct str id, title, spec; /* spec: the Task YAML */
    const struct str *needs;
    size_t need_count;
};

struct goal_plan {
    const struct goal_task *tasks;
    size_t count;
};

struct goal_options {
    struct str text;
    const char *repo;  /* absolute */
    struct str prefix; /* of ids: "shop-" makes "shop-menu"; a valid id, or empty */
    struct tooling *tooling;
    struct ledger *ledger;
    struct rng *rng;
    const char *self, *dir, *run_id;
    struct secrets *secrets;
    void (*on_event)(struct str text, void *ctx); /* progress for people, one line */
    /* plan is NULL on failure; why is the reason. Everything is freed when this returns. */
    void (*on_end)(struct goal *g, const struct goal_plan *plan, struct str why, void *ctx);
    void *ctx;
};

/* Text, prefix and repo are copied; everything else must live until on_end. Calls no callback
 * before it returns. */
struct goal *goal_start(struct loop *loop, const struct goal_options *options);
void goal_stop(struct goal *g); /* on_end still follows */

/* Read and check the answer of a planner. ERR_SYNTAX (no object in it), ERR_LIMIT and
 * ERR_INVALID_PARAMS say what is wrong and where. Only text, repo and prefix of the options are
 * used. */
bool goal_read(struct str answer, const struct goal_options *options, struct arena *a,
               struct goal_plan *out, struct error *err);
