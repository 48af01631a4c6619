/* Dependencies as boxes and lines, laid out on the pool. */
#include "base/map.h"
#include "console/tasks_internal.h"
#include "orchestrator/draw.h"
#include "orchestrator/task_graph.h"

#define IDS_MOST     DRAW_MAX_NODES
#define PLAN_MOST    DRAW_MAX_NODES
#define WIDEST_STATE "RETRY_WAIT" /* so that the size of a box does not depend on the state */

struct graph_request {
    struct console_tasks_job job;
    enum {
        OF_OPEN, /* tasks that have not ended, and tasks connected to them */
        OF_SOME, /* the tasks `ids` */
        OF_KIN,  /* the same, and tasks connected to them */
        OF_PLAN  /* tasks that are not added yet: they have no state */
    } kind;
    int64_t *ids;
    size_t count;
    const struct json *plan; /* owned by the exchange */
    struct task_graph net;
};

static void free_graph(struct console_tasks_job *j)
{
    task_graph_done(&((struct graph_request *)j)->net);
}

static bool read_graph(struct store *s, void *ctx, struct error *err)
{
    struct graph_request *p = ctx;
    return task_graph_read(&p->net, s, err);
}

static void put_nodes(struct jsonw *w, const struct graph_request *p, const struct draw_boxes *b)
{
    const struct task_graph *net = &p->net;
    jsonw_key(w, "nodes");
    jsonw_array(w);
    for (size_t i = 0; i < net->count; i++) {
        const struct task_graph_node *n = &net->nodes[i];
        jsonw_object(w);
        jsonw_kint(w, "id", n->id);
        jsonw_kstr(w, "name", n->name);
        jsonw_kstr(w, "title", n->title);
        jsonw_kcstr(w, "state", p->kind == OF_PLAN ? NULL : task_state_name(n->state));
        jsonw_kint(w, "x", b->boxes[i].x);
        jsonw_kint(w, "y", b->boxes[i].y);
        jsonw_kint(w, "width", b->boxes[i].width);
        jsonw_kint(w, "height", b->boxes[i].height);
        jsonw_end(w);
    }
    jsonw_end(w);
}

/* From a task to the tasks that need it. */
static void put_edges(struct jsonw *w, const struct task_graph *net, const struct draw_boxes *b)
{
    jsonw_key(w, "edges");
    jsonw_array(w);
    for (size_t i = 0; i < b->line_count; i++) {
        const struct draw_line *l = &b->lines[i];
        jsonw_object(w);
        jsonw_kint(w, "from", net->nodes[l->needs].id);
        jsonw_kint(w, "to", net->nodes[l->node].id);
        jsonw_key(w, "points");
        jsonw_array(w);
        for (size_t k = 0; k < l->count; k++) {
            jsonw_array(w);
            jsonw_int(w, l->points[k].x);
            jsonw_int(w, l->points[k].y);
            jsonw_end(w);
        }
        jsonw_end(w);
        jsonw_end(w);
    }
    jsonw_end(w);
}

/* A graph with too many lines, or with a cycle (which this program never writes), is drawn without
 * lines. */
static size_t make_boxes(const struct task_graph *net, struct draw_node *nodes,
                         struct draw_boxes *b)
{
    struct draw d = {.graph = task_graph_view(net), .nodes = nodes};
    if (draw_boxes_make(&d, b))
        return 0;
    draw_boxes_done(b);
    d.graph.edge_count = 0;
    draw_boxes_make(&d, b);
    return net->edge_count;
}

/* Tasks are numbered from 1 in the order of the plan. Of two tasks with the same name, dependencies
 * refer to the first. */
static void read_plan(struct task_graph *net, const struct json *plan)
{
    struct map places = {0}; /* name -> its task */
    int64_t id = 0;
    JSON_ITEMS (plan, task) {
        struct str name = json_str(json_get(task, STR("name")));
        task_graph_add_node(
            net, &(struct task_graph_node){
                     .id = ++id, .name = name, .title = json_str(json_get(task, STR("title")))});
        if (!map_get(&places, name))
            map_set(&places, name, (void *)(intptr_t)id);
    }
    id = 0;
    JSON_ITEMS (plan, task) {
        const struct json *needs = json_get(task, STR("needs"));
        id++;
        JSON_ITEMS (needs, need) {
            int64_t of = (intptr_t)map_get(&places, json_str(need));
            if (of)
                task_graph_add_edge(net, (struct task_edge){id, of});
        }
    }
    map_done(&places);
}

static void choose_tasks(struct graph_request *p)
{
    switch (p->kind) {
    case OF_OPEN:
        task_graph_keep_open(&p->net);
        return;
    case OF_SOME:
        task_graph_keep_only(&p->net, p->ids, p->count);
        return;
    case OF_KIN:
        task_graph_keep_related(&p->net, p->ids, p->count);
        return;
    case OF_PLAN:
        read_plan(&p->net, p->plan);
    }
}

static void lay_out(struct console_tasks_job *j)
{
    struct graph_request *p = (struct graph_request *)j;
    struct task_graph *net = &p->net;
    struct draw_boxes boxes;
    choose_tasks(p);
    size_t left_out = task_graph_keep_newest(net, DRAW_MAX_NODES);
    struct draw_node *nodes = arena_zalloc(&j->arena, (net->count + 1) * sizeof *nodes);
    for (size_t i = 0; i < net->count; i++)
        nodes[i] = (struct draw_node){
            .name = net->nodes[i].name, .title = net->nodes[i].title, .label = STR(WIDEST_STATE)};
    size_t lines_left_out = make_boxes(net, nodes, &boxes);
    jsonw_kint(&j->w, "width", boxes.width);
    jsonw_kint(&j->w, "height", boxes.height);
    put_nodes(&j->w, p, &boxes);
    put_edges(&j->w, net, &boxes);
    jsonw_kint(&j->w, "left_out", (int64_t)left_out);
    jsonw_kint(&j->w, "lines_left_out", (int64_t)lines_left_out);
    draw_boxes_done(&boxes);
}

static void lay_out_soon(struct console_tasks_job *j)
{
    console_tasks_job_work(j, lay_out, console_tasks_job_reply);
}

static void on_graph(struct api *a, void *ctx)
{
    int64_t *ids, *of;
    size_t count, of_count;
    if (!api_query_ids(a, "ids", IDS_MOST, &ids, &count) ||
        !api_query_ids(a, "of", IDS_MOST, &of, &of_count))
        return;
    struct graph_request *p = console_tasks_job_new(ctx, a, sizeof *p);
    p->kind = of_count ? OF_KIN : count ? OF_SOME : OF_OPEN;
    p->ids = console_tasks_job_ids(&p->job, of_count ? of : ids, of_count ? of_count : count);
    p->count = of_count ? of_count : count;
    p->job.then = lay_out_soon;
    p->job.done = free_graph;
    console_tasks_job_run(&p->job, STORE_READ, read_graph);
}

/* ---- plans */

static bool is_plan(const struct json *plan)
{
    if (!json_is(plan, JSON_ARRAY) || json_count(plan) > PLAN_MOST)
        return false;
    JSON_ITEMS (plan, task) {
        const struct json *title = json_get(task, STR("title")), *needs;
        needs = json_get(task, STR("needs"));
        if (!json_is(json_get(task, STR("name")), JSON_STRING) ||
            (title && !json_is(title, JSON_STRING)) || (needs && !json_is(needs, JSON_ARRAY)))
            return false;
        JSON_ITEMS (needs, need)
            if (!json_is(need, JSON_STRING))
                return false;
    }
    return true;
}

static void on_plan(struct api *a, void *ctx)
{
    const struct json *plan = json_get(api_body(a), STR("tasks"));
    if (!is_plan(plan)) {
        api_refuse(a, 400, ERR_INVALID_PARAMS,
                   "tasks must be an array of at most %u objects {name, title, needs: [name]}.",
                   PLAN_MOST);
        return;
    }
    struct graph_request *p = console_tasks_job_new(ctx, a, sizeof *p);
    p->kind = OF_PLAN;
    p->plan = plan;
    p->job.done = free_graph;
    p->job.w = jsonw_make(&p->job.out);
    jsonw_object(&p->job.w);
    console_tasks_job_work(&p->job, lay_out, console_tasks_job_reply);
}

void console_tasks_graph_start(struct console_tasks *t)
{
    api_post(t->console, "/api/tasks/graph", on_plan, t);
    api_get(t->console, "/api/tasks/graph", on_graph, t);
}
