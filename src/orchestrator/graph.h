/* A graph of dependencies: cycles, order, layers. Pure; nodes are numbers.
 *
 *     struct graph g = {.count = 4, .edges = edges, .edge_count = 4};
 *     if (graph_find_cycle(&g, &arena, &nodes, &n)) ... // nodes: a, b, c, a
 *     graph_order(&g, order);                           // by layer, then by number
 *     graph_layers(&g, layers); // 0: needs nothing; otherwise one more than its highest dependency
 *
 * Time and memory are linear in nodes plus edges; nothing recurses.
 */
#pragma once

#include "base/arena.h"

struct graph_edge {
    uint32_t node, needs;
};

struct graph {
    uint32_t count;
    const struct graph_edge *edges;
    size_t edge_count;
};

/* Find a shortest cycle through the lowest node that is in one; the first node is repeated at the
 * end. Return false if there is no cycle. */
bool graph_find_cycle(const struct graph *g, struct arena *a, uint32_t **nodes, size_t *count);
/* Both require a graph without cycles. */
void graph_order(const struct graph *g, uint32_t *order);
void graph_layers(const struct graph *g, uint32_t *layers);
