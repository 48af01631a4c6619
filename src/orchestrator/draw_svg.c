/* A graph as self-contained SVG: it loads nothing, runs nothing, and escapes all text.
 *
 * Boxes have a light background of their own, lines are of a grey that is visible on white and on
 * black, and each state is also a word. Lines are curves through the bends of the layout; those
 * that leave one box share their beginning. */
#include "base/columns.h"
#include "orchestrator/draw_internal.h"

#define MARGIN     DRAW_MARGIN
#define BOX_PAD    DRAW_BOX_PAD
#define LIST_LINE  20
#define LIST_STEP  16
#define LIST_NEEDS 160u /* columns */
#define DESC_MOST  100u /* tasks in the description */

static const char head[] =
    "<style>"
    "text{font-family:ui-sans-serif,system-ui,\"Segoe UI\",Roboto,\"Noto Sans\",sans-serif;"
    "font-size:12px;fill:#39424d}"
    ".n{font-family:ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;font-size:13px;"
    "font-weight:600;fill:#14181d}"
    ".s{font-size:11px;font-weight:600;letter-spacing:.03em}"
    "rect{stroke-width:1.5}"
    ".l{fill:none;stroke:#767d87;stroke-width:1.5}"
    ".p rect{fill:#f1f3f6;stroke:#697381}.p .s{fill:#4a535e}"
    ".w rect{fill:#fff3d3;stroke:#a87500}.w .s{fill:#765000}"
    ".r rect{fill:#dceaff;stroke:#2f6fd6}.r .s{fill:#1c4d9c}"
    ".g rect{fill:#ddf3e3;stroke:#2b8a4b}.g .s{fill:#1a6233}"
    ".b rect{fill:#fde3e1;stroke:#cb3b35}.b .s{fill:#9a201b}"
    ".o rect{fill:#eaeaed;stroke:#85868d;stroke-dasharray:5 3}.o .s{fill:#5a5b62}"
    "</style>\n"
    "<defs><marker id=\"multiverse-arrow\" viewBox=\"0 0 9 8\" refX=\"8.5\" refY=\"4\" "
    "markerWidth=\"9\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
    "<path d=\"M0 .4L9 4L0 7.6z\" fill=\"#767d87\"/></marker></defs>\n";

static const char *const classes[] = {
    [DRAW_PLAIN] = "p", [DRAW_WAITS] = "w", [DRAW_WORKS] = "r",
    [DRAW_GOOD] = "g",  [DRAW_BAD] = "b",   [DRAW_OUT] = "o",
};

struct svg_writer {
    const struct draw *d;
    struct buf *out;
    struct arena arena;
};

/* ---- text */

static void add_escaped(struct buf *out, struct str clean)
{
    for (size_t i = 0; i < clean.n; i++) {
        char c = clean.p[i];
        if (c == '&')
            buf_add(out, STR("&amp;"));
        else if (c == '<')
            buf_add(out, STR("&lt;"));
        else if (c == '>')
            buf_add(out, STR("&gt;"));
        else if (c == '"')
            buf_add(out, STR("&quot;"));
        else
            buf_add_char(out, c);
    }
}

/* Add the whole text without characters that XML does not allow. */
static void add_text(struct buf *out, struct str text)
{
    struct buf clean = {0};
    columns_add(&clean, text, COLUMNS_UNICODE);
    add_escaped(out, buf_str(&clean));
    buf_done(&clean);
}

/* Add at most `most` columns; return how many. */
static size_t add_cut(struct buf *out, struct str text, size_t most, enum columns_end end)
{
    struct buf clean = {0}, cut = {0};
    columns_add(&clean, text, COLUMNS_UNICODE);
    size_t n = columns_cut(&cut, buf_str(&clean), most, end, COLUMNS_UNICODE);
    add_escaped(out, buf_str(&cut));
    buf_done(&clean);
    buf_done(&cut);
    return n;
}

/* ---- boxes */

static void add_box(struct svg_writer *s, const struct draw_node *n, const struct draw_box *box)
{
    int32_t y = 21;
    buf_printf(s->out, "<g class=\"%s\" transform=\"translate(%d %d)\"><title>", classes[n->tone],
               box->x, box->y);
    add_text(s->out, n->name);
    if (draw_boxes_has_title(n)) {
        buf_add(s->out, STR(": "));
        add_text(s->out, n->title);
    }
    if (n->label.n) {
        buf_add(s->out, STR(" ("));
        add_text(s->out, n->label);
        buf_add_char(s->out, ')');
    }
    buf_printf(s->out, "</title><rect width=\"%d\" height=\"%d\" rx=\"7\"/>", box->width,
               box->height);
    buf_printf(s->out, "<text class=\"n\" x=\"%d\" y=\"%d\">", BOX_PAD, y);
    add_cut(s->out, n->name, DRAW_NAME_MOST, COLUMNS_MIDDLE);
    buf_add(s->out, STR("</text>"));
    if (draw_boxes_has_title(n)) {
        buf_printf(s->out, "<text x=\"%d\" y=\"%d\">", BOX_PAD, y += 17);
        add_cut(s->out, n->title, DRAW_TITLE_MOST, COLUMNS_END);
        buf_add(s->out, STR("</text>"));
    }
    if (n->label.n) {
        buf_printf(s->out, "<text class=\"s\" x=\"%d\" y=\"%d\">", BOX_PAD, y += 17);
        add_cut(s->out, n->label, DRAW_LABEL_MOST, COLUMNS_END);
        buf_add(s->out, STR("</text>"));
    }
    buf_add(s->out, STR("</g>\n"));
}

/* ---- lines */

static void add_line(struct svg_writer *s, const struct draw_line *line)
{
    struct draw_point from = line->points[0];
    buf_printf(s->out, "<path d=\"M%d %d", from.x, from.y);
    for (size_t i = 1; i < line->count; i++) {
        struct draw_point to = line->points[i];
        int32_t half = (to.y - from.y) / 2;
        if (from.x == to.x)
            buf_printf(s->out, "V%d", to.y);
        else
            buf_printf(s->out, "C%d %d %d %d %d %d", from.x, from.y + half, to.x, to.y - half, to.x,
                       to.y);
        from = to;
    }
    buf_add(s->out, STR("\"><title>"));
    add_text(s->out, s->d->nodes[line->node].name);
    buf_add(s->out, STR(" needs "));
    add_text(s->out, s->d->nodes[line->needs].name);
    buf_add(s->out, STR("</title></path>\n"));
}

/* ---- the whole */

static void add_needs(struct buf *out, const struct draw *d, uint32_t node, size_t *edge)
{
    const struct graph *g = &d->graph;
    bool first = true;
    for (; *edge < g->edge_count && g->edges[*edge].node == node; ++*edge, first = false) {
        buf_add(out, first ? STR(", needs ") : STR(" and "));
        add_text(out, d->nodes[g->edges[*edge].needs].name);
    }
}

/* The edges must be sorted by node. */
static void add_description(struct svg_writer *s)
{
    const struct graph *g = &s->d->graph;
    size_t edge = 0;
    buf_add(s->out,
            STR("<desc id=\"multiverse-desc\">Each task stands below those that it needs."));
    for (uint32_t i = 0; i < g->count && i < DESC_MOST; i++) {
        const struct draw_node *n = &s->d->nodes[i];
        buf_add_char(s->out, ' ');
        add_text(s->out, n->name);
        if (n->label.n) {
            buf_add(s->out, STR(": "));
            add_text(s->out, n->label);
        }
        add_needs(s->out, s->d, i, &edge);
        buf_add_char(s->out, '.');
    }
    if (g->count > DESC_MOST)
        buf_printf(s->out, " And %u more.", g->count - DESC_MOST);
    buf_add(s->out, STR("</desc>\n"));
}

static void begin_svg(struct svg_writer *s, int32_t width, int32_t height)
{
    const struct graph *g = &s->d->graph;
    buf_printf(s->out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
               "aria-labelledby=\"multiverse-title multiverse-desc\" "
               "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
               "<title id=\"multiverse-title\">Tasks: %u, dependencies: %zu</title>\n",
               width, height, width, height, g->count, g->edge_count);
    add_description(s);
    buf_add(s->out, str_from(head));
}

static void draw_all(struct svg_writer *s, const struct draw_boxes *b)
{
    begin_svg(s, b->width, b->height);
    buf_add(s->out, STR("<g class=\"l\" marker-end=\"url(#multiverse-arrow)\">\n"));
    for (size_t i = 0; i < b->line_count; i++)
        add_line(s, &b->lines[i]);
    buf_add(s->out, STR("</g>\n"));
    for (uint32_t i = 0; i < s->d->graph.count; i++)
        add_box(s, &s->d->nodes[i], &b->boxes[i]);
}

/* ---- as a list */

struct list_row {
    uint32_t node, layer;
    size_t edge; /* its first edge */
};

static int32_t add_row(struct svg_writer *s, const struct list_row *row, int32_t y)
{
    const struct draw_node *n = &s->d->nodes[row->node];
    struct buf needs = {0};
    size_t edge = row->edge;
    int32_t x = 18;
    buf_printf(s->out,
               "<g class=\"%s\" transform=\"translate(%d %d)\"><rect y=\"1\" width=\"10\" "
               "height=\"10\" rx=\"3\"/><text class=\"n\" x=\"%d\" y=\"11\">",
               classes[n->tone], MARGIN + (int32_t)row->layer * LIST_STEP, y, x);
    x += (int32_t)add_cut(s->out, n->name, DRAW_NAME_MOST, COLUMNS_MIDDLE) * DRAW_NAME_SIZE +
         BOX_PAD;
    buf_add(s->out, STR("</text>"));
    if (n->label.n) {
        buf_printf(s->out, "<text class=\"s\" x=\"%d\" y=\"11\">", x);
        x += (int32_t)add_cut(s->out, n->label, DRAW_LABEL_MOST, COLUMNS_END) * DRAW_LABEL_SIZE +
             BOX_PAD;
        buf_add(s->out, STR("</text>"));
    }
    for (; edge < s->d->graph.edge_count && s->d->graph.edges[edge].node == row->node; edge++) {
        buf_add(&needs, edge == row->edge ? STR("needs ") : STR(", "));
        buf_add(&needs, s->d->nodes[s->d->graph.edges[edge].needs].name);
    }
    buf_printf(s->out, "<text x=\"%d\" y=\"11\">", x);
    x += (int32_t)add_cut(s->out, buf_str(&needs), LIST_NEEDS, COLUMNS_END) * DRAW_TITLE_SIZE;
    buf_add(s->out, STR("</text></g>\n"));
    buf_done(&needs);
    return x;
}

static void draw_rows(struct svg_writer *s)
{
    const struct graph *g = &s->d->graph;
    uint32_t *order = draw_list_order(g, &s->arena);
    size_t *first = arena_alloc(&s->arena, (g->count + 1) * sizeof *first), edge = 0;
    const int32_t width =
        2 * MARGIN + 18 + (int32_t)(DRAW_NAME_MOST * DRAW_NAME_SIZE) + 2 * BOX_PAD +
        (int32_t)(DRAW_LABEL_MOST * DRAW_LABEL_SIZE + LIST_NEEDS * DRAW_TITLE_SIZE);
    for (uint32_t i = 0; i < g->count; i++) {
        first[i] = edge;
        while (edge < g->edge_count && g->edges[edge].node == i)
            edge++;
    }
    begin_svg(s, width, 2 * MARGIN + (int32_t)g->count * LIST_LINE);
    for (uint32_t i = 0; i < g->count; i++)
        add_row(s, &(struct list_row){order[i], 0, first[order[i]]},
                MARGIN + (int32_t)i * LIST_LINE);
}

void draw_svg(const struct draw *d, struct buf *out)
{
    struct svg_writer s = {.out = out};
    struct draw once = {.graph = draw_layout_unique(&d->graph, &s.arena), .nodes = d->nodes};
    struct draw_boxes boxes;
    s.d = &once;
    if (draw_boxes_make(&once, &boxes))
        draw_all(&s, &boxes);
    else
        draw_rows(&s);
    buf_add(out, STR("</svg>\n"));
    draw_boxes_done(&boxes);
    arena_done(&s.arena);
}
