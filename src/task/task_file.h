/* A Task YAML: what to do, and how to run it. Spec: docs/spec/30-tooling.md, 4.
 *
 *     struct task_file *t = task_file_read(text, "task.yaml", &err);
 *     use(t->title, t->prd, t->max_loops);
 *     struct tooling *who = task_file_tooling(t, users_own, &err);
 *     task_file_free(t);
 *
 * Required: version (1) and task.prd (text, or a mapping with path or text). Each error names file,
 * line, column, pointer and what is allowed; an unknown key is a warning that suggests the nearest
 * known one. Keys are in snake_case or camelCase. prd.path is relative to the task's file, else to
 * the repo, and is read here. task.repo is relative to the task's file (on standard input: to the
 * working directory), test.cwd to the repo. The id is by default the file's name without its
 * extension, the title is the id.
 *
 * runner.meta and runner.worker name one candidate each (kind, model, system_prompt, env, flags,
 * cli_path, tool_specific); runner.tooling has precedence. "env:NAME" is resolved at use.
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
    struct candidate meta, worker; /* used if there is no tooling */
    bool has_meta,
        has_worker; /* runner.meta, runner.worker name a candidate; worker.env alone does not */
    struct str docker_image;
    uint64_t max_run_time_ms;      /* of a worker run: 1,800 s */
    const struct json *worker_env; /* an object of texts, or NULL */
    bool mcp_auto;
    enum sandbox_kind sandbox;
    struct tooling *tooling; /* runner.tooling; NULL: use the user's file */

    struct str warnings[TASK_FILE_WARNINGS]; /* without tooling->warnings */
    size_t warning_count;
    /* private */
    struct doc doc;
    struct arena arena;
};

/* Whether it may be an id or a title: one line without control characters, at most
 * TASK_FILE_MAX_LINE bytes. */
bool task_file_is_line(struct str text);

/* The name "-" is standard input. Return NULL and ERR_CONFIG_PARSE, ERR_CONFIG_VALIDATION, ERR_IO
 * or ERR_LIMIT on failure. */
struct task_file *task_file_read(struct str text, const char *name, struct error *err);
/* Read a text that is not in a file: `name` is for messages and the id, paths are relative to the
 * folder. */
struct task_file *task_file_read_in(struct str text, const char *name, const char *folder,
                                    struct error *err);
void task_file_free(struct task_file *t);

/* Return a reference to the tooling of the run: the task's own, else the user's, in which the
 * candidates that the task names replace those of their categories (meta: all but worker) unless
 * the user's force mode is on. Return NULL and set *err if a category would have no candidate. */
struct tooling *task_file_tooling(const struct task_file *t, struct tooling *user,
                                  struct error *err);

/* Write the task as YAML with `tooling` as runner.tooling (NULL: the task's own, if any), as the
 * orchestrator passes it to a runner. task_file_read() reads it back as the same task. */
void task_file_write(const struct task_file *t, const struct tooling *tooling, struct buf *out);
