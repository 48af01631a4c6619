/* One change of many tasks: cancel, retry or remove them in one transaction.
 *
 *     struct task_bulk_item items[] = {{.id = 3}, {.id = 5}};
 *     struct task_bulk_change change = {.kind = TASK_BULK_RETRY, .items = items, .count = 2};
 *     task_bulk_change_apply(s, &change, &err);   // inside a work of store_run()
 *     use(items[0].change, items[1].why);
 *
 * The order of the items does not matter: dependents are removed before the tasks that they need,
 * and a task that the retry of another item has already released counts as retried.
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
    struct tasks_change change; /* after a removal only `before` is set */
    struct error why;           /* ERR_NONE: done */
};

struct task_bulk_change {
    enum task_bulk_kind kind;
    struct task_bulk_item *items; /* no duplicates */
    size_t count;
    /* An item that is refused (ERR_TASK_STATE, ERR_TASK_NOT_FOUND) sets its `why`, and the others
     * are changed. Otherwise all are changed or none. */
    bool each_alone;
};

bool task_bulk_change_apply(struct store *s, struct task_bulk_change *w, struct error *err);
