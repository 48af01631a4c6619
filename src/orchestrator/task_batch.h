/* Tasks that are collected to be added to the store together.
 *
 *     struct task_batch b = {.pool = pool, .warn = warn, .ctx = me};
 *     struct task_file *t = task_file_read(text, "a.yaml", &err);
 *     task_batch_add_file(&b, t, "a.yaml", &err);
 *     tasks_add(s, b.news, b.count, &err);               // all or none
 *     task_batch_done(&b);
 *
 * The stored spec of a task is complete: it includes the prd and absolute paths.
 */
#pragma once

#include "orchestrator/tasks.h"
#include "task/task_file.h"

struct task_batch {
    struct str pool, goal; /* of all tasks; must outlive the batch */
    uint32_t max_attempts;
    void (*warn)(struct str text, void *ctx); /* NULL: no warnings */
    void *ctx;
    struct task_new *news;
    size_t count;
    /* private */
    size_t cap;
    struct arena arena;
};

/* Copy the task of a file and report its warnings. ERR_LIMIT: with its prd included it is too large
 * to run. */
bool task_batch_add_file(struct task_batch *b, const struct task_file *t, const char *name,
                         struct error *err);
/* Add a task with copies of its texts; pool, goal and max_attempts are those of the batch. */
void task_batch_add(struct task_batch *b, const struct task_new *t);
void task_batch_done(struct task_batch *b);
