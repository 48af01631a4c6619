/* Split the graph into parts with layers, boxes and bends. */
#include <assert.h>
#include <stdlib.h>

#include "orchestrator/draw_internal.h"

#define LONG 2u /* bends per box from which on a part is shortened */

static int by_node(const void *a, const void *b)
{
    const struct graph_edge *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->needs > y->needs) - (x->needs < y->needs);
}

struct graph draw_layout_unique(const struct graph *g, struct arena *a)
{
    struct graph_edge *edges = arena_alloc(a, (g->edge_count + 1) * sizeof *edges);
    size_t kept = 0;
    for (size_t i = 0; i < g->edge_count; i++) {
        edges[i] = g->edges[i];
        assert(edges[i].node < g->count && edges[i].needs < g->count);
    }
    qsort(edges, g->edge_count, sizeof *edges, by_node);
    for (size_t i = 0; i < g->edge_count; i++)
        if (!kept || by_node(&edges[i], &edges[kept - 1]) != 0)
            edges[kept++] = edges[i];
    return (struct graph){.count = g->count, .edges = edges, .edge_count = kept};
}

/* The whole graph while it is split into parts. */
struct layout_maker {
    const struct graph *g;
    struct arena *a; /* for temporary data */
    uint32_t *part;  /* of a node */
    uint32_t *layer;
    uint32_t *first, *users; /* dependents of node n: users[first[n]] ... */
    uint32_t *item;          /* of a node, in its part */
    uint32_t *bend;          /* of a node: its first bend, in its part */
    uint32_t bends;          /* of all */
};

/* ---- connected parts */

static uint32_t root_of(uint32_t *parent, uint32_t n)
{
    while (parent[n] != n)
        n = parent[n] = parent[parent[n]];
    return n;
}

/* Identify the part of each node by its lowest node. */
static void find_parts(struct layout_maker *c)
{
    c->part = arena_alloc(c->a, (c->g->count + 1) * sizeof *c->part);
    for (uint32_t i = 0; i < c->g->count; i++)
        c->part[i] = i;
    for (size_t i = 0; i < c->g->edge_count; i++) {
        uint32_t a = root_of(c->part, c->g->edges[i].node);
        uint32_t b = root_of(c->part, c->g->edges[i].needs);
        c->part[a > b ? a : b] = a > b ? b : a;
    }
    for (uint32_t i = 0; i < c->g->count; i++)
        c->part[i] = root_of(c->part, i);
}

static void find_users(struct layout_maker *c)
{
    uint32_t n = c->g->count, *fill = arena_zalloc(c->a, (n + 1) * sizeof *fill);
    c->first = arena_zalloc(c->a, (n + 1) * sizeof *c->first);
    c->users = arena_alloc(c->a, (c->g->edge_count + 1) * sizeof *c->users);
    for (size_t i = 0; i < c->g->edge_count; i++)
        c->first[c->g->edges[i].needs + 1]++;
    for (uint32_t i = 0; i < n; i++)
        c->first[i + 1] += c->first[i];
    for (size_t i = 0; i < c->g->edge_count; i++) {
        uint32_t needs = c->g->edges[i].needs;
        c->users[c->first[needs] + fill[needs]++] = c->g->edges[i].node;
    }
}

/* ---- one part */

/* The number of layers that the lines of a node pass. */
static uint32_t bends_of(const struct layout_maker *c, uint32_t node)
{
    uint32_t far = c->layer[node] + 1;
    for (uint32_t k = c->first[node]; k < c->first[node + 1]; k++)
        far = c->layer[c->users[k]] > far ? c->layer[c->users[k]] : far;
    return far - c->layer[node] - 1;
}

static uint32_t item_at(const struct layout_maker *c, uint32_t node, uint32_t layer)
{
    return layer == c->layer[node] ? c->item[node] : c->bend[node] + layer - c->layer[node] - 1;
}

/* ---- shorter lines */

/* Nodes by layer, the lowest first, so that dependents precede what they need. */
static uint32_t *sort_from_below(const struct layout_maker *c)
{
    uint32_t n = c->g->count, *start = arena_zalloc(c->a, (n + 1) * sizeof *start);
    uint32_t *order = arena_alloc(c->a, (n + 1) * sizeof *order);
    for (uint32_t i = 0; i < n; i++)
        start[c->layer[i]]++;
    for (uint32_t layer = n, sum = 0; layer-- > 0;) {
        uint32_t here = start[layer];
        start[layer] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < n; i++)
        order[start[c->layer[i]]++] = i;
    return order;
}

/* At first each node is in its highest layer. If the lines of a part need more room than its boxes,
 * move nodes down to just above their first dependent, if they have no more dependencies than
 * dependents. */
static void shorten_edges(struct layout_maker *c)
{
    uint32_t n = c->g->count, *order = sort_from_below(c);
    uint32_t *bends = arena_zalloc(c->a, (n + 1) * sizeof *bends);
    uint32_t *boxes = arena_zalloc(c->a, (n + 1) * sizeof *boxes);
    uint32_t *needs = arena_zalloc(c->a, (n + 1) * sizeof *needs);
    for (size_t i = 0; i < c->g->edge_count; i++)
        needs[c->g->edges[i].node]++;
    for (uint32_t i = 0; i < n; i++) {
        bends[c->part[i]] += bends_of(c, i);
        boxes[c->part[i]]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = order[i], users = c->first[node + 1] - c->first[node], first = UINT32_MAX;
        if (!users || needs[node] > users || bends[c->part[node]] <= LONG * boxes[c->part[node]])
            continue;
        for (uint32_t k = c->first[node]; k < c->first[node + 1]; k++)
            first = c->layer[c->users[k]] < first ? c->layer[c->users[k]] : first;
        c->layer[node] = first - 1;
    }
}

/* ---- boxes and lines */

struct item_link {
    uint32_t from, to;
};

/* Link the node, its bends and its dependents. */
static uint32_t link_node(const struct layout_maker *c, uint32_t node, struct item_link *links)
{
    uint32_t n = 0, top = c->layer[node], bends = bends_of(c, node);
    for (uint32_t k = 0; k < bends; k++)
        links[n++] = (struct item_link){item_at(c, node, top + k), item_at(c, node, top + k + 1)};
    for (uint32_t k = c->first[node]; k < c->first[node + 1]; k++) {
        uint32_t user = c->users[k];
        links[n++] = (struct item_link){item_at(c, node, c->layer[user] - 1), c->item[user]};
    }
    return n;
}

static void set_neighbours(struct draw_part *p, const struct item_link *links, uint32_t count,
                           struct arena *a)
{
    uint32_t *room = arena_alloc(a, (2 * (size_t)count + 1) * sizeof *room);
    p->links = count;
    for (uint32_t i = 0; i < count; i++) {
        p->items[links[i].from].down_count++;
        p->items[links[i].to].up_count++;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        struct draw_item *item = &p->items[i];
        item->up = room;
        item->down = room + item->up_count;
        room += item->up_count + item->down_count;
        item->up_count = item->down_count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct draw_item *from = &p->items[links[i].from], *to = &p->items[links[i].to];
        from->down[from->down_count++] = links[i].to;
        to->up[to->up_count++] = links[i].from;
    }
}

/* p->items has the boxes already. */
static void build_part(struct layout_maker *c, struct draw_part *p, struct arena *a)
{
    struct arena scratch = {0};
    uint32_t bends = 0, edges = 0, n = 0;
    for (uint32_t i = 0; i < p->boxes; i++) {
        uint32_t node = p->items[i].node;
        c->bend[node] = p->boxes + bends;
        bends += bends_of(c, node);
        edges += c->first[node + 1] - c->first[node];
        p->items[i].layer = c->layer[node];
        p->layer_count = c->layer[node] >= p->layer_count ? c->layer[node] + 1 : p->layer_count;
    }
    p->count = p->boxes + bends;
    p->items = arena_grow(a, p->items, p->boxes * sizeof *p->items, p->count * sizeof *p->items);
    struct item_link *links = arena_alloc(&scratch, ((size_t)bends + edges + 1) * sizeof *links);
    for (uint32_t i = 0; i < p->boxes; i++) {
        uint32_t node = p->items[i].node, many = bends_of(c, node);
        for (uint32_t k = 0; k < many; k++)
            p->items[c->bend[node] + k] = (struct draw_item){
                .node = node, .is_bend = true, .layer = c->layer[node] + k + 1, .width = 1};
        n += link_node(c, node, links + n);
    }
    set_neighbours(p, links, n, a);
    arena_done(&scratch);
    draw_order(p, a);
}

/* ---- all parts */

static void make_parts(struct layout_maker *c, struct draw_layout *out)
{
    uint32_t n = c->g->count, *size = arena_zalloc(c->a, (n + 1) * sizeof *size);
    struct draw_part **of = arena_alloc(c->a, (n + 1) * sizeof *of);
    for (uint32_t i = 0; i < n; i++) {
        size[c->part[i]]++;
        out->part_count += c->part[i] == i;
    }
    out->parts = arena_zalloc(&out->arena, (out->part_count + 1) * sizeof *out->parts);
    struct draw_part *p = out->parts;
    for (int single = 0; single < 2; single++)
        for (uint32_t i = 0; i < n; i++)
            if (c->part[i] == i && (size[i] == 1) == single) {
                of[i] = p++;
                of[i]->items = arena_zalloc(&out->arena, size[i] * sizeof *of[i]->items);
            }
    for (uint32_t i = 0; i < n; i++) {
        struct draw_part *mine = of[c->part[i]];
        c->item[i] = mine->boxes;
        mine->items[mine->boxes++].node = i;
    }
    for (size_t i = 0; i < out->part_count; i++)
        build_part(c, &out->parts[i], &out->arena);
}

bool draw_layout_make(const struct graph *g, struct draw_layout *out)
{
    struct arena scratch = {0};
    struct layout_maker c = {.g = g, .a = &scratch};
    uint32_t n = g->count, *cycle;
    size_t length;
    *out = (struct draw_layout){0};
    bool fits = n <= DRAW_MAX_NODES && !graph_find_cycle(g, &scratch, &cycle, &length);
    if (fits) {
        c.layer = arena_alloc(&scratch, (n + 1) * sizeof *c.layer);
        c.item = arena_alloc(&scratch, (n + 1) * sizeof *c.item);
        c.bend = arena_alloc(&scratch, (n + 1) * sizeof *c.bend);
        graph_layers(g, c.layer);
        find_parts(&c);
        find_users(&c);
        shorten_edges(&c);
        for (uint32_t i = 0; i < n && c.bends <= DRAW_MAX_BENDS; i++)
            c.bends += bends_of(&c, i);
        fits = c.bends <= DRAW_MAX_BENDS;
    }
    if (fits)
        make_parts(&c, out);
    arena_done(&scratch);
    return fits;
}

void draw_layout_done(struct draw_layout *l)
{
    arena_done(&l->arena);
    *l = (struct draw_layout){0};
}
