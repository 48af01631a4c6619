#include "orchestrator/draw_route.h"

#include <assert.h>
#include <stdlib.h>

#define NO_NET    UINT32_MAX
#define MAX_RANKS 300u /* above this the order of rows is not optimized */

/* ---- nets */

/* qsort() passes no context, so each element refers to its targets. */
struct net_source {
    uint32_t item;
    const uint32_t *down;
    uint32_t count;
};

static int by_item(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int by_targets(const void *a, const void *b)
{
    const struct net_source *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->down[i] != y->down[i])
            return x->down[i] < y->down[i] ? -1 : 1;
    return 0;
}

/* Add a net of `count` sources with the same targets. */
static void add_net(struct draw_routes *r, struct draw_channel *c, const struct net_source *sources,
                    uint32_t count, struct arena *a)
{
    struct draw_net *net = &c->nets[c->count];
    *net = (struct draw_net){.from = arena_alloc(a, count * sizeof *net->from),
                             .from_count = count,
                             .to = sources->down,
                             .to_count = sources->count,
                             .ports = arena_alloc(a, sources->count * sizeof *net->ports)};
    for (uint32_t i = 0; i < count; i++) {
        net->from[i] = sources[i].item;
        r->out[sources[i].item] = c->count;
    }
    for (uint32_t i = 0; i < net->to_count; i++)
        r->ins[net->to[i]]++;
    c->count++;
}

static void make_channel(struct draw_part *p, struct draw_routes *r, uint32_t layer,
                         struct arena *a)
{
    struct draw_channel *c = &r->channels[layer];
    uint32_t size = p->layers[layer + 1] - p->layers[layer], n = 0;
    struct arena scratch = {0};
    struct net_source *sources = arena_alloc(&scratch, size * sizeof *sources);
    for (uint32_t k = p->layers[layer]; k < p->layers[layer + 1]; k++) {
        struct draw_item *item = &p->items[p->order[k]];
        qsort(item->down, item->down_count, sizeof *item->down, by_item);
        if (item->down_count)
            sources[n++] = (struct net_source){p->order[k], item->down, item->down_count};
    }
    qsort(sources, n, sizeof *sources, by_targets);
    c->nets = arena_alloc(a, n * sizeof *c->nets);
    for (uint32_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && by_targets(&sources[i], &sources[next]) == 0; next++)
            continue;
        add_net(r, c, &sources[i], next - i, a);
    }
    arena_done(&scratch);
}

void draw_route_make(struct draw_part *p, struct draw_routes *r, struct arena *a)
{
    *r = (struct draw_routes){
        .channels = arena_zalloc(a, p->layer_count * sizeof *r->channels),
        .out = arena_alloc(a, p->count * sizeof *r->out),
        .ins = arena_zalloc(a, p->count * sizeof *r->ins),
    };
    for (uint32_t layer = 0; layer + 1 < p->layer_count; layer++)
        make_channel(p, r, layer, a);
}

/* ---- columns */

struct route_plan {
    struct draw_part *p;
    struct draw_routes *r;
    const struct draw_gaps *gaps;
};

/* The net whose line comes down from the layer above in this column, or NO_NET. */
static uint32_t net_above(const struct route_plan *l, uint32_t layer, int32_t x)
{
    const struct draw_part *p = l->p;
    uint32_t from = p->layers[layer - 1], to = p->layers[layer];
    while (from < to) {
        uint32_t mid = from + (to - from) / 2;
        const struct draw_item *item = &p->items[p->order[mid]];
        if (item->x == x)
            return item->down_count ? l->r->out[p->order[mid]] : NO_NET;
        if (item->x < x)
            from = mid + 1;
        else
            to = mid;
    }
    return NO_NET;
}

static bool is_free(const struct route_plan *l, uint32_t layer, int32_t x, uint32_t net)
{
    uint32_t there = net_above(l, layer, x);
    return there == NO_NET || there == net;
}

/* Move bends away from columns in which another net comes down. Such columns are never adjacent, so
 * the next column is free. */
static void shift_layer(struct route_plan *l, uint32_t layer)
{
    struct draw_part *p = l->p;
    struct draw_item *before = NULL;
    for (uint32_t k = p->layers[layer]; k < p->layers[layer + 1]; k++) {
        struct draw_item *item = &p->items[p->order[k]];
        int32_t least =
            before ? before->x + draw_place_distance(before, item, l->gaps) : (item->width - 1) / 2;
        item->x = item->x > least ? item->x : least;
        if (layer && item->is_bend) {
            uint32_t net = l->r->out[item->up[0]];
            if (!is_free(l, layer, item->x, net) && item->x > least &&
                is_free(l, layer, item->x - 1, net))
                item->x--;
            while (!is_free(l, layer, item->x, net))
                item->x++;
        }
        p->width = draw_place_right(item) > p->width ? draw_place_right(item) : p->width;
        before = item;
    }
}

/* ---- where nets enter a box */

struct net_port {
    struct draw_net *net;
    uint32_t index, slot; /* of the net; slot: its place in net->to */
    double mean;          /* of its upper ends */
    int32_t wish;
};

static int by_mean(const void *a, const void *b)
{
    const struct net_port *x = a, *y = b;
    if (x->mean < y->mean || x->mean > y->mean)
        return x->mean < y->mean ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Wanted columns are around the middle. A net of a single line prefers to go straight down; other
 * nets do so only if that is near, because they need a row anyway. */
static void set_wishes(const struct route_plan *l, const struct draw_item *box,
                       struct net_port *entries, uint32_t count)
{
    int32_t step = (box->width - 2) / (int32_t)count;
    step = step > 4 ? 4 : step < 1 ? 1 : step;
    for (uint32_t i = 0; i < count; i++) {
        struct net_port *e = &entries[i];
        bool alone = e->net->from_count == 1 && e->net->to_count == 1;
        int32_t middle = box->x + ((int32_t)i * 2 - (int32_t)count + 1) * step / 2;
        int32_t most = alone ? box->width : box->width / 5;
        e->wish = middle;
        for (uint32_t k = 0; k < e->net->from_count; k++) {
            int32_t x = l->p->items[e->net->from[k]].x, off = abs(x - middle);
            if (x > draw_place_left(box) && x < draw_place_right(box) - 1 && off <= most) {
                most = off - 1;
                e->wish = x;
            }
        }
    }
}

#define FAR  1000000
#define NEAR 3 /* cost of an adjacent port */

/* Choose free columns in the order of the entries, with the least total distance to the wanted ones
 * (dynamic programming). */
static void choose_ports(struct route_plan *l, const struct draw_item *box,
                         struct net_port *entries, uint32_t count)
{
    uint32_t inner = (uint32_t)box->width - 2;
    struct arena scratch = {0};
    int32_t *cost = arena_alloc(&scratch, (size_t)count * inner * sizeof *cost);
    uint32_t *back = arena_alloc(&scratch, (size_t)count * inner * sizeof *back);
    for (uint32_t i = 0; i < count; i++) {
        int32_t best = i ? FAR : 0;
        uint32_t from = 0;
        for (uint32_t c = 0; c < inner; c++) {
            int32_t x = draw_place_left(box) + 1 + (int32_t)c, *at = &cost[i * inner + c];
            if (i && c > 1 && cost[(i - 1) * inner + c - 2] < best) {
                best = cost[(i - 1) * inner + c - 2];
                from = c - 2;
            }
            *at = best;
            back[i * inner + c] = from;
            if (i && c && cost[(i - 1) * inner + c - 1] + NEAR < *at) {
                *at = cost[(i - 1) * inner + c - 1] + NEAR;
                back[i * inner + c] = c - 1;
            }
            bool free = is_free(l, box->layer, x, entries[i].index);
            *at = !free || *at >= FAR ? FAR : *at + abs(x - entries[i].wish);
        }
    }
    uint32_t at = 0;
    for (uint32_t c = 1; c < inner; c++)
        at = cost[(count - 1) * inner + c] < cost[(count - 1) * inner + at] ? c : at;
    assert(cost[(count - 1) * inner + at] < FAR); /* a box is wide enough: DRAW_PORTS */
    for (uint32_t i = count; i-- > 0; at = back[i * inner + at])
        entries[i].net->ports[entries[i].slot] = draw_place_left(box) + 1 + (int32_t)at;
    arena_done(&scratch);
}

static void set_ports(struct route_plan *l, uint32_t layer)
{
    struct draw_part *p = l->p;
    struct draw_channel *c = &l->r->channels[layer];
    struct arena scratch = {0};
    uint32_t size = p->layers[layer + 2] - p->layers[layer + 1];
    struct net_port **of = arena_zalloc(&scratch, size * sizeof *of); /* by position in the layer */
    uint32_t *fill = arena_zalloc(&scratch, size * sizeof *fill);
    for (uint32_t n = 0; n < c->count; n++) {
        struct draw_net *net = &c->nets[n];
        double mean = 0;
        for (uint32_t i = 0; i < net->from_count; i++)
            mean += (double)p->items[net->from[i]].x / net->from_count;
        for (uint32_t i = 0; i < net->to_count; i++) {
            uint32_t pos = p->items[net->to[i]].pos;
            if (!of[pos])
                of[pos] = arena_alloc(&scratch, l->r->ins[net->to[i]] * sizeof **of);
            of[pos][fill[pos]++] = (struct net_port){net, n, i, mean, 0};
        }
    }
    for (uint32_t k = 0; k < size; k++) {
        const struct draw_item *item = &p->items[p->order[p->layers[layer + 1] + k]];
        if (item->is_bend) {
            of[k]->net->ports[of[k]->slot] = item->x;
            continue;
        }
        if (!fill[k])
            continue; /* it has no dependencies */
        qsort(of[k], fill[k], sizeof **of, by_mean);
        set_wishes(l, item, of[k], fill[k]);
        choose_ports(l, item, of[k], fill[k]);
    }
    arena_done(&scratch);
}

/* ---- rows */

static void set_ends(const struct draw_part *p, struct draw_net *net)
{
    net->left = INT32_MAX;
    net->right = INT32_MIN;
    for (uint32_t i = 0; i < net->from_count; i++) {
        int32_t x = p->items[net->from[i]].x;
        net->left = x < net->left ? x : net->left;
        net->right = x > net->right ? x : net->right;
    }
    for (uint32_t i = 0; i < net->to_count; i++) {
        net->left = net->ports[i] < net->left ? net->ports[i] : net->left;
        net->right = net->ports[i] > net->right ? net->ports[i] : net->right;
    }
    net->track = net->left == net->right ? DRAW_STRAIGHT : 0;
}

/* The number of crossings if the row of a is above that of b. */
static int32_t count_crossings(const struct draw_part *p, const struct draw_net *a,
                               const struct draw_net *b)
{
    int32_t n = 0;
    for (uint32_t i = 0; i < b->from_count; i++) {
        int32_t x = p->items[b->from[i]].x;
        n += x > a->left && x < a->right;
    }
    for (uint32_t i = 0; i < a->to_count; i++)
        n += a->ports[i] > b->left && a->ports[i] < b->right;
    return n;
}

/* Whether two nets cannot share a row: there must be a blank between them. */
static bool is_beside(const struct draw_net *a, const struct draw_net *b)
{
    return a->left <= b->right + 1 && b->left <= a->right + 1;
}

static int by_left(const void *a, const void *b)
{
    const struct draw_net *x = *(struct draw_net *const *)a, *y = *(struct draw_net *const *)b;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    return (x->right > y->right) - (x->right < y->right);
}

/* Choose next the net that causes the fewest crossings above all remaining ones. */
static void rank_nets(const struct draw_part *p, struct draw_net **nets, uint32_t count,
                      struct arena *a)
{
    int32_t *gain = arena_zalloc(a, (size_t)count * count * sizeof *gain);
    int32_t *sum = arena_zalloc(a, count * sizeof *sum);
    bool *done = arena_zalloc(a, count * sizeof *done);
    struct draw_net **ranked = arena_alloc(a, count * sizeof *ranked);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (i != k && is_beside(nets[i], nets[k])) {
                gain[i * count + k] =
                    count_crossings(p, nets[i], nets[k]) - count_crossings(p, nets[k], nets[i]);
                sum[i] += gain[i * count + k];
            }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t best = count;
        for (uint32_t i = 0; i < count; i++)
            if (!done[i] && (best == count || sum[i] < sum[best]))
                best = i;
        done[best] = true;
        ranked[n] = nets[best];
        for (uint32_t i = 0; i < count; i++)
            sum[i] -= gain[i * count + best];
    }
    memcpy(nets, ranked, count * sizeof *ranked);
}

static void set_tracks(struct route_plan *l, struct draw_channel *c)
{
    struct arena scratch = {0};
    struct draw_net **nets = arena_alloc(&scratch, (c->count + 1) * sizeof *nets);
    uint32_t n = 0;
    c->tracks = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        set_ends(l->p, &c->nets[i]);
        if (c->nets[i].track != DRAW_STRAIGHT)
            nets[n++] = &c->nets[i];
    }
    qsort(nets, n, sizeof *nets, by_left);
    if (n <= MAX_RANKS)
        rank_nets(l->p, nets, n, &scratch);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++)
            if (is_beside(nets[i], nets[k]) && nets[k]->track >= nets[i]->track)
                nets[i]->track = nets[k]->track + 1;
        c->tracks = nets[i]->track >= c->tracks ? nets[i]->track + 1 : c->tracks;
    }
    arena_done(&scratch);
}

void draw_route_assign(struct draw_part *p, struct draw_routes *r, const struct draw_gaps *gaps)
{
    struct route_plan l = {.p = p, .r = r, .gaps = gaps};
    for (uint32_t layer = 0; layer < p->layer_count; layer++)
        shift_layer(&l, layer);
    for (uint32_t layer = 0; layer + 1 < p->layer_count; layer++) {
        set_ports(&l, layer);
        set_tracks(&l, &r->channels[layer]);
    }
}
