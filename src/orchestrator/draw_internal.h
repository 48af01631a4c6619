/* The layered layout that the text and the SVG of a graph are drawn from.
 *
 *     struct draw_layout l;
 *     if (!draw_layout_make(&g, &l)) ...         // a cycle, or too much of it: as a list
 *     for (size_t i = 0; i < l.part_count; i++)
 *         draw_place(&l.parts[i], &gaps);         // sets items[].x; needs items[].width
 *     draw_layout_done(&l);
 *
 * A part is what hangs together. A line that passes a layer has an item of its own there, a bend;
 * all lines that leave one box share their bends, so that an item has one way out.
 */
#pragma once

#include "base/arena.h"
#include "orchestrator/draw.h"

#define DRAW_MAX_BENDS  100000u /* more lines than anybody could follow: as a list */
#define DRAW_MAX_POINTS 200000u /* the same of boxes with lines: of all lines together */

/* Of the SVG, in pixels; and in columns what of a text is shown. */
#define DRAW_MARGIN     16
#define DRAW_BOX_PAD    14
#define DRAW_NAME_MOST  32u
#define DRAW_TITLE_MOST 40u
#define DRAW_LABEL_MOST 24u
#define DRAW_NAME_SIZE  8 /* width of a column */
#define DRAW_TITLE_SIZE 7
#define DRAW_LABEL_SIZE 9

struct draw_item {
    uint32_t node; /* of the graph; of a bend: the one whose line passes */
    bool is_bend;
    uint32_t layer, pos; /* where in its layer, from the left */
    uint32_t *up, *down; /* items of the layer above and below */
    uint32_t up_count, down_count;
    int32_t width; /* the caller's */
    int32_t x;     /* its middle: (width - 1) / 2 right of its left end */
};

struct draw_part {
    struct draw_item *items; /* boxes in the order of their numbers, then bends */
    uint32_t count, boxes;
    uint32_t *order;  /* items, layer by layer, from the left */
    uint32_t *layers; /* layer n: order[layers[n]] up to order[layers[n + 1]] */
    uint32_t layer_count;
    uint32_t links;
    int32_t width; /* by draw_place(): of all; x begins at 0 */
};

struct draw_layout {
    struct draw_part *parts; /* those of several boxes first, each in the order of their numbers */
    size_t part_count;
    struct arena arena;
};

struct draw_gaps {
    int32_t boxes; /* between two boxes */
    int32_t bends; /* beside a bend; at least 1 */
};

/* The same with each edge once, sorted. */
struct graph draw_layout_unique(const struct graph *g, struct arena *a);

/* Of a graph of draw_layout_unique(). */
bool draw_layout_make(const struct graph *g, struct draw_layout *out);
void draw_layout_done(struct draw_layout *l);

/* draw_order.c: who stands beside whom, with few crossings. */
void draw_order(struct draw_part *p, struct arena *a);

/* draw_place.c */
void draw_place(struct draw_part *p, const struct draw_gaps *gaps);
int32_t draw_place_left(const struct draw_item *i);  /* its first column */
int32_t draw_place_right(const struct draw_item *i); /* behind its last */
/* Between the middles of two neighbours, at least. */
int32_t draw_place_distance(const struct draw_item *a, const struct draw_item *b,
                            const struct draw_gaps *gaps);

/* Boxes of any size in rows from the left, as long as they fit into `width`. */
struct draw_frame {
    int32_t width, height; /* in */
    int32_t x, y;          /* out */
    size_t row;
};
void draw_place_pack(struct draw_frame *frames, size_t count, int32_t width, int32_t gap);

bool draw_boxes_has_title(
    const struct draw_node *n); /* draw_boxes.c: one that says more than its name */

/* draw_list.c: those for which take[node] (NULL: all), each below what it needs. */
void draw_list(const struct draw *d, const struct draw_style *style, const bool *take,
               struct buf *out);
uint32_t *draw_list_order(const struct graph *g, struct arena *a);
const char *draw_list_colour(enum draw_tone tone); /* for a terminal; "" for DRAW_PLAIN */
