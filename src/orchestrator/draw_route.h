/* The lines of a picture in characters: columns and rows between two layers.
 *
 *     struct draw_routes r;
 *     draw_route_make(part, &r, &arena);       // then items[].width >= DRAW_PORTS(r.ins[item])
 *     draw_place(part, &gaps);
 *     draw_route_assign(part, &r, &gaps);
 *
 * Lines leave an item at the middle of its lower side. Lines from the same boxes to the same boxes
 * are one net: each of its upper ends is connected with each of its lower ends. Two nets never
 * share a column between two layers and never touch in a row. So where they meet, one passes under
 * the other, and no corner is ambiguous.
 */
#pragma once

#include "orchestrator/draw_internal.h"

#define DRAW_PORTS(nets) (2 * (int32_t)(nets) + 2) /* columns that a box needs */
#define DRAW_STRAIGHT    UINT32_MAX

struct draw_net {
    uint32_t *from;
    const uint32_t *to; /* items, as from */
    uint32_t from_count, to_count;
    int32_t *ports;      /* the column for each of `to` */
    int32_t left, right; /* of its row */
    uint32_t track;      /* its row, from 0; DRAW_STRAIGHT: needs none */
};

struct draw_channel { /* between a layer and the next */
    struct draw_net *nets;
    uint32_t count, tracks;
};

struct draw_routes {
    struct draw_channel *channels; /* layers - 1 */
    uint32_t *out;                 /* of an item: its net in the channel below */
    uint32_t *ins;                 /* number of nets that come in */
};

void draw_route_make(struct draw_part *p, struct draw_routes *r, struct arena *a);
/* Choose columns and rows. Moves bends if their column is taken, so p->width may grow. */
void draw_route_assign(struct draw_part *p, struct draw_routes *r, const struct draw_gaps *gaps);
