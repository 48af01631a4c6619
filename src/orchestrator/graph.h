/* A graph of who needs whom: cycles, order, layers. Pure; nodes are numbers.
 *
 *     struct graph g = {.count = 4, .edges = edges, .edge_count = 4};
 *     if (graph_find_cycle(&g, &a, &nodes, &n)) ...  // nodes: a, b, c, a
 *     graph_order(&g, order);                   // by layers, in a layer by number
 *     graph_layers(&g, layers);                 // 0: needs nobody; else one more than its highest
 *
 * All in time and memory of nodes plus edges; nothing recurses.
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

/* False: there is none. Else one of the shortest through the first node that is in one; the first
 * node stands at its end again. */
bool graph_find_cycle(const struct graph *g, struct arena *a, uint32_t **nodes, size_t *count);
/* Both want a graph without cycles. */
void graph_order(const struct graph *g, uint32_t *order);
void graph_layers(const struct graph *g, uint32_t *layers);
