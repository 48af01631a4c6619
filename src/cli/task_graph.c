/* `multiverse task graph`: who waits for whom, as a picture or as data. */
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/task_view.h"

struct node {
    int64_t id;
    struct str name, title;
    enum task_state state;
    bool shown;
};

struct picture {
    struct task_view view;
    struct arena arena;
    struct node *nodes; /* by id, rising */
    size_t count, cap;
    struct graph_edge *edges;
    size_t edge_count, edge_cap;
};

/* ---- reading */

static void keep_node(const struct task_row *t, void *ctx)
{
    struct picture *p = ctx;
    mem_grow((void **)&p->nodes, &p->cap, p->count + 1, sizeof *p->nodes);
    p->nodes[p->count++] = (struct node){.id = t->id,
                                         .name = arena_str(&p->arena, t->name),
                                         .title = arena_str(&p->arena, t->title),
                                         .state = t->state};
}

static int by_id(const void *a, const void *b)
{
    const struct node *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static const struct node *find(const struct picture *p, int64_t id)
{
    struct node key = {.id = id};
    return p->count ? bsearch(&key, p->nodes, p->count, sizeof key, by_id) : NULL;
}

static void keep_edge(struct task_edge e, void *ctx)
{
    struct picture *p = ctx;
    const struct node *task = find(p, e.task), *needs = find(p, e.needs);
    if (!task || !needs)
        return;
    mem_grow((void **)&p->edges, &p->edge_cap, p->edge_count + 1, sizeof *p->edges);
    p->edges[p->edge_count++] =
        (struct graph_edge){(uint32_t)(task - p->nodes), (uint32_t)(needs - p->nodes)};
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

/* Marks all that can be reached from the node: down to what it needs, or up to what needs it. */
static void reach(struct picture *p, uint32_t from, bool up)
{
    uint32_t *stack = mem_alloc((p->count + 1) * sizeof *stack);
    bool *seen = mem_zalloc(p->count + 1);
    size_t top = 0;
    if (p->edge_count)
        qsort(p->edges, p->edge_count, sizeof *p->edges, up ? by_needs : by_node);
    seen[from] = true;
    stack[top++] = from;
    while (top) {
        uint32_t at = stack[--top];
        size_t low = 0, high = p->edge_count;
        p->nodes[at].shown = true;
        while (low < high) {
            size_t mid = low + (high - low) / 2;
            uint32_t key = up ? p->edges[mid].needs : p->edges[mid].node;
            if (key < at)
                low = mid + 1;
            else
                high = mid;
        }
        for (; low < p->edge_count; low++) {
            uint32_t key = up ? p->edges[low].needs : p->edges[low].node;
            uint32_t other = up ? p->edges[low].node : p->edges[low].needs;
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

/* Only those that are marked, with new numbers. */
static void cut(struct picture *p)
{
    uint32_t *places = mem_alloc((p->count + 1) * sizeof *places);
    size_t nodes = 0, edges = 0;
    for (size_t i = 0; i < p->count; i++) {
        places[i] = p->nodes[i].shown ? (uint32_t)nodes : UINT32_MAX;
        if (p->nodes[i].shown)
            p->nodes[nodes++] = p->nodes[i];
    }
    for (size_t i = 0; i < p->edge_count; i++) {
        uint32_t node = places[p->edges[i].node], needs = places[p->edges[i].needs];
        if (node != UINT32_MAX && needs != UINT32_MAX)
            p->edges[edges++] = (struct graph_edge){node, needs};
    }
    p->count = nodes;
    p->edge_count = edges;
    free(places);
}

static bool collect(struct store *s, void *ctx, struct error *err)
{
    struct picture *p = ctx;
    const struct options *o = p->view.options;
    int64_t id = 0;
    arena_reset(&p->arena);
    p->count = p->edge_count = 0;
    if (o->arg_count && !tasks_find(s, str_from(o->args[0]), &id, err))
        return false;
    if (!tasks_each(s, &(struct tasks_filter){0}, keep_node, p, err))
        return false;
    if (p->count)
        qsort(p->nodes, p->count, sizeof *p->nodes, by_id);
    if (!tasks_edges(s, 0, keep_edge, p, err))
        return false;
    const struct node *start = id ? find(p, id) : NULL;
    if (start) {
        uint32_t from = (uint32_t)(start - p->nodes);
        reach(p, from, false);
        reach(p, from, true);
        cut(p);
    }
    return true;
}

/* ---- showing */

static void put_json(const struct picture *p, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_key(&w, "tasks");
    jsonw_array(&w);
    for (size_t i = 0; i < p->count; i++) {
        const struct node *n = &p->nodes[i];
        jsonw_object(&w);
        jsonw_kint(&w, "id", n->id);
        jsonw_kstr(&w, "name", n->name);
        jsonw_kstr(&w, "title", n->title);
        jsonw_kcstr(&w, "state", task_state_name(n->state));
        jsonw_end(&w);
    }
    jsonw_end(&w);
    jsonw_key(&w, "edges");
    jsonw_array(&w);
    for (size_t i = 0; i < p->edge_count; i++) {
        jsonw_object(&w);
        jsonw_kstr(&w, "task", p->nodes[p->edges[i].node].name);
        jsonw_kstr(&w, "needs", p->nodes[p->edges[i].needs].name);
        jsonw_end(&w);
    }
    jsonw_end(&w);
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

static enum draw_tone tone_of(enum task_state state)
{
    switch (state) {
    case TASK_PENDING:
        return DRAW_PLAIN;
    case TASK_READY:
    case TASK_RETRY_WAIT:
        return DRAW_WAITS;
    case TASK_RUNNING:
        return DRAW_WORKS;
    case TASK_SUCCEEDED:
        return DRAW_GOOD;
    case TASK_FAILED:
    case TASK_BLOCKED:
        return DRAW_BAD;
    case TASK_CANCELLED:
        return DRAW_OUT;
    case TASK_STATE_COUNT:
        break;
    }
    return DRAW_PLAIN;
}

void task_view_draw(const struct draw *d, struct buf *out)
{
    struct draw_style style = {.columns = task_view_columns(),
                               .colour = say_has_colour(STDOUT_FILENO),
                               .ascii = task_view_set() == COLUMNS_ASCII};
    draw_text(d, &style, out);
}

static void put_picture(const struct picture *p, bool svg, struct buf *out)
{
    struct draw_node *nodes = mem_zalloc((p->count + 1) * sizeof *nodes);
    for (size_t i = 0; i < p->count; i++)
        nodes[i] = (struct draw_node){.name = p->nodes[i].name,
                                      .title = p->nodes[i].title,
                                      .label = str_from(task_state_name(p->nodes[i].state)),
                                      .tone = tone_of(p->nodes[i].state)};
    struct draw d = {.graph = {(uint32_t)p->count, p->edges, p->edge_count}, .nodes = nodes};
    if (svg)
        draw_svg(&d, out);
    else if (p->count)
        task_view_draw(&d, out);
    else
        buf_add(out, STR("there is no task yet: multiverse task add FILE.yaml\n"));
    free(nodes);
}

int task_graph(const struct options *o)
{
    struct picture p = {0};
    if (options_has(o, "svg") && options_has(o, "json")) {
        say_error("task graph is --svg or --json, not both");
        return COMMAND_USAGE;
    }
    if (!task_view_open(&p.view, o, TASK_VIEW_LOOK))
        return p.view.code;
    if (task_view_run(&p.view, STORE_READ, collect, &p)) {
        struct buf out = {0};
        if (p.view.json)
            put_json(&p, &out);
        else
            put_picture(&p, options_has(o, "svg"), &out);
        say_out(buf_str(&out));
        buf_done(&out);
    }
    free(p.nodes);
    free(p.edges);
    arena_done(&p.arena);
    return task_view_close(&p.view);
}
