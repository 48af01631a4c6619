/* Tasks and their dependencies as a graph in memory: read from the store, then reduced.
 *
 *     struct task_graph n = {0};
 *     task_graph_read(&n, s, &err);                   // inside a work of store_run()
 *     task_graph_keep_related(&n, &id, 1);            // what it needs, and what needs it
 *     struct graph g = task_graph_view(&n);           // nodes are indices of n.nodes
 *     task_graph_done(&n);
 *
 * Tasks that are not in a store: add the nodes with rising ids, then the edges.
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
    } * nodes;        /* by rising id */
    size_t count;
    struct graph_edge *edges; /* between indices of nodes */
    size_t edge_count;
    /* private */
    size_t cap, edge_cap;
    struct arena arena;
};

/* Replace the contents by all tasks of the store. */
bool task_graph_read(struct task_graph *n, struct store *s, struct error *err);
/* Copy the node and its texts. */
void task_graph_add_node(struct task_graph *n, const struct task_graph_node *node);
/* Ignored if one of the two tasks is missing. */
void task_graph_add_edge(struct task_graph *n, struct task_edge e);
size_t task_graph_find(const struct task_graph *n, int64_t id); /* its index; count: missing */
struct graph task_graph_view(const struct task_graph *n);
void task_graph_done(struct task_graph *n);

/* Each of these removes nodes and their edges.
 *
 * Keep the given tasks, all that they need and all that need them, directly or not. */
void task_graph_keep_related(struct task_graph *n, const int64_t *ids, size_t count);
void task_graph_keep_only(struct task_graph *n, const int64_t *ids, size_t count);
/* Keep each connected part that has a task in a state that is not final; if there is none, keep
 * all. */
void task_graph_keep_open(struct task_graph *n);
/* Keep at most `most` tasks: running ones, then the newest. Return how many were removed. */
size_t task_graph_keep_newest(struct task_graph *n, size_t most);
