/* The bytes as a graph: a first byte for the style, then for each node its name (up to a NUL) and
 * bytes for its dependencies. For every input, the picture is text without control characters,
 * within the width limit, and the SVG contains only our own elements. */
#include <assert.h>

#include "base/columns.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "orchestrator/draw.h"

#define MOST_NODES 60u
#define MOST_EDGES 600u

static struct draw_node nodes[MOST_NODES];
static struct graph_edge edges[MOST_EDGES];

static struct draw make_graph(struct str bytes)
{
    struct draw d = {.graph = {.edges = edges}, .nodes = nodes};
    while (bytes.n && d.graph.count < MOST_NODES) {
        struct draw_node *n = &nodes[d.graph.count];
        struct str part;
        str_cut(&bytes, 0, &part);
        *n = (struct draw_node){.name = part, .title = part, .label = str_head(part, 20)};
        n->tone = (enum draw_tone)(part.n % (DRAW_OUT + 1));
        str_cut(&bytes, 0, &part);
        for (size_t i = 0; i < part.n && d.graph.edge_count < MOST_EDGES; i++)
            edges[d.graph.edge_count++] =
                (struct graph_edge){d.graph.count, (uint8_t)part.p[i] % (d.graph.count + 1)};
        d.graph.count++;
    }
    return d;
}

static void check_text(const struct draw *d, struct draw_style style)
{
    struct buf out = {0};
    draw_text(d, &style, &out);
    assert(utf8_is_valid(buf_str(&out)));
    for (size_t i = 0; i < out.n; i++) {
        unsigned char c = (unsigned char)out.p[i];
        assert(c == '\n' || (c >= ' ' && c != 0x7f) || (c == 0x1b && style.colour));
        assert(c < 0x80 || !style.ascii);
    }
    bool is_picture = out.n && (style.ascii || out.p[0] == ' ' || (uint8_t)out.p[0] == 0xe2);
    for (struct str rest = buf_str(&out), line; rest.n && !style.colour && is_picture;) {
        str_cut(&rest, '\n', &line);
        if (str_starts(line, STR("\xe2\x94\x8c"))) /* the upper side of a box */
            assert(!style.columns || columns_of(line) <= style.columns);
    }
    buf_done(&out);
}

static void check_svg(const struct draw *d)
{
    struct buf out = {0};
    size_t open = 0, close = 0;
    draw_svg(d, &out);
    assert(utf8_is_valid(buf_str(&out)));
    for (size_t i = 0; i < out.n; i++) {
        assert((unsigned char)out.p[i] >= ' ' || out.p[i] == '\n');
        open += out.p[i] == '<';
        close += out.p[i] == '>';
    }
    assert(open == close);
    buf_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct str text = str_make((const char *)bytes, n);
    if (!n)
        return 0;
    struct draw d = make_graph(str_skip(text, 1));
    struct draw_style style = {
        .columns = (bytes[0] & 3) * 30u, .colour = bytes[0] & 4, .ascii = bytes[0] & 8};
    check_text(&d, style);
    check_svg(&d);
    return 0;
}
