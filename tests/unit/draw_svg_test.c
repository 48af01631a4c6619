/* The SVG, read by an XML parser: contents, positions, and that it is self-contained. */
#include <expat.h>
#include <math.h>
#include <time.h>

#include "base/map.h"
#include "draw_fixture.h"

struct rect {
    long x, y, width, height;
};

static struct buf out;
static struct {
    XML_Parser xml;
    unsigned depth, boxes, paths;
    unsigned in_path, in_title, in_desc, in_style;
    struct buf title, first_title, desc, style;
    struct rect rects[MOST_NODES];
    long at_x, at_y;
    long width, height;
    struct map lines; /* "a needs b" */
    struct buf texts; /* of all <text>, a line each */
    bool in_text, ends_in_arrow;
} s;

static const char *attribute(const XML_Char **a, const char *name)
{
    for (; a[0]; a += 2)
        if (strcmp(a[0], name) == 0)
            return a[1];
    return NULL;
}

static long number(const XML_Char **a, const char *name)
{
    const char *text = attribute(a, name);
    char *end;
    if (!text)
        return 0;
    long n = strtol(text, &end, 10);
    assert_int_equal(*end, 0);
    return n;
}

/* Check that a line goes from the lower side of a box to the upper side of another, always
 * downwards. */
static void check_path(const char *p)
{
    double last_y = -1, n[2];
    unsigned have = 0;
    for (char command = 0; *p;) {
        char *end;
        if (strchr("MCV", *p)) {
            command = *p++;
            have = 0;
            continue;
        }
        n[have % 2] = strtod(p, &end);
        assert_ptr_not_equal(p, end);
        p = end + (*end == ' ');
        have++;
        double y = command == 'V' ? n[0] : n[1];
        if (command == 'V' || have % 2 == 0) {
            assert_true(y >= last_y);
            last_y = y;
            have = command == 'V' ? 0 : have;
        }
    }
    assert_true(last_y > 0);
}

static void on_begin(void *ctx, const XML_Char *name, const XML_Char **a)
{
    (void)ctx;
    assert_true(s.depth || strcmp(name, "svg") == 0);
    assert_int_not_equal(strcmp(name, "script"), 0);
    assert_null(attribute(a, "href"));
    for (const XML_Char **at = a; at[0]; at += 2) {
        assert_false(str_starts(str_from(at[0]), STR("on")));
        assert_true(strstr(at[1], "url(") == NULL || strstr(at[1], "url(#") != NULL);
    }
    if (!s.depth++) {
        s.width = number(a, "width");
        s.height = number(a, "height");
        assert_string_equal(attribute(a, "role"), "img");
        assert_non_null(attribute(a, "aria-labelledby"));
    }
    if (strcmp(name, "g") == 0 && attribute(a, "transform"))
        assert_int_equal(sscanf(attribute(a, "transform"), "translate(%ld %ld)", &s.at_x, &s.at_y),
                         2);
    if (strcmp(name, "g") == 0 && attribute(a, "marker-end"))
        s.ends_in_arrow = true;
    if (strcmp(name, "rect") == 0)
        s.rects[s.boxes++] = (struct rect){s.at_x, s.at_y, number(a, "width"), number(a, "height")};
    if (strcmp(name, "path") == 0 && strchr(attribute(a, "d"), 'z') == NULL) {
        check_path(attribute(a, "d"));
        s.in_path = s.depth;
        s.paths++;
    }
    if (strcmp(name, "title") == 0)
        s.in_title = s.depth;
    if (strcmp(name, "desc") == 0)
        s.in_desc = s.depth;
    if (strcmp(name, "style") == 0)
        s.in_style = s.depth;
    s.in_text = strcmp(name, "text") == 0;
}

static void on_end(void *ctx, const XML_Char *name)
{
    (void)ctx;
    if (strcmp(name, "title") == 0) {
        if (s.in_path && map_set(&s.lines, buf_str(&s.title), &s))
            fail_msg("twice: %s", s.title.p);
        if (!s.first_title.n)
            buf_add(&s.first_title, buf_str(&s.title));
        buf_clear(&s.title);
        s.in_title = 0;
    }
    if (strcmp(name, "path") == 0)
        s.in_path = 0;
    if (strcmp(name, "desc") == 0)
        s.in_desc = 0;
    if (strcmp(name, "style") == 0)
        s.in_style = 0;
    if (s.in_text)
        buf_add_char(&s.texts, '\n');
    s.in_text = false;
    s.depth--;
}

static void on_text(void *ctx, const XML_Char *text, int n)
{
    (void)ctx;
    struct str part = str_make(text, (size_t)n);
    if (s.in_title)
        buf_add(&s.title, part);
    else if (s.in_desc)
        buf_add(&s.desc, part);
    else if (s.in_style)
        buf_add(&s.style, part);
    else if (s.in_text)
        buf_add(&s.texts, part);
}

static void forget(void)
{
    map_done(&s.lines);
    buf_done(&s.title);
    buf_done(&s.first_title);
    buf_done(&s.desc);
    buf_done(&s.style);
    buf_done(&s.texts);
    memset(&s, 0, sizeof s);
}

static void draw_and_read(void)
{
    forget();
    buf_clear(&out);
    draw_svg(&d, &out);
    s.xml = XML_ParserCreate(NULL);
    XML_SetElementHandler(s.xml, on_begin, on_end);
    XML_SetCharacterDataHandler(s.xml, on_text);
    if (XML_Parse(s.xml, out.p, (int)out.n, 1) != XML_STATUS_OK)
        fail_msg("line %lu: %s", XML_GetCurrentLineNumber(s.xml),
                 XML_ErrorString(XML_GetErrorCode(s.xml)));
    XML_ParserFree(s.xml);
}

static bool has_line(const char *text)
{
    return map_get(&s.lines, str_from(text)) != NULL;
}

/* ---- what it says */

TEST(a_diamond_has_four_boxes_and_four_lines)
{
    read_graph(STR("schema | SUCCEEDED | The tables |\napi | RUNNING | | schema\n"
                   "page | READY | | schema\nrelease | PENDING | | api page\n"));
    draw_and_read();
    assert_int_equal(s.boxes, 4);
    assert_int_equal(s.paths, 4);
    assert_true(s.ends_in_arrow);
    assert_true(has_line("api needs schema") && has_line("page needs schema"));
    assert_true(has_line("release needs api") && has_line("release needs page"));
    CHECK_CSTR(buf_str(&s.first_title), "Tasks: 4, dependencies: 4");
    CHECK_CSTR(buf_str(&s.desc),
               "Each task stands below those that it needs. schema: SUCCEEDED. api: RUNNING, needs "
               "schema. page: READY, needs schema. release: PENDING, needs api and page.");
    CHECK_CSTR(buf_str(&s.texts), "schema\nThe tables\nSUCCEEDED\napi\nRUNNING\npage\nREADY\n"
                                  "release\nPENDING\n");
}

TEST(an_empty_graph_is_a_picture)
{
    no_graph();
    draw_and_read();
    assert_int_equal(s.boxes, 0);
    CHECK_CSTR(buf_str(&s.first_title), "Tasks: 0, dependencies: 0");
}

TEST(foreign_text_is_escaped)
{
    read_graph(STR("</text><script>alert(1)</script> | <x y=\"'&amp; | ]]>&#0;\\x00\\e |\n"
                   "\\xff\\xfe\\xef\\xbf\\xbe | | | "
                   "\n"));
    edges[0] = (struct graph_edge){1, 0};
    d.graph.edge_count = 1;
    draw_and_read();
    assert_int_equal(s.boxes, 2);
    assert_int_equal(s.paths, 1);
    assert_true(str_find(buf_str(&s.texts), STR("</text><script>")) < s.texts.n);
    assert_true(str_find(buf_str(&out), STR("<script")) == out.n);
}

/* ---- where it stands */

static void check_rects(void)
{
    for (unsigned i = 0; i < s.boxes; i++) {
        const struct rect *a = &s.rects[i];
        assert_true(a->x >= 0 && a->y >= 0 && a->x + a->width <= s.width &&
                    a->y + a->height <= s.height);
        for (unsigned k = 0; k < i; k++) {
            const struct rect *b = &s.rects[k];
            assert_true(a->x + a->width <= b->x || b->x + b->width <= a->x ||
                        a->y + a->height <= b->y || b->y + b->height <= a->y);
        }
    }
}

TEST(boxes_do_not_overlap_and_each_line_exists_once)
{
    struct rng rng;
    rng_seed(&rng, 1);
    for (int round = 0; round < 60; round++) {
        static bool seen[200][200];
        size_t edge_count = 0;
        random_graph(&rng, 60, rng_below(&rng, 150), 1 + (uint32_t)rng_below(&rng, 60));
        draw_and_read();
        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < d.graph.edge_count; i++) {
            char text[64];
            struct graph_edge e = edges[i];
            snprintf(text, sizeof text, "t%u needs t%u", e.node, e.needs);
            assert_true(has_line(text));
            edge_count += !seen[e.node][e.needs];
            seen[e.node][e.needs] = true;
        }
        assert_int_equal(s.paths, edge_count);
        assert_int_equal(s.lines.count, edge_count);
        assert_int_equal(s.boxes, d.graph.count);
        check_rects();
    }
}

/* ---- colours */

static double channel(unsigned c)
{
    double v = c / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(unsigned rgb)
{
    return 0.2126 * channel(rgb >> 16) + 0.7152 * channel(rgb >> 8 & 0xff) +
           0.0722 * channel(rgb & 0xff);
}

static double contrast(unsigned a, unsigned b)
{
    double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

/* The colour after `what` in the style. */
static unsigned colour(const char *what)
{
    const char *at = strstr(s.style.p, what);
    unsigned rgb;
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(what), "%6x", &rgb), 1);
    return rgb;
}

/* By WCAG: 3 for lines, on white and on black; 4.5 for text on its own background. */
TEST(everything_is_visible_on_white_and_on_black)
{
    static const char *const tones[] = {"p", "w", "r", "g", "b", "o"};
    read_graph(STR("a | READY | |\n"));
    draw_and_read();
    unsigned line = colour(".l{fill:none;stroke:#");
    assert_true(contrast(line, 0xffffff) >= 3 && contrast(line, 0) >= 3);
    for (size_t i = 0; i < sizeof tones / sizeof *tones; i++) {
        char what[64];
        snprintf(what, sizeof what, ".%s rect{fill:#", tones[i]);
        unsigned ground = colour(what);
        snprintf(what, sizeof what, ".%s rect{fill:#%06x;stroke:#", tones[i], ground);
        unsigned edge = colour(what);
        snprintf(what, sizeof what, ".%s .s{fill:#", tones[i]);
        assert_true(contrast(colour(what), ground) >= 4.5);
        assert_true(contrast(0x14181d, ground) >= 7);
        assert_true(contrast(0x39424d, ground) >= 4.5);
        assert_true(contrast(edge, 0xffffff) >= 3);
    }
}

/* ---- limits */

TEST(a_graph_that_cannot_be_drawn_is_listed)
{
    read_graph(STR("a | READY | | b\nb | READY | | a\nc | FAILED | |\n"));
    draw_and_read();
    assert_int_equal(s.paths, 0);
    CHECK_CSTR(buf_str(&s.texts), "c\nFAILED\n\na\nREADY\nneeds b\nb\nREADY\nneeds a\n");
    struct rng rng;
    rng_seed(&rng, 2);
    random_graph(&rng, DRAW_MAX_NODES + 1, 4000, 20);
    draw_and_read();
    assert_int_equal(s.paths, 0);
    assert_int_equal(s.boxes, DRAW_MAX_NODES + 1);
}

TEST(a_large_graph_is_small_and_quick)
{
    struct rng rng;
    rng_seed(&rng, 3);
    for (uint32_t back = 20; back <= 2000; back *= 10) {
        clock_t before = clock();
        random_graph(&rng, DRAW_MAX_NODES, 6000, back);
        draw_and_read();
        assert_int_equal(s.boxes, DRAW_MAX_NODES);
        assert_true(out.n < 8u << 20);
        assert_true((clock() - before) / CLOCKS_PER_SEC < 20); /* 0.2 s, and no sanitizer */
    }
}

int main(void)
{
    int failed = test_run(NULL, NULL);
    no_graph();
    forget();
    buf_done(&out);
    return failed;
}
