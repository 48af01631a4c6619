/* One wish for many tasks: cancel, retry or remove them, in one transaction.
 *
 *     struct task_bulk_item wishes[] = {{.id = 3}, {.id = 5}};
 *     struct task_bulk_change cancel = {TASK_BULK_CANCEL, wishes, 2, false};
 *     store_run(s, STORE_ROWS, work, &cancel, &err);  // work: task_bulk_change_apply()
 *     use(wishes[0].change, wishes[1].why);
 *
 * The order does not matter: of what is removed those go first that need others of the list, and
 * one that was released by the retry of another of the list waits already, which is what was asked
 * for.
 */
#pragma once

#include "orchestrator/tasks.h"

enum task_bulk_kind {
    TASK_BULK_CANCEL,
    TASK_BULK_RETRY,
    TASK_BULK_REMOVE
};

struct task_bulk_item {
    int64_t id;
    /* out */
    char name[TASKS_MAX_NAME + 1];
    struct tasks_change change; /* of one that was removed, `before` only */
    struct error why;           /* ERR_NONE: it was done */
};

struct task_bulk_change {
    enum task_bulk_kind kind;
    struct task_bulk_item *items; /* each task once */
    size_t count;
    /* Each for itself: what makes no sense for one (ERR_TASK_STATE, ERR_TASK_NOT_FOUND) is told in
     * its `why`, and the others are done. Otherwise all or none. */
    bool each_alone;
};

bool task_bulk_change_apply(struct store *s, struct task_bulk_change *w, struct error *err);
