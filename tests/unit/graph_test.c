#include "orchestrator/graph.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "test.h"

#define SMALL 7u
#define LARGE 200000u

/* ---- brute force: reach[a][b] is the length of the shortest way from a to b; 0: there is none */

static void find_ways(const struct graph *g, uint32_t ways[SMALL][SMALL])
{
    memset(ways, 0, SMALL * sizeof *ways);
    for (size_t i = 0; i < g->edge_count; i++)
        ways[g->edges[i].node][g->edges[i].needs] = 1;
    for (uint32_t k = 0; k < g->count; k++)
        for (uint32_t a = 0; a < g->count; a++)
            for (uint32_t b = 0; b < g->count; b++) {
                uint32_t sum = ways[a][k] + ways[k][b];
                if (ways[a][k] && ways[k][b] && (!ways[a][b] || sum < ways[a][b]))
                    ways[a][b] = sum;
            }
}

static bool has_edge(const struct graph *g, uint32_t node, uint32_t needs)
{
    for (size_t i = 0; i < g->edge_count; i++)
        if (g->edges[i].node == node && g->edges[i].needs == needs)
            return true;
    return false;
}

static void check_cycle(const struct graph *g, uint32_t ways[SMALL][SMALL], uint32_t first)
{
    struct arena a = {0};
    uint32_t *nodes = NULL;
    size_t count = 0;
    bool is_there = graph_find_cycle(g, &a, &nodes, &count);
    assert_int_equal(is_there, first < g->count);
    if (is_there) {
        assert_int_equal(nodes[0], first);
        assert_int_equal(nodes[count - 1], first);
        assert_int_equal(count - 1, ways[first][first]);
        for (size_t i = 0; i + 1 < count; i++)
            assert_true(has_edge(g, nodes[i], nodes[i + 1]));
    }
    arena_done(&a);
}

/* The longest path down, by relaxation until nothing changes. */
static uint32_t depth(const struct graph *g, uint32_t ways[SMALL][SMALL], uint32_t node)
{
    uint32_t depths[SMALL] = {0};
    (void)ways;
    for (uint32_t round = 0; round < g->count; round++)
        for (size_t i = 0; i < g->edge_count; i++)
            if (depths[g->edges[i].node] < depths[g->edges[i].needs] + 1)
                depths[g->edges[i].node] = depths[g->edges[i].needs] + 1;
    return depths[node];
}

static void check_order(const struct graph *g, uint32_t ways[SMALL][SMALL])
{
    uint32_t order[SMALL], layers[SMALL], place[SMALL] = {0};
    graph_layers(g, layers);
    graph_order(g, order);
    for (uint32_t v = 0; v < g->count; v++) {
        assert_int_equal(layers[v], depth(g, ways, v));
        place[order[v]]++;
    }
    for (uint32_t v = 0; v < g->count; v++)
        assert_int_equal(place[v], 1);
    for (uint32_t i = 0; i + 1 < g->count; i++) {
        uint32_t a = order[i], b = order[i + 1];
        assert_true(layers[a] < layers[b] || (layers[a] == layers[b] && a < b));
    }
}

TEST(random_graphs_agree_with_brute_force)
{
    struct rng r;
    rng_seed(&r, 20);
    unsigned cyclic = 0;
    for (unsigned round = 0; round < 20000; round++) {
        struct graph_edge edges[2 * SMALL];
        struct graph g = {.count = (uint32_t)rng_below(&r, SMALL + 1), .edges = edges};
        if (g.count)
            g.edge_count = (size_t)rng_below(&r, 2 * SMALL + 1);
        for (size_t i = 0; i < g.edge_count; i++)
            edges[i] = (struct graph_edge){(uint32_t)rng_below(&r, g.count),
                                           (uint32_t)rng_below(&r, g.count)};
        uint32_t ways[SMALL][SMALL], first = 0;
        find_ways(&g, ways);
        while (first < g.count && !ways[first][first])
            first++;
        check_cycle(&g, ways, first);
        cyclic += first < g.count;
        if (first == g.count)
            check_order(&g, ways);
    }
    assert_in_range(cyclic, 2000, 18000); /* both kinds occur */
}

TEST(the_reported_cycle_is_a_shortest_one)
{
    /* 0 only needs what is in a cycle; 1 is in one of two and in one of four */
    static const struct graph_edge edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 1}, {3, 1}};
    struct graph g = {.count = 5, .edges = edges, .edge_count = 6};
    struct arena a = {0};
    uint32_t *nodes = NULL;
    size_t count = 0;
    assert_true(graph_find_cycle(&g, &a, &nodes, &count));
    assert_int_equal(count, 4);
    const uint32_t want[] = {1, 2, 3, 1};
    assert_memory_equal(nodes, want, sizeof want);
    arena_done(&a);
}

TEST(a_node_that_needs_itself_is_a_cycle)
{
    static const struct graph_edge edges[] = {{0, 1}, {1, 1}};
    struct graph g = {.count = 2, .edges = edges, .edge_count = 2};
    struct arena a = {0};
    uint32_t *nodes = NULL;
    size_t count = 0;
    assert_true(graph_find_cycle(&g, &a, &nodes, &count));
    assert_int_equal(count, 2);
    assert_int_equal(nodes[0], 1);
    assert_int_equal(nodes[1], 1);
    arena_done(&a);
}

TEST(an_empty_graph_is_valid)
{
    struct graph g = {0};
    struct arena a = {0};
    uint32_t none = 7, *nodes = NULL;
    size_t count = 0;
    assert_false(graph_find_cycle(&g, &a, &nodes, &count));
    graph_order(&g, &none);
    graph_layers(&g, &none);
    assert_int_equal(none, 7);
    arena_done(&a);
}

/* A chain, deeper than any stack, and then closed to a ring. */
TEST(a_long_chain_is_walked_without_recursion)
{
    struct graph_edge *edges = mem_alloc(LARGE * sizeof *edges);
    for (uint32_t i = 0; i < LARGE; i++)
        edges[i] = (struct graph_edge){i, (i + 1) % LARGE};
    struct graph g = {.count = LARGE, .edges = edges, .edge_count = LARGE - 1};
    uint32_t *out = mem_alloc(LARGE * sizeof *out), *nodes = NULL;
    struct arena a = {0};
    size_t count = 0;
    assert_false(graph_find_cycle(&g, &a, &nodes, &count));
    graph_layers(&g, out);
    assert_int_equal(out[0], LARGE - 1);
    graph_order(&g, out);
    assert_int_equal(out[0], LARGE - 1);
    assert_int_equal(out[LARGE - 1], 0);
    g.edge_count = LARGE;
    assert_true(graph_find_cycle(&g, &a, &nodes, &count));
    assert_int_equal(count, LARGE + 1);
    arena_done(&a);
    free(edges);
    free(out);
}
