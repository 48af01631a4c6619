/* A graph as SVG that stands alone: nothing is loaded, nothing runs, foreign text is only text.
 *
 * Boxes bring their own light ground, lines are of a grey that is seen on white and on black, and
 * each state is a word, too. Lines are curves over the bends of the layout; those that leave one
 * box begin as one. */
#include <stdlib.h>

#include "base/columns.h"
#include "orchestrator/draw_core.h"

#define MARGIN      16
#define BOX_PAD     14
#define BOX_MIN     96
#define NAME_MOST   32u /* columns */
#define TITLE_MOST  40u
#define LABEL_MOST  24u
#define NAME_SIZE   8 /* width of a column, in pixels */
#define TITLE_SIZE  7
#define LABEL_SIZE  9
#define LAYER_GAP   60
#define LAYER_MORE  70 /* so much more where lines go far */
#define PART_GAP    36
#define SHEET_WIDTH 1400 /* parts stand beside each other up to here */
#define PORT_STEP   16
#define LIST_LINE   20
#define LIST_STEP   16
#define LIST_NEEDS  160u /* columns */
#define DESC_MOST   100u /* tasks that the description names */

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

struct svg {
    const struct draw *d;
    struct buf *out;
    struct draw_layout layout;
    struct arena arena;
};

struct sheet { /* a part, and where its layers are */
    const struct draw_part *part;
    int32_t *tops, *heights;
    int32_t *ports; /* where the line of up[i] comes in: ports[first[item] + i] */
    uint32_t *first;
    int32_t height, x, y;
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

/* All of it; what XML cannot hold is gone. */
static void add_text(struct buf *out, struct str text)
{
    struct buf clean = {0};
    columns_add(&clean, text, COLUMNS_UNICODE);
    add_escaped(out, buf_str(&clean));
    buf_done(&clean);
}

/* At most so many columns; answers how many. */
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

static int32_t width_of(struct str text, size_t most, int32_t size)
{
    struct buf unused = {0};
    size_t n = add_cut(&unused, text, most, COLUMNS_END);
    int32_t wide = 0; /* capitals take more room than the mean, where letters differ */
    for (size_t i = 0; i < text.n && i < most && size < NAME_SIZE; i++)
        wide += text.p[i] >= 'A' && text.p[i] <= 'Z' ? 2 : 0;
    buf_done(&unused);
    return (int32_t)n * size + wide;
}

static bool has_title(const struct draw_node *n)
{
    return n->title.n && !str_eq(n->title, n->name);
}

/* ---- boxes */

static int32_t box_width(const struct draw_node *n)
{
    int32_t name = width_of(n->name, NAME_MOST, NAME_SIZE);
    int32_t title = has_title(n) ? width_of(n->title, TITLE_MOST, TITLE_SIZE) : 0;
    int32_t label = width_of(n->label, LABEL_MOST, LABEL_SIZE);
    int32_t most = name > title ? name : title;
    most = (most > label ? most : label) + 2 * BOX_PAD;
    return most > BOX_MIN ? most : BOX_MIN;
}

static int32_t box_height(const struct draw_node *n)
{
    return 32 + (has_title(n) ? 17 : 0) + (n->label.n ? 17 : 0);
}

static void add_box(struct svg *s, const struct sheet *sheet, const struct draw_item *item)
{
    const struct draw_node *n = &s->d->nodes[item->node];
    int32_t y = 21;
    buf_printf(s->out, "<g class=\"%s\" transform=\"translate(%d %d)\"><title>", classes[n->tone],
               sheet->x + draw_left(item), sheet->y + sheet->tops[item->layer]);
    add_text(s->out, n->name);
    if (has_title(n)) {
        buf_add(s->out, STR(": "));
        add_text(s->out, n->title);
    }
    if (n->label.n) {
        buf_add(s->out, STR(" ("));
        add_text(s->out, n->label);
        buf_add_char(s->out, ')');
    }
    buf_printf(s->out, "</title><rect width=\"%d\" height=\"%d\" rx=\"7\"/>", item->width,
               box_height(n));
    buf_printf(s->out, "<text class=\"n\" x=\"%d\" y=\"%d\">", BOX_PAD, y);
    add_cut(s->out, n->name, NAME_MOST, COLUMNS_MIDDLE);
    buf_add(s->out, STR("</text>"));
    if (has_title(n)) {
        buf_printf(s->out, "<text x=\"%d\" y=\"%d\">", BOX_PAD, y += 17);
        add_cut(s->out, n->title, TITLE_MOST, COLUMNS_END);
        buf_add(s->out, STR("</text>"));
    }
    if (n->label.n) {
        buf_printf(s->out, "<text class=\"s\" x=\"%d\" y=\"%d\">", BOX_PAD, y += 17);
        add_cut(s->out, n->label, LABEL_MOST, COLUMNS_END);
        buf_add(s->out, STR("</text>"));
    }
    buf_add(s->out, STR("</g>\n"));
}

/* ---- lines */

struct entry {
    int32_t x;
    uint32_t index;
};

static int by_x(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

/* Side by side on the upper side of a box, in the order in which they come. */
static void set_ports(struct svg *s, struct sheet *sheet)
{
    const struct draw_part *p = sheet->part;
    sheet->first = arena_alloc(&s->arena, p->count * sizeof *sheet->first);
    sheet->ports = arena_alloc(&s->arena, (p->links + 1) * sizeof *sheet->ports);
    struct entry *entries = arena_alloc(&s->arena, (p->count + 1) * sizeof *entries);
    for (uint32_t i = 0, next = 0; i < p->count; i++) {
        const struct draw_item *item = &p->items[i];
        int32_t count = (int32_t)item->up_count, step = PORT_STEP;
        if (count * step > item->width - 2 * BOX_PAD)
            step = count ? (item->width - 2 * BOX_PAD) / count : 0;
        sheet->first[i] = next;
        for (uint32_t k = 0; k < item->up_count; k++)
            entries[k] = (struct entry){p->items[item->up[k]].x, k};
        qsort(entries, item->up_count, sizeof *entries, by_x);
        for (int32_t k = 0; k < count; k++) {
            int32_t off = item->is_bend ? 0 : (2 * k - count + 1) * step / 2;
            sheet->ports[next + entries[k].index] = item->x + off;
        }
        next += item->up_count;
    }
}

struct point {
    int32_t x, y;
};

static void add_curve(struct buf *out, struct point from, struct point to)
{
    int32_t half = (to.y - from.y) / 2;
    if (from.x == to.x)
        buf_printf(out, "V%d", to.y);
    else
        buf_printf(out, "C%d %d %d %d %d %d", from.x, from.y + half, to.x, to.y - half, to.x, to.y);
}

/* The line to `item` over its neighbour `k` above, from where it begins. */
static void add_line(struct svg *s, const struct sheet *sheet, uint32_t index, uint32_t k)
{
    const struct draw_part *p = sheet->part;
    const struct draw_item *to = &p->items[index], *at = &p->items[to->up[k]], *below;
    int32_t x = sheet->x, y = sheet->y;
    while (at->is_bend)
        at = &p->items[at->up[0]];
    const struct draw_node *n = &s->d->nodes[at->node];
    struct point now = {x + at->x, y + sheet->tops[at->layer] + box_height(n)};
    buf_printf(s->out, "<path d=\"M%d %d", now.x, now.y);
    int32_t floor = y + sheet->tops[at->layer] + sheet->heights[at->layer];
    if (now.y < floor)
        buf_printf(s->out, "V%d", now.y = floor);
    for (uint32_t layer = at->layer + 1; layer < to->layer; layer++, at = below) {
        below = NULL;
        for (uint32_t i = 0; i < at->down_count; i++) /* its lines share one */
            if (p->items[at->down[i]].is_bend)
                below = &p->items[at->down[i]];
        struct point top = {x + below->x, y + sheet->tops[layer]};
        add_curve(s->out, now, top);
        now = (struct point){top.x, top.y + sheet->heights[layer]};
        buf_printf(s->out, "V%d", now.y);
    }
    add_curve(
        s->out, now,
        (struct point){x + sheet->ports[sheet->first[index] + k], y + sheet->tops[to->layer]});
    buf_add(s->out, STR("\"><title>"));
    add_text(s->out, s->d->nodes[to->node].name);
    buf_add(s->out, STR(" needs "));
    add_text(s->out, n->name);
    buf_add(s->out, STR("</title></path>\n"));
}

/* ---- sheets */

static void set_heights(struct svg *s, struct sheet *sheet)
{
    const struct draw_part *p = sheet->part;
    int32_t *far = arena_zalloc(&s->arena, (p->layer_count + 1) * sizeof *far);
    sheet->tops = arena_zalloc(&s->arena, p->layer_count * sizeof *sheet->tops);
    sheet->heights = arena_zalloc(&s->arena, p->layer_count * sizeof *sheet->heights);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct draw_item *item = &p->items[i];
        int32_t high = item->is_bend ? 0 : box_height(&s->d->nodes[item->node]);
        int32_t *most = &sheet->heights[item->layer];
        *most = high > *most ? high : *most;
        for (uint32_t k = 0; k < item->up_count; k++) {
            int32_t way = abs(item->x - p->items[item->up[k]].x);
            far[item->layer] = way > far[item->layer] ? way : far[item->layer];
        }
    }
    for (uint32_t layer = 0; layer < p->layer_count; layer++) {
        int32_t more = far[layer] / 10 < LAYER_MORE ? far[layer] / 10 : LAYER_MORE;
        sheet->height += layer ? LAYER_GAP + more : 0;
        sheet->tops[layer] = sheet->height;
        sheet->height += sheet->heights[layer];
    }
}

static struct sheet *make_sheets(struct svg *s, int32_t *width, int32_t *height)
{
    static const struct draw_gaps gaps = {.boxes = 28, .bends = 14};
    size_t count = s->layout.part_count;
    struct sheet *sheets = arena_zalloc(&s->arena, (count + 1) * sizeof *sheets);
    struct draw_frame *frames = arena_zalloc(&s->arena, (count + 1) * sizeof *frames);
    int32_t room = SHEET_WIDTH;
    for (size_t i = 0; i < count; i++) {
        struct draw_part *p = &s->layout.parts[i];
        for (uint32_t k = 0; k < p->boxes; k++)
            p->items[k].width = box_width(&s->d->nodes[p->items[k].node]);
        draw_place(p, &gaps);
        sheets[i].part = p;
        set_heights(s, &sheets[i]);
        set_ports(s, &sheets[i]);
        frames[i] = (struct draw_frame){.width = p->width, .height = sheets[i].height + PART_GAP};
        room = p->width > room ? p->width : room;
    }
    draw_pack(frames, count, room, PART_GAP);
    *width = *height = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t right = frames[i].x + frames[i].width, bottom = frames[i].y + sheets[i].height;
        sheets[i].x = frames[i].x + MARGIN;
        sheets[i].y = frames[i].y + MARGIN;
        *width = right > *width ? right : *width;
        *height = bottom > *height ? bottom : *height;
    }
    return sheets;
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

/* Edges are sorted by their nodes. */
static void add_description(struct svg *s)
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

static void begin(struct svg *s, int32_t width, int32_t height)
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

static void draw_sheets(struct svg *s)
{
    int32_t width, height;
    const struct sheet *sheets = make_sheets(s, &width, &height);
    begin(s, width + 2 * MARGIN, height + 2 * MARGIN);
    buf_add(s->out, STR("<g class=\"l\" marker-end=\"url(#multiverse-arrow)\">\n"));
    for (size_t i = 0; i < s->layout.part_count; i++)
        for (uint32_t k = 0; k < sheets[i].part->boxes; k++)
            for (uint32_t n = 0; n < sheets[i].part->items[k].up_count; n++)
                add_line(s, &sheets[i], k, n);
    buf_add(s->out, STR("</g>\n"));
    for (size_t i = 0; i < s->layout.part_count; i++)
        for (uint32_t k = 0; k < sheets[i].part->boxes; k++)
            add_box(s, &sheets[i], &sheets[i].part->items[k]);
}

/* ---- what cannot be drawn */

struct row {
    uint32_t node, layer;
    size_t edge; /* the first of its own */
};

static int32_t add_row(struct svg *s, const struct row *row, int32_t y)
{
    const struct draw_node *n = &s->d->nodes[row->node];
    struct buf needs = {0};
    size_t edge = row->edge;
    int32_t x = 18;
    buf_printf(s->out,
               "<g class=\"%s\" transform=\"translate(%d %d)\"><rect y=\"1\" width=\"10\" "
               "height=\"10\" rx=\"3\"/><text class=\"n\" x=\"%d\" y=\"11\">",
               classes[n->tone], MARGIN + (int32_t)row->layer * LIST_STEP, y, x);
    x += (int32_t)add_cut(s->out, n->name, NAME_MOST, COLUMNS_MIDDLE) * NAME_SIZE + BOX_PAD;
    buf_add(s->out, STR("</text>"));
    if (n->label.n) {
        buf_printf(s->out, "<text class=\"s\" x=\"%d\" y=\"11\">", x);
        x += (int32_t)add_cut(s->out, n->label, LABEL_MOST, COLUMNS_END) * LABEL_SIZE + BOX_PAD;
        buf_add(s->out, STR("</text>"));
    }
    for (; edge < s->d->graph.edge_count && s->d->graph.edges[edge].node == row->node; edge++) {
        buf_add(&needs, edge == row->edge ? STR("needs ") : STR(", "));
        buf_add(&needs, s->d->nodes[s->d->graph.edges[edge].needs].name);
    }
    buf_printf(s->out, "<text x=\"%d\" y=\"11\">", x);
    x += (int32_t)add_cut(s->out, buf_str(&needs), LIST_NEEDS, COLUMNS_END) * TITLE_SIZE;
    buf_add(s->out, STR("</text></g>\n"));
    buf_done(&needs);
    return x;
}

static void draw_rows(struct svg *s)
{
    const struct graph *g = &s->d->graph;
    uint32_t *order = draw_list_order(g, &s->arena);
    size_t *first = arena_alloc(&s->arena, (g->count + 1) * sizeof *first), edge = 0;
    const int32_t width = 2 * MARGIN + 18 + (int32_t)(NAME_MOST * NAME_SIZE) + 2 * BOX_PAD +
                          (int32_t)(LABEL_MOST * LABEL_SIZE + LIST_NEEDS * TITLE_SIZE);
    for (uint32_t i = 0; i < g->count; i++) {
        first[i] = edge;
        while (edge < g->edge_count && g->edges[edge].node == i)
            edge++;
    }
    begin(s, width, 2 * MARGIN + (int32_t)g->count * LIST_LINE);
    for (uint32_t i = 0; i < g->count; i++)
        add_row(s, &(struct row){order[i], 0, first[order[i]]}, MARGIN + (int32_t)i * LIST_LINE);
}

void draw_svg(const struct draw *d, struct buf *out)
{
    struct svg s = {.out = out};
    struct draw once = {.graph = draw_unique(&d->graph, &s.arena), .nodes = d->nodes};
    s.d = &once;
    if (draw_layout_make(&once.graph, &s.layout))
        draw_sheets(&s);
    else
        draw_rows(&s);
    buf_add(out, STR("</svg>\n"));
    draw_layout_done(&s.layout);
    arena_done(&s.arena);
}
