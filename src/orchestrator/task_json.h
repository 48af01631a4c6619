/* Tasks as JSON, in one form for the command line and the page.
 *
 *     jsonw_object(&w);
 *     task_json_put_row(&w, &row, TASK_JSON_MS);         // the members of a task
 *     jsonw_end(&w);
 *
 * What is put are members of the object that is open, or, where it says so, a value. Texts are
 * foreign; the writer makes them valid.
 */
#pragma once

#include "base/jsonw.h"
#include "orchestrator/tasks.h"

enum task_json_times {
    TASK_JSON_TEXT, /* "2026-11-16T02:52:00.000Z" */
    TASK_JSON_MS    /* unix milliseconds */
};

void task_json_put_time(struct jsonw *w, const char *key, int64_t at,
                        enum task_json_times times); /* 0: null */

/* All of a row but its spec. */
void task_json_put_row(struct jsonw *w, const struct task_row *t, enum task_json_times times);
/* Values: objects. */
void task_json_put_attempt(struct jsonw *w, const struct attempt_row *a,
                           enum task_json_times times);
void task_json_put_tie(struct jsonw *w, const struct task_tie *t);
void task_json_put_orchestrator(struct jsonw *w, const struct orchestrator_row *o,
                                enum task_json_times times);
void task_json_put_control(struct jsonw *w, const struct tasks_control *c,
                           enum task_json_times times);
void task_json_put_counts(struct jsonw *w, const struct tasks_counts *c);
