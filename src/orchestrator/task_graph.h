/* Tasks and who needs whom, as a graph in memory: all of a store, then less of it.
 *
 *     struct task_graph n = {0};
 *     task_graph_read(&n, s, &err);                     // inside a work of store_run()
 *     task_graph_keep_related(&n, &id, 1);                // all that it needs, and all that need it
 *     struct graph g = task_graph_view(&n);            // nodes by their places in n.nodes
 *     task_graph_done(&n);
 *
 * Tasks that are in no store yet are put into it one by one, numbers rising, and then tied.
 */
#pragma once

#include "orchestrator/graph.h"
#include "orchestrator/tasks.h"

struct task_graph {
    struct task_graph_node {
        int64_t id;
        struct str name, title;
        enum task_state state;
        bool is_kept; /* private */
    } * nodes;        /* by id, rising */
    size_t count;
    struct graph_edge *edges; /* between nodes, by their places */
    size_t edge_count;
    /* private */
    size_t cap, edge_cap;
    struct arena arena;
};

/* What was in it goes. */
bool task_graph_read(struct task_graph *n, struct store *s, struct error *err);
/* Its texts are copied. */
void task_graph_add_node(struct task_graph *n, const struct task_graph_node *node);
/* Nothing, if one of both is not there. */
void task_graph_add_edge(struct task_graph *n, struct task_edge e);
size_t task_graph_find(const struct task_graph *n, int64_t id); /* its place; count: not there */
struct graph task_graph_view(const struct task_graph *n);
void task_graph_done(struct task_graph *n);

/* Each leaves less, with all lines between those that are left. */
/* These, all that they need and all that need one of them, directly or not. */
void task_graph_keep_related(struct task_graph *n, const int64_t *ids, size_t count);
void task_graph_keep_only(struct task_graph *n, const int64_t *ids, size_t count);
/* What is not over, and what that hangs together with; if all is over, all. */
void task_graph_keep_open(struct task_graph *n);
/* At most so many: what runs, then the newest; answers how many went. */
size_t task_graph_keep_newest(struct task_graph *n, size_t most);
