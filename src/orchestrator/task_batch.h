/* Tasks on their way into the store: read, complete, together.
 *
 *     struct task_batch b = {.pool = pool, .warn = say, .ctx = me};
 *     struct task_file *t = task_file_read(text, "a.yaml", &err);
 *     task_batch_add_file(&b, t, "a.yaml", &err);
 *     tasks_add(s, b.news, b.count, &err);               // all or none
 *     task_batch_done(&b);
 *
 * What is stored of a task is complete: prd and paths are in its spec.
 */
#pragma once

#include "orchestrator/tasks.h"
#include "task/task_file.h"

struct task_batch {
    struct str pool, goal; /* of all; live as long as the batch */
    uint32_t max_attempts;
    void (*warn)(struct str text, void *ctx); /* NULL: warnings are not wanted */
    void *ctx;
    struct task_new *news;
    size_t count;
    /* private */
    size_t cap;
    struct arena arena;
};

/* All of it is copied; what the file is warned of is told. ERR_LIMIT: with its prd inside it is too
 * large to be run. */
bool task_batch_add_file(struct task_batch *b, const struct task_file *t, const char *name,
                         struct error *err);
/* One that is made: all texts are copied; its pool and max_attempts are the batch's. */
void task_batch_add(struct task_batch *b, const struct task_new *t);
void task_batch_done(struct task_batch *b);
