/* Layers, order, positions and lines of a picture. */
#include "draw_fixture.h"
#include "orchestrator/draw_route.h"

static struct draw_layout layout;
static struct graph unique;

static void lay_out(void)
{
    draw_layout_done(&layout);
    unique = draw_layout_unique(&d.graph, &drawn);
    assert_true(draw_layout_make(&unique, &layout));
}

static const struct draw_item *item_of(const struct draw_part *p, uint32_t pos, uint32_t layer)
{
    return &p->items[p->order[p->layers[layer] + pos]];
}

/* ---- structure */

TEST(every_line_goes_one_layer_down)
{
    struct rng rng;
    rng_seed(&rng, 1);
    for (int round = 0; round < 100; round++) {
        random_graph(&rng, 60, 90, 30);
        lay_out();
        for (size_t i = 0; i < layout.part_count; i++) {
            const struct draw_part *p = &layout.parts[i];
            uint32_t links = 0;
            for (uint32_t k = 0; k < p->count; k++) {
                const struct draw_item *item = &p->items[k];
                links += item->down_count;
                assert_true(!item->is_bend || (item->up_count == 1 && item->down_count >= 1));
                for (uint32_t n = 0; n < item->down_count; n++)
                    assert_int_equal(p->items[item->down[n]].layer, item->layer + 1);
                for (uint32_t n = 0; n < item->up_count; n++)
                    assert_int_equal(p->items[item->up[n]].layer + 1, item->layer);
            }
            assert_int_equal(links, p->links);
        }
    }
}

static void add_edges(const struct draw_part *p, struct pairs *got)
{
    for (uint32_t k = 0; k < p->boxes; k++)
        for (uint32_t n = 0; n < p->items[k].up_count; n++) {
            const struct draw_item *from = &p->items[p->items[k].up[n]];
            while (from->is_bend)
                from = &p->items[from->up[0]];
            got->has[p->items[k].node][from->node] = true;
            got->times[p->items[k].node][from->node]++;
        }
}

TEST(every_edge_exists_once)
{
    static struct pairs got;
    struct rng rng;
    rng_seed(&rng, 2);
    for (int round = 0; round < 100; round++) {
        random_graph(&rng, 60, 120, 60);
        lay_out();
        memset(&got, 0, sizeof got);
        for (size_t i = 0; i < layout.part_count; i++)
            add_edges(&layout.parts[i], &got);
        expect_edges(&got);
    }
}

TEST(lines_of_a_box_share_their_bends)
{
    read_graph(STR("a | | |\nb | | | a\nc | | | b\nd | | | c a\ne | | | c a\n"));
    lay_out();
    assert_int_equal(layout.part_count, 1);
    assert_int_equal(layout.parts[0].boxes, 5);
    assert_int_equal(layout.parts[0].count, 7); /* one bend in each of two layers */
}

TEST(parts_of_several_boxes_come_first)
{
    read_graph(STR("x | | |\na | | |\ny | | |\nb | | | a\nd | | |\nc | | | d\n"));
    lay_out();
    assert_int_equal(layout.part_count, 4);
    assert_int_equal(layout.parts[0].items[0].node, 1);
    assert_int_equal(layout.parts[1].items[0].node, 4);
    assert_int_equal(layout.parts[2].items[0].node, 0);
    assert_int_equal(layout.parts[3].items[0].node, 2);
}

/* A chain, and nodes that only its end needs. */
static void chain_with(uint32_t late)
{
    no_graph();
    d.graph.count = 10 + late;
    for (uint32_t i = 1; i < 10; i++)
        edges[d.graph.edge_count++] = (struct graph_edge){i, i - 1};
    for (uint32_t i = 0; i < late; i++)
        edges[d.graph.edge_count++] = (struct graph_edge){9, 10 + i};
    lay_out();
}

TEST(nodes_without_dependencies_are_on_top_unless_lines_need_too_much_room)
{
    chain_with(2);
    assert_int_equal(layout.parts[0].items[10].layer, 0);
    assert_int_equal(layout.parts[0].count, 12 + 2 * 8);
    chain_with(10);
    assert_int_equal(layout.parts[0].items[10].layer, 8);
    assert_int_equal(layout.parts[0].items[0].layer, 0);
    assert_int_equal(layout.parts[0].count, 20);
}

/* ---- order */

static uint64_t crossings_of(const struct draw_part *p, const struct draw_item *left,
                             const struct draw_item *right)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < left->down_count; i++)
        for (uint32_t k = 0; k < right->down_count; k++)
            count += p->items[left->down[i]].pos > p->items[right->down[k]].pos;
    return count;
}

static uint64_t crossings(const struct draw_part *p)
{
    uint64_t count = 0;
    for (uint32_t layer = 0; layer + 1 < p->layer_count; layer++) {
        uint32_t size = p->layers[layer + 1] - p->layers[layer];
        for (uint32_t a = 0; a < size; a++)
            for (uint32_t b = a + 1; b < size; b++)
                count += crossings_of(p, item_of(p, a, layer), item_of(p, b, layer));
    }
    return count;
}

TEST(avoidable_crossings_are_avoided)
{
    static const char *const flat[] = {
        "a | | |\nb | | |\nc | | | b\nd | | | a\n",
        "a | | |\nb | | | a\nc | | | a\nd | | | c\ne | | | b\nf | | | d e\n",
        "r | | |\na | | | r\nb | | | r\nc | | | r\nd | | | c\ne | | | b\nf | | | a\nz | | | f d e",
        "one | | |\ntwo | | | one\nthree | | | two\nfour | | | three one\nfive | | | four two\n",
    };
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) {
        read_graph(str_from(flat[i]));
        lay_out();
        for (size_t k = 0; k < layout.part_count; k++)
            assert_int_equal(crossings(&layout.parts[k]), 0);
    }
}

/* A tree can always be drawn without crossings. */
TEST(trees_have_no_crossings)
{
    struct rng rng;
    rng_seed(&rng, 3);
    for (int round = 0; round < 100; round++) {
        random_graph(&rng, 50, 0, 1);
        for (uint32_t i = 1; i < d.graph.count; i++)
            edges[d.graph.edge_count++] = (struct graph_edge){i, (uint32_t)rng_below(&rng, i)};
        lay_out();
        assert_int_equal(layout.part_count, 1);
        assert_int_equal(crossings(&layout.parts[0]), 0);
    }
}

/* ---- places */

static void place_all(const struct draw_gaps *gaps, struct rng *rng)
{
    for (size_t i = 0; i < layout.part_count; i++) {
        for (uint32_t k = 0; k < layout.parts[i].boxes; k++)
            layout.parts[i].items[k].width = 60 + (int32_t)rng_below(rng, 20);
        draw_place(&layout.parts[i], gaps);
    }
}

static void check_places(const struct draw_part *p, const struct draw_gaps *gaps)
{
    int32_t left = INT32_MAX, right = 0;
    for (uint32_t layer = 0; layer < p->layer_count; layer++)
        for (uint32_t k = 0; k < p->layers[layer + 1] - p->layers[layer]; k++) {
            const struct draw_item *item = item_of(p, k, layer);
            assert_int_equal(item->pos, k);
            assert_int_equal(item->layer, layer);
            left = draw_place_left(item) < left ? draw_place_left(item) : left;
            right = draw_place_right(item) > right ? draw_place_right(item) : right;
            if (!k)
                continue;
            const struct draw_item *before = item_of(p, k - 1, layer);
            bool bend = before->is_bend || item->is_bend;
            assert_true(draw_place_left(item) - draw_place_right(before) >=
                        (bend ? gaps->bends : gaps->boxes));
        }
    assert_true(left >= 0);
    assert_true(p->width >= right);
}

TEST(boxes_do_not_overlap)
{
    struct rng rng;
    static const struct draw_gaps gaps = {.boxes = 3, .bends = 2};
    rng_seed(&rng, 4);
    for (int round = 0; round < 100; round++) {
        random_graph(&rng, 60, 100, 20);
        lay_out();
        place_all(&gaps, &rng);
        for (size_t i = 0; i < layout.part_count; i++)
            check_places(&layout.parts[i], &gaps);
    }
}

TEST(a_chain_is_straight)
{
    static const struct draw_gaps gaps = {.boxes = 2, .bends = 1};
    static const int32_t widths[] = {9, 20, 7, 31};
    read_graph(STR("a | | |\nb | | | a\nc | | | b\nd | | | c\n"));
    lay_out();
    struct draw_part *p = &layout.parts[0];
    for (uint32_t i = 0; i < 4; i++)
        p->items[i].width = widths[i];
    draw_place(p, &gaps);
    for (uint32_t i = 1; i < 4; i++)
        assert_int_equal(p->items[i].x, p->items[0].x);
    assert_int_equal(p->width, 31);
}

TEST(a_box_is_centred_above_its_dependents)
{
    static const struct draw_gaps gaps = {.boxes = 3, .bends = 1};
    read_graph(STR("a | | |\nb | | | a\nc | | | a\nd | | | a\n"));
    lay_out();
    struct draw_part *p = &layout.parts[0];
    for (uint32_t i = 0; i < 4; i++)
        p->items[i].width = 7;
    draw_place(p, &gaps);
    assert_int_equal(p->width, 27);
    assert_int_equal(p->items[0].x, 13);
}

TEST(frames_are_placed_in_rows)
{
    struct draw_frame f[] = {{.width = 50, .height = 9},
                             {.width = 40, .height = 20},
                             {.width = 20, .height = 5},
                             {.width = 200, .height = 5},
                             {.width = 10, .height = 5}};
    draw_place_pack(f, 5, 100, 3);
    assert_true(f[0].x == 0 && f[0].y == 0 && f[0].row == 0);
    assert_true(f[1].x == 53 && f[1].y == 0 && f[1].row == 0);
    assert_true(f[2].x == 0 && f[2].y == 20 && f[2].row == 1);
    assert_true(f[3].x == 0 && f[3].y == 25 && f[3].row == 2);
    assert_true(f[4].x == 0 && f[4].y == 30 && f[4].row == 3);
}

/* ---- lines */

/* In a channel each column belongs to one net, and nets in the same row do not touch. */
static void check_channel(const struct draw_part *p, const struct draw_channel *c)
{
    static uint32_t owner[20000];
    memset(owner, 0, sizeof owner);
    for (uint32_t n = 0; n < c->count; n++) {
        const struct draw_net *net = &c->nets[n];
        for (uint32_t i = 0; i < net->from_count + net->to_count; i++) {
            int32_t x =
                i < net->from_count ? p->items[net->from[i]].x : net->ports[i - net->from_count];
            assert_in_range(x, 0, 19999);
            assert_true(owner[x] == 0 || owner[x] == n + 1);
            assert_in_range(x, net->left, net->right);
            owner[x] = n + 1;
        }
        for (uint32_t i = 0; i < net->to_count; i++) {
            const struct draw_item *to = &p->items[net->to[i]];
            if (to->is_bend)
                assert_int_equal(net->ports[i], to->x);
            else
                assert_in_range(net->ports[i], draw_place_left(to) + 1, draw_place_right(to) - 2);
        }
        assert_int_equal(net->track == DRAW_STRAIGHT, net->left == net->right);
        for (uint32_t k = 0; k < n && net->track != DRAW_STRAIGHT; k++)
            if (c->nets[k].track == net->track)
                assert_true(c->nets[k].right + 1 < net->left || net->right + 1 < c->nets[k].left);
    }
}

TEST(nets_keep_apart)
{
    static const struct draw_gaps gaps = {.boxes = 2, .bends = 1};
    struct rng rng;
    rng_seed(&rng, 5);
    for (int round = 0; round < 200; round++) {
        random_graph(&rng, 50, 40 + rng_below(&rng, 200), 1 + (uint32_t)rng_below(&rng, 50));
        lay_out();
        for (size_t i = 0; i < layout.part_count; i++) {
            struct draw_part *p = &layout.parts[i];
            struct draw_routes r;
            draw_route_make(p, &r, &drawn);
            for (uint32_t k = 0; k < p->boxes; k++) { /* the narrowest boxes */
                int32_t ports = DRAW_PORTS(r.ins[k]);
                p->items[k].width = ports > 3 ? ports : 3;
            }
            draw_place(p, &gaps);
            draw_route_assign(p, &r, &gaps);
            check_places(p, &gaps);
            for (uint32_t layer = 0; layer + 1 < p->layer_count; layer++)
                check_channel(p, &r.channels[layer]);
        }
    }
}

TEST(lines_with_the_same_ends_are_one_net)
{
    struct draw_routes r;
    read_graph(STR("a | | |\nb | | |\nc | | |\nx | | | a b c\ny | | | a b\n"));
    lay_out();
    draw_route_make(&layout.parts[0], &r, &drawn);
    assert_int_equal(r.channels[0].count, 2); /* a and b to x and y; c to x */
    assert_int_equal(r.ins[3], 2);
    assert_int_equal(r.ins[4], 1);
}

/* ---- limits */

TEST(a_graph_that_is_too_large_is_refused)
{
    struct draw_layout l;
    read_graph(STR("a | | | b\nb | | | a\n"));
    assert_false(draw_layout_make(&d.graph, &l));
    no_graph();
    d.graph.count = DRAW_MAX_NODES + 1;
    assert_false(draw_layout_make(&d.graph, &l));
    d.graph.count = DRAW_MAX_NODES;
    assert_true(draw_layout_make(&d.graph, &l));
    assert_int_equal(l.part_count, DRAW_MAX_NODES);
    draw_layout_done(&l);
}

int main(void)
{
    int failed = test_run(NULL, NULL);
    draw_layout_done(&layout);
    no_graph();
    return failed;
}
