/* Tasks and who needs whom, as a graph in memory: all of a store, then less of it.
 *
 *     struct task_net n = {0};
 *     task_net_read(&n, s, &err);                     // inside a work of store_run()
 *     task_net_keep_reach(&n, &id, 1);                // all that it needs, and all that need it
 *     struct graph g = task_net_graph(&n);            // nodes by their places in n.nodes
 *     task_net_done(&n);
 *
 * Tasks that are in no store yet are put into it one by one, numbers rising, and then tied.
 */
#pragma once

#include "orchestrator/graph.h"
#include "orchestrator/tasks.h"

struct task_net {
    struct task_net_node {
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
bool task_net_read(struct task_net *n, struct store *s, struct error *err);
/* Its texts are copied. */
void task_net_put(struct task_net *n, const struct task_net_node *node);
/* Nothing, if one of both is not there. */
void task_net_tie(struct task_net *n, struct task_edge e);
size_t task_net_find(const struct task_net *n, int64_t id); /* its place; count: not there */
struct graph task_net_graph(const struct task_net *n);
void task_net_done(struct task_net *n);

/* Each leaves less, with all lines between those that are left. */
/* These, all that they need and all that need one of them, directly or not. */
void task_net_keep_reach(struct task_net *n, const int64_t *ids, size_t count);
void task_net_keep_some(struct task_net *n, const int64_t *ids, size_t count);
/* What is not over, and what that hangs together with; if all is over, all. */
void task_net_keep_open(struct task_net *n);
/* At most so many: what runs, then the newest; answers how many went. */
size_t task_net_keep_newest(struct task_net *n, size_t most);
