#include "console/changed_tasks.h"

#include <stdlib.h>

#include "base/mem.h"

void changed_tasks_begin(struct changed_tasks *n, int64_t last)
{
    n->base = n->last = last;
    n->first = n->count = 0;
}

void changed_tasks_add(struct changed_tasks *n, int64_t event, int64_t task)
{
    if (event <= n->last)
        return;
    if (!n->items)
        n->items = mem_alloc(CHANGED_TASKS_KEEP * sizeof *n->items);
    if (n->count == CHANGED_TASKS_KEEP) {
        n->base = n->items[n->first].event;
        n->first = (n->first + 1) % CHANGED_TASKS_KEEP;
        n->count--;
    }
    n->items[(n->first + n->count++) % CHANGED_TASKS_KEEP] = (struct changed_task){event, task};
    n->last = event;
}

bool changed_tasks_covers(const struct changed_tasks *n, int64_t after)
{
    return after >= n->base && after <= n->last;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void changed_tasks_put(const struct changed_tasks *n, int64_t after, struct jsonw *w)
{
    int64_t *tasks = mem_alloc((n->count + 1) * sizeof *tasks);
    size_t count = 0;
    for (size_t i = n->count; i-- > 0;) {
        const struct changed_task *item = &n->items[(n->first + i) % CHANGED_TASKS_KEEP];
        if (item->event <= after)
            break;
        if (item->task)
            tasks[count++] = item->task;
    }
    qsort(tasks, count, sizeof *tasks, by_number);
    jsonw_array(w);
    for (size_t i = 0; i < count; i++)
        if (!i || tasks[i] != tasks[i - 1])
            jsonw_int(w, tasks[i]);
    jsonw_end(w);
    free(tasks);
}

void changed_tasks_done(struct changed_tasks *n)
{
    free(n->items);
    *n = (struct changed_tasks){0};
}
