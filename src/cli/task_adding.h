/* Tasks of the command line on their way into the store: read, checked, added together, told.
 *
 *     struct task_adding a = {0};
 *     task_adding_read(&a, "a.yaml", &err);              // for each file; "-" is standard input
 *     task_adding_apply(&a, &view);                         // all or none; has said why not
 *     task_adding_print(&a, view.json);
 *     task_adding_done(&a);
 */
#pragma once

#include "base/map.h"
#include "cli/table.h"
#include "cli/task_command.h"
#include "orchestrator/task_batch.h"

struct task_adding {
    struct task_batch batch;
    bool dry; /* everything is checked, nothing stays */
    /* private */
    struct arena arena;
    struct map files;   /* name -> the file it is from */
    struct table table; /* what they have become, for people */
    struct buf told;    /* and for programs */
    struct jsonw writer;
    bool is_right; /* the store would take it */
    struct task_command *view;
};

/* --pool, --max-attempts, --dry-run. */
void task_adding_init(struct task_adding *a, const struct options *o);
/* ERR_CONFIG_* with file, line and column; ERR_INVALID_PARAMS for a name that is there twice. Its
 * warnings are said. */
bool task_adding_read(struct task_adding *a, const char *path, struct error *err);
bool task_adding_apply(struct task_adding *a, struct task_command *v);
void task_adding_print(const struct task_adding *a, bool json);
void task_adding_done(struct task_adding *a);
