/* What the actions of `multiverse task` share: the store, opened; tasks and times as people and
 * programs see them.
 *
 *     struct task_view v;
 *     if (!task_view_open(&v, o, TASK_VIEW_LOOK))                  // has said why
 *         return v.code;
 *     task_view_run(&v, STORE_READ, work, &mine);         // says why not, and sets v.code
 *     return task_view_close(&v);
 *
 * The exit code is COMMAND_USAGE where a name, a file or an option is wrong, COMMAND_FAILED where
 * the store is, or a task is in no state for it.
 */
#pragma once

#include "base/columns.h"
#include "base/jsonw.h"
#include "cli/options.h"
#include "orchestrator/draw.h"
#include "orchestrator/tasks.h"

struct task_view {
    struct store *store;
    const struct options *options;
    bool json;
    int64_t now; /* unix ms */
    int code;    /* COMMAND_FINE, or how to exit */
};

enum task_view_mode {
    TASK_VIEW_LOOK,
    TASK_VIEW_CHANGE, /* what it changes is on the disk when it says so */
    TASK_VIEW_MAKE    /* the same, and a file that was named need not be there yet */
};
/* The user's own store is made if it is not there. */
bool task_view_open(struct task_view *v, const struct options *o, enum task_view_mode mode);
bool task_view_run(struct task_view *v, enum store_mode mode, store_fn *work, void *ctx);
int task_view_close(struct task_view *v); /* the exit code */

int task_view_code(const struct error *err);                       /* of a failure of tasks.h */
bool task_view_fail(struct task_view *v, const struct error *err); /* says it; false */

/* ---- one task */

/* "in 4 min", "3 h ago": when it is due, or since when it is what it is. */
void task_view_put_when(struct buf *out, const struct task_row *t, int64_t now);

/* ---- words */

/* "4 min 10 s", "80 ms" */
void task_view_put_duration(struct buf *out, int64_t ms);
enum columns_set task_view_set(void); /* what may be shown, by the locale */
uint32_t task_view_columns(void);     /* of the terminal at standard output; 0: none is there */
/* A graph as what is there can show it: as wide as the terminal, with its colours. */
void task_view_draw(const struct draw *d, struct buf *out); /* task_graph.c */

/* The actions with a file of their own. */
int task_add(const struct options *o);
int task_goal(const struct options *o); /* add --goal */
int task_show(const struct options *o);
int task_logs(const struct options *o);
int task_cancel(const struct options *o); /* task_change.c */
int task_retry(const struct options *o);
int task_remove(const struct options *o);
int task_graph(const struct options *o);
