/* A graph in characters: boxes with lines between them.
 *
 * Where two lines cross, the vertical one is drawn and the other is interrupted. So ┼ always
 * connects lines of the same net, and ─│─ is a crossing of two nets.
 */
#include <stdlib.h>

#include "base/columns.h"
#include "base/map.h"
#include "base/mem.h"
#include "orchestrator/draw_route.h"

#define MAX_CELLS  (4u << 20)
#define FREE_WIDTH 100 /* parts are placed side by side up to this width if none is given */
#define MIN_BOX    7
#define PART_GAP   3

enum arm { /* contents of a cell; directions in which its line continues */
    UP = 1,
    DOWN = 2,
    LEFT = 4,
    RIGHT = 8,
    PIECE = 15,
    BOX = 16,  /* a corner or side of a box, not of a line */
    HEAD = 32, /* a line ends here */
    TEXT = 64,
    COVERED = 128 /* by the text that begins to the left */
};

struct text_cell {
    uint8_t what;
    uint8_t tone;
    uint32_t text; /* TEXT: index of the text */
};

/* How much of a node is shown. If a picture is too wide, the next level is tried; the last one is
 * for names that differ only in the middle. */
static const struct text_level {
    uint32_t most; /* columns of a line; 0: no limit */
    bool titles;
} levels[] = {{30, true},  {30, false}, {22, false}, {16, false},
              {11, false}, {8, false},  {0, false}};

#define LEVELS (sizeof levels / sizeof *levels)

enum line {
    LINE_NAME,
    LINE_TITLE,
    LINE_LABEL,
    LINES
};

struct text_run {
    struct str text;
    size_t columns;
};

struct node_text {   /* a node, on a level */
    struct str name; /* not cut */
    struct text_run lines[LINES];
    int32_t width, height; /* of the contents of the box */
};

struct text_picture {
    const struct draw *d;
    const struct draw_style *style;
    enum columns_set set;
    struct arena arena;
    struct node_text *shown[LEVELS]; /* by node; NULL: two names would look the same */
    struct draw_layout layout;
    struct buf *out;
    struct text_cell *cells;
    size_t cell_cap;
    int32_t width, height; /* of the used cells */
    struct text_run *texts;
    size_t text_count, text_cap;
};

struct text_panel { /* a part as it will be drawn */
    struct draw_part *part;
    const struct node_text *shown;
    struct draw_routes routes;
    int32_t *tops;    /* of the layers */
    int32_t *heights; /* of their boxes */
    int32_t height;
};

/* ---- the text of a node */

static struct str clean_text(struct text_picture *p, struct str from)
{
    struct buf made = {0};
    columns_add(&made, from, p->set);
    struct str kept = arena_str(&p->arena, buf_str(&made));
    buf_done(&made);
    return kept;
}

static struct text_run cut_text(struct text_picture *p, struct str text, uint32_t most,
                                enum columns_end end)
{
    struct buf made = {0};
    size_t n = columns_cut(&made, text, most ? most : SIZE_MAX, end, p->set);
    struct text_run t = {arena_str(&p->arena, buf_str(&made)), n};
    buf_done(&made);
    return t;
}

static void show_node(struct text_picture *p, const struct draw_node *n,
                      const struct text_level *level, struct node_text *out)
{
    *out = (struct node_text){.name = clean_text(p, n->name)};
    out->lines[LINE_NAME] = cut_text(p, out->name, level->most, COLUMNS_MIDDLE);
    if (level->titles && !str_eq(n->title, n->name))
        out->lines[LINE_TITLE] = cut_text(p, clean_text(p, n->title), level->most, COLUMNS_END);
    out->lines[LINE_LABEL] = cut_text(p, clean_text(p, n->label), level->most, COLUMNS_END);
    for (size_t i = 0; i < LINES; i++) {
        int32_t width = (int32_t)out->lines[i].columns;
        out->width = width > out->width ? width : out->width;
        out->height += i == LINE_NAME || out->lines[i].text.n;
    }
}

/* Return NULL if two cut names look the same. */
static struct node_text *show_all(struct text_picture *p, const struct text_level *level)
{
    uint32_t count = p->d->graph.count;
    struct node_text *all = arena_alloc(&p->arena, (count + 1) * sizeof *all);
    struct map names = {0};
    bool same = false;
    for (uint32_t i = 0; i < count && !same; i++) {
        show_node(p, &p->d->nodes[i], level, &all[i]);
        struct node_text *twin = map_set(&names, all[i].lines[LINE_NAME].text, &all[i]);
        same = twin && !str_eq(twin->name, all[i].name);
    }
    map_done(&names);
    return same ? NULL : all;
}

/* ---- painting */

static struct text_cell *cell_at(struct text_picture *p, int32_t x, int32_t y)
{
    return &p->cells[(size_t)y * (size_t)p->width + (size_t)x];
}

static void put_text(struct text_picture *p, int32_t x, int32_t y, const struct text_run *t,
                     uint8_t tone)
{
    mem_grow((void **)&p->texts, &p->text_cap, p->text_count + 1, sizeof *p->texts);
    p->texts[p->text_count] = *t;
    for (size_t i = 0; i < t->columns; i++)
        *cell_at(p, x + (int32_t)i, y) =
            (struct text_cell){i ? COVERED : TEXT, tone, (uint32_t)p->text_count};
    p->text_count++;
}

static void put_box(struct text_picture *p, const struct text_panel *panel,
                    const struct draw_item *item, int32_t x)
{
    const struct node_text *shown = &panel->shown[item->node];
    int32_t y = panel->tops[item->layer], right = x + item->width - 1;
    int32_t bottom = y + shown->height + 1, row = y;
    uint8_t tone = (uint8_t)p->d->nodes[item->node].tone;
    for (int32_t i = x + 1; i < right; i++) {
        *cell_at(p, i, y) = (struct text_cell){BOX | LEFT | RIGHT, tone, 0};
        *cell_at(p, i, bottom) = (struct text_cell){BOX | LEFT | RIGHT, tone, 0};
    }
    for (int32_t i = y + 1; i < bottom; i++) {
        *cell_at(p, x, i) = (struct text_cell){BOX | UP | DOWN, tone, 0};
        *cell_at(p, right, i) = (struct text_cell){BOX | UP | DOWN, tone, 0};
    }
    *cell_at(p, x, y) = (struct text_cell){BOX | DOWN | RIGHT, tone, 0};
    *cell_at(p, right, y) = (struct text_cell){BOX | DOWN | LEFT, tone, 0};
    *cell_at(p, x, bottom) = (struct text_cell){BOX | UP | RIGHT, tone, 0};
    *cell_at(p, right, bottom) = (struct text_cell){BOX | UP | LEFT, tone, 0};
    for (size_t i = 0; i < LINES; i++)
        if (i == LINE_NAME || shown->lines[i].text.n)
            put_text(p, x + 2, ++row, &shown->lines[i], i == LINE_LABEL ? tone : DRAW_PLAIN);
}

/* Draw down from y to before `end`, over any line in the way. */
static void put_down(struct text_picture *p, int32_t x, int32_t y, int32_t end)
{
    for (; y < end; y++)
        *cell_at(p, x, y) = (struct text_cell){UP | DOWN, DRAW_PLAIN, 0};
}

static void put_rows(struct text_picture *p, const struct draw_channel *c, int32_t x, int32_t y)
{
    for (uint32_t n = 0; n < c->count; n++) {
        const struct draw_net *net = &c->nets[n];
        if (net->track == DRAW_STRAIGHT)
            continue;
        for (int32_t i = net->left; i <= net->right; i++)
            cell_at(p, x + i, y + (int32_t)net->track)->what |=
                (uint8_t)((i > net->left ? LEFT : 0) | (i < net->right ? RIGHT : 0));
    }
}

/* Draw the lines between a layer and the next; the part begins at x. */
static void put_channel(struct text_picture *p, const struct text_panel *panel, uint32_t layer,
                        int32_t x)
{
    const struct draw_channel *c = &panel->routes.channels[layer];
    int32_t y = panel->tops[layer] + panel->heights[layer], end = panel->tops[layer + 1];
    put_rows(p, c, x, y);
    for (uint32_t n = 0; n < c->count; n++) {
        const struct draw_net *net = &c->nets[n];
        int32_t row = net->track == DRAW_STRAIGHT ? end : y + (int32_t)net->track;
        for (uint32_t i = 0; i < net->from_count; i++) {
            int32_t at = x + panel->part->items[net->from[i]].x;
            put_down(p, at, y, row);
            if (row < end)
                cell_at(p, at, row)->what |= UP;
        }
        for (uint32_t i = 0; i < net->to_count; i++) {
            if (row < end) {
                cell_at(p, x + net->ports[i], row)->what |= DOWN;
                put_down(p, x + net->ports[i], row + 1, end);
            }
            if (!panel->part->items[net->to[i]].is_bend)
                cell_at(p, x + net->ports[i], end)->what |= HEAD;
        }
    }
}

static void put_panel(struct text_picture *p, const struct text_panel *panel, int32_t x)
{
    const struct draw_part *part = panel->part;
    for (uint32_t i = 0; i < part->count; i++) {
        const struct draw_item *item = &part->items[i];
        int32_t top = panel->tops[item->layer], bottom = top + panel->heights[item->layer];
        if (item->is_bend) {
            put_down(p, x + item->x, top, bottom);
            continue;
        }
        const struct node_text *shown = &panel->shown[item->node];
        put_box(p, panel, item, x + draw_place_left(item));
        if (item->down_count) {
            cell_at(p, x + item->x, top + shown->height + 1)->what |= DOWN;
            put_down(p, x + item->x, top + shown->height + 2, bottom);
        }
    }
    for (uint32_t layer = 0; layer + 1 < part->layer_count; layer++)
        put_channel(p, panel, layer, x);
}

/* ---- writing */

static const char *glyph_of(const struct text_picture *p, uint8_t what)
{
    static const char *const lines[] = {
        [0] = " ",
        [UP] = "│",
        [DOWN] = "│",
        [UP | DOWN] = "│",
        [LEFT] = "─",
        [RIGHT] = "─",
        [LEFT | RIGHT] = "─",
        [DOWN | RIGHT] = "┌",
        [DOWN | LEFT] = "┐",
        [UP | RIGHT] = "└",
        [UP | LEFT] = "┘",
        [UP | DOWN | RIGHT] = "├",
        [UP | DOWN | LEFT] = "┤",
        [DOWN | LEFT | RIGHT] = "┬",
        [UP | LEFT | RIGHT] = "┴",
        [PIECE] = "┼",
    };
    static const char *const ascii[] = {
        [0] = " ",
        [UP] = "|",
        [DOWN] = "|",
        [UP | DOWN] = "|",
        [LEFT] = "-",
        [RIGHT] = "-",
        [LEFT | RIGHT] = "-",
        [DOWN | RIGHT] = ".",
        [DOWN | LEFT] = ".",
        [UP | RIGHT] = "'",
        [UP | LEFT] = "'",
        [UP | DOWN | RIGHT] = "+",
        [UP | DOWN | LEFT] = "+",
        [DOWN | LEFT | RIGHT] = "+",
        [UP | LEFT | RIGHT] = "+",
        [PIECE] = "+",
    };
    if (what & HEAD)
        return p->style->ascii ? "v" : "▼";
    return (p->style->ascii ? ascii : lines)[what & PIECE];
}

static void set_tone(struct text_picture *p, uint8_t *now, uint8_t tone)
{
    if (!p->style->colour || *now == tone)
        return;
    if (*now != DRAW_PLAIN)
        buf_add(p->out, STR("\033[0m"));
    buf_add(p->out, str_from(draw_list_colour(tone)));
    *now = tone;
}

static void write_row(struct text_picture *p, int32_t y)
{
    int32_t end = p->width;
    uint8_t now = DRAW_PLAIN;
    while (end && !cell_at(p, end - 1, y)->what)
        end--;
    for (int32_t x = 0; x < end; x++) {
        const struct text_cell *c = cell_at(p, x, y);
        if (c->what & COVERED)
            continue;
        if (c->what)
            set_tone(p, &now, c->tone);
        if (c->what & TEXT)
            buf_add(p->out, p->texts[c->text].text);
        else
            buf_add(p->out, str_from(glyph_of(p, c->what)));
    }
    set_tone(p, &now, DRAW_PLAIN);
    buf_add_char(p->out, '\n');
}

/* Draw panels side by side. */
static void draw_row(struct text_picture *p, const struct text_panel *panels,
                     const struct draw_frame *frames, size_t count)
{
    p->height = 0;
    p->text_count = 0;
    for (size_t i = 0; i < count; i++) {
        p->width = frames[i].x + frames[i].width;
        p->height = panels[i].height > p->height ? panels[i].height : p->height;
    }
    size_t cells = (size_t)p->width * (size_t)p->height;
    mem_grow((void **)&p->cells, &p->cell_cap, cells, sizeof *p->cells);
    memset(p->cells, 0, cells * sizeof *p->cells);
    for (size_t i = 0; i < count; i++)
        put_panel(p, &panels[i], frames[i].x);
    for (int32_t y = 0; y < p->height; y++)
        write_row(p, y);
}

/* ---- what fits */

static void set_heights(struct text_panel *panel, struct arena *a)
{
    const struct draw_part *part = panel->part;
    panel->tops = arena_alloc(a, part->layer_count * sizeof *panel->tops);
    panel->heights = arena_zalloc(a, part->layer_count * sizeof *panel->heights);
    panel->height = 0;
    for (uint32_t i = 0; i < part->boxes; i++) {
        const struct draw_item *item = &part->items[i];
        int32_t height = panel->shown[item->node].height + 2, *most = &panel->heights[item->layer];
        *most = height > *most ? height : *most;
    }
    for (uint32_t layer = 0; layer < part->layer_count; layer++) {
        uint32_t tracks = layer ? panel->routes.channels[layer - 1].tracks : 0;
        panel->height += layer == 0 ? 0 : tracks ? (int32_t)tracks : 1;
        panel->tops[layer] = panel->height;
        panel->height += panel->heights[layer];
    }
}

static bool fits_columns(const struct text_picture *p, const struct text_panel *panel)
{
    uint64_t cells = (uint64_t)panel->part->width * (uint64_t)panel->height;
    uint32_t columns = p->style->columns;
    return cells <= MAX_CELLS && (!columns || (uint32_t)panel->part->width <= columns);
}

/* Whether each layer is narrow enough: a quick check before the layout. */
static bool may_fit_columns(const struct text_picture *p, const struct draw_part *part,
                            const struct draw_gaps *gaps)
{
    for (uint32_t layer = 0; layer < part->layer_count && p->style->columns; layer++) {
        int64_t width = 0;
        for (uint32_t k = part->layers[layer]; k < part->layers[layer + 1]; k++) {
            const struct draw_item *item = &part->items[part->order[k]];
            width += item->width + (k > part->layers[layer] ? gaps->bends : 0);
        }
        if (width > p->style->columns)
            return false;
    }
    return true;
}

static void set_widths(struct text_panel *panel)
{
    for (uint32_t k = 0; k < panel->part->boxes; k++) {
        struct draw_item *item = &panel->part->items[k];
        int32_t ports = DRAW_PORTS(panel->routes.ins[k]);
        item->width = panel->shown[item->node].width + 4;
        item->width = item->width > ports ? item->width : ports;
        item->width = item->width > MIN_BOX ? item->width : MIN_BOX;
    }
}

/* Choose the first level on which the part fits; return false if there is none. */
static bool lay_out_part(struct text_picture *p, struct draw_part *part, struct text_panel *out)
{
    static const struct draw_gaps gaps = {.boxes = 2, .bends = 1};
    *out = (struct text_panel){.part = part};
    draw_route_make(part, &out->routes, &p->arena);
    for (size_t i = 0; i < LEVELS; i++) {
        out->shown = p->shown[i];
        if (!out->shown)
            continue;
        set_widths(out);
        if (!may_fit_columns(p, part, &gaps))
            continue;
        draw_place(part, &gaps);
        draw_route_assign(part, &out->routes, &gaps);
        set_heights(out, &p->arena);
        if (fits_columns(p, out))
            return true;
        if (!p->style->columns)
            break; /* a lower level would not help */
    }
    return false;
}

static void draw_panels(struct text_picture *p, const struct text_panel *panels, size_t count)
{
    struct draw_frame *frames = arena_zalloc(&p->arena, (count + 1) * sizeof *frames);
    int32_t width = p->style->columns ? (int32_t)p->style->columns : FREE_WIDTH;
    for (size_t i = 0; i < count; i++) {
        frames[i].width = panels[i].part->width;
        frames[i].height = panels[i].height;
        if (!p->style->columns && frames[i].width > width)
            width = frames[i].width;
    }
    draw_place_pack(frames, count, width, PART_GAP);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && frames[next].row == frames[i].row; next++)
            continue;
        draw_row(p, panels + i, frames + i, next - i);
    }
}

/* ---- the whole */

static void draw_all(struct text_picture *p)
{
    size_t fine = 0;
    struct text_panel *panels = arena_alloc(&p->arena, (p->layout.part_count + 1) * sizeof *panels);
    bool *listed = arena_zalloc(&p->arena, (p->d->graph.count + 1) * sizeof *listed);
    for (size_t i = 0; i < p->layout.part_count; i++) {
        struct draw_part *part = &p->layout.parts[i];
        if (lay_out_part(p, part, &panels[fine])) {
            fine++;
            continue;
        }
        for (uint32_t k = 0; k < part->boxes; k++)
            listed[part->items[k].node] = true;
    }
    draw_panels(p, panels, fine);
    if (fine < p->layout.part_count) {
        if (fine)
            buf_add_char(p->out, '\n');
        draw_list(p->d, p->style, listed, p->out);
    }
}

void draw_text(const struct draw *d, const struct draw_style *style, struct buf *out)
{
    struct text_picture p = {.style = style, .out = out};
    struct draw once = {.graph = draw_layout_unique(&d->graph, &p.arena), .nodes = d->nodes};
    p.d = &once;
    p.set = style->ascii ? COLUMNS_ASCII : COLUMNS_UNICODE;
    if (draw_layout_make(&once.graph, &p.layout)) {
        for (size_t i = 0; i < LEVELS; i++)
            p.shown[i] = show_all(&p, &levels[i]);
        draw_all(&p);
    } else {
        draw_list(&once, style, NULL, out);
    }
    draw_layout_done(&p.layout);
    arena_done(&p.arena);
    free(p.cells);
    free(p.texts);
}
