/* A goal in one sentence becomes tasks with dependencies: asked of the category `plan`, checked.
 *
 *     struct goal *g = goal_start(loop, &(struct goal_options){.text = STR("..."), ...});
 *     ...  // on_end(g, plan, why): plan->tasks in an order that can be done; NULL: why
 *
 * The question is GOAL_QUESTION. Its answer is {"tasks": [{"id", "title", "description",
 * "dependencies"?: [id], "test"?: command, "acceptance"?: [text], "file_paths"?, "phase_name"?,
 * "wbs_level"?}]}, found and read as other answers are (agent/question.h). What is wrong with it
 * (ids that are no names, twice, unknown dependencies, a cycle, none or more than GOAL_MAX_TASKS)
 * is said in the next prompt, QUESTION_TRIES times in all; each may be another candidate's. An id
 * is [A-Za-z0-9._-], begins with a letter or a digit and has at most QUESTION_MAX_ID; where there
 * is none it is made from the title. The prompt says what the repo is: its files two levels deep,
 * and, for a Unity project, its version and scenes.
 *
 * A task of the plan is a Task YAML (task_file.h) like any other: its prd is title, description,
 * acceptance criteria and the goal itself.
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
    struct str prefix; /* of the ids: "shop-" makes "shop-menu"; a name itself, or empty */
    struct tooling *tooling;
    struct ledger *ledger;
    struct rng *rng;
    const char *self, *dir, *run_id;
    struct secrets *secrets;
    void (*on_event)(struct str text, void *ctx); /* progress, for people: one line */
    /* plan NULL: why says it. All is freed when it returns. */
    void (*on_end)(struct goal *g, const struct goal_plan *plan, struct str why, void *ctx);
    void *ctx;
};

/* Text, prefix and repo are copied; the rest lives until on_end. Nothing calls back inside it. */
struct goal *goal_start(struct loop *loop, const struct goal_options *options);
void goal_stop(struct goal *g); /* on_end still comes */

/* The answer of a planner, checked: ERR_SYNTAX (no object in it), ERR_LIMIT, ERR_INVALID_PARAMS say
 * what is wrong and where. Of the options text, repo and prefix count. */
bool goal_read(struct str answer, const struct goal_options *options, struct arena *a,
               struct goal_plan *out, struct error *err);
