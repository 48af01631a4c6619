/* What the program knows, as JSON: one function for each question. `--json` prints it, /api serves
 * it.
 *
 *     jsonw_object(&w);
 *     views_tasks_put_row(&w, &row, VIEWS_API);           // the members of a task
 *     jsonw_end(&w);
 *
 *   views/tasks.h     tasks, attempts, logs, changes, orchestrators
 *   views/tooling.h   candidates, cooldowns, force mode, simulations
 *
 * Both outputs are older than this folder and clients depend on them, so they differ in places. A
 * function that writes both takes the form and shows the differences in one place.
 */
#pragma once

#include "base/jsonw.h"

enum views_form {
    VIEWS_CLI, /* --json: times are text, "2026-11-16T02:52:00.000Z" */
    VIEWS_API  /* /api: times are unix milliseconds */
};

void views_put_time(struct jsonw *w, const char *key, int64_t at,
                    enum views_form form); /* 0: null */
