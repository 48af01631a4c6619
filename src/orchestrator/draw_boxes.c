/* A graph as boxes and lines in pixels, for any renderer. */
#include <stdlib.h>
#include <string.h>

#include "base/columns.h"
#include "orchestrator/draw_internal.h"

#define MARGIN      DRAW_MARGIN
#define BOX_PAD     DRAW_BOX_PAD
#define BOX_MIN     96
#define LAYER_GAP   60
#define LAYER_MORE  70 /* at most this much more between layers with long lines */
#define PART_GAP    36
#define SHEET_WIDTH 1400 /* parts are placed side by side up to this width */
#define PORT_STEP   16

struct part_sheet { /* a part and the positions of its layers */
    const struct draw_part *part;
    int32_t *tops, *heights;
    int32_t *ports; /* where the line from up[i] enters: ports[first[item] + i] */
    uint32_t *first;
    int32_t height, x, y;
};

struct boxes_maker {
    const struct draw *d;
    struct draw_layout layout;
    struct arena *arena;
    struct part_sheet *sheets;
    struct draw_boxes *out;
    struct draw_point *way; /* of the current line, at most two for each layer */
    size_t points;          /* of all lines */
};

/* ---- boxes */

static int32_t width_of(struct str text, size_t most, int32_t size)
{
    struct buf clean = {0}, cut = {0};
    columns_add(&clean, text, COLUMNS_UNICODE);
    size_t n = columns_cut(&cut, buf_str(&clean), most, COLUMNS_END, COLUMNS_UNICODE);
    int32_t wide = 0; /* capitals are wider than the mean of a proportional font */
    for (size_t i = 0; i < text.n && i < most && size < DRAW_NAME_SIZE; i++)
        wide += text.p[i] >= 'A' && text.p[i] <= 'Z' ? 2 : 0;
    buf_done(&clean);
    buf_done(&cut);
    return (int32_t)n * size + wide;
}

bool draw_boxes_has_title(const struct draw_node *n)
{
    return n->title.n && !str_eq(n->title, n->name);
}

static int32_t box_width(const struct draw_node *n)
{
    int32_t name = width_of(n->name, DRAW_NAME_MOST, DRAW_NAME_SIZE);
    int32_t title =
        draw_boxes_has_title(n) ? width_of(n->title, DRAW_TITLE_MOST, DRAW_TITLE_SIZE) : 0;
    int32_t label = width_of(n->label, DRAW_LABEL_MOST, DRAW_LABEL_SIZE);
    int32_t most = name > title ? name : title;
    most = (most > label ? most : label) + 2 * BOX_PAD;
    return most > BOX_MIN ? most : BOX_MIN;
}

static int32_t box_height(const struct draw_node *n)
{
    return 32 + (draw_boxes_has_title(n) ? 17 : 0) + (n->label.n ? 17 : 0);
}

static void put_box(struct boxes_maker *m, const struct part_sheet *sheet,
                    const struct draw_item *item)
{
    m->out->boxes[item->node] = (struct draw_box){
        .x = sheet->x + draw_place_left(item),
        .y = sheet->y + sheet->tops[item->layer],
        .width = item->width,
        .height = box_height(&m->d->nodes[item->node]),
    };
}

/* ---- lines */

struct box_port {
    int32_t x;
    uint32_t index;
};

static int by_x(const void *a, const void *b)
{
    const struct box_port *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

/* Place the ports side by side on the upper side of a box, in the order of their sources. */
static void set_ports(struct boxes_maker *m, struct part_sheet *sheet)
{
    const struct draw_part *p = sheet->part;
    sheet->first = arena_alloc(m->arena, p->count * sizeof *sheet->first);
    sheet->ports = arena_alloc(m->arena, (p->links + 1) * sizeof *sheet->ports);
    struct box_port *entries = arena_alloc(m->arena, (p->count + 1) * sizeof *entries);
    for (uint32_t i = 0, next = 0; i < p->count; i++) {
        const struct draw_item *item = &p->items[i];
        int32_t count = (int32_t)item->up_count, step = PORT_STEP;
        if (count * step > item->width - 2 * BOX_PAD)
            step = count ? (item->width - 2 * BOX_PAD) / count : 0;
        sheet->first[i] = next;
        for (uint32_t k = 0; k < item->up_count; k++)
            entries[k] = (struct box_port){p->items[item->up[k]].x, k};
        qsort(entries, item->up_count, sizeof *entries, by_x);
        for (int32_t k = 0; k < count; k++) {
            int32_t off = item->is_bend ? 0 : (2 * k - count + 1) * step / 2;
            sheet->ports[next + entries[k].index] = item->x + off;
        }
        next += item->up_count;
    }
}

/* A straight line has no points in between, so a line over thousands of layers has two. */
static void add_point(struct draw_line *line, int32_t x, int32_t y)
{
    size_t n = line->count;
    if (n > 1 && line->points[n - 1].x == x && line->points[n - 2].x == x)
        line->points[n - 1].y = y;
    else
        line->points[line->count++] = (struct draw_point){x, y};
}

static void keep_points(struct boxes_maker *m, struct draw_line *line)
{
    size_t size = line->count * sizeof *line->points;
    line->points = memcpy(arena_alloc(&m->out->arena, size), line->points, size);
    m->points += line->count;
}

/* Write the line to item `index` through its upper neighbour `k`, from its source on. */
static void put_line(struct boxes_maker *m, const struct part_sheet *sheet, uint32_t index,
                     uint32_t k)
{
    const struct draw_part *p = sheet->part;
    const struct draw_item *to = &p->items[index], *at = &p->items[to->up[k]], *below;
    struct draw_line *line = &m->out->lines[m->out->line_count++];
    int32_t x = sheet->x, y = sheet->y;
    while (at->is_bend)
        at = &p->items[at->up[0]];
    *line = (struct draw_line){.node = to->node, .needs = at->node};
    line->points = m->way;
    int32_t bottom = y + sheet->tops[at->layer] + box_height(&m->d->nodes[at->node]);
    int32_t floor = y + sheet->tops[at->layer] + sheet->heights[at->layer];
    add_point(line, x + at->x, bottom);
    if (bottom < floor)
        add_point(line, x + at->x, floor);
    for (uint32_t layer = at->layer + 1; layer < to->layer; layer++, at = below) {
        below = NULL;
        for (uint32_t i = 0; i < at->down_count; i++) /* all its lines share one bend */
            if (p->items[at->down[i]].is_bend)
                below = &p->items[at->down[i]];
        add_point(line, x + below->x, y + sheet->tops[layer]);
        add_point(line, x + below->x, y + sheet->tops[layer] + sheet->heights[layer]);
    }
    add_point(line, x + sheet->ports[sheet->first[index] + k], y + sheet->tops[to->layer]);
    keep_points(m, line);
}

/* ---- parts */

static void set_heights(struct boxes_maker *m, struct part_sheet *sheet)
{
    const struct draw_part *p = sheet->part;
    int32_t *far = arena_zalloc(m->arena, (p->layer_count + 1) * sizeof *far);
    sheet->tops = arena_zalloc(m->arena, p->layer_count * sizeof *sheet->tops);
    sheet->heights = arena_zalloc(m->arena, p->layer_count * sizeof *sheet->heights);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct draw_item *item = &p->items[i];
        int32_t high = item->is_bend ? 0 : box_height(&m->d->nodes[item->node]);
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

static void make_sheets(struct boxes_maker *m)
{
    static const struct draw_gaps gaps = {.boxes = 28, .bends = 14};
    size_t count = m->layout.part_count;
    struct draw_frame *frames = arena_zalloc(m->arena, (count + 1) * sizeof *frames);
    int32_t room = SHEET_WIDTH;
    m->sheets = arena_zalloc(m->arena, (count + 1) * sizeof *m->sheets);
    for (size_t i = 0; i < count; i++) {
        struct draw_part *p = &m->layout.parts[i];
        for (uint32_t k = 0; k < p->boxes; k++)
            p->items[k].width = box_width(&m->d->nodes[p->items[k].node]);
        draw_place(p, &gaps);
        m->sheets[i].part = p;
        set_heights(m, &m->sheets[i]);
        set_ports(m, &m->sheets[i]);
        frames[i] =
            (struct draw_frame){.width = p->width, .height = m->sheets[i].height + PART_GAP};
        room = p->width > room ? p->width : room;
    }
    draw_place_pack(frames, count, room, PART_GAP);
    for (size_t i = 0; i < count; i++) {
        int32_t right = frames[i].x + frames[i].width + 2 * MARGIN;
        int32_t bottom = frames[i].y + m->sheets[i].height + 2 * MARGIN;
        m->sheets[i].x = frames[i].x + MARGIN;
        m->sheets[i].y = frames[i].y + MARGIN;
        m->out->width = right > m->out->width ? right : m->out->width;
        m->out->height = bottom > m->out->height ? bottom : m->out->height;
    }
}

/* ---- the whole */

static struct draw_point *alloc_way(const struct boxes_maker *m)
{
    uint32_t most = 0;
    for (size_t i = 0; i < m->layout.part_count; i++)
        if (m->layout.parts[i].layer_count > most)
            most = m->layout.parts[i].layer_count;
    return arena_alloc(m->arena, (2 * (size_t)most + 2) * sizeof *m->way);
}

/* Return false if there are too many points. */
static bool fill_boxes(struct boxes_maker *m)
{
    size_t edges = m->d->graph.edge_count;
    struct draw_boxes *out = m->out;
    out->width = out->height = 2 * MARGIN;
    out->boxes = arena_zalloc(&out->arena, (m->d->graph.count + 1) * sizeof *out->boxes);
    out->lines = arena_zalloc(&out->arena, (edges + 1) * sizeof *out->lines);
    make_sheets(m);
    m->way = alloc_way(m);
    for (size_t i = 0; i < m->layout.part_count; i++) {
        const struct part_sheet *sheet = &m->sheets[i];
        for (uint32_t k = 0; k < sheet->part->boxes && m->points <= DRAW_MAX_POINTS; k++) {
            put_box(m, sheet, &sheet->part->items[k]);
            for (uint32_t n = 0; n < sheet->part->items[k].up_count; n++)
                put_line(m, sheet, k, n);
        }
    }
    return m->points <= DRAW_MAX_POINTS;
}

bool draw_boxes_make(const struct draw *d, struct draw_boxes *out)
{
    struct arena scratch = {0};
    struct draw once = {.graph = draw_layout_unique(&d->graph, &scratch), .nodes = d->nodes};
    struct boxes_maker m = {.d = &once, .arena = &scratch, .out = out};
    *out = (struct draw_boxes){0};
    bool fits = draw_layout_make(&once.graph, &m.layout) && fill_boxes(&m);
    draw_layout_done(&m.layout);
    arena_done(&scratch);
    return fits;
}

void draw_boxes_done(struct draw_boxes *b)
{
    arena_done(&b->arena);
    *b = (struct draw_boxes){0};
}
