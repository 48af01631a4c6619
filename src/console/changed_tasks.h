/* Which tasks have changed lately, for readers that have each seen a different part of the events.
 *
 *     struct changed_tasks n = {0};
 *     changed_tasks_begin(&n, last);                      // earlier events are not known
 *     changed_tasks_add(&n, event, task);                 // in the order of the events
 *     if (changed_tasks_covers(&n, after))                // every event after `after` is known
 *         changed_tasks_put(&n, after, w);                // an array: each task once
 *
 * The last CHANGED_TASKS_KEEP events are kept. Pure.
 */
#pragma once

#include "base/jsonw.h"

#define CHANGED_TASKS_KEEP 4096u

struct changed_tasks {
    int64_t base; /* every event after this one is known */
    int64_t last; /* the last known event */
    /* private */
    struct changed_task {
        int64_t event, task;
    } * items; /* a ring; for changed_tasks_done() */
    size_t first, count;
};

void changed_tasks_begin(struct changed_tasks *n, int64_t last);
void changed_tasks_add(struct changed_tasks *n, int64_t event, int64_t task); /* task 0: of none */
bool changed_tasks_covers(const struct changed_tasks *n, int64_t after);
void changed_tasks_put(const struct changed_tasks *n, int64_t after, struct jsonw *w);
void changed_tasks_done(struct changed_tasks *n);
