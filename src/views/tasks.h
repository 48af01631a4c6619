/* Tasks as JSON.
 *
 *     struct views_task task;
 *     if (views_tasks_read(store, id, &arena, &task, &err))     // inside a work of store_run()
 *         views_tasks_put(&w, &task, VIEWS_CLI);                // members of the open object
 *
 * Functions that write members need an open object; views_tasks_put_... of one thing write a whole
 * object where the comment says so. Texts come from others; the writer makes them valid JSON.
 */
#pragma once

#include "base/arena.h"
#include "orchestrator/task_bulk_change.h"
#include "orchestrator/tasks.h"
#include "views/views.h"

/* One task with everything the store knows about it; texts and arrays are in the arena. */
struct views_task {
    struct task_row row;
    struct task_neighbour *ties; /* tasks it needs first, then tasks that need it */
    size_t tie_count;
    struct attempt_row *attempts;
    size_t attempt_count;
};
/* ERR_TASK_NOT_FOUND if there is no such task. */
bool views_tasks_read(struct store *s, int64_t id, struct arena *arena, struct views_task *out,
                      struct error *err);
void views_tasks_put(struct jsonw *w, const struct views_task *t, enum views_form form);

/* Members: all of a row except spec. */
void views_tasks_put_row(struct jsonw *w, const struct task_row *t, enum views_form form);
/* Members of a piece of a log. `name` of the task is written for VIEWS_CLI only. */
void views_tasks_put_log_piece(struct jsonw *w, struct str name, const struct log_piece *p,
                               enum views_form form);
/* An object: what became of one task of a cancel, retry or remove. */
void views_tasks_put_change(struct jsonw *w, const struct task_bulk_item *t,
                            enum task_bulk_kind kind, enum views_form form);

/* Objects: who works on the store, pause and resume, tasks by state. */
void views_tasks_put_orchestrator(struct jsonw *w, const struct orchestrator_row *o,
                                  enum views_form form);
void views_tasks_put_control(struct jsonw *w, const struct tasks_control *c, enum views_form form);
void views_tasks_put_counts(struct jsonw *w, const struct tasks_counts *c);
