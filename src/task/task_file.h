/* A Task YAML: what shall be done, and how it is to be run. Spec: docs/spec/30-tooling.md, 4.
 *
 *     struct task_file *t = task_file_read(text, "task.yaml", &err);
 *     use(t->title, t->prd, t->max_loops);
 *     struct tooling *who = task_file_tooling(t, users_own, &err);
 *     task_file_free(t);
 *
 * Required: version (1) and task.prd (text, or a mapping with path or text). Every fault names
 * file, line, column, pointer and what is allowed; unknown keys are warnings with the nearest known
 * one. Keys in snake_case or camelCase. prd.path is relative to the task's file, else to the repo,
 * and is read here. task.repo is relative to the task's file (for standard input: to the working
 * directory), test.cwd to the repo. The id is by default the file's name without its ending, the
 * title the id.
 *
 * runner.meta and runner.worker name one candidate each (kind, model, system_prompt, env, flags,
 * cli_path, tool_specific); runner.tooling holds over both. "env:NAME" stays a name until use.
 */
#pragma once

#include "task/sandbox_kind.h"
#include "tooling/tooling.h"

#define TASK_FILE_MAX_PRD   (1u << 20)
#define TASK_FILE_MAX_LOOPS 100u
#define TASK_FILE_MAX_TIME  (7u * 86400u) /* seconds of a worker run */
#define TASK_FILE_MAX_LINE  256u          /* of ids, titles and the like */
#define TASK_FILE_MAX_ITEMS 1000u         /* of a list */
#define TASK_FILE_WARNINGS  16u

struct task_file {
    struct str id, title, description, phase_name;
    char *repo; /* absolute */
    struct str prd;
    struct str *dependencies;
    size_t dependency_count;
    uint64_t wbs_level;                             /* 0: not given */
    struct str language, *file_paths, *constraints; /* suggested_impl */
    size_t file_path_count, constraint_count;
    struct str test_command; /* for sh -c; empty: none */
    char *test_cwd;          /* absolute */

    uint64_t max_loops;            /* 10 */
    struct candidate meta, worker; /* used where there is no tooling */
    bool has_meta, has_worker;     /* runner.meta, runner.worker name one; worker.env is not it */
    struct str docker_image;
    uint64_t max_run_time_ms;      /* of a worker run: 1,800 s */
    const struct json *worker_env; /* an object of texts, or NULL */
    bool mcp_auto;
    enum sandbox_kind sandbox;
    struct tooling *tooling; /* runner.tooling; NULL: the user's own file holds */

    struct str warnings[TASK_FILE_WARNINGS]; /* tooling->warnings are apart */
    size_t warning_count;
    /* private */
    struct doc doc;
    struct arena arena;
};

/* What an id or a title may be: one line without control characters, TASK_FILE_MAX_LINE at most. */
bool task_file_is_line(struct str text);

/* name "-" is standard input. NULL and ERR_CONFIG_PARSE, _VALIDATION, ERR_IO, ERR_LIMIT. */
struct task_file *task_file_read(struct str text, const char *name, struct error *err);
/* The same of a text that is in no file: `name` is for messages and the id, paths are relative to
 * the folder. */
struct task_file *task_file_read_in(struct str text, const char *name, const char *folder,
                                    struct error *err);
void task_file_free(struct task_file *t);

/* What holds for the run, a reference of the caller's: the task's own tooling; else the user's, in
 * which the candidates that the task names are the only ones of their categories (meta: all but
 * worker) unless the user's force mode is on. NULL and *err: a category would have nobody. */
struct tooling *task_file_tooling(const struct task_file *t, struct tooling *user,
                                  struct error *err);

/* The same as YAML, with `tooling` embedded as runner.tooling (NULL: t's own, if any): what the
 * orchestrator hands to a runner. Reads back equal. */
void task_file_write(const struct task_file *t, const struct tooling *tooling, struct buf *out);
