/* The x of each item: near the middle of its neighbours, in the given order.
 *
 * A layer is placed at once: of all positions that keep the order and the distances, choose those
 * with the least weighted sum of squared distances to the wanted positions (isotonic regression, in
 * one pass). Layers are placed downwards and upwards in turn; at the end lines are straightened
 * where possible. */
#include <stdlib.h>

#include "base/mem.h"
#include "orchestrator/draw_internal.h"

#define ROUNDS 8u
#define WORK   2000000u /* items and links that are visited in total */

#define WEIGHT_BOX  1.0
#define WEIGHT_BEND 2.0 /* from a box to a bend */
#define WEIGHT_LINE 8.0 /* from bend to bend */
#define WEIGHT_STAY 0.2 /* for items without neighbours on that side */

struct touching_block { /* neighbours that touch each other */
    double sum, weight;
    uint32_t first;
};

struct placement {
    struct draw_part *p;
    const struct draw_gaps *gaps;
    double *x;                     /* of an item */
    double *wish, *pull;           /* of the items of a layer, by position */
    int64_t *offset;               /* of the items of a layer if all touch */
    struct touching_block *blocks; /* of the current layer */
};

int32_t draw_place_left(const struct draw_item *i)
{
    return i->x - (i->width - 1) / 2;
}

int32_t draw_place_right(const struct draw_item *i)
{
    return draw_place_left(i) + i->width;
}

int32_t draw_place_distance(const struct draw_item *a, const struct draw_item *b,
                            const struct draw_gaps *gaps)
{
    int32_t gap = a->is_bend || b->is_bend ? gaps->bends : gaps->boxes;
    return a->width - (a->width - 1) / 2 + gap + (b->width - 1) / 2;
}

/* ---- one layer */

static double value_of(const struct touching_block *b)
{
    return b->sum / b->weight;
}

static void set_offsets(struct placement *s, uint32_t layer)
{
    struct draw_part *p = s->p;
    const uint32_t *order = p->order + p->layers[layer];
    uint32_t n = p->layers[layer + 1] - p->layers[layer];
    s->offset[0] = (p->items[order[0]].width - 1) / 2;
    for (uint32_t k = 1; k < n; k++)
        s->offset[k] = s->offset[k - 1] +
                       draw_place_distance(&p->items[order[k - 1]], &p->items[order[k]], s->gaps);
}

/* Place the layer as near as possible to s->wish, weighted by s->pull. */
static void settle_layer(struct placement *s, uint32_t layer)
{
    struct draw_part *p = s->p;
    const uint32_t *order = p->order + p->layers[layer];
    uint32_t n = p->layers[layer + 1] - p->layers[layer], count = 0;
    for (uint32_t k = 0; k < n; k++) {
        double pull = s->pull[k], wish = s->wish[k] - (double)s->offset[k];
        s->blocks[count++] = (struct touching_block){pull * wish, pull, k};
        while (count > 1 && value_of(&s->blocks[count - 2]) > value_of(&s->blocks[count - 1])) {
            s->blocks[count - 2].sum += s->blocks[count - 1].sum;
            s->blocks[count - 2].weight += s->blocks[count - 1].weight;
            count--;
        }
    }
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t k = s->blocks[b].first; k < (b + 1 < count ? s->blocks[b + 1].first : n); k++)
            s->x[order[k]] = value_of(&s->blocks[b]) + (double)s->offset[k];
}

static void add_wish(struct placement *s, const struct draw_item *item, bool upper, uint32_t k)
{
    const uint32_t *beside = upper ? item->up : item->down;
    uint32_t count = upper ? item->up_count : item->down_count;
    for (uint32_t i = 0; i < count; i++) {
        bool bend = s->p->items[beside[i]].is_bend;
        double weight = bend && item->is_bend   ? WEIGHT_LINE
                        : bend || item->is_bend ? WEIGHT_BEND
                                                : WEIGHT_BOX;
        s->wish[k] += weight * s->x[beside[i]];
        s->pull[k] += weight;
    }
}

static void place_layer(struct placement *s, uint32_t layer, bool by_upper, bool by_lower)
{
    struct draw_part *p = s->p;
    const uint32_t *order = p->order + p->layers[layer];
    uint32_t n = p->layers[layer + 1] - p->layers[layer];
    for (uint32_t k = 0; k < n; k++) {
        const struct draw_item *item = &p->items[order[k]];
        s->wish[k] = s->pull[k] = 0;
        if (by_upper)
            add_wish(s, item, true, k);
        if (by_lower)
            add_wish(s, item, false, k);
        if (s->pull[k] > 0) {
            s->wish[k] /= s->pull[k];
        } else {
            s->wish[k] = s->x[order[k]];
            s->pull[k] = WEIGHT_STAY;
        }
    }
    set_offsets(s, layer);
    settle_layer(s, layer);
}

static void balance_layers(struct placement *s)
{
    struct draw_part *p = s->p;
    uint32_t last = p->layer_count - 1, rounds = WORK / (p->count + p->links);
    rounds = rounds < 2 ? 2 : rounds > ROUNDS ? ROUNDS : rounds;
    for (uint32_t round = 0; round < rounds; round++) {
        bool both = round + 2 >= rounds;
        for (uint32_t layer = 1; layer <= last; layer++)
            place_layer(s, layer, true, both);
        for (uint32_t layer = last; layer-- > 0;)
            place_layer(s, layer, both, true);
    }
}

/* ---- whole numbers and straight lines */

static int32_t round_to_nearest(double x)
{
    int32_t whole = (int32_t)(x + 0.5);
    return whole > x + 0.5 ? whole - 1 : whole; /* below 0 a cast rounds up */
}

/* Round the distance to the packed position, so that the order and the distances are kept. */
static void round_layer(struct placement *s, uint32_t layer)
{
    struct draw_part *p = s->p;
    set_offsets(s, layer);
    for (uint32_t k = p->layers[layer]; k < p->layers[layer + 1]; k++) {
        uint32_t at = p->order[k];
        int64_t offset = s->offset[k - p->layers[layer]];
        p->items[at].x = (int32_t)(round_to_nearest(s->x[at] - (double)offset) + offset);
    }
}

/* The range in which an item does not touch its neighbours. */
static void find_free_room(const struct placement *s, const struct draw_item *item, int32_t *from,
                           int32_t *to)
{
    const struct draw_part *p = s->p;
    const uint32_t *at = p->order + p->layers[item->layer] + item->pos;
    *from = INT32_MIN;
    *to = INT32_MAX;
    if (item->pos > 0)
        *from = p->items[at[-1]].x + draw_place_distance(&p->items[at[-1]], item, s->gaps);
    if (item->pos + 1 < p->layers[item->layer + 1] - p->layers[item->layer])
        *to = p->items[at[1]].x - draw_place_distance(item, &p->items[at[1]], s->gaps);
}

/* Move a bend below its source, and a box below or above its only neighbour if it is also that
 * neighbour's only one. */
static void straighten_line(struct placement *s, uint32_t at, bool by_upper)
{
    struct draw_part *p = s->p;
    struct draw_item *item = &p->items[at];
    int32_t from, to;
    if ((by_upper ? item->up_count : item->down_count) != 1)
        return;
    const struct draw_item *other = &p->items[by_upper ? item->up[0] : item->down[0]];
    uint32_t back = by_upper ? other->down_count : other->up_count;
    if (!item->is_bend && !other->is_bend && back != 1)
        return;
    if (!item->is_bend && (item->up_count > 1 || item->down_count > 1))
        return;
    if (!by_upper && item->is_bend && p->items[item->up[0]].x == item->x)
        return; /* it is straight above, and a box has ports all along its upper side */
    find_free_room(s, item, &from, &to);
    if (other->x >= from && other->x <= to)
        item->x = other->x;
}

static void finish_part(struct placement *s)
{
    struct draw_part *p = s->p;
    int32_t left = INT32_MAX, right = INT32_MIN;
    for (uint32_t layer = 0; layer < p->layer_count; layer++)
        round_layer(s, layer);
    for (uint32_t k = 0; k < p->count; k++)
        straighten_line(s, p->order[k], true);
    for (uint32_t k = p->count; k-- > 0;)
        straighten_line(s, p->order[k], false);
    for (uint32_t i = 0; i < p->count; i++) {
        left = draw_place_left(&p->items[i]) < left ? draw_place_left(&p->items[i]) : left;
        right = draw_place_right(&p->items[i]) > right ? draw_place_right(&p->items[i]) : right;
    }
    for (uint32_t i = 0; i < p->count; i++)
        p->items[i].x -= left;
    p->width = right - left;
}

void draw_place(struct draw_part *p, const struct draw_gaps *gaps)
{
    struct arena a = {0};
    struct placement s = {.p = p,
                          .gaps = gaps,
                          .x = arena_zalloc(&a, p->count * sizeof *s.x),
                          .wish = arena_alloc(&a, p->count * sizeof *s.wish),
                          .pull = arena_alloc(&a, p->count * sizeof *s.pull),
                          .offset = arena_alloc(&a, p->count * sizeof *s.offset),
                          .blocks = arena_alloc(&a, p->count * sizeof *s.blocks)};
    for (uint32_t layer = 0; layer < p->layer_count; layer++) {
        set_offsets(&s, layer);
        for (uint32_t k = p->layers[layer]; k < p->layers[layer + 1]; k++)
            s.x[p->order[k]] = (double)s.offset[k - p->layers[layer]];
    }
    if (p->layer_count > 1)
        balance_layers(&s);
    finish_part(&s);
    arena_done(&a);
}

/* ---- packing of parts */

void draw_place_pack(struct draw_frame *frames, size_t count, int32_t width, int32_t gap)
{
    int32_t x = 0, y = 0, high = 0;
    size_t row = 0;
    for (size_t i = 0; i < count; i++) {
        struct draw_frame *f = &frames[i];
        if (x && x + f->width > width) {
            y += high;
            x = high = 0;
            row++;
        }
        f->x = x;
        f->y = y;
        f->row = row;
        x += f->width + gap;
        high = f->height > high ? f->height : high;
    }
}
