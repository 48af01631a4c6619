/* A graph of tasks as a picture: in characters for a terminal, as SVG for all else.
 *
 *     struct draw_node nodes[] = {{.name = STR("build"), .label = STR("READY"), .tone = 1}, ...};
 *     struct draw d = {.graph = g, .nodes = nodes};
 *     draw_text(&d, &(struct draw_style){.columns = 100, .colour = true}, &out);
 *     draw_svg(&d, &out);
 *
 * A layered layout: those that need nobody above, each below all that it needs; order within a
 * layer by barycentres with a fixed number of sweeps, long edges through layers in between. Where
 * those would take more room than the boxes, what is needed late stands lower. What does not hang
 * together stands beside each other. The same graph gives the same picture.
 *
 * In text: boxes with lines between (Unicode, or ASCII where the locale has none). What leaves a
 * box leaves it in the middle of its lower side, and comes into each that needs it from above; ┼
 * and its like are places where a line divides or where lines to the same boxes join, ─│─ is a line
 * that passes under another. Names are cut in their middle, and the narrower the less room there
 * is, unless two would look the same; what does not fit into the columns all the same becomes an
 * indented list with "needs a, b".
 *
 * The SVG stands alone (no script, no font from elsewhere, all text escaped), has a title and a
 * description for screen readers, and colours that read on white and on black.
 *
 * Texts are foreign: any bytes do no harm. An edge that is there twice is drawn once. A graph with
 * a cycle, and one with too many nodes or lines to be looked at, is a list.
 */
#pragma once

#include "base/buf.h"
#include "orchestrator/graph.h"

#define DRAW_MAX_NODES 2000u /* more: as a list */

enum draw_tone {
    DRAW_PLAIN,
    DRAW_WAITS,
    DRAW_WORKS,
    DRAW_GOOD,
    DRAW_BAD,
    DRAW_OUT
};

struct draw_node {
    struct str name, title; /* title may be empty */
    struct str label;       /* its state */
    enum draw_tone tone;
};

struct draw {
    struct graph graph;
    const struct draw_node *nodes;
};

struct draw_style {
    uint32_t columns; /* 0: as wide as it must be */
    bool colour, ascii;
};

void draw_text(const struct draw *d, const struct draw_style *style, struct buf *out);
void draw_svg(const struct draw *d, struct buf *out);

/* The same for whoever draws it: where boxes and lines of the SVG are, in pixels. A line goes down
 * from the box that is needed to the one that needs it, upright at each of its points: between two
 * that stand below each other it is straight, else a curve. */
struct draw_box {
    int32_t x, y, width, height;
};

struct draw_point {
    int32_t x, y;
};

struct draw_line {
    uint32_t node, needs;
    struct draw_point *points;
    size_t count;
};

struct draw_boxes {
    int32_t width, height;   /* of all, with a margin */
    struct draw_box *boxes;  /* by node */
    struct draw_line *lines; /* each edge once */
    size_t line_count;
    struct arena arena;
};

/* False: it can only be a list. draw_boxes_done() in each case. */
bool draw_boxes_make(const struct draw *d, struct draw_boxes *out);
void draw_boxes_done(struct draw_boxes *b);
