#include "orchestrator/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NONE UINT32_MAX

/* Edges sorted by one end: those of node v are to[first[v]] ... to[first[v + 1] - 1]. */
struct edge_rows {
    size_t *first;
    uint32_t *to;
};

static struct edge_rows rows_make(const struct graph *g, bool by_needs)
{
    struct edge_rows r = {mem_zalloc(((size_t)g->count + 2) * sizeof *r.first),
                          mem_alloc((g->edge_count + 1) * sizeof *r.to)};
    size_t *at = r.first + 1; /* one ahead: filling moves each start to its place */
    for (size_t i = 0; i < g->edge_count; i++) {
        assert(g->edges[i].node < g->count && g->edges[i].needs < g->count);
        at[1 + (by_needs ? g->edges[i].needs : g->edges[i].node)]++;
    }
    for (uint32_t v = 0; v < g->count; v++)
        at[v + 1] += at[v];
    for (size_t i = 0; i < g->edge_count; i++) {
        struct graph_edge e = g->edges[i];
        r.to[at[by_needs ? e.needs : e.node]++] = by_needs ? e.node : e.needs;
    }
    return r;
}

static void rows_done(struct edge_rows *r)
{
    free(r->first);
    free(r->to);
}

/* ---- cycles */

/* Tarjan's strongly connected components, with an explicit stack. */
struct cycle_search {
    struct edge_rows needs;
    size_t *next;        /* the next edge to follow */
    uint32_t *seen;      /* order of discovery, from 1; 0: not yet */
    uint32_t *low;       /* the earliest reachable open node */
    uint32_t *component; /* identified by one of its nodes; NONE: unknown */
    uint32_t *open;      /* found, and in no component yet */
    uint32_t *path;      /* from the root of the search to the current node */
    uint32_t found, open_count, path_count;
    uint32_t first; /* the lowest node that is in a cycle */
    uint32_t its_component;
};

static void search_enter(struct cycle_search *s, uint32_t v)
{
    s->seen[v] = s->low[v] = ++s->found;
    s->next[v] = s->needs.first[v];
    s->open[s->open_count++] = v;
    s->path[s->path_count++] = v;
}

/* v is the first discovered node of its component: all open nodes from v on belong to it. */
static void search_close(struct cycle_search *s, uint32_t v)
{
    uint32_t lowest = v, size = 0, w;
    do {
        w = s->open[--s->open_count];
        s->component[w] = v;
        size++;
        if (w < lowest)
            lowest = w;
    } while (w != v);
    bool cyclic = size > 1;
    for (size_t i = s->needs.first[v]; i < s->needs.first[v + 1]; i++)
        cyclic = cyclic || s->needs.to[i] == v;
    if (cyclic && lowest < s->first) {
        s->first = lowest;
        s->its_component = v;
    }
}

static void search_from(struct cycle_search *s, uint32_t root)
{
    search_enter(s, root);
    while (s->path_count) {
        uint32_t v = s->path[s->path_count - 1];
        if (s->next[v] < s->needs.first[v + 1]) {
            uint32_t w = s->needs.to[s->next[v]++];
            if (!s->seen[w])
                search_enter(s, w);
            else if (s->component[w] == NONE && s->seen[w] < s->low[v])
                s->low[v] = s->seen[w];
            continue;
        }
        s->path_count--;
        if (s->low[v] == s->seen[v])
            search_close(s, v);
        if (s->path_count) {
            uint32_t parent = s->path[s->path_count - 1];
            if (s->low[v] < s->low[parent])
                s->low[parent] = s->low[v];
        }
    }
}

/* Breadth first from `first` inside its component until it is reached again; from[v]: predecessor.
 * */
static uint32_t walk_back(const struct cycle_search *s, uint32_t *from)
{
    uint32_t *queue = s->open; /* nothing is open any more */
    uint32_t head = 0, tail = 0;
    queue[tail++] = s->first;
    for (;; head++) {
        assert(head < tail);
        uint32_t v = queue[head];
        for (size_t i = s->needs.first[v]; i < s->needs.first[v + 1]; i++) {
            uint32_t w = s->needs.to[i];
            if (w == s->first)
                return v;
            if (s->component[w] != s->its_component || from[w] != NONE)
                continue;
            from[w] = v;
            queue[tail++] = w;
        }
    }
}

bool graph_find_cycle(const struct graph *g, struct arena *a, uint32_t **nodes, size_t *count)
{
    size_t n = (size_t)g->count + 1;
    uint32_t *space = mem_zalloc(5 * n * sizeof *space);
    struct cycle_search s = {
        .needs = rows_make(g, false),
        .next = mem_alloc(n * sizeof *s.next),
        .seen = space,
        .low = space + n,
        .component = space + 2 * n,
        .open = space + 3 * n,
        .path = space + 4 * n,
        .first = NONE,
    };
    memset(s.component, 0xff, n * sizeof *s.component);
    for (uint32_t v = 0; v < g->count; v++)
        if (!s.seen[v])
            search_from(&s, v);
    if (s.first != NONE) {
        uint32_t *from = s.low;
        memset(from, 0xff, n * sizeof *from);
        uint32_t last = walk_back(&s, from), length = 2;
        for (uint32_t v = last; v != s.first; v = from[v])
            length++;
        *count = length;
        *nodes = arena_alloc(a, length * sizeof **nodes);
        (*nodes)[--length] = s.first;
        for (uint32_t v = last; v != s.first; v = from[v])
            (*nodes)[--length] = v;
        (*nodes)[0] = s.first;
    }
    rows_done(&s.needs);
    free(s.next);
    free(space);
    return s.first != NONE;
}

/* ---- order */

void graph_layers(const struct graph *g, uint32_t *layers)
{
    struct edge_rows freed = rows_make(g, true);
    uint32_t *open = mem_zalloc(((size_t)g->count + 1) * sizeof *open);
    uint32_t *queue = mem_alloc(((size_t)g->count + 1) * sizeof *queue);
    uint32_t head = 0, tail = 0;
    for (size_t i = 0; i < g->edge_count; i++)
        open[g->edges[i].node]++;
    for (uint32_t v = 0; v < g->count; v++) {
        layers[v] = 0;
        if (!open[v])
            queue[tail++] = v;
    }
    for (; head < tail; head++) {
        uint32_t v = queue[head];
        for (size_t i = freed.first[v]; i < freed.first[v + 1]; i++) {
            uint32_t w = freed.to[i];
            if (layers[w] < layers[v] + 1)
                layers[w] = layers[v] + 1;
            if (--open[w] == 0)
                queue[tail++] = w;
        }
    }
    assert(tail == g->count); /* no cycle */
    rows_done(&freed);
    free(open);
    free(queue);
}

/* A counting sort by layer: each node follows all that it needs. */
void graph_order(const struct graph *g, uint32_t *order)
{
    uint32_t *layers = mem_alloc(((size_t)g->count + 1) * sizeof *layers);
    uint32_t *at = mem_zalloc(((size_t)g->count + 2) * sizeof *at);
    graph_layers(g, layers);
    for (uint32_t v = 0; v < g->count; v++)
        at[layers[v] + 1]++;
    for (uint32_t v = 0; v < g->count; v++)
        at[v + 1] += at[v];
    for (uint32_t v = 0; v < g->count; v++)
        order[at[layers[v]]++] = v;
    free(layers);
    free(at);
}
