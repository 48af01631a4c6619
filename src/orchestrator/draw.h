/* A graph of tasks as a picture: in characters for a terminal, or as SVG.
 *
 *     struct draw_node nodes[] = {{.name = STR("build"), .label = STR("READY"), .tone = 1}, ...};
 *     struct draw d = {.graph = g, .nodes = nodes};
 *     draw_text(&d, &(struct draw_style){.columns = 100, .colour = true}, &out);
 *     draw_svg(&d, &out);
 *
 * A layered layout: nodes without dependencies are at the top, each other node is below all that it
 * needs. The order within a layer is by barycentres with a fixed number of sweeps; long edges pass
 * the layers between. If the edges need more room than the boxes, nodes that are needed late move
 * down. Parts that are not connected stand side by side. The same graph gives the same picture.
 *
 * In text: boxes with lines between them (Unicode, or ASCII if the locale has none). Lines leave a
 * box at the middle of its lower side and enter each dependent from above. ┼ and similar characters
 * are places where a line divides or where lines to the same boxes join; ─│─ is a line that passes
 * under another. Names are cut in the middle, more if there is less room, unless two would look the
 * same. A part that is still too wide becomes an indented list with "needs a, b".
 *
 * The SVG is self-contained (no script, no external font, all text escaped), has a title and a
 * description for screen readers, and colours that are readable on white and on black.
 *
 * Texts may contain any bytes. A duplicate edge is drawn once. A graph with a cycle, or with too
 * many nodes or edges to be readable, is drawn as a list.
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
    uint32_t columns; /* 0: any width */
    bool colour, ascii;
};

void draw_text(const struct draw *d, const struct draw_style *style, struct buf *out);
void draw_svg(const struct draw *d, struct buf *out);

/* The geometry of the SVG in pixels, for a caller that draws it. A line goes down from the needed
 * box to the one that needs it and is vertical at each of its points: between two points with the
 * same x it is straight, otherwise a curve. */
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
    int32_t width, height;   /* of the picture, with a margin */
    struct draw_box *boxes;  /* by node */
    struct draw_line *lines; /* without duplicates */
    size_t line_count;
    struct arena arena;
};

/* Return false if the graph can only be drawn as a list. Call draw_boxes_done() in both cases. */
bool draw_boxes_make(const struct draw *d, struct draw_boxes *out);
void draw_boxes_done(struct draw_boxes *b);
