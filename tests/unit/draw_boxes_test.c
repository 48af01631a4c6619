#include "draw_fixture.h"
#include "orchestrator/draw_internal.h"

static void add_edge(uint32_t node, uint32_t needs)
{
    assert_true(d.graph.edge_count < MOST_EDGES);
    edges[d.graph.edge_count++] = (struct graph_edge){node, needs};
}

static void add_nodes(uint32_t count)
{
    no_graph();
    d.graph.count = count;
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = (struct draw_node){.name = arena_printf(&drawn, "t%u", i), .label = STR("X")};
}

/* Check that the line goes from the lower side of one box to the upper side of the other, always
 * downwards, and has no redundant point. Return the number of points. */
static size_t check_lines(const struct draw_boxes *b)
{
    size_t all = 0;
    for (size_t i = 0; i < b->line_count; i++) {
        const struct draw_line *l = &b->lines[i];
        const struct draw_box *from = &b->boxes[l->needs], *to = &b->boxes[l->node];
        assert_true(l->count >= 2);
        assert_int_equal(l->points[0].y, from->y + from->height);
        assert_int_equal(l->points[l->count - 1].y, to->y);
        assert_true(l->points[l->count - 1].x > to->x &&
                    l->points[l->count - 1].x < to->x + to->width);
        for (size_t k = 1; k < l->count; k++)
            assert_true(l->points[k].y > l->points[k - 1].y);
        for (size_t k = 2; k < l->count; k++)
            assert_false(l->points[k].x == l->points[k - 1].x &&
                         l->points[k].x == l->points[k - 2].x);
        all += l->count;
    }
    return all;
}

TEST(lines_go_down_from_box_to_box)
{
    struct draw_boxes b;
    struct rng rng;
    rng_seed(&rng, 7);
    for (uint32_t n = 2; n < 40; n++) {
        random_graph(&rng, n, n * 2, n);
        assert_true(draw_boxes_make(&d, &b));
        assert_true(b.line_count > 0);
        check_lines(&b);
        draw_boxes_done(&b);
    }
}

static void chain(uint32_t count)
{
    add_nodes(count);
    for (uint32_t i = 1; i < count; i++)
        add_edge(i, i - 1);
}

TEST(a_line_over_many_layers_has_few_points)
{
    struct draw_boxes b;
    chain(DRAW_MAX_NODES);
    add_edge(DRAW_MAX_NODES - 1, 0);
    assert_true(draw_boxes_make(&d, &b));
    assert_int_equal(b.line_count, DRAW_MAX_NODES);
    assert_true(check_lines(&b) <= 2 * b.line_count + 4);
    draw_boxes_done(&b);
}

/* Each node also needs the first one, whose line passes all layers between. */
TEST(a_graph_with_too_many_points_is_not_drawn)
{
    static const uint32_t counts[] = {200, DRAW_MAX_NODES};
    struct draw_boxes b;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        chain(counts[i]);
        for (uint32_t k = 2; k < counts[i]; k++)
            add_edge(k, 0);
        bool fits = draw_boxes_make(&d, &b);
        assert_int_equal(fits, counts[i] < DRAW_MAX_NODES);
        assert_true(arena_size(&b.arena) < 64 * DRAW_MAX_POINTS);
        if (fits)
            assert_true(check_lines(&b) <= DRAW_MAX_POINTS);
        draw_boxes_done(&b);
    }
    no_graph();
}
