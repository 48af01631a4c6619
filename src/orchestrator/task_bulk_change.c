#include "orchestrator/task_bulk_change.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "orchestrator/graph.h"

struct bulk_run {
    struct task_bulk_change *list;
    struct arena arena;
    struct task_bulk_item **by_id;
    struct graph_edge *edges; /* between the items */
    size_t edge_count, edge_cap;
};

/* ---- the tasks */

static int by_number(const void *a, const void *b)
{
    int64_t x = (*(struct task_bulk_item *const *)a)->id,
            y = (*(struct task_bulk_item *const *)b)->id;
    return (x > y) - (x < y);
}

static struct task_bulk_item *find_item(const struct bulk_run *d, int64_t id)
{
    struct task_bulk_item key = {.id = id}, *at = &key, **found;
    found = d->list->count ? bsearch(&at, d->by_id, d->list->count, sizeof at, by_number) : NULL;
    return found ? *found : NULL;
}

static void sort_items(struct bulk_run *d)
{
    size_t n = d->list->count;
    d->by_id = arena_alloc(&d->arena, (n + 1) * sizeof *d->by_id);
    for (size_t i = 0; i < n; i++)
        d->by_id[i] = &d->list->items[i];
    qsort(d->by_id, n, sizeof *d->by_id, by_number);
}

static void keep_name(const struct task_row *t, void *ctx)
{
    struct task_bulk_item *w = ctx;
    struct str name = utf8_head(t->name, TASKS_MAX_NAME);
    if (name.n)
        memcpy(w->name, name.p, name.n);
    w->name[name.n] = 0;
    w->change.before = t->state;
}

/* ---- one change */

static void keep_state(const struct task_row *t, void *ctx)
{
    *(enum task_state *)ctx = t->state;
}

static bool retry_task(struct store *s, struct task_bulk_item *w, struct error *err)
{
    enum task_state before = w->change.before, state = before;
    if (!tasks_get(s, w->id, keep_state, &state, err))
        return false;
    if (state != before && state == TASK_PENDING) {
        w->change = (struct tasks_change){.before = before, .after = state};
        return true;
    }
    return tasks_retry(s, w->id, &w->change, err);
}

static bool change_item(struct store *s, const struct bulk_run *d, struct task_bulk_item *w,
                        struct error *err)
{
    enum task_state before = w->change.before; /* before the first change of the list */
    struct error why = {0};
    bool ok = d->list->kind == TASK_BULK_CANCEL  ? tasks_cancel(s, w->id, &w->change, &why)
              : d->list->kind == TASK_BULK_RETRY ? retry_task(s, w, &why)
                                                 : tasks_remove(s, w->id, &why);
    w->change.before = before;
    if (ok)
        return true;
    /* These errors come before anything is changed. */
    bool is_refused = why.code == ERR_TASK_STATE || why.code == ERR_TASK_NOT_FOUND;
    if (!d->list->each_alone || !is_refused)
        return error_set(err, why.code, "%s", why.text);
    w->why = why;
    return true;
}

/* ---- all changes */

static void keep_edge(struct task_edge e, void *ctx)
{
    struct bulk_run *d = ctx;
    const struct task_bulk_item *task = find_item(d, e.task), *needs = find_item(d, e.needs);
    if (!task || !needs)
        return;
    mem_grow((void **)&d->edges, &d->edge_cap, d->edge_count + 1, sizeof *d->edges);
    d->edges[d->edge_count++] =
        (struct graph_edge){(uint32_t)(task - d->list->items), (uint32_t)(needs - d->list->items)};
}

/* Set the order of removal; NULL: the given one. In a cycle, which tasks_add() refuses, some items
 * are refused. */
static bool find_order(struct store *s, struct bulk_run *d, uint32_t **order, struct error *err)
{
    struct task_bulk_change *list = d->list;
    uint32_t *nodes;
    size_t count;
    *order = NULL;
    if (list->kind != TASK_BULK_REMOVE)
        return true;
    for (size_t i = 0; i < list->count; i++)
        if (!tasks_edges(s, list->items[i].id, keep_edge, d, err))
            return false;
    struct graph g = {(uint32_t)list->count, d->edges, d->edge_count};
    if (graph_find_cycle(&g, &d->arena, &nodes, &count))
        return true;
    uint32_t *found = arena_alloc(&d->arena, (list->count + 1) * sizeof *found);
    graph_order(&g, found);
    *order = found;
    return true;
}

bool task_bulk_change_apply(struct store *s, struct task_bulk_change *list, struct error *err)
{
    struct bulk_run d = {.list = list};
    uint32_t *order = NULL;
    bool ok = true;
    sort_items(&d);
    for (size_t i = 0; ok && i < list->count; i++) {
        struct task_bulk_item *w = &list->items[i];
        *w = (struct task_bulk_item){.id = w->id};
        ok = tasks_get(s, w->id, keep_name, w, err);
    }
    ok = ok && find_order(s, &d, &order, err);
    for (size_t i = 0; ok && i < list->count; i++)
        ok = change_item(s, &d, &list->items[order ? order[list->count - 1 - i] : i], err);
    free(d.edges);
    arena_done(&d.arena);
    return ok;
}
