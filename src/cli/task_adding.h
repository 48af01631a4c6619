/* Tasks from the command line: read, checked, added to the store together, printed.
 *
 *     struct task_adding a = {0};
 *     task_adding_read(&a, "a.yaml", &err);              // for each file; "-" is standard input
 *     task_adding_apply(&a, &command);                   // all or none; prints the error
 *     task_adding_print(&a, command.json);
 *     task_adding_done(&a);
 */
#pragma once

#include "base/map.h"
#include "cli/table.h"
#include "cli/task_command.h"
#include "orchestrator/task_batch.h"

struct task_adding {
    struct task_batch batch;
    bool dry; /* check everything, add nothing */
    /* private */
    struct arena arena;
    struct map files;   /* name of a task -> its file */
    struct table table; /* the added tasks, for people */
    struct buf json;    /* and for programs */
    struct jsonw writer;
    bool is_valid; /* the store would accept them */
    struct task_command *view;
};

/* Read --pool, --max-attempts and --dry-run. */
void task_adding_init(struct task_adding *a, const struct options *o);
/* ERR_CONFIG_* with file, line and column; ERR_INVALID_PARAMS for a duplicate name. Warnings are
 * printed. */
bool task_adding_read(struct task_adding *a, const char *path, struct error *err);
bool task_adding_apply(struct task_adding *a, struct task_command *v);
void task_adding_print(const struct task_adding *a, bool json);
void task_adding_done(struct task_adding *a);
