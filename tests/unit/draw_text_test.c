#include <time.h>

#include "base/file.h"
#include "draw_reader.h"

/* In the folder GOLDEN, NAME.in is a graph and NAME.txt its picture. */

static struct buf out;

static struct str draw(uint32_t columns, bool ascii, bool colour)
{
    buf_clear(&out);
    draw_text(&d, &(struct draw_style){.columns = columns, .ascii = ascii, .colour = colour}, &out);
    return buf_str(&out);
}

static void read_golden(const char *name, const char *ending, struct buf *text)
{
    struct error err = {0};
    struct buf path = {0};
    buf_printf(&path, "%s/%s.%s", GOLDEN, name, ending);
    if (!file_read(path.p, 1 << 20, text, &err))
        fail_msg("%s", err.text);
    buf_done(&path);
}

static void read_graph_of(const char *name)
{
    struct buf text = {0};
    read_golden(name, "in", &text);
    read_graph(buf_str(&text));
    buf_done(&text);
}

static void check_golden(const char *name, struct str got)
{
    struct buf want = {0};
    read_golden(name, "txt", &want);
    if (!str_eq(got, buf_str(&want)))
        fail_msg("%s: got\n%.*s\nwant\n%.*s", name, STR_ARG(got), STR_ARG(buf_str(&want)));
    buf_done(&want);
}

/* ---- pictures as they are */

TEST(pictures_look_as_they_should)
{
    static const char *const names[] = {"one",  "chain",    "diamond", "fan",      "parts",
                                        "long", "crossing", "project", "bipartite"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        read_graph_of(names[i]);
        check_golden(names[i], draw(100, false, false));
        check_picture(buf_str(&out));
    }
}

TEST(hostile_names_are_harmless)
{
    read_graph_of("hostile");
    check_golden("hostile", draw(100, false, false));
    check_golden("hostile_ascii", draw(100, true, false));
    check_golden("hostile_list", draw(20, false, false));
    for (size_t i = 0; i < out.n; i++)
        assert_true((unsigned char)out.p[i] >= ' ' || out.p[i] == '\n');
}

TEST(boxes_become_narrower_before_a_list_is_used)
{
    read_graph_of("project");
    check_golden("project_72", draw(72, false, false));
    check_golden("project_list", draw(40, false, false));
    check_list(buf_str(&out));
}

TEST(titles_are_shown_if_there_is_room)
{
    read_graph_of("titles");
    check_golden("titles", draw(100, false, false));
    check_golden("titles_40", draw(40, false, false));
}

TEST(colour_changes_only_the_colour)
{
    struct buf plain = {0}, bare = {0};
    for (uint32_t columns = 30; columns <= 100; columns += 70) {
        read_graph_of("project");
        buf_clear(&plain);
        buf_clear(&bare);
        buf_add(&plain, draw(columns, false, false));
        draw(columns, false, true);
        for (size_t i = 0; i < out.n; i++) {
            if (out.p[i] != '\033') {
                buf_add_char(&bare, out.p[i]);
                continue;
            }
            while (out.p[i] != 'm')
                i++;
        }
        assert_true(bare.n < out.n);
        CHECK_STR(buf_str(&bare), buf_str(&plain));
    }
    buf_done(&plain);
    buf_done(&bare);
}

/* Each line has the same shape as in Unicode, character for character. */
TEST(ascii_is_the_same_picture)
{
    static const struct {
        const char *line;
        char ascii;
    } twins[] = {{"│", '|'}, {"─", '-'}, {"┌", '.'}, {"┐", '.'}, {"└", '\''}, {"┘", '\''},
                 {"├", '+'}, {"┤", '+'}, {"┬", '+'}, {"┴", '+'}, {"┼", '+'},  {"▼", 'v'}};
    struct rng rng;
    struct buf want = {0};
    rng_seed(&rng, 7);
    for (int round = 0; round < 50; round++) {
        random_graph(&rng, 12, 16, 8);
        struct str text = draw(0, false, false);
        buf_clear(&want);
        while (text.n) {
            size_t bytes = utf8_char_bytes(text);
            char c = text.p[0];
            for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
                if (str_eq(str_head(text, bytes), str_from(twins[i].line)))
                    c = twins[i].ascii;
            buf_add_char(&want, c);
            text = str_skip(text, bytes);
        }
        CHECK_STR(draw(0, true, false), buf_str(&want));
    }
    buf_done(&want);
}

TEST(an_empty_graph_draws_nothing)
{
    no_graph();
    CHECK_CSTR(draw(80, false, false), "");
}

/* ---- every picture */

static void check_columns(struct str text, uint32_t columns)
{
    for (struct str line; text.n;) {
        str_cut(&text, '\n', &line);
        assert_true(columns_of(line) <= columns);
        assert_true(!line.n || line.p[line.n - 1] != ' ');
    }
}

TEST(a_picture_can_be_read_back)
{
    struct rng rng;
    rng_seed(&rng, 1);
    for (int round = 0; round < 400; round++) {
        uint32_t count = 1 + (uint32_t)rng_below(&rng, 30);
        random_graph(&rng, count, rng_below(&rng, count * 2), 1 + (uint32_t)rng_below(&rng, 30));
        check_picture(draw(0, false, false));
    }
    for (int round = 0; round < 20; round++) { /* dense graphs */
        random_graph(&rng, 40, 300, 40);
        check_picture(draw(0, false, false));
    }
}

TEST(a_picture_keeps_to_its_columns)
{
    struct rng rng;
    unsigned pictures = 0, lists = 0;
    rng_seed(&rng, 2);
    for (int round = 0; round < 300; round++) {
        uint32_t columns = 40 + (uint32_t)rng_below(&rng, 120);
        random_graph(&rng, 24, 30 + rng_below(&rng, 30), 10);
        struct str text = draw(columns, false, false);
        check_columns(text, columns);
        bool is_list = str_find(text, STR("needs ")) < text.n;
        bool is_picture = str_find(text, STR("┌")) < text.n;
        lists += is_list;
        pictures += is_picture;
        if (!is_list)
            check_picture(text);
        else if (!is_picture)
            check_list(text);
    }
    assert_true(pictures > 30 && lists > 30);
}

TEST(the_same_graph_gives_the_same_picture)
{
    struct rng rng;
    struct buf first = {0};
    rng_seed(&rng, 3);
    random_graph(&rng, 40, 60, 12);
    buf_add(&first, draw(0, false, false));
    for (size_t i = 0; i < d.graph.edge_count / 2;
         i++) { /* the order of the edges does not matter */
        struct graph_edge e = edges[i];
        edges[i] = edges[d.graph.edge_count - 1 - i];
        edges[d.graph.edge_count - 1 - i] = e;
    }
    edges[d.graph.edge_count] = edges[0]; /* nor does a duplicate */
    d.graph.edge_count++;
    CHECK_STR(draw(0, false, false), buf_str(&first));
    buf_done(&first);
}

TEST(names_that_would_look_the_same_are_not_cut)
{
    read_graph(STR("import-of-the-assets-of-the-first-level-and-more | | |\n"
                   "import-of-the-assets-of-the-other-level-and-more | | | "
                   "import-of-the-assets-of-the-first-level-and-more\n"));
    check_picture(draw(100, false, false));
    check_list(draw(50, false, false)); /* no room: a list, not a misleading picture */
}

/* ---- what cannot be drawn */

TEST(a_cycle_is_drawn_as_a_list)
{
    read_graph(STR("a | | | c\nb | | | a\nc | | | b\nd | | |\n"));
    check_list(draw(80, false, false));
}

TEST(too_many_nodes_are_drawn_as_a_list)
{
    struct rng rng;
    rng_seed(&rng, 4);
    random_graph(&rng, DRAW_MAX_NODES + 1, 3000, 20);
    draw(0, false, false);
    assert_true(str_find(buf_str(&out), STR("┌")) == out.n);
    assert_true(str_find(buf_str(&out), STR("t2000")) < out.n);
}

/* A chain with extra edges to its beginning: too many lines pass. */
TEST(too_many_edges_are_drawn_as_a_list)
{
    no_graph();
    d.graph.count = DRAW_MAX_NODES;
    for (uint32_t i = 0; i < d.graph.count; i++)
        nodes[i].name = arena_printf(&drawn, "t%u", i);
    for (uint32_t i = 1; i < d.graph.count; i++) {
        edges[d.graph.edge_count++] = (struct graph_edge){i, i - 1};
        edges[d.graph.edge_count++] = (struct graph_edge){i, i / 2};
    }
    draw(0, false, false);
    assert_true(str_find(buf_str(&out), STR("┌")) == out.n);
}

TEST(a_large_graph_is_drawn_quickly)
{
    struct rng rng;
    rng_seed(&rng, 5);
    for (uint32_t back = 20; back <= 2000; back *= 10) {
        clock_t before = clock();
        random_graph(&rng, DRAW_MAX_NODES, 6000, back);
        draw(0, false, false);
        draw(100, false, false);
        assert_true((clock() - before) / CLOCKS_PER_SEC < 20); /* 0.2 s, and no sanitizer */
    }
}

int main(void)
{
    int failed = test_run(NULL, NULL);
    no_graph();
    buf_done(&out);
    return failed;
}
