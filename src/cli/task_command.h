/* What the actions of `multiverse task` share: the options, the open store and the exit code.
 *
 *     struct task_command c;
 *     if (!task_command_open(&c, o, TASK_COMMAND_READ))     // has printed the error
 *         return c.code;
 *     task_command_run(&c, STORE_READ, work, &mine);        // prints the error and sets c.code
 *     return task_command_close(&c);
 *
 * The exit code is COMMAND_USAGE if a name, a file or an option is wrong, and COMMAND_FAILED if the
 * store failed or the state of a task does not allow the action.
 */
#pragma once

#include "base/jsonw.h"
#include "cli/options.h"
#include "orchestrator/draw.h"
#include "orchestrator/tasks.h"

struct task_command {
    struct store *store;
    const struct options *options;
    bool json;
    int64_t now; /* unix ms */
    int code;    /* exit code */
};

enum task_command_mode {
    TASK_COMMAND_READ,
    TASK_COMMAND_CHANGE, /* changes are on the disk when they are reported */
    TASK_COMMAND_CREATE  /* the same, and a file given with --store may be created */
};
/* Open the store of --store, or the user's own, which is created if it does not exist. */
bool task_command_open(struct task_command *c, const struct options *o,
                       enum task_command_mode mode);
bool task_command_run(struct task_command *c, enum store_mode mode, store_fn *work, void *ctx);
int task_command_close(struct task_command *c); /* returns the exit code */

int task_command_code(const struct error *err); /* the exit code for an error of tasks.h */
/* Print the error, set the exit code and return false. */
bool task_command_fail(struct task_command *c, const struct error *err);

/* "in 4 min", "3 h ago": when a RETRY_WAIT task is due, else when the task last changed. */
void task_command_put_when(struct buf *out, const struct task_row *t, int64_t now);

/* The actions that have a file of their own. */
int cmd_task_goal(const struct options *o); /* add --goal */
int cmd_task_show(const struct options *o);
int cmd_task_logs(const struct options *o);
int cmd_task_graph(const struct options *o);
int cmd_task_change_cancel(const struct options *o);
int cmd_task_change_retry(const struct options *o);
int cmd_task_change_remove(const struct options *o);

/* Draw a graph as wide as the terminal, in its colours and character set. */
void cmd_task_graph_draw(const struct draw *d, struct buf *out);
