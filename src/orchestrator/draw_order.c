/* The order within layers: sort by the mean position of the neighbours above, then below, several
 * times, and keep the best order. */
#include <stdlib.h>

#include "orchestrator/draw_internal.h"

#define ROUNDS     24u
#define MIN_ROUNDS 3u
#define PATIENCE   6u       /* rounds without an improvement */
#define WORK       4000000u /* items and links that are visited in total */
#define SWAP_ITEMS 600u     /* up to here neighbours are also swapped */

struct order_key {
    double mean;
    uint32_t item, tie;
};

struct layer_order {
    struct draw_part *p;
    struct order_key *keys;
    uint32_t *spots, *best, *ends, *tree;
};

static int by_mean(const void *a, const void *b)
{
    const struct order_key *x = a, *y = b;
    if (x->mean < y->mean || x->mean > y->mean)
        return x->mean < y->mean ? -1 : 1;
    return (x->tie > y->tie) - (x->tie < y->tie);
}

static uint32_t size_of(const struct draw_part *p, uint32_t layer)
{
    return p->layers[layer + 1] - p->layers[layer];
}

static void number_layer(struct draw_part *p, uint32_t layer)
{
    for (uint32_t k = p->layers[layer]; k < p->layers[layer + 1]; k++)
        p->items[p->order[k]].pos = k - p->layers[layer];
}

/* ---- the first order: depth first from the top */

static void set_first_order(struct draw_part *p, struct arena *a)
{
    uint32_t *fill = arena_zalloc(a, p->layer_count * sizeof *fill);
    uint32_t *stack = arena_alloc(a, ((size_t)p->links + p->count + 1) * sizeof *stack), top = 0;
    bool *seen = arena_zalloc(a, p->count * sizeof *seen);
    for (uint32_t i = p->boxes; i-- > 0;)
        if (!p->items[i].up_count)
            stack[top++] = i;
    while (top) {
        uint32_t at = stack[--top];
        struct draw_item *item = &p->items[at];
        if (seen[at])
            continue;
        seen[at] = true;
        item->pos = fill[item->layer]++;
        p->order[p->layers[item->layer] + item->pos] = at;
        for (uint32_t k = item->down_count; k-- > 0;)
            stack[top++] = item->down[k];
    }
}

/* ---- crossings */

static int by_pair(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Crossings between this layer and the next: inversions, counted with a Fenwick tree. */
static uint64_t count_crossings_below(struct layer_order *o, uint32_t layer)
{
    struct draw_part *p = o->p;
    uint32_t size = size_of(p, layer + 1), seen = 0;
    uint64_t count = 0;
    for (uint32_t i = 0; i <= size; i++)
        o->tree[i] = 0;
    for (uint32_t k = p->layers[layer]; k < p->layers[layer + 1]; k++) {
        const struct draw_item *item = &p->items[p->order[k]];
        for (uint32_t i = 0; i < item->down_count; i++)
            o->ends[i] = p->items[item->down[i]].pos;
        qsort(o->ends, item->down_count, sizeof *o->ends, by_pair);
        for (uint32_t i = 0; i < item->down_count; i++) {
            uint32_t before = 0;
            for (uint32_t at = o->ends[i] + 1; at; at &= at - 1)
                before += o->tree[at];
            count += seen - before;
        }
        for (uint32_t i = 0; i < item->down_count; i++, seen++)
            for (uint32_t at = o->ends[i] + 1; at <= size; at += at & -at)
                o->tree[at]++;
    }
    return count;
}

static uint64_t count_crossings(struct layer_order *o)
{
    uint64_t count = 0;
    for (uint32_t layer = 0; layer + 1 < o->p->layer_count; layer++)
        count += count_crossings_below(o, layer);
    return count;
}

/* ---- better orders */

/* Items without a neighbour on that side keep their places. */
static void sort_layer(struct layer_order *o, uint32_t layer, bool by_upper, bool turn)
{
    struct draw_part *p = o->p;
    uint32_t from = p->layers[layer], n = 0;
    for (uint32_t k = 0; k < size_of(p, layer); k++) {
        const struct draw_item *item = &p->items[p->order[from + k]];
        const uint32_t *beside = by_upper ? item->up : item->down;
        uint32_t count = by_upper ? item->up_count : item->down_count;
        double sum = 0;
        if (!count)
            continue;
        for (uint32_t i = 0; i < count; i++)
            sum += p->items[beside[i]].pos;
        o->spots[n] = k;
        o->keys[n++] =
            (struct order_key){sum / count, p->order[from + k], turn ? UINT32_MAX - k : k};
    }
    qsort(o->keys, n, sizeof *o->keys, by_mean);
    for (uint32_t k = 0; k < n; k++)
        p->order[from + o->spots[k]] = o->keys[k].item;
    number_layer(p, layer);
}

/* Crossings of the lines of two neighbours if a is left of b. */
static uint64_t count_pair_crossings(const struct draw_part *p, const struct draw_item *a,
                                     const struct draw_item *b)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < a->up_count; i++)
        for (uint32_t k = 0; k < b->up_count; k++)
            count += p->items[a->up[i]].pos > p->items[b->up[k]].pos;
    for (uint32_t i = 0; i < a->down_count; i++)
        for (uint32_t k = 0; k < b->down_count; k++)
            count += p->items[a->down[i]].pos > p->items[b->down[k]].pos;
    return count;
}

static bool swap_neighbours(struct draw_part *p)
{
    bool better = false;
    for (uint32_t layer = 0; layer < p->layer_count; layer++)
        for (uint32_t k = p->layers[layer]; k + 1 < p->layers[layer + 1]; k++) {
            struct draw_item *a = &p->items[p->order[k]], *b = &p->items[p->order[k + 1]];
            if (count_pair_crossings(p, b, a) >= count_pair_crossings(p, a, b))
                continue;
            uint32_t left = p->order[k];
            p->order[k] = p->order[k + 1];
            p->order[k + 1] = left;
            a->pos++;
            b->pos--;
            better = true;
        }
    return better;
}

static void improve_order(struct layer_order *o, uint32_t round)
{
    struct draw_part *p = o->p;
    bool turn = round % 2; /* every second round reverses items of equal mean */
    for (uint32_t layer = 1; layer < p->layer_count; layer++)
        sort_layer(o, layer, true, turn);
    for (uint32_t layer = p->layer_count - 1; layer-- > 0;)
        sort_layer(o, layer, false, turn);
    for (uint32_t i = 0; i < ROUNDS && p->count <= SWAP_ITEMS && swap_neighbours(p); i++)
        continue;
}

static void find_best_order(struct layer_order *o)
{
    struct draw_part *p = o->p;
    uint32_t rounds = WORK / (p->count + p->links), idle = 0;
    uint64_t least = count_crossings(o);
    rounds = rounds < MIN_ROUNDS ? MIN_ROUNDS : rounds > ROUNDS ? ROUNDS : rounds;
    memcpy(o->best, p->order, p->count * sizeof *o->best);
    for (uint32_t round = 0; round < rounds && least && idle < PATIENCE; round++) {
        improve_order(o, round);
        uint64_t now = count_crossings(o);
        idle = now < least ? 0 : idle + 1;
        if (now < least) {
            least = now;
            memcpy(o->best, p->order, p->count * sizeof *o->best);
        }
    }
    memcpy(p->order, o->best, p->count * sizeof *o->best);
    for (uint32_t layer = 0; layer < p->layer_count; layer++)
        number_layer(p, layer);
}

void draw_order(struct draw_part *p, struct arena *a)
{
    struct arena scratch = {0};
    uint32_t n = p->count;
    p->order = arena_alloc(a, n * sizeof *p->order);
    p->layers = arena_zalloc(a, (p->layer_count + 1) * sizeof *p->layers);
    for (uint32_t i = 0; i < n; i++)
        p->layers[p->items[i].layer + 1]++;
    for (uint32_t i = 0; i < p->layer_count; i++)
        p->layers[i + 1] += p->layers[i];
    struct layer_order o = {.p = p,
                            .keys = arena_alloc(&scratch, n * sizeof *o.keys),
                            .spots = arena_alloc(&scratch, n * sizeof *o.spots),
                            .best = arena_alloc(&scratch, n * sizeof *o.best),
                            .ends = arena_alloc(&scratch, n * sizeof *o.ends),
                            .tree = arena_alloc(&scratch, (n + 1) * sizeof *o.tree)};
    set_first_order(p, &scratch);
    if (p->layer_count > 1)
        find_best_order(&o);
    arena_done(&scratch);
}
