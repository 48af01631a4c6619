#include "orchestrator/task_graph.h"

#include <stdlib.h>

#include "base/mem.h"

/* ---- reading */

void task_graph_add_node(struct task_graph *n, const struct task_graph_node *node)
{
    mem_grow((void **)&n->nodes, &n->cap, n->count + 1, sizeof *n->nodes);
    n->nodes[n->count++] = (struct task_graph_node){.id = node->id,
                                                    .name = arena_str(&n->arena, node->name),
                                                    .title = arena_str(&n->arena, node->title),
                                                    .state = node->state};
}

static void keep_node(const struct task_row *t, void *ctx)
{
    task_graph_add_node(ctx,
                        &(struct task_graph_node){
                            .id = t->id, .name = t->name, .title = t->title, .state = t->state});
}

static int by_id(const void *a, const void *b)
{
    const struct task_graph_node *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

size_t task_graph_find(const struct task_graph *n, int64_t id)
{
    struct task_graph_node key = {.id = id}, *at;
    at = n->count ? bsearch(&key, n->nodes, n->count, sizeof key, by_id) : NULL;
    return at ? (size_t)(at - n->nodes) : n->count;
}

void task_graph_add_edge(struct task_graph *n, struct task_edge e)
{
    size_t task = task_graph_find(n, e.task), needs = task_graph_find(n, e.needs);
    if (task == n->count || needs == n->count)
        return;
    mem_grow((void **)&n->edges, &n->edge_cap, n->edge_count + 1, sizeof *n->edges);
    n->edges[n->edge_count++] = (struct graph_edge){(uint32_t)task, (uint32_t)needs};
}

static void keep_edge(struct task_edge e, void *ctx)
{
    task_graph_add_edge(ctx, e);
}

bool task_graph_read(struct task_graph *n, struct store *s, struct error *err)
{
    arena_reset(&n->arena);
    n->count = n->edge_count = 0;
    if (!tasks_each(s, &(struct tasks_filter){0}, keep_node, n, err))
        return false;
    if (n->count)
        qsort(n->nodes, n->count, sizeof *n->nodes, by_id);
    return tasks_edges(s, 0, keep_edge, n, err);
}

struct graph task_graph_view(const struct task_graph *n)
{
    return (struct graph){(uint32_t)n->count, n->edges, n->edge_count};
}

void task_graph_done(struct task_graph *n)
{
    free(n->nodes);
    free(n->edges);
    arena_done(&n->arena);
    *n = (struct task_graph){0};
}

/* ---- reducing */

static void drop_unmarked(struct task_graph *n)
{
    uint32_t *places = mem_alloc((n->count + 1) * sizeof *places);
    size_t nodes = 0, edges = 0;
    for (size_t i = 0; i < n->count; i++) {
        places[i] = n->nodes[i].is_kept ? (uint32_t)nodes : UINT32_MAX;
        if (n->nodes[i].is_kept)
            n->nodes[nodes++] = n->nodes[i];
    }
    for (size_t i = 0; i < n->edge_count; i++) {
        uint32_t node = places[n->edges[i].node], needs = places[n->edges[i].needs];
        if (node != UINT32_MAX && needs != UINT32_MAX)
            n->edges[edges++] = (struct graph_edge){node, needs};
    }
    n->count = nodes;
    n->edge_count = edges;
    free(places);
}

static void unmark_all(struct task_graph *n)
{
    for (size_t i = 0; i < n->count; i++)
        n->nodes[i].is_kept = false;
}

static int by_node(const void *a, const void *b)
{
    const struct graph_edge *x = a, *y = b;
    return (x->node > y->node) - (x->node < y->node);
}

static int by_needs(const void *a, const void *b)
{
    const struct graph_edge *x = a, *y = b;
    return (x->needs > y->needs) - (x->needs < y->needs);
}

/* The first edge whose needs (up) or node is `at`; the edges are sorted by it. */
static size_t first_edge(const struct task_graph *n, uint32_t at, bool up)
{
    size_t low = 0, high = n->edge_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        uint32_t key = up ? n->edges[mid].needs : n->edges[mid].node;
        if (key < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Mark the given tasks, and all that they need or (up) that need them. */
static void mark_reachable(struct task_graph *n, const int64_t *ids, size_t count, bool up)
{
    uint32_t *stack = mem_alloc((n->count + 1) * sizeof *stack);
    bool *seen = mem_zalloc(n->count + 1);
    size_t top = 0;
    if (n->edge_count)
        qsort(n->edges, n->edge_count, sizeof *n->edges, up ? by_needs : by_node);
    for (size_t i = 0; i < count; i++) {
        size_t at = task_graph_find(n, ids[i]);
        if (at == n->count || seen[at])
            continue;
        seen[at] = true;
        stack[top++] = (uint32_t)at;
    }
    while (top) {
        uint32_t at = stack[--top];
        n->nodes[at].is_kept = true;
        for (size_t i = first_edge(n, at, up); i < n->edge_count; i++) {
            uint32_t key = up ? n->edges[i].needs : n->edges[i].node;
            uint32_t other = up ? n->edges[i].node : n->edges[i].needs;
            if (key != at)
                break;
            if (!seen[other]) {
                seen[other] = true;
                stack[top++] = other;
            }
        }
    }
    free(stack);
    free(seen);
}

void task_graph_keep_related(struct task_graph *n, const int64_t *ids, size_t count)
{
    unmark_all(n);
    mark_reachable(n, ids, count, false);
    mark_reachable(n, ids, count, true);
    drop_unmarked(n);
}

void task_graph_keep_only(struct task_graph *n, const int64_t *ids, size_t count)
{
    unmark_all(n);
    for (size_t i = 0; i < count; i++) {
        size_t at = task_graph_find(n, ids[i]);
        if (at < n->count)
            n->nodes[at].is_kept = true;
    }
    drop_unmarked(n);
}

static uint32_t find_root(uint32_t *parent, uint32_t at)
{
    while (parent[at] != at)
        at = parent[at] = parent[parent[at]];
    return at;
}

void task_graph_keep_open(struct task_graph *n)
{
    uint32_t *parent = mem_alloc((n->count + 1) * sizeof *parent);
    bool *is_open = mem_zalloc(n->count + 1), any = false;
    for (uint32_t i = 0; i < n->count; i++)
        parent[i] = i;
    for (size_t i = 0; i < n->edge_count; i++) {
        uint32_t a = find_root(parent, n->edges[i].node), b = find_root(parent, n->edges[i].needs);
        parent[a > b ? a : b] = a > b ? b : a;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (!task_is_final(n->nodes[i].state))
            any = is_open[find_root(parent, i)] = true;
    for (uint32_t i = 0; i < n->count; i++)
        n->nodes[i].is_kept = !any || is_open[find_root(parent, i)];
    drop_unmarked(n);
    free(parent);
    free(is_open);
}

size_t task_graph_keep_newest(struct task_graph *n, size_t most)
{
    size_t before = n->count, left = most;
    if (before <= most)
        return 0;
    unmark_all(n);
    for (int running = 1; running >= 0; running--)
        for (size_t i = n->count; i-- > 0 && left;)
            if ((n->nodes[i].state == TASK_RUNNING) == running) {
                n->nodes[i].is_kept = true;
                left--;
            }
    drop_unmarked(n);
    return before - n->count;
}
