/* A graph as a list: each node below what it needs, indented by its layer, with the names of its
 * dependencies. */
#include "base/columns.h"
#include "orchestrator/draw_internal.h"

#define MAX_DEPTH 12u
#define STEP      2u
#define MIN_TITLE 12u

struct list_writer {
    const struct draw *d;
    const struct draw_style *style;
    const bool *take;
    uint32_t *layers;
    uint32_t *first, *needs; /* of node n: needs[first[n]] ... needs[first[n + 1] - 1] */
    enum columns_set set;
    struct buf *out;
};

/* ---- the order: as in a tree, a node follows its last dependency */

static void count_edges(const struct graph *g, bool by_node, uint32_t *first)
{
    for (size_t i = 0; i < g->edge_count; i++)
        first[(by_node ? g->edges[i].node : g->edges[i].needs) + 1]++;
    for (uint32_t i = 0; i < g->count; i++)
        first[i + 1] += first[i];
}

/* For each node the other ends of its edges, in the order of the edges. */
static uint32_t *others_of(const struct graph *g, bool by_node, struct arena *a, uint32_t **first)
{
    uint32_t *fill = arena_zalloc(a, (g->count + 1) * sizeof *fill);
    uint32_t *others = arena_alloc(a, (g->edge_count + 1) * sizeof *others);
    *first = arena_zalloc(a, (g->count + 1) * sizeof **first);
    count_edges(g, by_node, *first);
    for (size_t i = 0; i < g->edge_count; i++) {
        uint32_t mine = by_node ? g->edges[i].node : g->edges[i].needs;
        uint32_t other = by_node ? g->edges[i].needs : g->edges[i].node;
        others[(*first)[mine] + fill[mine]++] = other;
    }
    return others;
}

uint32_t *draw_list_order(const struct graph *g, struct arena *a)
{
    uint32_t *first, *users = others_of(g, false, a, &first), n = 0, top = 0;
    uint32_t *open = arena_zalloc(a, (g->count + 1) * sizeof *open);
    uint32_t *stack = arena_alloc(a, (g->count + 1) * sizeof *stack);
    uint32_t *order = arena_alloc(a, (g->count + 1) * sizeof *order);
    for (size_t i = 0; i < g->edge_count; i++)
        open[g->edges[i].node]++;
    for (uint32_t i = g->count; i-- > 0;)
        if (!open[i])
            stack[top++] = i;
    while (top) {
        uint32_t at = stack[--top];
        order[n++] = at;
        for (uint32_t k = first[at + 1]; k-- > first[at];)
            if (--open[users[k]] == 0)
                stack[top++] = users[k];
    }
    for (uint32_t i = 0; i < g->count; i++) /* in a cycle, or dependent on one */
        if (open[i])
            order[n++] = i;
    return order;
}

/* ---- the lines */

static void add_blanks(struct buf *out, size_t n)
{
    while (n--)
        buf_add_char(out, ' ');
}

const char *draw_list_colour(enum draw_tone tone)
{
    static const char *const tones[] = {
        [DRAW_PLAIN] = "",        [DRAW_WAITS] = "\033[33m", [DRAW_WORKS] = "\033[36m",
        [DRAW_GOOD] = "\033[32m", [DRAW_BAD] = "\033[31m",   [DRAW_OUT] = "\033[2m",
    };
    return tones[tone];
}

static void add_needs(const struct list_writer *l, uint32_t node, size_t indent)
{
    size_t at = 0, most = l->style->columns ? l->style->columns : SIZE_MAX;
    for (uint32_t k = l->first[node]; k < l->first[node + 1]; k++) {
        struct buf name = {0};
        bool last = k + 1 == l->first[node + 1], begins = k == l->first[node];
        size_t n = columns_add(&name, l->d->nodes[l->needs[k]].name, l->set) + !last;
        if (begins || at + 1 + n > most) {
            if (!begins)
                buf_add_char(l->out, '\n');
            add_blanks(l->out, indent);
            buf_add(l->out, begins ? STR("needs") : STR("     "));
            at = indent + 5;
        }
        buf_add_char(l->out, ' ');
        buf_add(l->out, buf_str(&name));
        buf_add(l->out, last ? STR("\n") : STR(","));
        at += 1 + n;
        buf_done(&name);
    }
}

static void add_node(const struct list_writer *l, uint32_t node)
{
    const struct draw_node *n = &l->d->nodes[node];
    size_t most = l->style->columns ? l->style->columns : SIZE_MAX;
    size_t depth = l->layers[node] < MAX_DEPTH ? l->layers[node] : MAX_DEPTH;
    size_t indent = depth * STEP < most / 3 ? depth * STEP : most / 3, at = indent;
    struct buf title = {0};
    add_blanks(l->out, indent);
    at += columns_add(l->out, n->name, l->set);
    if (n->label.n) {
        bool colour = l->style->colour && n->tone != DRAW_PLAIN;
        buf_add(l->out, STR("  "));
        buf_add(l->out, str_from(colour ? draw_list_colour(n->tone) : ""));
        at += 2 + columns_add(l->out, n->label, l->set);
        buf_add(l->out, str_from(colour ? "\033[0m" : ""));
    }
    columns_add(&title, n->title, l->set);
    if (title.n && !str_eq(n->title, n->name) && at + 2 + MIN_TITLE <= most) {
        buf_add(l->out, STR("  "));
        columns_cut(l->out, buf_str(&title), most - at - 2, COLUMNS_END, l->set);
    }
    buf_add_char(l->out, '\n');
    add_needs(l, node, indent + STEP);
    buf_done(&title);
}

void draw_list(const struct draw *d, const struct draw_style *style, const bool *take,
               struct buf *out)
{
    struct arena a = {0};
    struct list_writer l = {.d = d, .style = style, .take = take, .out = out};
    uint32_t *cycle, *order = draw_list_order(&d->graph, &a);
    size_t length;
    l.set = style->ascii ? COLUMNS_ASCII : COLUMNS_UNICODE;
    l.needs = others_of(&d->graph, true, &a, &l.first);
    l.layers = arena_zalloc(&a, (d->graph.count + 1) * sizeof *l.layers);
    if (!graph_find_cycle(&d->graph, &a, &cycle, &length))
        graph_layers(&d->graph, l.layers);
    for (uint32_t i = 0; i < d->graph.count; i++)
        if (!take || take[order[i]])
            add_node(&l, order[i]);
    arena_done(&a);
}
