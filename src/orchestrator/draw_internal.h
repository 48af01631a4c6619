/* The layered layout that the text and the SVG of a graph are drawn from.
 *
 *     struct draw_layout l;
 *     if (!draw_layout_make(&g, &l)) ...         // a cycle, or too much of it: as a list
 *     for (size_t i = 0; i < l.part_count; i++)
 *         draw_place(&l.parts[i], &gaps);         // sets items[].x; needs items[].width
 *     draw_layout_done(&l);
 *
 * A part is a connected component. A line that passes a layer has an item of its own there, a bend.
 * All lines that leave one box share their bends, so an item has one way out.
 */
#pragma once

#include "base/arena.h"
#include "orchestrator/draw.h"

#define DRAW_MAX_BENDS  100000u /* with more, the graph is drawn as a list */
#define DRAW_MAX_POINTS 200000u /* of all lines together; the same */

/* Sizes in the SVG, in pixels; *_MOST: columns of a text that are shown. */
#define DRAW_MARGIN     16
#define DRAW_BOX_PAD    14
#define DRAW_NAME_MOST  32u
#define DRAW_TITLE_MOST 40u
#define DRAW_LABEL_MOST 24u
#define DRAW_NAME_SIZE  8 /* width of a column */
#define DRAW_TITLE_SIZE 7
#define DRAW_LABEL_SIZE 9

struct draw_item {
    uint32_t node; /* of the graph; of a bend: the source of its line */
    bool is_bend;
    uint32_t layer, pos; /* pos: index in its layer, from the left */
    uint32_t *up, *down; /* items of the layer above and below */
    uint32_t up_count, down_count;
    int32_t width; /* set by the caller */
    int32_t x;     /* its middle: (width - 1) / 2 from its left end */
};

struct draw_part {
    struct draw_item *items; /* boxes by number, then bends */
    uint32_t count, boxes;
    uint32_t *order;  /* items, layer by layer, from the left */
    uint32_t *layers; /* layer n: order[layers[n]] up to order[layers[n + 1]] */
    uint32_t layer_count;
    uint32_t links;
    int32_t width; /* set by draw_place(); x begins at 0 */
};

struct draw_layout {
    struct draw_part *parts; /* parts of several boxes first, then by number */
    size_t part_count;
    struct arena arena;
};

struct draw_gaps {
    int32_t boxes; /* between two boxes */
    int32_t bends; /* beside a bend; at least 1 */
};

/* Return the graph with sorted edges, without duplicates. */
struct graph draw_layout_unique(const struct graph *g, struct arena *a);

/* g must come from draw_layout_unique(). */
bool draw_layout_make(const struct graph *g, struct draw_layout *out);
void draw_layout_done(struct draw_layout *l);

/* draw_order.c: choose the order within layers, with few crossings. */
void draw_order(struct draw_part *p, struct arena *a);

/* draw_place.c */
void draw_place(struct draw_part *p, const struct draw_gaps *gaps);
int32_t draw_place_left(const struct draw_item *i);  /* its first column */
int32_t draw_place_right(const struct draw_item *i); /* one after its last column */
/* Return the smallest distance of the middles of two neighbours. */
int32_t draw_place_distance(const struct draw_item *a, const struct draw_item *b,
                            const struct draw_gaps *gaps);

/* Place frames of any size in rows from the left, each row at most `width` wide. */
struct draw_frame {
    int32_t width, height; /* in */
    int32_t x, y;          /* out */
    size_t row;
};
void draw_place_pack(struct draw_frame *frames, size_t count, int32_t width, int32_t gap);

bool draw_boxes_has_title(
    const struct draw_node *n); /* draw_boxes.c: and it differs from the name */

/* draw_list.c: list the nodes with take[node] (NULL: all), each below what it needs. */
void draw_list(const struct draw *d, const struct draw_style *style, const bool *take,
               struct buf *out);
uint32_t *draw_list_order(const struct graph *g, struct arena *a);
const char *draw_list_colour(enum draw_tone tone); /* for a terminal; "" for DRAW_PLAIN */
